package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/arena/live"
	"spar/arena/store"
	"spar/configs/files"
	"spar/engines"
)

// Files holds the paths of the files that a training run writes: the net, the checkpoint, a net that failed the gate,
// and an agent that uses the net.
type Files struct{ Net, Part, Refused, Agent string }

// MeasuredOf returns the path of the file next to a net that holds its measurements.
func MeasuredOf(net string) string { return strings.TrimSuffix(net, ".net") + "-measured.json" }

// measured is the content of the file of measurements. Net is the hash of the net.
type measured struct {
	Net string `json:"net"`
	patterns.Measured
}

// FilesOf returns the names of the files that belong to a net.
func FilesOf(net string) Files {
	base := strings.TrimSuffix(net, ".net")
	return Files{
		Net:     net,
		Part:    base + ".part",
		Refused: base + "-refused.net",
		Agent:   base + "-learned.yaml",
	}
}

// Session learns a net for the rules and tests it in the gate.
type Session struct {
	Game    *engines.Game
	Options Options
	From    []byte  // content of the net's file to start from; nil = all numbers start at 0
	Minutes float64 `flag:"minutes=3" range:"(0,100000]" help:"time for everything: self-play on all workers, and the gate"`
	Files   Files
	Exam    Examination               // options of the gate; Pairs 0 means no gate
	DB      func() (*store.DB, error) // opens the study of the gate; Run closes it
	Open    *store.DB                 // the study of the gate if it is already open; nil = open it with DB
	Feed    *live.Feed
	Tell    func(Report)

	limit pace.Limit // time limit of the session
}

// Outcome is the result of a session.
type Outcome struct {
	Net *patterns.Net
	// matches of the gate; the first is against the evaluation that searches use without the net
	Matchups []Matchup
	Gained   bool     // the net passed the gate, or there was no gate
	Resumed  int64    // number of games that an interrupted earlier run had played
	Files    []string // paths of the written files
}

// paceShare is the fraction of the time for measuring how fast games are learned from. It is measured with a training
// run that is then discarded.
const paceShare = 0.03

// Run trains, plays the gate and writes the files. An interrupted session resumes when Run is called again with the
// same options.
func (s *Session) Run(ctx context.Context) (Outcome, error) {
	var out Outcome
	if s.Options.Games == 0 {
		if err := s.waitForWorkers(ctx); err != nil {
			return out, err
		}
		s.limit = pace.Within(pace.Seconds(60 * s.Minutes))
	}
	all, err := s.train(ctx, &out)
	if err != nil {
		return out, err
	}
	net, err := mean(all)
	if err != nil {
		return out, err
	}
	about := Provenance(all...)
	if s.Exam.Pairs > 0 {
		if err = s.gate(ctx, net, &out); err != nil {
			return out, err
		}
		first := out.Matchups[0]
		out.Gained = first.Gains() && !slices.ContainsFunc(out.Matchups, Matchup.Loses)
		about.Gate = &patterns.Gate{
			Against: first.Against,
			Search: fmt.Sprintf("%s, %d against %d a move", first.Search,
				first.Ours, first.Budget),
			Score: first.Score,
			Pairs: first.Pairs,
		}
	} else {
		out.Gained = true
	}
	return out, s.write(net, about, &out)
}

// part returns the path of a training run's checkpoint.
func (s *Session) part(run int) string {
	if s.Options.Seeds <= 1 {
		return s.Files.Part
	}
	return fmt.Sprintf("%s-%d.part", strings.TrimSuffix(s.Files.Part, ".part"), run+1)
}

