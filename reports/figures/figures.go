// Package figures draws single charts of a study for papers: ratings, expected scores between agents, strength
// against cost or budget, learning curves, time by ply. [Draw] reads the study and returns a [Figure], which
// package chart writes. Every chart names its game, and every estimate has its interval; an arrow marks an open
// end.
package figures

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"spar/agents"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/standings"
)

// Ask describes the figure to draw.
type Ask struct {
	Kind      string   `flag:"kind=ladder" help:"what to draw, see spar help plot --all"`
	Rules     string   `flag:"rules,r" help:"one of the rules of the study (default: all together)"`
	Cost      string   `flag:"cost=time" one:"time nodes" help:"with --kind strength: time or nodes"`
	Predicted bool     `flag:"predicted" help:"with --kind heatmap: the scores that the ratings predict, not the measured ones"`
	Title     *string  // nil names the games; empty omits the title
	Agents    []string `flag:"agents" list:"comma" help:"show only these agents, in the order of the colours; ratings come from all games"`
	Colours   []chart.Colour
	// size in pixels; 0 = one that suits the data
	Width, Height float64
}

// shows reports whether the figure has an agent or a line of that name.
func (a Ask) shows(name string) bool { return len(a.Agents) == 0 || slices.Contains(a.Agents, name) }

// colour returns the colour of an agent or a line, which is the nth one of the figure.
func (a Ask) colour(name string, n int) (c chart.Colour) {
	if i := slices.Index(a.Agents, name); i >= 0 {
		n = i
	}
	if n < len(a.Colours) {
		c = a.Colours[n]
	}
	return c
}

// only keeps the lines that the figure has, and gives them their colours.
func (a Ask) only(lines []chart.Line) ([]chart.Line, error) {
	var out []chart.Line
	var names []string
	for i, l := range lines {
		if names = append(names, l.Name); a.shows(l.Name) {
			l.Colour = a.colour(l.Name, i)
			out = append(out, l)
		}
	}
	return out, a.known(names)
}

// known returns an error if Agents has a name that is not one of the figure's.
func (a Ask) known(names []string) error {
	for _, name := range a.Agents {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%w %q%s", ErrAgent, name, strict.Suggest(name, names))
		}
	}
	return nil
}

// Figure is a chart with its alternative text.
type Figure struct {
	Chart chart.Chart
	Alt   string
}

// The errors of Draw about its input.
var (
	ErrKind  = errors.New("kind of figure")
	ErrRules = strict.Mistake("rules")
	ErrNone  = strict.Mistake("nothing to draw")
	ErrSize  = strict.Mistake("size")
	ErrAgent = strict.Mistake("the figure has no")
)

// kind describes a kind of figure.
type kind struct {
	name, text string
	draw       func(context.Context, *store.DB, Ask) (*Figure, error)
}

func kinds() []kind {
	return []kind{
		{"strength", "rating against the time (or --cost nodes) of a decision", strength},
		{"scaling", "rating against the budget, a line for each family of agents that differ only in the budget", scaling},
		{"ladder", "ratings in order, the strongest first", ladder},
		{"heatmap", "score of each agent against each other, or the one that the ratings predict", heatmap},
		{
			"learning", "Elo by games of training: a tuning against its start, a learned net against its earlier ones",
			learning,
		},
		{"time", "time of a decision by ply (needs a study with record_plies: true)", timeByPly},
	}
}

// Kinds lists the kinds of figures with their descriptions.
func Kinds() (names, texts []string) {
	for _, k := range kinds() {
		names, texts = append(names, k.name), append(texts, k.text)
	}
	return names, texts
}

// Draw draws a figure. The title names the games.
func Draw(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	for _, k := range kinds() {
		if k.name != ask.Kind {
			continue
		}
		f, err := k.draw(ctx, db, ask)
		if err != nil {
			return nil, err
		}
		title, err := games(ctx, db, ask)
		if err != nil {
			return nil, err
		}
		if ask.Title != nil {
			title = *ask.Title
		}
		whole := chart.Titled(title, f.Chart)
		if ask.Width > 0 {
			whole.Resize(ask.Width, ask.Height)
			if w, h := whole.Least(); w > ask.Width || h > ask.Height {
				return nil, fmt.Errorf("%w %.0fx%.0f: the labels of this figure need at least %.0fx%.0f pixels", ErrSize, ask.Width,
					ask.Height, math.Ceil(w), math.Ceil(h))
			}
		}
		return &Figure{whole, strings.TrimPrefix(title+". ", ". ") + f.Alt}, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrKind, ask.Kind)
}

// namedGames is the maximum number of games named in a title.
const namedGames = 4

