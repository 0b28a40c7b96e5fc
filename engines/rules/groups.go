package rules

// BoardEnds are endings by majority, full board, ply cap and repetition.
func BoardEnds() Mechanics { return MechanicsOf(Majorities, FullBoards, PlyCaps, Repetitions) }

// StuckEnds are the rules for a side without an action.
func StuckEnds() Mechanics { return MechanicsOf(Passes, StuckDraws, StuckWins) }

// AnyLines are winning lines in all forms.
func AnyLines() Mechanics { return MechanicsOf(Lines, ExactLines, LineRegions, LineDirections) }

// AnyAges are caps in all forms.
func AnyAges() Mechanics { return MechanicsOf(Ages, LeaveAfterWin, LateAges) }

// AnyMoves are hands, steps and jumps.
func AnyMoves() Mechanics { return MechanicsOf(Supply, Steps, Jumps, Chains, Forced, Returns) }

// AnyWhere are wrapped boards and placement regions.
func AnyWhere() Mechanics { return MechanicsOf(Wraps, PlaceRegions, Openings) }

// AnyTurns are turns of several placements.
func AnyTurns() Mechanics { return MechanicsOf(LongTurns, FirstTurns) }

// AnyBoard are mechanics of boards and start positions that the tables of the board cover completely.
func AnyBoard() Mechanics { return MechanicsOf(Setups, Hexagons, Holes, DrawnLines, Adjacency) }

// OtherMoves are kinds of movement other than steps and jumps.
func OtherMoves() Mechanics {
	return MechanicsOf(Directions, JumpDirections, JumpOvers, StayingJumps, Slides,
		Leaps, Clones, Takes, StraightJumps, Flying)
}

// AnyCaptures are kinds of capture other than jumps and surrounding.
func AnyCaptures() Mechanics {
	return MechanicsOf(Custodians, EnclosedLengths, EnclosingDirections, MustEnclose, Mills, ExactMills, MovedMills)
}

// OtherGoals are all goals except lines, numbers of pieces and a full board.
func OtherGoals() Mechanics {
	return MechanicsOf(Misere, Patterns, Connections, Reaches, ReachCounts, Eliminations, OnBoardCounts, LosingLines,
		CaptureWins, Gathers, ShutIns, NoneLefts)
}

// AnySurrounds are all forms of capture by surrounding.
func AnySurrounds() Mechanics { return MechanicsOf(Surrounds, Removes, Cascades) }

// Plain are the mechanics that do not need the general path, except the mechanics of boards.
func Plain() Mechanics {
	return MechanicsOf(AnyWhere(), AnyTurns(), Pie, Falling, AnyAges(), Reuse, AnyMoves(), AnySurrounds(), AnyLines(),
		BoardEnds(), StuckEnds())
}
