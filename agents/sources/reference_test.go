package sources

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// The references below are the descriptions of the levels word for word: plain minimax on the game's own moves, no
// pruning, no scan, every sum from scratch. The levels must agree with them under every knob that they accept.

// minimax is the value for me of the position, with plies left to search.
func minimax(
	s *engines.State,
	me, depth, plies int,
	ended func(s *engines.State, depth int) int,
	leaf func(*engines.State) int,
) int {
	if s.Over() {
		return ended(s, depth)
	}
	if depth == plies {
		return leaf(s)
	}
	best, sign := math.MinInt, 1
	if s.Side() != me {
		sign = -1
	}
	for _, m := range s.AppendMoves(nil) {
		if m == engines.Swap {
			continue
		}
		next := *s
		next.Play(m)
		best = max(best, sign*minimax(&next, me, depth+1, plies, ended, leaf))
	}
	return sign * best
}

// bestMoves lists the moves with the largest value, in order, and that value.
func bestMoves(s *engines.State, value func(next *engines.State, m engines.Move) int) ([]engines.Move, int) {
	var moves []engines.Move
	best := math.MinInt
	for _, m := range s.AppendMoves(nil) {
		if m == engines.Swap {
			continue
		}
		next := *s
		next.Play(m)
		v := value(&next, m)
		if v > best {
			moves, best = nil, v
		}
		if v == best {
			moves = append(moves, m)
		}
	}
	return moves, best
}

// randomGame plays random moves that do not end the game, while there are any, and calls visit at each position.
func randomGame(g *engines.Game, rng *rand.Rand, plies int, visit func(p *engines.Position)) {
	p := g.NewPosition()
	var next engines.Position
	for range plies {
		visit(p)
		moves := p.AppendMoves(nil)
		rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		for _, m := range moves {
			next.CopyFrom(p)
			if next.Play(m); !next.Over() {
				break
			}
		}
		if next.Over() {
			return
		}
		p.CopyFrom(&next)
	}
}

// endedBy values a finished game: 0 for a draw, win less what it is away otherwise.
func endedBy(me, win, hurry int) func(*engines.State, int) int {
	return func(s *engines.State, depth int) int {
		switch s.Result() {
		case engines.Winner(me):
			return win - hurry*depth
		case engines.Drawn:
			return 0
		}
		return hurry*depth - win
	}
}

// sum3 adds up lines of the 3x3 board: pure values a line by the number of pieces of its only owner, 0 to 3.
func sum3(s *engines.State, me int, pure [4]int, centre, corner int) int {
	board := s.Board()
	at := func(c int) int {
		switch board[c/3][c%3] {
		case "XO"[me]:
			return 1
		case "XO"[1-me]:
			return -1
		}
		return 0
	}
	v := 0
	for _, l := range [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		mine, theirs := 0, 0
		for _, c := range l {
			if at(c) > 0 {
				mine++
			}
			if at(c) < 0 {
				theirs++
			}
		}
		switch {
		case theirs == 0:
			v += pure[mine]
		case mine == 0:
			v -= pure[theirs]
		}
	}
	return v + centre*at(4) + corner*(at(0)+at(2)+at(6)+at(8))
}

