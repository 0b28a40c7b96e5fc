package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/human"
	"spar/agents/sources"
	"spar/arena"
	"spar/arena/transfer"
	"spar/engines"
)

func playCommand() *cobra.Command {
	var (
		rules         = "classic"
		set, agentSet []string
		seed          int64
		quiet, asJSON bool
	)
	c := &cobra.Command{
		Use:   "play FIRST SECOND",
		Short: "Play one game between two agents, or against one, the board after each ply",
		Long: `Plays one game between two agents and shows the board after each ply. The name "human" is you: type moves like b2, or
c2-d3 and c2xe4 where pieces move. With --json the board stands on standard error, and only where a person plays. A clock in the game's file counts here (rolling has 180 seconds for the whole game), and
against the levels of rolling the score of that program is shown.`,
		Example: `  spar play --rules vanishing greedy random
  spar play --rules rolling human rolling/hard
  spar play --rules checkerboard --set pieces.cap=6 greedy greedy --seed 7
  spar play --rules ctor mcts-100 greedy --agent-set mcts-100:budget.iterations=20 --json`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: agentNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(rules, set)
			if err != nil {
				return err
			}
			knobs, err := knobsByAgent(args, agentSet)
			if err != nil {
				return err
			}
			out, board := c.OutOrStdout(), c.OutOrStdout()
			if asJSON && slices.Contains(args, "human") {
				board = c.ErrOrStderr()
			} else if asJSON {
				board = io.Discard
			}
			var person *human.Player
			var seats [2]arena.Seat
			var levels [2]string
			for i, name := range args {
				if name == "human" {
					if person == nil {
						person = newHuman(c.InOrStdin(), board)
					}
					seats[i] = arena.Seat{Name: name, Agent: person}
					continue
				}
				s, err := loadAgent(name, knobs[name])
				if err != nil {
					return err
				}
				if err := startError(agents.Probe(c.Context(), s)); err != nil {
					return err
				}
				a, err := agents.NewContext(c.Context(), s, g)
				if err != nil {
					return usageError{err}
				}
				if a, ok := a.(agents.Closer); ok {
					defer a.Close()
				}
				seats[i], levels[i] = arena.Seat{Name: s.Name, Agent: a, Budget: s.Budget}, s.Level
			}
			fmt.Fprintf(board, "%s: %s (X) against %s (O), seed %d\n\n", g.Name(), seats[0].Name, seats[1].Name, seed)
			mover := engines.First
			r, err := arena.Play(c.Context(), g, arena.Conditions{
				Seed: seed, GameLimit: time.Duration(g.Rules().Clock.Seconds * float64(time.Second)),
				Each: func(p *engines.Position, d agents.Decision) {
					if !quiet {
						_ = printPly(board, p, mover, g.MoveText(d.Move), seats[mover].Name) // a closed terminal ends the command anyway
					}
					mover = p.Side()
				},
			}, seats)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(out, "game", gamePlayed(g, set, seed, seats, levels, &r))
			}
			fmt.Fprintf(out, "%s by %s after %d plies\n", r.Outcome, r.Reason, r.Plies)
			if r.Detail != "" {
				fmt.Fprintln(out, r.Detail)
			}
			return printScores(out, [2]string{seats[0].Name, seats[1].Name}, levels, r.Outcome, r.Plies, (r.Spent[0] + r.Spent[1]).Seconds())
		},
	}
	rulesFlag(c, &rules, "the game")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the agents' random choices")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print the result only")
	setFlag(c, &set)
	agentSetsFlag(c, &agentSet)
	jsonFlag(c, &asJSON)
	engineLogFlag(c)
	return c
}

// playedGame is a game as JSON that no study holds; its fields are those of a stored one.
type playedGame struct {
	Rules       string         `json:"rules"`
	Set         map[string]any `json:"set,omitempty"`
	First       string         `json:"first"`
	Second      string         `json:"second"`
	Seed        int64          `json:"seed"`
	Result      string         `json:"result"`
	Reason      string         `json:"reason"`
	Detail      string         `json:"detail,omitempty"`
	Plies       int            `json:"plies"`
	Moves       []string       `json:"moves"`
	FirstMS     float64        `json:"first_ms"`
	SecondMS    float64        `json:"second_ms"`
	FirstNodes  int64          `json:"first_nodes"`
	SecondNodes int64          `json:"second_nodes"`
	FirstScore  *int           `json:"first_score,omitempty"` // by the program that a level of the opponent comes from
	SecondScore *int           `json:"second_score,omitempty"`
}

func gamePlayed(g *engines.Game, set []string, seed int64, seats [2]arena.Seat, levels [2]string, r *arena.Result) playedGame {
	_, overrides := transfer.SplitLabel("[" + strings.Join(set, ",") + "]")
	if len(set) == 0 {
		overrides = nil
	}
	score := func(side int) *int {
		if s, ok := sources.RollingScore(levels[1-side], r.Outcome, side, r.Plies, (r.Spent[0] + r.Spent[1]).Seconds()); ok {
			return &s
		}
		return nil
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return playedGame{
		Rules: g.Name(), Set: overrides, First: seats[0].Name, Second: seats[1].Name, Seed: seed, Result: r.Outcome.String(), Reason: r.Reason, Detail: r.Detail,
		Plies: r.Plies, Moves: strings.Fields(r.Moves), FirstMS: ms(r.Spent[0]), SecondMS: ms(r.Spent[1]), FirstNodes: r.Nodes[0], SecondNodes: r.Nodes[1],
		FirstScore: score(engines.First), SecondScore: score(engines.Second),
	}
}

// printScores shows the score that the rolling program gives whoever plays against one of its levels.
func printScores(out io.Writer, names, levels [2]string, result engines.Result, plies int, seconds float64) error {
	for side, name := range names {
		score, ok := sources.RollingScore(levels[1-side], result, side, plies, seconds)
		if !ok {
			continue
		}
		if _, err := fmt.Fprintf(out, "score of %s against %s: %d (%d plies, %.3f s)\n", name, levels[1-side], score, plies, seconds); err != nil {
			return err
		}
	}
	return nil
}
