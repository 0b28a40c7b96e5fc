package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// explained is a change by its file and by its line before and after, so that it is found again when lines move.
type explained struct{ file, before, after string }

func (e explained) String() string { return fmt.Sprintf("%s\n- %s\n+ %s", e.file, e.before, e.after) }

// readExplained reads survivors that are explained. Each is four lines: the file, the line before with "- ", the line after
// with "+ " ("+ ..." is every change of that line) and the reason with "= ". Empty lines and # comments are skipped. More "-"
// and "+" lines may follow a file before the reason. An entry whose line is no longer in its file is an error.
func readExplained(path string) (map[explained]string, error) {
	out := map[explained]string{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	var file, before string
	var open []explained
	sources := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		bad := func(what string) error { return fmt.Errorf("%s:%d: %s: %s", path, i+1, what, line) }
		line = strings.TrimSpace(line)
		sign, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "", sign == "#":
		case sign == "-":
			before = rest
			if sources[file] == "" {
				text, err := os.ReadFile(file)
				if err != nil {
					return nil, bad(err.Error())
				}
				sources[file] = oneLine(string(text))
			}
			if !strings.Contains(sources[file], before) {
				return nil, bad("no such line in " + file)
			}
		case sign == "+":
			open = append(open, explained{file, before, rest})
		case sign == "=":
			if len(open) == 0 {
				return nil, bad("a reason for nothing")
			}
			for _, e := range open {
				out[e] = rest
			}
			open = nil
		case len(open) > 0:
			return nil, bad("no reason before")
		default:
			file = line
		}
	}
	return out, nil
}

// block is a piece of a file as a cover profile has it.
type block struct {
	line, column, endLine, endColumn int
	count                            int
}

// coverage is the blocks of a package's files, by path; nil is not known.
type coverage map[string][]block

// readCoverage reads the blocks of the package in a folder.
func readCoverage(profile, dir string) (coverage, error) {
	f, err := os.Open(profile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := coverage{}
	for in := bufio.NewScanner(f); in.Scan(); {
		name, rest, ok := strings.Cut(in.Text(), ":")
		var b block
		var statements int
		if !ok || name == "mode" {
			continue
		}
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements, &b.count); err != nil {
			return nil, fmt.Errorf("cover profile: %w", err)
		}
		path := filepath.Join(dir, filepath.Base(name))
		out[path] = append(out[path], b)
	}
	return out, nil
}

// reaches tells whether the tests may come to a change: they do unless it lies in blocks that never ran.
func (c coverage) reaches(m mutant) bool {
	if c == nil {
		return true
	}
	inside := false
	for _, b := range c[m.file] {
		after := m.line > b.line || m.line == b.line && m.column >= b.column
		before := m.line < b.endLine || m.line == b.endLine && m.column < b.endColumn
		if after && before {
			if b.count > 0 {
				return true
			}
			inside = true
		}
	}
	return !inside
}
