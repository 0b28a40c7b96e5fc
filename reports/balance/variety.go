package balance

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// openings measures how different the games are.
func openings() measure {
	return measure{
		sums:    newVariety,
		lights:  varietyLights,
		missing: varietyMissing,
		section: varietySection,
	}
}

func varietyLights(r *Report) []Light {
	var same ratings.Estimate
	if g := r.main(); g != nil && g.Kind != "openings" {
		if same = g.DistinctOf; same.Known() {
			same = same.Complement()
		}
	}
	return []Light{rule{
		measure: "repeated_games", title: "Repeated games", section: "openings", good: band{math.Inf(-1), 0.05},
		middling: band{math.Inf(-1), 0.30}, goodText: "under 5 %", middlingText: "under 30 %",
		text: func(n ratings.Estimate) string {
			return fmt.Sprintf("%s%s repeat an earlier game: these agents play few different games",
				said(n), r.main().games())
		},
	}.judge(same)}
}

func varietyMissing(r *Report) []Missing {
	if g := r.main(); g == nil || g.Variety != nil && len(g.Variety.Openings) > 0 {
		return nil
	}
	return []Missing{{"Variety of openings", "", "all games begin with openings that the agents did not choose"}}
}

func varietySection(v *view) page.Section {
	x := v.main.Variety
	if x == nil || !x.Distinct.Known() {
		return page.Section{}
	}
	s := page.Section{ID: "openings", Title: "Openings", Lead: fmt.Sprintf("%s of the games do not repeat an earlier game.",
		said(x.Distinct))}
	lines := &chart.Lines{
		X: chart.Axis{Label: "ply", Unit: chart.Integer}, Y: chart.Axis{Label: "effective number of openings"},
	}
	shown, say := some(v.tiers())
	for _, g := range shown {
		l := chart.Line{Name: v.label(g), Style: chart.Whiskers}
		for _, e := range g.Variety.Openings {
			l.Points = append(l.Points, chart.PointOf(float64(e.Ply), e.Effective))
		}
		lines.Lines = append(lines.Lines, l)
	}
	s.Figures = []page.Figure{{
		ID: "variety", Title: "Variety of openings", Chart: lines, Caption: "Number of equally likely openings that " +
			"would be as varied, up to symmetry." + say,
	}}
	var common []Line
	for _, e := range x.Openings {
		if e.Ply <= 4 {
			common = e.Top
		}
	}
	common = slices.DeleteFunc(slices.Clone(common), func(l Line) bool { return l.Score.Note != "" }) // too few
	t := table.Rows(common, func(l Line) []any {
		return []any{"moves", l.Moves, "games", l.Games, "first player scores", l.Score}
	})
	t.ID, t.Caption = "common-openings", "The most frequent openings"
	s.Tables = append(s.Tables, t)
	return s
}

// Variety measures how different the games are. Symmetric openings count as equal. Only games from the start position
// are used.
type Variety struct {
	Openings []EffectivePly   `json:"openings"`
	Distinct ratings.Estimate `json:"distinct"` // fraction of games that are not equal to an earlier one
}

// EffectivePly is the variety of games up to a ply.
type EffectivePly struct {
	Ply  int `json:"ply"`
	Seen int `json:"seen"` // number of distinct sequences
	// exp(H), where H is the entropy with the Miller-Madow correction
	Effective ratings.Estimate `json:"effective"`
	Plain     float64          `json:"plain"` // exp(H) without the correction
	Top       []Line           `json:"top"`   // the most frequent sequences
}

// Line is a sequence of opening moves.
type Line struct {
	Moves string           `json:"moves"` // the smallest of its symmetric images
	Games int64            `json:"games"`
	Score ratings.Estimate `json:"score"` // score of the first player, 0 to 1
}

// topLines is the number of openings that are listed.
const topLines = 5

type prefix [prefixPlies]engines.Move

// cut keeps the first n moves.
func (p prefix) cut(n int) prefix {
	for i := n; i < len(p); i++ {
		p[i] = engines.NoMove
	}
	return p
}

// line is an opening, with the results of the games that began with it.
type line struct {
	moves               prefix
	wins, draws, losses uint32
	first               int64 // id of the first such game
}

func (l *line) games() int64 { return int64(l.wins) + int64(l.draws) + int64(l.losses) }

// lineSums counts openings by the first moves of games.
type lineSums struct {
	lines []line
	index map[prefix]int32
	games int64
}

