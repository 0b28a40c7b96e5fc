// Package figures draws what a study says as single charts for papers: strength against cost, scaling with budgets, ladders, learning
// curves, time by ply. Every point that is an estimate has its interval.
package figures

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/standings"
)

// Ask is which figure of a study is wanted.
type Ask struct {
	Kind  string
	Rules string // empty: all rules of the study together
	Cost  string // of kind strength: time or nodes
}

// Figure is a chart with the words for those who do not see it.
type Figure struct {
	Chart chart.Chart
	Alt   string
}

// Errors of what is asked for.
var (
	ErrKind  = errors.New("kind of figure")
	ErrRules = errors.New("rules")
	ErrNone  = errors.New("nothing to draw")
)

// kind is a sort of figure.
type kind struct {
	name, text string
	draw       func(context.Context, *store.DB, Ask) (*Figure, error)
}

func kinds() []kind {
	return []kind{
		{"strength", "rating against the time (or --cost nodes) of a decision", strength},
		{"scaling", "rating against the budget, a line for each family of agents that differ in it alone", scaling},
		{"ladder", "ratings in order, the strongest first", ladder},
		{"learning", "Elo of a tuning's answer so far against its start, by games of training", learning},
		{"time", "time of a decision by ply (of a study with record_plies: true)", timeByPly},
	}
}

// Kinds lists the kinds of figures and what each shows.
func Kinds() (names, texts []string) {
	for _, k := range kinds() {
		names, texts = append(names, k.name), append(texts, k.text)
	}
	return names, texts
}

// Draw makes a figure.
func Draw(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	for _, k := range kinds() {
		if k.name == ask.Kind {
			return k.draw(ctx, db, ask)
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrKind, ask.Kind)
}

// rated rates the agents under the rules asked for.
func rated(ctx context.Context, db *store.DB, ask Ask) ([]ratings.PlayerRow, error) {
	by := standings.Overall
	if ask.Rules != "" {
		by = standings.PerRules
	}
	pools, err := standings.Study(ctx, db, by, ratings.Options{})
	if err != nil {
		return nil, err
	}
	for _, p := range pools {
		if p.Rules == ask.Rules {
			rows := slices.Clone(p.Fit.Players)
			slices.SortStableFunc(rows, func(a, b ratings.PlayerRow) int { return cmp.Compare(b.Elo, a.Elo) })
			if len(rows) == 0 {
				return nil, fmt.Errorf("%w: no games count for strength", ErrNone)
			}
			return rows, nil
		}
	}
	return nil, fmt.Errorf("%w: %s has no games of %q that count for strength", ErrRules, db.Path(), ask.Rules)
}

// words of what is drawn, for those who do not see it.
func words(rows []ratings.PlayerRow) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%s %s (%s, n %d)", r.Name, screen.Signed(r.Elo, 0), screen.Between(r.Interval), r.Total().Games()))
	}
	return "Ratings in Elo (95 %, n games): " + strings.Join(out, ", ")
}

func ladder(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	rows, err := rated(ctx, db, ask)
	if err != nil {
		return nil, err
	}
	f := &chart.Forest{X: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed}, Dim: chart.Dim{Width: chart.Full}}
	for _, r := range rows {
		lo, hi := r.Interval.Ends()
		f.Rows = append(f.Rows, chart.Row{Label: r.Name, Value: r.Elo, Lo: lo, Hi: hi, N: int(r.Total().Games()), Hollow: r.Status != ratings.StatusOK})
	}
	return &Figure{f, words(rows)}, nil
}

func strength(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	rows, err := rated(ctx, db, ask)
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
	s := &chart.Scatter{Dim: chart.Dim{Width: chart.Full}, X: chart.Axis{Label: label, Unit: chart.Log2}, Y: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed}}
	best := math.Inf(-1)
	type dot struct {
		cost float64
		row  ratings.PlayerRow
	}
	var dots []dot
	for _, r := range rows {
		if c := costs[r.Name]; c.Decisions > 0 && of(c) > 0 {
			dots = append(dots, dot{of(c), r})
		}
	}
	slices.SortFunc(dots, func(a, b dot) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(b.row.Elo, a.row.Elo)) })
	for _, d := range dots {
		lo, hi := d.row.Interval.Ends()
		s.Dots = append(s.Dots, chart.Dot{X: math.Log2(d.cost), Y: d.row.Elo, YLo: lo, YHi: hi, Label: d.row.Name, Front: d.row.Elo > best, Hollow: d.row.Status != ratings.StatusOK})
		best = max(best, d.row.Elo)
	}
	if len(s.Dots) == 0 {
		return nil, fmt.Errorf("%w: no agent's decisions cost anything", ErrNone)
	}
	return &Figure{s, words(rows)}, nil
}

// budgetOf is the one limit of an agent's budget, and the agent without it, by which families are told.
func budgetOf(spec string) (family, unit string, limit float64) {
	var s agents.Spec
	if json.Unmarshal([]byte(spec), &s) != nil {
		return "", "", 0
	}
	n := 0
	for _, l := range []struct {
		unit  string
		value float64
	}{{"depth (plies)", float64(s.Budget.Depth)}, {"nodes", float64(s.Budget.Nodes)}, {"simulations", float64(s.Budget.Iterations)}, {"seconds", s.Budget.Seconds}} {
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
	rows, err := rated(ctx, db, ask)
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
		key, unit, limit := budgetOf(specs[r.Name])
		if limit == 0 {
			continue
		}
		key += unit
		if families[key] == nil {
			families[key] = &family{unit: unit, line: chart.Line{Style: chart.Whiskers}}
			order = append(order, key)
		}
		lo, hi := r.Interval.Ends()
		f := families[key]
		f.line.Points = append(f.line.Points, chart.Point{X: math.Log2(limit), Y: r.Elo, Lo: lo, Hi: hi, N: int(r.Total().Games())})
		f.names = append(f.names, r.Name)
	}
	l := &chart.Lines{Dim: chart.Dim{Width: chart.Full, Height: 320}, X: chart.Axis{Unit: chart.Log2}, Y: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed}}
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
		return nil, fmt.Errorf("%w: no two agents differ in the one limit of their budget alone (depth, nodes, iterations or seconds)", ErrNone)
	}
	l.X.Label = strings.Join(units, ", ")
	return &Figure{l, words(rows)}, nil
}

