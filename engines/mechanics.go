package engines

import (
	"fmt"
	"math/bits"
	"reflect"
	"strings"
)

// Mechanics is a set of things that rules may do. A compiled game carries the set that it uses. Whatever is faster, or claims
// more, than the plain way says which mechanics it handles, and is taken only where the rules use no other: what nobody has
// thought of is slow and right.
type Mechanics uint64

// The mechanics. A knob that is in none of them counts as Undeclared where it differs from the default, and nothing handles that.
const (
	Wraps          Mechanics = 1 << iota // edges of the board meet
	LongTurns                            // turns of several placements, the first one included
	Pie                                  // the second player may swap
	PlaceRegions                         // placements are kept to a region
	Openings                             // the first plies have regions of their own
	Falling                              // pieces fall
	Ages                                 // a cap: the oldest leave
	LeaveAfterWin                        // ... after the test of lines
	LateAges                             // ... not from the first ply on
	Reuse                                // the cell that the oldest leaves may be placed on
	Supply                               // pieces come from a hand, and there is a movement phase
	Steps                                // pieces step
	Jumps                                // pieces jump and capture
	Chains                               // a jump may be followed by another in the turn
	Forced                               // a side that can capture must
	Returns                              // jumped pieces return to the hand
	Surrounds                            // pieces are captured by surrounding
	Removes                              // ... and leave the game, instead of changing sides
	Cascades                             // ... and what has changed captures on
	Lines                                // lines win
	ExactLines                           // ... but no longer ones
	LineRegions                          // ... where they lie in a region
	Majorities                           // a full board goes to whoever has more pieces
	FullBoards                           // a full board is a draw
	Repetitions                          // repeated positions are a draw
	PlyCaps                              // a number of plies is a draw
	Passes                               // a side without an action passes
	StuckDraws                           // a side without an action draws, instead of losing
	Setups                               // pieces stand on the board at the start
	Hexagons                             // cells have six neighbours
	Holes                                // the board misses cells
	DrawnLines                           // neighbours and lines are drawn
	Adjacency                            // what is adjacent is a choice
	Misere                               // whoever makes the goal loses
	Patterns                             // shapes win
	Connections                          // connecting two sides wins
	Reaches                              // arriving somewhere wins
	Eliminations                         // a side with too few pieces loses
	LosingLines                          // lines lose
	Directions                           // steps or jumps have directions of their own, or jump over own pieces, or capture nothing
	Slides                               // steps go any distance
	Leaps                                // pieces leap
	Clones                               // steps leave the piece behind
	Takes                                // pieces capture by replacement
	StraightJumps                        // chains of jumps keep their direction
	Flying                               // few pieces fly
	Custodians                           // enclosed runs are captured
	Mills                                // lines take a piece
	CaptureWins                          // a number of captures wins
	FullWins                             // a full board wins
	Removals                             // the first plies remove pieces
	SharedPieces                         // pieces belong to nobody, or are chosen
	Unequal                              // the sides differ
	StuckWins                            // a side without an action wins
	Settles                              // what hangs in the air falls: what stood above a piece that has left, or was turned over by the pie
	Seats                                // the swap exchanges the sides: pieces, ways to move and goals
	Undeclared                           // a knob that this list does not know
	mechanicsCount = iota
)

// anyBoard are other boards, and other starts on them: the tables of the board hold all that they are.
const anyBoard = Setups | Hexagons | Holes | DrawnLines | Adjacency

// richMechanics are those that State leaves to rooms of their own; the rest of the new ones is but another board.
const richMechanics = Adjacency | Misere | Patterns | Connections | Reaches | Eliminations | LosingLines | richMoves | Custodians | Mills |
	CaptureWins | FullWins | Removals | SharedPieces | Unequal | Settles | Seats

// richMoves are ways to move beyond steps and jumps.
const richMoves = Directions | Slides | Leaps | Clones | Takes | StraightJumps | Flying

// mechanicNames are the words of String, in the order of the bits.
func mechanicNames() [mechanicsCount]string {
	return [mechanicsCount]string{
		"wraps", "long_turns", "pie", "place_regions", "openings", "falling", "ages", "leave_after_win", "late_ages", "reuse", "supply",
		"steps", "jumps", "chains", "forced", "returns", "surrounds", "removes", "cascades", "lines", "exact_lines", "line_regions",
		"majorities", "full_boards", "repetitions", "ply_caps", "passes", "stuck_draws",
		"setups", "hexagons", "holes", "drawn_lines", "adjacency", "misere", "patterns", "connections", "reaches", "eliminations",
		"losing_lines", "directions", "slides", "leaps", "clones", "takes", "straight_jumps", "flying", "custodians", "mills",
		"capture_wins", "full_wins", "removals", "shared_pieces", "unequal", "stuck_wins", "settles", "seats", "undeclared",
	}
}

