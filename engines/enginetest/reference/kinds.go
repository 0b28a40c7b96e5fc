package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/engines/rules"
)

// Rules with kinds of pieces. A position lists all whole turns of the mover, each as its plies with the board after
// each ply; a ply is legal if it continues one of the turns.

// nobody owns the blocked cells, which a layout has as pieces.
const nobody side = 2

// shut is the letter of a blocked cell, which Board shows like one that the board does not have.
const shut = '%'

// man is a piece: its player, and the index of its kind.
type man struct {
	owner side
	kind  int
}

// layout is a board with kinds of pieces.
type layout map[point]man

// part is a ply of a turn: its text and what it leads to.
type part struct {
	text   string
	after  layout
	doomed []point // jumped pieces that leave when the turn ends
}

// turn is a turn from its first ply to its last.
type turn []part

// hasKinds reports whether the rules need whole turns.
func (g *Game) hasKinds() bool {
	return g.rules.Mechanics() != g.rules.Mechanics().Without(rules.PieceMechanics())
}

// setUpKinds reads the letters of the start position.
func (g *Game) setUpKinds() {
	g.men = layout{}
	for row, text := range g.rules.Setup {
		for column, letter := range text {
			for i := range max(1, len(g.rules.Kinds)) {
				upper, lower := 'X', 'O'
				if len(g.rules.Kinds) > 0 {
					k := g.rules.Kinds[i]
					lower = rune((k.Letter + k.Name)[0])
					upper = lower - 'a' + 'A'
				}
				if letter == upper {
					g.men[point{column, row}] = man{first, i}
				} else if letter == lower {
					g.men[point{column, row}] = man{second, i}
				}
			}
		}
	}
	g.spread()
}

// spread puts the pieces on the board of X and O.
func (g *Game) spread() {
	g.queue = [2][]point{}
	for _, p := range g.cells() {
		g.board[p.row][p.column] = empty
		if m, ok := g.men[p]; ok && m.owner == nobody {
			g.board[p.row][p.column] = shut
		} else if ok {
			g.add(p, m.owner)
		}
	}
}

// Signs returns the rows of the board with the letters of kinds.
func (g *Game) Signs() []string {
	rows := g.Board()
	for p, m := range g.men {
		if len(g.rules.Kinds) > 0 && m.owner != nobody {
			letter := (g.rules.Kinds[m.kind].Letter + g.rules.Kinds[m.kind].Name)[:1]
			if g.player(m.owner) == first {
				letter = strings.ToUpper(letter)
			}
			rows[p.row] = rows[p.row][:p.column] + letter + rows[p.row][p.column+1:]
		}
	}
	return rows
}

// turnsLeft returns the turns that begin as the current one did, without the plies that it has had.
func (g *Game) turnsLeft() []turn {
	if len(g.begun) > 0 {
		return g.begun
	}
	if at := [2]int{g.plies, int(g.mover)}; g.fresh == nil || g.freshAt != at {
		g.fresh, g.freshAt = g.allTurns(g.men, g.mover), at
	}
	return g.fresh
}

// allTurns returns the legal turns of a side.
func (g *Game) allTurns(b layout, s side) []turn {
	captures, quiet := g.reachable(b, s)
	m := g.rules.Movement
	if m.ForcedCapture == "most" {
		most := 0
		count := func(t turn) (n int) { // captures by custodian are not counted
			for _, p := range t {
				n += strings.Count(p.text, "x")
			}
			return n
		}
		for _, t := range captures {
			most = max(most, count(t))
		}
		captures = slices.DeleteFunc(captures, func(t turn) bool { return count(t) < most })
	}
	quiet = append(quiet, g.drops(b, s)...)
	captures = slices.DeleteFunc(captures, func(t turn) bool { return g.loses(t, s) })
	quiet = slices.DeleteFunc(quiet, func(t turn) bool { return g.loses(t, s) })
	if m.ForcedCapture.On() && len(captures) > 0 {
		return captures
	}
	return append(captures, quiet...)
}

// loses reports whether after a turn the enemy could capture a piece that must be safe.
func (g *Game) loses(t turn, s side) bool {
	return g.threatened(t[len(t)-1].after, s)
}

