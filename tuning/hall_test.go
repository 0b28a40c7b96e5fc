package tuning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// A stored game in the place of one of this tuning must be that one: of its opening and of its seed.
func TestStoredGamesMustBeThose(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]study.Game{"another opening": {Opening: 4, Seed: 7}, "another seed": {Opening: 3, Seed: 8}} {
		h := &hall{t: &Tuning{}, seed: 7, stored: map[int64]study.Game{0: old}}
		if _, err := h.play(context.Background(), []encounter{{pairs: 1, opening: 3}}); err == nil || !strings.Contains(err.Error(), "is not the one that this tuning plays") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Where the context has ended a tuning says how far it has come in all its halls, those that were not opened left out; any other error
// stays what it is.
func TestHowFarItHasCome(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	errOther := errors.New("other")
	halls := []*hall{nil, {stored: map[int64]study.Game{0: {}, 1: {}}, played: 3}, {stored: map[int64]study.Game{0: {}}, played: 10}}
	if err := stopped(ctx, errOther, 50, halls...); !errors.Is(err, errOther) {
		t.Errorf("not stopped: %v", err)
	}
	stop()
	var e *arena.StoppedError
	if err := stopped(ctx, ctx.Err(), 50, halls...); !errors.As(err, &e) || e.Before != 3 || e.Played != 13 || e.Total != 50 {
		t.Errorf("%+v, %v", e, err)
	}
}

// Games are judged in order, as far as they are finished, and what is marked otherwise than it is stored is stored again. Of equal games between
// agents that leave nothing to chance the second is a repetition.
func TestGamesOfAHallAreJudgedInOrder(t *testing.T) {
	t.Parallel()
	certain, err := agents.LoadSpec("greedy", "ties=first")
	if err != nil || !certain.Deterministic() {
		t.Fatal("the agent leaves something to chance", err)
	}
	h := &hall{t: &Tuning{}, purpose: "validation", rules: 1, db: new(store.DB)}
	w := &work{h: h, games: make([]pending, 4)}
	at := make([]finished, 4)
	for i, hash := range []int64{7, 7, 8, 9} {
		w.games[i] = pending{at: &at[i], number: int64(i), seats: [2]agents.Spec{certain, certain}, ids: [2]int64{1, 2}, hash: hash, outcome: engines.FirstWins, was: evidence.Pending}
	}
	plain := new(evidence.Judge).Mark(evidence.Facts{Purpose: h.purpose, Rules: 1, First: 1, Second: 2, Hash: 9, Certain: true})
	w.games[2].was = plain // as it is stored
	w.games[3].outcome = engines.Ongoing
	w.advance()
	var numbers []int64
	for _, m := range w.marked {
		if numbers = append(numbers, m.Number); (m.Marks&evidence.Repeated != 0) != (m.Number == 1) {
			t.Errorf("game %d is marked %s", m.Number, m.Marks)
		}
	}
	if !slices.Equal(numbers, []int64{0, 1}) || w.judged != 3 || at[0].repeats || !at[1].repeats || at[2].repeats {
		t.Errorf("%v are marked, %d judged, %+v", numbers, w.judged, at)
	}
}

// Equal games of others, be it that one seat alone is another's, are no repetitions.
func TestEqualGamesOfOthers(t *testing.T) {
	t.Parallel()
	certain, err := agents.LoadSpec("greedy", "ties=first")
	if err != nil {
		t.Fatal(err)
	}
	seats := [][2]int64{{1, 2}, {3, 2}, {1, 3}, {2, 1}, {1, 2}}
	w := &work{h: &hall{t: &Tuning{}, purpose: "validation", rules: 1}}
	at := make([]finished, len(seats))
	for i, ids := range seats {
		w.games = append(w.games, pending{at: &at[i], number: int64(i), seats: [2]agents.Spec{certain, certain}, ids: ids, hash: 7, outcome: engines.Drawn})
	}
	w.advance()
	for i := range at {
		if at[i].repeats != (i == len(at)-1) {
			t.Errorf("game %d of %v repeats: %t", i, seats[i], at[i].repeats)
		}
	}
}

// A match counts pairs from its first agent's side, those alone that are no repetitions. Rated, its games count for the ratings, too: each
// pair of each match by itself, the second game with the seats swapped. Here are three pairs of 1, 1½ and ½ points and one that repeats the first.
func TestRatedMatches(t *testing.T) {
	t.Parallel()
	certain, err := agents.LoadSpec("greedy", "ties=first")
	if err != nil {
		t.Fatal(err)
	}
	a, b := certain, certain
	a.Name, b.Name = "cup: a", "cup: b"
	x := &examiner{out: &Examination{}, openingBase: 3}
	for i, rated := range []bool{true, false, true} {
		x.h = &hall{t: &Tuning{}, purpose: "validation", rules: 1, seed: 7, stored: map[int64]study.Game{}} // all is stored: nothing is played
		for n, result := range strings.Fields("first first draw second first first second draw") {
			g := study.Game{Opening: 3 + int64(n/2), Seed: 7, Result: result, First: int64(1 + n%2), Second: int64(2 - n%2), Hash: int64(n % 4)}
			if n > 5 {
				g.Hash = int64(n)
			} else if n > 3 {
				g.Marks = evidence.Repeated
			}
			x.h.stored[int64(n)] = g
		}
		m, err := x.match(t.Context(), a, b, 4, rated)
		if err != nil {
			t.Fatal(err)
		}
		if m.Score.N != 3 || m.Score.Value != 0.5 || x.out.Games != int64(8*(i+1)) {
			t.Errorf("match %d: %d pairs with a score of %g, %d games so far", i+1, m.Score.N, m.Score.Value, x.out.Games)
		}
	}
	table := x.builder.Table()
	if pairs, skipped := table.Pentanomial("a", "b"); pairs != [5]int64{0, 2, 2, 2, 0} || skipped != 0 || table.Games() != 12 {
		t.Errorf("rated: %d games, pairs %v, %d skipped", table.Games(), pairs, skipped)
	}
}

// A game that an agent's fault ended ends the tuning, with what went wrong; one that was not handed out, or is finished, is nobody's result.
func TestFaultsEndATuning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		game   pending
		faulty int8
		failed string
		left   int
	}{
		"a result":      {pending{handed: true}, 0, "", 0},
		"a fault":       {pending{handed: true}, 1, "game 0 (cup): it crashed", 1},
		"not handed":    {pending{}, 1, "", 1},
		"finished once": {pending{handed: true, outcome: engines.Drawn}, 1, "", 1},
	} {
		at := finished{}
		c.game.at = &at
		w := &work{h: &hall{t: &Tuning{Label: "cup"}, db: new(store.DB), games: func(int64) {}}, games: []pending{c.game}, left: 1}
		w.Done(&arena.Result{Outcome: engines.FirstWins, Faulty: c.faulty, Detail: "it crashed", Moves: "a1"})
		if got := fmt.Sprint(w.failed); got != cmp.Or(c.failed, "<nil>") || w.left != c.left || (at.moves == "a1") != (c.left == 0) {
			t.Errorf("%s: %s, %d left, %+v", name, got, w.left, at)
		}
	}
}

