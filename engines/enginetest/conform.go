// Package enginetest has the checks that any rules must pass: [Conform] plays random games and compares the engine
// with the reference engine and with properties that hold for all rules. It also draws random rules for tests.
// Searches, stores and reports can rely on a game that passes.
package enginetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest/reference"
	"spar/engines/rules"
)

// Conform plays random games and compares the engine after each ply with the slow reference implementation: legal and
// illegal moves, results, boards, hands and ages. It also checks that the hash updated move by move equals the hash
// computed from scratch, and repeats exactly when the reference finds a repetition; that the text of a position reads
// back to the same position with the same moves; that copies are independent; and that symmetric positions have
// symmetric moves.
func Conform(t testing.TB, g *engines.Game, games, maxPlies int, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0x636f6e66))
	for range games {
		if _, err := playGame(g, maxPlies, rng); err != nil {
			t.Errorf("%s: %v\nrules: %s", g.Name(), err, g.Rules().Canonical())
			return
		}
	}
}

// playGame plays one game, or its first plies, and returns its last position.
func playGame(g *engines.Game, maxPlies int, rng *rand.Rand) (*engines.Position, error) {
	p, ref := g.NewPosition(), reference.New(g.Rules())
	keys := map[uint64]string{}
	var played []string
	for {
		if err := compare(p, ref, rng, keys); err != nil {
			return p, fmt.Errorf("after %v: %w", played, err)
		}
		if p.Over() || p.Ply() >= maxPlies {
			return p, nil
		}
		moves := p.AppendMoves(nil)
		m := moves[rng.IntN(len(moves))]
		if rng.IntN(4) == 0 { // captures and words are rare: prefer them at times
			for _, other := range moves {
				if other.IsJump() || other == engines.Swap {
					m = other
				}
			}
		}
		text := g.MoveText(m)
		played = append(played, text)
		before, copied := p.Text(), p.Clone()
		copied.Play(m)
		if p.Text() != before {
			return p, fmt.Errorf("after %v: playing on a copy changed the original", played)
		}
		p.Play(m)
		if p.Text() != copied.Text() || p.Hash() != copied.Hash() {
			return p, fmt.Errorf("after %v: a copy plays on to %s, the original to %s", played, copied.Text(),
				p.Text())
		}
		if err := ref.Play(text); err != nil {
			return p, err
		}
	}
}

func compare(p *engines.Position, ref *reference.Game, rng *rand.Rand, keys map[uint64]string) error {
	g := p.Game()
	if p.Result().String() != ref.Result() || p.Reason().String() != ref.Reason() {
		return fmt.Errorf("%s by %q, the reference says %s by %q", p.Result(), p.Reason(), ref.Result(), ref.Reason())
	}
	if !slices.Equal(p.Board(), ref.Board()) {
		return fmt.Errorf("board %q, the reference has %q", p.Board(), ref.Board())
	}
	if signs := string(p.Signs()); signs != strings.Join(ref.Signs(), "") {
		return fmt.Errorf("pieces %q, the reference has %q", signs, ref.Signs())
	}
	legal := g.MoveTexts(p.AppendMoves(nil))
	sorted := slices.Clone(legal)
	sort.Strings(sorted)
	want := ref.Legal()
	sort.Strings(want)
	if !slices.Equal(sorted, want) {
		return fmt.Errorf("legal %v, the reference has %v", sorted, want)
	}
	var sets engines.MoveSets
	if n, sum := p.MoveCount(), max(1, p.CountMoves(&sets)); !p.Over() &&
		(n != len(legal) || sum != n) { // a pass is not counted
		return fmt.Errorf("MoveCount %d, CountMoves %d of %d moves", n, sum, len(legal))
	}
	if !p.Over() {
		if "XO"[p.Side()] != ref.Mover() {
			return fmt.Errorf("%c moves, the reference says %c", "XO"[p.Side()], ref.Mover())
		}
		x, o := ref.Hands()
		if p.Hand(0) != x || p.Hand(1) != o {
			return fmt.Errorf("hands %d %d, the reference has %d %d", p.Hand(0), p.Hand(1), x, o)
		}
		if err := compareKeys(p, ref, keys); err != nil {
			return err
		}
		if err := refuses(p, legal, rng); err != nil {
			return err
		}
	}
	if g.Mechanics().Has(rules.Ages) {
		for side, letter := range []byte("XO") {
			var ages []string
			for _, c := range p.Ages(side, nil) {
				ages = append(ages, g.CellName(c))
			}
			if !slices.Equal(ages, ref.Ages(letter)) {
				return fmt.Errorf("ages of %c %v, the reference has %v", letter, ages, ref.Ages(letter))
			}
		}
	}
	back, err := g.ParseState(p.Text())
	if err != nil {
		return fmt.Errorf("reading back %s: %w", p.Text(), err)
	}
	if back.Text() != p.Text() || back.Hash() != p.Hash() {
		return fmt.Errorf("%s reads back as %s, hash %x and %x", p.Text(), back.Text(), p.Hash(), back.Hash())
	}
	if moves := g.MoveTexts(back.AppendMoves(nil)); !slices.Equal(moves, legal) {
		return fmt.Errorf("%s has moves %v, read back %v", p.Text(), legal, moves)
	}
	return cmp.Or(symmetric(p, rng), reordered(p, rng))
}

