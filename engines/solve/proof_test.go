package solve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// randomState plays random moves and returns a position in which the game goes on.
func randomState(g *engines.Game, rng *rand.Rand, plies int) engines.State {
	s := g.NewState()
	for range plies {
		moves := s.AppendMoves(nil)
		next := s
		next.Play(moves[rng.IntN(len(moves))])
		if next.Over() {
			break
		}
		s = next
	}
	return s
}

func TestProveAgreesWithTable(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		rules string
		set   []string
		n     int
		hard  bool // some positions take more nodes than allowed here
	}{
		{"classic", nil, 60, false},
		{"vanishing", nil, 20, false},
		{"rolling", nil, 20, false},
		{"vanishing", []string{"pieces.reuse_vacated=true"}, 20, false},
		{"vanishing", []string{"pieces.cap=4"}, 20, false},
		{"vanishing", []string{"turn.placements=2"}, 20, false},
		{"infiltration-6x6", tinyInfiltration(), 5, true},
	} {
		t.Run(fmt.Sprint(v.rules, v.set), func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, v.rules, v.set...)
			table := solve(t, g)
			rng := rand.New(rand.NewPCG(1, 2))
			nodes, most := uint64(0), uint64(0)
			for range v.n {
				s := randomState(g, rng, rng.IntN(20))
				want, ok := table.Lookup(&s)
				if !ok {
					t.Fatalf("%s is not in the table", s.Text())
				}
				p := must.Get(Prove(t.Context(), &s, ProofOptions{Nodes: 300_000, Memory: 1 << 20}))(t)
				nodes, most = nodes+p.Nodes, max(most, p.Nodes)
				if p.AtLeast > want.Outcome || p.AtMost < want.Outcome || !p.Known() && !v.hard {
					t.Errorf("%s: proved %v to %v with %d nodes, the table says %v", s.Text(), p.AtLeast, p.AtMost,
						p.Nodes, want)
				}
				if p.Known() && p.AtLeast == Win {
					next := s
					next.Play(p.Move)
					after, _ := table.after(&next, s.Side())
					if after.Outcome != Win {
						t.Errorf("%s: the proof's move %s does not win", s.Text(), g.MoveText(p.Move))
					}
				}
			}
			t.Logf("%d nodes a position, at most %d", nodes/uint64(v.n), most)
		})
	}
}

// tinyInfiltration is infiltration with the fewest pieces on the smallest board.
func tinyInfiltration() []string {
	return []string{"board.columns=4", "board.rows=4", "pieces.supply=2", "win.line=2"}
}

func TestProveGivesUp(t *testing.T) {
	t.Parallel()
	s := enginetest.Load(t, "vanishing").NewState()
	p, err := Prove(t.Context(), &s, ProofOptions{Nodes: 50})
	if err != nil || p.Known() || p.Nodes != 50 {
		t.Errorf("got %+v, %v after 50 nodes, want unknown", p, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Prove(ctx, &s, ProofOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}

// Positions of boards with more than 80 cells take more than 128 bits. They are proved all the same.
func TestProveLargeBoards(t *testing.T) {
	t.Parallel()
	const x, o = "XOXOXOXOXO/", "OXOXOXOXOX/"
	const filled = x + x + o + o + x + x + o + o // without a line of 5
	for _, c := range []struct {
		set      []string
		position string
		want     Outcome
	}{
		{[]string{"win.line=2"}, "", Win},
		{[]string{"win.line=10"}, filled + x + "XOXOX..... O 95", Draw},
		{[]string{"win.line=10"}, "XXXXXXXXX./" + filled + "OXOXO..... X 94", Win},
		{[]string{"win.line=9", "win.misere=true"}, "XXXXXXXX.O/" + filled + "OXOXOXOXOX X 99", Loss},
	} {
		g := enginetest.Load(t, "classic", append(c.set, "board.columns=10", "board.rows=10")...)
		s := g.NewState()
		if c.position != "" {
			s = must.Get(g.ParseState(c.position))(t)
		}
		for _, plain := range []bool{true, false} {
			p, err := Prove(t.Context(), &s, ProofOptions{Plain: plain, Nodes: 100_000})
			if err != nil || !p.Known() || p.AtLeast != c.want {
				t.Errorf("%v %s: %+v, %v, want %v", c.set, c.position, p, err, c.want)
			}
		}
	}
	s := enginetest.Load(t, "classic", "board.columns=11", "board.rows=11", "win.line=5").NewState()
	if p, err := Prove(t.Context(), &s, ProofOptions{Memory: 1 << 20, Plain: true}); err != nil || p.Known() {
		t.Errorf("with 1 MB: %+v, %v, want unknown", p, err)
	}
}
