package balance

import (
	"cmp"
	"fmt"
	"slices"

	"spar/agents"
	"spar/arena/campaign"

	"spar/ratings"
)

// restricted computes how much strength agents lose without an ability, from matches of agents against restricted
// versions of themselves. The first agent of an event's plan is the unrestricted one.
func (m measurer) restricted(p *pass) []Restriction {
	var out []Restriction
	for i, e := range p.data.Events {
		if e.Purpose != campaign.PurposeRestricted || len(e.Tiers) == 0 {
			continue
		}
		twin := e.Tiers[0]
		for _, d := range p.duels(func(event int32) bool { return int(event) == i }) {
			who := d.a
			if p.names[who] == twin {
				who = d.b
			} else if p.names[d.b] != twin {
				continue
			}
			r := Restriction{Name: p.names[who], Twin: twin}
			r.Elo, r.Score = m.duel(d.from(who))
			r.What = describeRestriction(p.data.Agents[r.Name].Spec, p.data.Agents[twin].Spec)
			r.Text = withoutIt(r.Elo)
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Restriction) int { return cmp.Compare(a.Elo.Value, b.Elo.Value) })
	return out
}

// withoutIt describes in words the difference between a restricted agent and the unrestricted one; it is
// significant if the whole interval is on one side of 0.
func withoutIt(elo ratings.Estimate) string {
	switch {
	case !elo.HiOpen && elo.Hi < 0:
		return "significantly weaker"
	case !elo.LoOpen && elo.Lo > 0:
		return "significantly stronger, which shows a weakness of the agents, not of the rules"
	}
	return "no significant difference"
}

// describeRestriction returns in words what a spec forbids.
func describeRestriction(s, twin *agents.Spec) string {
	if s == nil {
		return ""
	}
	for _, r := range []struct {
		on   bool
		text string
	}{
		{s.Mixture.NeverCaptures, "never captures"},
		{s.Mixture.NeverCentre, "never places in the centre"},
		{s.Mixture.Mirrors, "mirrors the opponent"},
		{s.Mixture.IgnoresOpponent, "ignores the opponent"},
		{
			s.Mixture.Epsilon > 0 && (twin == nil || twin.Mixture.Epsilon == 0),
			fmt.Sprintf("plays %.0f %% of its moves at random", 100*s.Mixture.Epsilon),
		},
		{s.Plays() != "", s.Plays()},
	} {
		if r.on {
			return r.text
		}
	}
	return s.Description
}
