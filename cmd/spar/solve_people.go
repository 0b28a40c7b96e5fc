package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"spar/configs/strict"
	"spar/engines/people"
	"spar/engines/solve/lines"
	"spar/engines/solve/twice"
	"spar/reports/table"
)

// peopleSeconds is the default time in seconds for each of the two provers, for a game of the suite "people".
const peopleSeconds = 240

// settledGame is a game of the suite "people", with its value.
type settledGame struct {
	ID      string      `json:"id" help:"id of the game in the suite"`
	Value   lines.Value `json:"value" help:"first, second, draw or unknown"`
	Method  string      `json:"method" help:"method that gave the value; empty if the value is unknown"`
	Second  string      `json:"second_method" help:"method that confirmed it; every value on a board of at most 25 cells is confirmed"`
	Seconds float64     `json:"seconds" help:"time of both methods in seconds"`
	Rules   string      `json:"rules" help:"the game in the form that spar solve accepts, with overrides"`
}

// settlePeople finds the values of the games of the suite "people", several at a time, and prints them in the order of
// the suite.
func (s *suite) settlePeople(ctx context.Context, out, progress io.Writer, limited bool) error {
	if !limited {
		s.seconds = peopleSeconds
	}
	games, err := s.peopleGames()
	if err != nil {
		return err
	}
	began := time.Now()
	workers := s.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(games))
	results := make([]chan settledGame, len(games))
	for i := range results {
		results[i] = make(chan settledGame, 1)
	}
	next := make(chan int)
	var crew sync.WaitGroup
	defer crew.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for range workers {
		crew.Go(func() {
			for i := range next {
				r, err := s.settle(ctx, &games[i], s.options.Memory/int64(workers))
				if err != nil {
					cancel(err)
				}
				results[i] <- r
			}
		})
	}
	crew.Go(func() {
		defer close(next)
		for i := range games {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	count := map[lines.Value]int{}
	t := table.To(out, []string{"game", "value", "method", "confirmed by", "seconds"}, 5)
	for i := range games {
		if isTerminal(progress) {
			fmt.Fprintf(progress, "\r%3d of %d  %-50s", i+1, len(games), games[i].ID)
		}
		var r settledGame
		select {
		case r = <-results[i]:
		case <-ctx.Done():
		}
		if err = context.Cause(ctx); err != nil {
			break
		}
		count[r.Value]++
		if !s.asJSON {
			t.Add(r.ID, string(r.Value), r.Method, r.Second, fmt.Sprintf("%.2f", r.Seconds))
		} else if err = printJSON(out, "settled_game", r); err != nil {
			break
		}
	}
	if isTerminal(progress) {
		fmt.Fprintf(progress, "\r%70s\r", "")
	}
	if !s.asJSON {
		t.Write()
		fmt.Fprintf(out, "%d games solved: first wins %d, second wins %d, draw %d; %d unknown; %.0f s\n",
			count[lines.First]+count[lines.Second]+count[lines.Draw], count[lines.First], count[lines.Second],
			count[lines.Draw], count[lines.Unknown], time.Since(began).Seconds())
	}
	return err
}

// settle finds the value of one game.
func (s *suite) settle(ctx context.Context, game *people.Game, memory int64) (settledGame, error) {
	r := settledGame{ID: game.ID, Rules: game.Label()}
	g, err := game.Compile()
	if err != nil {
		return r, err
	}
	began := time.Now()
	settled, err := twice.Settle(ctx, g, twice.Options{Memory: memory, Seconds: s.seconds})
	r.Value, r.Method, r.Second, r.Seconds = settled.Value, settled.Method, settled.Second, time.Since(began).Seconds()
	return r, err
}

// peopleGames returns the requested games of the suite.
func (s *suite) peopleGames() ([]people.Game, error) {
	all, err := people.Suite()
	if err != nil || len(s.only) == 0 {
		return all, err
	}
	var ids []string
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	var bad error
	for _, id := range s.only {
		if !slices.Contains(ids, id) {
			bad = errors.Join(bad, fmt.Errorf("no game %q in the suite people%s", id, strict.Suggest(id, ids)))
		}
	}
	if bad != nil {
		return nil, usageError{bad}
	}
	return slices.DeleteFunc(all, func(g people.Game) bool { return !slices.Contains(s.only, g.ID) }), nil
}
