package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"spar/configs/must"
)

// What stands in the way of a file or a folder is told before anything is made.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
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

// A file from somebody else names no output that is hidden, that has another extension, or that would replace what
// Spar did not write.
func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"ours.yaml": "# Made by: spar tune\n", "theirs.yaml": "type: random\n", "ours.html": "<head>\n" + Generator,
		"theirs.html": "<p>spar</p>", "x.db": "any", "pages/a.html": Generator, "pages/a.md": "", "notes/b.md": "",
		".git/config": "", "empty/.keep": "",
	} {
		must.Do(t, WriteBytes(filepath.Join(dir, path), []byte(text)))
	}
	t.Chdir(dir) // hence not parallel
	must.Do(t, os.Symlink(".git", "link"))
	for _, c := range []struct {
		path, extension string
		allowed         bool
	}{
		{"new.yaml", ".yaml", true},
		{"a/b/new.yaml", ".yaml", true},
		{"./a/../new.yaml", ".yaml", true},
		{"ours.yaml", ".yaml", true},
		{"x.db", ".db", true},
		{"ours.html", ".html", true},
		{"pages", "", true},
		{"empty", "", true},
		{"new", "", true},
		{"theirs.yaml", ".yaml", false},
		{"theirs.html", ".html", false},
		{"notes", "", false},
		{".", "", false},
		{"new.sh", ".yaml", false},
		{"new", ".db", false},
		{".yaml", ".yaml", false},
		{".new.yaml", ".yaml", false},
		{".ssh/new.yaml", ".yaml", false},
		{"a/.b/new", "", false},
		{"link/new.yaml", ".yaml", false},
		{"a/../.git/new.yaml", ".yaml", false},
	} {
		if err := CheckOutput(c.path, c.extension); (err == nil) != c.allowed {
			t.Errorf("%s as %q: %v", c.path, c.extension, err)
		}
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
