package learn_test

import (
	"reflect"
	"testing"

	"spar/agents/pace"
	"spar/engines/enginetest"
	"spar/tuning/learn"
)

// A description counts every position once, is the same each time, and its exact values are those of the solved game.
func TestDescription(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	n := train(t, g, learn.Options{Games: 2000, Seed: 1})
	p, err := learn.Look(t.Context(), n, 300, 9, pace.Limit{})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, b := range p.Bins {
		count += b.N
		if b.Lo > b.Scored || b.Scored > b.Hi || b.Predicted < 0 || b.Predicted > 1 {
			t.Errorf("bin %+v", b)
		}
	}
	if count != p.Positions || count == 0 || count > 300 {
		t.Errorf("%d positions in the bins, %d in all, of 300 games", count, p.Positions)
	}
	again, err := learn.Look(t.Context(), n, 300, 9, pace.Limit{})
	if err != nil || !reflect.DeepEqual(p.Bins, again.Bins) || !reflect.DeepEqual(p.Patterns, again.Patterns) {
		t.Errorf("the same seed takes another portrait: %v", err)
	}
	if len(p.Patterns) == 0 || len(p.Worth) != g.Cells() {
		t.Errorf("%d patterns, %d cells", len(p.Patterns), len(p.Worth))
	}
	for _, h := range p.Patterns {
		if h.Share < 0.01 || h.Share > 1 || (h.Points > 0) != (h.Worth > 0) {
			t.Errorf("pattern %+v", h)
		}
	}
}

// A net that knows nothing expects one half everywhere, and no pattern of it says anything.
func TestDescriptionOfNothing(t *testing.T) {
	t.Parallel()
	empty, err := learn.New(t.Context(), enginetest.Load(t, "classic"), learn.Options{Games: 1})
	if err != nil {
		t.Fatal(err)
	}
	blank, err := empty.Net()
	if err != nil {
		t.Fatal(err)
	}
	p, err := learn.Look(t.Context(), blank, 200, 1, pace.Limit{})
	if err != nil || len(p.Bins) != 1 || p.Bins[0].Predicted != 0.5 || len(p.Patterns) != 0 || p.Worth[4] != nil {
		t.Errorf("%+v, %v", p, err)
	}
}
