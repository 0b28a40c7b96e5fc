package engines_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// randomPositions calls f for the positions of some random games, until the time of the rules' draws is up.
func randomPositions(g *engines.Game, games, plies int, f func(p *engines.Position)) {
	rng := rand.New(rand.NewPCG(3, 9))
	for range games {
		p := g.NewPosition()
		for ; !p.Over() && p.Ply() < plies; p.Play(randomMove(p, rng)) {
			f(p)
		}
	}
}

func randomMove(p *engines.Position, rng *rand.Rand) engines.Move {
	moves := p.AppendMoves(nil)
	return moves[rng.IntN(len(moves))]
}

// However lines are counted, under whatever rules, it is as trying every window; and so are the cells that complete
// one.
func TestLineCountsAreThoseOfTheWindows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRules().Draw(rt, "rules")
		if rapid.Bool().Draw(rt, "flat") {
			r = enginetest.RandomRulesWithin(rules.Mechanics{^uint64(0), ^uint64(0)}.Without(rules.Wraps, rules.ExactLines)).
				Draw(rt, "flat rules")
		}
		g := must.Get(engines.Compile(r))(rt)
		randomPositions(g, 3, 60, func(p *engines.Position) {
			for side := range 2 {
				want := p.CountWindows(side)
				if got := p.CountLines(side); got != want {
					rt.Fatalf("%s side %d: lines %+v, windows %+v\n%s", p.Text(), side, got, want, r.Canonical())
				}
				if got := p.ThreatCells(side); got != want.Cells {
					rt.Fatalf("%s side %d: threats %v, windows %v\n%s", p.Text(), side, got, want.Cells, r.Canonical())
				}
				if plain, planes, ok := p.LosingLines(side, want.Cells); ok && plain != planes {
					rt.Fatalf("%s side %d: losing lines %+v, windows %+v\n%s", p.Text(), side, planes, plain, r.Canonical())
				}
			}
		})
	})
}

// What LineDeltas says about a placement is what counting after it finds; where it says nothing the placement ends the
// game.
func TestLineDeltasAreTheCountsAfterwards(t *testing.T) {
	t.Parallel()
	deltas, asked := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRulesWithin(engines.PlacesPlainly()).Draw(rt, "rules")
		g := must.Get(engines.Compile(r))(rt)
		var d engines.LineDeltas
		randomPositions(g, 2, 60, func(p *engines.Position) {
			asked++
			if !p.LookAtLines(&d) {
				return
			}
			deltas++
			for _, m := range p.AppendMoves(nil) {
				if !m.IsPlacement() {
					rt.Fatalf("%s: move %s\n%s", p.Text(), g.MoveText(m), r.Canonical())
				}
				own, enemy, cell, ok := d.After(m.To())
				next := p.State
				next.Play(m)
				if ok == next.Over() {
					rt.Fatalf("%s: after %s deltas %v, over %v\n%s", p.Text(), g.MoveText(m), ok, next.Over(),
						r.Canonical())
				}
				if !ok {
					continue
				}
				if want := next.CountWindows(p.Side()); own != want {
					rt.Fatalf("%s %s: own %+v, want %+v\n%s", p.Text(), g.MoveText(m), own, want, r.Canonical())
				}
				want := next.CountWindows(1 - p.Side())
				if enemy != want {
					rt.Fatalf("%s %s: enemy %+v, want %+v\n%s", p.Text(), g.MoveText(m), enemy, want, r.Canonical())
				}
				wins := engines.NoCell
				if b := next.Completing(want.Cells); !b.Empty() {
					wins = b.First()
				}
				if cell != wins {
					rt.Fatalf("%s %s: wins on %v, want %v\n%s", p.Text(), g.MoveText(m), cell, wins, r.Canonical())
				}
			}
		})
	})
	if deltas < asked/10 && !testing.Short() { // a short test draws a fifth of the rules
		t.Errorf("deltas in %d of %d positions: too few for a test", deltas, asked)
	}
}

