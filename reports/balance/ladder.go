package balance

import (
	"fmt"
	"math"
	"slices"

	"spar/arena/campaign"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// skill measures how much strength grows with the budget.
func skill() measure {
	return measure{
		lights:  skillLights,
		missing: skillMissing,
		answers: skillAnswers,
		flaws:   skillFlaws,
		section: skillSection,
	}
}

func skillMissing(r *Report) []Missing {
	if r.Ladder != nil {
		return nil
	}
	return []Missing{{"Depth", "", "no matches between neighbouring tiers"}}
}

// top returns the match of the two strongest tiers that differ in their budgets; false if there is none.
func (l *Ladder) top() (Rung, bool) {
	if l != nil {
		for _, r := range slices.Backward(l.Rungs) {
			if r.Doubling > 0 {
				return r, true
			}
		}
	}
	return Rung{}, false
}

func skillLights(r *Report) []Light {
	top, _ := r.Ladder.top()
	if top.Doubling > 1 {
		top.Elo = combine([]ratings.Estimate{top.Elo}, []float64{1 / top.Doubling}, top.Elo.Unit, "elo per doubling")
	}
	return []Light{rule{
		measure: "top_doubling", title: "Room to improve", section: "skill", good: band{20, math.Inf(1)},
		middling: band{0, math.Inf(1)}, goodText: "more than 20 Elo", middlingText: "more than 0 Elo",
		text: func(n ratings.Estimate) string {
			return "doubling the budget of the strongest agents is worth " + said(n) + " Elo"
		}, saturates: true,
	}.judge(top.Elo)}
}

func skillFlaws(v *view) []flaw {
	if c := v.r.light("top_doubling").Colour; c == Poor || c == NotGood {
		return []flaw{{"shallow", c, "longer search hardly helps"}}
	}
	return nil
}

func skillAnswers(v *view) []Answer {
	a, l := Answer{Question: "Deep?"}, v.r.light("top_doubling")
	top, ok := v.r.Ladder.top()
	if !ok {
		a.Claim = "no agents of increasing strength played"
		return []Answer{a}
	}
	a.Estimate, a.Colour = top.Score, l.Colour
	a.Verdict = map[Colour]string{
		Good: "Yes", Middling: "Somewhat", Poor: "No", NotGood: "Hardly", Undecided: "Not known yet",
	}[l.Colour]
	times := "twice"
	if top.Doubling != 1 {
		times = fmt.Sprintf("%.3g times", math.Exp2(top.Doubling))
	}
	a.Claim = fmt.Sprintf("a search %s as long scores %s against %s", times, said(top.Score), top.Lower)
	weakest := slices.IndexFunc(v.r.Ladder.Rungs, func(r Rung) bool { return r.Doubling > 0 })
	if s := v.r.Ladder.Skill; s.Known() && !s.LoOpen && s.Lo > 0 {
		a.Reason = fmt.Sprintf("from %s to %s there are %s levels, each scoring 60 %% against the one below",
			v.r.Ladder.Rungs[weakest].Lower, v.r.Ladder.Top, said(s))
	}
	if l.Colour == Undecided && v.r.Study.Effort != quick {
		a.Next = l.more()
	}
	return []Answer{a}
}

func skillSection(v *view) page.Section {
	l := v.r.Ladder
	if l == nil {
		return page.Section{}
	}
	s := page.Section{ID: "skill", Title: "Skill", Lead: "Every step to a longer search gives a significant gain."}
	if l.Saturated != "" {
		s.Lead = fmt.Sprintf("The first longer search without a significant gain is %s.", l.Saturated)
	}
	if l.Slope.Known() {
		s.Paragraphs = append(s.Paragraphs,
			fmt.Sprintf("Doubling the search budget is worth %s Elo on average.", said(l.Slope)))
	}
	line := chart.Line{Style: chart.Whiskers, Colour: chart.A}
	axis := chart.Axis{Label: "agents, weakest first"}
	for i, p := range l.Strength {
		axis.Names = append(axis.Names, p.Name)
		line.Points = append(line.Points, chart.PointOf(float64(i), p.Number))
	}
	t := table.Rows(l.Rungs, func(r Rung) []any {
		return []any{
			"agent", r.Upper, "against", r.Lower, "score", r.Score, "won", r.Wins, "drawn", r.Draws,
			"lost", r.Losses,
		}
	})
	t.ID, t.Caption = "ladder", "Each agent against the next weaker one"
	s.Tables = []table.Table{t}
	s.Figures = []page.Figure{{
		ID: "ladder", Title: "Strength above the weakest agent",
		Caption: "Cumulative Elo. Where the curve levels off, longer search no longer helps.",
		Chart:   &chart.Lines{X: axis, Y: chart.Axis{Label: "Elo"}, Lines: []chart.Line{line}},
	}}
	return s
}

// Ladder measures how much strength grows with the budget.
type Ladder struct {
	Rungs    []Rung           `json:"rungs"`    // matches of tier k+1 against tier k
	Strength []TierPoint      `json:"strength"` // Elo above the weakest tier: sum of the rungs up to this tier
	Slope    ratings.Estimate `json:"slope"`    // mean Elo per doubling, over tiers with budgets
	// Elo difference between the weakest and the strongest tier, in units of 70.44 Elo (a score of 60 %)
	Depth ratings.Estimate `json:"depth"`
	// Depth without the step from random play to the weakest tier that searches
	Skill ratings.Estimate `json:"skill"`
	// the strongest tier still gains, so the game is deeper than Depth
	LowerBound bool `json:"lower_bound"`
	// first doubling without a significant gain, like "mcts-400 over mcts-200"
	Saturated string   `json:"saturated,omitempty"`
	Top       string   `json:"top"`
	Events    []string `json:"events"`
}

// Rung is the match of two neighbouring tiers.
type Rung struct {
	Lower    string           `json:"lower"`
	Upper    string           `json:"upper"`
	Score    ratings.Estimate `json:"score"` // score of Upper, 0 to 1
	Elo      ratings.Estimate `json:"elo"`
	Doubling float64          `json:"doublings"` // log2 of the ratio of the budgets; 0 if one tier has no budget
	Wins     int64            `json:"wins"`
	Draws    int64            `json:"draws"`
	Losses   int64            `json:"losses"`
}

// eloOfRung is the Elo difference for a score of 60 %: 400·log10(0.6/0.4).
const eloOfRung = 70.43650362227250

// ladder computes strength and depth from the matches of neighbouring tiers.
func (m measurer) ladder(p *pass, tiers []Tier) *Ladder {
	out := &Ladder{Rungs: []Rung{}, Strength: []TierPoint{}, Events: []string{}}
	events, looked := map[int32]bool{}, false
	for i, e := range p.data.Events {
		if e.Purpose == campaign.PurposeLadder {
			events[int32(i)], looked = true, looked || e.Clear
			out.Events = append(out.Events, e.Name)
		}
	}
	if len(events) == 0 {
		return nil
	}
	index := map[string]int32{}
	for i, name := range p.names {
		index[name] = int32(i)
	}
	found := map[[2]int32]*duel{}
	for _, d := range p.duels(func(event int32) bool { return events[event] }) {
		found[[2]int32{d.a, d.b}], found[[2]int32{d.b, d.a}] = d, d
	}
	var elos []ratings.Estimate
	var factors []float64
	for i := 1; i < len(tiers); i++ {
		lower, upper := tiers[i-1], tiers[i]
		d := found[[2]int32{index[upper.Name], index[lower.Name]}]
		if _, ok := index[upper.Name]; d == nil || !ok {
			break // the sum must not leave a gap
		}
		side := d.from(index[upper.Name])
		r := Rung{
			Lower:  lower.Name,
			Upper:  upper.Name,
			Wins:   side.wins,
			Draws:  side.draws,
			Losses: side.losses,
		}
		if r.Elo, r.Score = m.duel(side); looked && r.Score.Unit == "pairs" {
			r.Elo, r.Score = m.paired(side)
		}
		if lower.Doubling >= 0 && upper.Doubling > lower.Doubling {
			r.Doubling = upper.Doubling - lower.Doubling
		}
		out.Rungs = append(out.Rungs, r)
		if i == 1 {
			out.Strength = append(out.Strength, TierPoint{
				Tier: lower.Index, Name: lower.Name, Doubling: lower.Doubling,
				Number: ratings.Estimate{N: r.Elo.N, Unit: r.Elo.Unit, Scale: ratings.ScaleElo, Method: "none"},
			})
		}
		elos = append(elos, r.Elo)
		factors = append(factors, 1)
		out.Strength = append(out.Strength, TierPoint{
			Tier:     upper.Index,
			Name:     upper.Name,
			Doubling: upper.Doubling,
			InFit:    upper.Doubling >= 0,
			Number:   combine(elos, factors, r.Elo.Unit, "elo"),
		})
	}
	if len(out.Rungs) == 0 {
		return nil
	}
	out.Top = out.Rungs[len(out.Rungs)-1].Upper
	scale := make([]float64, len(elos))
	for i := range scale {
		scale[i] = 1 / eloOfRung
	}
	out.Depth = combine(elos, scale, elos[0].Unit, "rungs")
	first := slices.IndexFunc(out.Rungs, func(r Rung) bool { return r.Doubling > 0 })
	if first >= 0 {
		out.Skill = combine(elos[first:], scale[first:], elos[first].Unit, "rungs")
	}
	m.doublings(out)
	return out
}

// doublings returns the gain from doubling the budget, as the mean over the rungs between tiers with budgets. It
// also returns the rung where the gain stops.
func (m measurer) doublings(l *Ladder) {
	var parts []ratings.Estimate
	total := 0.0
	for _, r := range l.Rungs {
		if r.Doubling == 0 {
			continue
		}
		parts = append(parts, r.Elo)
		total += r.Doubling
		if l.Saturated == "" && (r.Elo.LoOpen || r.Elo.Lo <= 0) {
			l.Saturated = r.Upper + " over " + r.Lower
		}
	}
	top := l.Rungs[len(l.Rungs)-1].Elo
	l.LowerBound = !top.LoOpen && top.Lo > 0
	if len(parts) == 0 {
		return
	}
	factors := make([]float64, len(parts))
	for i := range factors {
		factors[i] = 1 / total
	}
	l.Slope = combine(parts, factors, parts[0].Unit, "elo per doubling")
}
