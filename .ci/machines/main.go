// Machines lets other machines play while they, the coordinator and the server's folder meet with accidents, and compares the games with
// those of one process alone. It builds the program, works in a scratch folder and prints a table; the exit code is 1 when a game was
// lost, doubled or changed.
//
//	go run ./.ci/machines                       50 accidents of each work, with 1, 3 and 8 workers
//	go run ./.ci/machines --accidents 5 --only swiss
//
// Accidents, at random moments: kill -9 of a worker, kill -9 of the coordinator (the same command goes on), SIGSTOP of a worker for
// longer than it may be silent, the folder of the embedded server deleted. Deliveries that come twice, late and in another order are
// part of the simulation: go test ./arena/remote -run 'Simulation|Cheats' -v -tasks 1000000 -machines 1000 -studies 200
package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "machines:", err)
		os.Exit(1)
	}
}

// work is a study to play.
type work struct {
	name, file string
	args       []string
}

var works = []work{
	{"round-robin", "name: rr\ngames: [ctor, vanishing]\nagents: [random, greedy, minimax-2]\npairs: 150\nopenings: {plies: 2}\nseed: 7\n", []string{"run", "round-robin.yaml"}},
	{"swiss", "name: sw\ngames: [ctor]\nagents: [random, greedy, minimax-2, {agent: random, name: r2}, {agent: greedy, name: g2}]\nformat: swiss\nrounds: 6\npairs: 40\nopenings: {plies: 2}\n", []string{"run", "swiss.yaml"}},
	{"match", "name: sprt\ngames: [ctor]\nagents: [greedy, {agent: greedy, name: weak, set: {mixture.epsilon: 0.05}}]\nformat: match\npairs: 5000\nopenings: {plies: 2}\nstop: {sprt: {elo0: 0, elo1: 20}}\n", []string{"run", "match.yaml"}},
	{"balance", "", []string{"balance", "vanishing", "--effort", "quick"}},
}

// harness is what the works share.
type harness struct {
	spar, dir string
	rng       *rand.Rand
	accidents int
	pause     time.Duration
}