// compareKeys checks that two positions have the same hash exactly if the reference says that they are the same, and
// that they then have the same moves.
func compareKeys(p *engines.Position, ref *reference.Game, keys map[uint64]string) error {
	h, key := p.Hash(), fmt.Sprint(ref.PositionKey(), p.AppendMoves(nil))
	if old, ok := keys[h]; ok && old != key {
		return fmt.Errorf("one hash for two positions: %s and %s", old, key)
	} else if !ok {
		for _, other := range keys {
			if other == key {
				return fmt.Errorf("two hashes for one position: %s", key)
			}
		}
	}
	keys[h] = key
	return nil
}

// refuses checks that the engine refuses random cells and words that are not legal moves.
func refuses(p *engines.Position, legal []string, rng *rand.Rand) error {
	g := p.Game()
	cell := func() string { return g.CellName(engines.Cell(rng.IntN(g.Cells()))) }
	for _, text := range []string{
		cell(), cell() + "-" + cell(), cell() + "x" + cell(), "stop", "swap", "pass", "z9", "a0",
		"",
	} {
		_, err := p.ParseMove(text)
		if ok := slices.Contains(legal, text); ok != (err == nil) {
			return fmt.Errorf("move %q: legal %v, error %v", text, ok, err)
		}
	}
	return nil
}

// symmetric transforms the position by a random symmetry and checks that the legal moves are transformed in the
// same way.
func symmetric(p *engines.Position, rng *rand.Rand) error {
	g := p.Game()
	all := g.Symmetries()
	perm := all[rng.IntN(len(all))]
	other := p.Transform(perm)
	var want []engines.Move
	for _, m := range p.AppendMoves(nil) {
		want = append(want, engines.TransformMove(m, perm))
	}
	got := other.AppendMoves(nil)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s has moves %v, its image %s has %v instead of %v", p.Text(),
			g.MoveTexts(p.AppendMoves(nil)), other.Text(), g.MoveTexts(got), g.MoveTexts(want))
	}
	return nil
}

// reordered plays four random plies, and then the same plies with the first and third, or the second and fourth,
// exchanged. Two positions with one hash must have the same moves: otherwise the hash lacks what the rules remember.
func reordered(p *engines.Position, rng *rand.Rand) error {
	found := map[uint64][]engines.Move{}
	var line []engines.Move
	for _, order := range [][4]int{{0, 1, 2, 3}, {2, 1, 0, 3}, {0, 3, 2, 1}, {2, 3, 0, 1}} {
		s := p.State
		for _, i := range order {
			moves := s.AppendMoves(nil)
			if len(line) < len(order) { // the first order, which draws the plies
				if s.Over() {
					return nil
				}
				line = append(line, moves[rng.IntN(len(moves))])
			}
			if !slices.Contains(moves, line[i]) {
				break
			}
			s.Play(line[i])
		}
		if s.Over() {
			continue
		}
		moves := s.AppendMoves(nil)
		if old, ok := found[s.Hash()]; ok && !slices.Equal(old, moves) {
			return fmt.Errorf("%s has moves %v, and another position with its hash has %v", s.Text(),
				p.Game().MoveTexts(moves), p.Game().MoveTexts(old))
		}
		found[s.Hash()] = moves
	}
	return nil
}

// NoAllocation checks that playing, copying, listing moves and hashing allocate nothing.
func NoAllocation(t testing.TB, g *engines.Game) {
	t.Helper()
	start := g.NewState()
	var s engines.State
	buffer := make([]engines.Move, 0, 1024)
	sum := uint64(0)
	allocs := testing.AllocsPerRun(20, func() {
		s.CopyFrom(&start)
		for i := 0; i < 200 && !s.Over(); i++ {
			buffer = s.AppendMoves(buffer[:0])
			sum += s.Hash()
			s.Play(buffer[i*7%len(buffer)])
		}
	})
	if allocs != 0 {
		t.Errorf("%s: %v allocations per game", g.Name(), allocs)
	}
}