// An encounter counts from the side of its first agent, who moves second in every second game; a game that repeats an earlier one is no
// new information, nor is the pair it belongs to. Single games make no pairs.
func TestCountOfAnEncounter(t *testing.T) {
	t.Parallel()
	won, drawn, lost := finished{score: 1}, finished{score: 0.5}, finished{}
	again := func(g finished) finished {
		g.repeats = true
		return g
	}
	for _, c := range []struct {
		name   string
		games  []finished
		single bool
		counts [5]float64
		score  float64
	}{
		{"nothing", nil, false, [5]float64{}, 0},
		{"both games won", []finished{won, lost}, false, [5]float64{4: 1}, 1},
		{"the first player wins", []finished{won, won}, false, [5]float64{2: 1}, 0.5},
		{"won and drawn, then both lost", []finished{won, drawn, lost, won}, false, [5]float64{0: 1, 3: 1}, 0.375},
		{"the second game repeats", []finished{won, again(won), drawn, won}, false, [5]float64{1: 1}, 0.5},
		{"the first game repeats", []finished{again(lost), lost, drawn, won}, false, [5]float64{1: 1}, 0.5},
		{"both repeat", []finished{again(won), again(lost)}, false, [5]float64{}, 0},
		{"single games", []finished{won, won, lost, drawn}, true, [5]float64{}, 0.625},
		{"a single game repeats", []finished{won, again(won), lost, lost, won}, true, [5]float64{}, 0.5},
	} {
		o := outcome{games: c.games}
		if o.count(c.single); o.counts != c.counts || o.score != c.score {
			t.Errorf("%s: pairs %v with a score of %g, want %v and %g", c.name, o.counts, o.score, c.counts, c.score)
		}
	}
}

