package learn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/agents/patterns"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs/files"
	"spar/engines"
)

// Files are where a training keeps what it makes: the net, the training on the way, a net that the gate refused, and an agent.
type Files struct{ Net, Part, Refused, Agent string }

// FilesOf are the files of a net's path.
func FilesOf(net string) Files {
	base := strings.TrimSuffix(net, ".net")
	return Files{Net: net, Part: base + ".part", Refused: base + "-refused.net", Agent: base + "-learned.yaml"}
}

// Session is a training from the rules to a net that the gate has let through.
type Session struct {
	Game    *engines.Game
	Options Options
	From    []byte  // a net's file to start from; nil = from nothing
	Minutes float64 // of self-play, by which Options.Games is found where it is 0
	Files   Files
	Exam    Examination               // Pairs 0: no gate
	DB      func() (*store.DB, error) // opens the study of the gate, which is closed then
	Open    *store.DB                 // ... unless it is open already
	Feed    *live.Feed
	Tell    func(Report)
}

// Outcome is what a session made.
type Outcome struct {
	Net      *patterns.Net
	Contests []Contest // of the gate: the first is against the evaluation that is the default without the net
	Gained   bool      // the gate let it through, or there was none
	Resumed  int64     // games of an earlier, interrupted run
	Files    []string  // written
}

// What is learned and forgotten to find out how many games fit into some minutes: a share of them, and a batch at least. Games of a net that
// knows something are of another length than those of one that knows nothing.
const paceShare = 0.03

// Run trains, examines and writes. An interrupted session goes on when it is run again with the same options.
func (s *Session) Run(ctx context.Context) (Outcome, error) {
	var out Outcome
	all, err := s.train(ctx, &out)
	if err != nil {
		return out, err
	}
	net, past, err := mean(all)
	if err != nil {
		return out, err
	}
	about := Provenance(all...)
	if s.Exam.Pairs > 0 {
		if about.Curve, err = s.gate(ctx, net, past, &out); err != nil {
			return out, err
		}
		first := out.Contests[0]
		out.Gained = first.Gains()
		about.Gate = &patterns.Gate{Against: first.Against, Search: fmt.Sprintf("%s, %d against %d a move", first.Search, first.Ours, first.Budget), Score: first.Score, Lo: first.Lo, Hi: first.Hi, Pairs: first.Pairs}
	} else {
		out.Gained = true
	}
	return out, s.write(net, about, &out)
}

// part is the file of one of the trainings on the way.
func (s *Session) part(run int) string {
	if s.Options.Seeds <= 1 {
		return s.Files.Part
	}
	return fmt.Sprintf("%s-%d.part", strings.TrimSuffix(s.Files.Part, ".part"), run+1)
}

