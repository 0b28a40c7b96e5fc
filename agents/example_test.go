package agents_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"spar/agents"
	"spar/configs"
	"spar/engines"
)

// cornerer is a type of one's own: it plays the first legal move, or with the knob "late" the last one.
type cornerer struct{ late bool }

func (cornerer) NewGame(agents.Seed) {}

func (c cornerer) Choose(
	_ context.Context,
	p *engines.Position,
	_ agents.Budget,
	_ *rand.Rand,
) (agents.Decision, error) {
	legal := p.AppendMoves(nil)
	if c.late {
		return agents.Decision{Move: legal[len(legal)-1], Score: 0.5}, nil
	}
	return agents.Decision{Move: legal[0], Score: 0.5}, nil
}

// A program brings an agent of its own: whatever takes the context (tournaments, tunings, reviews) makes it by the
// name of its kind.
func ExampleRegistry() {
	ctx := agents.WithRegistry(context.Background(), agents.Registry{
		"cornerer": func(_ context.Context, s agents.Spec, _ *engines.Game) (agents.Agent, error) {
			return cornerer{late: s.Own.Knobs["late"] > 0.5}, nil
		},
	})
	spec, err := agents.ParseSpec("mine.yaml", []byte("type: own\nown: {kind: cornerer, knobs: {late: 1}}\n"), "mine")
	if err != nil {
		fmt.Println(err)
		return
	}
	game, err := engines.Named("classic")
	if err != nil {
		fmt.Println(err)
		return
	}
	agent, err := agents.NewContext(ctx, spec, game)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := agent.Choose(ctx, game.NewPosition(), spec.Budget, nil)
	fmt.Println(game.MoveText(d.Move), err)
	_, err = agents.New(spec, game)
	fmt.Println(err)
	// Output:
	// c3 <nil>
	// agent mine: own.kind "cornerer": this program registers no agents of its own (see agents.Registry)
}

// An agent's file becomes a player of one game. Here it sees that X wins by c1.
func ExampleNew() {
	_, data, err := configs.Read(configs.Games, "classic")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := engines.Load("classic.yaml", data)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec, err := agents.ParseSpec("mine.yaml", []byte("type: minimax\nbudget: {depth: 2}\nties: first\n"), "mine", nil...)
	if err != nil {
		fmt.Println(err)
		return
	}
	agent, err := agents.New(spec, g)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.NewPosition()
	if err := p.PlayText([]string{"a1", "a2", "b1", "b2"}); err != nil {
		fmt.Println(err)
		return
	}
	agent.NewGame(agents.Seed{1, 2})
	d, err := agent.Choose(context.Background(), p, spec.Budget, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(g.MoveText(d.Move), d.Score, d.Exact, err)
	// Output: c1 1 true <nil>
}
