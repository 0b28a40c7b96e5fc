package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"spar/arena/store"
)

// A lock is of the file, by whatever name it was opened: a link to it, a link that led to nothing until the study was
// made, a folder that is linked.
func TestLockOfLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ link, to, one, other string }{
		{"link.db", "study.db", "study.db", "link.db"},
		{"link.db", "study.db", "link.db", "study.db"},
		{"link", "folder", "link/study.db", "folder/study.db"},
	} {
		t.Run(c.one, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := errors.Join(os.Mkdir(filepath.Join(dir, "folder"), 0o755),
				os.Symlink(c.to, filepath.Join(dir, c.link))); err != nil {
				t.Fatal(err)
			}
			one, other := open(t, filepath.Join(dir, c.one)), open(t, filepath.Join(dir, c.other))
			unlock, err := one.Lock()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.Lock(); !errors.Is(err, store.ErrBusy) {
				t.Errorf("%s is locked, and %s is free: %v", c.one, c.other, err)
			}
			unlock()
			if unlock, err = other.Lock(); err != nil {
				t.Fatalf("%s is free, and %s is locked: %v", c.one, c.other, err)
			}
			unlock()
		})
	}
}
