package pages

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"spar/engines/enginetest"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// made is a share with an interval of five points to each side, of 100 games.
func made(v float64) balance.Number {
	return balance.Number{Value: v, Lo: v - 0.05, Hi: v + 0.05, N: 100, Of: "games", Unit: "share", Method: "wilson"}
}

// about is a number in another unit, one to each side.
func about(v float64, unit string) balance.Number {
	return balance.Number{Value: v, Lo: v - 1, Hi: v + 1, N: 100, Of: "pairs", Unit: unit, Method: "student"}
}

// rowsOf are the values of a table's cells, a line for each row.
func rowsOf(t table.Table) []string {
	var out []string
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, strings.TrimSpace(strings.ReplaceAll(c.Value(), "−", "-")))
		}
		out = append(out, strings.Join(cells, " | "))
	}
	return out
}

// tableOf is the table with a caption; chartOf the chart of a figure.
func tableOf(t *testing.T, s page.Section, caption string) table.Table {
	t.Helper()
	for _, x := range s.Tables {
		if strings.HasPrefix(x.Caption, caption) {
			return x
		}
	}
	t.Fatalf("section %q has no table %q", s.ID, caption)
	return table.Table{}
}

func chartOf(t *testing.T, s page.Section, title string) chart.Chart {
	t.Helper()
	for _, f := range s.Figures {
		if f.Title == title {
			return f.Chart
		}
	}
	t.Fatalf("section %q has no figure %q", s.ID, title)
	return nil
}

// same compares what is NaN as equal.
func same(t *testing.T, name string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateComparable(chart.Colour{})); d != "" {
		t.Errorf("%s: (-want +got)\n%s", name, d)
	}
}

// What a ladder says: rungs, the step from random play apart, whether it has an end, and each neighbour.
func TestLadderSection(t *testing.T) {
	t.Parallel()
	ladder := func() *balance.Ladder {
		return &balance.Ladder{
			Top: "c", Depth: about(6, "rungs"), Skill: about(4, "rungs"), Slope: about(30, "elo per doubling"), LowerBound: true,
			Strength: []balance.TierPoint{{Tier: 0, Name: "a", Number: about(0, "elo")}, {Tier: 1, Name: "b", Number: about(70, "elo")}, {Tier: 2, Name: "c", Number: about(90, "elo")}},
			Rungs:    []balance.Rung{{Upper: "b", Lower: "a", Score: made(0.6), Elo: about(70, "elo"), Wins: 11, Draws: 2, Losses: 7}, {Upper: "c", Lower: "b", Score: made(0.55), Elo: about(20, "elo"), Wins: 10, Draws: 3, Losses: 8}},
		}
	}
	of := func(l *balance.Ladder) page.Section { return (&builder{r: &balance.Report{Ladder: l}}).depth() }
	s := of(ladder())
	same(t, "neighbours", []string{"b | a | 60.0 % | +70 | 11 | 2 | 7", "c | b | 55.0 % | +20 | 10 | 3 | 8"}, rowsOf(tableOf(t, s, "Neighbours")))
	lines := chartOf(t, s, "Strength above the weakest agent").(*chart.Lines)
	same(t, "strength", []chart.Point{{X: 0, Y: 0, Lo: -1, Hi: 1, N: 100}, {X: 1, Y: 70, Lo: 69, Hi: 71, N: 100}, {X: 2, Y: 90, Lo: 89, Hi: 91, N: 100}}, lines.Lines[0].Points)
	same(t, "names", []string{"a", "b", "c"}, lines.X.Names)
	same(t, "lead", "From the first search to c there are at least 4.00 (3.00 to 5.00) levels of skill: at each a player beats the one below in 60 % of the games.", s.Lead)
	same(t, "paragraphs", []string{
		"From the weakest agent to c there are at least 6.00 (5.00 to 7.00) rungs at which one player beats the one below in 60 % of the games.", "The strongest agent has not saturated: stronger ones would find more rungs.",
		"Doubling the search is worth +30 (+29 to +31) Elo on the average.",
	}, s.Paragraphs)
	l := ladder()
	l.Saturated, l.LowerBound, l.Skill, l.Slope = "b", false, balance.Number{}, balance.Number{}
	s = of(l)
	same(t, "a ladder with an end", []string{"The first doubling that gains nothing certain is b."}, s.Paragraphs)
	if strings.Contains(s.Lead, "at least") {
		t.Error("a ladder with an end is said to have none: " + s.Lead)
	}
	l.Saturated = ""
	same(t, "nothing more is known", 0, len(of(l).Paragraphs))
	if l.Depth = (balance.Number{}); of(l).Lead != "" {
		t.Error("a depth that was not measured is told")
	}
	if s := of(nil); !strings.Contains(s.Lead, "No ladder") || len(s.Figures)+len(s.Tables) != 0 {
		t.Errorf("without a ladder: %+v", s)
	}
}

