package pages

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/agents/patterns"
	"spar/arena/campaign"
	"spar/engines/enginetest"
	"spar/engines/explain"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/tuning"
	"spar/tuning/learn"
	"spar/tuning/optimise"
	"spar/tuning/sweep"
)

// Sections leave out what there is nothing to say of, and hold what there is one of.
func TestSectionsOfLittle(t *testing.T) {
	t.Parallel()
	group := balance.Group{Name: "a", Kind: "mirror", Course: &balance.Course{}, Alive: []balance.Use{{Mechanic: "steps", PerGame: about(5, "")}}}
	b := &builder{r: &balance.Report{Groups: []balance.Group{group}}, told: &explain.Rules{}}
	b.main = &b.r.Groups[0]
	s := b.drama()
	same(t, "one mechanic", 1, len(tableOf(t, s, "How often the mechanics happen").Rows))
	if f := b.snowball(); len(f.Chart.(*chart.Grid).Cells) != 0 {
		t.Errorf("%+v", f)
	}
	for want, completion := range map[string]float64{" A cap, not the rules, ended 10 % of them.": 0.9, "": 1} {
		b.main.Length.All = balance.Spread{Median: about(9, "plies"), P95: about(9, "plies"), Min: 9, Max: 9}
		b.main.Ends.Completion = made(completion)
		if got := b.length().Lead; got != "All games have 9 plies."+want {
			t.Errorf("completion %g: %q", completion, got)
		}
		if b.main.Length.All = (balance.Spread{}); b.length().Lead != "" {
			t.Errorf("without a length: %q", b.length().Lead)
		}
	}
	b.r.Samples = []balance.Sample{{Kind: "median", Moves: "b2 a1", From: 2, Values: []float64{0.7}}}
	same(t, "one value", []float64{nan(), nan(), 0.7}, b.games().Games[0].Values)
	b.main.Variety = &balance.Variety{Openings: []balance.EffectivePly{{Ply: 1, Effective: about(3, "")}}}
	if s := b.openings(); s.Lead != "" || len(s.Figures) != 1 {
		t.Errorf("openings of a group: %q", s.Lead)
	}
	if b.main = (&balance.Group{}); b.openings().Lead != "" {
		t.Error("a figure without a table says something about openings")
	}
	b.main = &b.r.Groups[0]
	if s := (&builder{r: &balance.Report{}}).openings(); s.Lead != "The games say nothing about openings." {
		t.Error(s.Lead)
	}
	gs := []*balance.Group{{Name: "a"}, {Name: "b"}}
	if got := pick(gs, 2); &got[0] != &gs[0] {
		t.Error("as many groups as there is room for are all shown")
	}
	if got := pick(gs[:1], 1); len(got) != 1 {
		t.Errorf("%d groups", len(got))
	}
	b.r.Trends.Advantage.Points = []balance.TierPoint{{Name: "a", Number: about(5, "elo")}}
	same(t, "one agent's advantage", 1, len(tableOf(t, b.outcome(), "What moving first is worth").Rows))

	same(t, "no other rules", "", notInTotal(&balance.Report{}))
	same(t, "other rules", "Games under other rules are none of the 7 of this page.", notInTotal(&balance.Report{Knobs: &balance.Knobs{}, Study: balance.Played{Games: 7}}))
	r := &balance.Report{Study: balance.Played{Decided: 1, BadGames: 1}, Inquiry: []campaign.Stage{{Free: campaign.Probe{By: map[string]campaign.Tally{"mcts": {First: 1}}}}}}
	s = (&builder{r: r}).method()
	said := strings.Join(s.Paragraphs, "\n")
	for _, want := range []string{"1 game were adjudicated", "1 game do not replay"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	if rows := rowsOf(tableOf(t, s, "What was played")); r.Asked() != 1 || len(rows) != 1 || !strings.Contains(rows[0], "in 1 stage") {
		t.Errorf("%q", rows)
	}
	for _, x := range s.Tables {
		if x.ID == "targets" {
			t.Error("nothing was required")
		}
	}
}

// Numbers of a tuning: what chance does is told however little it is, words have a table of their own, and a course may be shorter than the
// list of numbers.
func TestTuningOfLittle(t *testing.T) {
	t.Parallel()
	r := &tuning.Result{Changes: []tuning.Change{{Path: "x", Before: 0.5, After: 0.6, Noise: 0.05, Scale: 0.1}, {Path: "z", Before: 1, After: 2}, {Path: "y", After: 0.5, Scale: 1}}, Course: []tuning.Point{{Games: 9, Current: []float64{0.55, 2}}}}
	d := Tuned{Result: r}
	s := weights(d)
	same(t, "numbers", []string{"x | 0.50 | 0.60 | 0.05 | 2.0", "z | 1.00 | 2.00 | – | –", "y | 0.00 | 0.50 | – | –"}, rowsOf(tableOf(t, s, "Numbers")))
	to := chartOf(t, s, "Weights").(*chart.Dumbbell).Rows[0].To
	same(t, "by chance", chart.Row{Value: 6, Lo: 5.02, Hi: 6.98}, to)
	if len(s.Tables) != 1 {
		t.Errorf("%d tables without words", len(s.Tables))
	}
	r.Choices = []tuning.Choice{{Path: "order", Before: "near", After: "far"}}
	same(t, "words", []string{"order | near | far"}, rowsOf(tableOf(t, weights(d), "Knobs whose values are words")))
	var b bytes.Buffer
	TuningText(&b, &tuning.Result{Changes: r.Changes[:1]})
	same(t, "text", "x 0.5 0.6 0.05 2.0 sd", fields(b.String())[1])
	var got [][]chart.Point
	for _, l := range chartOf(t, course(d), "Weights against games").(*chart.Lines).Lines {
		got = append(got, l.Points)
	}
	same(t, "course", [][]chart.Point{{{X: 9, Y: 0.5}}, nil, nil}, got)
	same(t, "what has no scale moved least", []int{1, 0}, farthest([]tuning.Change{{After: 99}, {After: 0.5, Scale: 1}}, 2))
	if above(match(0.5, 0.3, 0.3)) || !above(match(0.5, 0.4, 0.3)) || below(match(0.5, -0.3, 0.3)) || !below(match(0.5, -0.4, 0.3)) {
		t.Error("a gain is an interval above 0, a loss one below")
	}
	p := &tuning.Plane{Paths: [2]string{"x", "y"}, Axes: [2][]tuning.Spot{{{}}, {{}, {}}}, Cells: [][]*tuning.PlaneCell{{{Match: match(0.5, 0.5, 0.7)}, {Match: match(0.5, 2, 1.5)}}}}
	same(t, "hatched", []chart.Cell{{Value: 0.5, Text: "+0", Mark: chart.Hatched}, {Value: 2, Text: "+2"}}, chartOf(t, together([]*tuning.Plane{p}), "x and y").(*chart.Grid).Cells[0])
	whole := &tuning.Tuning{Game: enginetest.Load(t, "classic")}
	for _, c := range []struct {
		landscape []tuning.Slice
		planes    []*tuning.Plane
		missing   bool
		sections  string
	}{
		{nil, nil, true, "weights course"}, {[]tuning.Slice{}, nil, false, "weights course landscape"}, {nil, []*tuning.Plane{p}, false, "weights course together"}, {[]tuning.Slice{}, []*tuning.Plane{p}, false, "weights course landscape together"},
	} {
		doc := Tuning(Tuned{Tuning: whole, Result: r, Landscape: c.landscape, Planes: c.planes})
		missing := slices.ContainsFunc(doc.Missing, func(m page.Missing) bool { return strings.HasPrefix(m.What, "the landscape") })
		var ids []string
		for _, s := range doc.Sections {
			ids = append(ids, s.ID)
		}
		if missing != c.missing || strings.Join(ids, " ") != c.sections {
			t.Errorf("the landscape is missing: %t; sections %v, want %s", missing, ids, c.sections)
		}
	}
	sims := []optimise.Simulation{{Course: make([]optimise.SimulationPoint, 22)}, {Course: make([]optimise.SimulationPoint, 22)}}
	b.Reset()
	if err := SimulationText(&b, "spsa", 3, 220, sims[:1]); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), ", 1 run;") {
		t.Error(b.String())
	}
}

