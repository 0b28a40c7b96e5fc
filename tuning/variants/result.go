package variants

import (
	"math"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/ratings"
	"spar/tuning/target"
)

// Result is the result of a sweep. Its JSON form is public.
type Result struct {
	Name     string     `json:"name" help:"name of the sweep"`
	Rules    string     `json:"rules" help:"rules varied"`
	Design   string     `json:"design" help:"grid, latin-hypercube, halton or halving"`
	DB       string     `json:"db" help:"file of the study"`
	Seed     int64      `json:"seed" help:"seed for all random choices"`
	Knobs    []KnobInfo `json:"knobs" help:"knobs that vary: path, values, base"`
	Tiers    []string   `json:"tiers" help:"agents, weakest first"`
	Targets  []string   `json:"targets" help:"targets as given"`
	Tried    int        `json:"tried" help:"variants played"`
	Skipped  []Skipped  `json:"skipped,omitempty" help:"combinations that make invalid rules: rules, reason"`
	Excluded int        `json:"excluded,omitempty" help:"variants of a search that were not played, because one side wins by force"`
	Games    int64      `json:"games" help:"games played"`
	Variants []Cell     `json:"variants"` // the base first, then in the order of the design
	Effects  []Effect   `json:"effects,omitempty" help:"effect of each value of each knob: path, value, numbers"`
	Again    []Again    `json:"again" help:"the best, measured again on fresh seeds: the fields of a variant, and before, the first measurement"`
	Rounds   []Round    `json:"rounds,omitempty" help:"rounds of a search by halving: round, candidates, games, kept, missed"`
	Level    float64    `json:"level" help:"confidence level of the intervals"`
	Notes    []string   `json:"notes,omitempty" help:"notes on the result"`
}

// Named returns the values of a variant together with the paths of their knobs.
func (r *Result) Named(values []string) string {
	var parts []string
	for i, k := range r.Knobs {
		parts = append(parts, k.Path+" "+values[i])
	}
	return strings.Join(parts, ", ")
}

// KnobInfo is a knob that the sweep varies.
type KnobInfo struct {
	Path   string   `json:"path"`
	Values []string `json:"values"`
	Base   string   `json:"base"` // its value in the base
}

// Numbers are measurements by name.
type Numbers = target.Numbers

// Cell is a variant with its measurements.
type Cell struct {
	Rules   string          `json:"rules" help:"name in the study"`
	Values  []string        `json:"values" help:"values of the knobs"`
	Base    bool            `json:"base,omitempty" help:"true for the unchanged rules"`
	Hash    string          `json:"hash" help:"hash of the rules"`
	Numbers Numbers         `json:"numbers" help:"by measure, at the strongest tier (see notes): score, fpa, elo, draws, completion, alive, length, depth; each value, lo, hi, open, n, unit (what n counts), method, anytime, note"`
	ByTier  []Numbers       `json:"by_tier" help:"the same for each tier"`
	Change  Numbers         `json:"change,omitempty" help:"differences from the base"`
	Verdict target.Verdict  `json:"verdict,omitempty" help:"verdict on all targets together"`
	Judged  []target.Judged `json:"judged,omitempty" help:"verdicts on the targets, as in the kind report: targets"`
	Far     float64         `json:"far" help:"sum of the distances from the targets; 0 if all are met"`
	Solved
}

// Solved is the exact value of a variant; empty if unknown.
type Solved struct {
	Exact  string `json:"exact,omitempty" help:"exact value in words, if the variant is solved or proved"`
	Winner string `json:"winner,omitempty" help:"winner with best play, if known: first, second or draw"`
	Plies  int    `json:"plies,omitempty" help:"plies to the end with best play, if known"`
}

// Brief writes the exact value in a few words; empty if unknown.
func (s Solved) Brief() string { return campaign.Exact{Winner: s.Winner, Plies: s.Plies}.Brief() }

// Effect is the effect of a value of a knob, on average over the other knobs: the mean of the variants with that
// value minus the mean of the others. Its interval is computed from the intervals of the variants.
type Effect struct {
	Path    string  `json:"path"`
	Value   string  `json:"value"`
	Numbers Numbers `json:"numbers"` // effects on the measures
}

// Again is a variant that was measured again, with seeds that played no part in its selection.
type Again struct {
	Cell
	Before Numbers `json:"before" help:"first measurement, by which the variant was chosen"`
}

// Round is a round of a search.
type Round struct {
	Round      int      `json:"round"`
	Candidates int      `json:"candidates"`
	Games      int      `json:"games"` // of each tier of each candidate in this round
	Kept       []string `json:"kept"`  // names of the rules that stayed, nearest to the targets first
	// names of the rules that significantly miss a target; these rules left the search, unless too few others
	// remained
	Missed []string `json:"missed,omitempty"`
}

// scale returns the difference of a measure that counts as much as a difference of 1 in a fraction.
func scale(measure string) float64 {
	switch measure {
	case "elo":
		return 700 // near an even score, 7 Elo are one point of a hundred
	case "length":
		return 100
	case "depth":
		return 20
	}
	return 1
}

// far sums the distances of the values from the targets. It uses the exact value if it is known. A missing value
// counts as distance 1.
func far(goal []target.Target, tiers []Numbers, last Numbers, exact *campaign.Exact) float64 {
	sum := 0.0
	for _, t := range goal {
		if d, ok := t.DistanceOf(exact); ok {
			sum += math.Min(d/scale(t.Measure), 1)
			continue
		}
		worst := 0.0
		for _, n := range measuredBy(t, tiers, last) {
			d := 1.0
			if n.Known() {
				d = t.Distance(n.Value) / scale(t.Measure)
			}
			worst = math.Max(worst, d)
		}
		sum += worst
	}
	return sum
}

