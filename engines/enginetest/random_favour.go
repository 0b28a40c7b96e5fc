package enginetest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/rules"
)

// RandomRulesWith draws rules as RandomRules does, then switches one mechanic on if the other knobs allow it. Most
// draws have the mechanic, but not all.
func RandomRulesWith(mechanic rules.Mechanic) *rapid.Generator[engines.Rules] {
	return rapid.Custom(func(t *rapid.T) engines.Rules {
		r, d := drawRules(t), draw{t}
		if goal := slices.ContainsFunc(rules.Goals(), func(g rules.Goal) bool { return g.Mechanic == mechanic }); goal {
			d.small(&r)
		}
		d.favour(&r, mechanic)
		return r
	}).Filter(func(r engines.Rules) bool { return len(engines.Validate(&r)) == 0 })
}

// small draws a small board, and at times takes other goals away, so that random games reach a goal.
func (d draw) small(r *engines.Rules) {
	plain := rules.DefaultRules()
	plain.Board.Columns, plain.Board.Rows = d.integer("small columns", 2, 5), d.integer("small rows", 2, 5)
	r.Board, r.Setup, r.Placement.Opening = plain.Board, nil, nil
	if d.often("one goal", 2) {
		r.Win, r.Lose, r.Second = plain.Win, plain.Lose, nil
	}
}

