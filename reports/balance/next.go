package balance

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/ratings"
	"spar/reports/screen"
	"spar/tuning/variants"
)

// aim is a way in which a change of the rules may solve a problem.
type aim struct {
	problem variants.Problem
	gain    func(base, v *KnobVariant) float64 // size of the improvement; 0 if it is not significant
	says    func(base KnobResponse, v *KnobVariant) string
}

func percents(before, after float64) string {
	return fmt.Sprintf("%.0f to %.0f %%", 100*before, 100*after)
}

func surely(n ratings.Estimate) float64 {
	if n.Known() && !n.LoOpen && n.Lo > 0 {
		return n.Value
	}
	return 0
}

// goals lists the goals, the most important first.
func goals() []aim {
	return []aim{
		{
			variants.Endless, func(_, v *KnobVariant) float64 { return surely(v.Change.Completion) },
			func(base KnobResponse, v *KnobVariant) string {
				return "games that end " + percents(base.Completion.Value, v.Response.Completion.Value)
			},
		},
		{variants.Unfair, func(base, v *KnobVariant) float64 {
			if !v.Certain {
				return 0
			}
			return math.Abs(base.Response.Score.Value-0.5) - math.Abs(v.Response.Score.Value-0.5)
		}, func(base KnobResponse, v *KnobVariant) string {
			return fmt.Sprintf("first player %.0f to %s", 100*base.Score.Value, said(v.Response.Score))
		}},
		{variants.Drawish, func(_, v *KnobVariant) float64 {
			n := v.Change.Draws
			n.Value, n.Lo, n.Hi, n.LoOpen, n.HiOpen = -n.Value, -n.Hi, -n.Lo, n.HiOpen, n.LoOpen
			return surely(n)
		}, func(base KnobResponse, v *KnobVariant) string {
			return "draws " + percents(base.Draws.Value, v.Response.Draws.Value)
		}},
	}
}

// toChange is the question that next answers.
const toChange = "What to change"

// next recommends the change of a knob that most improves the greatest weakness, and states what it makes worse.
// Exact values come first.
func (v *view) next() Answer {
	a := Answer{Question: toChange}
	problems, k := v.r.Problems(), v.r.Knobs
	unfair, played := slices.Contains(problems, variants.Unfair), k != nil && len(k.Variants) > 0
	switch {
	case v.told.NobodyWins():
		a.Claim = "change " + v.told.Notes[0].Path
	case v.main == nil:
		a.Claim = "play some games"
	case len(problems) == 0 && v.unsettled() && v.r.Study.Effort == quick:
		a.Claim, a.Next = "not known yet", "use --effort normal"
	case len(problems) == 0 && v.unsettled():
		a.Claim, a.Next = "not known yet", "play more games"
	case len(problems) == 0:
		a.Claim = "nothing"
	case k == nil && slices.ContainsFunc(v.r.Inquiry, func(s campaign.Stage) bool { return s.Learned }):
		a.Claim, a.Reason = "no changes tried", "a learned evaluation fits these rules only"
	case !played && len(v.r.Solved) > 0 && unfair:
		even := slices.IndexFunc(v.r.Solved, func(s SolvedStep) bool { return s.Exact.Decided() })
		if even < 0 {
			even = len(v.r.Solved)
		}
		if a.Claim = fmt.Sprintf("of %d solved changes, none makes it fair", len(v.r.Solved)); even > 0 {
			a.Claim = fmt.Sprintf("%d of %d changes are exactly a draw with best play", even, len(v.r.Solved))
		}
		a.Next = "play them with spar balance remedies"
	case !played:
		if a.Claim, a.Next = "no changes played", "the same command again plays them"; v.r.Study.Effort == quick {
			a.Next = "use --effort normal, which plays them"
		}
	default:
		if v.best(&a, problems); unfair && a.Estimate.Known() {
			a.Next = remediesPlay
		}
	}
	return a
}

