package arena

import (
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
)

// The hash of a game is that of FNV-1a over its rules and moves, without the last bit, so that it is no negative number
// in a database.
func TestGameHash(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	seen := map[int64]string{}
	for _, text := range []string{"", "a1", "a1 b1", "b1 a1", "b2", "a1 b1 c1", "c3 a1 b2", "a3", "b3 a2", "c2"} {
		p := g.NewPosition()
		for word := range strings.FieldsSeq(text) {
			m := must.Get(p.ParseMove(word))(t)
			p.Play(m)
		}
		want := uint64(14695981039346656037)
		add := func(b byte) { want = (want ^ uint64(b)) * 1099511628211 }
		for _, b := range []byte("rules") {
			add(b)
		}
		for _, m := range p.Played() {
			add(byte(m))
			add(byte(m >> 8))
		}
		got := gameHash("rules", p.Played())
		if got != int64(want/2) || got < 0 {
			t.Errorf("%q: %d, want %d", text, got, want/2)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%q and %q have one hash", text, other)
		}
		seen[got] = text
	}
}
