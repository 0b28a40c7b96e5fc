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
	"time"

	"spar/.ci/harness"
)

var (
	kills = flag.Int("kills", 100, "kills of each work")
	fuzz  = flag.Duration("fuzz", time.Minute, "time for each fuzz target; 0 = none")
	calls = flag.Int("calls", 1000, "maximum number of failing calls of each kind")
)

func main() { harness.Main(works, "what\ttried\tsurvived\tlost\t", run) }

// faults runs the tests. It holds what they need.
type faults struct {
	*harness.Scratch
	lost bool
}

func run(ctx context.Context, s *harness.Scratch) error {
	h := &faults{Scratch: s}
	engine, err := os.ReadFile("arena/testdata/mover.sh")
	if err = errors.Join(err, h.Write("mover.sh", string(engine)),
		h.Write("cheat.yaml", "type: ugi\nugi: {command: sh, args: [mover.sh, cheat]}\n")); err != nil {
		return err
	}
	err = errors.Join(h.killAll(ctx), h.disk(ctx), h.tests(ctx), ctx.Err())
	if h.lost {
		err = errors.Join(err, errors.New("something was lost"))
	}
	return err
}

// row is a line of the table.
type row struct {
	what        string
	tried, lost int
	note        string
}

// fails counts a loss and says why.
func (r *row) fails(format string, args ...any) {
	r.lost++
	fmt.Fprintf(os.Stderr, r.what+format+"\n", args...)
}

// row adds a line to the table, if it is wanted.
func (h *faults) row(what string, try func(r *row) error) error {
	if !h.Wanted(what) {
		return nil
	}
	r := row{what: what}
	err := try(&r)
	h.Row(r.what, r.tried, max(0, r.tried-r.lost), r.lost, r.note)
	h.lost = h.lost || r.lost > 0
	return err
}

// The works are the commands that are started again after a kill.
var works = []harness.Work{
	{Name: "run", File: `name: run
games: [classic, vanishing]
agents: [random, greedy, minimax-2]
pairs: 150
openings: {plies: 2}
seed: 7
`, Args: "run FILE --db DB --workers WORKERS"},
	{Name: "match with SPRT", File: `name: sprt
games: [vanishing]
agents: [greedy, {agent: greedy, name: weak, set: {mixture.epsilon: 0.1}}]
format: match
pairs: 20000
openings: {plies: 2}
stop: {sprt: {elo0: 0, elo1: 20}}
`, Args: "run FILE --db DB --workers WORKERS"},
	{Name: "swiss", File: `name: swiss
games: [classic]
agents: [random, greedy, minimax-2, {agent: random, name: r2}, {agent: random, name: r3}]
format: swiss
rounds: 5
pairs: 60
openings: {plies: 2}
`, Args: "run FILE --db DB --workers WORKERS"},
	{Name: "withdrawal", File: `name: withdrawal
games: [classic]
agents: [random, greedy, cheat.yaml]
pairs: 12
openings: {plies: 1}
faults: {withdraw: 5}
`, Args: "run FILE --db DB --workers WORKERS --allow-commands"},
	{Name: "balance", File: `name: small
board: {columns: 3, rows: 3}
win: {line: 3}
`, Args: "balance FILE --effort quick --db DB --workers WORKERS"},
	{Name: "sweep", File: `name: sweep
rules: vanishing
knobs: [{knob: pieces.cap, values: [3, 4, 5]}]
tiers: [20, 40]
games: 40
fresh: 40
`, Args: "sweep FILE --db DB --workers WORKERS"},
	{Name: "tune", Args: "tune quickstart --db DB --workers WORKERS --set output=DB.yaml"},
	{Name: "import", Args: "import games.jsonl --db DB"},
}

