package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

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
		"away/a.yaml": false, "away/new/a.yaml": false, "file": false, "away/../a.yaml": true, // the text is what counts: it names a.yaml
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
