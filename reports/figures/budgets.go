package figures

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/store"
	"spar/reports/chart"
)

func strength(ctx context.Context, d *drawing) (*Figure, error) {
	costs, err := d.db.Costs(ctx, d.Rules)
	if err != nil {
		return nil, err
	}
	label := "time per decision (µs)"
	of := func(c store.Cost) float64 { return 1000 * c.MS / c.Decisions }
	if d.Cost == "nodes" {
		label = "nodes per decision"
		of = func(c store.Cost) float64 { return c.Nodes / c.Decisions }
	}
	s := &chart.Scatter{
		Dim: chart.Dim{Width: chart.Full, Height: max(300, 100+15*float64(len(d.rows)))},
		All: true,
		X:   chart.Axis{Label: label, Unit: chart.Log2},
		Y:   chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed},
	}
	for _, r := range d.rows {
		if c := costs[r.name]; c.Decisions > 0 && of(c) > 0 {
			s.Dots = append(s.Dots, chart.Dot{
				X:      chart.Bare(math.Log2(of(c))),
				Y:      r.Estimate,
				Label:  r.name,
				Hollow: r.weak,
				Colour: r.colour,
			})
		}
	}
	if len(s.Dots) == 0 {
		return nil, fmt.Errorf("%w: no agent has recorded times or node counts", ErrNone)
	}
	slices.SortFunc(s.Dots, func(a, b chart.Dot) int {
		return cmp.Or(cmp.Compare(a.X.Value, b.X.Value), cmp.Compare(b.Y.At(), a.Y.At()))
	})
	best := math.Inf(-1)
	for i, d := range s.Dots {
		s.Dots[i].Front = d.Y.At() > best
		best = max(best, d.Y.At())
	}
	return &Figure{s, words(d.rows)}, nil
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
			unit = l.unit
			limit = l.value
			n++
		}
	}
	if n != 1 {
		return "", "", 0
	}
	s.Budget = agents.Budget{}
	s.Name = ""
	s.Description = ""
	return s.Canonical(), unit, limit
}

func scaling(ctx context.Context, d *drawing) (*Figure, error) {
	specs, err := d.db.AgentSpecs(ctx)
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
	for _, r := range d.rows {
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
		l.Lines[i].Colour = Ask{Colours: d.Colours}.colour(l.Lines[i].Name, i)
	}
	return &Figure{l, words(d.rows)}, nil
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
