// Package harness is shared by the programs that test Spar under faults: a scratch folder with the program, works
// to play there, and the comparison of their games.
package harness

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
)

// Main runs a program until it ends or is interrupted. It reads the flags, builds spar in a scratch folder, which gets
// the files of the works, and prints the lines of Row below a header. It must run at the top of a clone. The exit code
// is 1 after an error.
func Main(works []Work, header string, run func(context.Context, *Scratch) error) {
	only := flag.String("only", "", "run only what matches")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := func() error {
		s := &Scratch{table: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
		defer s.table.Flush()
		fmt.Fprintln(s.table, header)
		var err error
		if s.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		if s.Dir, err = os.MkdirTemp("", "spar-faults"); err != nil {
			return err
		}
		defer os.RemoveAll(s.Dir)
		s.spar = filepath.Join(s.Dir, "spar")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", s.spar, "./cmd/spar").CombinedOutput(); err != nil {
			return fmt.Errorf("building: %w\n%s", err, out)
		}
		for _, w := range works {
			err = errors.Join(err, s.Write(w.file(), w.File))
		}
		if err != nil {
			return err
		}
		return run(ctx, s)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Work is a command that plays games.
type Work struct {
	// Args of spar: DB, WORKERS and FILE are the study, the number of workers and a file with the text
	Name, File, Args string
}

func (w Work) file() string { return w.Name + ".yaml" }

// Fill returns the arguments for a study.
func (w Work) Fill(db string, workers int) []string {
	args := strings.Fields(w.Args)
	fill := strings.NewReplacer("DB", db, "WORKERS", fmt.Sprint(workers), "FILE", w.file())
	for i, a := range args {
		args[i] = fill.Replace(a)
	}
	return args
}

// Scratch is a temporary folder with a fresh build of the program.
type Scratch struct {
	Dir   string
	spar  string
	only  *regexp.Regexp
	table *tabwriter.Writer
}

// Wanted reports whether to run what has a name.
func (s *Scratch) Wanted(name string) bool { return s.only.MatchString(name) }

// Row adds a line to the table.
func (s *Scratch) Row(cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(s.table, "%v\t", c)
	}
	fmt.Fprintln(s.table)
}

// Write writes a file in the scratch folder.
func (s *Scratch) Write(name, text string) error {
	return os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o644)
}

// Process returns spar as a process in the scratch folder, with its output. A wrapper, if there is one, is the
// command before it.
func (s *Scratch) Process(ctx context.Context, wrapper []string, args ...string) (c *exec.Cmd, said *bytes.Buffer) {
	all := slices.Concat(wrapper, []string{s.spar}, args)
	c = exec.CommandContext(ctx, all[0], all[1:]...)
	said = &bytes.Buffer{}
	c.Dir, c.Stderr = s.Dir, said
	c.Env = append(os.Environ(), "TMPDIR="+s.Dir)
	return c, said
}

// Run runs spar to its end and returns its output.
func (s *Scratch) Run(ctx context.Context, args ...string) ([]byte, error) {
	c, said := s.Process(ctx, nil, args...)
	out, err := c.Output()
	if err != nil {
		return out, fmt.Errorf("spar %s: %w: %s", strings.Join(args, " "), err, said)
	}
	return out, nil
}

// Games runs spar to its end and returns the games of a study that count and do not depend on clocks, one on each line,
// in order. It returns an error if the file does not verify, has no games, or has a game twice.
func (s *Scratch) Games(ctx context.Context, db string, args ...string) ([]string, error) {
	var out []byte
	for _, command := range [][]string{args, {"verify", db}, {"export", "--db", db, "--format", "csv"}} {
		var err error
		if out, err = s.Run(ctx, command...); err != nil {
			return nil, err
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil, fmt.Errorf("%s: no games: %w", db, err)
	}
	var lines []string
	slots := map[string]bool{}
	for _, r := range rows[1:] {
		value := func(name string) string { return r[slices.Index(rows[0], name)] }
		slot := value("event") + "/" + value("number")
		if slots[slot] {
			return nil, fmt.Errorf("%s: game %s occurs twice", db, slot)
		}
		slots[slot] = true
		if strings.Contains(value("marks"), "surplus") {
			continue // handed out before a decision made it needless: which ones, depends on the moment
		}
		for _, name := range strings.Fields("rules player_first player_second pair_id result reason seed moves marks") {
			slot += "," + value(name)
		}
		lines = append(lines, slot)
	}
	slices.Sort(lines)
	return lines, nil
}
