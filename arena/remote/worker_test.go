package remote

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"spar/agents"
	"spar/arena"
	"spar/arena/live"
	"spar/engines"
)

// A worker waits for a hint only when it has neither games nor results: the coordinator writes none for those who hold games. (One that had
// handed in nothing yet used to wait five seconds, at a tenth of the games a second.)
func TestBusyWithResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		p    *playing
		want bool
	}{
		{"nothing", &playing{}, false},
		{"a game in play", &playing{play: map[arena.Slot]*inPlay{{}: nil}}, true},
		{"a game that waits", &playing{queue: make([]arena.Task, 1)}, true},
		{"a result to hand in", &playing{done: make([]arena.Result, 1)}, true},
		{"a failure to tell", &playing{failed: make([]Failure, 1)}, true},
	} {
		if got := c.p.busy(); got != c.want {
			t.Errorf("%s: busy %t", c.name, got)
		}
	}
}

// Results wait since the first of them, failures as well as games, until there are enough, it is time, or nothing else is to be played.
func TestResultsThatWait(t *testing.T) {
	t.Parallel()
	var told []string
	p := &playing{o: WorkerOptions{Log: func(s string) { told = append(told, s) }}}
	at := time.Unix(1000, 0)
	if p.due(at) {
		t.Error("nothing is due")
	}
	p.keep(arena.Result{}, arena.Slot{Event: 1, Number: 7}, errors.New("it broke"), at)
	p.keep(arena.Result{Slot: arena.Slot{Event: 1, Number: 8}, Detail: strings.Repeat("x", 5000)}, arena.Slot{Event: 1, Number: 8}, nil, at.Add(sendAfter/2))
	p.keep(arena.Result{Slot: arena.Slot{Event: 1, Number: 9}}, arena.Slot{Event: 1, Number: 9}, nil, at.Add(sendAfter-1))
	if !p.since.Equal(at) || len(p.done) != 2 || p.done[1].Number != 9 || len(p.done[0].Detail) != 4000 || fmt.Sprint(p.failed) != "[{{1 7} it broke}]" || fmt.Sprint(told) != "[it broke]" {
		t.Errorf("since %v: %v, failed %v, told %v", p.since, p.done, p.failed, told)
	}
	if !p.due(at) { // no game is left to be played
		t.Error("what could not become more is not due")
	}
	p.queue = make([]arena.Task, 1)
	if p.due(at.Add(sendAfter-1)) || !p.due(at.Add(sendAfter)) {
		t.Error("due early or late")
	}
	p.done = make([]arena.Result, 254)
	if p.due(at) {
		t.Error("255 are due at once")
	}
	if p.done = make([]arena.Result, 255); !p.due(at) {
		t.Error("256 are not due at once")
	}
	p.done, p.failed = nil, nil
	if p.keep(arena.Result{}, arena.Slot{}, nil, at.Add(time.Hour)); !p.since.Equal(at.Add(time.Hour)) {
		t.Errorf("waiting since %v", p.since)
	}
}

// A batch goes into the queue, unless it is of another run or an earlier part, or the worker is leaving; games of one whose settings
// cannot be had are told as failures.
func TestBatchesThatAreTaken(t *testing.T) {
	t.Parallel()
	game, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		run    string
		batch  Batch
		ending bool
		queued int
		failed int
	}{
		"of this part":    {"run", Batch{Epoch: 3}, false, 2, 0},
		"of the next":     {"run", Batch{Epoch: 4}, false, 2, 0},
		"of one before":   {"run", Batch{Epoch: 2}, false, 0, 0},
		"of another run":  {"other", Batch{Epoch: 3}, false, 0, 0},
		"while it leaves": {"run", Batch{Epoch: 3}, true, 0, 0},
		"without rules":   {"run", Batch{Epoch: 3, Settings: []wireSetting{{}}}, false, 0, 2},
	} {
		p := &playing{o: WorkerOptions{Log: func(string) {}}, epoch: 3, ending: c.ending}
		p.changed = sync.NewCond(&p.mu)
		p.welcome.Run = "run"
		p.known = newKnown(p)
		p.kit = arena.NewKit()
		rules := p.kit.AddRules(game)
		p.known.rules["object"] = rules
		p.kit.AddSpec("spec", agents.DefaultSpec())
		p.known.specs[[2]string{rules, "one"}] = "spec"
		if c.batch.Settings == nil {
			s := wireSetting{Objects: [2]string{"one", "one"}, Object: "object"}
			s.Rules, s.Seats = rules, [2]arena.Entrant{{Spec: "spec"}, {Spec: "spec"}}
			c.batch.Settings = []wireSetting{s}
		}
		c.batch.Games = []wireGame{{Number: 7}, {Number: 8}}
		p.take(t.Context(), c.run, &c.batch)
		if len(p.queue) != c.queued || len(p.failed) != c.failed || c.queued > 0 && (p.queue[1].Number != 8 || p.epoch != c.batch.Epoch) {
			t.Errorf("%s: %d queued, %d failed, part %d", name, len(p.queue), len(p.failed), p.epoch)
		}
		p.kit.Close()
	}
}

// Whoever leaves waits for results that are being handed in, or are to be, and no longer than he said.
func TestWaitingForResults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p    *playing
		wait bool
	}{
		"nothing":            {&playing{}, false},
		"a result":           {&playing{done: make([]arena.Result, 1)}, true},
		"a failure":          {&playing{failed: make([]Failure, 1)}, true},
		"one under way":      {&playing{sending: true}, true},
		"one more under way": {&playing{sending: true, done: make([]arena.Result, 1)}, true},
	} {
		const wait = 60 * time.Millisecond
		began := time.Now()
		c.p.handedIn(wait)
		if took := time.Since(began); c.wait && took < wait || took > 10*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		if c.wait {
			continue
		}
		began = time.Now()
		if c.p.handedIn(time.Minute); time.Since(began) > 10*time.Second {
			t.Errorf("%s: it waits all the time", name)
		}
	}
}