func (h *faults) killAll(ctx context.Context) error {
	for _, w := range works {
		err := h.row("killed: "+w.Name, func(r *row) error {
			if w.Name == "import" {
				_, err := h.Run(ctx, works[0].Fill("exported.db", 2)...)
				out, also := h.Run(ctx, "export", "--db", "exported.db")
				if err = errors.Join(err, also, h.Write("games.jsonl", string(out))); err != nil {
					return err
				}
			}
			return h.kill(ctx, w, r)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// kill plays a work without disturbance, and then again with kills.
func (h *faults) kill(ctx context.Context, w harness.Work, r *row) error {
	began := time.Now()
	whole := w.Name + " whole.db"
	want, err := h.Games(ctx, whole, w.Fill(whole, 2)...)
	if err != nil {
		return err
	}
	takes, early := time.Since(began), 0
	for i := 0; r.tried < *kills; i++ {
		db := fmt.Sprintf("%s %d.db", w.Name, i)
		args := w.Fill(db, []int{1, 2, 8}[i%3])
		for range 1 + rand.IntN(3) {
			began := time.Now()
			c, _ := h.Process(ctx, nil, args...)
			if err := c.Start(); err != nil {
				return err
			}
			kill := time.AfterFunc(time.Millisecond+rand.N(takes), func() { _ = c.Process.Kill() })
			err := c.Wait()
			if kill.Stop(); ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil { // it came to its end before the kill: kill the next ones sooner
				early++
				takes = max(time.Since(began), 10*time.Millisecond)
				break
			}
			r.tried++
		}
		if got, err := h.Games(ctx, db, args...); err != nil || !slices.Equal(got, want) {
			r.fails(", %v: other games than undisturbed, or none: %v", args, err)
		}
		h.forget(db)
	}
	r.note = fmt.Sprintf("%d games; %d ended before their kill", len(want), early)
	return nil
}

// forget removes a study, its accompanying files and its pages.
func (h *faults) forget(db string) {
	names, _ := filepath.Glob(filepath.Join(h.Dir, db+"*"))
	for _, name := range names {
		_ = os.RemoveAll(name)
	}
}

// disk makes system calls fail.
func (h *faults) disk(ctx context.Context) error {
	if _, err := exec.LookPath("strace"); err != nil {
		return h.row("disk", func(r *row) error { r.note = "not tried: no strace here"; return nil })
	}
	w := works[0]
	w.Args += " --set pairs=3 --set report=DB.pages"
	want, err := h.Games(ctx, "disk whole.db", w.Fill("disk whole.db", 2)...)
	if err != nil {
		return err
	}
	for one := range strings.SplitSeq("pwrite64:ENOSPC pwrite64:EIO write:ENOSPC fsync,fdatasync:EIO ftruncate:EIO "+
		"rename,renameat,renameat2:EIO unlink,unlinkat:EIO openat:EMFILE", " ") {
		call, fault, _ := strings.Cut(one, ":")
		err := h.row("disk: "+call+" fails with "+fault, func(r *row) error {
			for n := 1; n <= *calls && ctx.Err() == nil; n++ {
				db := fmt.Sprintf("disk %d.db", n)
				args := w.Fill(db, 2)
				log := filepath.Join(h.Dir, "strace.log")
				trace, _ := h.Process(ctx, []string{
					"strace", "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e",
					fmt.Sprintf("inject=%s:error=%s:when=%d", call, fault, n),
				}, args...)
				_ = trace.Run() // it fails as it should, or does without what failed
				text, err := os.ReadFile(log)
				if err != nil {
					return err
				}
				met := bytes.Contains(text, []byte("(INJECTED)"))
				if met {
					r.tried++
				}
				got, err := h.Games(ctx, db, args...)
				left, _ := filepath.Glob(filepath.Join(h.Dir, db+".pages", ".*.tmp"))
				if err != nil || !slices.Equal(got, want) || len(left) > 0 {
					r.fails(", the %d.: other games or none, or left behind: %v %v", n, err, left)
				}
				if h.forget(db); !met {
					break
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// timeUp matches the failure that go test may report if the time of a target ends during an input. A real failure
// names its input.
var timeUp = regexp.MustCompile(`--- FAIL: Fuzz\w+ \([0-9.]+s\)\n    context deadline exceeded\nFAIL`)

// tests runs tests of the module, with a row of the table for each: other programs that read a study while a command
// holds it; studies that are deleted, moved or replaced; too many messages from other machines; hostile engines; and
// each fuzz target for some time. An input that crashes a target is kept in the testdata of its package.
func (h *faults) tests(ctx context.Context) error {
	list := [][2]string{
		{"readers come and go, then kill", "-run ^TestReadersComeAndGo$ ./cmd/spar -every"},
		{"study deleted, moved or replaced", "-run ^TestStudyGone$ ./cmd/spar -every"},
		{"memory under floods", "-run ^TestMemoryUnderFloods$ ./cmd/spar -every"},
		{"hostile engines", "-run Hostile ./agents/ugi"},
	}
	targets, err := exec.CommandContext(ctx, "git", "grep", "-o", "^func Fuzz[A-Za-z0-9]*", "--", "*_test.go").Output()
	for _, line := range strings.Fields(strings.ReplaceAll(string(targets), ":func ", ":")) {
		if file, name, _ := strings.Cut(line, ":"); *fuzz > 0 {
			folder := filepath.Dir(file)
			list = append(list, [2]string{
				"fuzz: " + folder + " " + name,
				fmt.Sprintf("-run ^$ -fuzz ^%s$ -fuzztime %s -fuzzminimizetime 10x ./%s", name, *fuzz, folder),
			})
		}
	}
	execs := regexp.MustCompile(`execs: (\d+)`)
	for _, t := range list {
		_ = h.row(t[0], func(r *row) error {
			out, err := exec.CommandContext(ctx, "go", strings.Fields("test -count=1 -v "+t[1])...).CombinedOutput()
			failed := bytes.Count(out, []byte("    --- FAIL: "))
			r.tried = failed + bytes.Count(out, []byte("    --- PASS: "))
			for _, n := range execs.FindAllSubmatch(out, -1) {
				r.tried, _ = strconv.Atoi(string(n[1]))
			}
			if err != nil && !timeUp.Match(out) || r.tried == 0 {
				r.fails(": %v\n%s", err, out)
			}
			r.lost = max(r.lost, failed)
			return nil
		})
	}
	return err
}
