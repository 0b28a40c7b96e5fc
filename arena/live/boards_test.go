package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"spar/arena/live"
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
	if err := p.PlayText([]string{"b2"}); err != nil {
		t.Fatal(err)
	}
	s.Show(p, "a", "b", 7)
	if err := p.PlayText([]string{"a1"}); err != nil {
		t.Fatal(err)
	}
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
	if err := p.PlayText([]string{"c3"}); err != nil {
		t.Fatal(err)
	}
	s.Show(p, "a", "b", 7) // one answer to a question
	if b := feed.Boards().Look()[1]; b.Position.Ply() != 2 {
		t.Errorf("shown twice after a question: ply %d", b.Position.Ply())
	}
	var none *live.Feed
	(&live.Shower{Boards: none.Boards()}).Show(p, "a", "b", 1)
}

// Boards of other machines are forgotten when nothing is heard of them; those of this process stay until the next one.
func TestBoardsOfMachinesAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		feed := live.NewFeed(nil)
		if feed.Boards().Wanted() {
			t.Error("nobody looks, and boards are wanted")
		}
		feed.Boards().Look()
		p := enginetest.Load(t, "classic").NewPosition()
		(&live.Shower{Boards: feed.Boards()}).Show(p, "a", "b", 1)
		feed.Boards().Put(9, live.Board{Position: p, Number: 2, Machine: "m"})
		if got := feed.Boards().Look(); len(got) != 2 || got[9].Machine != "m" || !feed.Boards().Wanted() {
			t.Errorf("shown %+v", got)
		}
		time.Sleep(4 * time.Second)
		if got := feed.Boards().Look(); len(got) != 1 || got[0].Number != 1 {
			t.Errorf("after a while %+v", got)
		}
	})
}
