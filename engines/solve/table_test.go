package solve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// The perfect player never gives a value away and wins in the stated number of plies, against every defence.
func TestPerfectPlay(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		rules string
		set   []string
	}{
		{"classic", nil},
		{"vanishing", nil},
		{"rolling", nil},
		{"vanishing", []string{"board.columns=4", "board.rows=2", "pieces.reuse_vacated=true"}},
		{"vanishing", []string{"turn.placements=2"}},
	} {
		t.Run(fmt.Sprint(v.rules, v.set), func(t *testing.T) {
			t.Parallel()
			g := endless(t, enginetest.Load(t, v.rules, v.set...))
			table := solve(t, g)
			for side := range 2 {
				seen := map[engines.Key]bool{}
				start := g.NewState()
				perfect(t, table, side, &start, seen)
				t.Logf("side %d: %d positions", side, len(seen))
			}
		})
	}
}

// perfect plays every best move for one side and every move for the other.
func perfect(t *testing.T, table *Table, side int, s *engines.State, seen map[engines.Key]bool) {
	key, ok := table.codec.Encode(s)
	if !ok {
		t.Fatalf("%s has no key", s.Text())
	}
	if seen[key] {
		return
	}
	seen[key] = true
	v, ok := table.Lookup(s)
	if !ok {
		t.Fatalf("%s is not in the table", s.Text())
	}
	mine := s.Side() == side
	moves := table.Moves(s)
	if mine {
		moves = table.Best(s)
	}
	for _, r := range moves {
		if mine && r.Value != v || r.Value.Better(v) {
			t.Fatalf("%s: %v, but %s is worth %v", s.Text(), v, s.Game().MoveText(r.Move), r.Value)
		}
		next := *s
		next.Play(r.Move)
		if next.Over() {
			// A perfect side that wins does so in time, because each value along the way was at most one ply longer.
			if resultFor(next.Result(), s.Side()) != r.Value.Outcome || r.Value.Outcome != Draw && r.Value.DTW != 1 {
				t.Fatalf("%s: %s ends the game, but is worth %v", s.Text(), s.Game().MoveText(r.Move), r.Value)
			}
			continue
		}
		after, _ := table.Lookup(&next)
		if after.before(next.Side() == s.Side()) != r.Value {
			t.Fatalf("%s: %s is worth %v and leads to %v", s.Text(), s.Game().MoveText(r.Move), r.Value, after)
		}
		perfect(t, table, side, &next, seen)
	}
}

func saved(t testing.TB, table *Table) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "game.solved")
	must.Do(t, table.Save(path))
	data = must.Get(os.ReadFile(path))(t)
	return path, data
}

func TestSaveAndLoad(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		rules string
		set   []string
	}{
		{"classic", nil},
		{"vanishing", nil},
		{"infiltration-6x6", tinyInfiltration()},
		{"connect4", []string{"win.line=2"}}, // keys of more than 64 bits
	} {
		t.Run(fmt.Sprint(v.rules, v.set), func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, v.rules, v.set...)
			table := solve(t, g)
			path, _ := saved(t, table)
			for _, game := range []*engines.Game{g, nil} {
				again := must.Get(Load(path, game))(t)
				rng := rand.New(rand.NewPCG(3, 4))
				for range 300 {
					s := randomState(g, rng, rng.IntN(12))
					want, ok := table.Lookup(&s)
					if got, found := again.Lookup(&s); got != want || !ok || !found {
						t.Fatalf("%s: %v before saving, %v after", s.Text(), want, got)
					}
				}
				if got, want := fmt.Sprint(again.Stats()), table.Stats(); got != fmt.Sprint(
					func() Stats { want.PeakBytes = 0; return want }(),
				) {
					t.Errorf("stats %s after, %v before", got, want)
				}
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(left) != 1 {
				t.Errorf("saving left %v, %v", left, err)
			}
		})
	}
}

