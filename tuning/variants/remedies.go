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
	remedyWork   = 60 // seconds of a core, roughly: see simTime
	remedyOpens  = 12 // first moves that are valued
	mostFinal    = 6  // candidates that play again on fresh seeds at a time, if there is work for so many
	leastFinal   = 3
	hopeful      = 0.15      // a candidate further from even than this does not play again
	leastEnd     = 0.9       // a remedy ends at least this share of its games
	mostDrawn    = 0.5       // a remedy that raises the draws of agents that err beyond this share is none
	slip         = 0.1       // share of random moves of the agent that errs
	slipBand     = 0.07      // how far from even the agents that err may score, with the whole interval
	trendBand    = 0.15      // how far from even the weaker agents surely score at most
	peopleMargin = 0.1       // how much further from even than the base's the predicted score of people may be
	forcedNodes  = 1_000_000 // positions of the proof of a forced win
)

// Remedies asks for a change that makes rules fair.
type Remedies struct {
	Targets []string // score or fpa replace the band of 45 to 55 %; others hold besides
	Keep    []string // knobs that no remedy changes
	Blind   bool     // no table and no proof
	Problem Problem  // Unfair if empty; for another one a remedy keeps the score as even as it is
	Seed    int64
	Work    float64 // about as many seconds of a core, counted in simulations; 0 = the default
}

// Remedy is a changed game with its measurements. Its JSON form is public.
type Remedy struct {
	Rules   string   `json:"rules" help:"name in the study"`
	Changes []string `json:"changes" help:"changed knobs, written as for --set"`
	Words   []string `json:"words" help:"the changes in words"`
	Verdict string   `json:"verdict" help:"fair, nearer, better (of another problem), drawn (fair, but too many draws to be a remedy), unfair, endless, worse or unplayed"`
	Why     string   `json:"why,omitempty" help:"why it is no remedy"`
	Solved
	Score      ratings.Estimate `json:"score" help:"first player's score at the strongest tier; in the three shown, on fresh seeds with joint confidence"`
	Weak       ratings.Estimate `json:"weak" help:"the same with a quarter of the simulations"`
	Slips      ratings.Estimate `json:"slips" help:"the same if each agent errs: one move of ten is random"`
	SlipDraws  ratings.Estimate `json:"slip_draws" help:"share of these games that are drawn"`
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

	variant      Variant
	strong, slip counted // games of the strongest tier, and of agents that err
	loss         float64
}

