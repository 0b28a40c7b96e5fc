package pages

import (
	"fmt"
	"math"

	"spar/configs/plain"
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

// changeTable has the numbers before and after tuning.
func changeTable(changes []tuning.Change) table.Table {
	t := table.Rows(changes, func(c tuning.Change) []any {
		noise := table.None("not known for this method, or if every match was even")
		moved := noise
		if c.Noise > 0 {
			noise, moved = figures(c.Noise), table.Words(screen.Signed((c.After-c.Before)/c.Noise))
		}
		return []any{
			"parameter", c.Path, "before", figures(c.Before), "after", figures(c.After),
			"by chance", table.Help("standard deviation of the change if the parameter had no effect", noise),
			"moved", table.Help("change divided by the standard deviation due to chance", moved),
		}
	})
	t.Caption = "Parameters"
	return t
}

// checkTable has the checks of a training run, after the starting agent's score against the pool.
func checkTable(r *tuning.Result) table.Table {
	rows := r.Checks
	if r.StartPool.Known() {
		rows = append([]tuning.Check{{Pool: r.StartPool}}, rows...)
	}
	t := table.Rows(rows, func(c tuning.Check) []any {
		return []any{
			"games", c.Games, "score", table.Help("against the starting agent", c.Match.Score),
			"Elo", table.Help("against the starting agent", c.Match.Elo),
			"pool", table.Help("mean score against the agents of checks.pool", c.Pool), "pairs", c.Match.Score.N + c.Pool.N,
		}
	})
	for j := range t.Columns {
		t.Columns[j].Optional = true
	}
	t.Caption = "Against the starting agent and against the pool, on the training openings"
	return t
}

// meeting is a match with its name.
type meeting struct {
	name string
	tuning.Match
}

func meetingTable(x *tuning.Examination) table.Table {
	rows := []meeting{{"held out, against the starting agent", x.Direct}, {"one level deeper (" + x.Condition + ")", x.Deeper}}
	if x.Training != nil {
		rows = append(rows, meeting{"on the training openings", x.Training.Match})
	}
	t := table.Rows(rows, func(m meeting) []any {
		return []any{
			"match", m.name, "score", m.Score, "Elo",
			table.As{Cell: table.Of(m.Elo).With(matchStatus(m.Match))},
			"pairs", m.Match.Score.N,
		}
	})
	t.Caption = "Against the starting agent"
	return t
}

func poolTable(x *tuning.Examination) table.Table {
	t := table.Rows(x.Pool, func(p tuning.PoolRow) []any {
		return []any{
			"opponent", p.Opponent, "tuned", table.Help("score of the tuned agent", p.Tuned.Score), "tuned, Elo", p.Tuned.Elo,
			"start", table.Help("score of the starting agent", p.Start.Score), "start, Elo", p.Start.Elo, "pairs", p.Tuned.Score.N,
		}
	})
	t.Caption = "The pool"
	t.Note = fmt.Sprintf("Worst pairing of the tuned agent: %s; of the starting agent: %s.", x.Worst, x.WorstWas)
	return t
}

func ridgeTable(m *fit.Model) table.Table {
	t := table.Rows(m.Ridges, func(r fit.RidgeRow) []any {
		held := ratings.Normal(r.Held, r.HeldSE, int64(m.Games), "games", ratings.ScalePlain)
		return []any{
			"ridge", figures(r.Ridge), "train", figures(r.Train), "held out", table.Estimate(held, chart.Number, 4),
			"choice", plain.If(r.Chosen, "chosen", ""),
		}
	})
	t.Caption = "Loss by ridge penalty"
	return t
}