// Tables with two bytes a value are rare: no game of the tests has more than 256 values.
func TestWideValues(t *testing.T) {
	t.Parallel()
	g := endless(t, enginetest.Load(t, "vanishing"))
	narrow := solve(t, g)
	sp := must.Get(newSpace(g))(t)
	sp.mostValues = 0
	wide := must.Get(sp.solve(t.Context(), Options{}))(t)
	path, _ := saved(t, wide)
	wide = must.Get(Load(path, g))(t)
	if got, want := wide.Bytes()-narrow.Bytes(), int64(wide.Stats().Classes)-2*int64(len(narrow.palette)); got != want {
		t.Errorf("two bytes a value take %d bytes more, want %d", got, want)
	}
	rng := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		s := randomState(g, rng, rng.IntN(12))
		want, _ := narrow.Lookup(&s)
		if got, ok := wide.Lookup(&s); !ok || got != want {
			t.Fatalf("%s: %v with two bytes a value, %v with one", s.Text(), got, want)
		}
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	path, good := saved(t, solve(t, g))
	try := func(name string, data []byte, game *engines.Game, want string) {
		t.Helper()
		must.Do(t, os.WriteFile(path, data, 0o644))
		table, err := Load(path, game)
		var refused *FileError
		if table != nil || !errors.As(err, &refused) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want a refusal with %q", name, err, want)
		}
	}
	for i := 0; i < len(good); i += 7 { // every bit of a byte in turn
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if _, err := parse(bad, g); err == nil {
			t.Errorf("a file with a bit flipped in byte %d is used", i)
		}
	}
	for n := 0; n < len(good); n += 1789 {
		try(fmt.Sprintf("cut to %d bytes", n), good[:n], g, "")
	}
	try("longer", append(bytes.Clone(good), make([]byte, 64)...), g, "bytes and should have")
	try("empty", nil, g, "not a solved table")
	try("text", []byte("name: classic\nboard: {columns: 3, rows: 3}\n"), g, "not a solved table")
	try("other rules", good, enginetest.Load(t, "vanishing"), "for other rules (classic")
	newer := bytes.Clone(good)
	newer[8] = formatVersion + 1
	try("other version", newer, g, "format version 2, but this program reads version 1")
	bad := bytes.Clone(good)
	bad[len(bad)-align] ^= 1
	try("a value changed", bad, g, "checksum")
	if _, err := Load(path+".none", g); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	must.Do(t, os.WriteFile(path, good, 0o644))
	// Draws by repetition and by the cap, and the name, do not make another game.
	if _, err := Load(path, enginetest.Load(t, "classic", "draw.max_plies=7", "draw.repetition=3",
		"name=other")); err != nil {
		t.Error(err)
	}
}

