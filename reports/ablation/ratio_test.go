package ablation

import (
	"testing"

	"spar/reports/trial"
)

// What a move takes, of the variant, of the agent, and the one over the other; nothing where one of them has not moved, or spent nothing.
func TestRatio(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spent, moves [2]float64
		want         *Ratio
	}{
		{[2]float64{6, 10}, [2]float64{3, 20}, &Ratio{2000, 500, 4}},
		{[2]float64{0, 10}, [2]float64{3, 20}, &Ratio{0, 500, 0}},
		{[2]float64{6, 0}, [2]float64{3, 20}, nil},
		{[2]float64{6, 10}, [2]float64{0, 20}, nil},
		{[2]float64{6, 10}, [2]float64{3, 0}, nil},
	} {
		got := ratio(c.spent, c.moves, 1000)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%v in %v: %+v, want %+v", c.spent, c.moves, got, c.want)
		}
	}
}

// A variant is stronger or weaker where the whole interval says so; time and nodes are those of a move, the variant's over the other's.
func TestVerdictOfAVariant(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][][]float64{
		"stronger":  {{0, 2, 10, 30, 40}, {0, 0, 40, 2, 40}},
		"weaker":    {{40, 30, 10, 2, 0}},
		"undecided": {{5, 5, 40, 5, 5}, {0, 0, 0, 0, 1}, {0, 0, 9, 0, 0}, {1, 0, 0, 0, 0}, {4, 6, 20, 7, 5}},
	} {
		for _, five := range all {
			e := &Effect{}
			if err := e.measure(&trial.Pairs{Pentanomial: five, Games: 10, Spent: [2]float64{3, 2}, Nodes: [2]float64{700, 350}, Moves: [2]float64{7, 7}}, 0.95); err != nil {
				t.Fatal(err)
			}
			if e.Verdict != want || e.Pairs != 5 || e.Nodes == nil || *e.Nodes != (Ratio{100, 50, 2}) {
				t.Errorf("%v: %s, %d pairs, nodes %+v; want %s", five, e.Verdict, e.Pairs, e.Nodes, want)
			}
		}
	}
}
