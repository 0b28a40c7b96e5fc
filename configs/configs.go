// Package configs holds the files that Spar ships: games, agents, tournaments and tunings, embedded in the binary.
package configs

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sort"
	"strings"

	"spar/configs/strict"
)

//go:embed games agents tournaments tunings sweeps *.schema.json
var files embed.FS

// Kind is a folder of shipped files.
type Kind string

// The kinds of shipped files.
const (
	Games       Kind = "games"
	Agents      Kind = "agents"
	Tournaments Kind = "tournaments"
	Tunings     Kind = "tunings"
	Sweeps      Kind = "sweeps"
)

// Names lists the shipped files of a kind, without their .yaml, sorted.
func Names(kind Kind) []string {
	var names []string
	// The tree is embedded: walking it cannot fail.
	_ = fs.WalkDir(files, string(kind), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".yaml") {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(p, string(kind)+"/"), ".yaml"))
		}
		return nil
	})
	sort.Strings(names)
	return names
}

// Read resolves a name to a shipped file, or a path to a file of the user's. A name that looks like a path (it ends in
// .yaml or .yml, or begins with . or /) is always a path. File is what errors call it.
func Read(kind Kind, name string) (file string, data []byte, err error) {
	if looksLikePath(name) {
		data, err = os.ReadFile(name)
		if err != nil {
			return name, nil, fmt.Errorf("cannot read %s: %w", name, err)
		}
		return name, data, nil
	}
	file = path.Join("configs", string(kind), name+".yaml")
	data, err = files.ReadFile(path.Join(string(kind), name+".yaml"))
	if err != nil {
		return file, nil, fmt.Errorf("no shipped %s called %q%s (a file of your own is named by a path ending in .yaml)",
			strings.TrimSuffix(string(kind), "s"), name, strict.Suggest(name, Names(kind)))
	}
	return file, data, nil
}

func looksLikePath(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/")
}

// Schema returns the JSON Schema of a kind of file: rules, agent, tournament, tuning or sweep.
func Schema(kind string) ([]byte, error) {
	text, err := files.ReadFile(kind + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no schema for %q", kind)
	}
	return text, nil
}
