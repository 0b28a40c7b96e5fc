package solve

import (
	"os"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// Under turn.pie seats the second player takes whichever side is better after the first move. So the first player wins
// only by a move that ends the game, and otherwise draws by a first move that the game without a pie rule says is a
// draw.
func TestSeatsAreWorthWhatTheFirstMoveLeaves(t *testing.T) {
	t.Parallel()
	hare := must.Get(os.ReadFile("../explain/testdata/hare.yaml"))(t)
	load := func(set ...string) *engines.Game {
		g := must.Get(engines.Load("hare.yaml", hare, set...))(t)
		return g
	}
	for name, games := range map[string][2]*engines.Game{
		"hare":              {load(), load("turn.pie=seats")},
		"hare, rook steps":  {load("movement.steps=rook"), load("movement.steps=rook", "turn.pie=seats")},
		"hexapawn":          {enginetest.Load(t, "hexapawn"), enginetest.Load(t, "hexapawn", "turn.pie=seats")},
		"pong-hau-ki":       {enginetest.Load(t, "pong-hau-ki"), enginetest.Load(t, "pong-hau-ki", "turn.pie=seats")},
		"tapatan":           {enginetest.Load(t, "tapatan"), enginetest.Load(t, "tapatan", "turn.pie=seats")},
		"dodgem":            {enginetest.Load(t, "dodgem"), enginetest.Load(t, "dodgem", "turn.pie=seats")},
		"classic (placing)": {enginetest.Load(t, "classic"), enginetest.Load(t, "classic", "turn.pie=seats")},
	} {
		plain, seats := solve(t, games[0]), solve(t, games[1])
		start := games[0].NewState()
		want := Loss
		for _, r := range plain.Moves(&start) {
			next := start
			next.Play(r.Move)
			switch {
			case next.Over() && r.Value.Outcome == Win:
				want = Win
			case r.Value.Outcome == Draw && want == Loss:
				want = Draw
			}
		}
		start = games[1].NewState()
		if v, ok := seats.Lookup(&start); !ok || v.Outcome != want {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
		// The value of a position is that of the position without a pie rule once the question of sides is settled.
		for _, m := range start.AppendMoves(nil) {
			taken, left := start, games[0].NewState()
			taken.Play(m)
			left.Play(m)
			if taken.Over() {
				continue
			}
			taken.Play(engines.Swap)
			if taken.Over() {
				continue
			}
			got, ok := seats.Lookup(&taken)
			if expected, _ := plain.Lookup(&left); !ok || got != expected || taken.Side() != engines.First {
				t.Errorf("%s: after %s and swap %v for side %d, want %v for the first player", name,
					games[0].MoveText(m), got, taken.Side(), expected)
			}
		}
	}
}

// While the second player may swap, proofs agree with the table, which plays the swap like any other move: where a swap
// only changes the sides, where it does not (boards that are not square, a second player with two pieces), with first
// turns of two pieces, and with every search below.
func TestPieIsProvedByTheOpenings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game string
		set  []string
	}{
		{"classic", nil},
		{"classic", []string{"win.misere=true"}},
		{"classic", []string{"board.columns=4", "turn.first_turn=2"}},
		{"classic", []string{"second.first_turn=2"}},
		{"rolling", nil},
		{"hex5", []string{"board.columns=3", "board.rows=3"}},
		{"hex5", []string{"board.columns=4", "board.rows=3"}},
		{"hex5", []string{"board.columns=2", "board.rows=4", "win.misere=true"}},
		{"hexapawn", nil},
		{"tapatan", nil},
	} {
		for _, form := range []string{"turn.pie=true", "turn.pie=seats"} {
			r := enginetest.Load(t, c.game, c.set...).Rules()
			g, err := engines.Load(c.game, []byte(r.Canonical()), form)
			if err != nil {
				continue // this form is for other games
			}
			table := solve(t, g)
			states := []engines.State{g.NewState()}
			for _, m := range states[0].AppendMoves(nil) {
				next := states[0]
				if next.Play(m); next.PieOpen() && !next.Over() {
					states = append(states, next)
				}
			}
			for _, s := range states {
				want, ok := table.Lookup(&s)
				p, err := Prove(t.Context(), &s, ProofOptions{Memory: 4e6})
				if err != nil || !ok || !p.Known() || p.AtLeast != want.Outcome {
					t.Errorf("%s %v %s, %s: %+v, %v, the table says %v", c.game, c.set, form, s.Text(), p, err, want)
				}
				if next := s; p.Move != engines.NoMove {
					next.Play(p.Move)
					if v, _ := table.after(&next, s.Side()); v.Outcome != Win {
						t.Errorf("%s %v %s, %s: %s does not win", c.game, c.set, form, s.Text(), g.MoveText(p.Move))
					}
				}
			}
		}
	}
}
