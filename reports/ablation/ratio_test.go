package ablation

import (
	"testing"

	"spar/reports/trial"
)

// A variant is stronger or weaker where the whole interval says so; time and nodes are those of a move, the variant's
// over the other's.
func TestVerdictOfAVariant(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][][]float64{
		"stronger":  {{0, 2, 10, 30, 40}, {0, 0, 40, 2, 40}},
		"weaker":    {{40, 30, 10, 2, 0}},
		"undecided": {{5, 5, 40, 5, 5}, {0, 0, 0, 0, 1}, {0, 0, 9, 0, 0}, {1, 0, 0, 0, 0}, {4, 6, 20, 7, 5}},
	} {
		for _, five := range all {
			e := &Effect{}
			if err := e.measure(&trial.Pairs{
				Pentanomial: five, Games: 10, Spent: [2]float64{3, 2}, Nodes: [2]float64{700, 350},
				Moves: [2]float64{7, 7},
			}, 0.95); err != nil {
				t.Fatal(err)
			}
			if e.Verdict != want || e.Pairs != 5 || e.Nodes == nil || *e.Nodes != (Ratio{100, 50, 2}) {
				t.Errorf("%v: %s, %d pairs, nodes %+v; want %s", five, e.Verdict, e.Pairs, e.Nodes, want)
			}
		}
	}
}
