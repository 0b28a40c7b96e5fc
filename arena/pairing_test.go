package arena

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"spar/agents"
	"spar/engines"
)

// matchings lists all ways to pair players, the first with each of the others in turn.
func matchings(order []int) [][][2]int {
	if len(order) == 0 {
		return [][][2]int{nil}
	}
	var out [][][2]int
	for i := 1; i < len(order); i++ {
		rest := append(slices.Clone(order[1:i]), order[i+1:]...)
		for _, m := range matchings(rest) {
			out = append(out, append([][2]int{{order[0], order[i]}}, m...))
		}
	}
	return out
}

// A round of a Swiss tournament pairs in the order of the standings with as few repeated encounters as can be; of several such ways the first.
func TestPairsOfARound(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	for n := 0; n <= 8; n += 2 {
		for range 30 {
			f := &swiss{met: map[[2]int]int{}}
			order := rng.Perm(n)
			for range rng.IntN(3*n + 1) {
				a, b := rng.IntN(n), rng.IntN(n)
				if a != b {
					f.met[key(a, b)]++
				}
			}
			var want [][2]int
			fewest := -1
			for _, m := range matchings(order) {
				again := 0
				for _, p := range m {
					again += f.met[[2]int{min(p[0], p[1]), max(p[0], p[1])}]
				}
				if fewest < 0 || again < fewest {
					want, fewest = m, again
				}
			}
			if got := f.pairUp(order); !reflect.DeepEqual(got, want) {
				t.Errorf("%v met %v: %v, want %v with %d repeats", order, f.met, got, want, fewest)
			}
		}
	}
}

// Places of players are by their points, of equal ones by the plan; who is withdrawn has none.
func TestStandingsOfARound(t *testing.T) {
	t.Parallel()
	f := &swiss{t: &Tournament{Players: make([]agents.Spec, 5)}, points: []float64{1, 3, 1, 3, 2}}
	for _, c := range []struct{ out, want []int }{{nil, []int{1, 3, 4, 0, 2}}, {[]int{1, 2}, []int{3, 4, 0}}, {[]int{0, 1, 2, 3, 4}, nil}} {
		withdrawn := make([]bool, 5)
		for _, i := range c.out {
			withdrawn[i] = true
		}
		if got := f.standings(&Schedule{withdrawn: withdrawn}); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %v, want %v", c.out, got, c.want)
		}
	}
}

// A decision on a clock has a twentieth of the time left and three quarters of the increment, but no more than three quarters of what is
// left, nor than its own budget, and a millisecond at least.
func TestShareOfAClock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left      time.Duration
		increment float64
		own       float64 // seconds
		want      time.Duration
	}{
		{100 * time.Second, 0, 0, 5 * time.Second},
		{100 * time.Second, 4, 0, 8 * time.Second},
		{4 * time.Second, 4, 0, 3 * time.Second}, // 3.2 would be more than three quarters
		{100 * time.Second, 0, 2, 2 * time.Second},
		{100 * time.Second, 0, 7, 5 * time.Second},
		{10 * time.Millisecond, 0, 0, time.Millisecond},
		{0, 0, 0, time.Millisecond},
		{-time.Second, 2, 0, time.Millisecond},
	} {
		b := onClock(agents.Budget{Seconds: c.own, Nodes: 7}, c.left, Clock{Increment: c.increment})
		if b.MoveTime != c.want || b.Nodes != 7 {
			t.Errorf("%v left and %g a move: %v, want %v", c.left, c.increment, b.MoveTime, c.want)
		}
	}
}

// What an agent does wrong is its fault, by its kind where it says so; what goes wrong here is not, nor is nothing.
func TestWhoseFault(t *testing.T) {
	t.Parallel()
	timeout := &agents.Fault{Kind: "timeout", Err: errors.New("slow")}
	for _, c := range []struct {
		err    error
		reason string
		ours   bool
	}{
		{nil, "", false},
		{timeout, "forfeit_timeout", false},
		{fmt.Errorf("move 3: %w", timeout), "forfeit_timeout", false},
		{errors.New("no idea"), "forfeit_error", false},
		{fmt.Errorf("full: %w", agents.ErrOurs), "", true},
		{errors.Join(timeout, agents.ErrOurs), "", true},
	} {
		f, err := blame(c.err)
		if (err != nil) != c.ours || (f != nil) != (c.reason != "") || f != nil && (f.reason != c.reason || f.detail != c.err.Error()) {
			t.Errorf("%v: %+v, %v", c.err, f, err)
		}
	}
	var f *fault
	func() {
		defer recovered(&f)
		panic("at the disco")
	}()
	if f == nil || f.reason != "forfeit_panic" || f.detail != "panic: at the disco" {
		t.Errorf("%+v", f)
	}
	if f, err := prepare(context.Background(), nil); f != nil || err != nil {
		t.Errorf("nobody to prepare: %+v, %v", f, err)
	}
}