// A table of agents: the score stands in the row of who made it, hatched where it may be even; circles are counted.
func TestMatrixSection(t *testing.T) {
	t.Parallel()
	m := &balance.Matrix{
		Agents: []string{"c", "b", "a"}, Triples: 1, NonTransitive: made(0.3), Ratings: []balance.Rated{{Agent: "c", Elo: about(50, "elo")}, {Agent: "a", Elo: about(-50, "elo"), Group: 1}},
		Cells: []balance.Cell{
			{Agent: "c", Opponent: "a", Score: made(0.7)},
			{Agent: "a", Opponent: "c", Score: made(0.3)},
			{Agent: "b", Opponent: "a", Score: made(0.52)},
			{Agent: "b", Opponent: "c", Score: made(0.55)},
			{Agent: "c", Opponent: "b", Score: made(0.45)},
			{Agent: "a", Opponent: "b"},
			{Agent: "x", Opponent: "a", Score: made(0.9)},
			{Agent: "a", Opponent: "x", Score: made(0.9)},
		},
	}
	s := (&builder{r: &balance.Report{Matrix: m}}).depth()
	g := chartOf(t, s, "Agents against each other").(*chart.Grid)
	none, self := chart.Cell{Value: nan()}, chart.Cell{Value: nan(), Text: "–"}
	same(t, "cells", [][]chart.Cell{
		{self, {Value: 0.45, Text: "45", Sub: "±5", Mark: chart.Hatched}, {Value: 0.7, Text: "70", Sub: "±5"}},
		{{Value: 0.55, Text: "55", Sub: "±5", Mark: chart.Hatched}, self, {Value: 0.52, Text: "52", Sub: "±5", Mark: chart.Hatched}},
		{{Value: 0.3, Text: "30", Sub: "±5"}, none, self},
	}, g.Cells)
	same(t, "rows", [][]string{{"1 c", "2 b", "3 a"}, {"1", "2", "3"}}, [][]string{g.Rows, g.Columns})
	same(t, "ratings", []string{"c | +50 | 1", "a | -50 | 2"}, rowsOf(tableOf(t, s, "Ratings")))
	if g.Width != chart.Half+40 || !strings.Contains(strings.Join(s.Paragraphs, " "), "Of 1 triples of agents 30.0 %") {
		t.Errorf("width %g, %q", g.Width, s.Paragraphs)
	}
	m.Agents, m.NonTransitive = strings.Fields("i h g f e d c b a"), balance.Number{}
	s = (&builder{r: &balance.Report{Matrix: m}}).depth()
	if g := chartOf(t, s, "Agents against each other").(*chart.Grid); g.Width != 0 || len(s.Paragraphs) != 0 {
		t.Errorf("nine agents: width %g, %q", g.Width, s.Paragraphs)
	}
	m.Agents = m.Agents[1:]
	if g := chartOf(t, (&builder{r: &balance.Report{Matrix: m}}).depth(), "Agents against each other").(*chart.Grid); g.Width == 0 {
		t.Error("eight agents fit into half a page")
	}
}

func nan() float64 { return math.NaN() }

