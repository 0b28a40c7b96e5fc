package record

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/plain"
	"spar/engines"
)

// Verification is the result of Verify.
type Verification struct {
	Games int64 // number of games that were replayed
	Bad   int64 // number of mismatches of games, plans and agents
	Open  []Open
}

// Open is a tournament that is not finished.
type Open struct {
	Event string
	Left  int64 // number of games to play
}

// Verify replays the moves of every stored game and compares the result with the game's row. It compares the games of
// each event with its plan: see arena.Audit. It calls bad for each mismatch.
func Verify(ctx context.Context, db *store.DB, bad func(error)) (v Verification, err error) {
	wrong := func(err error) {
		v.Bad++
		bad(err)
	}
	rows, err := db.BadRows(ctx)
	if err != nil {
		return v, err
	}
	for _, row := range rows {
		wrong(errors.New(row))
	}
	if err = v.games(ctx, db, wrong); len(rows) > 0 && ctx.Err() == nil {
		err = nil // it only says again that one of the rows cannot be read
	}
	return v, err
}

// games checks all games that can be read.
func (v *Verification) games(ctx context.Context, db *store.DB, wrong func(error)) error {
	events, err := db.Events(ctx)
	if err != nil {
		return err
	}
	rules, agents, err := kept(ctx, db, wrong)
	if err != nil {
		return err
	}
	compiled := map[int64]*engines.Game{}
	for _, k := range rules {
		compiled[k.ID] = k.Game
	}
	var audit *arena.Audit
	at := -1 // index of the event of the games
	end := func() {
		if audit == nil {
			return
		}
		if left := audit.Close(wrong); left > 0 {
			v.Open = append(v.Open, Open{events[at].Name, left})
		}
	}
	for row, err := range db.Games(ctx, store.Filter{}) {
		if err != nil {
			return err
		}
		if at < 0 || events[at].ID != row.Event {
			end()
			at = slices.IndexFunc(events, func(e study.Event) bool { return e.ID == row.Event })
			if audit, err = arena.NewAudit(events[at], rules, agents); err != nil {
				wrong(err)
			} else {
				for f, err := range db.Before(ctx, row.Event) {
					if err != nil {
						return err
					}
					audit.Before(f)
				}
			}
		}
		v.Games++
		g, err := under(compiled, row)
		switch {
		case err != nil:
			return err
		case row.ID != store.GameID(row.Event, row.Number):
			err = fmt.Errorf("game %d: its id does not match game %d of event %d", row.ID, row.Number, row.Event)
		case audit != nil:
			err = audit.Take(g, row.Game)
		default:
			err = arena.Verify(g, row.Game)
		}
		if err != nil {
			wrong(err)
		}
	}
	end()
	return nil
}

// kept returns the rules and agents of a study by name, and calls bad for each whose hash is not that of its text.
func kept(ctx context.Context, db *store.DB, bad func(error)) (rules, players map[string]arena.Kept, err error) {
	rules = map[string]arena.Kept{}
	players = map[string]arena.Kept{}
	stored, err := db.Rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range stored {
		g, err := engines.Stored(r.Canonical)
		if err != nil {
			return nil, nil, fmt.Errorf("rules %q: %w", r.Name, err)
		}
		if g.RulesHash() != r.Hash {
			bad(fmt.Errorf("rules %q: their hash is %s, but the row has %s", r.Name, g.RulesHash(), r.Hash))
		}
		rules[r.Name] = arena.Kept{ID: r.ID, Game: g}
	}
	names, err := db.AgentNames(ctx)
	if err != nil {
		return nil, nil, err
	}
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return nil, nil, err
	}
	for id, name := range names {
		players[name] = arena.Kept{ID: id, Spec: specs[name]}
	}
	effective, err := db.Effective(ctx)
	for _, e := range effective {
		if e.Hash != "" && e.Hash != plain.Hash(e.Spec) {
			bad(fmt.Errorf("agent %q under %q: the hash of its knobs is %s, but the row has %s", e.Agent, e.Rules,
				plain.Hash(e.Spec), e.Hash))
		}
	}
	return rules, players, err
}

func under(compiled map[int64]*engines.Game, row store.Row) (*engines.Game, error) {
	g, ok := compiled[row.Rules]
	if !ok {
		var err error
		if g, err = engines.Stored(row.RulesJSON); err != nil {
			return nil, err
		}
		compiled[row.Rules] = g
	}
	return g, nil
}

// Replayed is the result of Replay.
type Replayed struct {
	// fraction of the games to replay, 0 to 1
	Share float64 `json:"share" help:"share of games to replay"`
	// number of games that were played again
	Again    int64     `json:"again" help:"games that their agents replayed"`
	Differ   int64     `json:"differ" help:"replayed games with other moves"`
	Searched int64     `json:"searched" help:"replayed games with the same moves and other node counts"`
	LeftOut  []LeftOut `json:"left_out"` // games that cannot be reproduced
	Other    []Other   `json:"other"`    // the first games that differ
}

