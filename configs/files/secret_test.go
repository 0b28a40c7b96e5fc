package files

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"spar/configs/must"
)

// A secret is the same at every call, in a file that nobody else can read. One that somebody else may know is replaced.
func TestSecret(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	path := filepath.Join(t.TempDir(), "out", "a.token")
	first, err := Secret(path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || len(first) != 26 || info.Mode().Perm() != 0o600 {
		t.Fatalf("%q, %v, %v, %v", first, err, info, statErr)
	}
	if again, err := Secret(path); err != nil || again != first {
		t.Errorf("%q, then %q, %v", first, again, err)
	}
	const known = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	elsewhere := filepath.Join(t.TempDir(), "known")
	must.Do(t, os.WriteFile(elsewhere, []byte(known+"\n"), 0o600))
	for name, spoil := range map[string]func() error{
		"readable by others": func() error { return os.Chmod(path, 0o640) },
		"writable by others": func() error { return os.Chmod(path, 0o602) },
		"empty":              func() error { return os.Truncate(path, 0) },
		"short":              func() error { return os.WriteFile(path, []byte("abc\n"), 0o600) },
		"a link":             func() error { _ = os.Remove(path); return os.Symlink(elsewhere, path) },
		"of another user": func() error {
			if os.Geteuid() != 0 {
				return os.Remove(path) // only root can give a file away
			}
			_ = os.Remove(path)
			return os.Chown(elsewhere, 65534, -1)
		},
	} {
		before, _ := os.ReadFile(path)
		if err := spoil(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "of another user" {
			_ = os.Link(elsewhere, path)
		}
		got, err := Secret(path)
		info, _ := os.Lstat(path)
		if err != nil || got == known || got+"\n" == string(before) || info.Mode() != 0o600 || !own(info) {
			t.Errorf("%s: %q after %q, %v, %v", name, got, before, info, err)
		}
	}
	if got, err := Secret("/dev/null/x"); err == nil || len(got) != 26 {
		t.Errorf("where no file can be: %q, %v", got, err)
	}
}
