//go:build !js

package review

import (
	"fmt"
	"io"
	"math"
	"strings"

	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/table"
)

// sourceText describes where the values of a review come from.
func (r *Game) sourceText(exact string) string {
	if r.Source == Exact {
		return exact
	}
	return "scores by " + r.Source
}

// Text writes a review for people. The name of the game is its title.
func (r *Game) Text(out io.Writer, name string) error {
	fmt.Fprintf(out, "%s: %s after %s, %s, seen from %s\n", name, r.Result, screen.Plural(int64(len(r.Plies)), "ply"),
		r.sourceText("exact"), r.Perspective)
	t := table.To(out, []string{"ply", "move", "before", "after", "loss", "rating", "class", "bar", "label", "best"}, 1, 3,
		4, 5, 6, 8)
	for i, p := range r.Plies {
		score := []float64{float64(p.Top) / 100, float64(p.Rating) / 100, float64(p.Top-p.Rating) / 100}
		if p.Scores != nil {
			score = []float64{p.Before, p.After, p.Loss}
		}
		t.Add(
			i+1, p.Text, fmt.Sprintf("%.2f", score[0]), fmt.Sprintf("%.2f", score[1]), fmt.Sprintf("%.2f", score[2]),
			p.Display, p.Class, fmt.Sprintf("%.4g", p.Bar), p.Label+" "+p.Side, shortList(p.Best),
		)
	}
	t.Write()
	_, err := fmt.Fprintf(out, "arc %s\n", bars(r.Arc))
	return err
}

// shortList joins words up to a maximum number, and then writes how many more there are.
func shortList(words []string) string {
	const most = 9
	if len(words) <= most {
		return strings.Join(words, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], " "), len(words)-most)
}

// bars draws a series from -0.5 to 0.5 as one line of block characters.
func bars(arc []float64) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range arc {
		i := int(math.Floor((v + 0.5) * float64(len(blocks))))
		b.WriteRune(blocks[min(max(i, 0), len(blocks)-1)])
	}
	return b.String()
}

// Draw writes the arc of a review to a file in the format of its extension: see chart.Save.
func (r *Game) Draw(path, name string) error {
	a := &chart.Arc{Player: "first player (X)", Source: r.sourceText("exact values")}
	if r.Perspective == "O" {
		a.Player, a.Swap = "second player (O)", true
	}
	for _, v := range r.Arc {
		a.Values = append(a.Values, v+0.5)
	}
	for _, p := range r.Plies {
		a.Moves = append(a.Moves, p.Text)
		a.Classes = append(a.Classes, p.Class)
	}
	return chart.Save(path, chart.Titled(name, a), fmt.Sprintf("%s: expected score of the %s by ply", name, a.Player))
}
