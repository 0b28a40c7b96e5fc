package rules

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"spar/configs/strict"
	"spar/engines/grid"
)

// Mechanic is one feature of rules, such as gravity or capturing by jumps. Each mechanic belongs to one knob, whose
// value switches it on.
type Mechanic uint8

// The mechanics. A name after ... refines the mechanic above it. Undeclared means that a knob was changed which is
// missing in the list of knobs; no fast path handles it.
const (
	Wraps        Mechanic = iota // opposite edges of the board are joined
	Hexagons                     // cells have six neighbours
	Holes                        // the board lacks some cells
	DrawnLines                   // neighbours and lines are given by drawn lines
	Bends                        // ... which bend or meet, and pieces go along them
	Adjacency                    // a knob selects which cells are adjacent
	Setups                       // pieces are on the board at the start
	LongTurns                    // a turn has several placements
	FirstTurns                   // ... only the first turn of the game
	Pie                          // the second player may swap
	Seats                        // ... which exchanges the players: pieces, movement and goals
	PlaceRegions                 // placements are restricted to a region
	Falling                      // pieces fall
	// unsupported pieces fall, above a piece that left or after a swap that mirrors the board
	Settles
	Openings            // the first plies have their own regions
	Removals            // ... in which pieces are taken off
	Supply              // pieces come from a hand, and there is a movement phase
	OwnPhases           // ... which begins for each side when its own hand is empty
	Ages                // a side has a cap on its pieces: the oldest leave
	LeaveAfterWin       // ... after the check for lines
	LateAges            // ... only from a later ply on
	SharedPieces        // pieces belong to both players, or the player chooses which to place
	Reuse               // the cell that the oldest piece leaves can be used in the same ply
	Steps               // pieces step
	Jumps               // pieces jump and capture
	Chains              // a jump can be followed by another one in the same turn
	Forced              // a side that can capture must
	Returns             // captured pieces return to the hand
	StayingJumps        // jumps capture nothing
	Directions          // steps have their own directions
	Slides              // steps go any distance
	Leaps               // pieces leap
	Clones              // steps leave the piece behind
	Takes               // pieces capture by replacement
	JumpDirections      // jumps have their own directions
	JumpOvers           // pieces can jump over pieces of their side
	StraightJumps       // chains of jumps keep their direction
	Flying              // a side with few pieces may fly to any cell
	Surrounds           // pieces are captured by surrounding
	Removes             // ... and leave the game instead of changing sides
	Cascades            // ... and converted pieces capture in turn
	Lines               // lines win
	ExactLines          // ... but longer ones do not
	LineRegions         // ... only in a region
	LineDirections      // ... in some directions
	Majorities          // on a full board the side with more pieces wins
	Komi                // ... counted with some pieces more for one side
	Patterns            // completing a shape of pieces wins
	Connections         // connecting two edges wins
	Reaches             // reaching certain cells wins
	ReachCounts         // ... with several pieces
	Eliminations        // a side with too few pieces loses
	OnBoardCounts       // ... without counting those in hand
	CaptureWins         // a number of captures wins
	FullWins            // a full board wins
	Misere              // a side that completes a line or reaches a goal loses
	LosingLines         // lines lose
	FullBoards          // a full board is a draw
	Repetitions         // a repeated position is a draw
	RepeatWins          // ... or one side wins by it
	PlyCaps             // the game is a draw after a number of plies
	QuietDraws          // ... after a number of consecutive plies without placement or capture
	Custodians          // enclosed runs of pieces are captured
	EnclosedLengths     // ... up to a length
	EnclosingDirections // ... in some directions
	MustEnclose         // ... and every placement must enclose
	Mills               // a completed line (mill) takes an enemy piece
	ExactMills          // ... but longer ones do not
	MovedMills          // ... only if a move, not a placement, completes it
	Kinds               // there are kinds of pieces
	Promotions          // ... which can become others
	SlideTakes          // slides capture by replacement
	LeapTakes           // leaps capture by replacement
	LongJumps           // jumps go over empty cells, too
	LateRemovals        // jumped pieces leave when the turn ends
	FirstSteps          // steps from the rows of the start are longer
	MustChains          // a piece must jump again as long as it can
	MostCaptures        // a turn must capture as much as it can
	Closed              // some cells are closed to a kind of piece
	Surrounded          // a kind of piece is captured by enclosing on all four sides only
	Helpers             // a kind of piece does not capture by enclosing
	HostileCells        // empty cells enclose, too
	KindReaches         // only one kind of piece reaches the goal
	KindTakes           // a side without a kind of piece loses
	Mates               // an attacked kind of piece that cannot be saved loses
	ToEnds              // slides go as far as they can
	LineSteps           // steps go as far as there are pieces on their line
	PassOwns            // steps go over pieces of their side
	LineCaptures        // steps capture rows of pieces
	Exits               // pieces leave the board
	Compass             // directions that are the same for both sides
	Gathers             // connecting all of a side's pieces wins
	ShutIns             // a piece enclosed by enemies wins
	NoneLefts           // having no piece left wins
	Blocks              // each turn blocks a cell
	Spared              // ... but never some cells
	Drops               // captured pieces may be dropped by their captor
	SafeReaches         // a piece wins on a goal cell only if it is not attacked there
	Unequal             // the rules of the two sides differ
	SecondTurns         // ... in the length of their first turns
	Passes              // a side without an action passes
	StuckDraws          // ... or the game is a draw
	StuckWins           // ... or wins
	Undeclared          // a knob that is missing in the list of knobs
)

