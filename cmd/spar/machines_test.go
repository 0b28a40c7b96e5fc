package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		"run":     {"run", "quickstart", "--set", "pairs=1", "--set", "games=[vanishing,ctor]"},
		"match":   {"match", "greedy", "random", "--rules", "classic", "--pairs", "30"},
		"balance": {"balance", "classic", "--effort", "quick", "--limit", "120"},
		"sweep":   {"sweep", "vanishing-size", "--set", "games=2", "--set", "fresh=2"},
		"search":  {"balance", "search", "classic", "--knob", "win.line=2..3", "--target", "length>=5", "--games", "4", "--fresh", "8"},
		"tune":    {"tune", "quickstart", "--set", "games=120"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			alone, together := filepath.Join(dir, "alone.db"), filepath.Join(dir, "together.db")
			set := func(db string) []string {
				if name == "tune" {
					return append(args, "--set", "output="+filepath.Join(dir, "agent.yaml"), "--db", db)
				}
				return append(args[:len(args):len(args)], "--db", db)
			}
			code := run(context.Background(), set(alone), strings.NewReader(""), io.Discard, io.Discard)
			coordinator := &heard{line: regexp.MustCompile(`spar worker (nats://\S+)`), tell: make(chan string, 1)}
			address := coordinator.tell
			ended := make(chan int, 1)
			go func() {
				ended <- run(context.Background(), append(set(together), "--coordinate", "127.0.0.1:0", "--coordinate-only"), strings.NewReader(""), io.Discard, coordinator)
			}()
			ctx, leave := context.WithCancel(context.Background())
			var worker sync.WaitGroup
			var said bytes.Buffer
			select {
			case a := <-address:
				worker.Go(func() { run(ctx, []string{"worker", a, "--workers", "2"}, strings.NewReader(""), io.Discard, &said) })
			case <-time.After(20 * time.Second):
				t.Error("nobody listens")
			}
			got := <-ended
			leave()
			worker.Wait()
			if got != code {
				t.Fatalf("exit code %d, alone %d: %s\n%s", got, code, &coordinator.text, &said)
			}
			a, b := gamesOf(t, alone), gamesOf(t, together)
			if d := cmp.Diff(a, b); d != "" || len(a) < 10 {
				t.Errorf("%d games, and other machines play others:\n%s", len(a), d)
			}
		})
	}
}

// gamesOf lists the games of a study without what may differ: who played and how long it took.
func gamesOf(t *testing.T, db string) []string {
	t.Helper()
	var out bytes.Buffer
	if code := run(context.Background(), []string{"games", "--db", db, "--limit", "0", "--json"}, strings.NewReader(""), &out, io.Discard); code != 0 {
		t.Fatalf("games: exit code %d", code)
	}
	times := regexp.MustCompile(`"(worker|first_ms|second_ms|ms)":("[^"]*"|[0-9.e+-]+),?`)
	return strings.Split(times.ReplaceAllString(out.String(), ""), "\n")
}
