package remote

import (
	"os"
	"path/filepath"
	"testing"

	"spar/configs/must"
)

// The next coordinator removes the folders of those that are gone, and of nobody else.
func TestFoldersOfKilledCoordinators(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	alive, held := must.Get2(makeFolder(dir))(t)
	defer held.Close()
	dead, lost := must.Get2(makeFolder(dir))(t)
	if err := lost.Close(); err != nil { // as the kernel does when a process is killed
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "spar-nats-foreign")
	must.Do(t, os.Mkdir(foreign, 0o700))
	_, own := must.Get2(makeFolder(dir))(t)
	defer own.Close()
	for path, want := range map[string]bool{alive: true, dead: false, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %t, want %t", path, err == nil, want)
		}
	}
}
