// Faults looks for games that are lost, duplicated or changed when something fails. It builds the program in a
// scratch folder, kills it at work, makes system calls fail, runs hostile engines and fuzzes the parsers. It
// prints a table of attempts, survivals and losses. The exit code is 1 if anything was lost.
//
//	go run ./.ci/faults                     everything: about an hour and a half on two cores
//	go run ./.ci/faults --kills 5 --fuzz 2s a quick look: some minutes
//	go run ./.ci/faults --only 'swiss|disk'
//
// Kills: each work (run, match with a sequential test, swiss, withdrawal, balance, sweep, tune, import)
// is played once without disturbance. Then it is started in a new study with 1, 2 and 8 workers, killed with
// SIGKILL at a random moment, up to three times, and run to its end. It survives if the study has the same games
// as the undisturbed one, each once, and its file verifies.
//
// Disk: if strace is available, the first, second, third ... write, sync, truncation, rename and unlink of a run
// fails in turn, until a run has no such call. After each failure the file must verify, and the run must continue
// to the same games.
//
// Readers: while a command holds a study (run, serve, match, balance, sweep, tune, learn, a coordinator), other
// programs read the study and end; then the command is killed. No game may be lost, and the file must be valid. A
// study that is deleted, moved or replaced meanwhile must be saved.
//
// It is not part of .ci/run. It cannot test a power cut (data that the kernel has received from a killed process
// is not lost), a disk that reports writes it has not made, or faults of memory-mapped pages.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"spar/.ci/harness"
)

func main() { harness.Main("faults", run) }

// options are the flags of this program.
type options struct {
	kills int
	fuzz  time.Duration
	calls int
	seed  uint64
	only  *regexp.Regexp
}

// row is a line of the table.
type row struct {
	what                  string
	tried, survived, lost int
	note                  string
}

// faults runs the tests. It holds what they need.
type faults struct {
	options
	*harness.Scratch
	rng  *rand.Rand
	rows []row
}

func run(ctx context.Context, args []string) error {
	h := &faults{}
	flags := flag.NewFlagSet("faults", flag.ExitOnError)
	flags.IntVar(&h.kills, "kills", 100, "kills of each work")
	flags.DurationVar(&h.fuzz, "fuzz", time.Minute, "time for each fuzz target; 0 = none")
	flags.IntVar(&h.calls, "calls", 1000, "maximum number of failing calls of each kind")
	flags.Uint64Var(&h.seed, "seed", 1, "seed of the times of kills")
	only := flags.String("only", "", "run only the lines of the table that match")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if h.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	h.rng = rand.New(rand.NewPCG(h.seed, 1))
	if h.Scratch, err = harness.New(ctx, "faults", works); h.Scratch != nil {
		defer os.RemoveAll(h.Dir)
	}
	if err != nil {
		return err
	}
	engine, err := os.ReadFile("arena/testdata/mover.sh")
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(h.Dir, "mover.sh"), engine, 0o644),
			os.WriteFile(filepath.Join(h.Dir, "cheat.yaml"), []byte("type: ugi\nugi: {command: sh, args: [mover.sh, cheat]}\n"),
				0o644))
	}
	if err != nil {
		return err
	}
	err = errors.Join(h.killAll(ctx), h.disk(ctx), h.tests(ctx), h.parsers(ctx))
	h.print()
	for _, r := range h.rows {
		if r.lost > 0 {
			return errors.Join(err, errors.New("something was lost"))
		}
	}
	return err
}

func (h *faults) print() {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\ttried\tsurvived\tlost\t")
	for _, r := range h.rows {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\n", r.what, r.tried, r.survived, r.lost, r.note)
	}
	_ = t.Flush()
}

// The works are the commands that are started again after a kill. DB and WORKERS in their arguments are replaced.
var works = []harness.Work{
	{Name: "run", File: "name: run\ngames: [classic, vanishing]\nagents: [random, greedy, minimax-2]\npairs: " +
		"150\nopenings: {plies: 2}\nseed: 7\n", Args: []string{"run", "run.yaml", "--db", "DB", "--workers", "WORKERS"}},
	{
		Name: "match with SPRT", File: "name: sprt\ngames: [vanishing]\nagents: [greedy, {agent: greedy, name: weak, set: " +
			"{mixture.epsilon: 0.1}}]\nformat: match\npairs: 20000\nopenings: {plies: 2}\nstop: {sprt: {elo0: 0, elo1: 20}}\n",
		Args: []string{"run", "match with SPRT.yaml", "--db", "DB", "--workers", "WORKERS"},
	},
	{
		Name: "swiss", File: "name: swiss\ngames: [classic]\nagents: [random, greedy, minimax-2, {agent: random, name: " +
			"r2}, {agent: random, name: r3}]\nformat: swiss\nrounds: 5\npairs: 60\nopenings: {plies: 2}\n",
		Args: []string{"run", "swiss.yaml", "--db", "DB", "--workers", "WORKERS"},
	},
	{Name: "withdrawal", File: "name: withdrawal\ngames: [classic]\nagents: [random, greedy, cheat.yaml]\npairs: " +
		"12\nopenings: {plies: 1}\nfaults: {withdraw: 5}\n", Args: []string{
		"run", "withdrawal.yaml", "--db", "DB",
		"--workers", "WORKERS", "--allow-commands",
	}},
	{
		Name: "balance", File: "name: small\nboard: {columns: 3, rows: 3}\nwin: {line: 3}\n",
		Args: []string{"balance", "balance.yaml", "--effort", "quick", "--db", "DB", "--workers", "WORKERS"},
	},
	{Name: "sweep", File: "name: sweep\nrules: vanishing\nknobs: [{knob: pieces.cap, values: [3, 4, 5]}]\ntiers: [20, " +
		"40]\ngames: 40\nfresh: 40\n", Args: []string{"sweep", "sweep.yaml", "--db", "DB", "--workers", "WORKERS"}},
	{Name: "tune", File: "", Args: []string{
		"tune", "quickstart", "--db", "DB", "--workers", "WORKERS", "--set",
		"output=DB.yaml",
	}},
	{Name: "import", File: "", Args: []string{"import", "games.jsonl", "--db", "DB"}},
}

