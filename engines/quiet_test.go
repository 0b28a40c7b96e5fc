package engines_test

import (
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// What sets the count of draw.quiet back, and when it ends a game.
func TestQuietDraws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, game string
		set        []string
		moves      string
		quiet      int
		reason     engines.Reason
	}{
		{"leaps are quiet", "ataxx", []string{"draw.quiet=3"}, "a1-a3 g1-g3", 2, engines.NoReason},
		{"a clone is a placement", "ataxx", []string{"draw.quiet=3"}, "a1-a3 g1-g3 b3", 0, engines.NoReason},
		{"the draw", "ataxx", []string{"draw.quiet=3"}, "a1-a3 g1-g3 a3-a1", 3, engines.ByQuiet},
		{
			"before the ply cap", "ataxx",
			[]string{"draw.quiet=3", "draw.max_plies=3"},
			"a1-a3 g1-g3 a3-a1", 3,
			engines.ByQuiet,
		},
		{
			"after repetition", "ataxx",
			[]string{"draw.quiet=4", "draw.repetition=2"},
			"a1-a3 g1-g3 a3-a1 g3-g1", 4,
			engines.ByRepetition,
		},
		{"a capture", "breakthrough5x6", []string{"draw.quiet=90"}, "a5-a4 b2-b3 a4xb3", 0, engines.NoReason},
		{"not counted", "ataxx", nil, "a1-a3 g1-g3", 0, engines.NoReason},
	} {
		p := enginetest.Load(t, c.game, c.set...).NewPosition()
		if err := p.PlayText(strings.Fields(c.moves)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if p.Quiet() != c.quiet || p.Reason() != c.reason {
			t.Errorf("%s: %d quiet plies, %q, want %d, %q", c.name, p.Quiet(), p.Reason(), c.quiet, c.reason)
		}
	}
}

// The repetition rule compares positions without the count, tables of a solved game tell them apart.
func TestQuietIsNoPartOfHash(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "tapatan", "draw.quiet=9", "draw.repetition=0")
	codec := must.Get(g.NewCodec())(t)
	var hashes [2]uint64
	var keys [2]engines.Key
	for i, text := range []string{"XOX/OXO/... X 8 quiet=2", "XOX/OXO/... X 8 quiet=3"} {
		s := must.Get(g.ParseState(text))(t)
		key, ok := codec.Encode(&s)
		var back engines.State
		if codec.Decode(key, &back); !ok || back.Quiet() != s.Quiet() {
			t.Errorf("%s: the code says %d quiet plies", text, back.Quiet())
		}
		hashes[i], keys[i] = s.Hash(), key
	}
	if hashes[0] != hashes[1] || keys[0] == keys[1] {
		t.Errorf("hashes %x, keys %v", hashes, keys)
	}
}

// A game surely ends by draw.quiet where pieces are placed and captured only so often.
func TestQuietEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game string
		set  []string
		ends bool
	}{
		{"breakthrough", []string{"draw.quiet=50"}, true},
		{"breakthrough", nil, false},
		{"nine-mens-morris", []string{"draw.quiet=50"}, true},
		{"ataxx", []string{"draw.quiet=100"}, false}, // leaps may turn the same pieces over again and again
		{"classic", []string{"draw.quiet=1"}, false},
		{"infiltration", []string{"draw.quiet=50"}, false}, // what is captured is placed again
	} {
		r := enginetest.Load(t, c.game, c.set...).Rules()
		if r.QuietEnds() != c.ends {
			t.Errorf("%s %v: ends %v, want %v", c.game, c.set, !c.ends, c.ends)
		}
	}
}
