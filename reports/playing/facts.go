package playing

import (
	"fmt"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/solve"
	"spar/reports/board"
	"spar/reports/review"
	"spar/reports/screen"
)

// Fact is something that a player needs to know about a position.
type Fact struct{ Name, Value string }

// Facts lists what a player needs to know under the rules of the game, such as the age of pieces. Frames holds the
// positions from the start on, sides holds X or O for each ply, and moves holds the texts of the plies.
func Facts(pos *engines.Position, frames []board.Frame, sides string, moves []string) (facts []Fact) {
	g, ended := pos.Game(), pos.Over()
	r := g.Rules()
	add := func(name, format string, args ...any) {
		facts = append(facts, Fact{name, fmt.Sprintf(format, args...)})
	}
	limit := r.Pieces.Cap
	add("Pieces on the board", "%s %s, %s %s", g.PieceName(0), within(pos.Pieces(0).Count(), limit),
		g.PieceName(1), within(pos.Pieces(1).Count(), limit))
	if limit > 0 {
		for s := range 2 {
			if own := pos.Ages(s, nil); len(own) >= limit {
				text := g.CellName(own[0])
				if len(own) > 1 {
					text += ", then " + g.CellName(own[1])
				}
				add(fmt.Sprintf("Leaves next (%s)", g.SideName(s)), "%s", text)
			}
		}
	}
	if pos.Traded() {
		add("Sides exchanged", "%s has the moves and goals that the rules give %s, and the reverse", g.SideName(0), g.SideName(1))
	}
	if hands := pos.HandsText(); hands != "" {
		add("In hand", "%s", hands)
	}
	if r.Pieces.Supply > 0 {
		add("Phase", "%s", plain.If(pos.Moving(), "moving", "deploying"))
	}
	if lost := captured(g, frames, sides, moves); lost[0]+lost[1] > 0 {
		add("Captured", "by %s %d, by %s %d", g.SideName(0), lost[0], g.SideName(1), lost[1])
	}
	if max(r.Turn.Placements, r.Turn.FirstTurn, r.FirstTurn(engines.Second)) > 1 && !ended {
		add("Pieces left in this turn", "%d", pos.PliesLeft())
	}
	if of, where := openingStage(r, pos.Ply()); where != "" && !ended {
		add("Opening", "step %d of %d: %s", pos.Ply()+1, of, where)
	}
	seen, times := pos.Seen(), 0 // none if the rules have no repetition rule
	for _, h := range seen {
		if h == seen[len(seen)-1] {
			times++
		}
	}
	if times > 0 {
		add("Occurrences of this position", "%d of %d", times, r.Draw.Repetition)
	}
	if n := r.Draw.Quiet; n > 0 {
		add("Plies without placement or capture", "%d of %d", pos.Quiet(), n)
	}
	add("Plies", "%s", within(pos.Ply(), r.Draw.MaxPlies))
	if !ended {
		add("Legal moves", "%d", len(pos.AppendMoves(nil)))
	}
	return facts
}

// within returns a number, with its limit if there is one.
func within(n, limit int) string {
	if limit > 0 {
		return fmt.Sprintf("%d of %d", n, limit)
	}
	return fmt.Sprint(n)
}

// captured counts the pieces that each side has captured or converted.
func captured(g *engines.Game, frames []board.Frame, sides string, moves []string) (by [2]int) {
	for i, move := range moves {
		if move == g.MoveText(engines.Swap) {
			continue // it captures nothing
		}
		by[strings.IndexByte("XO", sides[i])] += len(frames[i+1].Gone) + len(frames[i+1].Flips)
	}
	return by
}

// Legend explains those marks on a board that can occur under the rules of g.
func Legend(g *engines.Game, values bool) string {
	words := []string{"a frame marks the last move", "a dot is a legal move"}
	r := g.Rules()
	if r.Moves() {
		words[0] = "a thick frame marks the last move, a thin one a piece that can move"
	}
	if r.Pieces.Cap > 0 {
		words = append([]string{
			"a number ranks the piece by age, 1 = oldest",
			"a piece with a dashed edge leaves next, one with a dotted edge after that",
		}, words...)
	}
	if r.Board.Wrap != "none" {
		words = append(words, "dashed cells beyond an edge repeat the opposite side and can be pressed")
	}
	if values {
		words = append(words, "the number in a corner is the value of a move to that cell for the side to move, in percent "+
			"or as W, D, L with the plies to the end; a stronger colour means a better move")
	}
	return "Marks: " + strings.Join(words, "; ") + "."
}

// Outlook returns the first player's expected score in a position, as a number and in words. The score is that of the
// best rated move, so it agrees with the values on the cells.
func Outlook(p *engines.Position, all []review.Rated, source string) (first float64, words string) {
	g := p.Game()
	side := p.Side()
	best := review.BestMoves(all)[0]
	if first = best.Score; best.Exact {
		first = best.Value.Outcome.Points()
	}
	first = engines.OfFirst(first, side)
	switch {
	case !best.Exact:
		return first, fmt.Sprintf("Expected score: %s %s %%, %s %s %% (%s)", g.SideName(0), Percent(first), g.SideName(1),
			Percent(1-first), source)
	case best.Value.Outcome == solve.Draw:
		return first, "A draw with best play"
	case best.Value.Outcome == solve.Loss:
		side = 1 - side
	}
	far := ""
	if best.Value.DTW > 0 {
		far = " in " + screen.Plural(best.Value.DTW, "ply")
	}
	return first, fmt.Sprintf("A win for %s%s with best play", g.SideName(side), far)
}

// openingStage returns the number of plies of a staged opening, and the region of its next ply, empty after the opening.
func openingStage(r engines.Rules, ply int) (of int, where string) {
	for _, s := range r.Placement.Opening {
		if of <= ply && ply < of+s.Plies {
			where = map[string]string{
				"first_home": "in the lower half", "second_home": "in the upper half", "home": "in your own half",
				"enemy": "in the opponent's half", "anywhere": "anywhere",
				"beside": "next to an empty cell", "cells": "on " + strings.Join(s.Cells, ", "),
			}[s.Region]
		}
		of += s.Plies
	}
	return of, where
}

// Hint returns the text of a hint: level 1 names a region, level 2 the best cells, level 3 the values.
func Hint(g *engines.Game, all []review.Rated, source string, level int) string {
	best := review.BestMoves(all)
	if level == 1 {
		if best[0].Move.To() == engines.NoCell {
			return "A best move is one of the buttons below the board."
		}
		return "A best move is in the marked region. Ask for another hint to see the cells."
	}
	var names []string
	for _, b := range best {
		names = append(names, g.MoveText(b.Move))
	}
	text := plain.If(len(names) > 1, "The best moves are ", "The best move is ") + strings.Join(names, ", ")
	if level >= 3 {
		text += fmt.Sprintf(" (%s, %s); the board shows the value of every move", Worth(best[0]), source)
	} else {
		text += ". Ask for another hint to see the value of every move"
	}
	return text + "."
}
