package review

import (
	"errors"
	"strings"
	"testing"
)

// Move numbers and variations are skipped, as books write them; brackets have to match.
func TestMoves(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "",
		"1. b2 a1 2. c3":                  "b2 a1 c3",
		"1.b2 1...a1 2.c3":                "b2 a1 c3",
		"b2 a1 (c1 a3 (a2) b3) a2 (+ b1)": "b2 a1 a2",
		"c2-d3 ... stop":                  "c2-d3 stop",
	} {
		if got, err := Moves(text); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"b2 (a1", "b2) a1", strings.Repeat("a1 ", mostMoves+1)} {
		if _, err := Moves(text); !errors.Is(err, ErrMoves) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}
