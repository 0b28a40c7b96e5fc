package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena/balance"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines/solve"
	"spar/ratings"
	"spar/reports/accuracy"
)

// ratingOptions are the flags that every command that rates has in common.
type ratingOptions struct {
	model, errors, anchor string
	crosstable, los       bool
	intransitivity        bool
	asCSV, asJSON         bool
}

func (o *ratingOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.model, "model", "score", "score (a draw is half a win), davidson or raokupper")
	c.Flags().StringVar(&o.errors, "errors", "auto", "auto, pair (clustered), draw-aware or naive")
	c.Flags().StringVar(&o.anchor, "anchor", "", "fix an agent's rating, like random=0; without it the mean of a pool is 0")
	c.Flags().BoolVar(&o.crosstable, "crosstable", false, "the score of each agent against each other")
	c.Flags().BoolVar(&o.los, "los", false, "likelihood of superiority of each agent over each other")
	c.Flags().BoolVar(&o.intransitivity, "intransitivity", false, "how far one rating per agent explains the results, significant or not")
	c.Flags().BoolVar(&o.asCSV, "csv", false, "print CSV, one line an agent")
	jsonFlag(c, &o.asJSON)
}

var ratingModels = []ratings.Model{ratings.ModelScore, ratings.ModelDavidson, ratings.ModelRaoKupper}

// fitOptions checks the flags.
func (o *ratingOptions) fitOptions() (ratings.Options, error) {
	var f ratings.Options
	var names []string
	for _, m := range ratingModels {
		names = append(names, m.String())
	}
	at := slices.Index(names, cmp.Or(o.model, "score"))
	if at < 0 {
		return f, usagef("--model: unknown model %q%s", o.model, strict.Suggest(o.model, names))
	}
	f.Model = ratingModels[at]
	kinds := []string{"auto", "pair", "draw-aware", "naive"}
	if !slices.Contains(kinds, cmp.Or(o.errors, "auto")) {
		return f, usagef("--errors: unknown kind %q%s", o.errors, strict.Suggest(o.errors, kinds))
	}
	var err error
	if f.Errors, err = ratings.ParseErrorKind(cmp.Or(o.errors, "auto")); err != nil {
		return f, usageError{err}
	}
	if o.anchor != "" {
		cut := strings.LastIndex(o.anchor, "=")
		if cut < 1 {
			return f, usagef("--anchor %s: expected NAME=ELO", o.anchor)
		}
		elo, err := strconv.ParseFloat(o.anchor[cut+1:], 64)
		if err != nil || !(math.Abs(elo) <= 1e5) {
			return f, usagef("--anchor %s: %q is not a rating from -100000 to 100000", o.anchor, o.anchor[cut+1:])
		}
		f.Anchor, f.AnchorElo = o.anchor[:cut], elo
	}
	if o.asCSV && (o.asJSON || o.crosstable || o.los || o.intransitivity) {
		return f, usagef("--csv prints the table alone: leave out --json, --crosstable, --los and --intransitivity")
	}
	return f, nil
}

// checkAnchor refuses an anchor that is nobody's name.
func checkAnchor(o ratings.Options, players []string) error {
	if o.Anchor != "" && !slices.Contains(players, o.Anchor) {
		return usagef("--anchor: no games of %q%s", o.Anchor, strict.Suggest(o.Anchor, players))
	}
	return nil
}

type standingsOptions struct {
	by string // overall, rules or both
	ratingOptions
}

