package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

// One decision costs its simulations and one; a game costs the mean of its players: ten pairs of 8 simulations against random play
// are 20 games of (9 + 1)/2.
func TestWork(t *testing.T) {
	t.Parallel()
	random, greedy, deep := agents.DefaultSpec(), agents.DefaultSpec(), agents.DefaultSpec()
	random.Type, greedy.Type, deep.Type = "random", "heuristic", "minimax"
	for _, c := range []struct {
		s    agents.Spec
		want float64
	}{{random, 1}, {greedy, 1}, {deep, 30}, {treeSearch(8), 9}, {treeSearch(100), 101}} {
		if got := agentWork(c.s); got != c.want {
			t.Errorf("%s: %g, want %g", c.s.Type, got, c.want)
		}
	}
	for games, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3} {
		if got := pairsOf(games); got != want {
			t.Errorf("%d games are %d pairs, want %d", games, got, want)
		}
	}
	p := Part(load(t, "classic", nil), "x", PurposeLadder, "ladder", 10, arena.Openings{Plies: 1}, Tiers([]int64{8}))
	if got := PartWork(p); got != 20*5 || PartGames(p) != 20 {
		t.Errorf("%d games of work %g, want 20 of 100 in all", PartGames(p), got)
	}
	c := tiny(t, "classic")
	want := 0.0
	for _, p := range c.Parts() {
		want += PartWork(p)
	}
	if got := c.Work(); got != want || want <= 0 {
		t.Errorf("work %g, that of the parts is %g", got, want)
	}
}

// One step of every knob whose mechanic is in use, by hand.
func TestStepsOfEveryKnob(t *testing.T) {
	t.Parallel()
	base := engines.DefaultRules()
	base.Win.Line, base.Board.Columns, base.Board.Rows, base.Win.Overlines = 3, 4, 3, true
	for _, c := range []struct {
		change func(*engines.Rules)
		has    string // space between, in any order
		lacks  string
	}{
		{
			func(*engines.Rules) {}, "turn.pie=true turn.placements=0 turn.placements=2 win.line=2 win.line=4 win.overlines=false board.wrap=torus",
			"turn.first_turn pieces.cap pieces.removal pieces.supply win.region movement surround board.wrap=none",
		},
		{func(r *engines.Rules) { r.Turn.Pie, r.Turn.Placements, r.Turn.FirstTurn = engines.PieStones, 2, 1 }, "turn.pie=false turn.placements=1 turn.placements=3 turn.first_turn=0 turn.first_turn=2", "turn.pie=true"},
		{func(r *engines.Rules) { r.Pieces.Cap, r.Pieces.Removal = 2, "before_win" }, "pieces.cap=1 pieces.cap=3 pieces.removal=after_win", "pieces.removal=before_win"},
		{func(r *engines.Rules) { r.Pieces.Cap, r.Pieces.Supply = 1, 1 }, "pieces.cap=2 pieces.supply=2", "pieces.cap=0 pieces.supply=0"},
		{func(r *engines.Rules) { r.Win.Line = 0 }, "turn.pie=true", "win.line win.overlines win.region"},
		{func(r *engines.Rules) { r.Win.Line = 4 }, "win.line=3 win.line=5", "win.overlines"},
		{func(r *engines.Rules) { r.Win.Line, r.Board.Columns, r.Board.Rows = 4, 3, 5 }, "win.overlines=false", ""},
		{func(r *engines.Rules) { r.Territory, r.Win.Region = "halves", "enemy" }, "win.region=anywhere", "win.region=enemy"},
		{func(r *engines.Rules) { r.Territory, r.Win.Region, r.Win.Line = "halves", "enemy", 0 }, "", "win.region"},
		{func(r *engines.Rules) { r.Movement.Steps = "rook" }, "movement.steps=king movement.steps=bishop", "movement.steps=rook movement.captured movement.multi_jump movement.forced_capture"},
		{
			func(r *engines.Rules) {
				r.Movement.Capture, r.Movement.Captured, r.Movement.MultiJump = true, "return", true
			},
			"movement.captured=remove movement.multi_jump=false movement.forced_capture=true", "movement.captured=return",
		},
		{func(r *engines.Rules) { r.Surround.Threshold, r.Surround.Effect = 1, "convert" }, "surround.threshold=2 surround.effect=remove surround.cascade=true", "surround.threshold=0 surround.effect=convert"},
		{func(r *engines.Rules) { r.Board.Wrap = "columns" }, "board.wrap=none board.wrap=torus", "board.wrap=columns"},
	} {
		r := base
		c.change(&r)
		var got []string
		for _, k := range neighbours(r) {
			got = append(got, k.Path+"="+k.Text)
		}
		for _, want := range strings.Fields(c.has) {
			if !slices.Contains(got, want) {
				t.Errorf("%v lacks %s", got, want)
			}
		}
		for _, no := range strings.Fields(c.lacks) {
			if slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, no) }) {
				t.Errorf("%v has %s", got, no)
			}
		}
	}
}

// faulty is a pool in which the first player of each event's first game forfeits it.
type faulty struct{ arena.Pool }

func (p faulty) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	through := make(chan []arena.Result)
	var group sync.WaitGroup
	group.Go(func() {
		for rs := range through {
			for i := range rs {
				if r := &rs[i]; r.Number == 0 {
					r.Outcome, r.Reason, r.Faulty = engines.SecondWins, "forfeit_illegal", 1
				}
			}
			results <- rs
		}
	})
	defer group.Wait()
	defer close(through)
	return p.Pool.Play(ctx, tasks, through)
}

// Studies with minutes begin together or go on together; one that is there decides its own sizes, and without minutes the others keep
// theirs.
func TestPrepare(t *testing.T) {
	t.Parallel()
	db := open(t)
	stored := tiny(t, "classic")
	run(t, db, []*Campaign{stored}, Options{Limit: 1})
	one, two := plan(t, "classic"), plan(t, "rolling")
	if err := prepare(t.Context(), db, []*Campaign{one, two}, 1); err != nil || one.Record.Sizes != stored.Record.Sizes || two.Record.Sizes != plan(t, "rolling").Record.Sizes {
		t.Errorf("%v: sizes %+v and %+v", err, one.Record.Sizes, two.Record.Sizes)
	}
	timed := func(name string) *Campaign {
		c := plan(t, name)
		c.Record.Request.Minutes = 3
		return c
	}
	both := open(t)
	first := tiny(t, "classic")
	first.Record.Request.Minutes = 3
	if err := first.begin(t.Context(), both); err != nil {
		t.Fatal(err)
	}
	if err := prepare(t.Context(), both, []*Campaign{timed("classic")}, 1); err != nil {
		t.Error(err)
	}
	if err := prepare(t.Context(), both, []*Campaign{timed("classic"), timed("rolling")}, 1); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "begin together") {
		t.Errorf("some of the rules are there: %v", err)
	}
	if err := prepare(t.Context(), db, []*Campaign{timed("classic")}, 1); !errors.Is(err, ErrOther) {
		t.Errorf("another request: %v", err)
	}
}
