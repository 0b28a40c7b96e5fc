package campaign

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/arena/live"
	"spar/arena/study"
	"spar/engines"
)

// Sizes are rounded to the nearest, and no part falls below its least; a study without knobs gets none, and one with few keeps them.
func TestSizesScale(t *testing.T) {
	t.Parallel()
	at := func(n, knob int) Sizes { return Sizes{n, n, n, n, n, knob} }
	for _, c := range []struct {
		s    Sizes
		by   float64
		want Sizes
	}{
		{at(100, 100), 1, at(100, 100)},
		{at(100, 0), 2.5, at(250, 0)},
		{at(101, 101), 0.5, at(51, 51)}, // 50.5
		{at(100, 100), 0.124, at(12, 12)},
		{at(100, 100), 0.126, at(13, 13)},
		{at(100, 100), 0, Sizes{10, 4, 4, 8, 4, 10}},
		{at(100, 6), 0, Sizes{10, 4, 4, 8, 4, 6}},
		{at(100, 0), 0, Sizes{10, 4, 4, 8, 4, 0}},
	} {
		if got := c.s.scale(c.by); got != c.want {
			t.Errorf("%+v times %g is %+v, want %+v", c.s, c.by, got, c.want)
		}
	}
}

// Four fifths of the time are for playing: 60 s of games fill 75 s. No study grows more than a hundredfold.
func TestScaleToMinutes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		seconds, minutes float64
		want             int
	}{
		{60, 1.25, 120},
		{60, 2.5, 240},
		{120, 1.25, 60},
		{60, 1.25 * 100, 12000},
		{60, 1.25 * 101, 12000},
		{0, 1, 12000},
	} {
		c1, c2 := plan(t, "classic"), plan(t, "rolling")
		Scale([]*Campaign{c1, c2}, c.seconds, c.minutes)
		if c1.Record.Sizes.Mirror != c.want || c2.Record.Sizes != c1.Record.Sizes {
			t.Errorf("%g s in %g minutes: %d and %d games, want %d", c.seconds, c.minutes, c1.Record.Sizes.Mirror, c2.Record.Sizes.Mirror, c.want)
		}
	}
}

// One decision costs its simulations and one; a game costs the mean of its players: ten pairs of 8 simulations against random play
// are 20 games of (9 + 1)/2.
func TestWork(t *testing.T) {
	t.Parallel()
	random, greedy, deep := agents.DefaultSpec(), agents.DefaultSpec(), agents.DefaultSpec()
	random.Type, greedy.Type, deep.Type = "random", "heuristic", "minimax"
	for _, c := range []struct {
		s    agents.Spec
		want float64
	}{{random, 1}, {greedy, 1}, {deep, 30}, {treeSearch(8), 9}, {treeSearch(100), 101}} {
		if got := agentWork(c.s); got != c.want {
			t.Errorf("%s: %g, want %g", c.s.Type, got, c.want)
		}
	}
	for games, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3} {
		if got := pairsOf(games); got != want {
			t.Errorf("%d games are %d pairs, want %d", games, got, want)
		}
	}
	p := Part(load(t, "classic", nil), "x", PurposeLadder, "ladder", 10, arena.Openings{Plies: 1}, Tiers([]int64{8}))
	if got := PartWork(p); got != 20*5 || PartGames(p) != 20 {
		t.Errorf("%d games of work %g, want 20 of 100 in all", PartGames(p), got)
	}
	c := tiny(t, "classic")
	want := c.stepsAhead().Work / 9
	for _, p := range c.Parts() {
		want += PartWork(p)
	}
	if got := c.Work(); got != want || want <= 0 {
		t.Errorf("work %g, that of the parts is %g", got, want)
	}
}

