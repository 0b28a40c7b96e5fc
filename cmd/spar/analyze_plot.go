package main

import (
	"fmt"

	"spar/reports/arcplot"
)

// drawArc draws the arc of a review.
func drawArc(path, name string, r *reviewed) error {
	f := arcplot.Figure{Title: name, Side: map[string]string{"X": "first player (X)", "O": "second player (O)"}[r.Perspective], Arc: r.Arc}
	if r.Source != "exact" {
		f.Source = "scores by " + r.Source
	} else {
		f.Source = "exact values"
	}
	for _, p := range r.Plies {
		f.Moves = append(f.Moves, p.Text)
		f.Classes = append(f.Classes, p.Class)
	}
	if err := arcplot.Save(path, f); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}