// A message holds results of 400 KiB in all, and one that is larger than that alone.
func TestResultsOfAMessage(t *testing.T) {
	t.Parallel()
	of := func(sizes ...int) []arena.Result {
		var out []arena.Result
		for _, n := range sizes {
			out = append(out, arena.Result{Moves: strings.Repeat("x", n-600)})
		}
		return out
	}
	const half = mostResults / 2
	for i, c := range []struct {
		done []arena.Result
		want int
	}{
		{nil, 0}, {of(1000), 1}, {of(half, half), 2}, {of(half, half, 600), 2}, {of(half, half+1), 1}, {of(2 * mostResults), 1}, {of(2*mostResults, 600), 1}, {of(600, 2*mostResults), 1},
	} {
		if got := fitting(c.done); got != c.want {
			t.Errorf("case %d: %d of %d, want %d", i, got, len(c.done), c.want)
		}
	}
}

// Whoever has short games asks for as many as there are hands before all are idle, but not when a second of them waits.
func TestHandsThatAreFree(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	game := map[arena.Slot]*inPlay{{}: {began: now}}
	for _, c := range []struct {
		name   string
		queued int
		mean   time.Duration
		want   int
	}{
		{"nothing is known of games", 1, 0, 2},
		{"long games", 1, aheadOf, 2},
		{"short games", 1, aheadOf / 8, 4},
		{"short games, a few", 31, aheadOf / 8, 4},
		{"short games, as many as needed", 32, aheadOf / 8, 0},
		{"more long games than hands", 5, aheadOf, 0},
	} {
		p := &playing{o: WorkerOptions{Slots: 4}, play: game, queue: make([]arena.Task, c.queued), mean: c.mean}
		if got := p.free(now); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What leaves the machine is encrypted, and what a certificate is named for.
func TestWhatIsEncrypted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address string
		t       TLS
		want    bool
	}{
		{"nats://127.0.0.1:1", TLS{}, false},
		{"nats://localhost:1", TLS{}, false},
		{"tls://127.0.0.1:1", TLS{}, true},
		{"nats://example.org:1", TLS{}, true},
		{"nats://127.0.0.1:1", TLS{Pin: "ab"}, true},
		{"nats://127.0.0.1:1", TLS{Roots: x509.NewCertPool()}, true},
	} {
		u, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.t.asked(u); got != c.want {
			t.Errorf("%s, %+v: %t", c.address, c.t, got)
		}
	}
}

// A fingerprint has 64 hexadecimal digits, as programs print them: in capitals, too, with colons, after the name of the sum.
func TestParsePin(t *testing.T) {
	t.Parallel()
	pin := strings.Repeat("0a", 32)
	for _, good := range []string{pin, strings.ToUpper(pin), "sha256:" + pin, strings.TrimSuffix(strings.Repeat("0A:", 32), ":")} {
		if got, err := ParsePin(good); err != nil || got != pin {
			t.Errorf("%s: %s, %v", good, got, err)
		}
	}
	for _, bad := range []string{"", pin[1:], pin[2:], pin + "0a", "x" + pin[1:], "sha1:" + pin} {
		if got, err := ParsePin(bad); err == nil || got != "" || !strings.Contains(err.Error(), "expected 64 hexadecimal digits") {
			t.Errorf("%s: %s, %v", bad, got, err)
		}
	}
}

// Boards of games in play are waited for where somebody looks, a few moments at most, and no moment longer than until one has been shown.
func TestRefresh(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		look, show bool
		want       time.Duration
	}{
		{"nobody looks", false, false, 0},
		{"no board comes", true, false, 25 * time.Millisecond},
		{"there is one", true, true, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &playing{play: map[arena.Slot]*inPlay{{Number: 7}: {}}}
			p.state.Look = c.look
			if p.boards.Look(); c.show {
				p.boards.Put(0, live.Board{Number: 7})
			}
			began := time.Now()
			if p.refresh(); time.Since(began) != c.want {
				t.Errorf("%s: %v, want %v", c.name, time.Since(began), c.want)
			}
		})
	}
}

// A machine's name may stand in a subject: letters, digits and low lines, 24 at most, and never nothing. Texts are cut between letters.
func TestNamesOfMachines(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"lab-7.example.org": "lab_7_example_org", "__a b__": "a_b", "*>": "worker", "Zürich": "Z_rich", "abcdefghijklmnopqrstuvwxyz": "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx": "abcdefghijklmnopqrstuvwx",
	} {
		if got := workerName(name); got != want || !workerForm.MatchString(got) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := workerName(""); !workerForm.MatchString(got) || len(got) > 24 {
		t.Errorf("of the host: %q", got)
	}
	for most, want := range []string{"", "a", "a", "aé", "aéb", "aéb"} {
		if got := clip("aéb", most); got != want {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
	if a, b := signature("a"), signature("b"); a == b || len(a) != 12 || a != signature("a") || !equalText("a", "a") || equalText("a", "ab") || equalText("", "a") {
		t.Errorf("%s, %s", a, b)
	}
	for err, want := range map[error]bool{errors.New("other"): false, nats.ErrConnectionClosed: true, nats.ErrTimeout: false, &net.OpError{Op: "dial", Err: errors.New("refused")}: true, io.EOF: false} {
		if isNet(err) != want || isNet(fmt.Errorf("there: %w", err)) != want {
			t.Errorf("%v may pass: %t", err, !want)
		}
	}
}
