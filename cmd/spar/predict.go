package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/configs/plain"
	"spar/engines/people"
	"spar/engines/solve/suite"
	"spar/reports/screen"
	"spar/tuning/predict"
)

func predictCommand() *cobra.Command {
	var o struct {
		Names []string `flag:"agent,a" help:"an agent (repeatable; default person)"`
		Set   []string `flag:"agent-set" help:"override a knob of an agent, like mcts-1k:budget.iterations=500 (repeatable)"`
		Games int      `flag:"games" help:"games of each agent against itself, under each set of rules; 0 = 400, or 60 for matches"`
		Seed  int64    `flag:"seed=1" help:"seed of the games"`
	}
	c := &cobra.Command{
		Use:   "predict FILE",
		Short: "Compare agents with people: how they judge games and how they play",
		Long: `Compares agents with people. FILE has one JSON object per line, either games, or matches that people
played in games of the shipped suite "people" ("-" is standard input). For each game Spar prints the payoff (the first
player's mean result, -1 to 1) and the draws in games of the agent against itself. For matches it prints how
well the agent predicts people's moves and results.

Games have the keys id, class, rows, columns, line, directions, first_turns and misere, and may have judged_payoff.
Matches have the keys game, pair, moves, sides, result and by. Spar rejects the file at the first invalid line.

The agent person plays the judged games as novices would. For any other agent, Spar fits a temperature and a fraction
of random moves by cross-validation over pairs of players. The knobs of person are fitted to matches in games of
that suite.`,
		Example: `  spar predict games.jsonl --agent person
  spar predict matches.jsonl --agent person --agent greedy --agent mcts-100 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(o.Names) == 0 {
				o.Names = []string{"person"}
			}
			sets, err := knobsByAgent(o.Names, o.Set)
			if err != nil {
				return err
			}
			var specs []agents.Spec
			for _, name := range o.Names {
				s, err := loadAgent(name, sets[name])
				if err != nil {
					return err
				}
				specs = append(specs, s)
			}
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			text, err := io.ReadAll(in)
			if err != nil {
				return err
			}
			first, _, _ := bufio.NewReader(bytes.NewReader(text)).ReadLine()
			if bytes.Contains(first, []byte(`"moves"`)) {
				return predictMatches(c, text, name, specs, cmp.Or(o.Games, 60), o.Seed)
			}
			return predictGames(c, text, name, specs, cmp.Or(o.Games, 400), o.Seed)
		},
	}
	declare(c, &o)
	printsJSON(c, "forecast for games", predict.Forecast{})
	printsJSON(c, "agreement for matches", predict.Score{})
	return c
}

func predictGames(c *cobra.Command, text []byte, name string, specs []agents.Spec, n int, seed int64) error {
	games, err := people.ReadGames(bytes.NewReader(text), name)
	if err == nil && len(games) == 0 {
		err = usagef("no games in %s", name)
	}
	if err != nil {
		return err
	}
	t := newListing(c, "forecast", []string{"game", "agent", "payoff", "95 %", "draws", "plies", "judged"}, 2, 4, 5, 6)
	var notes []string
	var firsts []predict.Forecast
	for i, spec := range specs {
		forecasts, err := predict.Games(c.Context(), games, spec, n, seed)
		if err != nil {
			return err
		}
		for _, f := range forecasts {
			judged := "-"
			if f.Judged != nil {
				judged = fmt.Sprintf("%+.2f", *f.Judged)
			}
			if err := t.add(f, f.ID, f.Agent, fmt.Sprintf("%+.2f", f.Payoff),
				fmt.Sprintf("%+.2f to %+.2f", f.Interval[0], f.Interval[1]),
				fmt.Sprintf("%.2f", f.Draw), fmt.Sprintf("%.1f", f.Plies), judged); err != nil {
				return err
			}
		}
		if i == 0 {
			firsts = forecasts
			notes = append(notes, fmt.Sprintf("R2 with people's judgements: %s %s", spec.Name, predict.Agree(forecasts, nil).R2))
			continue
		}
		a := predict.Agree(forecasts, nil).R2
		more := predict.Agree(firsts, forecasts).Against
		notes = append(notes, fmt.Sprintf("R2 with people's judgements: %s %s", spec.Name, a)+
			plain.If(more.Known(), fmt.Sprintf("; R2 of %s is higher by %s", specs[0].Name, more), ""))
	}
	if slices.ContainsFunc(specs, func(s agents.Spec) bool { return s.Type == "person" }) {
		notes = append(notes, fmt.Sprintf("Typical payoff error of agent person, measured on matches of line games: %.2f",
			2*predict.ScoreError)) // a payoff is twice as wide as a score
	}
	return t.end("%s\n", strings.Join(notes, "\n"))
}

func predictMatches(c *cobra.Command, text []byte, name string, specs []agents.Spec, n int, seed int64) error {
	games, err := suite.Games("people")
	if err != nil {
		return err
	}
	matches, skipped, err := people.ReadMatches(bytes.NewReader(text), name, games)
	if err != nil {
		return err
	}
	scores, err := predict.Matches(c.Context(), matches, specs, n, seed)
	if err != nil {
		return err
	}
	t := newListing(c, "agreement", []string{
		"agent", "moves", "log-likelihood per move", "likeliest move", "behind " + specs[0].Name,
		"log loss of results",
	}, 1)
	for _, s := range scores {
		behind := "-"
		if s.Ahead != nil {
			behind = interval(*s.Ahead, s.AheadInterval)
		}
		if err := t.add(s, s.Agent, s.Moves, interval(s.LogLikelihood, s.LogInterval), interval(s.Top1, s.Top1Interval),
			behind, interval(s.LogLoss, s.LossInterval)); err != nil {
			return err
		}
	}
	below := screen.Plural(len(matches), "match") + "; log loss of three equally likely results: 1.099\n"
	for _, m := range skipped {
		below += fmt.Sprintf("Skipped a match of %s: it has no moves\n", m.Game)
	}
	return t.end("%s", below)
}

func interval(x float64, of []float64) string {
	if of == nil {
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", x, of[0], of[1])
}
