package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"spar/agents/patterns"
	"spar/arena"
	"spar/arena/remote"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines"
)

// heard is an output that tells of a line as soon as it is there.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
	line *regexp.Regexp
	tell chan string
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p)
	if m := h.line.FindStringSubmatch(h.text.String()); m != nil && h.tell != nil {
		h.tell <- m[1]
		h.tell = nil
	}
	return len(p), nil
}

// The commands that play let other machines do so, and what they store and print is the same.
func TestMachines(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"run":     {"run", "quickstart", "--set", "pairs=2", "--set", "games=[classic]", "--set", "agents=[random,greedy,mcts-100]"},
		"match":   {"match", "greedy", "random", "--rules", "classic", "--pairs", "30"},
		"balance": {"balance", "classic", "--effort", "quick", "--limit", "80"},
		"sweep":   {"sweep", "vanishing-size", "--set", "knobs=[{knob: pieces.cap, from: 3, to: 4}]", "--set", "games=2", "--set", "fresh=2", "--set", "ladder=4"},
		"search":  {"sweep", "classic", "--knob", "win.line=2..3", "--target", "length>=5", "--set", "games=4", "--set", "fresh=8"},
		"tune":    {"tune", "quickstart", "--set", "games=120", "--set", "checks.pairs=10"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			alone := filepath.Join(dir, "alone.db")
			together := filepath.Join(dir, "together.db")
			set := func(db string) []string {
				if name == "tune" {
					return append(args, "--set", "output="+filepath.Join(dir, "agent.yaml"), "--db", db)
				}
				return append(args[:len(args):len(args)], "--db", db)
			}
			code := run(context.Background(), set(alone), strings.NewReader(""), io.Discard, io.Discard)
			got, said := joined(t, set(together))
			if got != code {
				t.Fatalf("exit code %d, alone %d: %s", got, code, said)
			}
			a, b := gamesOf(t, alone), gamesOf(t, together)
			if d := diff.Diff("alone", []byte(a), "together", []byte(b)); d != nil || strings.Count(a, "\n") < 10 {
				t.Errorf("other machines play others, or these are few:\n%s\n%s", a, d)
			}
		})
	}
}

// joined runs a command that leaves the playing to one other worker, and returns its exit code and what both said.
func joined(t *testing.T, args []string) (code int, said string) {
	t.Helper()
	only := filepath.Join(t.TempDir(), "machines.yaml")
	must.Do(t, os.WriteFile(only, []byte("coordinate_only: true\n"), 0o600))
	coordinator := &heard{line: regexp.MustCompile(`spar worker (nats://\S+)`), tell: make(chan string, 1)}
	address := coordinator.tell
	ended := make(chan int, 1)
	go func() {
		ended <- run(context.Background(), append(args, "--coordinate", "127.0.0.1:0", "--machines", only), strings.NewReader(""), io.Discard, coordinator)
	}()
	ctx, leave := context.WithCancel(context.Background())
	var worker sync.WaitGroup
	var heard bytes.Buffer
	select {
	case a := <-address:
		worker.Go(func() { run(ctx, []string{"worker", a, "--workers", "2"}, strings.NewReader(""), io.Discard, &heard) })
	case <-time.After(20 * time.Second):
		t.Error("nobody listens")
	}
	code = <-ended
	leave()
	worker.Wait()
	return code, coordinator.text.String() + heard.String()
}

// Other machines teach the same numbers, and play the games of the gate, which the study keeps beside who played them.
func TestLearnOnMachines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, "learn.db")
	args := func(net string, gate int) []string {
		return strings.Fields(fmt.Sprintf("learn vanishing --games 400 --batch 100 --gate-pairs %d --gate-nodes 20 --out %s --db %s",
			gate, filepath.Join(dir, net), db))
	}
	if code := run(context.Background(), args("alone.net", 0), strings.NewReader(""), io.Discard, io.Discard); code != 0 {
		t.Fatalf("alone: exit code %d", code)
	}
	if code, said := joined(t, args("together.net", 4)); code != 0 && code != 3 { // the gate may refuse it
		t.Fatalf("together: exit code %d: %s", code, said)
	}
	vanishing := must.Get(engines.Named("vanishing"))(t)
	numbers := func(path string) []float32 {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		net := must.Get(patterns.Read(data, vanishing))(t)
		return net.Numbers()
	}
	got := numbers(filepath.Join(dir, "together.net"))
	if got == nil {
		got = numbers(filepath.Join(dir, "together-refused.net"))
	}
	if want := numbers(filepath.Join(dir, "alone.net")); len(want) == 0 || !slices.Equal(got, want) {
		t.Error("another net")
	}
	var workers bytes.Buffer
	if code := run(context.Background(), []string{"study", db, "--json"}, strings.NewReader(""), &workers, io.Discard); code != 0 ||
		strings.Contains(workers.String(), "local") {
		t.Errorf("the games of the gate: exit code %d\n%s", code, workers.String())
	}
}

