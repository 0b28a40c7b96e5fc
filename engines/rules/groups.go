package rules

// BoardEnds returns the mechanics of endings by majority, full board, ply cap and repetition.
func BoardEnds() Mechanics { return MechanicsOf(Majorities, FullBoards, PlyCaps, Repetitions) }

// StuckEnds returns the mechanics for a side without a legal action.
func StuckEnds() Mechanics { return MechanicsOf(Passes, StuckDraws, StuckWins) }

// AnyLines returns all mechanics of winning lines.
func AnyLines() Mechanics { return MechanicsOf(Lines, ExactLines, LineRegions, LineDirections) }

// AnyAges returns all mechanics with which the oldest pieces leave the board.
func AnyAges() Mechanics { return MechanicsOf(Ages, LeaveAfterWin, LateAges) }

// AnyMoves returns the mechanics of hands, steps and jumps.
func AnyMoves() Mechanics { return MechanicsOf(Supply, Steps, Jumps, Chains, Forced, Returns) }

// AnyWhere returns the mechanics of wrapped boards and placement regions.
func AnyWhere() Mechanics { return MechanicsOf(Wraps, PlaceRegions, Openings) }

// AnyTurns returns the mechanics of turns of several placements.
func AnyTurns() Mechanics { return MechanicsOf(LongTurns, FirstTurns) }

// AnyBoard returns the mechanics of boards and start positions that the tables of package grid cover completely.
func AnyBoard() Mechanics { return MechanicsOf(Setups, Hexagons, Holes, DrawnLines, Adjacency) }

// OtherMoves returns the mechanics of all movement except steps and jumps.
func OtherMoves() Mechanics {
	return MechanicsOf(Directions, JumpDirections, JumpOvers, StayingJumps, Slides,
		Leaps, Clones, Takes, StraightJumps, Flying)
}

// AnyCaptures returns the mechanics of all captures except jumps and surrounding.
func AnyCaptures() Mechanics {
	return MechanicsOf(Custodians, EnclosedLengths, EnclosingDirections, MustEnclose, Mills, ExactMills, MovedMills)
}

// OtherGoals returns the mechanics of all goals except lines, numbers of pieces and a full board.
func OtherGoals() Mechanics {
	return MechanicsOf(Misere, Patterns, Connections, Reaches, ReachCounts, Eliminations, OnBoardCounts, LosingLines,
		CaptureWins, Gathers, ShutIns, NoneLefts)
}

// AnySurrounds returns the mechanics of all forms of capture by surrounding.
func AnySurrounds() Mechanics { return MechanicsOf(Surrounds, Removes, Cascades) }

// Plain returns the mechanics that do not need the general path, except the mechanics of boards.
func Plain() Mechanics {
	return MechanicsOf(AnyWhere(), AnyTurns(), Pie, Falling, AnyAges(), Reuse, AnyMoves(), AnySurrounds(), AnyLines(),
		BoardEnds(), StuckEnds())
}
