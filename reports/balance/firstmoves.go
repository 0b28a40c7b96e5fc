package balance

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"spar/engines"
	"spar/engines/solve"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// FirstMoves holds the score of each first move.
type FirstMoves struct {
	// forced (the study plays every first move) or chosen (by the agents, who prefer good moves)
	Source string      `json:"source"`
	Agents []string    `json:"agents"`
	Moves  []FirstMove `json:"moves"` // one move of each symmetry class; the best for the first player first
}

// FirstMove is one first move, with its images under the symmetries of the rules.
type FirstMove struct {
	Move   string   `json:"move"`   // name of the class: its image with the lowest cell
	Images []string `json:"images"` // all moves of the class
	// cells of the images, numbered row by row from the top left; empty for moves without a cell
	Cells []int            `json:"cells"`
	Score ratings.Estimate `json:"score"` // score of the first player, 0 to 1
	// p-value for an even score, with Holm's adjustment for all first moves
	P      float64 `json:"p"`
	Uneven bool    `json:"uneven"` // P < 1 - Method.Level
	// exact result for the first player: win, draw or loss; empty if unknown
	Exact   string `json:"exact,omitempty"`
	ExactIn int    `json:"exact_in,omitempty"` // plies until the game ends with exact play
}

// tally counts results from the first player's view.
type tally struct{ wins, draws, losses int64 }

func (t *tally) add(r *record) {
	switch r.half {
	case 2:
		t.wins++
	case 1:
		t.draws++
	default:
		t.losses++
	}
}

// firstSums counts games by their first moves, up to symmetry.
type firstSums struct {
	moves  map[engines.Move]*tally
	agents map[int32]bool
}

func (f *firstSums) add(r *record) {
	if f.moves == nil {
		f.moves = map[engines.Move]*tally{}
		f.agents = map[int32]bool{}
	}
	f.agents[r.first], f.agents[r.second] = true, true
	if f.moves[r.prefix[0]] == nil {
		f.moves[r.prefix[0]] = &tally{}
	}
	f.moves[r.prefix[0]].add(r)
}

// chosenSums counts the first moves that agents chose against themselves from the start position.
type chosenSums struct{ firstSums }

func newFirstMoves(*groupData) sums { return &chosenSums{} }

// Add implements the interface sums.
func (s *chosenSums) Add(unit []*record) {
	for _, r := range unit {
		if r.counts() && !r.bad && r.opening == 0 && r.prefixN > 0 && r.first == r.second {
			s.add(r)
		}
	}
}

// Result implements the interface sums. It stores nothing: Report.FirstMove combines the first moves of several groups.
func (*chosenSums) Result(measurer, *Group) {}

// firstMoves computes how good each first move is. Forced first moves come from the events made for them. Without
// these it uses the agents' own choices in games against themselves. Between different agents, the score of a move would
// depend on which agent prefers it. Score is that of the headline's games.
func (m measurer) firstMoves(p *pass, headline *groupData, score ratings.Estimate, table *solve.Table) *FirstMoves {
	g := p.data.Game
	out, games := &FirstMoves{Source: "forced"}, &p.forced
	if len(games.moves) == 0 && headline != nil {
		out.Source, games = "chosen", &sumsOf[*chosenSums](headline).firstSums
	}
	if len(games.moves) == 0 {
		return nil
	}
	for i := range games.agents {
		out.Agents = append(out.Agents, p.names[i])
	}
	slices.Sort(out.Agents)
	var whole tally
	for _, t := range games.moves {
		whole = tally{whole.wins + t.wins, whole.draws + t.draws, whole.losses + t.losses}
	}
	exact := exactFirst(g, table)
	var ps []float64
	for _, move := range slices.Sorted(maps.Keys(games.moves)) {
		t := games.moves[move]
		f := FirstMove{Move: g.MoveText(move), Score: m.score(t.wins, t.draws, t.losses)}
		if out.Source == "chosen" {
			f.Score = m.partScore(*t, whole, score)
		}
		f.Images, f.Cells = images(g, move)
		if f.Score.N < 200 && f.Score.Note == "" {
			f.Score.Note = "fewer than 200 games"
		}
		if v, ok := exact[move]; ok {
			f.Exact, f.ExactIn = v.Outcome.String(), v.DTW
		}
		p := 1.0 // exact two-sided sign test on the decisive games: is the mean score 1/2?
		if decisive := t.wins + t.losses; decisive > 0 {
			p = min(1, 2*distuv.Binomial{N: float64(decisive), P: 0.5}.CDF(float64(min(t.wins, t.losses))))
		}
		ps = append(ps, p)
		out.Moves = append(out.Moves, f)
	}
	for i, q := range ratings.Holm(ps) {
		out.Moves[i].P, out.Moves[i].Uneven = q, q < 1-m.level
	}
	slices.SortStableFunc(out.Moves, func(a, b FirstMove) int {
		return cmp.Compare(b.Score.Value, a.Score.Value)
	})
	return out
}

