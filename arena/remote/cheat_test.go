package remote_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/remote"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines"
)

// forge makes games up: legal moves from the opening on, which nobody has thought about, until the second player has
// won.
func forge(g *engines.Game, r arena.Result) arena.Result {
	opening := strings.Fields(r.Moves)[:r.OpeningPlies]
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, uint64(r.Number)))
		p := g.NewPosition()
		if p.PlayText(opening) != nil {
			return r
		}
		var legal []engines.Move
		for !p.Over() {
			legal = p.AppendMoves(legal[:0])
			p.Play(legal[rng.IntN(len(legal))])
		}
		if p.Result() != engines.SecondWins {
			continue
		}
		r.Moves, r.Outcome, r.Reason, r.Plies, r.Thoughts = g.JoinMoves(p.Played()), p.Result(), p.Reason().String(), p.Ply(),
			nil
		return r
	}
	return r
}

// honest lets another worker join when somebody has played some games, so that these are in the study when they are
// found out.
func honest(t *testing.T, c *remote.Coordinator) (leave func()) {
	var once sync.Once
	leaving := make(chan func(), 1)
	timer := time.AfterFunc(400*time.Millisecond, func() {
		once.Do(func() { leaving <- workers(t, c.Address(), 1, remote.WorkerOptions{Slots: 2, Name: "honest"}) })
	})
	return func() {
		timer.Stop()
		once.Do(func() { leaving <- func() {} })
		(<-leaving)()
	}
}

// What a cheat has played is found out, played again, and every decision after it is made anew: in the end the games
// are those of one process alone. The superseded rows stay, marked.
func TestCheatIsSuperseded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"match": match, "swiss": swiss} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := alone(t, text)
			assets := arena.NewAssets()
			db := storetest.New(t)
			ctx := context.Background()
			p := plan(t, text)
			// Of the 32 pairs of the swiss so many are played again that none is chosen once in a hundred thousand
			// times.
			c := coordinator(t, remote.Options{
				Assets: assets, Workers: -1, Check: 0.3,
				Record: func(ws []study.Worker) error { return db.RecordWorkers(ctx, ws) },
			})
			defer c.Close()
			cheat := workers(t, c.Address(), 1, remote.WorkerOptions{
				Slots: 4, Name: "cheat",
				Wrap: func(r arena.Result) arena.Result { return forge(p.Rules[0], r) },
			})
			defer cheat()
			defer honest(t, c)() // joins when the cheat has played some
			sum, err := arena.Run(ctx, ctx, p, db, arena.Options{Assets: assets, Pool: c})
			if err != nil || !sum.Finished {
				t.Fatalf("%+v: %v", sum, err)
			}
			if d := cmp.Diff(want, counted(t, db)); d != "" {
				t.Errorf("other games than those of one process:\n%s", d)
			}
			superseded := int64(0)
			for _, row := range storetest.Games(t, db, store.Filter{}) {
				if row.Marks&evidence.Superseded != 0 {
					superseded++
				} else if strings.HasPrefix(row.Worker, "cheat-") {
					t.Errorf("game %d of the cheat counts", row.Number)
				}
			}
			ws := must.Get(db.Workers(ctx))(t)
			barred := 0
			for _, w := range ws {
				if w.Barred != "" {
					barred++
					t.Logf("%s: %d games, %s", w.ID, w.Games, w.Barred)
				}
			}
			if superseded == 0 || superseded < sum.Superseded || barred != 1 {
				t.Errorf("%d superseded games (the run says %d), %d barred of %d workers", superseded, sum.Superseded, barred,
					len(ws))
			}
		})
	}
}
