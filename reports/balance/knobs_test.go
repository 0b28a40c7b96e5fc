package balance

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/arena/study"
	"spar/engines/enginetest"
)

// 100 games of a tier against itself, half of them won by the first player, and 100 under each of three other rules:
// with 80, 53 and 50 wins. The shares have standard errors of 0.05 and 0.04: only the first change, of 0.30 with an
// error of 0.064, is beyond chance. The games with 53 wins are of 5 and 6 plies, so their median is 5; the base's, half
// and half, is 5.5.
func TestKnobs(t *testing.T) {
	t.Parallel()
	const first, second = "a1 a2 b1 b2 c1", "a1 a2 b1 b2 c3 c2"
	games := func(overrides []string, purpose string, wins int) Data {
		g := enginetest.Load(t, "classic", overrides...)
		var out []Game
		for i := range 100 {
			moves := second
			if i < wins {
				moves = first
			}
			x := played(t, g, int64(i+1), "mcts-50", "mcts-50", moves)
			x.Hash = int64(i + 1) // the games differ in moves that do not matter here
			out = append(out, x)
		}
		label := "classic"
		if len(overrides) > 0 {
			label += "[" + overrides[0] + "]"
		}
		return records(g, label, []Event{event(1, purpose, "mcts-50")}, players(map[string]int64{"mcts-50": 50}), out)
	}
	base := games(nil, campaign.PurposeMirror, 50)
	base.Variants = []Variant{
		{"no_moves", "draw", "loss", games([]string{"no_moves=draw"}, campaign.PurposeMirror, 53)},
		{"turn.pie", "true", "false", games([]string{"turn.pie=true"}, campaign.PurposeMirror, 80)},
		{"no_moves", "pass", "loss", games([]string{"no_moves=pass"}, campaign.PurposeMirror, 50)},
	}
	r := measureGames(t, base, Options{})
	k := r.Knobs
	if k == nil || len(k.Variants) != 3 {
		t.Fatalf("%+v", k)
	}
	if k.Agent != "mcts-50" || k.Text != "Spar tried 3 changes of one knob by one step with mcts-50; one changes the "+
		"first player's score significantly." {
		t.Errorf("%q", k.Text)
	}
	same, more, much := k.Variants[0], k.Variants[1], k.Variants[2]
	near(t, "base", k.Base.Score.Value, 0.5)
	near(t, "no change", same.Change.Score.Value, 0)
	near(t, "little change", more.Change.Score.Value, 0.03)
	near(t, "much change", much.Change.Score.Value, 0.3)
	near(t, "length of the base", k.Base.Length.Value, 5.5)
	near(t, "length", more.Response.Length.Value, 5)
	if much.Path != "turn.pie" || !much.Certain || much.P > 1e-3 || more.Certain || same.P != 1 {
		t.Errorf("p %g %g %g", same.P, more.P, much.P)
	}
	// By Holm the smallest of three p-values is tripled: 3 times that of 0.30 / 0.064 is about 8e-6, the interval by
	// score giving a little more.
	if math.Abs(much.Change.Score.Value-0.3) > 1e-9 || much.Change.Score.Lo < 0.15 || much.Change.Score.Hi > 0.45 {
		t.Errorf("%+v", much.Change.Score)
	}
	base.Variants[2].Data = games([]string{"no_moves=pass"}, campaign.PurposeMirror, 20)
	if k := measureGames(t, base, Options{}).Knobs; k == nil ||
		!strings.HasSuffix(k.Text, "; 2 change the first player's score significantly.") || k.Variants[0].P > 1e-3 {
		t.Errorf("20, 53 and 80 wins of 100, where 50 are the base: %+v", k)
	}
	// Games of an agent that did not play the rules as they are show nothing of a change.
	g := enginetest.Load(t, "classic", "no_moves=pass")
	base.Variants[2].Data = records(g, "classic[no_moves=pass]", []Event{event(1, campaign.PurposeMirror, "mcts-60")},
		players(map[string]int64{"mcts-60": 60}),
		[]Game{played(t, g, 1, "mcts-60", "mcts-60", first), played(t, g, 2, "mcts-60", "mcts-60", second)})
	if k := measureGames(t, base, Options{}).Knobs; k == nil || len(k.Variants) != 2 || k.Agent != "mcts-50" {
		t.Errorf("another agent's games: %+v", k)
	}
	if r := measureGames(t, games(nil, campaign.PurposeMirror, 50), Options{}); r.Knobs != nil {
		t.Error("knobs without variants")
	}
}

// The report of a study takes the games under neighbouring rules for what they are: they stand beside those of the same
// tier under the rules studied, they count for no other measure, and their rules have no report of their own.
func TestKnobsOfAStudy(t *testing.T) {
	t.Parallel()
	db, _, games := play(t, nil, []int64{4, 8}, campaign.Sizes{
		Mirror: 10, Openings: 4, Ladder: 4, FirstMove: 12, Knob: 4,
	})
	names, err := db.Names(t.Context(), "rules")
	if err != nil || len(names) != 5 {
		t.Fatalf("rules %v, %v", names, err)
	}
	if names, err = Studied(t.Context(), db, names); err != nil || !slices.Equal(names, []string{"classic"}) {
		t.Errorf("reports on %v, %v; want classic alone", names, err)
	}
	only := []string{"classic[win.line=2]"}
	if names, err = Studied(t.Context(), db, only); err != nil || !slices.Equal(names, only) {
		t.Errorf("reports on %v, %v; want what there is: %v", names, err, only)
	}
	// A variant whose games were not begun yet is left out.
	if _, err := db.BeginEvent(t.Context(), study.Event{Name: campaign.KnobEvent("classic", "mcts-8v",
		"classic[win.line=4]"), Purpose: campaign.PurposeKnob, Plan: "{}"}); err != nil {
		t.Fatal(err)
	}
	r, err := Study(t.Context(), db, "classic", StudyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Study.Games != games-4*4 {
		t.Errorf("%d games of classic, want %d less 4 for each of 4 variants", r.Study.Games, games)
	}
	counted := int64(0)
	for _, e := range r.Study.Events {
		if counted += e.Games; e.Games == 0 {
			t.Errorf("%s has no games, and is said to be of the study", e.Name)
		}
	}
	if counted != r.Study.Games {
		t.Errorf("the events have %d games", counted)
	}
	if r.Knobs == nil || len(r.Knobs.Variants) != 4 || r.Knobs.Agent != "mcts-8v" {
		t.Fatalf("knobs %+v", r.Knobs)
	}
	for _, v := range r.Knobs.Variants {
		// With a line of two the first player's second stone wins, wherever it stands beside the first.
		if v.Response.Score.N != 4 || v.Path == "win.line" && v.Exact != "first wins in 3" {
			t.Errorf("%+v", v)
		}
	}
	other, err := Study(t.Context(), db, "classic[win.line=2]", StudyOptions{})
	if !errors.Is(err, ErrNoGames) {
		t.Errorf("a report on games that belong to another study: %v, %v", other, err)
	}
}
