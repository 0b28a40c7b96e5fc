package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"spar/engines"
)

// Tree is a game with variations, which may have variations themselves. In text, a variation is in brackets after
// the move that it replaces, as in chess books: "b2 a1 (c1 a3 (a2) b3) a2". A variation that continues after the
// end of the game starts with a plus: "b2 a1 (+ a2)". Move numbers, as in "1. b2 a1 2. c3", are skipped. The zero
// value is a game without moves.
type Tree struct {
	first []*branch
	size  int
	// number of plies of the game itself, if it is complete; 0 = it continues along the first branches
	end int
}

// branch is a move with its continuations. The first continuation belongs to the same line.
type branch struct {
	move string
	next []*branch
}

// Path is one variation, with all moves from the start of the game.
type Path struct {
	Moves []string
	Fork  int // number of plies shared with its parent; 0 for the game itself
	Depth int // 0 is the game, 1 a variation of the game, 2 a variation of that
}

// Limits on input.
const (
	mostMoves = 2000 // number of moves in all lines together
	mostDepth = 40
)

// ErrTree is the error for a text that is not a game with variations.
var ErrTree = errors.New("not a game with variations")

// ParseTree reads a game with its variations.
func ParseTree(text string) (*Tree, error) {
	l := &Tree{}
	type place struct {
		at, before *[]*branch
		plies      int
	}
	now := place{at: &l.first}
	var outer []place
	opened := false // the last word was a bracket
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		if word = unnumbered(word); word == "" {
			continue
		}
		begins := opened
		opened = word == "("
		switch word {
		case "+":
			if !begins || len(outer) != 1 {
				return nil, fmt.Errorf("%w: a variation that continues the game must begin with a plus", ErrTree)
			}
			l.end = outer[0].plies
			now = place{at: outer[0].at}
		case "(":
			if now.before == nil {
				return nil, fmt.Errorf("%w: a bracket opens before the move that its variation replaces", ErrTree)
			}
			if len(outer) == mostDepth {
				return nil, fmt.Errorf("%w: variations are nested more than %d levels deep", ErrTree, mostDepth)
			}
			outer = append(outer, now)
			now = place{at: now.before}
		case ")":
			if len(outer) == 0 {
				return nil, fmt.Errorf("%w: a closing bracket without an opening one", ErrTree)
			}
			now, outer = outer[len(outer)-1], outer[:len(outer)-1]
		default:
			if l.end > 0 && len(outer) == 0 {
				return nil, fmt.Errorf("%w: the game ends before the variation with a plus, and cannot continue with %s", ErrTree,
					word)
			}
			at, err := l.step(now.at, word)
			if err != nil {
				return nil, err
			}
			now = place{at, now.at, now.plies + 1}
		}
	}
	if len(outer) > 0 {
		return nil, fmt.Errorf("%w: a bracket is not closed", ErrTree)
	}
	return l, nil
}

// unnumbered returns a word without a preceding move number like 1. or 1. ...; no move starts with a digit.
func unnumbered(word string) string {
	dots := strings.TrimLeft(word, "0123456789")
	move := strings.TrimLeft(dots, ".")
	if move == dots || dots == word && move != "" { // no dots, or a move behind dots alone
		return word
	}
	return move
}

// step goes to a continuation with a move, and adds it if it is missing.
func (l *Tree) step(among *[]*branch, move string) (*[]*branch, error) {
	at := slices.IndexFunc(*among, func(b *branch) bool { return b.move == move })
	if at < 0 {
		if l.size == mostMoves {
			return nil, fmt.Errorf("%w: more than %d moves", ErrTree, mostMoves)
		}
		l.size++
		at = len(*among)
		*among = append(*among, &branch{move: move})
	}
	return &(*among)[at].next, nil
}

// Fix marks the game itself as complete: later continuations of it are variations.
func (l *Tree) Fix() { l.end = len(l.Main()) }

// ends reports whether the game itself ends after that many plies.
func (l *Tree) ends(depth, plies int) bool { return depth == 0 && l.end > 0 && plies == l.end }

// Add adds a variation, given as moves from the start of the game. The first one added is the game itself.
func (l *Tree) Add(moves []string) error {
	at := &l.first
	var err error
	for _, m := range moves {
		if at, err = l.step(at, m); err != nil {
			return err
		}
	}
	return nil
}

// Merge adds all variations of another tree.
func (l *Tree) Merge(other *Tree) error {
	for _, line := range other.List() {
		if err := l.Add(line.Moves); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the part of a variation that it does not share with an earlier one. The game itself cannot be
// removed.
func (l *Tree) Remove(line Path) {
	if line.Depth == 0 {
		return
	}
	at := &l.first
	for _, m := range line.Moves[:line.Fork] {
		i := slices.IndexFunc(*at, func(b *branch) bool { return b.move == m })
		if i < 0 {
			return
		}
		at = &(*at)[i].next
	}
	*at = slices.DeleteFunc(*at, func(b *branch) bool { return b.move == line.Moves[line.Fork] })
}

// Main returns the moves of the game itself.
func (l *Tree) Main() []string {
	out := []string{}
	for at := l.first; len(at) > 0 && !l.ends(0, len(out)); at = at[0].next {
		out = append(out, at[0].move)
	}
	return out
}

// List returns the game and all variations. The game is first. Its variations follow in the order of plies, each
// followed by its own variations.
func (l *Tree) List() []Path {
	var out []Path
	var walk func(path []string, at []*branch, fork, depth int)
	walk = func(path []string, at []*branch, fork, depth int) {
		type leaving struct {
			ply int
			by  *branch
		}
		var later []leaving
		for ; len(at) > 0; at = at[0].next {
			others := at[1:]
			if l.ends(depth, len(path)) {
				others = at
			}
			for _, b := range others {
				later = append(later, leaving{len(path), b})
			}
			if len(others) == len(at) {
				break
			}
			path = append(path, at[0].move)
		}
		out = append(out, Path{path, fork, depth})
		for _, x := range later {
			walk(append(slices.Clone(path[:x.ply]), x.by.move), x.by.next, x.ply, depth+1)
		}
	}
	walk(nil, l.first, 0, 0)
	return out
}

// Find returns the index in List of the first line that starts with these moves, or -1.
func (l *Tree) Find(moves []string) int {
	return slices.IndexFunc(l.List(), func(line Path) bool {
		return len(line.Moves) >= len(moves) && slices.Equal(line.Moves[:len(moves)], moves)
	})
}

// String writes the game with its variations in the form that ParseTree reads.
func (l *Tree) String() string {
	var words []string
	var write func(at []*branch, depth int)
	aside := func(bracket string, b *branch, depth int) {
		words = append(words, bracket+b.move)
		write(b.next, depth+1)
		words[len(words)-1] += ")"
	}
	write = func(at []*branch, depth int) {
		for plies := 0; len(at) > 0; at, plies = at[0].next, plies+1 {
			if l.ends(depth, plies) {
				for _, b := range at {
					aside("(+ ", b, depth)
				}
				return
			}
			words = append(words, at[0].move)
			for _, b := range at[1:] {
				aside("(", b, depth)
			}
		}
	}
	write(l.first, 0)
	return strings.Join(words, " ")
}

// Check plays all variations. The error names the illegal move and its variation.
func (l *Tree) Check(g *engines.Game) error {
	for i, line := range l.List() {
		if err := g.NewPosition().PlayText(line.Moves); err != nil {
			if i > 0 {
				return fmt.Errorf("line %d: %w", i, err)
			}
			return err
		}
	}
	return nil
}
