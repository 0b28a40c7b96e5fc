package balance

import (
	"fmt"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
)

// choices measures how many moves a player can choose among.
func choices() measure { return measure{sums: newChoice, section: choiceSection} }

func choiceSection(v *view) page.Section {
	c := v.played.Choice
	if c == nil {
		return page.Section{}
	}
	lines := []chart.Line{
		{Name: v.r.named("first player"), Colour: chart.First}, {Name: v.r.named("second player"), Colour: chart.Second},
	}
	for _, p := range c.ByPly {
		if l := &lines[p.Side]; p.Games >= fewCourses {
			l.Points = append(l.Points, chart.PointOf(float64(p.Ply), chart.Between(p.Median.Value, p.P10, p.P90)))
		}
	}
	return page.Section{
		ID:    "choice",
		Title: "Choice",
		Lead: fmt.Sprintf("A player chooses among %s moves; %s of the plies are forced.",
			said(c.Mean), said(c.Forced)),
		Figures: []page.Figure{{
			ID: "choice", Title: "How much choice there is", Caption: "Median, and range of the middle 80 %, of at least eight games.",
			Chart: &chart.Lines{
				X: chart.Axis{Label: "ply", Unit: chart.Integer}, Y: chart.Axis{Label: "legal moves", Unit: chart.Integer},
				Lines: lines,
			},
		}},
	}
}

// Choice measures how many legal moves the players have.
type Choice struct {
	ByPly  []ChoicePly      `json:"by_ply"`
	Forced ratings.Estimate `json:"forced"` // fraction of plies with one legal move
	Mean   ratings.Estimate `json:"mean"`   // mean number of legal moves at a ply
}

// ChoicePly describes the number of legal moves at one ply.
type ChoicePly struct {
	Ply    int              `json:"ply"` // number of the ply, from 1
	Games  int64            `json:"games"`
	Median ratings.Estimate `json:"median"`
	P10    float64          `json:"p10"`
	P90    float64          `json:"p90"`
	Forced float64          `json:"forced"` // fraction of games with only one legal move there
	Side   int              `json:"-"`      // that moves
}

// maxChoicePly is the number of plies for which the numbers of legal moves are counted separately.
const maxChoicePly = 400

type choiceSums struct {
	forced, moves ratings.ClusteredMean // over the plies that agents played
	games         int64
	byPly         [][2]dist // numbers of legal moves, by ply from 0 and side
}

func newChoice(*groupData) sums { return &choiceSums{} }

// Add implements the interface sums.
func (c *choiceSums) Add(unit []*record) {
	plies, forced, moves := int64(0), 0.0, 0.0
	for _, r := range unit {
		if !r.counts() || r.bad {
			continue
		}
		c.games++
		for i, n := range r.legal {
			plies, forced, moves = plies+1, forced+oneIf(n == 1), moves+float64(n)
			if ply := int(r.opening) + i; ply < maxChoicePly {
				for len(c.byPly) <= ply {
					c.byPly = append(c.byPly, [2]dist{})
				}
				c.byPly[ply][r.sides[i]].add(int(n))
			}
		}
	}
	c.forced.Add(forced, plies, unit[0].label)
	c.moves.Add(moves, plies, unit[0].label)
}

// Result implements the interface sums.
func (c *choiceSums) Result(m measurer, g *Group) {
	if len(c.byPly) == 0 {
		return
	}
	out := &Choice{
		Forced: c.forced.Mean(m.level, "games"), Mean: c.moves.Average(m.level),
	}
	out.Forced.N, out.Mean.N = c.games, c.games
	for ply := range c.byPly {
		for side := range 2 {
			legal := &c.byPly[ply][side]
			if n := int(legal.n); n > 0 {
				out.ByPly = append(out.ByPly, ChoicePly{
					Ply: ply + 1, Games: legal.n, Median: m.quantile(n, legal.at, 0.5, "moves"),
					P10: quantileOf(n, legal.at, 0.1), P90: quantileOf(n, legal.at, 0.9),
					Forced: float64(legal.count(1)) / float64(n), Side: side,
				})
			}
		}
	}
	g.Choice = out
}
