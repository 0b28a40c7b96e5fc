package accuracy

import (
	"strings"
	"testing"

	"spar/ratings"
)

// Without a decision nothing was given away.
func TestNoDecisions(t *testing.T) {
	t.Parallel()
	if r := new(tally).result(Table(nil)); r.Decisions != 0 || r.MeanLoss.Known() || r.Kept != 0 {
		t.Errorf("%+v", r)
	}
}

// A game in which nothing was decided is no part of a share, and a game counts once, however often it is closed.
func TestGamesWithoutDecisions(t *testing.T) {
	t.Parallel()
	parts := map[int]*partTally{}
	for _, kept := range []int64{1, 0, 1} {
		count(parts, 7, kept)
	}
	x := parts[7]
	x.endGame()
	once := x.share.Mean(0.95, "decisions")
	if x.endGame(); x.share.Mean(0.95, "decisions") != once || x.kept != 0 || x.of != 0 {
		t.Errorf("closed twice: %+v, once %+v", x.share, once)
	}
}

// What is shown of results: a line for each agent, its decisions by ply or by distance where that is asked for, and its
// worst mistake.
func TestText(t *testing.T) {
	t.Parallel()
	rows := []Result{
		{
			Agent: "good", Rules: "classic", Decisions: 8, Share: ratings.WithInterval(0.75, 0.5, 0.9, 8), Optimal: 6,
			MeanLoss: ratings.WithInterval(0.125, 0.0625, 0.25, 8), OptimalShare: ratings.WithInterval(0.75, 0.5, 0.875, 8),
			Mistakes: []Mistake{{Position: "here", Move: "a1", Best: "b2"}, {Position: "there"}},
			ByPly:    []Part{{Ply: 2, Decisions: 5, Share: ratings.WithInterval(0.6, 0.25, 0.875, 5)}},
			ByDTW: []Part{
				{Value: "draw", Decisions: 3, Share: ratings.WithInterval(1, 0.5, 1, 3)},
				{Value: "win", DTW: 1, Decisions: 4, Share: ratings.WithInterval(0.5, 0.25, 0.75, 4)},
			},
		},
		{Agent: "idle", Rules: "classic"},
	}
	const head, worst = "rules agent kept the value 95 % decisions mean loss 95 % optimal 95 %\nclassic good 75.00 " +
		"% 50.00 to 90.00 8 0.1250 0.0625 to 0.2500 75.00 % 50.00 to 87.50\nclassic idle – 0 – –\n",
		"worst decision of good in classic: a1 instead of b2 in\nhere\n"
	for by, parts := range map[string]string{
		"":    "",
		"ply": "good in classic:\nply kept the value 95 % decisions\n2 60.00 % 25.00 to 87.50 5\n",
		"dtw": "good in classic:\nposition kept the value 95 % decisions\ndraw 100.00 % 50.00 to 100.00 3\nwin in 1 50.00 % " +
			"25.00 to 75.00 4\n",
	} {
		var b strings.Builder
		Text(&b, rows, by)
		got := ""
		for line := range strings.Lines(b.String()) {
			if words := strings.Fields(line); len(words) > 0 {
				got += strings.Join(words, " ") + "\n"
			}
		}
		if want := head + parts + worst; got != want {
			t.Errorf("by %q:\n%s\nwant\n%s", by, got, want)
		}
	}
}
