package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
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
		{"gomoku9", "lose.line=3"},
		{"vanishing", "win.misere=true"},
		{"gomoku9", "win.line=0", "win.reach=[a1, e5, i9, c2]", "win.reach_count=3"},
		{"infiltration", "win.line=0", "win.region=anywhere", "win.reach=[a1, e5, c2, c7]", "win.reach_count=3", "win.misere=true"},
		{"vanishing", "lose.line=3", "win.line=4", "pieces.cap=7", "board.columns=4", "board.rows=4"},
		{"ctor", "mill.line=3"},
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

// unknownTo returns the paired features that the slow count does not know under the rules of a game. It should know all
// others, and every new one.
func unknownTo(g *engines.Game) map[Feature]bool {
	unknown := map[Feature]bool{Distance: true} // TestDistance
	for _, u := range []struct {
		by       rules.Mechanics
		features []Feature
	}{
		{rules.MechanicsOf(rules.OtherMoves(), rules.PieceMechanics()), []Feature{Mobility, Jumps}},
		{rules.PieceMechanics(), []Feature{Material, Advanced}}, // goals there name groups of cells and kinds
		{rules.MechanicsOf(rules.Custodians), []Feature{Ready}}, // a capture may come first
		{rules.MechanicsOf(rules.Hexagons, rules.DrawnLines, rules.Adjacency), []Feature{
			Need1, Need2, Need3, Need4, Expiring, Threats, Double, Ready, Lines, Centre, Mobility, Jumps,
		}},
		{rules.MechanicsOf(rules.SharedPieces, rules.Patterns), []Feature{Need1, Need2, Need3, Need4, Threats, Double, Ready, Lines}},
	} {
		for _, f := range u.features {
			unknown[f] = unknown[f] || g.Mechanics().Any(u.by)
		}
	}
	return unknown
}

// The features of random positions of every game are those that a slow count from the board's text finds.
func TestFeaturesMatchSlowCount(t *testing.T) {
	t.Parallel()
	for name, g := range variants(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unknown := unknownTo(g)
			e := New(g, Params{Weights: everything()})
			names := Names()
			everyPosition(t, g, 50, func(p *engines.Position) {
				z := newSlow(&p.State)
				for side := range 2 {
					got, want := e.Features(&p.State, side), z.features(side)
					sum := 0.0
					for i := range want {
						if unknown[Feature(i)%pairFeatures] && Feature(i) != tempoFeature {
							want[i] = got[i]
						}
						if math.Abs(got[i]-want[i]) > 1e-9 {
							t.Fatalf("%s: %s of side %d is %g, counted slowly %g", p.Text(), names[i], side, got[i],
								want[i])
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

// The distance is that of the nearest piece over cells that are empty now: moves counted by hand.
func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, moves string
		own, enemy  float64 // of the first and of the second player
	}{
		{"fox-and-hounds", "", 16, 0}, // hounds on all its cells of the goal; they have none themselves
		{"fox-and-hounds", "e8-d7 b1-a2", 6, 0},
		{"brandubh", "", 0, 14},           // the king is shut in by his own
		{"brandubh", "d1-c1 d3-c3", 0, 3}, // d3, g3, g1
		{"lines-of-action", "", 0, 0},
		{"gomoku9", "a1", 0, 0},
	} {
		g := must.Get(engines.Named(c.game))(t)
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		v := New(g, Params{}).Features(&p.State, engines.First)
		if v[Distance] != c.own || v[pairFeatures+Distance] != c.enemy {
			t.Errorf("%s %s: %g and %g, expected %g and %g", c.game, c.moves, v[Distance], v[pairFeatures+Distance], c.own, c.enemy)
		}
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
	for _, name := range []string{
		"classic", "rolling", "vanishing", "connect4", "gomoku9", "infiltration",
		"infiltration-6x6", "ctor", "torus-vanishing",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, name)
			e := New(g, Params{Weights: everything()})
			everyPosition(t, g, 100, func(p *engines.Position) {
				swapped := must.Get(g.ParseState(exchange(p)))(t)
				for side := range 2 {
					a, b := e.Features(&p.State, side), e.Features(&swapped, 1-side)
					for i := range a {
						if math.Abs(a[i]-b[i]) > 1e-9 { // sums over pieces may differ by rounding
							t.Fatalf("%s: %s is %g, with colours exchanged %s: %g", p.Text(), Names()[i], a[i],
								swapped.Text(), b[i])
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
			out = append(out,
				"chain="+g.CellName(engines.Cell((g.Rows()-1-int(c)/g.Columns())*g.Columns()+int(c)%g.Columns())))
		default:
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// An explanation lists every feature that has a value or a weight, the largest contribution first, and adds up to the
// value.
func TestExplainAddsUp(t *testing.T) {
	t.Parallel()
	for name, g := range variants(t) {
		e := New(
			g,
			Params{
				Weights:  everything(),
				Late:     Weights{"own_centre": 3, "tempo": 1},
				LateFrom: 6,
				Movement: Weights{"enemy_mobility": -1, "own_hand": 2},
			},
		)
		everyPosition(t, g, 40, func(p *engines.Position) {
			terms, sum := e.Explain(&p.State, p.Side())
			total, before := 0.0, math.Inf(1)
			for _, term := range terms {
				if term.Contribution != term.Value*term.Weight || math.Abs(term.Contribution) > before ||
					Describe(term.Feature) == "" {
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
	base := Weights{"tempo": 1}
	late := Weights{"tempo": 2}
	movement := Weights{"tempo": 3}
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

// Cells wait for a side under no other knobs than these.
func TestWaits(t *testing.T) {
	t.Parallel()
	enginetest.Handles(t, "connect4", Waits, "board.wrap", "win.line", "win.overlines", "win.directions",
		"draw.repetition", "draw.max_plies", "no_moves")
}

// Where captured pieces change hands and none is promoted, no value is ever lost: what a side loses the other gains.
func TestPiecesInHandHaveTheirValue(t *testing.T) {
	t.Parallel()
	r := enginetest.Load(t, "dobutsu").Rules()
	r.Kinds = slices.Clone(r.Kinds)
	r.Kinds[0].Promotes = nil
	g := must.Get(engines.Compile(r))(t)
	e := New(g, Params{Weights: Weights{"material": 1}})
	total := func(s *engines.State) float64 { return e.Features(s, 0)[Material] + e.Features(s, 1)[Material] }
	start, drops := total(&g.NewPosition().State), 0
	everyPosition(t, g, 50, func(p *engines.Position) {
		for side := range 2 {
			for kind := range g.Kinds() {
				drops += p.Stock(side, kind)
			}
		}
		if got := total(&p.State); math.Abs(got-start) > 1e-9 {
			t.Fatalf("%s: pieces of value %g, at the start %g", p.Text(), got, start)
		}
	})
	if drops == 0 {
		t.Error("no piece was in hand")
	}
}
