package balance

import (
	"slices"

	"spar/arena/campaign"
	"spar/ratings"
	"spar/tuning/variants"
)

// toChange is the question that next answers.
const toChange = "What to change"

// next recommends the change that most improves the greatest weakness, and states what it makes worse.
func (v *view) next() Answer {
	a := Answer{Question: toChange}
	problems, tried, normal := v.r.Problems(), v.r.Remedies, "use spar balance "+v.r.Ref+" --effort normal"
	switch {
	case v.told.NobodyWins():
		a.Claim = "change " + v.told.Notes[0].Path
	case v.main == nil:
		a.Claim = "play some games"
	case len(problems) == 0 && v.unsettled():
		if a.Claim, a.Next = "not known yet", "play more games"; v.r.Study.Effort == quick {
			a.Next = normal
		}
	case len(problems) == 0:
		a.Claim = "nothing for fairness, endings or draws"
	case tried == nil && slices.ContainsFunc(v.r.Inquiry, func(s campaign.Stage) bool {
		return s.Learned
	}):
		a.Claim = "no changes tried"
		a.Reason = "a learned evaluation fits only these rules, so Spar cannot test changed rules with it"
	case tried == nil && slices.Contains(problems, variants.Unfair):
		a.Claim = "none played"
		a.Next = "find one with " + v.remedies(variants.Unfair)
	case tried == nil && problems[0] == variants.Idle:
		a.Claim = "make the unused mechanics worthwhile (see Alive?), or remove them"
	case tried == nil:
		if a.Claim, a.Next = "no changes played", "play some with spar balance "+v.r.Ref; v.r.Study.Effort == quick {
			a.Next = normal + ", which plays some"
		}
	case tried.Open() && slices.Contains(problems, variants.Unfair): // by stronger agents or a proof, see Fair?
		a.Claim = "not found yet: changes were tried with " + tried.Agent + ", in too few games to see who is ahead"
		a.Estimate = tried.Base.Score
		a.Estimate.Scale = ratings.ScaleShare // a stored one has lost it
		a.Reason = "the first player scores " + said(a.Estimate) + " in them, so no change could be seen to help"
		a.Next = "try them in more games: " + v.remedies(tried.Problem)
	case len(tried.Best) == 0:
		a.Claim = tried.Text
		a.Next = "try more changes with " + v.remedies(tried.Problem)
	default:
		a.Claim = "try " + tried.Describe(&tried.Best[0])
		a.Estimate = tried.Best[0].Score
		a.Next = "confirm it with " + v.remedies(tried.Problem)
	}
	return a
}

// remedies returns the command that searches longer for a change that mends a problem.
func (v *view) remedies(p variants.Problem) string {
	command := "spar balance remedies " + v.r.Ref
	if p != variants.Unfair {
		command += " --problem " + string(p)
	}
	return command
}

// quick is the effort whose agents are so weak that only exact values decide anything.
const quick = "quick"

// unsettled reports whether the games leave undecided who has the advantage, how many games end, or how many are
// drawn.
func (v *view) unsettled() bool {
	if v.r.Exact != nil {
		return false
	}
	c := v.r.Verdict
	if known := c.Scope == AboutRules && c.Claim != campaign.Unknown; !known &&
		(v.main.Same() || v.r.Study.Effort == quick) {
		return true
	}
	return slices.ContainsFunc([]string{"completion", "first_score", "draws"},
		func(m string) bool { return v.r.light(m).Colour == Undecided })
}