// The file is the same for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	for _, g := range []*engines.Game{
		enginetest.Load(t, "vanishing"),
		enginetest.Load(t, "infiltration-6x6", tinyInfiltration()...),
	} {
		var first []byte
		for _, workers := range []int{1, 2, 8} {
			table := must.Get(Solve(t.Context(), g, Options{Workers: workers}))(t)
			_, data := saved(t, table)
			if first == nil {
				first = data
			}
			if !bytes.Equal(first, data) {
				t.Errorf("%s: the file differs with %d workers", g.Name(), workers)
			}
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	table := solve(t, g)
	classes, need, err := Count(t.Context(), g, Options{})
	if err != nil || classes != table.Stats().Classes || need < 200_000 || need > 10_000_000 {
		t.Errorf("counted %d classes, %d bytes, %v; the table has %d", classes, need, err, table.Stats().Classes)
	}
	for _, limit := range []int64{need - 1, need / 2, 1000} {
		var refused *MemoryError
		if _, err := Solve(t.Context(), g, Options{Memory: limit}); !errors.As(err, &refused) {
			t.Errorf("limit %d: got %v, want a MemoryError", limit, err)
			continue
		}
		if refused.Complete != (refused.Classes == classes) || refused.Bytes <= limit {
			t.Errorf("limit %d: %+v", limit, refused)
		}
		t.Log(refused)
	}
	if _, err := Solve(t.Context(), g, Options{Memory: 2 * need}); err != nil {
		t.Error(err)
	}
	must.Refuse(Solve(t.Context(), enginetest.Load(t, "ctor"), Options{}))(t, "128")
}

// Whatever the limit, what is solved is solved: a table has the values of one without a limit, or there is none.
// Between the two there are limits that everything fits into in the end, but not while the set of states grows.
func TestTightMemory(t *testing.T) {
	t.Parallel()
	g := must.Get(engines.Load("falling.yaml", []byte(`name: falling
board: {columns: 3, rows: 4, wrap: columns}
territory: halves
placement: {gravity: true, falls: true}
pieces: {cap: 5, removal: after_win}
win: {line: 4, overlines: false}
draw: {max_plies: 10}
no_moves: loss
`)))(t)
	want := solve(t, g).Stats()
	solved, refused := 0, 0
	for limit := int64(600_000); limit < 4_000_000; limit += limit / 12 {
		table, err := Solve(t.Context(), g, Options{Memory: limit, Workers: 1})
		var memory *MemoryError
		switch {
		case errors.As(err, &memory):
			if refused++; memory.Bytes <= limit {
				t.Errorf("limit %d: refused for %d bytes", limit, memory.Bytes)
			}
		case err != nil:
			t.Fatal(err)
		default:
			solved++
			if got := table.Stats(); got.Split != want.Split || got.Root != want.Root || got.MaxDTW != want.MaxDTW {
				t.Errorf("limit %d: %+v, want %+v", limit, got, want)
			}
		}
	}
	if solved == 0 || refused == 0 {
		t.Errorf("%d solved, %d refused: the limits say nothing", solved, refused)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	last := Progress{}
	_, err := Solve(
		ctx,
		enginetest.Load(t, "vanishing", "board.columns=4", "board.rows=4"),
		Options{Progress: func(p Progress) {
			if p.Share < last.Share-0.5 || p.Done > p.Total {
				t.Errorf("progress %+v after %+v", p, last)
			}
			if last = p; p.Total > 10_000 {
				cancel()
			}
		}},
	)
	cancel()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLookupAtTheEdges(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing", "draw.max_plies=4")
	table := solve(t, g)
	pos := g.NewPosition()
	must.Do(t, pos.PlayText([]string{"a1", "b1", "a2", "b2"}))
	// A draw by the ply cap is no end to the table.
	if v, ok := table.Lookup(&pos.State); !ok || v != (Value{Win, 1}) {
		t.Errorf("after the cap: %v %v", v, ok)
	}
	if best := table.Best(&pos.State); len(best) != 1 || g.MoveText(best[0].Move) != "a3" {
		t.Errorf("after the cap: best %v", best)
	}
	open := enginetest.Load(t, "vanishing").NewPosition()
	must.Do(t, open.PlayText([]string{"a1", "b1", "a2", "b2", "a3"}))
	if _, ok := table.Lookup(&open.State); ok || table.Moves(&open.State) != nil || table.Best(&open.State) != nil {
		t.Error("a finished game has a value")
	}
	other := enginetest.Load(t, "rolling").NewState()
	if _, ok := table.Lookup(&other); ok {
		t.Error("a position of another game has a value")
	}
	for _, text := range []string{
		"XXX/OO./... X 9 ages=a1,b1,c1|a2,b2",      // a line stands
		"X../.../... X 1 ages=a1|",                 // the wrong side to move
		"XXX/X../... O 9 ages=a1,b1,c1,a2| left=1", // more pieces than the cap
	} {
		s := must.Get(enginetest.Load(t, "vanishing").ParseState(text))(t)
		if v, ok := table.Lookup(&s); ok {
			t.Errorf("%s cannot be reached, but is worth %v", text, v)
		}
	}
}

func TestLookupDoesNotAllocate(t *testing.T) { // alone, as AllocsPerRun demands
	g := enginetest.Load(t, "vanishing")
	table := solve(t, g)
	s := g.NewState()
	if n := testing.AllocsPerRun(100, func() { table.Lookup(&s) }); n != 0 {
		t.Errorf("Lookup allocates %v times", n)
	}
}
