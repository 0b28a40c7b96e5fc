package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// .ci/stale knows which documents are older than the code they describe: a change of code makes them stale, one of tests or of other
// documents does not; a stamp makes them fresh, and --again runs what makes them.
func TestStaleDocuments(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../.ci/stale")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(want string, ok bool, name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@y", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@y", "GOFLAGS=-buildvcs=false")
		out, err := c.CombinedOutput()
		if (err == nil) != ok || !strings.Contains(string(out), want) || want == "" && len(out) > 0 {
			t.Errorf("%s %v: %v\n%swant %q", name, args, err, out, want)
		}
	}
	commit := func() {
		t.Helper()
		run("", true, "git", "add", "-A")
		run("", true, "git", "commit", "-qm", "x")
	}
	write(".ci/stale", string(script))
	write("go.mod", "module spar\n")
	write("cmd/spar/main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Println(\"here is\", os.Args[1:]) }\n")
	write("engine/code.go", "package engine\n")
	write("docs/FIGURES.md", "# Figures\n<!-- made by: spar count chess; spar solve 'go[size=5]'\n     depends on: engine\n     fingerprint: 0 -->\n")
	run("", true, "git", "init", "-q")
	commit()
	stale := "docs/FIGURES.md is older than what it depends on; .ci/stale --again docs/FIGURES.md makes it again"
	run(stale, false, ".ci/stale")
	run("", true, ".ci/stale", "--stamp", "docs/FIGURES.md")
	commit()
	run("", true, ".ci/stale")
	write("engine/code_test.go", "package engine\n")
	write("engine/NOTES.md", "notes\n")
	write("other/code.go", "package other\n")
	commit()
	run("", true, ".ci/stale")
	write("engine/code.go", "package engine\n\nconst faster = true\n")
	commit()
	run(stale, false, ".ci/stale")
	run("== spar count chess\nhere is [count chess]\n== spar solve 'go[size=5]'\nhere is [solve go[size=5]]\n", true, ".ci/stale", "--again", "docs/FIGURES.md")
	run("usage: .ci/stale", false, ".ci/stale", "--agian")
}
