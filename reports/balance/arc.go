package balance

import (
	"cmp"
	"math"
	"slices"

	"spar/arena/oracle"
	"spar/arena/store"
)

// Oracle describes the source of position values.
type Oracle struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`   // exact (the solved game) or agent
	Budget    string  `json:"budget"` // budget of the agent in words
	Spec      string  `json:"spec,omitempty"`
	Stronger  float64 `json:"stronger"` // budget relative to the strongest tier, in doublings
	Seed      int64   `json:"seed"`
	Group     string  `json:"group"` // the group of the strongest tier
	Games     int64   `json:"games"` // games of that group that were valued
	Positions int64   `json:"positions"`
	Noise     float64 `json:"noise"` // standard deviation of a value between two seeds; 0 for exact values
	Warning   string  `json:"warning,omitempty"`
}

// arc holds the position values of one game. Entry i is the value after ply start+i, and the last entry is
// the result.
type arc struct {
	rec    *record
	start  int
	v      []float64 // expected score of the first player: the mean of both searches
	values []store.PositionValue
}

// plies returns the length of the game.
func (a *arc) plies() float64 { return float64(a.rec.plies) }

// at returns which fraction of the game has been played at entry i.
func (a *arc) at(i int) float64 { return float64(a.start+i) / a.plies() }

// of converts the value at entry i to the view of a side.
func (a *arc) of(values []float64, i, side int) float64 {
	if side == 1 {
		return 1 - values[i]
	}
	return values[i]
}

// first returns the first entry after a ply. It excludes the start, because no move led to it.
func (a *arc) first() int {
	if a.start == 0 {
		return 1
	}
	return 0
}

// winner returns the side that won; ok is false for a draw.
func (a *arc) winner() (side int, ok bool) {
	switch a.rec.half {
	case 2:
		return 0, true
	case 0:
		return 1, true
	}
	return 0, false
}

// arcs returns an arc for each game with position values.
func arcs(games []*record, values *oracle.Values) []*arc {
	if values == nil {
		return nil
	}
	var out []*arc
	for _, r := range games {
		vs := values.Games[r.id]
		if len(vs) == 0 || vs[0].Ply != int(r.opening) || len(vs) != int(r.plies-r.opening) {
			continue // not in the sample, or valued in part
		}
		a := &arc{rec: r, start: int(r.opening), values: vs}
		a.v = courseOf(vs, r.z())
		out = append(out, a)
	}
	slices.SortFunc(out, func(x, y *arc) int { return cmp.Compare(x.rec.id, y.rec.id) })
	return out
}

// courseOf returns the values of a game: for each position the mean of its searches, then the result z.
func courseOf(values []store.PositionValue, z float64) (out []float64) {
	for _, v := range values {
		if v.Again != nil {
			v.Value = (v.Value + *v.Again) / 2
		}
		out = append(out, v.Value)
	}
	return append(out, z)
}

// oracleOf describes the source of the values of the strongest group.
func oracleOf(all []*arc, group string, values *oracle.Values, tiers []Tier) *Oracle {
	if values == nil || len(all) == 0 {
		return nil
	}
	out := &Oracle{
		Name:  values.Name,
		Kind:  "agent",
		Seed:  values.Seed,
		Noise: values.Noise,
		Group: group,
		Games: int64(len(all)),
	}
	switch {
	case values.Exact:
		out.Kind, out.Budget = "exact", "the solved game"
	default:
		out.Spec, out.Budget = values.Spec.Canonical(), values.Spec.Budget.String()
		if len(tiers) > 0 {
			if top := tiers[len(tiers)-1]; top.Amount > 0 && values.Spec.Budget.Iterations > 0 {
				out.Stronger = math.Log2(float64(values.Spec.Budget.Iterations) / float64(top.Amount))
			}
		}
		switch {
		case len(tiers) > 0 && out.Stronger < 1.99:
			out.Warning = "the search that evaluates positions has less than four times the budget of the strongest " +
				"tier, so its values partly repeat the players' own judgement"
		case values.Noise < minDeadZone/4:
			out.Warning = "repeated searches of a position return almost the same value, so Spar cannot estimate their error"
		}
	}
	for _, a := range all {
		out.Positions += int64(len(a.values))
	}
	return out
}

// minDeadZone is the smallest difference between two values that is not ignored. A search with little randomness
// shows no noise, but its values are not exact.
const minDeadZone = 0.02
