package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
	"spar/reports/serve"
)

func contextOf(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

// game begins a game by a form and returns its address.
func game(t testing.TB, s *serve.Server, form string) string {
	t.Helper()
	w := send(s, request{method: "POST", path: "/play", body: form})
	if w.Code != 303 {
		t.Fatalf("%s: %d %s", form, w.Code, w.Body.String())
	}
	return w.Header().Get("Location")
}

type state struct {
	Ply            int
	Moves          []string
	ToMove         string `json:"to_move"`
	Legal          []string
	Position       string
	Thinking       bool
	Result, Reason string
	Game           int64
	Problem        string
	Seats          [2]string
	Error          string
	State          *state
	HTML           string `json:"-"`
	Status         int    `json:"-"`
}

var asJSON = map[string]string{"Accept": "application/json"}

// do sends a command as a program does.
func do(t testing.TB, s *serve.Server, path, body string) state {
	t.Helper()
	method := "POST"
	if body == "" {
		method = "GET"
	}
	w := send(s, request{method: method, path: path, body: body, headers: asJSON})
	out := state{Status: w.Code}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%s %s: %v in %s", path, body, err, w.Body.String())
	}
	return out
}

// move plays a move at a ply and waits for an answer of an agent.
func move(t testing.TB, s *serve.Server, at string, ply int, text string) state {
	t.Helper()
	st := do(t, s, at+"/move", fmt.Sprintf("ply=%d&move=%s", ply, text))
	if st.Status != 200 {
		t.Fatalf("%s at ply %d: %d %s", text, ply, st.Status, st.Error)
	}
	return settled(t, s, at)
}

