package balance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/configs/plain"
	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// outcomes measures who wins.
func outcomes() measure {
	return measure{
		sums:     newOutcome,
		lights:   outcomeLights,
		missing:  outcomesMissing,
		section:  (*view).results,
		answers:  (*view).isFair,
		flaws:    outcomeFlaws,
		pictures: (*view).byStrength,
	}
}

// Outcome counts wins and draws. A game that ended by a cap does not count as a draw here: FirstWins + Draws + Caps +
// SecondWins equals Games.
type Outcome struct {
	FirstWins  int64 `json:"first_wins"`
	Draws      int64 `json:"draws"` // draws that no cap caused
	Caps       int64 `json:"caps"`  // games ended by the ply cap or a clock
	SecondWins int64 `json:"second_wins"`

	// First, Draw and Second are the fractions of the results, with Wilson intervals
	First  ratings.Estimate `json:"first"`
	Draw   ratings.Estimate `json:"draw"`
	Cap    ratings.Estimate `json:"cap"`
	Second ratings.Estimate `json:"second"`
	Score  ratings.Estimate `json:"score"` // mean score of the first player; draws and capped games count 0.5
	Elo    ratings.Estimate `json:"elo"`   // first-player advantage in Elo, from Score
	// fraction of wins of the first player among the games with a winner
	Decisive ratings.Estimate `json:"decisive"`
}

// outcomeSums counts how the games of a group ended.
type outcomeSums struct {
	d *groupData
	endings
}

func newOutcome(d *groupData) sums { return &outcomeSums{d: d} }

// Add implements the interface sums.
func (s *outcomeSums) Add(unit []*record) { s.endings.add(unit) }

// Result implements the interface sums.
func (s *outcomeSums) Result(m measurer, g *Group) {
	g.Outcome, g.Ends = s.outcome(m), s.ends(m)
	g.Forfeits, g.DistinctOf = g.Ends.Forfeits, m.share(s.d.distinct, s.d.games)
}

// class is how a game ended, including the winner.
type class struct {
	reason int32
	kind   endKind
	half   uint8
}

// way is how a game ended, whoever won.
type way struct {
	reason int32
	kind   endKind
}

func (c class) counts() bool { return c.kind != endForfeit }

// endings counts how the games of each unit ended.
type endings struct {
	classes []class
	index   map[class]int32
	units   map[ending]int64 // number of units of each kind
}

// ending is a kind of unit: the classes of both games, of which the second is -1 if there is no second game, and the
// label of the opening.
type ending struct {
	classes [2]int32
	label   uint64
}

func (e *endings) add(rs []*record) {
	if e.index == nil {
		e.index = map[class]int32{}
		e.units = map[ending]int64{}
	}
	key := ending{[2]int32{-1, -1}, rs[0].label}
	for i, r := range rs {
		c := class{r.reason, r.kind, r.half}
		at, ok := e.index[c]
		if !ok {
			at = int32(len(e.classes))
			e.index[c] = at
			e.classes = append(e.classes, c)
		}
		key.classes[i] = at
	}
	e.units[key]++
}

// games returns the number of games that ended in one way.
func (e *endings) games(is func(class) bool) int64 {
	total := int64(0)
	for key, n := range e.units {
		for _, at := range key.classes {
			if at >= 0 && is(e.classes[at]) {
				total += n
			}
		}
	}
	return total
}

// shareOf returns the fraction of some of the games for which is holds, clustered as the first player's score is. If
// match-ups could stop early, the interval holds at all times together.
func (m measurer) shareOf(s *outcomeSums, of string, among, is func(class) bool) ratings.Estimate {
	var c ratings.ClusteredMean
	var counts [2]int64 // games for which is does not hold, and for which it does
	for key, times := range s.units {
		games, hits := int64(0), 0.0
		for _, at := range key.classes {
			if at >= 0 && among(s.classes[at]) {
				hit := oneIf(is(s.classes[at]))
				games, hits = games+1, hits+hit
				counts[int(hit)] += times
			}
		}
		c.AddMany(hits, games, times, key.label)
	}
	e := c.Mean(m.level, of)
	if e.N == 0 {
		return ratings.Estimate{}
	}
	if s.d.looked {
		e = e.AtAllTimes(counts[:])
	}
	return warnThin(e)
}

