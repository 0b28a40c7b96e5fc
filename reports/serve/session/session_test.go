package session

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"spar/arena/store"
	"spar/configs/must"
	"spar/engines"
)

// shelf keeps what it is given.
type shelf struct {
	mu       sync.Mutex
	kept     map[string]Record
	finished []View
	aside    []Record
	full     error
}

func (s *shelf) Save(v View) (Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full != nil {
		return v.Record, s.full
	}
	r := v.Record
	if r.unstored() {
		s.finished = append(s.finished, v)
		r.Game, r.Stored = int64(len(s.finished)), r.end()
	}
	s.kept[r.ID] = r
	return r, nil
}

func (s *shelf) SaveElsewhere(all []Record, _ bool) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aside = all
	return "aside", nil
}

func (s *shelf) Unstored() ([]Record, error) { return nil, nil }

// fails makes the shelf fail from now on, or work again if there is no error.
func (s *shelf) fails(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = err
}

func (s *shelf) Load(id string) (Record, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.kept[id]
	return r, ok, nil
}

func (s *shelf) Delete(r Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, r.ID)
	return s.full
}

// watch is a clock that is set by hand.
type watch struct {
	mu  sync.Mutex
	now time.Time
}

func (w *watch) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func room(t *testing.T) (*Sessions, *shelf, *watch) {
	t.Helper()
	l := must.Get(NewLibrary(nil, nil))(t)
	s, w := &shelf{kept: map[string]Record{}}, &watch{now: time.Unix(1e9, 0)}
	r := &Sessions{
		Library: l, Store: s, Changed: func(string) {}, Now: w.Now, Searches: make(chan struct{}, 1),
		MoveTime: time.Minute,
	}
	r.Open(t.Context())
	t.Cleanup(func() { _ = r.Close() })
	return r, s, w
}

func begin(t *testing.T, r *Sessions, s Setup) *Session {
	t.Helper()
	x := must.Get(r.New(s))(t)
	r.Settle(x)
	return x
}

// played plays moves of the owner.
func played(t *testing.T, x *Session, moves string) {
	t.Helper()
	for _, m := range strings.Fields(moves) {
		must.Do(t, x.Move(Owner, len(now(x).Plies), m))
	}
}

// now is a session as it is, once it is stored.
func now(x *Session) *View {
	x.room.Settle(x)
	v := x.View()
	return &v
}

// moves are those of a session so far.
func moves(x *Session) string { return strings.Join(now(x).Moves(), " ") }

