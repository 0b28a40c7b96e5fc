package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/engines"
)

// choiceLine is a position as "spar choose" reads it.
type choiceLine struct {
	replayLine
	Agent    string `json:"agent"`
	Level    string `json:"level"`
	Position string `json:"position"`
}

type choice struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Move  string          `json:"move,omitempty"`
	Best  []string        `json:"best,omitempty"`
	Score *float64        `json:"score"`
	Value *float64        `json:"value,omitempty"` // the agent's own measure
	Depth int             `json:"depth"`
	Nodes int64           `json:"nodes"`
	PV    []string        `json:"pv,omitempty"`
	Exact bool            `json:"exact,omitempty"`
	Error string          `json:"error,omitempty"`
}

func chooseCommand() *cobra.Command {
	var (
		agent  string
		set    []string
		seed   int64
		asJSON bool
	)
	c := &cobra.Command{
		Use:   "choose [FILE|-]",
		Short: "Let an agent choose moves in positions given as move lists",
		Long: `Reads one JSON object a line, {"id":…, "rules":"checkerboard", "set":{…}, "moves":[…]}, optionally with "agent":"checkerboard/hard"
or "level":"hard" (the source's level of that game), and prints the agent's move and every move that it might have chosen.`,
		Example: `  echo '{"id":1,"rules":"classic","moves":["a1"]}' | spar choose --agent minimax-6
  spar choose positions.jsonl --agent mcts-1k --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			k := &chooser{games: gameCache{}, agents: map[string]agents.Agent{}, specs: map[string]agents.Spec{}, agent: agent, set: set, seed: seed}
			if agent != "" {
				if _, err := k.spec(agent); err != nil {
					return err
				}
			}
			return k.all(c.Context(), in, name, c.OutOrStdout(), asJSON)
		},
	}
	c.Flags().StringVarP(&agent, "agent", "a", "", "the agent, unless a line names its own")
	c.Flags().StringArrayVar(&set, "agent-set", nil, "override a knob of the agent, like budget.depth=3 (repeatable)")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of random choices; each line has a stream of its own")
	jsonFlag(c, &asJSON)
	if err := c.RegisterFlagCompletionFunc("agent", agentNames); err != nil {
		panic(err) // the flag stands just above
	}
	return c
}

// chooser keeps agents from line to line.
type chooser struct {
	games  gameCache
	agents map[string]agents.Agent
	specs  map[string]agents.Spec
	agent  string
	set    []string
	seed   int64
}

func (k *chooser) all(ctx context.Context, in io.Reader, name string, out io.Writer, asJSON bool) error {
	buffered := bufio.NewWriter(out)
	failed := false
	err := eachLine(in, name, func(number int, line []byte) error {
		var l choiceLine
		var r choice
		if err := json.Unmarshal(line, &l); err != nil {
			r.Error = fmt.Sprintf("%s:%d: not a position: %v", name, number, err)
		} else if r, err = k.choose(ctx, l, uint64(number)); err != nil {
			r.ID, r.Error = l.ID, err.Error()
		}
		failed = failed || r.Error != ""
		if asJSON {
			return errors.Join(printJSON(buffered, "move", r), ctx.Err())
		}
		if r.Error != "" {
			fmt.Fprintf(buffered, "%s: %s\n", r.ID, r.Error)
		} else {
			fmt.Fprintf(buffered, "%s: %s   of %s, %d nodes\n", r.ID, r.Move, strings.Join(r.Best, " "), r.Nodes)
		}
		return ctx.Err()
	})
	if err := errors.Join(err, buffered.Flush()); err != nil {
		return err
	}
	if failed {
		return errSaid
	}
	return nil
}

func (k *chooser) spec(name string) (agents.Spec, error) {
	if s, ok := k.specs[name]; ok {
		return s, nil
	}
	s, err := loadAgent(name, k.set)
	if err == nil {
		k.specs[name] = s
	}
	return s, err
}

func (k *chooser) choose(ctx context.Context, l choiceLine, number uint64) (choice, error) {
	name := l.Agent
	switch {
	case name != "":
	case l.Level != "":
		name = l.Rules + "/" + l.Level
	case k.agent != "":
		name = k.agent
	default:
		return choice{}, errors.New("no agent: give --agent, or \"agent\" or \"level\" in the line")
	}
	g, err := k.games.game(l.Rules, l.Set)
	if err != nil {
		return choice{}, err
	}
	spec, err := k.spec(name)
	if err != nil {
		return choice{}, err
	}
	key := name + " " + g.Name() + " " + g.RulesHash()
	a, ok := k.agents[key]
	if !ok {
		if a, err = agents.New(spec, g); err != nil {
			return choice{}, err
		}
		k.agents[key] = a
	}
	p, err := readPosition(g, l.Position, l.Moves)
	if err != nil {
		return choice{}, err
	}
	if p.Over() {
		return choice{}, fmt.Errorf("the game is over (%s by %s)", p.Result(), p.Reason())
	}
	a.NewGame(agents.Seed{})
	d, err := a.Choose(ctx, p, spec.Budget, rand.New(rand.NewPCG(uint64(k.seed), number)))
	if err != nil {
		return choice{}, err
	}
	r := choice{ID: l.ID, Move: g.MoveText(d.Move), Best: g.MoveTexts(d.Best), Depth: d.Depth, Nodes: d.Nodes, PV: g.MoveTexts(d.PV), Exact: d.Exact}
	if !math.IsNaN(d.Score) {
		r.Score = &d.Score
	}
	if !math.IsNaN(d.Value) {
		r.Value = &d.Value
	}
	return r, nil
}

// readPosition builds a position from its text, if there is one, and moves.
func readPosition(g *engines.Game, text string, moves []string) (*engines.Position, error) {
	p := g.NewPosition()
	if text != "" {
		s, err := g.ParseState(text)
		if err != nil {
			return nil, err
		}
		p = engines.PositionAt(s)
	}
	return p, p.PlayText(moves)
}
