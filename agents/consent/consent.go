// Package consent asks the user before Spar runs a program that an agent file from somebody else names.
//
// A [Gate] holds the answer. A command makes the gate, and passes it the programs of its agents before the first
// game. A program that the user did not allow makes the command fail.
package consent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"spar/agents/ugi"
	"spar/configs/files"
	"spar/configs/plain"
)

// Gate decides which external programs agents may run. The zero value allows none. Several goroutines may use it.
type Gate struct {
	All  bool   // the user has allowed all programs for this process
	File string // path of the file that remembers allowed programs; empty = do not remember
	// Ask puts a question to the person at the terminal and reports whether the answer is yes; nil if there is no
	// terminal.
	Ask func(question string) (bool, error)

	mu      sync.Mutex
	refused []Program
}

// Program is a command line and the folder in which it runs; a consent is for one Program.
type Program struct {
	Path string   `json:"path"` // absolute path of the program
	Args []string `json:"args,omitempty"`
	Dir  string   `json:"dir"` // absolute path of its working folder
}

// mostKept is the largest size in bytes of the file of consents.
const mostKept = 1 << 20

// Allow returns nil if a command may run: if all commands may, if the user has allowed this one before in this folder,
// or if the person at the terminal says yes now. The gate remembers a yes. Otherwise it returns an error that wraps
// ugi.ErrNotAllowed and says what to do.
func (g *Gate) Allow(c ugi.Command) error {
	if g.All {
		return nil
	}
	p, err := program(c)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	known, err := g.load()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(known, p.is) {
		return nil
	}
	refusal := fmt.Errorf("%w: it would run %s in %s; to run all agents' programs without asking, add --allow-commands",
		ugi.ErrNotAllowed, p, plain.Line(p.Dir))
	if g.Ask == nil || slices.ContainsFunc(g.refused, p.is) {
		return refusal
	}
	yes, err := g.Ask(fmt.Sprintf("The agent %s is a program:\n  %s\nin the folder %s. "+
		"It will have all your permissions. Run it now and in future? [y/N] ", plain.Line(c.Name), p, plain.Line(p.Dir)))
	if err != nil || !yes {
		g.refused = append(g.refused, p)
		return errors.Join(refusal, err)
	}
	return g.keep(append(known, p))
}

// program returns the program that a command would run.
func program(c ugi.Command) (Program, error) {
	found, err := c.Find()
	if err != nil {
		return Program{}, err
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return Program{}, err
	}
	if !filepath.IsAbs(found) {
		found = filepath.Join(dir, found)
	}
	return Program{Path: found, Args: c.Args, Dir: dir}, nil
}

func (p Program) is(q Program) bool {
	return p.Path == q.Path && p.Dir == q.Dir && slices.Equal(p.Args, q.Args)
}

// String returns the command line; arguments with spaces are quoted.
func (p Program) String() string {
	var words []string
	for _, w := range append([]string{p.Path}, p.Args...) {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`;&|<>()*?#~") {
			w = fmt.Sprintf("%q", w)
		}
		words = append(words, plain.Line(w))
	}
	return strings.Join(words, " ")
}

func (g *Gate) load() ([]Program, error) {
	if g.File == "" {
		return nil, nil
	}
	data, err := files.Read(g.File, mostKept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list of allowed programs: %w", err)
	}
	var known []Program
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var p Program
		if err := d.Decode(&p); err != nil {
			return nil, fmt.Errorf("list of allowed programs: %s: %w", g.File, err)
		}
		known = append(known, p)
	}
	return known, nil
}

func (g *Gate) keep(known []Program) error {
	if g.File == "" {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, p := range known {
		if err := e.Encode(p); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(g.File), 0o700); err != nil {
		return err
	}
	return files.WriteBytes(g.File, b.Bytes())
}