// favour switches on a mechanic and the mechanics that it needs. A mechanic that is not listed is switched on by the
// change of its knob, see changed.
func (d draw) favour(r *engines.Rules, mechanic rules.Mechanic) {
	m := &r.Movement
	moves := func() {
		r.Placement.Gravity = false
		if r.Pieces.Supply == 0 && len(r.Setup) == 0 {
			d.setup(r)
		}
		if !r.Mechanics().Any(rules.Steps, rules.Jumps, rules.Takes, rules.Leaps) {
			*m = rules.DefaultRules().Movement
			d.movement(m)
		}
	}
	steps := func() {
		if moves(); m.Steps == "none" {
			m.Steps = d.oneOf("favoured steps", "king", "rook", "bishop")
		}
	}
	jumps := func() {
		if moves(); !m.Capture {
			m.Capture, m.JumpOver, m.Captured = true, "enemy", d.oneOf("favoured captured", "return", "remove")
		}
	}
	chains := func() {
		jumps()
		m.MultiJump = "true"
	}
	another := func() {
		r.Placement.Gravity, r.Setup = false, nil
		r.Board.Missing, r.Board.Lines = nil, nil
	}
	of := map[rules.Mechanic]func(){
		rules.PlaceRegions: func() {
			r.Territory, r.Placement.Gravity, r.Placement.Region = "halves", false, d.oneOf("favoured region", "home",
				"enemy")
		},
		rules.LineRegions: func() {
			if r.Territory, r.Win.Region = "halves", "enemy"; r.Win.Line == 0 {
				r.Win.Line = d.integer("favoured line", 2, 4)
			}
		},
		rules.LineDirections: func() {
			if r.Win.Directions = d.some("favoured line direction", "columns", "rows", "diagonals"); r.Win.Line == 0 {
				r.Win.Line = d.integer("favoured line", 2, 4)
			}
		},
		rules.Falling: func() {
			r.Placement.Gravity, r.Placement.Region, r.Pieces.Supply = true, "anywhere", 0
			*m = rules.DefaultRules().Movement
		},
		rules.Reuse: func() {
			r.Pieces.Removal, r.Pieces.ReuseVacated = "before_win", true
			r.Pieces.Cap = max(r.Pieces.Cap, r.Win.Line+d.integer("favoured cap", 0, 3), 1)
		},
		rules.Supply: func() {
			r.Placement.Gravity, r.Pieces.Supply = false, max(r.Pieces.Supply,
				r.Win.Line+d.integer("favoured supply", 1, 5))
		},
		rules.OwnPhases: func() {
			r.Placement.Gravity, r.Pieces.Moving = false, "after_own"
			r.Pieces.Supply = max(r.Pieces.Supply, r.Win.Line+d.integer("favoured supply", 1, 5))
			if d.often("favoured own supply", 2) {
				n := d.integer("favoured own supply", 0, 3)
				r.Second = &rules.SecondPlayer{Supply: &n}
			}
		},
		rules.Steps:  steps,
		rules.Jumps:  jumps,
		rules.Chains: chains,
		rules.Forced: func() {
			jumps()
			if m.ForcedCapture = "true"; m.Captured == "stay" {
				m.Captured = "remove"
			}
		},
		rules.Returns: func() {
			jumps()
			m.Captured, m.Clone = "return", false
		},
		rules.Removes: func() {
			if r.Surround.Effect = "remove"; r.Surround.Threshold == 0 {
				r.Surround.Threshold = d.integer("favoured threshold", 1, 4)
			}
		},
		rules.Cascades: func() {
			if r.Surround.Cascade = true; r.Surround.Threshold == 0 {
				r.Surround.Threshold = d.integer("favoured threshold", 1, 4)
			}
		},
		rules.Setups: func() {
			if len(r.Setup) == 0 {
				d.setup(r)
			}
		},
		rules.Hexagons: func() {
			another()
			r.Board.Shape, r.Board.Wrap, r.Board.Neighbours = "hex", "none", 0
		},
		rules.Holes: func() {
			another()
			r.Board.Missing = []string{
				cellName(d.integer("hole", 0, r.Board.Columns-1), d.integer("hole", 0, r.Board.Rows-1)),
			}
		},
		rules.DrawnLines: func() {
			another()
			r.Board.Shape, r.Board.Neighbours = "square", 0
			d.drawn(&r.Board)
		},
		rules.Bends: func() {
			another()
			r.Board.Shape, r.Board.Neighbours, r.Board.Wrap = "square", 0, "none"
			d.drawn(&r.Board)
			if jumps(); d.often("favoured slide", 3) {
				steps()
				m.Slide, m.Clone = true, false
			}
		},
		rules.Adjacency: func() {
			if r.Board.Neighbours = 4 * d.integer("favoured neighbours", 1, 2); len(r.Board.Lines) > 0 ||
				r.Board.Shape == "hex" {
				another()
				r.Board.Shape = "square"
			}
		},
		rules.Patterns: func() { r.Win.Pattern = d.some("favoured pattern", "square", "0,0 1,0 1,1", "0,0 2,1 1,-1") },
		rules.Connections: func() {
			r.Win.Connect = rules.Word(d.oneOf("favoured connect", "top_bottom", "left_right"))
		},
		rules.Reaches: func() {
			r.Win.Reach, r.Win.ReachCount = d.some("favoured reach", "far", "near", "left", "a1", "b2"), d.integer(
				"favoured count",
				0,
				3,
			)
		},
		rules.Eliminations: func() {
			r.Win.Eliminate, r.Win.OnBoard = d.integer("favoured eliminate", 1, 3), d.often("favoured on board", 3)
		},
		rules.Gathers: func() { moves(); r.Win.Gather = true },
		rules.ShutIns: func() { moves(); r.Win.ShutIn = d.some("favoured shut in", "near", "far", "a1", "b2", "c2") },
		rules.NoneLefts: func() {
			if moves(); !r.Mechanics().Any(rules.Takes, rules.Jumps) {
				m.Take, m.Captured = []string{"king"}, "remove"
			}
			r.Win.NoneLeft = true
		},
		rules.LosingLines: func() { r.Lose.Line = d.integer("favoured losing line", 2, 4) },
		rules.Misere:      func() { r.Win.Misere = true },
		rules.Directions: func() {
			steps()
			m.Directions = d.some("favoured directions", "forward", "sideways", "forward_diagonal")
		},
		rules.Slides: func() { steps(); m.Slide, m.Clone, r.Board.Wrap = true, false, "none" },
		rules.Leaps:  func() { moves(); m.Fly, m.Leaps = 0, d.some("favoured leaps", "1,2", "0,2", "2,2") },
		rules.Clones: func() { steps(); m.Clone, m.Slide, m.Fly, m.Captured = true, false, 0, "remove" },
		rules.Takes: func() {
			moves()
			m.Take, m.Captured = d.some("favoured take", "king", "forward", "rook"),
				"remove"
		},
		rules.StraightJumps: func() { chains(); m.Straight = true },
		rules.Flying:        func() { moves(); m.Fly, m.Leaps, m.Clone = d.integer("favoured fly", 1, 5), nil, false },
		rules.CaptureWins:   func() { r.Win.Captures = d.integer("favoured captures", 1, 6) },
		rules.Komi: func() {
			r.Win.Majority, r.Win.Komi = true, d.integer("favoured komi", -3, 3)
			if r.Second != nil && r.Second.Win != nil {
				r.Second.Win.Majority, r.Second.Win.Komi = true, r.Win.Komi
			}
		},
		rules.FullWins: func() {
			if r.Win.Majority = false; r.Second == nil || r.Second.Win == nil {
				d.second(r)
				own := r.Win
				r.Second.Win = &own
			}
			r.Win.Full, r.Second.Win.Full, r.Second.Win.Majority = true, false, false
		},
		rules.Removals: func() {
			if r.Placement.Gravity = false; len(r.Setup) == 0 {
				d.setup(r)
			}
			d.removals(r)
		},
		rules.Mills:      func() { r.Mill.Line = d.integer("favoured mill", 2, 3) },
		rules.ExactMills: func() { r.Mill.Line, r.Mill.Exact = d.integer("favoured mill", 2, 3), true },
		rules.MovedMills: func() { moves(); r.Mill.Line, r.Mill.Moved = d.integer("favoured mill", 2, 3), true },
		rules.MustEnclose: func() {
			if r.Placement.Gravity, r.Pieces.ReuseVacated = false, false; len(r.Setup) == 0 {
				d.setup(r)
			}
			r.Custodian.Effect, r.Custodian.Must, *m = "flip", true, rules.DefaultRules().Movement
		},
		rules.Custodians: func() {
			r.Custodian.Effect = rules.Word(d.oneOf("favoured enclosing", "flip", "remove"))
		},
		rules.QuietDraws: func() { steps(); r.Draw.Quiet = d.integer("favoured quiet", 1, 8) },
		rules.RepeatWins: func() {
			steps()
			r.Draw.Repetition, r.Draw.Repeated, r.Turn.Pie = d.integer("favoured repetition", 2, 3), "mover_loses", rules.NoPie
			if d.often("favoured winner", 2) {
				r.Draw.Repeated = rules.Word(d.oneOf("favoured repeated", "first_wins", "second_wins"))
			}
		},
		rules.Unequal: func() { d.second(r) },
		rules.SecondTurns: func() {
			n := d.integer("favoured first turn", 1, 3)
			if r.Second == nil {
				r.Second = &rules.SecondPlayer{}
			}
			r.Second.FirstTurn = &n
		},
	}
	if rules.PieceMechanics().Has(mechanic) {
		for range 20 {
			if d.kinds(r); r.Mechanics().Has(mechanic) {
				return
			}
		}
		return
	}
	if on := of[mechanic]; on != nil {
		on()
		return
	}
	for path, change := range changed() {
		if !rules.KnobMechanics(path).Has(mechanic) || r.Mechanics().Has(mechanic) {
			continue
		}
		_, value, _ := strings.Cut(change, ": ")
		if g, err := engines.Load("random", []byte(r.Canonical()), path+"="+value); err == nil {
			*r = g.Rules()
		}
	}
}
