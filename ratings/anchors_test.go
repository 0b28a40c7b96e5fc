package ratings

import (
	"errors"
	"math"
	"testing"

	"spar/configs/must"
)

// Several anchors keep their ratings, and the others have the ratings at which they expect as many points as they have,
// by bisection. Anchors join groups that never met, and make finite what only their distance bounds.
func TestSeveralAnchors(t *testing.T) {
	t.Parallel()
	var b Builder
	add := func(first, second string, wins, draws, losses int64) {
		t.Helper()
		must.Do(t, b.AddCount(first, second, "", wins, draws, losses))
	}
	add("c", "a", 20, 0, 30)
	add("c", "b", 35, 10, 5)
	add("d", "b", 10, 0, 15)
	add("f", "e", 12, 6, 6) // the other group
	add("g", "a", 10, 0, 0) // won all against one, lost all against the other
	add("g", "e", 0, 0, 10)
	table := b.Table()
	anchors := map[string]float64{"a": 2000, "b": 1900, "e": 2700}
	expects := func(points float64, games map[string]float64) float64 {
		lo, hi := 0.0, 5000.0
		for range 100 {
			mid, sum := (lo+hi)/2, 0.0
			for opponent, n := range games {
				sum += n / (1 + math.Pow(10, (anchors[opponent]-mid)/400))
			}
			if sum < points {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo
	}
	want := map[string]float64{
		"a": 2000, "b": 1900, "e": 2700,
		"c": expects(20+40, map[string]float64{"a": 50, "b": 50}), "d": expects(10, map[string]float64{"b": 25}),
		"f": expects(15, map[string]float64{"e": 24}), "g": expects(10, map[string]float64{"a": 10, "e": 10}),
	}
	o := Options{NoAdvantage: true, Anchors: []Anchor{{"b", 1900}, {"e", 2700}, {"a", 2000}}}
	f := mustFit(t, table, o)
	for _, r := range f.Players {
		near(t, r.Name, r.Elo.Value, want[r.Name], 0.01, 0)
		lo, hi := r.Elo.Ends()
		if _, anchor := anchors[r.Name]; anchor != (r.Status == StatusAnchor) || anchor != (lo == hi) || !anchor && (r.Status != StatusOK ||
			math.IsInf(hi-lo, 0)) {
			t.Errorf("%s: %+v", r.Name, r)
		}
	}
	if len(f.Groups) != 1 {
		t.Errorf("groups %v, want one scale", f.Groups)
	}
	for _, bad := range []Options{
		{Anchors: []Anchor{{"a", 1}, {"a", 2}}}, {Anchors: []Anchor{{"a", 1}, {"b", 2}}, Model: ModelDavidson},
	} {
		if _, err := table.Fit(bad); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// Where the games are too few independent ones, no interval has an end, and nobody is surely better.
func TestFew(t *testing.T) {
	t.Parallel()
	var b Builder
	must.Do(t, errors.Join(b.AddCount("a", "b", "", 40, 3, 1), b.AddCount("b", "a", "", 5, 2, 30)))
	f := mustFit(t, b.Table(), Options{Few: true})
	for _, r := range f.Players {
		if !r.Elo.LoOpen || !r.Elo.HiOpen || r.Status != StatusUnbounded {
			t.Errorf("%+v", r)
		}
	}
	h, err := f.HeadToHead("a", "b")
	if err != nil || !h.Elo.LoOpen || !h.Elo.HiOpen || h.LOS != 0.5 || f.Ranks(1)[0].Hi != 2 || !f.Advantages[0].Elo.HiOpen {
		t.Errorf("%+v, %+v, %v", h, f.Ranks(1), err)
	}
}
