package main

import (
	"fmt"

	"spar/reports/chart"
)

// drawArc draws the arc of a review.
func drawArc(path, name string, r *reviewed) error {
	a := &chart.Arc{Player: map[string]string{"X": "first player (X)", "O": "second player (O)"}[r.Perspective], Swap: r.Perspective == "O"}
	if r.Source != "exact" {
		a.Source = "scores by " + r.Source
	} else {
		a.Source = "exact values"
	}
	for _, v := range r.Arc {
		a.Values = append(a.Values, v+0.5)
	}
	for _, p := range r.Plies {
		a.Moves = append(a.Moves, p.Text)
		a.Classes = append(a.Classes, p.Class)
	}
	if err := chart.Save(path, a, fmt.Sprintf("%s: expected score of the %s by ply", name, a.Player)); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}
