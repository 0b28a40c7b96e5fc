// Package standings rates the agents of a study. [Study] reads the games that count for strength (see package
// evidence), divides them into pools, rates each pool separately, and returns each [Pool] with ratings and notes.
// A pool is written as text, JSON or CSV.
package standings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/solve"
	"spar/ratings"
	"spar/reports/accuracy"
	"spar/reports/balance"
	"spar/reports/record"
)

// Pool is a set of games that are rated together. Study makes a study's pools. To make one from other results, set
// Title, Table and Played, then call Rate and MarkMisfits.
type Pool struct {
	Title    string
	Rules    string // name of the rules; empty = all rules of a study together
	Table    *ratings.Table
	Played   int64            // number of games that count for strength, including repetitions
	Distinct int64            // number of games that are not equal to an earlier one; 0 if the moves are unknown
	Faults   map[string]int64 // for each agent, the number of games that it lost because it failed

	// the result of Rate
	Fit      *ratings.Fit
	First    map[string]ratings.Estimate // the first player's score by rules; "" if all have one advantage
	Lack     ratings.LackOfFit
	Accuracy map[string]accuracy.Result // accuracy by agent, if the game is solved; otherwise nil
	// one rating per agent does not explain the results; significant after correction for multiple comparisons over all
	// pools shown
	Misfit bool
	// Interactions test whether agents are equally strong in all games, and whether the first move has the same value
	// for all agents.
	Interactions ratings.Interactions
	Busy         []string // notes about runs on a busy machine

	played    commanded
	estimated bool  // Distinct is an estimate
	repeated  int64 // number of skipped games in which deterministic agents repeat an earlier game
	mirrored  int64 // number of skipped games of an agent against itself
	ranks     []ratings.Rank
	notes     []string
}

// Extras selects optional parts of the output.
type Extras struct {
	Crosstable     bool `flag:"crosstable" help:"print the score of each agent against every other agent"`
	LOS            bool `flag:"los" help:"print for each pair the likelihood that one agent is stronger"`
	Intransitivity bool `flag:"intransitivity" help:"test whether one rating per agent explains the results, and print the test even if it is not significant"`
}

// Scopes determine the pools that Study makes: all games together, one pool for each of the rules, or both if
// there are several rules.
const (
	Overall  = "overall"
	PerRules = "rules"
	Both     = "both"
)

// ErrAnchor is returned if the agent whose rating is to be fixed has no games.
var ErrAnchor = errors.New("no games of")

// Study rates the agents of a study, in one pass over its games.
func Study(ctx context.Context, db *store.DB, by string, o ratings.Options) ([]*Pool, error) {
	o.PerStratum = true
	all, err := db.Names(ctx, "rules")
	if err != nil {
		return nil, err
	}
	rules, err := balance.Studied(ctx, db, all)
	if err != nil {
		return nil, err
	}
	c, err := collect(ctx, db)
	if err != nil {
		return nil, err
	}
	labels := map[int32]string{}
	stored := map[string]store.StoredRules{}
	for _, name := range all {
		r, _, err := db.RulesNamed(ctx, name)
		if err != nil {
			return nil, err
		}
		labels[int32(r.ID)], stored[name] = name, r
	}
	scopes := []string{""}
	switch {
	case by == PerRules, by == Both && len(rules) == 1:
		scopes = rules
	case by == Both && len(rules) > 1:
		scopes = append(slices.Clone(rules), "")
	}
	var pools []*Pool
	var players []string
	for _, scope := range scopes {
		wanted := labels
		if scope != "" {
			wanted = map[int32]string{int32(stored[scope].ID): scope}
		}
		p, err := c.pool(scope, wanted, cmp.Or(o.Level, 0.95))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", db.Path(), err)
		}
		players = append(players, p.Table.Players()...)
		pools = append(pools, p)
	}
	slices.Sort(players)
	players = slices.Compact(players)
	for _, a := range o.Anchors {
		if !slices.Contains(players, a.Name) {
			return nil, fmt.Errorf("%w %q%s", ErrAnchor, a.Name, strict.Suggest(a.Name, players))
		}
	}
	busy, err := record.Busy(ctx, db)
	if err != nil {
		return nil, err
	}
	builds, err := db.Builds(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range pools {
		if err := p.Rate(o); err != nil {
			return nil, err
		}
		if len(c.events) == 1 && len(builds) > 0 {
			last := builds[len(builds)-1]
			p.played = commanded{last.Command, c.events[last.Event].Pairs}
		}
		p.Busy, p.notes = busy, append(p.notes, busy...)
		if err := p.compareExact(ctx, db, stored[p.Rules]); err != nil {
			return nil, err
		}
	}
	MarkMisfits(pools)
	return pools, nil
}

