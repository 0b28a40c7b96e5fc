package balance

import (
	"cmp"
	"fmt"
	"slices"

	"spar/arena/campaign"
	"spar/ratings"
)

// What a conclusion can be about.
const (
	AboutRules  = "rules"  // exact values, or something that all evidence agrees on
	AboutAgents = "agents" // results of the agents that played
)

// Conclusion answers which player has the advantage.
type Conclusion struct {
	Claim campaign.Claim `json:"claim" help:"favoured side: first, second, even or unknown"`
	Scope string         `json:"scope" help:"subject of the verdict: rules (exact, or agreed by all evidence) or agents (those of the study)"`
	// the claim, then the results of the study's agents
	Text string `json:"text" help:"the claim and its evidence"`
	// Rules and Agents are the two parts of Text. Agents is set if there are games.
	Rules string `json:"rules,omitempty" help:"statement about the rules"`
	// the results of the study's agents
	Agents string `json:"agents,omitempty" help:"statement about the agents of the study"`
	Settle string `json:"settle,omitempty" help:"what could decide an unknown value"`
	// the claim follows from a table or a proof
	Exact bool `json:"exact,omitempty" help:"true if a table or a proof decides it"`
}

// conclude sets the verdict: the exact value if there is one, otherwise the result of the inquiry, otherwise the
// results of the agents. A blind report states only facts about the rules.
func (m measurer) conclude(r *Report, blind bool) Conclusion {
	if r.Headline < 0 {
		return Conclusion{Claim: campaign.Unknown, Scope: AboutAgents, Text: "No games to measure."}
	}
	c := Conclusion{Claim: campaign.Unknown, Scope: AboutRules, Agents: sentences(r.fare(r.main().Outcome.Score)) + r.trend()}
	found := campaign.Judge(r.Inquiry)
	switch {
	case r.Exact != nil:
		c.Exact, c.Rules = true, r.named(r.Exact.Text)
		c.Claim = map[string]campaign.Claim{
			"first": campaign.First, "second": campaign.Second,
			"draw": campaign.Even,
		}[r.Exact.Winner]
	case found.Claim != campaign.Unknown:
		c.Claim, c.Rules = found.Claim, r.agreed(found)
	default:
		c.Settle = found.Settle
		c.Rules = "Who wins under stronger play is unknown"
		if found.Against != "" {
			c.Rules += ": " + r.named(found.Against)
		}
		c.Rules += "."
		if found.Settle != "" {
			c.Rules += " It could be decided by " + r.named(found.Settle) + "."
		}
		if side := m.amongAgents(r); side != campaign.Unknown && !blind {
			c.Claim, c.Scope = side, AboutAgents
		}
	}
	if f := found.Forced; f != nil && r.Exact == nil {
		t := f.All()
		c.Rules += r.sayf(" These agents do not find the win: in games that begin with %s, the first player scores "+
			"%.0f %% (%d games), more than when they choose their own opening.", f.Moves, 100*t.Score(), t.Games())
	}
	c.Text = c.Rules + " " + c.Agents
	if c.Scope == AboutAgents {
		c.Text = c.Agents + " " + c.Rules
	}
	if x := r.played().Ends.Completion; x.Known() && x.Hi < 0.95 {
		ends := fmt.Sprintf("Only %s%s end before the ply limit", percent(x.Value), r.played().games())
		if x.Value == 0 {
			ends = "No game ends before the ply limit"
		}
		c.Text = ends + ", so all other numbers are unreliable. " + c.Text
	}
	return c
}

// agreed describes the result of an inquiry and its evidence.
func (r *Report) agreed(f campaign.Finding) string {
	last := r.Inquiry[len(r.Inquiry)-1]
	n := last.Free.All().Games()
	for _, p := range slices.Concat(last.FirstMoves, last.Replies) {
		n += p.All().Games()
	}
	head := map[campaign.Claim]string{
		campaign.First: "The first player wins", campaign.Second: "The second player wins", campaign.Even: "Even",
	}[f.Claim]
	searches := fmt.Sprintf("alpha-beta with up to %d positions per move and tree search with %d playouts agree", last.Nodes,
		last.Simulations)
	if last.Learned {
		searches = fmt.Sprintf("alpha-beta with up to %d positions per move and tree search with %d simulations agree, both "+
			"with the same learned evaluation", last.Nodes, last.Simulations)
	}
	return fmt.Sprintf("%s, according to strong play but without proof: %s. Each played itself and the other, "+
		"from the start position and from forced openings (%d games at that strength).",
		r.named(head), searches, n)
}