// A sweep's figures and texts at their edges: what was not measured is left out, an interval that ends at even holds it, and of equal
// variants the first is named.
func TestSweepEdges(t *testing.T) {
	t.Parallel()
	score, depth := measures()[0], measures()[4]
	r := result(true, "win.line")
	for _, m := range []measure{score, depth} {
		want := "at 0.5 even"
		if m.name == "depth" {
			want = ""
		}
		for _, c := range []chart.Chart{slice(r, m), forest(r, m)} {
			if got := frameOf(c); got != want {
				t.Errorf("%s: %q, want %q", m.name, got, want)
			}
		}
	}
	same(t, "depth", []chart.Point{{X: 0, Y: 3, Lo: 2.96, Hi: 3.04, N: 200}, {X: 1, Y: 4, Lo: 3.96, Hi: 4.04, N: 200}}, slice(r, depth).(*chart.Lines).Lines[0].Points)
	if name := slice(r, depth).(*chart.Lines).Lines[0].Name; name != "" {
		t.Errorf("depth is of %s", name)
	}
	apart := result(true, "win.line")
	apart.Variants[0].ByTier[0] = sweep.Numbers{"score": measured(0.7)}
	same(t, "each agent's own", 0.7, slice(apart, score).(*chart.Lines).Lines[0].Points[0].Y)
	none := result(true, "win.line")
	none.Variants[0].ByTier[1] = sweep.Numbers{}
	none.Variants[1].Values = []string{"9"} // no value of the knob
	for _, l := range slice(none, score).(*chart.Lines).Lines[1:] {
		if len(l.Points) != 0 {
			t.Errorf("%s: %+v", l.Name, l.Points)
		}
	}
	for _, c := range []struct {
		lo, hi float64
		want   bool
	}{{0.5, 0.6, true}, {0.4, 0.5, true}, {0.51, 0.6, false}, {0.4, 0.49, false}} {
		n := balance.Number{Value: (c.lo + c.hi) / 2, Lo: c.lo, Hi: c.hi, N: 9, Of: "games"}
		two := result(true, "win.line", "pieces.cap")
		two.Variants[1].Numbers["score"] = n
		if got := heat(two, score).(*chart.Grid).Cells[0][1].Mark&chart.Hatched != 0; got != c.want {
			t.Errorf("%g to %g is hatched: %t", c.lo, c.hi, got)
		}
		if got := forest(two, score).(*chart.Forest).Rows[1].Hollow; got != c.want {
			t.Errorf("%g to %g is a ring: %t", c.lo, c.hi, got)
		}
	}
	two := heat(result(true, "win.line", "pieces.cap"), score).(*chart.Grid)
	same(t, "axes", []string{"win.line", "pieces.cap"}, []string{two.YLabel, two.XLabel})
	for n, want := range map[int]string{1: "*chart.Lines", 2: "*chart.Grid", 3: "*chart.Forest"} {
		s := landscape(result(true, []string{"a", "b", "c"}[:n]...))
		if got := fmt.Sprintf("%T", s.Figures[0].Chart); got != want {
			t.Errorf("%d knobs: %s, want %s", n, got, want)
		}
	}
	three := result(true, "a", "b")
	for i, v := range []float64{0.6, 0.4, 0.6, 0.4} {
		three.Variants[i].Numbers["score"] = made(v)
	}
	same(t, "the first of equals", "From 40.0 % with a 1, b 2 to 60.0 % with a 1, b 1.", caption(three, score))
	three.Variants[0].Numbers["score"], three.Variants[1].Numbers["score"] = balance.Number{}, balance.Number{Value: 0.1}
	same(t, "measured ones", "From 40.0 % with a 2, b 2 to 60.0 % with a 2, b 1.", caption(three, score))
	three.Again, three.Variants = nil, three.Variants[:1]
	same(t, "the only one", "classic[0]", best(three))
	if three.Variants = nil; best(three) != "" || fresh(three).Title != "" || effectsOf(three).Title != "" {
		t.Error("nothing was played, and something is the best, measured again or has an effect")
	}
	r.Effects = []sweep.Effect{{Path: "win.line", Value: "2"}}
	if effectsOf(r).Title != "" {
		t.Error("one knob has effects by itself")
	}

	var b bytes.Buffer
	r = result(true, "win.line")
	r.Variants[1].Numbers["depth"] = balance.Number{}
	for i := range r.Variants {
		r.Variants[i].ByTier = nil // of no agent apart
		r.Variants[i].Far = float64(-i)
	}
	r.Targets = nil
	variantTable(&b, r)
	lines := fields(b.String())
	if len(lines) != 4 || strings.Contains(b.String(), "targets") || strings.Contains(b.String(), "undecided") || !strings.HasPrefix(lines[1], "1 mcts-10v") || !strings.HasPrefix(lines[3], "depth is in steps") {
		t.Errorf("%q", lines)
	}
}