// knob describes a knob of rules. Its type, range and help are in the field of Rules, and its default is in
// DefaultRules.
type knob struct {
	path  string
	uses  []use                 // mechanics that its values switch on; empty for sizes and the clock
	under string                // another knob that must be set, too
	idle  func(r *Rules) string // returns why the knob has no effect; empty if it has one
	// other knobs that can cause a problem together with this one, separated by spaces: see Problem.causes
	needs string
}

// use is a mechanic, with the condition under which rules use it; nil means whenever the knob is set.
type use struct {
	of Mechanic
	on func(r *Rules) bool
}

// when returns a mechanic that a knob switches on, under one condition or whenever it is set.
func when(of Mechanic, on ...func(r *Rules) bool) []use {
	return []use{{of, append(on, nil)[0]}}
}

// fields are the places of all knobs in Rules, by path.
var fields = sync.OnceValue(func() map[string][]int {
	out := map[string][]int{}
	var walk func(t reflect.Type, path string, at []int)
	walk = func(t reflect.Type, path string, at []int) {
		for i := range t.NumField() {
			f := t.Field(i)
			key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			out[path+key] = append(slices.Clone(at), i)
			if f.Type.Kind() == reflect.Struct {
				walk(f.Type, path+key+".", out[path+key])
			}
		}
	}
	walk(reflect.TypeFor[Rules](), "", nil)
	return out
})

// set reports whether a knob has a value other than its default, and other than zero, none or false.
func (r *Rules) set(path string) bool {
	at := fields()[path]
	v := reflect.ValueOf(r).Elem().FieldByIndex(at)
	if v.Kind() == reflect.Slice {
		return v.Len() > 0
	} else if v.IsZero() || v.Equal(defaults().FieldByIndex(at)) {
		return false
	}
	word, ok := v.Interface().(interface{ IsZero() bool })
	return !ok || !word.IsZero()
}

var defaults = sync.OnceValue(func() reflect.Value { return reflect.ValueOf(DefaultRules()) })

// knobs lists the knobs in the order of the file, those that set goals among them. Knobs of the second player have the
// descriptions of the first player's.
var knobs = sync.OnceValue(func() []knob {
	all := slices.Concat(otherKnobs(), kindKnobs())
	for _, g := range goals() {
		all = append(all, knob{path: g.Path, uses: when(g.Mechanic), needs: g.causes})
	}
	var order []string
	eachKnob(DefaultRules(), func(path string, _ any) { order = append(order, path) })
	slices.SortStableFunc(all, func(a, b knob) int {
		return slices.Index(order, a.path) - slices.Index(order, b.path)
	})
	return all
})

