package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// lockFile locks a study until the returned function is called or this process ends. It locks the file itself, so
// that all of its names share the lock. It returns ErrBusy if another process has the lock.
func lockFile(f *os.File, name string) (release func(), err error) {
	if remote(f) {
		return lockBeside(name)
	}
	if err := flock(f, syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }, nil
}

func flock(f *os.File, how int) error {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%w%s", ErrBusy, owner(f))
	}
	return err
}

// remote reports whether a file is on a network file system. There flock is a lock as SQLite uses it, and the two would
// exclude each other.
func remote(f *os.File) bool {
	var fs syscall.Statfs_t
	if syscall.Fstatfs(int(f.Fd()), &fs) != nil {
		return false
	}
	switch uint32(fs.Type) { // linux/magic.h
	case 0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997: // NFS, SMB, CIFS, SMB2, 9P
		return true
	}
	return false
}

// lockedElsewhere reports whether another process writes to a study.
func lockedElsewhere(f *os.File) bool {
	if remote(f) {
		return false
	}
	if err := flock(f, syscall.LOCK_SH); err != nil {
		return errors.Is(err, ErrBusy)
	}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	return false
}

// inUse reports whether another process has the index of a log open.
func inUse(index string) bool {
	f, err := os.Open(index)
	if err != nil {
		return false
	}
	defer f.Close()
	open := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 128, Len: 1} // SQLite's wal.c: WAL_NREADER, "deadman switch"
	return syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &open) == nil && open.Type != syscall.F_UNLCK
}

// owner names the process that has the lock of a file, as far as the system says: " (process 7: spar run x.yaml)".
func owner(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	s, _ := info.Sys().(*syscall.Stat_t)
	if s == nil {
		return ""
	}
	for range 3 { // the system does not list all locks at one moment: while others come and go, a reading can miss one
		locks, err := os.ReadFile("/proc/locks") // proc(5): "1: FLOCK ADVISORY WRITE 708 08:01:12345 0 EOF"
		if err != nil {
			return ""
		}
		for line := range strings.Lines(string(locks)) {
			field := strings.Fields(line)
			if len(field) < 6 || field[1] != "FLOCK" || field[3] != "WRITE" ||
				!strings.HasSuffix(field[5], fmt.Sprint(":", s.Ino)) {
				continue
			}
			command, err := os.ReadFile("/proc/" + field[4] + "/cmdline")
			if err != nil || len(command) == 0 {
				return " (process " + field[4] + ")"
			}
			return fmt.Sprintf(" (process %s: %s)", field[4], strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " ")))
		}
	}
	return ""
}
