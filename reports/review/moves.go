package review

import (
	"errors"
	"fmt"
	"strings"
)

// mostMoves is the maximum number of moves of a game that is pasted.
const mostMoves = 2000

// ErrMoves is returned for a text that is not a list of moves.
var ErrMoves = errors.New("not a list of moves")

// Moves reads the moves of a game. It skips move numbers, as in "1. b2 a1 2. c3", and variations in brackets.
func Moves(text string) ([]string, error) {
	depth, out := 0, []string{}
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		switch {
		case word == "(":
			depth++
		case word == ")" && depth == 0:
			return nil, fmt.Errorf("%w: a closing bracket without an opening one", ErrMoves)
		case word == ")":
			depth--
		case depth == 0:
			if word = unnumbered(word); word != "" {
				out = append(out, word)
			}
		}
	}
	switch {
	case depth > 0:
		return nil, fmt.Errorf("%w: a bracket is not closed", ErrMoves)
	case len(out) > mostMoves:
		return nil, fmt.Errorf("%w: more than %d moves", ErrMoves, mostMoves)
	}
	return out, nil
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
