package variants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"spar/agents"
	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
	"spar/tuning/learn"
	"spar/tuning/target"
)

// Memory for solving, in bytes. All variants together get allMemory, in equal parts, and at most Options.Exact.
const (
	exactMemory = campaign.SolveMemory // a sweep and a balance study solve the same rules
	allMemory   = 20 * exactMemory
)

// positions returns how many positions a proof may search with some bytes of memory.
func positions(memory int64) uint64 { return uint64(memory / (exactMemory / campaign.ProofNodes)) }

// Offsets of the seeds for each part.
const (
	freshPart = 1000
	roundPart = 2000
	slipsPart = 500 // added to the others, for games in which the agents err
)

// Measure measures the games under a variant's rules, in the events of a study for which wanted returns true. The
// implementation is reports/balance.OfVariant.
type Measure func(ctx context.Context, db *store.DB, label string, wanted func(study.Event) bool,
	workers int) (target.Measured, error)

// Options are the conditions of a run. Only Exact affects the result.
type Options struct {
	Workers  int                   // goroutines that play; 0 = one for each core
	Progress func(campaign.Status) // may be nil
	Stage    func(text string)     // receives a description of the current step; may be nil
	Feed     *live.Feed            // receives events; may be nil
	// Assets and Pool play the games; nil means this process.
	Assets *arena.Assets
	Pool   arena.Pool
	// Nets is the folder for the learned evaluation, if the plan has Learn.
	Nets string
	// Exact is the memory for the exact value of one variant, in bytes. 0 means the memory that a report uses, or less
	// if there are many variants. The number of positions that a proof may search is proportional to it.
	Exact int64

	// Measure measures the games of variants.
	Measure Measure
}

// errAgain means that games were superseded after a decision may have depended on them.
var errAgain = errors.New("games were superseded")

// runner plays the games of a sweep and measures them.
type runner struct {
	*Sweep
	ctx, hard context.Context
	db        *store.DB
	o         Options
	before    int64         // number of games that were already stored
	played    int64         // number of games played
	games     int64         // number of games that count, the same on any number of workers
	ahead     campaign.Load // upper limit of the work after the current parts
	done      campaign.Load // work done before the current parts
}

// Run plays the games that the study does not hold yet, and measures all of them. It fails with arena.StoppedError
// if ctx ends before that is done.
func (s *Sweep) Run(ctx, hard context.Context, db *store.DB, o Options) (*Result, error) {
	if o.Stage == nil {
		o.Stage = func(string) {}
	}
	o.Exact = cmp.Or(o.Exact, exactMemory)
	unlock, err := db.Lock() // of all variants, and of the plan before them
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err = s.learn(ctx, o); err == nil {
		err = s.remember(hard, db)
	}
	if err != nil {
		return nil, s.stopped(ctx, err, 0, 0)
	}
	for {
		if out, err := s.run(ctx, hard, db, o); !errors.Is(err, errAgain) {
			return out, err
		}
	}
}

func (s *Sweep) run(ctx, hard context.Context, db *store.DB, o Options) (*Result, error) {
	r := &runner{Sweep: s, ctx: ctx, hard: hard, db: db, o: o}
	out := &Result{
		Name:    s.Name,
		Rules:   s.Variants[0].Label,
		Design:  s.Design,
		DB:      db.Path(),
		Seed:    s.Seed,
		Level:   0.95,
		Targets: s.Targets,
		Tried:   len(s.Variants),
		Skipped: s.Skipped,
		Again:   []Again{},
	}
	if s.Learn > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("In all variants, the agents use one evaluation, learned from %d games "+
			"of self-play under %s.", s.Learn, s.Variants[0].Label))
	}
	if text := s.erring(); text != "" {
		out.Notes = append(out.Notes, text)
	}
	for i, k := range s.Knobs {
		info := KnobInfo{Path: k.Knob, Base: s.Variants[0].Changes[i].Text()}
		for _, v := range k.Values {
			info.Values = append(info.Values, rules.KnobText(v))
		}
		out.Knobs = append(out.Knobs, info)
	}
	for _, a := range r.tiers()[1:] {
		out.Tiers = append(out.Tiers, a.Name)
	}
	search := r.design
	if s.Design == Halving {
		search = r.rounds
	}
	var best []Variant
	each := min(o.Exact, allMemory/int64(len(s.Variants)))
	err := Solve(ctx, s.Variants, each, positions(each), o.Workers, o.Stage)
	if err == nil {
		best, err = search(out)
	}
	if err == nil {
		err = r.again(out, best)
	}
	if err != nil {
		return nil, s.stopped(ctx, err, r.before, r.played)
	}
	out.Games = r.games
	return out, nil
}

