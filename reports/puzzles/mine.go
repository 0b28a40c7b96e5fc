package puzzles

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/engines"
)

// back is the number of plies before the end of a game in which a search looks for puzzles. Earlier positions can
// rarely be proved.
const back = 12

// patience is the number of positions without a proof after which the next game is examined.
const patience = 3

// miner collects puzzles for one set of rules.
type miner struct {
	from   Source
	prover *prover
	seen   map[uint64]bool // hashes of the positions examined so far; symmetric ones have the same hash
}

func newMiner(ctx context.Context, from Source, l Limits) (*miner, error) {
	p, err := newProver(ctx, from.Game, l)
	return &miner{from: from, prover: p, seen: map[uint64]bool{}}, err
}

// find is a position of a game that is a puzzle.
type find struct {
	Puzzle
	key uint64 // hash of the position; symmetric positions have the same
}

// all returns the new puzzles of a game, last position first. It excludes first moves, and moves that end the game
// at once.
func (m *miner) all(ctx context.Context, moves []engines.Move) (found []find, err error) {
	p := m.from.Game.NewPosition()
	states := make([]engines.State, len(moves))
	for i, move := range moves {
		states[i].CopyFrom(&p.State)
		p.Play(move)
	}
	unknown := 0
	for i := len(states) - 1; i > 0 && unknown < patience; i-- {
		s := &states[i]
		if m.prover.table == nil && i < len(states)-back {
			break
		}
		key := s.CanonicalHash()
		if s.MoveCount() < 2 || m.seen[key] {
			continue
		}
		sol, unique, known, err := m.prover.solve(ctx, s)
		switch {
		case err != nil:
			return nil, err
		case !known:
			unknown++
		case unique && !ends(s, sol.move):
			found = append(found, find{m.from.puzzle(s, sol), key})
		}
	}
	return found, nil
}

// hardest returns the index of the puzzle with the longest win. If lengths are unknown, it is the position
// furthest from the end.
func hardest(found []find) int {
	at := 0
	for i := range found {
		if found[i].Plies >= found[at].Plies {
			at = i
		}
	}
	return at
}

// ends reports whether a move ends the game.
func ends(s *engines.State, m engines.Move) bool {
	var next engines.State
	next.CopyFrom(s)
	next.Play(m)
	return next.Over()
}

// FromStudy calls take with puzzles from the games of a study: at most one from each game, and limit in total.
// Rules are labels of the games to use; empty = all.
func FromStudy(ctx context.Context, db *store.DB, rules string, l Limits, limit int,
	take func(Puzzle) error,
) (err error) {
	miners := map[int64]*miner{}
	defer func() {
		for _, m := range miners {
			_ = m.prover.close() // it was only read
		}
	}()
	found := 0
	for row, rowErr := range db.Games(ctx, store.Filter{Rules: rules}) {
		if rowErr != nil {
			return rowErr
		}
		if !row.Marks.Counts(evidence.Learning) {
			continue
		}
		m := miners[row.Rules]
		if m == nil {
			g, err := engines.Stored(row.RulesJSON)
			if err != nil {
				return err
			}
			if m, err = newMiner(ctx, Source{row.RulesName, g}, l); err != nil {
				return err
			}
			miners[row.Rules] = m
		}
		played := m.from.Game.NewPosition()
		if err := played.PlayText(strings.Fields(row.Moves)); err != nil {
			return fmt.Errorf("game %d: %w", row.ID, err)
		}
		all, err := m.all(ctx, played.Played())
		if err != nil {
			return err
		}
		if len(all) == 0 {
			continue
		}
		p := all[hardest(all)]
		m.seen[p.key] = true
		p.Game = row.ID
		if err := take(p.Puzzle); err != nil {
			return err
		}
		if found++; found == limit {
			return nil
		}
	}
	return nil
}

// tries is the number of games to play for each wanted puzzle before the search for puzzles stops.
const tries = 40

// FromRules plays games, half at random and half by a simple evaluation, and calls take with puzzles, at most one a
// game and limit in total. The same seed gives the same puzzles.
func FromRules(ctx context.Context, from Source, seed uint64, l Limits, limit int, take func(Puzzle) error) error {
	m, err := newMiner(ctx, from, l)
	if err != nil {
		return err
	}
	defer m.prover.close() //nolint:errcheck // it was only read
	spec, err := agents.LoadSpec("greedy", "mixture.epsilon=0.5")
	if err != nil {
		return err
	}
	player, err := agents.NewContext(ctx, spec, from.Game)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, 21))
	found := 0
	for try := 0; found < limit && try < tries*limit; try++ {
		const longest = 1000 // of a game without an end
		p := from.Game.NewPosition()
		player.NewGame(agents.Seed{seed, uint64(try)})
		for !p.Over() && p.Ply() < longest {
			d, err := player.Choose(ctx, p, spec.Budget, rng)
			if err != nil {
				return err
			}
			p.Play(d.Move)
		}
		all, err := m.all(ctx, p.Played())
		if err != nil {
			return err
		}
		if len(all) == 0 {
			continue
		}
		puzzle := all[rng.IntN(len(all))]
		m.seen[puzzle.key] = true
		if err := take(puzzle.Puzzle); err != nil {
			return err
		}
		found++
	}
	return ctx.Err()
}

// Daily returns the puzzle of a day, which is the same for everybody with these rules. The second result is false
// if it finds none within the limits.
func Daily(ctx context.Context, from Source, day time.Time, l Limits) (p Puzzle, ok bool, err error) {
	h := fnv.New64a()
	h.Write([]byte(day.Format(time.DateOnly) + "\n" + from.Game.RulesHash()))
	err = FromRules(ctx, from, binary.BigEndian.Uint64(h.Sum(nil)), l, 1, func(found Puzzle) error {
		p, ok = found, true
		return nil
	})
	return p, ok, err
}

// DailyOf returns the puzzle of a day for several rules, which take turns by day. If one has none, it tries the
// next. The second result is false if none has one.
func DailyOf(ctx context.Context, from []Source, day time.Time, l Limits) (p Puzzle, ok bool, err error) {
	const dayLength = 24 * 60 * 60
	date, err := time.Parse(time.DateOnly, day.Format(time.DateOnly))
	if err != nil {
		return p, false, err
	}
	for i := range from {
		if p, ok, err = Daily(ctx, from[(int(date.Unix()/dayLength)+i)%len(from)], day, l); ok || err != nil {
			return p, ok, err
		}
	}
	return p, false, nil
}
