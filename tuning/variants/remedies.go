package variants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/openings"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines/rules"
	"spar/ratings"
	"spar/tuning/target"
)

// fairBand is the band of the first player's score in which a game counts as fair.
var fairBand = target.Target{
	Measure: "score",
	Lo:      0.45,
	Hi:      0.55,
	Text:    "score in [0.45, 0.55]",
}

// Limits of a search for remedies. The thresholds were tuned on games whose truth is known: reports/research/remedies.md.
const (
	remedyWork    = 60 // seconds of a core, roughly: see simTime
	remedyOpens   = 12 // first moves that are valued
	mostFinal     = 6  // candidates that play again on fresh seeds at a time, if there is work for so many
	leastFinal    = 3
	enough        = 0.8  // share of the work after which no more candidates are confirmed
	hopeful       = 0.15 // a candidate further from even than this does not play again
	leastEnd      = 0.9  // a remedy ends at least this share of its games
	leastFinished = 0.5  // rules are fair only if at least this share of their games reaches a goal
	mostDrawn     = 0.5  // a remedy that raises the draws beyond this share is none
	nodesPer      = campaign.NodesPer
	smallGames    = 1000      // games of the strongest tier that the work pays for on a small board, or it gets weaker
	either        = " | "     // separates openings of which one is drawn
	longest       = 200       // plies of a game that is not played further
	tooLong       = 30        // as many times the work of a game of the base is too much
	mostGames     = 3000      // games of a finalist
	mostPairs     = 20        // pairs of changes
	slipBand      = 0.07      // how far from even the agents that err may score, with the whole interval
	trendBand     = 0.15      // how far from even the weaker agents surely score at most
	peopleMargin  = 0.1       // how much further from even than the base's the predicted score of people may be
	forcedNodes   = 1_000_000 // positions of the proof of a forced win
)

// Remedies describes a search for a change that makes rules fair.
type Remedies struct {
	Targets []string // score or fpa replace the band of 45 to 55 %; others apply in addition
	Keep    []string // knobs that no remedy changes
	Blind   bool     // no table and no proof
	// for another one than Unfair a remedy keeps the score as even as it is; if empty, Endless if few games of the base
	// reach a goal, Drawish if only draws miss a target, else Unfair
	Problem Problem
	Seed    int64
	Work    float64 // about as many seconds of a core, counted in simulations; 0 = the default
}

// Remedy is a changed game with its measurements. Its JSON form is public.
type Remedy struct {
	Rules   string   `json:"rules" help:"name in the study"`
	Changes []string `json:"changes" help:"changed knobs, written as for --set"`
	Words   []string `json:"words" help:"the changes in words"`
	Verdict string   `json:"verdict" help:"fair, nearer, better (of another problem), drawn (fair, but too many draws to be a remedy), unfair, undecided (too few games), endless, worse, left (not tried further) or unplayed"`
	Why     string   `json:"why,omitempty" help:"why it is no remedy"`
	Solved
	Score      ratings.Estimate `json:"score" help:"first player's score at the strongest tier; in the three shown, on fresh seeds with joint confidence"`
	Weak       ratings.Estimate `json:"weak" help:"the same with a quarter of the search"`
	Slips      ratings.Estimate `json:"slips" help:"the same with 10 % random moves"`
	SlipDraws  ratings.Estimate `json:"slip_draws" help:"share of these games that are drawn"`
	Draws      ratings.Estimate `json:"draws" help:"share of games drawn before the ply limit; on boards of at most 16 cells, of those with 10 % random moves"`
	Completion ratings.Estimate `json:"completion" help:"share of games that end before the ply limit"`
	Alive      ratings.Estimate `json:"alive" help:"share of games with the rarest mechanic"`
	Finished   ratings.Estimate `json:"finished" help:"share of the games that draws counts that reach a goal, fill the board or leave a player without a move; the others are repeated, quiet or stopped at the ply limit"`
	Length     float64          `json:"length" help:"mean plies of the games that draws counts"`
	Depth      ratings.Estimate `json:"depth" help:"score of the strongest tier against that with a quarter of the search"`
	People     float64          `json:"people_score,omitempty" help:"first player's score predicted for experienced players; absent if not predicted"`
	PeopleDraw float64          `json:"people_draws,omitempty" help:"share of draws predicted for experienced players; absent if 0 or not predicted"`
	Kept       float64          `json:"kept" help:"share of the base's mechanics that are still at work"`
	Opening    string           `json:"opening,omitempty" help:"with a pie rule: the first move nearest to even, with which the games begin, and the swap if the first player is ahead then; without changes: the first moves of which each game draws one"`
	Costs      []string         `json:"costs,omitempty" help:"what it makes worse"`
	Games      int64            `json:"games" help:"games at the strongest tier"`

	variant      Variant
	strong, slip counted // games of the strongest tier, and of agents that err
	loss         float64
}

