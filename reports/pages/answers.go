package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"spar/arena/campaign"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// mostWords is the maximum number of words before the first picture.
const mostWords = 60

// words counts the space-separated words with a letter or a digit.
func words(texts ...string) int {
	n := 0
	for _, s := range texts {
		for _, w := range strings.Fields(s) {
			if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				n++
			}
		}
	}
	return n
}

// answers returns the answers to a designer's five questions. Taken is the number of words above them. If there
// are too many words, it shortens the answers in this order: how often a mechanic mattered or the lead changes;
// the usual length, which also appears below; the number of games for a recommended change; the numbers of games
// for fairness and endings; the second cost of a change.
func (b *builder) answers(taken int) []page.Answer {
	var out []page.Answer
	for brief := range 5 {
		out = []page.Answer{b.isFair(brief), b.ends(brief), b.isDeep(brief), b.isAlive(brief), b.next(brief)}
		n := taken
		for _, a := range out {
			n += words(a.Question, a.Text)
		}
		if n <= mostWords {
			break
		}
	}
	if b.r.People != nil {
		out = append([]page.Answer{forPeople(b.r.People)}, out...)
	}
	for i := range out {
		out[i].Text = b.game.NameSides(out[i].Text)
	}
	return out
}

// forPeople returns the row of predictions for people, with at most 25 words.
func forPeople(p *balance.ForPeople) page.Answer {
	percent := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
	of := "error %.0f points"
	if !p.Measured {
		of = "measured only on line games: typical error %.0f points"
	}
	return page.Answer{Question: "For people?", Text: fmt.Sprintf(
		"Prediction for novices: first player %s ("+of+"), draws %s, %.0f plies; practised (assumed) %s, draws %s",
		percent((p.Novice.Payoff+1)/2), 100*p.Error, percent(p.Novice.Draw), p.Novice.Plies,
		percent((p.Practised.Payoff+1)/2), percent(p.Practised.Draw),
	)}
}

func (b *builder) light(measure string) balance.Light {
	for _, l := range b.r.Lights {
		if l.Measure == measure {
			return l
		}
	}
	return balance.Light{}
}

func status(l balance.Light) table.Status { return table.ParseStatus(string(l.Colour)) }

// brief formats a number with its interval, and the number of games if there is space.
func brief(n ratings.Estimate, games bool) string {
	if !n.Known() {
		return "not measured"
	}
	u, decimals := unit(n)
	k, sign := 1.0, ""
	if u == chart.Percent {
		k, sign, decimals = 100, " %", 0
	}
	decimals = min(decimals, 1)
	write := func(v float64) string { return chart.Text(k*v, chart.Number, decimals) }
	lo, hi := n.Ends()
	limits := write(lo) + "–" + write(hi)
	if lo < 0 {
		limits = write(lo) + " to " + write(hi)
	}
	switch {
	case n.Method == "none":
		limits = ""
	case math.IsInf(lo, -1) && math.IsInf(hi, 1):
		limits = "no bounds"
	case math.IsInf(hi, 1):
		limits = "over " + write(lo)
	case math.IsInf(lo, -1):
		limits = "under " + write(hi)
	}
	if games {
		limits = strings.TrimPrefix(limits+", "+n.Count(), ", ")
	}
	if limits == "" {
		return write(n.Value) + sign
	}
	return write(n.Value) + sign + " (" + limits + ")"
}

// nearlyAll formats a fraction below 1 in percent as tables do, but never as 100 %.
func nearlyAll(x float64) string { return chart.Text(min(100*x, 99.9), chart.Number, 1) }

// isFair states which player has the advantage: facts about the rules first, then results of these agents.
func (b *builder) isFair(short int) page.Answer {
	a := page.Answer{Question: "Fair?"}
	if b.told.NobodyWins() {
		a.Status, a.Text = table.Poor, "Nobody can win."
		return a
	}
	if b.main == nil {
		a.Text = "No games to measure."
		return a
	}
	l := b.light("first_score")
	a.Status = status(l)
	score := "first player " + brief(l.Number, short < 4)
	if b.main.Distinct < b.main.Games && short < 4 {
		score = strings.Replace(score, l.Number.Count(), b.main.Counted(l.Number), 1)
	}
	better := map[campaign.Claim]string{
		campaign.First:  "the first player",
		campaign.Second: "the second player",
	}[b.r.Verdict.Claim]
	switch v := b.r.Verdict; {
	case v.Exact && better != "":
		a.Text, a.Status = fmt.Sprintf("With best play %s wins. These agents: %s", better, score), table.Poor
	case v.Exact:
		a.Text = "With best play a draw. These agents: " + score
	case v.Scope == balance.AboutRules && better != "":
		a.Text, a.Status = fmt.Sprintf("All searches favour %s. These agents: %s", better, score), table.Poor
	case v.Scope == balance.AboutRules && v.Claim == campaign.Even:
		a.Text = "Even for all searches. These agents: " + score
	case b.main.Same():
		a.Text, a.Status = "Undecided: "+score, table.Undecided
	case l.Colour == balance.Good:
		a.Text = "Even among these agents, stronger play unknown: " + score
	case l.Number.Known() && !l.Number.LoOpen && l.Number.Lo > 0.5:
		a.Text = "First player ahead here, stronger play unknown: " + strings.TrimPrefix(score, "first player ")
	case l.Number.Known() && !l.Number.HiOpen && l.Number.Hi < 0.5:
		a.Text = "Second player ahead here, stronger play unknown: " + score
	default:
		a.Text = "Undecided: " + score
	}
	return a
}