func TestLookaheadIsMinimax(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		level, rules string
		set          []string
	}{
		{"classic/beginner", "classic", nil},
		{"classic/intermediate", "classic", []string{"turn.pie=true"}},
		{"classic/advanced", "vanishing", nil},
		{"classic/advanced", "classic", []string{"win.overlines=false"}},
		{"classic/expert", "classic", []string{"draw.full_board=false", "no_moves=pass"}},
		{"rolling/hard", "rolling", []string{"draw.max_plies=12"}},
		{"rolling/hard", "rolling", []string{"pieces.cap=4", "turn.pie=true"}},
		{"rolling/hard", "rolling", []string{"pieces.cap=2"}},
		{"rolling/hard", "vanishing", []string{"pieces.reuse_vacated=true"}},
		{"rolling/hard", "classic", nil},
		{"vanishing/standard", "vanishing", nil},
		{"vanishing/standard", "vanishing", []string{"pieces.cap=4", "pieces.removal_from_ply=10"}},
		{"vanishing/standard", "rolling", []string{"draw.max_plies=0"}},
		{"vanishing/standard", "classic", nil},
	} {
		t.Run(c.level+" "+c.rules, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, c.rules, c.set...)
			p := player(t, c.level, g)
			rng := rand.New(rand.NewPCG(3, 5))
			for range 6 {
				randomGame(g, rng, 20, func(pos *engines.Position) {
					if pos.Ply() < 3 {
						return // the reference would take long; the golden positions begin earlier
					}
					me := pos.Side()
					var want []engines.Move
					var value int
					switch c.level {
					case "rolling/hard":
						leaf := func(s *engines.State) int { return sum3(s, me, [4]int{5, 50, 500}, 5, 3) }
						want, value = bestMoves(&pos.State, func(s *engines.State, _ engines.Move) int {
							return minimax(s, me, 1, 5, endedBy(me, 10000, 0), leaf)
						})
						want = want[:1]
					case "vanishing/standard":
						leaf := func(s *engines.State) int { return sum3(s, me, [4]int{0, 10, 100, 1000}, 5, 0) }
						want, value = bestMoves(&pos.State, func(s *engines.State, _ engines.Move) int {
							return minimax(s, me, 1, 7, endedBy(me, 1000, 0), leaf)
						})
						want = want[:1]
					default:
						plies := map[string]int{"beginner": 1, "intermediate": 3, "advanced": 5, "expert": 99}[c.level[len("classic/"):]]
						leaf := func(*engines.State) int { return 0 }
						want, value = bestMoves(&pos.State, func(s *engines.State, _ engines.Move) int {
							return minimax(s, me, 1, plies, endedBy(me, 100, 1), leaf)
						})
					}
					got := p.Choose(&pos.State)
					if pos.MoveCount() > 1 && (!slices.Equal(got.Moves, want) || got.Value != float64(value)) {
						t.Fatalf(
							"%s: %v worth %v, want %v worth %d",
							pos.Text(),
							g.MoveTexts(got.Moves),
							got.Value,
							g.MoveTexts(want),
							value,
						)
					}
				})
			}
		})
	}
}

// straight is one of the 130 straight windows of four of the 8x8 board.
type straight struct {
	cells engines.Bits
	half  int // 0 within the upper half, the first player's target; 1 within the lower; 2 across
}

func straights() []straight {
	var out []straight
	for x := range 8 {
		for y := range 8 {
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				if x+3*d[0] > 7 || y+3*d[1] > 7 || y+3*d[1] < 0 {
					continue
				}
				w := straight{half: y / 4}
				for i := range 4 {
					w.cells = w.cells.With(engines.Cell((y+i*d[1])*8 + x + i*d[0]))
					if (y+i*d[1])/4 != y/4 {
						w.half = 2
					}
				}
				out = append(out, w)
			}
		}
	}
	return out
}

// staticValue is V of the checkerboard player for a side, doubled, window by window.
func staticValue(s *engines.State, me int, windows []straight) int {
	mine, theirs := s.Pieces(me), s.Pieces(1-me)
	worth := [5]int{0, 2, 20, 200, 2000}
	v := 0
	for i := range windows {
		w := &windows[i]
		m, t := w.cells.And(mine), w.cells.And(theirs).Count()
		if w.half == me && t == 0 {
			v += worth[m.Count()]
		}
		if w.half == 1-me && m.Empty() {
			v -= worth[t]
		}
		// One to the influence of every stone in the target half that the window contains.
		switch w.half {
		case me:
			v += m.Count()
		case 2:
			for ; !m.Empty(); m = m.Rest() {
				if int(m.First())/32 == me {
					v++
				}
			}
		}
	}
	return v
}

func TestCheckerboardIsMinimax(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"shipped", nil},
		{"small cap", []string{"pieces.cap=4"}},
		{"overlines off", []string{"pieces.cap=40", "win.overlines=false"}},
		{"board fills", []string{"pieces.cap=64"}},
		{"no cap, no full-board draw", []string{"pieces.cap=0", "draw.full_board=false"}},
		{"after the line", []string{"pieces.cap=5", "pieces.removal=after_win"}},
		{"reuse, late removal, pie", []string{"pieces.cap=5", "pieces.reuse_vacated=true", "pieces.removal_from_ply=16", "turn.pie=true"}},
		{"exact, late removal", []string{"pieces.cap=12", "win.overlines=false", "pieces.removal_from_ply=30"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, "checkerboard", append(c.set, "draw.max_plies=0")...)
			rng := rand.New(rand.NewPCG(7, 11))
			checked := 0
			for range 2 {
				randomGame(g, rng, 64, func(pos *engines.Position) {
					few := pos.MoveCount() < 10
					if pos.Ply() == 0 || !few && rng.IntN(8) > 0 {
						return
					}
					checked++
					checkCheckerboard(t, g, pos, few || checked%8 == 0)
				})
			}
			t.Logf("%d positions", checked)
		})
	}
}

