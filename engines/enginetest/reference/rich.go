package reference

import (
	"slices"

	"spar/engines"
	"spar/engines/rules"
)

// of returns the rules that apply to a side.
func (g *Game) of(s side) engines.Rules { return g.rules.Of(int(s)) }

// canMove reports whether the pieces of either side ever move.
func (g *Game) canMove() bool {
	for _, s := range []side{first, second} {
		m := g.of(s).Movement
		if m.Steps != "none" || m.Capture || len(m.Take) > 0 || len(m.Leaps) > 0 || m.Fly > 0 {
			return true
		}
	}
	return false
}

// directionsOf returns the directions that words mean for a side; those of the last word come first.
func directionsOf(words []string, s side) []direction {
	ahead := -1
	if s == second {
		ahead = 1
	}
	var out []direction
	for _, d := range kingDirections {
		for _, word := range words {
			straight := d.columns == 0 || d.rows == 0
			in := false
			switch word {
			case "king":
				in = true
			case "rook":
				in = straight
			case "bishop":
				in = !straight
			case "forward":
				in = d.columns == 0 && d.rows == ahead
			case "backward":
				in = d.columns == 0 && d.rows == -ahead
			case "sideways":
				in = d.rows == 0
			case "forward_diagonal":
				in = !straight && d.rows == ahead
			case "north":
				in = d == direction{0, -1}
			case "south":
				in = d == direction{0, 1}
			case "east":
				in = d == direction{1, 0}
			case "west":
				in = d == direction{-1, 0}
			case "backward_diagonal":
				in = !straight && d.rows == -ahead
			}
			if in && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// steps returns the moves of the piece on a cell to empty cells: steps, slides and leaps, or else flights.
func (g *Game) steps(from point) []move {
	rules := g.of(g.mover)
	m := rules.Movement
	var moves []move
	add := func(to point) {
		if step := (move{kind: step, from: from, to: to}); !slices.Contains(moves, step) {
			moves = append(moves, step)
		}
	}
	if m.Fly > 0 && g.hand[g.mover] == 0 && len(g.queue[g.mover]) <= m.Fly {
		for _, p := range g.cells() {
			if g.at(p) == empty {
				add(p)
			}
		}
		return moves
	}
	for _, d := range g.stepDirections() {
		for _, to := range g.ray(from, d) {
			if g.at(to) != empty {
				break
			}
			if m.Clone {
				moves = append(moves, move{kind: place, to: to})
			} else {
				add(to)
			}
			if !m.Slide {
				break
			}
		}
	}
	for _, to := range g.leaps(from, m.Leaps) {
		if g.at(to) == empty {
			add(to)
		}
	}
	return moves
}

// stepDirections returns the directions of the mover's steps.
func (g *Game) stepDirections() []direction {
	m := g.of(g.mover).Movement
	directions := directionsOf([]string{m.Steps}, g.mover)
	if len(m.Directions) == 0 {
		return directions
	}
	allowed := directionsOf(m.Directions, g.mover)
	return slices.DeleteFunc(directions, func(d direction) bool { return !slices.Contains(allowed, d) })
}

// takes returns the captures by replacement of the mover's piece on a cell.
func (g *Game) takes(from point) []move {
	var moves []move
	for _, d := range directionsOf(g.of(g.mover).Movement.Take, g.mover) {
		if to, ok := g.next(from, d); ok && g.at(to) == g.mover.enemy().letter() {
			moves = append(moves, move{kind: take, from: from, over: to, to: to})
		}
	}
	return moves
}

// jumps returns the jumps of the mover's piece on a cell.
func (g *Game) jumps(from point) []move {
	m := g.of(g.mover).Movement
	if !m.Capture || g.at(from) != g.mover.letter() {
		return nil
	}
	directions := kingDirections
	if len(m.Jumps) > 0 {
		directions = directionsOf(m.Jumps, g.mover)
	}
	var moves []move
	for _, d := range directions {
		if g.chaining && m.Straight && d != g.heading {
			continue
		}
		ray := g.ray(from, d)
		if len(ray) < 2 {
			continue
		}
		over, to := ray[0], ray[1]
		enemy := g.at(over) == g.mover.enemy().letter()
		own := g.at(over) == g.mover.letter()
		if !(enemy && m.JumpOver != "friend" || own && (m.JumpOver == "friend" || m.JumpOver == "any")) {
			continue
		}
		if g.at(to) != empty {
			continue
		}
		on := d // the direction in which a straight chain goes on
		if len(g.lines) > 0 {
			on = direction{}
			if len(ray) > 2 {
				on = headingFrom(to, ray[2])
			}
		}
		moves = append(moves, move{
			kind:    jump,
			from:    from,
			over:    over,
			to:      to,
			heading: on,
		})
	}
	return moves
}

// removals returns the pieces that the mover may take off the board: after a mill, or in the opening.
func (g *Game) removals() []move {
	var moves []move
	add := func(p point) { moves = append(moves, move{kind: remove, to: p}) }
	if g.taking {
		var inMills []point
		for _, p := range g.queue[g.mover.enemy()] {
			if g.inMill(p, g.mover.enemy()) {
				inMills = append(inMills, p)
			} else {
				add(p)
			}
		}
		if len(moves) == 0 {
			for _, p := range inMills {
				add(p)
			}
		}
		return moves
	}
	stage, _ := g.stage()
	for _, p := range g.queue[g.mover] {
		beside := slices.ContainsFunc(g.neighbours(p), func(n point) bool { return g.at(n) == empty })
		if stage.Region == "beside" && beside || stage.Region != "beside" && g.inStage(p) {
			add(p)
		}
	}
	return moves
}

// stage returns the opening stage of the next ply.
func (g *Game) stage() (rules.Stage, bool) {
	end := 0
	for _, stage := range g.rules.Placement.Opening {
		end += stage.Plies
		if g.plies-g.traded < end {
			return stage, true
		}
	}
	return rules.Stage{Region: g.rules.Placement.Region}, false
}

// inStage reports whether the next ply may use a cell.
func (g *Game) inStage(p point) bool {
	stage, _ := g.stage()
	if stage.Region == "cells" {
		return slices.Contains(stage.Cells, p.String())
	}
	return g.inRegion(p, stage.Region)
}

// inMill reports whether a piece of a side is part of a mill.
func (g *Game) inMill(p point, s side) bool {
	mill := g.rules.Mill
	if mill.Line == 0 {
		return false
	}
	runs, ends := g.runs(mill.Line, nil)
	other := func(q point) bool { return g.at(q) != s.letter() }
	for i, run := range runs {
		if slices.Contains(run, p) && !slices.ContainsFunc(run, other) &&
			(!mill.Exact || !slices.ContainsFunc(ends[i], func(q point) bool { return !other(q) })) {
			return true
		}
	}
	return false
}

// enclosed returns the enemy pieces that a piece of a side on a cell would enclose.
func (g *Game) enclosed(p point, s side) []point {
	c := g.rules.Custodian
	words := c.Directions
	if len(words) == 0 {
		words = []string{"king"}
	}
	if c.Effect != "flip" && c.Effect != "remove" {
		return nil
	}
	var all []point
	for _, d := range directionsOf(words, first) {
		ray := g.ray(p, d)
		n := slices.IndexFunc(ray, func(q point) bool { return g.at(q) != s.enemy().letter() })
		if n > 0 && g.at(ray[n]) == s.letter() && (c.Length == 0 || c.Length == n) {
			all = append(all, ray[:n]...)
		}
	}
	slices.SortFunc(all, byCell)
	return slices.Compact(all)
}

// enclose captures what a piece that has arrived encloses.
func (g *Game) enclose(p point, s side) {
	for _, q := range g.enclosed(p, s) {
		g.remove(q)
		if g.rules.Custodian.Effect == "flip" {
			g.add(q, s)
		}
	}
}

// millClosed reports whether the move has completed a mill and the enemy has a piece to take.
func (g *Game) millClosed(m move) bool {
	if m.kind == pass || m.kind == swap || m.kind == remove || g.rules.Mill.Moved && m.kind == place {
		return false
	}
	at := m.to
	if m.kind == stop {
		at = g.chain
	}
	return g.at(at) == g.mover.letter() && g.inMill(at, g.mover) && len(g.queue[g.mover.enemy()]) > 0
}
