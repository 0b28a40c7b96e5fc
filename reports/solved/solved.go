// Package solved prints what the solvers find: the value of a game, how many states it has, proofs of positions.
package solved

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"spar/engines"
	"spar/engines/solve"
	"spar/reports/screen"
	"spar/reports/table"
)

// Output is where results go, as text or as JSON objects.
type Output struct {
	To     io.Writer
	JSON   bool
	Object func(kind string, v any) error // prints an object
}

// Solution is a solved game as JSON.
type Solution struct {
	solve.Summary
	Seconds float64 `json:"wall_s" help:"time in seconds"`
	// draw if the ply cap of the rules turns the result into a draw; otherwise empty
	UnderCap string `json:"under_max_plies,omitempty" help:"draw, if the ply cap of the rules, which the table ignores, turns the win into a draw"`
	maxPlies int
}

// New returns the solution of a game from its table. The game may have a ply cap, which the table ignores.
func New(t *solve.Table, g *engines.Game, seconds float64) Solution {
	r := Solution{Summary: t.Summary(), Seconds: seconds, maxPlies: g.Rules().Draw.MaxPlies}
	if root := t.Stats().Root; root.Under(r.maxPlies, 0) != root {
		r.UnderCap = solve.Draw.String()
	}
	return r
}

// States is the result of counting a game's states.
type States struct {
	Rules    string `json:"rules" help:"name of the rules"`
	States   uint64 `json:"states" help:"states up to symmetry and exchange of colours"`
	Bytes    int64  `json:"bytes" help:"memory needed for solving, in bytes"`
	Complete bool   `json:"complete" help:"false if --nodes or an interrupt ended the count: there are more states"`

	// number of ongoing positions without symmetry; null if counting them needs too much memory
	Ongoing *uint64 `json:"ongoing" help:"ongoing positions without reduction by symmetry; null if they were not counted"`
	Ended   *uint64 `json:"ended" help:"final positions without reduction by symmetry"`
}

// best lists the best openings, or says that all are equally good.
func (r *Solution) best() string {
	if len(r.Best) == len(r.Openings) {
		return "all"
	}
	return strings.Join(r.Best, " ")
}

// Text writes the solution as text.
func (r *Solution) Text(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s; best openings: %s\n", r.Rules, r.Outcome(), r.best())
	if r.UnderCap != "" {
		fmt.Fprintf(w, "with draw.max_plies %d, which the table ignores, the game is drawn before that win is reached\n",
			r.maxPlies)
	}
	fmt.Fprintf(w,
		"%d states (%d up to symmetry): %d won, %d lost, %d drawn for the side to move; longest forced win: %s\n",
		r.States, r.Reduced, r.Win, r.Loss, r.Draw, screen.Plural(r.MaxDTW, "ply"))
	_, err := fmt.Fprintf(w, "%.2f s, table of %s, about %s while solving\n", r.Seconds, solve.ByteText(r.Bytes),
		solve.ByteText(r.Peak))
	return err
}

// Table writes a table of solutions in Markdown.
func Table(w io.Writer, rows []Solution) error {
	t := table.To(w, []string{"rules", "states", "value", "longest", "best openings", "seconds", "table"})
	for _, r := range rows {
		t.Add(r.Rules, r.States, r.Outcome(), r.MaxDTW, r.best(), fmt.Sprintf("%.2f", r.Seconds), solve.ByteText(r.Bytes))
	}
	return t.Markdown(w)
}

// Count prints how many states a game has up to symmetry. It then prints the number of ongoing and of final positions,
// without reduction by symmetry. If the count is interrupted, Count prints the numbers so far.
func Count(ctx context.Context, g *engines.Game, o solve.Options, out Output) error {
	states, bytes, err := solve.Count(ctx, g, o)
	cut := errors.Is(err, solve.ErrStates) || ctx.Err() != nil
	if err != nil && !cut {
		return err
	}
	if errors.Is(err, solve.ErrStates) {
		states, err = o.States, nil // how many more it found depends on the number of workers
	}
	counted := States{Rules: g.Name(), States: states, Bytes: bytes, Complete: !cut}
	least, below := "", ""
	if cut {
		least = "at least "
	}
	if !out.JSON { // what follows can take longer
		_, failed := fmt.Fprintf(out.To, "%s: %s%d states up to symmetry and exchange of colours, %[2]sabout %[4]s to solve\n",
			g.Name(), least, states, solve.ByteText(bytes))
		err = errors.Join(err, failed)
	}
	if !cut {
		ongoing, ended, failed := solve.CountPositions(ctx, g, o)
		below = "counting positions without reduction by symmetry "
		switch {
		case failed == nil:
			counted.Ongoing, counted.Ended = &ongoing, &ended
			below = fmt.Sprintf("%d positions without reduction by symmetry: %d ongoing, %d final\n", ongoing+ended, ongoing,
				ended)
		case errors.As(failed, new(*solve.MemoryError)):
			below += fmt.Sprintf("needs more memory than --memory allows (%s)\n", solve.ByteText(o.Memory))
		case errors.Is(failed, solve.ErrStates):
			below += fmt.Sprintf("stopped at %d positions, the limit set by --nodes\n", o.States)
		default:
			below, err = "", errors.Join(err, failed)
		}
	}
	if out.JSON {
		return errors.Join(err, out.Object("state_count", counted))
	}
	_, failed := io.WriteString(out.To, below)
	return errors.Join(err, failed)
}
