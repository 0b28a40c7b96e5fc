package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/ratings"
	"spar/reports/standings"
)

// ratingOptions are the flags that all commands with ratings have.
type ratingOptions struct {
	Model   string   `flag:"draw-model=score" one:"score davidson" help:"model of draws: score (a draw is half a win) or davidson"`
	Errors  string   `flag:"errors=auto" one:"auto opening pair draw-aware naive" help:"kind of standard errors: auto, opening or pair (clustered), draw-aware, naive"`
	Anchors []string `flag:"anchor" help:"fix an agent's rating, like random=0 (repeatable); default: the mean of a group is 0, without agents that have no bound"`
	CSV     bool     `flag:"csv" not:"crosstable los intransitivity" help:"print CSV, one line per agent"`
	standings.Extras
}

// fitOptions checks the flags and converts them to options of a fit.
func (o *ratingOptions) fitOptions() (ratings.Options, error) {
	var f ratings.Options
	if o.Model == ratings.ModelDavidson.String() {
		f.Model = ratings.ModelDavidson
	}
	var err error
	if f.Errors, err = ratings.ParseErrorKind(cmp.Or(o.Errors, "auto")); err != nil {
		return f, err
	}
	for _, text := range o.Anchors {
		cut := strings.LastIndex(text, "=")
		if cut < 1 {
			return f, usagef("--anchor %s: expected NAME=ELO", text)
		}
		elo, err := strconv.ParseFloat(text[cut+1:], 64)
		if err != nil || !(math.Abs(elo) <= 1e5) {
			return f, usagef("--anchor %s: %q is not a rating from -100000 to 100000", text, text[cut+1:])
		}
		f.Anchors = append(f.Anchors, ratings.Anchor{Name: text[:cut], Elo: elo})
	}
	return f, nil
}

// checkAnchor returns an error if the anchor is not the name of an agent.
func checkAnchor(o ratings.Options, players []string) error {
	for _, a := range o.Anchors {
		if !slices.Contains(players, a.Name) {
			return usagef("--anchor: no games of %q%s", a.Name, strict.Suggest(a.Name, players))
		}
	}
	return nil
}

type standingsOptions struct {
	By      string `flag:"by=both" one:"overall rules both" help:"tables to print: overall, rules or both"`
	Details bool   `flag:"details" help:"print the ratings, intervals and tests of each game, instead of one screen for all"`
	ratingOptions
}

func standingsCommand() *cobra.Command {
	study := studyFlag{defaultStudy}
	var o standingsOptions
	c := &cobra.Command{
		Use:   "standings [STUDY.db]",
		Short: "Rate the agents of a study",
		Long: `Rates the agents of a study and prints one screen: Elo with 95 % intervals, the strongest agent and
the first player's score in each game, what is undecided and what to do about it. --details prints the ratings and
tests of each game.

Ratings are maximum likelihood on the 400-point logistic scale: 100 Elo correspond to an expected score of 64 % if
both seats are worth the same. Each game has its own first-player advantage. The unit of the 95 % intervals is the
opening, with all games of all match-ups that share it, or the pair if no opening is shared. The rank ranges of all
agents have a joint confidence of 95 %: the order of agents whose ranges overlap is undecided.

An agent that won or lost every game has no maximum-likelihood rating: the estimate comes from a prior, in brackets,
with a one-sided bound. Agents that never met, not even through others, are rated in separate groups. Training games of
a tuning do not count. Identical games (same moves, agents and seats) of agents without randomness count once.

Spar tests whether one rating for each agent explains the results. If it does not (5 %, corrected for multiple
comparisons), the worst match-ups are shown. If agents' strengths differ between games, a note says by how much.`,
		Example: `  spar standings --db out/quickstart.db
  spar standings --db out/quickstart.db --by overall --crosstable --los
  spar standings --db out/quickstart.db --by rules --anchor random=0 --csv
  spar standings --db out/quickstart.db --by rules --json`,
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := o.fitOptions(); err != nil {
				return err
			}
			return withStudy(c, study.Path, func(c *cobra.Command, db *store.DB) error {
				return printStandings(c.Context(), c, db, o, fmt.Sprintf("Study %s\n\n", plain.Line(db.Path())))
			})
		},
	}
	declare(c, &study, &o)
	printsJSON(c, "standings", standings.Standings{})
	return c
}

// printStandings rates the games of a study and prints a heading and the standings, by scope.
func printStandings(ctx context.Context, c *cobra.Command, db *store.DB, o standingsOptions, heading string) error {
	out := c.OutOrStdout()
	fit, err := o.fitOptions()
	if err != nil {
		return err
	}
	pools, err := standings.Study(ctx, db, o.By, fit)
	if err != nil {
		return asUsage(err)
	}
	if !o.CSV && !wantsJSON(c) {
		fmt.Fprint(out, heading)
	}
	switch {
	case o.CSV:
		return standings.WriteCSV(out, pools)
	case !o.Details && !wantsJSON(c) && o.Extras == standings.Extras{}:
		return standings.Brief(out, pools, plain.Line(db.Path()))
	}
	for i, p := range pools {
		if wantsJSON(c) {
			if err := printJSON(out, "standings", p.JSON(o.Extras)); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := p.Text(out, o.Extras); err != nil {
			return err
		}
	}
	return nil
}

// asUsage converts an error of ratings about wrong options or games to a usage error.
func asUsage(err error) error {
	if errors.Is(err, standings.ErrAnchor) {
		return usagef("--anchor: %s", err)
	}
	if strict.IsBadInput(err) {
		return usagef("%s", strings.TrimPrefix(strings.TrimPrefix(err.Error(), "ratings: "), ratings.ErrOptions.Error()+": "))
	}
	return err
}
