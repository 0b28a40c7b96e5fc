package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"spar/configs"
	"spar/engines"
	"spar/reports/screen"
)

func rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules",
		Short:   "List, show and check rules files",
		Example: "  spar rules list\n  spar rules show infiltration\n  spar rules check my-variant.yaml",
	}
	c.AddCommand(rulesListCommand(), rulesShowCommand(), rulesCheckCommand(), rulesSchemaCommand())
	return c
}

func rulesListCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the shipped games",
		Example: "  spar rules list",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := screen.NewTable(c.OutOrStdout(), screen.Row{"rules", "title", "board", "wrap"})
			for _, name := range configs.Names(configs.Games) {
				g, err := loadGame(name, nil)
				if err != nil {
					return err
				}
				r := g.Rules()
				if asJSON {
					if err := printJSON(c.OutOrStdout(), "listed_rules", struct {
						Name  string        `json:"name"`
						Hash  string        `json:"hash"`
						Rules engines.Rules `json:"rules"`
					}{name, g.RulesHash(), r}); err != nil {
						return err
					}
					continue
				}
				t.AppendRow(screen.Row{name, r.Title, fmt.Sprintf("%dx%d", r.Board.Columns, r.Board.Rows), r.Board.Wrap})
			}
			if !asJSON {
				t.Render()
			}
			return nil
		},
	}
	jsonFlag(c, &asJSON)
	return c
}

func rulesShowCommand() *cobra.Command {
	var (
		rules  string
		set    []string
		asJSON bool
	)
	c := &cobra.Command{
		Use:     "show RULES",
		Short:   "Print every knob of a game, with overrides applied, and its start position",
		Example: "  spar rules show checkerboard --set pieces.cap=6",
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := loadGame(rules, set)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), "rules", g.Rules())
			}
			text, err := yaml.Dump(g.Rules())
			if err != nil {
				return err
			}
			s := g.NewState()
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n# hash %s, %d symmetries, %d winning lines a side\n# start: %s (%d moves)\n",
				strings.TrimRight(string(text), "\n"), g.RulesHash(), len(g.Symmetries()), len(g.Windows(engines.First)), s.Text(), s.MoveCount())
			return err
		},
	}
	rulesArgument(c, &rules)
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

// checkedRules is the verdict on a rules file as JSON.
type checkedRules struct {
	Rules string `json:"rules"` // as asked for
	OK    bool   `json:"ok"`
	Name  string `json:"name,omitempty"`
	Hash  string `json:"hash,omitempty"`
	Error string `json:"error,omitempty"` // every mistake with its place
}

func rulesCheckCommand() *cobra.Command {
	var (
		rules, set []string
		asJSON     bool
	)
	c := &cobra.Command{
		Use:   "check RULES...",
		Short: "Check rules files and list every mistake with its place",
		Example: `  spar rules check my-variant.yaml
  spar rules check vanishing --set pieces.cap=2`,
		RunE: func(c *cobra.Command, _ []string) error {
			bad := 0
			for _, name := range rules {
				g, err := untilDone(c.Context(), func() (*engines.Game, error) { return loadGame(name, set) })
				switch {
				case c.Context().Err() != nil:
					return c.Context().Err()
				case err != nil && len(rules) == 1 && !asJSON:
					return err
				}
				r := checkedRules{Rules: name, OK: err == nil}
				if err != nil {
					bad++
					r.Error = err.Error()
				} else {
					r.Name, r.Hash = g.Name(), g.RulesHash()
				}
				switch {
				case asJSON:
					err = printJSON(c.OutOrStdout(), "rules_check", r)
				case r.OK:
					_, err = fmt.Fprintf(c.OutOrStdout(), "%s: ok (%s, hash %s)\n", name, r.Name, r.Hash)
				default:
					_, err = fmt.Fprintln(c.ErrOrStderr(), r.Error)
				}
				if err != nil {
					return err
				}
			}
			if bad > 0 {
				return usagef("%d of %d files are wrong", bad, len(rules))
			}
			return nil
		},
	}
	rulesArguments(c, &rules, 1)
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

func rulesSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of rules files, for editors",
		Example: "  spar rules schema > rules.schema.json",
		Args:    cobra.NoArgs,
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
