package balance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/oracle"
	"spar/arena/store"
)

// endKind is a kind of ending, as far as the measures distinguish them.
type endKind uint8

const (
	endWin endKind = iota
	endDraw
	endCap
	endAdjudicated
	endForfeit
)

func (k endKind) String() string {
	return [...]string{"win", "draw", "cap", "adjudicated", "forfeit"}[k]
}

// kindOf returns the kind for the recorded reason of an ending.
func kindOf(reason string, half uint8) endKind {
	switch {
	case evidence.IsForfeit(reason):
		return endForfeit
	case evidence.Capped(reason):
		return endCap
	case reason == "resign" || reason == "agreed_draw" || reason == "exact" || reason == "forced_draw":
		return endAdjudicated
	case half == 1:
		return endDraw
	}
	return endWin
}

// record holds what the measures need of one game while the game is processed.
type record struct {
	id, pair, hash int64
	label          uint64     // of the opening, see evidence.Opening; 0 = from the start
	number         int64      // number in the schedule of its event
	at             int64      // index among the games, from 0
	event          int32      // index into Data.Events
	group          *groupData // nil for games that are used only to compare agents
	first, second  int32      // indices into pass.names
	inOrder        bool       // the first agent's name sorts before the second's
	reason         int32      // index into pass.reasons
	plies, opening int32
	half           uint8 // half points of the first player: 0, 1 or 2
	kind           endKind
	marks          evidence.Marks
	replay         // set by the goroutines that replay games
}

// z returns the first player's score.
func (r *record) z() float64 { return float64(r.half) / 2 }

// counts reports whether the game is evidence about play.
func (r *record) counts() bool { return r.marks.Counts(evidence.Balance) }

// place identifies a pair of games within the study.
type place struct {
	event int32
	pair  int64
}

func (r *record) place() place { return place{r.event, r.pair} }

// pass is the result of one pass over the games: sums, and a few unusual games.
type pass struct {
	data     *Data
	mirrored bool // agents play themselves, as in a balance study: only these games form groups
	names    []string
	reasons  []string
	groups   []*groupData
	total    int64                  // number of games in the study
	ends     map[[2]int32]*endTally // how games ended, for each two agents
	games    int64                  // number of games that count for at least one measure
	leftOut  atomic.Int64           // number of games that count for no measure
	study    Played
	// for the games so far, by hash of agents and moves: the purposes of their events, as a bit set
	seen    map[uint64]uint32
	scopes  map[string]uint32 // the bits of purposes
	matches map[match]*matchSums
	waiting map[matchPair]matchGame // games of matches whose partner has not been read yet
	forced  firstSums
	valued  map[int64][]store.PositionValue
}

// chunk is a batch of games on the way through the pass.
type chunk struct {
	start int64
	moves []string
	marks []record
}

const chunkGames = 256