// waited waits for the answer of an agent.
func waited(t *testing.T, x *Session, plies int) {
	t.Helper()
	for range 2000 {
		if len(now(x).Plies) >= plies {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d plies, want %d", len(now(x).Plies), plies)
}

// Two people at one board: moves count only at the ply that was seen, legal ones only, and none after the end; what
// was taken back comes again unless another move is played; a game that ends is stored and counted once for each end.
func TestPeople(t *testing.T) {
	t.Parallel()
	r, s, w := room(t)
	x := begin(t, r, Setup{Rules: "classic"})
	for _, err := range []error{x.Undo(0), x.Redo(0)} {
		if err == nil || !strings.Contains(err.Error(), "there is nothing to") {
			t.Errorf("%v", err)
		}
	}
	w.pass(time.Hour) // before the first move no time is taken
	played(t, x, "a1")
	w.pass(1500 * time.Millisecond)
	if err := x.Move(Owner, 0, "b1"); !errors.Is(err, ErrStale) {
		t.Errorf("%v", err)
	}
	if err := x.Move(Owner, 1, "a1"); err == nil {
		t.Error("a cell twice")
	}
	played(t, x, "b1")
	if v := now(x); v.MS() != 1500 || v.Plies[1].Legal != 8 || v.Sides != "XO" || len(v.Frames) != 3 || v.Left != -1 ||
		!v.Thinking.IsZero() {
		t.Errorf("%+v", v)
	}
	if err := x.Undo(2); err != nil || moves(x) != "a1" {
		t.Errorf("%v, %s", err, moves(x))
	}
	if err := x.Redo(1); err != nil || moves(x) != "a1 b1" || now(x).Sides != "XO" {
		t.Errorf("%v, %s", err, moves(x))
	}
	_ = x.Undo(2)
	played(t, x, "b2")
	if err := x.Redo(2); err == nil {
		t.Error("what was taken back comes after another move")
	}
	played(t, x, "a2 b3 a3")
	v := now(x)
	if !v.Over() || v.Outcome() != engines.FirstWins ||
		v.Words() != "X made three in a row and won, after 5 plies" || v.Tally.Won != [2]int{1, 0} ||
		v.Record.Game != 1 || v.Undos != 2 {
		t.Errorf("%s, %+v", v.Words(), v.Record)
	}
	for _, err := range []error{x.Move(Owner, 5, "c1"), x.Resign(Owner, 5), x.Hint(5)} {
		if !errors.Is(err, ErrOver) {
			t.Errorf("%v", err)
		}
	}
	if err := x.Undo(5); err != nil || now(x).Tally.Won != [2]int{} {
		t.Errorf("%v, %+v", err, now(x).Tally)
	}
	if err := x.Resign(Owner, 4); err != nil { // X is to move
		t.Fatal(err)
	}
	v = now(x)
	if v.Words() != "X resigned: O won, after 4 plies" || v.Outcome() != engines.SecondWins ||
		v.Tally.Won != [2]int{0, 1} || v.Record.Game != 2 || len(s.finished) != 2 {
		t.Errorf("%s, %+v", v.Words(), v.Record)
	}
	// of a game that was given up: the end alone
	if err := x.Undo(4); err != nil || moves(x) != "a1 b2 a2 b3" || now(x).Over() {
		t.Errorf("%v, %s", err, moves(x))
	}
	for range 2 { // the same end again is the game that is stored
		if err := x.Resign(Owner, 4); err != nil || len(s.finished) != 2 || now(x).Record.Game != 2 {
			t.Errorf("%v, %d games stored", err, len(s.finished))
		}
		must.Do(t, x.Undo(4))
	}
	again, err := r.Rematch(x)
	if err != nil || now(again).Tally.Won != [2]int{} || !now(again).Swapped {
		t.Errorf("%+v, %v", now(again).Record, err)
	}
	// O, who sat first at first, wins
	if err := again.Resign(Owner, 0); err != nil || now(again).Tally.Won != [2]int{1, 0} {
		t.Errorf("%+v, %v", now(again).Tally, err)
	}
}

// What cannot be stored is tried again until it is; meanwhile the page says so, the session is put aside, and the end of
// the game is not taken back. A process that ends earlier says where the session is.
func TestStoredInTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, s, _ := room(t)
		var told []string
		r.OnSaveError = func(err error) { told = append(told, fmt.Sprint(err)) }
		x := begin(t, r, Setup{Rules: "classic"})
		played(t, x, "b2 a1 a2 c3")
		s.fails(errors.New("disk full"))
		must.Do(t, x.Move(Owner, 4, "c2"))
		if v := now(x); v.Unsaved == "" || !strings.Contains(v.Unsaved, "not stored yet: disk full") || v.Record.Game != 0 {
			t.Errorf("%q, game %d", v.Unsaved, v.Record.Game)
		}
		if err := x.Undo(5); err == nil {
			t.Error("an end that is not stored is taken back")
		}
		if s.aside == nil {
			t.Error("a session that is not stored is not put aside")
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if len(s.aside) != 1 || len(s.aside[0].Plies) != 5 || len(r.Unsaved()) != 1 {
			t.Errorf("aside: %+v, unsaved: %+v", s.aside, r.Unsaved())
		}
		s.fails(nil)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if v := now(x); v.Unsaved != "" || v.Record.Game != 1 || len(s.finished) != 1 || s.aside != nil ||
			strings.Join(told, "; ") != "disk full; <nil>" {
			t.Errorf("%q, game %d of %d, aside %v, told %q", v.Unsaved, v.Record.Game, len(s.finished), s.aside, told)
		}
		s.fails(errors.New("disk full"))
		if err := x.Undo(5); err != nil {
			t.Error(err)
		}
		if err := r.Close(); err == nil || !strings.Contains(err.Error(), "1 game played by people") ||
			!strings.Contains(err.Error(), "in aside") || len(s.aside) != 1 {
			t.Errorf("%v, aside %v", err, s.aside)
		}
	})
}

