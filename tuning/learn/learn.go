// Package learn learns an evaluation from self-play and tests it.
//
// # Terms
//
// A net is the tables of package patterns with their numbers. A training run plays batches of games of self-play, each
// batch with the same numbers, and then updates the numbers by TD(lambda), game by game. A snapshot is an earlier
// net of a training run. A base is the evaluation that the
// tables correct. The gate is a set of matches of the net against the evaluations that searches use without it
// (the rivals), at equal CPU time.
//
// # Data flow
//
// Session.Run trains once for each seed (Training.Run), takes the mean of their nets, plays the gate
// (Examination.Examine) and the curve, and writes the net, an agent that uses it, and what was measured. Games are
// played in this process or by an arena.Pool. A training run saves checkpoints, so that an interrupted session
// resumes.
//
// The same seed gives the same net on any number of workers, in one run or interrupted and resumed. A time limit
// (Session.Minutes) only decides the number of games.
package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"spar/agents/patterns"
	"spar/arena"
	"spar/engines"
)

// Options are the options of a training run. Fill sets the defaults of zero fields.
type Options struct {
	Games   int64   `flag:"games" not:"minutes" help:"games of self-play, instead of --minutes"`
	Lambda  float64 `flag:"lambda=0.7" in:"Self-play and training" help:"lambda of TD(lambda), 0 to 1"`
	Rate    float64 `flag:"rate=0.05" in:"Self-play and training" help:"learning rate at the start; it falls to a tenth"`
	Epsilon float64 `flag:"epsilon=0.1" in:"Self-play and training" help:"fraction of random moves after the opening"`
	Opening int     `flag:"opening-plies" in:"Self-play and training" help:"maximum number of random plies at the start of a game; 0 = depends on the board size"`
	// number of plies after which a game is stopped. By default a stopped game counts as a draw; if the user sets a
	// number, the game is discarded
	Longest int      `flag:"longest" in:"Self-play and training" help:"stop games after this many plies and discard them; 0 = choose a length by the board size, and count stopped games as draws"`
	Drawn   bool     // stopped games count as draws; set by Fill
	Depth   int      `flag:"depth" help:"search depth of self-play, 1 to 3 plies; deeper is slower, and helps if one ply misses threats; 0 = 3 if pieces of several kinds must capture, otherwise 1"`
	Seed    int64    `flag:"seed=1"`
	Seeds   int      `json:",omitempty" flag:"seeds=1" in:"Self-play and training" range:"[1," help:"number of training runs, with seeds from --seed on; the net is the mean of their nets"`
	Run     int      `json:",omitempty"` // index of this training run, from 0
	Workers int      `flag:"workers"`
	Tables  []string `flag:"tables" in:"Tables" list:"comma" help:"pattern tables, instead of those that suit the rules (an unknown name prints the list)"`
	Stages  int      `json:",omitempty" flag:"stages" in:"Tables" help:"stages of a game with separate weights, by the number of pieces on the board, up to 4; 0 = one"`
	Walks   int      `flag:"walks" in:"Tables" help:"number of additional tables over random walks of 8 cells (7 under gravity, 4 if pieces age)"`
	// for rules with a cap: how many ages of pieces to distinguish, counted in placements until a piece leaves; nil =
	// as suits the rules
	Ages *int `json:",omitempty"`
	// for rules with gravity: whether cells where a piece can land have a state of their own; nil = as suits the
	// rules
	Open   *bool          `json:",omitempty"`
	Base   string         `flag:"base" in:"Tables" help:"evaluation to which the tables add corrections: none, or linear (the evaluation without a net); default: linear if pieces of several kinds must capture, otherwise none"`
	Colour *bool          // separate weights for each side to move; nil = as suits the rules
	CPU    func() float64 `json:"-"` // returns the CPU seconds that this process has used; nil = always 0
	// games between two updates of the net; 0 = 128. The result depends on this number
	Batch  int           `json:",omitempty" flag:"batch" in:"Self-play and training" help:"games between two updates of the net; 0 = 128. Larger batches suit many machines"`
	Assets *arena.Assets `json:"-"` // rules, agents and nets that the pool needs
	Pool   arena.Pool    `json:"-"` // plays the games; nil = Workers goroutines of this process
	Log    func(string)  `json:"-"` // receives messages about unreliable workers; may be nil
}

// batch is the default number of games that are played with the same numbers.
const batch = 128

