package serve

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/arena/live"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/board"
	"spar/reports/puzzles"
	"spar/reports/review"
	"spar/reports/serve/table"
	"spar/reports/standings"
)

// found is a cell of a board by its name.
func found(t *testing.T, g grid, name string) cell {
	t.Helper()
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

// Each cell sends its own name, from the chosen piece where one is; another piece can be chosen in its place, unless the piece must go on;
// rows are numbered from 1, and after the end the keyboard comes in at the last move.
func TestCellsThatArePressed(t *testing.T) {
	t.Parallel()
	const deployed = "a1 b1 a2 b2 c3 c2"
	for name, want := range map[string]cell{
		"a3": {Field: "move", Send: "a2-a3", Act: true}, "b3": {Field: "move", Send: "a2-b3"}, "b1": {Field: "move", Send: "a2-b1"}, "c3": {Field: "from", Send: "c3", Act: true}, "a2": {Field: "from", Send: "", Act: true},
	} {
		if c := found(t, drawn(t, "a2", deployed, "tapatan"), name); c.Field != want.Field || c.Send != want.Send {
			t.Errorf("%s with a2 chosen: %s=%q, want %s=%q", name, c.Field, c.Send, want.Field, want.Send)
		}
	}
	if c := found(t, drawn(t, "", "b2", "classic"), "b2"); c.Act || c.Send != "b2" {
		t.Errorf("%+v", c)
	}
	p := enginetest.Load(t, "classic").NewPosition()
	frames, _, err := board.Replay(p, strings.Fields("a1 b1 a2 b2 a3"))
	if err != nil {
		t.Fatal(err)
	}
	over := (&drawing{game: p.Game(), pos: p, frame: &frames[5], play: true}).grid()
	for i, r := range over.Rows {
		if r.Number != i+1 {
			t.Errorf("row %d has the number %d", i+1, r.Number)
		}
		for _, c := range r.Cells {
			if c.First != (c.Name == "a3") {
				t.Errorf("the keyboard comes in at %s: %t", c.Name, c.First)
			}
		}
	}
}

// A best move that is no cell, like a swap, marks none.
func TestBestMoveWithoutACell(t *testing.T) {
	t.Parallel()
	p := enginetest.Load(t, "classic", "turn.pie=true").NewPosition()
	if err := p.PlayText([]string{"b2"}); err != nil {
		t.Fatal(err)
	}
	moves := p.AppendMoves(nil)
	at := slices.IndexFunc(moves, func(m engines.Move) bool { return m.To() == engines.NoCell })
	if at < 0 {
		t.Fatal("no swap")
	}
	f := board.Of(&p.State)
	rating := &table.Rating{Scale: &review.Scale{Source: "x"}, All: []review.Rated{{Move: moves[at], Score: 0.75}, {Move: moves[(at+1)%len(moves)], Score: 0.25}}}
	d := drawing{game: p.Game(), pos: p, frame: &f, play: true, rating: rating, values: true, best: true}
	cells := make([]cell, 9)
	d.rate(cells)
	marked := 0
	for _, c := range cells {
		if strings.Contains(c.Class, "best") {
			t.Errorf("%+v", c)
		}
		if c.Value != "" {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("%d cells have a value, want that of the other move", marked)
	}
	if got := hintWords(rating, p.Game(), 1); !strings.HasPrefix(got, "Look beyond the board") {
		t.Error(got)
	}
}

// The list of a game's moves: who made each, what left by age, how long it took, whether it was given or belongs to the opening.
func TestListOfMoves(t *testing.T) {
	t.Parallel()
	list := func(given int, rules, moves string, set ...string) (out []listed) {
		t.Helper()
		pos := enginetest.Load(t, rules, set...).NewPosition()
		p := playing{}
		var err error
		if p.Frames, p.Sides, err = board.Replay(pos, strings.Fields(moves)); err != nil {
			t.Fatal(err)
		}
		p.Game, p.Given = pos.Game(), given
		for i, m := range strings.Fields(moves) {
			p.Plies = append(p.Plies, table.Ply{Move: m, MS: float64(500 * i)})
		}
		p.judge(nil, 0, strings.Fields(moves), nil)
		return p.List
	}
	want := []listed{
		{N: 1, Side: "X", Text: "a1", Stage: "given"},
		{N: 2, Side: "O", Text: "b1", Stage: "given", Time: "0.5 s"},
		{N: 3, Side: "X", Text: "a2", Time: "1.0 s"},
		{N: 4, Side: "O", Text: "b2", Time: "1.5 s"},
		{N: 5, Side: "X", Text: "c3", Time: "2.0 s"},
		{N: 6, Side: "O", Text: "c1", Time: "2.5 s"},
		{N: 7, Side: "X", Text: "b3 −a1", Time: "3.0 s", Last: true},
	}
	if got := list(2, "vanishing", "a1 b1 a2 b2 c3 c1 b3"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	var stages []string
	for _, l := range list(0, "classic", "a1 b1 c1", "placement.opening=[{plies: 2, region: anywhere}]") {
		stages = append(stages, l.Stage)
	}
	if !slices.Equal(stages, []string{"opening", "opening", ""}) {
		t.Errorf("%q", stages)
	}
}

// The bar is seen from the side of who plays: after a1 b1 the first player of classic wins in five plies, which its
// original rates as 97. Where two people play it names the side.
func TestBarOfASide(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	me, it := table.Player{}, table.Player{Agent: "greedy"}
	for _, c := range []struct {
		home  int
		seats [2]table.Player
		share int
		want  string
	}{
		{0, [2]table.Player{me, it}, 97, "Your expected score is 97 percent (exact)."},
		{1, [2]table.Player{it, me}, 3, "Your expected score is 3 percent (exact)."},
		{0, [2]table.Player{me, me}, 97, "The expected score of X is 97 percent (exact)."},
		{1, [2]table.Player{me, me}, 3, "The expected score of O is 3 percent (exact)."},
	} {
		moves := []string{"a1", "b1"}
		pos := enginetest.Load(t, "classic").NewPosition()
		frames, sides, err := board.Replay(pos, moves)
		if err != nil {
			t.Fatal(err)
		}
		v := table.View{Game: pos.Game(), Frames: frames, Sides: sides}
		v.Seats, v.Assists.Bar, v.Plies = c.seats, true, []table.Ply{{Move: "a1"}, {Move: "b1"}}
		p := playing{View: v}
		for range 2000 {
			p = playing{View: v}
			if p.judge(s, c.home, moves, func() {}); p.Bar.Label != "…" {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if p.Bar.Share != c.share || p.Bar.Words != c.want {
			t.Errorf("%d, %q; want %d, %q", p.Bar.Share, p.Bar.Words, c.share, c.want)
		}
		if p.judge(s, c.home, nil, nil); p.Bar.Label != "50" || p.Bar.Words != "Even before the first move." {
			t.Errorf("%+v", p.Bar)
		}
	}
}

// Who is away too long loses the right to the game, unless it is over; a hint is for the owner alone; the original's score stands at the end.
func TestClaimsHintsAndScores(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	r := httptest.NewRequest("GET", "/", nil)
	x, err := s.room.New(table.Setup{Rules: "classic"})
	if err != nil {
		t.Fatal(err)
	}
	x.Invite(0)
	for _, c := range []struct {
		away   time.Duration
		result string
		want   bool
	}{{table.AwayAfter, "", true}, {table.AwayAfter - 1, "", false}, {table.AwayAfter, "draw", false}} {
		v := x.View()
		v.Away[0], v.Result = c.away, c.result
		if got := s.playing(v, table.Owner, "", r).Claim; got != c.want {
			t.Errorf("away for %v, result %q: claimed %t", c.away, c.result, got)
		}
	}
	if err := x.Hint(0); err != nil {
		t.Fatal(err)
	}
	for seat, want := range map[table.Seat]bool{table.Owner: true, 0: false} {
		if p := s.playing(x.View(), seat, "", r); (p.Hint != "") != want {
			t.Errorf("seat %d sees the hint %q", seat, p.Hint)
		}
	}
	y, err := s.room.New(table.Setup{Rules: "rolling", Seats: [2]table.Player{{}, {Agent: "rolling/moderate"}}})
	if err != nil {
		t.Fatal(err)
	}
	for result, want := range map[string]string{"": "", "first": "Score of the original program: 1200. Best of this series: 1200."} {
		v := y.View()
		v.Result = result
		if got := s.playing(v, table.Owner, "", r).Scores; got != want {
			t.Errorf("%q: %q, want %q", result, got, want)
		}
	}
	if len(s.words(enginetest.Load(t, "classic")).Sections) == 0 {
		t.Error("the rules have no words")
	}
}

// Pieces in hand are those of each side, and a clock that has run out says so.
func TestHandsAndClock(t *testing.T) {
	t.Parallel()
	if got := factsOf(t, "a8", "infiltration")["In hand"]; got != "X 9, O 10" {
		t.Error(got)
	}
	p := playing{View: table.View{Game: enginetest.Load(t, "classic")}}
	p.Position = p.Game.NewPosition()
	for left, want := range map[time.Duration]string{0: "0:00", 400 * time.Millisecond: "0:00", 61 * time.Second: "1:01", -1: ""} {
		p.View.Left, p.Left = left, ""
		if p.facts(); p.Left != want {
			t.Errorf("%v: %q, want %q", left, p.Left, want)
		}
	}
}

// A game of a study is named by its number; its lines stand in the address where it has some, and how it was ended belongs to it alone.
func TestLinesOfAStoredGame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"b2 a1": "", "b2 a1 (c1)": "b2 a1 (c1)"} {
		l, err := review.ParseTree(text)
		if err != nil {
			t.Fatal(err)
		}
		g := &reviewed{game: enginetest.Load(t, "classic"), row: &store.Row{}, tree: l, query: url.Values{}, page: "/g/q.1", ended: "Draw (agreed draw)"}
		if g.resolve(); g.query.Get("moves") != want {
			t.Errorf("%s: the address has %q, want %q", text, g.query.Get("moves"), want)
		}
		if g.row = nil; true {
			if g.resolve(); g.query.Get("moves") != text {
				t.Errorf("%s: the address of a pasted game has %q", text, g.query.Get("moves"))
			}
		}
		for i, v := range g.lineViews() {
			if (v.Result == "Draw (agreed draw)") != (i == 0) || v.Own != (i > 0) {
				t.Errorf("line %d: %+v", i, v)
			}
		}
	}
	split := func(s string) (string, map[string]any) { return "<" + s + ">", nil }
	for text, want := range map[string][2]string{"b2 a1": {"", "b2 a1"}, ": b2": {"<>", " b2"}, "x: b2": {"<x>", " b2"}} {
		if rules, _, moves := named(text, split); rules != want[0] || moves != want[1] {
			t.Errorf("%q: rules %q, moves %q", text, rules, moves)
		}
	}
}

// What was kept beside a game under rules that have changed stays out, and so does what cannot be read; what can stays in.
func TestLinesThatStayOut(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	for kept, want := range map[string]int{"": 1, "b2 a1 (c1)": 2, "b2 b2": 1, "b2 a1 (z9)": 1, "((": 1} {
		g, err := s.pasted(url.Values{"rules": {"classic"}, "moves": {"b2 a1"}})
		if err != nil {
			t.Fatal(err)
		}
		g.resolve()
		g.paths = g.tree.List()
		if err := s.people.keepLines(t.Context(), g.address(), kept); err != nil {
			t.Fatal(err)
		}
		if err := s.branch(t.Context(), g, url.Values{}); err != nil || len(g.paths) != want {
			t.Errorf("%q: %d lines, want %d, %v", kept, len(g.paths), want, err)
		}
	}
}

// An address of a review keeps overrides where there are some, and the view of a line is not that of a game that was ended otherwise.
func TestAddressWithOverrides(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	g, err := s.pasted(url.Values{"rules": {"vanishing"}, "set": {"pieces.cap=4"}, "moves": {"b2 a1 (c1)"}})
	if err != nil || !slices.Equal(g.query["set"], []string{"pieces.cap=4"}) {
		t.Fatalf("%+v, %v", g, err)
	}
	g.paths, g.ended = g.tree.List(), "Draw (agreed draw)"
	for line, want := range []string{"Draw (agreed draw)", ""} {
		g.line, g.moves = line, g.paths[line].Moves
		if v, _, err := s.view(g, false); err != nil || v.Result != want {
			t.Errorf("line %d: %q, %v", line, v.Result, err)
		}
	}
	for label, want := range map[string]string{"classic": "/play?rules=classic", "vanishing[pieces.cap=4]": "/play?rules=vanishing&set=pieces.cap%3D4", "vanishing[pieces.cap=4,win.line=3]": "/play?rules=vanishing&set=pieces.cap%3D4&set=win.line%3D3"} {
		if got := playRules(label); got != want {
			t.Errorf("%s is played at %s, want %s", label, got, want)
		}
	}
}

// The puzzle of the day is titled by the game that it is of.
func TestTitleOfTheDaily(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	for day := range 1 {
		at := time.Date(2026, 2, 1+day, 8, 0, 0, 0, time.UTC)
		p, err := s.daily(at)
		if err != nil || p == nil {
			t.Fatal(p, err)
		}
		want, ok, err := puzzles.DailyOf(t.Context(), s.dailyFrom(), at, puzzles.Limits{Nodes: 1000, Memory: dailyMemory})
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if g := enginetest.Load(t, want.Rules); p.Title != title(g) {
			t.Errorf("a puzzle of %s is titled %s", want.Rules, p.Title)
		}
	}
}

// Studies are named by their files, letters, digits, hyphens and underscores alone, with a number where two have the same name.
func TestKeysOfStudies(t *testing.T) {
	t.Parallel()
	s := &studies{files: []string{"x/azAZ09-_.db", "y/azAZ09-_.db", "`{@[/:.db", "a b+c.db", "x/é.db"}}
	keys, by := s.paths()
	if want := []string{"azAZ09-_", "azAZ09-_-2", "-", "a-b-c", "--2"}; filepath.Base(s.files[2]) != ":.db" || !slices.Equal(keys, want) || len(by) != len(want) || by["azAZ09-_-2"] != s.files[1] {
		t.Errorf("%q, %v", keys, by)
	}
	s.files = []string{"`.db", "{.db", "@.db", "[.db", ":.db", "/,.db"}
	keys, _ = s.paths()
	for _, k := range keys {
		if strings.Trim(k, "-23456") != "" {
			t.Errorf("%q stands for a sign", k)
		}
	}
}

// A board of a run says who plays, and on which machine where that is another.
func TestBoardsOfARun(t *testing.T) {
	t.Parallel()
	p := enginetest.Load(t, "classic").NewPosition()
	got := boardsOf(map[int]live.Board{3: {Number: 4, First: "a", Second: "b", Position: p, Machine: "m"}, 1: {Number: 0, First: "a", Second: "c", Position: p}})
	if len(got) != 2 || got[0].Title != "Game 1, ply 0: a – c" || got[1].Title != "Game 5, ply 0: a – b, on m" {
		t.Errorf("%+v", got)
	}
}

// Names of rules stand as they are, all games together begin with a capital; ranks stand beside the agents, the best first.
func TestTitlesOfStandings(t *testing.T) {
	t.Parallel()
	pools, err := standings.Study(t.Context(), met(t), standings.Both, ratings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for rules, want := range map[string]string{"": "All games", "all games": "all games"} {
		pools[0].Title, pools[0].Rules = "all games", rules
		v, err := viewOf(pools[0])
		if err != nil || v.Title != want {
			t.Fatalf("%q: %q, %v", rules, v.Title, err)
		}
		for _, r := range v.Rows {
			if r.Rank == "" || !strings.ContainsAny(r.Rank[:1], "12") {
				t.Errorf("%s has the rank %q", r.Agent, r.Rank)
			}
		}
	}
}

// A file is served under the hash of what it holds, under no other name and no other hash.
func TestFilesByTheirHash(t *testing.T) {
	t.Parallel()
	a := &assets{files: map[string][]byte{"x.css": []byte("b{}")}, hashes: map[string]string{"x.css": "h"}}
	for _, c := range []struct {
		name, hash string
		want       bool
	}{{"x.css", "h", true}, {"x.css", "other", false}, {"y.css", "", false}, {"y.css", "h", false}} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.SetPathValue("name", c.name)
		r.SetPathValue("hash", c.hash)
		w := httptest.NewRecorder()
		if err := a.serve(w, r); (err == nil) != c.want || c.want && w.Body.String() != "b{}" {
			t.Errorf("%s of hash %q: %v", c.name, c.hash, err)
		}
	}
}
