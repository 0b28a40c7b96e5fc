package sources

import (
	"fmt"
	"strings"

	"spar/engines"
)

// need is a requirement of a level on the rules.
type need struct {
	path string // path of the knob
	met  bool
	want string // required value, in words
	got  any
}

// is requires one value of a knob.
func is(path string, got, want any) need {
	return need{path: path, met: got == want, want: fmt.Sprint(want), got: got}
}

// fit returns an error that lists the needs that the rules do not meet.
func fit(level string, g *engines.Game, needs []need) error {
	var missing []string
	for _, n := range needs {
		if !n.met {
			missing = append(missing, fmt.Sprintf("%s %s (here %v)", n.path, n.want, n.got))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("level %s cannot play %s: it needs %s", level, g.Name(), strings.Join(missing, ", "))
}

// placesOnly returns the needs of every level: pieces are placed and never move.
func placesOnly(r engines.Rules) []need {
	return []need{is("pieces.supply", r.Pieces.Supply, 0)}
}

// alternates returns the needs of a level that searches: plies alternate, both sides may use all empty cells, and
// nothing is surrounded. An opening in stages is allowed.
func alternates(r engines.Rules) []need {
	return append(placesOnly(r),
		is("board.wrap", r.Board.Wrap, "none"),
		is("turn.placements", r.Turn.Placements, 1),
		is("turn.first_turn", r.Turn.FirstTurn, 1),
		is("placement.region", r.Placement.Region, "anywhere"),
		is("placement.gravity", r.Placement.Gravity, false),
		is("surround.threshold", r.Surround.Threshold, 0),
	)
}

// horizon copies positions for searches that ignore the ply cap.
type horizon struct {
	cap      int           // the game's ply cap; 0 = none
	uncapped *engines.Game // the same rules without the ply cap
}

func newHorizon(level string, g *engines.Game) (h horizon, err error) {
	r := g.Rules()
	if h.cap = r.Draw.MaxPlies; h.cap > 0 {
		r.Draw.MaxPlies = 0
		if h.uncapped, err = engines.Compile(r); err != nil {
			err = fmt.Errorf("level %s: rules without a ply cap: %w", level, err)
		}
	}
	return h, err
}

// root sets dst to s. If a search of the given number of plies could reach the ply cap, dst has rules without a
// cap.
func (h *horizon) root(dst, s *engines.State, plies int) {
	if h.cap > 0 && s.Ply()+plies >= h.cap {
		// The text of a position is read back whole; were it not, the search would see the cap and still be legal.
		if t, err := h.uncapped.ParseState(s.Text()); err == nil {
			dst.CopyFrom(&t)
			return
		}
	}
	dst.CopyFrom(s)
}
