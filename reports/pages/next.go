package pages

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"spar/arena/campaign"
	"spar/ratings"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/table"
)

// goal is a way in which a change of the rules may solve a problem.
type goal struct {
	problem campaign.Problem
	gain    func(base, v *balance.KnobVariant) float64 // size of the improvement; 0 if it is not significant
	says    func(base balance.KnobResponse, v *balance.KnobVariant) string
}

func percents(before, after float64) string {
	return fmt.Sprintf("%.0f → %.0f %%", 100*before, 100*after)
}

func surely(n ratings.Estimate) float64 {
	if n.Known() && !n.LoOpen && n.Lo > 0 {
		return n.Value
	}
	return 0
}

// goals lists the goals, the most important first.
func goals() []goal {
	return []goal{
		{
			campaign.Endless, func(_, v *balance.KnobVariant) float64 { return surely(v.Change.Completion) },
			func(base balance.KnobResponse, v *balance.KnobVariant) string {
				return "games that end " + percents(base.Completion.Value, v.Response.Completion.Value)
			},
		},
		{campaign.Unfair, func(base, v *balance.KnobVariant) float64 {
			if !v.Certain {
				return 0
			}
			return math.Abs(base.Response.Score.Value-0.5) - math.Abs(v.Response.Score.Value-0.5)
		}, func(base balance.KnobResponse, v *balance.KnobVariant) string {
			return "first player " + percents(base.Score.Value, v.Response.Score.Value)
		}},
		{campaign.Drawish, func(_, v *balance.KnobVariant) float64 {
			n := v.Change.Draws
			n.Value, n.Lo, n.Hi, n.LoOpen, n.HiOpen = -n.Value, -n.Hi, -n.Lo, n.HiOpen, n.LoOpen
			return surely(n)
		}, func(base balance.KnobResponse, v *balance.KnobVariant) string {
			return "draws " + percents(base.Draws.Value, v.Response.Draws.Value)
		}},
	}
}

// next recommends the change of a knob that most improves the greatest weakness, and states what it makes worse.
// Exact values come first.
func (b *builder) next(short int) page.Answer {
	a := page.Answer{Question: "Next?", Status: table.Plain}
	if b.told.NobodyWins() {
		a.Text = "Change " + b.told.Notes[0].Path + "."
		return a
	}
	problems := b.r.Problems()
	k := b.r.Knobs
	if i := slices.IndexFunc(b.r.Solved, func(s balance.SolvedStep) bool { return s.Exact.Winner == "draw" }); i >= 0 &&
		slices.Contains(problems, campaign.Unfair) {
		a.Text = fmt.Sprintf("Try %s=%s: exactly a draw with best play", b.r.Solved[i].Path, b.r.Solved[i].Value)
		return a
	}
	switch {
	case b.main == nil:
		a.Text = "Play some games."
		return a
	case len(problems) == 0 && b.unsettled():
		a.Text = "Undecided: " + b.more()
		return a
	case len(problems) == 0:
		a.Text = "No change suggested."
		return a
	case k == nil && slices.ContainsFunc(b.r.Inquiry, func(s campaign.Stage) bool { return s.Learned }):
		a.Text = "No changes of the rules tried: a learned evaluation fits these rules only."
		return a
	case (k == nil || len(k.Variants) == 0) && len(b.r.Solved) > 0 && slices.Contains(problems, campaign.Unfair):
		a.Text = fmt.Sprintf("Of %d solved changes, none makes it fair.", len(b.r.Solved))
		return a
	case k == nil || len(k.Variants) == 0:
		a.Text = "No changes of the rules tried: use --effort normal."
		if len(b.r.Solved) > 0 {
			a.Text = fmt.Sprintf("%d changes solved, none played: use --effort normal.", len(b.r.Solved))
		}
		if b.r.Study.Effort == quick && b.r.Exact == nil {
			a.Text = "Undecided: use --effort normal, which tries changes."
		}
		return a
	}
	base := &balance.KnobVariant{Response: k.Base}
	for _, g := range goals() {
		if !slices.Contains(problems, g.problem) {
			continue
		}
		var best *balance.KnobVariant
		for i := range k.Variants {
			v := &k.Variants[i]
			if g.gain(base, v) <= 0 || decides(k.Base, v) {
				continue
			}
			// What leaves the game what it is comes before what mends more and switches a mechanic off.
			if best == nil || !stills(k.Base, v) && stills(k.Base, best) || stills(k.Base, v) == stills(k.Base, best) &&
				g.gain(base, v) > g.gain(base, best) {
				best = v
			}
		}
		if best == nil {
			continue
		}
		who := ""
		if b.label(b.main) != k.Agent {
			who = "among weaker agents "
		}
		a.Text = fmt.Sprintf("Try %s=%s: %s%s", best.Path, best.Value, who, g.says(k.Base, best))
		if short < 3 {
			a.Text += fmt.Sprintf(", %s", count(best.Response.Score.N, "game"))
		}
		if cost := costs(k.Base, best); len(cost) > 0 {
			a.Text += "; cost: " + cost[0]
			if short < 4 && len(cost) > 1 {
				a.Text += ", " + cost[1]
			}
		}
		return a
	}
	a.Text = fmt.Sprintf("Of %d changes tried, none helps significantly.", len(k.Variants))
	return a
}

