package remote_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/remote"
	"spar/arena/store/storetest"
)

// Who looks sees the boards of other machines: positions of games that they were given, with the names that the
// coordinator knows; and who does not look any more is not told.
func TestBoardsOfMachines(t *testing.T) {
	t.Parallel()
	assets := arena.NewAssets()
	feed := live.NewFeed(time.Now)
	c := coordinator(t, remote.Options{Assets: assets, Workers: -1, Feed: feed})
	defer c.Close()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { // games so long that one is going on whenever the worker is asked
		_, err := arena.Run(ctx, ctx, plan(t, "{name: slow, games: [connect4], agents: [{agent: uct-10k, name: thinker}, "+
			"{agent: uct-10k, name: other}], format: match, pairs: 100, openings: {plies: 2}, seed: 1}"), storetest.New(t),
			arena.Options{Assets: assets, Pool: c, Feed: feed})
		ended <- err
	}()
	leave := workers(t, c.Address(), 1, remote.WorkerOptions{Slots: 1, Name: "elsewhere"})
	var seen live.Board
	for until := time.Now().Add(30 * time.Second); seen.Position == nil &&
		time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		for _, b := range feed.Boards().Look() {
			seen = b
		}
	}
	if seen.Position == nil {
		t.Fatal("no board is shown")
	}
	if names := seen.First + " " + seen.Second; names != "thinker other" && names != "other thinker" ||
		seen.Position.Game().Name() != "connect4" || seen.Position.Ply() < 2 ||
		!strings.HasPrefix(seen.Machine, "elsewhere-") {
		t.Errorf("shown: %s after %d plies of %s, by %q", names, seen.Position.Ply(), seen.Position.Game().Name(),
			seen.Machine)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	leave()
}
