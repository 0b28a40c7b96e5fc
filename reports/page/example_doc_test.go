package page

import (
	"math"
	"strings"
	"testing"

	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// sample is a document with one of everything, whose numbers are made up.
func sample(t testing.TB) *Document {
	t.Helper()
	tiers := []string{"random", "mcts-100", "mcts-200", "mcts-400"}
	tab := table.Table{
		Caption: "Results by tier",
		Columns: []table.Column{
			{Name: "agent", Text: true},
			{Name: "first player scores", Help: "draws count half"},
			{Name: "games"},
			{Name: "length"},
		},
		Note: "Wilson intervals at 95 %.",
	}
	stack := &chart.Stack{Parts: chart.Outcome(strings.TrimSpace), Ref: 0.5}
	line := chart.Line{Name: "first player", Colour: chart.First, Style: chart.Band}
	for i, tier := range tiers {
		v := 0.52 + 0.03*float64(i)
		tab.Rows = append(tab.Rows, []table.Cell{
			table.Words(tier),
			table.Estimate(ratings.WithInterval(v, v-0.03, v+0.03, 800), chart.Percent,
				1).With([]table.Status{table.Good, table.Good, table.Undecided, table.Poor}[i]), table.Count(800 * (i + 1)),
			table.Num(21.5-float64(i), chart.Number, 1),
		})
		stack.Bars = append(stack.Bars, chart.Bar{Label: tier, Values: []float64{v - 0.05, 0.1, 0, 0.95 - v}, N: 800})
		line.Points = append(line.Points, chart.PointOf(float64(i), chart.Between(v, v-0.03, v+0.03)))
	}
	tab.Rows = append(tab.Rows, []table.Cell{
		table.Words("mcts-800"), table.None("not played"), table.Count(0),
		table.None("no games"),
	})
	return &Document{
		Title:    "Vanishing tic-tac-toe: balance",
		Subtitle: "rules vanishing, 3 × 3, 4 tiers, 3 200 games",
		Verdict: Verdict{
			table.Poor, "The first player is favoured: 61.0 % at the strongest tier.",
			"The advantage grows with strength, by 9 Elo a doubling.",
		},
		Warnings: []string{"12 % of the games are equal to earlier ones."},
		Answers: []Answer{
			{"Fair?", "No", table.Poor, "The first player scores 61 % (58 to 64)."},
			{"Dramatic?", "", table.Plain, "The winner leads for good after 40 % (36 to 44) of a game."},
		},
		Sections: []Section{
			{
				ID: "who-wins", Title: "Who wins?", Lead: "The first player, the more so the stronger the players are.",
				Figures: []Figure{
					{Title: "Outcome by strength", Caption: "Among strong players the first player wins more often.", Chart: stack},
					{
						Title: "Score of the first player", Caption: "The band is the 95 % interval.",
						Chart: &chart.Lines{
							X: chart.Axis{Label: "strength", Names: tiers},
							Y: chart.Axis{Label: "first player scores", Unit: chart.Percent}, Lines: []chart.Line{line},
							Refs: []chart.Ref{{Value: 0.5, Label: "even"}},
						},
					},
					{
						Title: "Elo per doubling", Caption: "Never drawn.",
						Chart: &chart.Lines{Lines: []chart.Line{{Points: []chart.Point{chart.PointAt(1, math.NaN())}}}},
					},
				},
				Tables: []table.Table{tab},
			},
			{
				ID: "length", Title: "Length", Lead: "Games last 13 plies in the middle.",
				Figures: []Figure{{
					Title: "Length of games", Caption: "Half of the games end by ply 13.",
					Chart: &chart.Histogram{
						X: chart.Axis{Label: "plies", Unit: chart.Integer}, Y: "games",
						Bins: []chart.Bin{
							{Lo: 4.5, Hi: 7.5, Counts: []float64{4}},
							{Lo: 7.5, Hi: 10.5, Counts: []float64{5}},
							{Lo: 10.5, Hi: 13.5, Counts: []float64{3}},
							{Lo: 13.5, Hi: 19.5, Counts: []float64{2}},
						},
						Marks: []chart.Ref{{Value: 9, Label: "median 9"}},
					},
				}},
				Commands: []Command{{Text: "spar games --db out/study.db --sort -plies", Note: "The longest games:"}},
			},
			{
				ID: "games", Title: "Sample games", Lead: "Two games to step through.",
				Games: []GameView{
					{
						Title: "A short game", Why: "The shortest of 3 200.", Game: enginetest.Load(t, "vanishing"),
						Moves: strings.Fields("b2 a1 a2 c2 c3 b1 c1"), Names: [2]string{"mcts-400", "mcts-200"},
						Values: []float64{0.6, 0.62, 0.7, 0.68, 0.5, 0.52, 0.3, 0.45},
						Source: "mcts, 20 000 playouts, the same for both sides", Command: "spar show 17 --db out/study.db",
					},
					{Title: "A game with captures", Game: enginetest.Load(t, "ctor"), Moves: ctorMoves(t)},
				},
			},
		},
		Missing: []Missing{{
			What: "Skill ladder", Why: "the study has no matches between tiers",
			Remedy: "spar balance vanishing --effort normal",
		}},
		Commands: []Command{{
			Text: "spar balance vanishing --effort quick --seed 1",
			Note: "Plays the games and writes this page:",
		}},
		Facts: []Fact{{"rules", "vanishing 0123456789abcdef"}, {"seed", "1"}},
	}
}

// ctorMoves is a game of ctor in which every placement is the first legal one, 24 plies of it.
func ctorMoves(t testing.TB) []string {
	t.Helper()
	p := enginetest.Load(t, "ctor").NewPosition()
	var out []string
	for len(out) < 24 && !p.Over() {
		ms := p.AppendMoves(nil)
		m := ms[len(out)*7%len(ms)]
		out = append(out, p.Game().MoveText(m))
		p.Play(m)
	}
	return out
}