// No more games are handed out than are asked for, those that are stored are not, and none after a fault.
func TestNextGames(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	at := func(numbers ...int64) string { return fmt.Sprint(numbers) }
	w := &work{h: &hall{t: x, book: x.openings(1, false), seed: 3}, games: make([]pending, 6)}
	for i := range w.games {
		w.games[i].number = 10 + int64(i)
	}
	w.games[1].outcome = engines.SecondWins
	for _, c := range []struct {
		n      int
		begun  bool
		failed error
		want   string
	}{{0, false, nil, at()}, {2, false, nil, at(10, 12)}, {2, true, nil, at()}, {1, false, nil, at(13)}, {2, false, errors.New("a fault"), at()}, {9, false, nil, at(14, 15)}, {9, false, nil, at()}} {
		w.failed = c.failed
		numbers := []int64{}
		for _, task := range w.Next(c.n, c.begun) {
			numbers = append(numbers, task.Slot.Number)
		}
		if at(numbers...) != c.want {
			t.Errorf("%d asked for: %v, want %s", c.n, numbers, c.want)
		}
	}
	if w.games[1].handed || !w.games[0].handed || !w.games[5].handed {
		t.Errorf("%+v", w.games)
	}
	for _, n := range []int64{12, 15} { // what is given back is handed out again, once
		w.Requeue(arena.Slot{Number: n})
	}
	if w.games[2].handed || !w.games[3].handed || w.games[5].handed {
		t.Errorf("given back: %+v", w.games)
	}
	again := w.Next(9, false)
	if len(again) != 2 || again[0].Slot.Number+again[1].Slot.Number != 27 || !w.games[2].handed || !w.games[5].handed || len(w.Next(9, false)) != 0 {
		t.Errorf("%d games are handed out again", len(again))
	}
}

// Where the context has ended nothing is asked for any more, be it all there.
func TestNothingAfterTheEnd(t *testing.T) {
	t.Parallel()
	h := &hall{t: &Tuning{}, purpose: "validation", rules: 1, seed: 7, stored: map[int64]study.Game{0: {Opening: 3, Seed: 7, Result: "first"}}}
	asked := []encounter{{pairs: 1, opening: 3, single: true}}
	ctx, stop := context.WithCancel(t.Context())
	if out, err := h.play(ctx, asked); err != nil || len(out) != 1 || out[0].score != 1 {
		t.Fatal(out, err)
	}
	stop()
	h.next = 0
	if out, err := h.play(ctx, asked); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("%+v, %v", out, err)
	}
}

// What ends before its first game leaves no agents behind.
func TestNoAgentsWithoutAGame(t *testing.T) {
	t.Parallel()
	x, db := loadInside(t), openStudy(t)
	h, err := x.newHall(t.Context(), db, "a", purposeTraining, "a plan", true)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	w := &work{h: h, games: []pending{{seats: [2]agents.Spec{x.Start, x.Start}}}, left: 1}
	if err := h.finish(ctx, w); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if names, err := db.AgentNames(t.Context()); err != nil || len(names) != 0 {
		t.Errorf("%v, %v", names, err)
	}
}