// Who plays a study's parts: with budgets 4, 8, 16 the first moves are played by the second strongest, 8, and the restrictions are of
// the middle one; with two budgets by 4 and by 8; a single one does all. Every part has a seed of its own, one step apart.
func TestWhoPlaysWhat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		budgets             []int64
		first, middle, step string
	}{
		{[]int64{4}, "mcts-4v", "mcts-4v", "mcts-4v"},
		{[]int64{4, 8}, "mcts-4v", "mcts-8v", "mcts-8v"},
		{[]int64{4, 8, 16}, "mcts-8v", "mcts-8v", "mcts-16v"},
		{[]int64{4, 8, 16, 32}, "mcts-16v", "mcts-16v", "mcts-32v"},
	} {
		k := tiny(t, "classic")
		k.Record.Budgets, k.Record.Request.Seed = c.budgets, 5
		parts := append(k.Parts(), k.stepParts(Steps(k.Rules, []Problem{Unfair}))...)
		if len(parts) < 6 {
			t.Fatalf("%d parts", len(parts))
		}
		if got := []string{parts[3].Players[0].Name, parts[4].Players[0].Name, parts[5].Players[0].Name}; !slices.Equal(got, []string{c.first, c.middle, c.step}) {
			t.Errorf("%v: first moves, restrictions and steps by %v", c.budgets, got)
		}
		if !slices.Equal(parts[4].Seeds, []string{c.middle}) || len(parts[3].Seeds) != 0 {
			t.Errorf("%v: seeds of the gauntlet %v", c.budgets, parts[4].Seeds)
		}
		for i, p := range k.Parts() {
			if p.Seed != 5+int64(i)*1_000_003 {
				t.Errorf("part %d has the seed %d", i, p.Seed)
			}
		}
		for i, plies := range []int{0, 2, 2, 0, 2, 0} {
			if parts[i].Openings.Plies != plies {
				t.Errorf("part %d: openings of %d plies, want %d", i, parts[i].Openings.Plies, plies)
			}
		}
	}
}

