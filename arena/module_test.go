package arena_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/files"
	"spar/configs/must"
)

// A module outside requires this one by "replace", brings an agent of its own, and lets a sequential test judge it.
func TestModuleOutside(t *testing.T) {
	t.Parallel()
	root := must.Get(filepath.Abs(".."))(t)
	read := func(path string) []byte {
		t.Helper()
		data := must.Get(files.Read(path, 1<<20))(t)
		return data
	}
	_, needs, ok := strings.Cut(string(read("../go.mod")), "\ngo ") // the version of Go, and what this module needs itself
	if !ok {
		t.Fatal("go.mod names no version of Go")
	}
	folder := t.TempDir()
	for name, data := range map[string][]byte{
		"go.mod":  []byte("module mine\n\ngo " + needs + "\nrequire spar v0.0.0\n\nreplace spar => " + root + "\n"),
		"go.sum":  read("../go.sum"),
		"main.go": read("testdata/module/main.go.txt"),
	} {
		must.Do(t, files.WriteBytes(filepath.Join(folder, name), data))
	}
	c := exec.Command("go", "run", "-mod=mod", "-ldflags=-s -w", ".")
	c.Dir, c.Env = folder, append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "accept_h1") {
		t.Errorf("%v\n%s", err, out)
	}
}
