package pages

import (
	"fmt"
	"math"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning"
	"spar/tuning/fit"
)

// The tables of a tuning. A page and the text of a command show the same ones.

// figures returns a cell with a number of four significant digits.
func figures(x float64) table.Cell {
	decimals := 0
	if x != 0 {
		decimals = max(0, 3-int(math.Floor(math.Log10(math.Abs(x)))))
	}
	return table.Num(x, chart.Number, decimals)
}

// changeTable has the numbers before and after a tuning.
func changeTable(changes []tuning.Change) table.Table {
	const unknown = "not known for this method"
	t := table.Build([]table.Field[tuning.Change]{
		table.WordField("number", func(c tuning.Change) string { return c.Path }),
		table.CellField("before", "", func(c tuning.Change) table.Cell { return figures(c.Before) }),
		table.CellField("after", "", func(c tuning.Change) table.Cell { return figures(c.After) }),
		table.CellField("by chance", "standard deviation of the change if the number had no effect",
			func(c tuning.Change) table.Cell {
				if c.Noise > 0 {
					return figures(c.Noise)
				}
				return table.None(unknown)
			}),
		table.CellField("moved", "in those standard deviations", func(c tuning.Change) table.Cell {
			if c.Noise > 0 {
				return table.Words(screen.Signed((c.After-c.Before)/c.Noise, 1))
			}
			return table.None(unknown)
		}),
	}, changes)
	t.Caption = "Numbers"
	return t
}

// checkTable has the checks of a training, after the start's score against the pool.
func checkTable(r *tuning.Result) table.Table {
	rows := r.Checks
	if r.StartPool.Known() {
		rows = append([]tuning.Check{{Pool: r.StartPool}}, rows...)
	}
	t := table.Build([]table.Field[tuning.Check]{
		table.CountField("games", func(c tuning.Check) int64 { return int64(c.Games) }),
		table.EstimateField("score", "against the start", func(c tuning.Check) ratings.Estimate { return c.Match.Score }),
		table.EstimateField("Elo", "against the start", func(c tuning.Check) ratings.Estimate { return c.Match.Elo }),
		table.EstimateField("pool", "mean score against the agents of checks.pool", func(c tuning.Check) ratings.Estimate { return c.Pool }),
		table.CountField("pairs", func(c tuning.Check) int64 { return c.Match.Score.N + c.Pool.N }),
	}, rows)
	for j := range t.Columns {
		t.Columns[j].Optional = true
	}
	t.Caption = "Against the start and against the pool, on the training's openings"
	return t
}

// meeting is a match with its name.
type meeting struct {
	name string
	tuning.Match
}

func meetingTable(x *tuning.Examination) table.Table {
	rows := []meeting{{"held out, against the start", x.Direct}, {"one level deeper (" + x.Condition + ")", x.Deeper}}
	if x.Training != nil {
		rows = append(rows, meeting{"on the training's openings", x.Training.Match})
	}
	t := table.Build([]table.Field[meeting]{
		table.WordField("match", func(m meeting) string { return m.name }),
		table.EstimateField("score", "", func(m meeting) ratings.Estimate { return m.Score }),
		table.Declare(table.Column{Name: "Elo"}, func(m meeting) table.Cell {
			return table.Of(m.Elo).With(matchStatus(m.Match))
		}),
		table.CountField("pairs", func(m meeting) int64 { return m.Score.N }),
	}, rows)
	t.Caption = "Against the start"
	return t
}

func poolTable(x *tuning.Examination) table.Table {
	t := table.Build([]table.Field[tuning.PoolRow]{
		table.WordField("opponent", func(p tuning.PoolRow) string { return p.Opponent }),
		table.EstimateField("tuned", "score of the tuned agent", func(p tuning.PoolRow) ratings.Estimate { return p.Tuned.Score }),
		table.EstimateField("tuned, Elo", "", func(p tuning.PoolRow) ratings.Estimate { return p.Tuned.Elo }),
		table.EstimateField("start", "score of the start", func(p tuning.PoolRow) ratings.Estimate { return p.Start.Score }),
		table.EstimateField("start, Elo", "", func(p tuning.PoolRow) ratings.Estimate { return p.Start.Elo }),
		table.CountField("pairs", func(p tuning.PoolRow) int64 { return p.Tuned.Score.N }),
	}, x.Pool)
	t.Caption = "The pool"
	t.Note = fmt.Sprintf("Worst pairing of the tuned agent: %s; of the start: %s.", x.Worst, x.WorstWas)
	return t
}

func poolRatings(x *tuning.Examination) table.Table {
	return table.Build([]table.Field[tuning.PoolRating]{
		table.WordField("agent", func(p tuning.PoolRating) string { return p.Agent }),
		table.EstimateField("Elo", "", func(p tuning.PoolRating) ratings.Estimate { return p.Elo }),
		table.CountField("games", func(p tuning.PoolRating) int64 { return p.Games }),
	}, x.Ratings).Titled("Ratings in the pool")
}

func ridgeTable(m *fit.Model) table.Table {
	t := table.Build([]table.Field[fit.RidgeRow]{
		table.CellField("ridge", "", func(r fit.RidgeRow) table.Cell { return figures(r.Ridge) }),
		table.CellField("train", "", func(r fit.RidgeRow) table.Cell { return figures(r.Train) }),
		table.CellField("held out", "", func(r fit.RidgeRow) table.Cell {
			return table.Estimate(ratings.Normal(r.Held, r.HeldSE, int64(m.Games), "games", ratings.ScalePlain),
				chart.Number, 4)
		}),
		table.WordField("choice", func(r fit.RidgeRow) string {
			if r.Chosen {
				return "chosen"
			}
			return ""
		}),
	}, m.Ridges)
	t.Caption = "Loss by ridge penalty"
	return t
}
