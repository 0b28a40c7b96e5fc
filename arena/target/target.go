// Package target reads and judges targets for the balance of rules, like "fpa<=0.05", "completion >= 99%" or
// "score in [0.48, 0.52]".
//
// A target is judged by the whole interval of a number: it is met where the interval lies inside the target, missed where it
// lies outside, and undecided in between. A number that does not exist leaves its target undecided, too.
package target

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"spar/arena/balance"
	"spar/configs/strict"
)

// Measure is something that can have a target.
type Measure struct {
	Name  string
	About string
	Min   float64 // of possible values
	Max   float64
}

// Measures lists what can have a target.
func Measures() []Measure {
	inf := math.Inf(1)
	return []Measure{
		{"fpa", "distance of the first player's score from 0.5, without its sign, at the strongest tier", 0, 0.5},
		{"score", "the first player's score at the strongest tier, draws as half", 0, 1},
		{"elo", "the first player's advantage in Elo at the strongest tier", -inf, inf},
		{"draws", "share of games drawn by the rules", 0, 1},
		{"completion", "share of games that the rules end other than by the ply cap", 0, 1},
		{"length", "median plies of a game", 0, inf},
		{"depth", "number of 60 % steps from the weakest tier to the strongest", -inf, inf},
	}
}

// Find returns the measure of that name.
func Find(name string) (Measure, bool) {
	ms := Measures()
	i := slices.IndexFunc(ms, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return ms[i], true
}

// Names lists the names of the measures.
func Names() []string {
	var out []string
	for _, m := range Measures() {
		out = append(out, m.Name)
	}
	return out
}

// Target is a range for a measure, both ends included; an end that is infinite is open.
type Target struct {
	Measure string  `json:"measure"`
	Lo      float64 `json:"-"`
	Hi      float64 `json:"-"`
	Text    string  `json:"text"` // as given
}

const number = `([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?\s*%?)`

var (
	bound = regexp.MustCompile(`^\s*([A-Za-z_]+)\s*(<=|>=|<|>|=|==)\s*` + number + `\s*$`)
	inner = regexp.MustCompile(`^\s*([A-Za-z_]+)\s+in\s+\[?\s*` + number + `\s*(?:,|\.\.|to|\s)\s*` + number + `\s*\]?\s*$`)
)

// Looks tells whether a text is meant as a target, right or wrong.
func Looks(text string) bool {
	return strings.ContainsAny(text, "<>") || inner.MatchString(text)
}

// Parse reads a target. Numbers are shares from 0 to 1 or written with a percent sign. The sign < reads as <=, and > as >=: for
// intervals there is no difference.
func Parse(text string) (Target, error) {
	t := Target{Lo: math.Inf(-1), Hi: math.Inf(1), Text: strings.TrimSpace(text)}
	var texts []string
	if m := inner.FindStringSubmatch(text); m != nil {
		t.Measure, texts = m[1], m[2:]
	} else if m := bound.FindStringSubmatch(text); m != nil {
		t.Measure, texts = m[1], m[3:]
		if strings.HasPrefix(m[2], "=") {
			return t, fmt.Errorf("%q: a measured number equals nothing exactly; state a range like %s in [0.48, 0.52]", text, m[1])
		}
	} else {
		return t, fmt.Errorf("%q is not a target; expected one like fpa<=0.05, completion>=99%% or score in [0.48, 0.52]", text)
	}
	known, ok := Find(t.Measure)
	if !ok {
		return t, fmt.Errorf("%q: unknown measure %q%s", text, t.Measure, strict.Suggest(t.Measure, Names()))
	}
	var limits []float64
	for _, s := range texts {
		x, err := parseNumber(s)
		if err != nil {
			return t, fmt.Errorf("%q: %q is not a number", text, s)
		}
		if x < known.Min || x > known.Max {
			hint := ""
			if t.Measure == "fpa" && x > 0.5 && x <= 1 {
				hint = "; the score itself is called score: score in [0.48, 0.52]"
			}
			return t, fmt.Errorf("%q: %s is %s, from %g to %g, never %g%s", text, t.Measure, known.About, known.Min, known.Max, x, hint)
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

// Verdict is what a number says about a target.
type Verdict string

// The verdicts.
const (
	Met       Verdict = "met"
	Missed    Verdict = "missed"
	Undecided Verdict = "undecided"
)

// ends returns the limits of a number's interval; one that is open is infinite.
func ends(x balance.Number) (lo, hi float64) {
	lo, hi = x.Lo, x.Hi
	if x.LoOpen {
		lo = math.Inf(-1)
	}
	if x.HiOpen {
		hi = math.Inf(1)
	}
	return lo, hi
}

// Judge tells whether a number meets the target.
func (t Target) Judge(x balance.Number) Verdict {
	if !x.OK() {
		return Undecided
	}
	switch lo, hi := ends(x); {
	case lo >= t.Lo && hi <= t.Hi:
		return Met
	case lo > t.Hi || hi < t.Lo:
		return Missed
	}
	return Undecided
}

// Distance is how far a value is from the target, 0 inside it.
func (t Target) Distance(value float64) float64 {
	return math.Max(0, math.Max(t.Lo-value, value-t.Hi))
}

// FPA turns the first player's score into its distance from a half.
func FPA(score balance.Number) balance.Number {
	lo, hi := score.Lo-0.5, score.Hi-0.5
	out := score
	out.Value, out.Lo, out.Hi = math.Abs(score.Value-0.5), math.Min(math.Abs(lo), math.Abs(hi)), math.Max(math.Abs(lo), math.Abs(hi))
	if lo <= 0 && hi >= 0 {
		out.Lo = 0
	}
	return out
}

// Of returns the numbers of a report that can have a target. What the report does not have is left out.
func Of(r *balance.Report) map[string]balance.Number {
	out := map[string]balance.Number{}
	if r.Headline >= 0 && r.Headline < len(r.Groups) {
		out = OfGroup(&r.Groups[r.Headline])
		if j := r.Joint; j != nil && r.Groups[r.Headline].Kind == "all" && j.Score.OK() && j.Elo.OK() {
			// Of different agents the stronger may have begun more often: the score is that between equals, as in the verdict.
			out["score"], out["fpa"], out["elo"] = j.Score, FPA(j.Score), j.Elo
		}
	}
	if r.Ladder != nil && r.Ladder.Depth.OK() {
		depth := r.Ladder.Depth
		depth.HiOpen = depth.HiOpen || r.Ladder.LowerBound
		out["depth"] = depth
	}
	return out
}

// OfGroup returns the numbers of one group of games that can have a target.
func OfGroup(g *balance.Group) map[string]balance.Number {
	out := map[string]balance.Number{
		"score": g.Outcome.Score, "fpa": FPA(g.Outcome.Score), "elo": g.Outcome.Elo,
		"draws": g.Outcome.Draw, "completion": g.Ends.Completion, "length": g.Length.All.Median,
	}
	for name, x := range out {
		if !x.OK() {
			delete(out, name)
		}
	}
	return out
}

// Judged is a target with its verdict.
type Judged struct {
	Rules   string         `json:"rules"`
	Target  string         `json:"target"`
	Measure string         `json:"measure"`
	Verdict Verdict        `json:"verdict"`
	Number  balance.Number `json:"number"`
}

// JudgeAll judges targets by the numbers of some rules.
func JudgeAll(rules string, targets []Target, numbers map[string]balance.Number) []Judged {
	var out []Judged
	for _, t := range targets {
		x := numbers[t.Measure]
		out = append(out, Judged{Rules: rules, Target: t.Text, Measure: t.Measure, Verdict: t.Judge(x), Number: x})
	}
	return out
}

// String writes a verdict on one line.
func (j Judged) String() string {
	if !j.Number.OK() {
		return fmt.Sprintf("%s: %s is %s: the games cannot say", j.Rules, j.Target, j.Verdict)
	}
	return fmt.Sprintf("%s: %s is %s: %s %s", j.Rules, j.Target, j.Verdict, j.Measure, Text(j.Measure, j.Number))
}

// Text writes a number of a measure with its interval and n: 52.4 % [48.1, 56.7] n 360.
func Text(measure string, x balance.Number) string {
	if !x.OK() {
		return "-"
	}
	return fmt.Sprintf("%s n %d", Short(measure, x), x.N)
}

// Short writes a number of a measure with its interval, for tables that say n elsewhere.
func Short(measure string, x balance.Number) string {
	if !x.OK() {
		return "-"
	}
	scale, digits, unit := 1.0, 1, ""
	switch measure {
	case "score", "fpa", "draws", "completion":
		scale, unit = 100, " %"
	case "elo", "length":
		digits = 0
	}
	limit := func(v float64, open bool) string {
		if open {
			return "open"
		}
		return fmt.Sprintf("%.*f", digits, scale*v+0)
	}
	return fmt.Sprintf("%.*f%s [%s, %s]", digits, scale*x.Value+0, unit, limit(x.Lo, x.LoOpen), limit(x.Hi, x.HiOpen))
}
