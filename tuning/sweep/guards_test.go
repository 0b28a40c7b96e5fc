package sweep

import (
	"slices"
	"testing"

	"spar/arena/balance"
)

// A guard stands back where its measure has a target.
func TestGuarded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ targets, want []string }{
		{[]string{"fpa<=0.05"}, []string{"fpa<=0.05", "completion>=90%", "draws<=90%", "alive>=10%"}},
		{[]string{"draws>=95%", "alive>=0"}, []string{"draws>=95%", "alive>=0", "completion>=90%"}},
	} {
		if got := Guarded(c.targets); !slices.Equal(got, c.want) {
			t.Errorf("%v guarded: %v, want %v", c.targets, got, c.want)
		}
	}
}

// What a search that met nothing says.
func TestUnmet(t *testing.T) {
	t.Parallel()
	judged := func(vs ...balance.Verdict) []balance.Judged {
		var out []balance.Judged
		for i, v := range vs {
			out = append(out, balance.Judged{Target: []string{"fpa<=0.05", "draws<=20%"}[i], Verdict: v})
		}
		return out
	}
	for _, c := range []struct {
		verdict balance.Verdict
		judged  []balance.Judged
		want    string
	}{
		{balance.Met, judged(balance.Met), ""},
		{balance.Missed, judged(balance.Missed, balance.Undecided), "nothing met the targets; nearest is pieces.cap 4, which misses fpa<=0.05: other values or other knobs would have to be tried"},
		{balance.Undecided, judged(balance.Undecided, balance.Undecided), "nothing met the targets; nearest is pieces.cap 4; more games for fpa<=0.05 and draws<=20% would settle it (--fresh)"},
	} {
		r := &Result{Knobs: []KnobInfo{{Path: "pieces.cap"}}, Targets: []string{"fpa<=0.05"}, Again: []Again{{Values: []string{"4"}, Verdict: c.verdict, Judged: c.judged}}}
		if got := r.Unmet(); got != c.want {
			t.Errorf("%s: %q, want %q", c.verdict, got, c.want)
		}
	}
}
