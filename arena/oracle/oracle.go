// Package oracle evaluates the positions of recorded games by one evaluator for a whole report. If the game is solved,
// the evaluator is its exact table; otherwise it is the search of one named agent.
//
// Evaluate draws a sample of the games, evaluates each position once, and stores the values in the study. A second
// report reads them, and a second run continues a stopped one.
package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"spar/agents"
	"spar/arena/store"
)

// near is a part of the stored form, which earlier versions used.
const near = 0.05

// version is the version of the stored form. Values of other versions are not used.
const version = 2

// Values are the values of positions in a sample of games.
type Values struct {
	Name  string      // name of the evaluator
	Exact bool        // the values come from a solved game
	Spec  agents.Spec // spec of the evaluator; zero if Exact
	Seed  int64
	// Noise is the standard error of a value in positions that are not nearly decided; 0 if the values are exact.
	// Each value is the mean of two searches, and Noise is estimated from their differences.
	Noise float64
	// values by game id; the first entry is the position after the opening, the last one the position before the
	// last ply
	Games map[int64][]store.PositionValue
	// Chosen are the values of games that were selected for a property, like the longest. They are not
	// representative of other games.
	Chosen map[int64][]store.PositionValue
}

// Options determine how positions are evaluated. The zero value is ready to use.
type Options struct {
	// Agent is the evaluator, of type mcts with a budget of iterations. If its type is empty, Default chooses one.
	Agent   agents.Spec
	Games   int   // number of games to sample from the strongest tier, or from all games; 0 = DefaultGames
	Others  int   // number of games to sample from each of the other tiers; 0 = a quarter of Games, -1 = none
	Seed    int64 // seed of the sample and of the searches
	Workers int   // number of goroutines; 0 = one for each processor. The values do not depend on it.
	Chosen  bool  // the games were selected, not drawn at random: their values are kept separately
	// MaxIterations limits the iterations of the evaluator that Default returns; 0 = DefaultMaxIterations.
	MaxIterations int64
	// Progress is called with the number of positions evaluated so far and the expected total. Calls do not overlap.
	// Stored values do not count.
	Progress func(done, total int64)
}

// The defaults of Options.
const (
	DefaultGames         = 60
	DefaultMaxIterations = 4000
)

// Sizes returns the number of games to sample for the strongest tier and for each other tier.
func (o Options) Sizes() (top, others int) {
	top = cmp.Or(max(o.Games, 0), DefaultGames)
	switch {
	case o.Others > 0:
		others = o.Others
	case o.Others == 0:
		others = (top + 3) / 4
	}
	return top, others
}

// Default returns the evaluator for games whose strongest agent is top. It is the same search without variation of
// play and with four times the budget, but with at most the given iterations. If top is not an mcts agent, it is the
// shipped mcts-1k with that maximum.
func Default(top *agents.Spec, budget agents.Budget, most int64) (agents.Spec, error) {
	most = cmp.Or(max(most, 0), DefaultMaxIterations)
	iterations := most
	var s agents.Spec
	if top != nil && top.Type == "mcts" {
		s = *top
		if n := cmp.Or(budget.Iterations, budget.Nodes, 1000); !budget.Timed() {
			iterations = min(4*n, most)
		}
	} else {
		var err error
		if s, err = agents.LoadSpec("mcts-1k"); err != nil {
			return s, err
		}
	}
	s.Name = fmt.Sprintf("oracle-mcts-%d", iterations)
	s.Description = ""
	s.Budget = agents.Budget{Iterations: iterations}
	return s, nil
}

// quiet removes those knobs from a spec that make an agent vary its play, or make its values depend on earlier
// searches.
func quiet(s agents.Spec) agents.Spec {
	s.Mixture = agents.Mixture{}
	s.MCTS.Noise, s.MCTS.Temperature, s.MCTS.Reuse = 0, 0, false
	s.MCTS.Threads = min(s.MCTS.Threads, 1)
	return s
}

// record returns the evaluator in its stored form, which has only what determines the values.
func record(rules string, exact bool, s agents.Spec, seed int64, chosen bool) (store.Oracle, error) {
	var agent *agents.Spec
	if !exact {
		agent = &s
	}
	text, err := json.Marshal(struct {
		Version int          `json:"version"`
		Near    float64      `json:"near"`
		Exact   bool         `json:"exact,omitempty"`
		Agent   *agents.Spec `json:"agent,omitempty"`
		Seed    int64        `json:"seed,omitempty"`
		Chosen  bool         `json:"chosen,omitempty"`
	}{version, near, exact, agent, seed, chosen})
	return store.Oracle{
		Name:  s.Name,
		Rules: rules,
		Spec:  string(text),
		Exact: exact,
		Seed:  seed,
	}, err
}

// read parses a record. The result ok is false for another version, and for values of selected games.
func read(o store.Oracle) (s agents.Spec, ok bool) {
	var form struct {
		Version int     `json:"version"`
		Near    float64 `json:"near"`
		Agent   *agents.Spec
		Chosen  bool `json:"chosen"`
	}
	s = agents.DefaultSpec()
	form.Agent = &s
	if json.Unmarshal([]byte(o.Spec), &form) != nil || form.Version != version || form.Near != near || form.Chosen {
		return s, false
	}
	if o.Exact {
		s = agents.Spec{Name: o.Name}
	}
	return s, true
}

// noise estimates the standard deviation of the mean of two searches from their differences. It is half the root
// mean square of the differences.
func noise(games map[int64][]store.PositionValue) float64 {
	sum, n := 0.0, 0.0
	for _, id := range slices.Sorted(maps.Keys(games)) { // in order, so that the sum is always the same
		for _, v := range games[id] {
			if v.Again != nil && math.Abs((v.Value+*v.Again)/2-0.5) < 0.45 {
				d := v.Value - *v.Again
				sum, n = sum+d*d, n+1
			}
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum/n) / 2
}