func checkCheckerboard(t *testing.T, g *engines.Game, pos *engines.Position, deep bool) {
	me := pos.Side()
	windows := straights()
	leaf := func(s *engines.State) int { return staticValue(s, me, windows) }
	ended := endedBy(me, won, 0)
	for plies, level := range []string{"checkerboard/easy", "checkerboard/medium", "checkerboard/hard"} {
		if plies == 2 && !deep {
			break
		}
		search := func(s *engines.State, _ engines.Move) int { return minimax(s, me, 1, plies+1, ended, leaf) }
		want, value := bestMoves(&pos.State, func(s *engines.State, _ engines.Move) int {
			if s.Result() == engines.Winner(me) {
				return won
			}
			return -won
		})
		if value != won {
			chosen := pos.AppendMoves(nil)
			if plies == 2 {
				chosen = bestTwelve(&pos.State, leaf)
			}
			want, value = bestMoves(&pos.State, func(s *engines.State, m engines.Move) int {
				if !slices.Contains(chosen, m) {
					return math.MinInt
				}
				return search(s, m)
			})
		}
		got := player(t, level, g).Choose(&pos.State)
		if len(got.Moves) != 1 || got.Moves[0] != want[0] || pos.MoveCount() > 1 && 2*got.Value != float64(value) {
			t.Fatalf("%s in %s: %v worth %v, want %v worth %v", level, pos.Text(), g.MoveTexts(got.Moves), got.Value,
				g.MoveText(want[0]), float64(value)/2)
		}
	}
}

// bestTwelve lists the candidates of the deepest level by a stable sort.
func bestTwelve(s *engines.State, leaf func(*engines.State) int) []engines.Move {
	moves := slices.DeleteFunc(s.AppendMoves(nil), func(m engines.Move) bool { return m == engines.Swap })
	after := func(m engines.Move) int {
		next := *s
		next.Play(m)
		return leaf(&next)
	}
	slices.SortStableFunc(moves, func(a, b engines.Move) int { return after(b) - after(a) })
	return moves[:min(12, len(moves))]
}

// The ctor score on coordinates, as the rules page states it.
func TestCtorIsItsFormula(t *testing.T) {
	t.Parallel()
	for _, set := range [][]string{nil, {"board.wrap=none", "surround.cascade=true"}, {"board.columns=5", "board.rows=7", "surround.threshold=3"}} {
		g := enginetest.Load(t, "ctor", set...)
		p := player(t, "ctor/standard", g)
		rng := rand.New(rand.NewPCG(13, 17))
		randomGame(g, rng, 100, func(pos *engines.Position) {
			var want engines.Move
			best := math.Inf(-1)
			moves := pos.AppendMoves(nil)
			slices.SortStableFunc(
				moves,
				func(a, b engines.Move) int { return int(a.To())%g.Columns() - int(b.To())%g.Columns() },
			)
			for _, m := range moves {
				if v := ctorScore(g, &pos.State, int(m.To())); v > best {
					want, best = m, v
				}
			}
			got := p.Choose(&pos.State)
			if len(got.Moves) != 1 || got.Moves[0] != want || math.Abs(got.Value-best) > 1e-9 {
				t.Fatalf(
					"%s: %v worth %v, want %s worth %v",
					pos.Text(),
					g.MoveTexts(got.Moves),
					got.Value,
					g.MoveText(want),
					best,
				)
			}
		})
	}
}

func ctorScore(g *engines.Game, s *engines.State, cell int) float64 {
	board := s.Board()
	columns, rows := g.Columns(), g.Rows()
	at := func(x, y int) byte { return board[(y+rows)%rows][(x+columns)%columns] }
	around := func(x, y int, what byte) int {
		n := 0
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if (dx != 0 || dy != 0) && at(x+dx, y+dy) == what {
					n++
				}
			}
		}
		return n
	}
	me, enemy := "XO"[s.Side()], "XO"[1-s.Side()]
	x, y := cell%columns, cell/columns
	own, opp, emp := around(x, y, me), around(x, y, enemy), around(x, y, '.')
	var room, support, danger, group, pressure float64
	for _, d := range [12][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {2, 0}, {-2, 0}, {0, 2}, {0, -2}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		if at(x+d[0]+columns, y+d[1]+rows) == '.' {
			room++
		}
	}
	if own >= 4 {
		support = 15
	} else if own == 3 {
		support = 5
	}
	if opp >= 3 {
		danger = float64(20 + 5*opp)
	}
	if own >= 2 {
		group = float64(10*own + 2*emp)
	}
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if k := around(x+dx, y+dy, enemy); (dx != 0 || dy != 0) && at(x+dx, y+dy) == enemy && k >= 3 {
				pressure += float64(15 + 3*k)
			}
		}
	}
	terms := [6]float64{1.5 * room, 1.2 * support, 0.8 * float64(emp), 2 * danger, 1.5 * group, 1.8 * pressure}
	var sum float64
	for _, v := range terms {
		sum += v
	}
	return sum
}
