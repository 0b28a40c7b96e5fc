package playout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// Every kernel of random games plays as State.Play does, under random rules within what it says it handles, from random
// positions: shares of the results and mean lengths agree within five standard errors.
func TestPlayoutKernelsUnderRandomRules(t *testing.T) {
	t.Parallel()
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			fit := 0
			rapid.Check(t, func(rt *rapid.T) {
				r := enginetest.RandomRulesWithin(k.handles).Draw(rt, "rules")
				switch k.name { // what the kernel is for
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
					r.Board.Columns = min(r.Board.Columns, 8)
					r.Board.Rows = min(r.Board.Rows, 8)
					if n := rapid.IntRange(0, 20).Draw(rt, "many pieces"); n > 8 &&
						r.Pieces.Supply > 0 { // more than a word lists
						r.Pieces.Supply = n
					}
				case "connecting":
					r.Win.Connect = "top_bottom"
				case "enclosing":
					r.Custodian = rules.Custodian{Effect: "flip", Must: true, Directions: r.Custodian.Directions}
					drawSetup(rt, &r, 7)
				case "draughts":
					r = drawDraughts(t, rt)
				case "walking":
					drawWalks(rt, &r.Movement)
					drawSetup(rt, &r, 7)
				}
				if r.Draw.MaxPlies = min(max(r.Draw.MaxPlies, 40), 60); k.name == "connecting" && r.Draw.MaxPlies < 50 {
					r.Draw.MaxPlies = 0
				}
				if len(engines.Validate(&r)) > 0 {
					return
				}
				g := must.Get(engines.Compile(r))(rt)
				if !g.Mechanics().Only(k.handles) || !k.fits(g) {
					return
				}
				fit++
				fast := New(g, rand.NewPCG(1, 2), true)
				slow := New(g, rand.NewPCG(1, 2), true)
				fast.kernel = k.run
				slow.kernel = (*Random).runAny
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
				alike := k.name == "moving" || k.name == "enclosing" || k.name == "walking" && g.General()
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
	r.Board.Columns = min(r.Board.Columns, most)
	r.Board.Rows = min(r.Board.Rows, most)
	for range r.Board.Rows {
		row := rapid.SliceOfN(rapid.SampledFrom([]byte("XO....")), r.Board.Columns, r.Board.Columns).Draw(t, "row")
		r.Setup = append(r.Setup, string(row))
	}
}

// drawDraughts draws rules like English draughts.
func drawDraughts(tb testing.TB, t *rapid.T) rules.Rules {
	r := enginetest.Load(tb, "draughts").Rules()
	r.Draw.Repetition = rapid.IntRange(0, 3).Filter(func(n int) bool { return n != 1 }).Draw(t, "repetition")
	r.Kinds = slices.Clone(r.Kinds)
	some := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	man, up := *r.Kinds[0].Movement, *r.Kinds[0].Promotes
	man.Directions, man.Jumps = []string{some("steps", "forward_diagonal", "forward", "king")}, []string{some("jumps", "forward_diagonal", "bishop", "rook")}
	if up.When = rules.Word(some("when", "turn_end", "stops")); rapid.Bool().Draw(t, "near") {
		up.On = []string{"b2", "near"}
	}
	man.Steps = "king"
	r.Kinds[0].Movement, r.Kinds[0].Promotes = &man, &up
	r.Movement.ForcedCapture, r.Movement.MultiJump = rules.Choice(some("forced", "true", "false")), rules.Choice(some("multi", "must", "false"))
	r.NoMoves, r.Draw.Quiet, r.Setup = some("no moves", "loss", "draw", "win"), rapid.IntRange(0, 12).Draw(t, "quiet"), nil
	r.Board.Columns, r.Board.Rows = rapid.IntRange(3, 8).Draw(t, "columns"), rapid.IntRange(3, 7).Draw(t, "rows")
	for range r.Board.Rows {
		r.Setup = append(r.Setup, string(rapid.SliceOfN(rapid.SampledFrom([]byte("MmKm.....")), r.Board.Columns, r.Board.Columns).Draw(t, "row")))
	}
	return r
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
func compareKernels(t *rapid.T, s *engines.State, fast, slow *Random, alike bool, rules string) {
	const n = 200
	var count [2][4]float64
	var plies, squares [2]float64
	for range n {
		var results [2]engines.Result
		var lengths [2]int
		for i, p := range []*Random{fast, slow} {
			results[i], lengths[i] = p.Run(s)
			count[i][results[i]]++
			plies[i] += float64(lengths[i])
			squares[i] += float64(lengths[i] * lengths[i])
		}
		if alike && (results[0] != results[1] || lengths[0] != lengths[1]) {
			t.Fatalf("%s: %s in %d plies by kernel, %s in %d by moves\n%s", s.Text(), results[0], lengths[0],
				results[1], lengths[1], rules)
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
