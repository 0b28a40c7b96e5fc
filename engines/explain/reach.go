package explain

import (
	"fmt"

	"spar/engines"
	"spar/engines/rules"
)

// known reports whether this package can reason about all mechanics of the rules. If not, it makes no claim.
func known(r *engines.Rules) bool {
	return r.Mechanics().Only(rules.Plain(), rules.Settles)
}

// reach is an upper bound of what can happen under the rules: what it excludes is impossible, and what it includes
// may be possible.
type reach struct {
	g      *engines.Game
	r      engines.Rules
	at     [2]engines.Bits // for each side, the cells that its pieces can get to
	most   [2]int          // maximum number of a side's pieces on the board if there were no cap
	full   bool            // all cells can be occupied at the same time
	over   bool            // a side can get more pieces than the cap
	phase  bool            // the movement phase can begin
	jump   bool            // a jump can be possible
	ring   bool            // a piece can be surrounded
	line   [2]bool         // a side can have a line
	stuck  bool            // a player can be without an action
	counts bool            // a full board can be decided by counting
}

// reaching computes what can happen under the rules. All mechanics must be known.
func reaching(g *engines.Game) *reach {
	x := &reach{g: g, r: g.Rules()}
	r := &x.r
	plies := r.Draw.MaxPlies
	captures := r.Surround.Threshold > 0 || r.Movement.Capture
	for side := range 2 {
		x.most[side] = x.placed(side, captures)
	}
	x.over = r.Pieces.Cap > 0 && max(x.most[0], x.most[1]) > r.Pieces.Cap
	cells := g.Cells()
	x.full = (plies == 0 || plies >= cells) && (r.Pieces.Supply == 0 || 2*r.Pieces.Supply >= cells) &&
		(!x.over || 2*r.Pieces.Cap >= cells || r.Pieces.RemovalFromPly > cells)
	fullEnds := r.Draw.FullBoard || r.Win.Majority
	leaves := x.over || r.Surround.Threshold > 0 && r.Surround.Effect == "remove"
	deployed := 2 * r.Pieces.Supply
	x.phase = deployed > 0 && r.Moves() && (plies == 0 || plies > deployed) && (deployed < cells || leaves || !fullEnds)
	for side := range 2 {
		x.at[side] = x.zone(r.Placement.Region, side)
		for _, s := range r.Placement.Opening {
			x.at[side] = x.at[side].Or(x.zone(s.Region, side))
		}
	}
	if r.Turn.Pie.On() {
		for c := range x.at[engines.First].Each {
			if r.Territory == "halves" {
				c = g.Mirror(c)
			}
			x.at[engines.Second] = x.at[engines.Second].With(c)
		}
	}
	for before := [2]engines.Bits{}; before != x.at; {
		before = x.at
		x.spread()
	}
	x.full = x.full && x.at[0].Or(x.at[1]).Count() == cells
	for side := range 2 {
		for _, w := range g.Windows(side) {
			x.line[side] = x.line[side] || x.at[side].Contains(w.Cells)
		}
		x.line[side] = x.line[side] && x.most[side] >= r.Win.Line
	}
	x.stuck = r.Pieces.Supply > 0 || r.Placement.Region != "anywhere" || len(r.Placement.Opening) > 0 ||
		x.full && !fullEnds
	x.counts = r.Win.Majority && (x.full || r.NoMoves == "pass")
	return x
}

// placed returns the maximum number of a side's pieces on the board if none leaves because of its age.
func (x *reach) placed(side int, captures bool) int {
	r, cells := &x.r, x.g.Cells()
	n := cells
	if s := r.Pieces.Supply; s > 0 {
		n = s
		if r.Surround.Threshold > 0 && r.Surround.Effect == "convert" {
			n = 2 * s
		}
	}
	if p := r.Draw.MaxPlies; p > 0 {
		n = min(n, p)
	}
	if captures || r.Pieces.Supply > 0 || r.Placement.Region != "anywhere" || len(r.Placement.Opening) > 0 ||
		r.Turn.Pie.On() {
		return n
	}
	// Nothing but placements anywhere: until somebody is over a limit, the turns say who has placed how many.
	most := [2]int{}
	left := r.Turn.FirstTurn
	mover := engines.First
	for range n {
		if most[mover]++; r.Pieces.Cap > 0 && most[mover] > r.Pieces.Cap {
			return n
		}
		if left--; left == 0 {
			mover, left = 1-mover, r.Turn.Placements
		}
	}
	return most[side]
}

func (x *reach) zone(region string, side int) engines.Bits {
	switch region {
	case "home":
		return x.g.Home(side)
	case "enemy":
		return x.g.Home(1 - side)
	case "first_home":
		return x.g.Home(engines.First)
	case "second_home":
		return x.g.Home(engines.Second)
	}
	var all engines.Bits
	for c := range x.g.Cells() {
		all = all.With(engines.Cell(c))
	}
	return all
}

