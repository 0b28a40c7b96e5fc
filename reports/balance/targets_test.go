package balance

import (
	"math"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) Target {
	t.Helper()
	x, err := ParseTarget(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A target is judged by the whole interval, never by the value: met only if all of it is inside, missed only if all of it is
// outside. The ends belong to the target.
func TestTargetsAreJudgedByTheInterval(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, c := range []struct {
		target        string
		value, lo, hi float64 // infinite: open
		want          Verdict
	}{
		{"score in [0.48, 0.52]", 0.50, 0.47, 0.51, Undecided}, // the value is inside, the interval is not
		{"score in [0.48, 0.52]", 0.50, 0.49, 0.53, Undecided},
		{"score in [0.48, 0.52]", 0.55, 0.51, 0.59, Undecided}, // the value is outside, the interval reaches in
		{"score in [0.48, 0.52]", 0.45, 0.41, 0.48, Undecided}, // the end belongs to the target
		{"score in [0.48, 0.52]", 0.55, 0.52, 0.58, Undecided},
		{"score in [0.48, 0.52]", 0.50, 0.48, 0.52, Met},
		{"score in [0.48, 0.52]", 0.55, 0.53, 0.57, Missed},
		{"score in [0.48, 0.52]", 0.45, 0.43, 0.47, Missed},
		{"fpa<=0.05", 0.02, 0.00, 0.05, Met},
		{"fpa<=0.05", 0.02, 0.00, 0.06, Undecided},
		{"fpa<=0.05", 0.10, 0.05, 0.15, Undecided},
		{"fpa<=0.05", 0.10, 0.06, 0.15, Missed},
		{"completion>=99%", 1.00, 0.98, 1.00, Undecided}, // all games ended, too few to say
		{"completion>=99%", 0.995, 0.99, 1.00, Met},
		{"completion>=99%", 0.97, 0.95, 0.98, Missed},
		{"elo<=20", 10, -inf, 15, Met},
		{"elo<=20", 10, 5, inf, Undecided},
		{"elo<=20", 900, 700, inf, Missed},
		{"elo>=-20", -700, -inf, -500, Missed},
		{"elo>=-20", 10, -inf, 15, Undecided},
		{"elo>=-20", 10, 5, inf, Met},
	} {
		x := Number{Value: c.value, Lo: c.lo, Hi: c.hi, N: 100}
		if math.IsInf(c.lo, -1) {
			x.Lo, x.LoOpen = 0, true // what stands at an open end means nothing
		}
		if math.IsInf(c.hi, 1) {
			x.Hi, x.HiOpen = 0, true
		}
		target := mustParse(t, c.target)
		if got := target.Judge(x); got != c.want {
			t.Errorf("%s: %g [%g, %g] is %s, want %s", c.target, c.value, c.lo, c.hi, got, c.want)
		}
		all := JudgeAll("x", []Target{target}, map[string]Number{target.Measure: x})
		if len(all) != 1 || all[0].Verdict != c.want || all[0].Rules != "x" || all[0].Target != c.target || all[0].Number != x {
			t.Errorf("%s: judged with others it is %+v, want %s", c.target, all, c.want)
		}
	}
	if got := JudgeAll("x", []Target{mustParse(t, "depth>=3")}, nil); got[0].Verdict != Undecided || !strings.Contains(got[0].String(), "the games cannot say") {
		t.Errorf("without a number: %v", got)
	}
}

// The distance is that from the nearer end, and 0 on it.
func TestDistanceFromATarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target      string
		value, want float64
	}{
		{"score in [0.25, 0.5]", 0.75, 0.25},
		{"score in [0.25, 0.5]", 0.125, 0.125},
		{"score in [0.25, 0.5]", 0.25, 0},
		{"score in [0.25, 0.5]", 0.5, 0},
		{"fpa<=0.25", 0, 0},
		{"fpa<=0.25", 0.375, 0.125},
		{"length>=10", 1000, 0},
		{"length>=10", 4, 6},
	} {
		if got := mustParse(t, c.target).Distance(c.value); got != c.want {
			t.Errorf("%g is %g from %s, want %g", c.value, got, c.target, c.want)
		}
	}
}