func settled(t testing.TB, s *serve.Server, at string) state {
	t.Helper()
	for range 2000 {
		if st := do(t, s, at, ""); !st.Thinking {
			return st
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the agent thinks for ever")
	return state{}
}

// An undo gives the position back as it was, ages and all, after a removal by age and after the end; redo brings it
// forward again.
func TestUndoRestoresAges(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	at := game(t, s, "rules=vanishing&opponent=person")
	var positions []string
	moves := strings.Fields("b2 a1 a2 c2 c3 b1 c1 a3")
	for ply, m := range moves {
		positions = append(positions, do(t, s, at, "").Position)
		if ply == 6 && !strings.Contains(positions[6], "ages=b2,a2,c3|a1,c2,b1") {
			t.Errorf("ply 6: %s", positions[6])
		}
		move(t, s, at, ply, m)
	}
	end := do(t, s, at, "").Position
	for ply := len(moves); ply > 0; ply-- {
		if st := do(t, s, at+"/undo", fmt.Sprintf("ply=%d", ply)); st.Position != positions[ply-1] {
			t.Errorf("undo at %d: %s, want %s", ply, st.Position, positions[ply-1])
		}
	}
	if st := do(t, s, at+"/undo", "ply=0"); st.Status != 422 {
		t.Errorf("undo of nothing: %d", st.Status)
	}
	for ply := range moves {
		do(t, s, at+"/redo", fmt.Sprintf("ply=%d", ply))
	}
	if st := do(t, s, at, ""); st.Position != end {
		t.Errorf("redo: %s, want %s", st.Position, end)
	}
}

// A command that was meant for another position changes nothing; an illegal move says why it is.
func TestCommandsAreChecked(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	at := game(t, s, "rules=classic&opponent=person")
	move(t, s, at, 0, "b2")
	for _, c := range []struct {
		what, body string
		status     int
		say        string
	}{
		{"move", "ply=0&move=a1", 409, "has changed"},
		{"move", "ply=2&move=a1", 409, "has changed"},
		{"move", "ply=1&move=b2", 422, "occupied"},
		{"move", "ply=1&move=z9", 422, "z9"},
		{"move", "ply=x&move=a1", 400, "expected the number"},
		{"move", "move=a1", 400, "expected the number"},
		{"undo", "ply=0", 409, "has changed"},
		{"resign", "ply=7", 409, "has changed"},
		{"seat", "ply=1&side=5&agent=greedy", 400, "side"},
		{"seat", "ply=1&side=x&agent=greedy", 400, "side"},
		{"seat", "ply=1&side=-1&agent=greedy", 400, "side"},
		{"seat", "ply=1&side=1&agent=gredy", 422, "greedy"},
		{"dance", "ply=1", 404, "dance"},
	} {
		if st := do(t, s, at+"/"+c.what, c.body); st.Status != c.status || !strings.Contains(st.Error, c.say) {
			t.Errorf("%s %s: %d %q", c.what, c.body, st.Status, st.Error)
		}
	}
	if st := do(t, s, at, ""); st.Ply != 1 {
		t.Errorf("something changed: %+v", st)
	}
}

// A game goes on after the server has been started again, and stands in the study of people's games, counting for
// nothing.
func TestGamesSurvive(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := must.Get(serve.New(t.Context(), serve.Options{Folder: folder}))(t)
	at := game(t, first, "rules=classic&opponent=person&bar=1")
	for ply, m := range strings.Fields("a1 a2 b1 b2") {
		move(t, first, at, ply, m)
	}
	must.Do(t, first.Close())
	s := start(t, serve.Options{Folder: folder})
	st := move(t, s, at, 4, "c1")
	if st.Result != "first" || st.Game == 0 {
		t.Errorf("%+v", st)
	}
	db := studyOf(t, folder+"/people.db")
	for _, bad := range []string{"no JSON", "[1]", `{"rules":5}`, "{}"} { // by another program
		must.Do(t, db.SaveTable(t.Context(), store.Table{ID: "bad" + bad, State: bad}))
	}
	if w := send(s, request{path: "/"}); w.Code != 200 {
		t.Errorf("the first page: %d %s", w.Code, w.Body.String())
	}
	for g, err := range db.Games(t.Context(), filterOf("people")) {
		if err != nil || g.Moves != "a1 a2 b1 b2 c1" || g.FirstName != "human" ||
			g.Marks.String() != "mirror,timed,human" || g.Detail != "evaluation bar" {
			t.Errorf("%+v (%s), %v", g, g.Marks, err)
		}
	}
}

// Who begins a game has the seat that was chosen, X when none was, and the other one is the opponent's: an agent's,
// nobody's in particular, or that of a friend, who gets a link to it.
func TestSeatsOfANewGame(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	for form, want := range map[string]string{
		"agent=random":                             "human random",
		"agent=random&side=first":                  "human random",
		"agent=random&side=second":                 "random human",
		"agent=random&opponent=agent&side=second":  "random human",
		"agent=random&opponent=person&side=second": "human human",
		"opponent=friend":                          "human human link for O",
		"opponent=friend&side=first":               "human human link for O",
		"opponent=friend&side=second":              "human human link for X",
	} {
		at := game(t, s, "rules=classic&"+form)
		seats := do(t, s, at, "").Seats
		got := seats[0] + " " + seats[1]
		page := send(s, request{path: at}).Body.String()
		for side, name := range []string{"X", "O"} {
			if strings.Contains(page, fmt.Sprintf(`id="invite%d"`, side)) {
				got += " link for " + name
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
	tossed := map[[2]string]int{}
	for range 60 {
		tossed[do(t, s, game(t, s, "rules=classic&agent=random&side=toss"), "").Seats]++
	}
	if x, o := tossed[[2]string{"human", "random"}], tossed[[2]string{"random", "human"}]; x == 0 || o == 0 ||
		x+o != 60 {
		t.Errorf("tossed for: %v", tossed)
	}
}

var cells = regexp.MustCompile(
	`<td role="gridcell" class="([^"]*)"><button[^>]* value="([^"]*)"[^>]* id="c(\d+)"[^>]*?(aria-disabled="true" )?aria-label="([^"]*)"></button>(?:<b aria-hidden="true">([A-Z])</b>)?(?:<small aria-hidden="true">(\d+)</small>)?`,
)

// The board on the page is the engine's at plies of random games of every shipped rules file: pieces, ages, legal
// cells.
func TestPageShowsTheEnginesPosition(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	for _, rules := range configs.Names(configs.Games) {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, uint64(len(rules))))
			at := game(t, s, "rules="+rules+"&opponent=person")
			p := enginetest.Load(t, rules).NewPosition()
			for ply := 0; !p.Over() && ply < 16; ply++ {
				moves := p.AppendMoves(nil)
				m := moves[rng.IntN(len(moves))]
				page := ply == len(rules)%15 // one page on the way; each position is compared below
				if page {
					compare(t, send(s, request{path: at}).Body.String(), p, moves)
				}
				if from := chosen(p, m); (page || ply%15 == 1 || m.IsDrop()) && from != "" {
					compareFrom(t, send(s, request{path: at + "?from=" + url.QueryEscape(from)}).Body.String(), p, moves, from)
				}
				text := p.Game().MoveText(m)
				p.Play(m)
				if st := do(t, s, at+"/move", fmt.Sprintf("ply=%d&move=%s", ply, text)); st.Status != 200 ||
					st.Position != p.Text() {
					t.Fatalf("ply %d, %s: %d %s, want %s", ply, text, st.Status, st.Position, p.Text())
				}
			}
			compare(t, send(s, request{path: at}).Body.String(), p, p.AppendMoves(nil))
		})
	}
}

func compare(t *testing.T, page string, p *engines.Position, moves []engines.Move) {
	t.Helper()
	html := flat(page)
	found := cells.FindAllStringSubmatch(html, -1)
	if len(found) != p.Game().Cells() {
		t.Fatalf("%d cells of %d", len(found), p.Game().Cells())
	}
	board := strings.ToUpper(string(p.Signs()))
	ages := map[int]string{}
	for side := range 2 {
		for i, c := range p.Ages(side, nil) {
			ages[int(c)] = fmt.Sprint(i + 1)
		}
	}
	places, movers := map[int]bool{}, map[int]bool{}
	for _, m := range moves {
		switch exits := p.Game().Mechanics().Has(rules.Exits); {
		case m.IsRemoval() && exits: // a button of its own, since the same piece may also step
			if say := "Leave the board from " + p.Game().CellName(m.To()); !strings.Contains(html, say) {
				t.Fatalf("%s: no button %q", p.Text(), say)
			}
		case m.IsDrop():
			if say := `value="` + chosen(p, m) + `">Drop: `; !strings.Contains(html, say) {
				t.Fatalf("%s: no button %q", p.Text(), say)
			}
		case m.IsPlacement() || m.IsRemoval():
			places[int(m.To())] = true
		case m.From() != engines.NoCell:
			movers[int(m.From())] = true
		}
	}
	chain := p.Chain() != engines.NoCell
	for c, f := range found {
		piece := strings.Trim(board[c:c+1], ".#")
		legal := strings.Contains(" "+f[1]+" ", " legal ")
		if f[6] != piece || f[7] != ages[c] || !chain && legal != places[c] || !chain &&
			strings.Contains(" "+f[1]+" ", " can ") != movers[c] {
			t.Fatalf("%s: cell %d is %q, age %q, class %q; want %q, %q, a place %t, a mover %t", p.Text(), c, f[6],
				f[7], f[1], piece, ages[c], places[c], movers[c])
		}
		if name := p.Game().CellName(engines.Cell(c)); !strings.HasPrefix(f[5], name+", ") {
			t.Fatalf("cell %d is called %q", c, f[5])
		}
	}
	for _, m := range moves {
		if m.To() == engines.NoCell && !strings.Contains(html, `name="move" value="`+p.Game().MoveText(m)+`"`) {
			t.Fatalf("%s: no button for %s", p.Text(), p.Game().MoveText(m))
		}
	}
}

// chosen returns what is chosen before the cell to which a move goes: a piece, or a kind to drop like C@.
func chosen(p *engines.Position, m engines.Move) string {
	if kind, _, drop := strings.Cut(p.Game().MoveText(m), "@"); drop {
		return kind + "@"
	}
	if m.From() == engines.NoCell {
		return ""
	}
	return p.Game().CellName(m.From())
}

func compareFrom(t *testing.T, html string, p *engines.Position, moves []engines.Move, from string) {
	t.Helper()
	want := map[string]bool{}
	for _, m := range moves {
		if chosen(p, m) == from {
			want[p.Game().MoveText(m)] = true
		}
	}
	for _, f := range cells.FindAllStringSubmatch(flat(html), -1) {
		delete(want, f[2])
	}
	if len(want) > 0 {
		t.Fatalf("%s: with %s chosen there is no button for %v", p.Text(), from, want)
	}
}

// Pages stay small, and none has a style or a script in it.
func TestPagesAreSmallAndClean(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	pages := []string{"/", "/play", "/play?rules=ctor"}
	for _, rules := range configs.Names(configs.Games) {
		pages = append(pages, game(t, s, "rules="+rules+"&opponent=person"))
	}
	inline := regexp.MustCompile(`<style|<script>| style=| on[a-z]+=`)
	for _, p := range pages {
		w := send(s, request{path: p})
		if w.Code != 200 || w.Body.Len() > 120<<10 || inline.MatchString(w.Body.String()) {
			t.Errorf("%s: %d, %d bytes, %q", p, w.Code, w.Body.Len(), inline.FindString(w.Body.String()))
		}
	}
}

// With help switched on, the list has the icon of each class with the better move and the loss, and squares are shaded
// by their worth: under these rules b2 gives a won game away, and after six plies two moves hold the draw while c1
// loses in six.
func TestRatedWhilePlayed(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	at := send(s, request{
		method: "POST", path: "/play",
		body: "rules=vanishing&opponent=person&moves=b2+a1+a2+c2+c3+b1&bar=1&rated=1&values=1",
	}).Header().Get("Location")
	want := []string{
		`<em class="mistake"><span aria-hidden="true">??</span> mistake</em> <span class="ci">best b1 (-50 %)</span>`,
		`<em class="best"><span aria-hidden="true">★</span> best</em>`,
		`legal worth4"`, `legal worth0"`, `<em aria-hidden="true">L6</em>`,
		`<rect class="X" width="20" height="50"`, "A draw with best play.",
		"a number ranks the piece by age, 1 = oldest", "a stronger colour means a better move",
	}
	lookAt(t, s, at, 200, want)
	// The first player wins vanishing in 13 plies. In Hex, the bar of the second player is hers below.
	at = send(s, request{method: "POST", path: "/play", body: "rules=vanishing&opponent=person&bar=1&values=1"}).
		Header().Get("Location")
	lookAt(t, s, at, 200, []string{`<rect class="X" width="20" height="100"`, "A win for X in 13 plies with best play.", ">W13<"})
	at = send(s, request{
		method: "POST", path: "/play", body: "rules=hex5&agent=random&side=second&moves=a1&bar=1&values=1",
	}).Header().Get("Location")
	lookAt(t, s, at, 200, []string{`<rect class="O" width="20" height="100"`, "A win for Blue with best play.", ">W<", ">L<"})
	plain := send(s, request{
		method: "POST", path: "/play",
		body: "rules=ctor&opponent=person&set=surround.threshold%3D2&moves=e5+e4+e6",
	}).Header().Get("Location")
	lookAt(t, s, plain, 200, []string{"dashed cells beyond an edge", "<dt>Captured</dt><dd>by X 0, by O 1</dd>"})
	if body := send(s, request{path: plain}).Body.String(); strings.Contains(body, "is an age") {
		t.Error("a game without ages explains them")
	}
}
