// Package target judges rules by targets. A target is a range for a measured number, like "fpa<=0.05". Parse reads
// targets from text; Judge and JudgeAll compare measured numbers with them; Overrule replaces a verdict on
// measured numbers by one on an exact value.
package target

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"spar/arena/campaign"
	"spar/configs/strict"
	"spar/ratings"
)

// quantity is a measure that a target can be set for.
type quantity struct {
	name, about string
	min, max    float64 // min and max are the limits of possible values.
}

func quantities() []quantity {
	inf := math.Inf(1)
	return []quantity{
		{"fpa", "absolute distance of the first player's score from 0.5, at the strongest tier", 0, 0.5},
		{"score", "the first player's score at the strongest tier, counting draws as half", 0, 1},
		{"elo", "the first player's advantage in Elo at the strongest tier", -inf, inf},
		{"draws", "share of games drawn before the ply limit", 0, 1},
		{"completion", "share of games that end before the ply limit, also by repetition", 0, 1},
		{"finished", "share of games that end with a goal reached, a full board or a player unable to move", 0, 1},
		{"alive", "share of games in which the rarest mechanic of the rules occurs: steps, jumps, pieces that leave, " +
			"captures by surrounding", 0, 1},
		{"length", "median plies of a game", 0, inf},
		{
			"depth",
			"number of levels from the weakest agent to the strongest, each scoring 60 % against the one below", -inf, inf,
		},
	}
}

// Target is a requirement on the balance of rules, like "fpa<=0.05", "completion >= 99%" or "score in [0.48,
// 0.52]": a range for a quantity, both ends included; an end that is infinite is open.
//
// The verdict depends on the whole interval of a number: the target is met if the interval lies inside the target,
// missed if it lies outside, and otherwise undecided. A missing number leaves it undecided, too.
type Target struct {
	Measure string  `json:"measure"`
	Lo      float64 `json:"-"`
	Hi      float64 `json:"-"`
	Text    string  `json:"text"` // target as written
}

const numeral = `([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?\s*%?)`

var (
	bound = regexp.MustCompile(`^\s*([A-Za-z_]+)\s*(<=|>=|<|>|=|==)\s*` + numeral + `\s*$`)
	inner = regexp.MustCompile(`^\s*([A-Za-z_]+)\s+in\s+\[?\s*` + numeral + `\s*(?:,|\.\.|to|\s)\s*` + numeral +
		`\s*\]?\s*$`)
)

// Is reports whether a text is meant to be a target, even if it has a mistake.
func Is(text string) bool {
	return strings.ContainsAny(text, "<>") || inner.MatchString(text)
}

// Parse reads a target. Numbers are fractions from 0 to 1, or percentages with a percent sign. The sign < means
// <=, and > means >=: for intervals there is no difference.
func Parse(text string) (Target, error) {
	t := Target{Lo: math.Inf(-1), Hi: math.Inf(1), Text: strings.TrimSpace(text)}
	var texts []string
	if m := inner.FindStringSubmatch(text); m != nil {
		t.Measure, texts = m[1], m[2:]
	} else if m := bound.FindStringSubmatch(text); m != nil {
		t.Measure, texts = m[1], m[3:]
		if strings.HasPrefix(m[2], "=") {
			return t, fmt.Errorf("%q: a measured number never equals a value exactly; give a range like %s in [0.48, 0.52]",
				text, m[1])
		}
	} else {
		return t, fmt.Errorf("%q is not a target; expected one like fpa<=0.05, completion>=99%% or score in [0.48, 0.52]",
			text)
	}
	known := quantities()
	i := slices.IndexFunc(known, func(q quantity) bool { return q.name == t.Measure })
	if i < 0 {
		var names []string
		for _, q := range known {
			names = append(names, q.name)
		}
		return t, fmt.Errorf("%q: unknown measure %q%s", text, t.Measure, strict.Suggest(t.Measure, names))
	}
	can := known[i]
	var limits []float64
	for _, s := range texts {
		x, err := parseNumber(s)
		if err != nil {
			return t, fmt.Errorf("%q: %q is not a number", text, s)
		}
		if x < can.min || x > can.max {
			hint := ""
			if t.Measure == "fpa" && x > 0.5 && x <= 1 {
				hint = "; for a target on the score itself, write: score in [0.48, 0.52]"
			}
			return t, fmt.Errorf("%q: %s (%s) ranges from %g to %g, so %g is impossible%s", text, t.Measure, can.about, can.min,
				can.max, x, hint)
		}
		limits = append(limits, x)
	}
	switch {
	case len(limits) == 2:
		t.Lo, t.Hi = limits[0], limits[1]
	case strings.Contains(text, "<"):
		t.Hi = limits[0]
	default:
		t.Lo = limits[0]
	}
	if t.Lo > t.Hi {
		return t, fmt.Errorf("%q: %g is more than %g", text, t.Lo, t.Hi)
	}
	return t, nil
}

