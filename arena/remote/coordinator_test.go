package remote

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"spar/arena"
)

// A coordinator plays on all processors itself, unless it is told how many or none, and plays every hundredth game twice, unless it is told
// how many or none; who is new is looked at more closely then.
func TestWhatACoordinatorDoesUnasked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		workers int
		check   float64
		plays   int
		checks  float64
		novices float64
	}{
		{0, 0, runtime.GOMAXPROCS(0), 0.01, noviceShare},
		{1, 0.2, 1, 0.2, noviceShare},
		{-1, -1, -1, 0, 0},
	} {
		kit := arena.NewKit()
		co, err := New(t.Context(), Options{Kit: kit, Workers: c.workers, Check: c.check, Listen: "127.0.0.1:0", Build: &Build{Program: "test"}, Speed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if l := co.ledger.limits; co.o.Workers != c.plays || l.check != c.checks || l.novice != c.novices {
			t.Errorf("%d workers, check %g: plays with %d, checks %g and %g of the games", c.workers, c.check, co.o.Workers, l.check, l.novice)
		}
		if err := co.Close(); err != nil {
			t.Error(err)
		}
		kit.Close()
	}
}

// deserted is a coordinator that plays nothing itself and has no workers.
func deserted(t *testing.T) *Coordinator {
	t.Helper()
	kit := arena.NewKit()
	t.Cleanup(kit.Close)
	co, err := New(t.Context(), Options{Kit: kit, Workers: -1, Listen: "127.0.0.1:0", Build: &Build{Program: "test"}, Speed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := co.Close(); err != nil {
			t.Error(err)
		}
	})
	return co
}

// Of each class of work as many hints wait as are wanted, and no more when it is asked again.
func TestHintsThatWait(t *testing.T) {
	t.Parallel()
	co := deserted(t)
	for _, c := range []struct {
		class string
		n     int
		want  uint64
	}{{"", 2, 2}, {"", 3, 3}, {"engine", 1, 1}, {"", 3, 3}, {"", 1, 3}, {"engine", 2, 2}} {
		if err := co.link.write(t.Context(), c.class, c.n); err != nil {
			t.Fatal(err)
		}
		waiting := uint64(0)
		for until := time.Now().Add(10 * time.Second); waiting != c.want && time.Now().Before(until); time.Sleep(time.Millisecond) { // it is counted a little later
			at, err := co.link.js.Consumer(t.Context(), co.link.stream, consumer(c.class))
			if err != nil {
				t.Fatal(err)
			}
			waiting = at.CachedInfo().NumPending
		}
		if waiting != c.want {
			t.Errorf("%d of %q: %d wait, want %d", c.n, c.class, waiting, c.want)
		}
	}
}

// A request that is not answered is made again; other errors, and the end of the whole, are final.
func TestPatiently(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	over, end := context.WithCancel(t.Context())
	end()
	coded := func(code jetstream.ErrorCode) error { return &jetstream.APIError{Code: 400, ErrorCode: code} }
	for name, c := range map[string]struct {
		ctx   context.Context
		says  []error
		want  error
		asked int
	}{
		"answered":             {t.Context(), []error{nil}, nil, 1},
		"answered late":        {t.Context(), []error{context.DeadlineExceeded, context.DeadlineExceeded, nil}, nil, 3},
		"no peers seen yet":    {t.Context(), []error{coded(10005), nil}, nil, 2}, // codes of nats-server's errors.json
		"not available yet":    {t.Context(), []error{coded(10008), context.DeadlineExceeded, nil}, nil, 3},
		"refused":              {t.Context(), []error{other, nil}, other, 1},
		"refused with a code":  {t.Context(), []error{coded(10039), nil}, coded(10039), 1},
		"refused when it came": {t.Context(), []error{context.DeadlineExceeded, other}, other, 2},
		"nobody asks any more": {over, []error{context.DeadlineExceeded, nil}, context.DeadlineExceeded, 1},
	} {
		asked := 0
		err := patiently(c.ctx, func(ctx context.Context) error {
			if until, ok := ctx.Deadline(); !ok || time.Until(until) > startWait/5 {
				t.Errorf("%s: one request may take until %v", name, until)
			}
			asked++
			return c.says[asked-1]
		})
		if !errors.Is(err, c.want) || asked != c.asked {
			t.Errorf("%s: %v after %d requests, want %v after %d", name, err, asked, c.want, c.asked)
		}
	}
}

// A worker that waits for other work than there is hears of it at once.
func TestWordOfOtherWork(t *testing.T) {
	t.Parallel()
	co := deserted(t)
	heard, err := co.link.nc.SubscribeSync(hintsOf("w"))
	if err != nil {
		t.Fatal(err)
	}
	co.mu.Lock()
	waits := waiting("y", time.Now())
	waits.hello(Hello{ID: "w", Slots: 1}, time.Now()).told = []string{consumer("other")}
	co.ledger.classes, co.ledger.workers = waits.classes, waits.workers
	co.mu.Unlock()
	co.link.hint()
	if _, err := heard.NextMsg(10 * time.Second); err != nil {
		t.Error(err)
	}
}

// A worker that waits gets a hint that is there or comes, one that it asked for earlier as well; it waits no longer than it said, nor when
// there is other work, and gets nothing where there is no stream.
func TestPull(t *testing.T) {
	t.Parallel()
	co := deserted(t)
	l, name := co.link, consumer("")
	p := &playing{nc: l.nc, turned: make(chan struct{}, 1)}
	var err error
	if p.hints, err = l.nc.SubscribeSync(l.nc.NewInbox()); err != nil {
		t.Fatal(err)
	}
	hints := func(n int) {
		t.Helper()
		if err := l.write(t.Context(), "", n); err != nil {
			t.Fatal(err)
		}
	}
	pull := func(what, stream string, wait time.Duration, want bool) {
		t.Helper()
		got := p.pull(t.Context(), stream, name, wait)
		for again := 0; again < 20 && got == "" && want; again++ { // the word that an earlier request has ended may come late
			got = p.pull(t.Context(), stream, name, wait)
		}
		if (got != "") != want || want && !strings.HasPrefix(got, "$JS.ACK.") {
			t.Errorf("%s: %q", what, got)
		}
	}
	hints(1)
	pull("one that is there", l.stream, time.Minute, true)
	began := time.Now()
	pull("none", l.stream, 20*time.Millisecond, false)
	if late := time.Since(began); late > 10*time.Second {
		t.Errorf("it waits for %v", late)
	}
	go func() {
		time.Sleep(20 * time.Millisecond)
		if err := l.write(context.Background(), "", 1); err != nil {
			t.Error(err)
		}
	}()
	pull("one that comes", l.stream, time.Minute, true)
	pull("no stream", "none", time.Second, false)
	p.turned <- struct{}{}
	began = time.Now()
	pull("other work", l.stream, time.Minute, false)
	if late := time.Since(began); late > 10*time.Second {
		t.Errorf("it waits for %v while there is other work", late)
	}
	if err := l.nc.Publish(p.hints.Subject, nil); err != nil {
		t.Fatal(err)
	}
	began = time.Now()
	pull("a word of other work", l.stream, time.Minute, false)
	if late := time.Since(began); late > 10*time.Second {
		t.Errorf("it waits for %v after a word of other work", late)
	}
	hints(1) // for the request that was given up
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if n, _, _ := p.hints.Pending(); n == 1 {
			break
		}
	}
	pull("one that was asked for earlier", l.stream, time.Minute, true)
	if n, _, err := p.hints.Pending(); n != 0 || err != nil {
		t.Errorf("%d hints are left, %v", n, err)
	}
}
