package balance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// How a game ended: by a fault, by a cap, by agreement about what is known, else by the rules, as a draw or a win.
func TestKindsOfEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		half   uint8
		want   endKind
	}{
		{"forfeit_crash", 2, endForfeit},
		{"ply_cap", 1, endCap},
		{"clock", 1, endCap},
		{"resign", 0, endAdjudicated},
		{"agreed_draw", 1, endAdjudicated},
		{"exact", 2, endAdjudicated},
		{"full_board", 1, endDraw},
		{"line", 0, endWin},
		{"line", 2, endWin},
	} {
		if got := kindOf(c.reason, c.half); got != c.want {
			t.Errorf("%s with %d half points: %v, want %v", c.reason, c.half, got, c.want)
		}
	}
}

// A type-7 quantile lies at (n-1)p among the values from 0 on, and between two of them by the rest.
func TestQuantileOfValues(t *testing.T) {
	t.Parallel()
	values := []float64{10, 20, 40, 80, 160}
	for _, c := range []struct {
		n       int
		p, want float64
	}{{1, 0.5, 10}, {2, 0.5, 15}, {2, 0.25, 12.5}, {3, 0.5, 20}, {4, 0.5, 30}, {5, 0.25, 20}, {5, 0.3, 24}, {5, 0.9, 128}, {5, 0, 10}, {5, 1, 160}, {1, 1, 10}} {
		got := quantileOf(c.n, func(i int) float64 { return values[:c.n][i] }, c.p)
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g of %v: %g, want %g", c.p, values[:c.n], got, c.want)
		}
	}
	for z, want := range map[float64]float64{0: 1, 1.959963984540054: 0.05, -1.959963984540054: 0.05, 2.5758293035489: 0.01} {
		if got := twoSided(z); !(math.Abs(got-want) < 1e-9) {
			t.Errorf("beyond %g: %g, want %g", z, got, want)
		}
	}
}

// An interval is stretched to either side by the root of the design effect, here 2, within its limits; open sides stay, and an effect of 1
// or less changes nothing.
func TestStretch(t *testing.T) {
	t.Parallel()
	at := func(lo, hi float64) Number { return Number{Value: 0.5, Lo: lo, Hi: hi, N: 9, Method: "m"} }
	for _, c := range []struct {
		n      Number
		effect float64
		lo, hi float64
	}{
		{at(0.4, 0.7), 4, 0.3, 0.9},
		{at(0.4, 0.7), 1, 0.4, 0.7},
		{at(0.4, 0.7), 0.5, 0.4, 0.7},
		{at(0.1, 0.9), 4, 0, 1},
		{Number{Value: 0.5, Lo: 0.4, Hi: 0.7, LoOpen: true, N: 9, Method: "m"}, 4, 0.4, 0.9},
		{Number{Value: 0.5, Lo: 0.4, Hi: 0.7, HiOpen: true, N: 9, Method: "m"}, 4, 0.3, 0.7},
		{Number{}, 4, 0, 0},
	} {
		got := measurer{}.widen(c.n, c.effect)
		stretched := c.n.OK() && c.effect > 1
		if math.Abs(got.Lo-c.lo) > 1e-12 || math.Abs(got.Hi-c.hi) > 1e-12 || got.Value != c.n.Value || strings.HasSuffix(got.Method, ", clustered by pair") != stretched {
			t.Errorf("%+v by %g: %+v, want %g to %g", c.n, c.effect, got, c.lo, c.hi)
		}
	}
	if got := stretch(at(0.4, 0.7), 100, -3, 2.25); math.Abs(got.Lo+0.5) > 1e-12 || got.Hi != 2.25 {
		t.Errorf("within other limits: %+v", got)
	}
	if got := exponential(Number{Value: 0, Lo: -1, Hi: 1, N: 3}); got.Value != 1 || math.Abs(got.Lo*got.Hi-1) > 1e-12 || got.Hi < 2.7 || exponential(Number{}).Value != 0 {
		t.Errorf("%+v", got)
	}
}

