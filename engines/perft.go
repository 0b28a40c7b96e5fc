package engines

// Perft counts the move sequences of exactly depth plies from a state. A sequence whose last ply ends the game
// counts; a finished game has no continuations. Perft ignores draws by repetition and by the ply cap.
func (s *State) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	r := s.g.rules
	r.Draw.Repetition, r.Draw.MaxPlies = 0, 0
	start := *s
	start.g = compile(r)
	if start.reason == ByPlyCap {
		start.result, start.reason = Ongoing, NoReason
	}
	return start.perft(depth, make([]Move, 0, 1024))
}

func (s *State) perft(depth int, buffer []Move) uint64 {
	if s.result != Ongoing {
		return 0
	}
	if depth == 1 {
		return uint64(s.MoveCount())
	}
	moves := s.AppendMoves(buffer)
	var next State
	var n uint64
	for _, m := range moves {
		next.CopyFrom(s)
		next.Play(m)
		n += next.perft(depth-1, moves[len(moves):])
	}
	return n
}
