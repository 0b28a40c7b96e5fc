// Package campaign plays balance studies. For given rules it plans the games that a balance report needs, plays them
// as ordinary tournaments of one study, and resumes a study that was interrupted.
//
// # Terms
//
//   - Tier: an agent of a study; tiers are ordered from the weakest to the strongest.
//   - Part: games of one purpose, stored as an event of their own.
//   - Inquiry: games after the parts that ask who wins under these rules.
//
// # Flow of data
//
// A study of one set of rules has four kinds of parts. In "mirror" and "openings" every tier plays itself, from the
// true start and from random openings. In "ladder" neighbouring tiers play each other. "first-move" tries every first
// move up to symmetry. Budgets are counts, never times, and no game is adjudicated.
package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/arena"
	"spar/arena/openings"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/playout"
	"spar/engines/rules"
)

// Rules are the rules of a study.
type Rules struct {
	Ref   arena.GameRef
	Game  *engines.Game
	Label string // name of the rules in the study
}

// LoadRules compiles rules with overrides, like "pieces.cap=5". It returns an error for rules whose games may never
// end, because a study of them might not end.
func LoadRules(name string, set map[string]any) (Rules, error) {
	r := Rules{Ref: arena.GameRef{Rules: name, Set: set}}
	var err error
	if r.Game, err = arena.LoadGame(r.Ref); err != nil {
		return r, err
	}
	r.Label = arena.Label(r.Game, set)
	return r, arena.Ends(r.Game, r.Label)
}

// Request has the user's options for a study.
type Request struct {
	Effort  string  `json:"effort" flag:"effort=normal" one:"quick normal thorough" help:"how much to play: quick, normal or thorough"`
	Minutes float64 `json:"minutes,omitempty" flag:"minutes" range:"(0,100000]" help:"time for everything, all rules together"`
	Seed    int64   `json:"seed" flag:"seed=1"`
	Eval    string  `json:"eval,omitempty" flag:"eval" in:"Agents" help:"agent whose evaluation the tiers use; learned: learn one first; default: hand-made"`
	Tiers   Family  `json:"tiers,omitempty" flag:"tiers" in:"Agents" help:"the search of the tiers: mcts, minimax, or recommended, the one that measured strongest (default: mcts, on boards of at most 16 cells minimax)"`
	// NoInquiry means that the study omits the inquiry, which asks who wins under the rules.
	NoInquiry bool `json:"no_inquiry,omitempty"`
}

// Record is the stored plan of a study. Together with the rules it determines every game.
type Record struct {
	Version int           `json:"version"` // version of the format, 1
	Rules   arena.GameRef `json:"rules,omitzero"`
	Request Request       `json:"request"`
	Budgets []int64       `json:"budgets"`
	Sizes   Sizes         `json:"sizes"`
	Inquiry Inquiry       `json:"inquiry,omitzero"`
	// Sequential means that matches between tiers stop early when they are decided. The numbers of games are then upper
	// bounds.
	Sequential bool `json:"sequential,omitempty"`
	// Family means that the early stops of all variants of a study are jointly valid. Older studies lack it.
	Family bool `json:"family,omitempty"`
	// speed of random games in studies by builds up to c647bb30, kept because the text of a stored plan must not change
	Playouts float64 `json:"playouts_per_second,omitempty"`
}

// Campaign is the balance study of one set of rules.
type Campaign struct {
	Rules  Rules
	Record Record
	valued valued // evaluation of the tiers
}

// New plans a study with the numbers of games of the requested effort.
func New(rules Rules, r Request) (*Campaign, error) {
	e, ok := FindEffort(r.Effort)
	if !ok {
		return nil, strict.Unknown("effort", r.Effort, EffortNames())
	}
	if err := r.Tiers.Check(); err != nil {
		return nil, err
	}
	if r.Tiers == usual(rules.Game) {
		r.Tiers = "" // the same study, however it is asked for
	}
	valued, err := evaluation(r.Eval, rules.Game)
	if err != nil {
		return nil, err
	}
	record := Record{
		Version:    1,
		Rules:      rules.Ref,
		Request:    r,
		Budgets:    e.Budgets,
		Sizes:      e.Sizes,
		Sequential: true,
		Family:     true,
	}
	if !r.NoInquiry {
		record.Inquiry = e.Inquiry
		if playout.Races(rules.Game) {
			record.Inquiry.Work *= lineWork
		}
	}
	return &Campaign{Rules: rules, Record: record, valued: valued}, nil
}

