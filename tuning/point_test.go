package tuning

import (
	"slices"
	"testing"

	"spar/arena/study"
)

// points hears of a tuning.
type points struct{ heard []int }

func (*points) Begin(int)                              {}
func (p *points) Step(games int, _ int64, _ []float64) { p.heard = append(p.heard, games) }
func (*points) Check(Check)                            {}
func (*points) End()                                   {}

// Of the course every fiftieth part of the search is kept, the first point among them; all points are told.
func TestCourseIsThinned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		games, step int
		want        []int
	}{{1000, 10, []int{0, 20, 40, 60}}, {1000, 20, []int{0, 20, 40, 60}}, {1000, 15, []int{0, 30, 60}}, {20, 10, []int{0, 10, 20, 30, 40, 50, 60}}} {
		heard := &points{}
		x := &Tuning{Plan: Plan{Method: methodFit, Games: c.games}}
		r := &runner{t: x, train: &hall{}, progress: heard, result: &Result{}}
		all := 0
		for at := 0; at <= 60; at += c.step {
			r.point(Point{Games: at})
			all++
		}
		var got []int
		for _, p := range r.result.Course {
			got = append(got, p.Games)
		}
		if !slices.Equal(got, c.want) || len(heard.heard) != all {
			t.Errorf("%d games by %d: %v of %d told, want %v", c.games, c.step, got, len(heard.heard), c.want)
		}
	}
}

// Games of a search for weights are told by the purpose of their event, not those that check it.
func TestWhatIsTraining(t *testing.T) {
	t.Parallel()
	for purpose, want := range map[string]bool{purposeTraining: true, purposeCheck: false, "tournament": false, "": false} {
		if got := Training(study.Event{Purpose: purpose}); got != want {
			t.Errorf("%q is training: %t", purpose, got)
		}
	}
}