// otherKnobs describes the knobs that set no goal.
func otherKnobs() []knob {
	ages := (*Rules).Ages
	lines := func(r *Rules) bool { return r.Win.Line > 0 }
	encloses := func(r *Rules) bool { return !r.Custodian.Effect.IsZero() }
	noMoves := func(of Mechanic, word string) use {
		return use{of, func(r *Rules) bool { return r.NoMoves == word }}
	}
	return []knob{
		{path: "board.columns"},
		{path: "board.rows"},
		{path: "board.wrap", uses: when(Wraps), needs: "board"},
		{path: "board.shape", uses: when(Hexagons), needs: "board"},
		{path: "board.missing", uses: when(Holes), needs: "board"},
		{
			path: "board.lines",
			uses: []use{
				{DrawnLines, nil},
				{Bends, func(r *Rules) bool { return len(r.Board.Lines) > 0 && r.follows() && grid.New(r.Board).Bent }},
			},
			needs: "board movement custodian",
		},
		{path: "board.neighbours", uses: when(Adjacency), idle: (*Rules).idleNeighbours},
		{path: "setup", uses: when(Setups), needs: "board kinds movement no_moves win lose pieces"},
		{path: "territory", idle: (*Rules).idleTerritory}, // the regions say what it is for
		{path: "turn.placements", uses: when(LongTurns), idle: (*Rules).idleTurns},
		{path: "turn.first_turn", uses: when(FirstTurns), idle: (*Rules).idleTurns},
		{
			path: "turn.pie",
			uses: []use{
				{Pie, nil},
				{Seats, func(r *Rules) bool { return r.Turn.Pie == PieSeats }},
			},
		},
		{path: "placement.region", uses: when(PlaceRegions), idle: (*Rules).idlePlacements, needs: "territory"},
		{
			path: "placement.gravity", uses: when(Falling),
			needs: "board.wrap placement movement.steps movement.capture pieces.reuse_vacated",
		},
		{
			path: "placement.falls",
			uses: when(Settles, func(r *Rules) bool {
				return r.Placement.Gravity && r.Placement.Falls && (r.takes() || r.Turn.Pie == PieStones)
			}),
			idle: (*Rules).idleFalls,
		},
		{
			path: "placement.opening",
			uses: []use{
				{Openings, nil},
				{Removals, func(r *Rules) bool {
					return slices.ContainsFunc(r.Placement.Opening, func(s Stage) bool { return s.Remove })
				}},
			},
			needs: "territory",
		},
		{
			path: "pieces.supply", uses: when(Supply),
			needs: "board territory placement.region movement.capture movement.captured win.line",
		},
		{
			path: "pieces.moving", needs: "pieces.supply setup", uses: when(OwnPhases, (*Rules).MovesApart),
			idle: because("no player has pieces in hand at the start", func(r *Rules) bool {
				return !r.either((*Rules).supplied)
			}),
		},
		{
			path: "pieces.cap", uses: when(Ages, ages), idle: (*Rules).idleCap,
			needs: "pieces.removal win.line win.majority",
		},
		{
			path: "pieces.removal", uses: when(LeaveAfterWin,
				func(r *Rules) bool { return ages(r) && r.Pieces.Removal != "before_win" }),
			idle: (*Rules).idleAges,
		},
		{
			path: "pieces.removal_from_ply", uses: when(LateAges,
				func(r *Rules) bool { return ages(r) && r.Pieces.RemovalFromPly > 1 }),
			idle: (*Rules).idleAges,
		},
		{
			path: "pieces.owner",
			uses: when(SharedPieces,
				func(r *Rules) bool { return r.Pieces.Owner == "shared" || r.Pieces.Owner == "choice" }),
		},
		{
			path: "pieces.reuse_vacated", uses: when(Reuse, func(r *Rules) bool { return ages(r) && r.Pieces.ReuseVacated }),
			idle: func(r *Rules) string {
				if why := r.idleAges(); why != "" {
					return why
				}
				return r.idlePlacements()
			},
			needs: "pieces.cap pieces.removal",
		},
		{path: "movement.steps", uses: when(Steps), needs: "pieces.supply"},
		{path: "movement.capture", uses: when(Jumps), needs: "board"},
		{
			path: "movement.multi_jump", uses: []use{
				{Chains, func(r *Rules) bool { return r.Movement.chains() && r.Movement.MultiJump.On() }},
				{MustChains, func(r *Rules) bool { return r.Movement.chains() && r.Movement.MultiJump == "must" }},
			},
			needs: "movement.capture",
		},
		{
			path: "movement.forced_capture", uses: []use{
				{Forced, func(r *Rules) bool { return r.Movement.ForcedCapture.On() && r.Movement.takes() }},
				{MostCaptures, func(r *Rules) bool { return r.Movement.ForcedCapture == "most" && r.Movement.takes() }},
			},
			needs: "movement.capture",
		},
		{
			path: "movement.captured",
			uses: []use{
				{Returns, func(r *Rules) bool { return r.Movement.takes() && r.Movement.Captured == "return" }},
				{StayingJumps, func(r *Rules) bool { return r.Movement.Capture && r.Movement.Captured == "stay" }},
				{Drops, func(r *Rules) bool { return (r.Movement.takes() || encloses(r)) && r.Movement.Captured == switchToHand }},
			},
			idle: because("no piece captures by moving",
				func(r *Rules) bool {
					return !encloses(r) && !r.AnyKind(func(m *Movement) bool { return m.Capture || m.takes() })
				}),
		},
		{path: "movement.slide", uses: when(Slides)},
		{path: "movement.leaps", uses: when(Leaps), needs: "board movement"},
		{path: "movement.clone", uses: when(Clones)},
		{path: "movement.take", uses: when(Takes)},
		{path: "movement.jumps", uses: when(JumpDirections)},
		{
			path: "movement.jump_over",
			uses: when(JumpOvers, func(r *Rules) bool {
				return r.Movement.Capture && (r.Movement.JumpOver == "friend" || r.Movement.JumpOver == "any")
			}),
		},
		{path: "movement.straight", uses: when(StraightJumps)},
		{path: "movement.fly", uses: when(Flying)},
		{path: "surround.threshold", uses: when(Surrounds)},
		{
			path: "surround.effect", under: "surround.threshold", uses: when(Removes),
			idle: because("surround.threshold is off", func(r *Rules) bool { return r.Surround.Threshold == 0 }),
		},
		{path: "surround.cascade", under: "surround.threshold", uses: when(Cascades), needs: "surround.threshold"},
		{
			path: "win.overlines", uses: when(ExactLines, func(r *Rules) bool { return lines(r) && !r.Win.Overlines }),
			idle: because("win.line is off", func(r *Rules) bool { return !lines(r) }),
		},
		{
			path: "win.directions",
			uses: when(LineDirections, func(r *Rules) bool {
				return (lines(r) || r.Lose.Line > 0) && len(r.Win.Directions) > 0
			}),
			idle: because("win.line and lose.line are off",
				func(r *Rules) bool { return !lines(r) && r.Lose.Line == 0 }),
			needs: "board",
		},
		{path: "win.region", under: "win.line", uses: when(LineRegions), needs: "territory win.line"},
		{path: "win.komi", under: "win.majority", uses: when(Komi), needs: "win.majority"},
		{
			path: "win.reach_count", uses: when(ReachCounts,
				func(r *Rules) bool { return len(r.Win.Reach) > 0 && r.Win.ReachCount > 1 }),
			needs: "board setup win.reach pieces",
		},
		{path: "win.on_board", under: "win.eliminate", uses: when(OnBoardCounts)},
		{path: "win.misere", uses: when(Misere)},
		{
			path: "draw.full_board",
			uses: when(FullBoards, func(r *Rules) bool { return r.Draw.FullBoard }),
			idle: (*Rules).idleFullBoard,
		},
		{path: "draw.repetition", uses: when(Repetitions), idle: (*Rules).idleRepetition},
		{
			path: "draw.repeated", needs: "turn.pie draw.repetition",
			uses: when(RepeatWins),
			idle: because("draw.repetition is off", func(r *Rules) bool { return r.Draw.Repetition == 0 }),
		},
		{path: "draw.max_plies", uses: when(PlyCaps), idle: (*Rules).idleMaxPlies},
		{path: "draw.quiet", uses: when(QuietDraws), idle: (*Rules).idleQuiet},
		{path: "custodian.effect", uses: when(Custodians)},
		{path: "custodian.length", under: "custodian.effect", uses: when(EnclosedLengths), needs: "board"},
		{path: "custodian.directions", under: "custodian.effect", uses: when(EnclosingDirections)},
		{path: "custodian.must", under: "custodian.effect", uses: when(MustEnclose), needs: "setup pieces movement"},
		{path: "mill.line", uses: when(Mills), needs: "board pieces win.line win.overlines"},
		{path: "mill.exact", under: "mill.line", uses: when(ExactMills)},
		{path: "mill.moved", under: "mill.line", uses: when(MovedMills)},
		{
			path: "second",
			uses: []use{
				{Unequal, nil},
				{SecondTurns, func(r *Rules) bool { return r.Second != nil && r.Second.FirstTurn != nil }},
			},
		},
		{
			path: "no_moves", uses: []use{noMoves(Passes, "pass"), noMoves(StuckDraws, "draw"), noMoves(StuckWins, "win")},
			idle: because("a side can always place a piece until the board is full, which ends the game",
				(*Rules).alwaysPlaces),
			needs: "turn.pie",
		},
		{path: "clock.seconds"},
	}
}

