package eval

import (
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// Children and leaves have, to the last bit, the values that the positions after the moves have, under any rules; a
// side wins at once where playing a cell wins, and is quiet where it has no captures.
func TestCursorHasTheValuesOfThePositions(t *testing.T) {
	t.Parallel()
	shared, asked := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		within := rules.Mechanics{^uint64(0), ^uint64(0)}
		switch rapid.IntRange(0, 3).Draw(rt, "family") {
		case 0:
			within = rules.MechanicsOf(rules.Wraps, rules.LongTurns, rules.FirstTurns, rules.Surrounds,
				rules.Majorities, rules.PlyCaps)
		case 1:
			within = rules.MechanicsOf(rules.Wraps, rules.Falling, rules.Lines, rules.LineRegions,
				rules.LineDirections, rules.FullBoards, rules.PlyCaps)
		}
		r := enginetest.RandomRulesWithin(within).Draw(rt, "rules")
		g := must.Get(engines.Compile(r))(rt)
		weights := Weights{}
		for _, name := range Names() {
			switch rapid.IntRange(0, 3).Draw(rt, name) {
			case 1:
				weights[name] = float64(rapid.IntRange(-20, 20).Draw(rt, "weight"))
			case 2:
				weights[name] = rapid.Float64Range(-20, 20).Draw(rt, "weight")
			}
		}
		for _, name := range []string{"own_need_2", "own_hanging"} { // what children share
			weights[name] += 1.5
		}
		e := New(
			g,
			Params{
				Weights:  weights,
				Late:     Weights{"own_centre": 0.3, "enemy_need_2": 2, "enemy_hanging": 1},
				LateFrom: rapid.IntRange(0, 60).Draw(rt, "late"),
			},
		)
		c := e.Cursor()
		n := 3
		everyPosition(t, g, 20, func(p *engines.Position) {
			if n--; n < 0 {
				return
			}
			moves := p.AppendMoves(nil)
			for side := range 2 {
				for i, child := range c.Children(&p.State, moves, side, nil) {
					next := p.State
					next.Play(moves[i])
					want := Child{Result: next.Result()}
					if want.Result == engines.Ongoing {
						want.Value = e.Value(&next, side)
					}
					if child != want {
						rt.Fatalf("%s %s: %+v for side %d, want %+v\n%s", p.Text(), g.MoveText(moves[i]), child, side,
							want, r.Canonical())
					}
				}
			}
			asked++
			if !c.Leaves(&p.State, 1000) {
				return
			}
			shared++
			for _, m := range moves {
				next := p.State
				next.Play(m)
				leaf, ok := c.Leaf(m)
				if next.Over() || !ok {
					if ok || !next.Over() {
						rt.Fatalf("%s %s: known %v, over %v\n%s", p.Text(), g.MoveText(m), ok, next.Over(), r.Canonical())
					}
					continue
				}
				want := Leaf{Next: next.Side(), Quiet: len(next.AppendCaptures(nil)) == 0}
				if want.Value, want.Wins = e.ValueOrWin(&next); want.Wins != engines.NoCell {
					leaf.Value = want.Value // nobody asks
				}
				if r.Surround.Threshold == 0 {
					want.Threat = !next.ThreatCells(1 - next.Side()).Empty()
				}
				if leaf != want {
					rt.Fatalf("%s %s: %+v, want %+v\n%s", p.Text(), g.MoveText(m), leaf, want, r.Canonical())
				}
			}
		})
	})
	if shared < asked/60 && !testing.Short() { // of the few rules of a short run none may share
		t.Errorf("children valued together in %d of %d positions: too few for a test", shared, asked)
	}
}
