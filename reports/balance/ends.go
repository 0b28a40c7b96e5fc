package balance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
)

// waysToEnd measures how games end. The sums of outcomes count it.
func waysToEnd() measure {
	return measure{
		lights:   endsLights,
		answers:  (*view).doesEnd,
		flaws:    endsFlaws,
		pictures: (*view).ways,
	}
}

// Ends describes why games ended. Fractions of reasons refer to all games of the group, including forfeits.
type Ends struct {
	Reasons []ReasonShare `json:"reasons"` // the most frequent reason first
	// fraction of games that neither the ply limit nor the clock ends; forfeits and adjudications are excluded
	Completion ratings.Estimate `json:"completion"`
	// Finished is the fraction of the games of Completion that ended by a goal, a full board or a player who cannot
	// move, and not by a cap, repetition or quiet play.
	Finished ratings.Estimate `json:"finished"`
	Forfeits int64            `json:"forfeits"`
}

// ReasonShare is the fraction of games that ended for one reason.
type ReasonShare struct {
	Reason string `json:"reason"` // reason as in the records: line, full_board, ply_cap, ...
	Kind   string `json:"kind"`   // win, draw, cap, adjudicated or forfeit
	Games  int64  `json:"games"`
	// Distinct is the number of games that do not repeat an earlier one.
	Distinct int64            `json:"distinct"`
	Share    ratings.Estimate `json:"share"`
	By       map[string]int64 `json:"by"` // games by result: first, draw, second
	// Shares are the fractions of all games by result.
	Shares map[string]ratings.Estimate `json:"shares"`
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
		return completed(c) && (c.kind == endWin || !evidence.Endless(s.d.p.reasons[c.reason]))
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
			Reason:   s.d.p.reasons[k.reason],
			Kind:     k.kind.String(),
			By:       map[string]int64{},
			Games:    e.games(is),
			Distinct: s.d.ways[k],
			Shares:   map[string]ratings.Estimate{},
		}
		for half, word := range []string{"second", "draw", "first"} {
			by := func(c class) bool { return is(c) && c.half == uint8(half) }
			if n := e.games(by); n > 0 {
				x.By[word], x.Shares[word] = n, m.shareOf(s, "games", all, by)
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

// finishing are the usual limits for games that reach a goal or fill the board.
var finishing = rule{good: band{0.8, math.Inf(1)}, middling: band{0.5, math.Inf(1)}, text: said}

// finished judges whether games end, and not only by a limit or because they repeat.
func (v *view) finished() Colour {
	if k := v.told.Ending.Kind; k == explain.Fills || k == explain.UsedUp {
		return Good
	}
	return worse(v.r.light("completion").Colour, finishing.judge(v.played.Ends.Finished).Colour)
}

func endsLights(r *Report) []Light {
	g := r.played()
	inf := math.Inf(1)
	ending := rule{
		measure:      "completion",
		title:        "Completion",
		section:      "results",
		good:         band{0.99, inf},
		middling:     band{0.95, inf},
		goodText:     "at least 99 %",
		middlingText: "at least 95 %",
		text: func(n ratings.Estimate) string {
			if n != g.Ends.Completion {
				return said(n) + " of all games between agents that search end before the ply limit"
			}
			text := fmt.Sprintf("%s%s end before the ply limit", said(n), g.games())
			if f := g.Ends.Finished; f.Value < n.Value {
				text += fmt.Sprintf("; %s end with a goal reached, a full board or a player unable to move", said(f))
			}
			return text
		},
	}
	l := ending.widest(ending.judge(g.Ends.Completion), r.Completed)
	// an argument, for which no games are needed
	if r.Ends != "" && (!l.Number.Known() || l.Number.Value == 1) {
		l.Colour = Good
		l.More = 0
		l.Text = r.Ends
	}
	if g.Same() { // more games would be the same
		l.More = 0
	}
	return []Light{l}
}

func endsFlaws(v *view) []flaw {
	goal := flaw{name: "no_goal"}
	for _, x := range v.played.Ends.Reasons {
		if x.Kind != endCap.String() && !evidence.Endless(x.Reason) {
			continue
		}
		does := "end"
		if x.Kind == endDraw.String() {
			does = "are drawn"
		}
		head := "not all games reach a goal"
		switch finished := v.played.Ends.Finished.Value; {
		case finished < 0.05 && len(v.game.Rules().Win.Reach) > 0:
			head = "nobody gets home"
		case finished < 0.05:
			head = "nobody wins"
		case finished < 0.5:
			head = "most games reach no goal"
		}
		goal.colour, goal.text = v.finished(), fmt.Sprintf("%s: %s%s %s by %s", head, said(x.Share), v.played.games(), does,
			v.way(x))
		break
	}
	return []flaw{goal}
}

// way names what ended games, like "a line of 4".
func (v *view) way(x ReasonShare) string {
	r := v.game.Rules()
	second := r.Of(engines.Second)
	goal, ok := rules.GoalBy(x.Reason)
	switch {
	case x.Reason == "no_moves":
		return "lack of legal moves"
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

// colour returns the colour of a side in bars.
func (v *view) colour(side int) chart.Colour {
	if own, err := chart.ParseColour(v.game.Side(side).Hex()); err == nil {
		return own
	}
	return []chart.Colour{chart.First, chart.Second}[side]
}

// ways returns the figure of how games end, and for whom.
func (v *view) ways() []page.Figure {
	f := &chart.Forest{X: chart.Axis{Unit: chart.Percent, Max: 1}, Bars: true, Dim: chart.Dim{Width: chart.Full}}
	colours := []chart.Colour{v.colour(engines.First), v.colour(engines.Second), chart.Draws}
	for _, x := range v.played.Ends.Reasons {
		for side, result := range []string{"first", "second", "draw"} {
			n, ok := x.Shares[result]
			if !ok {
				continue
			}
			way := v.way(x)
			if x.Reason == "no_moves" && result != "draw" && v.game.Rules().NoMoves == "loss" {
				way = "opponent cannot move"
			}
			if goal, _ := rules.GoalBy(x.Reason); result != "draw" && (x.Reason == "losing_line" || goal.Made &&
				v.game.Rules().Of(1-side).Win.Misere) {
				way += " by the opponent"
			}
			row := chart.RowOf(v.r.named(strings.Replace(result+" player: ", "draw player", "draw", 1))+way, n)
			if row.Colour, row.Note = colours[side], said(n); x.Kind == endCap.String() {
				row.Colour, row.Label = chart.Caps, "no winner: "+way
			}
			f.Rows = append(f.Rows, row)
		}
	}
	return []page.Figure{{
		ID: "endings", Title: "How do games end?", Chart: f,
		Caption: strings.TrimPrefix(v.played.Name+", ", "all games, ") + v.played.Counted(v.played.Outcome.Score) + ".",
	}}
}

// doesEnd says whether games end, and separates goals from limits and repetition.
func (v *view) doesEnd() []Answer {
	a := Answer{Question: "Ends?"}
	if v.main != nil && v.played.Length.All.Median.Known() {
		a.Reason = fmt.Sprintf("half end by ply %.0f", v.played.Length.All.Median.Value)
		if l := v.played.Length.All; l.Min == l.Max {
			a.Reason = "all games have " + screen.Plural(l.Max, "ply")
		}
	}
	switch why := map[string]string{
		explain.Fills:  "each placement fills a cell",
		explain.UsedUp: "moves capture, advance or block, which cannot continue forever",
	}[v.told.Ending.Kind]; {
	case why != "":
		a.Verdict = "Yes"
		a.Colour = Good
		a.Claim = "every game ends: " + why
		return []Answer{a}
	case v.main == nil || !v.played.Ends.Finished.Known():
		a.Claim = "not measured"
		return []Answer{a}
	}
	a.Estimate, a.Colour = v.played.Ends.Finished, v.finished()
	a.Verdict = map[Colour]string{
		Good: "Yes", Middling: "Mostly", NotGood: "Not always", Poor: "No", Undecided: "So far",
	}[a.Colour]
	var ways []string
	for _, x := range v.played.Ends.Reasons {
		if x.Kind == endForfeit.String() || x.Kind == endAdjudicated.String() {
			continue
		}
		text := said(x.Share)
		if len(ways) == 0 {
			text += v.played.games() + " end"
		}
		ways = append(ways, text+" by "+v.way(x))
	}
	if a.Claim = strings.Join(ways, ", "); a.Colour == Undecided {
		a.Next = v.r.light("completion").more()
	}
	return []Answer{a}
}
