// Machines plays games on several workers, causes accidents to them, to the coordinator and to the server's
// folder, and compares the games with those of a single process. It builds the program, works in a scratch folder
// and prints a table. The exit code is 1 if a game was lost, duplicated or changed.
//
//	go run ./.ci/machines                       50 accidents of each work, with 1, 3 and 8 workers
//	go run ./.ci/machines --accidents 5 --only swiss
//
// Accidents, at random moments: kill -9 of a worker, kill -9 of the coordinator (the same command then continues),
// SIGSTOP of a worker for longer than it may be silent, the folder of the embedded server deleted. Messages that
// arrive twice, late or in another order are tested by the simulation: go test ./arena/remote -run
// 'Simulation|Cheats' -v -tasks 1000000 -machines 1000 -studies 200
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"spar/.ci/harness"
)

func main() { harness.Main("machines", run) }

var works = []harness.Work{
	{Name: "round-robin", File: "name: rr\ngames: [ctor, vanishing]\nagents: [random, greedy, minimax-2]\npairs: " +
		"150\nopenings: {plies: 2}\nseed: 7\n", Args: []string{"run", "round-robin.yaml"}},
	{
		Name: "swiss", File: "name: sw\ngames: [ctor]\nagents: [random, greedy, minimax-2, {agent: random, name: r2}, " +
			"{agent: greedy, name: g2}]\nformat: swiss\nrounds: 6\npairs: 40\nopenings: {plies: 2}\n",
		Args: []string{"run", "swiss.yaml"},
	},
	{
		Name: "match", File: "name: sprt\ngames: [ctor]\nagents: [greedy, {agent: greedy, name: weak, set: " +
			"{mixture.epsilon: 0.05}}]\nformat: match\npairs: 5000\nopenings: {plies: 2}\nstop: {sprt: {elo0: 0, elo1: 20}}\n",
		Args: []string{"run", "match.yaml"},
	},
	{Name: "balance", File: "", Args: []string{"balance", "vanishing", "--effort", "quick"}},
}

// machines are the flags that all works have. machinesFile is the file for --machines in the scratch folder.
const machinesFile = "machines.yaml"

type machines struct {
	*harness.Scratch
	rng       *rand.Rand
	accidents int
	pause     time.Duration
}

func run(ctx context.Context, args []string) error {
	h := &machines{}
	flags := flag.NewFlagSet("machines", flag.ExitOnError)
	flags.IntVar(&h.accidents, "accidents", 50, "maximum number of accidents for each work and number of workers")
	flags.DurationVar(&h.pause, "pause", 700*time.Millisecond, "mean time between accidents")
	seed := flags.Uint64("seed", 1, "seed of the accidents")
	only := flags.String("only", "", "run only works that match")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	h.rng = rand.New(rand.NewPCG(*seed, 1))
	if h.Scratch, err = harness.New(ctx, "machines", works); h.Scratch != nil {
		defer os.RemoveAll(h.Dir)
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(h.Dir, machinesFile), []byte("coordinate_only: true\ncheck: 0.05\n"),
		0o644); err != nil {
		return err
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "work\tworkers\tgames\tworkers killed\tcoordinator killed\tstopped\tfolder deleted\tthe same games\t")
	bad := 0
	for _, w := range works {
		if !wanted.MatchString(w.Name) {
			continue
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
			if !slices.Equal(got, want) {
				same, bad = "NO", bad+1
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", w.Name, workers, len(got), met[0], met[1], met[2], met[3], same)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return errors.New("games were lost, duplicated or changed")
	}
	return nil
}

// process starts spar in the scratch folder.
func (h *machines) process(ctx context.Context, args ...string) (*exec.Cmd, *bytes.Buffer, error) {
	c, said := h.Process(ctx, nil, args...)
	return c, said, c.Start()
}

func (h *machines) alone(ctx context.Context, w harness.Work) ([]string, error) {
	if _, err := h.Run(ctx, with(w.Args, "--db", w.Name+".db")...); err != nil {
		return nil, err
	}
	return h.Games(ctx, w.Name+".db")
}

func with(args []string, more ...string) []string { return append(args[:len(args):len(args)], more...) }

// crew holds the workers of a run.
type crew struct {
	h    *machines
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

// accident causes an accident. The result coordinator is true if the caller must cause it, because it concerns the
// coordinator.
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
		folders, err := filepath.Glob(filepath.Join(c.h.Dir, "spar-nats-*"))
		if err != nil {
			return err
		}
		for _, f := range folders {
			_ = os.RemoveAll(f) // the server may be writing
		}
	}
	return nil
}

// together plays a work with workers and accidents. It counts each kind of accident.
func (h *machines) together(ctx context.Context, w harness.Work, n int) (games []string, met [4]int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &crew{h: h, ctx: ctx, all: make([]*exec.Cmd, n)}
	if c.port, err = freePort(); err != nil {
		return nil, met, err
	}
	for i := range n {
		if err := c.begin(i); err != nil {
			return nil, met, err
		}
		defer func() { c.kill(i) }()
	}
	db := fmt.Sprintf("%s-%d.db", w.Name, n)
	for killed := true; killed; {
		coordinator, said, err := h.process(ctx, with(w.Args, "--db", db, "--coordinate", c.port, "--machines",
			machinesFile)...)
		if err != nil {
			return nil, met, err
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
					return nil, met, err
				}
			}
		}
		if !killed && err != nil {
			return nil, met, fmt.Errorf("%s with %d workers: %w\n%s", w.Name, n, err, said)
		}
	}
	games, err = h.Games(ctx, db)
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
