package console_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/reports/console"
	"spar/reports/review"
)

// sit plays a game of what a person types against greedy, whose ties are decided alike, and returns what stood on the
// screen.
func sit(t *testing.T, rules string, begun, typed []string) (arena.Result, string) {
	t.Helper()
	g := enginetest.Load(t, rules)
	spec := must.Get(agents.LoadSpec("greedy", "ties=first"))(t)
	a := must.Get(agents.NewContext(context.Background(), spec, g))(t)
	lines := make(chan string, len(typed))
	for _, s := range typed {
		lines <- s
	}
	close(lines)
	var out bytes.Buffer
	table := &console.Table{
		Game: g, Seats: [2]arena.Seat{{Name: "me"}, {Name: "greedy", Agent: a}}, People: [2]bool{true, false},
		Lines: lines, Out: &out,
		Judge: func() (*review.Judge, error) { return review.NewJudge(spec, ""), nil },
	}
	p := g.NewPosition()
	must.Do(t, p.PlayText(begun))
	table.Conditions.Opening = p.Played()
	r := must.Get(table.Play(context.Background()))(t)
	must.Do(t, table.Close())
	return r, out.String()
}

// A move taken back leaves no trace in the game: what is played then is what would have been played.
func TestUndo(t *testing.T) {
	t.Parallel()
	plain, _ := sit(t, "classic", nil, []string{"b2", "c3", "resign", "yes"})
	undone, said := sit(t, "classic", nil, []string{"b2", "a3", "undo", "c3", "resign", "yes"})
	if plain.Moves != undone.Moves || !strings.HasPrefix(plain.Moves, "b2 ") ||
		!strings.Contains(said, "taken back: 2 plies") {
		t.Errorf("%q with a move taken back, %q without:\n%s", undone.Moves, plain.Moves, said)
	}
	whole, _ := sit(t, "classic", nil, []string{"b2", "a3", "undo", "undo", "c3", "resign", "yes"})
	if !strings.HasPrefix(whole.Moves, "c3 ") {
		t.Errorf("two moves taken back: %q", whole.Moves)
	}
	if _, said := sit(t, "classic", nil, []string{"undo", "b2", "resign", "yes"}); !strings.Contains(said,
		"you have no move to take back") {
		t.Errorf("before the first move:\n%s", said)
	}
}

// The board is shown before the first question, and again when moves were taken back; who plays is shown each move
// otherwise.
func TestBoardIsShownOnce(t *testing.T) {
	t.Parallel()
	_, said := sit(t, "classic", nil, []string{"?", "b2", "?", "undo", "?", "resign", "yes"})
	var shown []int
	for i, before := range strings.Split(said, "your move") {
		if strings.Contains(before, "a  b  c") {
			shown = append(shown, i)
		}
	}
	if !slices.Equal(shown, []int{0, 4}) {
		t.Errorf("before questions %v, want 0 and 4:\n%s", shown, said)
	}
}

// The hint is the winning move.
func TestHint(t *testing.T) {
	t.Parallel()
	_, said := sit(t, "vanishing", []string{"a1", "b1", "a2", "b2"}, []string{"hint", "resign", "yes"})
	if want := "best: a3 (win in 1 ply, exact)"; !strings.Contains(said, want) {
		t.Errorf("no %q in\n%s", want, said)
	}
}

// The time of a game goes on when moves are taken back: what was spent before is spent.
func TestTimeOfAGame(t *testing.T) {
	t.Parallel()
	type line struct {
		after time.Duration
		text  string
	}
	for _, c := range []struct {
		limit  time.Duration
		typed  []line
		spent  time.Duration
		reason string
	}{
		{
			10 * time.Second,
			[]line{{time.Second, "b2"}, {time.Second, "resign"}, {0, "yes"}},
			2 * time.Second,
			"forfeit_resign",
		},
		{10 * time.Second, []line{
			{time.Second, "b2"},
			{3 * time.Second, "a1"},
			{time.Second, "undo"},
			{time.Second, "a2"},
			{time.Second, "resign"},
			{0, "yes"},
		}, 7 * time.Second, "forfeit_resign"},
		{10 * time.Second, []line{
			{time.Second, "b2"},
			{3 * time.Second, "a1"},
			{time.Second, "undo"},
			{time.Second, "a2"},
			{time.Minute, "resign"},
			{0, "yes"},
		}, 10 * time.Second, "clock"},
		{
			0,
			[]line{{time.Second, "b2"}, {3 * time.Second, "a1"}, {time.Second, "undo"}, {time.Hour, "resign"}, {0, "yes"}},
			time.Hour + 5*time.Second, "forfeit_resign",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			lines := make(chan string)
			go func() {
				for _, l := range c.typed {
					select {
					case <-time.After(l.after):
						lines <- l.text
					case <-ctx.Done():
						return
					}
				}
			}()
			table := &console.Table{
				Game: enginetest.Load(t, "classic"), Seats: [2]arena.Seat{{Name: "X"}, {Name: "O"}},
				People: [2]bool{true, true}, Lines: lines, Out: &bytes.Buffer{},
			}
			table.Conditions.GameLimit = c.limit
			r, err := table.Play(ctx)
			if err != nil || r.Spent[0]+r.Spent[1] != c.spent || r.Reason != c.reason {
				t.Errorf("%+v: %v by %q, %v", c, r.Spent, r.Reason, err)
			}
		})
	}
}
