package study

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// ThisBuild returns the build of this program and the machine that it runs on. Unknown fields are empty.
func ThisBuild() Build {
	b := Build{
		Version: "devel",
		Go:      runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		CPU:     processor(),
		Command: typed(os.Args),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		b.Commit = Program()
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	changed := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				changed = changes
			}
		}
	}
	if b.Commit += changed; b.Commit == "" || b.Commit == changes {
		b.Commit = Program()
	}
	return b
}

const (
	changes = "+changes"
	program = "program "
)

// Stamped reports whether the build's commit identifies the program exactly: the commit is stamped into the program
// and there were no uncommitted changes.
func (b Build) Stamped() bool {
	return b.Commit != "" && !strings.HasSuffix(b.Commit, changes) && !strings.HasPrefix(b.Commit, program)
}

// typed formats a command line in the form in which a user would type it.
func typed(args []string) string {
	words := []string{"spar"}
	for _, a := range args[1:] {
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// Program returns a hash of this program, "program " and 16 digits. It identifies builds without a stamped commit,
// which "go run" and "go test" make. It is empty if the program's file cannot be read.
func Program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if file, err := elf.NewFile(f); err == nil {
		// a hash of the whole that the linker has made: much sooner read
		if note := file.Section(".note.go.buildid"); note != nil {
			if data, err := note.Data(); err == nil && len(data) > 16 {
				h.Write(data) // a hash never fails
				return program + hex.EncodeToString(h.Sum(nil))[:16]
			}
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return program + hex.EncodeToString(h.Sum(nil))[:16]
}

// processor returns the name of the processor on Linux, elsewhere its architecture.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	return cmp.Or(modelName(f), runtime.GOARCH)
}

// modelName returns the first model name in Linux's list of processors, or an empty text.
func modelName(list io.Reader) string {
	for lines := bufio.NewScanner(list); lines.Scan(); {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
