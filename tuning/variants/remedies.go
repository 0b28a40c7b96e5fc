package variants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/openings"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines/rules"
	"spar/ratings"
	"spar/tuning/predict"
	"spar/tuning/target"
)

// fairBand is the band of the first player's score in which a game counts as fair.
var fairBand = target.Target{Measure: "score", Lo: 0.45, Hi: 0.55, Text: "score in [0.45, 0.55]"}

// Limits of a search for remedies. The thresholds were tuned on games whose truth is known: reports/research/remedies.md.
const (
	remedyWork   = 13e9 // simulations of all agents, weighted by their time: up to two minutes of a core
	remedyOpens  = 12   // first moves that are valued
	mostFinal    = 6    // candidates that play again on fresh seeds, if there is work for so many
	leastFinal   = 3
	leastEnd     = 0.9  // a remedy ends at least this share of its games
	mostDrawn    = 0.5  // a remedy that raises the draws beyond this share is none
	slip         = 0.1  // share of random moves of the agent that errs
	slipBand     = 0.07 // how far from even the agents that err may score, with the whole interval
	peopleMargin = 0.1  // how much further from even than the base's the predicted score of people may be
	forcedNodes  = 200_000
)

// Remedies asks for a change that makes rules fair.
type Remedies struct {
	Targets []string // score or fpa replace the band of 45 to 55 %; others hold besides
	Keep    []string // knobs that no remedy changes
	Blind   bool     // no table and no proof
	Seed    int64
	Work    float64 // simulations of all agents, weighted by their time (see weight); 0 = the default
}

// Remedy is a changed game with its measurements. Its JSON form is public.
type Remedy struct {
	Rules   string   `json:"rules" help:"name in the study"`
	Changes []string `json:"changes" help:"changed knobs, written as for --set"`
	Verdict string   `json:"verdict" help:"fair, nearer, drawn (fair, but too many draws to be a remedy), unfair, endless, worse or unplayed"`
	Why     string   `json:"why,omitempty" help:"why it is no remedy"`
	Solved
	Score      ratings.Estimate `json:"score" help:"first player's score at the strongest tier; in the three shown, on fresh seeds with joint confidence"`
	Weak       ratings.Estimate `json:"weak" help:"the same with a quarter of the simulations"`
	Slips      ratings.Estimate `json:"slips" help:"the same if each agent errs: one move of ten is random"`
	Draws      ratings.Estimate `json:"draws" help:"share of games drawn by the rules"`
	Completion ratings.Estimate `json:"completion" help:"share of games that the rules end"`
	Alive      ratings.Estimate `json:"alive" help:"share of games with the rarest mechanic"`
	Length     float64          `json:"length" help:"mean plies of a game"`
	Depth      ratings.Estimate `json:"depth" help:"score of the strongest tier against that with a quarter of the simulations"`
	People     float64          `json:"people_score" help:"first player's score predicted for practised people"`
	PeopleDraw float64          `json:"people_draws" help:"share of draws predicted for practised people"`
	Kept       float64          `json:"kept" help:"share of the base's mechanics that are still at work"`
	Opening    string           `json:"opening,omitempty" help:"with a pie rule: the first move nearest to even, with which the games begin"`
	Costs      []string         `json:"costs,omitempty" help:"what it makes worse"`
	Games      int64            `json:"games" help:"games at the strongest tier"`

	variant Variant
	points  [3]int64 // the first player's losses, draws and wins
	drawn   int64
	capped  int64
	plies   int64
	loss    float64
}

// RemedyResult is the answer. Its JSON form is public.
type RemedyResult struct {
	Name    string    `json:"rules" help:"rules to mend"`
	DB      string    `json:"db" help:"file of the study"`
	Agent   string    `json:"agent" help:"strongest tier"`
	Base    Remedy    `json:"base" help:"the rules as they are, like an entry of best"`
	Tried   int       `json:"tried" help:"changes that were solved or played"`
	Dropped []Skipped `json:"dropped,omitempty" help:"changes that break the game: rules, reason"`
	Best    []Remedy  `json:"best" help:"at most three remedies, best first"`
	Others  []Remedy  `json:"others" help:"the other changes, nearest to even first"`
	Fair    int       `json:"fair" help:"changes confirmed as fair"`
	Games   int64     `json:"games" help:"games played"`
	Even    []string  `json:"even_openings,omitempty" help:"first moves that are nearly even"`
	Blind   bool      `json:"blind,omitempty" help:"exact values were not used"`
	Text    string    `json:"text" help:"the answer in a sentence"`
}

