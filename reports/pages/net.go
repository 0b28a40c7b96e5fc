package pages

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"spar/configs/plain"
	"spar/reports/chart"
	"spar/reports/table"
	"spar/tuning/learn"
)

// matchupTable has the matches of a net.
func matchupTable(matchups []learn.Matchup) table.Table {
	t := table.Rows(matchups, func(c learn.Matchup) []any {
		score := table.Estimate(c.Score, chart.Percent, 1)
		elo := table.Of(c.Elo)
		if c.Why != "" {
			score, elo = table.None(c.Why), table.None(c.Why)
		}
		return []any{
			"search", c.Search, "against", c.Against, "score", table.Help("of the net", score), "Elo", elo, "pairs", c.Pairs,
			"openings", fmt.Sprintf("%d plies%s", c.Openings, plain.If(c.Balanced, ", even", "")),
			"a move", fmt.Sprintf("%d against %d", c.Ours, c.Budget),
			"cost of one", table.Help("the net's CPU time per position, relative to the opponent's",
				table.Num(c.Cost, chart.Number, 2)),
		}
	})
	for _, c := range matchups {
		if c.Why != "" {
			t.Note += fmt.Sprintf("%s against %s: no pairs, because %s. ", c.Search, c.Against, c.Why)
		}
	}
	t.Note = strings.TrimSpace(t.Note)
	t.Caption = "Matches at equal CPU time"
	return t
}

// LearnedText prints the result of a training run and suggests what to do next. Ref names the rules on a command line.
func LearnedText(w io.Writer, rules, ref string, r learn.Outcome) error {
	about := r.Net.About()
	fmt.Fprintf(w, "%s: %d games of self-play, %.0f CPU-s, %d weights in %v\n", rules, about.Games, about.CPUSecond,
		r.Net.Params(), r.Net.Architecture().Tables)
	if len(r.Matchups) > 0 {
		if err := matchupTable(r.Matchups).Text(w, 0); err != nil {
			return err
		}
	}
	if !r.Gained {
		why, hope := "the interval of the score is not entirely above 50 %", "; more --minutes may help"
		switch first := r.Matchups[0]; {
		case first.Pairs == 0:
			why, hope = "no pairs could be played", ""
		case first.Gains():
			why = "the net loses to tree search with random playouts (uct)"
		}
		fmt.Fprintf(w, "not accepted: %s. Written as %s for inspection%s\n", why, r.Files[0], hope)
	} else {
		fmt.Fprintf(w, "written: the net %s and an agent that uses it, %s\n", r.Files[0], r.Files[1])
		for _, c := range r.Matchups[:min(1, len(r.Matchups))] {
			fmt.Fprintf(w, "next: spar match %s greedy -r %s --agent-set %s:type=minimax --agent-set greedy:type=minimax "+
				"--agent-set greedy:evaluation.kind=linear --plan-set budget.nodes=%d --opening-plies %d%s\n", r.Files[1], ref,
				strings.TrimSuffix(filepath.Base(r.Files[1]), ".yaml"), c.Budget, c.Openings,
				plain.If(c.Balanced, " --plan-set openings.draw=balanced", ""))
		}
	}
	return nil
}
