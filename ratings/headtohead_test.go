package ratings

import (
	"errors"
	"math"
	"slices"
	"testing"

	"spar/configs/must"
)

// Two players who sat as often in either seat are expected to score what they scored, however much the seat decides,
// while their difference in Elo alone would promise far more.
func TestHeadToHead(t *testing.T) {
	t.Parallel()
	for _, model := range []Model{ModelScore, ModelDavidson} {
		for _, c := range []struct{ asFirst, asSecond Count }{
			{Count{80, 0, 20}, Count{40, 0, 60}}, // the seat is worth little
			{Count{97, 2, 1}, Count{10, 5, 85}},  // the seat decides nearly all
			{Count{30, 40, 30}, Count{20, 45, 35}},
		} {
			f := mustFit(t, build(t, all(count("a", "b", c.asFirst.Wins, c.asFirst.Draws, c.asFirst.Losses),
				count("b", "a", c.asSecond.Losses, c.asSecond.Draws, c.asSecond.Wins))), Options{Model: model})
			h := must.Get(f.HeadToHead("a", "b"))(t)
			want := (c.asFirst.Points() + c.asSecond.Points()) / 200
			if model == ModelScore && math.Abs(h.Score.Value-want) > 1e-6 || math.Abs(h.Score.Value-want) > 0.03 {
				t.Errorf("%s %v: %.4f, scored %.4f", model, c, h.Score.Value, want)
			}
			if s := h.Score; s.Lo >= s.Value || s.Hi <= s.Value || (h.Elo.Lo > 0) != (s.Lo > 0.5) {
				t.Errorf("%s %v: %s, Elo %s", model, c, s, h.Elo)
			}
			back, err := f.HeadToHead("b", "a")
			if err != nil || math.Abs(back.Score.Value+h.Score.Value-1) > 1e-9 || math.Abs(back.Score.Hi+h.Score.Lo-1) > 1e-9 {
				t.Errorf("%s: %v and back %v", model, h, back)
			}
		}
	}
	won := mustFit(t, build(t, all(count("a", "b", 20, 0, 0), count("b", "a", 0, 0, 20))), Options{})
	if h, err := won.HeadToHead("a", "b"); err != nil || h.Elo.Open() != "above" || h.Score.Hi != 1 {
		t.Errorf("not one point given away: %+v, %v", h, err)
	}
}

// The expected score is that of the strata that have a row: without the row of forfeited games, each of the others keeps
// its own advantage.
func TestHeadToHeadOfTheRowsThatAreLeft(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "x", 70, 0, 30), b.AddCount("b", "a", "x", 50, 0, 50),
			b.AddCount("a", "b", "x"+Forfeited, 1, 0, 3), b.AddCount("b", "a", "x"+Forfeited, 2, 0, 2),
			b.AddCount("a", "b", "y", 190, 0, 10), b.AddCount("b", "a", "y", 180, 0, 20))
	}), Options{PerStratum: true})
	f.Advantages = slices.Delete(f.Advantages, 1, 2)
	h, err := f.HeadToHead("a", "b")
	want := 0.0
	for i, weight := range []float64{200. / 600, 400. / 600} {
		adv := f.Advantages[i].Elo.Value
		want += weight * (ExpectedScore(adv+h.Elo.Value) + 1 - ExpectedScore(adv-h.Elo.Value)) / 2
	}
	if err != nil || math.Abs(h.Score.Value-want) > 1e-9 {
		t.Errorf("%v, want %v: %v", h.Score.Value, want, err)
	}
}

// A forfeited game counts as lost, whatever the seat: expected points are the points scored, also where one agent forfeited
// in one seat only.
func TestForfeitsHaveNoSeat(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "x", 20, 0, 20), b.AddCount("b", "a", "x", 20, 0, 10),
			b.AddCount("b", "a", "x"+Forfeited, 0, 0, 10), b.AddCount("c", "b", "x", 20, 0, 20),
			b.AddCount("b", "c", "x", 20, 0, 20))
	}), Options{PerStratum: true})
	h, err := f.HeadToHead("a", "b")
	adv := f.Advantages[0].Elo.Value
	points := 40*ExpectedScore(h.Elo.Value+adv) + 30*ExpectedScore(h.Elo.Value-adv) + 10*ExpectedScore(h.Elo.Value)
	if err != nil || math.Abs(points-40) > 1e-6 || f.Advantages[1].Status != StatusFixed {
		t.Errorf("%v points, want 40: %+v, %v", points, f.Advantages, err)
	}
}
