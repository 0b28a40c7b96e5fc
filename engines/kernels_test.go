package engines_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// Every kernel of random games plays as State.Play does, under random rules within what it says it handles, from random
// positions: shares of the results and mean lengths agree within five standard errors.
func TestPlayoutKernelsUnderRandomRules(t *testing.T) {
	t.Parallel()
	for _, k := range engines.PlayoutKernels() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			fit := 0
			rapid.Check(t, func(rt *rapid.T) {
				r := enginetest.RandomRulesWithin(k.Handles).Draw(rt, "rules")
				switch k.Name { // what the kernel is for
				case "falling":
					r.Placement.Gravity, r.Placement.Opening = true, nil
				case "surround":
					r.Surround.Threshold = rapid.IntRange(1, 6).Draw(rt, "threshold")
					r.Win.Majority = true
				case "aging":
					r.Pieces.Cap = max(2, r.Win.Line, r.Pieces.Cap)
				case "moving":
					if r.Movement.Steps == "none" {
						r.Movement.Steps = rapid.SampledFrom([]string{"king", "rook"}).Draw(rt, "steps")
					}
					if r.Pieces.Cap = 0; r.Pieces.Supply == 0 {
						r.Pieces.Supply = rapid.IntRange(max(1, r.Win.Line), r.Win.Line+6).Draw(rt, "supply")
					}
					r.Board.Columns, r.Board.Rows = min(r.Board.Columns, 8), min(r.Board.Rows, 8)
					if n := rapid.IntRange(0, 20).Draw(rt, "many pieces"); n > 8 &&
						r.Pieces.Supply > 0 { // more than a word lists
						r.Pieces.Supply = n
					}
				case "connecting":
					r.Win.Connect = "top_bottom"
				case "enclosing":
					r.Custodian = rules.Custodian{Effect: "flip", Must: true, Directions: r.Custodian.Directions}
					drawSetup(rt, &r, 7)
				case "walking":
					drawWalks(rt, &r.Movement)
					drawSetup(rt, &r, 7)
				}
				if r.Draw.MaxPlies = min(max(r.Draw.MaxPlies, 40), 60); k.Name == "connecting" && r.Draw.MaxPlies < 50 {
					r.Draw.MaxPlies = 0
				}
				if len(engines.Validate(&r)) > 0 {
					return
				}
				g, err := engines.Compile(r)
				if err != nil {
					rt.Fatal(err)
				}
				if !g.Mechanics().Only(k.Handles) || !k.Fits(g) {
					return
				}
				fit++
				fast, slow := g.NewPlayouts(rand.NewPCG(1, 2), true), g.NewPlayouts(rand.NewPCG(1, 2), true)
				fast.UseKernel(k.Name)
				slow.UsePlainPath()
				rng := rand.New(rand.NewPCG(uint64(fit), 3))
				s := g.NewState()
				for range rapid.IntRange(0, 30).Draw(rt, "plies") {
					next := s
					moves := s.AppendMoves(nil)
					if next.Play(moves[rng.IntN(len(moves))]); next.Over() {
						break
					}
					s = next
				}
				alike := k.Name == "moving" || k.Name == "enclosing" || k.Name == "walking" && g.General()
				compareKernels(rt, &s, fast, slow, alike, r.Canonical())
			})
			if fit < 8 && !testing.Short() { // a short test draws a fifth
				t.Errorf("%d rules that the kernel fits: too few for a test", fit)
			}
		})
	}
}

// drawSetup draws a start position on a board of at most so many columns and rows, unless the rules have one.
func drawSetup(t *rapid.T, r *engines.Rules, most int) {
	if len(r.Setup) > 0 || len(r.Board.Missing) > 0 {
		return
	}
	r.Board.Columns, r.Board.Rows = min(r.Board.Columns, most), min(r.Board.Rows, most)
	for range r.Board.Rows {
		row := rapid.SliceOfN(rapid.SampledFrom([]byte("XO....")), r.Board.Columns, r.Board.Columns).Draw(t, "row")
		r.Setup = append(r.Setup, string(row))
	}
}

// drawWalks draws ways to step, leap, take and leave clones.
func drawWalks(t *rapid.T, m *rules.Movement) {
	words := []string{"forward", "sideways", "forward_diagonal", "backward", "rook", "king"}
	some := func(name string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(words), 0, 2, rapid.ID).Draw(t, name)
	}
	*m = rules.DefaultRules().Movement
	if m.Steps = rapid.SampledFrom([]string{"none", "king", "rook"}).Draw(t, "steps"); m.Steps != "none" {
		m.Directions, m.Clone = some("directions"), rapid.IntRange(0, 3).Draw(t, "clone") == 0
	}
	m.Take = some("take")
	if len(m.Take) == 0 || rapid.Bool().Draw(t, "leap") {
		m.Leaps = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1,2", "0,2", "2,2"}), 1, 2, rapid.ID).
			Draw(t, "leaps")
	}
}

