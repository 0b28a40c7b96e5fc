package balance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/arena/campaign"
	"spar/engines/solve"
	"spar/ratings"
)

// ReadingGames names the longest stage that Options.Progress reports. The stage's done and total count games.
const ReadingGames = "reading games"

// Measure measures the games. It returns ErrNoGames if there are none, and the context's error if the context ends.
// Report.Missing names each measure that these games cannot determine; this is not an error.
func Measure(ctx context.Context, data Data, o Options) (*Report, error) {
	if len(data.Events) == 0 {
		return nil, fmt.Errorf("%s: %w", data.Label, ErrNoGames)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	m := newMeasurer(o)
	progress := o.Progress
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	a := &assembly{measurer: m, report: newReport(data, m), blind: o.Blind}
	a.report.Inquiry = data.Inquiry
	if o.Blind {
		o.SolveMemory, o.Table, o.Proof = -1, nil, nil
	}
	table := o.Table
	a.proof = o.Proof
	progress("solving", 0, 0)
	switch {
	case table != nil:
	case o.unsolved != "":
		a.miss(o.unsolved)
	default:
		var err error
		if table, err = campaign.Solve(ctx, data.Game, o.SolveMemory, o.Workers); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			a.miss(err.Error())
		}
	}
	total := int64(0)
	for _, e := range data.Events {
		total += e.Games
	}
	p, err := read(ctx, &data, o.Oracle, o.Workers, func(done int64) {
		progress(ReadingGames, done, total)
	})
	if err != nil {
		return nil, err
	}
	if p.games == 0 {
		return nil, fmt.Errorf("%s: %w that count: all are from tuning or ended after their match-up was decided",
			data.Label, ErrNoGames)
	}
	a.pass, a.table = p, table
	a.played()
	a.report.Tiers = p.tiers()
	if err := a.groups(ctx, o.Workers, progress); err != nil {
		return nil, err
	}
	if err := a.across(ctx); err != nil {
		return nil, err
	}
	a.report.Remedies = data.remedies
	a.finish()
	return a.report, nil
}

// assembly collects the parts of a report.
type assembly struct {
	measurer
	report *Report
	blind  bool
	proof  *solve.Proof
	pass   *pass
	table  *solve.Table
	data   []*groupData // data of Report.Groups, in the same order
	arcs   [][]*arc
}

func newReport(data Data, m measurer) *Report {
	r := data.Game.Rules()
	return &Report{
		Rules: Rules{
			Name: data.Label, Title: r.Title, Hash: data.Game.RulesHash(), Canonical: r.Canonical(),
			Columns: data.Game.Columns(), Rows: data.Game.Rows(), Symmetry: len(data.Game.Symmetries()),
		},
		Study:    Played{DB: data.Path, Events: []EventInfo{}},
		Method:   Method{Level: m.level},
		Headline: -1,
		game:     data.Game,
		Lights:   []Light{},
		Missing:  []Missing{},
		Tiers:    []Tier{},
		Groups:   []Group{},
		Samples:  []Sample{},
	}
}

func (a *assembly) miss(reason string) {
	a.report.Missing = append(a.report.Missing, Missing{Measure: "Exact value", Reason: reason})
}

// played fills in which games the study has.
func (a *assembly) played() {
	s := a.pass.study
	s.LeftOut = a.pass.leftOut.Load()
	s.Games = a.pass.games + s.LeftOut
	for i, e := range a.pass.data.Events {
		s.Events = append(s.Events, EventInfo{
			Name:    e.Name,
			Purpose: e.Purpose,
			Seed:    e.Seed,
			Games:   e.Games,
			Clear:   e.Clear,
		})
		if i == 0 {
			s.FirstSeed, s.LastSeed = e.Seed, e.Seed
		}
		s.FirstSeed = min(s.FirstSeed, e.Seed)
		s.LastSeed = max(s.LastSeed, e.Seed)
	}
	s.Effort, a.report.Ref = a.pass.data.effort, cmp.Or(a.pass.data.ref, a.pass.data.Label)
	a.report.Study = s
}

// tiers returns the agents of TierNames that played. Random play has no games against itself.
func (p *pass) tiers() []Tier {
	out := []Tier{}
	for _, name := range TierNames(p.data.Events) {
		of, errs := strings.CutSuffix(name, agents.Errs)
		if slices.Contains(p.names, name) && !(errs && slices.Contains(p.names, of)) {
			out = append(out, p.data.tier(name))
		}
	}
	least := int64(math.MaxInt64)
	for _, t := range out {
		if t.Amount > 0 {
			least = min(least, t.Amount)
		}
	}
	for i := range out {
		out[i].Index = i
		if out[i].Doubling = -1; out[i].Amount > 0 {
			out[i].Doubling = math.Log2(float64(out[i].Amount) / float64(least))
		}
	}
	return out
}