func standingsCommand() *cobra.Command {
	var (
		path string
		o    standingsOptions
	)
	c := &cobra.Command{
		Use:   "standings",
		Short: "Rate the agents of a study",
		Long: `Rates agents by maximum likelihood on the 400-point logistic scale (an edge of 100 Elo is an expected score of 64 %), with
a first-player advantage for each game, per game and overall. Intervals are 95 % and take the two games of a pair as one unit
where there are enough pairs. The rank range holds the true ranks of all agents together with 95 %: agents whose ranges overlap
are not told apart.

Where no maximum exists (somebody won every game) the estimate comes from a prior and says so, with a one-sided bound; agents
that never met are rated apart. Games of a tuning's training do not count. Identical games (the same moves by the same agents in the same seats) count once.

That one rating per agent explains the results is tested; a misfit that is significant at 5 % over all tables shown is reported
with the worst match-ups and the cyclic part.`,
		Example: `  spar standings --db out/quickstart.db
  spar standings --db out/quickstart.db --by overall --crosstable --los
  spar standings --db out/quickstart.db --by rules --anchor random=0 --csv
  spar standings --db out/quickstart.db --by rules --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if by := []string{"overall", "rules", "both"}; !slices.Contains(by, o.by) {
				return usagef("--by %s: expected overall, rules or both", o.by)
			}
			if _, err := o.fitOptions(); err != nil {
				return err
			}
			db, err := store.OpenExisting(c.Context(), path)
			if err != nil {
				return usageError{err}
			}
			defer db.Close()
			return printStandings(c.Context(), c.OutOrStdout(), db, o)
		},
	}
	c.Flags().StringVar(&path, "db", "out/quickstart.db", "the study")
	c.Flags().StringVar(&o.by, "by", "both", "overall, rules or both")
	o.flags(c)
	return c
}

// pool is a set of games that is rated together.
type pool struct {
	title    string
	rules    string // "" for all rules of a study together
	table    *ratings.Table
	fit      *ratings.Fit
	played   int64            // games with the repeated ones
	distinct int64            // games that are not equal to an earlier one
	repeated int64            // games of agents without chance that were left out as equal to an earlier one
	mirrored int64            // games of an agent against itself, which say nothing about strength, are left out
	faults   map[string]int64 // games that the agent forfeited by a fault of its own
	shares   []ratings.FirstShare
	ranks    []ratings.Rank
	lack     ratings.LackOfFit
	accuracy map[string]accuracy.Result // by agent, of a solved game; nil otherwise
	misfit   bool                       // of one rating per agent, significant over all pools shown
	notes    []string
	// unhashed tells that the moves are not known, so that repeated games cannot be counted.
	unhashed bool
}

// forfeited marks the stratum of games that a fault ended. They count as lost, but who sat first had nothing to do with it: in a
// stratum of their own they do not move the first-player advantage, nor the ratings of those who play without faults.
const forfeited = " (forfeited)"

// rate fits the pool. Its table has been filled.
func (p *pool) rate(o ratings.Options) error {
	if !slices.Contains(p.table.Players(), o.Anchor) && o.Anchor != "" {
		p.notes = append(p.notes, fmt.Sprintf("the anchor %q has no games here: the mean is 0", o.Anchor))
		o.Anchor = ""
	}
	var err error
	if p.fit, err = p.table.Fit(o); err != nil {
		return err
	}
	if p.shares, err = p.table.FirstShares(p.fit.Level); err != nil {
		return err
	}
	p.lack = p.fit.LackOfFit()
	p.fit.Advantages = slices.DeleteFunc(p.fit.Advantages, func(a ratings.AdvantageRow) bool { return strings.HasSuffix(a.Stratum, forfeited) })
	p.shares = slices.DeleteFunc(p.shares, func(s ratings.FirstShare) bool { return strings.HasSuffix(s.Stratum, forfeited) })
	p.fit.Warnings = slices.DeleteFunc(p.fit.Warnings, func(w string) bool { return strings.Contains(w, forfeited) })
	if p.played > p.distinct && 10*p.distinct < 9*p.played {
		p.notes = append(p.notes, fmt.Sprintf("only %d of %d games (%.0f %%) are distinct", p.distinct, p.played, 100*float64(p.distinct)/float64(p.played)))
	}
	if p.repeated > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d games between agents that always answer alike repeat earlier ones and are left out: they are no new information", p.repeated))
	}
	if p.mirrored > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d games of agents against themselves are left out: they say nothing about strength (see spar report)", p.mirrored))
	}
	faults := int64(0)
	for _, n := range p.faults {
		faults += n
	}
	if faults > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d games were forfeited by a fault (an illegal move, an error, a crash); they count as lost: see spar games --reason",
			faults, p.played))
	}
	p.notes = append(p.notes, p.fit.Warnings...)
	return nil
}

// compareExact measures the agents against perfect play where the game is solved on the spot.
func (p *pool) compareExact(ctx context.Context, db *store.DB) error {
	if p.rules == "" || p.played == 0 {
		return nil
	}
	g, err := studyRules(ctx, db, p.rules)
	if err != nil {
		return err
	}
	t, err := solve.Small(ctx, g)
	if err != nil || t == nil {
		return err
	}
	defer t.Close()
	rows, err := accuracy.Study(ctx, db, p.rules, g, t)
	p.accuracy = map[string]accuracy.Result{}
	for _, r := range rows {
		p.accuracy[r.Agent] = r
	}
	return err
}

// markMisfits finds the pools that one rating per agent does not explain, as one family of tests. With few games a match-up
// the statistic is not distributed as the test takes it to be, and does not count.
func markMisfits(pools []*pool) {
	const (
		level  = 0.05
		enough = 10 // games a match-up
	)
	var ps []float64
	for _, p := range pools {
		ps = append(ps, p.lack.P)
	}
	for i, holm := range ratings.Holm(ps) {
		lack, games := pools[i].lack, int64(0)
		for _, m := range lack.Pairs {
			games += m.Games
		}
		pools[i].misfit = lack.DF > 0 && holm < level && games >= enough*int64(len(lack.Pairs))
	}
}

// rankSeed fixes the simulation behind rank ranges, and resampleSeed that behind intervals of Nash shares.
const (
	rankSeed     = 1
	resampleSeed = 1
)

// ranked returns the rank ranges, best first, group by group.
func (p *pool) ranked() []ratings.Rank {
	if p.ranks == nil {
		p.ranks = p.fit.Ranks(rankSeed)
	}
	return p.ranks
}

// row returns a player's row of the fit.
func (p *pool) row(name string) ratings.PlayerRow {
	i, _ := p.fit.Index(name)
	return p.fit.Players[i]
}

// trainingEvents are the events whose games belong to the training of a tuning.
func trainingEvents(ctx context.Context, db *store.DB) (map[int64]bool, error) {
	events, err := db.Events(ctx)
	out := map[int64]bool{}
	for _, e := range events {
		out[e.ID] = evidence.IsTraining(e.Purpose)
	}
	return out, err
}

// studyPool collects the games of one set of rules, or of all, for rating. Identical games (the same agents in the same seats
// under the same rules with the same moves) count once when neither agent leaves anything to chance: then a repetition was
// certain. Where chance plays a part an equal game is a further observation, and short games repeat by themselves.
func studyPool(ctx context.Context, db *store.DB, rules string) (*pool, error) {
	p := &pool{title: cmp.Or(rules, "all games"), rules: rules, faults: map[string]int64{}}
	var b ratings.Builder
	type key struct {
		rules, first, second, hash int64
	}
	seen := map[key]bool{}
	certain, err := deterministicAgents(ctx, db)
	if err != nil {
		return nil, err
	}
	training, err := trainingEvents(ctx, db)
	if err != nil {
		return nil, err
	}
	for g, err := range db.Games(ctx, store.Filter{Rules: rules}) {
		if err != nil {
			return nil, err
		}
		if training[g.Event] { // thousands of candidates that met once say nothing about anybody
			continue
		}
		if g.First == g.Second {
			p.mirrored++
			continue
		}
		p.played++
		if strings.HasPrefix(g.Reason, "forfeit") {
			switch g.Result {
			case "first":
				p.faults[g.SecondName]++
			case "second":
				p.faults[g.FirstName]++
			}
		}
		k := key{g.Rules, g.First, g.Second, g.Hash}
		if !seen[k] {
			p.distinct++
		} else if certain[g.FirstName] && certain[g.SecondName] {
			p.repeated++
			continue
		}
		seen[k] = true
		outcome, ok := map[string]ratings.Outcome{"first": ratings.FirstWins, "second": ratings.SecondWins, "draw": ratings.Draw}[g.Result]
		if !ok {
			return nil, fmt.Errorf("game %d of %s has the result %q", g.ID, db.Path(), g.Result)
		}
		stratum := g.RulesName
		if strings.HasPrefix(g.Reason, "forfeit") {
			stratum += forfeited
		}
		if err := b.Add(ratings.Game{
			First: g.FirstName, Second: g.SecondName, Result: outcome, Stratum: stratum,
			Pair: strconv.FormatInt(g.Event, 10) + "/" + strconv.FormatInt(g.Pair, 10),
		}); err != nil {
			return nil, usageError{fmt.Errorf("game %d of %s: %w", g.ID, db.Path(), err)}
		}
	}
	p.table = b.Table()
	return p, nil
}

// deterministicAgents names the agents of a study whose stored specs leave nothing to chance.
func deterministicAgents(ctx context.Context, db *store.DB) (map[string]bool, error) {
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for name, text := range specs {
		var s agents.Spec
		if err := json.Unmarshal([]byte(text), &s); err == nil { // imported games come without specs
			out[name] = s.Deterministic()
		}
	}
	return out, nil
}

// printStandings rates the scopes of a study and prints them all.
func printStandings(ctx context.Context, out io.Writer, db *store.DB, o standingsOptions) error {
	fit, err := o.fitOptions()
	if err != nil {
		return err
	}
	fit.PerStratum = true
	rules, err := db.Names(ctx, "rules")
	if err != nil {
		return err
	}
	if rules, err = balance.Studied(ctx, db, rules); err != nil {
		return err
	}
	scopes := []string{""}
	switch {
	case o.by == "rules":
		scopes = rules
	case o.by == "both" && len(rules) > 1:
		scopes = append(rules, "")
	case o.by == "both" && len(rules) == 1:
		scopes = rules
	}
	var pools []*pool
	var players []string
	for _, scope := range scopes {
		p, err := studyPool(ctx, db, scope)
		if err != nil {
			return err
		}
		players = append(players, p.table.Players()...)
		pools = append(pools, p)
	}
	slices.Sort(players)
	if err := checkAnchor(fit, slices.Compact(players)); err != nil {
		return err
	}
	for _, p := range pools {
		if err := p.rate(fit); err != nil {
			return asUsage(err)
		}
		if err := p.compareExact(ctx, db); err != nil {
			return err
		}
	}
	markMisfits(pools)
	if o.asCSV {
		return printPoolsCSV(out, pools)
	}
	for _, p := range pools {
		if o.asJSON {
			s, err := p.json(o.ratingOptions)
			if err == nil {
				err = printJSON(out, "standings", s)
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := p.print(out, o.ratingOptions); err != nil {
			return err
		}
	}
	return nil
}

// asUsage turns what ratings says about wrong options and wrong games into a usage error.
func asUsage(err error) error {
	for _, mistake := range []error{
		ratings.ErrOptions, ratings.ErrUnknownPlayer, ratings.ErrCounts, ratings.ErrBadCount, ratings.ErrBadGame, ratings.ErrSelfPlay,
	} {
		if errors.Is(err, mistake) {
			return usagef("%s", strings.TrimPrefix(strings.TrimPrefix(err.Error(), "ratings: "), ratings.ErrOptions.Error()+": "))
		}
	}
	return err
}
