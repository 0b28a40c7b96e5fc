package variants

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/configs/plain"
	"spar/engines"
	"spar/ratings"
	"spar/tuning/target"
)

// counted are games: the first player's losses, draws and wins, those drawn by the rules, those that a cap ended, their
// plies and the positions searched. Endless games are drawn by repetition or quiet play. All counts forfeits, too.
type counted struct {
	points                                    [3]int64
	all, drawn, endless, capped, plies, nodes int64
}

func (c *counted) count(g study.Game) {
	if c.all++; evidence.IsForfeit(g.Reason) {
		return
	}
	c.points[map[string]int{"second": 0, "draw": 1, "first": 2}[g.Result]]++
	c.plies += int64(g.Plies)
	c.nodes += g.FirstNodes + g.SecondNodes
	switch {
	case evidence.Capped(g.Reason):
		c.capped++
	case g.Result == "draw":
		c.drawn++
		c.endless += int64(one(evidence.Endless(g.Reason)))
	}
}

func (c counted) games() int64 { return c.points[0] + c.points[1] + c.points[2] }

// finished returns the share of games that reach a goal, fill the board or leave a player without a move.
func (c counted) finished() ratings.Estimate {
	n := c.games()
	return ratings.Wilson(n-c.capped-c.endless, n, 0.95)
}

// score returns the first player's score, with an interval that holds at all times.
func (c counted) score(level float64) ratings.Estimate {
	if c.games() == 0 {
		return ratings.Estimate{}
	}
	return ratings.ConfidenceSequence(c.points[:], level)
}

func (c *counted) add(o counted) {
	for i, n := range o.points {
		c.points[i] += n
	}
	c.drawn += o.drawn
	c.endless += o.endless
	c.capped += o.capped
	c.plies += o.plies
	c.nodes += o.nodes
}

// tally adds games of the strongest tier and of agents that err to a remedy, and computes what they show. On a small
// board the strongest draw each game that is a draw, after long waiting: draws and length are of the others there.
func (s *search) tally(x *Remedy, strong, slip counted, level float64) {
	x.strong.add(strong)
	x.slip.add(slip)
	n := x.strong.games()
	if x.Games = n; n == 0 {
		return
	}
	x.Score = x.strong.score(level)
	x.Draws, x.Completion = ratings.Wilson(x.strong.drawn, n, 0.95), ratings.Wilson(n-x.strong.capped, n, 0.95)
	x.Finished, x.Length = x.strong.finished(), float64(x.strong.plies)/float64(n)
	if m := x.slip.games(); m > 0 {
		x.Slips, x.SlipDraws = x.slip.score(level), ratings.Wilson(x.slip.drawn, m, 0.95)
		if s.near {
			x.Draws, x.Finished = x.SlipDraws, x.slip.finished()
			x.Length = float64(x.slip.plies) / float64(m)
		}
	}
}

// off returns the distance of a score from even; 1 if unknown.
func off(e ratings.Estimate) float64 {
	if !e.Known() {
		return 1
	}
	return math.Abs(e.Value - 0.5)
}

// surelyOff returns the least and the greatest distance from even in an interval.
func surelyOff(e ratings.Estimate) (least, most float64) {
	lo, hi := e.Ends()
	return math.Max(0, math.Max(lo-0.5, 0.5-hi)), math.Max(math.Abs(lo-0.5), math.Abs(hi-0.5))
}

// Better reports whether an exact value is fairer than another one: a draw is fairer than a win, and a late win than an
// early one.
func (s Solved) Better(o Solved) bool {
	switch {
	case s.Winner == "" || o.Winner == "" || o.Winner == "draw":
		return false
	case s.Winner == "draw":
		return true
	}
	return o.Plies > 0 && s.Plies > o.Plies
}

func (x *Remedy) call(verdict, why string) { x.Verdict, x.Why = verdict, why }

