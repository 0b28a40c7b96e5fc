package board

import (
	"fmt"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/screen"
)

// Result says who ended a game and how, like "O made three in a row and lost, after 7 plies", or that it has not
// ended.
func Result(p *engines.Position) string {
	after := screen.Plural(p.Ply(), "ply")
	if !p.Over() {
		return "Unfinished after " + after
	}
	return Ending(p) + ", after " + after
}

// Ended says how a game ended, even if it did not end by its rules: result and reason are then those of its record.
func Ended(p *engines.Position, result engines.Result, reason string) string {
	if p.Over() {
		return Result(p)
	}
	if strings.HasSuffix(reason, "resign") {
		winner := plain.If(result == engines.FirstWins, engines.First, engines.Second)
		return fmt.Sprintf("%s resigned: %s won, after %s", who(p.Game(), 1-winner), who(p.Game(), winner),
			screen.Plural(p.Ply(), "ply"))
	}
	reason = strings.ReplaceAll(strings.Replace(reason, "forfeit_", "forfeit: ", 1), "_", " ")
	return fmt.Sprintf("%s after %s (%s)", Winner(p.Game(), result), screen.Plural(p.Ply(), "ply"), reason)
}

// Due says what is particular about the turn of the side to move, after a colon, like ": the White king is attacked".
// Usually it is empty.
func Due(p *engines.Position) string {
	switch kind := p.Check(); {
	case p.Over():
	case p.Shooting():
		return ": a shot is due"
	case p.Promoting():
		return ": choose what the piece becomes"
	case kind >= 0:
		return ": the " + p.Game().KindName(p.Side(), kind) + " is attacked"
	}
	return ""
}

// Ending says who ended a game and how, without its length.
func Ending(p *engines.Position) string {
	g, why := p.Game(), p.Reason()
	if p.Result() == engines.Drawn {
		r := g.Rules()
		return map[engines.Reason]string{
			engines.ByFullBoard: "The board is full: a draw", engines.ByMajority: "Equal counts on the full board: a draw",
			engines.ByRepetition: fmt.Sprintf("The position occurred %s times: a draw", count(r.Draw.Repetition)),
			engines.ByPlyCap:     fmt.Sprintf("The limit of %d plies: a draw", r.Draw.MaxPlies),
			engines.ByQuiet:      fmt.Sprintf("%d plies without progress: a draw", r.Draw.Quiet),
			engines.ByNoMoves:    who(g, p.Side()) + " could not move: a draw",
			engines.ByGather:     "Both players' pieces are connected: a draw",
		}[why]
	}
	winner := engines.First
	if p.Result() == engines.SecondWins {
		winner = engines.Second
	}
	doer, _ := made(&p.State)
	if doer < 0 {
		doer = winner
		if g.Rules().Of(1 - winner).Win.Misere {
			doer = 1 - winner
		}
	}
	name, other := who(g, doer), who(g, 1-winner)
	does := map[engines.Reason]string{
		engines.ByRepetition:  fmt.Sprintf("The position occurred %s times", count(g.Rules().Draw.Repetition)),
		engines.ByElimination: other + " had too few pieces left", engines.ByNoMoves: other + " could not move",
		engines.ByFullBoard: "The board is full",
		engines.ByMajority: fmt.Sprintf("%s had more pieces (%d to %d)", who(g, winner), p.Counted(winner),
			p.Counted(1-winner)),
	}[why]
	if goal, ok := rules.GoalBy(why.String()); ok && goal.Did != "" {
		r := g.Rules().Of(doer)
		if does = name + " " + goal.Did; goal.Number != nil {
			does = fmt.Sprintf(does, count(goal.Number(&r)))
		}
	}
	if kind := g.Rules().Of(doer).Win.Take; why == engines.ByTaken && doer == winner {
		does = name + " took the last " + kind
	}
	if why == engines.ByNoMoves && p.Side() == winner {
		does = who(g, winner) + " could not move"
	}
	switch {
	case does == "":
		return Winner(g, p.Result())
	case slices.Contains([]engines.Reason{engines.ByElimination, engines.ByFullBoard, engines.ByRepetition}, why),
		why == engines.ByNoMoves && p.Side() != winner:
		return does + ": " + who(g, winner) + " won"
	case why == engines.ByLosingLine, doer != winner && why != engines.ByNoMoves && why != engines.ByMajority:
		return does + " and lost"
	}
	return does + " and won"
}

// who returns the name of a side: its own, the letter of its pieces, or its place if the pieces belong to no side.
func who(g *engines.Game, side int) string {
	if g.Side(side).Name == "" && !g.Rules().Pieces.Owner.IsZero() {
		return [2]string{"The first player", "The second player"}[side&1]
	}
	return g.SideName(side)
}

// made returns the side that completed a line, a pattern or a connection which ended the game, and the cells; the side
// is -1 if there is none, or if pieces belong to no side.
func made(s *engines.State) (side int, cells []int) {
	g := s.Game()
	own := g.Rules().Pieces.Owner.IsZero()
	side = -1
	var all engines.Bits
	for of := range 2 {
		for _, w := range g.Shapes(of, s.Reason()) {
			for colour := range 2 {
				if own && colour != of || !s.Pieces(colour).Contains(w.Cells) || !s.Pieces(colour).And(w.Guard).Empty() {
					continue
				}
				if all = all.Or(w.Cells); own {
					side = of
				}
			}
		}
		if chain := joined(g, s.Pieces(of), g.Edges(of)); s.Reason() == engines.ByConnection && !chain.Empty() {
			side, all = of, chain
		}
	}
	return side, numbers(all)
}

// joined returns the groups of pieces that connect two edges.
func joined(g *engines.Game, pieces engines.Bits, edges [2]engines.Bits) (all engines.Bits) {
	for start := range pieces.And(edges[0]).Each {
		group := engines.Bits{}.With(start)
		for fresh := group; !fresh.Empty(); {
			more := g.Neighbours(fresh.First()).And(pieces).AndNot(group)
			group, fresh = group.Or(more), fresh.Rest().Or(more)
		}
		if !group.And(edges[1]).Empty() {
			all = all.Or(group)
		}
	}
	return all
}

// count writes a small number in words.
func count(n int) string {
	words := strings.Fields("no one two three four five six seven eight nine ten eleven twelve")
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
