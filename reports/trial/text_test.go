package trial

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"spar/ratings"
)

// A match is sized from what is given: the games from a difference, the power from both, the difference from the games, of which an odd
// one is left out. What was asked comes back: the games that a difference needs have at least the power, two fewer have less.
func TestMatchIsSized(t *testing.T) {
	t.Parallel()
	p := ratings.Plan{Elo: 30, Alpha: 0.05, Power: 0.8, DrawRate: 0.3}
	sized, err := Match(p, 0, true, false)
	if err != nil || sized.Pairs*2 != sized.Games || *sized.Power != 0.8 || sized.Detectable != nil || *sized.Elo != 30 || *sized.DrawRate != 0.3 || sized.PairVariance != nil {
		t.Fatalf("%+v, %v", sized, err)
	}
	for _, c := range []struct {
		games  int64
		enough bool
	}{{sized.Games, true}, {sized.Games - 2, false}} {
		r, err := Match(p, c.games+1, true, true)
		if err != nil || r.Games != c.games || *r.Power >= 0.8 != c.enough || r.Detectable != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
	found, err := Match(p, sized.Games, false, true)
	if err != nil || math.Abs(*found.Detectable-30) > 0.5 || found.Elo != nil || *found.HalfWidth != *sized.HalfWidth {
		t.Errorf("%+v, %v", found, err)
	}
	p.PairVariance = 0.05
	if r, err := Match(p, 100, false, true); err != nil || r.DrawRate != nil || *r.PairVariance != 0.05 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMatchInWords(t *testing.T) {
	t.Parallel()
	p := ratings.Plan{Elo: 30, Alpha: 0.05, Power: 0.8, DrawRate: 0.3, PairCorrelation: 0.1}
	for _, c := range []struct {
		games     int64
		elo, many bool
		variance  float64
		want      []string
	}{
		{0, true, false, 0, []string{"find a difference of 30 Elo with a chance of at least 80 % (two-sided alpha 5 %; draws between equals 30 %, pair correlation 0.1)", "their 95 % interval is about ±"}},
		{2, true, true, 0, []string{"2 games (1 pair) find a difference of 30 Elo with a chance of "}},
		{400, false, true, 0.04, []string{"400 games (200 pairs) find a difference of ", " Elo or more with a chance of 80 %", "pair variance 0.04, measured"}},
	} {
		p.PairVariance = c.variance
		r, err := Match(p, c.games, c.elo, c.many)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := r.Text(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in %s", want, out.String())
			}
		}
	}
}

// A sequential test is looked ahead at where either hypothesis holds: there it errs at its rates; where it is longest in between; and at
// a difference that is given.
func TestSequentialAhead(t *testing.T) {
	t.Parallel()
	test := ratings.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.1}
	for _, given := range []bool{false, true} {
		r, err := Sequential(test, ratings.Plan{Elo: 200, Alpha: 0.05, Power: 0.8, DrawRate: 0.3}, given)
		if err != nil {
			t.Fatal(err)
		}
		e := r.SPRT.Expected
		if len(e) != map[bool]int{false: 3, true: 4}[given] {
			t.Fatalf("%+v", e)
		}
		if !(math.Abs(e[0].AcceptH1-0.05) < 1e-6 && math.Abs(e[2].AcceptH0-0.1) < 1e-6) || e[1].Games <= e[0].Games || e[1].Games <= e[2].Games {
			t.Errorf("%+v", e)
		}
		if given && (math.Abs(e[3].Elo-200) > 0.5 || e[3].Pairs < 1 || e[3].Games != 2*e[3].Pairs || e[3].Games >= e[2].Games) {
			t.Errorf("%+v", e[3])
		}
		var out bytes.Buffer
		if err := r.Text(&out); err != nil {
			t.Fatal(err)
		}
		if want := "sequential test of 20 against 0 logistic Elo, error rates 5 % and 10 %; draws between equals 30 %"; !strings.Contains(out.String(), want) || strings.Contains(out.String(), "as given") != given ||
			strings.Contains(out.String(), "-0.0") {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
}

// A difference that rounds to nothing has no minus, and what is expected of a test stands as it is.
func TestExpectedInWords(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	share := 0.3
	r := Plan{DrawRate: &share, PairCorrelation: &share, SPRT: &Test{Expected: []Expected{{"elo0", -0.04, 0.95, 0.05, 80, 40}}}}
	if err := r.Text(&out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, " elo0 +0.0 95.0 % 5.0 % 40 80 ") {
		t.Error(out.String())
	}
}

// A verdict says its counts and what they mean; without any it says no strength.
func TestVerdictInWords(t *testing.T) {
	t.Parallel()
	test := ratings.SPRT{Elo0: 0, Elo1: 10}
	for _, c := range []struct {
		counts     []float64
		want, less string
	}{
		{[]float64{0, 0, 0, 0, 0}, "LLR 0.000 between -2.944 (H0) and 2.944 (H1), 0 pairs (with 0, 1/2, 1, 1 1/2, 2 points: 0/0/0/0/0)\ncontinue: neither is accepted yet\n", "strength"},
		{[]float64{10, 40, 95, 52, 13}, "210 pairs (with 0, 1/2, 1, 1 1/2, 2 points: 10/40/95/52/13)\n", "note: counts of games"},
		{[]float64{30, 40, 35.5}, "games (losses/draws/wins: 30/40/35.5)\n", "accept H"},
		{[]float64{900, 40, 10}, "accept H0: 0 rather than 10\n", "nothing of that"},
		{[]float64{10, 40, 900}, "accept H1: 10 rather than 0\n", "nothing of that"},
	} {
		v, err := Evaluate(test, c.counts)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := v.Text(&out); err != nil || !strings.Contains(out.String(), c.want) || strings.Contains(out.String(), c.less) {
			t.Errorf("%v: no %q in, or %q in\n%s", c.counts, c.want, c.less, out.String())
		}
		if plain := strings.Contains(out.String(), "note: counts of games"); plain != (len(c.counts) == 3) || strings.Contains(out.String(), "-0.000") {
			t.Errorf("%v:\n%s", c.counts, out.String())
		}
		if nelo := strings.Contains(out.String(), "normalized: "); nelo != (v.NElo != nil && v.N > 0) || v.N > 0 && !nelo {
			t.Errorf("%v:\n%s", c.counts, out.String())
		}
	}
}

func TestPoolOfOneOrNone(t *testing.T) {
	t.Parallel()
	if Pool(nil) != nil {
		t.Error("a pool of nothing")
	}
	p := &Pairs{Rules: "a", Agent: "x", Opponent: "y", Games: 1, Spent: [2]float64{1.5, 1}, Distinct: 1}
	for want, v := range map[string]*Verdict{
		"":                             {},
		"x against y under a: 0 pairs": {Pairs: p},
		"under all of a, pooled as one game: 0 pairs": {Pairs: &Pairs{Agent: "x", Rules: "a", Pooled: true}},
	} {
		var out bytes.Buffer
		if v.header(&out); !strings.Contains(out.String(), want) || want == "" && out.Len() > 0 {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}

func TestEndsOfElo(t *testing.T) {
	t.Parallel()
	for want, x := range map[string]float64{"over +1000": 1000, "under -1000": -1000, "+999.9": 999.9, "-999.9": -999.9, "+0.0": -0.04} {
		if got := eloPoint(x, 1000); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
	for want, v := range map[string]ratings.Interval{
		"no bounds": {LoOpen: true, HiOpen: true}, "below +2.0": {LoOpen: true, Hi: 2}, "above -1.0": {Lo: -1, HiOpen: true}, "-1.0 to +2.0": {Lo: -1, Hi: 2},
	} {
		if got := fmt.Sprint(eloBounds(v)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A likelihood in words is never nothing and never certain, and an estimate that is cut off is none in JSON, as text says "over" it.
func TestVerdictOfOneSide(t *testing.T) {
	t.Parallel()
	for likelihood, counts := range map[string][]float64{"LOS > 99.9 %": {0, 0, 0, 0, 30}, "LOS < 0.1 %": {30, 0, 0, 0, 0}} {
		v, err := Evaluate(ratings.SPRT{Elo0: 0, Elo1: 20}, counts)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := v.Text(&out); err != nil || !strings.Contains(out.String(), likelihood+"\n") {
			t.Errorf("%v: no %q in\n%s", counts, likelihood, out.String())
		}
		if v.Plain.Elo != nil || v.Elo == nil {
			t.Errorf("%v: plain %v, given the rule %v", counts, v.Plain.Elo, v.Elo)
		}
	}
	for elo, known := range map[float64]bool{999.9: true, 1000: false, -1000: false, -999.9: true} {
		if x := within(elo, 1000); (x != nil) != known || known && *x != elo {
			t.Errorf("%g: %v", elo, x)
		}
	}
}
