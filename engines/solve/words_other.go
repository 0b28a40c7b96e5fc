//go:build !linux || race

package solve

// words returns n zeros, and a function that frees them. Race builds use Go's own memory, because the race
// detector tracks no other.
func words(n int) (w []uint64, release func()) { return make([]uint64, n), func() {} }