// images returns the images of a first move under the symmetries of the rules, with their cells.
func images(g *engines.Game, move engines.Move) (texts []string, cells []int) {
	seen := map[engines.Move]bool{}
	for _, s := range g.Symmetries() {
		seen[engines.TransformMove(move, s)] = true
	}
	cells = []int{}
	for _, m := range slices.Sorted(maps.Keys(seen)) {
		texts = append(texts, g.MoveText(m))
		if m.To() != engines.NoCell {
			cells = append(cells, int(m.To()))
		}
	}
	return texts, cells
}

// exactFirst returns the exact value of every first move for the first player; nil if the game is not solved.
func exactFirst(g *engines.Game, table *solve.Table) map[engines.Move]solve.Value {
	out := map[engines.Move]solve.Value{}
	if table == nil {
		return out
	}
	start := g.NewState()
	for _, r := range table.Moves(&start) {
		out[r.Move] = r.Value.Under(g.Rules().Draw.MaxPlies, 0)
	}
	return out
}

// firstMoves measures how good each first move is.
func firstMoves() measure {
	return measure{sums: newFirstMoves, missing: firstMissing, section: firstSection}
}

func firstMissing(r *Report) []Missing {
	if r.FirstMove != nil {
		return nil
	}
	return []Missing{{"First moves", "", "no games from the start position, and none with forced first moves"}}
}

// firstSection shows the scores of first moves, and their exact values if they are known.
func firstSection(v *view) page.Section {
	f := v.r.FirstMove
	if f == nil {
		return page.Section{}
	}
	cells := make([]chart.Cell, v.r.Rules.Columns*v.r.Rules.Rows)
	for i := range cells {
		cells[i].Value = math.NaN()
	}
	for c := range v.game.BoardCells().Each {
		cells[c].Text = " "
	}
	exact := map[string][]string{}
	for _, m := range f.Moves {
		exact[m.Exact] = append(exact[m.Exact], m.Move)
		value := chart.Cell{
			Value: m.Score.Value, Text: fmt.Sprintf("%.0f", 100*m.Score.Value),
			Sub: fmt.Sprintf("±%.0f", 50*(m.Score.Hi-m.Score.Lo)),
		}
		if !m.Uneven {
			value.Mark = chart.Hatched
		}
		for _, c := range m.Cells {
			if math.IsNaN(cells[c].Value) { // of several moves to a cell, the best
				cells[c] = value
			}
		}
	}
	note := ""
	for side := range 2 {
		for c := range v.game.GoalCells(side).Each {
			cells[c].Mark |= chart.OfFirst << side
			note = " Outlined: cells of the goal of the side with that colour."
		}
	}
	s := page.Section{
		ID: "first-moves", Title: "First moves", Lead: "In these games no first move differs significantly from even.",
	}
	for _, x := range []struct{ value, verb string }{{"loss", "loses"}, {"draw", "draws"}, {"win", "wins"}} {
		if moves := strings.Join(exact[x.value], ", "); moves != "" {
			if len(exact) == 1 {
				moves = "every first move"
			}
			s.Lead = v.r.sayf("With best play, the first player %s after %s.", x.verb, moves)
		}
	}
	if best := f.Moves[0]; exact[""] != nil && best.Uneven {
		s.Lead = v.r.sayf("The best first move is %s: the first player scores %s, %s.", best.Move, said(best.Score),
			best.Score.Count())
	}
	how := "Each first move was forced"
	if f.Source != "forced" {
		how = "The agents chose these moves themselves, so good moves are overrepresented"
	}
	s.Paragraphs = []string{fmt.Sprintf("%s; agents: %s.", how, strings.Join(f.Agents, ", "))}
	board := chart.Board(v.r.Rules.Columns, cells, chart.Scale{
		Lo: 0.2, Hi: 0.8, Mid: 0.5, Diverging: true, Unit: chart.Percent, Label: "score",
	})
	board.Hex = v.game.Rules().Board.Shape == "hex"
	s.Figures = []page.Figure{{
		ID: "first-move-map", Title: "Score of each first move",
		Caption: v.r.named("The first player's score in per cent ± half its interval, for the best move to each cell. " +
			"Hatched: not significant." + note),
		Chart: board,
	}}
	t := table.Rows(f.Moves, func(m FirstMove) []any {
		value := m.Exact
		if m.ExactIn > 0 {
			value = fmt.Sprintf("%s in %d", m.Exact, m.ExactIn)
		}
		return []any{
			"move", m.Move, "first player scores", m.Score,
			"p of even", table.Num(m.P, chart.Number, 3), "exact", table.Optional(value),
		}
	})
	t.ID = "first-moves"
	t.Caption = "First moves, up to symmetry"
	t.Note = "p of even: adjusted for all first moves (Holm)."
	t.Fold = len(f.Moves) > 12
	s.Tables = []table.Table{t}
	return s
}
