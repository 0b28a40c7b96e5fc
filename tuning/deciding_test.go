package tuning

import (
	"reflect"
	"testing"

	"spar/agents/eval"
)

// A pair of weights keeps its ratio; one that stands alone leads, its counterpart begins with the other sign.
func TestPairs(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	pair := []string{"own_need_1", "enemy_need_1"}
	for _, c := range []struct {
		own, enemy, start float64
		want              []Target
	}{
		{4, -2, 4, []Target{{"weights.own_need_1", 1}, {"weights.enemy_need_1", -0.5}}},
		{4, 0, 4, []Target{{"weights.own_need_1", 1}, {"weights.enemy_need_1", -1}}},
		{0, -2, -2, []Target{{"weights.enemy_need_1", 1}, {"weights.own_need_1", -1}}},
		{0, 0, 0, []Target{{"weights.own_need_1", 1}, {"weights.enemy_need_1", -1}}},
	} {
		x.Start.Weights = eval.Weights{pair[0]: c.own, pair[1]: c.enemy}
		if p := x.weightParam(0, pair, ParamRef{}); p.Start != c.start || !reflect.DeepEqual(p.Targets, c.want) {
			t.Errorf("%g and %g: %+v", c.own, c.enemy, p)
		}
	}
	x.Start.Weights = eval.Weights{pair[1]: 3}
	if p := x.weightParam(0, pair[1:], ParamRef{}); p.Start != 3 || len(p.Targets) != 1 {
		t.Errorf("%+v", p)
	}
}
