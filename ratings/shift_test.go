package ratings

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An anchor moves the ratings of its group and their intervals as one, whatever they rest on: those without a bound on one side, those by the
// profile of a tiny sample, those by their error. What is not of the group stays.
func TestAnchorMovesIntervals(t *testing.T) {
	t.Parallel()
	pool := all(count("b", "c", 30, 5, 15), count("c", "b", 20, 5, 25), count("c", "d", 30, 5, 15), count("d", "c", 20, 5, 25))
	for name, fill := range map[string]func(*Builder) error{
		"one above":  all(pool, count("a", "b", 9, 0, 0), count("b", "a", 0, 0, 9)),
		"one below":  all(pool, count("a", "b", 0, 0, 9), count("b", "a", 9, 0, 0)),
		"a few":      all(count("a", "b", 2, 1, 1), count("b", "a", 1, 1, 2), count("b", "c", 2, 0, 1), count("c", "b", 1, 1, 1)),
		"two groups": all(pool, count("x", "y", 9, 0, 0), count("y", "x", 0, 0, 9)),
	} {
		free := mustFit(t, build(t, fill), Options{})
		i, _ := free.Index("b")
		held := mustFit(t, build(t, fill), Options{Anchor: "b", AnchorElo: free.Players[i].Elo + 700})
		for k, p := range held.Players {
			was := free.Players[k]
			want := 700.0
			if p.Group != held.Players[i].Group {
				want = 0
			}
			near(t, name+": "+p.Name, p.Elo-was.Elo, want, 1e-9, 0)
			near(t, name+": raw "+p.Name, p.Raw-was.Raw, want, 1e-9, 0)
			if p.Interval.LoOpen != was.Interval.LoOpen || p.Interval.HiOpen != was.Interval.HiOpen {
				t.Errorf("%s: %s %+v, without an anchor %+v", name, p.Name, p.Interval, was.Interval)
			}
			if one := was.Status != StatusOK; !one && name != "a few" { // relative to the anchor the error is another
				continue
			}
			if k == i {
				continue
			}
			if !p.Interval.LoOpen {
				near(t, name+": lo of "+p.Name, p.Interval.Lo-was.Interval.Lo, want, 1e-6, 0)
			}
			if !p.Interval.HiOpen {
				near(t, name+": hi of "+p.Name, p.Interval.Hi-was.Interval.Hi, want, 1e-6, 0)
			}
		}
	}
}

// With many games the interval is the error times the normal quantile to either side, and so it is where few games are shared by more players than
// are fitted again for a profile.
func TestIntervalsByTheError(t *testing.T) {
	t.Parallel()
	ring := func(b *Builder) error {
		var errs []error
		for i := range fullProfile + 1 {
			errs = append(errs, b.AddCount(fmt.Sprintf("p%02d", i), fmt.Sprintf("p%02d", (i+1)%(fullProfile+1)), "", 2, 0, 1))
		}
		return errors.Join(errs...)
	}
	for name, fill := range map[string]func(*Builder) error{
		"many games":                all(count("a", "b", 70, 20, 30), count("b", "a", 30, 20, 70)),
		"few games of many players": ring,
	} {
		for _, p := range mustFit(t, build(t, fill), Options{}).Players {
			near(t, name+": lo of "+p.Name, p.Interval.Lo, p.Elo-z975*p.SE, 1e-9, 0)
			near(t, name+": hi of "+p.Name, p.Interval.Hi, p.Elo+z975*p.SE, 1e-9, 0)
			if p.SE == 0 {
				t.Errorf("%s: %s has no error", name, p.Name)
			}
		}
	}
}

// Where the second player won every game that could tell, the advantage is the mirror image of that where the first one did: the same estimate and
// the same one bound, the other way round. By hand without ratings that could move: of n games between two who are level by n decided to either side
// elsewhere, all won by the first, the bound is where n·ln p = -z²/2.
func TestAdvantageWithoutABoundIsMirrored(t *testing.T) {
	t.Parallel()
	fit := func(w, l int64) AdvantageRow {
		return mustFit(t, build(t, func(b *Builder) error {
			return errors.Join(b.AddCount("a", "b", "level", 5000, 0, 5000), b.AddCount("b", "a", "level", 5000, 0, 5000),
				b.AddCount("a", "b", "sharp", w, 0, l), b.AddCount("b", "a", "sharp", w, 0, l))
		}), Options{PerStratum: true}).Advantages[1]
	}
	first, second := fit(20, 0), fit(0, 20)
	if first.Status != StatusUnboundedAbove || second.Status != StatusUnboundedBelow || first.Interval.LoOpen || !first.Interval.HiOpen || second.Interval.HiOpen || !second.Interval.LoOpen {
		t.Fatalf("%+v, %+v", first, second)
	}
	near(t, "estimate", second.Elo, -first.Elo, 1e-6, 0)
	near(t, "bound", second.Interval.Hi, -first.Interval.Lo, 1e-4, 0)
	near(t, "bound by hand", ExpectedScore(first.Interval.Lo), 0.9667522689, 1e-4, 0) // exp(-1.6448536²/80)
}

