package eval

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/configs"
	"spar/engines"
	"spar/engines/enginetest"
)

// everything is a set of weights that no two features share, so that a wrong feature shows in the value.
func everything() Weights {
	w := Weights{}
	for i, name := range Names() {
		w[name] = 1 + float64(i)*0.37
	}
	return w
}

// variants are the games of the tests: all shipped ones and some with knobs that features depend on.
func variants(t *testing.T) map[string]*engines.Game {
	games := map[string]*engines.Game{}
	for _, name := range configs.Names(configs.Games) {
		games[name] = enginetest.Load(t, name)
	}
	for _, c := range [][]string{
		{"checkerboard", "win.overlines=false"},
		{"checkerboard", "pieces.removal=after_win"},
		{"infiltration", "movement.steps=rook"},
		{"infiltration", "movement.capture=false"},
		{"ctor", "board.wrap=none"},
		{"ctor", "surround.threshold=2"},
		{"gomoku9", "win.overlines=false"},
		{"gomoku9", "pieces.cap=7"},
		{"vanishing", "board.wrap=torus", "board.columns=5", "board.rows=5"},
		{"rolling", "pieces.cap=4"},
		{"rolling", "pieces.removal_from_ply=9"},
		{"vanishing", "pieces.removal_from_ply=10"},
		{"vanishing", "board.columns=4", "board.rows=4", "surround.threshold=2"},
	} {
		games[strings.Join(c, " ")] = enginetest.Load(t, c[0], c[1:]...)
	}
	return games
}

// everyPosition calls f for the positions of random games.
func everyPosition(t *testing.T, g *engines.Game, n int, f func(p *engines.Position)) {
	rng := rand.New(rand.NewPCG(41, 42))
	for n > 0 {
		p := g.NewPosition()
		skip := rng.IntN(1 + g.Cells()*3/4)
		for !p.Over() && n > 0 && p.Ply() < 200 {
			if p.Ply() >= skip {
				f(p)
				n--
			}
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
	}
}

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

// leaves tells whether a piece of a side has gone before the side could complete a line by m more pieces: piece number i from
// the oldest goes with the placement that makes the side have cap+i+1 pieces, counted without removals, but not before the ply
// from which pieces leave; the sides place in turn.
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

// window is a line of cells that wins for a side.
type window struct{ cells, guard []int }

func (z *slow) windows(side int) []window {
	length := z.r.Win.Line
	if length == 0 {
		return nil
	}
	found := map[[2]uint64]bool{}
	var out []window
	for c := range z.cells {
	next:
		for _, d := range [][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}} {
			var w window
			var key [2]uint64
			for i := range length {
				n := z.at(c, d[0], d[1], i)
				if n < 0 || key[n/64]>>(n%64)&1 != 0 || z.r.Win.Region == "enemy" && !z.home(1-side, n) {
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
				if !z.r.Win.Overlines && end >= 0 && key[end/64]>>(end%64)&1 == 0 {
					w.guard = append(w.guard, end)
				}
			}
			out = append(out, w)
		}
	}
	return out
}

func (z *slow) features(side int) Vector {
	var v Vector
	for i, of := range [2]int{side, 1 - side} {
		var f [pairFeatures]float64
		own, enemy := "XO"[of], "XO"[1-of]
		f[Material], f[Hand] = float64(z.count[of]), float64(z.s.Hand(of))
		threats := map[int]bool{}
		windows := z.windows(of)
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
			if n == 0 || m == 0 || !open {
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
		f[Threats] = float64(len(threats))
		if len(threats) > 1 {
			f[Double] = 1
		}
		// Where captured pieces join the capturer's and push older ones out nobody can tell a win without playing it.
		pushed := z.r.Surround.Threshold > 0 && z.r.Surround.Effect == "convert" && z.r.Pieces.Cap > 0 && z.r.Pieces.Removal == "before_win"
		if z.s.Side() == of && !pushed {
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
			if z.home(1-of, c) {
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
	if z.s.Side() == side {
		v[tempoFeature] = 1
	}
	return v
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
	return 1 - (part(c%z.columns, z.columns, w == "columns" || w == "torus")+part(c/z.columns, z.rows, w == "rows" || w == "torus"))/2
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
			if one >= 0 && z.cells[one] == '.' && (steps == "king" || steps == "rook" && dx*dy == 0 || steps == "bishop" && dx*dy != 0) {
				f[Mobility]++
			}
			if z.r.Movement.Capture && one >= 0 && two >= 0 && z.cells[one] == enemy && z.cells[two] == '.' {
				f[Jumps]++
			}
		}
	}
}

// The features of random positions of every game are those that a slow count from the board's text finds.
func TestFeaturesMatchSlowCount(t *testing.T) {
	t.Parallel()
	for name, g := range variants(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := New(g, Params{Weights: everything()})
			names := Names()
			everyPosition(t, g, 150, func(p *engines.Position) {
				z := newSlow(&p.State)
				for side := range 2 {
					got, want := e.Features(&p.State, side), z.features(side)
					sum := 0.0
					for i := range want {
						if math.Abs(got[i]-want[i]) > 1e-9 {
							t.Fatalf("%s: %s of side %d is %g, counted slowly %g", p.Text(), names[i], side, got[i], want[i])
						}
						sum += want[i] * e.phases[0].w[i]
					}
					if v := e.Value(&p.State, side); math.Abs(v-sum) > 1e-6 {
						t.Fatalf("%s: value %g, the slow features add up to %g", p.Text(), v, sum)
					}
				}
			})
		})
	}
}

// Value computes only the groups of features that have a weight: with any one weight alone it is that feature. The value that
// searches take at their leaves is the same, or a cell that wins at once.
func TestValueOfOneWeight(t *testing.T) {
	t.Parallel()
	for name, g := range variants(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := New(g, Params{})
			for i, feature := range Names() {
				e := New(g, Params{Weights: Weights{feature: 2}})
				everyPosition(t, g, 4, func(p *engines.Position) {
					side := p.Side()
					want := 2 * all.Features(&p.State, side)[i]
					if got := e.Value(&p.State, side); got != want {
						t.Errorf("%s: value %g with a weight on %s alone, want %g", p.Text(), got, feature, want)
					}
					got, cell := e.ValueOrWin(&p.State)
					if cell == engines.NoCell {
						if got != want {
							t.Errorf("%s: value at a leaf %g with a weight on %s alone, want %g", p.Text(), got, feature, want)
						}
						return
					}
					q := p.Clone()
					q.Play(engines.PlaceMove(cell))
					if q.Result() != engines.Winner(side) {
						t.Errorf("%s: %s does not win", p.Text(), g.CellName(cell))
					}
				})
			}
		})
	}
}

