package eval

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// slow computes the features from the board's text and the rules alone, cell by cell.
type slow struct {
	g       *engines.Game
	r       engines.Rules
	columns int
	rows    int
	cells   []byte         // X, O or .
	age     map[int]int    // of a side's pieces, 0 the oldest
	count   [2]int         // pieces of a side
	s       *engines.State // for side to move, hands, phase
}

func newSlow(s *engines.State) *slow {
	g := s.Game()
	z := &slow{g: g, r: g.Rules(), columns: g.Columns(), rows: g.Rows(), s: s, age: map[int]int{}}
	z.cells = []byte(strings.Join(s.Board(), ""))
	for side := range 2 {
		for i, c := range s.Ages(side, nil) {
			z.age[int(c)] = i
		}
		z.count[side] = strings.Count(string(z.cells), "XO"[side:side+1])
	}
	return z
}

// at returns the cell i steps from c, or -1 beyond the edge.
func (z *slow) at(c, dx, dy, i int) int {
	x, y := c%z.columns+dx*i, c/z.columns+dy*i
	if w := z.r.Board.Wrap; w == "columns" || w == "torus" {
		x = ((x % z.columns) + z.columns) % z.columns
	}
	if w := z.r.Board.Wrap; w == "rows" || w == "torus" {
		y = ((y % z.rows) + z.rows) % z.rows
	}
	if x < 0 || y < 0 || x >= z.columns || y >= z.rows {
		return -1
	}
	return y*z.columns + x
}

// home tells whether a cell is in a side's half.
func (z *slow) home(side, c int) bool {
	if z.r.Territory != "halves" {
		return false
	}
	if side == engines.Second {
		return c/z.columns < z.rows/2
	}
	return c/z.columns >= z.rows-z.rows/2
}

func (z *slow) around(c int) []int {
	var out []int
	seen := map[int]bool{}
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if n := z.at(c, dx, dy, 1); (dx != 0 || dy != 0) && n >= 0 && !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	return out
}

// leaves tells whether a piece of a side has gone before the side could complete a line by m more pieces: piece
// number i from the oldest goes with the placement that makes the side have cap+i+1 pieces, counted without removals,
// but not before the ply from which pieces leave; the sides place in turn.
func (z *slow) leaves(side, c, m int) bool {
	if z.r.Pieces.Cap == 0 {
		return false
	}
	gone := z.r.Pieces.Cap + z.age[c] + 1 - z.count[side] // the placement, from 1, with which it goes
	next := z.s.Ply() + 1                                 // of the side's first placement
	if z.s.Side() != side {
		next++
	}
	for next+2*(gone-1) < z.r.Pieces.RemovalFromPly {
		gone++
	}
	if z.r.Pieces.Removal == "after_win" {
		gone++ // it still stands when that placement's line is tested
	}
	return gone <= m
}

// window is a line of cells that wins or loses for a side.
type window struct{ cells, guard []int }

func (z *slow) windows(side, length int, wins bool) []window {
	if length == 0 {
		return nil
	}
	found := map[[4]uint64]bool{}
	var out []window
	for c := range z.cells {
	next:
		for _, d := range [][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}} {
			var w window
			var key [4]uint64
			for i := range length {
				n := z.at(c, d[0], d[1], i)
				if n < 0 || key[n/64]>>(n%64)&1 != 0 || wins && z.r.Win.Region == "enemy" && !z.home(1-side, n) {
					continue next
				}
				key[n/64] |= 1 << (n % 64)
				w.cells = append(w.cells, n)
			}
			if found[key] {
				continue
			}
			found[key] = true
			for _, end := range []int{z.at(c, d[0], d[1], -1), z.at(c, d[0], d[1], length)} {
				if wins && !z.r.Win.Overlines && end >= 0 && key[end/64]>>(end%64)&1 == 0 {
					w.guard = append(w.guard, end)
				}
			}
			out = append(out, w)
		}
	}
	return out
}

// open counts the open lines of a side, but not those that lack only a cell of wins, and returns the cells that
// complete one.
func (z *slow) open(of int, windows []window, wins map[int]bool, f *[pairFeatures]float64) map[int]bool {
	own, enemy := "XO"[of], "XO"[1-of]
	threats := map[int]bool{}
	for _, w := range windows {
		n, free, open, last := 0, -1, true, false
		for _, c := range w.cells {
			switch z.cells[c] {
			case own:
				n++
			case enemy:
				open = false
			default:
				free = c
			}
		}
		for _, c := range w.guard {
			open = open && z.cells[c] != own
		}
		m := len(w.cells) - n
		if n == 0 || m == 0 || !open || m == 1 && wins[free] {
			continue
		}
		for _, c := range w.cells {
			last = last || z.cells[c] == own && z.leaves(of, c, m)
		}
		if last {
			f[Expiring]++
			continue
		}
		f[Need1+Feature(min(m, 4))-1]++
		if m == 1 {
			threats[free] = true
		}
	}
	return threats
}

