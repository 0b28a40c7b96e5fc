package balance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/ratings"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// Answer answers one of the questions that a designer asks first. Claim, Reason and Next are phrases without a full
// stop.
type Answer struct {
	Question string `json:"question"`
	Verdict  string `json:"verdict,omitempty"` // in one or two words
	// good, middling, poor, not good or undecided; empty if it is not judged
	Colour   Colour           `json:"colour,omitempty"`
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
			out = append(out, plain.Capital(s)+".")
		}
	}
	return strings.Join(out, " ")
}

// said writes a value with its interval, like "65 % (61 to 69)".
func said(n ratings.Estimate) string {
	if n.Method == "none" {
		return n.Point()
	}
	if n.Open() != "" {
		return n.Range()
	}
	return n.Point() + " (" + n.Range() + ")"
}

// more says how many more games would probably settle a question; empty if unknown.
func (l Light) more() string {
	if l.More == 0 || l.More > 10*l.Number.N { // the reader will not play them
		return ""
	}
	return fmt.Sprintf("about %s would probably settle this", screen.Plural(l.More, "more "+strings.TrimSuffix(l.MoreOf,
		"s")))
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

// Summary is one sentence about the whole game: its worst flaw, or that it has none.
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

// summary chooses the worst flaw. Of equally bad ones it is the first here: whether a game reaches its goal says more
// than that it is drawn.
func (v *view) summary() Summary {
	switch {
	case v.told.NobodyWins():
		return Summary{"Nobody can win under these rules", "no_goal", Poor}
	case v.main == nil:
		return Summary{Text: "There are no games to measure", Colour: NoData}
	}
	var flaws []flaw
	for _, m := range measures() {
		if m.flaws != nil {
			flaws = append(flaws, m.flaws(v)...)
		}
	}
	order := strings.Fields("unfair no_goal drawn short shallow")
	slices.SortStableFunc(flaws, func(a, b flaw) int {
		return cmp.Compare(slices.Index(order, a.name), slices.Index(order, b.name))
	})
	worst := flaw{colour: Good}
	for _, f := range flaws {
		if worse(worst.colour, f.colour) != worst.colour {
			worst = f
		}
	}
	switch worst.colour {
	case Good:
		fair := v.isFair()[0]
		worst.text = fmt.Sprintf("no flaw found: %s, and %s%s are drawn", fair.Claim,
			said(v.r.light("draws").Number), v.played.games())
	case Undecided:
		worst.name = ""
	}
	return Summary{worst.text, worst.name, worst.colour}
}

// fatal reports whether a flaw leaves nothing else to praise.
func (s Summary) fatal() bool { return s.Colour == Poor && (s.Flaw == "no_goal" || s.Flaw == "drawn") }

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
				if i := slices.IndexFunc(r.Answers, func(b Answer) bool {
					return b.Question == a.Question
				}); i >= 0 {
					r.Answers[i].Reason = a.Claim
					continue
				}
				r.Answers = append(r.Answers, a)
			}
		}
	}
	r.Answers = append(r.Answers, v.next())
	r.Summary.Text = r.named(r.Summary.Text)
	for i := range r.Answers {
		a := &r.Answers[i]
		a.Claim, a.Reason, a.Next = r.named(a.Claim), r.named(a.Reason), r.named(a.Next)
	}
	order := []string{"Fair?", "Ends?", "Deep?", "For people?", "Alive?", "Dramatic?", toChange}
	slices.SortStableFunc(r.Answers, func(a, b Answer) int {
		return cmp.Compare(slices.Index(order, a.Question), slices.Index(order, b.Question))
	})
}

// pageAnswers returns the answers for the page.
func (r *Report) pageAnswers() (out []page.Answer) {
	for _, a := range r.Answers {
		out = append(out, page.Answer{
			Question: a.Question,
			Verdict:  a.Verdict,
			Status:   table.ParseStatus(string(a.Colour)),
			Text:     sentences(a.Claim, a.Reason, a.Next),
		})
	}
	return out
}
