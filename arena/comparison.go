package arena

import (
	"context"

	"spar/agents"
	"spar/arena/openings"
	"spar/engines"
	"spar/ratings"
)

// Comparison is a match of two agents under some rules that ends when one is significantly better.
type Comparison struct {
	Agents  [2]agents.Spec // with different names
	Budget  agents.Budget  // of every decision of both; it replaces their own
	Pairs   int            // maximum number of pairs, also limited by the number of openings
	Seed    int64
	Workers int // number of games at the same time; 0 = one for each core
}

// interimAnalyses are the numbers of pairs after which a comparison is judged, as fractions of the maximum number.
var interimAnalyses = [...]int{8, 4, 2, 1}

// Better plays the comparison and returns the index of the agent that is significantly better, or -1 if neither is. The
// joint confidence of the few interim analyses is 95 % (Bonferroni). If the budget is a count, the games depend only on
// the seed.
func (c Comparison) Better(ctx context.Context, g *engines.Game) (int, error) {
	runner := NewRunner(nil, nil, c.Workers)
	defer runner.Close()
	runner.Assets.AddRules(g)
	var entrants [2]Entrant
	for i, s := range c.Agents {
		s.Budget = c.Budget
		entrants[i] = runner.Assets.Entrant(s, g, c.Budget)
	}
	book, pairs := c.openings(g)
	var counts [5]float64
	from := 0
	for _, share := range interimAnalyses {
		to := max(1, pairs/share)
		var tasks []Task
		for pair := from; pair < to; pair++ {
			for seat := range 2 { // the two games of a pair follow each other
				tasks = append(tasks, NewTask(g, Slot{Number: int64(len(tasks))},
					[2]Entrant{entrants[seat], entrants[1-seat]}, book.Opening(int64(pair)), c.Seed, uint64(2*pair+seat)))
			}
		}
		results := make([]*Result, len(tasks))
		if err := runner.Play(ctx, tasks, func(r *Result) { results[r.Number] = r }); err != nil {
			return -1, err
		}
		for n := 0; n < len(results); n += 2 {
			counts[int(2*(results[n].Outcome.Score(0)+results[n+1].Outcome.Score(1)))]++
		}
		from = max(from, to)
		m, err := ratings.AnalyzeMatch(counts[:], 1-0.05/float64(len(interimAnalyses)))
		switch {
		case err != nil || pairs == 0:
			return -1, err
		case m.Score.Lo > 0.5:
			return 0, nil
		case m.Score.Hi < 0.5:
			return 1, nil
		}
	}
	return -1, nil
}

// openings chooses balanced openings if there are enough, otherwise random ones of the same length. There are at most as
// many pairs as distinct openings, since repeated games are no evidence.
func (c Comparison) openings(g *engines.Game) (*openings.Book, int) {
	o := openings.Options{Draw: "balanced"}
	book := openings.NewBook(g, o, c.Seed)
	if book.Distinct(int64(c.Pairs)) < int64(min(c.Pairs, 12)) {
		book = openings.NewBook(g, openings.Options{Plies: o.Random(g)}, c.Seed)
	}
	return book, int(book.Distinct(int64(c.Pairs)))
}
