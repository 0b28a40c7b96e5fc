package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"spar/configs"
	"spar/engines"
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
			t := newTable(c.OutOrStdout(), table.Row{"rules", "title", "board", "wrap"})
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
				t.AppendRow(table.Row{name, r.Title, fmt.Sprintf("%dx%d", r.Board.Columns, r.Board.Rows), r.Board.Wrap})
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
		set    []string
		asJSON bool
	)
	c := &cobra.Command{
		Use:               "show RULES",
		Short:             "Print every knob of a game, with overrides applied, and its start position",
		Example:           "  spar rules show checkerboard --set pieces.cap=6",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := loadGame(args[0], set)
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
	setFlag(c, &set)
	jsonFlag(c, &asJSON)
	return c
}

func rulesCheckCommand() *cobra.Command {
	var set []string
	c := &cobra.Command{
		Use:   "check RULES...",
		Short: "Check rules files and list every mistake with its place",
		Example: `  spar rules check my-variant.yaml
  spar rules check vanishing --set pieces.cap=2`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: gameNames,
		RunE: func(c *cobra.Command, args []string) error {
			bad := 0
			var last error
			for _, name := range args {
				g, err := loadGame(name, set)
				if err != nil {
					bad++
					last = err
					if len(args) > 1 {
						fmt.Fprintln(c.ErrOrStderr(), err)
					}
					continue
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: ok (%s, hash %s)\n", name, g.Name(), g.RulesHash())
			}
			switch {
			case bad == 1 && len(args) == 1:
				return last
			case bad > 0:
				return usagef("%d of %d files are wrong", bad, len(args))
			}
			return nil
		},
	}
	setFlag(c, &set)
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
