package campaign

import (
	"math"
	"testing"

	"spar/arena/study"
	"spar/engines/enginetest"
)

// A single opening speaks against a claim from three quarters of the points on: a reply against the first player's, a first move
// against the second's, and for an even game a first move, or a reply that answers a move which players choose.
func TestWhatTurnsAClaim(t *testing.T) {
	t.Parallel()
	by := func(moves string, first, second, chosen int64) Probe {
		return Probe{Moves: moves, By: map[string]Tally{AlphaBeta: {First: first, Second: second}}, Chosen: chosen}
	}
	for _, c := range []struct {
		name  string
		claim Claim
		stage Stage
		want  string
	}{
		{"a reply holds", First, Stage{Side: "second", Replies: []Probe{by("a", 74, 26, 0)}}, "a"},
		{"no reply holds", First, Stage{Side: "second", Replies: []Probe{by("a", 75, 25, 0)}}, ""},
		{"replies of the other side", First, Stage{Side: "first", Replies: []Probe{by("a", 0, 9, 0)}}, ""},
		{"a first move holds", Second, Stage{FirstMoves: []Probe{by("a", 25, 75, 0), by("b", 26, 74, 0)}}, "b"},
		{"no first move holds", Second, Stage{FirstMoves: []Probe{by("a", 25, 75, 0)}}, ""},
		{"a first move wins", Even, Stage{FirstMoves: []Probe{by("a", 74, 26, 0), by("b", 75, 25, 0)}}, "b"},
		{"a reply wins", Even, Stage{Side: "second", FirstMoves: []Probe{by("a", 60, 40, 5), by("b", 40, 60, 5)}, Replies: []Probe{by("a b", 26, 74, 0), by("a c", 25, 75, 0)}}, "a c"},
		{"a reply to what nobody plays", Even, Stage{Side: "second", FirstMoves: []Probe{by("a", 60, 40, 5), by("b", 40, 60, 6)}, Replies: []Probe{by("a c", 20, 80, 0)}}, ""},
		{"replies of the first", Even, Stage{Side: "first", FirstMoves: []Probe{by("a", 60, 40, 5)}, Replies: []Probe{by("a c", 20, 80, 0)}}, ""},
		{"nothing is claimed", Unknown, Stage{Side: "second", FirstMoves: []Probe{by("a", 90, 10, 5)}, Replies: []Probe{by("a c", 20, 80, 0)}}, ""},
	} {
		if got := c.stage.turned(c.claim); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Nine tenths of the points, or of draws around an even score, are a value; all kinds of play have to agree on it.
func TestWhatGamesSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		t    Tally
		want Claim
	}{
		{Tally{}, Unknown},
		{Tally{First: 9, Second: 1}, First},
		{Tally{First: 89, Second: 11}, Unknown},
		{Tally{First: 1, Second: 9}, Second},
		{Tally{First: 11, Second: 89}, Unknown},
		{Tally{Draws: 90, First: 5, Second: 5}, Even},
		{Tally{Draws: 50, Caps: 40, First: 10}, Even},
		{Tally{Draws: 89, First: 6, Second: 5}, Unknown},
		{Tally{Draws: 90, First: 10}, Even},
		{Tally{Caps: 10}, Even},
	} {
		if got := c.t.says(0.9); got != c.want {
			t.Errorf("%+v says %s, want %s", c.t, got, c.want)
		}
	}
	won, drawn := Tally{First: 10}, Tally{Draws: 10}
	for _, c := range []struct {
		by   map[string]Tally
		want Claim
	}{
		{map[string]Tally{AlphaBeta: won, TreeSearch: won, Across: won}, First}, {map[string]Tally{AlphaBeta: won, TreeSearch: won, Across: drawn}, Unknown}, {map[string]Tally{AlphaBeta: drawn, TreeSearch: won, Across: won}, Unknown}, {map[string]Tally{AlphaBeta: won, TreeSearch: won}, Unknown},
	} {
		if got := (Probe{By: c.by}).says(0.9); got != c.want {
			t.Errorf("%+v says %s, want %s", c.by, got, c.want)
		}
	}
}

// Games of an inquiry stay those of an inquiry when they are imported, by the name of their event.
func TestOfInquiry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		purpose, name string
		want          bool
	}{{PurposeInquiry, "x", true}, {"imported", "x/inquiry/1/start", true}, {"imported", "x/mirror", false}, {"tournament", "x/inquiry/1/start", false}} {
		if got := OfInquiry(study.Event{Purpose: c.purpose, Name: c.name}); got != c.want {
			t.Errorf("%s %s: %t", c.purpose, c.name, got)
		}
	}
}

// Random games last as long as they do: seven plies where that is the cap and nobody can win before, one at least, and 200 at most, as where
// nobody ever stands six in line with six pieces.
func TestRandomLength(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules string
		set   []string
		want  float64
	}{
		"capped": {"gomoku9", []string{"draw.max_plies=7"}, 7}, "the shortest": {"gomoku9", []string{"draw.max_plies=1"}, 1},
		"cut off": {"vanishing", []string{"board.columns=6", "board.rows=6", "pieces.cap=6", "win.line=6", "draw.max_plies=900"}, 200},
	} {
		if got := randomLength(enginetest.Load(t, c.rules, c.set...)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g plies, want %g", name, got, c.want)
		}
	}
	if got := randomLength(enginetest.Load(t, "classic")); got < 6 || got > 9 { // 7.6 in the limit
		t.Errorf("random classic lasts %g plies", got)
	}
}

// A game is won by a side, ended by the cap, or drawn; and times add up.
func TestTalliesOfGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		result, reason string
		want           Tally
	}{{"first", "line", Tally{First: 1}}, {"second", "ply_cap", Tally{Second: 1}}, {"draw", "ply_cap", Tally{Caps: 1}}, {"draw", "clock", Tally{Caps: 1}}, {"draw", "full_board", Tally{Draws: 1}}} {
		if got := tallyOf(study.Game{Result: c.result, Reason: c.reason}); got != c.want {
			t.Errorf("%s by %s: %+v", c.result, c.reason, got)
		}
	}
	if got := sum([]float64{1, 2, 4}); got != 7 {
		t.Errorf("%g", got)
	}
	q := &inquirer{c: &Campaign{Rules: load(t, "classic", nil)}}
	lines := map[string]int{"a1": 3, "b2": 5}
	for moves, want := range map[string]int{"a1 b2": 3, "c3": 3, "c1 a1": 3, "b2": 5, "b1": -1, "z9": -1, "": -1} {
		if at, ok := q.begun(moves, lines); ok != (want >= 0) || ok && at != want {
			t.Errorf("%q: line %d, %t, want %d", moves, at, ok, want)
		}
	}
}

// Where the kinds of play disagree each is named with its score and games, those that did not play left out.
func TestDisagreementInWords(t *testing.T) {
	t.Parallel()
	s := Stage{Nodes: 800, Free: Probe{By: map[string]Tally{AlphaBeta: {First: 1}, TreeSearch: {}, Across: {First: 1, Draws: 2, Second: 1}}}}
	if got, want := s.disagreement(), "the first player's score with 800 positions a move, "+AlphaBeta+" 100 % of 1 games, "+Across+" 50 % of 4 games"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