// compareKernels plays from a position both ways. Kernels that draw alike play the same games.
func compareKernels(t *rapid.T, s *engines.State, fast, slow *engines.Playouts, alike bool, rules string) {
	const n = 200
	var count [2][4]float64
	var plies, squares [2]float64
	for range n {
		var results [2]engines.Result
		var lengths [2]int
		for i, p := range []*engines.Playouts{fast, slow} {
			results[i], lengths[i] = p.Run(s)
			count[i][results[i]]++
			plies[i] += float64(lengths[i])
			squares[i] += float64(lengths[i] * lengths[i])
		}
		if alike && (results[0] != results[1] || lengths[0] != lengths[1]) {
			t.Fatalf(
				"%s: %s in %d plies by kernel, %s in %d by moves\n%s",
				s.Text(),
				results[0],
				lengths[0],
				results[1],
				lengths[1],
				rules,
			)
		}
	}
	for r := range count[0] {
		a, b := count[0][r]/n, count[1][r]/n
		both := (a + b + 1.0/n) / 2
		if se := math.Sqrt(2 * both * (1 - both + 1.0/n) / n); math.Abs(a-b) > 5*se {
			t.Errorf("%s: share of %s %.3f by kernel, %.3f by moves\n%s", s.Text(), engines.Result(r), a, b, rules)
		}
	}
	a, b := plies[0]/n, plies[1]/n
	spread := math.Max(squares[0]/n-a*a, squares[1]/n-b*b)
	if math.Abs(a-b) > 5*math.Sqrt(2*(spread+0.05)/n) {
		t.Errorf("%s: %.3f plies by kernel, %.3f by moves\n%s", s.Text(), a, b, rules)
	}
}

// Positions that a codec gives one key have the same numbers of wins, draws and losses below them, seen by the side to
// move: under any rules, for images of the board and for exchanged colours.
func TestOneKeyOneFuture(t *testing.T) {
	t.Parallel()
	images, exchanges := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRulesWithin(rules.AllMechanics().Without(rules.Repetitions, rules.PlyCaps)).
			Draw(rt, "rules")
		r.Board.Columns, r.Board.Rows = rapid.IntRange(3, 4).Draw(rt, "columns"), rapid.IntRange(3, 4).Draw(rt, "rows")
		r.Win.Line = min(r.Win.Line, 3)
		if len(engines.Validate(&r)) > 0 {
			return
		}
		g, err := engines.Compile(r)
		if err != nil {
			rt.Fatal(err)
		}
		codec, err := g.NewCodec()
		if err != nil {
			return
		}
		rng := rand.New(rand.NewPCG(7, 8))
		randomPositions(g, 2, 24, func(p *engines.Position) {
			key, _, ok := codec.Canonical(&p.State)
			if !ok {
				return
			}
			all := g.Symmetries()
			image := p.Transform(all[rng.IntN(len(all))])
			if other, _, ok := codec.Canonical(&image); !ok || other != key {
				rt.Fatalf("%s has key %v, its image %s has %v\n%s", p.Text(), key, image.Text(), other, r.Canonical())
			}
			var decoded engines.State
			codec.Decode(key, &decoded)
			if decoded.Side() != p.Side() {
				exchanges++
			}
			if len(all) > 1 {
				images++
			}
			want := future(&p.State, 3, 1500)
			for _, other := range []*engines.State{&image, &decoded} {
				if got := future(other, 3, 1500); got != want {
					rt.Fatalf(
						"%s has the future %v, %s of the same key %v\n%s",
						p.Text(),
						want,
						other.Text(),
						got,
						r.Canonical(),
					)
				}
			}
		})
	})
	if (images < 20 || exchanges < 5) && !testing.Short() {
		t.Errorf("%d positions with images, %d with colours exchanged: too few for a test", images, exchanges)
	}
}

// future counts, by the plies still to look ahead, the ends for and against the side to move of s, draws, and the
// moves. Ahead is cut so that no more than a number of positions are looked at.
func future(s *engines.State, depth, most int) (out [4][4]int) {
	var walk func(q *engines.State, depth, budget int)
	walk = func(q *engines.State, depth, budget int) {
		if q.Over() {
			out[depth][q.Result()]++
			return
		}
		moves := q.AppendMoves(nil)
		out[depth][0] += len(moves)
		if depth == 0 || len(moves) > budget {
			return
		}
		for _, m := range moves {
			next := *q
			next.Play(m)
			walk(&next, depth-1, budget/len(moves))
		}
	}
	walk(s, depth, most)
	if s.Side() == engines.Second {
		for i := range out {
			out[i][engines.FirstWins], out[i][engines.SecondWins] = out[i][engines.SecondWins], out[i][engines.FirstWins]
		}
	}
	return out
}