// Note adds a note about how reliable the numbers are.
func (p *Pool) Note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// Rate fits the ratings of the pool, whose Table must be filled.
func (p *Pool) Rate(o ratings.Options) error {
	given := o.Anchors
	o.Anchors = slices.DeleteFunc(slices.Clone(given), func(a ratings.Anchor) bool {
		return !slices.Contains(p.Table.Players(), a.Name)
	})
	for _, a := range given {
		level := ": the mean is 0"
		if len(o.Anchors) > 0 {
			level = ""
		}
		if !slices.Contains(o.Anchors, a) {
			p.Note("the anchor %q has no games here%s", a.Name, level)
		}
	}
	var err error
	if p.Fit, err = p.Table.Fit(o); err != nil {
		return err
	}
	if p.First == nil {
		p.First = map[string]ratings.Estimate{}
		for _, a := range p.Fit.Advantages {
			p.First[a.Stratum] = p.Table.FirstPlayer(p.Fit.Level, of(a.Stratum))
		}
	}
	p.Lack = p.Fit.LackOfFit()
	p.Interactions = p.Fit.Interactions(of(""))
	p.Fit.Advantages = slices.DeleteFunc(p.Fit.Advantages,
		func(a ratings.AdvantageRow) bool { return ratings.IsForfeited(a.Stratum) })
	about := ""
	if p.estimated {
		about = "about "
	}
	if p.Distinct > 0 && 10*p.Distinct < 9*p.Played && !o.Few {
		p.Note("only %s%d of %d games (%.0f %%) are distinct", about, p.Distinct, p.Played,
			100*float64(p.Distinct)/float64(p.Played))
	}
	if p.repeated > 0 {
		p.Note("Spar skips %d games of deterministic agents that repeat earlier ones: they add no information", p.repeated)
	}
	if p.mirrored > 0 {
		p.Note("Spar skips %d games of agents against themselves: they do not measure strength (see spar report)", p.mirrored)
	}
	faults := int64(0)
	for _, n := range p.Faults {
		faults += n
	}
	if faults > 0 {
		p.Note("%d of %d games were forfeited by a fault (an illegal move, an error, a "+
			"crash); they count as lost; see spar games --db FILE --faults",
			faults, p.Played)
	}
	p.notes = append(p.notes, p.Fit.Warnings...)
	p.noteInteractions()
	p.noteSplit()
	return nil
}

// of selects the games of one stratum that did not end by a fault; of all strata if it is empty.
func of(stratum string) func(string) bool {
	return func(s string) bool {
		return (stratum == "" || s == stratum) && !ratings.IsForfeited(s)
	}
}

// noteInteractions adds notes if one rating for all games, or one advantage for all agents, does not fit. It says
// how much the ratings differ between games.
func (p *Pool) noteInteractions() {
	var games []string
	for _, s := range p.Table.Strata() {
		if !ratings.IsForfeited(s) {
			games = append(games, s)
		}
	}
	if x := p.Interactions.Game; x.P < 0.05 {
		p.Note("the ratings hold for these %d games only, because agents' strengths differ "+
			"between games (F = %.1f on %d df, %s)%s; other games may give another order",
			len(games), x.ChiSquare/float64(x.DF), x.DF, pValue(x.P), p.spread(games))
	}
	if x := p.Interactions.Seat; x.P < 0.05 {
		p.Note("the first-player advantage differs between agents (%s: Holm-adjusted %s): the "+
			"common advantage is a mean over these agents, not a property of the rules",
			p.Interactions.Player, pValue(x.P))
	}
}

