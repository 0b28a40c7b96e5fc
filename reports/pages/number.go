package pages

import (
	"math"
	"strings"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/table"

	"spar/ratings"
)

// unit describes how a number is formatted, including its decimals.
func unit(n ratings.Estimate) (chart.Unit, int) {
	switch {
	case n.Scale == ratings.ScaleShare:
		return chart.Percent, 1
	case n.Scale == ratings.ScaleElo:
		return chart.Signed, 0
	case n.Scale == ratings.ScaleCount:
		return chart.Number, 1
	case math.Abs(n.Value) >= 100:
		return chart.Number, 0
	case math.Abs(n.Value) >= 10:
		return chart.Number, 1
	}
	return chart.Number, 2
}

// cell formats a number for a table. If there are no games, it gives the reason.
func cell(n ratings.Estimate, why string) table.Cell {
	if !n.Known() {
		if why == "" {
			why = "no games to measure it with"
		}
		return table.None(why)
	}
	u, decimals := unit(n)
	return table.Estimate(n, u, decimals).Doubting(n.Note)
}

// say formats a number with its interval for a sentence; empty if the number is unknown.
func say(n ratings.Estimate) string {
	if !n.Known() {
		return ""
	}
	c := cell(n, "")
	var more []string
	for _, s := range []string{c.Interval(), n.Note} {
		if s != "" {
			more = append(more, s)
		}
	}
	if len(more) == 0 {
		return c.Value()
	}
	return c.Value() + " (" + strings.Join(more, "; ") + ")"
}

// sentence joins the nonempty parts.
func sentence(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// told formats a sentence about a number. The number replaces the last %s. The text is empty if the number is
// unknown.
func told(before string, n ratings.Estimate, after string) string {
	if !n.Known() {
		return ""
	}
	return before + " " + say(n) + after
}

// bins converts bars of integers to bins of a histogram. The marked part of each bar is on top.
func bins(bars []balance.Bar) []chart.Bin {
	out := make([]chart.Bin, len(bars))
	for i, b := range bars {
		out[i] = chart.Bin{Lo: float64(b.From) - 0.5, Hi: float64(b.To) + 0.5, Counts: []float64{
			float64(b.Count - b.Part),
			float64(b.Part),
		}}
	}
	return out
}
