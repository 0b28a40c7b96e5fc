package ratings

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

func (f *Fit) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// list joins names, at most six of them.
func list(names []string) string {
	const most = 6
	quoted := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", n))
	}
	s := strings.Join(quoted, ", ")
	if len(names) > most {
		s += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return s
}

// describe adds warnings about quantities that the table does not determine, and about games that would determine
// them.
func (f *Fit) describe() {
	if f.t.games == 0 {
		f.warn("no games")
		return
	}
	f.describeGroups()
	if !f.o.Few {
		f.describeStatus()
		f.describeAdvantage()
	}
	if f.Model != ModelScore && f.k > 1 {
		f.warn("ratings are converted to the Elo scale with the mean draw parameter of all strata")
	}
}

// middle returns the player of a group whose rating is closest to the mean: the most informative opponent.
func (f *Fit) middle(group int) string {
	best := -1
	for i, r := range f.Players {
		if r.Group == group && (best < 0 || math.Abs(f.theta[i]) < math.Abs(f.theta[best])) {
			best = i
		}
	}
	return f.Players[best].Name
}

func (f *Fit) describeGroups() {
	if f.parts.nWeak < 2 {
		return
	}
	var parts []string
	for g, names := range f.Groups {
		if g == 5 {
			parts = append(parts, fmt.Sprintf("%d more", len(f.Groups)-5))
			break
		}
		parts = append(parts, "{"+list(names)+"}")
	}
	var joins []string
	for g := 1; g < f.parts.nWeak; g++ {
		if g <= 3 {
			joins = append(joins, fmt.Sprintf("%q against %q", f.middle(0), f.middle(g)))
		}
	}
	f.warn("%d groups of agents never met, so each has its own scale with mean 0: %s; play %s to join them",
		f.parts.nWeak, strings.Join(parts, ", "), strings.Join(joins, ", "))
}

func (f *Fit) describeStatus() {
	by := make(map[Status][]int)
	for i, r := range f.Players {
		by[r.Status] = append(by[r.Status], i)
	}
	for _, of := range []struct {
		status Status
		text   string
	}{
		{StatusUnboundedAbove, "no upper bound relative to %s, because one group won every game against another"},
		{StatusUnboundedBelow, "no lower bound relative to %s, because one group lost every game against another"},
		{StatusUnbounded, "no bound relative to %s, because the results fit any difference in strength"},
		{StatusUnplaced, "no bound relative to %s, because only games against other agents connect them"},
		{StatusPrior, "the results determine no rating relative to %s (the likelihood has no maximum)"},
	} {
		s := of.status
		if len(by[s]) == 0 {
			continue
		}
		var names, extreme, seated, between []string
		for _, i := range by[s] {
			j := f.rival(i)
			if name := f.Players[i].Name; j >= 0 && f.shared(i, j) {
				seated = append(seated, name)
				continue
			} else if n := f.Players[i].Total(); s == StatusUnboundedAbove && n.Points() == float64(n.Games()) ||
				s == StatusUnboundedBelow && n.Points() == 0 {
				extreme = append(extreme, name)
			} else {
				names = append(names, name)
			}
			if j >= 0 && len(between) < 3 {
				between = append(between, fmt.Sprintf("%q and %q", f.Players[min(i, j)].Name, f.Players[max(i, j)].Name))
			}
		}
		advice := ""
		if slices.Sort(between); len(between) > 0 {
			advice = "; add an agent of strength between " + strings.Join(slices.Compact(between), ", and between ")
		}
		if len(extreme) > 0 {
			what := "lost every game, so there is no lower bound"
			if s == StatusUnboundedAbove {
				what = "won every game, so there is no upper bound"
			}
			f.warn("%s: %s. An N(0, %g) prior sets the Elo%s", list(extreme), what, f.o.priorSD, advice)
		}
		if len(names) > 0 {
			why := fmt.Sprintf(of.text, f.levelName(by[s][0]))
			f.warn("%s: %s. An N(0, %g) prior sets their Elo%s", list(names), why, f.o.priorSD, advice)
		}
		if len(seated) > 0 {
			f.warn("%s: the seats alone could explain every lost point, so the first-player advantage and the Elo both lack an "+
				"upper or a lower bound. An N(0, %g) prior sets both; more random opening plies would vary the games", list(seated), f.o.priorSD)
		}
	}
	if idle := by[StatusNoInformation]; len(idle) > 0 {
		var none, drawn []string
		for _, i := range idle {
			if f.Players[i].Total().Games() == 0 {
				none = append(none, f.Players[i].Name)
			} else {
				drawn = append(drawn, f.Players[i].Name)
			}
		}
		if len(none) > 0 {
			f.warn("%s: no games", list(none))
		}
		if len(drawn) > 0 {
			f.warn("%s: only draws, which show no differences in strength", list(drawn))
		}
	}
}

