//go:build !js

package review

import (
	"fmt"
	"io"
	"math"
	"strings"

	"spar/reports/screen"
	"spar/reports/table"
)

// Text writes a review for people. The name of the game is its title.
func (r *Game) Text(out io.Writer, name string) error {
	source := Exact
	if r.Source != Exact {
		source = "scores by " + r.Source
	}
	fmt.Fprintf(out, "%s: %s after %s, %s, seen from %s\n", name, r.Result, screen.Plural(len(r.Plies), "ply"),
		source, r.Perspective)
	t := table.To(out, strings.Fields("ply move before after loss rating class bar label best"), 1, 3,
		4, 5, 6, 8)
	for i, p := range r.Plies {
		t.Add(i+1, p.Text, fmt.Sprintf("%.2f", p.Before), fmt.Sprintf("%.2f", p.After), fmt.Sprintf("%.2f", p.Loss),
			p.Display, p.Class, fmt.Sprintf("%.4g", p.Bar), p.Label+" "+r.ahead(p.Side), shortList(p.Best))
	}
	t.Write()
	_, err := fmt.Fprintf(out, "arc %s\n", bars(r.Arc))
	return err
}

// ahead returns the side, X or O, at whose end of the bar the label stands.
func (r *Game) ahead(end string) string {
	if (end == "white") == (r.Perspective == "X") {
		return "X"
	}
	return "O"
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