// Positions that a symmetry of the rules takes into each other have the same value.
func TestSymmetricPositionsAreEqual(t *testing.T) {
	t.Parallel()
	for name, g := range variants(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := New(g, Params{Weights: everything()})
			symmetries := g.Symmetries()
			rng := rand.New(rand.NewPCG(1, 7))
			everyPosition(t, g, 100, func(p *engines.Position) {
				q := p.Transform(symmetries[rng.IntN(len(symmetries))])
				for side := range 2 {
					if a, b := e.Value(&p.State, side), e.Value(&q, side); math.Abs(a-b) > 1e-9 {
						t.Fatalf("%s has value %g, its image %s %g", p.Text(), a, q.Text(), b)
					}
				}
			})
		})
	}
}

// Exchanging the colours (and, where each side has a half, top and bottom) exchanges what the sides see.
func TestColourSwap(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"classic", "rolling", "vanishing", "connect4", "gomoku9", "infiltration", "infiltration-6x6", "ctor", "torus-vanishing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, name)
			e := New(g, Params{Weights: everything()})
			everyPosition(t, g, 100, func(p *engines.Position) {
				swapped, err := g.ParseState(exchange(p))
				if err != nil {
					t.Fatal(err)
				}
				for side := range 2 {
					a, b := e.Features(&p.State, side), e.Features(&swapped, 1-side)
					for i := range a {
						if math.Abs(a[i]-b[i]) > 1e-9 { // sums over pieces may differ by rounding
							t.Fatalf("%s: %s is %g, with colours exchanged %s: %g", p.Text(), Names()[i], a[i], swapped.Text(), b[i])
						}
					}
				}
			})
		})
	}
}