// String lists the mechanics by name.
func (m Mechanics) String() string {
	var names []string
	for rest := m; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(uint64(rest))
		if i >= mechanicsCount {
			names = append(names, fmt.Sprintf("bit %d", i))
			continue
		}
		names = append(names, mechanicNames()[i])
	}
	return strings.Join(names, " ")
}

// only tells whether the set holds nothing but what is handled.
func (m Mechanics) only(handled Mechanics) bool { return m&^handled == 0 }

// has tells whether the set holds any of some mechanics.
func (m Mechanics) has(any Mechanics) bool { return m&any != 0 }

// knobMechanics says, for every knob, which mechanics its value switches on. The sizes of things and the clock are none.
func knobMechanics() map[string]func(r *Rules) Mechanics {
	when := func(m Mechanics, on func(r *Rules) bool) func(r *Rules) Mechanics {
		return func(r *Rules) Mechanics {
			if on(r) {
				return m
			}
			return 0
		}
	}
	size := func(*Rules) Mechanics { return 0 }
	ages := (*Rules).ages
	surrounds := func(r *Rules) bool { return r.Surround.Threshold > 0 }
	lines := func(r *Rules) bool { return r.Win.Line > 0 }
	custodian := func(r *Rules) bool { return !r.Custodian.Effect.IsZero() }
	mill := func(r *Rules) bool { return r.Mill.Line > 0 }
	return map[string]func(r *Rules) Mechanics{
		"board.columns":    size,
		"board.rows":       size,
		"board.wrap":       when(Wraps, func(r *Rules) bool { return r.Board.Wrap != "none" }),
		"board.shape":      when(Hexagons, func(r *Rules) bool { return !r.Board.Shape.IsZero() }),
		"board.missing":    when(Holes, func(r *Rules) bool { return len(r.Board.Missing) > 0 }),
		"board.lines":      when(DrawnLines, func(r *Rules) bool { return len(r.Board.Lines) > 0 }),
		"board.neighbours": when(Adjacency, func(r *Rules) bool { return r.Board.Neighbours != 0 }),
		"setup":            when(Setups, func(r *Rules) bool { return len(r.Setup) > 0 }),
		"territory":        size, // regions say what it is for
		"turn.placements":  when(LongTurns, func(r *Rules) bool { return r.Turn.Placements > 1 }),
		"turn.first_turn":  when(LongTurns, func(r *Rules) bool { return r.Turn.FirstTurn > 1 }),
		"turn.pie": func(r *Rules) Mechanics {
			return map[PieRule]Mechanics{PieStones: Pie, PieSeats: Pie | Seats}[r.Turn.Pie]
		},
		"placement.region":  when(PlaceRegions, func(r *Rules) bool { return r.Placement.Region != "anywhere" }),
		"placement.gravity": when(Falling, func(r *Rules) bool { return r.Placement.Gravity }),
		"placement.falls": when(Settles, func(r *Rules) bool {
			return r.Placement.Gravity && r.Placement.Falls && (r.takes() || r.Turn.Pie == PieStones)
		}),
		"placement.opening": func(r *Rules) (m Mechanics) {
			for _, stage := range r.Placement.Opening {
				if m |= Openings; stage.Remove {
					m |= Removals
				}
			}
			return m
		},
		"pieces.supply":           when(Supply, func(r *Rules) bool { return r.Pieces.Supply > 0 }),
		"pieces.cap":              when(Ages, ages),
		"pieces.removal":          when(LeaveAfterWin, func(r *Rules) bool { return ages(r) && r.Pieces.Removal != "before_win" }),
		"pieces.removal_from_ply": when(LateAges, func(r *Rules) bool { return ages(r) && r.Pieces.RemovalFromPly > 1 }),
		"pieces.reuse_vacated":    when(Reuse, func(r *Rules) bool { return ages(r) && r.Pieces.ReuseVacated }),
		"movement.steps":          when(Steps, func(r *Rules) bool { return r.Movement.Steps != "none" }),
		"movement.capture":        when(Jumps, func(r *Rules) bool { return r.Movement.Capture }),
		"movement.multi_jump":     when(Chains, func(r *Rules) bool { return r.Movement.Capture && r.Movement.MultiJump }),
		"movement.forced_capture": when(Forced, func(r *Rules) bool { return r.Movement.ForcedCapture && r.Movement.takes() }),
		"movement.captured": func(r *Rules) Mechanics {
			switch {
			case r.Movement.takes() && r.Movement.Captured == "return":
				return Returns
			case r.Movement.Capture && r.Movement.Captured == "stay":
				return Directions
			}
			return 0
		},
		"surround.threshold":  when(Surrounds, surrounds),
		"surround.effect":     when(Removes, func(r *Rules) bool { return surrounds(r) && r.Surround.Effect != "convert" }),
		"surround.cascade":    when(Cascades, func(r *Rules) bool { return surrounds(r) && r.Surround.Cascade }),
		"win.line":            when(Lines, lines),
		"win.overlines":       when(ExactLines, func(r *Rules) bool { return lines(r) && !r.Win.Overlines }),
		"win.region":          when(LineRegions, func(r *Rules) bool { return lines(r) && r.Win.Region != "anywhere" }),
		"win.majority":        when(Majorities, func(r *Rules) bool { return r.Win.Majority }),
		"movement.directions": when(Directions, func(r *Rules) bool { return len(r.Movement.Directions) > 0 }),
		"movement.slide":      when(Slides, func(r *Rules) bool { return r.Movement.Slide }),
		"movement.leaps":      when(Leaps, func(r *Rules) bool { return len(r.Movement.Leaps) > 0 }),
		"movement.clone":      when(Clones, func(r *Rules) bool { return r.Movement.Clone }),
		"movement.take":       when(Takes, func(r *Rules) bool { return len(r.Movement.Take) > 0 }),
		"movement.jumps":      when(Directions, func(r *Rules) bool { return len(r.Movement.Jumps) > 0 }),
		"movement.jump_over": when(Directions, func(r *Rules) bool {
			return r.Movement.Capture && (r.Movement.JumpOver == "friend" || r.Movement.JumpOver == "any")
		}),
		"movement.straight":    when(StraightJumps, func(r *Rules) bool { return r.Movement.Straight }),
		"movement.fly":         when(Flying, func(r *Rules) bool { return r.Movement.Fly > 0 }),
		"custodian.effect":     when(Custodians, custodian),
		"custodian.length":     when(Custodians, custodian),
		"custodian.directions": when(Custodians, custodian),
		"custodian.must":       when(Custodians, custodian),
		"mill.line":            when(Mills, mill),
		"mill.exact":           when(Mills, mill),
		"mill.moved":           when(Mills, mill),
		"win.captures":         when(CaptureWins, func(r *Rules) bool { return r.Win.Captures > 0 }),
		"win.full":             when(FullWins, func(r *Rules) bool { return r.Win.Full }),
		"pieces.owner":         when(SharedPieces, func(r *Rules) bool { return r.Pieces.Owner == "shared" || r.Pieces.Owner == "choice" }),
		"second": func(r *Rules) Mechanics {
			if r.Second == nil {
				return 0
			}
			own := r.Of(1)
			own.Second = nil
			return Unequal | own.Mechanics()
		},
		"win.pattern":     when(Patterns, func(r *Rules) bool { return len(r.Win.Pattern) > 0 }),
		"win.connect":     when(Connections, func(r *Rules) bool { return !r.Win.Connect.IsZero() }),
		"win.reach":       when(Reaches, func(r *Rules) bool { return len(r.Win.Reach) > 0 }),
		"win.reach_count": when(Reaches, func(r *Rules) bool { return len(r.Win.Reach) > 0 }),
		"win.eliminate":   when(Eliminations, func(r *Rules) bool { return r.Win.Eliminate > 0 }),
		"win.on_board":    when(Eliminations, func(r *Rules) bool { return r.Win.Eliminate > 0 }),
		"win.misere":      when(Misere, func(r *Rules) bool { return r.Win.Misere }),
		"lose.line":       when(LosingLines, func(r *Rules) bool { return r.Lose.Line > 0 }),
		"draw.full_board": when(FullBoards, func(r *Rules) bool { return r.Draw.FullBoard }),
		"draw.repetition": when(Repetitions, func(r *Rules) bool { return r.Draw.Repetition > 0 }),
		"draw.max_plies":  when(PlyCaps, func(r *Rules) bool { return r.Draw.MaxPlies > 0 }),
		"no_moves": func(r *Rules) Mechanics {
			switch r.NoMoves {
			case "loss":
				return 0
			case "draw":
				return StuckDraws
			case "win":
				return StuckWins
			case "pass":
				return Passes
			}
			return Undeclared
		},
		"clock.seconds": size,
	}
}

// Mechanics is the set that rules use.
func (r *Rules) Mechanics() Mechanics {
	known := knobMechanics()
	plain := map[string]any{}
	eachKnob(DefaultRules(), func(path string, v any) { plain[path] = v })
	var m Mechanics
	eachKnob(*r, func(path string, v any) {
		if of := known[path]; of != nil {
			m |= of(r)
		} else if !reflect.DeepEqual(v, plain[path]) {
			m |= Undeclared
		}
	})
	return m
}

// Mechanics returns the set of mechanics that the rules use.
func (g *Game) Mechanics() Mechanics { return g.uses }
