//go:build !linux

package solve

// words returns n zeros and what gives their memory back.
func words(n int) (w []uint64, release func()) { return make([]uint64, n), func() {} }
