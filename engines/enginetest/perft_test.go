package enginetest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest/reference"
)

// The reference implementation counts the same move sequences of every shipped game, as deep as it gets in a moment.
func TestReferenceCountsShipped(t *testing.T) {
	t.Parallel()
	data := must.Get(os.ReadFile("../testdata/golden/perft_shipped.txt"))(t)
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		t.Run(words[0], func(t *testing.T) {
			t.Parallel()
			r := Load(t, words[0]).Rules()
			r.Draw.Repetition, r.Draw.MaxPlies = 0, 0
			for i, word := range words[1:] {
				want := must.Get(strconv.Atoi(word))(t)
				if i > 0 && want > 300 {
					break
				}
				if got := countByReference(r, i+1, nil); got != want {
					t.Errorf("%d sequences of %d plies, want %d", got, i+1, want)
				}
			}
		})
	}
}

// countByReference plays every sequence from the start.
func countByReference(r engines.Rules, depth int, played []string) int {
	g := reference.New(r)
	for _, m := range played {
		if err := g.Play(m); err != nil {
			panic(err)
		}
	}
	legal := g.Legal()
	if depth == 1 {
		return len(legal)
	}
	n := 0
	for _, m := range legal {
		n += countByReference(r, depth-1, append(played[:len(played):len(played)], m))
	}
	return n
}
