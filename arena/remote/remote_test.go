package remote_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/remote"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const roundRobin = `
name: small
games:
  - classic
  - {rules: vanishing, set: {pieces.cap: 4}}
  - {rules: ctor, set: {board.columns: 5, board.rows: 5}}
agents: [random, greedy, {agent: greedy, name: lowest, set: {ties: first}}]
pairs: 20
openings: {plies: 2}
record_plies: true
seed: 11
`

const match = `
name: test
games: [classic]
agents: [greedy, random]
format: match
pairs: 400
openings: {plies: 2}
stop: {sprt: {elo0: 0, elo1: 60}}
seed: 4
`

const swiss = `
name: swiss
games: [vanishing]
agents: [random, greedy, {agent: greedy, name: lowest, set: {ties: first}}, {agent: random, name: other}, {agent: greedy, name: loose, set: {mixture.epsilon: 0.3}}]
format: swiss
rounds: 4
pairs: 4
openings: {plies: 2}
seed: 5
`

// build lets tests pretend that both ends are one program, which they are.
func build() *remote.Build { return &remote.Build{Program: "test"} }

func plan(t testing.TB, text string, set ...string) *arena.Tournament {
	t.Helper()
	p := must.Get(arena.LoadPlan("test", []byte(text), set...))(t)
	return p
}

// coordinator listens on this machine.
func coordinator(t testing.TB, o remote.Options) *remote.Coordinator {
	t.Helper()
	if o.Assets == nil {
		o.Assets = arena.NewAssets()
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	o.Build, o.Scale, o.Speed = build(), true, 1
	o.Log = func(s string) { t.Log("coordinator:", s) }
	c := must.Get(remote.New(context.Background(), o))(t)
	return c
}

// workers join a coordinator until the returned function is called.
func workers(t testing.TB, address string, n int, o remote.WorkerOptions) (leave func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	o.Server, o.Build, o.Speed = address, build(), 1

	if o.Slots == 0 {
		o.Slots = 2
	}
	for range n {
		group.Go(func() {
			if _, err := remote.Work(ctx, o); err != nil && ctx.Err() == nil {
				t.Log("worker:", err)
			}
		})
	}
	return func() { cancel(); group.Wait() }
}

// counted is the table of games that count, by number, without what may differ between equal runs.
func counted(t testing.TB, db *store.DB) []store.Row {
	t.Helper()
	var rows []store.Row
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		if row.Marks&(evidence.Surplus|evidence.Superseded) != 0 {
			continue
		}
		row.ID, row.FirstMS, row.SecondMS, row.Worker = 0, 0, 0, ""
		rows = append(rows, row)
	}
	return rows
}

func alone(t testing.TB, text string) []store.Row {
	t.Helper()
	db, ctx := storetest.New(t), context.Background()
	must.Get(arena.Run(ctx, ctx, plan(t, text), db, arena.Options{}))(t)
	return counted(t, db)
}

// A run whose games want a program that no worker has says so at both ends, and ends when it is stopped.
func TestStoppedWithoutTheirPrograms(t *testing.T) {
	t.Parallel()
	agent := filepath.Join(t.TempDir(), "prog.yaml")
	must.Do(t, os.WriteFile(agent, []byte("type: ugi\nname: prog\nugi: {command: nobody-starts-this}\n"),
		0o600))
	assets := arena.NewAssets()
	said, heard := make(chan string, 100), make(chan string, 100)
	c := must.Get(remote.New(t.Context(), remote.Options{
		Assets: assets, Workers: -1, Listen: "127.0.0.1:0", Build: build(),
		Speed: 1, Log: func(s string) { said <- s },
	}))(t)
	defer c.Close()
	defer workers(
		t,
		c.Address(),
		1,
		remote.WorkerOptions{
			Engines: map[string]remote.Command{"prog.yaml": {Path: "nobody"}},
			Log:     func(s string) { heard <- s },
		},
	)()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	hard, give := context.WithTimeout(context.Background(), 30*time.Second)
	defer give()
	go func() {
		defer stop()
		for _, lines := range []chan string{said, heard} {
			for found := false; !found; {
				select {
				case line := <-lines:
					found = strings.HasPrefix(line, "some games need a worker with --engine prog=COMMAND")
				case <-hard.Done():
					return
				}
			}
		}
	}()
	sum, err := arena.Run(ctx, hard, plan(t, "name: programs\ngames: [classic]\npairs: 4\nagents: "+
		"[random, greedy, "+agent+"]\n"), storetest.New(t), arena.Options{Assets: assets, Pool: c, Probed: true})
	if hard.Err() != nil {
		t.Error("nobody says what is missing, or it waits for workers")
	}
	if sum.Finished || err != nil && !errors.As(err, new(*arena.StoppedError)) {
		t.Errorf("%+v, %v", sum, err)
	}
}

// The same plan and seed give the same games, whoever plays them.
func TestSameGames(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"round-robin": roundRobin, "match": match, "swiss": swiss} {
		want := alone(t, text)
		for _, machines := range map[string][]int{"round-robin": {1, 8}, "match": {1}, "swiss": {8}}[name] {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				assets := arena.NewAssets()
				c := coordinator(t, remote.Options{Assets: assets, Workers: -1, Check: 0.2})
				leave := workers(t, c.Address(), machines, remote.WorkerOptions{Slots: 1})
				db, ctx := storetest.New(t), context.Background()
				began := time.Now()
				sum, err := arena.Run(ctx, ctx, plan(t, text), db, arena.Options{Assets: assets, Pool: c})
				if err != nil || !sum.Finished {
					t.Fatalf("%+v: %v", sum, err)
				}
				t.Logf("%d games in %v", sum.Played, time.Since(began))
				leave()
				if err := c.Close(); err != nil {
					t.Error(err)
				}
				if d := cmp.Diff(want, counted(t, db)); d != "" {
					t.Errorf("%d machines play other games:\n%s", machines, d)
				}
			})
		}
	}
}

// A worker plays within five seconds of its start, and is gone within five of being asked to go, with its games in
// others' hands; one that loses its coordinator waits, and plays for the next one.
func TestJoinAndLeave(t *testing.T) {
	t.Parallel()
	const patience = 20 * time.Second // five, and what a machine under load takes
	assets := arena.NewAssets()
	c := coordinator(t, remote.Options{Assets: assets, Workers: -1, Listen: "127.0.0.1:0"})
	db := storetest.New(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := arena.Run(ctx, context.Background(), plan(t, roundRobin, "pairs=100000"), db,
			arena.Options{Assets: assets, Pool: c})
		ended <- err
	}()
	began := time.Now()
	leave := workers(t, c.Address(), 1, remote.WorkerOptions{})
	for len(counted(t, db)) == 0 {
		if time.Since(began) > patience {
			t.Fatalf("no game after %v", patience)
		}
		time.Sleep(20 * time.Millisecond)
	}
	joined := time.Since(began)
	began = time.Now()
	leave()
	if left := time.Since(began); left > patience {
		t.Errorf("left after %v", left)
	} else {
		t.Logf("joined within %v, left within %v", joined, left)
	}
	defer workers(t, c.Address(), 1, remote.WorkerOptions{})() // what is in flight has to be finished by somebody
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	address := c.Address()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	next := coordinator(t, remote.Options{Assets: assets, Workers: -1, Listen: address[len("nats://"):]})
	defer next.Close()
	if sum, err := arena.Run(context.Background(), context.Background(), plan(t, swiss), storetest.New(t),
		arena.Options{Assets: assets, Pool: next}); err != nil || !sum.Finished {
		t.Errorf("with a worker that has lost its coordinator: %+v, %v", sum, err)
	}
}