// LeftOut counts games that cannot be reproduced, by reason.
type LeftOut struct {
	Why   string `json:"why" help:"why games cannot be reproduced"`
	Games int64  `json:"games" help:"number of games"`
}

// Other is a game that the agents now play differently.
type Other struct {
	ID  int64 `json:"id" help:"a game that differs; at most 1,000 are listed"`
	Ply int   `json:"ply,omitempty" help:"first ply at which the moves differ; omitted if all are the same"`
	// stored move; the stored result if Ply is 0
	Stored string `json:"stored" help:"stored move at this ply, or how the game ended"`
	Now    string `json:"now" help:"the value in the replay"`
}

const (
	mostOther = 1000 // maximum number of listed differences
	atOnce    = 4096 // maximum number of games in memory
)

// ErrNone is returned if no game of a study can be reproduced.
var ErrNone = errors.New("no game of this study can be reproduced")

// Replay lets the agents play a fraction of the games again, spread evenly over each event. It uses the stored
// specs and random streams, and compares the games move by move. It skips games that depended on a clock, on
// people or on external programs.
func Replay(ctx context.Context, db *store.DB, share float64, workers int,
	told func(study.Game, arena.Difference),
) (*Replayed, error) {
	r := &Replayed{Share: share, Other: []Other{}}
	check, err := newPlayer(ctx, db, workers, func(g study.Game, d arena.Difference) {
		r.Again++
		if d.Searched {
			r.Searched++
		}
		if !d.Differs() {
			return
		}
		if r.Differ++; len(r.Other) < mostOther {
			r.Other = append(r.Other, Other{g.ID, d.Ply, d.Stored, d.Now})
		}
		told(g, d)
	})
	if err != nil {
		return nil, err
	}
	defer check.Close()
	out := map[string]int64{}
	able := 0.0 // games that can be played again, times the share
	for row, err := range db.Games(ctx, store.Filter{}) {
		if err != nil {
			return nil, err
		}
		game, err := check.recorded(row)
		if err != nil {
			return nil, err
		}
		if why := check.Able(game); why != "" {
			out[why]++
			check.Skip(game)
			continue
		}
		was := int64(able)
		if able += share; int64(able) == was {
			check.Skip(game)
			continue
		}
		if check.Take(game); check.Waiting() >= atOnce {
			if err := check.Play(ctx); err != nil {
				return nil, err
			}
		}
	}
	if err := check.Play(ctx); err != nil {
		return nil, err
	}
	r.LeftOut = listed(out)
	slices.SortFunc(r.Other, func(a, b Other) int { return int(a.ID - b.ID) })
	if able == 0 {
		return r, ErrNone
	}
	return r, nil
}

// player replays games with the agents of a study.
type player struct {
	*arena.ReplayCheck
	specs    map[string]string
	compiled map[int64]*engines.Game
}

func newPlayer(ctx context.Context, db *store.DB, workers int, report func(study.Game, arena.Difference)) (*player,
	error,
) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	effective, err := db.Effective(ctx)
	if err != nil {
		return nil, err
	}
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return nil, err
	}
	return &player{arena.NewReplayCheck(events, effective, workers, report), specs, map[int64]*engines.Game{}}, nil
}

// recorded returns a stored game together with the objects that its row refers to.
func (p *player) recorded(row store.Row) (*arena.Recorded, error) {
	g, err := under(p.compiled, row)
	return &arena.Recorded{
		Game:   row.Game,
		Label:  row.RulesName,
		First:  row.FirstName,
		Second: row.SecondName,
		Under:  g,
		Specs:  [2]string{p.specs[row.FirstName], p.specs[row.SecondName]},
	}, err
}

// leftOut counts the games that Replay would skip, by event and reason.
func leftOut(ctx context.Context, db *store.DB) (map[int64]map[string]int64, error) {
	check, err := newPlayer(ctx, db, 1, nil)
	if err != nil {
		return nil, err
	}
	defer check.Close()
	kinds, err := db.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	out := map[int64]map[string]int64{}
	for _, k := range kinds {
		why := "their rules cannot be read"
		if game, err := check.recorded(k.Row); err == nil {
			why = check.Able(game)
		}
		if why != "" {
			if out[k.Event] == nil {
				out[k.Event] = map[string]int64{}
			}
			out[k.Event][why] += k.Games
		}
	}
	return out, nil
}

// listed returns the counts, sorted by reason.
func listed(out map[string]int64) []LeftOut {
	list := []LeftOut{}
	for _, why := range slices.Sorted(maps.Keys(out)) {
		list = append(list, LeftOut{why, out[why]})
	}
	return list
}
