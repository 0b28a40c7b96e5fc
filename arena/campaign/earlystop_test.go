package campaign

import (
	"testing"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

// Where one side always wins a tier against itself ends as soon as 52 games show that nine tenths of them end; the
// summary counts what there was to play, and the study played again has nothing left.
func TestEasyQuestionsEndEarly(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	c := must.Get(New(load(t, "classic", map[string]any{"win.line": "2"}), Request{Effort: "quick", Seed: 2, NoInquiry: true}))(t)
	c.Record.Playouts, c.Record.Budgets = 1000, []int64{30, 60}
	c.Record.Sizes = Sizes{Mirror: 200, Openings: 2, Ladder: 4, FirstMove: 2}
	sum := run(t, db, []*Campaign{c}, Options{Workers: 2})
	if !sum.Finished || sum.Games != sum.Played { // how many were under way when it was clear is a matter of time
		t.Fatalf("%+v", sum)
	}
	games := map[string]int{}
	rows, err := db.Names(t.Context(), "agents")
	if err != nil || len(rows) == 0 {
		t.Fatal(err)
	}
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		if row.Event == 2 && row.Marks&16 == 0 { // not surplus
			games[row.FirstName]++
		}
	}
	// Who bets all that games do not end nine times in ten has (10/9)^n of a sixth of a half, more than 1/0.05 from n =
	// 53 on (the other bets help a little), in rounds of two games.
	if games["minimax-2000"] != 52 || games["minimax-8000"] != 52 || games["random"] <= 52 {
		t.Errorf("%v, want 52 games of those who always win as first player, and more of who plays at random", games)
	}
	if again := run(t, db, []*Campaign{c}, Options{}); again.Played != 0 || !again.Finished {
		t.Errorf("%+v", again)
	}
}