// exchange writes a position with the colours exchanged; with territories the rows are turned upside down.
func exchange(p *engines.Position) string {
	g := p.Game()
	flip := g.Rules().Territory == "halves"
	board := p.Board()
	if flip {
		for i, j := 0, len(board)-1; i < j; i, j = i+1, j-1 {
			board[i], board[j] = board[j], board[i]
		}
	}
	other := strings.NewReplacer("X", "O", "O", "X")
	words := strings.Fields(p.Text())
	out := []string{other.Replace(strings.Join(board, "/")), other.Replace(words[1]), words[2]}
	for _, w := range words[3:] {
		switch key, value, _ := strings.Cut(w, "="); key {
		case "ages":
			x, o, _ := strings.Cut(value, "|")
			out = append(out, "ages="+o+"|"+x)
		case "hand":
			x, o, _ := strings.Cut(value, ",")
			out = append(out, "hand="+o+","+x)
		case "last":
		case "chain":
			c, _ := g.ParseCell(value)
			out = append(out, "chain="+g.CellName(engines.Cell((g.Rows()-1-int(c)/g.Columns())*g.Columns()+int(c)%g.Columns())))
		default:
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// An explanation lists every feature that has a value or a weight, the largest contribution first, and adds up to the value.
func TestExplainAddsUp(t *testing.T) {
	t.Parallel()
	for name, g := range variants(t) {
		e := New(g, Params{Weights: everything(), Late: Weights{"own_centre": 3, "tempo": 1}, LateFrom: 6, Movement: Weights{"enemy_mobility": -1, "own_hand": 2}})
		everyPosition(t, g, 40, func(p *engines.Position) {
			terms, sum := e.Explain(&p.State, p.Side())
			total, before := 0.0, math.Inf(1)
			for _, term := range terms {
				if term.Contribution != term.Value*term.Weight || math.Abs(term.Contribution) > before || Describe(term.Feature) == "" {
					t.Fatalf("%s, %s: term %+v", name, p.Text(), term)
				}
				before = math.Abs(term.Contribution)
				total += term.Contribution
			}
			if v := e.Value(&p.State, p.Side()); math.Abs(total-v) > 1e-9 || math.Abs(sum-v) > 1e-9 {
				t.Fatalf("%s, %s: terms add up to %g, sum %g, value %g", name, p.Text(), total, sum, v)
			}
		})
	}
}

// Each phase has its weights: those of the opening, those from a ply on, those of the movement phase.
func TestPhases(t *testing.T) {
	t.Parallel()
	base, late, movement := Weights{"tempo": 1}, Weights{"tempo": 2}, Weights{"tempo": 3}
	for _, c := range []struct {
		name          string
		p             Params
		early, after  float64 // value before and from ply 6 on, while pieces are placed
		movementPhase float64
	}{
		{"base", Params{Weights: base}, 1, 1, 1},
		{"late", Params{Weights: base, Late: late, LateFrom: 6}, 1, 2, 2},
		{"movement", Params{Weights: base, Movement: movement}, 1, 1, 3},
		{"all", Params{Weights: base, Late: late, LateFrom: 6, Movement: movement}, 1, 2, 3},
	} {
		g := enginetest.Load(t, "infiltration-6x6")
		e := New(g, c.p)
		p := g.NewPosition()
		for !p.Moving() {
			want := c.early
			if p.Ply() >= 6 {
				want = c.after
			}
			if v := e.Value(&p.State, p.Side()); v != want {
				t.Errorf("%s: value %g at ply %d, want %g", c.name, v, p.Ply(), want)
			}
			p.Play(p.AppendMoves(nil)[0])
		}
		if v := e.Value(&p.State, p.Side()); v != c.movementPhase {
			t.Errorf("%s: value %g in the movement phase, want %g", c.name, v, c.movementPhase)
		}
	}
}

// The expected score is a half at value 0, 0.73 at the scale, and symmetric.
func TestScore(t *testing.T) {
	t.Parallel()
	for _, scale := range []float64{0, 100, 3} {
		e := New(enginetest.Load(t, "classic"), Params{Scale: scale})
		if scale == 0 {
			scale = 100
		}
		if e.Score(0) != 0.5 || math.Abs(e.Score(scale)-1/(1+1/math.E)) > 1e-12 || math.Abs(e.Score(2)+e.Score(-2)-1) > 1e-12 {
			t.Errorf("scale %g: %g %g %g", scale, e.Score(0), e.Score(scale), e.Score(-2))
		}
	}
}

// Valuing a position allocates nothing.
func TestValueAllocatesNothing(t *testing.T) {
	for _, name := range []string{"vanishing", "checkerboard", "infiltration", "ctor", "gomoku9"} {
		g := enginetest.Load(t, name)
		e := New(g, Params{Weights: everything()})
		everyPosition(t, g, 3, func(p *engines.Position) {
			if n := testing.AllocsPerRun(10, func() { e.Value(&p.State, 0); e.ValueOrWin(&p.State) }); n != 0 {
				t.Errorf("%s: %g allocations", name, n)
			}
		})
	}
}