// A game that begins with given moves is not taken back beyond them, and its clock begins with the first move that is
// chosen.
func TestGivenMoves(t *testing.T) {
	t.Parallel()
	r, _, w := room(t)
	x := begin(t, r, Setup{Rules: "classic", Moves: []string{"a1", "b1"}, Set: []string{"clock.seconds=10"}})
	w.pass(time.Minute)
	if v := now(x); v.Left != 10*time.Second || v.Over() {
		t.Errorf("%v left", v.Left)
	}
	if err := x.Undo(2); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	played(t, x, "c1")
	w.pass(4 * time.Second)
	if v := now(x); v.Left != 6*time.Second {
		t.Errorf("%v left", v.Left)
	}
	played(t, x, "a2")
	if v := now(x); v.Left != 6*time.Second || v.MS() != 4000 {
		t.Errorf("%v left, %g ms", v.Left, v.MS())
	}
	if err := x.Undo(4); err != nil || moves(x) != "a1 b1 c1" {
		t.Errorf("%v, %s", err, moves(x))
	}
	x.mu.Lock()
	decision := x.decision
	x.mu.Unlock()
	if x.flag(decision - 1); now(x).Over() {
		t.Error("the clock of an earlier decision ends the game")
	}
	if x.flag(decision); now(x).Words() != "Draw after 3 plies (clock)" || now(x).Tally.Drawn != 1 {
		t.Errorf("%s, %+v", now(x).Words(), now(x).Tally)
	}
	if _, err := r.New(Setup{Rules: "classic", Moves: []string{"a1", "a1"}}); err == nil {
		t.Error("given moves that are not legal")
	}
}

// A seat with a link is played by whoever has it and by nobody else.
func TestSeatWithALink(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic"})
	token := x.Invite(1)
	if by, ok := x.SeatOf(token); !ok || by != 1 {
		t.Errorf("%v, %t", by, ok)
	}
	for _, wrong := range []string{"", token[1:]} {
		if by, ok := x.SeatOf(wrong); ok || by != Owner {
			t.Errorf("%q has seat %v", wrong, by)
		}
	}
	if err := x.Move(1, 0, "a1"); !errors.Is(err, ErrTurn) {
		t.Errorf("%v", err)
	}
	played(t, x, "a1")
	if err := x.Move(Owner, 1, "b1"); !errors.Is(err, ErrTurn) {
		t.Errorf("%v", err)
	}
	if err := x.Resign(1, 1); err != nil || now(x).Words() != "O resigned: X won, after 1 ply" {
		t.Errorf("%v, %s", err, now(x).Words())
	}
	next, err := r.Rematch(x)
	if err != nil || now(next).Links != [2]string{token, ""} { // who has the link goes on with it, from the other seat
		t.Errorf("%v, %v", now(next).Links, err)
	}
	if !r.Rejoins(now(x)) {
		t.Error("the old session does not know of the rematch")
	}
	if other, err := r.Rematch(x); err != nil || other != next { // whoever asks second comes to the same game
		t.Errorf("%v, and two rematches of one game", err)
	}
	must.Do(t, next.Resign(1, 0))
	if third, err := r.Rematch(x); err != nil || third == next {
		t.Errorf("%v, or a rematch that is over already", err)
	}
	// the owner has the other seat, in whose turn ever
	for by, want := range map[Seat]string{Owner: "second", 1: "first"} {
		y := begin(t, r, Setup{Rules: "classic"})
		y.Invite(1)
		played(t, y, "a1")
		if err := y.Resign(by, 1); err != nil || now(y).Result != want {
			t.Errorf("seat %d: %v, %s", by, err, now(y).Result)
		}
	}
	if err := x.Sit(1, Player{Agent: "nobody"}); err == nil {
		t.Error("an agent that there is not")
	}
	if err := x.Sit(1, Player{}); err != nil || now(x).Tokens[1] != "" {
		t.Errorf("%v, %+v", err, now(x).Tokens)
	}
}