// RemedyResult is the result of a search for remedies. Its JSON form is public.
type RemedyResult struct {
	Name    string    `json:"rules" help:"rules to mend"`
	Problem Problem   `json:"problem" help:"what the changes shall mend: unfair, endless or drawish"`
	DB      string    `json:"db" help:"file of the study"`
	Agent   string    `json:"agent" help:"strongest tier"`
	Erring  bool      `json:"erring,omitempty" help:"draws and length are those with 10 % random moves"`
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
	near  bool    // the tiers are alpha-beta, which plays almost perfectly on so small a board
	sims  int64   // of the strongest tier
	cost  float64 // simulations of a game of the strongest tier, estimated
	most  int     // games of a confirmation
	final int     // finalists that are confirmed together
	group int     // groups of finalists so far
	spent float64 // simulations of all counted games
	out   *RemedyResult
	even  []string // first moves, the nearest to even first
	first float64  // the first player's score after that move
}

// FindRemedies searches for changes that make the rules fair. It stores every game in a study, and continues an
// interrupted search.
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
		s.runner = &runner{
			Sweep: &Sweep{Plan: Plan{Name: base.Label, Seed: ask.Seed}},
			ctx:   ctx,
			hard:  hard,
			db:    db,
			o:     o,
		}
		s.out = &RemedyResult{
			Name:   base.Label,
			DB:     db.Path(),
			Blind:  ask.Blind,
			Erring: s.near,
		}
		if err = s.find(); err == nil {
			s.out.Games = s.games
			return s.out, nil
		}
		if !errors.Is(err, errAgain) {
			return nil, arena.Stopped(ctx, err, arena.StoppedError{Total: s.before + s.played, Before: s.before, Played: s.played})
		}
	}
}

// Check returns an error for targets that no rules can meet, for unknown knobs, and for a budget that is too small for
// any result.
func (a Remedies) Check(base campaign.Rules) error {
	for _, k := range a.Keep {
		known := func(path string) bool { return path == k || strings.HasPrefix(path, k+".") }
		if !slices.ContainsFunc(rules.KnobPaths(), known) {
			return fmt.Errorf("--keep: the rules have no knob %q%s", k, strict.Suggest(k, rules.KnobPaths()))
		}
	}
	_, err := a.search(base)
	return err
}

// search plans the search.
func (a Remedies) search(base campaign.Rules) (*search, error) {
	given := cmp.Or(a.Work, remedyWork)
	a.Work = given / simTime(base.Game)
	s := &search{Remedies: a, base: base}
	var err error
	if s.band, s.goals, err = a.targets(); err == nil {
		err = s.size(given)
	}
	return s, err
}

func (s *search) strong() agents.Spec { return s.tier(s.sims) }

func (s *search) weak() agents.Spec { return s.tier(s.sims / 4) }

// tier returns the agent that takes about as long for a move as the given number of simulations: a tier of the base.
func (s *search) tier(sims int64) agents.Spec {
	return campaign.Tiers([]int64{sims}, s.base.Game)[1]
}

// slips returns the strongest tier that errs.
func (s *search) slips() agents.Spec { return agents.Erring(s.strong()) }

// longer returns by how much the games of a candidate take longer than those of the base, at least 1: it gets fewer.
func (s *search) longer(x *Remedy) float64 {
	if n := x.strong.games() + x.slip.games(); s.near && n > 0 {
		return math.Max(1, float64(x.strong.nodes+x.slip.nodes)/nodesPer/float64(n)/s.cost)
	}
	if was := s.out.Base.Length; x.Length > 0 && was > 0 {
		return math.Max(1, x.Length/was)
	}
	return math.Max(1, campaign.RandomLength(x.variant.Game)/campaign.RandomLength(s.base.Game))
}

// event names games; those of the base from openings that are drawn are not those of the base.
func (x *Remedy) event(name string) string {
	if len(x.Changes) == 0 && x.Opening != "" && x.Verdict != "" {
		return "remedy/drawn-" + name
	}
	return "remedy/" + name
}

// part returns games of an agent against itself.
func (s *search) part(x *Remedy, name, purpose string, games, seed int,
	a agents.Spec, early *arena.EarlyStop,
) *arena.Tournament {
	games = min(mostGames, max(min(games, 10), int(float64(games)/s.longer(x))))
	t := s.self(x.variant, x.event(name), purpose, games, []agents.Spec{a}, seed)
	if x.Opening != "" {
		t.Openings.Lines = strings.Split(x.Opening, either)
	}
	if early != nil && pairs(games) > early.Least {
		t.Stop.EarlyStop = early
	}
	return t
}

