package connect

// Wins reports whether a side has a proved win by its connections in a position, if toMove moves next.
func Wins(b *Board, side int, s *Stones, lim Limits, toMove int) bool {
	var l Links
	l.find(b, side, s, lim)
	full, semi := l.whole()
	return len(full) > 0 || len(semi) > 0 && toMove == side
}
