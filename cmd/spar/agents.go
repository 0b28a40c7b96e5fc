package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
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
	return s, strict.Bad(err)
}

// startAgent compiles a game and makes an agent that plays it. closeAgent ends it.
func startAgent(ctx context.Context, rules *gameFlags, agent *agentFlags) (*engines.Game, agents.Spec, agents.Agent,
	error,
) {
	g, err := rules.load()
	if err != nil {
		return nil, agents.Spec{}, nil, err
	}
	spec, err := agent.load()
	if err != nil {
		return nil, spec, nil, err
	}
	a, err := agents.NewContext(ctx, spec, g)
	return g, spec, a, strict.Bad(err)
}

// closeAgent ends the process of an agent that has one.
func closeAgent(a agents.Agent) {
	if closer, ok := a.(agents.Closer); ok {
		closer.Close()
	}
}

func agentsListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the shipped agents",
		Long: "Lists the shipped agents. Every command also takes the names of agents in reports: mcts-80v (80 simulations a move), " +
			"minimax-8000 (8000 positions a move), minimax-800v (varied moves).",
		Example: "  spar agents list",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := newListing(c, "agent", []string{"agent", "type", "description"})
			for _, name := range configs.Names(configs.Agents) {
				s, err := loadAgent(name, nil)
				if err != nil {
					return err
				}
				if err := t.add(s, name, s.Type, s.Description); err != nil {
					return err
				}
			}
			return t.end("")
		},
	}
	printsJSON(c, "agent", shownAgent{})
	return c
}

func agentsShowCommand() *cobra.Command {
	var o struct {
		Set      []string `flag:"set"`
		AgentSet []string `flag:"agent-set"`
		Rules    string   `flag:"rules,r" help:"show the default evaluation under these rules (tuned weights or a net, if Spar ships them); without the flag, the hand-made weights"`
	}
	c := &cobra.Command{
		Use:               "show AGENT",
		Short:             "Print an agent's knobs and weights; --rules marks knobs without effect",
		Example:           "  spar agents show greedy\n  spar agents show greedy --rules checkerboard",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: shipped(configs.Agents),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadAgent(args[0], o.AgentSet)
			if err != nil {
				return err
			}
			idle, borrowed := []agents.Idle{}, ""
			if o.Rules == "" && len(o.Set) > 0 {
				return usagef("--set changes the rules of --rules; to change a knob of the agent, use --agent-set")
			}
			if o.Rules == "" {
				s = s.WithDefaults()
			} else {
				g, err := loadGame(o.Rules, o.Set)
				if err != nil {
					return err
				}
				if s = s.For(g); len(s.Rows) > 0 && s.Rows[0].Game != g.Name() {
					borrowed = fmt.Sprintf("# %s was not measured: these results are from the most similar game.\n"+
						"# \"spar bench strongest %[1]s\" measures it\n", g.Name())
				}
				idle = append(idle, s.Idle(g)...)
			}
			s = s.Resolved()
			if wantsJSON(c) {
				return sayJSON(c, "agent", shownAgent{s, idle})
			}
			text, err := s.YAML()
			if err != nil {
				return err
			}
			if own := s.DefaultBudget(); s.Budget == (agents.Budget{}) && own != s.Budget {
				text = fmt.Appendf(text, "# budget if the tournament states none: %s\n", own)
			}
			text = append(text, borrowed...)
			for _, row := range s.Rows {
				text = fmt.Appendf(text, "# %s\n", row)
			}
			for _, line := range agents.IdleText(idle) {
				text = fmt.Appendf(text, "# no effect under %s: %s\n", o.Rules, line)
			}
			return say(c, "%s", text)
		},
	}
	declare(c, &o)
	printsJSON(c, "agent", shownAgent{})
	return c
}

// shownAgent is the output of kind agent.
type shownAgent struct {
	agents.Spec
	Idle []agents.Idle `json:"idle"`
}
