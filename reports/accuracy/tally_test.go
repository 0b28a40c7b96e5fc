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

// What is shown of results: a line for each agent, and its worst mistake.
func TestText(t *testing.T) {
	t.Parallel()
	rows := []Result{
		{
			Agent: "good", Rules: "classic", Decisions: 8, Share: ratings.WithInterval(0.75, 0.5, 0.9, 8), Optimal: 6,
			MeanLoss: ratings.WithInterval(0.125, 0.0625, 0.25, 8), OptimalShare: ratings.WithInterval(0.75, 0.5, 0.875, 8),
			Mistakes: []Mistake{{Position: "here", Move: "a1", Best: "b2"}, {Position: "there"}},
		},
		{Agent: "idle", Rules: "classic"},
	}
	const head, worst = "rules agent kept the value 95 % decisions mean loss 95 % optimal 95 %\nclassic good 75.0 " +
		"% 50.0 to 90.0 8 0.125 0.062 to 0.250 75.0 % 50.0 to 87.5\nclassic idle – 0 – –\n",
		"worst decision of good in classic: a1 instead of b2 in\nhere\n"
	var b strings.Builder
	Text(&b, rows)
	got := ""
	for line := range strings.Lines(b.String()) {
		if words := strings.Fields(line); len(words) > 0 {
			got += strings.Join(words, " ") + "\n"
		}
	}
	if got != head+worst {
		t.Errorf("%s\nwant\n%s", got, head+worst)
	}
}