// threatened reports whether the enemy could capture a piece of a side that must be safe, if it were to move.
func (g *Game) threatened(b layout, s side) bool {
	royal := g.kindNamed(g.of(s.enemy()).Win.Mate)
	if royal < 0 {
		return false
	}
	number := func(b layout) (n int) {
		for _, m := range b {
			if m == (man{s, royal}) {
				n++
			}
		}
		return n
	}
	captures, _ := g.reachable(b, s.enemy())
	return slices.ContainsFunc(captures, func(t turn) bool { return number(t[0].after) < number(b) })
}

func (g *Game) kindNamed(name string) int {
	for i, k := range g.rules.Kinds {
		if k.Name == name {
			return i
		}
	}
	return -1
}

// reachable returns the turns of a side that capture, and the others, whether or not they leave a piece attacked.
func (g *Game) reachable(b layout, s side) (captures, quiet []turn) {
	r := g.of(s)
	for p, m := range b {
		if m.owner != s {
			continue
		}
		how := r.MovementOf(m.kind)
		var free, take []point
		for _, d := range g.stepsOf(&how, s) {
			far := g.stride(&how, s, p)
			if how.Distance == "line" {
				ray, back := g.ray(p, d), g.ray(p, direction{-d.columns, -d.rows})
				far = 1
				for _, q := range unique(slices.Concat(ray, back)) {
					if other, taken := b[q]; taken && other.owner != nobody {
						far++
					}
				}
				if far > len(ray) || slices.ContainsFunc(ray[:far-1], func(q point) bool {
					return !g.passes(b, m, &how, q)
				}) {
					continue
				}
				q := ray[far-1]
				if other, taken := b[q]; g.bars(m, q) {
					continue
				} else if !taken {
					free = append(free, q)
				} else if how.TakeSlide && other.owner == s.enemy() {
					take = append(take, q)
				}
				continue
			}
			last := -1 // how many cells of free are from other directions, if only the last cell of this one counts
			if how.ToEnd {
				last = len(free)
			}
			for n, q := range g.ray(p, d) {
				other, taken := b[q]
				if g.bars(m, q) && !g.lets(m, q) {
					break
				}
				if taken && how.TakeSlide && other.owner == s.enemy() && !g.bars(m, q) {
					take = append(take, q)
				}
				if !g.passes(b, m, &how, q) || n >= far && !how.Slide {
					break
				}
				if !taken && !g.bars(m, q) {
					free = append(free, q)
				}
			}
			if last >= 0 && len(free) > last {
				free = append(free[:last], free[len(free)-1])
			}
		}
		for _, d := range directionsOf(how.Take, s) {
			if ray := g.ray(p, d); len(ray) > 0 {
				if other, taken := b[ray[0]]; taken && other.owner == s.enemy() && !g.bars(m, ray[0]) {
					take = append(take, ray[0])
				}
			}
		}
		for _, q := range g.leaps(p, how.Leaps) {
			if other, taken := b[q]; g.bars(m, q) {
				continue
			} else if !taken {
				free = append(free, q)
			} else if other.owner == s.enemy() && how.TakeLeaps {
				take = append(take, q)
			}
		}
		for _, to := range unique(free) {
			quiet = append(quiet, g.ends(part{p.String() + "-" + to.String(), g.moved(b, p, to), nil}, to)...)
		}
		for _, to := range unique(take) {
			captures = append(captures, g.ends(part{p.String() + "x" + to.String(), g.moved(b, p, to), nil}, to)...)
		}
		captures = append(captures, g.chains(b, p, nil)...)
		captures = append(captures, g.rowTurns(b, p, []point{p}, direction{})...)
		for _, d := range directionsOf(how.Exits, s) {
			q, _ := g.away(p, d)
			outside := q.column < 0 || q.row < 0 || q.column >= g.rules.Board.Columns || q.row >= g.rules.Board.Rows
			if outside && (g.rules.Board.Shape != "hex" || d.columns != d.rows) {
				after := maps.Clone(b)
				delete(after, p)
				if g.rules.Turn.Block == "left" && !slices.Contains(g.group(g.rules.Turn.Spares), p) {
					after[p] = man{owner: nobody}
				}
				quiet = append(quiet, turn{{"x" + p.String(), after, nil}})
				break
			}
		}
	}
	return captures, quiet
}

