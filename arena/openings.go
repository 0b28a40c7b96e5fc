package arena

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"spar/engines"
)

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

// drawTries is the number of consecutive failed draws after which the book counts as complete.
const drawTries = 300

// shallow is the depth, in plies, to which openings are searched for forced wins.
const shallow = 2

// NewBook returns a book. The same rules, openings and seed give the same openings in the same order.
func NewBook(g *engines.Game, o Openings, seed int64) *Book {
	plies := o.random(g)
	b := &Book{
		game: g, plies: plies, length: plies, texts: map[int64]string{}, seen: map[uint64]bool{},
		rng: rand.New(stream(seed, streamOpening, 0)),
	}
	if o.balanced() {
		b.even = newEven(g)
	}
	for _, line := range o.Lines {
		if moves, err := readLine(g, line); err == nil { // checked when the plan was read
			b.fixed = append(b.fixed, moves)
		}
	}
	return b
}

// readLine parses moves from the start of the game.
func readLine(g *engines.Game, line string) ([]engines.Move, error) {
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
	if n := b.count(); n > 0 {
		index %= n
	}
	text, ok := b.texts[index]
	if !ok {
		text = b.game.JoinMoves(moves)
		b.texts[index] = text
	}
	return text
}

// count returns the number of openings so far.
func (b *Book) count() int64 { return int64(max(len(b.fixed), len(b.drawn))) }

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
		if b.seen[name] || decided(p) {
			b.seen[name] = true
			continue
		}
		b.seen[name] = true
		if b.even != nil && math.Abs(b.even.score(&p.State)-0.5) > evenWithin {
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

// decided reports whether a side can force a win within a few plies. It searches all moves and uses no evaluation,
// so that openings stay the same when searches improve.
func decided(p *engines.Position) bool { return forced(p, shallow) != engines.Ongoing }

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

// Warnings returns reasons, known before the first game, why the results will have less evidence than the number
// of games suggests.
func (t *Tournament) Warnings() []string {
	return append(t.idle(), t.alike()...)
}

// idle returns notes on knobs of the plan or of agent files that have no effect under the rules. Knobs of an agent with
// the same reason share a note.
func (t *Tournament) idle() []string {
	var out []string
	for k, ref := range t.Games {
		if k >= len(t.Rules) {
			break
		}
		r := t.Rules[k].Rules()
		for _, i := range r.IdleSet() {
			if _, set := ref.Set[i.Path]; set {
				out = append(out, fmt.Sprintf("%s: %s", t.Labels[k], i))
			}
		}
	}
	for _, s := range t.Players {
		s.Budget = s.Budget.Or(t.Budget)
		type line struct{ where, reason string }
		var lines []line
		paths := map[line][]string{}
		for _, path := range s.Chosen {
			var where []string
			reason := ""
			for k, g := range t.Rules {
				if why := s.IdleAt(path, g); why != "" {
					where, reason = append(where, t.Labels[k]), why
				}
			}
			if len(where) == 0 {
				continue
			}
			l := line{strings.Join(where, ", "), reason}
			if paths[l] == nil {
				lines = append(lines, l)
			}
			paths[l] = append(paths[l], path)
		}
		for _, l := range lines {
			have := map[bool]string{false: "has", true: "have"}[len(paths[l]) > 1]
			out = append(out, fmt.Sprintf("%s: %s %s no effect under %s: %s", s.Name, strings.Join(paths[l], ", "), have,
				l.where, l.reason))
		}
	}
	return out
}

// alike returns notes about deterministic agents that have too few openings.
func (t *Tournament) alike() []string {
	var certain []string
	for _, p := range t.Players {
		if p.Deterministic() {
			certain = append(certain, p.Name)
		}
	}
	if len(certain) < 2 {
		return nil
	}
	who := strings.Join(certain, ", ")
	if more := len(certain) - 4; more > 0 {
		who = fmt.Sprintf("%s and %d more", strings.Join(certain[:4], ", "), more)
	}
	var out []string
	for i, g := range t.Rules {
		wanted := int64(min(t.Pairs, 1000))
		if distinct := NewBook(g, t.Openings, t.Seed+int64(i)).Distinct(wanted); distinct < wanted {
			out = append(out, fmt.Sprintf("%s: %s play without randomness, and %d pairs have only %d different openings. Two "+
				"of these agents play at most %d different games, and equal games count once",
				t.Labels[i], who, t.Pairs, distinct, 2*distinct))
		}
	}
	return out
}

// engineReason reports whether a reason for the end of a game comes from the rules.
func engineReason(reason string) bool { return slices.Contains(engines.Reasons(), reason) }