// games names the games of a figure.
func games(ctx context.Context, db *store.DB, ask Ask) (string, error) {
	if ask.Rules != "" {
		return ask.Rules, nil
	}
	names, err := db.Names(ctx, "rules")
	if n := len(names); n > namedGames {
		names = append(names[:namedGames:namedGames], fmt.Sprintf("%d more", n-namedGames))
	}
	return strings.Join(names, ", "), err
}

// rating is the rating of one agent, in Elo.
type rating struct {
	name string
	ratings.Estimate
	weak   bool // the rating depends on a prior
	colour chart.Colour
}

// rated rates the agents under the requested rules; the best is first.
func rated(ctx context.Context, db *store.DB, ask Ask) (*standings.Pool, []rating, error) {
	by := standings.Overall
	if ask.Rules != "" {
		by = standings.PerRules
	}
	pools, err := standings.Study(ctx, db, by, ratings.Options{})
	if err != nil {
		return nil, nil, err
	}
	for _, p := range pools {
		if p.Rules != ask.Rules {
			continue
		}
		var rows []rating
		for _, r := range p.Fit.Players {
			if ask.shows(r.Name) {
				rows = append(rows, rating{name: r.Name, Estimate: r.Elo, weak: r.Status != ratings.StatusOK})
			}
		}
		if err := ask.known(p.Table.Players()); err != nil {
			return nil, nil, err
		}
		slices.SortStableFunc(rows, func(a, b rating) int { return cmp.Compare(b.Value, a.Value) })
		for i := range rows {
			rows[i].colour = ask.colour(rows[i].name, i)
		}
		if len(rows) == 0 {
			return nil, nil, fmt.Errorf("%w: no games count for strength", ErrNone)
		}
		return p, rows, nil
	}
	return nil, nil, fmt.Errorf("%w: %s has no games of %q that count for strength", ErrRules, db.Path(), ask.Rules)
}

// words lists the ratings for people who cannot see the chart.
func words(rows []rating) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.name+" "+r.String())
	}
	return "Ratings (95 %): " + strings.Join(out, ", ")
}

func ladder(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	_, rows, err := rated(ctx, db, ask)
	if err != nil {
		return nil, err
	}
	f := &chart.Forest{X: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed}, Dim: chart.Dim{Width: chart.Full}}
	for _, r := range rows {
		row := chart.RowOf(r.name, r.Estimate)
		row.Hollow, row.Note, row.Colour = r.weak, r.Words(), r.colour
		f.Rows = append(f.Rows, row)
	}
	return &Figure{f, words(rows)}, nil
}

// fewGames is the number of games between two agents below which a cell is marked. With twice as many games, the
// interval of a score is about ±15 percentage points.
const fewGames = 20

// heatmap shows the score of each agent against each other agent: the measured one, or the one that the ratings predict,
// averaged over both seats.
func heatmap(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	p, rows, err := rated(ctx, db, ask)
	if err != nil {
		return nil, err
	}
	return cross(p, rows, ask)
}

// Cross shows the score of each agent of a pool against each other one, in the order of their ranks.
func Cross(p *standings.Pool) (*Figure, error) {
	var rows []rating
	for _, r := range p.Ranks() {
		rows = append(rows, rating{name: r.Name})
	}
	return cross(p, rows, Ask{})
}

func cross(p *standings.Pool, rows []rating, ask Ask) (*Figure, error) {
	if len(rows) < 2 {
		return nil, fmt.Errorf("%w: no two agents played each other", ErrNone)
	}
	longest := 0.0 // name
	for _, r := range rows {
		longest = max(longest, float64(len(r.name)))
	}
	what := "score"
	if ask.Predicted {
		what = "score that the ratings predict"
	}
	g := &chart.Grid{
		Dim:      chart.Dim{Width: max(chart.Full, 6.5*longest+110+66*float64(len(rows))), Height: 52*float64(len(rows)) + 76},
		Numbered: true,
		YLabel: what + " of the row against the column, its 95 % interval, and games between them; hatched: fewer than " +
			fmt.Sprint(fewGames),
		Scale: chart.Scale{Hi: 1, Mid: 0.5, Diverging: true, Unit: chart.Percent},
	}
	if n := len(ask.Colours); n >= 2 {
		g.Scale.From, g.Scale.To = ask.Colours[0], ask.Colours[n-1]
	}
	met := map[[2]string]standings.Match{}
	for _, m := range p.Matches() {
		met[[2]string{m.Agent, m.Opponent}] = m
	}
	var alt []string
	for _, a := range rows {
		g.Rows, g.Columns = append(g.Rows, a.name), append(g.Columns, a.name)
		var cells []chart.Cell
		for _, b := range rows {
			cell := chart.Cell{Value: math.NaN(), Text: "–"}
			if a.name != b.name {
				score, games, err := scoreOf(p, met, a.name, b.name, ask.Predicted)
				if err != nil {
					return nil, err
				}
				cell = scoreCell(score, games)
				if len(g.Rows) <= len(cells) { // each two agents once
					alt = append(alt, fmt.Sprintf("%s against %s %s in %s", a.name, b.name, score, screen.Plural(games, "game")))
				}
			}
			cells = append(cells, cell)
		}
		g.Cells = append(g.Cells, cells)
	}
	return &Figure{g, strings.ToUpper(what[:1]) + what[1:] + " (95 %): " + strings.Join(alt, ", ")}, nil
}

