package tuning

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines"
)

// Options of a program and knobs of an agent of one's own are numbers like others; a copy of the agent has its own.
func TestNumbersOfOthers(t *testing.T) {
	t.Parallel()
	start := must.Get(agents.ParseSpec("x.yaml", []byte("type: ugi\nugi: {command: x, options: {skill: \"3\", ease: "+
		"\"0.25\", style: wild}}\n"), "x"))(t)
	s := owned(start)
	for path, want := range map[string]float64{"ugi.options.skill": 3, "ugi.options.ease": 0.25} {
		if k, err := numberAt(&s, path); err != nil || k.number() != want || k.integer != (want == 3) {
			t.Errorf("%s: integer %t, %v", path, k.integer, err)
		}
		if err := put(&s, path, 7.6); err != nil {
			t.Error(err)
		}
	}
	if s.UGI.Options["skill"] != "8" || s.UGI.Options["ease"] != "7.6" || start.UGI.Options["skill"] != "3" {
		t.Errorf("%v, at first %v", s.UGI.Options, start.UGI.Options)
	}
}

// careful takes the first move that wins, with the chance that its knob says, else any.
type careful struct{ care float64 }

func (careful) NewGame(agents.Seed) {}

func (c careful) Choose(_ context.Context, p *engines.Position, _ agents.Budget, rng *rand.Rand) (agents.Decision,
	error,
) {
	legal := p.AppendMoves(nil)
	if rng.Float64() < c.care {
		for _, m := range legal {
			next := p.Clone()
			next.Play(m)
			if next.Over() {
				return agents.Decision{Move: m}, nil
			}
		}
	}
	return agents.Decision{Move: legal[rng.IntN(len(legal))]}, nil
}

// An agent of one's own is tuned like any other: care pays, so that a search finds more of it.
func TestTuneOwnAgent(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	x := must.Get(Load("own.yaml", []byte(`
name: own
rules: classic
agent: {agent: random, name: mine, set: {type: own, own.kind: careful, own.knobs.care: 0.2}}
parameters: [{path: own.knobs.care, min: 0, max: 1, scale: 0.3}]
method: spsa
games: 1200
openings: {plies: 1}
checks: {points: 0}
seed: 3
`), "database="+filepath.Join(folder, "own.db")))(t)
	ctx := agents.WithRegistry(t.Context(), agents.Registry{"careful": func(_ context.Context, s agents.Spec,
		_ *engines.Game,
	) (agents.Agent, error) {
		return careful{s.Own.Knobs["care"]}, nil
	}})
	db := storetest.Open(t, x.Database)
	r := must.Get(x.Run(ctx, db, nil))(t)
	if r.Tuned.Own.Knobs["care"] < 0.35 || r.Tuned.Own.Knobs["care"] > 1 {
		t.Errorf("care %v after tuning, from 0.2", r.Tuned.Own.Knobs["care"])
	}
	text, err := AgentYAML(r.Tuned, "")
	if err != nil || !strings.Contains(string(text), `kind: "careful"`) || !strings.Contains(string(text), "care:") {
		t.Errorf("%v\n%s", err, text)
	}
}
