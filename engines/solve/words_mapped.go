//go:build linux && !race

package solve

import (
	"syscall"
	"unsafe"
)

// words returns n zeros, and a function that frees them. Large arrays use large memory pages. Tables are read at
// random, and with small pages most of the time would be spent on address translation.
func words(n int) (w []uint64, release func()) {
	const large = 1 << 21
	if 8*n < large {
		return make([]uint64, n), func() {}
	}
	data, err := syscall.Mmap(-1, 0, 8*n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]uint64, n), func() {}
	}
	_ = syscall.Madvise(data, syscall.MADV_HUGEPAGE) // a hint: without it the table is only slower
	return unsafe.Slice((*uint64)(unsafe.Pointer(&data[0])), n), func() { _ = syscall.Munmap(data) }
}
