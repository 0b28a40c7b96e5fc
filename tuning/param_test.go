package tuning

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/configs/strict"
)

// What a reference of a file names, under rules where of the centre both sides' features make a difference, of a need of 1 the enemy's
// alone, and the tempo none; of late weights no position was seen.
func TestExpandReferences(t *testing.T) {
	t.Parallel()
	at := func(name string) int { return slices.Index(eval.Names(), name) }
	loaded := loadInside(t)
	for _, c := range []struct {
		ref    ParamRef
		mirror bool
		kind   string
		want   string // paths, or the error
	}{
		{ParamRef{Path: "weights.*"}, false, "", "weights.own_centre weights.enemy_centre weights.enemy_need_1"},
		{ParamRef{Path: "weights.*"}, true, "", "weights.need_1 weights.centre"},
		{ParamRef{Path: "weights.own_*"}, false, "", "weights.own_centre"},
		{ParamRef{Path: "weights.need_*"}, true, "", "weights.need_1"},
		{ParamRef{Path: "weights.enemy_need_1"}, false, "minimax", "weights.enemy_need_1"},
		{ParamRef{Path: "weights.own_need_1"}, false, "", "weights.own_need_1 has no effect under the rules inside: in 30 positions of 5 sample games the feature"},
		{ParamRef{Path: "weights.tempo"}, true, "mcts", "weights.tempo has no effect"},
		{ParamRef{Path: "weights.own_centr"}, false, "", `weights.own_centr: unknown feature "own_centr"; did you mean own_centre?`},
		{ParamRef{Path: "weights.own_centre"}, true, "", "with mirror the pairs are named without own_ and enemy_"},
		{ParamRef{Path: "weights.centre"}, false, "", "without mirror with it"},
		{ParamRef{Path: "weights.own_centre"}, false, "random", "weights.own_centre has no meaning for type random (only for heuristic, minimax, mcts)"},
		{ParamRef{Path: "late_weights.*"}, false, "", "in 5 sample games no position is valued by late_weights"},
		{ParamRef{Path: "weights.own_centre", Log: true}, false, "", "weights.own_centre: log is for knobs; weights may change their sign"},
		{ParamRef{Path: "late_weights.*", Log: true}, false, "", "log is for knobs"},
		{ParamRef{Path: "movement_weights.*", Log: true}, false, "", "log is for knobs"},
		{ParamRef{Path: "mixture.epsilon", Min: new(0.0), Max: new(0.5)}, false, "", "mixture.epsilon"},
		{ParamRef{Path: "mixture.epsilon", Min: new(0.0)}, false, "", "a knob needs bounds, like {path: mixture.epsilon, min: 0, max: 1}"},
		{ParamRef{Path: "mixture.epsilon", Max: new(0.5)}, false, "", "a knob needs bounds"},
		{ParamRef{Path: "mixture.epsilon", Min: new(0.0), Max: new(1.5)}, false, "", "mixture.epsilon: bound 1.5: "},
		{ParamRef{Path: "mixture.epsilon", Min: new(-0.5), Max: new(1.0)}, false, "", "mixture.epsilon: bound -0.5: "},
		{ParamRef{Path: "scale", Min: new(1.0), Max: new(9.0)}, false, "minimax", "scale has no effect on the moves of type minimax"},
		{ParamRef{Path: "scale", Min: new(1.0), Max: new(900.0)}, false, "mcts", "scale"},
		{ParamRef{Path: "mixture.ignores_opponent", Values: []string{"true", "false"}}, false, "", "mixture.ignores_opponent=true mixture.ignores_opponent=false"},
	} {
		copied := *loaded
		x := &copied
		x.Label, x.Mirror = "inside", c.mirror
		if c.kind != "" {
			x.Start.Type = c.kind
		}
		x.Probe = &Probe{Games: 5, Positions: 30}
		s := &x.Probe.Sets[0]
		s.Positions = 30
		for _, name := range []string{"own_centre", "enemy_centre", "enemy_need_1"} {
			s.Spread[at(name)] = 0.5
		}
		params, err := x.expand(c.ref)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %q", c.ref, err, c.want)
			}
			continue
		}
		var got []string
		for _, p := range params {
			got = append(got, p.Path)
		}
		want := strings.Fields(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", c.ref, got, want)
		}
	}
}