// What may be a limit is what a number can be: 0 and 1 for shares, a half for the distance from a half.
func TestLimitsOfTheMeasures(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"score<=1", "score>=0", "score in [0, 1]", "fpa<=50%", "fpa<=0.5", "length>=0", "elo>=-1e9", "depth>=-3", "score in [0.5, 0.5]", "draws<=100%"} {
		if _, err := ParseTarget(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"score<=1.01":  "from 0 to 1, never 1.01",
		"draws>=-0.01": "from 0 to 1, never -0.01",
		"fpa<=0.51":    "the score itself is called score",
		"fpa<=1":       "the score itself is called score",
		"length>=-1":   "never -1",
	} {
		if _, err := ParseTarget(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ParseTarget("fpa<=1.5"); err == nil || strings.Contains(err.Error(), "the score itself") {
		t.Errorf("fpa<=1.5: %v: no score is meant", err)
	}
	for text, want := range map[string]bool{"fpa<=0.05": true, "length>=x": true, "score in [0.48, 0.52]": true, "whole.db": false, "score in": false} {
		if IsTarget(text) != want {
			t.Errorf("%q looks like a target: %t, want %t", text, !want, want)
		}
	}
}

// The numbers of a report are those of its headline; of different agents the score is that between equals, and where the ladder
// ends at its top the depth has no upper limit.
func TestNumbersOfAReport(t *testing.T) {
	t.Parallel()
	number := func(v float64) Number { return Number{Value: v, Lo: v - 0.125, Hi: v + 0.125, N: 64} }
	group := func(kind string, score float64) Group {
		g := Group{Kind: kind}
		g.Outcome.Score, g.Outcome.Elo, g.Outcome.Draw = number(score), number(35), number(0.25)
		g.Ends.Completion, g.Length.All.Median = number(0.75), number(9)
		return g
	}
	r := &Report{Headline: 1, Groups: []Group{group("mirror", 0.25), group("mirror", 0.75)}}
	got := r.Numbers()
	for name, want := range map[string]float64{"score": 0.75, "fpa": 0.25, "elo": 35, "draws": 0.25, "completion": 0.75, "length": 9} {
		if got[name] != (Number{Value: want, Lo: want - 0.125, Hi: want + 0.125, N: 64}) {
			t.Errorf("%s is %+v, want %g", name, got[name], want)
		}
	}
	if _, ok := got["depth"]; ok || len(got) != 6 {
		t.Errorf("%d numbers, depth %t; want 6 without", len(got), ok)
	}
	// The joint fit of strength and seat gives no verdict: too often it does not hold the value of the game.
	r.Joint = &JointAdvantage{Score: number(0.625), Elo: number(90)}
	r.Groups[1].Kind = "all"
	if got := r.Numbers()["score"].Value; got != 0.75 {
		t.Errorf("score %g of all games, want their own 0.75", got)
	}
	for _, headline := range []int{-1, 2} {
		r.Headline = headline
		if got := r.Numbers(); len(got) != 0 {
			t.Errorf("headline %d: %v, want no numbers", headline, got)
		}
	}
	r.Headline = 0
	for _, bound := range []bool{false, true} {
		r.Ladder = &Ladder{Depth: number(3), LowerBound: bound}
		if got := r.Numbers()["depth"]; got.Value != 3 || got.HiOpen != bound {
			t.Errorf("depth %+v, want its upper end open: %t", got, bound)
		}
	}
	r.Ladder.Depth = Number{}
	if _, ok := r.Numbers()["depth"]; ok {
		t.Error("a depth that was not measured")
	}
}

// Shares are written as per cent, Elo and plies whole, an open end by name, and no minus before zero.
func TestTextOfNumbers(t *testing.T) {
	t.Parallel()
	x := Number{Value: 0.524, Lo: 0.481, Hi: 0.567, N: 360}
	minus := Number{Value: math.Copysign(0, -1), Lo: math.Copysign(0, -1), Hi: 12.4, N: 9}
	open := Number{Value: 12, LoOpen: true, HiOpen: true, N: 9}
	for _, c := range []struct {
		measure string
		x       Number
		want    string
	}{
		{"score", x, "52.4 % [48.1, 56.7] n 360"},
		{"fpa", x, "52.4 % [48.1, 56.7] n 360"},
		{"draws", x, "52.4 % [48.1, 56.7] n 360"},
		{"completion", x, "52.4 % [48.1, 56.7] n 360"},
		{"depth", x, "0.5 [0.5, 0.6] n 360"},
		{"elo", minus, "0 [0, 12] n 9"},
		{"length", open, "12 [no bound, no bound] n 9"},
		{"score", Number{}, "-"},
	} {
		if got := Text(c.measure, c.x); got != c.want {
			t.Errorf("%s: %q, want %q", c.measure, got, c.want)
		}
	}
	j := Judged{Rules: "classic", Target: "score>=0.4", Measure: "score", Verdict: Met, Number: x}
	if got, want := j.String(), "classic: score>=0.4 is met: score 52.4 % [48.1, 56.7] n 360"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
