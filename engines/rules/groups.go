package rules

// Groups of mechanics that many fast paths handle. BoardEnds are the endings of games other than by lines.
func BoardEnds() Mechanics {
	return MechanicsOf(Majorities, FullBoards, PlyCaps, Repetitions)
}

// StuckEnds are the rules for a side without an action.
func StuckEnds() Mechanics {
	return MechanicsOf(Passes, StuckDraws, StuckWins)
}

func AnyLines() Mechanics {
	return MechanicsOf(Lines, ExactLines, LineRegions, LineDirections)
}

func AnyAges() Mechanics {
	return MechanicsOf(Ages, LeaveAfterWin, LateAges)
}

func AnyMoves() Mechanics {
	return MechanicsOf(Supply, Steps, Jumps, Chains, Forced, Returns)
}

func AnyWhere() Mechanics {
	return MechanicsOf(Wraps, PlaceRegions, Openings)
}

func AnyTurns() Mechanics { return MechanicsOf(LongTurns, FirstTurns) }

// AnyBoard are mechanics of boards and start positions that the tables of the board cover completely.
func AnyBoard() Mechanics {
	return MechanicsOf(Setups, Hexagons, Holes, DrawnLines, Adjacency)
}

// OtherMoves are kinds of movement other than steps and jumps.
func OtherMoves() Mechanics {
	return MechanicsOf(Directions, JumpDirections, JumpOvers, StayingJumps, Slides,
		Leaps, Clones, Takes, StraightJumps, Flying)
}

// AnyCaptures are kinds of capture other than jumps and surrounding.
func AnyCaptures() Mechanics {
	return MechanicsOf(Custodians, EnclosedLengths, EnclosingDirections, MustEnclose, Mills, ExactMills, MovedMills)
}

// OtherGoals are goals other than lines, numbers of pieces and a full board.
func OtherGoals() Mechanics {
	return MechanicsOf(Misere, Patterns, Connections, Reaches, ReachCounts, Eliminations, OnBoardCounts, LosingLines,
		CaptureWins)
}
