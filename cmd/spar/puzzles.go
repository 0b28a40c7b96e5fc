package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/files"
	"spar/engines/bulk"
	"spar/engines/rules"
	"spar/reports/puzzles"
	"spar/reports/screen"
	"spar/reports/table"
)

func puzzlesCommand() *cobra.Command {
	var (
		agent                        agentFlags
		game, path, out, suite, date string
		set                          []string
		limits                       = puzzles.DefaultLimits()
		limit                        int
		seed                         int64
		daily                        bool
	)
	c := &cobra.Command{
		Use:   "puzzles [RULES|STUDY.db]",
		Short: "Find positions with only one good move, prove them, and test agents on them",
		Long: `Finds positions in which exactly one legal move keeps the win or the draw, in new games under RULES
or in those of a study, and proves each. --out writes them as a suite; --agent NAME --suite FILE says how many of
them an agent solves.

A proof comes from the table of the rules where they can be solved within --memory, else from a proof search of at
most --nodes positions for the position and each of its moves. Moves that end the game are left out. In large games
that can go on for ever few positions can be proved. From a study Spar takes the hardest position of each game.

A suite has one JSON object per line, with the hash of its rules; the path of a rules file is relative to the suite's
folder. The share of solved puzzles has a 95 % interval (Wilson). --daily is one puzzle, the same for everybody on a
day.`,
		Example: `  spar puzzles vanishing --limit 5
  spar puzzles connect4 --limit 20 --out connect4.jsonl
  spar puzzles out/quickstart.db --rules rolling --out rolling.jsonl
  spar puzzles --agent minimax-2 --suite connect4.jsonl
  spar puzzles vanishing --daily --date 2026-01-31`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			changed := c.Flags().Changed
			switch {
			case len(args) == 1 && strings.HasSuffix(args[0], ".db"):
				if path != "" {
					return usageError{studyTwice(args[0])}
				}
				path = args[0]
			case len(args) == 1 && changed("rules"):
				return rulesOnce(args)
			case len(args) == 1:
				game = args[0]
			}
			day := time.Now()
			if date != "" {
				var err error
				if day, err = time.Parse(time.DateOnly, date); err != nil {
					return usagef("--date %s: expected a day, like 2026-01-31", date)
				}
			}
			switch {
			case (agent.name == "") != (suite == ""):
				return usagef("--agent and --suite go together")
			case suite != "" && (game != "" || path != "" || out != "" || daily):
				return usagef("--agent with --suite uses the rules of the suite: leave out RULES, --db, --out and --daily")
			case suite == "" && game == "" && path == "":
				return usagef("expected RULES, a study (STUDY.db), or --agent with --suite")
			case path != "" && (changed("set") || daily || changed("seed")):
				return usagef("--set, --seed and --daily have no effect on the games of --db: leave them out")
			}
			if suite != "" {
				return ratePuzzles(c, agent.name, agent.set, suite, seed)
			}
			find := func(take func(puzzles.Puzzle) error) error {
				return puzzlesOfStudy(c.Context(), path, game, limits, limit, take)
			}
			if path == "" {
				label, overrides := ownOverrides(game, set)
				g, err := loadGame(game, set)
				if err != nil {
					return err
				}
				from := puzzles.Source{Label: rules.JoinLabel(label, overrides), Game: g}
				find = func(take func(puzzles.Puzzle) error) error {
					return puzzles.FromRules(c.Context(), from, uint64(seed), limits, limit, take)
				}
				if daily {
					find = func(take func(puzzles.Puzzle) error) error {
						p, ok, err := puzzles.Daily(c.Context(), from, day, limits)
						if err != nil || !ok {
							return err
						}
						return take(p)
					}
				}
			}
			return showPuzzles(c, find, out)
		},
	}
	rulesFlag(c, &game, "the game, instead of the argument; with --db the label of rules in the study")
	f := c.Flags()
	f.StringVar(&path, "db", "", "find puzzles in the games of this study, instead of the argument")
	f.IntVar(&limit, "limit", 10, "at most this many puzzles")
	f.Uint64Var(&limits.Nodes, "nodes", limits.Nodes, "maximum number of positions that the proof of a move expands, "+
		"if the "+
		"rules are not solved")
	memoryFlag(c, &limits.Memory, "maximum memory for solving the rules")
	f.Int64Var(&seed, "seed", 1, "seed of the games, or of the agent's decisions")
	f.BoolVar(&daily, "daily", false, "the puzzle of the day")
	f.StringVar(&date, "date", "", "--daily: another day, like 2026-01-31")
	needs(c, []string{"date"}, "daily")
	agent.flags(c, "the agent that solves --suite")
	f.StringVar(&suite, "suite", "", "a file of puzzles that --out wrote, for --agent; - for standard input")
	setFlag(c, &set)
	outFlag(c, &out, "write the puzzles to this file as JSON lines")
	positive(c, "limit", "nodes")
	jsonFlag(c)
	c.ValidArgsFunction = gameNames
	return c
}

