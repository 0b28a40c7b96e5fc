package arena

import (
	"testing"
	"time"

	"spar/agents"
	"spar/engines"
)

// contestOf is a contest of three candidates in classic, of which the last is beaten.
func contestOf(t *testing.T) *contest {
	t.Helper()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	c := &contest{g: g, book: NewBook(g, Openings{Plies: 2}, 1), entrants: []Entrant{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	c.r.Candidates = []Candidate{{Name: "a"}, {Name: "b"}, {Name: "c", Beaten: "a"}}
	c.r.Duels = []Duel{{a: 0, b: 1}, {a: 0, b: 2}, {a: 1, b: 2}}
	return c
}

// The two games of a pair exchange seats and have one opening, and every game a stream of its own; who is beaten plays no more.
func TestPairsOfARecommendation(t *testing.T) {
	t.Parallel()
	c := contestOf(t)
	tasks, duels := c.pairs(2, 5)
	if len(tasks) != 6 || len(duels) != 6 {
		t.Fatalf("%d games of %d duels, want 3 pairs between a and b", len(tasks), len(duels))
	}
	streams := map[uint64]bool{}
	for i, x := range tasks {
		want := [2]string{"a", "b"}
		if i%2 == 1 {
			want = [2]string{"b", "a"}
		}
		if got := [2]string{x.Seats[0].Name, x.Seats[1].Name}; got != want || x.Number != int64(i) || duels[i] != 0 {
			t.Errorf("game %d: number %d of duel %d, %v, want %v", i, x.Number, duels[i], got, want)
		}
		if opening := c.g.JoinMoves(c.book.Opening(int64(2 + i/2))); x.Opening != opening || streams[x.Stream] {
			t.Errorf("game %d: opening %s, want %s, stream %d", i, x.Opening, opening, x.Stream)
		}
		streams[x.Stream] = true
	}
}

// A decision takes what was thought, over the moves after the opening, of which each has half, an odd one more counted for both: of 9
// plies after 2, and of 8 after 2, 4 and 3. A pair of which one game is missing counts for nothing.
func TestDecisionsOfARecommendation(t *testing.T) {
	t.Parallel()
	c := contestOf(t)
	ms := time.Millisecond
	game := func(plies int, outcome engines.Result, first, second time.Duration) *Result {
		return &Result{Plies: plies, OpeningPlies: 2, Outcome: outcome, Spent: [2]time.Duration{first, second}}
	}
	c.count([]int{0, 0, 0, 0}, []*Result{
		game(9, engines.FirstWins, 20*ms, 7*ms), game(8, engines.Drawn, 14*ms, 50*ms), // a first, then b
		game(9, engines.FirstWins, 1000*ms, 1000*ms), nil,
	})
	a, b, d := c.r.Candidates[0], c.r.Candidates[1], c.r.Duels[0]
	if a.Games != 2 || b.Games != 2 || c.r.Games != 2 || d.Pairs != 1 || d.counts != [5]float64{3: 1} {
		t.Errorf("a %+v, b %+v, duel %+v, %d games", a, b, d, c.r.Games)
	}
	if a.Decision != 10 || b.Decision != 3 {
		t.Errorf("a takes %g ms a decision, want 70/7; b %g, want 21/7", a.Decision, b.Decision)
	}
}

// Who is surely below one half of the points is beaten, by whom the duel is with; of equals nobody is, however many pairs they have shared,
// nor where nothing was played. Who was beaten before stays so by the same, and one that is left is the best.
func TestWhoIsBeaten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		counts [5]float64 // pairs by half points of a against b
		a, b   string     // by whom they are beaten
		best   string
	}{
		"a wins all":       {[5]float64{4: 30}, "", "a", "a"},
		"b wins all":       {[5]float64{0: 30}, "b", "", "b"},
		"each wins his":    {[5]float64{2: 30}, "", "", ""},
		"a little better":  {[5]float64{1: 5, 2: 14, 3: 6}, "", "", ""},
		"no pairs at all":  {[5]float64{}, "", "", ""},
		"as many for each": {[5]float64{0: 10, 4: 10}, "", "", ""},
	} {
		k := contestOf(t)
		k.level = 0.95
		d := &k.r.Duels[0]
		d.counts = c.counts
		for _, n := range c.counts {
			d.Pairs += int(n)
		}
		k.judge()
		a, b, third := k.r.Candidates[0], k.r.Candidates[1], k.r.Candidates[2]
		if a.Beaten != c.a || b.Beaten != c.b || third.Beaten != "a" || k.r.Best != c.best || k.r.Finished != (c.best != "") {
			t.Errorf("%s: a by %q, b by %q, c by %q, the best is %q: %+v", name, a.Beaten, b.Beaten, third.Beaten, k.r.Best, *d)
		}
		if d.Pairs > 0 && (d.Lo > d.Score || d.Hi < d.Score || d.Lo < 0 || d.Hi > 1) {
			t.Errorf("%s: %+v", name, *d)
		}
	}
}

// sleeper counts how often it was put to sleep.
type sleeper struct {
	agents.Agent
	slept int
}

func (s *sleeper) Sleep() { s.slept++ }

// Only agents that do not play in a game are put to sleep for it.
func TestOthersRest(t *testing.T) {
	t.Parallel()
	var all [3]sleeper
	keys := [3]agentKey{{rules: "r", spec: "a"}, {rules: "r", spec: "a", opposite: true}, {rules: "r", spec: "b"}}
	p := &Player{awake: map[agentKey]agents.Sleeper{}}
	for i, k := range keys {
		p.awake[k] = &all[i]
	}
	for _, game := range [][2]int{{0, 1}, {2, 0}, {2, 0}} {
		p.restOthers([2]agentKey{keys[game[0]], keys[game[1]]})
	}
	if got := [3]int{all[0].slept, all[1].slept, all[2].slept}; got != [3]int{0, 2, 1} {
		t.Errorf("put to sleep %v times, want 0, 2 and 1", got)
	}
}