// stopped adds to the error of an interrupt how many games are stored.
func (s *Sweep) stopped(ctx context.Context, err error, before, played int64) error {
	first, fresh := s.Planned()
	return arena.Stopped(ctx, err, arena.StoppedError{Total: first + fresh, Before: before, Played: played})
}

// learning returns the options for learning the evaluation.
func (s *Sweep) learning() learn.Options { return learn.Options{Games: int64(s.Learn), Seed: s.Seed} }

// learn learns one evaluation for the agents of all variants, under the base rules, so that all variants have the
// same agents. The net is a file in a folder, with the options in its name. The next run reuses it.
func (s *Sweep) learn(ctx context.Context, o Options) error {
	if s.Learn == 0 || s.learned.Net != nil {
		return nil
	}
	o.Stage("learning an evaluation")
	base, how := s.Variants[0].Game, s.learning()
	how.Workers = o.Workers
	how.Assets = o.Assets
	how.Pool = o.Pool
	net := fmt.Sprintf("%s-%.8s-%d-%d.net", filepath.Join(o.Nets, s.Name), base.RulesHash(), how.Games, how.Seed)
	path, err := learn.Agent(ctx, base, net, 0, how)
	if err != nil {
		return err
	}
	a, err := agents.LoadSpec(path)
	if err != nil {
		return err
	}
	s.learned = a.Evaluation
	s.learned.Kin = true
	return nil
}

// eligible returns the variants that are not excluded by their exact value: one side wins by force, and a target forbids
// this, or there are no targets and the most even variant is wanted.
func (r *runner) eligible() []Variant {
	return slices.DeleteFunc(slices.Clone(r.Variants), func(v Variant) bool {
		return v.Exact.Decided() && (len(r.Goal) == 0 ||
			slices.ContainsFunc(r.Goal, func(t target.Target) bool { return t.MissedBy(v.Exact) }))
	})
}

// play plays parts and counts the games of each, by name.
func (r *runner) play(parts []*arena.Tournament) (map[string]counted, error) {
	o := campaign.Options{
		Workers:  r.o.Workers,
		Progress: r.o.Progress,
		Feed:     r.o.Feed,
		Assets:   r.o.Assets,
		Pool:     r.o.Pool,
		Done:     r.done,
		Ahead:    r.ahead,
	}
	sum, err := campaign.RunParts(r.ctx, r.hard, r.db, parts, o)
	r.done = r.done.Plus(campaign.LoadOf(parts))
	r.before += sum.Before
	r.played += sum.Played
	switch {
	case err != nil:
		return nil, err
	case sum.Superseded > 0:
		return nil, errAgain
	case !sum.Finished:
		return nil, r.ctx.Err()
	}
	return r.stored(parts)
}

