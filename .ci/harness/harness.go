// Package harness is shared by the programs that test Spar under faults: a scratch folder with the program, works
// to play there, and the comparison of their games.
package harness

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

// Main runs the main function of a program until it ends or is interrupted. The exit code is 1 after an error.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Work is a command that plays games.
type Work struct {
	Name string
	File string // NAME.yaml
	Args []string
}

// Scratch is a temporary folder with a fresh build of the program.
type Scratch struct {
	Dir  string
	spar string
}

// New builds the program in a scratch folder, which gets the files of some works. It must run at the top of a
// clone. The caller removes the folder.
func New(ctx context.Context, name string, works []Work) (*Scratch, error) {
	dir, err := os.MkdirTemp("", name)
	if err != nil {
		return nil, err
	}
	s := &Scratch{dir, filepath.Join(dir, "spar")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", s.spar, "./cmd/spar").CombinedOutput(); err != nil {
		return s, fmt.Errorf("building: %w\n%s", err, out)
	}
	for _, w := range works {
		if err := os.WriteFile(filepath.Join(dir, w.Name+".yaml"), []byte(w.File), 0o644); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Process returns spar as a process in the scratch folder, with its output. A wrapper, if there is one, is the
// command before it.
func (s *Scratch) Process(ctx context.Context, wrapper []string, args ...string) (c *exec.Cmd, said *bytes.Buffer) {
	all := append(append(wrapper[:len(wrapper):len(wrapper)], s.spar), args...)
	c, said = exec.CommandContext(ctx, all[0], all[1:]...), &bytes.Buffer{}
	c.Dir, c.Stderr = s.Dir, said
	c.Env = append(os.Environ(), "TMPDIR="+s.Dir)
	return c, said
}

// Run runs spar to its end and returns its output.
func (s *Scratch) Run(ctx context.Context, args ...string) ([]byte, error) {
	c, said := s.Process(ctx, nil, args...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("spar %s: %w: %s", strings.Join(args, " "), err, said)
	}
	return out.Bytes(), nil
}

// Games returns the games of a study that count and do not depend on clocks, one on each line, in order. It
// returns an error if the file does not verify, has no games, or has a game twice.
func (s *Scratch) Games(ctx context.Context, db string) ([]string, error) {
	if _, err := s.Run(ctx, "verify", db); err != nil {
		return nil, err
	}
	out, err := s.Run(ctx, "export", "--db", db, "--format", "csv")
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil, fmt.Errorf("%s: no games: %w", db, err)
	}
	var lines []string
	seen := map[string]bool{}
	for _, r := range rows[1:] {
		at := map[string]string{}
		for i, name := range rows[0] {
			at[name] = r[i]
		}
		slot := at["event"] + "/" + at["number"]
		if seen[slot] {
			return nil, fmt.Errorf("%s: game %s occurs twice", db, slot)
		}
		seen[slot] = true
		if strings.Contains(at["marks"], "surplus") {
			continue // handed out before a decision made it needless: which ones, depends on the moment
		}
		lines = append(lines, strings.Join([]string{
			slot, at["rules"], at["player_first"], at["player_second"], at["pair_id"],
			at["result"], at["reason"], at["seed"], at["moves"], at["marks"],
		}, ","))
	}
	sort.Strings(lines)
	return lines, nil
}
