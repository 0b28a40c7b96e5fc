package learn

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"spar/arena"
	"spar/arena/remote"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// machines are a coordinator that plays with so many hands and checks a share of the games of others, and workers on
// this machine: one for each of what comes between them and their results. A game that gets lost stays so: nobody is
// patient enough.
func machines(t *testing.T, hands int, check float64, wraps ...func(arena.Result) arena.Result) (assets *arena.Assets,
	pool *remote.Coordinator,
) {
	t.Helper()
	assets = arena.NewAssets()
	same := &remote.Build{Program: "test"}
	c := must.Get(remote.New(context.Background(), remote.Options{
		Assets: assets, Workers: hands, Listen: "127.0.0.1:0",
		Build: same, Speed: 1, Scale: true, Check: check, Patience: time.Hour,
	}))(t)
	ctx, leave := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for _, wrap := range wraps {
		group.Go(func() {
			o := remote.WorkerOptions{
				Server: c.Address(), Build: same, Speed: 1, Slots: 2,
				Wrap: wrap,
			}
			if _, err := remote.Work(ctx, o); err != nil && ctx.Err() == nil {
				t.Log("worker:", err)
			}
		})
	}
	t.Cleanup(func() {
		leave()
		group.Wait()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return assets, c
}

// learned trains to the end.
func learned(t *testing.T, g *engines.Game, o Options) *Training {
	t.Helper()
	tr := must.Get(New(t.Context(), g, o))(t)
	must.Do(t, tr.Run(t.Context(), func(Report) {}, nil))
	return tr
}

func same(a, b *Training) bool {
	return a.done == b.done && a.decided == b.decided && slices.Equal(a.trainer.Numbers, b.trainer.Numbers) &&
		slices.Equal(a.trainer.Squares, b.trainer.Squares)
}

// Whoever plays, what is learned is the same: this process, a pool of it, other machines alone, or together with this
// one; with games that are cut off, and a linear evaluation below, too.
func TestMachinesLearnTheSame(t *testing.T) {
	t.Parallel()
	assets, pool := machines(t, 1, 0, nil, nil)
	others, alone := machines(t, -1, 0, nil)
	here := arena.NewAssets()
	local := arena.NewLocal(here, 2)
	defer local.Close()
	for name, o := range map[string]Options{
		"vanishing":     {Games: 700, Seed: 3},
		"ctor, cut off": {Games: 200, Seed: 3, Longest: 9},
		"classic, base": {Games: 300, Seed: 5, Base: LinearBase, Depth: 2, Batch: 50},
	} {
		var set []string
		rules, _, _ := strings.Cut(name, ",")
		if rules == "ctor" {
			set = []string{"board.columns=5", "board.rows=5"}
		}
		g := enginetest.Load(t, rules, set...)
		want := learned(t, g, o)
		for by, p := range map[string]struct {
			assets *arena.Assets
			pool   arena.Pool
		}{"a pool": {here, local}, "all": {assets, pool}, "others": {others, alone}} {
			o.Assets, o.Pool = p.assets, p.pool
			if got := learned(t, g, o); !same(got, want) {
				t.Errorf("%s by %s: another net", name, by)
			} else if part := got.beforeRemote != nil; part && by == "a pool" || !part && by == "others" {
				t.Errorf("%s by %s: other machines had a part: %t", name, by, part)
			}
		}
	}
}

// What was learned since a machine that cheats may have had a part in it is forgotten, and learned again without it.
func TestCheatTeachesNothing(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	want := learned(t, g, Options{Games: 1500, Seed: 3})
	var games atomic.Int64
	assets, pool := machines(t, -1, 1, nil, func(r arena.Result) arena.Result {
		if games.Add(1) > 100 {
			r.Random = strings.Repeat("0", len(r.Random)) // what it says can be, and is wrong
		}
		return r
	})
	var said []string
	got := learned(t, g, Options{
		Games: 1500, Seed: 3, Assets: assets, Pool: pool,
		Log: func(s string) { said = append(said, s) },
	})
	if !same(got, want) {
		t.Error("another net")
	}
	if len(said) != 1 {
		t.Errorf("said: %q", said)
	}
}
