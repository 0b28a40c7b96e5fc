package campaign

import (
	"slices"

	"spar/agents"
	"spar/engines"
)

// Effort says how many games a balance study plays. Budgets are Monte-Carlo simulations per move and double from tier
// to tier; the weakest tier plays at random. Numbers of games are for one set of rules.
type Effort struct {
	Name    string
	Budgets []int64
	Sizes   Sizes
	Inquiry Inquiry
	Values  int // number of games in each group whose positions the report values
}

// Sizes are the numbers of games of the parts of a study.
type Sizes struct {
	Mirror     int `json:"mirror"`               // games of each tier against itself, from the true start
	Openings   int `json:"openings"`             // games of each tier against itself, from random openings
	Ladder     int `json:"ladder"`               // games of each tier against the next
	FirstMove  int `json:"first_move"`           // games that start with a forced first move, in total
	Restricted int `json:"restricted,omitempty"` // only in studies up to c647bb30, whose plan must stay the same text
	Knob       int `json:"knob"`                 // work of the search for better rules, about tenths of a second of a core
}

// lineWork is the factor by which the work of an inquiry is increased for games of lines (see engines.Game.Races).
// With it, a quick inquiry took 9.6 s of one core on average over 99 such games, and at most 58 s.
const lineWork = 3

// Efforts lists the efforts, the smallest first. A study of the slowest of the six games, infiltration or ctor, takes
// about a minute, 10 minutes or an hour on two cores. The sizes are upper bounds: an inquiry and the match-ups of
// tiers stop early when they are decided.
func Efforts() []Effort {
	return []Effort{
		{"quick", []int64{20, 40, 80}, Sizes{Mirror: 120, Openings: 20, Ladder: 60, FirstMove: 96}, Inquiry{
			Nodes: 500, Stages: 5, Free: 6, Forced: 1, Work: 2e7, Openings: 16, Tactics: true,
		}, 4},
		{
			"normal",
			[]int64{25, 50, 100, 200},
			Sizes{600, 80, 160, 800, 0, 120},
			Inquiry{Nodes: 500, Stages: 7, Free: 6, Forced: 1, Work: 2e8, Openings: 60, Tactics: true},
			16,
		},
		{
			"thorough",
			[]int64{25, 50, 100, 200, 400, 800},
			Sizes{800, 120, 200, 1600, 0, 200},
			Inquiry{Nodes: 500, Stages: 9, Free: 10, Forced: 2, Work: 2e9, Openings: 60, Tactics: true},
			40,
		},
	}
}

// FindEffort returns the effort with the given name.
func FindEffort(name string) (Effort, bool) {
	es := Efforts()
	i := slices.IndexFunc(es, func(e Effort) bool { return e.Name == name })
	if i < 0 {
		return Effort{}, false
	}
	return es[i], true
}

// EffortNames lists the names of the efforts.
func EffortNames() []string {
	var names []string
	for _, e := range Efforts() {
		names = append(names, e.Name)
	}
	return names
}

// scale multiplies the numbers of games by a factor, but not below their minimums.
func (s Sizes) scale(by float64) Sizes {
	times := func(n, least int) int { return max(least, int(float64(n)*by+0.5)) }
	return Sizes{
		times(s.Mirror, 10), times(s.Openings, 4), times(s.Ladder, 4), times(s.FirstMove, 8),
		s.Restricted, times(s.Knob, min(s.Knob, 10)),
	}
}

// Tiers returns the agents of a study of some games, the weakest first. The budgets are simulations per move. On small
// boards the agents are alpha-beta, with NodesPer positions for each simulation.
func Tiers(budgets []int64, games ...*engines.Game) []agents.Spec {
	return Family("").tiers(budgets, games...)
}

func (f Family) tiers(budgets []int64, games ...*engines.Game) []agents.Spec {
	r := agents.DefaultSpec()
	r.Name, r.Type, r.Description = "random", "random", "A uniformly random legal move."
	out := []agents.Spec{r}
	for _, n := range budgets {
		switch {
		case f == ByMinimax:
			out = append(out, agents.Varied(n*NodesPer))
		case f == "" && len(games) > 0 && !slices.ContainsFunc(games, large):
			out = append(out, agents.AlphaBeta(n*NodesPer))
		default:
			out = append(out, agents.TreeSearch(n))
		}
	}
	return out
}
