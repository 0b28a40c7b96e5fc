//go:build !linux || race

package solve

// words returns n zeros and what gives their memory back. The race detector follows what is synchronised in Go's own
// memory only, so under it there is no other.
func words(n int) (w []uint64, release func()) { return make([]uint64, n), func() {} }
