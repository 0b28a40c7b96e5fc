package tuning

import (
	"reflect"
	"testing"

	"spar/agents/eval"
	"spar/configs/must"
)

// A number stands for its targets, each by its factor, and is read from the first; what is not tuned stays. The start is not changed.
func TestApplyNumbers(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	x.Start.Weights = eval.Weights{"own_centre": 3, "enemy_centre": -6, "own_need_1": 4}
	x.Params = []Param{
		{Targets: []Target{{"weights.own_centre", 0.5}, {"weights.enemy_centre", -1}}},
		{Targets: []Target{{"mixture.epsilon", 1}}},
	}
	got := must.Get(x.apply("new", []float64{10, 0.25}))(t)
	if want := (eval.Weights{"own_centre": 5, "enemy_centre": -10, "own_need_1": 4}); !reflect.DeepEqual(got.Weights,
		want) || got.Name != "new" || got.Mixture.Epsilon != 0.25 {
		t.Errorf("%+v", got)
	}
	if x.Start.Weights["own_centre"] != 3 || x.Start.Mixture.Epsilon != 0 {
		t.Errorf("the start: %+v", x.Start)
	}
	for i, want := range []float64{20, 0.25} {
		s := got
		s.Weights = eval.Weights{"own_centre": 10}
		if v, err := x.Params[i].value(&s); err != nil || v != want {
			t.Errorf("%s is %g, %v; want %g", x.Params[i].Name, v, err, want)
		}
	}
	if x.Params[0].isWeight() != true || x.Params[1].isWeight() != false {
		t.Error("a weight is a weight, and a knob none")
	}
}
