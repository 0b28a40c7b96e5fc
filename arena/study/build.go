package study

import (
	"bufio"
	"cmp"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// ThisBuild is this program and the machine that it runs on. What is not known stays empty.
func ThisBuild() Build {
	b := Build{Version: "devel", Go: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, CPU: processor()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
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
				changed = "+changes"
			}
		}
	}
	if b.Commit != "" {
		b.Commit += changed
	}
	return b
}

// processor is the name of the processor where the system tells it, as Linux does, and its kind elsewhere.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	name := ""
	for lines := bufio.NewScanner(f); lines.Scan() && name == ""; {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
		}
	}
	return cmp.Or(name, runtime.GOARCH)
}