// Against an agent a person takes back and brings back whole turns; who resigns is the person, whoever is to move.
func TestAgainstAnAgent(t *testing.T) {
	t.Parallel()
	r, s, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic", Seats: [2]Player{{Agent: "greedy"}, {}}})
	waited(t, x, 1)
	first := now(x).Plies[0]
	if first.Agent != "greedy" || first.Legal != 9 || now(x).Home() != 1 || now(x).Problem != "" {
		t.Errorf("%+v", first)
	}
	if err := x.Undo(1); !errors.Is(err, ErrNone) {
		t.Errorf("taking back an agent's move: %v", err)
	}
	reply := "a1"
	if first.Move == "a1" {
		reply = "a2"
	}
	played(t, x, reply)
	waited(t, x, 3)
	before := moves(x)
	if err := x.Undo(3); err != nil || moves(x) != first.Move {
		t.Fatalf("%v, %s", err, moves(x))
	}
	if err := x.Redo(1); err != nil || moves(x) != before {
		t.Errorf("%v, %s, want %s", err, moves(x), before)
	}
	if err := x.Resign(Owner, 3); err != nil || now(x).Result != "first" {
		t.Errorf("%v, %s", err, now(x).Result)
	}
	if err := x.Move(Owner, 3, "c3"); !errors.Is(err, ErrOver) || len(s.finished) != 1 {
		t.Errorf("%v", err)
	}
	for name, p := range map[string]Player{
		"no agent": {Agent: "nobody"},
		"no knob":  {Agent: "greedy", Set: []string{"weights.x=1"}},
	} {
		if _, err := r.New(Setup{Rules: "classic", Seats: [2]Player{{}, p}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// A session of an earlier run comes back as it was.
	kept := s.kept[x.ID()]
	kept.ID, kept.Result, kept.Reason = "later", "", ""
	s.kept["later"] = kept
	if y, ok, err := r.Session("later"); err != nil || !ok || moves(y) != before {
		t.Errorf("%t, %v", ok, err)
	}
	if _, ok, err := r.Session("never"); ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
	if y, ok, _ := r.Session(x.ID()); !ok || y != x {
		t.Error("the session is another one")
	}
}

// A room lets go of sessions that have not been looked at for long, and loads them again.
func TestFullRoom(t *testing.T) {
	t.Parallel()
	r, s, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic"})
	for range mostSessions - 1 {
		begin(t, r, Setup{Rules: "classic"})
	}
	if len(r.sessions) != mostSessions || r.sessions[x.ID()] == nil {
		t.Fatalf("%d sessions", len(r.sessions))
	}
	begin(t, r, Setup{Rules: "classic"})
	if len(r.sessions) != mostSessions || r.sessions[x.ID()] != nil || len(s.kept) != mostSessions+1 {
		t.Fatalf("%d sessions", len(r.sessions))
	}
	if y, ok, err := r.Session(x.ID()); err != nil || !ok || y == x {
		t.Errorf("%t, %v", ok, err)
	}
}

// An agent that thinks for long moves at once when it is asked to.
func TestMoveNow(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	x := begin(t, r, Setup{Rules: "gomoku11", Seats: [2]Player{{
		Agent: "mcts-1k",
		Set:   []string{"budget.iterations=300000"},
	}, {}}})
	for range 2000 {
		if !now(x).Thinking.IsZero() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond) // it has begun
	x.MoveNow()
	waited(t, x, 1)

	// Asked before it has a place to think in, it moves when it has one.
	for range cap(r.Searches) {
		r.Searches <- struct{}{}
	}
	free := "a1"
	if now(x).Plies[0].Move == free {
		free = "a2"
	}
	must.Do(t, x.Move(Owner, 1, free))
	x.MoveNow()
	time.Sleep(5 * time.Millisecond)
	if v := now(x); v.Problem != "" || len(v.Plies) != 2 {
		t.Fatalf("%q, %d plies", v.Problem, len(v.Plies))
	}
	<-r.Searches
	waited(t, x, 3)
}

// A rematch exchanges the seats, agents and all, and goes on with the helps that were on.
func TestRematchExchangesSeats(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic", Seats: [2]Player{{}, {Agent: "random"}}})
	x.Assist(Assists{Bar: true})
	must.Do(t, x.Resign(Owner, 0))
	next := must.Get(r.Rematch(x))(t)
	if v := now(next); v.Seats[0].Agent != "random" || !v.Seats[1].Person() || v.Assists != (Assists{Bar: true}) ||
		v.Used != (Assists{Bar: true}) {
		t.Errorf("%+v", v.Record)
	}
}

// A finished game is stored with what each side spent, whoever moved at a ply, and with what an agent thought.
func TestPeopleStoreGames(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic", Set: []string{"win.line=2", "pieces.cap=4"}, Moves: []string{"a1"}})
	played(t, x, "c3 b1") // X has two in a row
	v, score := x.View(), 0.75
	v.Seats[1], v.Plies[2].Score = Player{Agent: "random"}, &score
	for i := range v.Plies {
		v.Plies[i].MS, v.Plies[i].Nodes = []float64{1, 20, 300}[i], []int64{4, 50, 600}[i]
	}
	people := &People{Folder: t.TempDir(), Library: r.Library, Watched: t.Context()}
	defer people.Close()
	must.Do(t, people.Own())
	saved, err := people.Save(v)
	id := saved.Game
	if err != nil {
		t.Fatal(err)
	}
	if again, err := people.Save(View{Record: saved}); err != nil || again.Game != id {
		t.Errorf("stored twice: %d, %v", again.Game, err)
	}
	for row, err := range people.db.Games(t.Context(), store.Filter{ID: id}) {
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s: %s-%s, %s by %s, %d given, %g and %g ms, %d and %d nodes, %s", row.RulesName,
			row.FirstName, row.SecondName,
			row.Result, row.Reason, row.OpeningPlies, row.FirstMS, row.SecondMS, row.FirstNodes, row.SecondNodes, row.Moves)
		want := "classic[pieces.cap=4,win.line=2]: human-random, first by line, 1 given, 301 and 20 ms, 604 and 50 " +
			"nodes, a1 c3 b1"
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	for agent, c := range map[string][2]string{ // agents whose files have changed, and are gone
		"random": {"{}", "random 44136f"},
		"gone":   {"", "gone"},
	} {
		v.Seats[1], v.Specs[1], v.Stored, v.Record.Game = Player{Agent: agent}, c[0], "", 0
		saved := must.Get(people.Save(v))(t)
		for row := range people.db.Games(t.Context(), store.Filter{ID: saved.Game}) {
			if row.SecondName != c[1] {
				t.Errorf("%s is stored as %s", agent, row.SecondName)
			}
		}
	}
	thoughts, err := people.db.Thoughts(t.Context(), id)
	if err != nil || len(thoughts) != 3 || thoughts[3].Score.Float64 != score || thoughts[2].Score.Valid {
		t.Errorf("thoughts %+v, %v", thoughts, err)
	}
	r.Store = people
	for _, state := range []string{"no JSON", "[]", "{}", `{"plies": 7}`} {
		err := people.db.SaveTable(t.Context(), store.Table{ID: "foreign", State: state})
		if _, _, read := r.Session("foreign"); err != nil || !errors.Is(read, ErrRow) {
			t.Errorf("a row with %s: %v, %v", state, err, read)
		}
	}
}