// search is a search for remedies in progress.
type search struct {
	*runner
	Remedies
	base  campaign.Rules
	band  target.Target
	goals []target.Target
	sims  int64 // of the strongest tier
	most  int   // games of a confirmation
	final int   // finalists
	out   *RemedyResult
	even  []string // nearly even first moves, nearest first
}

// FindRemedies searches for changes that make the rules fair, keeps every game in a study, and continues there.
func FindRemedies(ctx, hard context.Context, db *store.DB, base campaign.Rules, ask Remedies, o Options) (*RemedyResult,
	error,
) {
	if o.Stage == nil {
		o.Stage = func(string) {}
	}
	unlock, err := db.Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	for {
		s, err := ask.search(base)
		if err != nil {
			return nil, err
		}
		s.runner = &runner{Sweep: &Sweep{Plan: Plan{Name: base.Label, Seed: ask.Seed}}, ctx: ctx, hard: hard, db: db, o: o}
		s.out = &RemedyResult{Name: base.Label, DB: db.Path(), Blind: ask.Blind}
		if err = s.find(); err == nil {
			s.out.Games = s.games
			return s.out, nil
		}
		if !errors.Is(err, errAgain) {
			return nil, arena.Stopped(ctx, err, arena.StoppedError{Total: s.before + s.played, Before: s.before, Played: s.played})
		}
	}
}

// Check returns an error for targets that nothing can meet, unknown knobs, and a budget too small to say anything.
func (a Remedies) Check(base campaign.Rules) error {
	for _, k := range a.Keep {
		known := func(path string) bool { return path == k || strings.HasPrefix(path, k+".") }
		if !slices.ContainsFunc(rules.KnobPaths(), known) {
			return fmt.Errorf("--keep: no knob %q in rules%s", k, strict.Suggest(k, rules.KnobPaths()))
		}
	}
	_, err := a.search(base)
	return err
}

// search plans the search.
func (a Remedies) search(base campaign.Rules) (*search, error) {
	given := cmp.Or(a.Work, remedyWork)
	a.Work = given / weight(base.Game)
	s := &search{Remedies: a, base: base}
	var err error
	if s.band, s.goals, err = a.targets(); err == nil {
		err = s.size(given)
	}
	return s, err
}

func (s *search) strong() agents.Spec { return campaign.Tiers([]int64{s.sims})[1] }

func (s *search) weak() agents.Spec { return campaign.Tiers([]int64{s.sims / 4})[1] }

// slips is the strongest tier that errs.
func (s *search) slips() agents.Spec {
	a := s.strong()
	a.Mixture.Epsilon = slip
	a.Name, a.Description = a.Name+"-slips", a.Description+" One move of ten is random."
	return a
}

// longer returns by how much the games of a candidate are longer than those of the base, at least 1: it gets fewer.
func (s *search) longer(x *Remedy) float64 {
	if was := s.out.Base.Length; x.Length > 0 && was > 0 {
		return math.Max(1, x.Length/was)
	}
	return math.Max(1, campaign.RandomLength(x.variant.Game)/campaign.RandomLength(s.base.Game))
}

// part returns games of an agent against itself.
func (s *search) part(x *Remedy, name, purpose string, games, seed int, a agents.Spec, early *arena.EarlyStop) *arena.Tournament {
	games = max(min(games, 10), int(float64(games)/s.longer(x)))
	o := openings.Options{}
	if x.Opening != "" {
		o.Lines = []string{x.Opening}
	}
	t := campaign.Part(x.variant.Rules, "remedy/"+name, purpose, "mirror", pairs(games), o, []agents.Spec{a})
	t.Seed = campaign.PartSeed(s.Seed, seed)
	if early != nil && pairs(games) > early.Least {
		t.Stop.EarlyStop = early
	}
	return t
}

// count returns the counted games of an event: the first player's losses, draws and wins, those drawn by the rules,
// those that a cap ended, and their plies.
func (s *search) count(name string) (out Remedy, err error) {
	events, err := s.db.Events(s.ctx)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(events, func(e study.Event) bool { return e.Name == name })
	if at < 0 {
		return out, nil
	}
	for g, err := range s.db.Finished(s.ctx, events[at].ID) {
		if err != nil {
			return out, err
		}
		if g.Marks&(evidence.Surplus|evidence.Pending) != 0 || evidence.IsForfeit(g.Reason) {
			continue
		}
		out.points[map[string]int{"second": 0, "draw": 1, "first": 2}[g.Result]]++
		out.plies += int64(g.Plies)
		switch {
		case evidence.Capped(g.Reason):
			out.capped++
		case g.Result == "draw":
			out.drawn++
		}
	}
	return out, nil
}

