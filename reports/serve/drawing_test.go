package serve

import (
	"database/sql"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/board"
	"spar/reports/page"
	"spar/reports/review"
	"spar/reports/serve/table"
)

// drawn is the board after some moves, as whoever is to move sees it.
func drawn(t *testing.T, from string, moves string, rules ...string) grid {
	t.Helper()
	p := enginetest.Load(t, rules[0], rules[1:]...).NewPosition()
	if err := p.PlayText(strings.Fields(moves)); err != nil {
		t.Fatal(err)
	}
	f := board.Of(&p.State)
	return (&drawing{game: p.Game(), pos: p, frame: &f, play: true, from: from}).grid()
}

// names are those of a board's cells row by row, ghosts in brackets.
func names(g grid) string {
	var rows []string
	for _, r := range g.Rows {
		var cells []string
		for _, c := range r.Cells {
			name := c.Name
			if c.Ghost {
				name = "(" + name + ")"
			}
			cells = append(cells, name)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "/")
}

// Edges that meet have the cells of the other side beyond them; nothing else has.
func TestGhosts(t *testing.T) {
	t.Parallel()
	for wrap, want := range map[string]string{
		"none":    "a1 b1 c1/a2 b2 c2/a3 b3 c3",
		"columns": "(c1) a1 b1 c1 (a1)/(c2) a2 b2 c2 (a2)/(c3) a3 b3 c3 (a3)",
		"rows":    "(a3) (b3) (c3)/a1 b1 c1/a2 b2 c2/a3 b3 c3/(a1) (b1) (c1)",
		"torus":   "(c3) (a3) (b3) (c3) (a3)/(c1) a1 b1 c1 (a1)/(c2) a2 b2 c2 (a2)/(c3) a3 b3 c3 (a3)/(c1) (a1) (b1) (c1) (a1)",
	} {
		g := drawn(t, "", "", "classic", "board.wrap="+wrap)
		if got := names(g); got != want || g.Ghosts != (wrap == "torus" || wrap == "columns") || strings.Join(g.Columns, "") != "abc" || g.Class != map[bool]string{false: "board w3 r3", true: "board w5 r3"}[g.Ghosts] {
			t.Errorf("%s: %s, want %s", wrap, got, want)
		}
		first := 0
		for _, r := range g.Rows {
			for _, c := range r.Cells {
				if c.First && !c.Ghost {
					first++
				}
				if c.First && c.Ghost {
					t.Error("the keyboard comes in beyond an edge")
				}
			}
		}
		if first != 1 {
			t.Errorf("%s: the keyboard comes in at %d cells", wrap, first)
		}
	}
}

// A cell says to those who hear the page what stands there and what can be done.
func TestLabels(t *testing.T) {
	t.Parallel()
	cellOf := func(g grid, name string) cell {
		for _, r := range g.Rows {
			for _, c := range r.Cells {
				if c.Name == name && !c.Ghost {
					return c
				}
			}
		}
		t.Fatalf("no cell %s", name)
		return cell{}
	}
	old := drawn(t, "", "a1 b1 a2 b2 c3 c1", "vanishing")
	for name, want := range map[string]string{"a1": "a1, X, age 1, leaves next", "a2": "a2, X, age 2, leaves after that", "c3": "c3, X, age 3", "b3": "b3, empty, legal, would remove a1"} {
		if got := cellOf(old, name); got.Label != want {
			t.Errorf("%q, want %q", got.Label, want)
		}
	}
	if c := cellOf(old, "b3"); !c.Act || c.Send != "b3" || c.Field != "move" || c.Removes != "0" || c.First || !cellOf(old, "c2").First {
		t.Errorf("%+v", c)
	}
	if c := cellOf(old, "c3"); c.Act || strings.Contains(c.Class, "legal") {
		t.Errorf("%+v", c)
	}
	const deployed = "a1 b1 a2 b2 c3 c2" // X on a1 a2 c3, O on b1 b2 c2, in tapatan, where pieces then move
	can := drawn(t, "", deployed, "tapatan")
	if c := cellOf(can, "a2"); c.Label != "a2, X, can move" || c.Field != "from" || c.Send != "a2" || !strings.Contains(c.Class, "can") || can.From != "" {
		t.Errorf("%+v", c)
	}
	chosen := drawn(t, "a2", deployed, "tapatan")
	if c := cellOf(chosen, "a2"); c.Label != "a2, X, chosen" || c.Send != "" || !c.First || chosen.From != "a2" || !strings.Contains(c.Class, " chosen") {
		t.Errorf("%+v", c)
	}
	if c := cellOf(chosen, "a3"); c.Label != "a3, empty, legal" || c.Send != "a2-a3" || !c.Act || c.First {
		t.Errorf("%+v", c)
	}
	if none := drawn(t, "b1", deployed, "tapatan"); none.From != "" {
		t.Errorf("%s of the other side was chosen", none.From)
	}
}

// What moves are worth stands on their squares: the best of those that go there, exact ones in words; and hints mark the best or where it is.
func TestRatesOfSquares(t *testing.T) {
	t.Parallel()
	p := enginetest.Load(t, "classic").NewPosition()
	f := board.Of(&p.State)
	m := p.AppendMoves(nil)
	rating := &table.Rating{All: []review.Rated{{Move: m[0], Score: 0.3}, {Move: m[1], Score: 0.62}, {Move: m[1], Score: 0.5}}}
	for i, d := range []drawing{{values: true}, {best: true}, {region: true}, {}} {
		d.game, d.pos, d.frame, d.play, d.rating = p.Game(), p, &f, true, rating
		cells := make([]cell, 9)
		d.rate(cells)
		want := map[int][3]string{
			0: {"30  worth2", "62  worth5", ""}, 1: {"", "  best", ""}, 2: {"  near", "  near", "  near"}, 3: {"", "", ""},
		}[i]
		for k := range 3 {
			if got := cells[k].Value + " " + cells[k].Class; strings.TrimSpace(got) != strings.TrimSpace(want[k]) {
				t.Errorf("%d: cell %d: %q, want %q", i, k, got, want[k])
			}
		}
	}
	for score, want := range map[float64]int{0: 0, 0.19: 0, 0.2: 1, 0.99: 4, 1: 4, -1: 0} {
		if got := shade(score, 5); got != want {
			t.Errorf("%g: %d, want %d", score, got, want)
		}
	}
	for want, r := range map[string]review.Rated{"50": {Score: 0.5}, "100": {Score: 1}, "D": {Score: 0.5, Exact: true}} {
		if got := worth(r); got != want {
			t.Errorf("%+v: %s", r, got)
		}
	}
	if w, l := worth(review.Rated{Score: 1, Exact: true}), worth(review.Rated{Exact: true}); w[0] != 'W' || l[0] != 'L' {
		t.Errorf("%s, %s", w, l)
	}
}

// factsOf are the facts of a position by name.
func factsOf(t *testing.T, moves string, rules ...string) map[string]string {
	t.Helper()
	p := enginetest.Load(t, rules[0], rules[1:]...).NewPosition()
	frames, sides, err := board.Replay(p, strings.Fields(moves))
	if err != nil {
		t.Fatal(err)
	}
	v := table.View{Game: p.Game(), Position: p, Frames: frames, Sides: sides, Left: -1}
	for _, m := range strings.Fields(moves) {
		v.Plies = append(v.Plies, table.Ply{Move: m})
	}
	if s := p.Game().Rules().Clock.Seconds; s > 0 {
		v.Left = time.Duration(s * float64(time.Second))
	}
	x := playing{View: v, Ended: p.Over()}
	x.facts()
	out := map[string]string{}
	for _, f := range x.Facts {
		out[f.Name] = f.Value
	}
	return out
}

// What the rules make worth knowing is said, and nothing that they do not have.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules []string
		moves string
		want  map[string]string
	}{
		{[]string{"classic"}, "b2", map[string]string{"On the board": "X 1, O 0", "Plies": "1", "Legal moves": "8"}},
		{[]string{"classic"}, "a1 b1 a2 b2 a3", map[string]string{"On the board": "X 3, O 2", "Plies": "5"}},
		{[]string{"vanishing", "draw.max_plies=40", "draw.repetition=3"}, "a1 b1 a2 b2 c3", map[string]string{
			"On the board": "X 3 of 3, O 2 of 3", "Next out (X)": "a1, then a2", "This position": "for the 1st time of 3", "Plies": "5 of 40", "Legal moves": "4",
		}},
		{[]string{"vanishing", "draw.repetition=3", "draw.max_plies=0"}, "a1 c1 a2 c2 b1 b3 b2 a3 a1 c1 a2 c2 b1 b3", map[string]string{ // after six plies the same stones lay there
			"On the board": "X 3 of 3, O 3 of 3", "Next out (X)": "a1, then a2", "Next out (O)": "c1, then c2", "This position": "for the 2nd time of 3", "Plies": "14", "Legal moves": "3",
		}},
		{[]string{"infiltration"}, "", map[string]string{
			"On the board": "X 0, O 0", "In hand": "X 10, O 10", "Phase": "deploying", "This position": "for the 1st time of 3", "Plies": "0 of 400", "Legal moves": "32",
		}},
		{[]string{"classic", "pieces.cap=3", "draw.max_plies=9", "draw.repetition=0"}, "a1", map[string]string{"On the board": "X 1 of 3, O 0 of 3", "Plies": "1 of 9", "Legal moves": "8"}},
		{[]string{"classic", "turn.placements=2", "clock.seconds=75"}, "a1 b1", map[string]string{"On the board": "X 1, O 1", "Pieces left in this turn": "1", "Plies": "2", "Legal moves": "7", "Clock": "1:15 left"}},
		{[]string{"classic", "turn.pie=true"}, "b2 swap", map[string]string{"On the board": "X 0, O 1", "Plies": "2", "Legal moves": "8"}}, // it captures nothing
		{[]string{"classic", "turn.first_turn=2"}, "", map[string]string{"On the board": "X 0, O 0", "Pieces left in this turn": "2", "Plies": "0", "Legal moves": "9"}},
	} {
		if got := factsOf(t, c.moves, c.rules...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v %s: %v\nwant %v", c.rules, c.moves, got, c.want)
		}
	}
	if got := factsOf(t, "", "reversi6"); got["Captured"] != "" {
		t.Errorf("%v", got)
	}
	p := enginetest.Load(t, "reversi6").NewPosition()
	if got := factsOf(t, p.Game().MoveText(p.AppendMoves(nil)[0]), "reversi6"); got["Captured"] != "by X 1, by O 0" {
		t.Errorf("%v", got)
	}
}

