//go:build !js

package playing

import (
	_ "embed"
	"fmt"
	"strings"

	"spar/reports/chart"
	"spar/reports/page"
)

var (
	//go:embed web/serve.css
	styles string
	//go:embed web/serve.mjs
	program string
)

// Package chart must have one colour for each shade. This line does not compile if their numbers differ.
var _ = [chart.Steps]int{} == [Shades]int{}

// Styles returns the style sheet of pages with a board to play on.
func Styles() string {
	// Cells of tables by the score of the first player; cells of boards by the value of a move for its side.
	var scale strings.Builder
	for i := range Shades { // values are grey, because sides have colours
		fmt.Fprintf(&scale, ".d%[1]d{background:var(--v%[1]d);color:var(--tv%[1]d)}.board.play .worth%[1]d{--fill:"+
			"color-mix(in srgb,var(--ink) %[2]d%%,var(--paper));background:var(--fill)}\n", i, 4*i)
	}
	scale.WriteString(".board.play [class*=worth] button::after{background:var(--ink)}\n")
	return chart.CSS() + page.Styles() + styles + scale.String()
}

// Program returns the JavaScript module of pages with a board to play on.
func Program() string { return program }
