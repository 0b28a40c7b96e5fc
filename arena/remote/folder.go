package remote

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// folderLock is a file in the folder of an embedded server. It is locked while the server's process runs.
const folderLock = "coordinator.lock"

// makeFolder makes the folder of an embedded server in dir, with its lock. It removes folders that killed
// coordinators have left behind.
func makeFolder(dir string) (string, *os.File, error) {
	removeDead(dir)
	for {
		folder, err := os.MkdirTemp(dir, "spar-nats-")
		if err != nil {
			return "", nil, err
		}
		path := filepath.Join(folder, folderLock)
		held, err := lockFolder(path)
		if err == nil {
			if _, err = os.Stat(path); err == nil {
				return folder, held, nil
			}
			err = errors.Join(err, held.Close())
		}
		if errors.Is(err, fs.ErrNotExist) { // another coordinator removed it before it was locked
			continue
		}
		return "", nil, errors.Join(err, os.RemoveAll(folder))
	}
}

// removeDead removes folders whose lock is free because their process has ended. It keeps folders that have no
// lock file.
func removeDead(dir string) {
	locks, err := filepath.Glob(filepath.Join(dir, "spar-nats-*", folderLock))
	if err != nil {
		return
	}
	for _, lock := range locks {
		if info, err := os.Lstat(lock); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if held, err := lockFolder(lock); err == nil {
			_ = os.RemoveAll(filepath.Dir(lock)) // what stays belongs to another user
			_ = held.Close()
		}
	}
}
