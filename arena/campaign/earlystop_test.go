package campaign

import (
	"slices"
	"testing"

	"spar/arena/store"
)

// Where one side always wins a tier against itself ends as soon as 52 games show that nine tenths of them end; the
// summary counts what there was to play, and the study played again has nothing left.
func TestEasyQuestionsEndEarly(t *testing.T) {
	t.Parallel()
	db := open(t)
	c, err := New(load(t, "classic", map[string]any{"win.line": "2"}), Request{Effort: "quick", Seed: 2, NoInquiry: true})
	if err != nil {
		t.Fatal(err)
	}
	c.Record.Playouts, c.Record.Budgets = 1000, []int64{30, 60}
	c.Record.Sizes = Sizes{Mirror: 200, Openings: 2, Ladder: 4, FirstMove: 2, Restricted: 2}
	sum := run(t, db, []*Campaign{c}, Options{Workers: 2})
	if !sum.Finished || sum.Games != sum.Played { // how many were under way when it was clear is a matter of time
		t.Fatalf("%+v", sum)
	}
	games := map[string]int{}
	rows, err := db.Names(t.Context(), "agents")
	if err != nil || len(rows) == 0 {
		t.Fatal(err)
	}
	for row, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if row.Event == 2 && row.Marks&16 == 0 { // not surplus
			games[row.FirstName]++
		}
	}
	// Who bets all that games do not end nine times in ten has (10/9)^n of a sixth of a half, more than 1/0.05 from n =
	// 53 on (the other bets help a little), in rounds of two games.
	if games["mcts-30v"] != 52 || games["mcts-60v"] != 52 || games["random"] <= 52 {
		t.Errorf("%v, want 52 games of those who always win as first player, and more of who plays at random", games)
	}
	if again := run(t, db, []*Campaign{c}, Options{}); again.Played != 0 || !again.Finished {
		t.Errorf("%+v", again)
	}
}

// What an inquiry may play, by hand: vanishing has three first moves up to symmetry and at most five replies to one,
// with two free openings ten openings of six games a stage. The second stage begins, since the first has fewer
// positions than allowed; the third would not if the searches used up what they may. No inquiry plays more, and who
// plays is told of the games.
func TestInquiryAhead(t *testing.T) {
	t.Parallel()
	c := tiny(t, "vanishing")
	c.Record.Sizes = Sizes{Mirror: 2, Openings: 2, Ladder: 2, FirstMove: 2, Restricted: 2}
	c.Record.Inquiry = Inquiry{Nodes: 10, Stages: 3, Free: 2, Forced: 1, Work: 4 * 60 * 30 * 10}
	q := c.inquiryAhead()
	if q.games != 3*60 || q.work != 60*(1+10/5)+60*(1+40/5) || q.nodes != 160 {
		t.Fatalf("%+v, want three stages of 60 games, and the work of two", q)
	}
	o := LookAhead([]*Campaign{c}, []float64{10})
	last := o.Parts[len(o.Parts)-1]
	if last.Name != "vanishing/inquiry" || last.Games != 180 || !slices.Equal(last.Agents, []string{"alpha-beta-10", "playouts-2", "alpha-beta-160", "playouts-32"}) ||
		o.Games != mostGames(c)+180 || last.About <= 0 || last.About >= 10 {
		t.Errorf("%+v of %d games", last, o.Games)
	}
	c.Record.Inquiry.Stages = 2
	db := open(t)
	told := int64(0)
	sum := run(t, db, []*Campaign{c}, Options{Progress: func(s Status) {
		told = s.Total
		if s.Share < 0 || s.Share > 1 {
			t.Errorf("%+v", s)
		}
	}})
	inquiry := sum.Games - mostGames(c)
	if least := int64(2 * 6 * (2 + 3 + 2)); inquiry < least || inquiry > 120 || told != sum.Games {
		t.Errorf("%d games of the inquiry, want %d to 120; the last progress says %d of all %d", inquiry, least, told, sum.Games)
	}
	c.Record.Inquiry = Inquiry{}
	if q := c.inquiryAhead(); q != (ahead{}) {
		t.Errorf("without one: %+v", q)
	}
}
