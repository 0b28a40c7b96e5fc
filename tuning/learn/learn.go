// Package learn teaches an evaluation to itself: games of self-play on frozen numbers, batch by batch, then TD(lambda)
// over the games in order. The same seed gives the same net on any number of workers, in one go or interrupted and
// resumed.
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

// Options of a training. Zero fields have the defaults of Fill.
type Options struct {
	Games   int64   // of self-play
	Lambda  float64 // of TD(lambda), 0 to 1
	Rate    float64 // of the first updates; it falls evenly to a tenth
	Epsilon float64 // share of random moves after the opening
	Opening int     // most random plies that a game begins with
	Longest int     // plies after which a game is cut off; stated, nothing is learned from such games, by default they count as drawn
	Drawn   bool    // games that are cut off count as drawn; set by Fill
	Depth   int     // plies that a player of self-play looks ahead
	League  float64 // share of games in which one side plays by an older net of the training
	Seed    int64
	Seeds   int `json:",omitempty"` // trainings of a session, on seeds from Seed on, whose mean is the net; 0 = 1
	Run     int `json:",omitempty"` // which of them this is, from 0
	Workers int
	Tables  []string       // in place of those that the mechanics ask for
	Walks   int            // random walks, besides
	Ages    *int           `json:",omitempty"` // under a cap, tell pieces apart by the placements that they have left, up to this many; nil = by the rules
	Open    *bool          `json:",omitempty"` // under gravity, cells on which a piece would come to rest have a state of their own; nil = by the rules
	Base    string         // NoBase or LinearBase
	Colour  *bool          // numbers of their own for each side to move
	CPU     func() float64 `json:"-"`          // CPU-seconds of this process; nil = not told
	Batch   int            `json:",omitempty"` // games on the same numbers; the result depends on it; 0 = 128
	Assets  *arena.Assets  `json:"-"`          // of the pool
	Pool    arena.Pool     `json:"-"`          // who plays the games; nil = Workers of this process
	Log     func(string)   `json:"-"`          // told what went wrong with other machines; nil = nobody
}

// batch is how many games are played on the same numbers, unless the options say otherwise.
const batch = 128

// most is how many games are played on the same numbers.
func (o *Options) most() int64 { return int64(cmp.Or(o.Batch, batch)) }

// Fill sets what was left out, for a game.
func (o Options) Fill(g *engines.Game) Options {
	o.Games = cmp.Or(o.Games, 50_000)
	o.Lambda = cmp.Or(o.Lambda, 0.7)
	o.Rate = cmp.Or(o.Rate, 0.05)
	o.Epsilon = cmp.Or(o.Epsilon, 0.1)
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

// Bounds for what is kept in memory: games of a batch, and trainings.
const (
	mostBatch = 100_000
	mostSeeds = 100
)

// seed is that of the games: walks and what is calibrated are the same in all trainings of a session.
func (o *Options) seed() int64 { return o.Seed + int64(o.Run) }

// Check returns an error that names what is wrong with options that Fill has seen.
func (o *Options) Check() error {
	switch {
	case o.Games < 0:
		return fmt.Errorf("learn: %d games", o.Games)
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
	case !(o.League >= 0 && o.League <= 1):
		return fmt.Errorf("learn: league %v: expected 0 to 1", o.League)
	}
	if err := o.selfPlay().Check(); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	return nil
}

// architecture is that of the game with what the options change.
func (o *Options) architecture(g *engines.Game) patterns.Architecture {
	a := patterns.For(g)
	if o.Tables != nil {
		a.Tables = o.Tables
	}
	if o.Open != nil {
		a.Open = *o.Open
	}
	if o.Ages != nil {
		a.Ages = *o.Ages
	}
	if o.Walks > 0 {
		a.Tables, a.Walks, a.WalkLength = append(a.Tables, "walk"), o.Walks, 8
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

// Report is where a training stands.
type Report struct {
	Games   int64   `json:"games"`
	Total   int64   `json:"total"`
	CPU     float64 `json:"cpu_s"`
	Loss    float64 `json:"loss"`    // mean cross entropy of the last batches, in nats; 0.693 knows nothing
	First   float64 `json:"first"`   // the first player's score in them
	Draws   float64 `json:"draws"`   // share
	Plies   float64 `json:"plies"`   // mean length
	Decided int64   `json:"decided"` // games with a winner so far
}

// ErrNoSignal says that the games of self-play teach nothing.
var ErrNoSignal = errors.New("self-play gives no signal")

// Training is a training under way.
type Training struct {
	o       Options
	game    *engines.Game
	layout  *patterns.Layout
	trainer *patterns.Trainer
	done    int64
	decided int64
	cpu     float64 // seconds
	from    string
	course  course
	fills   filling
	older   []older
	others  bool   // other machines had a part in the latest batch
	alone   *state // before they had one; nil = they had none
	back    bool   // it went back because one of them was unreliable
}

// New begins a training. On a linear evaluation it plays some games first, until ctx ends.
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

// StartFrom takes the numbers of another net for a beginning: one of a variant, with the same tables.
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

// Done is how many games have been learned from.
func (t *Training) Done() int64 { return t.done }

// Net is the net as it stands.
func (t *Training) Net() (*patterns.Net, error) { return t.layout.New(t.trainer.Numbers) }

// signalAfter is how many games must have had a winner among them.
const signalAfter = 20 * batch

// Run plays and learns until all games are done or the context ends, which is its error then: what was learned stays,
// and Run goes on. Tell is called after batches, at most every so often.
func (t *Training) Run(ctx context.Context, tell func(Report), save func() error) error {
	told, before := time.Now(), t.o.CPU()-t.cpu
	var recent Report
	var positions int
	soft, cancel := t.fills.limit.Soft(ctx)
	defer cancel()
	hard, end := t.fills.limit.Hard(ctx)
	defer end()
	for t.done < t.o.Games {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := int(min(t.o.most(), t.o.Games-t.done))
		net, err := t.Net()
		if err != nil {
			return err
		}
		within := soft
		if t.done == 0 { // one batch is the least that teaches something
			within = hard
		}
		lessons, err := t.play(within, net, n)
		if d := (*arena.Distrust)(nil); errors.As(err, &d) {
			t.goBack(d)
			continue
		}
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			return t.timeUp()
		}
		if err != nil {
			return err
		}
		if t.others && t.alone == nil {
			before := t.state()
			t.alone = &before
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
		if err := t.keepOlder(); err != nil {
			return err
		}
		t.cpu = t.o.CPU() - before
		t.correct()
		if t.done >= signalAfter && t.decided < t.done/1000 {
			return fmt.Errorf("%w: %d of %d games had a winner; give the games more random moves (--epsilon, --opening) or the rules a goal that play reaches", ErrNoSignal, t.decided, t.done)
		}
		if time.Since(told) < 200*time.Millisecond && t.done < t.o.Games && !t.fills.corrected {
			continue
		}
		told = time.Now()
		g := float64(recent.Games)
		tell(Report{Games: t.done, Total: t.o.Games, CPU: t.cpu, Loss: recent.Loss / float64(max(positions, 1)), First: recent.First / g, Draws: recent.Draws / g, Plies: recent.Plies / g, Decided: t.decided})
		recent, positions = Report{}, 0
		if save != nil {
			if err := save(); err != nil {
				return err
			}
		}
	}
	return nil
}