// Restricted play, clarity and accuracy: a row each, boxes of the group of the verdict only, tables without rows left out.
func TestDepthTables(t *testing.T) {
	t.Parallel()
	clear := func(v float64, phases ...balance.PhaseClear) *balance.Clarity {
		return &balance.Clarity{Positions: 300, Narrow: made(v), Variance: about(2, ""), Shallow: made(v + 0.1), Phases: phases}
	}
	r := &balance.Report{
		Restrict: []balance.Restriction{{Name: "b, no jumps", What: "no jumps", Elo: about(-80, "elo"), Score: made(0.4), Text: "essential"}},
		Groups: []balance.Group{
			{Name: "a", Clarity: clear(0.2, balance.PhaseClear{Phase: "opening", Narrow: made(0.2), Box: [5]float64{9, 9, 9, 9, 9}})},
			{Name: "b", Accuracy: &balance.Accuracy{Kept: made(0.9), MeanLoss: made(0.05), Perfect: made(0.3)}, Clarity: clear(0.3, balance.PhaseClear{Phase: "opening", Narrow: made(0.3), Box: [5]float64{0.1, 0.2, 0.3, 0.4, 0.5}}, balance.PhaseClear{Phase: "middle"})},
			{Name: "c"},
		},
	}
	b := &builder{r: r, main: &r.Groups[1]}
	s := b.depth()
	same(t, "restricted", []string{"b, no jumps | no jumps | -80 | 40.0 % | essential"}, rowsOf(tableOf(t, s, "What it costs")))
	same(t, "clarity", []string{"a | 20.0 % | 2.00 | 30.0 % | 300", "b | 30.0 % | 2.00 | 40.0 % | 300"}, rowsOf(tableOf(t, s, "How clear")))
	same(t, "accuracy", []string{"b | 90.0 % | 5.0 % | 30.0 %"}, rowsOf(tableOf(t, s, "Decisions")))
	same(t, "boxes", []chart.Quantiles{{Label: "opening", P5: 0.1, P25: 0.2, P50: 0.3, P75: 0.4, P95: 0.5, N: 100}}, chartOf(t, s, "How many moves are about as good as the best").(*chart.Boxes).Rows)
	same(t, "forest", []chart.Row{{Label: "no jumps", Value: -80, Lo: -81, Hi: -79, N: 100}}, chartOf(t, s, "What a player cannot do without").(*chart.Forest).Rows)
	r.Restrict, r.Groups[0].Clarity, r.Groups[1].Clarity, r.Groups[1].Accuracy = nil, nil, nil, nil
	if s := b.depth(); len(s.Tables)+len(s.Figures) != 0 {
		t.Errorf("nothing was measured: %+v", s)
	}
}

