package solve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// Proofs of positions in games that fill the board agree with the table of the whole game, by any number of goroutines,
// with tables so small that they forget, on random boards, wraps, lines (misère ones and unequal ones, too) and
// regions, with and without gravity and majority, with first turns of several pieces.
func TestFillProofsAgreeWithTables(t *testing.T) {
	t.Parallel()
	games := 0
	rapid.Check(t, func(rt *rapid.T) {
		g := drawFilling(rt)
		games++
		table := must.Get(Solve(t.Context(), g, Options{Workers: 1}))(rt)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		for range 6 {
			s := randomState(g, rng, rng.IntN(g.Cells()))
			want, ok := table.Lookup(&s)
			if !ok {
				rt.Fatalf("%s is not in the table", s.Text())
			}
			p := must.Get(Prove(t.Context(), &s, ProofOptions{Memory: 1 << 12, Workers: 1 + rng.IntN(2)}))(rt)
			if !p.Known() || p.AtLeast != want.Outcome {
				rt.Fatalf("%s: proved %v to %v, the table says %v\nrules: %s", s.Text(), p.AtLeast, p.AtMost, want,
					g.Rules().Canonical())
			}
			if p.AtLeast == Win {
				next := s
				next.Play(p.Move)
				if after, _ := table.after(&next, s.Side()); after.Outcome != Win {
					rt.Fatalf("%s: %s does not win\nrules: %s", s.Text(), g.MoveText(p.Move), g.Rules().Canonical())
				}
			}
		}
	})
	t.Logf("%d games", games)
}

// drawFilling draws rules that newField takes.
func drawFilling(rt *rapid.T) *engines.Game {
	r := rules.DefaultRules()
	r.Name = "filling"
	r.Board.Columns = rapid.IntRange(2, 5).Draw(rt, "columns")
	r.Board.Rows = rapid.IntRange(2, 10/r.Board.Columns).Draw(rt, "rows")
	r.Board.Wrap = rapid.SampledFrom([]string{"none", "columns", "rows", "torus"}).Draw(rt, "wrap")
	r.Placement.Gravity = rapid.Bool().Draw(rt, "gravity")
	r.Win.Line = rapid.IntRange(2, 4).Draw(rt, "line")
	r.Win.Misere = rapid.Bool().Draw(rt, "misere")
	if r.Win.Majority = rapid.Bool().Draw(rt, "majority"); !r.Win.Majority {
		r.Turn.FirstTurn = rapid.IntRange(1, 3).Draw(rt, "first turn")
	}
	r.Draw.FullBoard = !r.Win.Majority || rapid.Bool().Draw(rt, "full board")
	if rapid.IntRange(1, 4).Draw(rt, "halves") == 1 {
		r.Territory, r.Win.Region = "halves", "enemy"
	}
	if rapid.Bool().Draw(rt, "unequal") {
		own := r.Win
		own.Line = rapid.IntRange(2, 4).Draw(rt, "second player's line")
		own.Directions = rapid.SampledFrom([][]string{nil, {"rows"}, {"diagonals"}, {"rows", "columns"}}).Draw(rt,
			"second player's directions")
		r.Second = &rules.SecondPlayer{Win: &own}
		if turn := rapid.IntRange(1, 2).Draw(rt, "second player's first turn"); !r.Win.Majority && turn > 1 {
			r.Second.FirstTurn = &turn
		}
	}
	g, err := engines.Compile(r)
	if err != nil {
		rt.Skip(err)
	}
	if newField(g) == nil {
		rt.Fatalf("not taken for a game that fills the board: %s", r.Canonical())
	}
	return g
}

// Any knob that the search does not handle rules it out.
func TestFillRefusesOtherKnobs(t *testing.T) {
	t.Parallel()
	enginetest.Handles(t, "connect4", func(g *engines.Game) bool { return newField(g) != nil },
		"board.wrap", "turn.first_turn", "win.line", "win.directions", "win.misere", "draw.repetition", "draw.max_plies",
		"no_moves")
}

