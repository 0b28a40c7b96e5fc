package arena

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/engines"
	"spar/ratings"
)

// A match of a knockout goes to who has more points of its pairs, of equals after the last tie-break to the better seed, and to him, too,
// where both were withdrawn. One that is tied, or has not been played, stays open, also where one of the two was withdrawn.
func TestDecidedMatches(t *testing.T) {
	t.Parallel()
	const w, d, l = engines.FirstWins, engines.Drawn, engines.SecondWins
	for name, c := range map[string]struct {
		games     []engines.Result // by pairs: a is first in the first game of each
		next      int
		withdrawn []bool
		void      bool
		want      int
	}{
		"not played":             {nil, 0, []bool{false, false}, false, -1},
		"a wins both":            {[]engines.Result{w, l}, 1, []bool{false, false}, false, 0},
		"b wins both":            {[]engines.Result{l, w}, 1, []bool{false, false}, false, 1},
		"a by half a point":      {[]engines.Result{w, w, d, l}, 2, []bool{false, false}, false, 0},
		"tied":                   {[]engines.Result{w, w}, 1, []bool{false, false}, false, -1},
		"before the last one":    {[]engines.Result{w, w}, 1 + maxTiebreaks, []bool{false, false}, false, -1},
		"tied to the end":        {[]engines.Result{w, w}, 2 + maxTiebreaks, []bool{false, false}, false, 0},
		"b wins in the end":      {[]engines.Result{l, w}, 2 + maxTiebreaks, []bool{false, false}, false, 1},
		"tied, both withdrawn":   {[]engines.Result{d, d}, 1, []bool{true, true}, false, 0},
		"tied, a withdrawn":      {[]engines.Result{d, d}, 1, []bool{true, false}, false, -1},
		"tied, b withdrawn":      {[]engines.Result{d, d}, 1, []bool{false, true}, false, -1},
		"void, a withdrawn":      {[]engines.Result{0, 0}, 1, []bool{true, false}, true, 1},
		"void, b withdrawn":      {[]engines.Result{0, 0}, 1, []bool{false, true}, true, 0},
		"void, both withdrawn":   {[]engines.Result{0, 0}, 1, []bool{true, true}, true, 0},
		"b ahead, both withdraw": {[]engines.Result{l, w}, 1, []bool{true, true}, false, 1},
	} {
		s := &Schedule{withdrawn: c.withdrawn}
		m := knockoutMatch{a: 0, b: 1, next: c.next, won: -1}
		for i, r := range c.games {
			g := slot{outcome: r, void: c.void}
			g.First, g.Second = i%2, 1-i%2
			s.games = append(s.games, g)
			if i%2 == 1 {
				m.pairs = append(m.pairs, int64(i/2))
			}
		}
		f := &knockout{t: &Tournament{Plan: Plan{Pairs: 2}}, matches: []knockoutMatch{m}}
		if f.decide(s); f.matches[0].won != c.want {
			t.Errorf("%s: won by %d, want %d", name, f.matches[0].won, c.want)
		}
	}
}

// superseding is a study of which only games are taken out of their places.
type superseding struct {
	Study
	places []Slot
	from   int64
}

func (s *superseding) Supersede(_ context.Context, _ string, keep func(event, number int64) bool) (n int64, _ error) {
	for _, p := range s.places {
		if !keep(p.Event, p.Number) {
			n++
		}
	}
	return n, nil
}

func (s *superseding) SupersedeFrom(_ context.Context, event, number int64) (int64, error) {
	s.from = number
	return 100 * event, nil
}

// Of whom nobody trusts all games go but those that were played again alike; where results decide who meets whom, also all from the first of
// them in this event on, whoever played them.
func TestWhatIsSuperseded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format string
		places []Slot
		tested []Slot
		n      int64
		from   int64 // -1: none
	}{
		{"swiss", []Slot{{1, 7}, {1, 4}, {1, 9}}, nil, 103, 4},
		{"knockout", []Slot{{1, 4}, {1, 7}}, []Slot{{1, 4}}, 101, 7},
		{"swiss", []Slot{{2, 3}, {1, 0}, {1, 5}}, nil, 103, 0},
		{"swiss", []Slot{{2, 3}}, nil, 1, -1},
		{"swiss", []Slot{{1, 3}}, []Slot{{1, 3}}, 0, -1},
		{"swiss", nil, nil, 0, -1},
		{"round-robin", []Slot{{1, 7}, {1, 4}}, nil, 2, -1},
	} {
		db := &superseding{places: c.places, from: -1}
		tour := &Tournament{Plan: Plan{Format: c.format}}
		n, err := tour.supersede(t.Context(), db, 1, &Distrust{Worker: "w", Tested: func(s Slot) bool { return slices.Contains(c.tested, s) }})
		if err != nil || n != c.n || db.from != c.from {
			t.Errorf("%s: %d games, from %d on, %v; want %s", c.format, n, db.from, err, fmt.Sprint(c.n, " from ", c.from))
		}
	}
}

