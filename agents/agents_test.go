package agents_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"spar/agents"
	"spar/agents/patterns"
	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

func loadSpec(t testing.TB, name string, set ...string) agents.Spec {
	t.Helper()
	s := must.Get(agents.LoadSpec(name, set...))(t)
	return s
}

func newAgent(t testing.TB, s agents.Spec, g *engines.Game) agents.Agent {
	t.Helper()
	a := must.Get(agents.New(withSharedNet(s, g), g))(t)
	a.NewGame(agents.Seed{})
	return a
}

// nets are files by their hashes. Reading one takes longer than most searches of these tests.
var nets sync.Map

// withSharedNet is what an agent is in a game, with the net that others have read, if it has one.
func withSharedNet(s agents.Spec, g *engines.Game) agents.Spec {
	full := s.For(g)
	if net := full.Evaluation.Net; net != nil {
		one, _ := nets.LoadOrStore(net.Hash(), net)
		full.Evaluation.Net = one.(*patterns.File)
	}
	return full
}

// position plays moves from the start of a game.
func position(t testing.TB, g *engines.Game, moves string) *engines.Position {
	t.Helper()
	p := g.NewPosition()
	must.Do(t, p.PlayText(strings.Fields(moves)))
	return p
}

// randomPosition plays random moves until the ply, or begins again when the game ends before.
func randomPosition(g *engines.Game, plies int, rng *rand.Rand) *engines.Position {
	for {
		p := g.NewPosition()
		for p.Ply() < plies && !p.Over() {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
		if !p.Over() {
			return p
		}
	}
}

// presets are the shipped agents that play within this process.
func presets(t testing.TB) []agents.Spec {
	t.Helper()
	var specs []agents.Spec
	for _, name := range configs.Names(configs.Agents) {
		if s := loadSpec(t, name); s.Type != "ugi" {
			specs = append(specs, s)
		}
	}
	return specs
}

// affordable lowers a spec's count budget so that a decision on a large board takes milliseconds, and
// a search to the end of a game that does not end.
func affordable(s agents.Spec, g *engines.Game) agents.Budget {
	b := s.Budget
	if g.Cells() > 9 || b.Depth > 100 && g.Name() != "classic" {
		b.Depth, b.Iterations = min(b.Depth, 2), min(b.Iterations, 100)
	}
	return b
}

func levelOf(name string) (game string, ok bool) {
	game, _, ok = strings.Cut(name, "/")
	return game, ok
}

// Every shipped agent file loads and plays a legal move in shipped games that it fits: the source's levels and learned
// evaluations at least in their own game, all others in every second.
func TestPresetsPlayTheirGames(t *testing.T) {
	t.Parallel()
	games := map[string]*engines.Game{}
	for _, name := range configs.Names(configs.Games) {
		games[name] = enginetest.Load(t, name)
	}
	for _, s := range presets(t) {
		if s.Type == "perfect" {
			s.Perfect.MemoryMB = 2 // room for the games that it fits; the others are given up early
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			fits := 0
			for name, g := range games {
				own, ok := levelOf(s.Name)
				if ok = ok && own == name; !ok && (len(s.Name)+len(name)/2)%4 != 0 {
					continue // every fourth game, and its own
				}
				a, err := agents.New(withSharedNet(s, g), g)
				if err != nil {
					if choosy := s.Type == "source" || s.Type == "perfect" || s.Evaluation.Net != nil; !choosy || ok {
						t.Errorf("%s: %v", name, err)
					}
					continue
				}
				fits++
				rng := rand.New(rand.NewPCG(1, 2))
				plies := g.Cells() / 3 * ((len(s.Name) + len(name)) % 2) // from the start in half of the games
				p := randomPosition(g, plies, rng)
				a.NewGame(agents.Seed{1, 2})
				budget := affordable(s, g)
				if s.Type == "strongest" {
					budget.Seconds = 0.01
				}
				d, err := a.Choose(context.Background(), p, budget, rng)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				legal := p.AppendMoves(nil)
				if !slices.Contains(legal, d.Move) || !slices.Contains(d.Best, d.Move) {
					t.Errorf("%s: %s chose %s of %v, legal are %v", name, p.Text(), g.MoveText(d.Move),
						g.MoveTexts(d.Best), g.MoveTexts(legal))
				}
			}
			if fits == 0 {
				t.Errorf("%s fits no shipped game", s.Name)
			}
		})
	}
}

// The same spec, seed and count budget give the same decisions: two agents of a spec agree through a game, whatever
// either has played before. Deterministic agents agree with other seeds, too.
func TestSameSeedSameDecisions(t *testing.T) {
	t.Parallel()
	for _, s := range presets(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			names := []string{"vanishing", "checkerboard", "infiltration-6x6"}
			if own, ok := levelOf(s.Name); ok {
				names = []string{own}
			}
			if s.Type == "perfect" {
				names = []string{"vanishing"}
			}
			for _, name := range names {
				g := enginetest.Load(t, name)
				used, fresh := newAgent(t, s, g), newAgent(t, s, g)
				budget := affordable(s, g)
				decide := func(a agents.Agent, plies int, seed uint64) []string {
					rng := rand.New(rand.NewPCG(seed, 12))
					p := randomPosition(g, plies, rand.New(rand.NewPCG(3, 4)))
					a.NewGame(agents.Seed{seed, 12})
					var out []string
					for range 4 {
						if p.Over() {
							break
						}
						d := must.Get(a.Choose(context.Background(), p, budget, rng))(t)
						out = append(
							out,
							fmt.Sprintf("%s of %v, score %.9g, depth %d, %d nodes", g.MoveText(d.Move),
								g.MoveTexts(d.Best), d.Score, d.Depth, d.Nodes),
						)
						p.Play(d.Move)
					}
					return out
				}
				seed := uint64(11)
				if decide(used, 2, seed); s.Deterministic() {
					seed = 99
				}
				if got, want := decide(used, 4, seed), decide(fresh, 4, 11); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: decided\n%s\nand then\n%s", name, strings.Join(want, "\n"), strings.Join(got, "\n"))
				}
			}
		})
	}
}
