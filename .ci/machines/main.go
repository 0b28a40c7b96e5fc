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
	"slices"
	"syscall"
	"time"

	"spar/.ci/harness"
)

var (
	accidents = flag.Int("accidents", 50, "maximum number of accidents for each work and number of workers")
	pause     = flag.Duration("pause", 700*time.Millisecond, "mean time between accidents")
)

func main() {
	harness.Main(works,
		"work\tworkers\tgames\tworkers killed\tcoordinator killed\tstopped\tfolder deleted\tthe same games\t", run)
}

var works = []harness.Work{
	{Name: "round-robin", File: `name: rr
games: [ctor, vanishing]
agents: [random, greedy, minimax-2]
pairs: 150
openings: {plies: 2}
seed: 7
`, Args: "run FILE --db DB"},
	{Name: "swiss", File: `name: sw
games: [ctor]
agents: [random, greedy, minimax-2, {agent: random, name: r2}, {agent: greedy, name: g2}]
format: swiss
rounds: 6
pairs: 40
openings: {plies: 2}
`, Args: "run FILE --db DB"},
	{Name: "match", File: `name: sprt
games: [ctor]
agents: [greedy, {agent: greedy, name: weak, set: {mixture.epsilon: 0.05}}]
format: match
pairs: 5000
openings: {plies: 2}
stop: {sprt: {elo0: 0, elo1: 20}}
`, Args: "run FILE --db DB"},
	{Name: "balance", Args: "balance vanishing --effort quick --db DB"},
}

func run(ctx context.Context, s *harness.Scratch) error {
	if err := s.Write("machines.yaml", "coordinate_only: true\ncheck: 0.05\n"); err != nil {
		return err
	}
	var bad error
	for _, w := range works {
		if !s.Wanted(w.Name) {
			continue
		}
		want, err := s.Games(ctx, w.Name+".db", w.Fill(w.Name+".db", 0)...)
		if err != nil {
			return err
		}
		for _, workers := range []int{1, 3, 8} {
			got, met, err := together(ctx, s, w, workers)
			if err != nil {
				return fmt.Errorf("%s with %d workers: %w", w.Name, workers, err)
			}
			same := "yes"
			if !slices.Equal(got, want) {
				same, bad = "NO", errors.New("games were lost, duplicated or changed")
			}
			s.Row(w.Name, workers, len(got), met[0], met[1], met[2], met[3], same)
		}
	}
	return bad
}

// together plays a work with workers and accidents. It counts each kind of accident.
func together(ctx context.Context, s *harness.Scratch, w harness.Work, n int) (games []string, met [4]int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	start := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		c, said := s.Process(ctx, nil, args...)
		err = errors.Join(err, c.Start())
		return c, said
	}
	port, err := freePort()
	workers := make([]*exec.Cmd, n)
	begin := func(i int) {
		workers[i], _ = start("worker", "nats://"+port, "--workers", "1", "--name", fmt.Sprintf("w%d", i))
	}
	kill := func(c *exec.Cmd) {
		if c.Process != nil {
			_ = c.Process.Kill()
			_ = c.Wait() // it was killed
		}
	}
	for i := range n {
		if begin(i); err != nil {
			return nil, met, err
		}
		defer func() { kill(workers[i]) }()
	}
	db := fmt.Sprintf("%s-%d.db", w.Name, n)
	args := append(w.Fill(db, 0), "--coordinate", port, "--machines", "machines.yaml")
	for again := true; again && err == nil; {
		coordinator, said := start(args...)
		if err != nil {
			return nil, met, err
		}
		ended := make(chan error, 1)
		go func() { ended <- coordinator.Wait() }()
		again = false
		for over := false; !over && err == nil; {
			wait := 200*time.Millisecond + time.Duration(rand.ExpFloat64()*float64(*pause))
			if met[0]+met[1]+met[2]+met[3] >= *accidents {
				wait = time.Hour
			}
			select {
			case failed := <-ended:
				if over = true; failed != nil {
					err = fmt.Errorf("%w\n%s", failed, said)
				}
			case <-time.After(wait):
				kind, i := rand.IntN(4), rand.IntN(n)
				met[kind]++
				switch kind {
				case 0:
					kill(workers[i])
					begin(i)
				case 1:
					_ = coordinator.Process.Kill()
					<-ended
					again, over = true, true
				case 2:
					p := workers[i].Process
					_ = p.Signal(syscall.SIGSTOP)
					time.AfterFunc(6*time.Second, func() { _ = p.Signal(syscall.SIGCONT) })
				case 3:
					folders, _ := filepath.Glob(filepath.Join(s.Dir, "spar-nats-*"))
					for _, f := range folders {
						_ = os.RemoveAll(f) // the server may be writing
					}
				}
			}
		}
	}
	if err == nil {
		games, err = s.Games(ctx, db, "verify", db)
	}
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
