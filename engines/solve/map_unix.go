//go:build unix

package solve

import (
	"os"
	"syscall"
)

// open returns the contents of a file, and a function that frees them. It maps files of at least mapFrom bytes
// into memory. The system then reads pages when they are first used, shares them between processes, and drops them
// when memory is short.
func open(path string, mapFrom int64) (data []byte, release func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if n := info.Size(); info.Mode().IsRegular() && n >= mapFrom && n == int64(int(n)) {
		if data, err := syscall.Mmap(int(f.Fd()), 0, int(n), syscall.PROT_READ, syscall.MAP_SHARED); err == nil {
			return data, func() error { return syscall.Munmap(data) }, nil
		}
	}
	return readAll(f)
}
