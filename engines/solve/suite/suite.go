// Package suite solves lists of rules and compares the values with those that the lists state. A list has one [Entry]
// on each line, as JSON. Spar ships two: published (values from publications, or from programs that enumerate all
// positions and share no code with this engine) and people (line games that people judged, without values).
package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/rules"
	"spar/engines/solve"
)

// Entry is one line of a list.
type Entry struct {
	Name      string `json:"name" help:"name of the entry, unique in its list"`
	Rules     string `json:"rules" help:"the game in the form that spar solve accepts, with overrides"`
	Source    string `json:"source,omitempty" help:"source of the published value"`
	Published *Value `json:"published,omitempty" help:"value that the list states, if any"`

	Game *engines.Game `json:"-"` // the compiled rules
}

// Value is the value of a game from its start. Some of its fields may be unknown.
type Value struct {
	Winner string `json:"value" help:"who wins from the start: first, second or draw"`
	// plies to the end with best play; 0 = a draw, or unknown
	Plies int `json:"dtw,omitempty" help:"plies to the end with best play; omitted if unknown"`
	// number of first moves that win/draw/lose for the first player; empty = unknown
	Openings string `json:"openings,omitempty" help:"first moves that win/draw/lose for the first player; omitted if unknown"`
}

// String writes a value like "first in 9, openings 1/4/4", or "-" if there is none.
func (v *Value) String() string {
	if v == nil {
		return "-"
	}
	text := v.Winner
	if v.Plies > 0 {
		text += fmt.Sprint(" in ", v.Plies)
	}
	if v.Openings != "" {
		text += ", openings " + v.Openings
	}
	return text
}

// holds reports whether a value has all parts of a stated one.
func (v Value) holds(stated Value) bool {
	return v.Winner == stated.Winner && (stated.Plies == 0 || v.Plies == stated.Plies) &&
		(stated.Openings == "" || v.Openings == stated.Openings)
}

// Read reads a list. Errors contain the given name and the number of the line.
func Read(in io.Reader, name string) ([]Entry, error) {
	var out []Entry
	lines := map[string]int{}
	err := bulk.Each(in, name, func(number int, line []byte) error {
		e, err := read(line)
		if err == nil && lines[e.Name] > 0 {
			err = fmt.Errorf("name: %q is a duplicate; the first is on line %d", e.Name, lines[e.Name])
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		lines[e.Name], out = number, append(out, e)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = strict.Badf("%s: the file lists no game", name)
	}
	return out, err
}

func read(line []byte) (e Entry, err error) {
	if err := strict.JSON(line, &e); err != nil {
		return e, fmt.Errorf("expected one JSON object per line: %w", err)
	}
	if e.Name == "" {
		e.Name = e.Rules
	}
	p, words := e.Published, []string{"first", "second", "draw"}
	if p != nil && !slices.Contains(words, p.Winner) {
		return e, fmt.Errorf("published.value: %q: expected first, second or draw%s", p.Winner, strict.Suggest(p.Winner, words))
	}
	base, set := rules.SplitLabel(e.Rules)
	e.Game, err = engines.Named(base, rules.Overrides(set)...)
	return e, err
}

// Named returns a list that Spar ships, by its name, or reads one from a file whose name ends in .jsonl.
func Named(name string) ([]Entry, error) {
	file, data, err := configs.Suite(name)
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(data), file)
}

// Games returns the compiled rules of a list that Spar ships, by name.
func Games(name string) (map[string]*engines.Game, error) {
	all, err := Named(name)
	games := map[string]*engines.Game{}
	for _, e := range all {
		games[e.Name] = e.Game
	}
	return games, err
}

// Only returns the entries with one of the names: either their own, or that of their rules without overrides. Without
// names it returns all entries. It returns an error for a name that no entry has.
func Only(all []Entry, names []string) ([]Entry, error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, e := range all {
		base, _ := rules.SplitLabel(e.Rules)
		known = append(known, e.Name, base)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no entry %q in the suite%s", name, strict.Suggest(name, known))
		}
	}
	var out []Entry
	for i, e := range all {
		if slices.Contains(names, e.Name) || slices.Contains(names, known[2*i+1]) {
			out = append(out, e)
		}
	}
	return out, nil
}

// Result is the value that Spar finds for an entry.
type Result struct {
	Entry
	Ours    *Value  `json:"ours" help:"value that Spar finds; null if it finds none"`
	Verdict string  `json:"verdict" help:"same, different, solved (the list states no value) or unknown"`
	Why     string  `json:"why,omitempty" help:"why it is unknown"`
	By      string  `json:"by" help:"table of all states, proof of the start, or the method of a line game's proof"`
	States  uint64  `json:"states" help:"number of ongoing states, or positions expanded by the proof"`
	Seconds float64 `json:"wall_s" help:"time in seconds"`
}