// levelName describes what the rating of player i is relative to.
func (f *Fit) levelName(i int) string {
	level := f.level(i)
	switch {
	case len(level) == 1 && level[0] == f.anchored():
		return fmt.Sprintf("%q", f.o.Anchors[0].Name)
	case f.ref[f.parts.weak[i]] >= 0:
		var names []string
		for _, j := range level {
			names = append(names, f.Players[j].Name)
		}
		return list(names)
	}
	return "the mean of their group"
}

// shared reports whether each of two players has scored against the other.
func (f *Fit) shared(i, j int) bool {
	var points [2]float64
	for _, p := range f.t.pairings {
		for side, seats := range [2][2]int{{i, j}, {j, i}} {
			if p.First == seats[0] && p.Second == seats[1] {
				points[side] += p.Points()
				points[1-side] += float64(p.Games()) - p.Points()
			}
		}
	}
	return points[0] > 0 && points[1] > 0
}

// rival returns the player of another part of the group whose rating is closest, or -1.
func (f *Fit) rival(i int) int {
	best := -1
	for j := range f.Players {
		if f.parts.weak[j] != f.parts.weak[i] || f.parts.comp[j] == f.parts.comp[i] {
			continue
		}
		if best < 0 || math.Abs(f.theta[j]-f.theta[i]) < math.Abs(f.theta[best]-f.theta[i]) {
			best = j
		}
	}
	return best
}

func (f *Fit) describeAdvantage() {
	for s, a := range f.Advantages {
		in := ""
		if a.Stratum != "" { // each stratum has its own advantage
			in = fmt.Sprintf(" in %q", a.Stratum)
		}
		switch a.Status {
		case StatusNotIdentified:
			f.warn("the first-player advantage%s is confounded with the ratings, because the seats were not balanced. "+
				"An N(0, %g) prior sets it; play %s to identify it", in, f.o.priorSD, f.swap(s))
		case StatusUnboundedAbove:
			f.warn("the first player won every informative game%s: the advantage has a lower bound only", in)
		case StatusUnboundedBelow:
			f.warn("the second player won every informative game%s: the advantage has an upper bound only", in)
		case StatusPrior:
			f.warn("the games%s do not identify the first-player advantage: a prior sets its value", in)
		}
	}
}

// swap names up to three match-ups of stratum s that were played in only one order of seats.
func (f *Fit) swap(s int) string {
	type key struct{ a, b, s int }
	played := make(map[key]bool)
	for _, p := range f.t.pairings {
		played[key{p.First, p.Second, p.Stratum}] = true
	}
	var out []string
	for _, p := range f.t.pairings {
		if f.strataOf[p.Stratum] == s && !played[key{p.Second, p.First, p.Stratum}] && len(out) < 3 {
			out = append(out, fmt.Sprintf("%q against %q", f.t.players[p.Second], f.t.players[p.First]))
		}
	}
	return strings.Join(out, ", ")
}