// outcome computes who wins. Its score is the first player's score of evidence.FirstPlayer, as everywhere.
func (s *outcomeSums) outcome(m measurer) Outcome {
	e, d := &s.endings, s.d
	capped := func(c class) bool { return c.counts() && c.kind == endCap }
	ended := func(half uint8) func(class) bool {
		return func(c class) bool { return c.counts() && c.kind != endCap && c.half == half }
	}
	share := func(is func(class) bool) ratings.Estimate { return m.shareOf(s, "games", class.counts, is) }
	o := Outcome{
		FirstWins:  e.games(ended(2)),
		Draws:      e.games(ended(1)),
		SecondWins: e.games(ended(0)),
		Caps:       e.games(capped),
	}
	o.First, o.Draw, o.Second, o.Cap = share(ended(2)), share(ended(1)), share(ended(0)), share(capped)
	d.first.Anytime = d.looked
	o.Score = warnThin(d.first.Score(m.level))
	o.Elo = elo(o.Score)
	decisive := func(c class) bool { return c.counts() && c.kind != endCap && c.half != 1 }
	o.Decisive = m.shareOf(s, "decisive games", decisive, ended(2))
	return o
}

func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// stretch multiplies the width of an interval by the square root of a design effect, within limits. An open end
// stays open.
func stretch(n ratings.Estimate, effect, least, most float64) ratings.Estimate {
	if !n.Known() || effect <= 1 {
		return n
	}
	if !n.LoOpen {
		n.Lo = max(least, n.Value-(n.Value-n.Lo)*math.Sqrt(effect))
	}
	if !n.HiOpen {
		n.Hi = min(most, n.Value+(n.Hi-n.Value)*math.Sqrt(effect))
	}
	n.Method += ", clustered"
	return n
}

// partScore returns the first player's score in a part of a group's games. It depends on as many games as the score of
// the whole group, so that its interval is wider by as much than one of independent games; the whole has its own score.
func (m measurer) partScore(part, whole tally, of ratings.Estimate) ratings.Estimate {
	if part == whole && of.Known() {
		return of
	}
	alone := m.score(whole.wins, whole.draws, whole.losses)
	wider := (of.Hi - of.Lo) / (alone.Hi - alone.Lo)
	return stretch(m.score(part.wins, part.draws, part.losses), wider*wider, 0, 1)
}

func outcomesMissing(r *Report) (out []Missing) {
	mirror := false
	for _, g := range r.Groups {
		mirror = mirror || g.Kind == "mirror"
		if !g.Outcome.First.Known() {
			out = append(out, Missing{"Outcome", g.Name, noGame})
		} else if !g.Outcome.Decisive.Known() {
			out = append(out, Missing{"Share of decisive games", g.Name, "no game was won"})
		}
	}
	if r.Headline < 0 {
		out = append(out, Missing{"Outcome", "", noGame})
	}
	if !mirror {
		out = append(out, Missing{
			"Outcome by tier", "",
			"no tier plays against itself from the start position: spar balance plays those games",
		})
	}
	return out
}

// noGame is why a group has no outcome.
const noGame = "every game was forfeited or repeats an earlier one"

func outcomeLights(r *Report) []Light {
	g, played := cmp.Or(r.main(), &Group{}), r.played()
	inf := math.Inf(1)
	lights := []Light{rule{
		measure: "first_score", title: "First player's score", section: "results", good: band{0.45, 0.55},
		middling: band{0.40, 0.60}, goodText: "45 to 55 %", middlingText: "40 to 60 %",
		text: func(n ratings.Estimate) string { return "the first player scores " + said(n) + " in " + g.Name },
	}.judge(g.Outcome.Score), rule{
		measure: "draws", title: "Draws", section: "results", good: band{-inf, 0.20}, middling: band{-inf, 0.50},
		goodText: "under 20 %", middlingText: "under 50 %",
		text: func(n ratings.Estimate) string {
			return fmt.Sprintf("%s%s are drawn before the ply limit", said(n), played.games())
		},
	}.judge(played.Outcome.Draw)}
	for i := range lights {
		l, g := &lights[i], []*Group{g, played}[i]
		if !g.Same() {
			continue
		}
		if l.More = 0; l.Colour != NoData { // more games would be the same
			l.Colour = Undecided
			l.Text += "; " + g.Counted(l.Number)
		}
	}
	l := &lights[0]
	switch side, why := r.winner(); {
	case l.Colour == NoData:
	case side != "":
		l.Colour, l.More = Poor, 0 // even at best for those who do not find the win
		l.Text += "; " + why
	case l.Colour == Good && r.Verdict.Claim != campaign.Even:
		l.Colour = Middling // even between these agents: nobody knows of stronger ones
		l.Text += "; the result of stronger play is unknown"
	}
	return lights
}

