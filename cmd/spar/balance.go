package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/agents/pace"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/reports/balance"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/reports/watch"
	"spar/tuning/learn"
)

// balanceOptions are the flags of "balance".
type balanceOptions struct {
	Rules    gamesArgument
	Request  campaign.Request
	DB       string `flag:"db" help:"the study's file (default out/balance-RULES.db; if that holds a study with other options, a file that names them)"`
	Workers  int    `flag:"workers"`
	Limit    int64  `flag:"limit" help:"stop after this many games, without a report"`
	Dry      bool   `flag:"dry-run" help:"show what would be played and how long it takes, and play nothing"`
	Inquiry  bool   `flag:"inquiry=true" in:"Agents" help:"also try to find out who wins with best play"`
	Report   reportOptions
	Machines machineFlags
	time     pace.Limit // time limit of --minutes
}

func balanceCommand() *cobra.Command {
	o := balanceOptions{Rules: gamesArgument{least: 1}}
	c := &cobra.Command{
		Use:   "balance RULES...",
		Short: "Find out whether rules are fair and deep and whether games end: play, measure, report",
		Long: `Plays agents from random to strong against themselves and each other under the rules, and writes a
report: who is favoured, whether games end, how long and how deep they are, and which change would help.

The agents are tiers: a random player, then Monte-Carlo tree search with budgets that double. Each tier plays itself
from the start position and from random openings, and plays its neighbours; one tier also plays itself
after every first move, up to symmetry. A tier stops early once its result is decided; the intervals allow for that.

On boards of at most 16 cells without kinds of pieces the tiers are alpha-beta, which is nearer to best play there. The
strongest searches 8,000 positions a move (2,000 if pieces can move back and there are more than 12 cells), each other
one about a quarter as many as the next. Such agents draw every game that is a draw with best play, so the report takes
draws, endings and length from games in which they make one random move in ten.

  --effort quick      up to 120 games of a tier, 80 simulations; about a minute
  --effort normal     up to 600 games, 200 simulations; about 10 minutes
  --effort thorough   up to 800 games, 800 simulations; about an hour

Games are those of a tier against itself, simulations are per move. The times are for infiltration on two cores; small
boards take seconds.

Who wins with best play is a separate question. To answer it, alpha-beta and tree search without an
evaluation play each other and themselves, from the start position and from forced
openings. Their budgets grow until the answer is
clear or the effort is spent. An exact value takes precedence; --blind uses no table, no proof and no exact value.
--inquiry=false skips this question.

With --tiers minimax the tiers are alpha-beta on larger boards too, with --tiers mcts tree search on small ones too.
With --tiers recommended they are the kind of search that measured strongest for the rules (see "spar agents show
strongest --rules RULES").

The tiers use the hand-made evaluation; --eval gives them that of another agent, for a second opinion. If the two
disagree about who is favoured, the agents are too weak to decide. With --eval learned, Spar first learns an
evaluation from the rules, for the tiers and for both searches that find out who wins; fewer answers then stay
undecided. A learned evaluation fits its own rules only, so Spar tries no changes of the rules.

With normal and thorough effort, Spar also searches for a change of the rules that corrects their most serious problem,
as "spar balance remedies" does with more work. The study keeps the result, not the games of this search.

--minutes is the time for everything: learning, playing and the report, for all rules together. Spar scales the
numbers of games to it, stores them with the study, and ends a part that takes longer than its share. Spar stores each
game when it ends. To continue after Ctrl-C, a crash or kill -9, run the same command again; the games are the same on
any number of workers.

` + reportHelp,
		Example: `  spar balance vanishing --effort quick
  spar balance checkerboard --set pieces.cap=6 --minutes 5 --out out/cap6.html
  spar balance my-rules.yaml --effort quick --target 'fpa<=0.05' --target 'completion>=0.99'
  spar balance ctor --eval ctor/tuned --db out/second-opinion.db
  spar balance my-rules.yaml --eval learned --db out/learned-opinion.db
  spar balance classic rolling vanishing --dry-run`,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Request.NoInquiry = !o.Inquiry
			o.time = pace.Within(pace.Seconds(60 * o.Request.Minutes))
			cs, err := o.campaigns(c)
			if err != nil {
				return err
			}
			if err := o.Report.check(); err != nil {
				return err
			}
			if o.Dry {
				return dryBalance(c, cs, o)
			}
			return runBalance(c, cs, o)
		},
	}
	declare(c, &o)
	printsJSON(c, "balance_plan --dry-run", balancePlan{})
	printsJSON(c, "report", balance.Report{})
	c.AddCommand(balanceRemediesCommand())
	return c
}