// Neighbours counted in boxes are neighbours counted one by one.
func TestBoxCountsAreTheNeighbours(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRules().Draw(rt, "rules")
		r.Surround.Threshold = rapid.IntRange(1, 8).Draw(rt, "threshold")
		g, err := engines.Compile(r)
		if err != nil {
			return // too much together
		}
		randomPositions(g, 2, 60, func(p *engines.Position) {
			var a engines.Around
			p.LookAround(&a)
			for side := range 2 {
				hanging, loose := p.ExposedOneByOne(side)
				secure, links := p.BackedOneByOne(side)
				for _, got := range [][2]engines.Bits{exposed(p.Exposed(side)), exposed(a.Exposed(side))} {
					if got != [2]engines.Bits{hanging, loose} {
						rt.Fatalf("%s side %d: exposed %v, one by one %v %v\n%s", p.Text(), side, got, hanging, loose,
							r.Canonical())
					}
				}
				if s, l := a.Backed(side); s != secure || l != links {
					rt.Fatalf("%s side %d: backed %v %d, one by one %v %d\n%s", p.Text(), side, s, l, secure, links,
						r.Canonical())
				}
			}
		})
	})
}

func exposed(hanging, loose engines.Bits) [2]engines.Bits { return [2]engines.Bits{hanging, loose} }

// Where WinningPlacements claims anything it names every cell that wins at once by a line, and no other, unless pieces
// leave by age or are captured in that ply: then it names none that does not win.
func TestWinningPlacementsUnderAnyRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRules().Draw(rt, "rules")
		g := must.Get(engines.Compile(r))(rt)
		whole := g.Completes() && !g.Mechanics().Any(rules.Ages, rules.Surrounds, rules.Forced)
		randomPositions(g, 2, 60, func(p *engines.Position) {
			cells := p.WinningPlacements()
			for _, m := range p.AppendMoves(nil) {
				if !m.IsPlacement() {
					continue
				}
				next := p.State
				next.Play(m)
				wins := next.Result() == engines.Winner(p.Side()) && next.Reason() == engines.ByLine
				if named := cells.Has(m.To()); named && !wins || wins && whole && !named {
					rt.Fatalf("%s: %s wins %v, named %v\n%s", p.Text(), g.MoveText(m), wins, named, r.Canonical())
				}
			}
		})
	})
}

// What Around.After says about a placement is what counting after it finds; where it says nothing the next ply ends the
// game.
func TestAroundAfterIsWhatStandsAround(t *testing.T) {
	t.Parallel()
	deltas, asked := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRulesWithin(engines.PlacesSurrounding()).Draw(rt, "rules")
		r.Surround.Threshold = rapid.IntRange(1, 8).Draw(rt, "threshold")
		r.Win.Majority = true
		g := must.Get(engines.Compile(r))(rt)
		randomPositions(g, 2, 130, func(p *engines.Position) {
			asked++
			var base, after, want engines.Around
			if !p.LookAroundPlacements(&base) {
				return
			}
			deltas++
			for _, m := range p.AppendMoves(nil) {
				if m == engines.Swap {
					rt.Fatalf("%s: swap", p.Text())
				}
				side := after.After(&base, m.To())
				next := p.State
				next.Play(m)
				next.LookAround(&want)
				if next.Over() || side != next.Side() {
					rt.Fatalf("%s %s: side %d, want %d, over %v\n%s", p.Text(), g.MoveText(m), side, next.Side(),
						next.Over(), r.Canonical())
				}
				for side := range 2 {
					if after.Pieces(side) != next.Pieces(side) {
						rt.Fatalf("%s %s: pieces %v, want %v\n%s", p.Text(), g.MoveText(m), after.Pieces(side),
							next.Pieces(side), r.Canonical())
					}
					if got, want := exposed(after.Exposed(side)), exposed(want.Exposed(side)); got != want {
						rt.Fatalf("%s %s: exposed %v, want %v\n%s", p.Text(), g.MoveText(m), got, want, r.Canonical())
					}
					secure, links := after.Backed(side)
					if s, l := want.Backed(side); s != secure || l != links {
						rt.Fatalf("%s %s: backed %v %d, want %v %d\n%s", p.Text(), g.MoveText(m), secure, links, s, l,
							r.Canonical())
					}
				}
			}
		})
	})
	if deltas < asked/10 && !testing.Short() {
		t.Errorf("deltas in %d of %d positions: too few for a test", deltas, asked)
	}
}