// because returns a function that returns a fixed reason if a condition is true.
func because(reason string, holds func(r *Rules) bool) func(r *Rules) string {
	return func(r *Rules) string {
		if holds(r) {
			return reason
		}
		return ""
	}
}

// KnobMechanics returns the mechanics that values of a knob can switch on. It is empty for sizes, for the clock, and
// for paths that are not knobs.
func KnobMechanics(path string) (out Mechanics) {
	for _, k := range knobs() {
		for _, u := range k.uses {
			if k.path == path {
				out = MechanicsOf(out, u.of)
			}
		}
	}
	return out
}

// KnobValue is a knob with its value, written as an override.
type KnobValue struct{ Path, Text string }

// KnobValues lists all knobs of rules in the order of the file.
func KnobValues(r Rules) []KnobValue {
	var out []KnobValue
	eachKnob(r, func(path string, v any) { out = append(out, KnobValue{path, KnobText(v)}) })
	return out
}

// KnobPaths lists the key paths of all knobs of rules, including those under second.
func KnobPaths() []string {
	return slices.DeleteFunc(strict.Paths(reflect.TypeFor[Rules]()), func(path string) bool {
		top, _, _ := strings.Cut(path, ".")
		return slices.Contains(described(), top)
	})
}

// KnobAt returns the value of one knob, written as an override. The second result is false if the rules do not
// have the path, for example second.win.reach if the second player has no separate goals.
func KnobAt(r Rules, path string) (text string, ok bool) {
	v, ok := strict.At(reflect.ValueOf(r), path)
	if !ok {
		return "", false
	}
	return KnobText(v.Interface()), true
}

// KnobText writes the value of a knob in the form of an override.
func KnobText(v any) string { return overrideValue(v) }

// eachKnob calls do for every knob of rules with its key path.
func eachKnob(r Rules, do func(path string, value any)) {
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			switch {
			case key == "" || key == "-" || path == "" && slices.Contains(described(), key):
			case v.Field(i).Kind() == reflect.Struct:
				walk(v.Field(i), path+key+".")
			default:
				do(path+key, v.Field(i).Interface())
			}
		}
	}
	walk(reflect.ValueOf(r), "")
}
