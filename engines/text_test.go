package engines_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// A board picture shows ages, what leaves next, the last move, and the coordinates.
func TestPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, game string
		set        map[string]any
		moves      string
		colour     bool
	}{
		{"vanishing", "vanishing", nil, "b2 a1 c3 c1 b1 b3 a2", false},
		{"vanishing-colour", "vanishing", nil, "b2 a1 c3 c1 b1 b3 a2", true},
		{"checkerboard", "checkerboard", map[string]any{"pieces.cap": 4}, "a5 b5 a1 b1 c6 d6 e6 h8 g7 h1 a3", false},
		{
			"infiltration-6x6", "infiltration-6x6",
			map[string]any{"pieces.supply": 3, "win.line": 3},
			"a4 a3 b4 b3 c4 c3 a4xa2",
			false,
		},
		{"classic-start", "classic", nil, "", false},
		{"hex5", "hex5", nil, "c3 b4 d2 c4", false},
		{"yavalath", "yavalath", nil, "e5 a5 i1", false},
		{"tapatan-colour", "tapatan", nil, "b2 a1 c3 c1 b1 b3 b2-a2", true},
		{"nine-mens-morris", "nine-mens-morris", nil, "a1 d2 g7", false},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			p := load(t, c.game, c.set).NewPosition()
			must.Do(t, p.PlayText(strings.Fields(c.moves)))
			golden(t, filepath.Join("pictures", c.file+".txt"), p.Text()+"\n\n"+p.Picture(c.colour))
		})
	}
}

// What is wrong with a position's text.
func TestParseStateRefuses(t *testing.T) {
	t.Parallel()
	enginetest.Mistakes(t, "testdata/positions.golden", *update, func(c ...string) error {
		_, err := enginetest.Load(t, c[0]).ParseState(strings.Join(c[1:], ""))
		return err
	})
}

// What is wrong with the last move of a game.
func TestIllegalMoves(t *testing.T) {
	t.Parallel()
	enginetest.Mistakes(t, "testdata/moves.golden", *update, func(c ...string) error {
		last := len(c) - 1
		return enginetest.Load(t, c[0], c[1:last]...).NewPosition().PlayText(strings.Fields(c[last]))
	})
}

// games compiles every shipped game once.
func games(tb testing.TB) []*engines.Game {
	tb.Helper()
	var gs []*engines.Game
	for _, name := range configs.Names(configs.Games) {
		gs = append(gs, load(tb, name, nil))
	}
	return gs
}

// FuzzParseState holds that no text makes ParseState panic, that what it accepts is a position that can be played on,
// and that its text is a fixed point.
func FuzzParseState(f *testing.F) {
	gs := append(games(f), load(f, "infiltration-6x6", map[string]any{"turn.pie": true}),
		load(f, "classic", map[string]any{"turn.placements": 3, "no_moves": "pass"}))
	rng := rand.New(rand.NewPCG(1, 2))
	for i, g := range gs {
		s := g.NewState()
		for !s.Over() && s.Ply() < 60 {
			if s.Ply()%7 < 2 {
				f.Add(uint8(i), s.Text())
			}
			ms := s.AppendMoves(nil)
			s.Play(ms[rng.IntN(len(ms))])
		}
		f.Add(uint8(i), s.Text())
	}
	f.Add(uint8(1), "XXX/XXX/XXX O 3 left=0 pie begun passed last=swap over=majority:draw")
	f.Add(uint8(9), "XX./XX./.OO X 99 ages=a1,b1,b2,a2|c3,b3")
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, game uint8, text string) {
		defer watch()()
		g := gs[int(game)%len(gs)]
		s, err := g.ParseState(text)
		if err != nil {
			return
		}
		first := s.Text()
		again, err := g.ParseState(first)
		if err != nil {
			t.Fatalf("%s %q: its own text %q: %v", g.Name(), text, first, err)
		}
		if second := again.Text(); second != first || again.Hash() != s.Hash() {
			t.Fatalf("%s %q: %q, then %q (hashes %x, %x)", g.Name(), text, first, second, s.Hash(), again.Hash())
		}
		for range 12 {
			if s.Over() {
				break
			}
			ms := s.AppendMoves(nil)
			if len(ms) == 0 {
				t.Fatalf("%s: no move in %s", g.Name(), s.Text())
			}
			s.Play(ms[len(ms)/2])
			_ = s.Picture(false)
		}
	})
}

// FuzzReadMove holds that no text makes ReadMove panic, and that moves have one text each.
func FuzzReadMove(f *testing.F) {
	for _, text := range []string{
		"a1", "c2-d3", "c2xe4", "stop", "swap", "pass", "k11", "a1x", "-", "x", "a0", "a1-b2-c3",
		"ä1", "a+1",
	} {
		f.Add(text)
	}
	gs := games(f)
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, text string) {
		defer watch()()
		for _, g := range gs {
			m, err := g.ReadMove(text)
			if err != nil {
				continue
			}
			if back := g.MoveText(m); back != text {
				t.Errorf("%s: %q reads as a move with the text %q", g.Name(), text, back)
			}
			s := g.NewState()
			if legal, err := s.ParseMove(text); err == nil && legal != m {
				t.Errorf("%s: %q is %v legal and %v read", g.Name(), text, legal, m)
			}
		}
	})
}