// byStrength returns the figure of the first player's score by strength.
func (v *view) byStrength() []page.Figure {
	points := v.r.Trends.Score.Points
	if len(v.r.Tiers) < 2 || len(points) < 2 {
		return nil
	}
	start := chart.Line{Name: "from the start", Colour: chart.First, Style: chart.Band}
	for _, p := range points {
		start.Points = append(start.Points, chart.PointOf(float64(p.Tier), p.Number))
	}
	random := chart.Line{Name: "after random moves", Colour: chart.B, Style: chart.Band}
	for _, g := range v.groups("openings") {
		random.Points = append(random.Points, chart.PointOf(float64(g.Tier), g.Outcome.Score))
	}
	strength := chart.Axis{Label: "agents, weakest first"}
	for _, t := range v.r.Tiers {
		strength.Names = append(strength.Names, t.Name)
	}
	return []page.Figure{{
		ID: "score-by-tier", Title: "Does the game stay fair as players get stronger?",
		Caption: v.r.named("The first player's score with 95 % bands. Shaded: 45 to 55 %."),
		Chart: &chart.Lines{
			X: strength, Y: chart.Axis{Label: v.r.named("first player scores"), Unit: chart.Percent},
			Lines: []chart.Line{start, random}, Refs: []chart.Ref{{Value: 0.5, Label: "even"}}, Zone: [2]float64{0.45, 0.55},
			Dim: chart.Dim{Width: chart.Full, Height: 280},
		},
	}}
}

// results returns the section with the results of every group of games.
func (v *view) results() page.Section {
	c := v.r.Verdict
	s := page.Section{
		ID:         "results",
		Title:      "Results",
		Screen:     true,
		Lead:       strings.TrimSpace(v.r.trend()), // the rest is in "Fair?"
		Paragraphs: []string{c.Rules},
	}
	stack := &chart.Stack{Parts: chart.Outcome(v.r.named), Ref: 0.5}
	stack.Parts[0].Colour, stack.Parts[3].Colour = v.colour(engines.First), v.colour(engines.Second)
	for _, g := range v.tiers() {
		x := g.Outcome
		stack.Bars = append(stack.Bars, chart.Bar{Label: v.label(g), Values: []float64{
			float64(x.FirstWins), float64(x.Draws), float64(x.Caps), float64(x.SecondWins),
		}, N: int(x.FirstWins + x.Draws + x.Caps + x.SecondWins)})
	}
	s.Figures = []page.Figure{{
		ID: "outcome-by-tier", Title: "Results by strength", Caption: "Weakest first.", Chart: stack,
	}}
	caption := "By strength"
	if v.played.Tier < 0 && v.played != v.main {
		caption += "; " + v.label(v.played) + " makes one move in ten at random"
	}
	s.Tables = []table.Table{v.perGroup(v.tiers(), "outcomes", caption, outcomeColumns).Noted(
		"Drawn: before the ply limit. Finished: by a goal, a full board or a player who cannot move" +
			plain.If(v.game.Rules().Draw.Repeated == "draw", "", ", or by repetition, which decides") +
			". Completion also counts repetition and quiet play.")}
	return s
}

// outcomeColumns returns the numbers of a group that a designer compares.
func outcomeColumns(g *Group) []any {
	counted := func(n ratings.Estimate) ratings.Estimate {
		if g.Same() && n.Note != "" {
			n.Note = "few distinct games"
		}
		return n
	}
	return []any{
		"first player", table.Help("score of the first player", counted(g.Outcome.Score)), "drawn", counted(g.Outcome.Draw),
		"finished", table.Help("share of games that end with a goal reached, a full board or a player unable to move",
			counted(g.Ends.Finished)),
		"games", g.Games, "distinct", g.Distinct,
	}
}

// isFair says who has the advantage: facts about the rules, then results of these agents.
func (v *view) isFair() []Answer {
	a := Answer{Question: "Fair?"}
	switch {
	case v.told.NobodyWins():
		a.Verdict, a.Colour, a.Claim = "No", Poor, "nobody can win"
		return []Answer{a}
	case v.main == nil:
		a.Claim = "no games to measure"
		return []Answer{a}
	}
	r, l := v.r, v.r.light("first_score")
	games := v.main.Counted(l.Number)
	among := r.fare(l.Number)
	side, _ := r.winner()
	if missed := v.missed(side, l.Number); missed != "" {
		among = missed + ": " + among
	}
	a.Colour = l.Colour
	a.Estimate = l.Number
	a.Reason = among
	switch c := r.Verdict; {
	case r.Exact.Decided():
		a.Verdict, a.Colour, a.Claim = "No", Poor, "with best play "+r.Exact.Brief()
		if r.Exact.Winner == "second" && v.game.Rules().Turn.Pie.On() {
			a.Claim += ", as always under a pie rule without draws"
		}
	case r.Exact != nil:
		a.Verdict, a.Colour, a.Claim = "Yes", Good, "with best play the game is a draw"
	case side != "":
		a.Verdict, a.Colour, a.Claim = "No", Poor,
			fmt.Sprintf("two kinds of search agree that the %s player wins", side)
	case c.Scope == AboutRules && c.Claim == campaign.Even:
		a.Verdict, a.Colour, a.Claim = "Yes", Good, "two kinds of search find neither side ahead"
	case v.main.Same() || r.Study.Effort == quick:
		a.Verdict, a.Colour, a.Claim, a.Reason, a.Next = "Not known yet", Undecided, among, "", "use --effort normal"
	case l.Number.Lo > 0.5 || l.Number.Hi < 0.5:
		ahead := "the first player is ahead: "
		if l.Number.Hi < 0.5 {
			ahead = "the second player is ahead: the first scores "
		}
		a.Verdict, a.Claim = "Not here", ahead+said(l.Number)+v.refuted()
		a.Reason = games + "; the result of stronger play is unknown"
	case l.Colour == Good || l.Colour == Middling:
		a.Verdict, a.Claim, a.Reason = "So far", among, "the result of stronger play is unknown"
	default:
		a.Verdict, a.Claim, a.Reason, a.Next = "Not known yet", among, "", l.more()
	}
	return []Answer{a}
}

