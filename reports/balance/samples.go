package balance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/reports/page"
)

// exampleGames chooses games that are worth looking at.
func exampleGames() measure { return measure{sums: newSamples, section: samplesSection} }

// mostShown is the maximum number of games on the page.
const mostShown = 3

func samplesSection(v *view) page.Section {
	s := page.Section{ID: "games", Title: "Games to step through", Aside: true}
	var titles []string
	for _, kind := range strings.Fields("median comeback draw shortest capped") {
		i := slices.IndexFunc(v.r.Samples, func(x Sample) bool { return x.Kind == kind })
		if i < 0 || len(s.Games) == mostShown || slices.ContainsFunc(s.Games, func(g page.GameView) bool {
			return strings.Join(g.Moves, " ") == v.r.Samples[i].Moves
		}) {
			continue
		}
		x := v.r.Samples[i]
		titles = append(titles, strings.ToLower(x.Title))
		g := page.GameView{
			ID:      "game-" + x.Kind,
			Title:   x.Title,
			Game:    v.game,
			Moves:   strings.Fields(x.Moves),
			Names:   [2]string{x.First, x.Second},
			Look:    x.Ply,
			Command: fmt.Sprintf("spar show %d --db %s", x.Game, page.ShellWord(v.study)),
		}
		if x.Kind == "comeback" { // the result says why the others are here
			g.Why = sentences(x.Why)
		}
		if len(x.Values) > 0 {
			g.Values = slices.Repeat([]float64{math.NaN()}, len(g.Moves)+1)
			copy(g.Values[min(x.From, len(g.Values)):], x.Values)
			if o := v.r.Oracle; o != nil {
				g.Source = "all evaluated by " + o.Name
				g.Noise = o.Noise
				if o.Kind == "exact" {
					g.Source = "exact values"
				}
			}
		}
		s.Games = append(s.Games, g)
	}
	if len(s.Games) == 0 {
		return page.Section{}
	}
	s.Lead = strings.Join(titles, ", ")
	return s
}

// Sample is a game that is worth looking at.
type Sample struct {
	Kind   string `json:"kind"` // shortest, median, comeback, draw, capped
	Title  string `json:"title"`
	Why    string `json:"why"`
	Game   int64  `json:"game"` // id in the study, for spar show ID --db PATH
	First  string `json:"first"`
	Second string `json:"second"`
	Result string `json:"result"`
	Reason string `json:"reason"`
	Plies  int    `json:"plies"`
	Ply    int    `json:"ply,omitempty"` // number of the interesting ply
	Seed   int64  `json:"seed"`
	Moves  string `json:"moves"`
	// expected score of the first player after From plies and after each later ply; empty if the game was not evaluated
	Values []float64 `json:"values,omitempty"`
	From   int       `json:"values_from,omitempty"` // plies before the first value: the length of the opening
	Event  string    `json:"event"`

	key uint64 // key under which the values are stored
}

// pick is a game chosen for the report.
type pick struct {
	kind, title, why string
	game             int64
	ply              int
}

// oddGames keeps games that are unusual in some way: the first one of each kind.
type oddGames struct {
	shortest, draw, capped *record
	ofPlies                map[int32]int64 // id of the first game of each length
	plies                  dist
}

func newSamples(*groupData) sums { return &oddGames{ofPlies: map[int32]int64{}} }

// Add implements the interface sums.
func (o *oddGames) Add(unit []*record) {
	for _, r := range unit {
		if r.counts() && !r.bad {
			o.add(r)
		}
	}
}

// Result implements the interface sums. Report.Samples has the games of the headline group.
func (*oddGames) Result(measurer, *Group) {}

func (o *oddGames) add(r *record) {
	keep := func(shortest **record) {
		if *shortest == nil || r.plies < (*shortest).plies {
			kept := *r
			*shortest = &kept
		}
	}
	keep(&o.shortest)
	switch r.kind {
	case endDraw:
		keep(&o.draw)
	case endCap:
		keep(&o.capped)
	}
	if _, ok := o.ofPlies[r.plies]; !ok {
		o.ofPlies[r.plies] = r.id
	}
	o.plies.add(int(r.plies))
}

// comebackBelow is the value below which a later winner counts as nearly lost.
const comebackBelow = 0.25

// samples chooses unusual and typical games of a group. If several qualify, it takes the first one in the study.
func (p *pass) samples(ctx context.Context, d *groupData, all []*arc) ([]Sample, error) {
	var picks []pick
	o := sumsOf[*oddGames](d)
	add := func(kind, title string, r *record) {
		if r != nil {
			picks = append(picks, pick{kind: kind, title: title, game: r.id})
		}
	}
	alike := len(o.ofPlies) == 1 // then none of them is odd
	if !alike {
		add("shortest", "Shortest", o.shortest)
	}
	if o.plies.n > 0 { // the lower one of two in the middle
		middle := int32(o.plies.at(int(o.plies.n-1) / 2))
		picks = append(picks, pick{
			kind: "median", title: plain.If(alike, "A game of the usual length", "Median length"), game: o.ofPlies[middle],
		})
	}
	add("draw", "A draw", o.draw)
	add("capped", "Ended by the ply limit", o.capped)
	picks = append(picks, comebacks(all)...)
	course := map[int64]*arc{}
	for _, a := range all {
		course[a.rec.id] = a
	}
	out := []Sample{}
	names := map[int64]string{}
	for _, e := range p.data.Events {
		names[e.ID] = e.Name
	}
	for _, x := range picks {
		g, err := p.data.Find(ctx, x.game)
		if err != nil {
			return nil, err
		}
		s := Sample{
			Kind:   x.kind,
			Title:  x.title,
			Why:    cmp.Or(x.why, fmt.Sprintf("%d plies, %s", g.Plies, g.Reason)),
			Game:   g.ID,
			First:  g.First,
			Second: g.Second,
			Result: g.Result,
			Reason: g.Reason,
			Plies:  g.Plies,
			Ply:    x.ply,
			From:   g.OpeningPlies,
			Seed:   g.Seed,
			key:    gameKey(names[g.Event], g.Number),
			Moves:  g.Moves,
			Event:  names[g.Event],
		}
		if a := course[g.ID]; a != nil {
			s.Values = a.v
		}
		out = append(out, s)
	}
	return out, nil
}

// comebacks returns the greatest comeback, if there is any.
func comebacks(all []*arc) []pick {
	var out pick
	low := comebackBelow
	for _, a := range all {
		side, won := a.winner()
		for i := a.first(); won && i < len(a.v)-1; i++ {
			if v := a.of(a.v, i, side); v < low {
				low = v
				out = pick{"comeback", "Biggest comeback", fmt.Sprintf("the winner's expected score was down to %.0f %% after ply %d",
					100*v, a.start+i), a.rec.id, a.start + i}
			}
		}
	}
	if out.game == 0 {
		return nil
	}
	return []pick{out}
}