// A histogram has a bar for each length, or for as many together as make 40 bars at most, from a multiple of that many on; all games are in
// one of them.
func TestBarsOfLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lengths     []int
		width, from int
		n           int
	}{
		{[]int{7}, 1, 7, 1},
		{[]int{5, 9, 9, 7}, 1, 5, 5},
		{[]int{3, 42}, 1, 3, 40},
		{[]int{3, 43}, 2, 2, 21},
		{[]int{9, 100}, 3, 9, 31},
		{[]int{10, 90}, 3, 9, 28},
	} {
		d := &dist{}
		for _, x := range c.lengths {
			d.add(x)
		}
		got := bars(d)
		if len(got) != c.n || got[0].From != c.from {
			t.Errorf("%v: %d bars from %d, want %d from %d", c.lengths, len(got), got[0].From, c.n, c.from)
		}
		sum := int64(0)
		for i, b := range got {
			n := int64(0)
			for _, x := range c.lengths {
				if b.From <= x && x <= b.To {
					n++
				}
			}
			if sum += b.Count; b.Count != n || b.To-b.From+1 != c.width || i > 0 && b.From != got[i-1].To+1 {
				t.Errorf("%v: bar %d is %+v, want %d games", c.lengths, i, b, n)
			}
		}
		if sum != int64(len(c.lengths)) {
			t.Errorf("%v: %d games in the bars", c.lengths, sum)
		}
	}
	if got := bars(&dist{}); got == nil || len(got) != 0 {
		t.Errorf("bars of nothing: %v", got)
	}
}

