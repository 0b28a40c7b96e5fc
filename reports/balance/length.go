package balance

import (
	"fmt"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// lengths measures how long games are.
func lengths() measure {
	return measure{
		sums:     newLength,
		flaws:    lengthFlaws,
		pictures: lengthPictures,
		section:  lengthSection,
	}
}

func lengthFlaws(v *view) []flaw {
	if !v.played.Short(v.game.Rules().Turn.Placements) {
		return nil
	}
	return []flaw{{"short", Middling, fmt.Sprintf(
		"half of the games end by ply %.0f, after at most %d turns per player: little room for planning",
		v.played.Length.All.Median.Value, shortTurns)}}
}

// secondsAMove is the assumed time in seconds that a person takes for a move of an abstract game.
const secondsAMove = 15

func lengthPictures(v *view) []page.Figure {
	l := v.played.Length
	if !l.All.Median.Known() || l.All.Min == l.All.Max { // "Ends?" states the only length
		return nil
	}
	h := &chart.Histogram{
		X:     chart.Axis{Label: "plies", Unit: chart.Integer},
		Y:     "games",
		Bins:  bins(l.Histogram),
		Parts: []chart.Part{{Name: "ended before the ply limit", Colour: chart.A}},
		Marks: []chart.Ref{{Value: l.All.Median.Value, Label: fmt.Sprintf("median %.0f", l.All.Median.Value)}},
		Dim:   chart.Dim{Width: chart.Full},
	}
	if v.played.Outcome.Caps > 0 {
		h.Parts = append(h.Parts, chart.Part{Name: "ended by the ply limit", Colour: chart.Caps})
	}
	return []page.Figure{{
		ID: "length", Title: "How long do games last?", Chart: h,
		Caption: fmt.Sprintf("Half of the games last about %.2g minutes or less, at %d seconds per move.",
			l.All.Median.Value*secondsAMove/60,
			secondsAMove),
	}}
}

func lengthSection(v *view) page.Section {
	l := v.played.Length.All
	s := page.Section{
		ID: "length", Title: "Length",
		Lead:       fmt.Sprintf("Half of the games are over by ply %.0f, all by ply %d.", l.Median.Value, l.Max),
		Paragraphs: []string{v.told.Ending.Text},
		Tables: []table.Table{v.perGroup(v.tiers(), "lengths", "Length in plies", func(g *Group) []any {
			l := g.Length.All
			return []any{"median", l.Median, "95th percentile", l.P95, "longest", l.Max}
		})},
	}
	if l.Median.Value == float64(l.Max) {
		s.Lead = fmt.Sprintf("At least half of the games last %d plies, and none lasts longer.", l.Max)
	}
	return s
}

// Length describes the lengths of games, in plies. Quantiles are of type 7 (linear between order statistics).
type Length struct {
	All       Spread `json:"all"`
	Histogram []Bar  `json:"histogram"` // by plies, or by ranges of plies
}

// Spread describes a distribution of lengths.
type Spread struct {
	Median ratings.Estimate `json:"median"`
	P5     ratings.Estimate `json:"p5"`
	P25    ratings.Estimate `json:"p25"`
	P75    ratings.Estimate `json:"p75"`
	P95    ratings.Estimate `json:"p95"`
	Mean   ratings.Estimate `json:"mean"`
	Min    int              `json:"min"`
	Max    int              `json:"max"`
}

// Bar is a bar of a histogram of integers: the numbers From to To, both included.
type Bar struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Count int64 `json:"count"`
	Part  int64 `json:"part,omitempty"` // how many of these games ended by a cap
}

// lengthSums counts games by their length: all of them, and those that a cap ended.
type lengthSums struct {
	plies, capped dist
	mean, single  ratings.ClusteredMean // of units, and of games as if they were independent
}

func newLength(*groupData) sums { return &lengthSums{} }

// Add implements the interface sums.
func (s *lengthSums) Add(unit []*record) {
	sum, n := 0.0, int64(0)
	for _, r := range unit {
		if !r.counts() {
			continue
		}
		s.plies.add(int(r.plies))
		if r.kind == endCap {
			s.capped.add(int(r.plies))
		}
		s.single.Add(float64(r.plies), 1, 0)
		sum, n = sum+float64(r.plies), n+1
	}
	s.mean.Add(sum, n, unit[0].label)
}

// Result implements the interface sums. Dependence between games widens the intervals of quantiles by the same factor
// as the interval of the mean.
func (s *lengthSums) Result(m measurer, g *Group) {
	if g.Length.Histogram = bars(&s.plies, &s.capped); s.plies.n == 0 {
		return
	}
	mean := warnThin(s.mean.Average(m.level))
	effect := 1.0
	if one := s.single.Average(m.level); one.SE > 0 && mean.N >= 20 {
		effect = max(1, mean.SE*mean.SE/(one.SE*one.SE))
	}
	least, most := s.plies.at(0), s.plies.at(int(s.plies.n)-1)
	quantile := func(p float64) ratings.Estimate {
		n := stretch(m.quantile(int(s.plies.n), s.plies.at, p, "plies"), effect, least, most)
		if n.LoOpen {
			n.Lo, n.LoOpen = 0, false // no game has fewer plies than none
		}
		return n
	}
	g.Length.All = Spread{
		Median: quantile(0.5),
		P5:     quantile(0.05),
		P25:    quantile(0.25),
		P75:    quantile(0.75),
		P95:    quantile(0.95),
		Mean:   mean,
		Min:    int(least),
		Max:    int(most),
	}
}

// shortTurns is the number of turns of a player below which there is little to plan.
const shortTurns = 4

// Short reports whether games are very short: even the upper end of the median length's interval is less than
// shortTurns turns of each player. Placements is the number of placements in a turn.
func (g *Group) Short(placements int) bool {
	m := g.Length.All.Median
	return m.Known() && !m.HiOpen && m.Hi <= float64(2*shortTurns*placements)
}

// maxBars is the maximum number of bars of a histogram.
const maxBars = 40

// bars makes a histogram: one bar for each number, or for ranges of equal width if there are too many. Part counts the
// numbers that a second distribution has, too.
func bars(d, part *dist) []Bar {
	if d.n == 0 {
		return []Bar{}
	}
	least, most := int(d.at(0)), int(d.at(int(d.n)-1))
	width := (most-least)/maxBars + 1
	from := least - least%width
	out := make([]Bar, (most-from)/width+1)
	for i := range out {
		out[i].From, out[i].To = from+i*width, from+(i+1)*width-1
		for x := out[i].From; x <= out[i].To; x++ {
			out[i].Count, out[i].Part = out[i].Count+d.count(x), out[i].Part+part.count(x)
		}
	}
	return out
}

// dist counts how often each integer from 0 occurred.
type dist struct {
	n      int64
	counts []int64
}

func (d *dist) add(x int) {
	for len(d.counts) <= x {
		d.counts = append(d.counts, 0)
	}
	d.counts[x]++
	d.n++
}

// count returns how often a number occurred.
func (d *dist) count(x int) int64 {
	if x >= len(d.counts) {
		return 0
	}
	return d.counts[x]
}

// at returns the number with the given rank. Ranks start at 0.
func (d *dist) at(rank int) float64 {
	left := int64(rank)
	for x, n := range d.counts {
		if left < n {
			return float64(x)
		}
		left -= n
	}
	return float64(len(d.counts) - 1)
}
