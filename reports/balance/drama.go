package balance

import (
	"slices"

	"spar/ratings"
)

// Course is how the lead changed during games, from position values after every ply. N counts sampled games.
type Course struct {
	Games    int64 `json:"games"`    // number of sampled games
	Decisive int64 `json:"decisive"` // sampled games with a winner

	// point of no return: mean fraction of a won game that has been played when the winner takes the lead for good;
	// low = a long decided ending
	Decisiveness ratings.Estimate `json:"decisiveness"`
	// distribution of the fraction at which the winner leads for good
	SettledECDF []Step `json:"decisive_ecdf"`
	// mean number of lead changes outside the dead zone; the first lead does not count
	LeadChanges ratings.Estimate `json:"lead_changes"`
	LeadBars    []Bar            `json:"lead_histogram"`
	// differences of values up to this are ignored: twice the oracle's noise, at least 0.02; 0 for exact values
	DeadZone float64 `json:"dead_zone"`
}

// Step is a step of an empirical distribution: the fraction of games with at most X.
type Step struct {
	X     float64 `json:"x"`
	Share float64 `json:"share"`
}

// minDeadZone is the smallest difference between two values that is not ignored. A search with little randomness
// shows no noise, but its values are not exact.
const minDeadZone = 0.02

type dramaSums struct{ d *groupData }

func newDrama(d *groupData) sums { return dramaSums{d} }

// Add implements sums. The group keeps the games with position values.
func (dramaSums) Add([]*record) {}

// Result implements sums.
func (s dramaSums) Result(m measurer, g *Group) {
	all := arcs(s.d.valued, m.values)
	if len(all) == 0 {
		return
	}
	out := &Course{Games: int64(len(all)), SettledECDF: []Step{}}
	if !m.values.Exact {
		out.DeadZone = max(2*m.values.Noise, minDeadZone)
	}
	var decided, changes []float64
	var whole dist
	for _, a := range all {
		n := leadChanges(a.v[a.first():], out.DeadZone)
		whole.add(n)
		changes = append(changes, float64(n))
		if side, won := a.winner(); won {
			out.Decisive++
			decided = append(decided, lastDoubt(a, side))
		}
	}
	out.Decisiveness = m.mean(decided, "decisive games", "share")
	out.LeadChanges, out.LeadBars = m.mean(changes, "games", "changes"), bars(&whole)
	slices.Sort(decided)
	for i, x := range decided {
		if i+1 == len(decided) || decided[i+1] != x {
			out.SettledECDF = append(out.SettledECDF, Step{X: x, Share: float64(i+1) / float64(len(decided))})
		}
	}
	g.Course = out
}

// lastDoubt returns the fraction of the game played at the last position in which the winner does not lead; 0 if the
// winner always leads.
func lastDoubt(a *arc, side int) float64 {
	for i := len(a.v) - 2; i >= 0; i-- {
		if a.of(a.v, i, side) <= 0.5 {
			return a.at(i)
		}
	}
	return 0
}

// leadChanges counts how often the lead changes sides. Values within the dead zone around 1/2 do not change it.
func leadChanges(v []float64, dead float64) int {
	leader, n := 0, 0
	for _, x := range v {
		now := 0
		switch {
		case x > 0.5+dead:
			now = 1
		case x < 0.5-dead:
			now = -1
		}
		if now == 0 || now == leader {
			continue
		}
		if leader != 0 {
			n++
		}
		leader = now
	}
	return n
}