// quick is the effort whose agents are so weak that only exact values decide anything.
const quick = "quick"

// howItEnds describes how games end, with the most frequent way first. It uses the distinct games.
func (b *builder) howItEnds() string {
	var total int64
	for _, r := range b.main.Ends.Reasons {
		total += r.Distinct
	}
	if total == 0 {
		return ""
	}
	r := b.game.Rules()
	second := r.Of(engines.Second)
	said := map[string]string{
		"no_moves": "a player who cannot move", "ply_cap": "the ply limit", "quiet": "moves without placement or capture",
	}
	for _, goal := range rules.Goals() {
		said[goal.Reason] = goal.Ends
		if goal.Number != nil && goal.Number(&r) == goal.Number(&second) {
			said[goal.Reason] += fmt.Sprintf(" of %d", goal.Number(&r))
		}
	}
	var parts []string
	for _, r := range b.main.Ends.Reasons {
		text := cmp.Or(said[r.Reason], strings.ReplaceAll(r.Reason, "_", " "))
		if r.Reason == "majority" && r.Kind == "draw" {
			text = "equal counts"
		}
		parts = append(parts, fmt.Sprintf("%.0f %% by %s", 100*float64(r.Distinct)/float64(total), text))
	}
	games := count(total, "game")
	if total < b.main.Games {
		games = fmt.Sprintf("%d distinct games of %d", total, b.main.Games)
	}
	return "How games end: " + strings.Join(parts, "; ") + " (" + games + ")."
}

func (b *builder) ends(short int) page.Answer {
	a := page.Answer{Question: "Ends?"}
	half := ""
	if b.main != nil && b.main.Length.All.Median.Known() && short < 2 {
		half = "; half by move " + number(b.main.Length.All.Median.Value)
		if l := b.main.Length.All; l.Min == l.Max {
			half = "; all at move " + number(l.Median.Value)
		}
	}
	if b.told.Ending.Kind == explain.Fills {
		a.Status, a.Text = table.Good, "Always: the board fills"+half
		return a
	}
	if b.told.Ending.Kind == explain.UsedUp {
		a.Status, a.Text = table.Good, "Always: each move captures or advances"+half
		return a
	}
	l := b.light("completion")
	a.Status = status(l)
	switch {
	case b.main == nil || !l.Number.Known():
		a.Text = "Not measured."
	case l.Number.Value == 1: // 100 % (100–100 %) would say less
		a.Text = fmt.Sprintf("All %s%s (95 %%: %s–100)%s", l.Number.Count(), b.among(l.Number), nearlyAll(l.Number.Lo), half)
	case l.Colour == balance.Good:
		a.Text = brief(l.Number, short < 4) + half
	case l.Colour == balance.Poor:
		a.Text = "Often not: only " + brief(l.Number, short < 4) + half
	default:
		a.Text = brief(l.Number, short < 4) + " so far" + half
	}
	return a
}

// among names the games that a completion fraction refers to, if they are not all games of the page.
func (b *builder) among(n ratings.Estimate) string {
	if n.N == b.r.Completed.N && n.N < b.r.Games() {
		return " between searches"
	}
	return ""
}

func (b *builder) isDeep(int) page.Answer {
	a := page.Answer{Question: "Deep?", Status: status(b.light("top_doubling")), Text: "Not measured: no agents of " +
		"increasing strength played."}
	ladder := b.r.Ladder
	if ladder == nil || !ladder.Skill.Known() {
		return a
	}
	switch skill := ladder.Skill; {
	case !skill.LoOpen && skill.Lo > 0:
		a.Text = brief(skill, false) + " levels of skill"
		if ladder.LowerBound {
			a.Text += ", or more"
		}
	case !skill.HiOpen && skill.Hi < 0:
		a.Text, a.Status = "Thinking longer makes these agents worse", table.Poor
	default:
		a.Text = "Not clear whether longer thinking helps: " + brief(skill, false) + " levels"
	}
	return a
}

// verbs are the sentences about the use of each mechanic.
func verbs() map[string]string {
	return map[string]string{
		"steps": "steps", "jumps": "jumps", "chains": "further jumps", "returns": "returns", "leaves": "pieces leave",
		"surrounds": "captures", "swaps": "swaps", "passes": "passes",
		"takes": "captures by moving there", "clones": "clones", "encloses": "pieces enclosed",
		"mills": "pieces taken for mills", "falls": "pieces that fall",
	}
}