// spread extends the reachable cells by one step, jump or change of side.
func (x *reach) spread() {
	for side := range 2 {
		own, enemy := x.at[side], x.at[1-side]
		for b := own; x.phase && !b.Empty(); b = b.Rest() {
			for d := range 8 {
				to := x.g.Next(b.First(), d)
				if to == engines.NoCell {
					continue
				}
				s := x.r.Movement.Steps
				if s == "king" || s == "rook" && d%2 == 0 || s == "bishop" && d%2 == 1 {
					x.at[side] = x.at[side].With(to)
				}
				if over := to; x.r.Movement.Capture && enemy.Has(over) {
					if to := x.g.Next(over, d); to != engines.NoCell {
						x.jump, x.at[side] = true, x.at[side].With(to)
					}
				}
			}
		}
		need := x.r.Surround.Threshold
		if need == 0 || x.most[side] < need ||
			x.r.Pieces.Cap > 0 && x.r.Pieces.Cap+1 < need && x.r.Pieces.RemovalFromPly <= 1 {
			continue
		}
		for c := range enemy.Each {
			if x.g.Neighbours(c).And(own).Count() >= need {
				x.ring = true
				if x.r.Surround.Effect == "convert" {
					x.at[side] = x.at[side].With(c)
				}
			}
		}
	}
}

// fills reports whether every placement occupies a cell for the rest of the game.
func (x *reach) fills() bool {
	return !x.phase && !x.over && !(x.ring && x.r.Surround.Effect == "remove")
}

// spent says which moves use up something limited, so that no game without placements goes on forever: each captures a
// piece permanently or moves one forward. For unknown mechanics it is empty.
func spent(g *engines.Game) string {
	r := g.Rules()
	if !r.Mechanics().Only(
		rules.AnyBoard(), rules.Openings, rules.Removals, rules.AnyMoves(), rules.OtherMoves(), rules.AnyLines(),
		rules.PieceMechanics(), rules.Custodians, rules.OtherGoals(), rules.FullBoards, rules.StuckDraws, rules.StuckWins,
		rules.PlyCaps, rules.QuietDraws, rules.Repetitions, rules.RepeatWins, rules.Unequal) || !r.Moves() || r.Places() {
		return ""
	}
	one, other := g.Advances(engines.First), g.Advances(engines.Second)
	switch {
	case one && other:
		return "each move"
	case r.Mechanics().Has(rules.Chains):
	case one:
		return "each move of the first player"
	case other:
		return "each move of the second player"
	}
	return ""
}

// ending reports whether every game must end, if that can be proved.
func ending(g *engines.Game) Ending {
	r := g.Rules()
	if known(&r) && reaching(g).fills() {
		most := g.Cells()
		if s := r.Pieces.Supply; s > 0 {
			most = min(most, 2*s)
		}
		return Ending{
			Fills,
			fmt.Sprintf("A game is over after %s at the latest: each takes a cell, and pieces never leave or move.",
				count(most, "placement")),
		}
	}
	switch {
	case !r.Moves() && r.Mill.Line == 0 && (r.Custodian.Effect != "remove") && r.Pieces.Cap == 0 &&
		(r.Surround.Threshold == 0 || r.Surround.Effect == "convert"):
		return Ending{
			Fills,
			"A game ends at the latest when the board is full: each placement takes a cell, and pieces never leave or move.",
		}
	case spent(g) != "":
		does := "advances a row"
		switch uses := r.Mechanics(); {
		case !uses.Any(rules.Steps, rules.Leaps):
			does = "captures a piece"
		case uses.Any(rules.Jumps, rules.Takes, rules.SlideTakes, rules.LeapTakes):
			does = "captures a piece or advances a row"
		}
		return Ending{UsedUp, g.NameSides(fmt.Sprintf("Every game ends: %s %s, and that cannot continue forever.", spent(g),
			does))}
	case r.BlocksAll():
		return Ending{UsedUp, "Every game ends: each turn blocks a cell."}
	case r.Draw.MaxPlies > 0:
		return Ending{
			Plies,
			fmt.Sprintf("A game is over after %s at the latest, as a draw if no player has won.", count(r.Draw.MaxPlies, "move")),
		}
	case r.QuietEnds():
		return Ending{
			Quiet,
			fmt.Sprintf("Every game ends: the number of placements and captures is limited, and %s in a row without "+
				"either make a draw.",
				count(r.Draw.Quiet, "move")),
		}
	case r.Draw.Repetition > 0:
		return Ending{
			Repetition,
			"Only the rule on repeated positions guarantees that a game ends, and that can take very long; " +
				"draw.max_plies sets a limit.",
		}
	}
	return Ending{
		Open,
		"A game may never end: pieces leave or move, and neither a repeated position nor a limit on moves ends it.",
	}
}
