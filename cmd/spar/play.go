package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/agents/pace"
	"spar/arena"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
	"spar/reports/board"
	"spar/reports/console"
	"spar/reports/review"
	"spar/reports/screen"
)

func playCommand() *cobra.Command {
	var o struct {
		Game      string   `flag:"rules,r=classic" help:"the game"`
		Seed      int64    `flag:"seed=1" help:"seed of the agents' random choices"`
		Quiet     bool     `flag:"quiet,q" help:"print the result only"`
		Set       []string `flag:"set"`
		EngineLog engineLog
		AgentSet  []string `flag:"agent-set" help:"override a knob of an agent, like mcts-1k:budget.iterations=500 (repeatable)"`
	}
	c := &cobra.Command{
		Use:   "play FIRST SECOND",
		Short: "Play one game between two agents, or against one, showing the board after each ply",
		Long: `Plays one game between two agents and shows the board after each ply. The name "human" is you: type
moves like b2, or c2-d3 and c2xe4 where pieces move; type help for undo, hint and more.

With --json the board goes to standard error, and only if a person plays. If the game's file has a clock, it applies
here (rolling allows 180 seconds for the whole game). Against rolling/hard and the other levels of the original rolling
program, Spar also prints the points that this program would award.`,
		Example: `  spar play --rules vanishing greedy random
  spar play --rules rolling human rolling/hard
  spar play --rules checkerboard --set pieces.cap=6 greedy greedy --seed 7
  spar play --rules ctor mcts-100 greedy --agent-set mcts-100:budget.iterations=20 --json`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: shipped(configs.Agents),
		RunE: func(c *cobra.Command, args []string) error {
			game, set := ownOverrides(o.Game, o.Set) // errors quote the flags
			g, err := loadGame(game, set)
			if err != nil {
				return err
			}
			knobs, err := knobsByAgent(args, o.AgentSet)
			if err != nil {
				return err
			}
			out, shown := c.OutOrStdout(), c.OutOrStdout()
			if wantsJSON(c) && slices.Contains(args, "human") {
				shown = c.ErrOrStderr()
			} else if wantsJSON(c) {
				shown = io.Discard
			}
			var people [2]bool
			var seats [2]arena.Seat
			var levels [2]string
			for i, name := range args {
				if people[i] = name == "human"; people[i] {
					seats[i] = arena.Seat{Name: name}
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
					return strict.Bad(err)
				}
				defer closeAgent(a)
				seats[i], levels[i] = arena.Seat{Name: s.Name, Agent: a, Budget: s.Budget}, s.Level
			}
			fmt.Fprintf(shown, "%s: %s (%s) against %s (%s), seed %d\n%s\n\n", g.Name(), seats[0].Name, g.SideLabel(0),
				seats[1].Name, g.SideLabel(1), o.Seed, g.Legend())
			conditions := arena.Conditions{
				Seed: o.Seed, GameLimit: pace.Seconds(g.Rules().Clock.Seconds),
				Each: func(p *engines.Position, d agents.Decision) {
					if mover := console.Mover(p); !o.Quiet {
						// a closed terminal ends the command anyway
						_ = console.WritePly(shown, p, mover, g.MoveText(d.Move), seats[mover].Name)
					}
				},
			}
			var r arena.Result
			if people[0] || people[1] {
				r, err = playWithPeople(c, &console.Table{
					Game: g, Seats: seats, People: people, Conditions: conditions, Out: shown,
				})
			} else {
				r, err = arena.Play(c.Context(), g, conditions, seats)
			}
			if left := console.Left(0); errors.As(err, &left) {
				_, err = fmt.Fprintln(shown, left)
				return err
			}
			if err != nil {
				return err
			}
			if wantsJSON(c) {
				return printJSON(out, "game", console.Record(g, set, o.Seed, seats, levels, &r))
			}
			end := g.NewPosition()
			if err := end.PlayText(strings.Fields(r.Moves)); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s.\n", board.Ended(end, r.Outcome, r.Reason))
			if r.Detail != "" && r.Reason != "forfeit_resign" {
				fmt.Fprintln(out, r.Detail)
			}
			return console.WriteScores(out, [2]string{seats[0].Name, seats[1].Name}, levels, r.Outcome, r.Plies,
				(r.Spent[0] + r.Spent[1]).Seconds())
		},
	}
	declare(c, &o)
	printsJSON(c, "game", console.Played{})
	return c
}

// playWithPeople plays a game with a person at the terminal.
func playWithPeople(c *cobra.Command, t *console.Table) (arena.Result, error) {
	t.Lines, t.Colour = typed(c.InOrStdin()), screen.Coloured(t.Out)
	t.Judge = func() (*review.Judge, error) {
		spec, err := loadAgent(defaultJudge, nil)
		return review.NewJudge(spec, ""), err
	}
	r, err := t.Play(c.Context())
	return r, errors.Join(err, t.Close())
}

// typed yields the lines of in until it ends.
func typed(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- strings.TrimSpace(s.Text())
		}
	}()
	return lines
}