func puzzlesOfStudy(ctx context.Context, path, rules string, l puzzles.Limits, limit int,
	take func(puzzles.Puzzle) error,
) error {
	db, err := openStudy(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := checkFilter(ctx, db, store.Filter{Rules: rules}); err != nil {
		return err
	}
	return puzzles.FromStudy(ctx, db, rules, l, limit, take)
}

// showPuzzles prints puzzles as they are found, or writes them to a file.
func showPuzzles(c *cobra.Command, find func(take func(puzzles.Puzzle) error) error, file string) error {
	found := 0
	out := c.OutOrStdout()
	write := func(w io.Writer) error {
		return find(func(p puzzles.Puzzle) error {
			found++
			p.Rules = seenFrom(file, p.Rules)
			if wantsJSON(c) || file != "" {
				return printJSON(w, "puzzle", p)
			}
			picture, err := p.Picture(useColour(out))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "%d. %s: %s\n%s\n%s\nsolution: %s (every other move: %s at most; by %s)\n\n", found,
				p.Label(), p.Task(), p.Position, picture, p.Move, p.Other, p.Proof)
			return err
		})
	}
	if file != "" {
		if err := files.Write(file, func(w io.Writer) error {
			if err := write(w); err != nil || found > 0 {
				return err
			}
			return errNoPuzzles
		}); err != nil {
			return err
		}
		return replyf(c, "suite", puzzleSuite{file, found}, "%s written to %s\n", screen.Plural(int64(found), "puzzle"), file)
	}
	if err := write(out); err != nil {
		return err
	}
	if found == 0 {
		return errNoPuzzles
	}
	return nil
}

// seenFrom returns the path of rules relative to the folder of a file that names them. It returns the path
// unchanged if there is no file, or if it is the name of shipped rules.
func seenFrom(file, rules string) string {
	if file == "" || !files.IsPath(rules) || filepath.IsAbs(rules) {
		return rules
	}
	from, err := filepath.Abs(filepath.Dir(file))
	to, err2 := filepath.Abs(rules)
	if err != nil || err2 != nil {
		return rules
	}
	if path, err := filepath.Rel(from, to); err == nil && files.IsPath(path) {
		return path
	}
	return rules
}

var errNoPuzzles = errors.New("no puzzle found; more --nodes prove more positions")

// ratePuzzles lets an agent solve a suite.
func ratePuzzles(c *cobra.Command, agent string, agentSet []string, suite string, seed int64) error {
	spec, err := loadAgent(agent, agentSet)
	if err != nil {
		return err
	}
	in, name, err := openInput(c, []string{suite})
	if err != nil {
		return err
	}
	defer in.Close()
	games := bulk.Games{File: suite}
	all, err := puzzles.Read(in, name, &games)
	if err != nil {
		return err
	}
	s, err := puzzles.Rate(c.Context(), spec, all, &games, seed)
	if err != nil {
		return err
	}
	return reply(c, "puzzle_score", s, func(out io.Writer) error {
		t := table.To(out, []string{"rules", "solved", "puzzles", "share", "95 %"}, 2, 3, 4)
		for _, p := range s.ByRules {
			t.Add(p.Rules, p.Solved, p.Puzzles, fmt.Sprintf("%.3f", p.Share), fmt.Sprintf("%.3f to %.3f", p.Lo, p.Hi))
		}
		t.Write()
		for _, f := range s.Failed {
			fmt.Fprintf(out, "%s: %s, not %s\n", f.ID, f.Move, f.Played)
		}
		return printTo(out, "%s solves %d of %s: %.1f %% (%.1f to %.1f)\n", s.Agent, s.Solved,
			screen.Plural(int64(s.Puzzles), "puzzle"), 100*s.Share, 100*s.Lo, 100*s.Hi)
	})
}

// puzzleSuite is the output of kind suite.
type puzzleSuite struct {
	File    string `json:"file" help:"written"`
	Puzzles int    `json:"puzzles" help:"puzzles in the suite"`
}
