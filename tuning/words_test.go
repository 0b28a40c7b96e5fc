package tuning_test

import (
	"fmt"
	"testing"

	"spar/agents"
	"spar/arena/store"
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

// A switch that costs games is turned off, by both methods; a chance of random moves falls. Around the answer, the
// other value and more chance lose, and one place of a plane of the two is the answer itself.
func TestWordsAreChosen(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"spsa", "cma"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			x := load(t, words, "method="+method)
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
			slices, err := x.Landscape(t.Context(), db, r, 100, nil)
			if err != nil || len(slices) != 2 || len(slices[0].Points) != 1 || slices[0].Points[0].Word != "true" {
				t.Fatalf("landscape %+v, %v", slices, err)
			}
			if m := slices[0].Points[0].Match; m.Score.Value >= 0.5 {
				t.Errorf("deaf to the opponent: %.2f against the answer", m.Score.Value)
			}
			players := map[string]bool{}
			for row, err := range db.Games(t.Context(), store.Filter{Event: "words landscape 100"}) {
				if err != nil {
					t.Fatal(err)
				}
				players[row.FirstName] = true
			}
			if len(players) != 2+len(slices[1].Points) || !players["words tuned"] ||
				!players["words mixture.ignores_opponent true"] ||
				!players[fmt.Sprintf("words mixture.epsilon %+g", slices[1].Points[0].Step)] {
				t.Errorf("the landscape was played by %v", players)
			}
			plane, err := x.Together(t.Context(), db, r, [2]string{"mixture.epsilon", "mixture.ignores_opponent"}, 20, nil)
			if err != nil {
				t.Fatal(err)
			}
			own := 0
			for i, row := range plane.Cells {
				for k, c := range row {
					if c == nil {
						own++
						if plane.Axes[0][i].Step != 0 || plane.Axes[1][k].Word != "false" {
							t.Errorf("the answer's own place is %+v, %+v", plane.Axes[0][i], plane.Axes[1][k])
						}
					}
				}
			}
			if own != 1 || plane.Interaction != nil {
				t.Errorf("%d places of the answer, interaction %v", own, plane.Interaction)
			}
			if _, err := x.Together(t.Context(), db, r, [2]string{"mixture.epsilon", "mixture.softmix"}, 1, nil); err == nil {
				t.Error(err)
			}
		})
	}
}