// RemedyResult is the answer. Its JSON form is public.
type RemedyResult struct {
	Name    string    `json:"rules" help:"rules to mend"`
	Problem Problem   `json:"problem" help:"what the changes shall mend: unfair, endless or drawish"`
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
	sims  int64   // of the strongest tier
	most  int     // games of a confirmation
	final int     // finalists that are confirmed together
	group int     // groups of finalists so far
	spent float64 // simulations of all counted games
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
		s.out = &RemedyResult{Name: base.Label, DB: db.Path(), Blind: ask.Blind, Problem: s.Problem}
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
	a.Work, a.Problem = given/simTime(base.Game), cmp.Or(a.Problem, Unfair)
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

// count plays parts and returns their counted games.
func (s *search) count(stage string, parts []*arena.Tournament) ([]counted, error) {
	s.o.Stage(stage)
	if _, err := s.play(parts); err != nil {
		return nil, err
	}
	events, err := s.db.Events(s.ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	for _, e := range events {
		ids[e.Name] = e.ID
	}
	out := make([]counted, len(parts))
	for i, t := range parts {
		c := &out[i]
		for g, err := range s.db.Finished(s.ctx, ids[t.Name]) {
			if err != nil {
				return nil, err
			}
			if g.Marks&(evidence.Surplus|evidence.Pending) != 0 || evidence.IsForfeit(g.Reason) {
				continue
			}
			c.points[map[string]int{"second": 0, "draw": 1, "first": 2}[g.Result]]++
			c.plies += int64(g.Plies)
			switch {
			case evidence.Capped(g.Reason):
				c.capped++
			case g.Result == "draw":
				c.drawn++
			}
		}
		s.spent += float64(c.plies * t.Players[0].Budget.Iterations)
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
	if err := s.round(0, []*Remedy{base}, 80, false); err != nil {
		return err
	}
	if s.Problem == Unfair && len(s.goals) == 0 && base.Winner == "draw" && base.Score.Value >= s.band.Lo && base.Score.Value <= s.band.Hi {
		base.Verdict = "fair"
		s.out.Text = "the rules are fair already: a draw with best play, and the first player scores " + said(base.Score)
		return nil
	}
	all, err := s.candidates()
	if err != nil {
		return err
	}
	good, err := s.choose(all, "")
	if err != nil {
		return err
	}
	if len(good) == 0 && s.Problem == Unfair { // two changes together
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
	proposals := slices.DeleteFunc(candidates(s.base.Game.Rules(), s.Problem), func(c Change) bool { return s.keeps(c.Path) })
	var lists [][]Change
	for _, c := range proposals {
		lists = append(lists, []Change{c})
	}
	if s.Problem != Unfair {
		return s.made(lists)
	}
	if r := s.base.Game.Rules(); r.Turn.Placements == 1 && !s.keeps("turn.placements") && len(r.Setup) == 0 {
		lists = append(lists, []Change{{"turn.placements", 2}, {"turn.first_turn", 1}}) // one, then two each
	}
	near, err := s.firstMoves()
	if err != nil {
		return nil, err
	}
	return s.made(append(lists, near...))
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
			x.Changes, x.Words = append(x.Changes, c.Path+"="+c.Text()), append(x.Words, c.words(s.base.Game.Rules()))
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

// firstMoves values first moves of the base, up to symmetry, by games at the strongest tier. It returns the changes that
// allow only those near even, or one of them.
func (s *search) firstMoves() (out [][]Change, err error) {
	g := s.base.Game
	moves := spread(campaign.FirstMoves(g), remedyOpens)
	if len(moves) < 2 || g.Rules().Turn.Pie.On() {
		return nil, nil
	}
	games := min(60, max(10, int(0.1*s.Work/(float64(len(moves))*math.Max(4, s.out.Base.Length)*float64(s.sims)))))
	var parts []*arena.Tournament
	for i, m := range moves {
		x := &Remedy{variant: s.out.Base.variant, Opening: m}
		parts = append(parts, s.part(x, "first-move "+m, purposeRound, games, roundPart+100+i, s.strong(), nil))
	}
	counts, err := s.count("valuing first moves", parts)
	if err != nil {
		return nil, err
	}
	off := func(m string) float64 { return off(counts[slices.Index(moves, m)].score(0.95)) }
	s.even = slices.Clone(moves)
	slices.SortStableFunc(s.even, func(a, b string) int { return cmp.Compare(off(a), off(b)) })
	s.out.Even = slices.DeleteFunc(slices.Clone(s.even), func(m string) bool { return off(m) > 0.1 })
	if r := g.Rules(); len(r.Placement.Opening) > 0 || len(r.Setup) > 0 || r.Placement.Gravity || s.keeps("placement.opening") {
		return nil, nil
	}
	only := func(moves []string) {
		var cells []string
		for _, m := range moves {
			c, ok := g.Grid().CellNamed(m)
			if !ok {
				return
			}
			for _, p := range g.Symmetries() {
				if name := g.Grid().NameOf(p[c]); !slices.Contains(cells, name) {
					cells = append(cells, name)
				}
			}
		}
		if slices.Sort(cells); len(cells) > 0 && len(cells) < g.Cells() {
			out = append(out, []Change{{"placement.opening", []any{map[string]any{"plies": 1, "region": "cells", "cells": cells}}}})
		}
	}
	only(s.out.Even)
	if n := min(3, len(s.out.Even)); n > 1 {
		for i := range n {
			only(s.out.Even[i : i+1])
		}
	}
	return out, nil
}

// round plays some more games of each candidate, on seeds of the round; after the first, half of them by agents that err.
func (s *search) round(number int, xs []*Remedy, games int, err bool) error {
	stop := &arena.EarlyStop{
		Score: []float64{max(0.01, s.band.Lo-0.1), s.band.Lo, s.band.Hi, min(0.99, s.band.Hi+0.1)}, Least: 10,
		Level: 1 - 0.05/float64(max(1, 8*len(xs))),
	}
	var parts []*arena.Tournament
	for _, x := range xs {
		parts = append(parts, s.part(x, fmt.Sprintf("round-%d", number), purposeRound, games, roundPart+number, s.strong(), stop))
		if err {
			parts = append(parts, s.part(x, fmt.Sprintf("round-%d-slips", number), purposeRound, games, roundPart+number, s.slips(), stop))
		}
	}
	counts, e := s.count(fmt.Sprintf("round %d: %d candidates", number, len(xs)), parts)
	if e != nil {
		return e
	}
	for i, x := range xs {
		if each := len(parts) / len(xs); each == 2 {
			x.tally(counts[2*i], counts[2*i+1], stop.Level)
		} else {
			x.tally(counts[i], counted{}, stop.Level)
		}
	}
	return nil
}

// choose plays candidates in rounds that the better half survives, confirms the last, then the best of the others for
// which there is work, and returns the remedies.
func (s *search) choose(all []*Remedy, prefix string) (good []*Remedy, err error) {
	left := slices.DeleteFunc(slices.Clone(all), func(x *Remedy) bool { return x.Verdict == "worse" })
	first := 1
	if prefix != "" {
		first = 11
	}
	var others []*Remedy
	plies := math.Max(4, s.out.Base.Length)
	for number, games := first, 0; len(left) > 0; number++ {
		if games = 10; number > first { // the first games show which candidates never end
			games = min(100, max(16, int(0.03*s.Work/(float64(len(left))*plies*float64(s.sims)))))
		}
		if err := s.round(number, left, games, number > first); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(x *Remedy) bool {
			_, hi := x.Completion.Ends()
			least, _ := surelyOff(x.Score)
			_, most := surelyOff(s.out.Base.Score)
			err, _ := surelyOff(x.Slips)
			switch {
			case hi < leastEnd:
				x.Verdict, x.Why = "endless", "fewer than 90 % of the games end"
			case least > 0.1 && least >= most-0.02 || least > 0.25:
				x.Verdict, x.Why = "unfair", "the first player scores "+x.Score.String()
			case err > 0.1 && least > 0.02:
				x.Verdict, x.Why = "unfair", "agents that err: the first player scores "+x.Slips.String()
			default:
				return false
			}
			return true
		})
		slices.SortStableFunc(left, func(a, b *Remedy) int { return cmp.Compare(s.promise(a), s.promise(b)) })
		if len(left) <= s.final && number > first {
			break
		} else if number == first {
			continue
		}
		others = append(others, left[max(s.final, (len(left)+1)/2):]...)
		left = left[:max(s.final, (len(left)+1)/2)]
	}
	slices.SortStableFunc(others, func(a, b *Remedy) int { return cmp.Compare(s.promise(a), s.promise(b)) })
	for _, x := range others {
		x.Verdict, x.Why = "unfair", "further from even than others"
	}
	left = append(left, slices.DeleteFunc(others, func(x *Remedy) bool { return s.promise(x) > hopeful })...)
	for xs := range slices.Chunk(left, s.final) {
		some, err := s.confirm(xs, prefix)
		if good = append(good, some...); err != nil || s.spent > 0.7*s.Work {
			return good, err
		}
	}
	return good, nil
}

// promise orders candidates, the best first: an exact draw is as good as two points of the score.
func (s *search) promise(x *Remedy) float64 {
	switch s.Problem {
	case Endless:
		return 1 - x.Completion.Value + off(x.Score)/4
	case Drawish:
		return x.Draws.Value + off(x.Score)/4
	}
	v := off(x.Score) + math.Max(0, leastEnd-x.Completion.Value) + 0.05*(1-x.Kept)
	if x.Slips.Known() {
		v = v/2 + off(x.Slips)
	}
	if x.Winner == "draw" {
		v -= 0.02
	}
	if x.Opening != "" { // a pie rule is what people try first
		v -= 0.05
	}
	return v
}

// confirm measures finalists again on fresh seeds, judges them and returns the remedies.
func (s *search) confirm(left []*Remedy, prefix string) (good []*Remedy, err error) {
	base := &s.out.Base
	if len(left) == 0 {
		return nil, nil
	}
	all := left
	if !base.Depth.Known() {
		all = append([]*Remedy{base}, left...)
	}
	s.group++
	level := s.level(s.group)
	stop := func(width float64) *arena.EarlyStop {
		return &arena.EarlyStop{Score: []float64{s.band.Lo - width, s.band.Hi + width}, Least: 30, Level: level}
	}
	// the games of the base are known to be longer than random ones now
	room := int(1.6 * math.Max(0.4*s.Work, s.Work-s.spent) / (2.25 * float64(len(left)) * math.Max(4, base.Length) * float64(s.sims)))
	var parts []*arena.Tournament
	add := func(x *Remedy) {
		most := min(s.most, max(60, room))
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
	counts, err := s.count("confirming on fresh seeds", parts)
	if err != nil {
		return nil, err
	}
	for i, x := range all {
		old := *x
		*x = Remedy{
			Rules: old.Rules, Changes: old.Changes, Words: old.Words, Solved: old.Solved, Kept: old.Kept, Opening: old.Opening,
			variant: old.variant, Verdict: old.Verdict, Weak: counts[4*i+2].score(level),
		}
		x.tally(counts[4*i], counts[4*i+1], level)
		if err := s.besides(x, parts[4*i].Name, parts[4*i+3].Name); err != nil {
			return nil, err
		}
	}
	for _, x := range left {
		if err := s.judge(x); err != nil {
			return nil, err
		}
		if slices.Contains([]string{"fair", "nearer", "better"}, x.Verdict) {
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