// The games of the first moves are shared out: 12 games are 6 pairs, 2 for each of the 3 moves of classic; too few are one each, and
// more than 200 pairs of a move there are never.
func TestGamesOfFirstMoves(t *testing.T) {
	t.Parallel()
	for games, pairs := range map[int]int{12: 6, 17: 9, 16: 6, 1: 3, 0: 3, 1200: 600, 1206: 600, 9000: 600} {
		k := tiny(t, "classic")
		k.Record.Sizes.FirstMove = games
		if p := k.Parts()[3]; p.Pairs != pairs || p.Purpose != PurposeFirstMove {
			t.Errorf("%d games: %d pairs of %s, want %d", games, p.Pairs, p.Purpose, pairs)
		}
	}
	// On a torus all first moves are one, which is tried.
	if p := tiny(t, "ctor").Parts()[3]; p.Purpose != PurposeFirstMove || len(p.Openings.Lines) != 1 || p.Pairs != 6 {
		t.Errorf("%s: %d first moves, %d pairs", p.Purpose, len(p.Openings.Lines), p.Pairs)
	}
	// A move that ends the game at once leaves nothing to play: no game has a first move to try where a game is one ply long.
	r := load(t, "classic", map[string]any{"draw.max_plies": 1})
	if got := FirstMoves(r.Game); len(got) != 0 {
		t.Errorf("first moves %v of games of one ply", got)
	}
	k, err := New(r, Request{Effort: "quick", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if parts := k.Parts(); parts[3].Purpose != PurposeRestricted {
		t.Errorf("the fourth part is %s", parts[3].Purpose)
	}
}

// Never capturing is tried where pieces capture or surround.
func TestRestrictionsOfCaptures(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"classic": false, "infiltration": true, "ctor": true, "checkerboard": false} {
		k := tiny(t, name)
		for _, p := range k.Parts() {
			if p.Purpose != PurposeRestricted {
				continue
			}
			if got := slices.ContainsFunc(p.Players, func(s agents.Spec) bool { return s.Mixture.NeverCaptures }); got != want {
				t.Errorf("%s: never captures %t", name, got)
			}
		}
	}
}

// The progress of two parts on 9 cells: the first has 100 of work and 10 games, 4 of them stored; the second 300 and 10 games. What
// is stored counts by its share of games, what is played by its players.
func TestMeter(t *testing.T) {
	t.Parallel()
	players := Tiers([]int64{9}) // work 1 and 10
	p := Part(load(t, "classic", nil), "one", PurposeLadder, "ladder", 5, arena.Openings{}, players)
	var told []Status
	m := &meter{tell: func(s Status) { told = append(told, s) }, total: 20, work: 400 * 9, began: time.Now().Add(-10 * time.Second)}
	m.part(p, 100)
	m.hear(live.Event{Kind: live.Begin, Done: 4, Total: 10})
	m.hear(live.Event{Kind: live.GameEnd, Game: &live.Game{First: "random", Second: "mcts-9v"}})  // 5.5
	m.hear(live.Event{Kind: live.Fault, Game: &live.Game{First: "mcts-9v", Second: "mcts-9v"}})   // 10
	m.hear(live.Event{Kind: live.Stage})                                                          // nothing
	m.part(p, 300)                                                                                // the first counts as over
	m.hear(live.Event{Kind: live.Begin})                                                          // of no games
	m.hear(live.Event{Kind: live.GameEnd, Game: &live.Game{First: "mcts-9v", Second: "mcts-9v"}}) // 10
	want := []Status{{Done: 5, Share: 45.5 / 400}, {Done: 6, Share: 55.5 / 400}, {Done: 7, Share: 110.0 / 400}}
	played := []float64{5.5, 15.5, 25.5}
	if len(told) != len(want) {
		t.Fatalf("%+v", told)
	}
	for i, s := range told {
		left := 10 * (400 - 400*want[i].Share) / played[i] // in 10 s so much was played
		if s.Done != want[i].Done || s.Total != 20 || math.Abs(s.Share-want[i].Share) > 1e-9 || math.Abs(s.Left.Seconds()/left-1) > 0.05 {
			t.Errorf("%+v, want %+v and %.1f s left", s, want[i], left)
		}
		if s.Rules != "classic" || s.Part != "classic/one" {
			t.Errorf("%+v", s)
		}
	}
	// Of a machine that is barred in the second part 3 games count no more: 2 of 10 are left there, after the 6 of the first.
	m.hear(live.Event{Kind: live.Barred, Done: 2, Total: 10})
	m.hear(live.Event{Kind: live.GameEnd, Game: &live.Game{First: "mcts-9v", Second: "mcts-9v"}})
	if s := told[3]; s.Done != 6+2+1 || math.Abs(s.Share-(100+300*0.2+10)/400) > 1e-9 {
		t.Errorf("%+v", s)
	}
	// Within the first second nothing is said about the time, and the share is never above 1.
	m = &meter{tell: func(s Status) { told = append(told, s) }, total: 1, work: 1, began: time.Now()}
	m.part(p, 1)
	m.hear(live.Event{Kind: live.GameEnd, Game: &live.Game{First: "mcts-9v", Second: "mcts-9v"}})
	if s := told[4]; s.Left != 0 || s.Share != 1 {
		t.Errorf("%+v", s)
	}
}

// A limit counts over the parts: what is left of it goes to the next, and none of it left means not finished.
func TestLimitOverParts(t *testing.T) {
	t.Parallel()
	r := load(t, "classic", nil)
	parts := func() []*arena.Tournament {
		return []*arena.Tournament{
			Part(r, "a", PurposeMirror, "mirror", 2, arena.Openings{}, Tiers(nil)), Part(r, "b", PurposeMirror, "mirror", 3, arena.Openings{}, Tiers(nil)),
		}
	}
	for limit, want := range map[int64]Summary{
		0: {Games: 10, Played: 10, Finished: true}, 10: {Games: 10, Played: 10, Finished: true}, 11: {Games: 10, Played: 10, Finished: true},
		9: {Games: 10, Played: 9}, 4: {Games: 10, Played: 4}, 3: {Games: 10, Played: 3}, 5: {Games: 10, Played: 5},
	} {
		db := open(t)
		got, err := RunParts(t.Context(), t.Context(), db, parts(), Options{Workers: 1, Limit: limit})
		if got.Wall <= 0 {
			t.Errorf("limit %d: no time has passed", limit)
		}
		if got.Wall = 0; err != nil || got != want {
			t.Errorf("limit %d: %+v, %v; want %+v", limit, got, err, want)
		}
		rest, err := RunParts(t.Context(), t.Context(), db, parts(), Options{Workers: 1})
		if rest.Wall = 0; err != nil || rest != (Summary{Games: 10, Before: want.Played, Played: 10 - want.Played, Finished: true}) {
			t.Errorf("after %d games: %+v, %v", limit, rest, err)
		}
	}
}

// faulty is a pool in which the first player of each event's first game forfeits it.
type faulty struct{ arena.Pool }

func (p faulty) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	through := make(chan []arena.Result)
	var group sync.WaitGroup
	group.Go(func() {
		for rs := range through {
			for i := range rs {
				if r := &rs[i]; r.Number == 0 {
					r.Outcome, r.Reason, r.Faulty = engines.SecondWins, "forfeit_illegal", 1
				}
			}
			results <- rs
		}
	})
	defer group.Wait()
	defer close(through)
	return p.Pool.Play(ctx, tasks, through)
}

