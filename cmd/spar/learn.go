package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs"
	"spar/engines"
	"spar/reports/pages"
	"spar/reports/watch"
	"spar/tuning/learn"
)

func learnCommand() *cobra.Command {
	var (
		rules         gameFlags
		out, db, from string
		colour, open  string
		ages          int
		s             learn.Session
		machines      machineFlags
	)
	c := &cobra.Command{
		Use:   "learn RULES",
		Short: "Learn an evaluation by self-play, from the rules only",
		Long: `Learns a net from games of self-play. A net is a table of the values of patterns on small sets of cells;
agents can use it as their evaluation. The net is written only if it plays significantly better than the evaluation that
is the default without it.

Training is TD(lambda) on tables over single cells, lines, shapes (lines at any place of the board), rings of neighbours and
hands, as the mechanics of the rules require. Tables over straight lines from edge to edge (straight) and squares of
three by three cells (block) suit rules in which pieces turn over; name them with --tables. With --base linear the
tables start as zero corrections to the linear evaluation. --depth is the search
depth of self-play in plies. --seeds learns several nets and takes their mean.

The gate then plays pairs of games with and without the net, in the same search at equal CPU time, and alpha-beta
with the net against tree search with random games (uct). A net that is not better, or loses to uct, is written next
to the file as -refused, and the exit code is 3. Agents name a net by evaluation.file.

The same seed, number of games and --batch give the same net, byte for byte, on any number of workers and machines,
also if the training was interrupted and the same command continued it. Other machines (--coordinate) help most where
games are slow (--depth 2) and batches large. Times, gate and curve depend on clocks; they are in a file ending in
-measured.json next to the net.`,
		Example: `  spar learn ctor --minutes 1
  spar learn infiltration --depth 2 --batch 1024 --coordinate :4222
  spar match minimax-4 greedy -r ctor --agent-set minimax-4:evaluation.file=out/ctor.net
  spar learn my-variant.yaml --minutes 10 --out out/mine.net`,
		RunE: rules.run(func(c *cobra.Command, g *engines.Game) error {
			if o := s.Options.Fill(g); o.Check() != nil {
				return byOption(c, o.Check())
			}
			if !(s.Minutes > 0) && s.Options.Games == 0 {
				return usagef("--minutes must be above 0")
			}
			for _, f := range []struct {
				name, value string
				to          **bool
			}{{"colour", colour, &s.Options.Colour}, {"open", open, &s.Options.Open}} {
				if yes := f.value == "yes"; yes || f.value == "no" {
					*f.to = &yes
				} else if f.value != "auto" {
					return usagef("--%s %s: expected auto, yes or no", f.name, f.value)
				}
			}
			if ages >= 0 {
				s.Options.Ages = &ages
			}
			var err error
			if from != "" {
				if s.From, err = configs.ReadNet(from, patterns.FileLimit); err != nil {
					return usageError{err}
				}
			}
			if s.Exam.Pairs > 0 { // before an hour of learning
				if err := store.Check(c.Context(), db); err != nil {
					return err
				}
			}
			s.Game, s.Files = g, learn.FilesOf(cmp.Or(out, "out/"+g.Name()+".net"))
			clock := processClock()
			s.Options.CPU, s.Exam.Clock, s.Exam.Seed = clock.CPU, clock, s.Options.Seed
			s.Exam.Workers = s.Options.Workers
			s.DB = func() (*store.DB, error) { return store.Open(context.WithoutCancel(c.Context()), db, store.Create) }
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
			if errors.Is(err, patterns.ErrFile) {
				return usageError{err}
			}
			if c.Context().Err() != nil && err != nil {
				return errors.Join(learnStopped(c, g, p), err)
			}
			if err != nil {
				return err
			}
			report, err := learnedPage(c.Context(), r.Files[0], r.Net, r.Matchups, descriptionGames, "", r.Limit)
			if err != nil {
				return err
			}
			r.Files = append(r.Files, report.file)
			return printLearned(c, g, r, db, machines.lost)
		}),
	}
	rules.argument(c)
	positive(c, "seeds")
	f := c.Flags()
	f.Float64Var(&s.Minutes, "minutes", 3, "time for everything: self-play on all workers, the gate and the page")
	f.Int64Var(&s.Options.Games, "games", 0, "games of self-play, instead of --minutes")
	everySeedFlag(c, &s.Options.Seed)
	f.IntVar(&s.Options.Seeds, "seeds", 1, "number of trainings, with seeds from --seed on; the net is their mean. They "+
		"share --minutes; each has --games")
	f.IntVar(&s.Options.Batch, "batch", 0, "games between two updates of the net; 0 = 128. Larger batches suit "+
		"many machines")
	workersFlag(c, &s.Options.Workers)
	outFlag(c, &out, "the net's file, ending in .net (default out/RULES.net)", ".net")
	f.StringVar(&db, "db", "out/learn.db", "the study that stores the games of the gate")
	f.StringVar(&from, "from", "", "start from this net of a variant: a name like ctor/learned, or a file")
	f.IntVar(&s.Options.Walks, "walks", 0, "number of additional tables, random walks over 8 cells (7 under gravity, 4 "+
		"if pieces age)")
	f.IntVar(&s.Options.Stages, "stages", 0, "stages of a game with separate numbers, by the pieces on the board, "+
		"up to 4; 0 = one stage")
	f.StringSliceVar(&s.Options.Tables, "tables", nil, "tables, instead of those that suit the rules: "+
		strings.Join(patterns.TableNames(), ", "))
	f.StringVar(&s.Options.Base, "base", learn.NoBase, "start of the tables: none, or linear (they correct the "+
		"evaluation that searches use without a net)")
	f.StringVar(&colour, "colour", "auto", "separate numbers for each side to move: auto, yes, no")
	f.IntVar(&ages, "ages", -1, "under a cap, distinguish pieces by the placements before they leave, up to this many; "+
		"0 = no (faster); -1 = by the rules")
	f.StringVar(&open, "open", "auto", "under gravity, distinguish empty cells on which a piece would land now: "+
		"auto, yes, no")
	f.Float64Var(&s.Options.Lambda, "lambda", 0.7, "lambda of TD(lambda), 0 to 1")
	f.Float64Var(&s.Options.Rate, "rate", 0.05, "learning rate at the start; it falls to a tenth")
	f.Float64Var(&s.Options.Epsilon, "epsilon", 0.1, "fraction of random moves")
	f.IntVar(&s.Options.Depth, "depth", 1, "search depth of self-play, 1 to 3 plies; deeper is slower, and helps if "+
		"one ply misses threats")
	f.Float64Var(&s.Options.League, "league", 0, "fraction of games, 0 to 1, in which one side plays by an older net of "+
		"the training")
	f.IntVar(&s.Options.Opening, "opening-plies", 0, "maximum number of random plies at the start of a game; 0 = by "+
		"the board size")
	f.IntVar(&s.Options.Longest, "longest", 0, "plies after which a game of self-play is stopped and discarded; 0 = by "+
		"the board size, and the game counts as drawn")
	f.IntVar(&s.Exam.Pairs, "gate-pairs", 60, "pairs of the gate; 0 = no gate")
	f.IntVar(&s.Exam.CurvePairs, "curve-pairs", 20, "pairs against each of four earlier states of the training, to see "+
		"whether it still improves; 0 = none")
	f.Int64Var(&s.Exam.Nodes, "gate-nodes", 1000, "positions for each move of the opponent in the gate's minimax")
	c.MarkFlagsMutuallyExclusive("games", "minutes")
	machines.flags(c)
	jsonFlag(c)
	further(c, "Self-play and training", "batch", "epsilon", "lambda", "league", "longest", "opening-plies", "rate",
		"seeds")
	further(c, "Tables", "ages", "base", "colour", "open", "stages", "tables", "walks")
	further(c, "Gate", "curve-pairs", "db", "gate-nodes", "gate-pairs")
	c.AddCommand(learnValidateCommand(), learnReportCommand())
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

// learnStopped reports the progress of an interrupted training.
func learnStopped(c *cobra.Command, g *engines.Game, p *learnProgress) error {
	if wantsJSON(c) {
		return printJSON(c.OutOrStdout(), "learned", learnedSoFar{Rules: g.Name(), Games: p.last.Games, Total: p.last.Total})
	}
	note(c, "%d of %d games; run the same command again to continue\n", p.last.Games, p.last.Total)
	return nil
}

func printLearned(c *cobra.Command, g *engines.Game, r learn.Outcome, db string, lost []string) error {
	w := c.OutOrStdout()
	about := r.Net.About()
	if wantsJSON(c) {
		if err := printJSON(w, "learned", learnedNet{
			g.Name(), true, r.Gained, about, r.Net.Architecture(), r.Net.Params(),
			r.Matchups, db, r.Files, lost,
		}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(w, "%s: %d games of self-play, %.0f CPU-s, %d numbers in %v\n", g.Name(), about.Games, about.CPUSecond,
			r.Net.Params(), r.Net.Architecture().Tables)
		if err := pages.MatchupText(w, r.Matchups); err != nil {
			return err
		}
		if !r.Gained {
			why, hope := "the interval does not lie above 50 %", "; more --minutes may help"
			switch first := r.Matchups[0]; {
			case first.Pairs == 0:
				why, hope = "no pairs could be played", ""
			case first.Gains():
				why = "it loses to tree search with random games (uct)"
			}
			fmt.Fprintf(w, "not accepted: %s. Written as %s for inspection%s\n", why, r.Files[0], hope)
		} else {
			fmt.Fprintf(w, "written: %s, and an agent that names it: %s\n", r.Files[0], r.Files[1])
			fmt.Fprintf(w, "report about the net: %s\n", r.Files[len(r.Files)-1])
			fmt.Fprintf(w, "next: spar learn validate %s; spar match minimax-4 greedy -r %s --agent-set "+
				"minimax-4:evaluation.file=%s\n", r.Files[0], g.Name(), r.Files[0])
		}
	}
	if !r.Gained {
		return errTarget
	}
	return nil
}

// learnProgress shows the progress of a training.
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
	Lost     []string              `json:"lost_workers,omitempty" help:"machines that stopped answering and did not return; absent if there are none"`
}

// learnedSoFar is the output of kind learned, if the training was interrupted.
type learnedSoFar struct {
	Rules    string `json:"rules"`
	Finished bool   `json:"finished"`
	Games    int64  `json:"games" help:"games of self-play played before the interrupt"`
	Total    int64  `json:"total" help:"games of self-play planned"`
}
