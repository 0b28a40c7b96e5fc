package oracle

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
)

// Game is a game whose positions are to be evaluated.
type Game struct {
	ID      int64
	Key     uint64 // determines the seeds of the searches; the same for this game in every study
	Moves   string // all moves of the game
	Opening int    // plies of the opening; its positions are skipped
}

// flushGames is the number of games whose values are stored together.
const flushGames = 16

// Evaluate evaluates the positions of games under one set of rules: with the table of the solved game if it is not nil,
// otherwise with the agent of the options, which must be of type mcts. It skips values that the study has and stores
// new ones. If the context ends, it keeps finished values and returns the context's error.
func Evaluate(ctx context.Context, db *store.DB, rules string, g *engines.Game, table *solve.Table, games []Game,
	o Options,
) (*Values, error) {
	spec := quiet(o.Agent)
	if table != nil {
		spec, o.Seed = agents.Spec{Name: "exact"}, 0
	} else if spec.Type != "mcts" || spec.Budget.Iterations <= 0 {
		return nil, fmt.Errorf("position values: agent %q: expected one of type mcts with budget.iterations", spec.Name)
	} else {
		spec = spec.For(g) // values of another evaluation are others
	}
	entry, err := record(rules, table != nil, spec, o.Seed, o.Chosen)
	if err != nil {
		return nil, err
	}
	out := &Values{Name: spec.Name, Exact: table != nil, Spec: spec, Seed: o.Seed}
	if out.Games, err = db.Values(ctx, entry); err != nil {
		return nil, err
	}
	var todo []Game
	total := int64(0)
	for _, game := range games {
		if _, ok := out.Games[game.ID]; !ok {
			todo = append(todo, game)
			total += int64(max(strings.Count(game.Moves, " ")+1-game.Opening, 0))
		}
	}
	if err := evaluate(ctx, db, entry, g, table, todo, total, out, o); err != nil {
		return nil, err
	}
	out.Noise = noise(out.Games)
	return out, nil
}

// evaluate evaluates the games in several goroutines, and stores the values from a single one.
func evaluate(ctx context.Context, db *store.DB, entry store.Oracle, g *engines.Game, table *solve.Table, todo []Game,
	total int64, out *Values, o Options,
) error {
	type valued struct {
		id     int64
		values []store.PositionValue
	}
	work, done := make(chan Game, len(todo)), make(chan valued)
	for _, game := range todo {
		work <- game
	}
	close(work)
	group, searching := errgroup.WithContext(ctx)
	for range min(cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)), len(todo)) {
		group.Go(func() error {
			v, err := newValuer(g, table, out.Spec, out.Seed)
			if err != nil {
				return err
			}
			for game := range work {
				values, err := v.game(searching, game)
				if err != nil {
					return err
				}
				select {
				case done <- valued{game.ID, values}:
				case <-searching.Done():
					return searching.Err()
				}
			}
			return nil
		})
	}
	finished := make(chan error, 1)
	go func() { finished <- group.Wait(); close(done) }()
	batch := map[int64][]store.PositionValue{}
	var failed error
	unwritable := false
	flush := func() {
		if failed != nil || len(batch) == 0 {
			return
		}
		// What is finished is kept although the context has ended.
		failed = db.AddValues(context.WithoutCancel(ctx), entry, batch)
		if failed != nil && db.Reads() {
			failed, unwritable = nil, true // stored values only save time later
			return
		}
		clear(batch)
	}
	positions := int64(0)
	for v := range done {
		batch[v.id], out.Games[v.id] = v.values, v.values
		if positions += int64(len(v.values)); o.Progress != nil {
			o.Progress(positions, total)
		}
		if len(batch) >= flushGames && !unwritable {
			flush()
		}
	}
	flush()
	if err := <-finished; err != nil {
		return err
	}
	return failed
}

// Stored returns the stored values for rules. These are exact values if there are any, otherwise those of the oracle
// that evaluated the most games, or the latest such oracle. The values of selected games are included. It returns nil
// if there are none.
func Stored(ctx context.Context, db *store.DB, rules string) (*Values, error) {
	known, err := db.Oracles(ctx, rules)
	if err != nil {
		return nil, err
	}
	var best *Values
	for _, o := range known {
		spec, ok := read(o)
		if !ok {
			continue
		}
		games, err := db.Values(ctx, o)
		if err != nil {
			return nil, err
		}
		if len(games) == 0 || best != nil && (best.Exact && !o.Exact || best.Exact == o.Exact &&
			len(games) < len(best.Games)) {
			continue
		}
		best = &Values{
			Name:  o.Name,
			Exact: o.Exact,
			Spec:  spec,
			Seed:  o.Seed,
			Games: games,
			Noise: noise(games),
		}
	}
	if best == nil {
		return nil, nil
	}
	chosen, err := record(rules, best.Exact, best.Spec, best.Seed, true)
	if err != nil {
		return nil, err
	}
	for _, o := range known {
		if o.Spec == chosen.Spec {
			best.Chosen, err = db.Values(ctx, o)
		}
	}
	return best, err
}
