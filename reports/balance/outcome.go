package balance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// outcomes measures who wins, and how games end.
func outcomes() measure {
	return measure{
		sums: newOutcome, lights: outcomeLights, missing: outcomesMissing, section: (*view).results,
		answers:  func(v *view) []Answer { return append(v.isFair(), v.doesEnd()...) },
		flaws:    outcomeFlaws,
		pictures: func(v *view) []page.Figure { return append(v.byStrength(), v.ways()) },
	}
}

// Outcome is who wins. A game that ended by a cap does not count as a draw here: FirstWins +
// Draws + Caps + SecondWins equals Games.
type Outcome struct {
	FirstWins  int64 `json:"first_wins"`
	Draws      int64 `json:"draws"` // draws by the rules
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

// Ends is why games ended. Fractions refer to all games of the group, including forfeits.
type Ends struct {
	Reasons []ReasonShare `json:"reasons"` // the most frequent reason first
	// fraction of games ended by the rules and not by a cap; forfeits and adjudications are excluded
	Completion ratings.Estimate `json:"completion"`
	// Finished is the fraction of them ended by a goal, a full board or a player who cannot move: neither by a cap
	// nor because nothing happens any more, as by repetition.
	Finished ratings.Estimate `json:"finished"`
	Forfeits int64            `json:"forfeits"`
}

// ReasonShare is the fraction of games that ended for one reason.
type ReasonShare struct {
	Reason string `json:"reason"` // reason as in the records: line, full_board, ply_cap, ...
	Kind   string `json:"kind"`   // win, draw, cap, adjudicated or forfeit
	Games  int64  `json:"games"`
	// Distinct is how many of Games are not equal to an earlier game.
	Distinct int64            `json:"distinct"`
	Share    ratings.Estimate `json:"share"`
	By       map[string]int64 `json:"by"` // games by result: first, draw, second
	// Shares are the fractions of all games by result.
	Shares map[string]ratings.Estimate `json:"shares"`
}

// endless reports whether a game ended because nothing happened any more.
func endless(reason string) bool { return reason == "repetition" || reason == "quiet" }

// outcomeSums counts how the games of a group ended.
type outcomeSums struct {
	d *groupData
	endings
}

func newOutcome(d *groupData) sums { return &outcomeSums{d: d} }

// Add implements sums.
func (s *outcomeSums) Add(unit []*record) { s.endings.add(unit) }

// Result implements sums.
func (s *outcomeSums) Result(m measurer, g *Group) {
	g.Outcome, g.Ends = s.outcome(m), s.ends(m)
	g.Forfeits, g.DistinctOf = g.Ends.Forfeits, m.share(s.d.distinct, s.d.games, "games")
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
		e.index, e.units = map[class]int32{}, map[ending]int64{}
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
		FirstWins: e.games(ended(2)), Draws: e.games(ended(1)), SecondWins: e.games(ended(0)),
		Caps: e.games(capped),
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

// ends computes why games ended, from all games of a group except repeated ones, forfeits included.
func (s *outcomeSums) ends(m measurer) Ends {
	e := &s.endings
	all := func(class) bool { return true }
	completed := func(c class) bool { return c.kind == endWin || c.kind == endDraw }
	// nobody knows how the rules would have ended the others
	played := func(c class) bool { return completed(c) || c.kind == endCap }
	out := Ends{Reasons: []ReasonShare{}, Forfeits: e.games(func(c class) bool { return !c.counts() })}
	out.Completion = m.shareOf(s, "games", played, completed)
	out.Finished = m.shareOf(s, "games", played, func(c class) bool {
		return completed(c) && !endless(s.d.p.reasons[c.reason])
	})
	found := map[way]bool{}
	for _, c := range e.classes {
		k := way{c.reason, c.kind}
		if found[k] {
			continue
		}
		found[k] = true
		is := func(c class) bool { return c.reason == k.reason && c.kind == k.kind }
		x := ReasonShare{
			Reason: s.d.p.reasons[k.reason], Kind: k.kind.String(), By: map[string]int64{}, Games: e.games(is),
			Distinct: s.d.ways[k], Shares: map[string]ratings.Estimate{},
		}
		for half := range uint8(3) {
			by := func(c class) bool { return is(c) && c.half == half }
			if n := e.games(by); n > 0 {
				x.By[resultWord(half)], x.Shares[resultWord(half)] = n, m.shareOf(s, "games", all, by)
			}
		}
		x.Share = m.shareOf(s, "games", all, is)
		out.Reasons = append(out.Reasons, x)
	}
	slices.SortFunc(out.Reasons, func(a, b ReasonShare) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), strings.Compare(a.Reason, b.Reason), strings.Compare(a.Kind, b.Kind))
	})
	return out
}

