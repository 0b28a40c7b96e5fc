package table

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/review"
)

// running tells whether the game's own clock runs.
func running(x *Table) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.clock != nil
}

// A game's own clock runs from the first move that is chosen on, has nothing left when its time is over, and then ends the game.
func TestClockOfAGame(t *testing.T) {
	t.Parallel()
	r, _, w := room(t)
	x := begin(t, r, Setup{Rules: "classic", Moves: []string{"a1", "b1"}, Set: []string{"clock.seconds=10"}})
	if running(x) {
		t.Error("the clock runs before anybody has chosen a move")
	}
	played(t, x, "c1")
	if !running(x) {
		t.Error("the clock does not run after a move")
	}
	w.pass(9 * time.Second)
	played(t, x, "a2")
	if v := now(x); v.Over() || v.Left != time.Second {
		t.Errorf("%v left", v.Left)
	}
	w.pass(2 * time.Second)
	if v := now(x); v.Left != 0 {
		t.Errorf("%v left of a time that is over", v.Left)
	}
	played(t, x, "b2") // the move that took too long
	for range 2000 {
		if now(x).Over() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if v := now(x); v.Words() != "Draw after 5 plies (clock)" || running(x) {
		t.Errorf("%s", v.Words())
	}
	if free := begin(t, r, Setup{Rules: "classic", Moves: []string{"a1"}}); running(free) {
		t.Error("a game without a clock of its own has one")
	}
}

// A game that has ended is stored once, whoever loads it again; the best score against the original's levels is kept.
func TestEndedGameIsLoadedAgain(t *testing.T) {
	t.Parallel()
	r, s, _ := room(t)
	x := begin(t, r, Setup{Rules: "rolling", Seats: [2]Player{{}, {Agent: "rolling/moderate"}}})
	x.mu.Lock()
	x.end("first", "line") // without a ply and a second: 1000 times 1.2
	x.mu.Unlock()
	if v := now(x); v.Tally.Best != 1200 || v.Tally.Won != [2]int{1, 0} {
		t.Errorf("%+v", v.Tally)
	}
	other := begin(t, r, Setup{Rules: "rolling", Seats: [2]Player{{}, {Agent: "random"}}})
	other.mu.Lock()
	other.end("first", "line")
	other.mu.Unlock()
	if v := now(other); v.Tally.Best != 0 {
		t.Errorf("a score of %d against an agent that the original has not", v.Tally.Best)
	}
	delete(r.tables, x.ID())
	y, ok, err := r.Table(x.ID())
	if err != nil || !ok || y == x || now(y).Tally.Won != [2]int{1, 0} || len(s.finished) != 2 {
		t.Errorf("%d games are stored, %v", len(s.finished), err)
	}
}

// A level of a program that plays another game and an agent that nobody knows are refused before a game begins.
func TestUnfitAgents(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	for agent, want := range map[string]string{"checkerboard/hard": "checkerboard", "gredy": `no agent called "gredy"`} {
		if _, err := r.New(Setup{Rules: "classic", Seats: [2]Player{{}, {Agent: agent}}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", agent, err)
		}
	}
	for _, agent := range []string{"rolling/moderate", "random"} {
		if _, err := r.New(Setup{Rules: "rolling", Seats: [2]Player{{}, {Agent: agent}}}); err != nil {
			t.Errorf("%s: %v", agent, err)
		}
	}
	if _, err := r.Library.Spec(Player{Agent: "minimax-2", Set: []string{"no.knob=0"}}); err == nil || !strings.Contains(err.Error(), "no.knob is no knob that a page may set") {
		t.Errorf("a knob that there is not: %v", err)
	}
	own := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(own, []byte("type: random\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := NewLibrary(nil, []string{own, filepath.Join(t.TempDir(), "none.yaml")})
	if err == nil || !strings.Contains(err.Error(), "none.yaml") || strings.Contains(err.Error(), "mine") || len(l.agents) != 1 {
		t.Errorf("%v, %v", l.agents, err)
	}
}

// stubborn is an agent that chooses the same move always.
type stubborn struct {
	agents.Agent
	move engines.Move
}

func (stubborn) NewGame(agents.Seed) {}

func (s stubborn) Choose(context.Context, *engines.Position, agents.Budget, *rand.Rand) (agents.Decision, error) {
	return agents.Decision{Move: s.move}, nil
}

// A move that is none is refused; an agent that does not come to think says so, and the page hears of it; who expects nothing has no score.
func TestAgentsThatDoNotPlay(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	p := enginetest.Load(t, "classic").NewPosition()
	taken := p.AppendMoves(nil)[0]
	p.Play(taken)
	spec, err := agents.LoadSpec("random")
	if err != nil {
		t.Fatal(err)
	}
	key := p.Game().RulesHash() + "\n" + p.Game().Name() + "\n" + spec.Canonical()
	for m, want := range map[engines.Move]string{taken: "it chose no legal move", p.AppendMoves(nil)[0]: "<nil>"} {
		r.giveBack(key, stubborn{move: m}, nil)
		if d, err := r.choose(t.Context(), t.Context(), spec, p, 1); fmt.Sprint(err) != want || d.Move != m {
			t.Errorf("%v, %v, want %s", d.Move, err, want)
		}
		r.agents = nil
	}
	for agent, scores := range map[string]bool{"random": false, "minimax-2": true} {
		x := begin(t, r, Setup{Rules: "classic", Seats: [2]Player{{Agent: agent}, {}}})
		waited(t, x, 1)
		if ply := now(x).Plies[0]; (ply.Score != nil) != scores {
			t.Errorf("%s expects %v", agent, ply.Score)
		}
	}
	r.MoveTime = time.Millisecond
	r.Searches <- struct{}{}
	x := begin(t, r, Setup{Rules: "classic", Seats: [2]Player{{Agent: "random"}, {}}})
	before := now(x).Version
	for range 2000 {
		if now(x).Problem != "" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if v := now(x); v.Problem != "random does not play: too much is being searched at the moment" || !v.Thinking.IsZero() || v.Version <= before-1 || len(v.Plies) != 0 {
		t.Errorf("%+v", v)
	}
	<-r.Searches
}

// Hints go on at any ply, and begin anew where another move has been made.
func TestHintsGoOn(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic"})
	played(t, x, "a1 b1")
	for _, want := range []int{1, 2, 3} {
		if err := x.Hint(2); err != nil || now(x).HintLevel != want {
			t.Errorf("level %d, want %d, %v", now(x).HintLevel, want, err)
		}
	}
	played(t, x, "c1")
	if err := x.Hint(3); err != nil || now(x).HintLevel != 1 {
		t.Errorf("level %d at the next ply, %v", now(x).HintLevel, err)
	}
}

// A rematch is another game; a table that is there already is not put there twice.
func TestAnotherGame(t *testing.T) {
	t.Parallel()
	r, _, _ := room(t)
	x := begin(t, r, Setup{Rules: "classic"})
	next, err := r.Rematch(x)
	if err != nil || now(next).Seed == now(x).Seed {
		t.Errorf("the same random numbers again, %v", err)
	}
	if again, err := r.add(x.game, x.rec); again != x || err != nil {
		t.Errorf("the same table twice, %v", err)
	}
	if found, ok, err := r.Table(x.ID()); found != x || !ok || err != nil || !slices.Equal(r.order, []string{next.ID(), x.ID()}) {
		t.Errorf("who was looked at last is %v, %v", r.order, err)
	}
}

// A full room lets go of the table that was looked at longest ago, unless an agent thinks there or its clock runs.
func TestTablesThatStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		oldest, two *Table
		gone        bool
	}{
		{"nobody there", &Table{}, &Table{}, true},
		{"a clock that runs", &Table{clock: time.NewTimer(time.Hour)}, &Table{}, false},
		{"an agent that thinks", &Table{thinking: &thought{}}, &Table{}, false},
		{"a clock at the next table", &Table{}, &Table{clock: time.NewTimer(time.Hour)}, true},
	} {
		r := &Room{tables: map[string]*Table{"0": c.oldest, "1": c.two}}
		for i := range mostTables {
			r.order = append(r.order, fmt.Sprint(i))
			if i > 1 {
				r.tables[r.order[i]] = &Table{}
			}
		}
		r.used("new")
		want := mostTables + 1
		if c.gone {
			want--
		}
		if gone := r.tables["0"] == nil; gone != c.gone || r.tables["1"] == nil || len(r.order) != want {
			t.Errorf("%s: the oldest is gone: %t, %d are left", c.name, gone, len(r.order))
		}
		r.used("newer")
		if gone := r.tables["1"] == nil; gone != (c.gone && c.two.clock == nil) {
			t.Errorf("%s: the second is gone: %t", c.name, gone)
		}
	}
}

// The judge of positions is kept for as many games as it may hold, and made anew for one more and for a board that another judge looks at.
func TestJudgeIsKept(t *testing.T) {
	t.Parallel()
	a := &Assessor{Searches: make(chan struct{}, 1), Limit: time.Minute, base: t.Context(), games: map[string]bool{}}
	defer func() { _ = a.judge.Close() }()
	rate := func(set ...string) *review.Judge {
		t.Helper()
		moves := strings.Fields("a1 b1 a2 b2")
		if r := a.rate(job{game: enginetest.Load(t, "classic", set...), moves: moves}); r.Err != nil {
			t.Fatal(r.Err)
		}
		return a.judge
	}
	first := rate()
	for i, set := range []string{"draw.max_plies=8", "draw.max_plies=7", "draw.max_plies=8"} {
		if rate(set) != first || len(a.games) != min(i+2, mostJudged) {
			t.Errorf("another judge for %s, with %d games", set, len(a.games))
		}
	}
	second := rate("draw.max_plies=6")
	if second == first || len(a.games) != 1 {
		t.Errorf("the same judge for %d games and one more", mostJudged)
	}
	a.Limit = 1
	if a.rate(job{game: enginetest.Load(t, "gomoku11")}); a.judge == second || a.judging != "minimax-2" || len(a.games) != 1 {
		t.Errorf("a board of 121 cells is looked at by %s", a.judging)
	}
	unused := &Assessor{Searches: make(chan struct{}, 1)}
	unused.Open(t.Context())
	unused.Close()
}

// Positions are kept up to a number, the last of them.
func TestRatingsUpToTheLast(t *testing.T) {
	t.Parallel()
	a := &Assessor{Searches: make(chan struct{}, 1), Limit: time.Minute}
	a.Open(t.Context())
	defer a.Close()
	a.mu.Lock()
	for i := range mostRatings - 1 {
		k := fmt.Sprint(i)
		a.order, a.found[k] = append(a.order, k), &Rating{}
	}
	a.mu.Unlock()
	done := make(chan struct{})
	a.Rating(enginetest.Load(t, "classic"), strings.Fields("a1 b1 a2 b2"), func() { close(done) })
	<-done
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.found) != mostRatings || len(a.order) != mostRatings || a.found["0"] == nil {
		t.Errorf("%d positions are kept", len(a.found))
	}
}

// A look asks for what is missing alone, the first position among it; it begins with what the best move there is worth.
func TestLookAtTheStart(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	game := strings.Fields("a1 b1 a2")
	a := &Assessor{found: map[string]*Rating{}, cond: make(chan struct{}, 1)}
	for ply := range game {
		a.found[key(g, game[:ply])] = &Rating{Err: errors.New("too late")}
	}
	asked := func() (out []int) {
		look, err := a.Look(g, game, func() {})
		if err != nil || len(look.Plies) != 3 {
			t.Fatalf("%+v, %v", look, err)
		}
		for _, j := range a.queue {
			out = append(out, len(j.moves))
		}
		return out
	}
	if got := asked(); got != nil {
		t.Errorf("asked for %v, and nothing is missing", got)
	}
	delete(a.found, key(g, nil))
	if got := asked(); !slices.Equal(got, []int{0}) {
		t.Errorf("asked for %v, and the start alone is missing", got)
	}
	var at engines.PlyError
	if _, err := a.Look(g, []string{"a1", "a1"}, nil); !errors.As(err, &at) || at.Ply != 2 {
		t.Errorf("%v", err)
	}
	spec, err := agents.LoadSpec("random")
	if err != nil {
		t.Fatal(err)
	}
	j := review.NewJudge(spec, "")
	defer j.Close()
	scale, err := j.Scale(t.Context(), enginetest.Load(t, "classic", "draw.max_plies=7"))
	if err != nil {
		t.Fatal(err)
	}
	p := g.NewPosition()
	moves := p.AppendMoves(nil)
	a.found[key(g, nil)] = &Rating{Scale: scale, All: []review.Rated{{Move: moves[0], Score: 0.25}, {Move: moves[1], Score: 0.75}}}
	if look, err := a.Look(g, game, nil); err != nil || look.Values[0] != 0.75 || look.Values[1] != 0.25 || look.Done != 1 || look.Failed != 2 {
		t.Errorf("%+v, %v", look, err)
	}
}

// Rules of studies stay compiled while there is room for them.
func TestStoredRulesStay(t *testing.T) {
	t.Parallel()
	l := &Library{}
	var all []*engines.Game
	for round := range 2 {
		for i := range 3 {
			r := engines.DefaultRules()
			r.Board.Columns, r.Board.Rows, r.Win.Line, r.Draw.MaxPlies = 3, 3, 3, 5+i
			g, err := l.Stored(string(r.Canonical()))
			if err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				all = append(all, g)
			} else if g != all[i] {
				t.Errorf("rules %d of 3 are compiled again", i)
			}
		}
	}
}
