package engines

import (
	"slices"

	"spar/engines/rules"
)

// Perft counts the move sequences of exactly depth plies from a state. A sequence whose last ply ends the game
// counts; a finished game has no continuations. Perft ignores draws by repetition and by the ply cap.
func (s *State) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	start := s.unlimited()
	return start.perft(depth, make([]Move, 0, 1024), &MoveSets{})
}

// unlimited returns the state under rules without draws by repetition and by the ply cap.
func (s *State) unlimited() State {
	r := s.g.rules
	r.Draw.Repetition, r.Draw.MaxPlies = 0, 0
	start := *s
	start.g = compile(r)
	if start.reason == ByPlyCap {
		start.result, start.reason = Ongoing, NoReason
	}
	return start
}

// PerftTurns counts the sequences of exactly depth turns instead of plies. Chains of captures with the same start, end
// and captured pieces count once, as in draughts programs, and so do other turns of several plies that lead to the same
// position.
func (s *State) PerftTurns(depth int) uint64 {
	start := s.unlimited()
	return start.perftTurns(depth)
}

func (s *State) perftTurns(depth int) (n uint64) {
	if depth <= 0 {
		return 1
	}
	type end struct {
		from, to Cell
		word     Move // a promotion that was chosen
		enemies  Bits
		hash     uint64 // of turns that capture nothing
	}
	var seen map[end]bool
	side, enemies := s.side, s.pieces[1-s.side]
	var turn func(s *State, from Cell)
	turn = func(s *State, from Cell) {
		var space [256]Move
		moves := s.AppendMoves(space[:0])
		if depth == 1 && from == NoCell && s.endsTurns(moves) {
			n += uint64(len(moves))
			return
		}
		for _, m := range moves {
			next := *s
			next.Play(m)
			first := from
			if first == NoCell {
				first = m.From()
			}
			if next.result == Ongoing && next.side == s.side && (next.chain != NoCell || next.left < s.left) {
				turn(&next, first)
				continue
			}
			if from != NoCell || s.chain != NoCell {
				of := end{from: first, to: m.To(), enemies: next.pieces[1-side]}
				if of.to == NoCell {
					of.to, of.word = s.chain, m
				} else if m.IsRemoval() {
					of.to = s.chain
				}
				if of.enemies == enemies || !next.blocked.Empty() {
					of.hash = next.Hash()
				}
				if seen[of] {
					continue
				}
				if seen == nil {
					seen = map[end]bool{}
				}
				seen[of] = true
			}
			n += next.perftTurns(depth - 1)
		}
	}
	if s.result == Ongoing {
		turn(s, NoCell)
	}
	return n
}

// endsTurns reports whether it is certain that each of the legal moves ends its turn.
func (s *State) endsTurns(moves []Move) bool {
	simple := rules.MechanicsOf(rules.AnyMoves(), rules.AnyBoard(), rules.Bends,
		rules.AnyLines(), rules.BoardEnds(), rules.StuckEnds(), rules.QuietDraws,
		rules.AnyCaptures().Without(rules.Mills), rules.OtherGoals(),
		rules.OtherMoves(), rules.AnyKinds().Without(rules.Blocks))
	return s.g.uses.Only(simple) && s.g.kinds != nil && !s.g.kinds.choice && s.chain == NoCell &&
		!(s.g.multiJump && slices.ContainsFunc(moves, Move.IsJump))
}

func (s *State) perft(depth int, buffer []Move, sets *MoveSets) uint64 {
	if s.result != Ongoing {
		return 0
	}
	if depth == 1 {
		return uint64(max(1, s.CountMoves(sets))) // a pass is the only move
	}
	moves := s.AppendMoves(buffer)
	var next State
	var n uint64
	for _, m := range moves {
		next.CopyFrom(s)
		next.Play(m)
		n += next.perft(depth-1, moves[len(moves):], sets)
	}
	return n
}