// judge decides whether a finalist is a remedy, and what it costs.
func (s *search) judge(x *Remedy) error {
	base, no := &s.out.Base, x.call
	lo, hi := x.Score.Ends()
	scores := "the first player scores " + x.Score.String()
	_, slips := surelyOff(x.Slips)
	_, mine := surelyOff(x.Score)
	theirs, _ := surelyOff(base.Score)
	x.Costs = s.costs(x)
	x.loss = 2*off(x.Score) + off(x.Weak) + off(x.Slips) + math.Abs(x.People-0.5) + max(0, x.Draws.Value-base.Draws.Value) +
		(1-x.Kept)/2 + 0.1*float64(len(x.Changes)-1) + math.Abs(math.Log2(max(1, x.Length)/max(1, base.Length)))/10
	t := s.missed(x)
	gain := map[Problem]ratings.Estimate{
		Endless: ratings.Change(base.Finished, x.Finished),
		Drawish: ratings.Change(x.Draws, base.Draws),
	}
	switch e := gain[s.Problem]; {
	case t.Measure != "":
		no("unfair", "misses "+t.Text)
		return nil
	case x.Completion.Value < leastEnd:
		no("endless", fmt.Sprintf("only %.0f %% of the games end before the ply limit", 100*x.Completion.Value))
	case x.Alive.Known() && base.Alive.Value >= 0.5 && x.Alive.Value < 0.1:
		no("worse", "a mechanic of the game is hardly used any more")
	case s.harder(x) != "":
		no("worse", s.harder(x))
	case s.Problem != Unfair:
		stated := len(s.Targets) > len(s.goals)
		switch x.loss -= 3 * e.Value; {
		case e.Lo <= 0:
			no("worse", "it does not help significantly")
		case mine > 0.2 && mine > theirs+0.1 || stated && s.band.Judge(x.Score) == target.Missed:
			no("worse", scores)
		default:
			x.Verdict = "better"
		}
		return nil
	case s.drawn(x):
		x.Verdict = "fair"
	case lo >= s.band.Lo && hi <= s.band.Hi && slips <= slipBand && x.Winner != "first" && x.Winner != "second":
		forced, err := s.forced(x)
		if err != nil {
			return err
		}
		if x.Verdict = "fair"; forced != "" {
			no("unfair", forced)
		}
	case mine < theirs, mine < 0.1 && off(x.Score) <= off(base.Score) &&
		(x.Better(base.Solved) || base.Winner != "draw" && base.Winner != "" && x.Opening != ""):
		x.Verdict = "nearer"
		x.loss++
	case x.Winner == "first" || x.Winner == "second":
		no("unfair", "with best play "+x.Brief())
	case s.band.Judge(x.Score) != target.Missed:
		no("undecided", "more games are needed: "+scores)
	default:
		no("unfair", scores)
	}
	s.object(x)
	return nil
}

// object takes a verdict back if the score is more even, but only at full strength or because more games are drawn.
func (s *search) object(x *Remedy) {
	no, as := x.call, map[string]string{"fair": "drawn", "nearer": "worse"}[x.Verdict]
	best, now := x.strong.finished(), x.Draws.Value
	switch why := s.reverses(x); {
	case why != "" && x.Verdict != "unfair":
		no("worse", why)
	case as == "":
	case now > mostDrawn && now > s.out.Base.Draws.Value+0.2:
		no(as, s.rise(x))
	case aimless(x.Finished):
		no(as, reaching(x.Finished))
	case x.Verdict == "fair" && aimless(best): // near-perfect play of a drawn game: a cost, not a fault
		x.Costs = append(x.Costs, "of the strongest agents "+reaching(best))
		x.loss++
	}
}

// harder says that people are predicted to play a candidate clearly less evenly than the base.
func (s *search) harder(x *Remedy) string {
	was := s.out.Base.People
	if math.Abs(x.People-0.5) <= math.Max(math.Abs(was-0.5)+peopleMargin, 0.15) {
		return ""
	}
	return fmt.Sprintf("between experienced players, the first player's predicted score changes from %.0f to %.0f %%",
		100*was, 100*x.People)
}

