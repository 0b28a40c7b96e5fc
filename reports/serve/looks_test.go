package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/serve/table"
)

// here is a server with an empty folder.
func here(t *testing.T, o Options) *Server {
	t.Helper()
	o.Folder = t.TempDir()
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What a page of a game offers depends on who looks at it: names, whose turn it is, whether a move can be taken back, whether the game can
// be claimed, and whether it asks for an opinion.
func TestWhoSeesWhat(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	agent := table.Player{Agent: "random"}
	for _, c := range []struct {
		name  string
		setup table.Setup
		do    func(*table.Table) error
		seat  table.Seat
		want  string
	}{
		{"two at one board", table.Setup{}, nil, table.Owner, "first player, second player: turn"},
		{"after a move", table.Setup{}, func(x *table.Table) error { return x.Move(table.Owner, 0, "b2") }, table.Owner, "first player, second player: turn undo"},
		{"given moves", table.Setup{Moves: []string{"b2", "a1"}}, nil, table.Owner, "first player, second player: turn"},
		{"against an agent", table.Setup{Seats: [2]table.Player{{}, agent}}, nil, table.Owner, "you, random: turn"},
		{"a friend, X to move", table.Setup{}, invited(1), table.Owner, "you, guest: turn invite O"},
		{"the friend, X to move", table.Setup{}, invited(1), 1, "host, you: guest"},
		{"a friend, O to move", table.Setup{Moves: []string{"b2"}}, invited(1), table.Owner, "you, guest: invite O"},
		{"the friend, O to move", table.Setup{Moves: []string{"b2"}}, invited(1), 1, "host, you: turn guest"},
		{"a friend as X", table.Setup{}, invited(0), table.Owner, "guest, you: invite X"},
		{"resigned", table.Setup{}, func(x *table.Table) error { return x.Resign(table.Owner, 0) }, table.Owner, "first player, second player: ended undo"},
		{"resigned, with a form", table.Setup{Form: true}, func(x *table.Table) error { return x.Resign(table.Owner, 0) }, table.Owner, "first player, second player: ended undo opine"},
		{"resigned, with an answer", table.Setup{Form: true}, func(x *table.Table) error { defer x.Answered(); return x.Resign(table.Owner, 0) }, table.Owner, "first player, second player: ended undo"},
		{"resigned, for the guest", table.Setup{Form: true}, func(x *table.Table) error { x.Invite(1); return x.Resign(table.Owner, 0) }, 1, "host, you: ended guest"},
		{"from a review", table.Setup{Origin: "/g/cup.1"}, nil, table.Owner, "first player, second player: turn from"},
		{"from elsewhere", table.Setup{Origin: "http://x/g/cup.1"}, nil, table.Owner, "first player, second player: turn"},
	} {
		c.setup.Rules = "classic"
		x, err := s.room.New(c.setup)
		if err != nil {
			t.Fatal(err)
		}
		if c.do != nil {
			if err := c.do(x); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		p := s.playing(x.View(), c.seat, "", httptest.NewRequest("GET", "/", nil))
		got := p.Names[0] + ", " + p.Names[1] + ":"
		for _, word := range []struct {
			name string
			on   bool
		}{{"turn", p.Turn}, {"ended", p.Ended}, {"undo", p.Undo}, {"guest", p.Guest}, {"claim", p.Claim}, {"opine", p.Opine}, {"reload", p.Reload}, {"from", p.From != ""}, {"invite X", p.Invite[0] != ""}, {"invite O", p.Invite[1] != ""}} {
			if word.on {
				got += " " + word.name
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func invited(side int) func(*table.Table) error {
	return func(x *table.Table) error { x.Invite(side); return nil }
}

// A link names shipped rules by name. Rules of one's own file, and rules that have changed since the game, it names with their own name and
// their hash: it leads to these rules or to an error, never to another game.
func TestLinksNameTheRules(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(own, []byte("name: mine\nboard: {columns: 4, rows: 3}\nwin: {line: 3}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, others := here(t, Options{Rules: []string{own}}), here(t, Options{})
	for _, c := range []struct {
		rules string
		set   []string
		moves []string
		name  string // in the link, before an @
		own   bool
	}{
		{"vanishing", nil, nil, "vanishing", false},
		{"vanishing", nil, []string{"a1", "b2"}, "vanishing", false},
		{"vanishing", []string{"pieces.cap=4"}, nil, "vanishing", false},
		{"mine", nil, nil, "mine", true},
		{"mine", []string{"board.rows=4"}, []string{"d3"}, "mine", true},
	} {
		g, err := s.library.Game(c.rules, c.set)
		if err != nil {
			t.Fatal(err)
		}
		_, query, _ := strings.Cut(s.link("/review", c.rules, c.set, g, c.moves), "?")
		got, err := url.ParseQuery(query)
		if err != nil || got.Get("moves") != strings.Join(c.moves, " ") {
			t.Errorf("%s %v: %s, %v", c.rules, c.set, query, err)
		}
		name, hash := table.SplitReference(got.Get("rules"))
		if name != c.name || (hash != "") != c.own {
			t.Errorf("%s %v: rules %q", c.rules, c.set, got.Get("rules"))
		}
		if there, err := s.library.Game(got.Get("rules"), got["set"]); err != nil || there.RulesHash() != g.RulesHash() {
			t.Errorf("%s %v: the link means other rules: %v", c.rules, c.set, err)
		}
		if there, err := others.library.Game(got.Get("rules"), got["set"]); c.own == (err == nil) || err == nil && there.RulesHash() != g.RulesHash() {
			t.Errorf("%s %v on a server without the file: %v", c.rules, c.set, err)
		}
	}
	changed, err := engines.Named("vanishing", "pieces.cap=5") // what vanishing was when a game began
	if err != nil {
		t.Fatal(err)
	}
	got, err := url.ParseQuery(strings.TrimPrefix(s.link("", "vanishing", nil, changed, nil), "?"))
	if err != nil || got.Get("rules") != "vanishing@"+changed.RulesHash() {
		t.Errorf("rules that have changed: %v, %v", got, err)
	}
}

// A position of a review lists its moves from the best on, with what is known exactly, which is best and which was played; it leads a ply
// back and, but for the last, on. Here two of three moves hold the draw, and c1 loses in six.
func TestPositionOfAReview(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	g, err := s.pasted(url.Values{"rules": {"vanishing"}, "moves": {"b2 a1 a2 c2 c3 b1 c1"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.branch(t.Context(), g, url.Values{}); err != nil {
		t.Fatal(err)
	}
	look := func(ply int) *positionLook {
		for range 2000 {
			if l := s.lookAt(g, ply, ""); !l.Wait {
				return l
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatal("it is never rated")
		return nil
	}
	rows := func(l *positionLook) (out []string) {
		for _, m := range l.Moves {
			out = append(out, fmt.Sprintf("%s %s: %s", m.Move, m.Worth, m.Note))
		}
		return out
	}
	// While the position, or a move of the game, waits to be rated the page is told when that has changed.
	body := ""
	page := func(ply int) (topics string, progress bool) {
		w := httptest.NewRecorder()
		if err := s.reviewShow(w, httptest.NewRequest("GET", fmt.Sprintf("/review?rules=vanishing&moves=b2+a1+a2+c2+c3+b1+c1&ply=%d", ply), nil), g); err != nil {
			t.Fatal(err)
		}
		body = w.Body.String()
		_, rest, _ := strings.Cut(body, `data-topics="`)
		topics, _, _ = strings.Cut(rest, `"`)
		return topics, strings.Contains(rest, "7 moves rated.")
	}
	s.searches <- struct{}{} // somebody else searches
	for range cap(s.searches) - 1 {
		s.searches <- struct{}{}
	}
	if topics, progress := page(7); topics != g.topic() || !progress {
		t.Errorf("not rated: topics %q, progress %t", topics, progress)
	}
	short, err := s.pasted(url.Values{"rules": {"vanishing"}, "moves": {"b2"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.branch(t.Context(), short, url.Values{}); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if err := s.reviewShow(w, httptest.NewRequest("GET", "/review?rules=vanishing&moves=b2", nil), short); err != nil || !strings.Contains(w.Body.String(), "0 of 1 move rated.") {
		t.Errorf("a game of one move: %v", err)
	}
	for range cap(s.searches) {
		<-s.searches
	}
	for ply := range 8 {
		look(ply)
	}
	if topics, progress := page(3); topics != "" || progress {
		t.Errorf("rated: topics %q, progress %t", topics, progress)
	}
	for ply, want := range map[int]string{-1: "", 0: "After ply 0, X to move", 7: "After ply 7, O to move", 8: ""} { // the board of a ply that there is
		if page(ply); strings.Contains(body, "<h3>After ply") != (want != "") || !strings.Contains(body, want) {
			t.Errorf("the page of ply %d has no %q", ply, want)
		}
	}
	before := look(6)
	if got := rows(before); len(got) != 3 || strings.Count(strings.Join(got[:2], "\n"), " draw: exact, best") != 2 || got[2] != "c1 loss: in 6 plies, exact, played" {
		t.Errorf("before the mistake: %q", got)
	}
	if before.Side != "X" || before.By != "exact" || before.Error != "" || !strings.Contains(before.Back, "ply=5") || !strings.Contains(before.Next, "ply=7") || !strings.Contains(before.Legend, "the stronger its colour") {
		t.Errorf("%+v", before)
	}
	after := look(7)
	if got := rows(after); !strings.HasSuffix(got[0], " win: in 5 plies, exact, best") || after.Side != "O" || after.Next != "" || !strings.Contains(after.Back, "ply=6") {
		t.Errorf("the last position: %q, %+v", got, after)
	}
}

// A finished game is stored with what each side spent, by whoever moved at a ply, and with what an agent thought.
func TestWhatIsStoredOfAGame(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	x, err := s.room.New(table.Setup{Rules: "classic", Set: []string{"win.line=2", "pieces.cap=4"}, Moves: []string{"a1"}, Seats: [2]table.Player{{}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	for ply, m := range []string{"c3", "b1"} { // X has two in a row
		if err := x.Move(table.Owner, ply+1, m); err != nil {
			t.Fatal(err)
		}
	}
	v := x.View()
	score := 0.75
	for i := range v.Plies {
		v.Plies[i].MS, v.Plies[i].Nodes, v.Plies[i].Depth = []float64{1, 20, 300}[i], []int64{4, 50, 600}[i], i
	}
	v.Plies[2].Score, v.Seats[1] = &score, table.Player{Agent: "random"}
	id, err := s.people.Finish(v)
	if err != nil {
		t.Fatal(err)
	}
	db, err := s.people.open(false)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for row, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if row.ID != id {
			continue
		}
		found = true
		if row.RulesName != "classic[pieces.cap=4,win.line=2]" || row.Moves != "a1 c3 b1" || row.Result != "first" || row.OpeningPlies != 1 || row.FirstMS != 301 || row.SecondMS != 20 || row.FirstNodes != 604 || row.SecondNodes != 50 || row.FirstName != "human" || row.SecondName != "random" || row.Reason != "line" {
			t.Errorf("%+v", row)
		}
	}
	thoughts, err := db.Thoughts(t.Context(), id)
	if err != nil || !found || len(thoughts) != 3 || thoughts[3].Depth != 2 || thoughts[3].Score.Float64 != score || thoughts[2].Score.Valid || thoughts[1].MS != 1 {
		t.Errorf("stored: %t, thoughts %+v, %v", found, thoughts, err)
	}
}

// The form of the knobs: each has its value, what it may be, and what the page says against it; a group with something of its own is open.
func TestKnobs(t *testing.T) {
	t.Parallel()
	s := here(t, Options{Searches: 1})
	if cap(s.searches) != 1 {
		t.Errorf("%d searches at a time, want one", cap(s.searches))
	}
	g := enginetest.Load(t, "vanishing")
	groups, err := s.knobGroups(g, []string{"pieces.cap=99", "board.wrap=odd"}, errors.New("pieces.cap: too many\nboard.wrap: no such\n board.wrap: again"))
	if err == nil {
		t.Error("the mistake is forgotten")
	}
	all, open := map[string]designKnob{}, map[string]bool{}
	for _, group := range groups {
		open[group.Name] = group.Open
		for _, k := range group.Knobs {
			all[k.Path] = k
		}
	}
	if k := all["pieces.cap"]; k.Value != "99" || !k.Number || k.Name != "cap" || k.Error != "pieces.cap: too many" || len(k.Choices) != 0 || k.Help == "" {
		t.Errorf("%+v", k)
	}
	if k := all["board.wrap"]; k.Value != "odd" || k.Number || k.Error != "board.wrap: no such" || !slices.Contains(k.Choices, "torus") || k.Choices[len(k.Choices)-1] != "odd" {
		t.Errorf("%+v", k)
	}
	if k := all["board.columns"]; k.Value != "3" || !k.Number || k.Min != "2" || k.Max == "" || k.Error != "" {
		t.Errorf("%+v", k)
	}
	for path, k := range all {
		if (k.Value == "true" || k.Value == "false") && path != "turn.pie" { // which also takes seats
			if !slices.Equal(k.Choices, []string{"false", "true"}) || k.Number {
				t.Errorf("%s: %+v", path, k)
			}
		}
		if k.Value == nothing {
			t.Errorf("%s shows a list without entries", path)
		}
	}
	if !open["board"] || !open["pieces"] || !open["win"] || open["clock"] || open["surround"] {
		t.Errorf("open: %v", open)
	}
	for _, turned := range []bool{false, true} { // a group with a knob that is turned is open
		var set []string
		if turned {
			set = []string{"draw.max_plies=30"}
		}
		groups, err := s.knobGroups(enginetest.Load(t, "classic", set...), nil, nil)
		if err != nil {
			t.Error(err)
		}
		for _, group := range groups {
			if group.Name == "draw" && group.Open != turned {
				t.Errorf("turned %t, open %t", turned, group.Open)
			}
		}
	}
}

// What is said of rules: random games, who wins where that is small enough to solve, and the quick study with as many looks as it takes.
func TestWordsOfAVariant(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	for _, c := range []struct {
		rules  string
		set    []string
		solved string
	}{
		{"classic", nil, "a draw"},
		{"classic", []string{"win.line=2"}, "the first player wins in 3 plies"},
		{"classic", []string{"board.columns=4", "board.rows=4", "win.line=2"}, "the first player wins in 3 plies"},
		{"classic", []string{"board.columns=6"}, ""},
	} {
		g, err := s.library.Game(c.rules, c.set)
		if err != nil {
			t.Fatal(err)
		}
		v := s.variant(c.rules, c.set, g)
		for range 2000 {
			if v.Solved != "being solved" && v.Random != "" {
				break
			}
			time.Sleep(5 * time.Millisecond)
			v = s.variant(c.rules, c.set, g)
		}
		if v.Solved != c.solved || !strings.Contains(v.Random, ", n = 2000") || strings.Contains(v.Random, "no end") || v.Studied || v.Busy || v.Fair != "" {
			t.Errorf("%s %v: %+v", c.rules, c.set, v)
		}
	}
	g, err := s.library.Game("classic", []string{"win.line=2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.designs.Begin(g); err != nil {
		t.Fatal(err)
	}
	v := s.variant("classic", nil, g)
	for range 2000 {
		if !v.Busy {
			break
		}
		if v.Light != "undecided" || !strings.HasPrefix(v.Fair, "not clear yet: ") {
			t.Fatalf("while it plays: %+v", v)
		}
		time.Sleep(5 * time.Millisecond)
		v = s.variant("classic", nil, g)
	}
	// 20 of 20 at 1-0.05/7, z = 2.69: Wilson's interval begins at 20/(20+z²).
	if v.Light != "poor" || v.Fair != "unfair: first player scores 100.0 % (73.4 to 100.0 at 99 %, for 7 looks), n = 20, mcts-100 against itself" {
		t.Errorf("%s, %s", v.Light, v.Fair)
	}
}

// A game in hand on the first page.
func TestNotesOfGames(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]table.Record{
		"not begun": {}, "in hand, 1 ply": {Plies: make([]table.Ply, 1)}, "in hand, 2 plies": {Plies: make([]table.Ply, 2)},
		"finished after 3 plies: X wins": {Plies: make([]table.Ply, 3), Counted: "X wins"},
	} {
		if got := note(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An opinion is of a finished game, with fun from 1 to 5, and there is one of each.
func TestOpinions(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	x, err := s.room.New(table.Setup{Rules: "classic"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.people.opinion(x, url.Values{"fun": {"3"}}); err == nil {
		t.Error("an opinion of a game that goes on")
	}
	for fun, ok := range map[string]bool{"0": false, "6": false, "": false, "x": false, "1": true, "5": true} {
		x, err := s.room.New(table.Setup{Rules: "classic"})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Resign(table.Owner, 0); err != nil {
			t.Fatal(err)
		}
		if err := s.people.opinion(x, url.Values{"fun": {fun}}); (err == nil) != ok {
			t.Errorf("an opinion of %q: %v", fun, err)
		}
		if err := s.people.opinion(x, url.Values{"fun": {"3"}}); (err == nil) == ok {
			t.Errorf("an opinion after one of %q: %v", fun, err)
		}
	}
}

// A mistake of the owner is asked about before it is made, where that is switched on: b2 gives a won game of vanishing away, and a1 does not.
// What is no move, a ply of before, a guest's move and a position that cannot be rated are no business of it.
func TestWarnings(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	for _, c := range []struct {
		name  string
		setup table.Setup
		by    table.Seat
		ply   int
		move  string
		want  bool
	}{
		{"a mistake", table.Setup{}, table.Owner, 0, "b2", true},
		{"the only move", table.Setup{Rules: "classic", Moves: strings.Fields("b2 a1 b1")}, table.Owner, 3, "b3", false},
		{"another than the only move", table.Setup{Rules: "classic", Moves: strings.Fields("b2 a1 b1")}, table.Owner, 3, "c3", true},
		{"a good move", table.Setup{}, table.Owner, 0, "b1", false},
		{"switched off", table.Setup{}, table.Owner, 0, "b2", false},
		{"no move", table.Setup{}, table.Owner, 0, "z9", false},
		{"another ply", table.Setup{}, table.Owner, 1, "b2", false},
		{"a guest", table.Setup{}, 1, 0, "b2", false},
		{"an agent's turn", table.Setup{Seats: [2]table.Player{{Agent: "random"}, {}}}, table.Owner, 0, "b2", false},
	} {
		c.setup.Rules = cmp.Or(c.setup.Rules, "vanishing")
		x, err := s.room.New(c.setup)
		if err != nil {
			t.Fatal(err)
		}
		x.Assist(table.Assists{Warn: c.name != "switched off"})
		err = s.warn(x, c.by, c.ply, c.move)
		var doubt *doubtful
		if errors.As(err, &doubt) != c.want || doubt != nil && (doubt.move != c.move || !(doubt.loss > 0.4 && doubt.loss <= 0.5)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	s.assess.Limit = 1 // a nanosecond: too little to rate anything
	x, err := s.room.New(table.Setup{Rules: "ctor"})
	if err != nil {
		t.Fatal(err)
	}
	x.Assist(table.Assists{Warn: true})
	if err := s.warn(x, table.Owner, 0, "a1"); err != nil {
		t.Errorf("a position that cannot be rated: %v", err)
	}
}

// The puzzle of the day is of shipped rules on small boards; topics that are no study's, or none that is open, are not watched; an address has
// overrides where there are some; and the form of a new game chooses an opponent where nobody did.
func TestSmallDecisions(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(own, []byte("name: own\nboard: {columns: 3, rows: 3}\nwin: {line: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := here(t, Options{Rules: []string{own}})
	small := map[string]bool{}
	for _, x := range s.dailyFrom() {
		small[x.Label] = true
	}
	if !small["classic"] || !small["vanishing"] || small["own"] || small["checkerboard"] || len(small) < 3 {
		t.Errorf("the puzzle of the day is of %v", small)
	}
	s.watch([]string{"study:none", "design:classic"})()
	for _, c := range []struct {
		q    url.Values
		want string
	}{
		{url.Values{"moves": {"b2"}}, "rules="},
		{url.Values{"rules": {"classic"}, "moves": {"b2"}}, "rules=classic"},
		{url.Values{"rules": {"classic"}, "moves": {"b2"}, "set": {"win.line=2"}, "first": {"a"}}, "first=a&rules=classic&set=win.line%3D2"},
		{url.Values{"moves": {"classic[win.line=2]: b2"}}, "rules=classic&set=win.line%3D2"},
	} {
		if r, err := s.pasted(c.q); err == nil && r.query.Encode() != c.want || err != nil && c.want != "rules=" {
			t.Errorf("%v: %+v, %v, want %s", c.q, r, err, c.want)
		}
	}
	for query, want := range map[string]string{"rules=classic&agent=random": "random", "rules=classic": s.opponentFor("classic")} {
		w := httptest.NewRecorder()
		if err := s.playForm(w, httptest.NewRequest("GET", "/play?"+query, nil)); err != nil || !strings.Contains(w.Body.String(), "<option selected>"+want+"</option>") && !strings.Contains(w.Body.String(), `<option value="`+want+`" selected`) {
			t.Errorf("%s: %v, want %s in %s", query, err, want, w.Body.String())
		}
	}
}

// Levels of other games cannot play some rules; what is no level of a game can.
func TestWhoFits(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	all, fits := s.library.Agents(), s.fits("classic")
	for _, name := range all {
		game, _, level := strings.Cut(name, "/")
		if want := !level || game == "classic" || !slices.Contains(s.library.Rules(), game); slices.Contains(fits, name) != want {
			t.Errorf("%s fits classic: %t", name, !want)
		}
	}
	for rules, solvable := range map[string]bool{"classic": true, "connect4": true, "hex": false} { // 11 by 11 cells of three kinds are 192 bits
		if got := slices.Contains(s.fits(rules), "perfect"); got != solvable {
			t.Errorf("perfect fits %s: %t", rules, got)
		}
	}
	if _, err := s.room.New(table.Setup{Rules: "hex", Seats: [2]table.Player{{}, {Agent: "perfect"}}}); err == nil || !strings.Contains(err.Error(), "192 bits") {
		t.Errorf("a game of hex against perfect play: %v", err)
	}
	if !slices.Contains(fits, "greedy") || !slices.Contains(fits, "classic/expert") || slices.Contains(fits, "vanishing/standard") || len(fits) == len(all) {
		t.Errorf("%v of %v", fits, all)
	}
}

// The list of moves tells what each was worth, what would have been better, and the first player's expected score after it, from the side of
// who sits here.
func TestListOfRatedMoves(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	x, err := s.room.New(table.Setup{Rules: "classic", Moves: strings.Fields("b2 a1 b1 c3 b3")}) // O does not stop X
	if err != nil {
		t.Fatal(err)
	}
	x.Assist(table.Assists{Rated: true})
	want := []string{"good 50 %", "good 50 %", "good 50 %", "mistake 99 % best b3", "best 100 %"}
	var got []string
	for range 2000 {
		page := s.playing(x.View(), table.Owner, "", httptest.NewRequest("GET", "/play/x", nil))
		got = nil
		for _, l := range page.List {
			got = append(got, strings.TrimSpace(l.Class+" "+l.Share+" "+map[bool]string{true: "best " + l.Best}[l.Best != ""]))
		}
		if !slices.Contains(got, "") { // all are rated
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A page that is made in the background shows its front, or all of it to who asks; until it is there it says so and that it is busy, and
// what went wrong is said at once.
func TestDocumentThatIsMade(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	there := made{front: "<main>the front</main>", whole: "<main>all of it</main>"}
	for _, c := range []struct {
		name, query string
		ok          bool
		err         error
		has, hasNot string
	}{
		{"made", "", true, nil, "<main>the front</main>", "data-busy"},
		{"all of it", "?whole", true, nil, "<main>all of it</main>", "the front"},
		{"being made", "", false, nil, `data-busy aria-live="polite"><p>The report is being made`, "the front"},
		{"failed", "", false, errors.New("the disk is full"), "<p>The disk is full", "data-busy"},
	} {
		w := httptest.NewRecorder()
		m := made{}
		if c.ok {
			m = there
		}
		if err := s.showDocument(w, httptest.NewRequest("GET", "/balance"+c.query, nil), documentBody{Title: "Balance"}, m, c.ok, c.err, "topic", 0); err != nil {
			t.Fatal(err)
		}
		if got := w.Body.String(); !strings.Contains(got, c.has) || strings.Contains(got, c.hasNot) {
			t.Errorf("%s: want %q and no %q in\n%s", c.name, c.has, c.hasNot, got)
		}
	}
}
