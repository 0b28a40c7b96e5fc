package balance

import (
	"fmt"
	"math"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// lengths measures how long games are.
func lengths() measure {
	return measure{sums: newLength, pictures: lengthPictures, section: lengthSection}
}

// secondsAMove is the assumed time in seconds that a person takes for a move of an abstract game.
const secondsAMove = 15

func lengthPictures(v *view) []page.Figure {
	l := v.main.Length
	if !l.All.Median.Known() {
		return nil
	}
	h := &chart.Histogram{
		X: chart.Axis{Label: "plies", Unit: chart.Integer}, Y: "games", Bins: bins(l.Histogram),
		Parts: []chart.Part{{Name: "ended by the rules", Colour: chart.A}},
		Marks: []chart.Ref{{Value: l.All.Median.Value, Label: fmt.Sprintf("median %.0f", l.All.Median.Value)}},
		Dim:   chart.Dim{Width: chart.Full},
	}
	if v.main.Outcome.Caps > 0 {
		h.Parts = append(h.Parts, chart.Part{Name: "by the ply limit", Colour: chart.Caps})
	}
	return []page.Figure{{
		ID: "length", Title: "How long do games last?", Chart: h,
		Caption: fmt.Sprintf("In plies; about %.2g minutes at %d seconds a move.", l.All.Median.Value*secondsAMove/60, secondsAMove),
	}}
}

func lengthSection(v *view) page.Section {
	l := v.main.Length.All
	s := page.Section{ID: "length", Title: "Length", Lead: fmt.Sprintf("Half of the games are over by ply %.0f, nineteen of twenty "+
		"by ply %.0f, all by ply %d.", l.Median.Value, l.P95.Value, l.Max)}
	if l.Min == l.Max {
		s.Lead = fmt.Sprintf("All games have %d plies.", l.Max)
	}
	s.Paragraphs = []string{v.told.Ending.Text}
	of := func(name string, of func(Spread) ratings.Estimate) table.Field[*Group] {
		return estimate(name, "", func(g *Group) ratings.Estimate { return of(g.Length.All) })
	}
	s.Tables = []table.Table{v.perGroup(v.tiers(), "lengths", "Length in plies",
		of("median", func(s Spread) ratings.Estimate { return s.Median }), of("95 %", func(s Spread) ratings.Estimate { return s.P95 }),
		of("mean", func(s Spread) ratings.Estimate { return s.Mean }),
		table.CountField("longest", func(g *Group) int64 { return int64(g.Length.All.Max) }),
	)}
	return s
}

// Length is how long games are, in plies; quantiles of type 7 (linear between order statistics).
type Length struct {
	All       Spread            `json:"all"`
	Finished  Spread            `json:"finished"`  // without games ended by a cap
	ByResult  map[string]Spread `json:"by_result"` // first, draw, second; draws without caps
	Histogram []Bar             `json:"histogram"` // by plies, or by ranges of plies
}

// Spread describes a distribution of lengths.
type Spread struct {
	Median ratings.Estimate `json:"median"`
	P5     ratings.Estimate `json:"p5"`
	P25    ratings.Estimate `json:"p25"`
	P75    ratings.Estimate `json:"p75"`
	P95    ratings.Estimate `json:"p95"`
	Mean   ratings.Estimate `json:"mean"`
	CV     ratings.Estimate `json:"cv"` // standard deviation divided by mean
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

// Kinds of lengths: of all games; of the games that did not end by a cap; and of the latter by the first player's
// half points.
const (
	lengthAll = iota
	lengthFinished
	lengthLost
	lengthDrawn
	lengthWon
	lengthKinds
)

type lengthSums struct {
	d  *groupData
	of [lengthKinds]spreadSums
}

func newLength(d *groupData) sums {
	s := &lengthSums{d: d}
	for i := range s.of {
		s.of[i].rows = newBlocks(3)
	}
	return s
}

// Add implements sums.
func (s *lengthSums) Add(unit []*record) {
	var rows [lengthKinds][3]float64
	for _, r := range unit {
		if !r.counts() {
			continue
		}
		plies := float64(r.plies)
		for _, k := range [...]int{lengthAll, lengthFinished, lengthLost + int(r.half)} {
			if k != lengthAll && r.kind == endCap {
				break
			}
			x := &rows[k]
			x[0], x[1], x[2] = x[0]+plies, x[1]+plies*plies, x[2]+1
			s.of[k].plies.add(int(r.plies))
		}
	}
	cluster := s.d.cluster(unit)
	for k := range rows {
		if x := &rows[k]; x[2] > 0 {
			s.of[k].rows.add(cluster, x[:]...)
			s.of[k].effect.add(cluster, x[2], x[0], x[1])
		}
	}
}

// spreadSums holds what is known about the lengths of some games.
type spreadSums struct {
	plies  dist
	rows   *blocks // columns: plies, their squares and games; one row for each unit
	effect effect
}

// Result implements sums.
func (s *lengthSums) Result(m measurer, g *Group) {
	spread := func(k int) Spread { return m.spread(s.d, &s.of[k]) }
	out := Length{
		All: spread(lengthAll), Finished: spread(lengthFinished), ByResult: map[string]Spread{},
		Histogram: []Bar{},
	}
	for half := range 3 {
		if x := &s.of[lengthLost+half]; x.plies.n > 0 {
			out.ByResult[resultWord(uint8(half))] = m.spread(s.d, x)
		}
	}
	out.Histogram = bars(&s.of[lengthAll].plies)
	for i := range out.Histogram {
		b := &out.Histogram[i]
		b.Part = b.Count // what a cap ended
		for x := b.From; x <= b.To; x++ {
			b.Part -= s.of[lengthFinished].plies.count(x)
		}
	}
	g.Length = out
}

// shortTurns is the number of turns of a player below which there is little to plan.
const shortTurns = 4

// Short reports whether games are very short: the median length, at the upper end of its interval, is less than
// shortTurns turns of each player. Placements is the number of placements in a turn.
func (g *Group) Short(placements int) bool {
	m := g.Length.All.Median
	return m.Known() && !m.HiOpen && m.Hi <= float64(2*shortTurns*placements)
}

// spread describes the distribution of the lengths of games. If pairs share openings, the intervals allow for it:
// they resample pairs, and those of quantiles use the design effect of the mean.
func (m measurer) spread(d *groupData, x *spreadSums) Spread {
	if x.plies.n == 0 {
		return Spread{}
	}
	moments := func(s, out []float64) {
		out[0] = s[0] / s[2]
		out[1] = 0
		if out[0] > 0 {
			out[1] = math.Sqrt(max(0, s[1]/s[2]-out[0]*out[0])) / out[0]
		}
	}
	value := make([]float64, 2)
	moments(x.rows.total, value)
	lo, hi, ok := m.sums(x.rows, 2, moments)
	n, of, effect := x.rows.size(), d.of(), d.design(x.effect)
	least, most := x.plies.at(0), x.plies.at(int(x.plies.n)-1)
	quantile := func(p float64) ratings.Estimate {
		n := stretch(m.quantile(int(x.plies.n), x.plies.at, p, "games", "plies"), effect, least, most)
		if n.LoOpen && n.Known() {
			n.Lo, n.LoOpen = 0, false // no game has fewer plies than none
		}
		return n
	}
	return Spread{
		Median: quantile(0.5), P5: quantile(0.05), P25: quantile(0.25), P75: quantile(0.75), P95: quantile(0.95),
		Mean: m.bootstrapped(value[0], n, lo[0], hi[0], ok[0], of, "plies"), CV: m.bootstrapped(value[1], n, lo[1], hi[1],
			ok[1], of, "ratio"),
		Min: int(least), Max: int(most),
	}
}

// maxBars is the maximum number of bars of a histogram.
const maxBars = 40

// bars makes a histogram: one bar for each number, or for ranges of equal width if there are too many.
func bars(d *dist) []Bar {
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
			out[i].Count += d.count(x)
		}
	}
	return out
}
