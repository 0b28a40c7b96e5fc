package tuning

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"spar/arena"
)

// Around an answer each number is moved, down and up, and each other word of a knob is tried once; two knobs together
// make a plane with the answer's own place left out. How many games that is, at most, is said before, and each that is
// there is told.
func TestGamesAroundAnAnswer(t *testing.T) {
	t.Parallel()
	text := strings.Replace(inside, `parameters: ["weights.*"]`,
		`parameters: [weights.own_centre, {path: ties, values: [random, first]}, {path: mixture.epsilon, min: 0, max: 0.5}]`,
		1)
	x, err := load("inside.yaml", []byte(text), 20)
	if err != nil {
		t.Fatal(err)
	}
	db := openStudy(t)
	r := &Result{Changes: []Change{
		{After: 2, Scale: 1},
		{After: 0.4, Scale: 1},
		{After: 0, Scale: 1},
		{After: 0.25, Scale: 0.5},
	}}
	var total float64
	var done []float64
	hear := func(s Status) { total, done = s.Total, append(done, s.Done) }
	all, err := x.Landscape(t.Context(), db, r, 1, hear)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	points := 0
	for _, s := range all {
		paths = append(paths, s.Path)
		for _, p := range s.Points {
			if points++; p.Step == 0 || p.Match.Score.N != 1 {
				t.Errorf("%s: %+v", s.Path, p)
			}
		}
	}
	if want := []string{"weights.own_centre", "ties", "mixture.epsilon"}; !slices.Equal(paths, want) ||
		len(all[0].Points) != 4 || len(all[1].Points) != 1 || all[1].Points[0].Word != "first" || len(all[2].Points) != 2 {
		t.Errorf("%v: %+v", paths, all)
	}
	if total != 2*4*4 || len(done) != 2*points || done[len(done)-1] != float64(2*points) {
		t.Errorf("%v games in total, done after each %v", total, done)
	}
	done = nil
	p, err := x.Together(t.Context(), db, r, [2]string{"ties", "mixture.epsilon"}, 2, hear)
	if err != nil || len(p.Cells) != 2 || len(p.Cells[0]) != 3 || len(p.Cells[1]) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	for i, row := range p.Cells {
		for k, c := range row {
			if own := p.Axes[0][i].Step == 0 && p.Axes[1][k].Step == 0; (c == nil) != own || c != nil && c.Match.Score.N != 2 {
				t.Errorf("%+v, %+v: %+v", p.Axes[0][i], p.Axes[1][k], c)
			}
		}
	}
	if total != 2*2*5 || len(done) != 20 || done[19] != 20 {
		t.Errorf("%v games in total, done after each %v", total, done)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	var told *arena.StoppedError
	if _, err := x.Landscape(ended, db, r, 3, nil); err == nil || errors.As(err, &told) && told.Total != 2*3*4*4 {
		t.Errorf("%v", err)
	}
}