// valued is the evaluation that tiers use: weights or a net.
type valued struct {
	params eval.Params
	net    agents.EvaluationOptions
}

// learned reports whether the evaluation is a net.
func (v *valued) learned() bool { return v.net.Net != nil }

// Learned reports whether the agents have a learned evaluation.
func (c *Campaign) Learned() bool { return c.valued.learned() }

// evaluation returns the evaluation of an agent, by the agent's name. An empty name means the hand-made
// evaluation.
func evaluation(agent string, g *engines.Game) (valued, error) {
	if agent == "" {
		return valued{params: agents.DefaultEval()}, nil
	}
	s, err := agents.LoadSpec(agent)
	if err != nil {
		return valued{}, err
	}
	if s = s.For(g); s.Evaluation.Net != nil {
		_, err = s.Evaluation.For(g)
	}
	return valued{s.Params, s.Evaluation}, err
}

// give sets an agent's evaluation for some rules. The agent keeps its own evaluation if its weights define one. A
// net that was learned for other rules is not used, for example when a study tries another value of a knob.
func (v *valued) give(s *agents.Spec, g *engines.Game) {
	if !v.learned() {
		s.Params = v.params
		return
	}
	if _, err := v.net.For(g); err == nil && !s.Mixture.IgnoresOpponent {
		s.Params, s.Evaluation = v.params, v.net
	}
}

// Parts returns the tournaments of the study in playing order.
func (c *Campaign) Parts() []*arena.Tournament {
	tiers, sizes := c.tiers(), c.Record.Sizes
	high := max(1, len(tiers)-2)
	lines, mirror := FirstMoves(c.Rules.Game), slices.Clone(tiers)
	if c.Record.Request.Tiers == "" && Small(c.Rules.Game) {
		mirror = append(mirror, agents.Erring(tiers[len(tiers)-1]))
	}
	parts := []*arena.Tournament{
		c.part("mirror", PurposeMirror, "mirror", pairsOf(sizes.Mirror), openings.Options{}, mirror),
		c.part("ladder", PurposeLadder, "ladder", pairsOf(sizes.Ladder), openings.Options{Plies: OpeningPlies}, tiers),
		c.part("openings", PurposeOpenings, "mirror", pairsOf(sizes.Openings), openings.Options{Plies: OpeningPlies}, tiers),
	}
	if len(lines) > 0 {
		each := min(max(1, pairsOf(sizes.FirstMove)/len(lines)), mostOfFirstMove)
		parts = append(parts, c.part("first-move", PurposeFirstMove, "mirror", each*len(lines), openings.Options{Lines: lines},
			tiers[high:high+1]))
	}
	if c.Record.Sequential {
		// The limits lie between the first-player scores that a report rates as good, middling and poor.
		parts[0].Stop.EarlyStop, parts[1].Stop.EarlyStop = c.clear(pairsOf(sizes.Mirror), []float64{0.4, 0.45, 0.55, 0.6}),
			c.clear(pairsOf(sizes.Ladder), []float64{0.5})
	}
	for i, t := range parts {
		t.Seed = PartSeed(c.Record.Request.Seed, i)
	}
	return parts
}

