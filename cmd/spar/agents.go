package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"spar/agents"
	"spar/configs"
)

func agentsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "agents",
		Short:   "List and show agents",
		Example: "  spar agents list\n  spar agents show greedy",
	}
	c.AddCommand(agentsListCommand(), agentsShowCommand())
	return c
}

// loadAgent finds an agent by name or path.
func loadAgent(name string, set []string) (agents.Spec, error) {
	s, err := agents.LoadSpec(name, set...)
	if err != nil {
		return s, usageError{err}
	}
	return s, nil
}

func agentsListCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the shipped agents",
		Example: "  spar agents list",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := newTable(c.OutOrStdout(), table.Row{"agent", "type", "description"})
			for _, name := range configs.Names(configs.Agents) {
				s, err := loadAgent(name, nil)
				if err != nil {
					return err
				}
				if asJSON {
					if err := printJSON(c.OutOrStdout(), s); err != nil {
						return err
					}
					continue
				}
				t.AppendRow(table.Row{name, s.Type, s.Description})
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

func agentsShowCommand() *cobra.Command {
	var (
		set    []string
		asJSON bool
	)
	c := &cobra.Command{
		Use:               "show AGENT",
		Short:             "Print an agent's knobs and weights, defaults included",
		Example:           "  spar agents show greedy",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: agentNames,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadAgent(args[0], set)
			if err != nil {
				return err
			}
			s = s.WithDefaults()
			if asJSON {
				return printJSON(c.OutOrStdout(), s)
			}
			text, err := yaml.Dump(s)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.OutOrStdout(), string(text))
			return err
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "override a knob, like budget.depth=3 (repeatable)")
	jsonFlag(c, &asJSON)
	return c
}