// The values of Result.Verdict.
const (
	Same      = "same"
	Different = "different"
	Solved    = "solved"  // the list states no value
	Unknown   = "unknown" // the entry does not fit into the limits of time or memory
)

// Options are the limits of Run.
type Options struct {
	Workers int     // entries at a time, 0 = one for each processor; they share the memory
	Memory  int64   // maximum memory in bytes; 0 = no limit
	Seconds float64 // maximum time for each entry; 0 = no limit
}

// Run solves entries, several at a time, and passes the results to each, in the order of the entries. It returns the
// first error that each returns, or the error of ctx.
func Run(ctx context.Context, entries []Entry, o Options, each func(Result) error) error {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = max(1, min(o.Workers, len(entries)))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.Workers)
	var mu sync.Mutex
	done, next := make([]*Result, len(entries)), 0
	for i := range entries {
		group.Go(func() error {
			r, err := entries[i].solve(ctx, solve.Options{Workers: 1, Memory: o.Memory / int64(o.Workers)}, o.Seconds)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for done[i] = &r; next < len(done) && done[next] != nil; next++ {
				if err := each(*done[next]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// solve finds the value of an entry and compares the parts that the list states.
func (e *Entry) solve(ctx context.Context, o solve.Options, seconds float64) (Result, error) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if seconds > 0 {
		limited, cancel = context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	}
	defer cancel()
	began := time.Now()
	r := Result{Entry: *e, Verdict: Unknown}
	ours, err := r.ask(limited, o)
	r.Seconds = time.Since(began).Seconds()
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		r.Why = "no value within the time limit"
	case err != nil:
		r.Why = err.Error()
	case ours.Winner == "":
		r.Why = "no value within the memory limit"
	case e.Published == nil:
		r.Verdict, r.Ours = Solved, &ours
	case ours.holds(*e.Published):
		r.Verdict, r.Ours = Same, &ours
	default:
		r.Verdict, r.Ours = Different, &ours
	}
	return r, nil
}

// ask finds the value by a table if more than the winner is stated, or if no special prover knows the game and, where the
// table would be large, a short proof does not find it; otherwise, and if the table does not fit, by a proof.
func (r *Result) ask(ctx context.Context, o solve.Options) (Value, error) {
	whole := r.Published != nil && *r.Published != (Value{Winner: r.Published.Winner})
	if whole ||
		!solve.HasProver(r.Game) {
		small := o
		small.States, small.Progress = 200_000, nil
		large := func() bool {
			_, _, err := solve.Count(ctx, r.Game, small)
			return errors.Is(err, solve.ErrStates)
		}
		if !whole && large() {
			if v, err := r.byProof(ctx, o, 500_000); err == nil && v.Winner != "" {
				return v, nil
			}
		}
		v, err := r.byTable(ctx, o)
		if whole || !errors.As(err, new(*solve.MemoryError)) && !errors.As(err, new(*engines.KeyError)) {
			return v, err
		}
	}
	return r.byProof(ctx, o, 0)
}

func (r *Result) byTable(ctx context.Context, o solve.Options) (Value, error) {
	r.By = "table"
	t, err := solve.Solve(ctx, r.Game, o)
	if err != nil {
		return Value{}, err
	}
	s := t.Stats()
	v := Value{Winner: s.Winner(), Plies: s.Root.DTW}
	var count [3]int
	for _, opening := range s.Openings {
		count[opening.Outcome-solve.Loss]++
	}
	r.States, v.Openings = s.States, fmt.Sprintf("%d/%d/%d", count[2], count[1], count[0])
	return v, nil
}

func (r *Result) byProof(ctx context.Context, o solve.Options, nodes uint64) (Value, error) {
	s := r.Game.NewState()
	p, err := solve.Prove(ctx, &s, solve.ProofOptions{Nodes: nodes, Memory: o.Memory, Workers: o.Workers})
	r.By, r.States = cmp.Or(p.Method, "proof"), p.Nodes
	if err != nil || !p.Known() {
		return Value{}, err
	}
	winner := engines.Drawn
	if p.AtLeast != solve.Draw {
		winner = engines.FirstWins
		if (p.AtLeast == solve.Win) != (s.Side() == engines.First) {
			winner = engines.SecondWins
		}
	}
	return Value{Winner: winner.String()}, nil
}