// read makes the pass. One goroutine reads, several replay, and one adds in the order of the study.
func read(ctx context.Context, data *Data, values *oracle.Values, workers int,
	progress func(done int64),
) (*pass, error) {
	p := newPass(data, values)
	work, finished := make(chan chunk, workers), make(chan chunk, workers)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(work)
		return p.feed(ctx, work)
	})
	replaying, replayCtx := errgroup.WithContext(ctx)
	for range workers {
		r := newReplayer(data.Game)
		replaying.Go(func() error {
			for c := range work {
				for j := range c.marks {
					r.run(c.moves[j], &c.marks[j])
				}
				select {
				case finished <- c:
				case <-replayCtx.Done():
					return replayCtx.Err()
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(finished)
		return replaying.Wait()
	})
	group.Go(func() error {
		waiting := map[int64]chunk{}
		for c := range finished {
			for waiting[c.start] = c; ; {
				next, ok := waiting[p.games]
				if !ok {
					break
				}
				delete(waiting, p.games)
				for i := range next.marks {
					p.take(&next.marks[i])
				}
				p.games += int64(len(next.marks))
				progress(p.games + p.leftOut.Load())
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	p.settle()
	for i, g := range p.groups {
		if !g.varied && evidence.Same(g.games, g.distinct) {
			g = g.condensed()
			p.groups[i] = g
		}
		g.finish()
	}
	return p, nil
}

func newPass(data *Data, values *oracle.Values) *pass {
	p := &pass{
		data:    data,
		seen:    map[uint64]uint32{},
		scopes:  map[string]uint32{},
		matches: map[match]*matchSums{},
		waiting: map[matchPair]matchGame{},
		ends:    map[[2]int32]*endTally{},
	}
	p.study = Played{DB: data.Path, Opened: true, Events: []EventInfo{}}
	if values != nil {
		p.valued = values.Games
	}
	for _, e := range data.Events {
		p.total += e.Games
		p.mirrored = p.mirrored || e.Purpose == campaign.PurposeMirror || e.Purpose == campaign.PurposeOpenings
	}
	return p
}

// feed reads the games and passes them on in chunks. It drops games that count for no measure, such as those of a
// tuning.
func (p *pass) feed(ctx context.Context, work chan<- chunk) error {
	event := map[int64]int32{}
	for i, e := range p.data.Events {
		event[e.ID] = int32(i)
	}
	groups := map[string]*groupData{}
	next := chunk{}
	n := int64(0)
	send := func() error {
		select {
		case work <- next:
			next = chunk{start: n, moves: make([]string, 0, chunkGames), marks: make([]record, 0, chunkGames)}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for g, err := range p.data.Games(ctx) {
		if err != nil {
			return err
		}
		at, ok := event[g.Event]
		if !ok {
			return fmt.Errorf("game %d belongs to event %d, which the study does not have", g.ID, g.Event)
		}
		if !(g.Marks &^ evidence.Repeated).Counts(evidence.Ends) {
			p.leftOut.Add(1)
			continue
		}
		r := record{
			id:      g.ID,
			number:  g.Number,
			at:      n,
			pair:    g.Pair,
			hash:    g.hash(),
			event:   at,
			first:   index(&p.names, g.First),
			second:  index(&p.names, g.Second),
			inOrder: g.First <= g.Second,
			plies:   int32(g.Plies),
			opening: int32(g.OpeningPlies),
			marks:   g.Marks,
			label:   evidence.Opening(0, g.Moves, g.OpeningPlies),
		}
		switch g.Result {
		case "first":
			r.half = 2
		case "draw":
			r.half = 1
		case "second":
		default:
			return fmt.Errorf("game %d has an unknown result %q", g.ID, g.Result)
		}
		r.reason, r.kind = index(&p.reasons, g.Reason), kindOf(g.Reason, r.half)
		switch purpose := p.data.Events[at].Purpose; {
		case !p.mirrored:
			r.group = p.group(groups, "all", "all", "")
		case (purpose == campaign.PurposeMirror || purpose == campaign.PurposeOpenings) && g.First == g.Second:
			kind := strings.TrimPrefix(purpose, "balance/")
			r.group = p.group(groups, kind+"/"+g.First, kind, g.First)
			r.group.looked = r.group.looked || p.data.Events[at].Clear
		}
		next.moves = append(next.moves, g.Moves)
		next.marks = append(next.marks, r)
		n++
		if len(next.marks) == chunkGames {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(next.marks) > 0 {
		return send()
	}
	return nil
}

func (p *pass) group(known map[string]*groupData, key, kind, agent string) *groupData {
	d, ok := known[key]
	if !ok {
		d = newGroup(p, key, kind, agent)
		known[key] = d
		p.groups = append(p.groups, d)
	}
	return d
}

// index returns the index of a text in a short list, which then contains it.
func index(list *[]string, text string) int32 {
	i := slices.Index(*list, text)
	if i < 0 {
		i = len(*list)
		*list = append(*list, text)
	}
	return int32(i)
}