// The exact value overrules what games say of who wins, where it misses the target: a first player's win has a score of 1, half a point
// from even, and an Elo difference without bound. Other measures, targets that it meets, and targets of others stay.
func TestExactValueOverrules(t *testing.T) {
	t.Parallel()
	texts := []string{"score<=60%", "score>=60%", "fpa<=0.1", "elo<=100", "elo>=-100", "draws<=20%"}
	var targets []Target
	for _, text := range texts {
		target, err := ParseTarget(text)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	for winner, want := range map[string]string{"first": "m.mm..", "draw": ".m....", "second": ".mm.m.", "": "......"} {
		var judged []Judged
		for _, x := range append(slices.Clone(targets), Target{Measure: "score", Text: "score<=1%"}) { // the last is nobody's
			judged = append(judged, Judged{Target: x.Text, Measure: x.Measure, Verdict: Met})
		}
		var e *Exact
		if winner != "" {
			e = &Exact{Winner: winner, Text: "Solved."}
		}
		e.Overrule(targets, judged)
		got := ""
		for _, j := range judged[:len(texts)] {
			got += map[bool]string{true: "m", false: "."}[j.Verdict == Missed && j.Exact == "Solved."]
			if j.Verdict == Met != (j.Exact == "") {
				t.Errorf("%+v", j)
			}
		}
		if got != want || judged[len(texts)].Verdict != Met {
			t.Errorf("%q wins: %s of %v are missed, want %s", winner, got, texts, want)
		}
	}
}

// The knobs in which two rules differ are listed, with both values; the same rules have none.
func TestKnobsThatDiffer(t *testing.T) {
	t.Parallel()
	canonical := func(set ...string) string { return enginetest.Load(t, "classic", set...).Rules().Canonical() }
	got, err := knobChanges(canonical(), canonical("board.columns=4", "win.misere=true"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, k := range got {
		texts = append(texts, fmt.Sprintf("%s %s %s", k.Path, k.Before, k.After))
	}
	slices.Sort(texts)
	if strings.Join(texts, "; ") != "board.columns 3 4; win.misere false true" {
		t.Errorf("%q", texts)
	}
	if got, err := knobChanges(canonical(), canonical()); err != nil || got == nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range [][2]string{{"{", "{}"}, {"{}", "7"}} {
		if _, err := knobChanges(c[0], c[1]); err == nil || !strings.HasPrefix(err.Error(), "stored rules: ") {
			t.Errorf("%v: %v", c, err)
		}
	}
	for _, c := range []struct {
		p, q plan
		want bool
	}{
		{plan{1, "mirror/", 5}, plan{2, "mirror/", 5}, true},
		{plan{1, "mirror/", 5}, plan{1, "mirror/", 6}, false},
		{plan{1, "mirror/", 5}, plan{1, "openings/", 5}, false},
	} {
		if got := c.p.fits(c.q); got != c.want || c.q.fits(c.p) != c.want {
			t.Errorf("%+v fits %+v: %t", c.p, c.q, got)
		}
	}
}

// Of a comparison a change is told where both numbers are there, and is more or less where its interval is beyond 0 on both ends.
func TestVerdictsOfAComparison(t *testing.T) {
	t.Parallel()
	there := Number{Value: 1, Lo: 0, Hi: 2, N: 5}
	change := func(lo, hi float64) Number { return Number{Value: (lo + hi) / 2, Lo: lo, Hi: hi, N: 5} }
	open := func(n Number, lo, hi bool) Number {
		n.LoOpen, n.HiOpen = lo, hi
		return n
	}
	for _, c := range []struct {
		before, after, change Number
		want                  string
	}{
		{there, there, change(0.1, 0.5), "more"},
		{there, there, change(-0.5, -0.1), "less"},
		{there, there, change(-0.1, 0.1), string(Undecided)},
		{there, there, change(0, 0.1), string(Undecided)},
		{there, there, change(-0.1, 0), string(Undecided)},
		{there, there, open(change(0.1, 0.5), false, true), string(Undecided)},
		{there, there, open(change(-0.5, -0.1), true, false), string(Undecided)},
		{there, there, Number{}, string(Undecided)},
		{Number{}, there, change(0.1, 0.5), ""},
		{there, Number{}, change(0.1, 0.5), ""},
	} {
		var cmp Comparison
		cmp.add("g", "m", c.before, c.after, c.change, true)
		got := ""
		if len(cmp.Rows) == 1 {
			got = string(cmp.Rows[0].Verdict)
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.change, got, c.want)
		}
	}
}

// The images of a first move are its places under the symmetries, each once, in their order.
func TestImagesOfAMove(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for text, want := range map[string]string{"a1": "a1 c1 a3 c3", "b2": "b2", "b1": "b1 a2 c2 b3"} {
		m, err := g.ReadMove(text)
		if err != nil {
			t.Fatal(err)
		}
		texts, cells := images(g, m)
		if strings.Join(texts, " ") != want || len(cells) != len(texts) || !slices.IsSorted(cells) {
			t.Errorf("%s: %v, %v; want %s", text, texts, cells, want)
		}
	}
	if texts, cells := images(g, engines.Pass); len(cells) != 0 || cells == nil || len(texts) != 1 {
		t.Errorf("a pass: %v, %v", texts, cells)
	}
	if text, err := json.Marshal(Number{}); err != nil || string(text) != "null" {
		t.Errorf("a number that is not there: %s, %v", text, err)
	}
}

// Games that equal an earlier one are few below 5 % of them, and not too many below 30 %.
func TestLightOfRepeatedGames(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for repeated, want := range map[int64]Colour{100: Good, 2_000: Middling, 6_000: Poor} {
		r := &Report{Groups: []Group{{Name: "a against itself", Kind: "mirror", Variety: &Variety{}}}}
		r.Groups[0].DistinctOf = m.share(10_000-repeated, 10_000, "games")
		for _, l := range m.lights(r) {
			if l.Measure == "repeated_games" && l.Colour != want {
				t.Errorf("%d of 10,000: %s, want %s", repeated, l.Colour, want)
			}
		}
	}
}

// How games grow apart is counted ply by ply, up to a limit; beyond it positions count in all alone.
func TestGrowthIsCountedToALimit(t *testing.T) {
	t.Parallel()
	g := newGrowth()
	for _, ply := range []int{1, growthPlies, growthPlies + 1, growthPlies + 50} {
		g.add(ply, uint64(ply), 3)
	}
	if g.total != 12 || len(g.ply) != growthPlies || len(g.visited) != growthPlies || g.visited[0] != 3 || g.visited[growthPlies-1] != 3 {
		t.Errorf("%d in all, %d plies, %d visits of the last", g.total, len(g.ply), g.visited[len(g.visited)-1])
	}
}