// unsettled reports whether the games leave undecided who has the advantage, how many games end, or how many are
// drawn.
func (b *builder) unsettled() bool {
	if b.r.Exact != nil {
		return false
	}
	v := b.r.Verdict
	known := v.Scope == balance.AboutRules && v.Claim != campaign.Unknown
	if !known && (b.main.Same() || b.r.Study.Effort == quick) {
		return true
	}
	return slices.ContainsFunc([]string{"completion", "first_score", "draws"},
		func(m string) bool { return b.light(m).Colour == balance.Undecided })
}

// more returns what to do about an undecided question: if the study has the lowest effort, use a greater one.
func (b *builder) more() string {
	if b.r.Study.Effort == quick {
		return "run normal effort."
	}
	return "play more games."
}

// decides reports whether a variant makes one side win almost always although the base does not. Such a variant is
// no improvement.
func decides(base balance.KnobResponse, v *balance.KnobVariant) bool {
	even := func(n ratings.Estimate) float64 { return math.Abs(n.Value - 0.5) }
	return v.Certain && even(v.Response.Score) > 0.3 && even(base.Score) < 0.2
}

// rarer returns the mechanics whose frequency a variant significantly reduces to less than a limit, with the old
// and the new frequency.
func rarer(base balance.KnobResponse, v *balance.KnobVariant, times float64) iter.Seq2[balance.Use, balance.Use] {
	return func(yield func(was, now balance.Use) bool) {
		for _, was := range base.Alive {
			i := slices.IndexFunc(v.Response.Alive, func(u balance.Use) bool { return u.Mechanic == was.Mechanic })
			now := balance.Use{}
			if i >= 0 {
				now = v.Response.Alive[i]
			}
			if was.PerGame.Value >= 0.5 && now.PerGame.Value < was.PerGame.Value/times &&
				(i < 0 || now.PerGame.Hi < was.PerGame.Lo) && !yield(was, now) {
				return
			}
		}
	}
}

// stills reports whether a variant almost stops the use of a mechanic that the game depends on.
func stills(base balance.KnobResponse, v *balance.KnobVariant) bool {
	for range rarer(base, v, 10) {
		return true
	}
	return false
}

// costs lists what a variant makes significantly worse, the most serious first.
func costs(base balance.KnobResponse, v *balance.KnobVariant) []string {
	var out []string
	if c := v.Change.Completion; c.Known() && !c.HiOpen && c.Hi < 0 {
		out = append(out, "games that end "+percents(base.Completion.Value, v.Response.Completion.Value))
	}
	for was, now := range rarer(base, v, 2) {
		out = append(out, fmt.Sprintf("%s %.1f → %.1f", verbs()[was.Mechanic], was.PerGame.Value, now.PerGame.Value))
	}
	if d := v.Change.Draws; surely(d) > 0.05 {
		out = append(out, "draws "+percents(base.Draws.Value, v.Response.Draws.Value))
	}
	if l := v.Change.Length; l.Known() && base.Length.Value > 0 && (!l.LoOpen && l.Lo > 0 || !l.HiOpen && l.Hi < 0) &&
		math.Abs(l.Value) > base.Length.Value/4 {
		out = append(out, fmt.Sprintf("moves %s → %s", number(base.Length.Value), number(v.Response.Length.Value)))
	}
	if s := v.Response.Score.Value; math.Abs(s-0.5) > math.Abs(base.Score.Value-0.5)+0.05 && v.Certain {
		out = append(out, "first player "+percents(base.Score.Value, s))
	}
	return out
}