func (c *Campaign) tiers() []agents.Spec {
	budgets := slices.Clone(c.Record.Budgets)
	if c.Record.Request.Tiers == "" && Small(c.Rules.Game) {
		top, most := budgets[len(budgets)-1], int64(mostNodes)
		if c.Rules.Game.MovesBack() && c.Rules.Game.Cells() > shortBoard {
			most /= 4
		}
		for i, n := range budgets { // at this strength a doubling changes nothing, so each step is four times as long
			budgets[i] = max(int64(i)+1, most/NodesPer*n*n/(top*top)) // no two tiers are the same
		}
	}
	return c.Record.Request.Tiers.tiers(budgets, c.Rules.Game)
}

// clear returns the condition for an early stop of a match with at most the given number of pairs. The match stops
// when the score is significantly on one side of each limit; for an agent against itself, the fractions of draws
// and of ended games must be, too. At least a quarter of the pairs is played, since other measures use the same
// games.
func (c *Campaign) clear(pairs int, limits []float64) *arena.EarlyStop {
	out := &arena.EarlyStop{Score: limits, Least: max(leastRounds, pairs/4), Level: 0.95}
	if len(limits) > 1 {
		out.Draws = []float64{0.2, 0.5}
		out.Ends = []float64{0.9}
	}
	return out
}

const leastRounds = 20

// OpeningPlies is the number of random plies in the openings of a balance study.
const OpeningPlies = 2

const (
	mostOfFirstMove = 200       // maximum number of pairs that start with the same first move
	seedStep        = 1_000_003 // difference between the seeds of consecutive parts
)

// pairsOf returns the number of pairs with at least that many games.
func pairsOf(games int) int { return max(1, (games+1)/2) }

// PartSeed returns the seed of a numbered part of a study. Parts share no random numbers.
func PartSeed(seed int64, part int) int64 { return seed + int64(part)*seedStep }

// part returns a part whose tiers have the evaluation of the study.
func (c *Campaign) part(name, purpose, format string, pairs int, openings openings.Options,
	players []agents.Spec,
) *arena.Tournament {
	for i := range players {
		if players[i].Weights != nil {
			c.valued.give(&players[i], c.Rules.Game)
		}
	}
	return Part(c.Rules, name, purpose, format, pairs, openings, players)
}

// Part returns a tournament of some agents under one set of rules; its event in the study is called RULES/name. In
// a gauntlet, the first agent plays against all others.
func Part(rules Rules, name, purpose, format string, pairs int, openings openings.Options,
	players []agents.Spec,
) *arena.Tournament {
	t := &arena.Tournament{
		Plan: arena.Plan{
			Name: rules.Label + "/" + name, Games: []arena.GameRef{rules.Ref}, Format: format, Pairs: pairs,
			Openings: openings,
		},
		Rules:   []*engines.Game{rules.Game},
		Labels:  []string{rules.Label},
		Purpose: purpose,
		Players: players,
	}
	if format == "gauntlet" {
		t.Seeds = []string{players[0].Name}
	}
	return t
}

// PartGames returns the maximum number of games of a part.
func PartGames(t *arena.Tournament) int64 {
	n, _ := arena.NewSchedule(t).Total()
	return n
}

// Work returns the work of the study without early stops, to compare studies of the same rules. One unit is a game with
// one simulation for each decision.
func (c *Campaign) Work() float64 {
	total := c.inquiryAhead().work
	for _, t := range c.Parts() {
		total += PartWork(t)
	}
	return total
}

// PartWork returns the expected work of a part.
func PartWork(t *arena.Tournament) float64 {
	works := make([]float64, len(t.Players)) // there may be a million jobs
	for i := range t.Players {
		works[i] = agentWork(t.Players[i])
	}
	total := 0.0
	for j := range arena.NewSchedule(t).Jobs {
		total += (works[j.First] + works[j.Second]) / 2
	}
	return total
}

// agentWork returns the work of one decision in simulations. The rest of the work counts as one simulation.
func agentWork(s agents.Spec) float64 {
	switch {
	case s.Budget.Iterations > 0:
		return 1 + float64(s.Budget.Iterations)
	case s.Budget.Nodes > 0:
		return 1 + float64(s.Budget.Nodes)/perPlayout
	case s.Searches():
		return 30
	}
	return 1
}