func (s *search) find() error {
	base := &s.out.Base
	*base = Remedy{Rules: s.base.Label, variant: Variant{Rules: s.base, Base: true}, Kept: 1, Verdict: "base"}
	s.out.Agent = s.strong().Name
	if err := s.solve(base); err != nil {
		return err
	}
	if err := s.round(0, []*Remedy{base}, 80); err != nil {
		return err
	}
	all, err := s.candidates()
	if err != nil {
		return err
	}
	good, err := s.choose(all, "")
	if err != nil {
		return err
	}
	if len(good) == 0 { // two changes together
		var both []*Remedy
		if both, err = s.both(all); err == nil {
			good, err = s.choose(both, "pair-")
			all = append(all, both...)
		}
		if err != nil {
			return err
		}
	}
	s.out.Tried = len(all)
	slices.SortStableFunc(good, func(a, b *Remedy) int { return cmp.Compare(a.loss, b.loss) })
	for _, x := range good {
		if x.Verdict == "fair" {
			s.out.Fair++
		}
		if len(s.out.Best) < 3 {
			s.out.Best = append(s.out.Best, *x)
		}
	}
	slices.SortStableFunc(all, func(a, b *Remedy) int { return cmp.Compare(off(a.Score), off(b.Score)) })
	for _, x := range all {
		if !slices.ContainsFunc(s.out.Best, func(b Remedy) bool { return b.Rules == x.Rules }) {
			s.out.Others = append(s.out.Others, *x)
		}
	}
	s.out.Text = s.text()
	return nil
}

// candidates returns the single changes that break nothing. Those that exact values or the first moves rule out are
// judged already.
func (s *search) candidates() ([]*Remedy, error) {
	proposals := slices.DeleteFunc(candidates(s.base.Game.Rules(), Unfair), func(c Change) bool { return s.keeps(c.Path) })
	var lists [][]Change
	for _, c := range proposals {
		lists = append(lists, []Change{c})
	}
	if r := s.base.Game.Rules(); r.Turn.Placements == 1 && !s.keeps("turn.placements") && len(r.Setup) == 0 {
		lists = append(lists, []Change{{"turn.placements", 2}, {"turn.first_turn", 1}}) // one, then two each
	}
	near, err := s.firstMoves()
	if err != nil {
		return nil, err
	}
	if near != nil && !s.keeps(near[0].Path) {
		lists = append(lists, near)
	}
	return s.made(lists)
}

// keeps reports whether a knob must stay.
func (s *search) keeps(path string) bool {
	return slices.ContainsFunc(s.Keep, func(k string) bool { return path == k || strings.HasPrefix(path, k+".") })
}

// made makes remedies of changes, and solves them.
func (s *search) made(lists [][]Change) (out []*Remedy, err error) {
	kept, dropped := Propose(s.base, lists)
	s.out.Dropped = append(s.out.Dropped, dropped...)
	uses := s.base.Game.Mechanics()
	for _, v := range kept {
		x := &Remedy{Rules: v.Label, variant: v, Verdict: "unplayed"}
		for _, c := range v.Changes {
			x.Changes = append(x.Changes, c.Path+"="+c.Text())
		}
		was, still := 0, 0
		for m := range uses.Each() {
			was++
			if v.Game.Mechanics().Has(m) {
				still++
			}
		}
		x.Kept = float64(still) / float64(max(1, was))
		if v.Game.Rules().Turn.Pie.On() && len(s.even) > 0 {
			x.Opening = s.even[0]
		}
		s.o.Stage("solving " + v.Label)
		if err := s.solve(x); err != nil {
			return nil, err
		}
		if s.out.Base.Better(x.Solved) {
			x.Verdict, x.Why = "worse", "with best play "+x.Brief()
		}
		out = append(out, x)
	}
	return out, nil
}

// solve finds the exact value, unless the search is blind.
func (s *search) solve(x *Remedy) error {
	if s.Blind {
		return nil
	}
	const memory = exactMemory / 4
	e, err := campaign.ExactOf(s.ctx, x.variant.Game, memory, positions(memory), s.o.Workers)
	x.Solved = solved(e)
	return err
}