func (z *slow) features(side int) Vector {
	var v Vector
	var lines [2][pairFeatures]float64 // lines that count for the side and for the other one
	var against [2]float64             // pieces on cells that lose
	good, ready := [2]map[int]bool{{}, {}}, [2]map[int]bool{}
	for i, of := range [2]int{side, 1 - side} {
		to := i
		if z.r.Win.Misere {
			to = 1 - i // the line loses
		}
		ready[i] = z.open(of, z.windows(of, z.r.Win.Line, true), nil, &lines[to])
		maps.Copy(good[to], ready[i])
		maps.Copy(good[1-i], z.open(of, z.windows(of, z.r.Lose.Line, false), ready[i], &lines[1-i]))
	}
	for i, of := range [2]int{side, 1 - side} {
		f := lines[i]
		threats := good[i]
		windows := z.windows(of, z.r.Win.Line, true)
		own, enemy := "XO"[of], "XO"[1-of]
		f[Material], f[Hand] = float64(z.count[of]), float64(z.s.Hand(of))
		if z.s.Taking() && z.s.Side() != of {
			f[Material]--
		}
		f[Threats] = float64(len(threats))
		for c := range threats {
			if z.plain() && z.comesTo(c) == of {
				f[Waiting]++
			}
		}
		if len(threats) > 1 {
			f[Double] = 1
		}
		// Where captured pieces join the capturer's and push older ones out nobody can tell a win without playing it.
		pushed := z.r.Surround.Threshold > 0 && z.r.Surround.Effect == "convert" && z.r.Pieces.Cap > 0 &&
			z.r.Pieces.Removal == "before_win"
		if z.s.Side() == of && !pushed && !z.r.Win.Misere && z.r.Lose.Line == 0 {
			for _, m := range z.s.AppendMoves(nil) {
				if m.IsPlacement() && threats[int(m.To())] {
					f[Ready] = 1
				}
			}
		}
		for c, piece := range z.cells {
			if piece != own {
				continue
			}
			switch at := slices.Contains(z.r.Win.Reach, z.g.CellName(engines.Cell(c))); {
			case at && z.r.Win.Misere:
				against[i]++
			case at || z.home(1-of, c):
				f[Advanced]++
			}
			f[Centre] += z.centre(c)
			for _, w := range windows {
				for _, in := range w.cells {
					if in == c {
						f[Lines]++
					}
				}
			}
			z.exposure(&f, c, enemy)
			if z.s.Moving() {
				z.mobility(&f, c, enemy)
			}
		}
		copy(v[Feature(i)*pairFeatures:], f[:])
	}
	v[Advanced], v[pairFeatures+Advanced] = v[Advanced]+against[1], v[pairFeatures+Advanced]+against[0]
	if z.s.Side() == side {
		v[tempoFeature] = 1
	}
	return v
}

// plain tells whether pieces fall, one a turn, and stay.
func (z *slow) plain() bool {
	r := z.r
	return r.Placement.Gravity && r.Placement.Region == "anywhere" && len(r.Placement.Opening) == 0 &&
		reflect.DeepEqual(r.Turn, rules.DefaultRules().Turn) &&
		r.Pieces.Cap == 0 && r.Pieces.Supply == 0 &&
		r.Surround.Threshold == 0
}

// comesTo is who places on a free cell when all columns but its own are filled first.
func (z *slow) comesTo(c int) int {
	before := 0
	for at, piece := range z.cells {
		if piece != 'X' && piece != 'O' && (at%z.columns != c%z.columns || at/z.columns > c/z.columns) {
			before++
		}
	}
	return (z.s.Side() + before) % 2
}

// centre is 1 minus the mean over both ways of the distance from the middle, in units of the longest one.
func (z *slow) centre(c int) float64 {
	part := func(at, n int, wraps bool) float64 {
		if wraps || n == 1 {
			return 0
		}
		middle := float64(n-1) / 2
		return math.Abs(float64(at)-middle) / middle
	}
	w := z.r.Board.Wrap
	return 1 - (part(c%z.columns, z.columns, w == "columns" || w == "torus")+part(c/z.columns, z.rows, w == "rows" ||
		w == "torus"))/2
}

func (z *slow) exposure(f *[pairFeatures]float64, c int, enemy byte) {
	if z.r.Surround.Threshold == 0 {
		return
	}
	enemies, free, friends := 0, 0, 0
	for _, n := range z.around(c) {
		switch z.cells[n] {
		case enemy:
			enemies++
		case '.':
			free++
		default:
			friends++
		}
	}
	f[Links] += float64(friends) / 2 // each link is met from both its ends
	if enemies+free < z.r.Surround.Threshold {
		f[Secure]++
	}
	switch missing := z.r.Surround.Threshold - enemies; {
	case free == 0:
	case missing <= 1:
		f[Hanging]++
	case missing == 2:
		f[Loose]++
	}
}

func (z *slow) mobility(f *[pairFeatures]float64, c int, enemy byte) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx == 0 && dy == 0 {
				continue
			}
			steps := z.r.Movement.Steps
			one, two := z.at(c, dx, dy, 1), z.at(c, dx, dy, 2)
			if one >= 0 && z.cells[one] == '.' &&
				(steps == "king" || steps == "rook" && dx*dy == 0 || steps == "bishop" && dx*dy != 0) {
				f[Mobility]++
			}
			if z.r.Movement.Capture && one >= 0 && two >= 0 && z.cells[one] == enemy && z.cells[two] == '.' {
				f[Jumps]++
			}
		}
	}
}
