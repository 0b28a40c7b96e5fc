package playout

// tally counts how often the positions of one game have occurred, by their hashes. The slots of earlier games count as
// empty.
type tally struct {
	slots []struct {
		hash uint64
		game uint32
		n    int32
	}
	game uint32 // number of the game, from 1
	used int
}

// begin starts a new game with no counts.
func (t *tally) begin() {
	t.used = 0
	if t.game++; t.game == 0 || t.slots == nil {
		t.resize(1024)
	}
}

// add counts a position. It returns how often the position has occurred. It allocates only if a game is longer
// than all earlier ones.
func (t *tally) add(hash uint64) int {
	mask := len(t.slots) - 1
	at := int(hash) & mask
	for t.slots[at].game == t.game && t.slots[at].hash != hash {
		at = (at + 1) & mask
	}
	s := &t.slots[at]
	if s.game == t.game {
		s.n++
		return int(s.n)
	}
	s.hash, s.game, s.n = hash, t.game, 1
	if t.used++; 2*t.used > len(t.slots) {
		t.resize(2 * len(t.slots))
	}
	return 1
}

// resize makes the table larger and keeps the counts of the game.
func (t *tally) resize(size int) {
	old, game := t.slots, t.game
	t.slots = make([]struct {
		hash uint64
		game uint32
		n    int32
	}, size)
	t.game = 1
	for _, s := range old {
		if s.game != game || t.used == 0 {
			continue
		}
		at := int(s.hash) & (size - 1)
		for t.slots[at].game != 0 {
			at = (at + 1) & (size - 1)
		}
		s.game = 1
		t.slots[at] = s
	}
}