// Stages of an opening follow each other; afterwards there is none.
func TestOpeningStage(t *testing.T) {
	t.Parallel()
	var r engines.Rules
	r.Placement.Opening = []engines.Stage{{Plies: 2, Region: "home"}, {Plies: 1, Region: "anywhere"}}
	for ply, want := range []struct {
		step  int
		where string
	}{{1, "in your own half"}, {2, "in your own half"}, {3, "anywhere"}, {0, ""}, {0, ""}} {
		if step, of, where := openingStage(r, ply); step != want.step || of != 3 || where != want.where {
			t.Errorf("ply %d: step %d of %d, %s", ply, step, of, where)
		}
	}
}

func TestLegend(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules            []string
		values           bool
		age, edge, worth bool
	}{{[]string{"classic"}, false, false, false, false}, {[]string{"vanishing"}, true, true, false, true}, {[]string{"classic", "board.wrap=torus"}, false, false, true, false}} {
		got := legend(enginetest.Load(t, c.rules[0], c.rules[1:]...), c.values)
		if strings.Contains(got, "is an age") != c.age || strings.Contains(got, "beyond an edge") != c.edge || strings.Contains(got, "number in a corner") != c.worth {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Hints go from a region to the squares and to the values; several best moves are named together.
func TestHintsInWords(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	m := g.NewPosition().AppendMoves(nil)
	rating := func(scores ...float64) *table.Rating {
		r := &table.Rating{Scale: &review.Scale{Source: "minimax-4"}}
		for i, s := range scores {
			r.All = append(r.All, review.Rated{Move: m[i], Score: s})
		}
		return r
	}
	for _, c := range []struct {
		r     *table.Rating
		level int
		want  string
	}{
		{nil, 1, "The hint is being worked out."},
		{&table.Rating{Err: errors.New("too late")}, 3, "There is no hint for this position: too late."},
		{rating(0.2, 0.6), 1, "Look at the marked region: a best move is there. Ask again for the squares."},
		{rating(0.2, 0.6), 2, "The best move is b1. Ask again for the value of every move."},
		{rating(0.6, 0.6), 2, "The best moves are a1, b1. Ask again for the value of every move."},
		{rating(0.2, 0.6), 3, "The best move is b1 (60, minimax-4); every square shows its value."},
	} {
		if got := hintWords(c.r, g, c.level); got != c.want {
			t.Errorf("level %d: %q, want %q", c.level, got, c.want)
		}
	}
	for side, want := range [2]string{"70 %", "30 %"} {
		if got := shareFor(0.7, side); got != want {
			t.Errorf("side %d: %s", side, got)
		}
	}
	if shareFor(math.NaN(), 0) != "" {
		t.Error("a share that nobody knows")
	}
}

// A review counts the classes of each side's moves, and the mean loss of those whose scores are known.
func TestSummaryOfAReview(t *testing.T) {
	t.Parallel()
	v := page.GameView{Game: enginetest.Load(t, "classic"), Moves: strings.Fields("b2 a1 a2 c2")}
	look := table.Look{Plies: []*review.Ply{{Class: review.Best}, nil, {Class: review.Mistake, Scores: &review.Scores{Loss: 0.3}}, {Class: review.Good, Scores: &review.Scores{}}}}
	if got, want := summary(look, v), []string{"X: best 1, mistake 1; mean loss 30.0 % of a win.", "O: good 1; mean loss 0.0 % of a win."}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := summary(table.Look{Plies: make([]*review.Ply, 4)}, v); got != nil {
		t.Errorf("%q", got)
	}
}

func TestThoughtsOfAGame(t *testing.T) {
	t.Parallel()
	thoughts := map[int]study.Ply{2: {Depth: 3, Nodes: 7, MS: 1.25, PV: "c1"}, 3: {Score: sql.NullFloat64{Float64: 0.25, Valid: true}}}
	want := []thoughtRow{{Ply: 2, Move: "b1", Line: "c1", Nodes: 7, MS: "1.2", Depth: "3"}, {Ply: 3, Move: "c1", Score: "25 %", MS: "0.0", Depth: "0"}}
	if got := thoughtRows(thoughts, []string{"a1", "b1", "c1"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := setFlags([]string{"a=1", "b=2 3"}); got != `--set "a=1" --set "b=2 3"` {
		t.Error(got)
	}
}

// Whose turn it is, or how the game ended.
func TestStatus(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	p := playing{View: table.View{Game: g, Position: g.NewPosition()}, Names: [2]string{"me", "greedy"}}
	for want, change := range map[string]func(p *playing){
		"greedy (O) is thinking.":       func(p *playing) { p.Thinking = time.Now() },
		"Your move (O): a1 goes where?": func(p *playing) { p.Turn, p.Grid.From = true, "a1" },
		"Your move (O).":                func(p *playing) { p.Turn = true },
		"O is to move: greedy.":         func(*playing) {},
		"Draw after 0 plies (clock).":   func(p *playing) { p.Ended, p.Result, p.Reason = true, "draw", "clock" },
	} {
		q := p
		if change(&q); q.status(1) != want {
			t.Errorf("%q, want %q", q.status(1), want)
		}
	}
}

// An address of something in a study names the study, a point, and what is in it.
func TestSplitAddress(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "study", "study."} {
		if _, _, err := new(studies).split(t.Context(), id); err == nil || !strings.Contains(err.Error(), "expected the name of a study, a point") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestBoundsInWords(t *testing.T) {
	t.Parallel()
	x := -12.4
	if got := [4]string{bound(nil, "no bound"), bound(&x, ""), signed(3), signed(0)}; got != [4]string{"no bound", "−12", "+3", "+0"} {
		t.Errorf("%q", got)
	}
	if deref(nil, 2) != 2 || deref(&x, 2) != x {
		t.Error("deref")
	}
}

// The run of this process goes on from its first game to its end, where there is one.
func TestRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mine  bool
		total int64
		ended bool
		want  bool
	}{{true, 9, false, true}, {true, 9, true, false}, {true, 1, false, true}, {true, 0, false, false}, {false, 9, false, false}, {false, 0, false, false}} {
		s := &Server{}
		if c.mine {
			s.o.Run = &Run{}
		}
		if s.live.view.Total, s.live.view.ended = c.total, c.ended; s.runs() != c.want {
			t.Errorf("%+v: it goes on: %t", c, !c.want)
		}
	}
}
