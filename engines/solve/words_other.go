//go:build !linux || race

package solve

// words returns n zeros, and a function that frees them. The race detector tracks only Go's own memory, so race builds
// use that.
func words(n int) (w []uint64, release func()) { return make([]uint64, n), func() {} }