// How games go: each group's row, the chance by lead and time with the best value on top, the winner's low points in twentieths.
func TestDramaSection(t *testing.T) {
	t.Parallel()
	course := func(k float64) *balance.Course {
		return &balance.Course{
			Games: 30, Decisiveness: made(0.1 + k), LeadChanges: about(2, ""), Drama: made(0.2 + k), Comebacks: made(0.3 + k), Late: made(0.4 + k), Killer: made(0.5 + k),
			SettledECDF: []balance.Step{{X: 0.5, Share: 0.4}, {X: 1, Share: 1}}, Uncertainty: []balance.Point{{X: 0, Y: made(1)}, {X: 0.5, Y: made(0.6)}},
			LowPoints: []float64{-0.1, 0, 0.049, 0.05, 0.999, 1}, LeadBars: []balance.Bar{{From: 0, To: 1, Count: 12, Part: 2}}, Swings: []balance.Swing{{At: 0.3, Gain: 0.2}},
		}
	}
	r := &balance.Report{
		Tiers: []balance.Tier{{Name: "a"}, {Name: "b"}, {Name: "c"}},
		Groups: []balance.Group{
			{Name: "a against itself", Kind: "mirror", Course: course(0)},
			{Name: "b against itself", Kind: "mirror", Tier: 1},
			{Name: "c against itself", Kind: "mirror", Tier: 2, Course: course(0.1), Snowball: &balance.Snowball{Half: about(7, ""), Table: []balance.LeadCell{
				{From: 0, To: 0.5, At: 0.5, Score: made(0.2)}, {From: 0.5, To: 1, At: 0.5, Score: made(0.8)}, {From: 0.5, To: 1, At: 0.25, Score: made(0.7)}, {From: 0, To: 0.5, At: 0.25},
			}}},
		},
	}
	b := &builder{r: r, main: &r.Groups[2]}
	s := b.drama()
	same(t, "courses", []string{
		"a against itself | 10.0 % | 2.00 | 20.0 % | 30.0 % | 40.0 % | 50.0 % | –", "c against itself | 20.0 % | 2.00 | 30.0 % | 40.0 % | 50.0 % | 60.0 % | 7.00",
	}, rowsOf(tableOf(t, s, "How games go")))
	if len(s.Tables) != 1 {
		t.Errorf("%d tables where no mechanic was counted", len(s.Tables))
	}
	g := chartOf(t, s, "Does a lead win?").(*chart.Grid)
	same(t, "snowball", [][]chart.Cell{{{Value: 0.7, Text: "70"}, {Value: 0.8, Text: "80"}}, {{Value: nan()}, {Value: 0.2, Text: "20"}}}, g.Cells)
	same(t, "snowball's names", [][]string{{"50–100 %", "0–50 %"}, {"25", "50"}}, [][]string{g.Rows, g.Columns})
	low := chartOf(t, s, "The winner's worst moment").(*chart.Histogram).Bins
	if len(low) != 20 || low[0].Counts[0] != 3 || low[1].Counts[0] != 1 || low[19].Counts[0] != 2 || math.Abs(low[1].Lo-0.05) > 1e-9 || math.Abs(low[19].Hi-1) > 1e-9 {
		t.Errorf("low points: %+v", low)
	}
	open, settled := chartOf(t, s, "How open games stay").(*chart.Lines).Lines, chartOf(t, s, "When the winner leads for good").(*chart.Lines).Lines
	if len(open) != 2 || len(settled) != 2 || open[0].Name != "a" || settled[1].Name != "c" {
		t.Fatalf("%+v, %+v", open, settled)
	}
	same(t, "open", []chart.Point{{X: 0, Y: 1, Lo: 0.95, Hi: 1.05, N: 100}, {X: 0.5, Y: 0.6, Lo: 0.55, Hi: 0.65, N: 100}}, open[0].Points)
	same(t, "settled", []chart.Point{{X: 0.5, Y: 0.4}, {X: 1, Y: 1}}, settled[0].Points)
	same(t, "swings", []chart.Dot{{X: 0.3, Y: 0.2, Hollow: true}}, chartOf(t, s, "The biggest move of each game").(*chart.Scatter).Dots)
	same(t, "lead", "The winner leads for good after 20.0 % (15.0 to 25.0 %) of a game;  40.0 % (35.0 to 45.0 %) of the wins are comebacks from below 25 %.", s.Lead)

	for range 500 {
		r.Groups[2].Course.Swings = append(r.Groups[2].Course.Swings, balance.Swing{})
	}
	if n := len(chartOf(t, b.drama(), "The biggest move of each game").(*chart.Scatter).Dots); n != 400 {
		t.Errorf("%d moves drawn, 400 at most", n)
	}
	for _, c := range []struct {
		oracle *balance.Oracle
		want   []string
	}{
		{nil, nil},
		{&balance.Oracle{Kind: "exact"}, []string{"Positions of 30 games have their exact values, because the game is solved."}},
		{&balance.Oracle{Kind: "agent", Name: "mcts", Budget: "9 playouts"}, []string{"Positions are valued by mcts (9 playouts) in 30 games; the values are those of this one evaluator for every game."}},
	} {
		r.Oracle = c.oracle
		same(t, "oracle", c.want, b.drama().Paragraphs)
	}
	if got := orNoise(balance.Number{}); got != "nothing" {
		t.Error(got)
	}
	if zone(0) != "" || !strings.Contains(zone(0.04), "within 4.0 points") {
		t.Errorf("%q, %q", zone(0), zone(0.04))
	}
	b.main = &r.Groups[1]
	if s := b.drama(); len(s.Missing) != 1 || len(s.Figures) != 0 {
		t.Errorf("a group without values: %+v", s)
	}
}