func run(ctx context.Context, args []string) error {
	h := &harness{}
	flags := flag.NewFlagSet("machines", flag.ExitOnError)
	flags.IntVar(&h.accidents, "accidents", 50, "most accidents of each work, with each number of workers")
	flags.DurationVar(&h.pause, "pause", 700*time.Millisecond, "mean time between accidents")
	seed := flags.Uint64("seed", 1, "seed of the accidents")
	only := flags.String("only", "", "only works that match")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	h.rng = rand.New(rand.NewPCG(*seed, 1))
	if h.dir, err = os.MkdirTemp("", "machines"); err != nil {
		return err
	}
	defer os.RemoveAll(h.dir)
	h.spar = filepath.Join(h.dir, "spar")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", h.spar, "./cmd/spar").CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "work\tworkers\tgames\tworkers killed\tcoordinator killed\tstopped\tfolder deleted\tthe same games\t")
	bad := 0
	for _, w := range works {
		if !wanted.MatchString(w.name) {
			continue
		}
		if err := os.WriteFile(filepath.Join(h.dir, w.name+".yaml"), []byte(w.file), 0o644); err != nil {
			return err
		}
		want, err := h.alone(ctx, w)
		if err != nil {
			return err
		}
		for _, workers := range []int{1, 3, 8} {
			got, met, err := h.together(ctx, w, workers)
			if err != nil {
				return err
			}
			same := "yes"
			if got != want {
				same, bad = "NO", bad+1
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", w.name, workers, strings.Count(got, "\n"), met[0], met[1], met[2], met[3], same)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return errors.New("games were lost, doubled or changed")
	}
	return nil
}

// process starts spar in the scratch folder.
func (h *harness) process(ctx context.Context, args ...string) (*exec.Cmd, *bytes.Buffer, error) {
	c := exec.CommandContext(ctx, h.spar, args...)
	said := &bytes.Buffer{}
	c.Dir, c.Stderr = h.dir, said
	c.Env = append(os.Environ(), "TMPDIR="+h.dir)
	return c, said, c.Start()
}

// spoken runs spar to its end.
func (h *harness) spoken(ctx context.Context, args ...string) error {
	c, said, err := h.process(ctx, args...)
	if err == nil {
		err = c.Wait()
	}
	if err != nil {
		return fmt.Errorf("spar %s: %w\n%s", strings.Join(args, " "), err, said)
	}
	return nil
}

func (h *harness) alone(ctx context.Context, w work) (string, error) {
	if err := h.spoken(ctx, with(w.args, "--db", w.name+".db")...); err != nil {
		return "", err
	}
	return h.games(ctx, w.name+".db")
}

func with(args []string, more ...string) []string { return append(args[:len(args):len(args)], more...) }

// crew are the workers of a run.
type crew struct {
	h    *harness
	ctx  context.Context
	port string
	all  []*exec.Cmd
}

func (c *crew) begin(i int) (err error) {
	c.all[i], _, err = c.h.process(c.ctx, "worker", "nats://"+c.port, "--workers", "1", "--name", fmt.Sprintf("w%d", i))
	return err
}

func (c *crew) kill(i int) {
	_ = c.all[i].Process.Kill()
	_ = c.all[i].Wait() // it was killed
}

// accident lets something happen; coordinator tells that it is not for the crew.
func (c *crew) accident(kind, i int) error {
	switch kind {
	case 0:
		c.kill(i)
		return c.begin(i)
	case 2:
		p := c.all[i].Process
		_ = p.Signal(syscall.SIGSTOP)
		time.AfterFunc(6*time.Second, func() { _ = p.Signal(syscall.SIGCONT) })
	case 3:
		folders, err := filepath.Glob(filepath.Join(c.h.dir, "spar-nats-*"))
		if err != nil {
			return err
		}
		for _, f := range folders {
			_ = os.RemoveAll(f) // the server may be writing
		}
	}
	return nil
}

// together plays with workers and accidents. Each kind of accident is counted.
func (h *harness) together(ctx context.Context, w work, n int) (games string, met [4]int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &crew{h: h, ctx: ctx, all: make([]*exec.Cmd, n)}
	if c.port, err = freePort(); err != nil {
		return "", met, err
	}
	for i := range n {
		if err := c.begin(i); err != nil {
			return "", met, err
		}
		defer func() { c.kill(i) }()
	}
	db := fmt.Sprintf("%s-%d.db", w.name, n)
	for killed := true; killed; {
		coordinator, said, err := h.process(ctx, with(w.args, "--db", db, "--coordinate", c.port, "--coordinate-only", "--check", "0.05")...)
		if err != nil {
			return "", met, err
		}
		ended := make(chan error, 1)
		go func() { ended <- coordinator.Wait() }()
		killed = false
		for over := false; !over; {
			wait := 200*time.Millisecond + time.Duration(h.rng.ExpFloat64()*float64(h.pause))
			if met[0]+met[1]+met[2]+met[3] >= h.accidents {
				wait = time.Hour
			}
			select {
			case err = <-ended:
				over = true
			case <-time.After(wait):
				kind := h.rng.IntN(4)
				met[kind]++
				if kind == 1 {
					_ = coordinator.Process.Kill()
					<-ended
					killed, over = true, true
				} else if err := c.accident(kind, h.rng.IntN(n)); err != nil {
					return "", met, err
				}
			}
		}
		if !killed && err != nil {
			return "", met, fmt.Errorf("%s with %d workers: %w\n%s", w.name, n, err, said)
		}
	}
	games, err = h.games(ctx, db)
	return games, met, err
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// games is what a study holds of its games that count and does not depend on clocks, a line each; it fails when the file does not
// verify or a game is there twice.
func (h *harness) games(ctx context.Context, db string) (string, error) {
	if err := errors.Join(h.spoken(ctx, "verify", db), h.spoken(ctx, "export", "--db", db, "--format", "csv", "--out", db+".csv")); err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(h.dir, db+".csv"))
	if err != nil {
		return "", err
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) < 2 {
		return "", fmt.Errorf("%s: no games: %w", db, err)
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
			return "", fmt.Errorf("%s: game %s is there twice", db, slot)
		}
		seen[slot] = true
		if !strings.Contains(at["marks"], "surplus") { // those depend on the moment
			lines = append(lines, strings.Join([]string{slot, at["rules"], at["player_first"], at["player_second"], at["pair_id"], at["result"], at["reason"], at["seed"], at["moves"], at["marks"]}, ","))
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n") + "\n", nil
}
