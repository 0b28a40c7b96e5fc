package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"spar/agents/bench"
	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs"
	"spar/engines"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/reports/watch"
	"spar/tuning/learn"
)

func learnCommand() *cobra.Command {
	var rules gameFlags
	var s learn.Session
	var machines machineFlags
	var o struct {
		Out       string `flag:"out,o" file:".net" help:"the net's file, ending in .net (default out/RULES.net)"`
		From      string `flag:"from" help:"start from this net of a variant: a name like ctor/learned, or a file"`
		DB        string `flag:"db=out/learn.db" in:"Gate" help:"the study that stores the gate's games"`
		GatePairs int    `flag:"gate-pairs=60" in:"Gate" help:"pairs of games in the gate, the match that a net has to win; 0 = no gate"`
		GateNodes int64  `flag:"gate-nodes=1000" in:"Gate" help:"positions per move that minimax without the net searches in the gate"`
		Colour    string `flag:"colour=auto" in:"Tables" one:"auto yes no" help:"learn separate values for each side to move: auto, yes, no"`
		Open      string `flag:"open=auto" in:"Tables" one:"auto yes no" help:"under gravity, distinguish empty cells on which a piece would land now: auto, yes, no"`
		Ages      int    `flag:"ages=-1" in:"Tables" range:"[-1," help:"under a cap, distinguish pieces by the number of placements until they leave, up to this number; 0 = do not; -1 = as the rules need"`
	}
	c := &cobra.Command{
		Use:   "learn RULES",
		Short: "Learn an evaluation by self-play, from the rules only",
		Long: `Learns a net from self-play games. A net is a table of the values of patterns on small sets of
cells; agents can use it as their evaluation. Spar writes the net only if it plays significantly better than the
default evaluation.

Training is TD(lambda) on tables over single cells, lines, shapes (lines anywhere on the board), rings of neighbours and hands, as the mechanics of the rules require. Tables over straight lines from edge to edge (straight) and squares of
three by three cells (block) suit rules in which pieces turn over; name them with --tables. With --base linear the
tables start as zero corrections to the linear evaluation. --depth is the search
depth of self-play in plies. --seeds learns several nets and takes their mean.

The gate then plays pairs of games with and without the net, in the same search at equal CPU time, and alpha-beta
with the net against tree search with random games (uct). A net that is not better, or loses to uct, is written to
a file ending in -refused.net instead, and the exit code is 3. Agents name a net by evaluation.file.

The same seed, number of games and --batch give the same net, byte for byte, on any number of workers and machines.
If you interrupt a training run, the same command continues it and gives the same net. Other machines (--coordinate)
help most if games are slow (--depth 2) and batches are large. Times and gate depend on clocks; they are in a file
ending in -measured.json next to the net.`,
		Example: `  spar learn ctor --minutes 1
  spar learn infiltration --depth 2 --batch 1024 --coordinate :4222
  spar ablate minimax --agent-set budget.nodes=1000 --agent-knob evaluation.file=out/ctor.net -r ctor
  spar learn my-variant.yaml --minutes 10 --out out/mine.net`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			if o := s.Options.Fill(g); o.Check() != nil {
				return byOption(c, o.Check())
			}
			choice := map[string]*bool{"auto": nil, "yes": new(true), "no": new(false)}
			s.Options.Colour = choice[o.Colour]
			s.Options.Open = choice[o.Open]
			s.Exam.Pairs = o.GatePairs
			s.Exam.Nodes = o.GateNodes
			if o.Ages >= 0 {
				s.Options.Ages = &o.Ages
			}
			var err error
			if o.From != "" {
				if s.From, err = configs.ReadNet(o.From, patterns.FileLimit); err != nil {
					return err
				}
			}
			if s.Exam.Pairs > 0 { // before an hour of learning
				if err := store.Check(c.Context(), o.DB); err != nil {
					return err
				}
			}
			s.Game, s.Files = g, learn.FilesOf(cmp.Or(o.Out, "out/"+g.Name()+".net"))
			clock := bench.ProcessClock()
			s.Options.CPU = clock.CPU
			s.Exam.Clock = clock
			s.Exam.Seed = s.Options.Seed
			s.Exam.Workers = s.Options.Workers
			s.DB = func() (*store.DB, error) {
				return store.Open(calm(c), o.DB, store.Create)
			}
			leave, err := teachers(c, &machines, &s)
			if err != nil {
				return err
			}
			p := &learnProgress{Display: newDisplay(c), began: time.Now()}
			if s.Options.Games == 0 {
				p.limit = pace.Within(pace.Seconds(60 * s.Minutes))
			}
			s.Tell, s.Feed = p.tell, live.NewFeed(time.Now)
			s.Feed.Attach(p.Hear)
			r, err := s.Run(c.Context())
			p.Clear()
			err = errors.Join(err, leave())
			if errors.Is(err, patterns.ErrTables) {
				return byOption(c, err)
			}
			if interrupted(c) && err != nil {
				return errors.Join(learnStopped(c, g, p), err)
			}
			if err != nil {
				return err
			}
			return printLearned(c, g, page.RulesWords(rules.Name, rules.Set), r, o.DB, machines.lost)
		}),
	}
	declare(c, &rules, &s, &machines, &o)
	printsJSON(c, "learned", learnedNet{}, learnedSoFar{})
	return c
}