// Pairs of the same two from one opening are counted in a tournament by points, where they may meet again, whoever begins; the two games of
// a pair are one meeting, and another opening, other rules or another event are others.
func TestMeetings(t *testing.T) {
	t.Parallel()
	a := &Again{plans: map[int64]*Plan{1: {Format: "swiss"}, 2: {Format: "round-robin"}, 4: {Format: "swiss"}}, met: map[pairOf]map[int64]int64{}}
	for i, c := range []struct{ event, rules, first, second, opening, pair, want int64 }{
		{1, 1, 5, 6, 0, 10, 0},
		{1, 1, 6, 5, 0, 10, 0},
		{1, 1, 6, 5, 0, 20, 1},
		{1, 1, 5, 6, 0, 30, 2},
		{1, 1, 5, 6, 0, 20, 1},
		{1, 1, 5, 7, 0, 40, 0},
		{1, 2, 5, 6, 0, 50, 0},
		{1, 1, 5, 6, 1, 60, 0},
		{4, 1, 5, 6, 0, 70, 0},
		{2, 1, 5, 6, 0, 10, 0},
		{2, 1, 5, 6, 0, 20, 0},
		{3, 1, 5, 6, 0, 10, 0},
		{3, 1, 5, 6, 0, 20, 0},
	} {
		r := &Recorded{Game: study.Game{Event: c.event, Rules: c.rules, First: c.first, Second: c.second, Opening: c.opening, Pair: c.pair}}
		if got := a.meeting(r); got != c.want {
			t.Errorf("%d: meeting %d, want %d", i, got, c.want)
		}
	}
	for text, fine := range map[string]bool{`{"Plan":{"format":"swiss"}}`: true, `{"Plan":{}}`: false, `{}`: false, `{"Plan":`: false, `null`: false} {
		if p, err := storedPlan(text); (err == nil) != fine || (p != nil) != fine {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
}

// What is asked of a match-up is told by its games that count: draws that a cap made are none by the rules and no end, an agent's games against
// itself are counted one by one from the first player's side, those of two agents by pairs from the side of the first.
func TestTallyOfAMatchUp(t *testing.T) {
	t.Parallel()
	const w, d, l = engines.FirstWins, engines.Drawn, engines.SecondWins
	type game struct {
		outcome engines.Result
		capped  bool
		counts  bool
	}
	for name, c := range map[string]struct {
		mirror       bool
		games        []game
		score        []int64
		drawn, ended [2]int64
	}{
		"itself":          {true, []game{{w, false, true}, {w, false, true}, {d, false, true}, {l, false, true}}, []int64{1, 1, 2}, [2]int64{3, 1}, [2]int64{0, 4}},
		"itself, capped":  {true, []game{{d, true, true}, {d, false, true}}, []int64{0, 2, 0}, [2]int64{1, 1}, [2]int64{1, 1}},
		"what counts not": {true, []game{{w, false, false}, {d, true, false}}, nil, [2]int64{}, [2]int64{}},
		"won twice":       {false, []game{{w, false, true}, {l, false, true}}, []int64{0, 0, 0, 0, 1}, [2]int64{2, 0}, [2]int64{0, 2}},
		"lost twice":      {false, []game{{l, false, true}, {w, false, true}}, []int64{1, 0, 0, 0, 0}, [2]int64{2, 0}, [2]int64{0, 2}},
		"won and drawn":   {false, []game{{w, false, true}, {d, true, true}}, []int64{0, 0, 0, 1, 0}, [2]int64{2, 0}, [2]int64{1, 1}},
		"half a pair":     {false, []game{{w, false, true}, {l, false, false}}, nil, [2]int64{1, 0}, [2]int64{0, 1}},
		"the other half":  {false, []game{{w, false, false}, {l, false, true}}, nil, [2]int64{1, 0}, [2]int64{0, 1}},
		"two pairs":       {false, []game{{w, false, true}, {w, false, true}, {d, false, true}, {w, false, true}}, []int64{0, 1, 1, 0, 0}, [2]int64{3, 1}, [2]int64{0, 4}},
	} {
		var x tally
		for i, g := range c.games {
			s := &slot{outcome: g.outcome, capped: g.capped}
			if s.Number = int64(i); !c.mirror {
				s.First, s.Second = i%2, 1-i%2
			}
			x.add(s, g.counts)
		}
		if !slices.Equal(x.score, c.score) || x.drawn != c.drawn || x.ended != c.ended {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// A bye goes to the lowest of those with the fewest, and scores as all games of a round, times what a bye is worth.
func TestBye(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		byes []int
		who  int
	}{{[]int{0, 0, 0}, 1}, {[]int{0, 1, 0}, 0}, {[]int{1, 1, 0}, 2}, {[]int{1, 1, 1}, 1}, {[]int{0, 1, 1}, 0}} {
		f := newSwiss(&Tournament{Plan: Plan{Pairs: 3, SwissBye: 0.5}, Rules: make([]*engines.Game, 2), Players: make([]agents.Spec, 3)})
		copy(f.byes, c.byes)
		rest := f.giveBye([]int{2, 0, 1}) // the best first
		want := slices.DeleteFunc([]int{2, 0, 1}, func(p int) bool { return p == c.who })
		if !slices.Equal(rest, want) || f.byes[c.who] != c.byes[c.who]+1 || f.points[c.who] != 6 {
			t.Errorf("%v: %v are left, byes %v, points %v", c.byes, rest, f.byes, f.points)
		}
	}
}

// Agents agree on a result when so many decisions in a row, of either side, see it: the first player's expected score at most as low as asked
// for, or as high, or as near a half from a ply on. A score that is none breaks the row.
func TestAgreement(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("connect4")
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	for name, c := range map[string]struct {
		o      Adjudge
		scores []float64 // of the side that moves, the first player at first
		want   engines.Result
		why    string
		after  int // decisions
	}{
		"the second wins":       {Adjudge{Resign: 0.1, Moves: 2}, []float64{0.1, 0.9, 0.5}, engines.SecondWins, "resign", 2},
		"the first wins":        {Adjudge{Resign: 0.1, Moves: 3}, []float64{0.9, 0.1, 1}, engines.FirstWins, "resign", 3},
		"not sure enough":       {Adjudge{Resign: 0.1, Moves: 2}, []float64{0.11, 0.9, 0.11, 0.89, 0.1, 0.89}, engines.Ongoing, "", 6},
		"one in between":        {Adjudge{Resign: 0.1, Moves: 2}, []float64{0, 0.5, 0, 1}, engines.SecondWins, "resign", 4},
		"no number in between":  {Adjudge{Resign: 0.1, Moves: 2}, []float64{0, nan, 0, nan, 0}, engines.Ongoing, "", 5},
		"of both sides in turn": {Adjudge{Resign: 0.1, Moves: 2}, []float64{0, 0, 0, 0}, engines.Ongoing, "", 4},
		"a draw":                {Adjudge{Draw: 0.0625, Moves: 2}, []float64{0.4375, 0.5625}, engines.Drawn, "agreed_draw", 2},
		"not even enough":       {Adjudge{Draw: 0.05, Moves: 2}, []float64{0.44, 0.55, 0.56, 0.5}, engines.Ongoing, "", 4},
		"a draw from ply 3 on":  {Adjudge{Draw: 0.05, Moves: 2, From: 3}, []float64{0.5, 0.5, 0.5, 0.5, 0.5}, engines.Drawn, "agreed_draw", 4},
		"six by default":        {Adjudge{Draw: 0.05}, []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, engines.Drawn, "agreed_draw", 6},
		"nothing asked for":     {Adjudge{Moves: 1}, []float64{0, 0.5, 1}, engines.Ongoing, "", 3},
		"draws only":            {Adjudge{Draw: 0.05, Moves: 1}, []float64{0, 1, 0}, engines.Ongoing, "", 3},
		"wins only":             {Adjudge{Resign: 0.05, Moves: 1}, []float64{0.5, 0.5, 0.5}, engines.Ongoing, "", 3},
	} {
		j := newJudge(c.o, nil)
		p := g.NewPosition()
		var got engines.Result
		var why string
		after := 0
		for i, score := range c.scores {
			p.Play(p.AppendMoves(nil)[0])
			after = i + 1
			if got, why = j.look(&p.State, i%2, score); got != engines.Ongoing {
				break
			}
		}
		if got != c.want || why != c.why || after != c.after {
			t.Errorf("%s: %v by %q after %d decisions, want %v by %q after %d", name, got, why, after, c.want, c.why, c.after)
		}
	}
}

// A tournament by width looks at the end of a round, of many rounds only at one in a hundred more; it ends where every interval is known on
// both sides and narrow enough. Games that count for nothing tell nothing.
func TestWidthsAreLookedAt(t *testing.T) {
	t.Parallel()
	const w, l = engines.FirstWins, engines.SecondWins
	even := []engines.Result{w, w, l, l} // pairs of a point each
	for name, c := range map[string]struct {
		width    float64
		results  []engines.Result // over and over, for 40 pairs
		void     bool
		marks    evidence.Marks
		complete bool
		round    int64
		looked   int64
		want     bool
	}{
		"narrow":                   {1000, even, false, 0, true, 40, 39, true},
		"within a round":           {1000, even, false, 0, false, 40, 39, false},
		"not narrow":               {1, even, false, 0, true, 40, 39, false},
		"one wins all":             {1e9, []engines.Result{w, l}, false, 0, true, 40, 39, false},
		"void games":               {1000, even, true, 0, true, 40, 39, false},
		"games that do not count":  {1000, even, false, evidence.Surplus, true, 40, 39, false},
		"games that are not over":  {1000, []engines.Result{engines.Ongoing}, false, 0, true, 40, 39, false},
		"no width asked for":       {0, even, false, 0, true, 40, 39, false},
		"round 500":                {1000, even, false, 0, true, 500, 500, true},
		"a round after many":       {1000, even, false, 0, true, 506, 501, false}, // 1.01 times 501 are 506.01
		"one in a hundred more":    {1000, even, false, 0, true, 507, 501, true},
		"many, the first time":     {1000, even, false, 0, true, 507, 0, true},
		"repeated games of others": {1000, even, false, evidence.Repeated, true, 40, 39, false},
	} {
		tour := &Tournament{Players: []agents.Spec{{Name: "a"}, {Name: "b"}}, Labels: []string{"r"}}
		tour.Stop.Width = c.width
		s, r := &Schedule{t: tour}, &stopRule{looked: c.looked}
		var stop bool
		var why string
		for i := range 80 {
			g := &slot{outcome: c.results[i%len(c.results)], void: c.void, marks: c.marks}
			g.Number, g.First, g.Second, g.Pair = int64(i), i%2, 1-i%2, int64(i/2)
			why, stop = r.judged(s, g, c.round, i == 79 && c.complete)
			if stop && i < 79 {
				t.Fatalf("%s: it stops after %d games", name, i+1)
			}
		}
		if stop != c.want || (why == "") == c.want {
			t.Errorf("%s: %t %q", name, stop, why)
		}
	}
}

// A sequential test is told of pairs whose games count both, from the side of the plan's first agent, wherever he sits.
func TestPairsOfASequentialTest(t *testing.T) {
	t.Parallel()
	const w, d, l = engines.FirstWins, engines.Drawn, engines.SecondWins
	for name, c := range map[string]struct {
		outcomes [2]engines.Result // of the first agent's game as first, then as second
		swapped  bool              // he sits second first
		counts   [2]bool
		pairs    int64
		without  int64
		half     float64
	}{
		"both":           {[2]engines.Result{w, l}, false, [2]bool{true, true}, 1, 0, 1},
		"second at once": {[2]engines.Result{w, d}, true, [2]bool{true, true}, 1, 0, 0},
		"a draw":         {[2]engines.Result{d, w}, false, [2]bool{true, true}, 1, 0, 0.5},
		"not the first":  {[2]engines.Result{w, l}, false, [2]bool{false, true}, 0, 1, 1},
		"not the second": {[2]engines.Result{l, l}, false, [2]bool{true, false}, 0, 1, 0},
		"neither":        {[2]engines.Result{w, l}, false, [2]bool{false, false}, 0, 1, 1},
	} {
		tour := &Tournament{}
		tour.Stop.SPRT = &SPRT{Elo0: 0, Elo1: 50}
		s, r := &Schedule{t: tour}, &stopRule{}
		for i, outcome := range c.outcomes {
			g := &slot{outcome: outcome}
			g.Number, g.First, g.Second = int64(i), i, 1-i
			if c.swapped {
				g.First, g.Second = 1-i, i
			}
			if why, stop := r.sprt(s, g, c.counts[i]); stop {
				t.Errorf("%s: %s", name, why)
			}
		}
		if r.pairs != c.pairs || r.without != c.without || r.half != c.half {
			t.Errorf("%s: %d pairs, %d without, %g points in the first game", name, r.pairs, r.without, r.half)
		}
	}
}

// An interval with an open end has no width, nor has one of an agent that cannot be rated.
func TestWidthOfAnInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    ratings.Status
		v    ratings.Interval
		want bool
	}{
		{ratings.StatusOK, ratings.Interval{Lo: -5, Hi: 7}, true},
		{ratings.StatusOK, ratings.Interval{Lo: -5, Hi: 7, LoOpen: true}, false},
		{ratings.StatusOK, ratings.Interval{Lo: -5, Hi: 7, HiOpen: true}, false},
		{ratings.StatusUnboundedAbove, ratings.Interval{Lo: -5, Hi: 7}, false},
	} {
		if w, ok := width(c.s, c.v); ok != c.want || ok && w != 12 {
			t.Errorf("%v, %+v: %g, %t", c.s, c.v, w, ok)
		}
	}
}
