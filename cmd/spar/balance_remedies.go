package main

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"spar/arena/campaign"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/reports/balance"
	"spar/reports/pages"
	"spar/tuning/variants"
)

func balanceRemediesCommand() *cobra.Command {
	var o struct {
		Game    gameFlags
		Targets []string `flag:"target" help:"what a remedy must meet, like 'fpa<=0.03' or 'draws<=20%' (repeatable; default: the first player scores 45 to 55 %)"`
		Keep    []string `flag:"keep" help:"a knob that no remedy may change, like win.line (repeatable)"`
		Problem string   `flag:"problem" one:"unfair endless drawish" help:"what to mend: unfair, endless or drawish (default: endless if fewer than half of the games reach a goal, drawish if draws miss a target and the score is even, else unfair)"`
		Blind   bool     `flag:"blind" help:"use no table, proof or exact value: the verdict depends on play only"`
		Work    float64  `flag:"work=60" range:"(0,100000]" help:"computing time for the agents' games: about this many seconds on one core, at most about twice that"`
		Apply   string   `flag:"apply" file:".yaml .yml" help:"write the rules with the best remedy to this .yaml file"`
		DB      string   `flag:"db" help:"the study's file (default out/remedies-RULES.db, with the options that change the search)"`
		Seed    int64    `flag:"seed=1"`
		Workers int      `flag:"workers"`
	}
	c := &cobra.Command{
		Use:   "remedies RULES",
		Short: "Find a small change that makes unfair rules fair",
		Long: `Tries the changes that designers use: both forms of the pie rule, a shorter first turn, regions for the
first move, near-even first moves drawn at random, handicaps in the start position, and each goal, cap and supply
changed by one step. Spar combines two changes only if no single change helps.

Spar drops changes that break the game, and solves the changed game if it is small enough. It plays the others in rounds, and
the better half of them stays for the next round. The last few changes are played again on fresh seeds by strong
agents, by weaker agents, and by agents that make one random move in ten. On boards of at most 16 cells all these
agents are alpha-beta, which plays almost perfectly there.

A change is fair under three conditions. Its exact value is a draw, or a search of 1,000,000 positions does not decide
it. The whole interval of the first player's score (joint confidence 95 %) lies between 45 and 55 %. The score lies
between 43 and 57 % when the agents make mistakes. With an exact draw the scores decide, not their intervals. Spar
never proposes a change if fewer than 90 % of its games end, if its exact value is worse than that of the rules, or if
most games are drawn and were not before. A change is not fair if fewer than half of its games reach a goal. If the
games of the rules themselves do not, Spar looks for changes that make games reach one (--problem endless).

With a pie rule the games begin with the first move that is nearest to even, and the second player swaps if the games
after that move favour it. In a game without draws the second player then wins with best play.

Every game is stored. To continue after an interrupt, run the same command again; the answer is the same on any number
of workers. The exit code is 3 if nothing helps. If the rules are fair already (a draw with best play, an even
score, games that reach a goal), Spar does not search.`,
		Example: `  spar balance remedies vanishing
  spar balance remedies my-rules.yaml --keep board --keep win.line --apply out/fair.yaml
  spar balance remedies hex5 --target 'fpa<=0.1'`,
		RunE: func(c *cobra.Command, _ []string) error {
			name, set := ownOverrides(o.Game.Name, o.Game.Set)
			overrides, err := overrideMap(set)
			if err != nil {
				return err
			}
			base, err := campaign.LoadRules(name, overrides)
			if err != nil {
				return strict.Bad(err)
			}
			ask := variants.Remedies{
				Targets: o.Targets, Keep: o.Keep, Problem: variants.Problem(o.Problem), Blind: o.Blind, Seed: o.Seed, Work: o.Work,
			}
			if err := ask.Check(base); err != nil {
				return strict.Bad(err)
			}
			if input, err := os.Stat(name); err == nil && o.Apply != "" {
				if out, err := os.Stat(o.Apply); err == nil && os.SameFile(input, out) {
					return usagef("--apply %s would overwrite the rules: choose another file", o.Apply)
				}
			}
			hard, release := secondInterrupt(c.Context())
			defer release()
			db, err := store.Open(hard, cmp.Or(o.DB, remediesFile(c, base.Label)), store.Create)
			if err != nil {
				return err
			}
			defer db.Close()
			began := time.Now()
			shown := newDisplay(c)
			feed := live.NewFeed(time.Now)
			feed.Attach(shown.Hear)
			r, err := variants.FindRemedies(c.Context(), hard, db, base, ask, variants.Options{
				Measure: balance.OfVariant, Workers: o.Workers, Progress: playing(shown), Feed: feed,
				Stage: shown.ShowText,
			})
			shown.Clear()
			if err != nil {
				return unfinishedGames(err, progressed{Name: base.Label, DB: db.Path(), WallS: time.Since(began).Seconds()})
			}
			if err := reply(c, "remedies", r, func(w io.Writer) error {
				return pages.Remedies(base.Game, r).Text(w, 0)
			}); err != nil {
				return err
			}
			switch {
			case o.Apply == "":
			case len(r.Best) == 0:
				note(c, "%s was not written: no change is a remedy\n", o.Apply)
			default:
				rules, comments := r.Remedied(bare(filepath.Base(o.Apply)))
				return writeRules(c, o.Apply, rules, comments)
			}
			if len(r.Best) == 0 && r.Base.Verdict != "fair" {
				return errTarget
			}
			return nil
		},
	}
	declare(c, &o)
	printsJSON(c, "remedies", variants.RemedyResult{})
	return c
}

// remediesFile returns the default file of a search for remedies. Its name has the options that change the search, so
// that only the same search continues it.
func remediesFile(c *cobra.Command, label string) string {
	file := "remedies-" + fileName(label)
	c.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(strings.Fields("blind keep problem seed target work"), f.Name) {
			file += "-" + f.Name + "-" + fileName(strings.NewReplacer("<=", "-max-", ">=", "-min-").Replace(f.Value.String()))
		}
	})
	return filepath.Join("out", file+".db")
}
