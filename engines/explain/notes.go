package explain

import (
	"fmt"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// notes returns the notes about the rules, the most serious first.
func notes(g *engines.Game) []Note {
	r := g.Rules()
	out := []Note{}
	add := func(holds bool, kind, path, format string, args ...any) {
		if holds {
			out = append(out, Note{kind, path, fmt.Sprintf(format, args...)})
		}
	}
	if known(&r) {
		x := reaching(g)
		x.winners(add)
		x.idle(add)
	}
	add(ending(g).Kind == Open, Endless, "draw", "a game may never end; set draw.repetition or draw.max_plies")
	add(
		r.Placement.Gravity && r.Leaves() && !r.Placement.Falls,
		Floating,
		"placement.falls",
		"pieces fall only when they are placed: if a piece below leaves, those above stay in the air, and a later piece "+
			"falls into the gap; placement.falls: true lets those above fall too",
	)
	add(
		r.Turn.Pie == rules.PieStones && !g.WithoutPie().SwapMirrors(rules.PieStones),
		UnevenSwap,
		"turn.pie",
		"a swap exchanges the pieces only, but the sides also differ in goals, moves or turns%s; with turn.pie: seats "+
			"the players exchange sides",
		plain.If(g.Mechanics().Has(rules.Connections) && r.Board.Columns != r.Board.Rows,
			" because the board is not square", ""),
	)
	for _, k := range r.IdleSet() {
		out = slices.DeleteFunc(out, func(n Note) bool { return n.Kind == Unreachable && n.Path == k.Path })
		add(k.Path != "draw.full_board" || r.Draw.FullBoard, NoEffect, k.Path, "%s", k)
	}
	rank := []string{NobodyWins, OneSide, Endless, Floating, UnevenSwap, Unreachable, NoEffect}
	slices.SortStableFunc(out, func(a, b Note) int {
		return slices.Index(rank, a.Kind) - slices.Index(rank, b.Kind)
	})
	return out
}

// stuckDecides reports whether a player without a legal move wins or loses.
func stuckDecides(r engines.Rules) bool { return r.NoMoves == "loss" || r.NoMoves == "win" }

type adder func(holds bool, kind, path, format string, args ...any)

// winners adds notes about which sides can win.
func (x *reach) winners(add adder) {
	r := &x.r
	if x.counts || stuckDecides(*r) && x.stuck {
		return
	}
	path, why := "win", []string{}
	if n := r.Win.Line; n > 0 && !(x.line[0] && x.line[1]) {
		path = "win.line"
		reason := fmt.Sprintf("pieces cannot reach all cells of any line of %d", n)
		if few := min(x.most[0], x.most[1]); few < n {
			reason = fmt.Sprintf("pieces never fill a line of %d, because at most %d are on the board at a time", n, few)
		} else if r.Win.Region == "enemy" {
			path = "win.region"
			reason = fmt.Sprintf("pieces cannot reach all cells of any line of %d in the opponent's home", n)
		}
		if x.line[0] || x.line[1] {
			who := plain.If(x.line[0], "first", "second")
			add(true, OneSide, path, "only the %s player can win, because the other player's %s", who, reason)
			return
		}
		why = append(why, "a player's "+reason)
	}
	if r.Win.Majority {
		why = append(why, "the board never fills, so pieces are never counted")
	}
	if stuckDecides(*r) {
		why = append(why, "neither player can run out of moves")
	}
	add(!x.line[0] && !x.line[1], NobodyWins, path, "no player can win: %s", strings.Join(why, "; "))
}

// idle adds notes about mechanics that can never have an effect.
func (x *reach) idle(add adder) {
	r := &x.r
	cells := x.g.Cells()
	add(r.Pieces.Cap > 0 && !x.over, Unreachable, "pieces.cap",
		"the limit of %s has no effect: a player never has more than %d on the board", count(r.Pieces.Cap, "piece"),
		max(x.most[0], x.most[1]))
	add(r.Pieces.Supply > 0 && r.Moves() && !x.phase, Unreachable, "movement",
		"pieces never move: the game is over when the last of the %d pieces has been placed", 2*r.Pieces.Supply)
	add(x.phase && r.Movement.Capture && !x.jump, Unreachable, "movement.capture",
		"no player can ever jump: no piece gets next to an enemy piece with a free cell behind it")
	add(r.Surround.Threshold > 0 && !x.ring, Unreachable, "surround.threshold",
		"no piece is ever surrounded: none ever has %s around it", count(r.Surround.Threshold, "enemy piece"))
	add(r.Win.Majority && !x.counts && r.Win.Line > 0, Unreachable, "win.majority",
		"the board never fills, so pieces are never counted")
	fills := x.fills()
	add(fills && r.Draw.Repetition > 0, Unreachable, "draw.repetition",
		"no position ever repeats: every placement takes a cell, and pieces never leave or move")
	add(fills && r.NoMoves != "pass" && !r.Turn.Pie.On() && r.Draw.MaxPlies > cells, Unreachable, "draw.max_plies",
		"a game never has %d moves: it is over after %d placements", r.Draw.MaxPlies, cells)
	first := 2*r.Pieces.Cap + 1 // of turns of one placement
	add(
		x.over && r.Turn.Placements == 1 && r.Turn.FirstTurn == 1 && !r.Turn.Pie.On() && r.Pieces.Supply == 0 &&
			r.Surround.Threshold == 0 && r.NoMoves != "pass" && 1 < r.Pieces.RemovalFromPly &&
			r.Pieces.RemovalFromPly <= first,
		NoEffect,
		"pieces.removal_from_ply",
		"pieces.removal_from_ply: %d has no effect, because no player exceeds the limit of %d before move %d",
		r.Pieces.RemovalFromPly,
		r.Pieces.Cap,
		first,
	)
	add(x.line[0] && !r.Win.Overlines && !longer(x.r), NoEffect, "win.overlines",
		"no row longer than %d can exist, so win.overlines has no effect", r.Win.Line)
}

// longer reports whether a row longer than the rules require fits on the board and can have as many pieces.
func longer(r engines.Rules) bool {
	r.Win.Line++
	r.Win.Region = "anywhere"
	return r.Win.Line <= grid.MaxSide &&
		!slices.ContainsFunc(engines.Validate(&r), func(p rules.Problem) bool {
			return p.Path == "win.line" || p.Path == "pieces.cap" && r.Pieces.RemovalFromPly <= 1
		})
}