func resultWord(half uint8) string { return [...]string{"second", "draw", "first"}[half] }

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
		out = append(out, Missing{"Outcome by tier", "", "no tier plays against itself from the true start: spar balance plays " +
			"those games"})
	}
	return out
}

// noGame is why a group has no outcome.
const noGame = "every game was forfeited or repeats an earlier one"

// finishing are the usual limits for games that reach a goal or fill the board.
var finishing = rule{good: band{0.8, math.Inf(1)}, middling: band{0.5, math.Inf(1)}, text: said}

// finished judges whether games end, and not only by a limit or because they repeat.
func (v *view) finished() Colour {
	if k := v.told.Ending.Kind; k == explain.Fills || k == explain.UsedUp {
		return Good
	}
	return worse(v.r.light("completion").Colour, finishing.judge(v.main.Ends.Finished).Colour)
}

func outcomeLights(r *Report) []Light {
	var g Group
	if r.Headline >= 0 {
		g = r.Groups[r.Headline]
	}
	inf := math.Inf(1)
	ending := rule{
		measure: "completion", title: "Completion", section: "results", good: band{0.99, inf}, middling: band{0.95, inf},
		goodText: "at least 99 %", middlingText: "at least 95 %", text: func(n ratings.Estimate) string {
			return "the rules end " + said(n) + " of the games; a ply limit ends the others"
		},
	}
	lights := []Light{ending.widest(ending.judge(g.Ends.Completion), r.Completed), rule{
		measure: "first_score", title: "First player's score", section: "results", good: band{0.45, 0.55},
		middling: band{0.40, 0.60}, goodText: "45 to 55 %", middlingText: "40 to 60 %",
		text: func(n ratings.Estimate) string { return "the first player scores " + said(n) + " in " + g.Name },
	}.judge(g.Outcome.Score), rule{
		measure: "draws", title: "Draws", section: "results", good: band{-inf, 0.20}, middling: band{-inf, 0.50},
		goodText: "under 20 %", middlingText: "under 50 %",
		text: func(n ratings.Estimate) string { return said(n) + " of the games are drawn by the rules" },
	}.judge(g.Outcome.Draw)}
	// an argument, for which no games are needed
	if l := &lights[0]; r.Ends != "" && (!l.Number.Known() || l.Number.Value == 1) {
		l.Colour, l.More, l.Text = Good, 0, r.Ends
	}
	for i := range lights {
		l := &lights[i]
		if !g.Same() {
			break
		}
		if l.More = 0; l.Measure != "completion" && l.Colour != NoData { // more games would be the same
			l.Colour = Undecided
			l.Text += "; " + g.Counted(l.Number)
		}
	}
	l := &lights[1]
	switch side, why := r.winner(); {
	case l.Colour == NoData:
	case side != "":
		l.Colour, l.More = Poor, 0 // even at best for those who do not find the win
		l.Text += "; " + why
	case l.Colour == Good && r.Verdict.Claim != campaign.Even:
		l.Colour = Middling // even between these agents: nobody knows of stronger ones
		l.Text += "; unknown for stronger play"
	}
	return lights
}

// way names what ended games, like "a line of 4".
func (v *view) way(x ReasonShare) string {
	r := v.game.Rules()
	second := r.Of(engines.Second)
	goal, ok := rules.GoalBy(x.Reason)
	switch {
	case x.Reason == "no_moves":
		return "a player who cannot move"
	case x.Reason == "ply_cap":
		return "the ply limit"
	case x.Reason == "quiet":
		return "moves without placement or capture"
	case x.Reason == "majority" && x.Kind == endDraw.String():
		return "equal counts"
	case !ok:
		return strings.ReplaceAll(x.Reason, "_", " ")
	case goal.Number != nil && goal.Number(&r) == goal.Number(&second):
		return fmt.Sprintf("%s of %d", goal.Ends, goal.Number(&r))
	}
	return goal.Ends
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
		ID: "score-by-tier", Title: "Is it fair when players get better?",
		Caption: "The first player's score with 95 % bands. Shaded: 45 to 55 %.",
		Chart: &chart.Lines{
			X: strength, Y: chart.Axis{Label: v.game.NameSides("first player scores"), Unit: chart.Percent},
			Lines: []chart.Line{start, random}, Refs: []chart.Ref{{Value: 0.5, Label: "even"}}, Zone: [2]float64{0.45, 0.55},
			Dim: chart.Dim{Width: chart.Full, Height: 280},
		},
	}}
}

