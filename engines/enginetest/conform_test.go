package enginetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
)

func TestShippedGamesConform(t *testing.T) {
	t.Parallel()
	for _, name := range configs.Names(configs.Games) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := Load(t, name)
			if !g.Mechanics().
				Any(rules.DrawnLines, rules.Hexagons, rules.Custodians, rules.Patterns, rules.Clones, rules.Mates) {
				Conform(t, g, 8, 120, 1)
			} else {
				Conform(t, g, 3, 60, 1) // the reference takes its time over drawn lines, runs, shapes and mates
			}
		})
	}
}

// Every valid combination of knobs means what the reference implementation says. Each draw favours a mechanic, rare
// ones as often as others.
func TestRandomRulesConform(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		mechanic := rules.Mechanic(rapid.IntRange(0, int(rules.Undeclared)-1).Draw(rt, "mechanic"))
		r := RandomRulesWith(mechanic).Draw(rt, "rules")
		g := must.Get(engines.Compile(r))(rt)
		for seed := range uint64(4) {
			if _, err := playGame(g, 60, rand.New(rand.NewPCG(seed, 7))); err != nil {
				rt.Fatalf("%v\nrules: %s", err, r.Canonical())
			}
		}
	})
}

// The reference plays the change of every knob in a game in which the knob has an effect.
func TestEveryChangeConforms(t *testing.T) {
	t.Parallel()
	for _, c := range Changes(t) {
		_, g := c.Games(t)
		conforms(t, g.Rules(), 2)
	}
}

// The generator of random rules knows every mechanic, and the reference plays each.
func TestEveryMechanicConforms(t *testing.T) {
	t.Parallel()
	for mechanic := range rules.Undeclared {
		drawn, draws := 0, RandomRulesWith(mechanic)
		for seed := 0; seed < 100 && drawn < 2; seed++ {
			if r := draws.Example(seed); r.Mechanics().Has(mechanic) {
				drawn++
				conforms(t, r, 2)
			}
		}
		if drawn == 0 {
			t.Errorf("random rules never use %s: say in favour how to switch it on", rules.MechanicsOf(mechanic))
		}
	}
}

// Random games end by every goal, and the reference says the same: also if making the goal loses, and if only one
// side has it.
func TestEveryGoalEndsGames(t *testing.T) {
	t.Parallel()
	for _, goal := range rules.Goals() {
		changes := []string{"name=random"}
		if goal.Made {
			changes = append(changes, "win.misere=true", "second.win={line: 0}")
		}
		for _, change := range changes {
			t.Run(goal.Path+" "+change, func(t *testing.T) {
				t.Parallel()
				ended, draws := 0, RandomRulesWith(goal.Mechanic)
				for seed := 0; seed < 400 && ended < 3; seed++ {
					r := draws.Example(seed)
					g, err := engines.Load("random", []byte(r.Canonical()), change)
					if err == nil && g.Mechanics().Has(goal.Mechanic) {
						ended += conforms(t, g.Rules(), 4)[goal.Reason]
					}
				}
				if ended < 3 {
					t.Errorf("%d of the games end by %s", ended, goal.Reason)
				}
			})
		}
	}
}

// conforms compares games under rules with the reference, and returns how often each reason ended one.
func conforms(t *testing.T, r engines.Rules, games uint64) map[string]int {
	t.Helper()
	g := must.Get(engines.Compile(r))(t)
	ends := map[string]int{}
	for seed := range games {
		p, err := playGame(g, 60, rand.New(rand.NewPCG(seed, 7)))
		if err != nil {
			t.Fatalf("%v\nrules: %s", err, r.Canonical())
		}
		ends[p.Reason().String()]++
	}
	return ends
}

// Pieces that fall when one below leaves, with everything that makes one leave or changes what a line is.
func TestFallingConforms(t *testing.T) {
	t.Parallel()
	draw := rapid.Custom(func(t *rapid.T) engines.Rules {
		r, plain := drawRules(t), rules.DefaultRules()
		r.Board.Columns, r.Board.Rows = rapid.IntRange(3, 6).Draw(t, "columns"), rapid.IntRange(3, 6).Draw(t, "rows")
		r.Board.Shape = plain.Board.Shape
		r.Board.Missing = nil
		r.Board.Lines = nil
		r.Placement = rules.Placement{Region: plain.Placement.Region, Gravity: true, Falls: true}
		r.Pieces.Supply = 0
		r.Pieces.ReuseVacated = false
		r.Movement = plain.Movement
		r.Second = nil
		r.Setup = nil
		if rapid.Bool().Draw(t, "stood") {
			(&draw{t}).setup(&r)
			letFall(&r)
		}
		return r
	}).Filter(func(r engines.Rules) bool {
		return len(engines.Validate(&r)) == 0 && r.Mechanics().Has(rules.Settles)
	})
	rapid.Check(t, func(rt *rapid.T) {
		r := draw.Draw(rt, "rules")
		g := must.Get(engines.Compile(r))(rt)
		for seed := range uint64(4) {
			if _, err := playGame(g, 60, rand.New(rand.NewPCG(seed, 7))); err != nil {
				rt.Fatalf("%v\nrules: %s", err, r.Canonical())
			}
		}
	})
}