// teachers opens the pool for other machines, for self-play and the gate, if the flags request it. The study of
// the gate keeps the records of the machines.
func teachers(c *cobra.Command, machines *machineFlags, s *learn.Session) (leave func() error, err error) {
	if !machines.on() {
		return func() error { return nil }, nil
	}
	db, err := s.DB()
	if err != nil {
		return nil, err
	}
	assets, pool, closing, err := machines.open(c, db, s.Options.Workers, nil)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s.Options.Assets, s.Options.Pool, s.Exam.Assets, s.Exam.Pool = assets, pool, assets, pool
	s.Open = db
	s.Options.Log = func(text string) { fmt.Fprintln(c.ErrOrStderr(), text) }
	return func() error { return errors.Join(closing(), db.Close()) }, nil
}

// learnStopped reports the progress of an interrupted training run.
func learnStopped(c *cobra.Command, g *engines.Game, p *learnProgress) error {
	if wantsJSON(c) {
		return sayJSON(c, "learned", learnedSoFar{Rules: g.Name(), Games: p.last.Games, Total: p.last.Total})
	}
	note(c, "%d of %d games; run the same command again to continue\n", p.last.Games, p.last.Total)
	return nil
}

func printLearned(c *cobra.Command, g *engines.Game, ref string, r learn.Outcome, db string, lost []string) error {
	w := c.OutOrStdout()
	about := r.Net.About()
	if wantsJSON(c) {
		if err := printJSON(w, "learned", learnedNet{
			g.Name(), true, r.Gained, about, r.Net.Architecture(), r.Net.Params(),
			r.Matchups, db, r.Files, lost,
		}); err != nil {
			return err
		}
	} else if err := pages.LearnedText(w, g.Name(), ref, r); err != nil {
		return err
	}
	if !r.Gained {
		return errTarget
	}
	return nil
}

// learnProgress shows the progress of a training run.
type learnProgress struct {
	*watch.Display
	began time.Time
	first int64 // number of games that earlier runs played
	last  learn.Report
	limit pace.Limit // limit of the total time; if there is none, only the remaining time of self-play is shown
}

func (p *learnProgress) tell(r learn.Report) {
	if p.last.Games == 0 {
		p.first = r.Games
	}
	p.last = r
	p.Show(func() string {
		at := live.Progress{
			Done: float64(r.Games), Before: float64(p.first), Total: float64(r.Total),
			Elapsed: time.Since(p.began),
		}
		left, _ := at.Left()
		if p.limit.Set() {
			left = p.limit.Left()
		}
		return fmt.Sprintf("%d/%d games, %.0f games/s, %s left; loss %.3f, first player %.1f %%, draws %.1f %%, %.1f plies",
			r.Games, r.Total, at.Rate(), left.Round(time.Second), r.Loss, 100*r.First, 100*r.Draws, r.Plies)
	})
}

// learnedNet is the output of kind learned, after the training.
type learnedNet struct {
	Rules    string                `json:"rules" help:"name of the rules"`
	Finished bool                  `json:"finished" help:"false if an interrupt ended the training"`
	Gained   bool                  `json:"gained" help:"the net passed the gate"`
	Net      patterns.Provenance   `json:"net"`
	Tables   patterns.Architecture `json:"architecture"`
	Numbers  int                   `json:"numbers" help:"how many numbers the net has"`
	Matchups []learn.Matchup       `json:"contests"`
	Database string                `json:"db" help:"the study of the gate's games"`
	Files    []string              `json:"files" help:"written"`
	Lost     []string              `json:"lost_workers,omitempty" help:"machines that stopped answering and did not return"`
}

// learnedSoFar is the output of kind learned, if the training was interrupted.
type learnedSoFar struct {
	Rules    string `json:"rules"`
	Finished bool   `json:"finished"`
	Games    int64  `json:"games" help:"games of self-play played before the interrupt"`
	Total    int64  `json:"total" help:"games of self-play planned"`
}