// train does the training runs of all seeds, one after another.
func (s *Session) train(ctx context.Context, out *Outcome) ([]*Training, error) {
	runs := max(1, s.Options.Seeds)
	share, err := s.trainingShare(ctx)
	if err != nil {
		return nil, err
	}
	ends := s.limit.Part(share)
	var all []*Training
	for run := range runs {
		own := ends.Part(1 / float64(runs-run))
		t, measured, err := s.training(ctx, run, own)
		if err != nil {
			return nil, err
		}
		if _, err := t.Resume(s.part(run)); err != nil {
			return nil, err
		}
		if t.sizing = newSizing(own, measured); measured { // so that a resumed training has the same number of games
			if err := t.Save(s.part(run)); err != nil {
				return nil, err
			}
		}
		out.Resumed += t.Done()
		if err := s.runToEnd(ctx, t, run, Provenance(all...)); err != nil {
			return nil, err
		}
		all = append(all, t)
		if err := s.repeatRolledBack(ctx, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// afterwards is the fraction of the time that is kept for saving.
const afterwards = 0.02

// trainingShare returns the fraction of the time for self-play.
func (s *Session) trainingShare(ctx context.Context) (float64, error) {
	if !s.limit.Set() || s.Exam.Pairs == 0 {
		return 1 - afterwards, nil
	}
	t, err := New(ctx, s.Game, s.Options)
	if err != nil {
		return 0, err
	}
	net, err := t.Net()
	if err != nil {
		return 0, err
	}
	gate, err := s.Exam.duration(ctx, net, s.Game, min(2*time.Second, s.limit.Left()/50))
	if err != nil {
		return 0, err
	}
	return 1 - afterwards - min(0.5, gate.Seconds()/max(s.limit.Left().Seconds(), 1e-9)), nil
}

// waitForWorkers plays one batch on a pool before the time starts, because remote workers may have to connect first.
func (s *Session) waitForWorkers(ctx context.Context) error {
	if s.Options.Pool == nil {
		return nil
	}
	t, err := New(ctx, s.Game, s.Options)
	if err != nil {
		return err
	}
	net, err := t.Net()
	if err == nil {
		_, err = t.playTrusted(ctx, net, int(t.o.batchSize()))
	}
	return err
}

// runToEnd continues a training run to its end and saves checkpoints. Before is the provenance of the runs before it.
func (s *Session) runToEnd(ctx context.Context, t *Training, run int, before patterns.Provenance) error {
	saved := time.Now()
	err := t.Run(ctx, func(r Report) {
		r.Games += before.Games
		r.Total *= int64(max(1, s.Options.Seeds))
		r.CPU += before.CPUSecond
		s.Tell(r)
	}, func() error {
		if time.Since(saved) < 5*time.Second && !t.sizing.corrected {
			return nil
		}
		saved, t.sizing.corrected = time.Now(), false
		return t.Save(s.part(run))
	})
	if saveErr := t.Save(s.part(run)); saveErr != nil {
		return errors.Join(err, saveErr)
	}
	return err
}

// repeatRolledBack repeats the remote part of the earlier training runs when the last one rolled back: the unreliable
// worker may have played in them as well.
func (s *Session) repeatRolledBack(ctx context.Context, all []*Training) error {
	for last := all[len(all)-1]; last.rolledBack; {
		last.rolledBack = false
		for run, t := range all[:len(all)-1] {
			if t.beforeRemote == nil {
				continue
			}
			t.restore(t.beforeRemote)
			t.beforeRemote = nil
			if err := s.runToEnd(ctx, t, run, Provenance(all[:run]...)); err != nil {
				return err
			}
			last.rolledBack = last.rolledBack || t.rolledBack
			t.rolledBack = false
		}
	}
	return nil
}

// training returns a new training run. Its number of games is that of the options, or of a checkpoint, or else it
// measures how many fit into the time.
func (s *Session) training(ctx context.Context, run int, own pace.Limit) (t *Training, measured bool, err error) {
	o := s.Options
	o.Run, o.Seeds = run, 0
	for _, part := range []string{s.part(run), s.part(0)} {
		if o.Games > 0 {
			break
		}
		if o.Games, err = Games(part); err != nil {
			return nil, false, err
		}
	}
	if measured = o.Games == 0; measured {
		if t, err = New(ctx, s.Game, o); err != nil {
			return nil, false, err
		}
		hard, cancel := own.Hard(ctx)
		defer cancel()
		perGame, err := t.pace(hard, own.Part(paceShare))
		if err != nil && hard.Err() != nil && ctx.Err() == nil {
			err = t.tooShort()
		}
		if err != nil {
			return nil, false, err
		}
		n := o.batchSize()
		o.Games = max(n, int64(own.Left().Seconds()/perGame)/n*n)
	}
	t, err = New(ctx, s.Game, o)
	if err == nil && s.From != nil {
		if err = t.StartFrom(s.From); err != nil {
			err = fmt.Errorf("the net to start from: %w", err)
		}
	}
	return t, measured, err
}

// gate plays the gate.
func (s *Session) gate(ctx context.Context, net *patterns.Net, out *Outcome) error {
	_, data, err := net.With(patterns.Provenance{})
	if err != nil {
		return err
	}
	file, err := patterns.NewFile(data)
	if err != nil {
		return err
	}
	db := s.Open
	if db == nil {
		if db, err = s.DB(); err != nil {
			return err
		}
		defer db.Close()
	}
	x := s.Exam
	if x.Rivals == nil {
		x.Rivals = []Rival{defaultRival(s.Game), uct()}
	}
	x.Limit = s.limit.Part(1 - afterwards)
	out.Matchups, err = x.Examine(ctx, db, file, s.Game, s.Feed)
	return err
}

// write writes the files and removes the checkpoints.
func (s *Session) write(net *patterns.Net, about patterns.Provenance, out *Outcome) error {
	measures := about.Measured
	about.Measured = patterns.Measured{}
	net, data, err := net.With(about)
	if err != nil {
		return err
	}
	out.Net = net.Know(measures)
	path := s.Files.Net
	if !out.Gained {
		path = s.Files.Refused
	}
	if err := files.WriteBytes(path, data); err != nil {
		return err
	}
	out.Files = append(out.Files, path)
	if out.Gained {
		agent := fmt.Sprintf("# The learned evaluation of %s, one ply ahead. To use it in a search: --agent-set "+
			"minimax-4:evaluation.file=%s\n"+
			"type: heuristic\ndescription: Looks one ply ahead with an evaluation learned from %d games of "+
			"self-play.\nevaluation: {file: %s}\n",
			s.Game.Name(), path, about.Games, path[strings.LastIndexByte(path, '/')+1:])
		if err := files.WriteBytes(s.Files.Agent, []byte(agent)); err != nil {
			return err
		}
		out.Files = append(out.Files, s.Files.Agent)
	}
	text, err := json.MarshalIndent(measured{net.Hash(), measures}, "", "  ")
	if err == nil {
		err = files.WriteBytes(MeasuredOf(path), append(text, '\n'))
	}
	if err != nil {
		return err
	}
	out.Files = append(out.Files, MeasuredOf(path))
	for run := range max(1, s.Options.Seeds) {
		if err := os.Remove(s.part(run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// MinutesOf returns the time for learning an evaluation in a balance study with the given effort.
func MinutesOf(effort string) float64 {
	switch effort {
	case "quick":
		return 0.1
	case "thorough":
		return 5
	}
	return 1
}

// SameTables reports whether a net that is learned for one game has the same tables under the rules of another, and can
// be used there: see patterns.Kin.
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

// Agent returns the path of an agent with a net that was learned for a game. It uses the net at the given path, or
// learns one there: from Options.Games games or, if that is 0, for about the given number of minutes. There is no gate,
// because an evaluation for a second opinion need not be stronger.
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
	s := Session{
		Game:    g,
		Options: o,
		Minutes: minutes,
		Files:   f,
		Tell:    func(Report) {},
	}
	if _, err := s.Run(ctx); err != nil {
		return "", err
	}
	return agent, nil
}
