package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// block is a part of a file, as in a coverage profile.
type block struct {
	line, column, endLine, endColumn int
	count                            int
}

// coverage holds the blocks of a package's files, by path; nil means unknown.
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
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements,
			&b.count); err != nil {
			return nil, fmt.Errorf("cover profile: %w", err)
		}
		path := filepath.Join(dir, filepath.Base(name))
		out[path] = append(out[path], b)
	}
	return out, nil
}

// reaches reports whether the tests can reach a change: they can unless it lies in blocks that were never run.
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