// scoreOf returns the score of a against b, with its interval, and the number of games between them.
func scoreOf(p *standings.Pool, met map[[2]string]standings.Match, a, b string, predicted bool) (ratings.Estimate, int64,
	error,
) {
	m, turned := met[[2]string{a, b}], false
	if m.Games == 0 {
		m, turned = met[[2]string{b, a}], true
	}
	if predicted {
		h, err := p.Fit.HeadToHead(a, b)
		h.Score.N = 0 // that of the fit; here the games of the two
		if !h.Comparable {
			h.Score = ratings.Estimate{Scale: ratings.ScaleShare}
		}
		return h.Score, m.Games, err
	}
	e := m.Score
	if e.N = 0; turned {
		e.Value, e.Lo, e.Hi = 1-e.Value, 1-e.Hi, 1-e.Lo
	}
	return e, m.Games, nil
}

// scoreCell returns the cell of a score. A cross means that there is none.
func scoreCell(e ratings.Estimate, games int64) chart.Cell {
	if !e.Known() {
		return chart.Cell{Value: math.NaN(), Text: "?", Mark: chart.Crossed}
	}
	lo, hi := e.Ends()
	c := chart.Cell{Value: e.At(), Text: e.Short(), Sub: fmt.Sprintf("%.0f to %.0f\n%s", 100*max(0, lo), 100*min(1, hi),
		screen.Plural(games, "game"))}
	if games < fewGames {
		c.Mark = chart.Hatched
	}
	return c
}

func strength(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	_, rows, err := rated(ctx, db, ask)
	if err != nil {
		return nil, err
	}
	costs, err := db.Costs(ctx, ask.Rules)
	if err != nil {
		return nil, err
	}
	label, of := "time of a decision (µs)", func(c store.Cost) float64 { return 1000 * c.MS / c.Decisions }
	if ask.Cost == "nodes" {
		label, of = "nodes of a decision", func(c store.Cost) float64 { return c.Nodes / c.Decisions }
	}
	s := &chart.Scatter{
		Dim: chart.Dim{Width: chart.Full, Height: max(300, 100+15*float64(len(rows)))}, All: true,
		X: chart.Axis{Label: label, Unit: chart.Log2}, Y: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed},
	}
	for _, r := range rows {
		if c := costs[r.name]; c.Decisions > 0 && of(c) > 0 {
			s.Dots = append(s.Dots, chart.Dot{
				X: chart.Bare(math.Log2(of(c))), Y: r.Estimate, Label: r.name, Hollow: r.weak, Colour: r.colour,
			})
		}
	}
	if len(s.Dots) == 0 {
		return nil, fmt.Errorf("%w: no agent has a time or node count", ErrNone)
	}
	slices.SortFunc(s.Dots, func(a, b chart.Dot) int {
		return cmp.Or(cmp.Compare(a.X.Value, b.X.Value), cmp.Compare(b.Y.At(), a.Y.At()))
	})
	best := math.Inf(-1)
	for i, d := range s.Dots {
		s.Dots[i].Front = d.Y.At() > best
		best = max(best, d.Y.At())
	}
	return &Figure{s, words(rows)}, nil
}

// budgetOf returns the single limit of an agent's budget, and the spec without that limit. Agents of one family
// have the same spec without it.
func budgetOf(spec string) (family, unit string, limit float64) {
	var s agents.Spec
	if json.Unmarshal([]byte(spec), &s) != nil {
		return "", "", 0
	}
	n := 0
	for _, l := range []struct {
		unit  string
		value float64
	}{
		{"depth (plies)", float64(s.Budget.Depth)},
		{"nodes", float64(s.Budget.Nodes)},
		{"simulations", float64(s.Budget.Iterations)},
		{"seconds", s.Budget.Seconds},
	} {
		if l.value > 0 {
			unit, limit, n = l.unit, l.value, n+1
		}
	}
	if n != 1 {
		return "", "", 0
	}
	s.Budget, s.Name, s.Description = agents.Budget{}, "", ""
	return s.Canonical(), unit, limit
}

