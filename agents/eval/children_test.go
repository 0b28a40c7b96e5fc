package eval

import (
	"testing"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/enginetest"
)

// Children have, to the last bit, the values that the positions after the moves have, under any rules; and a side wins at once
// where playing a cell wins.
func TestChildrenHaveTheValuesOfThePositions(t *testing.T) {
	t.Parallel()
	shared, asked := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		within := ^engines.Mechanics(0)
		switch rapid.IntRange(0, 3).Draw(rt, "family") {
		case 0:
			within = engines.Wraps | engines.LongTurns | engines.Surrounds | engines.Majorities | engines.PlyCaps
		case 1:
			within = engines.Wraps | engines.Falling | engines.Lines | engines.LineRegions | engines.FullBoards | engines.PlyCaps
		}
		r := enginetest.RandomRulesWithin(within).Draw(rt, "rules")
		g, err := engines.Compile(r)
		if err != nil {
			rt.Fatal(err)
		}
		weights := Weights{}
		for _, name := range Names() {
			switch rapid.IntRange(0, 3).Draw(rt, name) {
			case 1:
				weights[name] = float64(rapid.IntRange(-20, 20).Draw(rt, "weight"))
			case 2:
				weights[name] = rapid.Float64Range(-20, 20).Draw(rt, "weight")
			}
		}
		e := New(g, Params{Weights: weights, Late: Weights{"own_centre": 0.3, "enemy_need_2": 2}, LateFrom: rapid.IntRange(0, 60).Draw(rt, "late")})
		kids := e.Children()
		n := 5
		everyPosition(t, g, 20, func(p *engines.Position) {
			if n--; n < 0 {
				return
			}
			kids.Of(&p.State)
			asked++
			if kids.Shared() {
				shared++
			}
			for _, m := range p.AppendMoves(nil) {
				next := p.State
				next.Play(m)
				for side := range 2 {
					value, result := kids.Value(m, side)
					if result != next.Result() {
						rt.Fatalf("%s %s: result %s, want %s\n%s", p.Text(), g.MoveText(m), result, next.Result(), r.Canonical())
					}
					if result != engines.Ongoing {
						continue
					}
					if want := e.Value(&next, side); value != want {
						rt.Fatalf("%s %s: value %v for side %d, want %v\n%s", p.Text(), g.MoveText(m), value, side, want, r.Canonical())
					}
					_, leaf := e.ValueOrWin(&next)
					if _, cell, ok := kids.Unplayed(m, side); ok != kids.Shared() || ok && cell != leaf {
						rt.Fatalf("%s %s: wins on %v, want %v, unplayed %v\n%s", p.Text(), g.MoveText(m), cell, leaf, ok, r.Canonical())
					}
				}
			}
		})
	})
	if shared < asked/10 {
		t.Errorf("children valued together in %d of %d positions: too few for a test", shared, asked)
	}
}