// refuted says what speaks against the advantage of a side: a first move for the first player, which agents may not
// find, or the result of the next weaker agent. It is empty if nothing does.
func (v *view) refuted() string {
	score, when := v.r.light("first_score").Number.Value, ""
	against, games := ratings.Estimate{Value: score}, ""
	if p := v.r.Trends.Score.Points; len(p) > 1 {
		against, when = p[len(p)-2].Number, "when "+p[len(p)-2].Name+" plays itself"
		for _, g := range v.tiers() {
			if g.Tier == p[len(p)-2].Tier {
				games, _, _ = strings.Cut(g.Counted(against), ":")
			}
		}
	}
	if f := v.r.FirstMove; f != nil && f.Moves[0].Uneven && f.Moves[0].Score.Value > 0.5 && score < 0.5 {
		against, when, games = f.Moves[0].Score, "after "+f.Moves[0].Move, ""
	}
	if (against.Value-0.5)*(score-0.5) < 0 {
		return fmt.Sprintf(", but %s, %s, %s", said(against), cmp.Or(games, against.Count()), when)
	}
	return ""
}

// missed says that these agents do not find the win of a side, if that side scores no more than the other; empty
// otherwise.
func (v *view) missed(side campaign.Claim, score ratings.Estimate) string {
	if side == "" || (side == campaign.First) == (score.Value > 0.5) {
		return ""
	}
	f, x := v.r.FirstMove, v.main.Variety
	if side == campaign.Second || f == nil || x == nil || len(x.Openings) == 0 {
		return "these agents do not find the win"
	}
	if !slices.ContainsFunc(f.Moves, func(m FirstMove) bool { return m.Exact != "win" }) {
		return "these agents do not keep the win, although every first move wins"
	}
	text := "these agents do not find the win"
	best := FirstMove{}
	most := x.Openings[0].Top[0]
	for _, m := range f.Moves {
		if slices.Contains(m.Images, most.Moves) && m.Exact != "" {
			opens := fmt.Sprintf("the win: %d of %d games open with %s, which ", most.Games, v.main.Games, most.Moves)
			if m.Exact == "win" {
				return "these agents do not keep " + opens + "wins"
			}
			text = "these agents miss " + opens + map[string]string{"draw": "draws", "loss": "loses"}[m.Exact]
		}
		if m.Exact == "win" && (best.Move == "" || m.ExactIn < best.ExactIn) {
			best = m
		}
	}
	if best.Move != "" {
		text += " (" + best.Move + " wins)"
	}
	return text
}

// outcomeFlaws are: unfair, drawn.
func outcomeFlaws(v *view) []flaw {
	a, draws := v.isFair()[0], v.r.light("draws")
	unfair := flaw{"unfair", a.Colour, a.Claim}
	switch {
	case a.Verdict == "So far":
		unfair.colour = Good
	case a.Colour == Undecided:
		unfair.text = "it is not known yet who is ahead: the first player scores "
		refuted := v.refuted()
		switch e := a.Estimate; {
		case refuted != "":
		case e.Lo > 0.5:
			unfair.text = "the first player seems to be ahead and scores "
		case e.Known() && e.Hi < 0.5:
			unfair.text = "the second player seems to be ahead; the first player scores "
		}
		unfair.text = unfair.text + said(a.Estimate) + refuted
	}
	drawn := flaw{"drawn", draws.Colour, fmt.Sprintf("%s%s are drawn", said(draws.Number), v.played.games())}
	if v.r.Exact != nil && !v.r.Exact.Decided() {
		drawn.text = "the game is a draw with best play, and " + drawn.text
	}
	return []flaw{unfair, drawn}
}