// judged is a position of connect four with the exact value of every column, by an independent perfect solver.
type judged struct {
	Set    string
	Moves  []string
	Values []*int // for the side to move; null = full
}

func readJudged(t *testing.T) (all []judged) {
	t.Helper()
	f := must.Get(os.Open("testdata/connect4_values.jsonl"))(t)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var j judged
		must.Do(t, json.Unmarshal(lines.Bytes(), &j))
		all = append(all, j)
	}
	return all
}

// Positions from the middle of connect four are proved in few nodes, with the values of another solver.
func TestConnectFourProofs(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "connect4")
	nodes, n := uint64(0), uint64(0)
	for _, j := range readJudged(t) {
		if j.Set == "opening" && testing.Short() {
			continue
		}
		p := g.NewPosition()
		must.Do(t, p.PlayText(j.Moves))
		best := int(Loss)
		for _, v := range j.Values {
			if v != nil {
				best = max(best, *v)
			}
		}
		r := must.Get(Prove(t.Context(), &p.State, ProofOptions{Nodes: 1_000_000, Memory: 32 << 20}))(t)
		if !r.Known() || int(r.AtLeast) != best {
			t.Errorf("%v: %v to %v after %d nodes, the value is %d", j.Moves, r.AtLeast, r.AtMost, r.Nodes, best)
		}
		if r.AtLeast == Win {
			if v := j.Values[g.MoveText(r.Move)[0]-'a']; v == nil || *v != 1 {
				t.Errorf("%v: %s does not win", j.Moves, g.MoveText(r.Move))
			}
		}
		if j.Set == "middle" {
			nodes, n = nodes+r.Nodes, n+1
		}
	}
	if nodes/n > 17_000 {
		t.Errorf("%d nodes for the average position of the middle game", nodes/n)
	}
	t.Logf("%d nodes on average in the middle game", nodes/n)
}

// later is a context that ends when it has been asked so often.
type later struct {
	context.Context
	asks int
}

func (l *later) Err() error {
	if l.asks--; l.asks < 0 {
		return context.Canceled
	}
	return nil
}

// A proof that is cancelled says what it has found out by then.
func TestCancelledProofKeepsItsBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, moves string
		asks        int
	}{
		{"connect4", "d6 a6 d5 a5 b6 d4 b5 b4 f6", 40},
		{"connect4", "d6 d5 d4 d3 d2 c6 c5", 40},
		{"vanishing", "", 3},
	} {
		g := enginetest.Load(t, c.game)
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		r, err := Prove(&later{t.Context(), c.asks}, &p.State, ProofOptions{})
		if r.Known() == (err != nil) || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s %s: %v to %v, error %v", c.game, c.moves, r.AtLeast, r.AtMost, err)
		}
		if most := uint64(c.asks+1) * 4096; r.Nodes == 0 || r.Nodes > most {
			t.Errorf("%s %s: %d nodes until the context had been asked %d times", c.game, c.moves, r.Nodes, c.asks)
		}
	}
}

// A proof ends at the next node once its context has ended, whatever it has taken from its budget: while a large table
// is new, a thousand nodes take seconds.
func TestCancelledProofEndsAtOnce(t *testing.T) {
	t.Parallel()
	s := enginetest.Load(t, "connect4").NewState()
	ctx, cancel := context.WithCancel(t.Context())
	told := uint64(0)
	r, err := Prove(ctx, &s, ProofOptions{Workers: 1, Progress: func(p ProofStatus) {
		told = p.Nodes
		cancel()
		time.Sleep(100 * time.Millisecond) // what waits for the context has heard of it
	}})
	if !errors.Is(err, context.Canceled) || told == 0 || r.Nodes-told > share/16 {
		t.Errorf("%d nodes after the %d at which it was cancelled, %v", r.Nodes-told, told, err)
	}
}