// fare says what the first player scores among the agents of the headline's games, as a phrase.
func (r *Report) fare(score ratings.Estimate) string {
	g := r.main()
	who := "among " + g.Name + ","
	if g.Kind == "all" {
		who = "among these agents, whose strength may differ,"
	} else if g.Tier >= 0 && g.Tier < len(r.Tiers) {
		who = "when " + r.Tiers[g.Tier].Name + " plays itself,"
	}
	return r.sayf("%s the first player scores %s, %s", who, said(score), g.Counted(score))
}

// amongAgents returns which player wins more often among the study's agents. It requires that the two strongest
// tiers agree significantly, that both kinds of search of the inquiry agree with them, that no forced first move
// significantly reverses it, and that the score does not change significantly with strength.
func (m measurer) amongAgents(r *Report) campaign.Claim {
	var scores []ratings.Estimate
	for _, g := range r.Groups {
		if g.Kind == "mirror" && g.Tier >= 0 && g.Outcome.Score.Known() {
			scores = append(scores, g.Outcome.Score)
		}
	}
	if len(scores) < 2 || len(r.Inquiry) == 0 || r.main().Same() {
		return campaign.Unknown
	}
	c := sideOf(scores[len(scores)-1])
	before := scores[len(scores)-2]
	change := ratings.Change(before, scores[len(scores)-1])
	if sideOf(before) != c || change.Lo > 0 || change.Hi < 0 { // significantly
		return campaign.Unknown
	}
	last := r.Inquiry[len(r.Inquiry)-1]
	for _, kind := range []string{campaign.AlphaBeta, campaign.TreeSearch} {
		t := last.Free.By[kind]
		if sideOf(m.score(t.First, t.Draws+t.Caps, t.Second)) != c {
			return campaign.Unknown
		}
	}
	if f := r.FirstMove; f != nil && f.Source == "forced" {
		for _, x := range f.Moves { // Holm over all first moves
			if c != campaign.First && x.Uneven && x.Score.Value > 0.5 || c == campaign.Second && x.Score.Value >= 0.5 {
				return campaign.Unknown // this move refutes the claim
			}
		}
	}
	return c
}

// sideOf returns the side that a score significantly favours, or Even if it is significantly between 45 and 55 %.
func sideOf(score ratings.Estimate) campaign.Claim {
	switch {
	case score.Lo > 0.5:
		return campaign.First
	case score.Hi < 0.5:
		return campaign.Second
	case score.Lo >= 0.45 && score.Hi <= 0.55:
		return campaign.Even
	}
	return campaign.Unknown
}

// winner returns the side that wins with best play, and the reason; empty if unknown.
func (r *Report) winner() (side campaign.Claim, why string) {
	switch {
	case r.Exact.Decided():
		return campaign.Claim(r.Exact.Winner), "with best play: " + r.Exact.Text
	case r.Exact == nil && r.Verdict.Scope == AboutRules && (r.Verdict.Claim == campaign.First ||
		r.Verdict.Claim == campaign.Second):
		return r.Verdict.Claim, r.Verdict.Rules
	}
	return "", ""
}

// deeper returns the first player's score under play with at least ten times the budget of the strongest tier: the
// exact value, or the last stage of the inquiry. It returns false if there is neither.
func (r *Report) deeper() (score float64, ok bool) {
	if r.Exact != nil {
		return map[string]float64{"first": 1, "draw": 0.5}[r.Exact.Winner], true
	}
	if len(r.Inquiry) == 0 || len(r.Tiers) == 0 {
		return 0, false
	}
	last := r.Inquiry[len(r.Inquiry)-1]
	t := last.Free.By[campaign.TreeSearch]
	return t.Score(), t.Games() > 0 && last.Simulations >= 10*r.Tiers[len(r.Tiers)-1].Amount
}

// trend describes how the first player's score changes with strength. It is empty unless the change is significant,
// at least three tiers that search change in one direction, and deeper play continues in it.
func (r *Report) trend() string {
	points := slices.DeleteFunc(slices.Clone(r.Trends.Score.Points), func(p TierPoint) bool {
		return !p.InFit
	})
	far, ok := r.deeper()
	if len(points) < 3 || !ok {
		return ""
	}
	first, last := points[0], points[len(points)-1]
	rise := r.Trends.Rise
	verb, sign := "rises", 1.0
	if last.Number.Value < first.Number.Value {
		verb, sign = "falls", -1
	}
	if min(sign*rise.Lo, sign*rise.Hi) <= 0 || sign*(far-last.Number.Value) < 0 ||
		!slices.IsSortedFunc(points, func(a, b TierPoint) int {
			return 2*cmp.Compare(sign*a.Number.Value, sign*b.Number.Value) - 1 // equal ones are no trend
		}) {
		return ""
	}
	return r.sayf(" The first player's score %s with strength, from %s (%s) to %s (%s), and stronger "+
		"play agrees.", verb, percent(first.Number.Value), first.Name, percent(last.Number.Value), last.Name)
}