// firstMoves values first moves of the base, up to symmetry, by games at the strongest tier. It returns the change that
// allows only those near even; nil if that is none.
func (s *search) firstMoves() ([]Change, error) {
	moves := campaign.FirstMoves(s.base.Game)
	for len(moves) > remedyOpens { // every second one, evenly over the board
		var half []string
		for i := 0; i < len(moves); i += 2 {
			half = append(half, moves[i])
		}
		moves = half
	}
	if len(moves) < 2 || s.base.Game.Rules().Turn.Pie.On() {
		return nil, nil
	}
	games := min(60, max(10, int(0.1*s.Work/(float64(len(moves))*math.Max(4, s.out.Base.Length)*float64(s.sims)))))
	type valued struct {
		move  string
		score ratings.Estimate
	}
	var vs []valued
	var parts []*arena.Tournament
	for i, m := range moves {
		x := &Remedy{variant: s.out.Base.variant, Opening: m}
		parts = append(parts, s.part(x, "first-move "+m, purposeRound, games, roundPart+100+i, s.strong(), nil))
	}
	s.o.Stage("valuing first moves")
	if _, err := s.play(parts); err != nil {
		return nil, err
	}
	for i, m := range moves {
		x, err := s.count(parts[i].Name)
		if err != nil {
			return nil, err
		}
		x.tally(Remedy{}, 0.95)
		vs = append(vs, valued{m, x.Score})
	}
	slices.SortStableFunc(vs, func(a, b valued) int { return cmp.Compare(off(a.score), off(b.score)) })
	for _, v := range vs {
		s.even = append(s.even, v.move)
		if off(v.score) <= 0.1 {
			s.out.Even = append(s.out.Even, v.move)
		}
	}
	var cells []string
	g := s.base.Game
	for _, m := range s.out.Even {
		c, ok := g.Grid().CellNamed(m)
		if !ok {
			return nil, nil
		}
		for _, p := range g.Symmetries() {
			if name := g.Grid().NameOf(p[c]); !slices.Contains(cells, name) {
				cells = append(cells, name)
			}
		}
	}
	if r := g.Rules(); len(cells) == 0 || len(cells) == g.Cells() || len(r.Placement.Opening) > 0 || len(r.Setup) > 0 || r.Placement.Gravity {
		return nil, nil
	}
	slices.Sort(cells)
	return []Change{{"placement.opening", []any{map[string]any{"plies": 1, "region": "cells", "cells": cells}}}}, nil
}

// round plays some more games of each candidate, on seeds of the round, and counts them.
func (s *search) round(number int, xs []*Remedy, games int) error {
	var parts []*arena.Tournament
	stop := &arena.EarlyStop{
		Score: []float64{max(0.01, s.band.Lo-0.1), s.band.Lo, s.band.Hi, min(0.99, s.band.Hi+0.1)}, Least: 10,
		Level: 1 - 0.05/float64(max(1, 4*len(xs))),
	}
	for _, x := range xs {
		parts = append(parts, s.part(x, fmt.Sprintf("round-%d", number), purposeRound, games, roundPart+number, s.strong(), stop))
	}
	s.o.Stage(fmt.Sprintf("round %d: %d candidates", number, len(xs)))
	if _, err := s.play(parts); err != nil {
		return err
	}
	for i, x := range xs {
		n, err := s.count(parts[i].Name)
		if err != nil {
			return err
		}
		x.tally(n, stop.Level)
	}
	return nil
}

// choose plays candidates in rounds that the better half survives, confirms the last, and returns the remedies.
func (s *search) choose(all []*Remedy, prefix string) (good []*Remedy, err error) {
	left := slices.DeleteFunc(slices.Clone(all), func(x *Remedy) bool { return x.Verdict == "worse" })
	first := 1
	if prefix != "" {
		first = 11
	}
	plies := math.Max(4, s.out.Base.Length)
	for number, games := first, 0; len(left) > 0; number++ {
		if games = 10; number > first { // the first games show which candidates never end
			games = min(160, max(16, int(0.05*s.Work/(float64(len(left))*plies*float64(s.sims)))))
		}
		if err := s.round(number, left, games); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(x *Remedy) bool {
			_, hi := x.Completion.Ends()
			least, _ := surelyOff(x.Score)
			_, most := surelyOff(s.out.Base.Score)
			switch {
			case hi < leastEnd:
				x.Verdict, x.Why = "endless", "fewer than 90 % of the games end"
			case least > 0.1 && least >= most-0.02 || least > 0.25:
				x.Verdict, x.Why = "unfair", "the first player scores "+x.Score.String()
			default:
				return false
			}
			return true
		})
		slices.SortStableFunc(left, func(a, b *Remedy) int { return cmp.Compare(a.promise(), b.promise()) })
		if len(left) <= s.final && number > first {
			break
		} else if number == first {
			continue
		}
		for _, x := range left[max(s.final, (len(left)+1)/2):] {
			x.Verdict, x.Why = "unfair", "further from even than others"
		}
		left = left[:max(s.final, (len(left)+1)/2)]
	}
	return s.confirm(left, prefix)
}