// stride returns how many cells a step of a side's piece on a cell may go that does not slide.
func (g *Game) stride(how *rules.Movement, s side, p point) int {
	fromHome := map[side]int{first: g.rules.Board.Rows - 1 - p.row, second: p.row}[s]
	if fromHome < how.First.Rows {
		return how.First.Steps
	}
	return 1
}

// passes reports whether a piece that goes on may go over a cell.
func (g *Game) passes(b layout, m man, how *rules.Movement, q point) bool {
	other, taken := b[q]
	return (!taken || how.PassOwn && other.owner == m.owner) && (!g.bars(m, q) || g.lets(m, q))
}

// leaps returns the cells to which a piece can leap, some of them twice.
func (g *Game) leaps(p point, texts []string) (out []point) {
	for _, text := range texts {
		x, y, _ := strings.Cut(text, ",")
		a, b := number(x), number(y)
		for _, d := range []direction{{a, b}, {b, a}, {-a, b}, {-b, a}, {a, -b}, {b, -a}, {-a, -b}, {-b, -a}} {
			if to, ok := g.away(p, d); ok {
				out = append(out, to)
			}
		}
	}
	return out
}

// unique returns the points of a list, each once.
func unique(list []point) []point {
	slices.SortFunc(list, byCell)
	return slices.Compact(list)
}

// moved returns the board after a piece has gone from one cell to another.
func (g *Game) moved(b layout, from, to point) layout {
	after := maps.Clone(b)
	delete(after, from)
	after[to] = b[from]
	if g.rules.Turn.Block == "left" && !slices.Contains(g.group(g.rules.Turn.Spares), from) {
		after[from] = man{owner: nobody}
	}
	return after
}

// stepsOf returns the directions of steps of a side's pieces.
func (g *Game) stepsOf(how *rules.Movement, s side) []direction {
	steps := directionsOf([]string{how.Steps}, s)
	if len(how.Directions) > 0 {
		allowed := directionsOf(how.Directions, s)
		steps = slices.DeleteFunc(steps, func(d direction) bool { return !slices.Contains(allowed, d) })
	}
	return steps
}

// playPart plays a ply of a turn, with its consequences.
func (g *Game) playPart(text string) {
	var left []turn
	var now part
	for _, t := range g.turnsLeft() {
		if t[0].text == text {
			now = t[0]
			if len(t) > 1 {
				left = append(left, t[1:])
			}
		}
	}
	enemies := len(g.queue[g.mover.enemy()])
	g.dealt(text, now.after)
	g.plies++
	g.afterPass, g.canSwap = false, false
	g.men = now.after
	g.doomed = now.doomed
	g.begun = left
	g.spread()
	lost := enemies - len(g.queue[g.mover.enemy()])
	if goal := g.of(g.mover).Win.Captures; goal > 0 {
		g.captures[g.mover] = min(goal, g.captures[g.mover]+lost)
	}
	if g.quiet++; lost > 0 || strings.Contains(text, "@") {
		g.quiet = 0
	}
	if len(left) == 0 {
		if g.goals() || g.filled() {
			return
		}
		g.beginTurn(move{kind: step})
		if g.isStuck() {
			return
		}
	}
	g.endPly()
}

// bereft reports whether a side has lost the kind of piece whose loss decides.
func (g *Game) bereft(s side) bool {
	kind := g.kindNamed(g.of(s.enemy()).Win.Take)
	for _, m := range g.men {
		if m == (man{s, kind}) {
			return false
		}
	}
	return kind >= 0
}

// kindsKey returns the part of PositionKey about kinds of pieces and the current turn.
func (g *Game) kindsKey() string {
	if g.men == nil {
		return ""
	}
	doomed := slices.Clone(g.doomed)
	slices.SortFunc(doomed, byCell)
	var next []string
	for _, t := range g.begun {
		next = append(next, t[0].text)
	}
	slices.Sort(next)
	return fmt.Sprint(" kinds ", g.stock, g.Signs(), doomed, slices.Compact(next))
}