// ErrOther is returned if a stored study has options other than those requested.
const ErrOther = strict.Mistake("the study started with other options")

// Stored returns the record of the balance study of the rules with the given label, and reports whether the database
// has one.
func Stored(ctx context.Context, db *store.DB, label string) (Record, bool, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return Record{}, false, err
	}
	for _, e := range events {
		if e.Name != planName(label) || e.Purpose != PurposePlan {
			continue
		}
		var r Record
		if err := json.Unmarshal([]byte(e.Plan), &r); err != nil {
			return r, false, fmt.Errorf("%s: the plan of %s: %w", db.Path(), e.Name, err)
		}
		return r, true, nil
	}
	return Record{}, false, nil
}

// Resume takes the numbers of games from a stored study, so that running a command again continues with the same games.
// It reports whether there is a stored study, and returns ErrOther if that study was started with different options.
func (c *Campaign) Resume(ctx context.Context, db *store.DB) (bool, error) {
	r, ok, err := Stored(ctx, db, c.Rules.Label)
	if err != nil || !ok {
		return false, err
	}
	if r.Request != c.Record.Request {
		return false, fmt.Errorf("%w: %s holds a balance study of %s with %s, not %s; choose another database with --db",
			ErrOther, db.Path(), c.Rules.Label, r.Request, c.Record.Request)
	}
	c.Record = r
	return true, nil
}

// Planned returns the number of games of the finished study. Fixed counts only parts without early stop; most counts
// the maximum of every part. Both are 0 without a plan. The game is that of the study: its file may be gone.
func (r Record) Planned(g *engines.Game, label string) (fixed, most int64) {
	if r.Version == 0 {
		return 0, 0
	}
	c := Campaign{Rules: Rules{r.Rules, g, label}, Record: r}
	for _, t := range c.Parts() {
		n := PartGames(t)
		if most += n; t.Stop.EarlyStop == nil {
			fixed += n
		}
	}
	return fixed, most
}

// Args returns the arguments of the command that plays the study; nil if the record does not name its rules.
func (r Record) Args() []string {
	if r.Rules.Rules == "" {
		return nil
	}
	out := []string{"spar", "balance", r.Rules.Rules}
	for _, s := range rules.Overrides(r.Rules.Set) {
		out = append(out, "--set", s)
	}
	return append(out, strings.Fields(r.Request.String())...)
}

// String returns the request in the form of command-line flags.
func (r Request) String() string {
	s := "--effort " + r.Effort
	if r.Eval != "" {
		s += " --eval " + r.Eval
	}
	if r.Tiers != "" {
		s += " --tiers " + string(r.Tiers)
	}
	if r.Minutes > 0 {
		s += fmt.Sprintf(" --minutes %g", r.Minutes)
	}
	if r.NoInquiry {
		s += " --inquiry=false"
	}
	return s + fmt.Sprintf(" --seed %d", r.Seed)
}

func planName(label string) string { return label + "/plan" }

// begin stores the record.
func (c *Campaign) begin(ctx context.Context, db *store.DB) error {
	text, err := json.Marshal(c.Record)
	if err != nil {
		return fmt.Errorf("plan of %s: %w", c.Rules.Label, err)
	}
	_, err = db.BeginEvent(ctx, study.Event{
		Name: planName(c.Rules.Label), Purpose: PurposePlan, Plan: string(text),
		Seed: c.Record.Request.Seed,
	})
	return err
}

// Scale multiplies the numbers of games of the studies so that together they take the given minutes. Seconds is the
// time that they take with their current numbers.
func Scale(cs []*Campaign, seconds, minutes float64) {
	by := minutes * 60 * playShare / math.Max(seconds, 1e-9)
	for _, c := range cs {
		c.Record.Sizes = c.Record.Sizes.scale(math.Min(by, mostScale))
		c.Record.Inquiry.Work *= math.Min(by, mostScale)
	}
}

const (
	playShare = 0.8 // fraction of the time for playing; the rest is for the report
	mostScale = 100
)