// First moves: every image has the score of its class, hatched where it may be even; exact values stand where some are known.
func TestFirstMovesSection(t *testing.T) {
	t.Parallel()
	moves := func() []balance.FirstMove {
		return []balance.FirstMove{
			{Move: "a1", Images: []string{"a1", "b2"}, Cells: []int{0, 3, 4, -1}, Score: made(0.7), P: 0.01, Uneven: true},
			{Move: "b1", Images: []string{"b1"}, Cells: []int{1}, Score: made(0.5), P: 1},
			{Move: "pass"},
		}
	}
	r := &balance.Report{Rules: balance.Rules{Columns: 2, Rows: 2}, FirstMove: &balance.FirstMoves{Source: "forced", Agents: []string{"a", "b"}, Moves: moves()}}
	b := &builder{r: r}
	s := b.openings()
	same(t, "moves", []string{"a1 | 2 | 70.0 % | 0.010 | yes", "b1 | 1 | 50.0 % | 1.000 | no", "pass | 0 | – | 0.000 | no"}, rowsOf(tableOf(t, s, "First moves")))
	seventy := chart.Cell{Value: 0.7, Text: "70", Sub: "±5"}
	g := chartOf(t, s, "What each first move is worth").(*chart.Grid)
	same(t, "map", [][]chart.Cell{{seventy, {Value: 0.5, Text: "50", Sub: "±5", Mark: chart.Hatched}}, {{Value: nan()}, seventy}}, g.Cells)
	same(t, "how", []string{"Each first move was forced; agents: a, b."}, s.Paragraphs)
	r.FirstMove.Moves[0].Exact, r.FirstMove.Moves[0].ExactIn, r.FirstMove.Moves[1].Exact, r.FirstMove.Source = "win", 7, "draw", "chosen"
	s = b.openings()
	same(t, "exact", []string{"a1 | 2 | 70.0 % | 0.010 | yes | win in 7", "b1 | 1 | 50.0 % | 1.000 | no | draw", "pass | 0 | – | 0.000 | no | –"}, rowsOf(tableOf(t, s, "First moves")))
	if tableOf(t, s, "First moves").Fold || !strings.HasPrefix(s.Paragraphs[0], "The agents chose these moves themselves") {
		t.Error("three moves are folded, or chosen moves called forced: " + s.Paragraphs[0])
	}
	for n, want := range map[int]bool{12: false, 13: true} {
		r.FirstMove.Moves = make([]balance.FirstMove, n)
		if tableOf(t, b.openings(), "First moves").Fold != want {
			t.Errorf("%d moves are folded: %t", n, !want)
		}
	}
	r.FirstMove.Pie = &balance.Pie{Form: "true", Move: "b1", Close: 2, Of: 3, Residual: made(0.05), Without: made(0.2)}
	if s := b.openings(); !strings.HasPrefix(s.Lead, "With a pie rule (turn.pie: true) at b1 the game is 5.0 % (0.0 to 10.0 %) from even, without it 20.0 % (15.0 to 25.0 %): the pie rule makes it") || s.Paragraphs[1] != "2 of 3 first moves leave both sides at least a third of the points." {
		t.Errorf("%q, %q", s.Lead, s.Paragraphs)
	}
	r.FirstMove.Pie.Without = balance.Number{}
	if s := b.openings(); !strings.HasSuffix(s.Lead, "without it an unknown distance.") {
		t.Error(s.Lead)
	}
	r.FirstMove.Pie.Residual = balance.Number{}
	if s := b.openings(); s.Lead != "" {
		t.Error(s.Lead)
	}
	r.FirstMove.Pie = &balance.Pie{Move: "b1", Close: 2, Of: 3, Residual: made(0.05), Without: made(0.2)}
	if s := b.openings(); s.Lead != "" || s.Paragraphs[2] != "These rules accept no form of the pie rule." {
		t.Errorf("%q, %q", s.Lead, s.Paragraphs)
	}
	r.FirstMove.Pie = &balance.Pie{InRules: true, Taken: made(0.8), Residual: made(0.05)}
	if s := b.openings(); !strings.HasPrefix(s.Lead, "These rules have the pie rule") || !strings.Contains(strings.Join(s.Paragraphs, " "), "swaps in 80.0 %") || strings.Contains(strings.Join(s.Paragraphs, " "), "judged at") {
		t.Errorf("%q, %q", s.Lead, s.Paragraphs)
	}
	r.FirstMove.Pie.Taken = balance.Number{}
	if s := b.openings(); strings.Contains(strings.Join(s.Paragraphs, " "), "swaps in") {
		t.Errorf("%q", s.Paragraphs)
	}
	if s := (&builder{r: &balance.Report{}}).openings(); s.Lead != "The games say nothing about openings." {
		t.Error(s.Lead)
	}
}