// spread describes the agent whose ratings differ most between games.
func (p *Pool) spread(games []string) string {
	type sums struct{ lo, hi, sum, squares, n float64 }
	by := map[string]*sums{}
	for _, game := range games {
		f, err := p.Table.Of(game).Fit(ratings.Options{})
		if err != nil {
			return ""
		}
		for _, row := range f.Players {
			elo := row.Elo.Value
			x := by[row.Name]
			if x == nil {
				x = &sums{lo: elo, hi: elo}
				by[row.Name] = x
			}
			x.lo = min(x.lo, elo)
			x.hi = max(x.hi, elo)
			x.sum += elo
			x.squares += elo * elo
			x.n++
		}
	}
	worst, text := 0.0, ""
	for _, name := range p.Table.Players() {
		if x := by[name]; x != nil && x.n > 1 && x.hi-x.lo > worst {
			worst = x.hi - x.lo
			sd := math.Sqrt(max(0, x.squares-x.sum*x.sum/x.n) / (x.n - 1))
			text = fmt.Sprintf("; %s ranges from %s to %s Elo between games (standard deviation %.0f, %.0f games)", name,
				ratings.ScaleElo.Number(x.lo), ratings.ScaleElo.Number(x.hi), sd, x.n)
		}
	}
	return text
}

// accuracyGames is the approximate number of games compared with perfect play; with it, the error of the accuracy
// is below one percentage point.
const accuracyGames = 20_000

// compareExact measures the agents against perfect play if the game can be solved quickly.
func (p *Pool) compareExact(ctx context.Context, db *store.DB, rules store.StoredRules) error {
	if p.Rules == "" || p.Played == 0 {
		return nil
	}
	g, err := engines.Stored(rules.Canonical)
	if err != nil {
		return fmt.Errorf("rules %s of %s: %w", p.Rules, db.Path(), err)
	}
	t, err := solve.Small(ctx, g)
	if err != nil || t == nil {
		return err
	}
	rows, err := accuracy.Study(ctx, db, p.Rules, g, accuracy.Table(t), accuracyGames)
	p.Accuracy = map[string]accuracy.Result{}
	for _, r := range rows {
		p.Accuracy[r.Agent] = r
	}
	return err
}

// MarkMisfits marks the pools whose results one rating per agent does not explain. It tests all pools as one
// family. It ignores match-ups with few games, for which the distribution of the test statistic is wrong.
func MarkMisfits(pools []*Pool) {
	const (
		level  = 0.05
		enough = 10 // games a match-up
	)
	var ps []float64
	for _, p := range pools {
		ps = append(ps, p.Lack.P)
	}
	for i, holm := range ratings.Holm(ps) {
		lack, games := pools[i].Lack, int64(0)
		for _, m := range lack.Pairs {
			games += m.Games
		}
		pools[i].Misfit = lack.DF > 0 && holm < level && games >= enough*int64(len(lack.Pairs))
	}
}

// rankSeed is the seed of the simulation for rank intervals.
const rankSeed = 1

// Ranks returns the rank ranges, group by group, the best agent first.
func (p *Pool) Ranks() []ratings.Rank {
	if p.ranks == nil {
		p.ranks = p.Fit.Ranks(rankSeed)
	}
	return p.ranks
}

// Row returns the row of a player in the fit.
func (p *Pool) Row(name string) ratings.PlayerRow {
	i, _ := p.Fit.Index(name)
	return p.Fit.Players[i]
}
