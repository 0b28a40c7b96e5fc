package standings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/configs/must"
	"spar/ratings"
)

// What the collector sums up as games stream by is what ratings.Builder makes of the same games one by one, whatever
// the shape of the pairs.
func TestCollectorIsABuilder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := newCollector()
		c.agents = map[int64]string{1: "a", 2: "b", 3: "c"}
		labels := map[int32]string{1: "classic", 2: "ctor"}
		var want ratings.Builder
		played := map[int32]int64{}
		for i := range rapid.IntRange(0, 60).Draw(t, "games") {
			o := store.Brief{
				ID: int64(i), Event: rapid.Int64Range(1, 2).Draw(t, "event"), Pair: int64(i / 3),
				Hash:  rapid.SampledFrom([]int64{0, int64(i + 1)}).Draw(t, "hash"),
				Rules: rapid.Int32Range(1, 2).Draw(t, "rules"), First: rapid.Int32Range(1, 3).Draw(t, "first"),
				Second: rapid.Int32Range(1, 3).Draw(t, "second"),
				Half:   uint8(rapid.IntRange(0, 2).Draw(t, "half")),
				Marks: rapid.SampledFrom([]evidence.Marks{
					0, 0, 0, evidence.Forfeit, evidence.Timed, evidence.Repeated,
					evidence.Training, evidence.Surplus, evidence.Human, evidence.Pending,
				}).Draw(t, "marks"),
			}
			if o.First == o.Second {
				o.Marks |= evidence.Mirror
			}
			c.add(&o)
			if !o.Marks.Counts(evidence.Strength) {
				continue
			}
			played[o.Rules]++
			stratum := labels[o.Rules]
			if o.Marks&evidence.Forfeit != 0 {
				stratum += ratings.Forfeited
			}
			must.Do(t, want.Add(ratings.Game{
				First: c.agents[int64(o.First)], Second: c.agents[int64(o.Second)], Stratum: stratum,
				Result: ratings.Outcome(o.Half), Pair: fmt.Sprint(o.Event, "/", o.Pair),
			}))
		}
		for _, p := range c.open {
			c.close(p)
		}
		got := must.Get(c.table(labels))(t)
		table := want.Table()
		clusters, alone := got.Clusters()
		wantClusters, wantAlone := table.Clusters()
		if diff := cmp.Diff(table.Pairings(), got.Pairings()); diff != "" || clusters != wantClusters || alone != wantAlone ||
			got.Games() != table.Games() {
			t.Fatalf("%d clusters and %d single games, want %d and %d; %s", clusters, alone, wantClusters, wantAlone, diff)
		}
		if diff := cmp.Diff(table.MatchScores(0.95), got.MatchScores(0.95)); diff != "" {
			t.Fatal(diff)
		}
		for id, s := range c.rules {
			if s.played-s.repeated != played[id] {
				t.Fatalf("rules %d: %d games played, %d of them repeated; want %d", id, s.played, s.repeated, played[id])
			}
		}
	})
}

// Agents that play the same few games again and again have the table of these games played once, whatever else is
// played.
func TestSameGamesCountOnce(t *testing.T) {
	t.Parallel()
	table := func(times int) *ratings.Table {
		c := newCollector()
		c.agents = map[int64]string{1: "a", 2: "b", 3: "c"}
		id := int64(0)
		add := func(first, second int32, half uint8, hash int64) {
			c.add(&store.Brief{ID: id, Event: 1, Pair: id / 2, Hash: hash, Rules: 1, First: first, Second: second, Half: half})
			id++
		}
		for range times {
			add(1, 2, 2, 7)
			add(2, 1, 1, 8)
		}
		for i := range int64(20) {
			add(1, 3, uint8(i%3), 100+i)
			add(3, 1, uint8(i%2), 200+i)
		}
		for _, p := range c.open {
			c.close(p)
		}
		out := must.Get(c.table(map[int32]string{1: "classic"}))(t)
		return out
	}
	if d := cmp.Diff(table(1).Pairings(), table(60).Pairings()); d != "" {
		t.Error(d)
	}
}

// Counting different keys is exact up to its capacity, and near beyond it in bounded memory.
func TestDistinct(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var d distinct
	var keys []uint64
	for range 2 * mostKeys {
		keys = append(keys, rng.Uint64())
	}
	check := func(want int) {
		t.Helper()
		n, exact := d.count()
		if exact != (want <= mostKeys) || exact && n != int64(want) || math.Abs(float64(n)/float64(want)-1) > 0.01 {
			t.Errorf("%d keys are counted as %d (exact: %t)", want, n, exact)
		}
	}
	check(0)
	for i, want := range []int{1, 1000, mostKeys, 2 * mostKeys} {
		for range 2 {
			for _, k := range keys[:want] {
				d.add(k)
			}
		}
		check(want)
		if len(d.kept) > mostKeys {
			t.Errorf("step %d: %d keys are kept", i, len(d.kept))
		}
	}
}