// What no variant meets is said at the end.
func TestUnmetTargets(t *testing.T) {
	t.Parallel()
	for verdict, want := range map[balance.Verdict]bool{balance.Met: false, balance.Missed: true} {
		var b bytes.Buffer
		r := result(true, "win.line")
		r.Again[0].Verdict = verdict
		for i := range r.Variants {
			r.Variants[i].Verdict = verdict
		}
		if err := SweepText(&b, r); err != nil {
			t.Fatal(err)
		}
		if text := r.Unmet(); (text != "") != want || !strings.HasSuffix(b.String(), text+"\n") || strings.HasSuffix(b.String(), "\n\n") {
			t.Errorf("%s: %q at the end of\n%s", verdict, text, &b)
		}
	}
}

// A learned evaluation: maps are of boards in columns, and who is nearer to the truth is told from one proof on.
func TestNetOfLittle(t *testing.T) {
	t.Parallel()
	layout, err := patterns.NewLayout(enginetest.Load(t, "classic"), patterns.Architecture{Tables: []string{"psq"}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := layout.New(make([]float32, layout.Params()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		net, linear float64
		want        string
	}{
		{0.9, 0.3, "Of 1 that a short proof decides, the net is nearer to the truth in 1."},
		{0.3, 0.9, "Of 1 that a short proof decides, the net is nearer to the truth in 0."},
		{0.6, 0.6, "Of 1 that a short proof decides, the net is nearer to the truth in 0."},
	} {
		s := netDisputes(Learned{Net: net, Portrait: learn.Portrait{Disputes: []learn.Dispute{{Position: "p", Net: c.net, Linear: c.linear, Exact: "win"}}}})
		same(t, "one proof", []string{c.want}, s.Paragraphs)
	}
}
