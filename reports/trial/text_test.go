package trial

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/ratings"
)

// A match is sized from what is given: the games from a difference, the power from both, the difference from the games,
// of which an odd one is left out. What was asked comes back: the games that a difference needs have at least the
// power, two fewer have less.
func TestMatchIsSized(t *testing.T) {
	t.Parallel()
	p := ratings.Plan{Elo: 30, Alpha: 0.05, Power: 0.8, DrawRate: 0.3}
	sized, err := Match(p, 0, true, false)
	if err != nil || sized.Pairs*2 != sized.Games || *sized.Power != 0.8 || sized.Detectable != nil || *sized.Elo != 30 ||
		*sized.DrawRate != 0.3 || sized.PairVariance != nil {
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

// A sequential test is looked ahead at where either hypothesis holds: there it errs at its rates; where it is longest
// in between; and at a difference that is given.
func TestSequentialAhead(t *testing.T) {
	t.Parallel()
	test := ratings.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.1}
	for _, given := range []bool{false, true} {
		r := must.Get(Sequential(test, ratings.Plan{Elo: 200, Alpha: 0.05, Power: 0.8, DrawRate: 0.3}, given))(t)
		e := r.SPRT.Expected
		if len(e) != map[bool]int{false: 3, true: 4}[given] {
			t.Fatalf("%+v", e)
		}
		if !(math.Abs(e[0].AcceptH1-0.05) < 1e-6 && math.Abs(e[2].AcceptH0-0.1) < 1e-6) || e[1].Games <= e[0].Games ||
			e[1].Games <= e[2].Games {
			t.Errorf("%+v", e)
		}
		if given && (math.Abs(e[3].Elo-200) > 0.5 || e[3].Pairs < 1 || e[3].Games != 2*e[3].Pairs ||
			e[3].Games >= e[2].Games) {
			t.Errorf("%+v", e[3])
		}
		var out bytes.Buffer
		must.Do(t, r.Text(&out))
		if want := "sequential test of 20 against 0 logistic Elo, error rates 5 % and 10 %; draw rate 30 % " +
			"between equal agents"; !strings.Contains(out.String(), want) || strings.Contains(out.String(), "as given") != given ||
			strings.Contains(out.String(), "-0.0") || !strings.Contains(r.Warning, "too short below 30 pairs") {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
}
