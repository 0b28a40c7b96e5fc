package figures

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/reports/chart"
)

func play(t *testing.T, db *store.DB, plan string) {
	t.Helper()
	p := must.Get(arena.LoadPlan("p.yaml", []byte(plan)))(t)
	must.Get(arena.Run(t.Context(), t.Context(), p, db, arena.Options{}))(t)
}

// drawn is the chart below the title, which names the games.
func drawn[C chart.Chart](t *testing.T, f *Figure, title string) C {
	t.Helper()
	p := f.Chart.(*chart.Named)
	if p.Title != title || !strings.HasPrefix(f.Alt, title+". ") {
		t.Errorf("title %q and text %q, want %q", p.Title, f.Alt, title)
	}
	return p.Chart.(C)
}

// Every kind of figure shows what the stored games say: ratings in order, costs of a decision, budgets of a family.
func TestFiguresOfAStudy(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), storetest.New(t)
	for _, name := range []string{"ladder", "strength", "scaling"} {
		if _, err := Draw(ctx, db, Ask{Kind: name}); !errors.Is(err, ErrNone) && !errors.Is(err, ErrRules) {
			t.Errorf("%s of no games: %v", name, err)
		}
	}
	play(t, db, "name: f\ngames: [vanishing, classic]\nagents: [minimax-2, minimax-4, random]\nformat: "+
		"round-robin\npairs: 20\nopenings: {plies: 2}\nseed: 7\nrecord_plies: true\n")
	draw := func(kind, rules, cost string) *Figure {
		f, err := Draw(ctx, db, Ask{Kind: kind, Rules: rules, Cost: cost})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		return f
	}
	rows := drawn[*chart.Forest](t, draw("ladder", "vanishing", ""), "vanishing").Rows
	if len(rows) != 3 || rows[2].Label != "random" || rows[0].Value < rows[1].Value || rows[1].Value < rows[2].Value ||
		rows[2].Hi >= rows[1].Value || rows[0].Hollow {
		t.Errorf("%+v", rows)
	}
	// Nodes of a decision: those of all stored games by the decisions that were not the opening's.
	nodes, decisions := map[string]float64{}, map[string]float64{}
	for _, g := range storetest.Games(t, db, store.Filter{Rules: "vanishing"}) {
		thoughts := must.Get(db.Thoughts(ctx, g.ID))(t)
		for ply, x := range thoughts {
			name := []string{g.SecondName, g.FirstName}[ply%2]
			nodes[name] += float64(x.Nodes)
			decisions[name]++
		}
	}
	cost := drawn[*chart.Scatter](t, draw("strength", "vanishing", "nodes"), "vanishing")
	for i, d := range cost.Dots {
		if want := nodes[d.Label] / decisions[d.Label]; math.Abs(math.Exp2(d.X.Value)-want) > 0.05*want {
			t.Errorf("%s: %g nodes a decision, want %g", d.Label, math.Exp2(d.X.Value), want)
		}
		if i > 0 && d.X.Value < cost.Dots[i-1].X.Value {
			t.Error("dots are not in the order of cost")
		}
		best := true
		for _, e := range cost.Dots[:i] {
			best = best && d.Y.Value > e.Y.Value
		}
		if d.Front != best || d.Hollow || !(d.Y.Lo < d.Y.Value && d.Y.Value < d.Y.Hi) {
			t.Errorf("%+v", d)
		}
	}
	if time := drawn[*chart.Scatter](t, draw("strength", "vanishing", "time"),
		"vanishing"); time.X.Label == cost.X.Label || len(time.Dots) < 2 {
		t.Errorf("%+v", time)
	}
	scale := drawn[*chart.Lines](t, draw("scaling", "vanishing", ""), "vanishing")
	if len(scale.Lines) != 1 || scale.Lines[0].Name != "minimax" || scale.X.Label != "depth (plies)" ||
		len(scale.Lines[0].Points) != 2 {
		t.Fatalf("%+v", scale)
	}
	// depths 2 and 4, by logarithm
	if xs := []float64{
		scale.Lines[0].Points[0].X,
		scale.Lines[0].Points[1].X,
	}; !slices.Equal(slices.Sorted(slices.Values(xs)), []float64{1, 2}) {
		t.Errorf("%v", xs)
	}
	for kind, want := range map[string]error{"ladders": ErrKind} {
		if _, err := Draw(ctx, db, Ask{Kind: kind}); !errors.Is(err, want) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := Draw(ctx, db, Ask{Kind: "ladder", Rules: "ctor"}); !errors.Is(err, ErrRules) {
		t.Errorf("%v", err)
	}
}

// Who looks at nothing has no nodes, and no dot.
func TestStrengthOfWhoSearches(t *testing.T) {
	t.Parallel()
	for agents, want := range map[string][]string{"minimax-2, random": {"minimax-2"}, "greedy, random": {"greedy"}} {
		db := storetest.New(t)
		play(t, db, "name: f\ngames: [classic]\nagents: ["+agents+"]\nformat: match\npairs: 4\nopenings: {plies: "+
			"1}\nseed: 7\n")
		f, err := Draw(t.Context(), db, Ask{Kind: "strength", Rules: "classic", Cost: "nodes"})
		if f, err := Draw(t.Context(), db, Ask{Kind: "scaling", Rules: "classic"}); !errors.Is(err, ErrNone) {
			t.Errorf("one agent with a budget is no family: %+v, %v", f, err)
		}
		var got []string
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range drawn[*chart.Scatter](t, f, "classic").Dots {
			got = append(got, d.Label)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", agents, got, want)
		}
	}
}