// train runs the trainings of all seeds, one after the other.
func (s *Session) train(ctx context.Context, out *Outcome) ([]*Training, error) {
	runs := max(1, s.Options.Seeds)
	var all []*Training
	for run := range runs {
		t, err := s.training(ctx, run)
		if err != nil {
			return nil, err
		}
		if _, err := t.Resume(s.part(run)); err != nil {
			return nil, err
		}
		out.Resumed += t.Done()
		if err := s.toEnd(ctx, t, run, Provenance(all...)); err != nil {
			return nil, err
		}
		all = append(all, t)
		if err := s.again(ctx, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// toEnd runs a training to its end, after those that have come to so much before, and keeps it on disk now and then.
func (s *Session) toEnd(ctx context.Context, t *Training, run int, before patterns.Provenance) error {
	saved := time.Now()
	err := t.Run(ctx, func(r Report) {
		r.Games, r.Total, r.CPU = r.Games+before.Games, r.Total*int64(max(1, s.Options.Seeds)), r.CPU+before.CPUSecond
		s.Tell(r)
	}, func() error {
		if time.Since(saved) < 5*time.Second {
			return nil
		}
		saved = time.Now()
		return t.Save(s.part(run))
	})
	if saveErr := t.Save(s.part(run)); saveErr != nil {
		return errors.Join(err, saveErr)
	}
	return err
}

// again repeats what an unreliable machine may have had a part in: a training that went back in time knows of one, and those before it do not.
func (s *Session) again(ctx context.Context, all []*Training) error {
	for last := all[len(all)-1]; last.back; {
		last.back = false
		for run, t := range all[:len(all)-1] {
			if t.alone == nil {
				continue
			}
			t.restore(t.alone)
			t.alone = nil
			if err := s.toEnd(ctx, t, run, Provenance(all[:run]...)); err != nil {
				return err
			}
			last.back, t.back = last.back || t.back, false
		}
	}
	return nil
}

// training begins one of the trainings, with as many games as fit into the minutes, unless one under way says how many.
func (s *Session) training(ctx context.Context, run int) (*Training, error) {
	o := s.Options
	o.Run, o.Seeds = run, 0
	if o.Games == 0 {
		var err error
		if o.Games, err = Games(s.part(0)); err != nil {
			return nil, err
		}
	}
	if o.Games == 0 {
		t, err := New(ctx, s.Game, o)
		if err != nil {
			return nil, err
		}
		perGame, err := t.pace(ctx, time.Duration(paceShare*s.Minutes*float64(time.Minute)))
		if err != nil {
			return nil, err
		}
		n := o.most()
		o.Games = max(n, int64(s.Minutes*60/perGame)/int64(max(1, s.Options.Seeds))/n*n)
	}
	t, err := New(ctx, s.Game, o)
	if err == nil && s.From != nil {
		if err = t.StartFrom(s.From); err != nil {
			err = fmt.Errorf("the net to start from: %w", err)
		}
	}
	return t, err
}

// pace is the seconds that a game takes on all workers, with what is learned from it, in the second half of learning for some time.
func (t *Training) pace(ctx context.Context, learning time.Duration) (float64, error) {
	learn := func() error {
		net, err := t.Net()
		if err != nil {
			return err
		}
		lessons, err := t.playAnew(ctx, net, int(t.o.most()))
		if err != nil {
			return err
		}
		for _, lesson := range lessons {
			if !lesson.Cut {
				t.trainer.Learn(lesson, t.o.Lambda, t.o.Rate)
			}
		}
		t.done += int64(len(lessons))
		return nil
	}
	if t.o.Pool != nil { // other machines may have to come first
		if err := learn(); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	half, before := began, t.done
	for {
		if err := learn(); err != nil {
			return 0, err
		}
		now := time.Now()
		if now.Sub(began) >= learning {
			return now.Sub(half).Seconds() / float64(t.done-before), nil
		}
		if half == began && now.Sub(began) >= learning/2 {
			half, before = now, t.done
		}
	}
}

// gate plays the net against what is the default without it, and against its own past.
func (s *Session) gate(ctx context.Context, net *patterns.Net, past []older, out *Outcome) ([]patterns.Rung, error) {
	_, data, err := net.With(patterns.Provenance{})
	if err != nil {
		return nil, err
	}
	file, err := patterns.NewFile(data)
	if err != nil {
		return nil, err
	}
	db := s.Open
	if db == nil {
		if db, err = s.DB(); err != nil {
			return nil, err
		}
		defer db.Close()
	}
	unlock, err := db.Lock() // of the contests and the curve
	if err != nil {
		return nil, err
	}
	defer unlock()
	x := s.Exam
	if x.Rivals == nil {
		x.Rivals = Rivals(s.Game)[:1]
	}
	if out.Contests, err = x.Examine(ctx, db, file, s.Game, s.Feed); err != nil || x.CurvePairs == 0 {
		return nil, err
	}
	return x.climb(ctx, db, file, past, s.Game, s.Feed)
}

// write makes the files. The training on the way is over then.
func (s *Session) write(net *patterns.Net, about patterns.Provenance, out *Outcome) error {
	net, data, err := net.With(about)
	if err != nil {
		return err
	}
	out.Net = net
	path := s.Files.Net
	if !out.Gained {
		path = s.Files.Refused
	}
	if err := files.WriteBytes(path, data); err != nil {
		return err
	}
	out.Files = append(out.Files, path)
	if out.Gained {
		agent := fmt.Sprintf("# The learned evaluation of %s, one ply ahead; use it in a search by --agent-set minimax-4:evaluation.file=%s\n"+
			"type: heuristic\ndescription: Looks one ply ahead with an evaluation learned from %d games of self-play.\nevaluation: {file: %s}\n",
			s.Game.Name(), path, about.Games, path[strings.LastIndexByte(path, '/')+1:])
		if err := files.WriteBytes(s.Files.Agent, []byte(agent)); err != nil {
			return err
		}
		out.Files = append(out.Files, s.Files.Agent)
	}
	for run := range max(1, s.Options.Seeds) {
		if err := os.Remove(s.part(run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// MinutesOf is how long an evaluation is learned for a balance study of some effort.
func MinutesOf(effort string) float64 {
	switch effort {
	case "quick":
		return 0.1
	case "thorough":
		return 5
	}
	return 1
}

// GamesOf is how many games of self-play an evaluation is learned from where the clock may not decide: about what MinutesOf leaves room
// for on boards of a dozen cells.
func GamesOf(effort string) int64 {
	switch effort {
	case "quick":
		return 10_000
	case "thorough":
		return 1_000_000
	}
	return 200_000
}

// SameTables tells whether what is learned for a game has the same tables under the rules of another, so that it can serve it: see
// patterns.Kin.
func SameTables(g, other *engines.Game, o Options) bool {
	if !patterns.SameBoard(g, other) {
		return false
	}
	o = o.Fill(g)
	l, err := patterns.NewLayout(g, o.architecture(g))
	if err != nil {
		return false
	}
	k, err := patterns.NewLayout(other, l.Architecture())
	return err == nil && k.Params() == l.Params()
}

// Agent returns the path of an agent whose net was learned for a game: that which stands at the net's path already, or a new one,
// learned from so many games, or for about so many minutes where their number is 0, without a gate. A second opinion need not be the
// better one.
func Agent(ctx context.Context, g *engines.Game, net string, minutes float64, o Options) (string, error) {
	f := FilesOf(net)
	agent := f.Agent
	if !filepath.IsAbs(agent) {
		agent = "./" + agent
	}
	if data, err := files.Read(f.Net, patterns.FileLimit); err == nil {
		if _, err := patterns.Read(data, g); err == nil {
			return agent, nil
		}
	}
	s := Session{Game: g, Options: o, Minutes: minutes, Files: f, Tell: func(Report) {}}
	if _, err := s.Run(ctx); err != nil {
		return "", err
	}
	return agent, nil
}