// killed starts spar and kills it after a given time, if it has not ended by then.
func (h *faults) killed(ctx context.Context, after time.Duration, args ...string) error {
	c, _ := h.Process(ctx, nil, args...)
	if err := c.Start(); err != nil {
		return err
	}
	defer time.AfterFunc(after, func() { _ = c.Process.Kill() }).Stop()
	return c.Wait()
}

func fill(args []string, db string, workers int) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = strings.NewReplacer("DB", db, "WORKERS", strconv.Itoa(workers)).Replace(a)
	}
	return out
}

func (h *faults) killAll(ctx context.Context) error {
	for _, w := range works {
		if !h.only.MatchString(w.Name) {
			continue
		}
		if w.Name == "import" {
			if _, err := h.Run(ctx, fill(works[0].Args, "exported.db", 2)...); err != nil {
				return err
			}
			out, err := h.Run(ctx, "export", "--db", "exported.db")
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(h.Dir, "games.jsonl"), out, 0o644); err != nil {
				return err
			}
		}
		r, err := h.kill(ctx, w)
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
		h.rows = append(h.rows, r)
	}
	return nil
}

// kill plays a work without disturbance, and then again with kills.
func (h *faults) kill(ctx context.Context, w harness.Work) (row, error) {
	r := row{what: "killed: " + w.Name}
	whole := w.Name + " whole.db"
	began := time.Now()
	if _, err := h.Run(ctx, fill(w.Args, whole, 2)...); err != nil {
		return r, err
	}
	takes := time.Since(began)
	want, err := h.Games(ctx, whole)
	if err != nil {
		return r, err
	}
	early := 0
	for i := 0; r.tried < h.kills; i++ {
		db := fmt.Sprintf("%s %d.db", w.Name, i)
		workers := []int{1, 2, 8}[i%3]
		args := fill(w.Args, db, workers)
		for range 1 + h.rng.IntN(3) {
			began := time.Now()
			err := h.killed(ctx, time.Millisecond+time.Duration(h.rng.Int64N(int64(takes))), args...)
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			if err == nil { // it came to its end before the kill: kill the next ones sooner
				early++
				takes = max(time.Since(began), 10*time.Millisecond)
				break
			}
			r.tried++
		}
		_, err := h.Run(ctx, args...)
		var got []string
		if err == nil {
			got, err = h.Games(ctx, db)
		}
		if err != nil || !slices.Equal(got, want) {
			r.lost++
			fmt.Fprintf(os.Stderr, "%s, %d workers: other games than undisturbed, or none: %v\n", w.Name, workers, err)
		}
		h.forget(db)
	}
	r.survived = r.tried - r.lost
	r.note = fmt.Sprintf("%d games; %d ended before their kill", len(want), early)
	return r, nil
}

// forget removes a study and its accompanying files.
func (h *faults) forget(db string) {
	names, _ := filepath.Glob(filepath.Join(h.Dir, db+"*"))
	for _, name := range names {
		_ = os.Remove(name)
	}
}

