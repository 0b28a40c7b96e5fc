package engines

import (
	"math/rand/v2"
	"testing"

	"spar/engines/rules"
)

// Counting by shifted planes is the same as trying every window, in every position of random games.
func TestCountLinesBothWays(t *testing.T) {
	t.Parallel()
	boards := func(columns, rows, line, cap int, removal, region string) Rules {
		r := rules.DefaultRules()
		r.Name = "test"
		r.Board.Columns, r.Board.Rows = columns, rows
		r.Win.Line, r.Pieces.Cap, r.Pieces.Removal = line, cap, removal
		if region == "enemy" {
			r.Territory, r.Win.Region = "halves", "enemy"
		}
		r.Draw.MaxPlies = 120
		return r
	}
	for _, r := range []Rules{
		boards(3, 3, 3, 0, "before_win", "anywhere"),
		boards(3, 3, 3, 3, "before_win", "anywhere"),
		boards(3, 3, 3, 3, "after_win", "anywhere"),
		boards(8, 8, 4, 8, "before_win", "enemy"),
		boards(8, 8, 5, 6, "after_win", "anywhere"),
		boards(7, 6, 4, 0, "before_win", "anywhere"),
		boards(8, 8, 7, 9, "before_win", "anywhere"),
		boards(8, 7, 2, 4, "before_win", "enemy"),
	} {
		g, err := Compile(r)
		if err != nil {
			t.Fatal(err)
		}
		p := g.NewPlayouts(rand.NewPCG(3, 4), false)
		for range 20 {
			for s := g.NewState(); !s.Over(); s.Play(p.Random(&s)) {
				for side := range 2 {
					b := s.CountWindows(side)
					var a LineCount
					if s.countPlanes(side, &a); a != b {
						t.Fatalf("%s side %d: planes %+v, windows %+v", s.Text(), side, a, b)
					}
					if a := s.CountLines(side); a != b {
						t.Fatalf("%s side %d: CountLines %+v, windows %+v", s.Text(), side, a, b)
					}
					if a := s.ThreatCells(side); a != b.Cells {
						t.Fatalf("%s side %d: threats %v, windows %v", s.Text(), side, a, b.Cells)
					}
				}
			}
		}
	}
}