// common is what names begin with in common, without what stands before a number.
func common(names []string) string {
	out := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, out) {
			out = out[:len(out)-1]
		}
	}
	return cmp.Or(strings.TrimRight(out, "-_ 0123456789["), names[0])
}

// after are the names of a tuning's answers so far.
var after = regexp.MustCompile(`^(.*) after ([0-9]+)$`)

func learning(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	type place struct{ event, pair int64 }
	open, curves := map[place]store.Row{}, map[string]map[int][]float64{}
	points := func(r store.Row, name string) float64 {
		result, _ := engines.ParseResult(r.Result)
		if r.FirstName == name {
			return result.Score(engines.First)
		}
		return result.Score(engines.Second)
	}
	for row, err := range db.Games(ctx, store.Filter{Rules: ask.Rules}) {
		if err != nil {
			return nil, err
		}
		name := row.FirstName
		found := after.FindStringSubmatch(name)
		if found == nil {
			name = row.SecondName
			found = after.FindStringSubmatch(name)
		}
		if found == nil {
			continue
		}
		at := place{row.Event, row.Pair}
		was, ok := open[at]
		if !ok {
			open[at] = row
			continue
		}
		delete(open, at)
		games, err := strconv.Atoi(found[2])
		if err != nil {
			continue
		}
		curve := found[1]
		if curves[curve] == nil {
			curves[curve] = map[int][]float64{}
		}
		if curves[curve][games] == nil {
			curves[curve][games] = make([]float64, 5)
		}
		curves[curve][games][int(2*(points(was, name)+points(row, name)))]++
	}
	l := &chart.Lines{Dim: chart.Dim{Width: chart.Full}, X: chart.Axis{Label: "games of training", Unit: chart.Integer}, Y: chart.Axis{Label: "Elo above the start, 95 %", Unit: chart.Signed}, Refs: []chart.Ref{{Value: 0}}}
	alt := "Elo above the start after games of training (95 %, n pairs):"
	for _, name := range slices.Sorted(maps.Keys(curves)) {
		curve := curves[name]
		line := chart.Line{Name: name, Style: chart.Whiskers}
		said := map[int]string{}
		for games, counts := range curve {
			m, err := ratings.AnalyzeMatch(counts, 0.95)
			if err != nil {
				return nil, err
			}
			lo, hi := m.Interval.Ends()
			line.Points = append(line.Points, chart.Point{X: float64(games), Y: m.Elo, Lo: lo, Hi: hi, N: int(m.N)})
			said[games] = fmt.Sprintf(" %s %d: %s (%s, n %d);", name, games, screen.Signed(m.Elo, 0), screen.Between(m.Interval), int(m.N))
		}
		slices.SortFunc(line.Points, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
		for _, games := range slices.Sorted(maps.Keys(said)) {
			alt += said[games]
		}
		l.Lines = append(l.Lines, line)
	}
	if len(l.Lines) == 0 {
		return nil, fmt.Errorf("%w: the study holds no checks of a tuning", ErrNone)
	}
	return &Figure{l, strings.TrimSuffix(alt, ";")}, nil
}

// leastOfPly is the fewest decisions that a ply is drawn from.
const leastOfPly = 5

func timeByPly(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	type place struct {
		agent string
		ply   int
	}
	times, compiled := map[place]*moments{}, map[int64]*engines.Game{}
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
				if times[at] == nil {
					times[at] = &moments{}
				}
				times[at].add(t.MS)
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
	slices.SortFunc(order, func(a, b place) int { return cmp.Or(cmp.Compare(a.agent, b.agent), cmp.Compare(a.ply, b.ply)) })
	l := &chart.Lines{Dim: chart.Dim{Width: chart.Full, Height: 320}, X: chart.Axis{Label: "ply", Unit: chart.Integer}, Y: chart.Axis{Label: "time of a decision (ms), 95 %"}}
	for _, at := range order {
		t := times[at]
		if t.n < leastOfPly {
			continue
		}
		if n := len(l.Lines); n == 0 || l.Lines[n-1].Name != at.agent {
			l.Lines = append(l.Lines, chart.Line{Name: at.agent, Style: chart.Band})
		}
		line := &l.Lines[len(l.Lines)-1]
		mean, half := t.interval()
		line.Points = append(line.Points, chart.Point{X: float64(at.ply), Y: mean, Lo: mean - half, Hi: mean + half, N: int(t.n)})
	}
	if len(l.Lines) == 0 {
		return nil, fmt.Errorf("%w: the study keeps no times of plies (record_plies: true in the tournament's file)", ErrNone)
	}
	var names []string
	for _, line := range l.Lines {
		names = append(names, line.Name)
	}
	return &Figure{l, "Time of a decision by ply of " + strings.Join(names, ", ")}, nil
}

// moments sum numbers up.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }

// interval is the mean and half of its interval, 95 %.
func (m *moments) interval() (mean, half float64) {
	mean = m.sum / m.n
	return mean, 1.96 * math.Sqrt(max(0, m.squares/m.n-mean*mean)/max(1, m.n-1))
}