// overrideMap converts the texts of --set to the form of tournament files.
func overrideMap(set []string) (map[string]any, error) {
	if len(set) == 0 {
		return nil, nil
	}
	out := map[string]any{}
	for _, s := range set {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, strict.Errors{{File: s, Message: "expected key=value"}}
		}
		out[key] = strict.ListValue(value)
	}
	return out, nil
}

// learned is the word for an evaluation that is learned before the study starts.
const learned = "learned"

// learn returns the agent with the net of a study. It learns the net if there is none yet, except in a dry run.
func (o *balanceOptions) learn(c *cobra.Command, r campaign.Rules) (string, error) {
	net := "out/" + fileName(r.Label) + ".net"
	if o.Dry {
		return "", nil
	}
	note(c, "%s: loading or learning the evaluation for the second opinion, %s\n", r.Label, net)
	minutes := learn.MinutesOf(o.Request.Effort)
	if o.Request.Minutes > 0 {
		minutes = min(minutes, o.Request.Minutes/5)
	}
	return learn.Agent(c.Context(), r.Game, net, minutes, learn.Options{Seed: o.Request.Seed, Workers: o.Workers})
}

// campaigns checks the flags and returns a planned study for each set of rules.
func (o *balanceOptions) campaigns(c *cobra.Command) ([]*campaign.Campaign, error) {
	if o.Request.Tiers != campaign.ByRecommendation {
		if err := o.Request.Tiers.Check(); err != nil {
			return nil, usagef("--%w", err)
		}
	}
	var cs []*campaign.Campaign
	seen := map[string]bool{}
	for _, name := range o.Rules.Names {
		base, overrides := ownOverrides(name, o.Rules.Set)
		set, err := overrideMap(overrides)
		if err != nil {
			return nil, err
		}
		r, err := campaign.LoadRules(base, set)
		if err != nil {
			return nil, strict.Bad(err)
		}
		if seen[r.Label] {
			return nil, usagef("duplicate rules: %s", r.Label)
		}
		seen[r.Label] = true
		request := o.Request
		if request.Eval == learned {
			if request.Eval, err = o.learn(c, r); err != nil {
				return nil, err
			}
		}
		if request.Tiers == campaign.ByRecommendation {
			if request.Tiers, err = campaign.Recommended(r.Game); err != nil {
				return nil, err
			}
			note(c, "%s: tiers of %s\n", r.Label, request.Tiers)
		}
		k, err := campaign.New(r, request)
		if err != nil {
			return nil, strict.Bad(err)
		}
		if !o.Report.Blind {
			ctx, end := o.time.Part(0.1).Soft(c.Context())
			err = k.SolveFirst(ctx, o.Workers)
			end()
			if err != nil {
				return nil, err
			}
		}
		cs = append(cs, k)
	}
	if o.DB == "" {
		name := "study"
		if len(cs) == 1 {
			name = fileName(cs[0].Rules.Label)
		}
		o.DB = filepath.Join("out", "balance-"+name+".db")
		if otherStudy(c.Context(), o.DB, cs) {
			o.DB = filepath.Join("out", "balance-"+name+"-"+fileName(strings.ReplaceAll(o.Request.String(), "--", ""))+".db")
		}
	}
	return cs, nil
}