// Two whose games say nothing of each other's level keep the other's bound: an open side of an interval has no number.
func TestOpenSidesHaveNoNumber(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, all(count("a", "b", 20, 0, 0), count("b", "a", 0, 0, 20), count("c", "b", 0, 0, 20), count("b", "c", 20, 0, 0))), Options{})
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}, {"a", "c"}, {"c", "a"}, {"b", "c"}} {
		h, err := f.HeadToHead(names[0], names[1])
		if err != nil {
			t.Fatal(err)
		}
		if names == [2]string{"a", "c"} && (h.Interval.LoOpen || !h.Interval.HiOpen) || names == [2]string{"c", "a"} && (!h.Interval.LoOpen || h.Interval.HiOpen) {
			t.Errorf("%v: %+v", names, h.Interval)
		}
		if h.Interval.LoOpen && (h.Interval.Lo != 0 || h.ScoreRange.Lo != 0) || h.Interval.HiOpen && (h.Interval.Hi != 0 || h.ScoreRange.Hi != 1) {
			t.Errorf("%v: %+v, %+v", names, h.Interval, h.ScoreRange)
		}
	}
}

// Which kind of error can be had, and what is said where it is another than was asked for, or a poor one.
func TestKindOfError(t *testing.T) {
	t.Parallel()
	pairs := func(n int64) func(*Builder) error {
		return func(b *Builder) error {
			return errors.Join(b.AddPairs("a", "b", "", FirstWins, SecondWins, n), b.AddPairs("a", "b", "", FirstWins, FirstWins, 1), b.AddPairs("a", "b", "", SecondWins, Draw, n))
		}
	}
	single := all(count("a", "b", 20, 10, 12), count("b", "a", 15, 11, 16))
	for _, c := range []struct {
		name string
		fill func(*Builder) error
		want ErrorKind
		got  ErrorKind
		says string // "" nothing at all
	}{
		{"pairs by themselves", pairs(20), ErrorAuto, ErrorPair, ""},
		{"pairs by request", pairs(20), ErrorPair, ErrorPair, ""},
		{"too few pairs by themselves", all(pairs(2), single), ErrorAuto, ErrorDrawAware, "only 5 pairs: errors are draw-aware"},
		{"few pairs by request", pairs(2), ErrorPair, ErrorPair, "only 5 clusters: pair errors need about 10"},
		{"as many pairs as parameters and one", func(b *Builder) error {
			return errors.Join(b.AddPairs("a", "b", "", FirstWins, SecondWins, 1), b.AddPairs("a", "b", "", SecondWins, Draw, 2))
		}, ErrorPair, ErrorDrawAware, "3 clusters cannot carry 2 parameters"},
		{"single games by request of pairs", single, ErrorPair, ErrorPair, "each game counts as a cluster of its own"},
		{"single games", single, ErrorAuto, ErrorDrawAware, ""},
		{"single games by game", single, ErrorGame, ErrorGame, ""},
		{"few games by game", all(count("a", "b", 1, 0, 1), count("b", "a", 1, 1, 0)), ErrorGame, ErrorGame, ""},
		{"two games, naive", count("a", "b", 1, 0, 1), ErrorNaive, ErrorNaive, ""},
		{"a few", all(count("a", "b", 2, 0, 2), count("b", "a", 3, 0, 2)), ErrorAuto, ErrorNaive, "only 9 games for 2 parameters"},
		{"five a parameter", all(count("a", "b", 2, 0, 3), count("b", "a", 3, 0, 2)), ErrorAuto, ErrorDrawAware, ""},
	} {
		f := mustFit(t, build(t, c.fill), Options{Errors: c.want, NoAdvantage: c.name == "two games, naive"})
		if said := strings.Join(f.Warnings, "\n"); f.Errors != c.got || (said == "") != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: %s errors, %q; want %s, %q", c.name, f.Errors, said, c.got, c.says)
		}
	}
}