// best names the played change that helps most with the first problem that any helps with.
func (v *view) best(a *Answer, problems []variants.Problem) {
	k := v.r.Knobs
	base := &KnobVariant{Response: k.Base}
	for _, g := range goals() {
		if !slices.Contains(problems, g.problem) {
			continue
		}
		var best *KnobVariant
		for i := range k.Variants {
			x := &k.Variants[i]
			if g.gain(base, x) <= 0 || decides(k.Base, x) || breaks(k.Base, x) {
				continue
			}
			// What leaves the game what it is comes before what mends more and switches a mechanic off.
			if best == nil || !stills(k.Base, x) && stills(k.Base, best) || stills(k.Base, x) == stills(k.Base, best) &&
				g.gain(base, x) > g.gain(base, best) {
				best = x
			}
		}
		if best == nil {
			continue
		}
		a.Claim = fmt.Sprintf("try %s=%s: %s, %s", best.Path, best.Value, g.says(k.Base, best), screen.Plural(best.Response.Score.N, "game"))
		a.Estimate = best.Response.Score
		if v.label(v.main) != k.Agent {
			a.Reason = "among weaker agents"
		}
		if cost := costs(k.Base, best); len(cost) > 0 {
			a.Reason = strings.TrimPrefix(a.Reason+"; it costs: "+strings.Join(cost, ", "), "; ")
		}
		return
	}
	a.Claim = fmt.Sprintf("of %d changes tried, none helps significantly", len(k.Variants))
	if slices.Contains(problems, variants.Unfair) {
		a.Next = "try more with spar balance remedies"
	}
}

// remediesPlay is what to do with a change that was tried once.
const remediesPlay = "confirm it with spar balance remedies"

// quick is the effort whose agents are so weak that only exact values decide anything.
const quick = "quick"

// unsettled reports whether the games leave undecided who has the advantage, how many games end, or how many are
// drawn.
func (v *view) unsettled() bool {
	if v.r.Exact != nil {
		return false
	}
	c := v.r.Verdict
	if known := c.Scope == AboutRules && c.Claim != campaign.Unknown; !known && (v.main.Same() || v.r.Study.Effort == quick) {
		return true
	}
	return slices.ContainsFunc([]string{"completion", "first_score", "draws"},
		func(m string) bool { return v.r.light(m).Colour == Undecided })
}

// decides reports whether a variant makes one side win almost always although the base does not. Such a variant is
// no improvement.
func decides(base KnobResponse, v *KnobVariant) bool {
	even := func(n ratings.Estimate) float64 { return math.Abs(n.Value - 0.5) }
	return v.Certain && even(v.Response.Score) > 0.3 && even(base.Score) < 0.2
}

// breaks reports whether a variant is never a remedy: fewer than 90 % of its games end, or most are drawn, and the base
// is better.
func breaks(base KnobResponse, v *KnobVariant) bool {
	end, drawn := v.Response.Completion, v.Response.Draws.Value
	return end.Known() && end.Value < 0.9 && end.Value <= base.Completion.Value || drawn > 0.5 && drawn > base.Draws.Value+0.2
}

// rarer returns the mechanics whose frequency a variant significantly reduces to less than a limit, with the old
// and the new frequency.
func rarer(base KnobResponse, v *KnobVariant, times float64) iter.Seq2[Use, Use] {
	return func(yield func(was, now Use) bool) {
		for _, was := range base.Alive {
			i := slices.IndexFunc(v.Response.Alive, func(u Use) bool { return u.Mechanic == was.Mechanic })
			now := Use{}
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
func stills(base KnobResponse, v *KnobVariant) bool {
	for range rarer(base, v, 10) {
		return true
	}
	return false
}

// costs lists what a variant makes significantly worse, the most serious first.
func costs(base KnobResponse, v *KnobVariant) []string {
	var out []string
	if c := v.Change.Completion; c.Known() && !c.HiOpen && c.Hi < 0 {
		out = append(out, "games that end "+percents(base.Completion.Value, v.Response.Completion.Value))
	}
	for was, now := range rarer(base, v, 2) {
		out = append(out, fmt.Sprintf("%s %.1f to %.1f", was.words(), was.PerGame.Value, now.PerGame.Value))
	}
	if d := v.Change.Draws; surely(d) > 0.05 {
		out = append(out, "draws "+percents(base.Draws.Value, v.Response.Draws.Value))
	}
	if l := v.Change.Length; l.Known() && base.Length.Value > 0 && (!l.LoOpen && l.Lo > 0 || !l.HiOpen && l.Hi < 0) &&
		math.Abs(l.Value) > base.Length.Value/4 {
		out = append(out, fmt.Sprintf("plies %.0f to %.0f", base.Length.Value, v.Response.Length.Value))
	}
	if s := v.Response.Score.Value; math.Abs(s-0.5) > math.Abs(base.Score.Value-0.5)+0.05 && v.Certain {
		out = append(out, "first player "+percents(base.Score.Value, s))
	}
	return out
}
