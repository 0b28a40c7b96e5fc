package engines

import "spar/engines/rules"

// Groups of mechanics that many fast paths handle. boardEnds are the endings of games other than by lines.
func boardEnds() rules.Mechanics {
	return rules.MechanicsOf(rules.Majorities, rules.FullBoards, rules.PlyCaps, rules.Repetitions)
}

// stuckEnds are the rules for a side without an action.
func stuckEnds() rules.Mechanics {
	return rules.MechanicsOf(rules.Passes, rules.StuckDraws, rules.StuckWins)
}

func anyLines() rules.Mechanics {
	return rules.MechanicsOf(rules.Lines, rules.ExactLines, rules.LineRegions, rules.LineDirections)
}

func anyAges() rules.Mechanics {
	return rules.MechanicsOf(rules.Ages, rules.LeaveAfterWin, rules.LateAges)
}

func anyMoves() rules.Mechanics {
	return rules.MechanicsOf(rules.Supply, rules.Steps, rules.Jumps, rules.Chains, rules.Forced, rules.Returns)
}

func anyWhere() rules.Mechanics {
	return rules.MechanicsOf(rules.Wraps, rules.PlaceRegions, rules.Openings)
}

func anyTurns() rules.Mechanics { return rules.MechanicsOf(rules.LongTurns, rules.FirstTurns) }

// anyBoard are mechanics of boards and start positions that the tables of the board cover completely.
func anyBoard() rules.Mechanics {
	return rules.MechanicsOf(rules.Setups, rules.Hexagons, rules.Holes, rules.DrawnLines, rules.Adjacency)
}

// otherMoves are kinds of movement other than steps and jumps.
func otherMoves() rules.Mechanics {
	return rules.MechanicsOf(
		rules.Directions, rules.JumpDirections, rules.JumpOvers, rules.StayingJumps, rules.Slides,
		rules.Leaps, rules.Clones, rules.Takes, rules.StraightJumps, rules.Flying,
	)
}

// anyCaptures are kinds of capture other than jumps and surrounding.
func anyCaptures() rules.Mechanics {
	return rules.MechanicsOf(
		rules.Custodians, rules.EnclosedLengths, rules.EnclosingDirections, rules.MustEnclose, rules.Mills,
		rules.ExactMills, rules.MovedMills,
	)
}

// otherGoals are goals other than lines, numbers of pieces and a full board.
func otherGoals() rules.Mechanics {
	return rules.MechanicsOf(
		rules.Misere,
		rules.Patterns,
		rules.Connections,
		rules.Reaches,
		rules.ReachCounts,
		rules.Eliminations,
		rules.OnBoardCounts,
		rules.LosingLines,
		rules.CaptureWins,
	)
}

// plainPath are the mechanics that State handles without the general path in general.go.
func plainPath() rules.Mechanics {
	return rules.MechanicsOf(
		anyWhere(),
		anyTurns(),
		rules.Pie,
		rules.Falling,
		anyAges(),
		rules.Reuse,
		anyMoves(),
		rules.Surrounds,
		rules.Removes,
		rules.Cascades,
		anyLines(),
		boardEnds(),
		stuckEnds(),
		anyBoard().Without(rules.Adjacency),
	)
}