// ways returns the figure of how games end, and for whom.
func (v *view) ways() page.Figure {
	f := &chart.Forest{X: chart.Axis{Unit: chart.Percent, Max: 1}, Bars: true, Dim: chart.Dim{Width: chart.Full}}
	colours := map[string]chart.Colour{"first": chart.First, "second": chart.Second, "draw": chart.Draws}
	for _, x := range v.main.Ends.Reasons {
		for _, result := range []string{"first", "second", "draw"} {
			n, ok := x.Shares[result]
			if !ok {
				continue
			}
			label := v.game.NameSides(result+" player") + ": "
			if result == "draw" {
				label = "draw: "
			}
			row := chart.RowOf(label+v.way(x), n)
			if row.Colour, row.Note = colours[result], said(n); x.Kind == endCap.String() {
				row.Colour, row.Label = chart.Caps, "no result: "+v.way(x)
			}
			f.Rows = append(f.Rows, row)
		}
	}
	return page.Figure{
		ID: "endings", Title: "How do games end?", Chart: f,
		Caption: fmt.Sprintf("%s, %s.", v.main.Name, v.main.Counted(v.main.Outcome.Score)),
	}
}

// results is the section with the results of every group of games.
func (v *view) results() page.Section {
	c := v.r.Verdict
	s := page.Section{ID: "results", Title: "Results", Screen: true, Lead: c.Agents, Paragraphs: []string{c.Rules}}
	stack := &chart.Stack{Parts: chart.Outcome(), Ref: 0.5}
	for _, g := range v.tiers() {
		x := g.Outcome
		stack.Bars = append(stack.Bars, chart.Bar{Label: v.label(g), Values: []float64{
			float64(x.FirstWins), float64(x.Draws), float64(x.Caps), float64(x.SecondWins),
		}, N: int(x.FirstWins + x.Draws + x.Caps + x.SecondWins)})
	}
	s.Figures = []page.Figure{{
		ID: "outcome-by-tier", Title: "Results by strength", Caption: "Games that the ply limit ends do not count as draws.",
		Chart: stack,
	}}
	s.Tables = []table.Table{v.perGroup(v.tiers(), "outcomes", "By strength, weakest first", v.outcomeColumns()...)}
	return s
}

