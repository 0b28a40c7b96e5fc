package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every "spar ..." command of the README runs, in order, in one empty folder.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	commands := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		line, _, _ = strings.Cut(line, "   #")
		line = strings.TrimSpace(line)
		input := ""
		if rest, ok := strings.CutPrefix(line, "echo '"); ok {
			var piped string
			if input, piped, ok = strings.Cut(rest, "' | "); !ok {
				continue
			}
			line = piped
		}
		args, ok := strings.CutPrefix(line, "spar ")
		if !ok {
			continue
		}
		commands++
		var out, problems bytes.Buffer
		c := exec.Command("spar", words(args)...)
		c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, strings.NewReader(input), &out, &problems
		if err := c.Run(); err != nil {
			t.Errorf("spar %s: %v\n%s", args, err, problems.String())
		}
		if out.Len() == 0 {
			t.Errorf("spar %s printed nothing", args)
		}
	}
	if commands < 15 {
		t.Errorf("only %d commands found in the README", commands)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "out", "*.db")); len(files) == 0 {
		t.Error("no study was written")
	}
}

// words splits a command line at spaces outside double quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