// Who cannot move wins under no_moves: win. On a small board of clobber the first player takes the only enemy, and the
// second, who then has nothing to take, has won.
func TestNoMovesWins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ moves, want string }{{"a1xb1", "second by no_moves"}, {"c1xb1", "second by no_moves"}} {
		p := Load(t, "clobber", "board.columns=3", "board.rows=2", "setup=[XOX, '...']", "no_moves=win").NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		if got := p.Result().String() + " by " + p.Reason().String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.moves, got, c.want)
		}
	}
}

// A mill made at the end of a straight chain of jumps takes a piece; the direction of the chain is over with it.
func TestMillEndsTheDirection(t *testing.T) {
	t.Parallel()
	r := rules.DefaultRules()
	r.Board.Columns = 10
	r.Board.Rows = 2
	r.Setup = []string{".X.....OX.", ".XO.....OX"}
	r.Movement = rules.Movement{
		Steps:     "king",
		Capture:   true,
		MultiJump: "true",
		Captured:  "remove",
		JumpOver:  "enemy",
		Straight:  true,
	}
	r.Mill.Line, r.Win.Majority, r.Pieces.Supply = 2, true, 2
	g := must.Get(engines.Compile(r))(t)
	p := g.NewPosition()
	must.Do(t, p.PlayText(strings.Fields("a2 xc2 e2 f2 c1 j2xh2 xc1 e2xg2 stop")))
	if back, err := g.ParseState(p.Text()); err != nil || back.Hash() != p.Hash() {
		t.Errorf("%s: %v", p.Text(), err)
	}
}

// A piece that steps and leaves by its age in the same ply connects nothing.
func TestWhatHasLeftConnectsNothing(t *testing.T) {
	t.Parallel()
	r := rules.DefaultRules()
	r.Board.Columns, r.Board.Rows, r.Territory, r.Placement.Region = 2, 11, "halves", "home"
	r.Turn.Placements, r.Draw.MaxPlies = 3, 33
	r.Pieces = rules.Pieces{Supply: 3, Cap: 2, Removal: "before_win", RemovalFromPly: 7}
	r.Movement.Steps = "bishop"
	r.Win = rules.Win{Connect: "left_right", Overlines: true, Region: "anywhere"}
	g := must.Get(engines.Compile(r))(t)
	p := g.NewPosition()
	must.Do(t, p.PlayText(strings.Fields("b8 a4 b3 a2 b9 b10 a4-b5 b8-a9")))
	if p.Over() || p.Board()[8] != ".X" {
		t.Errorf("%s by %s, %v", p.Result(), p.Reason(), p.Board())
	}
}

// The fourth occurrence of a position is a draw by repetition even on the ply of the cap, and within a chain of jumps.
func TestRepetitionComesBeforeTheCap(t *testing.T) {
	t.Parallel()
	r := rules.DefaultRules()
	r.Board.Columns = 3
	r.Board.Rows = 2
	r.Setup = []string{"XX.", "O.."}
	r.Movement = rules.Movement{Steps: "rook", Capture: true, MultiJump: "true", Captured: "stay", JumpOver: "friend"}
	r.Draw = rules.Draw{Repetition: 2, MaxPlies: 3}
	g := must.Get(engines.Compile(r))(t)
	p := g.NewPosition()
	must.Do(t, p.PlayText(strings.Fields("a1xc1 c1xa1 a1xc1")))
	if p.Reason() != engines.ByRepetition {
		t.Errorf("%s by %s, want a draw by repetition", p.Result(), p.Reason())
	}
}

func TestNothingAllocates(t *testing.T) {
	for _, name := range configs.Names(configs.Games) {
		NoAllocation(t, Load(t, name))
	}
}