// measuredBy returns the values that must meet a target: those of every searching tier, so that one unusual tier
// does not decide.
func measuredBy(t target.Target, tiers []Numbers, last Numbers) []ratings.Estimate {
	if t.Measure == "depth" || len(tiers) == 0 {
		return []ratings.Estimate{last[t.Measure]}
	}
	var out []ratings.Estimate
	for _, n := range tiers {
		out = append(out, n[t.Measure])
	}
	return out
}

// judge returns the verdicts on the targets, from every tier that must meet them.
func judge(rules string, goal []target.Target, tiers []Numbers, names []string, last Numbers) []target.Judged {
	var out []target.Judged
	for _, t := range goal {
		ns := measuredBy(t, tiers, last)
		for i, n := range ns {
			who := rules
			if len(ns) > 1 {
				who += ", " + names[i]
			}
			out = append(out, target.Judged{
				Rules:   who,
				Target:  t.Text,
				Measure: t.Measure,
				Verdict: t.Judge(n),
				Number:  n,
			})
		}
	}
	return out
}

// together returns the verdict on all targets: missed if one is missed, met if all are met.
func together(js []target.Judged) target.Verdict {
	v := target.Verdict("")
	for _, j := range js {
		switch {
		case j.Verdict == target.Missed:
			return target.Missed
		case j.Verdict == target.Undecided || v == "":
			v = j.Verdict
		}
	}
	return v
}

// normal is the 97.5 % quantile of the normal distribution, for combining intervals of level 95 %.
const normal = 1.959963984540054

// standardError returns the standard error of an interval; infinite if it is open.
func standardError(n ratings.Estimate) float64 {
	if n.LoOpen || n.HiOpen {
		return math.Inf(1)
	}
	return (n.Hi - n.Lo) / 2 / normal
}

// effects returns the main effects of every value of every knob, if there are variants with it and without. It
// ignores a base that is not part of the grid.
func effects(knobs []KnobInfo, cells []Cell) []Effect {
	on := func(c Cell) bool {
		for i, k := range knobs {
			if !slices.Contains(k.Values, c.Values[i]) {
				return false
			}
		}
		return true
	}
	var out []Effect
	for i, k := range knobs {
		for _, v := range k.Values {
			var with, without []Cell
			for _, c := range cells {
				switch {
				case !on(c):
				case c.Values[i] == v:
					with = append(with, c)
				default:
					without = append(without, c)
				}
			}
			if len(with) == 0 || len(without) == 0 {
				continue
			}
			e := Effect{Path: k.Path, Value: v, Numbers: Numbers{}}
			rest := meanOf(without)
			for name, mean := range meanOf(with) {
				if d := ratings.Change(rest[name], mean); d.Known() {
					e.Numbers[name] = d
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// meanOf averages each measure over the variants, which are independent, if all of them have it.
func meanOf(cells []Cell) Numbers {
	out := Numbers{}
	for name, first := range cells[0].Numbers {
		sum, variance, n := 0.0, 0.0, int64(0)
		complete := true
		for _, c := range cells {
			x := c.Numbers[name]
			se := standardError(x)
			complete = complete && x.Known() && !math.IsInf(se, 1)
			sum += x.Value
			variance += se * se
			n += x.N
		}
		if !complete {
			continue
		}
		k := float64(len(cells))
		out[name] = ratings.Normal(sum/k, math.Sqrt(variance)/k, n, first.Unit, first.Scale)
	}
	return out
}

// certainty orders exact values: a draw is better than any sampled value, a forced win worse.
func certainty(s Solved) int {
	return map[string]int{"draw": 0, "": 1, "first": 2, "second": 2}[s.Winner]
}

// solved converts an exact value to its form in a result; nil = unknown.
func solved(x *campaign.Exact) Solved {
	if x == nil {
		return Solved{}
	}
	return Solved{x.Text, x.Winner, x.Plies}
}

// Unmet describes why a search did not succeed: the nearest variant and what could settle it. The text is empty if
// the best variant meets all targets, if there are no targets, or if no variant was measured again.
func (r *Result) Unmet() string {
	if len(r.Again) == 0 || len(r.Targets) == 0 || r.Again[0].Verdict == target.Met {
		return ""
	}
	near := r.Again[0]
	text := "no variant meets the targets; the nearest is " + r.Named(near.Values)
	var missed, open []string
	for _, j := range near.Judged {
		switch {
		case j.Verdict == target.Missed && !slices.Contains(missed, near.missed(j.Target)):
			missed = append(missed, near.missed(j.Target))
		case j.Verdict == target.Undecided && !slices.Contains(open, j.Target):
			open = append(open, j.Target)
		}
	}
	switch {
	case len(missed) > 0:
		text += ", which misses " + strings.Join(missed, " and ") + "; try other values or knobs"
	case len(open) > 0:
		key := "fresh"
		if isDepth(open[0]) {
			key = "ladder"
		} else if slices.ContainsFunc(open, isDepth) {
			key = "fresh, and ladder for the target on depth"
		}
		text += "; more games would probably decide " + strings.Join(open, " and ") + " (increase " + key + ")"
	}
	return text
}

// missed names a missed target, and the tiers that miss it if the others do not.
func (a Again) missed(text string) string {
	var by []string
	all := true
	for _, j := range a.Judged {
		if j.Target != text {
			continue
		}
		if _, tier, _ := strings.Cut(j.Rules, a.Rules+", "); j.Verdict == target.Missed {
			by = append(by, tier)
		} else {
			all = false
		}
	}
	if all {
		return text
	}
	return text + " with " + strings.Join(by, " and ")
}