// reverses says that a candidate is surely far from even for weaker agents or those that err.
func (s *search) reverses(x *Remedy) string {
	base := &s.out.Base
	if s.Problem != Unfair {
		return ""
	}
	for _, t := range []struct {
		who      string
		was, now ratings.Estimate
	}{{"with a quarter of the search", base.Weak, x.Weak}, {"with 10 % random moves", base.Slips, x.Slips}} {
		limit := max(off(t.was), slipBand)
		if !s.drawn(x) || (t.was.Value-0.5)*(t.now.Value-0.5) < 0 { // the other side is ahead now
			limit = min(limit, trendBand)
		}
		if least, _ := surelyOff(t.now); least > limit {
			return fmt.Sprintf("%s, the first player's score is %s; without a change %.0f %%", t.who, said(t.now), 100*t.was.Value)
		}
	}
	return ""
}

// aimless reports whether significantly fewer than half of the games reach a goal.
func aimless(e ratings.Estimate) bool { return e.Known() && e.Hi < leastFinished }

// reaching says how many games reach a goal.
func reaching(e ratings.Estimate) string {
	return "only " + said(e) + " of the games reach a goal"
}

// missed returns the first target besides the score that games miss; empty if there is none.
func (s *search) missed(x *Remedy) target.Target {
	for _, t := range s.goals {
		e := Numbers{
			"draws": x.Draws, "completion": x.Completion, "alive": x.Alive,
			"length": ratings.WithInterval(x.Length, x.Length, x.Length, x.Games),
		}[t.Measure]
		if t.Judge(e) == target.Missed {
			return t
		}
	}
	return target.Target{}
}

// forced says who wins by force as far as an alpha-beta search of a fixed number of positions sees from the start.
func (s *search) forced(x *Remedy) (string, error) {
	if x.Winner == "draw" {
		return "", nil
	}
	spec := agents.DefaultSpec()
	spec.Name, spec.Type, spec.Params = "forced", "minimax", agents.DefaultEval()
	a, err := agents.NewContext(s.ctx, spec, x.variant.Game)
	if err != nil {
		return "", err
	}
	lines := []string{""}
	if len(x.Changes) == 0 {
		lines = strings.Split(x.Opening, either)
	}
	for _, line := range lines {
		p := x.variant.Game.NewPosition()
		if err := p.PlayText(strings.Fields(line)); err != nil {
			return "", err
		}
		d, err := a.Choose(s.ctx, p, agents.Budget{Nodes: int64(forcedNodes / len(lines))}, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			return "", err
		}
		if side := p.Side(); d.Score == 0 || d.Score == 1 {
			return fmt.Sprintf("the %s player has a forced win (found by a search of at most %d positions)",
				[2]string{"first", "second"}[(side+1-int(d.Score))%2], forcedNodes), nil
		}
	}
	return "", nil
}

// drawn reports whether rules are an exact draw and the agents score evenly, also those that err: on a small board the
// others draw every game.
func (s *search) drawn(x *Remedy) bool {
	return x.Winner == "draw" && x.Score.Value >= s.band.Lo &&
		x.Score.Value <= s.band.Hi && (!s.near || off(x.Slips) <= slipBand)
}

// dull is 1 for a change that makes nearly every game drawn that was not, or games more than twice as long: it stands
// below the others, which have 0.
func (s *search) dull(x *Remedy) int {
	base := &s.out.Base
	return one(x.Draws.Value > 0.9 && x.Draws.Value > base.Draws.Value+0.02 || x.Length > 2*base.Length)
}

// one is 1 for true.
func one(b bool) int { return plain.If(b, 1, 0) }

// rise says how much more is drawn.
func (s *search) rise(x *Remedy) string {
	return fmt.Sprintf("draws%s rise from %.0f to %.0f %%", s.out.of(), 100*s.out.Base.Draws.Value, 100*x.Draws.Value)
}

