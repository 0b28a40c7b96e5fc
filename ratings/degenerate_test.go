package ratings

import (
	"errors"
	"math"
	"strings"
	"testing"

	"spar/configs/must"
)

// build makes a table from counts; the test fails on a refusal.
func build(t testing.TB, fill func(b *Builder) error) *Table {
	t.Helper()
	var b Builder
	must.Do(t, fill(&b))
	return b.Table()
}

func count(first, second string, w, d, l int64) func(*Builder) error {
	return func(b *Builder) error { return b.AddCount(first, second, "", w, d, l) }
}

func all(fs ...func(*Builder) error) func(*Builder) error {
	return func(b *Builder) error {
		for _, f := range fs {
			if err := f(b); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestDegenerate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		fill   func(*Builder) error
		status string // of the players in name order
		adv    Status
	}{
		{"no games", all(), "", StatusNoInformation},
		{"one player", func(b *Builder) error { return b.AddPlayer("a") }, "no_information", StatusNoInformation},
		{"zero counts join nobody", count("a", "b", 0, 0, 0), "no_information no_information", StatusNoInformation},
		{"one win", count("a", "b", 1, 0, 0), "unbounded unbounded", StatusPrior},
		{"one draw", count("a", "b", 0, 1, 0), "confounded confounded", StatusNotIdentified},
		{"two draws", all(count("a", "b", 0, 1, 0), count("b", "a", 0, 1, 0)), "no_information no_information", StatusOK},
		{
			"all wins", all(count("a", "b", 10, 0, 0), count("b", "a", 0, 0, 10)), "unbounded_above unbounded_below",
			StatusPrior,
		},
		{"billion identical", count("a", "b", 1e9, 0, 0), "unbounded unbounded", StatusPrior},
		{"billion draws", count("a", "b", 0, 1e9, 0), "confounded confounded", StatusNotIdentified},
		{"billion fair", all(count("a", "b", 4e8, 2e8, 4e8), count("b", "a", 4e8, 2e8, 4e8)), "ok ok", StatusOK},
		{"nearly perfect billion", all(count("a", "b", 1e9, 0, 1), count("b", "a", 1, 0, 1e9)), "ok ok", StatusOK},
		{"second always wins", all(count("a", "b", 0, 0, 9), count("b", "a", 0, 0, 9)), "prior prior", StatusUnboundedBelow},
		{
			"strange names", all(count("a,b", "c\nd", 3, 1, 2), count("c\nd", "a,b", 3, 1, 2), count("a,b", "\x00", 1, 1, 1),
				count("\x00", "a,b", 1, 1, 1)),
			"ok ok ok", StatusOK,
		},
		{
			"chain", all(count("a", "b", 3, 0, 0), count("b", "c", 3, 0, 0)),
			"unbounded unbounded unbounded", StatusPrior,
		},
		{
			"one above a pool", all(count("b", "c", 3, 1, 2), count("c", "b", 3, 1, 2), count("c", "d", 3, 1, 2),
				count("d", "c", 2, 1, 3), count("a", "b", 5, 0, 0)),
			"unbounded_above ok ok ok", StatusOK,
		},
		{
			"idle player", all(count("a", "b", 3, 1, 2), count("b", "a", 3, 1, 2),
				func(b *Builder) error { return b.AddPlayer("z") }),
			"ok ok no_information", StatusOK,
		},
		{
			// x beat the pool and d: d is below somebody above the pool, and nothing orders him against it.
			"unplaced", all(count("a", "b", 3, 1, 2), count("b", "a", 3, 1, 2), count("x", "a", 1, 0, 0),
				count("d", "x", 0, 0, 1)),
			"ok ok unplaced unbounded_above", StatusOK,
		},
		{
			// The mirror image: both lost to x.
			"unplaced above", all(count("a", "b", 3, 1, 2), count("b", "a", 3, 1, 2), count("x", "a", 0, 0, 1),
				count("d", "x", 1, 0, 0)),
			"ok ok unplaced unbounded_below", StatusOK,
		},
		{
			// a > b > c in one seat order only, b and c level: the advantage and
			// the gaps separate together.
			"hidden separation", all(count("a", "b", 5, 0, 0), count("b", "a", 5, 1, 0), count("b", "c", 5, 0, 0),
				count("c", "b", 5, 1, 0), count("c", "a", 4, 0, 0), count("a", "c", 4, 2, 0)),
			"", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := build(t, tt.fill)
			for _, m := range []Model{ModelScore, ModelDavidson} {
				for _, kind := range []ErrorKind{ErrorAuto, ErrorPair, ErrorGame, ErrorDrawAware, ErrorNaive} {
					f := mustFit(t, table, Options{Model: m, Errors: kind})
					if m != ModelScore || kind != ErrorAuto {
						continue
					}
					var got []string
					for _, r := range f.Players {
						got = append(got, string(r.Status))
						if r.Elo.SE == 0 {
							t.Errorf("%s has error 0", r.Name)
						}
					}
					if s := strings.Join(got, " "); tt.status != "" && s != tt.status {
						t.Errorf("statuses %q, want %q", s, tt.status)
					}
					if tt.adv != "" && f.Advantages[0].Status != tt.adv {
						t.Errorf("advantage %q, want %q", f.Advantages[0].Status, tt.adv)
					}
				}
			}
		})
	}
}

