package study

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// A build is stamped if its commit alone says what was built.
func TestStamped(t *testing.T) {
	t.Parallel()
	for commit, want := range map[string]bool{
		"": false, "abc": true, "abc+changes": false,
		"program 0123456789abcdef": false,
	} {
		if got := (Build{Commit: commit}).Stamped(); got != want {
			t.Errorf("%q: %t", commit, got)
		}
	}
}

// A test's program has no commit: a hash of it, always the same, stands for one.
func TestThisBuild(t *testing.T) {
	t.Parallel()
	b, once, twice := ThisBuild(), Program(), Program()
	if !regexp.MustCompile(`^program [0-9a-f]{16}$`).MatchString(once) || once != twice {
		t.Errorf("%q, then %q", once, twice)
	}
	cpu := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(text); name != nil {
			cpu = string(name[1])
		}
	}
	if b.Commit == "" || b.Commit == changes || b.CPU != cpu || strings.TrimSpace(b.CPU) != b.CPU ||
		!strings.HasPrefix(b.Go, runtime.Version()+" ") || b.Version == "" || b.Version == "(devel)" {
		t.Errorf("%+v", b)
	}
}