// Faults are counted over the parts.
func TestFaultsOverParts(t *testing.T) {
	t.Parallel()
	r := load(t, "classic", nil)
	var parts []*arena.Tournament
	for _, name := range []string{"a", "b", "c"} {
		parts = append(parts, Part(r, name, PurposeMirror, "mirror", 2, arena.Openings{}, Tiers(nil)))
	}
	assets := arena.NewAssets()
	defer assets.Close()
	local := arena.NewLocal(assets, 1)
	defer local.Close()
	got, err := RunParts(t.Context(), t.Context(), open(t), parts, Options{Workers: 1, Assets: assets, Pool: faulty{local}})
	if got.Wall = 0; err != nil || got != (Summary{Games: 12, Played: 12, Faults: 3, Finished: true}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Studies with minutes begin together or go on together; one that is there decides its own sizes, and without minutes the others keep
// theirs.
func TestPrepare(t *testing.T) {
	t.Parallel()
	db := open(t)
	stored := tiny(t, "classic")
	run(t, db, []*Campaign{stored}, Options{Limit: 1})
	one, two := plan(t, "classic"), plan(t, "rolling")
	if err := prepare(t.Context(), db, []*Campaign{one, two}, Options{Workers: 1}); err != nil || one.Record.Sizes != stored.Record.Sizes || two.Record.Sizes != plan(t, "rolling").Record.Sizes {
		t.Errorf("%v: sizes %+v and %+v", err, one.Record.Sizes, two.Record.Sizes)
	}
	timed := func(name string) *Campaign {
		c := plan(t, name)
		c.Record.Request.Minutes = 3
		return c
	}
	both := open(t)
	first := tiny(t, "classic")
	first.Record.Request.Minutes = 3
	if err := first.begin(t.Context(), both); err != nil {
		t.Fatal(err)
	}
	if err := prepare(t.Context(), both, []*Campaign{timed("classic")}, Options{Workers: 1}); err != nil {
		t.Error(err)
	}
	if err := prepare(t.Context(), both, []*Campaign{timed("classic"), timed("rolling")}, Options{Workers: 1}); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "begin together") {
		t.Errorf("some of the rules are there: %v", err)
	}
	if err := prepare(t.Context(), db, []*Campaign{timed("classic")}, Options{Workers: 1}); !errors.Is(err, ErrOther) {
		t.Errorf("another request: %v", err)
	}
}

// What studies would play, by hand: the parts of classic and vanishing take their share of 10 and 20 seconds.
func TestLookAhead(t *testing.T) {
	t.Parallel()
	cs := []*Campaign{tiny(t, "classic"), tiny(t, "vanishing")}
	o := LookAhead(cs, []float64{10, 20})
	var games int64
	about := map[string]float64{}
	for _, p := range o.Parts {
		about[p.Rules] += p.About
		games += p.Games
		if len(p.Agents) == 0 || p.Pairs <= 0 {
			t.Errorf("%+v", p)
		}
	}
	if o.About != 30 || math.Abs(about["classic"]-10) > 1e-9 || math.Abs(about["vanishing"]-20) > 1e-9 || games != o.Games || games != mostGames(cs[0])+mostGames(cs[1])+cs[0].stepsAhead().Games+cs[1].stepsAhead().Games {
		t.Errorf("%g s, %v; %d games of %d", o.About, about, games, o.Games)
	}
	if m := o.Parts[0]; m.Name != "classic/mirror" || m.Games != 3*10 || m.Pairs != 5 || !slices.Equal(m.Agents, []string{"random", "mcts-4v", "mcts-8v"}) ||
		math.Abs(m.About-10*PartWork(cs[0].Parts()[0])/cs[0].Work()) > 1e-9 {
		t.Errorf("%+v", m)
	}
}

// The record of a study gives its games and its command; one that names no rules, as an imported one, gives none of them.
func TestRecords(t *testing.T) {
	t.Parallel()
	c := tiny(t, "vanishing")
	// All but the tiers against themselves and their neighbours, which may end early: 30 and 8 games of three tiers.
	if got, most := c.Record.Planned(); got != mostGames(c)-38 || most != mostGames(c) || got == 0 {
		t.Errorf("%d to %d games planned, want %d to %d", got, most, mostGames(c)-38, mostGames(c))
	}
	c.Record.Sequential = false
	if got, most := c.Record.Planned(); got != mostGames(c) || most != got {
		t.Errorf("%d to %d games planned of a study where nothing ends early, want %d", got, most, mostGames(c))
	}
	var none Record
	if fixed, most := none.Planned(); fixed != 0 || most != 0 || none.Args() != nil {
		t.Errorf("%d to %d games, %v", fixed, most, none.Args())
	}
	for r, want := range map[Request]string{
		{Effort: "quick", Seed: 3}:                              "--effort quick --seed 3",
		{Effort: "quick", Minutes: 1.5}:                         "--effort quick --minutes 1.5 --seed 0",
		{Effort: "normal", Eval: "greedy", Minutes: 0, Seed: 1}: "--effort normal --eval greedy --seed 1",
	} {
		if got := r.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// An event that bears the name of a plan but is none, or the plan of other rules, is no record.
func TestStoredIsThePlan(t *testing.T) {
	t.Parallel()
	db := open(t)
	for _, e := range []study.Event{
		{Name: "classic/plan", Purpose: PurposeMirror, Plan: "{}"}, {Name: "rolling/plan", Purpose: PurposePlan, Plan: `{"version":1,"budgets":[4]}`},
	} {
		if _, err := db.BeginEvent(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := Stored(t.Context(), db, "classic"); ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
	if r, ok, err := Stored(t.Context(), db, "rolling"); !ok || err != nil || len(r.Budgets) != 1 {
		t.Errorf("%+v, %t, %v", r, ok, err)
	}
}

// The speed of random games is measured when a study begins, and is that of the study from then on.
func TestPlayoutsAreMeasuredOnce(t *testing.T) {
	t.Parallel()
	db := open(t)
	c := tiny(t, "classic")
	c.Record.Playouts = 0
	run(t, db, []*Campaign{c}, Options{Limit: 1})
	if c.Record.Playouts < 1000 || c.Record.Playouts != math.Round(c.Record.Playouts) {
		t.Errorf("%g random games a second", c.Record.Playouts)
	}
	again := tiny(t, "classic")
	again.Record.Playouts = 0
	run(t, db, []*Campaign{again}, Options{Limit: 1})
	if again.Record.Playouts != c.Record.Playouts {
		t.Errorf("%g, then %g", c.Record.Playouts, again.Record.Playouts)
	}
	known := tiny(t, "rolling")
	known.Record.Playouts = 7
	run(t, db, []*Campaign{known}, Options{Limit: 1})
	if r, _, err := Stored(t.Context(), db, "rolling"); err != nil || r.Playouts != 7 {
		t.Errorf("%g, %v", r.Playouts, err)
	}
}

// An event belongs to the study of other rules by its purpose, or by its name where it was imported.
func TestEventsOfKnobs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e    study.Event
		want bool
	}{
		{study.Event{Name: "x", Purpose: PurposeKnob}, true},
		{study.Event{Name: KnobEvent("classic", "a", "classic[turn.pie=true]"), Purpose: "imported"}, true},
		{study.Event{Name: "classic/mirror", Purpose: "imported"}, false},
		{study.Event{Name: KnobEvent("classic", "a", "y"), Purpose: PurposeMirror}, false},
		{study.Event{Name: "classic/mirror", Purpose: PurposeMirror}, false},
	} {
		if got := OfKnob(c.e); got != c.want {
			t.Errorf("%+v: %t", c.e, got)
		}
	}
	if label, ok := KnobVariant(KnobEvent("classic", "a", "y"), "classic"); label != "y" || !ok {
		t.Errorf("%q, %t", label, ok)
	}
}

// Where the strongest tier cannot play a game in the time of an estimate, the next is measured in its place.
func TestEstimateByATierThatIsQuickEnough(t *testing.T) {
	t.Parallel()
	c := tiny(t, "ctor")
	c.Record.Budgets = []int64{1, 50_000_000}
	seconds, err := Estimate(t.Context(), []*Campaign{c}, 1, 50*time.Millisecond)
	if err != nil || !(seconds[0] > 1000) {
		t.Errorf("%v, %v; want hours of work", seconds, err)
	}
	c.Record.Budgets = c.Record.Budgets[1:]
	if seconds, err := Estimate(t.Context(), []*Campaign{c}, 1, time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %v; no tier is quick enough", seconds, err)
	}
}

// Of as many openings as may be looked at all are; of one more every other is, from the first on, and so on.
func TestThin(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 1, mostOpenings: mostOpenings, mostOpenings + 1: (mostOpenings + 2) / 2, 2 * mostOpenings: mostOpenings, 2*mostOpenings + 1: (2*mostOpenings + 3) / 3} {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = string(rune('a' + i%26))
		}
		got := thin(lines)
		if len(got) != want || n > 0 && got[0] != "a" || want < n && n <= 2*mostOpenings && got[1] != "c" {
			t.Errorf("%d of %d lines, want %d", len(got), n, want)
		}
	}
}

// The best first move is the one with the highest score, of equals the first.
func TestBestFirstMove(t *testing.T) {
	t.Parallel()
	probe := func(moves string, first, second int64) Probe {
		return Probe{Moves: moves, By: map[string]Tally{"x": {First: first, Second: second}, "y": {Draws: 2}}}
	}
	for want, moves := range map[string][]Probe{
		"b": {probe("a", 1, 3), probe("b", 3, 1), probe("c", 2, 2)},
		"a": {probe("a", 3, 1), probe("b", 3, 1)},
		"":  nil,
	} {
		if got := (Stage{FirstMoves: moves}).best(); got.Moves != want {
			t.Errorf("%q, want %q", got.Moves, want)
		}
	}
}