// batchSize returns the number of games that are played with the same numbers.
func (o *Options) batchSize() int64 { return int64(cmp.Or(o.Batch, batch)) }

// Fill sets the defaults for a game.
func (o Options) Fill(g *engines.Game) Options {
	o.Games = cmp.Or(o.Games, 50_000)
	o.Lambda = cmp.Or(o.Lambda, 0.7)
	o.Rate = cmp.Or(o.Rate, 0.05)
	o.Epsilon = cmp.Or(o.Epsilon, 0.1)
	if patterns.Draughts(g) { // one ply ends in the middle of exchanges, and material decides
		o.Depth, o.Base = cmp.Or(o.Depth, 3), cmp.Or(o.Base, LinearBase)
	}
	o.Depth = cmp.Or(o.Depth, 1)
	o.Base = cmp.Or(o.Base, NoBase)
	o.Opening = cmp.Or(o.Opening, min(20, max(2, g.Cells()/6)))
	if o.Longest == 0 {
		o.Longest, o.Drawn = 6*g.Cells()+40, true
	}
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	if o.CPU == nil {
		o.CPU = func() float64 { return 0 }
	}
	return o
}

// Upper limits, because a batch of games and all training runs are kept in memory.
const (
	mostBatch = 100_000
	mostSeeds = 100
)

// seed returns the seed of the games. Random walks and calibration use Seed, the same in all training runs of a
// session.
func (o *Options) seed() int64 { return o.Seed + int64(o.Run) }

// Check returns an error for options that cannot be used. Call Fill first.
func (o *Options) Check() error {
	switch {
	case o.Games < 0:
		return fmt.Errorf("learn: games %d: expected 0 or more", o.Games)
	case !(o.Lambda >= 0 && o.Lambda <= 1):
		return fmt.Errorf("learn: lambda %v: expected 0 to 1", o.Lambda)
	case !(o.Rate > 0 && o.Rate <= 10):
		return fmt.Errorf("learn: rate %v: expected a number above 0, up to 10", o.Rate)
	case o.Seeds < 0 || o.Seeds > mostSeeds:
		return fmt.Errorf("learn: seeds %d: expected 1 to %d", o.Seeds, mostSeeds)
	case o.Batch < 0 || o.Batch > mostBatch:
		return fmt.Errorf("learn: batch %d: expected 1 to %d", o.Batch, mostBatch)
	case o.Base != NoBase && o.Base != LinearBase:
		return fmt.Errorf("learn: base %q: expected %s or %s", o.Base, NoBase, LinearBase)
	}
	if err := o.selfPlay().Check(); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	return nil
}

// architecture returns the default architecture of the game with the changes of the options.
func (o *Options) architecture(g *engines.Game) patterns.Architecture {
	a := patterns.For(g)
	if o.Tables != nil {
		a.Tables = o.Tables
	}
	a.Stages = o.Stages
	if o.Open != nil {
		a.Open = *o.Open
	}
	if o.Ages != nil {
		a.Ages = *o.Ages
	}
	if o.Walks > 0 {
		a.Tables = append(a.Tables, "walk")
		a.Walks = o.Walks
		a.WalkLength = 8
		if a.Open {
			a.WalkLength = 7
		}
		if a.Ages > 0 {
			a.WalkLength = 4
		}
		a.WalkSeed = uint64(o.Seed)
	}
	if o.Colour != nil {
		a.Colour = *o.Colour
	}
	return a
}

// Report is the progress of a training run.
type Report struct {
	Games int64   `json:"games"`
	Total int64   `json:"total"`
	CPU   float64 `json:"cpu_s"`
	// mean cross-entropy since the last report, in nats; always guessing 1/2 gives 0.693
	Loss    float64 `json:"loss"`
	First   float64 `json:"first"`   // mean score of the first player since the last report
	Draws   float64 `json:"draws"`   // fraction of drawn games since the last report
	Plies   float64 `json:"plies"`   // mean number of plies since the last report
	Decided int64   `json:"decided"` // games with a winner so far
}

// ErrNoSignal means that nothing can be learned from the games of self-play.
var ErrNoSignal = errors.New("self-play gives no signal")

// Training is a training run in progress.
type Training struct {
	o            Options
	game         *engines.Game
	layout       *patterns.Layout
	trainer      *patterns.Trainer
	done         int64
	decided      int64
	cpu          float64 // CPU time in seconds
	from         string
	course       course
	sizing       sizing
	remote       bool   // remote workers played some games of the latest batch
	beforeRemote *state // state before the first batch with remote workers; nil = there was none
	rolledBack   bool   // the training was rolled back to beforeRemote, because a worker was unreliable
}