// design plays all variants of the design and returns the best ones.
func (r *runner) design(out *Result) ([]Variant, error) {
	var parts []*arena.Tournament
	for _, v := range r.Variants {
		parts = append(parts, r.parts(v)...)
	}
	r.ahead = campaign.LoadOf(r.freshParts(r.Variants[:min(r.Best, len(r.Variants))]))
	if _, err := r.play(parts); err != nil {
		return nil, err
	}
	left := r.eligible()
	var cells []Cell // of those left
	for i, v := range r.Variants {
		r.o.Stage(fmt.Sprintf("measuring variant %d of %d", i+1, len(r.Variants)))
		c, err := r.cell(v, func(e study.Event) bool {
			return e.Purpose == campaign.PurposeMirror || e.Purpose == campaign.PurposeLadder
		})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			c.Change = Numbers{}
			for name, x := range c.Numbers {
				if d := ratings.Change(out.Variants[0].Numbers[name], x); d.Known() {
					c.Change[name] = d
				}
			}
		}
		out.Variants = append(out.Variants, c)
		if len(cells) < len(left) && left[len(cells)].Label == v.Label {
			cells = append(cells, c)
		}
	}
	out.Effects = effects(out.Knobs, out.Variants)
	return r.nearest(cells, left, r.Best), nil
}

// nearest returns the first n variants in the order of compareCells.
func (r *runner) nearest(cells []Cell, variants []Variant, n int) []Variant {
	order := make([]int, len(cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareCells(&cells[a], &cells[b]) })
	var out []Variant
	for _, i := range order[:min(n, len(order))] {
		out = append(out, variants[i])
	}
	return out
}

// compareCells orders variants by their distance from the targets, then by the fraction of unfinished games, by
// exact value (draws first), and by evenness at the least even tier.
func compareCells(a, b *Cell) int {
	return cmp.Or(cmp.Compare(a.Far, b.Far), cmp.Compare(unfinished(a), unfinished(b)),
		cmp.Compare(certainty(a.Solved), certainty(b.Solved)), cmp.Compare(uneven(a), uneven(b)))
}

// unfinished returns by how much the fraction of unfinished games exceeds 5 %.
func unfinished(c *Cell) float64 {
	if x := c.Numbers["completion"]; x.Known() {
		return max(0, 0.95-x.Value)
	}
	return 1
}

func uneven(c *Cell) float64 {
	worst := 0.0
	for _, n := range c.ByTier {
		x := n["fpa"]
		if !x.Known() {
			return 1
		}
		worst = max(worst, x.Value)
	}
	return worst
}

// again measures the best variants again, on fresh seeds.
func (r *runner) again(out *Result, best []Variant) error {
	if len(best) == 0 && r.Best > 0 {
		out.Notes = append(out.Notes, "Every variant is a forced win for one side, so no variant was measured again.")
	}
	r.ahead = campaign.Load{}
	if _, err := r.play(r.freshParts(best)); err != nil {
		return err
	}
	for i := range best {
		v := &best[i]
		r.o.Stage("measuring " + v.Label + " again")
		if v.Exact == nil { // agents that do not find a forced win may look even
			if err := Solve(r.ctx, best[i:i+1], r.o.Exact, positions(r.o.Exact), r.o.Workers, r.o.Stage); err != nil {
				return err
			}
		}
		c, err := r.cell(*v, func(e study.Event) bool {
			return e.Purpose == campaign.PurposeFresh || e.Purpose == campaign.PurposeFreshLadder
		})
		if err != nil {
			return err
		}
		a := Again{Cell: c}
		if i := slices.IndexFunc(out.Variants, func(c Cell) bool { return c.Rules == v.Label }); i >= 0 {
			a.Before = out.Variants[i].Numbers
		}
		out.Again = append(out.Again, a)
	}
	slices.SortStableFunc(out.Again, compareAgain)
	return nil
}

// compareAgain orders variants that were measured again: by verdict, distance from the targets, exact value and
// evenness.
func compareAgain(a, b Again) int {
	rank := map[target.Verdict]int{target.Met: 0, target.Undecided: 1, "": 1, target.Missed: 2}
	exact := cmp.Compare(certainty(a.Solved), certainty(b.Solved))
	return cmp.Or(cmp.Compare(rank[a.Verdict], rank[b.Verdict]), cmp.Compare(a.Far, b.Far), exact,
		cmp.Compare(a.Numbers["fpa"].Value, b.Numbers["fpa"].Value))
}