// outcomeColumns are the numbers of a group that a designer compares.
func (v *view) outcomeColumns() []table.Field[*Group] {
	return []table.Field[*Group]{
		estimate("first player", "score of the first player", func(g *Group) ratings.Estimate { return g.Outcome.Score }),
		estimate("drawn", "", func(g *Group) ratings.Estimate { return g.Outcome.Draw }),
		estimate("finished", "share of games that a goal or a full board ends", func(g *Group) ratings.Estimate { return g.Ends.Finished }),
		table.CountField("games", func(g *Group) int64 { return g.Games }),
		table.CountField("distinct", func(g *Group) int64 { return g.Distinct }),
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
	among := fmt.Sprintf("among these agents the first player scores %s, %s", said(l.Number), games)
	a.Colour, a.Estimate, a.Reason = l.Colour, l.Number, among
	side, _ := r.winner()
	switch c := r.Verdict; {
	case r.Exact.Decided():
		a.Verdict, a.Colour, a.Claim = "No", Poor, "with best play "+wins(r.Exact)
	case r.Exact != nil:
		a.Verdict, a.Colour, a.Claim = "Yes", Good, "with best play the game is a draw"
	case side != "":
		a.Verdict, a.Colour, a.Claim = "No", Poor, fmt.Sprintf("two kinds of search agree that the %s player wins", side)
	case c.Scope == AboutRules && c.Claim == campaign.Even:
		a.Verdict, a.Colour, a.Claim = "Yes", Good, "two kinds of search find neither side ahead"
	case v.main.Same() || r.Study.Effort == quick:
		a.Verdict, a.Colour, a.Claim, a.Reason, a.Next = "Not known yet", Undecided, among, "", "use --effort normal"
	case l.Number.Lo > 0.5:
		a.Verdict, a.Claim, a.Reason = "Not here", "the first player is ahead: "+said(l.Number), games+"; stronger play is unknown"
	case l.Number.Hi < 0.5:
		a.Verdict, a.Claim = "Not here", "the second player is ahead: the first scores "+said(l.Number)
		a.Reason = games + "; stronger play is unknown"
	case l.Colour == Good || l.Colour == Middling:
		a.Verdict, a.Claim, a.Reason = "So far", among, "stronger play is unknown"
	default:
		a.Verdict, a.Claim, a.Reason, a.Next = "Not known yet", among, "", l.more()
	}
	return []Answer{a}
}

// doesEnd says whether games end, and separates goals from limits and repetition.
func (v *view) doesEnd() []Answer {
	a := Answer{Question: "Ends?"}
	if v.main != nil && v.main.Length.All.Median.Known() {
		a.Reason = fmt.Sprintf("half of the games are over by ply %.0f", v.main.Length.All.Median.Value)
		if l := v.main.Length.All; l.Min == l.Max {
			a.Reason = fmt.Sprintf("all games have %d plies", l.Max)
		}
	}
	switch why := map[string]string{
		explain.Fills: "the board fills up", explain.UsedUp: "each move captures or advances",
	}[v.told.Ending.Kind]; {
	case why != "":
		a.Verdict, a.Colour, a.Claim = "Yes", Good, "every game ends: "+why
		return []Answer{a}
	case v.main == nil || !v.main.Ends.Finished.Known():
		a.Claim = "not measured"
		return []Answer{a}
	}
	a.Estimate, a.Colour = v.main.Ends.Finished, v.finished()
	a.Verdict = map[Colour]string{
		Good: "Yes", Middling: "Mostly", NotGood: "Not always", Poor: "No", Undecided: "So far",
	}[a.Colour]
	var ways []string
	for _, x := range v.main.Ends.Reasons {
		if x.Kind == endForfeit.String() || x.Kind == endAdjudicated.String() {
			continue
		}
		text := said(x.Share)
		if len(ways) == 0 {
			text += " of the games end"
		}
		ways = append(ways, text+" by "+v.way(x))
	}
	if a.Claim = strings.Join(ways, ", "); a.Colour == Undecided {
		a.Next = v.r.light("completion").more()
	}
	return []Answer{a}
}

// outcomeFlaws are: unfair, no goal, drawn.
func outcomeFlaws(v *view) []flaw {
	a, draws := v.isFair()[0], v.r.light("draws")
	unfair := flaw{"unfair", a.Colour, a.Claim}
	switch s := v.remedy(); {
	case a.Verdict == "So far":
		unfair.colour = Good
	case a.Colour == Undecided:
		unfair.text = "not known yet who is ahead: the first player scores " + said(a.Estimate)
	case v.r.Exact.Decided() && s != "":
		unfair.text += "; with " + s + " it is a draw"
	}
	drawn := flaw{"drawn", draws.Colour, said(draws.Number) + " of the strongest agents' games are drawn"}
	if v.r.Exact != nil && !v.r.Exact.Decided() {
		drawn.text = "with best play a draw, and " + drawn.text
	}
	goal := flaw{name: "no_goal"}
	for _, x := range v.main.Ends.Reasons {
		if x.Kind != endCap.String() && !endless(x.Reason) {
			continue
		}
		does := "end"
		if x.Kind == endDraw.String() {
			does = "are drawn"
		}
		head := "not all games reach a goal"
		switch finished := v.main.Ends.Finished.Value; {
		case finished < 0.05 && len(v.game.Rules().Win.Reach) > 0:
			head = "nobody gets home"
		case finished < 0.05:
			head = "nobody wins"
		case finished < 0.5:
			head = "most games reach no goal"
		}
		goal.colour, goal.text = v.finished(), fmt.Sprintf("%s: %s of the games %s by %s", head, said(x.Share), does, v.way(x))
		break
	}
	return []flaw{unfair, goal, drawn}
}
