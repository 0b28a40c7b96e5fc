package bulk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/engines/bulk"
	"spar/engines/enginetest"
)

// Lines are numbered from 1, blank ones too; an error of the work ends the reading, and a line that is too long is
// named.
func TestEach(t *testing.T) {
	t.Parallel()
	var got []string
	take := func(number int, line []byte) error {
		got = append(got, fmt.Sprintf("%d %s", number, line))
		if string(line) == "stop" {
			return errors.New("stopped")
		}
		return nil
	}
	if err := bulk.Each(strings.NewReader("a\n\n  \nb"), "x", take); err != nil ||
		!cmp.Equal(got, []string{"1 a", "4 b"}) {
		t.Errorf("%q, %v", got, err)
	}
	got = nil
	if err := bulk.Each(strings.NewReader("stop\nb"), "x", take); err == nil || err.Error() != "stopped" ||
		len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	if err := bulk.Each(strings.NewReader("a\n"+strings.Repeat("x", 1<<26+1)), "in.jsonl", take); err == nil ||
		!strings.HasPrefix(err.Error(), "in.jsonl:2: ") {
		t.Errorf("a line of more than 64 MiB: %v", err)
	}
}

// Moves may be a list or one text; anything else is told what is expected.
func TestMoves(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bulk.Moves{
		`{}`: nil, `{"moves":null}`: {}, `{"moves":""}`: {}, `{"moves":[]}`: {},
		`{"moves":["b2","a1"]}`: {"b2", "a1"}, `{"moves":" b2  a1"}`: {"b2", "a1"},
	} {
		var l bulk.Line
		if err := json.Unmarshal([]byte(text), &l); err != nil || !cmp.Equal(l.Moves, want) {
			t.Errorf("%s: %q, %v", text, l.Moves, err)
		}
	}
	for _, misspelt := range []string{"movs", "Move", "mvoes"} {
		must.Fail(t, bulk.Parse([]byte(`{"`+misspelt+`":["b2"]}`), "a position", &bulk.Line{}), misspelt)
	}
	for _, text := range []string{`{"moves":3}`, `{"moves":[1]}`, `{"moves":{}}`} {
		var l bulk.Line
		must.Fail(t, json.Unmarshal([]byte(text), &l), "moves: expected a list of moves, or one string of moves separated by spaces")
	}
}

// A line's own rules and knobs come before those of all lines, and each combination is compiled once.
func TestGames(t *testing.T) {
	t.Parallel()
	games := bulk.Games{Rules: "vanishing", Set: []string{"pieces.cap=4", "board.columns=4"}}
	read := func(text string) bulk.Line {
		var l bulk.Line
		must.Do(t, json.Unmarshal([]byte(text), &l))
		return l
	}
	for text, want := range map[string]struct {
		name         string
		cap, columns int
	}{
		`{}`:                        {"vanishing", 4, 4},
		`{"set":{"pieces.cap":3}}`:  {"vanishing", 3, 4},
		`{"rules":"rolling"}`:       {"rolling", 4, 4},
		`{"set":{"board.rows": 4}}`: {"vanishing", 4, 4},
	} {
		l := read(text)
		g := must.Get(games.Game(&l))(t)
		if r := g.Rules(); g.Name() != want.name || r.Pieces.Cap != want.cap || r.Board.Columns != want.columns {
			t.Errorf("%s: %s with cap %d and %d columns, want %+v", text, g.Name(), r.Pieces.Cap, r.Board.Columns, want)
		}
		if again, err := games.Game(&l); err != nil || again != g {
			t.Errorf("%s was compiled twice: %v", text, err)
		}
	}
	l := read(`{"rules":"vanishin"}`)
	must.Refuse(games.Game(&l))(t, "did you mean vanishing")
}

// A position is a text, moves, or moves from a text; where a move is to be chosen the game is not over.
func TestPosition(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	byMoves := must.Get(bulk.OpenPosition(g, "", []string{"a1", "b1", "a2"}))(t)
	start := must.Get(bulk.Position(g, "", []string{"a1", "b1"}))(t)
	both, err := bulk.OpenPosition(g, start.Text(), []string{"a2"})
	if err != nil || both.Text() != byMoves.Text() {
		t.Errorf("%s, %v; by moves %s", both.Text(), err, byMoves.Text())
	}
	if _, err := bulk.OpenPosition(g, "", strings.Fields("a1 b1 a2 b2 a3")); err == nil ||
		err.Error() != "the game is over (result: first, reason: line)" {
		t.Errorf("after the end: %v", err)
	}
	for _, bad := range [][2]string{{"X../.O. X 2", ""}, {"", "a1 a1"}} {
		if _, err := bulk.Position(g, bad[0], strings.Fields(bad[1])); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// Whatever a line holds, its game is answered: movers and numbers of legal moves for each ply, or an error.
func FuzzReplay(f *testing.F) {
	f.Add(`{"id":1,"rules":"classic","moves":["b2","a1"]}`)
	f.Add(`{"id":[4],"rules":"vanishing","set":{"pieces.cap":4},"moves":["b2","b2"]}`)
	f.Add(
		`{"rules":"ctor","set":{"board.columns":3,"board.rows":3,"surround.threshold":8},"moves":["a1","b1","c1","a2"]}`,
	)
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, text string) {
		defer watch()()
		var l bulk.Line
		if json.Unmarshal([]byte(text), &l) != nil || strings.ContainsAny(l.Rules, "./") {
			return // no game, or a file of this machine
		}
		var games bulk.Games
		r := games.Replay(&l)
		if len(r.Movers) != len(r.Legal) || len(r.Legal) != r.Plies || r.Plies != len(l.Moves) && r.Error == "" {
			t.Errorf("%s: %+v", text, r)
		}
	})
}
