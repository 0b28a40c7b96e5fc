package tuning_test

import (
	"testing"

	"spar/agents"
	"spar/tuning"
)

const words = `
name: words
rules: classic
agent: {agent: greedy, set: {mixture.ignores_opponent: true, mixture.epsilon: 0.6}}
parameters:
  - {path: mixture.ignores_opponent, values: ["true", "false"]}
  - {path: mixture.epsilon, min: 0, max: 1}
openings: {plies: 1}
games: 300
checks: {points: 1, pairs: 20}
seed: 3
`

// A switch that costs games is turned off; a chance of random moves falls.
func TestWordsAreChosen(t *testing.T) {
	t.Parallel()
	{
		{
			x := load(t, words, "method=spsa")
			db := open(t, x)
			r, err := x.Run(t.Context(), db, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := (tuning.Choice{Path: "mixture.ignores_opponent", Before: "true", After: "false"}); len(r.Choices) != 1 ||
				r.Choices[0] != want {
				t.Fatalf("chosen %v, want %v; %v", r.Choices, want, r.Changes)
			}
			if r.Tuned.Mixture.IgnoresOpponent || !(r.Tuned.Mixture.Epsilon < 0.6) {
				t.Errorf("the answer: %+v", r.Tuned.Mixture)
			}
			if len(r.Checks) != 1 || r.Checks[0].Games < 280 || r.Checks[0].Match.Score.N != 20 {
				t.Errorf("checks %+v, want one of 20 pairs at the end", r.Checks)
			}
			text, err := tuning.AgentYAML(r.Tuned, "")
			if back, backErr := agents.ParseSpec("x.yaml", text, "x"); err != nil || backErr != nil ||
				back.Mixture.IgnoresOpponent {
				t.Errorf("%v %v: %s", err, backErr, text)
			}
		}
	}
}
