// Package openings draws the openings of tournaments: lists, random ones, and nearly even ones.
package openings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"spar/agents"
	"spar/engines"
)

// Options describe how games start, as in a tournament file. Every match-up has the same openings in the same order.
type Options struct {
	// Which random openings are played. any: all. balanced: those that a search scores near 0.5, so that the seat does not
	// decide the pair. Short form: "openings: balanced".
	Draw string `yaml:"draw" json:"draw,omitempty" jsonschema:"enum=any,enum=balanced"`
	// Random plies before the agents move. Default for balanced openings: a third of the cells, at most 8. Of openings
	// that are equal by symmetry or transposition, Spar draws one; it skips those in which a shallow search finds a forced
	// win.
	Plies int `yaml:"plies" json:"plies" jsonschema:"minimum=0,maximum=60"`
	// Openings as lists of moves, instead of random ones.
	Lines []string `yaml:"lines" json:"lines,omitempty"`
	// File with one opening on each line, instead of random ones. # begins a comment.
	File string `yaml:"file" json:"file,omitempty"`
}

// ShorthandKey lets a plan write "openings: balanced" for "openings: {draw: balanced}".
func (*Options) ShorthandKey() string { return "draw" }

// Balanced reports whether the plan draws only nearly even openings.
func (o Options) Balanced() bool { return o.Draw == "balanced" }

// Random returns the number of random plies of an opening under the rules of a game.
func (o Options) Random(g *engines.Game) int {
	if o.Balanced() && o.Plies == 0 {
		return min(8, g.Cells()/3)
	}
	return o.Plies
}

// Check returns an error if the plan wants balanced openings and there are none.
func (o Options) Check(g *engines.Game, seed int64) error {
	if !o.Balanced() || len(NewBook(g, o, seed).Opening(0)) > 0 {
		return nil
	}
	return fmt.Errorf("no opening of at most %d random plies is balanced; change plies, or set openings: {draw: any, "+
		"plies: %[1]d}", o.Random(g))
}

// Book has the openings of one game: the same index gives the same opening in every match-up. Random openings are
// drawn in order when they are first needed. It is safe for concurrent use.
type Book struct {
	mu     sync.Mutex
	game   *engines.Game
	plies  int
	fixed  [][]engines.Move // openings from a list
	drawn  [][]engines.Move
	texts  map[int64]string // texts of the openings used so far
	length int              // plies of the random openings; fewer than requested if longer ones would end the game
	seen   map[uint64]bool  // positions after the openings so far; symmetric ones count as equal
	rng    *rand.Rand
	closed bool  // there are no more distinct openings
	even   *even // reports whether an opening is nearly even; nil if openings need not be
}

// streamOpening marks the random streams that draw openings.
const streamOpening = 1

// drawTries is the number of consecutive failed draws after which the book counts as complete.
const drawTries = 300

// shallow is the depth, in plies, to which openings are searched for forced wins.
const shallow = 2

// NewBook returns a book. The same rules, openings and seed give the same openings in the same order.
func NewBook(g *engines.Game, o Options, seed int64) *Book {
	plies := o.Random(g)
	b := &Book{
		game:   g,
		plies:  plies,
		length: plies,
		texts:  map[int64]string{},
		seen:   map[uint64]bool{},
		rng:    agents.StreamSeed(seed, streamOpening, 0).Stream(),
	}
	if o.Balanced() {
		b.even = newEven(g)
	}
	for _, line := range o.Lines {
		if moves, err := Read(g, line); err == nil { // checked when the plan was read
			b.fixed = append(b.fixed, moves)
		}
	}
	return b
}

// Read parses moves from the start of the game.
func Read(g *engines.Game, line string) ([]engines.Move, error) {
	p := g.NewPosition()
	if err := p.PlayText(strings.Fields(line)); err != nil {
		return nil, err
	}
	return slices.Clone(p.Played()), nil
}

// Text returns the moves of an opening as text.
func (b *Book) Text(index int64) string {
	moves := b.Opening(index)
	if len(moves) == 0 {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := max(len(b.fixed), len(b.drawn)); n > 0 {
		index %= int64(n)
	}
	text, ok := b.texts[index]
	if !ok {
		text = b.game.JoinMoves(moves)
		b.texts[index] = text
	}
	return text
}

// Opening returns the moves of an opening; do not modify them. If there are fewer openings than requested, they
// repeat.
func (b *Book) Opening(index int64) []engines.Move {
	switch {
	case len(b.fixed) > 0:
		return b.fixed[index%int64(len(b.fixed))]
	case b.plies == 0:
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && int64(len(b.drawn)) <= index {
		b.draw()
	}
	if len(b.drawn) == 0 {
		return nil
	}
	return b.drawn[index%int64(len(b.drawn))]
}

// Distinct returns the number of distinct openings among the first n indices.
func (b *Book) Distinct(n int64) int64 {
	if n == 0 {
		return 0
	}
	b.Opening(n - 1)
	switch {
	case len(b.fixed) > 0:
		return min(n, int64(len(b.fixed)))
	case b.plies == 0:
		return 1
	}
	return min(n, max(1, int64(len(b.drawn))))
}

// draw adds one opening, or closes the book if it finds no new one.
func (b *Book) draw() {
	for range drawTries {
		p := b.game.NewPosition()
		for range b.length {
			legal := p.AppendMoves(nil)
			p.Play(legal[b.rng.IntN(len(legal))])
			if p.Over() {
				break
			}
		}
		if p.Over() {
			continue
		}
		name := p.CanonicalHash()
		old := b.seen[name]
		b.seen[name] = true
		// Whether a side can force a win: all moves are searched without an evaluation, so that openings stay the same when
		// searches improve.
		if old || forced(p, shallow) != engines.Ongoing ||
			b.even != nil && math.Abs(b.even.score(&p.State)-0.5) > evenWithin {
			continue
		}
		b.drawn = append(b.drawn, slices.Clone(p.Played()))
		return
	}
	if len(b.drawn) == 0 && b.length > 1 { // every opening of this length ends the game or decides it
		b.length--
		return
	}
	b.closed = true
}

// forced returns the side that can force a win within the given number of plies; Ongoing if neither can.
func forced(p *engines.Position, plies int) engines.Result {
	if p.Over() {
		if p.Result() == engines.Drawn {
			return engines.Ongoing
		}
		return p.Result()
	}
	if plies == 0 {
		return engines.Ongoing
	}
	side, lost := p.Side(), true
	var next engines.Position
	for _, m := range p.AppendMoves(nil) {
		next.CopyFrom(p)
		next.Play(m)
		switch forced(&next, plies-1) {
		case engines.Winner(side):
			return engines.Winner(side)
		case engines.Ongoing:
			lost = false
		}
	}
	if lost {
		return engines.Winner(1 - side)
	}
	return engines.Ongoing
}