// The heatmap has the measured scores: the two cells of a pair add up to 1,
// agents stand in the order of their ratings, pairs of few games are hatched, and those of none have no measured score.
func TestHeatmap(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	play(t, db, "name: f\ngames: [classic]\nagents: [minimax-4, greedy, random]\nformat: round-robin\npairs: "+
		"20\nopenings: {plies: 2}\nseed: 7\n")
	play(t, db, "name: g\ngames: [classic]\nagents: [minimax-2, random]\nformat: match\npairs: 4\nopenings: {plies: "+
		"2}\nseed: 7\n")
	points, games := map[[2]string]float64{}, map[[2]string]float64{}
	for _, g := range storetest.Games(t, db, store.Filter{}) {
		first := map[string]float64{"first": 1, "draw": 0.5}[g.Result]
		for seats, won := range map[[2]string]float64{{g.FirstName, g.SecondName}: first, {g.SecondName, g.FirstName}: 1 - first} {
			points[seats] += won
			games[seats]++
		}
	}
	f := must.Get(Draw(t.Context(), db, Ask{Kind: "heatmap", Rules: "classic"}))(t)
	g := drawn[*chart.Grid](t, f, "classic")
	for i, a := range g.Rows {
		for j, b := range g.Columns {
			c := g.Cells[i][j]
			mirrored := g.Cells[j][i]
			n := games[[2]string{a, b}]
			mark := chart.Mark(0)
			switch {
			case n == 0 && a != b:
				mark = chart.Crossed
			case n < 20 && a != b:
				mark = chart.Hatched
			}
			switch {
			case c.Mark != mark, (i == j || mark == chart.Crossed) != math.IsNaN(c.Value):
				t.Errorf("%s against %s in %g games: %+v", a, b, n, c)
			case math.IsNaN(c.Value):
			case math.Abs(c.Value+mirrored.Value-1) > 1e-9:
				t.Errorf("%s against %s: %+v and %+v", a, b, c, mirrored)
			case math.Abs(c.Value-points[[2]string{a, b}]/n) > 1e-9:
				t.Errorf("%s against %s: %g, want %g of %g", a, b, c.Value, points[[2]string{a, b}], n)
			}
		}
	}
}

// What a figure shows can be chosen: agents, colours in their order, title and size, which has to hold the labels.
func TestFiguresAsAsked(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	play(t, db, "name: f\ngames: [classic]\nagents: [minimax-4, greedy, random]\npairs: 10\nopenings: {plies: 2}\nseed: 7\n")
	red := must.Get(chart.ParseColour("#f00"))(t)
	ask := Ask{
		Kind: "ladder", Title: new(string), Agents: []string{"random", "minimax-4"}, Colours: []chart.Colour{chart.C, red}, Width: 500,
		Height: 300,
	}
	*ask.Title = "Mine"
	f := must.Get(Draw(t.Context(), db, ask))(t)
	rows := drawn[*chart.Forest](t, f, "Mine").Rows
	if w, h := f.Chart.Size(); w != 500 || h != 300 || len(rows) != 2 || rows[0].Label != "minimax-4" || rows[0].Colour != red ||
		rows[1].Colour != chart.C {
		t.Errorf("%gx%g, %+v", w, h, rows)
	}
	for _, c := range []struct {
		ask  Ask
		want error
	}{
		{Ask{Kind: "ladder", Agents: []string{"grady"}}, ErrAgent},
		{Ask{Kind: "heatmap", Agents: []string{"greedy"}}, ErrNone},
		{Ask{Kind: "strength", Width: 200, Height: 50}, ErrSize},
	} {
		if _, err := Draw(t.Context(), db, c.ask); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.ask, err)
		}
	}
}

// A family is told by its one limit; names are shortened to what they have in common before a number.
func TestFamilies(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]struct {
		unit  string
		limit float64
	}{
		`{"type":"minimax","budget":{"depth":3}}`:    {"depth (plies)", 3},
		`{"type":"mcts","budget":{"iterations":50}}`: {"simulations", 50},
		`{"type":"mcts","budget":{"seconds":0.5}}`:   {"seconds", 0.5},
		`{"type":"mcts","budget":{"nodes":1}}`:       {"nodes", 1}, `{"type":"mcts","budget":{"nodes":5,"seconds":1}}`: {
			"",
			0,
		},
		`{"type":"greedy"}`: {"", 0}, "no JSON": {"", 0},
	} {
		family, unit, limit := budgetOf(spec)
		if unit != want.unit || limit != want.limit || (family == "") != (want.limit == 0) {
			t.Errorf("%s: %q, %s, %g", spec, family, unit, limit)
		}
	}
	a, _, _ := budgetOf(`{"name":"a","type":"minimax","budget":{"depth":3}}`)
	b, _, _ := budgetOf(`{"name":"b","type":"minimax","budget":{"depth":4}}`)
	if a != b {
		t.Errorf("%s and %s", a, b)
	}
	for want, names := range map[string][]string{
		"mcts": {"mcts-100", "mcts-1000"}, "x": {"x[1]", "x[2]"},
		"7": {"7", "72"}, "ab": {"abc-1", "abd-1"},
	} {
		if got := common(names); got != want {
			t.Errorf("%v: %q, want %q", names, got, want)
		}
	}
}
