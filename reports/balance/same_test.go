package balance

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// Equal games are replayed once: as if each had been replayed. Games that hardly
// ever repeat are not looked for any more.
func TestEqualGamesAreReplayedOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"classic", "ataxx", "checkerboard"} {
		g := enginetest.Load(t, name)
		games := randomGames(g, 1, 1, 12, 3)
		once, each := newReplayer(g), newReplayer(g)
		each.met = nil
		for round := range 3 {
			for i := range games {
				x := &games[i]
				half := map[string]uint8{"first": 2, "draw": 1}[x.Result]
				a := record{plies: int32(x.Plies), half: half, opening: int32(i % 3)}
				if i == 11 {
					a.plies += int32(round % 2) // a row that says another length is bad, whatever was met before
				}
				b := a
				once.run(x.Moves, &a)
				each.run(x.Moves, &b)
				if !reflect.DeepEqual(a, b) || a.bad != (i == 11 && round == 1) {
					t.Errorf("%s, game %d, round %d: %+v, replayed %+v", name, i, round, a, b)
				}
			}
		}
		if once.repeats != 23 { // twice 12, but for the bad one
			t.Errorf("%s: %d games were met again, want 23", name, once.repeats)
		}
	}
	g := enginetest.Load(t, "classic")
	r, all := newReplayer(g), randomGames(g, 1, 1, 1, 3)
	for i := range mostMet { // the openings tell them apart
		r.run(all[0].Moves, &record{plies: int32(all[0].Plies), opening: int32(i)})
	}
	if r.met != nil {
		t.Errorf("%d different games are kept, though none was equal to another", len(r.met))
	}
}

// Agents that leave things to chance and still play the same few games again and again give the measures of these games
// played once, alone and against each other.
func TestSameGamesCountOnce(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	study := func(times int) *Report {
		var games []Game
		distinct := append(randomGames(g, 1, 1, 2, 3), randomGames(g, 2, 3, 2, 4)...)
		for range times {
			for i, x := range distinct {
				x.ID = int64(len(games) + 1)
				x.Number = int64(len(games))
				x.Pair = int64(len(games) / 4)
				x.First, x.Second = "a", "a"
				if x.Event == 2 { // a ladder, seats swapped
					x.First, x.Second = []string{"a", "b"}[i%2], []string{"b", "a"}[i%2]
				}
				games = append(games, x)
			}
		}
		events := []Event{event(1, campaign.PurposeMirror, "a"), event(2, campaign.PurposeLadder, "a", "b")}
		return measureGames(t, records(g, "classic", events, players(map[string]int64{"a": 10, "b": 20}), games), Options{})
	}
	once, often := study(1), study(30)
	if x := often.Groups[0]; !x.Same() || x.Games != 60 || x.Distinct != 2 {
		t.Errorf("%d games, %d distinct", x.Games, x.Distinct)
	}
	counts := cmp.Options{
		cmpopts.IgnoreFields(Group{}, "Games", "Distinct"), cmpopts.IgnoreFields(Found{}, "DistinctOf"),
		cmpopts.IgnoreFields(Variety{}, "Distinct"),
	}
	if d := cmp.Diff(once.Groups, often.Groups, counts); d != "" {
		t.Errorf("a tier against itself: %s", d)
	}
	if d := cmp.Diff(once.Ladder, often.Ladder); d != "" {
		t.Errorf("tiers against each other: %s", d)
	}
	if d := cmp.Diff(once.Completed, often.Completed); d != "" {
		t.Errorf("completion: %s", d)
	}
}