// gamesOf lists the games of a study without what may differ: who played and how long it took.
func gamesOf(t *testing.T, db string) string {
	t.Helper()
	var out bytes.Buffer
	if code := run(context.Background(), []string{"games", "--db", db, "--limit", "0", "--json"}, strings.NewReader(""), &out, io.Discard); code != 0 {
		t.Fatalf("games: exit code %d", code)
	}
	times := regexp.MustCompile(`"(worker|first_ms|second_ms|ms)":("[^"]*"|[0-9.e+-]+),?`)
	return times.ReplaceAllString(out.String(), "")
}

// What keeps other machines from joining is said at once, by the name of the flag, and no study is made.
func TestClosedDoors(t *testing.T) {
	t.Parallel()
	taken := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	db := filepath.Join(t.TempDir(), "study.db")
	for _, c := range []struct{ address, want string }{
		{taken.Addr().String(), "spar: --coordinate " + taken.Addr().String() + ": address already in use; choose another port\n"},
		{"127.0.0.1:99999", "spar: --coordinate 127.0.0.1:99999: expected a port from 0 to 65535\n"},
		{":foo", "spar: --coordinate :foo: expected a port from 0 to 65535\n"},
		{"nosuchhost.invalid:4222", "; give an address of this machine\n"},
		{"nats://127.0.0.1:1", "spar: --coordinate nats://127.0.0.1:1: no server answers there\n"},
		{"http://127.0.0.1:1", "expected nats://HOST:PORT or tls://HOST:PORT\n"},
	} {
		for _, command := range [][]string{{"run", "quickstart"}, {"balance", "classic"}, {"learn", "classic"}} {
			var said bytes.Buffer
			code := run(context.Background(), append(slices.Clip(command), "--coordinate", c.address, "--db", db),
				strings.NewReader(""), io.Discard, &said)
			if code != 2 || !strings.HasSuffix(said.String(), c.want) || strings.Count(said.String(), "\n") != 1 {
				t.Errorf("%v %v: exit code %d: %s", command, c.address, code, said.String())
			}
			if _, err := os.Stat(db); err == nil {
				t.Fatalf("%v %v: a study is made", command, c.address)
			}
		}
	}
}

// Nobody is asked to join a run that may not write to its study.
func TestBusyStudyAsksNobody(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "study.db")
	db := storetest.Open(t, path)
	unlock := must.Get(db.Lock())(t)
	defer unlock()
	var said bytes.Buffer
	code := run(context.Background(), []string{"run", "quickstart", "--coordinate", "127.0.0.1:0", "--db", path},
		strings.NewReader(""), io.Discard, &said)
	if code != 1 || !strings.Contains(said.String(), store.ErrBusy.Error()) || strings.Contains(said.String(), "join") {
		t.Errorf("exit code %d: %s", code, said.String())
	}
}

// A worker that is not let in says what to do.
func TestWorkerIsNotLetIn(t *testing.T) {
	t.Parallel()
	assets := arena.NewAssets()
	c := must.Get(remote.New(
		context.Background(),
		remote.Options{
			Assets:  assets,
			Workers: -1,
			Listen:  "127.0.0.1:0",
			Token:   strings.Repeat("0123456789", 4),
			Build:   &remote.Build{},
			Speed:   1,
		},
	))(t)
	defer c.Close()
	token := filepath.Join(t.TempDir(), "token")
	must.Do(t, os.WriteFile(token, []byte(strings.Repeat("another ", 5)), 0o600))
	for _, w := range []struct {
		args []string
		want string
	}{
		{[]string{"--token-file", token}, "the server rejects this token; give the coordinator's token with --token-file"},
		{nil, "the server requires a token; give the coordinator's token with --token-file"},
		{[]string{"--token-file", token, "--tls-fingerprint", strings.Repeat("0", 64)}, "the server uses no TLS; give a nats:// address"},
	} {
		var said bytes.Buffer
		code := run(context.Background(), append([]string{"worker", c.Address()}, w.args...), strings.NewReader(""),
			io.Discard, &said)
		if code != 2 || !strings.Contains(said.String(), w.want) || strings.Contains(said.String(), "handed in") {
			t.Errorf("%v: exit code %d: %s", w.args, code, said.String())
		}
	}
}
