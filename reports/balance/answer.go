package balance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/engines"
	"spar/engines/explain"
	"spar/ratings"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// Answer answers one of the questions that a designer asks first. Claim, Reason and Next are phrases without a full
// stop.
type Answer struct {
	Question string           `json:"question"`
	Verdict  string           `json:"verdict,omitempty"` // in one or two words
	Colour   Colour           `json:"colour,omitempty"`  // good, middling, poor, not good or undecided; empty if it is not judged
	Claim    string           `json:"claim"`
	Estimate ratings.Estimate `json:"estimate"` // the number behind the claim
	Reason   string           `json:"reason,omitempty"`
	Next     string           `json:"next,omitempty"` // what to do
}

// sentences joins phrases to sentences.
func sentences(phrases ...string) string {
	var out []string
	for _, s := range phrases {
		if s != "" {
			out = append(out, strings.ToUpper(s[:1])+s[1:]+".")
		}
	}
	return strings.Join(out, " ")
}

// said writes a value with its interval, like "65 % (61 to 69)".
func said(n ratings.Estimate) string {
	if n.Method == "none" {
		return n.Point()
	}
	return n.Point() + " (" + n.Range() + ")"
}

// more says how many more games would probably settle a question; empty if unknown.
func (l Light) more() string {
	if l.More == 0 {
		return ""
	}
	return fmt.Sprintf("about %s would probably settle it", screen.Plural(l.More, "more "+strings.TrimSuffix(l.MoreOf, "s")))
}

// wins says who wins with best play, where one side does.
func wins(e *campaign.Exact) string {
	if e.Plies > 0 {
		return "the " + e.Brief() + " plies"
	}
	return "the " + e.Brief()
}

// light returns the light of a measure.
func (r *Report) light(measure string) Light {
	for _, l := range r.Lights {
		if l.Measure == measure {
			return l
		}
	}
	return Light{}
}

// worse returns the worse of two colours.
func worse(a, b Colour) Colour {
	ranks := []Colour{"", NoData, Good, Undecided, Middling, NotGood, Poor}
	if slices.Index(ranks, b) > slices.Index(ranks, a) {
		return b
	}
	return a
}

// Summary is one sentence about the whole game: its worst flaw, or that there is none.
type Summary struct {
	Text   string `json:"text"`
	Flaw   string `json:"flaw,omitempty"` // unfair, no_goal, drawn, short or shallow; empty for none
	Colour Colour `json:"colour"`         // how bad the flaw is; undecided if an answer is open; good
}

// flaw is a possible flaw of the rules.
type flaw struct {
	name   string
	colour Colour
	text   string
}

// summary chooses the worst flaw; of equally bad ones, the first of: solved, fair, reaches its goal, drawn, short, deep.
func (v *view) summary() Summary {
	r := v.r
	if v.told.NobodyWins() {
		return Summary{"Nobody can win under these rules", "no_goal", Poor}
	}
	if v.main == nil {
		return Summary{Text: "There are no games to measure", Colour: NoData}
	}
	score, draws := r.light("first_score"), r.light("draws")
	fair, lead := score.Colour, "the first player scores "+said(score.Number)
	side, _ := r.winner()
	won := ""
	switch {
	case r.Exact.Decided():
		won = "with best play " + wins(r.Exact)
		if s := v.remedy(); s != "" {
			won += "; with " + s + " it is a draw"
		}
	case side != "":
		won = fmt.Sprintf("two kinds of search agree that the %s player wins", side)
	}
	switch n := score.Number; {
	case r.Exact != nil || side != "" || r.Verdict.Scope == AboutRules && r.Verdict.Claim == campaign.Even:
		fair = Good
	case v.main.Same() || r.Study.Effort == quick:
		fair = Undecided
	case n.Lo > 0.5:
		lead = "the first player is ahead: " + said(n)
	case n.Hi < 0.5:
		lead = "the second player is ahead: the first scores " + said(n)
	}
	if fair == Undecided {
		lead = "not known yet who is ahead: " + lead
	}
	goal, short := v.goal(), flaw{name: "short"}
	if v.main.Short(v.game.Rules().Turn.Placements) {
		short = flaw{"short", Middling, fmt.Sprintf("a game is over after %.0f plies, %d turns a player or fewer: little room for plans",
			v.main.Length.All.Median.Value, shortTurns)}
	}
	drawn := fmt.Sprintf("%s of the strongest agents' games are drawn", said(draws.Number))
	if r.Exact != nil && !r.Exact.Decided() {
		drawn = "with best play a draw, and " + drawn
	}
	deep := r.light("top_doubling")
	worst := flaw{colour: Good}
	for _, f := range []flaw{
		{"unfair", map[bool]Colour{true: Poor}[won != ""], won}, {"unfair", fair, lead}, goal, {"drawn", draws.Colour, drawn}, short,
		{"shallow", deep.Colour, "longer search hardly helps"},
	} {
		if f.name != "shallow" || f.colour == Poor || f.colour == NotGood {
			if worse(worst.colour, f.colour) != worst.colour {
				worst = f
			}
		}
	}
	if worst.name == "" {
		base := lead
		if r.Exact != nil {
			base = "with best play a draw"
		}
		return Summary{Text: fmt.Sprintf("no flaw found: %s, and %s of the games are drawn", base, said(draws.Number)), Colour: Good}
	}
	if worst.colour == Undecided {
		worst.name = ""
	}
	return Summary{worst.text, worst.name, worst.colour}
}

