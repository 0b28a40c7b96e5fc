package live_test

import (
	"testing"

	"spar/arena/live"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// A board is shown while somebody looks, as a copy, and not before; a player without boards shows nothing.
func TestBoards(t *testing.T) {
	t.Parallel()
	feed := live.NewFeed(nil)
	p := enginetest.Load(t, "classic").NewPosition()
	s := live.Shower{Boards: feed.Boards(), Player: 1}
	s.Show(p, "a", "b", 7)
	if got := feed.Boards().Look(); len(got) != 0 {
		t.Errorf("nobody looked, and %v was shown", got)
	}
	must.Do(t, p.PlayText([]string{"b2"}))
	s.Show(p, "a", "b", 7)
	must.Do(t, p.PlayText([]string{"a1"}))
	s.Show(p, "a", "b", 7) // too soon after the last time
	got := feed.Boards().Look()
	if b := got[1]; len(got) != 1 || b.First != "a" || b.Second != "b" || b.Number != 7 || b.Position.Ply() != 1 {
		t.Errorf("shown %+v", got)
	}
	feed.Boards().Refresh()
	s.Show(p, "a", "b", 7) // asked for, however soon
	if b := feed.Boards().Look()[1]; b.Position.Ply() != 2 {
		t.Errorf("shown after a question: ply %d", b.Position.Ply())
	}
	must.Do(t, p.PlayText([]string{"c3"}))
	s.Show(p, "a", "b", 7) // one answer to a question
	if b := feed.Boards().Look()[1]; b.Position.Ply() != 2 {
		t.Errorf("shown twice after a question: ply %d", b.Position.Ply())
	}
	var none *live.Feed
	(&live.Shower{Boards: none.Boards()}).Show(p, "a", "b", 1)
}