func TestReferenceDegenerate(t *testing.T) {
	t.Parallel()
	refs := references(t)
	status := func(f *Fit) string {
		var s []string
		for _, r := range f.Players {
			s = append(s, string(r.Status))
		}
		return strings.Join(s, " ")
	}
	t.Run("three nil", func(t *testing.T) {
		t.Parallel()
		f := mustFit(t, load(t, "d3_three_nil"), Options{})
		ref := refs["d3_three_nil"]
		near(t, "P01", f.Players[0].Elo.Value, ref.MAP.Ratings["P01"], eloTolerance, 0)
		v := f.Players[0].Elo.Interval
		if v.LoOpen || !v.HiOpen {
			t.Fatalf("interval %+v", v)
		}
		// two games as first and one as second, with the advantage that suits them best, have a probability of 5 %
		ln, best := func(x float64) float64 { return -math.Log1p(math.Exp(-x)) }, math.Inf(-1)
		for a := -5.0; a < 5; a += 1e-3 {
			best = max(best, 2*ln(2*v.Lo*eloUnit+a)+ln(2*v.Lo*eloUnit-a))
		}
		near(t, "likelihood at the lower bound", best, math.Log(0.05), 1e-3, 0)
		near(t, "upper bound of the loser", f.Players[1].Elo.Interval.Hi, -v.Lo, 0.01, 0)
	})
	t.Run("perfect scores", func(t *testing.T) {
		t.Parallel()
		f := mustFit(t, load(t, "d_perfect_scores"), Options{})
		if s := status(f); s != "unbounded_above ok ok ok ok unbounded_below" {
			t.Fatal(s)
		}
		ref := refs["d_perfect_scores"].MAP.Ratings
		near(t, "P01", f.Players[0].Elo.Value-f.Players[5].Elo.Value, ref["P01"]-ref["P06"], 2*eloTolerance, 0)
		mean := 0.0 // of the players with bounds, so that their intervals do not depend on the prior
		for _, r := range f.Players {
			if r.Status == StatusOK {
				mean += r.Elo.Value
			}
			if r.Elo.Prior != (r.Status != StatusOK) {
				t.Errorf("%s: prior %v", r.Name, r.Elo.Prior)
			}
		}
		near(t, "mean", mean, 0, 1e-9, 0)
		t.Logf("P01 %+v\n%s", f.Players[0], strings.Join(f.Warnings, "\n"))
	})
	t.Run("group separation", func(t *testing.T) {
		t.Parallel()
		f := mustFit(t, load(t, "d2_group_separation"), Options{})
		if s := status(f); s != "unbounded_above unbounded_above unbounded_above unbounded_below unbounded_below "+
			"unbounded_below" {
			t.Fatal(s)
		}
		t.Logf("%+v\n%s", f.Players, strings.Join(f.Warnings, "\n"))
	})
	t.Run("first always wins", func(t *testing.T) {
		t.Parallel()
		f := mustFit(t, load(t, "d5_first_always_wins"), Options{})
		if s := status(f); s != "prior prior prior prior" {
			t.Fatal(s)
		}
		a := f.Advantages[0]
		near(t, "advantage", a.Elo.Value, refs["d5_first_always_wins"].MAP.Advantage, eloTolerance, 0)
		if a.Status != StatusUnboundedAbove || !a.Elo.Interval.HiOpen || a.Elo.Interval.LoOpen {
			t.Fatalf("%+v", a)
		}
	})
	t.Run("same player always first", func(t *testing.T) {
		t.Parallel()
		f := mustFit(t, load(t, "d6_confounded_first"), Options{})
		near(t, "P01", f.Players[0].Elo.Value, refs["d6_confounded_first"].NoAdvantage.Ratings["P01"], eloTolerance, 0)
		if f.Advantages[0].Status != StatusNotIdentified || status(f) != "confounded confounded" {
			t.Fatalf("%+v", f)
		}
		if text := strings.Join(f.Warnings, "\n"); !strings.Contains(text, `play "P02" against "P01" to identify it`) {
			t.Fatal(text)
		}
		if f.Players[0].Elo.SE < 150 {
			t.Errorf("the error %v does not carry the prior of the advantage", f.Players[0].Elo.SE)
		}
	})
	t.Run("disconnected", func(t *testing.T) {
		t.Parallel()
		f := mustFit(t, load(t, "e_disconnected"), Options{})
		if len(f.Groups) != 2 || status(f) != "ok ok ok ok ok ok ok ok" {
			t.Fatalf("%v %s", f.Groups, status(f))
		}
		for g := range f.Groups {
			mean := 0.0
			for _, r := range f.Players {
				if r.Group == g {
					mean += r.Elo.Value
				}
			}
			near(t, "mean", mean, 0, 1e-9, 0)
		}
	})
}

// A Builder refuses a player against itself, games without a name or result, and counts below 0 or above 2^53; it
// counts none of them.
func TestBuilderRefuses(t *testing.T) {
	t.Parallel()
	var b Builder
	for _, c := range []struct{ err, want error }{
		{b.Add(Game{First: "ann", Second: "ann"}), ErrSelfPlay},
		{b.Add(Game{First: "", Second: "x"}), ErrBadGame},
		{b.Add(Game{First: "a", Second: "x", Result: 3}), ErrBadGame},
		{b.AddPlayer(""), ErrBadGame},
		{b.AddPairs("a", "x", "", 7, 0, 1), ErrBadGame},
		{b.AddCount("a", "b", "", -1, 2, 0), ErrBadCount},
		{b.AddCount("a", "b", "", maxGames, maxGames, 0), ErrBadCount},
		{b.AddPairs("a", "b", "", 0, 0, -1), ErrBadCount},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%v, want %v", c.err, c.want)
		}
	}
	if g := b.Table().Games(); g != 0 {
		t.Errorf("refused games were counted: %d", g)
	}
	if _, err := b.Table().Fit(Options{Anchors: []Anchor{{Name: "nobody"}}}); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("unknown anchor: %v", err)
	}
}