// fatal reports whether a flaw leaves nothing else to praise.
func (s Summary) fatal() bool { return s.Colour == Poor && (s.Flaw == "no_goal" || s.Flaw == "drawn") }

// goal is the flaw of games that reach no goal.
func (v *view) goal() flaw {
	finished := v.main.Ends.Finished
	f := flaw{"no_goal", v.finished(), ""}
	var most ReasonShare
	for _, x := range v.main.Ends.Reasons {
		if x.Kind == endCap.String() || endless(x.Reason) {
			most = x
			break
		}
	}
	if !most.Share.Known() {
		return flaw{}
	}
	if f.text = fmt.Sprintf("%s of the games end by %s", said(most.Share), v.way(most)); most.Kind == endDraw.String() {
		f.text = fmt.Sprintf("%s of the games are drawn by %s", said(most.Share), v.way(most))
	}
	head := "not all games reach a goal"
	switch {
	case finished.Value < 0.05 && len(v.game.Rules().Win.Reach) > 0:
		head = "nobody gets home"
	case finished.Value < 0.05:
		head = "nobody wins"
	case finished.Value < 0.5:
		head = "most games reach no goal"
	}
	f.text = head + ": " + f.text
	return f
}

// answer sets what the report says first: the summary and the answers.
func (r *Report) answer(g *engines.Game) {
	v := r.view(g)
	r.Summary, r.Answers = v.summary(), nil
	for _, m := range measures() {
		if m.answers != nil {
			for _, a := range m.answers(v) {
				if r.Summary.fatal() && a.Colour == Good {
					a.Colour = "" // no praise below a fatal flaw
				}
				if i := slices.IndexFunc(r.Answers, func(b Answer) bool { return b.Question == a.Question }); i >= 0 {
					r.Answers[i].Reason = a.Claim
					continue
				}
				r.Answers = append(r.Answers, a)
			}
		}
	}
	r.Answers = append(r.Answers, v.next())
	order := []string{"Fair?", "Ends?", "Deep?", "For people?", "Alive?", toChange}
	slices.SortStableFunc(r.Answers, func(a, b Answer) int {
		return cmp.Compare(slices.Index(order, a.Question), slices.Index(order, b.Question))
	})
	texts := []*string{&r.Summary.Text}
	for i := range r.Answers {
		a := &r.Answers[i]
		texts = append(texts, &a.Claim, &a.Reason, &a.Next)
	}
	for _, text := range texts {
		*text = v.game.NameSides(*text)
	}
}

// pageAnswers returns the answers for the page.
func (r *Report) pageAnswers() (out []page.Answer) {
	for _, a := range r.Answers {
		out = append(out, page.Answer{
			Question: a.Question, Verdict: a.Verdict, Status: table.ParseStatus(string(a.Colour)),
			Text: sentences(a.Claim, a.Reason, a.Next),
		})
	}
	return out
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
	a.Colour, a.Estimate = l.Colour, l.Number
	among := fmt.Sprintf("among these agents the first player scores %s, %s", said(l.Number), v.main.Counted(l.Number))
	a.Reason = among
	side, _ := r.winner()
	switch c := r.Verdict; {
	case r.Exact.Decided():
		a.Verdict, a.Colour, a.Claim = "No", Poor, "with best play "+wins(r.Exact)
	case r.Exact != nil:
		a.Verdict, a.Claim, a.Colour = "Yes", "with best play the game is a draw", Good
	case side != "":
		a.Verdict, a.Colour, a.Claim = "No", Poor, fmt.Sprintf("two kinds of search agree that the %s player wins", side)
	case c.Scope == AboutRules && c.Claim == campaign.Even:
		a.Verdict, a.Claim = "Yes", "two kinds of search find neither side ahead"
	case v.main.Same() || r.Study.Effort == quick:
		a.Verdict, a.Colour, a.Claim, a.Reason = "Not known yet", Undecided, among, ""
		a.Next = "use --effort normal"
	case l.Number.Lo > 0.5:
		a.Verdict, a.Claim, a.Reason = "Not here", "the first player is ahead; stronger play is unknown", among
	case l.Number.Hi < 0.5:
		a.Verdict, a.Claim = "Not here", "the second player is ahead; stronger play is unknown"
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
	a.Claim = strings.Join(ways, ", ")
	if a.Colour == Undecided {
		a.Next = v.r.light("completion").more()
	}
	return []Answer{a}
}