// costs lists what a remedy makes clearly worse.
func (s *search) costs(x *Remedy) (out []string) {
	base := &s.out.Base
	if d := ratings.Change(base.Draws, x.Draws); d.Value > 0.05 && d.Lo > 0 {
		out = append(out, s.rise(x))
	}
	if s.Problem != Unfair && off(x.Score) > off(base.Score)+0.05 {
		out = append(out,
			fmt.Sprintf("the first player's score changes from %.0f to %.0f %%", 100*base.Score.Value, 100*x.Score.Value))
	}
	if base.Completion.Value-x.Completion.Value > 0.02 {
		out = append(out, fmt.Sprintf("the share of games that end before the ply limit falls from %.0f to %.0f %%",
			100*base.Completion.Value, 100*x.Completion.Value))
	}
	if r := x.Length / max(1, base.Length); r > 1.25 || r < 0.8 {
		out = append(out, fmt.Sprintf("the mean length of games%s changes from %.0f to %.0f plies",
			s.out.of(), base.Length, x.Length))
	}
	if math.Abs(x.People-0.5) > math.Abs(base.People-0.5)+0.05 {
		out = append(out, fmt.Sprintf("the first player's predicted score between experienced players changes from "+
			"%.0f to %.0f %%", 100*base.People, 100*x.People))
	}
	if least, _ := surelyOff(x.Weak); least > 0 && off(x.Weak) > trendBand &&
		(off(x.Weak) > off(base.Weak) || (x.Weak.Value-0.5)*(base.Weak.Value-0.5) < 0) {
		out = append(out, fmt.Sprintf("the first player's score between weaker agents changes from %.0f to %s",
			100*base.Weak.Value, said(x.Weak)))
	}
	if d := ratings.Change(base.Depth, x.Depth); d.Hi < 0 {
		out = append(out, "less depth")
	}
	if x.Kept < 1 {
		out = append(out, fmt.Sprintf("only %.0f %% of the mechanics remain in use", 100*x.Kept))
	}
	if n := len(x.Changes); n > 1 {
		out = append(out, fmt.Sprintf("%d knobs change", n))
	}
	return out
}

// text returns the answer in a sentence: what to change, what it brings, how sure that is, and what it costs.
func (s *search) text() string {
	if len(s.out.Best) == 0 {
		base := &s.out.Base
		if s.out.Open() {
			return fmt.Sprintf("The rules may be fair already: the first player scores %s%s; "+
				"none of %d changes is confirmed as fair", said(base.Score), s.out.in(base), s.out.Tried)
		}
		fault := map[Problem]string{
			Endless: reaching(base.Finished),
			Drawish: said(base.Draws) + " of the games" + s.out.of() + " are drawn",
		}
		scores := "the first player scores " + said(base.Score) + s.out.in(base)
		if base.Winner == "first" || base.Winner == "second" {
			scores += "; " + base.Brief() + " with best play"
		}
		helps := "None of %d changes helps: "
		if n := s.out.Left(); n > 0 {
			helps = "None of %d changes is confirmed; " + fmt.Sprintf("%d of them would need more games: ", n)
		}
		text := fmt.Sprintf(helps, s.out.Tried) + "without a change " + cmp.Or(fault[s.Problem], scores)
		at := slices.IndexFunc(s.out.Others, func(x Remedy) bool { return x.Verdict == "undecided" })
		if at < 0 {
			at = slices.IndexFunc(s.out.Others, func(x Remedy) bool { return x.People > 0 })
		}
		if s.Problem != Unfair || at < 0 || off(s.out.Others[at].Score) >= off(base.Score) {
			return text
		}
		x := &s.out.Others[at]
		text += fmt.Sprintf("; the most promising is %s by this change: %s", said(x.Score), strings.Join(x.Words, ", "))
		if x.Why != "" && !strings.Contains(x.Why, "the first player scores") {
			text += " (" + x.Why + ")"
		}
		return text
	}
	text := s.out.Describe(&s.out.Best[0])
	if s.Problem == Endless {
		head := "the best change is "
		if aimless(s.out.Best[0].Finished) {
			head = fmt.Sprintf("none of %d changes makes most games reach one; the best is ", s.out.Tried)
		}
		return reaching(s.out.Base.Finished) + "; " + head + text
	}
	if s.out.Base.Winner == "draw" && s.Problem == Unfair {
		text = "the game is a draw with best play already; nearer to even: " + text
	}
	return text
}

