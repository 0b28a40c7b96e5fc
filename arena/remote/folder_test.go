package remote

import (
	"os"
	"path/filepath"
	"testing"
)

// The next coordinator removes the folders of those that are gone, and of nobody else.
func TestFoldersOfKilledCoordinators(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	alive, held, err := makeFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	dead, lost, err := makeFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lost.Close(); err != nil { // as the kernel does when a process is killed
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "spar-nats-foreign")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	_, own, err := makeFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	for path, want := range map[string]bool{alive: true, dead: false, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %t, want %t", path, err == nil, want)
		}
	}
}