// Weights with an effect that are neither 0 nor tuned are left as they are; learning from games does not, and does not tune knobs, but as
// the first stage of a pipeline.
func TestWhatIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	at := func(name string) int { return slices.Index(eval.Names(), name) }
	x.Probe = &Probe{}
	for _, name := range []string{"own_centre", "enemy_centre", "enemy_need_1"} {
		x.Probe.Sets[0].Spread[at(name)] = 0.5
	}
	x.Probe.Sets[1].Spread[at("own_centre")] = 0.5
	x.Start.Weights = eval.Weights{"own_centre": 1, "enemy_centre": -1, "own_need_1": 4, "enemy_need_1": 0}
	x.Start.Late, x.Start.Movement = eval.Weights{"own_centre": 2, "enemy_centre": 2}, nil
	knob := Param{Path: "mixture.epsilon", Targets: []Target{{"mixture.epsilon", 1}}}
	centre := Param{Path: "weights.centre", Targets: []Target{{"weights.own_centre", 1}, {"weights.enemy_centre", -1}}}
	late := Param{Path: "late_weights.own_centre", Targets: []Target{{"late_weights.own_centre", 1}}}
	for _, c := range []struct {
		params []Param
		method string
		left   []string
		wrong  int
	}{
		{nil, methodTD, []string{"late_weights.own_centre", "weights.enemy_centre", "weights.own_centre"}, 1},
		{[]Param{centre}, methodTD, []string{"late_weights.own_centre"}, 1},
		{[]Param{centre, late}, methodTD, nil, 0},
		{[]Param{centre, late, knob}, methodTD, nil, 1},
		{[]Param{centre, late, knob}, methodFit, nil, 1},
		{[]Param{centre, late, knob}, methodPipeline, nil, 0},
		{[]Param{knob, knob}, methodFit, []string{"late_weights.own_centre", "weights.enemy_centre", "weights.own_centre"}, 2}, // that of the knob is one mistake
	} {
		x.Params, x.Method = c.params, c.method
		if got := x.left(); !slices.Equal(got, c.left) {
			t.Errorf("%d numbers: %v, want %v", len(c.params), got, c.left)
		}
		doc, err := strict.Parse("inside.yaml", []byte(inside))
		if err != nil {
			t.Fatal(err)
		}
		if err := doc.Decode(&Plan{}); err != nil {
			t.Fatal(err)
		}
		x.checkLearning(doc)
		mistakes := 0
		if err := doc.Err(); err != nil {
			mistakes = strings.Count(err.Error(), "learns weights only") + strings.Count(err.Error(), "missing: ")
		}
		if mistakes != c.wrong {
			t.Errorf("%s of %d numbers: %d mistakes, want %d: %v", c.method, len(c.params), mistakes, c.wrong, doc.Err())
		}
	}
}

// A number stands for its targets, each by its factor, and is read from the first; words are put in place first, and what is not tuned
// stays. The start is not changed.
func TestApplyNumbers(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	x.Start.Weights = eval.Weights{"own_centre": 3, "enemy_centre": -6, "own_need_1": 4}
	x.Params = []Param{
		{Path: "weights.centre", Targets: []Target{{"weights.own_centre", 0.5}, {"weights.enemy_centre", -1}}},
		{Path: "ties=random", Category: "ties", Word: "random", Start: startAppeal},
		{Path: "ties=first", Category: "ties", Word: "first"},
		{Path: "mixture.epsilon", Targets: []Target{{"mixture.epsilon", 1}}},
	}
	got, err := x.apply("new", []float64{10, 0.1, 0.2, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if want := (eval.Weights{"own_centre": 5, "enemy_centre": -10, "own_need_1": 4}); !reflect.DeepEqual(got.Weights, want) || got.Name != "new" || fmt.Sprint(got.Ties) != "first" || got.Mixture.Epsilon != 0.25 {
		t.Errorf("%+v", got)
	}
	if x.Start.Weights["own_centre"] != 3 || x.Start.Mixture.Epsilon != 0 {
		t.Errorf("the start: %+v", x.Start)
	}
	for i, want := range []float64{20, startAppeal, 0, 0.25} {
		s := got
		s.Weights = eval.Weights{"own_centre": 10}
		if v, err := x.Params[i].value(&s); err != nil || v != want {
			t.Errorf("%s is %g, %v; want %g", x.Params[i].Path, v, err, want)
		}
	}
	if x.Params[0].isWeight() != true || x.Params[3].isWeight() != false {
		t.Error("a weight is a weight, and a knob none")
	}
}