// disk makes system calls fail.
func (h *faults) disk(ctx context.Context) error {
	if _, err := exec.LookPath("strace"); err != nil {
		h.rows = append(h.rows, row{what: "disk", note: "not tried: no strace here"})
		return nil
	}
	args := []string{
		"run", "run.yaml", "--db", "DB", "--workers", "WORKERS", "--set", "pairs=3", "--set",
		"report=DB.pages",
	}
	if _, err := h.Run(ctx, fill(args, "disk whole.db", 2)...); err != nil {
		return err
	}
	want, err := h.Games(ctx, "disk whole.db")
	if err != nil {
		return err
	}
	for _, c := range []struct{ calls, fails string }{
		{"pwrite64", "ENOSPC"},
		{"pwrite64", "EIO"},
		{"write", "ENOSPC"},
		{"fsync,fdatasync", "EIO"},
		{"ftruncate", "EIO"},
		{"rename,renameat,renameat2", "EIO"},
		{"unlink,unlinkat", "EIO"},
		{"openat", "EMFILE"},
	} {
		r := row{what: "disk: " + c.calls + " fails with " + c.fails}
		if !h.only.MatchString(r.what) {
			continue
		}
		for n := 1; n <= h.calls && ctx.Err() == nil; n++ {
			db := fmt.Sprintf("disk %d.db", n)
			filled := fill(args, db, 2)
			log := filepath.Join(h.Dir, "strace.log")
			trace, _ := h.Process(ctx, []string{
				"strace", "-f", "-qq", "-o", log, "-e", "trace=" + c.calls, "-e",
				fmt.Sprintf("inject=%s:error=%s:when=%d", c.calls, c.fails, n),
			}, filled...)
			_ = trace.Run() // it fails as it should, or does without what failed
			text, err := os.ReadFile(log)
			if err != nil {
				return err
			}
			met := bytes.Contains(text, []byte("(INJECTED)"))
			if met {
				r.tried++
			}
			_, err = h.Run(ctx, filled...)
			var got []string
			if err == nil {
				got, err = h.Games(ctx, db)
			}
			left, _ := filepath.Glob(filepath.Join(h.Dir, db+".pages", ".*.tmp"))
			switch {
			case err != nil || !slices.Equal(got, want):
				r.lost++
				fmt.Fprintf(os.Stderr, "%s, the %d.: %v\n", r.what, n, err)
			case len(left) > 0:
				r.lost++
				fmt.Fprintf(os.Stderr, "%s, the %d.: left behind: %v\n", r.what, n, left)
			}
			h.forget(db)
			_ = os.RemoveAll(filepath.Join(h.Dir, db+".pages"))
			if !met {
				break
			}
		}
		r.survived = r.tried - r.lost
		h.rows = append(h.rows, r)
	}
	return ctx.Err()
}

// tests runs tests of the module, with a row of the table for each: other programs that read a study while a
// command holds it; studies that are deleted, moved or replaced; too many messages from other machines; hostile
// engines.
func (h *faults) tests(ctx context.Context) error {
	for _, t := range []struct {
		what string
		args []string
	}{
		{"readers come and go, then kill", []string{"-run", "^TestReadersComeAndGo$", "./cmd/spar", "-every"}},
		{"study deleted, moved or replaced", []string{"-run", "^TestStudyGone$", "./cmd/spar", "-every"}},
		{"memory under floods", []string{"-run", "^TestMemoryUnderFloods$", "./cmd/spar", "-every"}},
		{"hostile engines", []string{"-run", "Hostile", "./agents/ugi"}},
	} {
		if !h.only.MatchString(t.what) {
			continue
		}
		r := row{what: t.what}
		out, err := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-v"}, t.args...)...).CombinedOutput()
		r.survived = bytes.Count(out, []byte("    --- PASS: "))
		r.lost = bytes.Count(out, []byte("    --- FAIL: "))
		r.tried = r.survived + r.lost
		if err != nil || r.tried == 0 {
			r.lost = max(r.lost, 1)
			fmt.Fprintf(os.Stderr, "%v\n%s\n", err, out)
		}
		h.rows = append(h.rows, r)
	}
	return ctx.Err()
}

// timeUp matches the failure that go test may report if the time of a target ends during an input. A real failure
// names its input.
var timeUp = regexp.MustCompile(`--- FAIL: Fuzz\w+ \([0-9.]+s\)\n    context deadline exceeded\nFAIL`)

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// parsers fuzzes each fuzz target of the module for some time. An input that crashes is kept in the testdata of
// its package.
func (h *faults) parsers(ctx context.Context) error {
	if h.fuzz == 0 {
		return nil
	}
	files, err := exec.CommandContext(ctx, "git", "ls-files", "*_test.go").Output()
	if err != nil {
		return err
	}
	for _, file := range strings.Fields(string(files)) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range fuzzTarget.FindAllSubmatch(text, -1) {
			r := row{what: fmt.Sprintf("fuzz: %s %s", filepath.Dir(file), m[1])}
			if !h.only.MatchString(r.what) || ctx.Err() != nil {
				continue
			}
			limited, cancel := context.WithTimeout(ctx, h.fuzz+10*time.Minute) // the first build is long
			out, err := exec.CommandContext(limited, "go", "test", "-run", "^$", "-fuzz", "^"+string(m[1])+"$", "-fuzztime",
				h.fuzz.String(), "-fuzzminimizetime", "10x", "./"+filepath.Dir(file)).CombinedOutput()
			cancel()
			for _, n := range regexp.MustCompile(`execs: (\d+)`).FindAllSubmatch(out, -1) {
				r.tried, _ = strconv.Atoi(string(n[1]))
			}
			r.survived = r.tried
			if err != nil && !timeUp.Match(out) {
				r.lost, r.survived = 1, max(0, r.tried-1)
				fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", r.what, err, out)
			}
			h.rows = append(h.rows, r)
		}
	}
	return ctx.Err()
}