// Of two candidates a pair counts by the first one's points in both seats, each candidate's time by its seat and its moves by half of those
// that were chosen; a pair of which a game is missing counts for nothing.
func TestCountOfARecommendation(t *testing.T) {
	t.Parallel()
	c := &contest{level: 0.95, r: Recommendation{Candidates: []Candidate{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Duels: []Duel{{Agent: "a", Opponent: "b", a: 0, b: 1}, {Agent: "a", Opponent: "c", a: 0, b: 2}}}}
	game := func(o engines.Result, plies int, first, second time.Duration) *Result {
		return &Result{Outcome: o, Plies: plies, OpeningPlies: 2, Spent: [2]time.Duration{first, second}}
	}
	const ms = time.Millisecond
	c.count([]int{0, 0, 1, 1, 0, 0, 1, 1}, []*Result{
		game(engines.FirstWins, 8, 30*ms, 3*ms), game(engines.SecondWins, 9, 6*ms, 40*ms), // a wins both: 3 and 4 moves of each
		game(engines.Drawn, 4, 10*ms, 20*ms), game(engines.FirstWins, 4, 20*ms, 10*ms), // half a point: one move of each in either
		game(engines.SecondWins, 8, 0, 0), nil,
		nil, nil,
	})
	if d := c.r.Duels; d[0].counts != [5]float64{4: 1} || d[0].Pairs != 1 || d[1].counts != [5]float64{1: 1} || d[1].Pairs != 1 || c.r.Games != 4 {
		t.Errorf("%d games, %+v", c.r.Games, c.r.Duels)
	}
	for i, want := range []struct {
		games    int
		decision float64
	}{{4, 90.0 / 9}, {2, 9.0 / 7}, {2, 40.0 / 2}} {
		if k := c.r.Candidates[i]; k.Games != want.games || k.Decision < want.decision-1e-9 || k.Decision > want.decision+1e-9 {
			t.Errorf("%+v, want %+v", k, want)
		}
	}
	// Who is ahead beyond doubt beats the other, and the one who is left is the best.
	c.r.Duels[0].counts, c.r.Duels[0].Pairs = [5]float64{1, 2, 5, 30, 60}, 98
	c.r.Duels[1].counts, c.r.Duels[1].Pairs = [5]float64{10, 20, 40, 20, 10}, 100
	c.judge()
	if got := c.r.Left(); !slices.Equal(got, []string{"a", "c"}) || c.r.Finished || c.r.Candidates[1].Beaten != "a" || c.r.Duels[0].Lo <= 0.5 || c.r.Duels[1].Lo >= 0.5 || c.r.Duels[1].Hi <= 0.5 {
		t.Errorf("%v are left, %+v", got, c.r)
	}
	c.r.Duels[1].counts = [5]float64{60, 30, 5, 2, 1}
	c.judge()
	if c.r.Best != "c" || !c.r.Finished || c.r.Candidates[0].Beaten != "c" || c.r.Candidates[1].Beaten != "a" {
		t.Errorf("%+v", c.r)
	}
}

// The points of a pair are those of both games, by the sides of the first; a game that was not played for a withdrawal goes to who is still
// in, the first of two, and to nobody where both are out.
func TestPointsOfAPair(t *testing.T) {
	t.Parallel()
	const w, l, d, open = engines.FirstWins, engines.SecondWins, engines.Drawn, engines.Ongoing
	for _, c := range []struct {
		outcomes  [2]engines.Result
		void      [2]bool
		withdrawn [2]bool // of the players of the first game
		a, b      float64
	}{
		{[2]engines.Result{w, w}, [2]bool{}, [2]bool{}, 1, 1},
		{[2]engines.Result{w, l}, [2]bool{}, [2]bool{}, 2, 0},
		{[2]engines.Result{l, w}, [2]bool{}, [2]bool{}, 0, 2},
		{[2]engines.Result{d, l}, [2]bool{}, [2]bool{}, 1.5, 0.5},
		{[2]engines.Result{open, open}, [2]bool{true, true}, [2]bool{true, false}, 0, 2},
		{[2]engines.Result{open, open}, [2]bool{true, true}, [2]bool{false, true}, 2, 0},
		{[2]engines.Result{open, open}, [2]bool{true, true}, [2]bool{true, true}, 0, 0},
		{[2]engines.Result{w, w}, [2]bool{false, true}, [2]bool{false, true}, 2, 0}, // what was played after it counts for nothing
		{[2]engines.Result{l, w}, [2]bool{true, false}, [2]bool{true, false}, 0, 2},
	} {
		s := &Schedule{base: 4, withdrawn: []bool{false, c.withdrawn[0], c.withdrawn[1]}, games: make([]slot, 4)}
		for i := range 2 {
			g := &s.games[2+i] // of pair 3
			g.Number, g.First, g.Second, g.outcome, g.void = int64(6+i), 1+i, 2-i, c.outcomes[i], c.void[i]
		}
		if a, b := s.pairPoints(3); a != c.a || b != c.b {
			t.Errorf("%v, void %v, withdrawn %v: %g and %g, want %g and %g", c.outcomes, c.void, c.withdrawn, a, b, c.a, c.b)
		}
	}
}

// The stream of a game is the FNV-1a hash of its rules, its players, its opening, the meeting and the half of the pair, as text.
func TestStreamsOfGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		opening int64
		meeting int
		number  int64
		half    int
	}{{0, 0, 0, 0}, {7, 0, 12, 0}, {7, 2, 13, 1}, {-1, 10, 1, 1}} {
		h := fnv.New64a()
		fmt.Fprintf(h, "%q %q %q %d %d %d", "classic", `a "b"`, "c", c.opening, c.meeting, c.half)
		if got := streamOf(namesHash("classic", `a "b"`, "c"), c.opening, c.meeting, c.number); got != h.Sum64() {
			t.Errorf("%+v: %x, want %x", c, got, h.Sum64())
		}
	}
}
