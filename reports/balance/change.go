package balance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
	"spar/tuning/target"
)

// Comparison compares two studies, one before and one after a change of rules. It has every number of both, and
// the difference with its interval. If both studies have the same plan and seed, games with the same number form a
// pair, which removes the variation caused by seeds and openings. Its JSON form is public.
type Comparison struct {
	Before   Side         `json:"before"`
	After    Side         `json:"after"`
	Knobs    []KnobChange `json:"knobs"` // the changed knobs; empty if the rules are the same
	Rows     []Row        `json:"rows"`
	Warnings []string     `json:"warnings,omitempty" help:"warnings about the comparison"`
	// targets, judged by the second study
	Judged []target.Judged `json:"judged,omitempty" help:"targets, see report: targets"`
	Level  float64         `json:"level" help:"level of the intervals"`
}

// Side is one of the studies.
type Side struct {
	DB    string `json:"db" help:"file of the study before"`
	Rules string `json:"rules" help:"name of the rules"`
	Hash  string `json:"hash" help:"hash of the rules"`
	Games int64  `json:"games" help:"games"`
}

// KnobChange is a knob with its two values.
type KnobChange struct {
	Path   string `json:"path" help:"knob that differs"`
	Before string `json:"before" help:"value of the knob before"`
	After  string `json:"after" help:"value of the knob after"`
}

// Row is one number in both studies.
type Row struct {
	// group of games, like mirror/mcts-100v, or ladder
	Group   string           `json:"group" help:"games compared, like mirror/mcts-100v or ladder"`
	Measure string           `json:"measure" help:"score, fpa, draws, completion, mean_length, depth, elo_per_doubling"`
	Before  ratings.Estimate `json:"before" help:"number before: value, lo, hi, open, n, unit, method, anytime, note; level as in method.level"`
	After   ratings.Estimate `json:"after" help:"number after"`
	Change  ratings.Estimate `json:"change" help:"after minus before"`
	Paired  bool             `json:"paired" help:"whether games with the same number in the plan were compared as pairs"`
	// Verdict is more or less if the interval of the change excludes 0, otherwise undecided.
	Verdict string `json:"verdict" help:"more, less or undecided"`
}

const level = 0.95

// Compare measures two studies, each under the rules with the given name, and compares them. It also returns the
// report of the second.
func Compare(ctx context.Context, before, after *store.DB, rulesBefore, rulesAfter string, o StudyOptions) (*Comparison,
	*Report, error,
) {
	sides := [2]Measured{{DB: before}, {DB: after}}
	for i, rules := range []string{rulesBefore, rulesAfter} {
		r, err := Study(ctx, sides[i].DB, rules, o)
		if err != nil {
			return nil, nil, fmt.Errorf("%s of %s: %w", rules, sides[i].DB.Path(), err)
		}
		sides[i].Report = r
	}
	c, err := CompareMeasured(ctx, sides[0], sides[1])
	return c, sides[1].Report, err
}

// Measured is a report with the study that it was made from.
type Measured struct {
	DB     *store.DB
	Report *Report
}

func (m Measured) side() Side {
	return Side{DB: m.DB.Path(), Rules: m.Report.Rules.Name, Hash: m.Report.Rules.Hash, Games: m.Report.Games()}
}

// CompareMeasured compares two reports. It reads the games only if games of the two studies form pairs.
func CompareMeasured(ctx context.Context, before, after Measured) (*Comparison, error) {
	c := &Comparison{Level: level, Knobs: []KnobChange{}, Rows: []Row{}, Before: before.side(), After: after.side()}
	var plans [2][]plan
	var games [2]map[string]*sample
	for i, side := range []Measured{before, after} {
		var err error
		if plans[i], err = mirrors(ctx, side.DB); err != nil {
			return nil, err
		}
	}
	for i, side := range []Measured{before, after} {
		if !slices.ContainsFunc(plans[i], func(p plan) bool { return slices.ContainsFunc(plans[1-i], p.fits) }) {
			break
		}
		var err error
		if games[i], err = samples(ctx, side.DB, side.Report.Rules.Name, plans[i]); err != nil {
			return nil, err
		}
	}
	var err error
	if c.Knobs, err = knobChanges(before.Report.Rules.Canonical, after.Report.Rules.Canonical); err != nil {
		return nil, err
	}
	c.rows(before.Report, after.Report, games[0], games[1])
	return c, nil
}