// A hall tells with every game how many are there, those that were found and those of earlier encounters among them.
func TestProgressOfAHall(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	db, err := store.Open(t.Context(), x.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	a, b := x.Start, x.Start
	a.Name, b.Name = "a", "b"
	for _, c := range []struct {
		pairs  []int
		told   []int64
		played int64
	}{
		{[]int{2, 1}, []int64{1, 2, 3, 4, 5, 6}, 6},
		{[]int{2, 1}, nil, 0},
		{[]int{1, 3}, []int64{7, 8}, 2}, // what was played is found, and the rest follows
	} {
		h, err := x.newHall(t.Context(), db, x.Name, purposeTraining, "a plan", true)
		if err != nil {
			t.Fatal(err)
		}
		var told []int64
		h.games = func(done int64) { told = append(told, done) }
		opening := int64(0)
		for _, n := range c.pairs {
			if _, err := h.play(t.Context(), []encounter{{a: a, b: b, opening: opening, pairs: n}}); err != nil {
				t.Fatal(err)
			}
			opening += int64(n)
		}
		h.close()
		if !slices.Equal(told, c.told) || h.played != c.played {
			t.Errorf("%v pairs: told %v, %d played; want %v and %d", c.pairs, told, h.played, c.told, c.played)
		}
	}
	for row, err := range db.Games(t.Context(), store.Filter{}) { // the agents take turns on one opening after the other
		first := []string{"a", "b"}[row.Number%2]
		if err != nil || row.Pair != row.Number/2 || row.Opening != row.Number/2 || row.FirstName != first || row.SecondName == first {
			t.Errorf("game %d: pair %d, opening %d, %s against %s; %v", row.Number, row.Pair, row.Opening, row.FirstName, row.SecondName, err)
		}
	}
	if _, err := x.newHall(t.Context(), db, x.Name, purposeTraining, "another plan", false); !errors.Is(err, ErrMissing) || !errors.Is(err, errOtherPlan) {
		t.Errorf("another plan: %v", err)
	}
	if _, err := x.newHall(t.Context(), db, "elsewhere", purposeTraining, "a plan", false); !errors.Is(err, ErrMissing) || errors.Is(err, errOtherPlan) {
		t.Errorf("another name: %v", err)
	}
	for _, purpose := range []string{purposeCheck, purposeLandscape} {
		if h, err := x.newHall(t.Context(), db, x.Name, purpose, "a plan", false); err != nil || h.seed < 0 { // an event is found by its name and plan
			t.Errorf("%s: %+v, %v", purpose, h, err)
		}
	}
	if events, err := db.Events(t.Context()); err != nil || len(events) != 1 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// A game that a crash has left unjudged in the study is judged when the encounter is asked for again, and the study is told, were it only
// one; where nothing may be played the study stays as it is.
func TestUnjudgedGamesAreJudged(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	db, err := store.Open(t.Context(), x.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	a, b := x.Start, x.Start
	a.Name, b.Name = "a", "b"
	pending := func(play bool) int {
		h, err := x.newHall(t.Context(), db, x.Name, purposeTraining, "a plan", play)
		if err != nil {
			t.Fatal(err)
		}
		defer h.close()
		if _, err := h.play(t.Context(), []encounter{{a: a, b: b, pairs: 1}}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for row, err := range db.Games(t.Context(), store.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Marks&evidence.Pending != 0 {
				n++
			}
		}
		if !play && h.db != nil {
			t.Error("a hall that plays nothing may write")
		}
		return n
	}
	if n := pending(true); n != 0 {
		t.Fatalf("%d of the games played are not judged", n)
	}
	if err := db.Commit(t.Context(), nil, []study.Marked{{Number: 1, Marks: evidence.Pending}}, 1); err != nil {
		t.Fatal(err)
	}
	if n := pending(false); n != 1 {
		t.Errorf("%d games to be judged, want the one", n)
	}
	if n := pending(true); n != 0 {
		t.Errorf("%d games are still not judged", n)
	}
}