// Openings by ply, and the most frequent ones of the group of the verdict.
func TestVarietySection(t *testing.T) {
	t.Parallel()
	v := &balance.Variety{Distinct: made(0.9), Openings: []balance.EffectivePly{
		{Ply: 1, Effective: about(3, ""), Top: []balance.Line{{Moves: "a1", Games: 60, Score: made(0.5)}, {Moves: "b1", Games: 40, Score: made(0.6)}}}, {Ply: 2, Effective: about(5, "")},
	}}
	r := &balance.Report{Tiers: []balance.Tier{{Name: "x"}, {Name: "y"}}, Groups: []balance.Group{{Name: "x against itself", Kind: "mirror"}, {Name: "y against itself", Kind: "mirror", Tier: 1, Variety: v}}}
	b := &builder{r: r, main: &r.Groups[1]}
	s := b.openings()
	lines := chartOf(t, s, "Variety of openings").(*chart.Lines).Lines
	if len(lines) != 1 || lines[0].Name != "y" {
		t.Fatalf("%+v", lines)
	}
	same(t, "variety", []chart.Point{{X: 1, Y: 3, Lo: 2, Hi: 4, N: 100}, {X: 2, Y: 5, Lo: 4, Hi: 6, N: 100}}, lines[0].Points)
	same(t, "frequent", []string{"a1 | 1 | 60 | 50.0 %", "b1 | 1 | 40 | 60.0 %"}, rowsOf(tableOf(t, s, "The most frequent openings, y against itself")))
	same(t, "lead", "90.0 % (85.0 to 95.0 %) of the games are not equal to an earlier one.", s.Lead)
	v.Distinct = balance.Number{}
	if s := b.openings(); s.Lead != "" {
		t.Error(s.Lead)
	}
	b.main = &r.Groups[0]
	if s := b.openings(); len(s.Tables) != 0 || len(s.Figures) != 1 {
		t.Errorf("a group of the verdict without openings: %+v", s)
	}
}