func (r *runner) unplayed(v Variant) Cell {
	return Cell{
		Rules:   v.Label,
		Values:  v.values(),
		Base:    v.Base,
		Hash:    v.Game.RulesHash(),
		Numbers: Numbers{},
		Solved:  solved(v.Exact),
	}
}

// cell measures a variant by the wanted events. Games of a tier against itself count as self-play in all of these
// events.
func (r *runner) cell(v Variant, wanted func(study.Event) bool) (Cell, error) {
	c := r.unplayed(v)
	m, err := r.o.Measure(r.ctx, r.db, v.Label, wanted, r.o.Workers)
	if err != nil {
		return c, fmt.Errorf("measuring %s: %w", v.Label, err)
	}
	var names []string
	for _, a := range r.tiers()[1:] {
		n := m.ByAgent[a.Name]
		if n == nil {
			n = Numbers{}
		}
		c.ByTier = append(c.ByTier, n)
		names = append(names, a.Name)
	}
	maps.Copy(c.Numbers, c.ByTier[len(c.ByTier)-1])
	if m.Depth.Known() {
		c.Numbers["depth"] = m.Depth
	}
	c.Far = far(r.Goal, c.ByTier, c.Numbers, v.Exact)
	c.Judged = judge(v.Label, r.Goal, c.ByTier, names, c.Numbers)
	target.Overrule(v.Exact, r.Goal, c.Judged)
	c.Verdict = together(c.Judged)
	return c, nil
}

// Winner returns the rules of the best variant after the second measurement under a new name, and comments with
// its measurements. The last result is false if no variant was measured again.
func (s *Sweep) Winner(r *Result, name string) (rules engines.Rules, comments []string, ok bool) {
	if len(r.Again) == 0 {
		return rules, nil, false
	}
	best := r.Again[0]
	at := slices.IndexFunc(s.Variants, func(v Variant) bool { return v.Label == best.Rules })
	rules = s.Variants[at].Game.Rules()
	rules.Name = name
	rules.Title += " (" + r.Named(best.Values) + ")"
	comments = append(comments, fmt.Sprintf("%s, the best of %d variants of %s, measured again on "+
		"fresh seeds:", r.Named(best.Values), r.Tried, r.Rules))
	if best.Exact != "" {
		comments = append(comments, "  exact: "+best.Exact)
	}
	for i, n := range best.ByTier {
		comments = append(comments, fmt.Sprintf("  %s against itself: first player's score %s, "+
			"completion %s", r.Tiers[i], n["score"], n["completion"]))
	}
	if text := s.erring(); text != "" {
		comments = append(comments, "  "+text)
	}
	for _, j := range best.Judged {
		comments = append(comments, fmt.Sprintf("  %s: %s", j.Target, j.Verdict))
	}
	return rules, comments, true
}

// Outlook describes the games that a sweep would play. Its JSON form is public.
type Outlook struct {
	Name     string    `json:"name" help:"name of the sweep"`
	Design   string    `json:"design" help:"grid, latin-hypercube, halton or halving"`
	DB       string    `json:"db" help:"the study's file"`
	Variants []string  `json:"variants" help:"rules to be played"`
	Skipped  []Skipped `json:"skipped,omitempty" help:"combinations that make invalid rules: rules, reason"`
	Games    int64     `json:"games" help:"games; an upper limit with halving"`
	Fresh    int64     `json:"fresh_games" help:"games for measuring the best variants again"`
}

// Outlook returns the description of the games that the sweep would play.
func (s *Sweep) Outlook() Outlook {
	o := Outlook{Name: s.Name, Design: s.Design, DB: s.Database, Skipped: s.Skipped}
	o.Games, o.Fresh = s.Planned()
	for _, v := range s.Variants {
		o.Variants = append(o.Variants, v.Label)
	}
	return o
}
