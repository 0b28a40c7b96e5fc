package ratings

import (
	"math"
	"testing"
)

// Two players who sat as often in either seat are expected to score what they scored, however much the seat decides, while their difference
// in Elo alone would promise far more; the ends are the scores at the ends of the difference.
func TestHeadToHead(t *testing.T) {
	t.Parallel()
	for _, model := range []Model{ModelScore, ModelDavidson, ModelRaoKupper} {
		for _, c := range []struct{ asFirst, asSecond Count }{
			{Count{80, 0, 20}, Count{40, 0, 60}}, // the seat is worth little
			{Count{97, 2, 1}, Count{10, 5, 85}},  // the seat decides nearly all
			{Count{30, 40, 30}, Count{20, 45, 35}},
		} {
			var b Builder
			for _, err := range []error{
				b.AddCount("a", "b", "", c.asFirst.Wins, c.asFirst.Draws, c.asFirst.Losses),
				b.AddCount("b", "a", "", c.asSecond.Losses, c.asSecond.Draws, c.asSecond.Wins),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			f := mustFit(t, b.Table(), Options{Model: model})
			h, err := f.HeadToHead("a", "b")
			if err != nil {
				t.Fatal(err)
			}
			want := (c.asFirst.Points() + c.asSecond.Points()) / 200
			if model == ModelScore && math.Abs(h.Score.Value-want) > 1e-6 || math.Abs(h.Score.Value-want) > 0.03 {
				t.Errorf("%s %v: %.4f, scored %.4f", model, c, h.Score.Value, want)
			}
			if r := h.Score.Interval; r.Lo >= h.Score.Value || r.Hi <= h.Score.Value || (h.Elo.Interval.Lo > 0) != (r.Lo > 0.5) {
				t.Errorf("%s %v: %.3f in %v, Elo %v", model, c, h.Score.Value, r, h.Elo.Interval)
			}
			back, err := f.HeadToHead("b", "a")
			if err != nil || math.Abs(back.Score.Value+h.Score.Value-1) > 1e-9 || math.Abs(back.Score.Interval.Hi+h.Score.Interval.Lo-1) > 1e-9 {
				t.Errorf("%s: %v and back %v", model, h, back)
			}
		}
	}
	var b Builder
	if err := b.AddCount("a", "b", "", 97, 2, 1); err != nil {
		t.Fatal(err)
	}
	if err := b.AddCount("b", "a", "", 85, 5, 10); err != nil {
		t.Fatal(err)
	}
	h, _ := mustFit(t, b.Table(), Options{}).HeadToHead("a", "b")
	if naive := ExpectedScore(h.Elo.Value); naive < h.Score.Value+0.05 {
		t.Errorf("%.0f Elo: %.3f without seats, %.3f with them: the case shows nothing", h.Elo.Value, naive, h.Score.Value)
	}
	var seatless Builder // every game was forfeited: the logistic curve alone
	if err := seatless.AddCount("a", "b", "", 3, 0, 1); err != nil {
		t.Fatal(err)
	}
	f := mustFit(t, seatless.Table(), Options{})
	f.Advantages = nil
	if h, err := f.HeadToHead("a", "b"); err != nil || !(math.Abs(h.Score.Value-ExpectedScore(h.Elo.Value)) <= 1e-9) {
		t.Errorf("without seats: %+v, %v, want %.4f", h, err, ExpectedScore(h.Elo.Value))
	}
	var never Builder
	if err := never.AddCount("a", "b", "", 20, 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := never.AddCount("b", "a", "", 0, 0, 20); err != nil {
		t.Fatal(err)
	}
	if h, err := mustFit(t, never.Table(), Options{}).HeadToHead("a", "b"); err != nil || !h.Elo.Interval.HiOpen || h.Score.Interval.Hi != 1 || h.Elo.Interval.LoOpen {
		t.Errorf("not one point given away: %+v, %v", h, err)
	}
	for _, name := range []string{"a", "b"} {
		if h, err := mustFit(t, never.Table(), Options{}).HeadToHead(name, name); err != nil || h.Score.Value != 0.5 || h.Score.Interval != (Interval{Lo: 0.5, Hi: 0.5}) || h.Elo.Interval != (Interval{}) {
			t.Errorf("%s against himself: %+v, %v", name, h, err)
		}
	}
	if _, err := mustFit(t, never.Table(), Options{}).HeadToHead("a", "nobody"); err == nil {
		t.Error("an unknown player was compared")
	}
}