// Open reports whether more games could still show that the rules are even: the interval contains an even score, no
// winner is proved, and no change was confirmed.
func (r *RemedyResult) Open() bool {
	least, _ := surelyOff(r.Base.Score)
	return r.Problem == Unfair && len(r.Best) == 0 && least == 0 && r.Base.Winner == ""
}

// tooLittle says why a change was not confirmed.
const tooLittle = "more games are needed: the work was used up before Spar could confirm it"

// Left returns the number of changes that more games might confirm. It does not count changes for which a proof names
// a winner.
func (r *RemedyResult) Left() (n int) {
	for _, x := range r.Others {
		n += one((x.Why == tooLittle || x.Verdict == "undecided") && x.Winner != "first" && x.Winner != "second")
	}
	return n
}

// of names the games of Draws and Length, if they are not those of Score.
func (r *RemedyResult) of() string {
	if r.Erring {
		return " with 10 % random moves"
	}
	return ""
}

// in names the games of Score.
func (r *RemedyResult) in(x *Remedy) string {
	return fmt.Sprintf(" in %d games of %s against itself", x.Games, r.Agent)
}

// Describe describes a remedy in a sentence.
func (r *RemedyResult) Describe(x *Remedy) string {
	base := &r.Base
	text := strings.Join(x.Words, ", ") + ": "
	switch r.Problem {
	case Endless:
		text += fmt.Sprintf("the share of games%s that reach a goal rises from %.0f to %s", r.of(),
			100*base.Finished.Value, said(x.Finished))
	case Drawish:
		text += fmt.Sprintf("draws%s fall from %.0f to %s", r.of(), 100*base.Draws.Value, said(x.Draws))
	default:
		text += fmt.Sprintf("the first player's score changes from %.0f to %s", 100*base.Score.Value, said(x.Score))
	}
	text += r.in(x)
	if x.Winner != "" {
		text += "; " + x.Brief() + " with best play"
	}
	if x.Verdict == "nearer" {
		text += "; nearer to even, not confirmed as fair"
	}
	if len(x.Costs) > 0 {
		text += "; it costs: " + strings.Join(x.Costs, ", ")
	}
	return text
}

// said writes a share with its interval, like "51 % (47 to 54)". An estimate that was stored has lost its scale.
func said(e ratings.Estimate) string {
	e.Scale = ratings.ScaleShare
	return e.Words()
}

// Remedied returns the remedied rules with the measurements as comments.
func (r *RemedyResult) Remedied(name string) (out engines.Rules, comments []string) {
	x := &r.Best[0]
	out = x.variant.Game.Rules()
	out.Name, out.Title = name, cmp.Or(out.Title, out.Name)+" ("+strings.Join(x.Words, ", ")+")"
	comments = []string{
		fmt.Sprintf("The best of %d changes to %s, measured on fresh seeds with %s against itself: %s.",
			r.Tried, r.Name, r.Agent, x.Verdict),
		"  " + r.Describe(x),
		fmt.Sprintf("  first player's score: %s with a quarter of the search, %s with 10 %% random moves",
			said(x.Weak), said(x.Slips)),
		fmt.Sprintf("  draws%s: %s; games that end before the ply limit: %s; mean length: %.0f plies\n"+
			"  predicted for experienced players: the first player scores %.0f %%, draws %.0f %%",
			r.of(), said(x.Draws), said(x.Completion), x.Length, 100*x.People, 100*x.PeopleDraw),
	}
	if len(x.Changes) > 0 && x.Opening != "" {
		comments = append(comments, "  the games begin with "+x.Opening+", the first move nearest to even: it is fixed, because "+
			"agents may choose another")
	}
	for i := range comments {
		comments[i] = x.variant.Game.NameSides(comments[i])
	}
	return out, comments
}
