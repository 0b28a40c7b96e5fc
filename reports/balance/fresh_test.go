package balance

import (
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// The games that a search chose by and those on fresh seeds are never pooled: the first 30 are all won by the first
// player, of the 20 fresh ones half. Where nothing was measured again, the report says what its games are.
func TestSelectionIsNotPooled(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	for i := range 50 {
		x := played(t, g, int64(i+1), "top", "top", centreWin5)
		if x.Event = 1; i >= 30 {
			if x.Event = 2; i%2 == 0 {
				x = played(t, g, int64(i+1), "top", "top", cornerLost)
				x.Event = 2
			}
		}
		x.Hash = int64(i + 1)
		games = append(games, x)
	}
	both := []Event{event(1, campaign.PurposeRound, "top"), event(2, campaign.PurposeFresh, "top")}
	for _, c := range []struct {
		events []Event
		games  int64
		score  float64
		says   string
	}{
		{both, 20, 0.5, "Spar skips the 30 games that a search used to choose these rules"},
		{both[1:], 20, 0.5, ""},
		{both[:1], 30, 1, "a search used these games to choose the rules"},
	} {
		d := records(g, "classic", c.events, players(map[string]int64{"top": 100}), games)
		if len(c.events) == 1 {
			d.only(func(e Event) bool { return e.ID == c.events[0].ID })
		}
		said := d.chosenBy()
		r := measureGames(t, d, Options{})
		if score := r.Groups[0].Outcome.Score; score.N != c.games || score.Value != c.score || said != c.says &&
			(c.says == "" || !strings.HasPrefix(said, c.says)) {
			t.Errorf("%d games score %g, %q; want %d, %g, %q", score.N, score.Value, said, c.games, c.score, c.says)
		}
	}
}