// What happens on the board: a row for each group, with what was not measured left open; maps of cells; choice by ply.
func TestPlaySection(t *testing.T) {
	t.Parallel()
	cell := func(name string, k float64, marked bool) balance.CellUse {
		return balance.CellUse{Cell: name, Placed: k, First: k / 2, Captured: k / 4, Occupied: made(0.5), Phi: about(k, ""), P: 0.02, Marked: marked}
	}
	r := &balance.Report{Groups: []balance.Group{
		{Name: "a", Permanence: &balance.Permanence{Repetition: made(0.1), Undone: made(0.2), Removed: about(3, "")}, Board: &balance.BoardUse{Coverage: made(0.7)}, Choice: &balance.Choice{Mean: about(8, ""), Forced: made(0.3)}},
		{
			Name: "b", Choice: &balance.Choice{Mean: about(9, "moves"), Forced: made(0.15), ByPly: []balance.ChoicePly{{Ply: 1, Games: 50, Median: about(9, "moves"), P10: 4, P90: 12}, {Ply: 2}}},
			Board:       &balance.BoardUse{Columns: 2, Rows: 1, Unused: 1, Cells: []balance.CellUse{cell("a1", 0.4, true), cell("b1", 0.8, false)}},
			PieceCounts: &balance.PieceBalance{First: []balance.Point{{X: 0.5, Y: about(4, "")}}, Second: []balance.Point{{X: 0.5, Y: about(6, "")}}},
		},
	}}
	b := &builder{r: r, main: &r.Groups[1]}
	s := b.play()
	same(t, "what lasts", []string{"a | 10.0 % | 20.0 % | – | 3.00 | 70.0 % | 8.00 | 30.0 %", "b | – | – | – | – | – | 9.0 | 15.0 %"}, rowsOf(tableOf(t, s, "What lasts")))
	same(t, "cells", []string{"a1 | 0.40 | 0.20 | 0.10 | 50.0 % | 0.40 | 0.020", "b1 | 0.80 | 0.40 | 0.20 | 50.0 % | 0.80 | 0.020"}, rowsOf(tableOf(t, s, "Use of the cells")))
	same(t, "lead", "A player chooses among 9.0 (8.0 to 10.0) moves on the average;  15.0 % (10.0 to 20.0 %) of the plies are forced.", s.Lead)
	maps := chartOf(t, s, "What happens where").(*chart.Panels)
	same(t, "maps", []string{"pieces that arrive, a game", "pieces captured, a game", "owning it goes with winning"}, maps.Titles)
	same(t, "correlation", [][]chart.Cell{{{Value: 0.4, Text: "+0.40"}, {Value: 0.8, Text: "+0.80", Mark: chart.Hatched}}}, maps.Charts[2].(*chart.Grid).Cells)
	same(t, "unused", []string{"1 of 2 cells were never occupied."}, s.Paragraphs)
	both := chartOf(t, s, "How much choice there is").(*chart.Panels).Charts
	same(t, "choice", []chart.Point{{X: 1, Y: 9, Lo: 4, Hi: 12, N: 50}}, both[0].(*chart.Lines).Lines[0].Points)
	same(t, "games that go on", []chart.Point{{X: 1, Y: 50}}, both[1].(*chart.Lines).Lines[0].Points)
	pieces := chartOf(t, s, "Pieces on the board").(*chart.Lines).Lines
	same(t, "pieces", []float64{4, 6}, []float64{pieces[0].Points[0].Y, pieces[1].Points[0].Y})

	u := r.Groups[1].Board
	u.Unused, u.Cells[0].Captured, u.Cells[1].Captured, u.Cells[0].Phi = 0, 0, 0, balance.Number{}
	s = b.play()
	maps = chartOf(t, s, "What happens where").(*chart.Panels)
	same(t, "no captures", []string{"pieces that arrive, a game", "owning it goes with winning"}, maps.Titles)
	if c := maps.Charts[1].(*chart.Grid).Cells[0][0]; !math.IsNaN(c.Value) || len(s.Paragraphs) != 0 || maps.Columns != 0 {
		t.Errorf("%+v, %q, %d columns", c, s.Paragraphs, maps.Columns)
	}
	for columns, want := range map[int]int{6: 0, 7: 2} {
		*u = balance.BoardUse{Columns: columns, Rows: 1, Cells: make([]balance.CellUse, columns)}
		if got := chartOf(t, b.play(), "What happens where").(*chart.Panels).Columns; got != want {
			t.Errorf("%d columns of the board: %d maps side by side, want %d", columns, got, want)
		}
	}
	u.Rows = 2 // not the board of these cells
	if s := b.play(); len(s.Figures) != 2 {
		t.Errorf("%d figures", len(s.Figures))
	}
	r.Groups[1].Board = nil
	if s := b.play(); len(s.Figures) != 2 {
		t.Errorf("%d figures without a board", len(s.Figures))
	}
}

// Games to look at carry their values where they belong: after the opening, the first is that of the position the opening leads to.
func TestSampleValues(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	r := &balance.Report{Oracle: &balance.Oracle{Name: "mcts", Noise: 0.02, Kind: "agent"}, Samples: []balance.Sample{
		{Kind: "median", Title: "Median", Why: "typical.", Game: 7, First: "a", Second: "b", Moves: "b2 a1 a2", From: 1, Values: []float64{0.5, 0.6, 0.7}, Ply: 2},
		{Kind: "draw", Title: "Draw", Game: 8, Moves: "b2"},
	}}
	b := &builder{r: r, game: g, study: "x.db"}
	s := b.games()
	v := s.Games[0]
	same(t, "values", []float64{nan(), 0.5, 0.6, 0.7}, v.Values)
	if v.Why != "Game 7: typical." || v.Command != "spar show 7 --db x.db" || v.Look != 2 || v.Noise != 0.02 || v.Source != "mcts, the same for both sides" || s.Games[1].Values != nil {
		t.Errorf("%+v", s.Games)
	}
	r.Oracle.Kind = "exact"
	if got := b.games().Games[0].Source; got != "exact values" {
		t.Error(got)
	}
	r.Oracle, r.Samples[0].From = nil, 99
	if v := b.games().Games[0]; v.Source != "" || len(v.Values) != 4 || !math.IsNaN(v.Values[3]) {
		t.Errorf("%+v", v)
	}
	r.Samples = nil
	if s := b.games(); s.Lead != "No games to show." || s.Games != nil {
		t.Errorf("%+v", s)
	}
}