func (l *lineSums) add(r *record) {
	if l.index == nil {
		l.index = map[prefix]int32{}
	}
	at, ok := l.index[r.prefix]
	if !ok {
		at = int32(len(l.lines))
		l.index[r.prefix] = at
		l.lines = append(l.lines, line{moves: r.prefix, first: r.id})
	}
	l.games++
	switch x := &l.lines[at]; r.half {
	case 2:
		x.wins++
	case 1:
		x.draws++
	default:
		x.losses++
	}
}

// sorted returns the openings of a number of plies, sorted. Its input is sorted openings of at least that length.
func sorted(lines []line, plies int) []line {
	var out []line
	for _, l := range lines {
		if l.moves[plies-1] == engines.NoMove {
			continue // ended before
		}
		l.moves = l.moves.cut(plies)
		if n := len(out); n > 0 && out[n-1].moves == l.moves {
			x := &out[n-1]
			x.wins += l.wins
			x.draws += l.draws
			x.losses += l.losses
			x.first = min(x.first, l.first)
			continue
		}
		out = append(out, l)
	}
	return out
}

// order sorts the openings. Call it after all games have been counted.
func (l *lineSums) order() {
	l.index = nil
	slices.SortFunc(l.lines, func(a, b line) int { return slices.Compare(a.moves[:], b.moves[:]) })
}

type varietySums struct{ d *groupData }

func newVariety(d *groupData) sums { return varietySums{d} }

// Add implements the interface sums. It does nothing, because the group counts the openings.
func (varietySums) Add([]*record) {}

// Result implements the interface sums.
func (s varietySums) Result(m measurer, g *Group) {
	out := &Variety{Openings: []EffectivePly{}, Distinct: m.share(s.d.distinct, s.d.games)}
	var whole tally
	for _, l := range s.d.lines.lines {
		whole = tally{whole.wins + int64(l.wins), whole.draws + int64(l.draws), whole.losses + int64(l.losses)}
	}
	for _, ply := range []int{1, 2, 4, 8} {
		if lines := sorted(s.d.lines.lines, ply); len(lines) > 0 {
			out.Openings = append(out.Openings, m.effective(s.d.p.data.Game, ply, lines, whole, g.Outcome.Score))
		}
	}
	g.Variety = out
}

// effective returns exp(H), the number of equally frequent openings with the same entropy H in nats. H has the
// correction of Miller (1955) and Madow, (K-1)/(2n), for openings that no game has shown yet. The error of H uses
// the first two terms of its variance, (sum p ln² p - H²)/n + (K-1)/(2n²).
// Whole and score are the results of the group.
func (m measurer) effective(g *engines.Game, ply int, lines []line, whole tally, score ratings.Estimate) EffectivePly {
	n, counts := int64(0), make([]int64, len(lines))
	for i := range lines {
		counts[i] = lines[i].games()
		n += counts[i]
	}
	corrected, variance := entropy(counts, n)
	half := m.z * math.Sqrt(variance)
	out := EffectivePly{
		Ply:   ply,
		Seen:  len(lines),
		Plain: math.Exp(corrected - float64(len(lines)-1)/float64(2*n)),
		Effective: ratings.Estimate{
			Value: math.Exp(corrected), Interval: ratings.Interval{
				Lo: max(1, math.Exp(corrected-half)),
				Hi: math.Exp(corrected + half),
			}, N: n, Unit: "games", Method: "delta",
		},
	}
	if 2*int64(len(lines)) > n {
		out.Effective.Note = "most openings occurred once, so this is a lower bound"
	}
	out.Effective = warnThin(out.Effective)
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.games(), a.games()) })
	for _, l := range lines[:min(topLines, len(lines))] {
		own := tally{int64(l.wins), int64(l.draws), int64(l.losses)}
		out.Top = append(out.Top, Line{
			Moves: g.JoinMoves(l.moves[:ply]), Games: l.games(), Score: m.partScore(own, whole, score),
		})
	}
	return out
}

// entropy returns the corrected entropy in nats of counts that sum to n, and its variance; see effective.
func entropy(counts []int64, n int64) (h, variance float64) {
	games, k := float64(n), float64(len(counts))
	square := 0.0
	for _, c := range counts {
		p := float64(c) / games
		h, square = h-p*math.Log(p), square+p*math.Log(p)*math.Log(p)
	}
	return h + (k-1)/(2*games), max(square-h*h, 0)/games + (k-1)/(2*games*games)
}