// count plays parts and returns their counted games.
func (s *search) count(stage string, parts []*arena.Tournament) (out []counted, err error) {
	s.o.Stage(stage)
	all, err := s.play(parts)
	for _, t := range parts {
		c := all[t.Name]
		if out = append(out, c); s.near {
			s.spent += float64(c.nodes) / nodesPer
		} else {
			s.spent += float64(c.plies * t.Players[0].Budget.Iterations)
		}
	}
	return out, err
}

func (s *search) find() error {
	base := &s.out.Base
	*base = Remedy{
		Rules:   s.base.Label,
		variant: Variant{Rules: s.base, Base: true},
		Kept:    1,
		Verdict: "base",
	}
	if err := s.solve(base); err != nil {
		return err
	}
	for number := 0; ; number += 30 {
		was := s.spent
		if err := s.round(number, []*Remedy{base}, 80, s.near); err != nil {
			return err
		}
		s.cost = (s.spent - was) / float64(max(1, base.strong.games()+base.slip.games()))
		if !s.near || s.sims <= 200 || s.cost*smallGames < s.Work {
			break
		}
		s.sims /= 2 // the search does not end the games of this board so soon
		base.strong, base.slip = counted{}, counted{}
	}
	s.out.Agent = s.strong().Name
	if s.Problem == "" {
		switch s.Problem = Unfair; {
		case aimless(base.Finished):
			s.Problem = Endless
		case s.missed(base).Measure == "draws" && s.band.Judge(base.Score) != target.Missed:
			s.Problem = Drawish
		}
	}
	s.out.Problem = s.Problem
	if s.already() {
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
	if len(good) == 0 && s.Problem == Unfair && s.spent < 0.6*s.Work { // two changes together
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
	slices.SortStableFunc(good, func(a, b *Remedy) int {
		return cmp.Or(s.dull(a)-s.dull(b), cmp.Compare(a.loss, b.loss))
	})
	for i, x := range good {
		if s.out.Fair += one(x.Verdict == "fair"); i < 3 {
			s.out.Best = append(s.out.Best, *x)
		}
	}
	slices.SortStableFunc(all, func(a, b *Remedy) int { return cmp.Compare(off(a.Score), off(b.Score)) })
	for _, x := range all {
		if !slices.Contains(good[:len(s.out.Best)], x) {
			s.out.Others = append(s.out.Others, *x)
		}
	}
	if len(s.out.Best) > 0 || !s.already() {
		s.out.Text = s.text()
	}
	return nil
}

// already reports whether the rules themselves are fair, and says so.
func (s *search) already() bool {
	base := &s.out.Base
	if s.Problem != Unfair || len(s.goals) > 0 || !s.drawn(base) {
		return false
	}
	base.Verdict = "fair"
	s.out.Text = "the rules are fair already: a draw with best play, and the first player scores " + said(base.Score) + s.out.in(base)
	if base.Draws.Value > mostDrawn {
		s.out.Text += "; " + said(base.Draws) + " of the games" + s.out.of() + " are drawn"
	}
	return true
}

// candidates returns the single changes that break nothing. Those that exact values or the first moves rule out are
// judged already.
func (s *search) candidates() ([]*Remedy, error) {
	r := s.base.Game.Rules()
	var lists [][]Change
	for _, c := range candidates(r, s.Problem) {
		if !s.keeps(c.Path) {
			lists = append(lists, []Change{c})
		}
	}
	if s.Problem != Unfair {
		return s.made(lists)
	}
	if r.Turn.Placements == 1 && !s.keeps("turn.placements") && len(r.Setup) == 0 {
		lists = append(lists, []Change{{"turn.placements", 2}, {"turn.first_turn", 1}}) // one, then two each
	}
	near, err := s.firstMoves()
	if err != nil {
		return nil, err
	}
	out, err := s.made(append(lists, near...))
	if len(near) == 0 && len(s.out.Even) > 1 { // what no region can say
		out = append(out, &Remedy{
			Rules: s.base.Label, Kept: 1, Verdict: "unplayed",
			variant: s.out.Base.variant, Opening: strings.Join(s.out.Even, either),
			Words: []string{"a first move drawn at random from " + strings.Join(s.out.Even, ", ")},
		})
	}
	return out, err
}

// keeps reports whether a knob must stay.
func (s *search) keeps(path string) bool {
	return slices.ContainsFunc(s.Keep, func(k string) bool {
		return path == k || strings.HasPrefix(path, k+".")
	})
}

// made makes remedies of changes, and solves them.
func (s *search) made(lists [][]Change) (out []*Remedy, err error) {
	kept, dropped := Propose(s.base, lists)
	s.out.Dropped = append(s.out.Dropped, dropped...)
	uses := s.base.Game.Mechanics()
	for _, v := range kept {
		x := &Remedy{Rules: v.Label, variant: v, Verdict: "unplayed"}
		for _, c := range v.Changes {
			x.Changes, x.Words = append(x.Changes, c.Path+"="+c.Text()), append(x.Words, c.Words(s.base.Game.Rules()))
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
			// so early weak agents swap by chance, and the game looks even: the games after the first move decide
			if _, err := openings.Read(v.Game, x.Opening+" swap"); err == nil && !s.near && s.first > 0.5 {
				x.Opening += " swap"
			} else if !s.near && s.first < s.band.Lo {
				s.out.Dropped = append(s.out.Dropped, Skipped{v.Label, "the second player is ahead after each first move"})
				continue
			}
		}
		s.o.Stage("solving: " + strings.Join(x.Words, ", "))
		if err := s.solve(x); err != nil {
			return nil, err
		}
		if s.out.Base.Better(x.Solved) {
			x.Verdict, x.Why = "worse", "with best play "+x.Brief()
		} else if long, err := s.waits(x); err != nil {
			return nil, err
		} else if long {
			x.Verdict, x.Why = "endless", fmt.Sprintf("agents play on for more than %d plies", longest)
		}
		out = append(out, x)
	}
	return out, nil
}

// waits reports whether a game of weak agents is very long. Its candidate is not played: a few such games take all work.
func (s *search) waits(x *Remedy) (bool, error) {
	spec := s.weak()
	a, err := agents.NewContext(s.ctx, spec, x.variant.Game)
	if err != nil {
		return false, err
	}
	a.NewGame(agents.Seed{1, 2})
	rng, p := rand.New(rand.NewPCG(1, 2)), x.variant.Game.NewPosition()
	for !p.Over() && p.Ply() <= longest {
		d, err := a.Choose(s.ctx, p, spec.Budget, rng)
		if err != nil {
			return false, err
		}
		p.Play(d.Move)
	}
	return !p.Over() && s.out.Base.Length < longest/2, nil
}

// solve finds the exact value, unless the search is blind.
func (s *search) solve(x *Remedy) error {
	if s.Blind {
		return nil
	}
	memory := int64(exactMemory) // as in a balance study
	if base := &s.out.Base; x != base && base.Winner == "" {
		memory /= 4 // a change is as hard to solve
	} else if x != base {
		memory += memory / 2
	}
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
	games := min(60, max(10, int(0.1*s.Work/(float64(len(moves))*s.cost))))
	if s.near { // almost the same game each time
		games = 10
	}
	var parts []*arena.Tournament
	for i, m := range moves {
		x := &Remedy{variant: s.out.Base.variant, Opening: m}
		parts = append(parts, s.part(x, "first-move "+m, campaign.PurposeRound, games, roundPart+100+i, s.strong(), nil))
	}
	counts, err := s.count("evaluating first moves", parts)
	if err != nil {
		return nil, err
	}
	off := func(m string) float64 { return off(counts[slices.Index(moves, m)].score(0.95)) }
	s.even = slices.Clone(moves)
	slices.SortStableFunc(s.even, func(a, b string) int { return cmp.Compare(off(a), off(b)) })
	s.first = counts[slices.Index(moves, s.even[0])].score(0.95).Value
	s.out.Even = slices.DeleteFunc(slices.Clone(s.even), func(m string) bool { return off(m) > 0.1 })
	if r := g.Rules(); len(r.Placement.Opening) > 0 || len(r.Setup) > 0 ||
		r.Placement.Gravity || s.keeps("placement.opening") {
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
			out = append(out, []Change{
				{"placement.opening", []any{map[string]any{"plies": 1, "region": "cells", "cells": cells}}},
			})
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

// both returns pairs of changes of different knobs, those first whose effects, which add up as odds do, make the game
// even.
func (s *search) both(all []*Remedy) ([]*Remedy, error) {
	type pair struct {
		changes []Change
		off     float64
	}
	logit := func(x *Remedy) float64 {
		e := x.Slips
		if !e.Known() {
			e = x.Score
		}
		v := min(max(e.Value, 0.02), 0.98)
		return math.Log(v / (1 - v))
	}
	var pairs []pair
	for i, x := range all {
		for _, y := range all[:i] {
			if x.Games == 0 || y.Games == 0 || x.Verdict == "endless" || y.Verdict == "endless" ||
				len(x.Changes) != 1 || len(y.Changes) != 1 ||
				x.variant.Changes[0].Path == y.variant.Changes[0].Path {
				continue
			}
			v := logit(x) + logit(y) - logit(&s.out.Base)
			pairs = append(pairs, pair{[]Change{y.variant.Changes[0], x.variant.Changes[0]}, math.Abs(v)})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.off, b.off) })
	var lists [][]Change
	for _, p := range pairs[:min(mostPairs, len(pairs))] {
		lists = append(lists, p.changes)
	}
	return s.made(lists)
}