// knobChanges lists the knobs in which two rules differ. The rules are given as canonical texts.
func knobChanges(before, after string) ([]KnobChange, error) {
	var both [2]engines.Rules
	for i, text := range []string{before, after} {
		if err := json.Unmarshal([]byte(text), &both[i]); err != nil {
			return nil, fmt.Errorf("stored rules: %w", err)
		}
	}
	out := []KnobChange{}
	b := rules.KnobValues(both[1])
	for i, k := range rules.KnobValues(both[0]) {
		if k.Text != b[i].Text {
			out = append(out, KnobChange{Path: k.Path, Before: k.Text, After: b[i].Text})
		}
	}
	return out, nil
}

// rows makes the table: rows for the groups that both studies have, and for the ladder.
func (c *Comparison) rows(a, b *Report, ga, gb map[string]*sample) {
	pairs := false // of games with the same place in the plan
	for i := range a.Groups {
		at := slices.IndexFunc(b.Groups, func(g Group) bool { return g.Key == a.Groups[i].Key })
		if at < 0 {
			continue
		}
		key := a.Groups[i].Key
		before, after := a.Groups[i].Numbers(), b.Groups[at].Numbers()
		before["mean_length"], after["mean_length"] = a.Groups[i].Length.All.Mean, b.Groups[at].Length.All.Mean
		for _, m := range []string{"score", "fpa", "draws", "completion", "mean_length"} {
			change, matched := pairedChange(ga[key], gb[key], m)
			pairs = pairs || matched
			paired := change.Known() && before[m].Method != sequenced && after[m].Method != sequenced
			if !paired {
				change = ratings.Change(before[m], after[m])
			}
			c.add(key, m, before[m], after[m], change, paired)
		}
	}
	if a.Ladder != nil && b.Ladder != nil {
		c.add("ladder", "depth", a.Ladder.Depth, b.Ladder.Depth, ratings.Change(a.Ladder.Depth, b.Ladder.Depth), false)
		c.add("ladder", "elo_per_doubling", a.Ladder.Slope, b.Ladder.Slope, ratings.Change(a.Ladder.Slope, b.Ladder.Slope),
			false)
	}
	if len(c.Rows) == 0 {
		c.Warnings = append(c.Warnings, "the studies share no group of games: play both with the same command")
	} else if a.Rules.Hash == b.Rules.Hash && pairs {
		c.Warnings = append(c.Warnings, "both studies play the same rules with the same seed: shared agents play "+
			"identical games")
	} else if !pairs {
		c.Warnings = append(c.Warnings, "no games of the two studies form pairs, so the intervals are wider; run spar "+
			"balance with the same seed and effort to get pairs")
	}
}

func (c *Comparison) add(group, measure string, before, after, change ratings.Estimate, paired bool) {
	if !before.Known() || !after.Known() {
		return
	}
	r := Row{
		Group: group, Measure: measure, Before: before, After: after, Change: change, Paired: paired,
		Verdict: Undecided,
	}
	switch {
	case !change.Known() || change.LoOpen || change.HiOpen:
	case change.Lo > 0:
		r.Verdict = "more"
	case change.Hi < 0:
		r.Verdict = "less"
	}
	c.Rows = append(c.Rows, r)
}

// sample holds the games of one group of a study, by number.
type sample struct {
	seed  int64
	games map[int64]values
}

// values are those facts about one game that the paired measures need.
type values struct {
	pair  int64
	score float64
	draw  float64
	done  float64
	plies float64
}

// plan is a part of a study in which agents play themselves.
type plan struct {
	event int64
	kind  string // mirror/ or openings/
	seed  int64
}