// tier describes an agent. Only a number of iterations or positions, or a time, can be doubled.
func (d *Data) tier(name string) Tier {
	t := Tier{Name: name, Deterministic: d.certain(name)}
	a, ok := d.Agents[name]
	if !ok || a.Spec == nil {
		return t
	}
	t.Description = a.Spec.Description
	b := a.Budget.Or(a.Spec.DefaultBudget())
	t.Timed = b.Timed()
	if a.Spec.HasBudget() {
		t.Budget, t.Amount = b.String(), cmp.Or(b.Iterations, b.Nodes, int64(1000*b.Seconds))
	}
	return t
}

// groups measures the groups, several at a time.
func (a *assembly) groups(ctx context.Context, workers int, progress func(string, int64, int64)) error {
	p, r := a.pass, a.report
	index := func(agent string) int {
		return slices.IndexFunc(r.Tiers, func(t Tier) bool { return t.Name == agent })
	}
	order := func(agent string) uint {
		return uint(index(agent))
	} // agents that err, which are no tier, come last
	a.data = slices.Clone(p.groups)
	kinds := []string{"mirror", "openings", "all"}
	slices.SortStableFunc(a.data, func(x, y *groupData) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, x.kind), slices.Index(kinds, y.kind)),
			cmp.Compare(order(x.agent), order(y.agent)))
	})
	r.Groups = make([]Group, len(a.data))
	a.arcs = make([][]*arc, len(a.data))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	for i, d := range a.data {
		g := &r.Groups[i]
		g.Key = d.key
		g.Kind = d.kind
		g.Tier = -1
		g.Games = d.games
		g.Distinct = d.distinct
		g.Repeated = d.repeated
		switch d.kind {
		case "mirror":
			g.Name, g.Tier = d.agent+" against itself", index(d.agent)
		case "openings":
			g.Name, g.Tier = d.agent+" against itself from random openings", index(d.agent)
		default:
			g.Name = "all games"
		}
		work.Go(func() error {
			a.measure(g, d, i)
			return ctx.Err()
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	progress("measuring", int64(len(a.data)), int64(len(a.data)))
	for i, g := range r.Groups { // the strongest tier from the start position, else from openings, else everything
		if g.Outcome.First.Known() && (r.Headline < 0 || g.Kind == r.main().Kind && g.Tier >= 0) {
			r.Headline = i
		}
	}
	return nil
}

// measure fills in one group.
func (a *assembly) measure(g *Group, d *groupData, i int) {
	for _, x := range d.sums {
		x.Result(a.measurer, g)
	}
	a.arcs[i] = arcs(d.valued, a.values)
}

// across computes the comparisons between groups and between agents.
func (a *assembly) across(ctx context.Context) error {
	r, p := a.report, a.pass
	r.Ladder = a.ladder(p, r.Tiers)
	r.trends()
	var headline *groupData
	var all []*arc
	name, score := "", ratings.Estimate{}
	if g := r.main(); g != nil {
		score, name = g.Outcome.Score, g.Name
		headline, all = a.data[r.Headline], a.arcs[r.Headline]
	}
	r.FirstMove = a.firstMoves(p, headline, score, a.table)
	r.Oracle = oracleOf(all, name, a.values, r.Tiers)
	if r.Exact = campaign.ExactOfTable(p.data.Game, a.table); r.Exact == nil {
		r.Exact = campaign.ExactOfProof(p.data.Game, a.proof)
	}
	if headline == nil {
		return nil
	}
	var err error
	r.Samples, err = p.samples(ctx, headline, all)
	return err
}

// finish adds remarks about the numbers.
func (a *assembly) finish() {
	r := a.report
	r.Ends, r.Completed = endsSurely(a.pass.data.Game), a.completion(a.pass)
	r.Verdict = a.conclude(r, a.blind)
	r.Lights = r.lights()
	a.missing()
	if r.Exact != nil { // by a proof
		r.Missing = slices.DeleteFunc(r.Missing, func(m Missing) bool { return m.Measure == "Exact value" })
	}
	a.warnings()
	r.answer(a.pass.data.Game)
}