func parseNumber(s string) (float64, error) {
	percent := strings.HasSuffix(s, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// Verdict says whether a number meets a target.
type Verdict string

// The possible verdicts.
const (
	Met       Verdict = "met"
	Missed    Verdict = "missed"
	Undecided Verdict = "undecided"
)

// Judge compares a number with the target.
func (t Target) Judge(x ratings.Estimate) Verdict {
	if !x.Known() {
		return Undecided
	}
	switch lo, hi := x.Ends(); {
	case lo >= t.Lo && hi <= t.Hi:
		return Met
	case lo > t.Hi || hi < t.Lo:
		return Missed
	}
	return Undecided
}

// Distance returns how far a value is from the target; 0 inside it.
func (t Target) Distance(value float64) float64 {
	return math.Max(0, math.Max(t.Lo-value, value-t.Hi))
}

// Judged is a target with its verdict.
type Judged struct {
	Rules   string           `json:"rules" help:"rules judged"`
	Target  string           `json:"target" help:"target as given"`
	Measure string           `json:"measure" help:"measure of the target"`
	Verdict Verdict          `json:"verdict" help:"met, missed or undecided"`
	Number  ratings.Estimate `json:"number" help:"the number judged"`
	// the games that the number comes from; empty if a report has only one kind of game
	Of string `json:"of,omitempty" help:"games that the number comes from: agents against themselves, or all games"`
	// the exact value that misses the target whatever the number says; empty if there is none
	Exact string `json:"exact,omitempty" help:"the exact value, if it misses the target regardless of the number"`
}

// JudgeAll judges targets by the measured numbers of one set of rules.
func JudgeAll(rules string, targets []Target, numbers map[string]ratings.Estimate) []Judged {
	var out []Judged
	for _, t := range targets {
		x := numbers[t.Measure]
		out = append(out, Judged{
			Rules:   rules,
			Target:  t.Text,
			Measure: t.Measure,
			Verdict: t.Judge(x),
			Number:  x,
		})
	}
	return out
}

// Overrule changes the verdicts of targets about who wins to "missed" where the exact value misses them, whatever
// the numbers say. Nil means that there is no exact value.
func Overrule(e *campaign.Exact, targets []Target, judged []Judged) {
	for i, j := range judged {
		if slices.ContainsFunc(targets, func(t Target) bool { return t.Text == j.Target && t.MissedBy(e) }) {
			judged[i].Verdict, judged[i].Exact = Missed, e.Text
		}
	}
}

// MissedBy reports whether the exact value misses a target about who wins. It is false without an exact value
// (nil).
func (t Target) MissedBy(e *campaign.Exact) bool {
	x, ok := exactly(e, t.Measure)
	return ok && (x < t.Lo || x > t.Hi)
}

// exactly returns the exact value of a measure about who wins.
func exactly(e *campaign.Exact, measure string) (float64, bool) {
	if e == nil {
		return 0, false
	}
	score := map[string]float64{"first": 1, "draw": 0.5, "second": 0}[e.Winner]
	elo := map[string]float64{"first": math.Inf(1), "draw": 0, "second": math.Inf(-1)}[e.Winner]
	x, ok := map[string]float64{"score": score, "fpa": math.Abs(score - 0.5), "elo": elo}[measure]
	return x, ok
}

// DistanceOf returns how far the exact value is from a target about who wins. The second result is false for other
// measures and without an exact value.
func (t Target) DistanceOf(e *campaign.Exact) (float64, bool) {
	x, ok := exactly(e, t.Measure)
	return t.Distance(x), ok
}

// String writes a verdict on one line.
func (j Judged) String() string {
	if j.Exact != "" {
		return fmt.Sprintf("%s: %s is %s: %s Among these agents, %s %s", j.Rules, j.Target, j.Verdict, j.Exact, j.Measure,
			said(j.Number))
	}
	if !j.Number.Known() {
		return fmt.Sprintf("%s: %s is %s: not measurable", j.Rules, j.Target, j.Verdict)
	}
	text := fmt.Sprintf("%s: %s is %s: %s %s", j.Rules, j.Target, j.Verdict, j.Measure, said(j.Number))
	if j.Of != "" {
		text += ", in " + j.Of
	}
	return text
}

// said writes a number with its interval and n, like "52 % (48 to 57), n 360".
func said(x ratings.Estimate) string {
	if !x.Known() {
		return "-"
	}
	return fmt.Sprintf("%s (%s), n %d", x.Point(), x.Range(), x.N)
}

// Numbers are measured numbers by the name of their measure.
type Numbers map[string]ratings.Estimate

// Measured are the measurements of one variant of rules.
type Measured struct {
	ByAgent map[string]Numbers // measurements of each agent against itself, by agent name
	Depth   ratings.Estimate   // depth, from the ladder of agents; unknown if there is none
}
