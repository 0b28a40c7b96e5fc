// Package chooser lets agents choose moves in single positions, without an arena.
//
// A line of input holds a position, and possibly an agent and a level. The [Chooser] makes each agent once and answers
// each line with a [Choice]. An answer depends on its line, the line's number and the seed, not on earlier lines.
package chooser

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"

	"spar/agents"
	"spar/engines"
	"spar/engines/bulk"
)

// Line is a request for an agent's move in a position.
type Line struct {
	bulk.Line
	Agent string `json:"agent"` // name or path of an agent
	Level string `json:"level"` // level of the game's original program, instead of Agent
}

// Choice is an agent's move, with what the agent knows about it.
type Choice struct {
	ID   json.RawMessage `json:"id,omitempty" help:"id of the input line"`
	Move string          `json:"move,omitempty" help:"the move chosen"`
	Best []string        `json:"best,omitempty" help:"every move that the agent might have chosen"`
	// expected score of the side to move, 0 to 1; null if the agent gives none
	Score *float64 `json:"score" help:"expected score of the side to move, 0 to 1; null if the agent gives none"`
	// value on the agent's own scale
	Value *float64 `json:"value,omitempty" help:"score on the agent's own scale"`
	// depth of the search, in plies
	Depth int `json:"depth" help:"plies searched"`
	// number of positions or simulations searched
	Nodes int64    `json:"nodes" help:"positions searched, or simulations"`
	PV    []string `json:"pv,omitempty" help:"expected continuation"`
	Exact bool     `json:"exact,omitempty" help:"the score is proved"`
	Error string   `json:"error,omitempty" help:"reason why there is no move, with the input line"`
}

// Chooser answers each Line with a Choice. It keeps games and agents from line to line. The zero value is ready to use.
// It is not safe for concurrent use.
type Chooser struct {
	Games    bulk.Games
	Agent    string   `flag:"agent,a" help:"agent for lines that name no agent"`
	AgentSet []string `flag:"agent-set"`
	Seed     int64    `flag:"seed=1" help:"seed of random choices; each line has its own random stream"`

	specs  map[string]agents.Spec
	agents map[string]agents.Agent
}

// Close closes the agents that hold resources.
func (c *Chooser) Close() error {
	var all []error
	for _, a := range c.agents {
		if a, ok := a.(agents.Closer); ok {
			all = append(all, a.Close())
		}
	}
	c.agents = nil
	return errors.Join(all...)
}

// Spec returns the spec of an agent with the overrides applied.
func (c *Chooser) Spec(name string) (agents.Spec, error) {
	if s, ok := c.specs[name]; ok {
		return s, nil
	}
	s, err := agents.LoadSpec(name, c.AgentSet...)
	if err != nil {
		return s, err
	}
	if c.specs == nil {
		c.specs = map[string]agents.Spec{}
	}
	c.specs[name] = s
	return s, nil
}

// agent returns the agent of a spec under the rules of g. It makes the agent when it is first used.
func (c *Chooser) agent(ctx context.Context, s agents.Spec, name string, g *engines.Game) (agents.Agent, error) {
	key := name + "\n" + g.Name() + "\n" + g.RulesHash()
	if a, ok := c.agents[key]; ok {
		return a, nil
	}
	a, err := agents.NewContext(ctx, s, g)
	if err != nil {
		return nil, err
	}
	if c.agents == nil {
		c.agents = map[string]agents.Agent{}
	}
	c.agents[key] = a
	return a, nil
}

// Choose answers a line. The answer depends only on the line, its number and the seed, unless the agent's budget
// limits time.
func (c *Chooser) Choose(ctx context.Context, l *Line, number uint64) (Choice, error) {
	name := l.Agent
	switch {
	case name != "":
	case l.Level != "":
		name = l.Rules + "/" + l.Level
	case c.Agent != "":
		name = c.Agent
	default:
		return Choice{}, errors.New("no agent: give --agent, or \"agent\" or \"level\" in the input line")
	}
	g, err := c.Games.Game(&l.Line)
	if err != nil {
		return Choice{}, err
	}
	spec, err := c.Spec(name)
	if err != nil {
		return Choice{}, err
	}
	a, err := c.agent(ctx, spec, name, g)
	if err != nil {
		return Choice{}, err
	}
	p, err := bulk.OpenPosition(g, l.Position, l.Moves)
	if err != nil {
		return Choice{}, err
	}
	a.NewGame(agents.Seed{})
	d, err := a.Choose(ctx, p, spec.Budget, rand.New(rand.NewPCG(uint64(c.Seed), number)))
	if err != nil {
		return Choice{}, err
	}
	return Choice{
		ID:    l.ID,
		Move:  g.MoveText(d.Move),
		Best:  g.MoveTexts(d.Best),
		Score: number64(d.Score),
		Value: number64(d.Value),
		Depth: d.Depth,
		Nodes: d.Nodes,
		PV:    g.MoveTexts(d.PV),
		Exact: d.Exact,
	}, nil
}

// number64 returns a number in JSON; NaN is written as null.
func number64(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}