func scaling(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	_, rows, err := rated(ctx, db, ask)
	if err != nil {
		return nil, err
	}
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return nil, err
	}
	type family struct {
		unit  string
		line  chart.Line
		names []string
	}
	families := map[string]*family{}
	var order []string
	for _, r := range rows {
		key, unit, limit := budgetOf(specs[r.name])
		if limit == 0 {
			continue
		}
		key += unit
		if families[key] == nil {
			families[key] = &family{unit: unit, line: chart.Line{Style: chart.Whiskers}}
			order = append(order, key)
		}
		f := families[key]
		f.line.Points = append(f.line.Points, chart.PointOf(math.Log2(limit), r.Estimate))
		f.names = append(f.names, r.name)
	}
	l := &chart.Lines{
		Dim: chart.Dim{Width: chart.Full, Height: 320}, X: chart.Axis{Unit: chart.Log2},
		Y: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed},
	}
	var units []string
	for _, key := range order {
		f := families[key]
		if len(f.names) < 2 {
			continue
		}
		f.line.Name = common(f.names)
		l.Lines = append(l.Lines, f.line)
		if !slices.Contains(units, f.unit) {
			units = append(units, f.unit)
		}
	}
	if len(l.Lines) == 0 {
		return nil, fmt.Errorf("%w: no two agents differ only in one limit (depth, nodes, iterations or seconds)", ErrNone)
	}
	l.X.Label = strings.Join(units, ", ")
	for i := range l.Lines {
		l.Lines[i].Colour = Ask{Colours: ask.Colours}.colour(l.Lines[i].Name, i)
	}
	return &Figure{l, words(rows)}, nil
}

// common returns the longest common prefix of names that contains no digit.
func common(names []string) string {
	out := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, out) {
			out = out[:len(out)-1]
		}
	}
	return cmp.Or(strings.TrimRight(out, "-_ 0123456789["), names[0])
}

// leastOfPly is the minimum number of decisions for a ply to be drawn.
const leastOfPly = 5

func timeByPly(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	type place struct {
		agent string
		ply   int
	}
	times, compiled := map[place][]float64{}, map[int64]*engines.Game{}
	for row, err := range db.Games(ctx, store.Filter{Rules: ask.Rules}) {
		if err != nil {
			return nil, err
		}
		thoughts, err := db.Thoughts(ctx, row.ID)
		if err != nil {
			return nil, err
		}
		if len(thoughts) == 0 {
			continue
		}
		g := compiled[row.Rules]
		if g == nil {
			if g, err = engines.Stored(row.RulesJSON); err != nil {
				return nil, err
			}
			compiled[row.Rules] = g
		}
		p := g.NewPosition() // sides need not alternate
		for _, text := range strings.Fields(row.Moves) {
			at := place{row.FirstName, p.Ply() + 1}
			if p.Side() == 1 {
				at.agent = row.SecondName
			}
			if t, ok := thoughts[at.ply]; ok {
				times[at] = append(times[at], t.MS)
			}
			m, err := p.ParseMove(text)
			if err != nil {
				return nil, fmt.Errorf("game %d: %w", row.ID, err)
			}
			p.Play(m)
		}
	}
	var order []place
	for at := range times {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.agent, b.agent),
			cmp.Compare(a.ply, b.ply))
	})
	l := &chart.Lines{
		Dim: chart.Dim{Width: chart.Full, Height: 320}, X: chart.Axis{Label: "ply", Unit: chart.Integer},
		Y: chart.Axis{Label: "time of a decision (ms), 95 %"},
	}
	for _, at := range order {
		t := times[at]
		if len(t) < leastOfPly {
			continue
		}
		if n := len(l.Lines); n == 0 || l.Lines[n-1].Name != at.agent {
			l.Lines = append(l.Lines, chart.Line{Name: at.agent, Style: chart.Band})
		}
		line := &l.Lines[len(l.Lines)-1]
		mean, sd := stat.MeanStdDev(t, nil)
		e := ratings.Normal(mean, sd/math.Sqrt(float64(len(t))), int64(len(t)), "decisions", ratings.ScalePlain)
		e.Lo = max(0, e.Lo)
		line.Points = append(line.Points, chart.PointOf(float64(at.ply), e))
	}
	if len(l.Lines) == 0 {
		return nil, fmt.Errorf("%w: the study has no times of plies (set record_plies: true in the tournament's file)",
			ErrNone)
	}
	l.Height = max(l.Height, 90+14*float64(len(l.Lines)))
	var err error
	if l.Lines, err = ask.only(l.Lines); err != nil {
		return nil, err
	}
	var names []string
	for _, line := range l.Lines {
		names = append(names, line.Name)
	}
	return &Figure{l, "Time of a decision by ply of " + strings.Join(names, ", ")}, nil
}
