// Package configs holds the files that Spar ships: games, agents, tournaments, tunings, sweeps, nets and their
// schemas. They are embedded in the binary; [Read] returns a file by kind and name.
package configs

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"spar/configs/files"
	"spar/configs/strict"
)

// Kind is a kind of shipped file. Its value is the name of the folder.
type Kind string

// The kinds of shipped files.
const (
	Games       Kind = "games"
	Agents      Kind = "agents"
	Tournaments Kind = "tournaments"
	Tunings     Kind = "tunings"
	Sweeps      Kind = "sweeps"
)

// limit returns the maximum size of a file of this kind, in bytes.
func (k Kind) limit() int64 {
	if k == Games || k == Agents {
		return strict.SmallBytes
	}
	return strict.LargeBytes
}

// Names lists the shipped files of a kind, sorted and without the suffix .yaml.
func Names(kind Kind) []string { return namesOf(kind, ".yaml") }

// namesOf lists the shipped files of a kind that have a suffix, sorted and without it.
func namesOf(kind Kind, suffix string) (names []string) {
	// The tree is embedded: walking it cannot fail.
	_ = fs.WalkDir(shipped, string(kind), func(p string, _ fs.DirEntry, _ error) error {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(p, string(kind)+"/"), suffix); ok {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// Read reads a shipped file by name, or a user's file by path. A name that ends in .yaml or .yml, or begins with
// . or /, is a path. File is the file's name in errors.
func Read(kind Kind, name string) (file string, data []byte, err error) {
	if files.IsPath(name) {
		data, err = files.ReadText(name, kind.limit())
		if err != nil {
			return name, nil, strict.Badf("cannot read %s: %w", name, files.Cause(err))
		}
		return name, data, nil
	}
	file = path.Join("configs", string(kind), name+".yaml")
	data, err = fs.ReadFile(shipped, path.Join(string(kind), name+".yaml"))
	if err != nil {
		return file, nil, strict.Badf(
			"no shipped %s called %q%s (to use a file of your own, give a path ending in .yaml)",
			strings.TrimSuffix(string(kind), "s"), name, strict.Suggest(name, Names(kind)))
	}
	return file, data, nil
}

// Schema returns the JSON Schema of a kind of file: rules, agent, tournament, tuning, sweep or machines.
func Schema(kind string) ([]byte, error) {
	text, err := fs.ReadFile(shipped, kind+".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no schema for %q", kind)
	}
	return text, nil
}

// Suite reads a shipped list of games by name, or a user's file that ends in .jsonl, with one line of JSON for each
// game. File is the list's name in errors.
func Suite(name string) (file string, data []byte, err error) {
	if strings.HasSuffix(name, ".jsonl") {
		data, err = files.ReadText(name, strict.LargeBytes)
		return name, data, err
	}
	file = path.Join("suites", name+".jsonl")
	if data, err = fs.ReadFile(shipped, file); err != nil {
		return file, nil, fmt.Errorf("no shipped suite called %q: expected \"people\", \"published\" or a file ending in "+
			".jsonl", name)
	}
	return path.Join("configs", file), data, nil
}

// Strongest reads the table of the agent type strongest.
func Strongest() (file string, data []byte, err error) {
	const name = "strongest.yaml"
	data, err = fs.ReadFile(shipped, name)
	return path.Join("configs", name), data, err
}

// netSuffix is the suffix of files with learned evaluations.
const netSuffix = ".net"

// Nets lists the names of the shipped learned evaluations, sorted and without the suffix .net.
func Nets() []string { return namesOf(Agents, netSuffix) }

// IsNetPath reports whether the name of a learned evaluation is a path, not the name of a shipped one.
func IsNetPath(name string) bool { return strings.HasSuffix(name, netSuffix) || files.IsPath(name) }

// ReadNet reads a learned evaluation of at most limit bytes: a shipped one by its name, like ctor/learned, or a file
// by its path, which ends in .net or begins with . or /.
func ReadNet(name string, limit int64) ([]byte, error) {
	if IsNetPath(name) {
		data, err := files.Read(name, limit)
		if err != nil {
			return nil, strict.Badf("cannot read %s: %w", name, files.Cause(err))
		}
		return data, nil
	}
	data, err := fs.ReadFile(shipped, path.Join(string(Agents), name+netSuffix))
	if err != nil {
		return nil, strict.Badf(
			"no shipped learned evaluation called %q%s (to use a file of your own, give a path ending in .net)", name,
			strict.Suggest(name, Nets()))
	}
	return data, nil
}
