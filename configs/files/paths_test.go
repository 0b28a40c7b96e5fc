package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What stands in the way of a file or a folder is told before anything is made.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // hence not parallel
	for path, want := range map[string]struct{ file, folder bool }{
		"file": {true, false}, ".": {false, true}, dir: {false, true}, "new": {true, true}, "a/b/new": {true, true},
		"new/":     {true, true},
		"file/new": {false, false}, "file/a/b": {false, false}, "/": {false, true},
	} {
		if err := CheckFile(path); (err == nil) != want.file {
			t.Errorf("a file at %s: %v", path, err)
		}
		if err := CheckFolder(path); (err == nil) != want.folder {
			t.Errorf("a folder at %s: %v", path, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("made: %v, %v", entries, err)
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "in", "deep"), 0o755),
		os.Symlink(elsewhere, filepath.Join(dir, "away")),
		os.Symlink(filepath.Join(dir, "in"), filepath.Join(dir, "near")),
		os.WriteFile(filepath.Join(elsewhere, "secret"), nil, 0o600),
		os.Symlink(filepath.Join(elsewhere, "secret"), filepath.Join(dir, "file")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, allowed := range map[string]bool{
		"in/a.yaml": true, "new/folder/a.yaml": true, "./in/../b.yaml": true, "near/a.yaml": true, ".": true,
		"../a.yaml": false, "in/../../a.yaml": false, "/etc/passwd": false, "": false,
		// the text is what counts: it names a.yaml
		"away/a.yaml": false, "away/new/a.yaml": false, "file": false, "away/../a.yaml": true,
	} {
		got, err := Below(dir, path)
		if allowed && (err != nil || got != filepath.Join(dir, path)) {
			t.Errorf("%q: %q, %v", path, got, err)
		}
		if !allowed && !errors.Is(err, ErrOutside) {
			t.Errorf("%q is let out: %q, %v", path, got, err)
		}
	}
}
