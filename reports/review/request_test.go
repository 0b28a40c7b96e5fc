package review

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// A line of a file becomes a game with its name and perspective, or keeps what is wrong with it; a perspective chosen
// for all lines is not asked of them.
func TestRequestOfALine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, line string
		chosen     bool
		want, err  string
		side       int
	}{
		{"a game", `{"rules":"classic","moves":["b2","a1"]}`, false, "in.jsonl:7, classic", "", engines.First},
		{"with an id", `{"id":"g1","rules":"classic","moves":["b2"]}`, false, "g1, classic", "", engines.First},
		{"with a number for an id", `{"id":5,"rules":"classic","moves":["b2"]}`, false, "5, classic", "", engines.First},
		{
			"for the second player", `{"rules":"classic","moves":["b2"],"perspective":"second"}`, false, "in.jsonl:7, classic",
			"", engines.Second,
		},
		{
			"chosen for all", `{"rules":"classic","moves":["b2"],"perspective":"second"}`, true, "in.jsonl:7, classic", "",
			engines.First,
		},
		{
			"for nobody", `{"rules":"classic","moves":["b2"],"perspective":"both"}`, false, "in.jsonl:7, classic", "both",
			engines.First,
		},
		{
			"chosen, and for nobody", `{"rules":"classic","moves":["b2"],"perspective":"both"}`, true, "in.jsonl:7, classic", "",
			engines.First,
		},
		{
			"from a position", `{"rules":"classic","moves":["b2"],"position":"X.."}`, false, "in.jsonl:7, classic",
			"no position is expected", engines.First,
		},
		{
			"of unknown rules", `{"id":"g","rules":"clasic","moves":["b2"],"position":"X"}`, false, "g", "classic",
			engines.First,
		},
		{"no JSON", `{`, false, "in.jsonl:7", "not a game", engines.First},
	} {
		r := Reader{Name: "in.jsonl", Side: engines.First, Chosen: c.chosen}
		q := r.Request(7, []byte(c.line))
		if q.Name != c.want || (q.Err == nil) != (c.err == "") || q.Err != nil && !strings.Contains(q.Err.Error(), c.err) ||
			q.Err == nil && (q.Side != c.side || q.Game == nil || len(q.Moves) == 0) {
			t.Errorf("%s: %q, side %d, %v", c.name, q.Name, q.Side, q.Err)
		}
		if c.name == "of unknown rules" && strings.Contains(q.Err.Error(), "position") {
			t.Errorf("two things are wrong at once: %v", q.Err)
		}
	}
}

// What is wrong with a game stands in its answer, with the line; a game is answered with its id; only the end of the
// context is an error.
func TestAnswers(t *testing.T) {
	t.Parallel()
	j := judge(t, "random", "")
	r := Reader{Name: "in.jsonl", Side: engines.First}
	for line, want := range map[string]string{
		`{"id":"g1","rules":"classic","moves":["b2","a1"]}`: "",
		`{"id":"g1","rules":"classic","moves":["b2","b2"]}`: "in.jsonl:3: ply 2", `{"id":"g1"`: "in.jsonl:3: not a game",
	} {
		got, err := j.Answer(context.Background(), r.Request(3, []byte(line)))
		if err != nil || !strings.HasPrefix(got.Error, want) || (got.Error == "") != (want == "") || got.Line != 3 {
			t.Errorf("%s: %q, line %d, %v", line, got.Error, got.Line, err)
		}
		if want == "" && (len(got.Plies) != 2 || string(got.ID) != `"g1"`) {
			t.Errorf("%s: %+v", line, got)
		}
	}
	if got, err := j.Answer(context.Background(), Request{Err: errors.New("bad")}); err != nil || got.Error != "bad" {
		t.Errorf("a game that is in no line: %q, %v", got.Error, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := j.Answer(ctx, r.Request(3, []byte(`{"rules":"classic","moves":["b2"]}`))); !errors.Is(err,
		context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// Exact values decide where both moves have them; otherwise scores do, and what differs by less than their noise is
// equal.
func TestBetterMoves(t *testing.T) {
	t.Parallel()
	win := func(n int) solve.Value { return solve.Value{Outcome: solve.Win, DTW: n} }
	exact := func(v solve.Value, score float64) Rated { return Rated{Exact: true, Value: v, Score: score} }
	for _, c := range []struct {
		name string
		a, b Rated
		want int
	}{
		{"a sooner win", exact(win(3), 0), exact(win(5), 1), -1},
		{"a later win", exact(win(5), 1), exact(win(3), 0), 1},
		{"the same win", exact(win(3), 0), exact(win(3), 1), 0},
		{"scores", Rated{Score: 0.6}, Rated{Score: 0.5}, -1},
		{"scores, the other way", Rated{Score: 0.5}, Rated{Score: 0.6}, 1},
		{"the same scores", Rated{Score: 0.5}, Rated{Score: 0.5}, 0},
		{"as good as the same", Rated{Score: 0.5}, Rated{Score: 0.5 + same/2}, 0},
		{"one of them exact", exact(win(3), 0.4), Rated{Score: 0.6}, 1},
		{"the other exact", Rated{Score: 0.6}, exact(win(3), 0.4), -1},
	} {
		if got := Compare(c.a, c.b); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got := bestOf([]Rated{{Score: 0.4}, {Score: 0.6}, {Score: 0.5}, {Score: 0.6}}); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("the best are %v", got)
	}
	if got := bestOf(nil); got != nil {
		t.Errorf("the best of nothing is %v", got)
	}
}

// Classic is known by its rules, not by its name: a cap that cannot end a game changes nothing, one that can does, and
// so does a rule of repetition.
func TestWhatIsClassic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		set   []string
		want  bool
	}{
		{"classic", nil, true},
		{"classic", []string{"name=other"}, true},
		{"classic", []string{"draw.max_plies=9"}, true},
		{"classic", []string{"draw.max_plies=12"}, true},
		{"classic", []string{"draw.max_plies=8"}, false},
		{"classic", []string{"draw.repetition=3"}, false},
		{"classic", []string{"win.line=2"}, false},
		{"vanishing", nil, false},
	} {
		if got := IsClassic(enginetest.Load(t, c.rules, c.set...)); got != c.want {
			t.Errorf("%s %v is classic: %t", c.rules, c.set, got)
		}
	}
}