// isAlive states whether the mechanics of the rules are used and whether the lead changes.
func (b *builder) isAlive(short int) page.Answer {
	a := page.Answer{Question: "Alive?", Text: "Not measured."}
	if b.main == nil {
		return a
	}
	var dead, parts []string
	var most *balance.Use
	for i, u := range b.main.Alive {
		switch {
		case u.Mechanic == "passes" || u.Mechanic == "swaps":
		case u.PerGame.Known() && u.PerGame.Value == 0:
			dead = append(dead, verbs()[u.Mechanic])
		case most == nil || u.PerGame.Value > most.PerGame.Value:
			most = &b.main.Alive[i]
		}
	}
	if len(dead) > 0 {
		a.Status = table.Poor
		parts = append(parts, "No "+strings.Join(dead, ", no ")+" in "+count(b.main.Games, "game"))
	} else if most != nil {
		a.Status = table.Good
		if most.Games.Known() && most.Games.Hi < 0.5 {
			a.Status = table.Middling
		}
		text := brief(most.PerGame, false) + " " + verbs()[most.Mechanic] + " a game"
		parts = append(parts, text)
	}
	if c := b.main.Course; c != nil && c.LeadChanges.Known() && (short < 1 || len(parts) == 0) {
		parts = append(parts, brief(c.LeadChanges, false)+" lead changes")
	} else if c := b.main.Choice; len(parts) == 0 && c != nil && c.Mean.Known() {
		parts = append(parts, brief(c.Mean, false)+" choices per move")
	}
	if len(parts) > 0 {
		a.Text = strings.Join(parts, "; ")
	}
	return a
}

// mechanics makes the table of how often each mechanic of the rules is used, in every group of games.
func (b *builder) mechanics() table.Table {
	t := table.Table{
		ID: "alive", Caption: "How often the mechanics happen",
		Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "mechanic", Text: true},
			{Name: "times a game", Title: "times per game"},
			{Name: "games with it"},
		},
	}
	for _, g := range b.tiers() {
		for _, u := range g.Alive {
			t.Rows = append(t.Rows, []table.Cell{
				table.Words(g.Name), table.Words(verbs()[u.Mechanic]), cell(u.PerGame, ""),
				cell(u.Games, ""),
			})
		}
	}
	t.Fold = len(t.Rows) > 12
	return t
}

// secondsAMove is the assumed time in seconds that a person takes for a move of an abstract game.
const secondsAMove = 15

// glance describes the size of a game in a few facts.
func (b *builder) glance() []string {
	if b.main == nil {
		return nil
	}
	var out []string
	if text := b.howItEnds(); text != "" {
		out = append(out, text)
	}
	if l := b.main.Length.All; l.Median.Known() {
		spread := fmt.Sprintf(" (middle half %s to %s)", number(l.P25.Value), number(l.P75.Value))
		if l.Min == l.Max {
			spread = ""
		}
		text := fmt.Sprintf("A game has %s moves%s: about %s minutes at %d seconds per move.", number(l.Median.Value), spread,
			chart.Text(max(l.Median.Value*secondsAMove/60, 0.1), chart.Number,
				map[bool]int{true: 1, false: 0}[l.Median.Value*secondsAMove < 600]), secondsAMove)
		if b.game != nil && b.main.Short(b.game.Rules().Turn.Placements) {
			text += " That is very short and leaves little room for plans."
		}
		out = append(out, text)
	}
	if c := b.main.Choice; c != nil && c.Mean.Known() {
		out = append(out, fmt.Sprintf("A player chooses among %s moves.", brief(c.Mean, false)))
	}
	for _, n := range b.told.Notes {
		out = append(out, strings.ToUpper(n.Text[:1])+n.Text[1:]+".")
	}
	return out
}

// finals returns the final positions of typical games.
func (b *builder) finals() []page.GameView {
	var out []page.GameView
	for _, want := range []struct{ kind, title string }{
		{"median", "A game of median length"},
		{"draw", "A draw"},
		{"shortest", "The shortest game"},
		{"longest", "The longest game"},
	} {
		for _, x := range b.r.Samples {
			if x.Kind == want.kind && len(out) < 3 && !slices.ContainsFunc(out,
				func(v page.GameView) bool { return strings.Join(v.Moves, " ") == x.Moves }) {
				out = append(out, page.GameView{
					Title: want.title, Game: b.game, Moves: strings.Fields(x.Moves),
					Names: [2]string{x.First, x.Second},
				})
			}
		}
	}
	return out
}

// rules returns the rules in English.
func (b *builder) rules() page.Section {
	s := page.Section{ID: "rules", Title: "The rules in words", Aside: true}
	for _, part := range b.told.Sections {
		s.Paragraphs = append(s.Paragraphs, part.Title+". "+strings.Join(part.Sentences, " "))
	}
	for _, n := range b.told.Notes {
		s.Paragraphs = append(s.Paragraphs, "Note: "+n.Text+".")
	}
	return s
}
