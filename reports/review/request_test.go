package review

import (
	"strings"
	"testing"

	"spar/engines"
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
			"a position is not allowed here", engines.First,
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