// otherStudy reports whether a file holds a study of the rules with other options.
func otherStudy(ctx context.Context, path string, cs []*campaign.Campaign) bool {
	db, err := store.Open(ctx, path, store.Existing)
	if err != nil { // running the study reports it
		return false
	}
	defer db.Close()
	for _, k := range cs {
		if r, ok, err := campaign.Stored(ctx, db, k.Rules.Label); ok && err == nil && r.Request != k.Record.Request {
			return true
		}
	}
	return false
}

// fileName converts a name of rules to a file name: checkerboard[pieces.cap=6] becomes checkerboard-pieces.cap-6.
func fileName(label string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '-'
	}, strings.TrimSuffix(label, "]"))
	return strings.Trim(name, "-.")
}

// bare returns a path without the extension.
func bare(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

func dryBalance(c *cobra.Command, cs []*campaign.Campaign, o balanceOptions) error {
	seconds, before, err := campaign.Fill(noPrograms(c.Context()), cs, o.Workers, o.Request.Minutes, pace.Limit{})
	if err != nil {
		return err
	}
	look := campaign.LookAhead(cs, seconds)
	values := o.Report.Values
	if e, ok := campaign.FindEffort(o.Request.Effort); ok {
		values = cmp.Or(values, e.Values)
	}
	out := c.OutOrStdout()
	if wantsJSON(c) {
		return printJSON(out, "balance_plan", balancePlan{o.DB, look, max(values, 0)})
	}
	if o.Request.Minutes > 0 {
		fmt.Fprintf(out, "Effort %s would take %s; to fit %g minutes, Spar multiplies the numbers of games by "+
			"%.2g\n", o.Request.Effort,
			watch.Roughly(pace.Seconds(before)), o.Request.Minutes, look.About/before)
	}
	t := table.To(out, strings.Fields("part agents pairs games time"), 3, 4, 5)
	for _, p := range look.Parts {
		t.Add(p.Name, firstAndLast(p.Agents), p.Pairs, p.Games, watch.Roughly(pace.Seconds(p.About)))
	}
	t.Write()
	part := cs[0].Parts()[0]
	part.Workers = o.Workers
	_, err = fmt.Fprintf(out, "Spar plays at most %s, stored in %s; without early stops this takes about %s on %s, "+
		"estimated from sample games\n",
		screen.Plural(look.Games, "game"), o.DB, watch.Roughly(pace.Seconds(look.About)),
		screen.Plural(part.WorkerCount(), "worker"))
	if values >= 0 && err == nil {
		_, err = fmt.Fprintf(out, "Unless Spar can solve the game, a stronger search then evaluates positions from %d "+
			"games of the strongest agent and from a quarter as many of each of the other agents\n", values)
	}
	return err
}

func runBalance(c *cobra.Command, cs []*campaign.Campaign, o balanceOptions) error {
	if !changed(c, "out") && !o.Report.prints(c) {
		o.Report.Page.Out = bare(o.DB) + plain.If(len(cs) == 1, ".html", "-report")
		if err := checkPage(o.Report.Page.Out); err != nil {
			return usagef("cannot write the report: %w; choose another place with --out", err)
		}
	}
	hard, release := secondInterrupt(c.Context())
	defer release()
	db, err := store.Open(hard, o.DB, store.Create)
	if err != nil {
		return err
	}
	defer db.Close()
	assets, pool, leave, err := o.Machines.open(c, db, o.Workers, nil)
	if err != nil {
		return err
	}
	shown, feed := newDisplay(c), live.NewFeed(time.Now)
	feed.Attach(shown.Hear)
	sum, err := campaign.Run(c.Context(), hard, db, cs, campaign.Options{
		Workers:  o.Workers,
		Limit:    o.Limit,
		Progress: playing(shown),
		Feed:     feed,
		Assets:   assets,
		Pool:     pool,
		Time:     o.time,
	})
	err = errors.Join(err, leave())
	shown.Clear()
	last := summary{progressed: &progressed{
		DB: o.DB, Total: sum.Games, Before: sum.Before, Played: sum.Played,
		Faults: sum.Faults, WallS: sum.Wall.Seconds(), Lost: o.Machines.lost,
	}}
	if sum.Games == 0 { // it did not get as far as to know
		last.progressed = nil
	}
	if err != nil {
		return unfinished{err, last}
	}
	kinds, err := db.Kinds(hard)
	if err != nil {
		return unfinished{err, last}
	}
	o.notePlayed(c, sum, kinds)
	switch {
	case sum.Finished:
		return o.reportAll(c, db, cs, shown, last)
	case interrupted(c):
		return unfinished{errStopped, last}
	case wantsJSON(c):
		err = sayJSON(c, "summary", last)
	}
	if err == nil && len(o.Report.targets) > 0 {
		err = errSaid // nobody may take an unfinished run for targets that are met
	}
	return err
}

// notePlayed writes how many games were played, which of them do not count, and how to continue.
func (o *balanceOptions) notePlayed(c *cobra.Command, sum campaign.Summary, kinds []store.Kind) {
	surplus := int64(0)
	for _, k := range kinds {
		if k.Game.Marks&(evidence.Surplus|evidence.Pending) != 0 {
			surplus += k.Games
		}
	}
	note(c, "%s played in %s, %d of %d stored in %s\n", screen.Plural(sum.Played, "game"), watch.Roughly(sum.Wall),
		sum.Before+sum.Played, sum.Games, o.DB)
	if surplus > 0 {
		note(c, "not counted: %s, played after a match-up had stopped early\n", screen.Plural(surplus, "game"))
	}
	if sum.Faults > 0 {
		note(c, "%s (spar games --db %s --faults)\n", screen.Plural(sum.Faults, "forfeited game"), o.DB)
	}
	if sum.Cut {
		note(c, "the time ran out before all games were played; run the same command again to play the rest (at most %g more "+
			"minutes)\n", o.Request.Minutes)
	}
	if !sum.Finished {
		note(c, "not finished, no report yet: run the same command again to continue\n")
	}
}

// reportAll writes the reports of a finished run.
func (o *balanceOptions) reportAll(c *cobra.Command, db *store.DB, cs []*campaign.Campaign, shown *watch.Display,
	last summary,
) error {
	if e, ok := campaign.FindEffort(o.Request.Effort); ok && !changed(c, "values") {
		o.Report.Values = e.Values
	}
	o.Report.workers, o.Report.time = o.Workers, o.time
	var labels []string
	for _, k := range cs {
		labels = append(labels, k.Rules.Label)
		err := balance.Advise(c.Context(), db, k, balance.StudyOptions{
			Options: balance.Options{Workers: o.Workers, Blind: o.Report.Blind}, Time: o.time,
		}, shown.ShowText)
		if shown.Clear(); err != nil {
			return unfinished{err, last}
		}
	}
	return writeReports(c, db, labels, o.Report)
}

// playing shows the progress of the games.
func playing(l *watch.Display) func(campaign.Status) {
	return func(s campaign.Status) {
		l.Show(func() string {
			text := fmt.Sprintf("%d of %d games, %.0f %% of the work", s.Done, s.Total, 100*s.Share)
			if s.Left > 0 {
				text += ", " + watch.Roughly(s.Left) + " left"
			}
			return text + ": " + s.Part // last, because a narrow terminal cuts it
		})
	}
}

// firstAndLast names the agents of a part; if there are many, only the first and the last.
func firstAndLast(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s ... %s (%d)", names[0], names[len(names)-1], len(names))
}

// balancePlan is the output of kind balance_plan.
type balancePlan struct {
	DB string `json:"db" help:"the study's file"`
	campaign.Outlook
	Values int `json:"values" help:"games of the strongest agent whose positions are valued afterwards"`
}
