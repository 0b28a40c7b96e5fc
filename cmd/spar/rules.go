package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"spar/configs"
	"spar/configs/plain"
	"spar/engines"
	"spar/engines/explain"
	"spar/reports/screen"
)

func rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "List, show, explain and check rules files",
		Example: "  spar rules list\n  spar rules show infiltration\n  spar rules explain infiltration\n  spar rules check " +
			"my-variant.yaml",
	}
	c.AddCommand(rulesListCommand(), rulesShowCommand(), rulesExplainCommand(), rulesCheckCommand(), rulesSchemaCommand(),
		rulesCoverageCommand(), rulesSheetCommand())
	return c
}

func rulesListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the shipped games by family, with a description",
		Example: "  spar rules list",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := newListing(c, "listed_rules", strings.Fields("rules title board wrap family about"))
			names := configs.Names(configs.Games)
			games := map[string]*engines.Game{}
			for _, name := range names {
				g, err := loadGame(name, nil)
				if err != nil {
					return err
				}
				games[name] = g
			}
			slices.SortStableFunc(names, func(a, b string) int {
				return strings.Compare(games[a].Rules().Family, games[b].Rules().Family)
			})
			for _, name := range names {
				g := games[name]
				r := g.Rules()
				if err := t.add(listedRules{name, g.RulesHash(), r}, name, r.Title,
					fmt.Sprintf("%dx%d", r.Board.Columns, r.Board.Rows), r.Board.Wrap, r.Family, r.About); err != nil {
					return err
				}
			}
			return t.end("")
		},
	}
	printsJSON(c, "listed_rules", listedRules{})
	return c
}

func rulesShowCommand() *cobra.Command {
	var rules gameFlags
	c := &cobra.Command{
		Use:     "show RULES",
		Short:   "Print every knob of a game, with overrides applied, and its start position",
		Example: "  spar rules show checkerboard --set pieces.cap=6",
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			if wantsJSON(c) {
				return sayJSON(c, "rules", g.Rules())
			}
			text, err := yaml.Dump(g.Rules())
			if err != nil {
				return err
			}
			s := g.NewState()
			return say(c, schemaLine+"\n%s\n# hash %s, %s, %s per side\n# start: %s (%s)\n",
				strings.TrimRight(string(text), "\n"), g.RulesHash(), screen.Plural(len(g.Symmetries()), "symmetry"),
				screen.Plural(len(g.Windows(engines.First)), "winning line"), s.Text(),
				screen.Plural(s.MoveCount(), "move"))
		}),
	}
	declare(c, &rules)
	printsJSON(c, "rules", engines.Rules{})
	return c
}

// schemaLine is a comment that tells editors where the schema for a rules file is.
const schemaLine = "# yaml-language-server: $schema=../rules.schema.json"

func rulesExplainCommand() *cobra.Command {
	var rules gameFlags
	c := &cobra.Command{
		Use:   "explain RULES",
		Short: "Explain the rules in English, and list consequences that are known without playing",
		Long: `Explains the rules in English, as a text for players. It then lists consequences of the rules that are known
without playing: whether every game ends, and what the author may not have intended, like a game that nobody can win.`,
		Example: "  spar rules explain infiltration\n  spar rules explain my-variant.yaml --set pieces.cap=6",
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			told := explain.Game(g)
			return reply(c, "rules_text", told, func(w io.Writer) error {
				fmt.Fprintf(w, "%s\nDoes it end? %s\n", told, told.Ending.Text)
				return printNotes(w, told)
			})
		}),
	}
	declare(c, &rules)
	printsJSON(c, "rules_text", explain.Rules{})
	return c
}

func printNotes(out io.Writer, told *explain.Rules) error {
	for _, n := range told.Notes {
		word := "note"
		if n.Kind != explain.Unreachable && n.Kind != explain.NoEffect {
			word = "warning"
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", word, n.Text); err != nil {
			return err
		}
	}
	return nil
}

// checkedRules is the JSON output of checking a rules file.
type checkedRules struct {
	Rules string `json:"rules" help:"the rules as named by the user"`
	OK    bool   `json:"ok" help:"whether they are valid and can be won"`
	Name  string `json:"name,omitempty" help:"name"`
	Hash  string `json:"hash,omitempty" help:"hash of all knobs"`
	// all mistakes, each with its place
	Error string         `json:"error,omitempty" help:"every mistake with its place"`
	Notes []explain.Note `json:"notes,omitempty"` // consequences of valid rules
}

func rulesCheckCommand() *cobra.Command {
	rules := gamesArgument{least: 1}
	c := &cobra.Command{
		Use:   "check RULES...",
		Short: "Check rules files and list every mistake with its line and column",
		Long: `Checks rules files and lists every mistake with its line and column (exit code 2). For rules without mistakes
it prints consequences: nobody can win (exit code 1), a game may never end, mechanics that never occur, knobs without
effect.`,
		Example: `  spar rules check my-variant.yaml
  spar rules check vanishing --set pieces.cap=2`,
		RunE: func(c *cobra.Command, _ []string) error {
			bad, hopeless := 0, 0
			for _, name := range rules.Names {
				g, err := untilDone(c.Context(), func() (*engines.Game, error) { return loadGame(name, rules.Set) })
				switch {
				case interrupted(c):
					return c.Context().Err()
				case err != nil && len(rules.Names) == 1 && !wantsJSON(c):
					return err
				}
				r := checkedRules{Rules: name, OK: err == nil}
				told := &explain.Rules{}
				if err != nil {
					bad++
					r.Error = asTyped(c, err).Error()
				} else {
					told = explain.Game(g)
					r.Name, r.Hash, r.Notes = g.Name(), g.RulesHash(), told.Notes
				}
				if told.NobodyWins() {
					hopeless++
					r.OK = false
				}
				switch {
				case wantsJSON(c):
					err = sayJSON(c, "rules_check", r)
				case err == nil:
					err = say(c, "%s: %s (%s, hash %s)\n", name,
						plain.If(r.OK, "ok", "nobody can win"), r.Name, r.Hash)
					err = errors.Join(err, printNotes(c.OutOrStdout(), told))
				default:
					_, err = fmt.Fprintln(c.ErrOrStderr(), r.Error)
				}
				if err != nil {
					return err
				}
			}
			if bad > 0 {
				return usagef("%d of %d files have mistakes", bad, len(rules.Names))
			}
			if hopeless > 0 {
				return errSaid
			}
			return nil
		},
	}
	declare(c, &rules)
	printsJSON(c, "rules_check", checkedRules{})
	return c
}

func rulesSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of rules files, for editors",
		Example: "  spar rules schema > rules.schema.json",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := configs.Schema("rules")
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
}

// listedRules is the output of kind listed_rules.
type listedRules struct {
	Name  string        `json:"name" help:"name of the rules"`
	Hash  string        `json:"hash" help:"hash of all knobs"`
	Rules engines.Rules `json:"rules" help:"every knob, as of the kind rules"`
}
