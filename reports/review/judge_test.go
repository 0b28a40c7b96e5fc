package review

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/enginetest"
)

func judge(t *testing.T, agent, file string) *Judge {
	t.Helper()
	spec := must.Get(agents.LoadSpec(agent))(t)
	j := NewJudge(spec, file)
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

// A hint in a solved game is every best move of the table, with its value.
func TestHintIsExact(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "rolling")
	solved := solvedTable(t, g)
	j := judge(t, "random", "")
	for _, moves := range []string{"", "b2", "b2 a1", "a1 b2", "b1 a1 c1 b2 a3 b3"} {
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(moves)))
		h := must.Get(j.Hint(context.Background(), p))(t)
		if side := []string{"X", "O"}[len(strings.Fields(moves))%2]; h.Side != side || h.Rules != "rolling" {
			t.Errorf("%q: %s to move in %s, want %s", moves, h.Side, h.Rules, side)
		}
		var want []string
		best := solved.Best(&p.State)
		for _, r := range best {
			want = append(want, g.MoveText(r.Move))
		}
		if !slices.Equal(h.Best, want) || h.Value != best[0].Value.Outcome.String() || h.Plies != best[0].Value.DTW ||
			h.Source != Exact {
			t.Errorf("%q: %+v; the table has %v %v", moves, h, want, best[0].Value)
		}
		if !strings.HasSuffix(h.Worth(), ", exact") {
			t.Errorf("%q: %s", moves, h.Worth())
		}
	}
}

// Where nothing is exact the agent's scores count and its name stands by them: against three in a row with one end
// open, only the move there does not lose.
func TestHintByAgent(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "connect4")
	p := g.NewPosition()
	must.Do(t, p.PlayText(strings.Fields("b6 c6 a6 d6 a5 e6")))
	h, err := judge(t, "minimax-2", "").Hint(context.Background(), p)
	if err != nil || !slices.Equal(h.Best, []string{"f6"}) || h.Score <= 0.1 || h.Value != "" || h.Source != "minimax-2" ||
		!strings.HasSuffix(h.Worth(), " by minimax-2") {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := judge(t, "random", "").Hint(context.Background(), p); !errors.Is(err, agents.ErrNoScores) {
		t.Errorf("by an agent without scores: %v", err)
	}
}

// Proofs of single moves agree with the table of a game that is small enough for one.
func TestProved(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "hex5", "board.columns=4", "board.rows=3")
	table := byTable(solvedTable(t, g))
	p := g.NewPosition()
	for ; !p.Over(); p.Play(p.AppendMoves(nil)[p.Ply()*5%p.MoveCount()]) {
		want, errTable := table(p)
		have, err := proved(context.Background(), p)
		if err = errors.Join(err, errTable); err != nil || len(have) != len(want) {
			t.Fatalf("%d moves, %v", len(have), err)
		}
		for i, r := range have {
			if r.Move != want[i].Move || r.Value.Outcome != want[i].Value.Outcome || r.Score != want[i].Score {
				t.Errorf("%s: %+v, the table has %+v", p.Text(), r, want[i])
			}
		}
	}
}

// A table made before takes the place of solving; one of another game is refused as such.
func TestJudgeWithTable(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing", "board.columns=4") // 4x3
	file := filepath.Join(t.TempDir(), "t.spar")
	solved := solvedTable(t, g)
	must.Do(t, solved.Save(file))
	r, err := judge(t, "random", file).Review(context.Background(), g, []string{"b2", "a1"}, engines.Second)
	if err != nil || r.Source != Exact || r.Perspective != "O" || r.Result != "ongoing" || len(r.Plies) != 2 ||
		len(r.Arc) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := judge(t, "random", file).Review(context.Background(), enginetest.Load(t, "rolling"), nil,
		engines.First); !strict.IsBadInput(err) {
		t.Errorf("the table of another game: %v", err)
	}
}

// An arc does not jump with the parity of the depth: from one position to the next, with the best move played, the
// expected score moves less than by scores of one depth alone, and a proved score is not blurred.
func TestScoresOfBothParities(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "checkerboard")
	j := judge(t, "minimax-2", "")
	a := must.Get(agents.New(j.spec, g))(t)
	ctx := context.Background()
	jumps := func(score func(p *engines.Position, m engines.Move) (float64, error)) (sum float64) {
		p := g.NewPosition()
		rng := rand.New(rand.NewPCG(1, 2))
		for p.Ply() < 8 {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
		for last := -1.0; p.Ply() < 22 && !p.Over(); {
			best, at := -1.0, engines.Move(0)
			for _, m := range p.AppendMoves(nil) {
				s := must.Get(score(p, m))(t)
				if s > best {
					best, at = s, m
				}
			}
			if last >= 0 {
				sum += math.Abs(best - (1 - last))
			}
			if last = best; best >= 1 || best <= 0 {
				break
			}
			p.Play(at)
		}
		return sum
	}
	alone := jumps(func(p *engines.Position, m engines.Move) (float64, error) {
		return agents.MoveScore(ctx, a, p, m, j.spec.Budget)
	})
	both := jumps(func(p *engines.Position, m engines.Move) (float64, error) { return j.score(ctx, a, p, m) })
	if both >= alone/2 {
		t.Errorf("the arc jumps by %.3f in all, by one depth alone by %.3f", both, alone)
	}
}
