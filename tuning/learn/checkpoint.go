package learn

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"spar/agents/patterns"
	"spar/configs/files"
	"spar/configs/strict"
)

// state is everything that a training run has learned.
type state struct {
	Done, Decided    int64
	Numbers, Squares []float32
	Course           course
}

// state returns a copy of the current state.
func (t *Training) state() state {
	c := t.course
	c.Stages = slices.Clone(c.Stages)
	return state{t.done, t.decided, slices.Clone(t.trainer.Numbers), slices.Clone(t.trainer.Squares), c}
}

// restore returns the training to a state, whose slices it then owns.
func (t *Training) restore(s *state) {
	t.done = s.Done
	t.decided = s.Decided
	t.trainer.Numbers = s.Numbers
	t.trainer.Squares = s.Squares
	t.course = s.Course
}

// checkpoint is a training run on disk. Do not rename its fields: files of earlier versions have these names.
type checkpoint struct {
	Plan  string
	Total int64
	CPU   float64
	From  string
	State state
	Alone *state // state before the first game of a remote worker; nil if there was none
}

// ErrOtherTraining means that a checkpoint belongs to a training run with another plan.
var ErrOtherTraining = strict.Mistake("the checkpoint belongs to another training run")

// plan describes as text everything that determines the numbers. The number of workers does not.
func (t *Training) plan() (string, error) {
	o := t.o
	o.Workers, o.CPU, o.Assets, o.Pool, o.Log = 0, nil, nil, nil, nil
	text, err := json.Marshal(struct {
		Rules        string
		Architecture patterns.Architecture
		Options      Options
		From         string
	}{t.game.RulesHash(), t.layout.Architecture(), o, t.from})
	if err != nil {
		return "", fmt.Errorf("learn: plan: %w", err)
	}
	return string(text), nil
}

// Save writes the training to a file. The file is replaced completely or not at all.
func (t *Training) Save(path string) error {
	plan, err := t.plan()
	if err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error {
		return gob.NewEncoder(w).Encode(checkpoint{plan, t.o.Games, t.cpu, t.from, t.state(), t.beforeRemote})
	})
}

// read reads a checkpoint; nil if the file does not exist.
func read(path string) (*checkpoint, error) {
	data, err := files.Read(path, 32*patterns.FileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	var c checkpoint
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&c); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w; delete it to start again", path, err)
	}
	return &c, nil
}

// Games returns the total number of games planned in a checkpoint; 0 if there is no checkpoint.
func Games(path string) (int64, error) {
	c, err := read(path)
	if c == nil {
		return 0, err
	}
	return c.Total, nil
}

// Resume resumes from a file that Save wrote, and reports whether there is one. The error is ErrOtherTraining for a
// checkpoint with another plan.
func (t *Training) Resume(path string) (bool, error) {
	c, err := read(path)
	if c == nil {
		return false, err
	}
	plan, err := t.plan()
	if err != nil {
		return false, err
	}
	n := t.layout.Params()
	if c.Plan != plan || len(c.State.Numbers) != n || len(c.State.Squares) != n {
		return false, fmt.Errorf("%w: %s holds %d games with other rules or options; continue that run, delete the "+
			"file, or choose another --out", ErrOtherTraining, path, c.State.Done)
	}
	t.cpu, t.beforeRemote = c.CPU, c.Alone
	t.restore(&c.State)
	return true, nil
}
