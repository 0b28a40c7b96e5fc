package balance

import (
	"fmt"
	"slices"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// drama measures how the lead changes, from values of positions.
func drama() measure {
	return measure{
		sums:    newDrama,
		missing: dramaMissing,
		answers: dramaAnswers,
		section: dramaSection,
	}
}

func dramaMissing(r *Report) []Missing {
	if r.Headline < 0 {
		return nil
	}
	switch g := r.played(); {
	case g.Course == nil:
		return []Missing{{
			"Lead changes, point of no return", "",
			"the positions have no values: spar report --values 16 computes them",
		}}
	case !g.Course.Decisiveness.Known():
		return []Missing{{"Point of no return", g.Name, "no game of the sample was won"}}
	}
	return nil
}

func dramaAnswers(v *view) []Answer {
	if v.played.Course == nil || !v.played.Course.Decisiveness.Known() {
		return nil
	}
	n := v.played.Course.Decisiveness
	if n.Hi-n.Lo > 0.5 { // that says nothing
		return nil
	}
	a := Answer{
		Question: "Dramatic?",
		Estimate: n,
		Claim:    "the winner leads for good after " + said(n) + " of a game",
	}
	switch {
	case n.Lo > 0.5:
		a.Verdict = "Open till late"
	case n.Hi < 1.0/3:
		a.Verdict = "Decided early"
	}
	return []Answer{a}
}

// fewCourses is the number of games below which a figure of them would show chance.
const fewCourses = 8

func dramaSection(v *view) page.Section {
	c := v.played.Course
	if c == nil {
		return page.Section{}
	}
	s := page.Section{ID: "drama", Title: "Drama", Lead: "The lead changes " + said(c.LeadChanges) + " times a game, " +
		c.LeadChanges.Count() + "."}
	if c.Games < fewCourses {
		s.Lead = fmt.Sprintf("Only %s evaluated: too few to say how the lead changes.", screen.Plural(c.Games, "game"))
	} else if c.LeadChanges.Hi < 0.05 { // all three numbers round to 0.0
		s.Lead = "The lead hardly ever changes."
	}
	settled := &chart.Lines{
		X: chart.Axis{Label: "share of the game played", Unit: chart.Percent, Max: 1},
		Y: chart.Axis{Label: "share of the won games", Unit: chart.Percent, Max: 1},
	}
	evaluated := slices.DeleteFunc(v.tiers(), func(g *Group) bool { return g.Course == nil || g.Course.Decisive < fewCourses })
	shown, say := some(evaluated)
	for _, g := range shown {
		e := chart.Line{Name: v.label(g), Style: chart.Stairs, Points: []chart.Point{chart.PointAt(0, 0)}}
		for _, p := range g.Course.SettledECDF {
			e.Points = append(e.Points, chart.PointAt(p.X, p.Share))
		}
		e.Points = append(e.Points, chart.PointAt(1, 1))
		settled.Lines = append(settled.Lines, e)
	}
	if len(evaluated) == 0 {
		return s
	}
	s.Figures = []page.Figure{{
		ID: "settled", Title: "When the winner leads for good",
		Caption: "Share of the won games whose winner leads from that point on." + say, Chart: settled,
	}}
	t := v.perGroup(evaluated, "courses", "Sampled games", func(g *Group) []any {
		return []any{
			"lasting lead after", table.Help("share of a won game until the winner leads for good", g.Course.Decisiveness),
			"lead changes", g.Course.LeadChanges,
		}
	})
	if c.DeadZone > 0 {
		t.Note = fmt.Sprintf("Lead changes: values within %.1f points of even count as no lead.", 100*c.DeadZone)
	}
	s.Tables = []table.Table{t}
	return s
}

// Course describes how the lead changed during games, by the values of positions after every ply. N counts sampled
// games.
type Course struct {
	Games    int64 `json:"games"`    // number of sampled games
	Decisive int64 `json:"decisive"` // sampled games with a winner

	// point of no return: mean fraction of a won game that has been played when the winner takes the lead for good; low
	// if games are decided long before they end
	Decisiveness ratings.Estimate `json:"decisiveness"`
	// distribution of the fraction at which the winner leads for good
	SettledECDF []Step `json:"decisive_ecdf"`
	// mean number of lead changes outside the dead zone; the first lead does not count
	LeadChanges ratings.Estimate `json:"lead_changes"`
	LeadBars    []Bar            `json:"lead_histogram"`
	// the measures ignore differences of values up to this: twice the oracle's noise, from 0.02 to 0.25; 0 for exact values
	DeadZone float64 `json:"dead_zone"`
}

// Step is a step of an empirical distribution: the fraction of games with at most X.
type Step struct {
	X     float64 `json:"x"`
	Share float64 `json:"share"`
}

type dramaSums struct{ d *groupData }

func newDrama(d *groupData) sums { return dramaSums{d} }

// Add implements the interface sums. The group keeps the games with position values.
func (dramaSums) Add([]*record) {}

// Result implements the interface sums.
func (s dramaSums) Result(m measurer, g *Group) {
	all := arcs(s.d.valued, m.values)
	if len(all) == 0 {
		return
	}
	out := &Course{Games: int64(len(all)), SettledECDF: []Step{}}
	if !m.values.Exact {
		out.DeadZone = min(max(2*m.values.Noise, minDeadZone), 0.5-comebackBelow) // a comeback changes the lead
	}
	var decided []float64
	var settled, changes ratings.ClusteredMean
	var whole dist
	for _, a := range all {
		n := leadChanges(a.v[a.first():], out.DeadZone)
		whole.add(n)
		changes.Add(float64(n), 1, 0)
		if side, won := a.winner(); won {
			out.Decisive++
			decided = append(decided, lastDoubt(a, side))
			settled.Add(decided[len(decided)-1], 1, 0)
		}
	}
	if len(decided) > 0 {
		out.Decisiveness = warnThin(settled.Mean(m.level, "decisive games"))
	}
	out.LeadChanges = warnThin(changes.Average(m.level))
	out.LeadBars = bars(&whole, &dist{})
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