// promise orders candidates: an exact draw is as good as two points of the score.
func (x *Remedy) promise() float64 {
	v := off(x.Score) + math.Max(0, leastEnd-x.Completion.Value) + 0.05*(1-x.Kept)
	if x.Winner == "draw" {
		v -= 0.02
	}
	return v
}

// confirm measures finalists again on fresh seeds, judges them and returns the remedies.
func (s *search) confirm(left []*Remedy, prefix string) (good []*Remedy, err error) {
	base := &s.out.Base
	if len(left) == 0 {
		return nil, nil
	}
	all := append([]*Remedy{base}, left...)
	level := 1 - 0.05/float64(s.final)
	stop := func(width float64) *arena.EarlyStop {
		return &arena.EarlyStop{Score: []float64{s.band.Lo - width, s.band.Hi + width}, Least: 30, Level: level}
	}
	var parts []*arena.Tournament
	add := func(x *Remedy) {
		most := s.most
		if x == base {
			most = min(most, 200)
		}
		parts = append(parts, s.part(x, prefix+"fresh", purposeFresh, most, freshPart, s.strong(), stop(0)),
			s.part(x, prefix+"fresh-slips", purposeFresh, most, freshPart+1, s.slips(), stop(slipBand-0.05)),
			s.part(x, prefix+"fresh-weak", purposeFresh, min(most, 200), freshPart+2, s.weak(), stop(0)))
		t := campaign.Part(x.variant.Rules, "remedy/"+prefix+"fresh-depth", purposeFreshLadder, "ladder", 20,
			openings.Options{Plies: campaign.OpeningPlies}, []agents.Spec{s.weak(), s.strong()})
		t.Seed = campaign.PartSeed(s.Seed, freshPart+3)
		parts = append(parts, t)
	}
	for _, x := range all {
		add(x)
	}
	s.o.Stage("confirming on fresh seeds")
	if _, err := s.play(parts); err != nil {
		return nil, err
	}
	for i, x := range all {
		if x == base && x.Depth.Known() {
			continue // confirmed before
		}
		var counts [3]Remedy
		for j := range counts {
			n, err := s.count(parts[4*i+j].Name)
			if err != nil {
				return nil, err
			}
			counts[j].tally(n, level)
		}
		old := *x
		*x = Remedy{
			Rules: old.Rules, Changes: old.Changes, Solved: old.Solved, Kept: old.Kept, Opening: old.Opening, variant: old.variant,
			Weak: counts[2].Score, Slips: counts[1].Score, Verdict: old.Verdict,
		}
		x.tally(counts[0], level)
		if err := s.besides(x, parts[4*i].Name, parts[4*i+3].Name); err != nil {
			return nil, err
		}
	}
	for _, x := range left {
		if err := s.judge(x); err != nil {
			return nil, err
		}
		if x.Verdict == "fair" || x.Verdict == "nearer" {
			good = append(good, x)
		}
	}
	return good, nil
}

// besides measures mechanics and depth, and predicts games of people.
func (s *search) besides(x *Remedy, fresh, depth string) error {
	m, err := s.o.Measure(s.ctx, s.db, x.Rules, func(e study.Event) bool { return e.Name == fresh || e.Name == depth }, s.o.Workers)
	if err != nil {
		return fmt.Errorf("measuring %s: %w", x.Rules, err)
	}
	x.Alive, x.Depth = m.ByAgent[s.strong().Name]["alive"], m.Depth
	if !x.Depth.Known() {
		x.Depth = ratings.Estimate{Value: 0, N: 1} // measured: none
	}
	spec, err := agents.LoadSpec("person-practised")
	if err != nil {
		return err
	}
	f, err := predict.Game(s.ctx, x.variant.Game, spec, max(20, int(200/s.longer(x))), s.Seed)
	x.People, x.PeopleDraw = (f.Payoff+1)/2, f.Draw
	return err
}

// both returns pairs of the changes nearest to even that change different knobs.
func (s *search) both(all []*Remedy) ([]*Remedy, error) {
	near := slices.DeleteFunc(slices.Clone(all), func(x *Remedy) bool { return x.Games == 0 || x.Verdict != "unfair" || len(x.Changes) > 1 })
	slices.SortStableFunc(near, func(a, b *Remedy) int { return cmp.Compare(off(a.Score), off(b.Score)) })
	var lists [][]Change
	for i, x := range near[:min(5, len(near))] {
		for _, y := range near[:i] {
			if a, b := x.variant.Changes[0], y.variant.Changes[0]; a.Path != b.Path {
				lists = append(lists, []Change{b, a})
			}
		}
	}
	return s.made(lists)
}