// fits reports whether the games of two plans can form pairs.
func (p plan) fits(q plan) bool { return p.kind == q.kind && p.seed == q.seed }

// mirrors lists the parts of a study in which agents play themselves.
func mirrors(ctx context.Context, db *store.DB) ([]plan, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	var out []plan
	for _, e := range events {
		switch e.Purpose {
		case campaign.PurposeMirror:
			out = append(out, plan{e.ID, "mirror/", e.Seed})
		case campaign.PurposeOpenings:
			out = append(out, plan{e.ID, "openings/", e.Seed})
		}
	}
	return out, nil
}

// samples reads the games of agents against themselves by group: mirror/NAME and openings/NAME.
func samples(ctx context.Context, db *store.DB, rules string, plans []plan) (map[string]*sample, error) {
	kinds := map[int64]string{}
	for _, p := range plans {
		kinds[p.event] = p.kind
	}
	out := map[string]*sample{}
	for g, err := range db.Games(ctx, store.Filter{Rules: rules}) {
		if err != nil {
			return nil, err
		}
		kind, ok := kinds[g.Event]
		if !ok || g.First != g.Game.Second || !g.Marks.Counts(evidence.Balance) {
			continue
		}
		key := kind + g.FirstName
		if out[key] == nil {
			out[key] = &sample{seed: g.Seed, games: map[int64]values{}}
		}
		v := values{
			pair: g.Pair, score: map[string]float64{"first": 1, "draw": 0.5}[g.Result], done: 1,
			plies: float64(g.Plies),
		}
		switch {
		case kindOf(g.Reason, 0) == endCap:
			v.done = 0
		case g.Result == "draw":
			v.draw = 1
		}
		out[key].games[g.Number] = v
	}
	return out, nil
}

// pairedChange returns the mean difference between games with the same number, with Student's t interval. A pair of
// games with the same opening is one unit. It needs the same seed in both studies and returns false without pairs, or
// if all differ by the same amount. The distance from an even score cannot be compared game by game.
func pairedChange(a, b *sample, measure string) (ratings.Estimate, bool) {
	if a == nil || b == nil || a.seed != b.seed {
		return ratings.Estimate{}, false
	}
	of := map[string]func(values) float64{
		"score": func(v values) float64 { return v.score }, "draws": func(v values) float64 { return v.draw },
		"completion": func(v values) float64 { return v.done }, "mean_length": func(v values) float64 { return v.plies },
	}[measure]
	if of == nil {
		return ratings.Estimate{}, false
	}
	type mean struct{ sum, n float64 }
	units := map[int64]mean{}
	for number, x := range a.games {
		y, ok := b.games[number]
		if !ok || y.pair != x.pair {
			continue
		}
		u := units[x.pair]
		units[x.pair] = mean{u.sum + of(y) - of(x), u.n + 1}
	}
	matched := 0.0
	for _, u := range units {
		matched += u.n
	}
	if len(units) < 2 || matched < leastMatched*float64(min(len(a.games), len(b.games))) {
		return ratings.Estimate{}, false // other plans: the same number is another place
	}
	pairs := make([]int64, 0, len(units))
	for p := range units {
		pairs = append(pairs, p)
	}
	slices.Sort(pairs) // so that sums are added in the same order every time
	diffs := make([]float64, 0, len(units))
	for _, p := range pairs {
		diffs = append(diffs, units[p].sum/units[p].n)
	}
	mu, sd := stat.MeanStdDev(diffs, nil)
	n := float64(len(diffs))
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1-(1-level)/2) * sd / math.Sqrt(n)
	if sd == 0 {
		return ratings.Estimate{}, true // every pair differs by the same: they say nothing about the error
	}
	return ratings.Estimate{
		Value: mu, Interval: ratings.Interval{Lo: mu - half, Hi: mu + half}, N: int64(n),
		Unit: "pairs", Method: "student",
	}, true
}

// sequenced lists the numbers whose games may stop early. Their intervals allow for that.
const sequenced = "confidence sequence"

// leastMatched is the minimum fraction of the smaller study's games that must have a partner.
const leastMatched = 0.9