// New returns a training run. With a linear base, it first plays some games to find the scale of the linear evaluation.
// If ctx ends, it returns the error of ctx.
func New(ctx context.Context, g *engines.Game, o Options) (*Training, error) {
	o = o.Fill(g)
	if err := o.Check(); err != nil {
		return nil, err
	}
	a := o.architecture(g)
	if o.Base == LinearBase {
		var err error
		if a.Linear, err = calibrated(ctx, g, a, o); err != nil {
			return nil, err
		}
	}
	l, err := patterns.NewLayout(g, a)
	if err != nil {
		return nil, err
	}
	return &Training{o: o, game: g, layout: l, trainer: l.NewTrainer()}, nil
}

// StartFrom starts from the weights of another net with the same tables, for example of a net for a variant.
func (t *Training) StartFrom(file []byte) error {
	numbers, err := t.layout.Start(file)
	if err != nil {
		return err
	}
	about, _, err := patterns.Header(file)
	if err != nil {
		return err
	}
	t.trainer.Numbers, t.from = numbers, about.Rules
	return nil
}

// Done returns the number of games that have been played.
func (t *Training) Done() int64 { return t.done }

// Net returns the current net.
func (t *Training) Net() (*patterns.Net, error) { return t.layout.New(t.trainer.Numbers) }

// signalAfter is the number of games after which at least one must have had a winner.
const signalAfter = 20 * batch

// Run plays and learns until all games are done. When ctx ends, Run returns its error; another call continues from
// there. Run calls tell and save after batches, at most five times per second.
func (t *Training) Run(ctx context.Context, tell func(Report), save func() error) error {
	told, before := time.Now(), t.o.CPU()-t.cpu
	var recent Report
	var positions int
	soft, cancel := t.sizing.limit.Soft(ctx)
	defer cancel()
	hard, end := t.sizing.limit.Hard(ctx)
	defer end()
	for t.done < t.o.Games {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := int(min(t.o.batchSize(), t.o.Games-t.done))
		net, err := t.Net()
		if err != nil {
			return err
		}
		within := soft
		if t.done == 0 { // the first batch may exceed the time: without it there is no net
			within = hard
		}
		lessons, err := t.play(within, net, n)
		if d := (*arena.Distrust)(nil); errors.As(err, &d) {
			t.rollBack(d)
			continue
		}
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			return t.timeUp()
		}
		if err != nil {
			return err
		}
		if t.remote && t.beforeRemote == nil {
			before := t.state()
			t.beforeRemote = &before
		}
		rate := t.o.Rate * (1 - 0.9*float64(t.done)/float64(t.o.Games))
		for _, lesson := range lessons {
			loss, k := 0.0, 0
			if !lesson.Cut {
				loss, k = t.trainer.Learn(lesson, t.o.Lambda, rate)
			}
			recent.Loss += loss
			positions += k
			recent.First += lesson.Result
			recent.Plies += float64(len(lesson.Moves))
			if lesson.Result == 0.5 {
				recent.Draws++
			} else {
				t.decided++
			}
			recent.Games++
			t.course.add(&lesson, loss, k, t.o.Games)
		}
		t.done += int64(n)
		t.cpu = t.o.CPU() - before
		t.correct()
		if t.done >= signalAfter && t.decided < t.done/1000 {
			return fmt.Errorf("%w: %d of %d games had a winner; use more random moves (--epsilon, --opening-plies) "+
				"or rules with a "+
				"goal that random play reaches", ErrNoSignal, t.decided, t.done)
		}
		if time.Since(told) < 200*time.Millisecond && t.done < t.o.Games && !t.sizing.corrected {
			continue
		}
		told = time.Now()
		g := float64(recent.Games)
		tell(Report{
			Games:   t.done,
			Total:   t.o.Games,
			CPU:     t.cpu,
			Loss:    recent.Loss / float64(max(positions, 1)),
			First:   recent.First / g,
			Draws:   recent.Draws / g,
			Plies:   recent.Plies / g,
			Decided: t.decided,
		})
		recent, positions = Report{}, 0
		if save != nil {
			if err := save(); err != nil {
				return err
			}
		}
	}
	return nil
}
