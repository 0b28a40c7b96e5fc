package remote

import (
	"runtime"
	"testing"

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
		co, err := New(t.Context(), Options{Kit: kit, Workers: c.workers, Check: c.check, Listen: "127.0.0.1:0", Folder: t.TempDir(), Build: &Build{Program: "test"}})
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

// Of each class of work as many hints wait as are wanted, and no more when it is asked again.
func TestHintsThatWait(t *testing.T) {
	t.Parallel()
	kit := arena.NewKit()
	defer kit.Close()
	co, err := New(t.Context(), Options{Kit: kit, Workers: -1, Listen: "127.0.0.1:0", Folder: t.TempDir(), Build: &Build{Program: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	defer co.Close()
	for _, c := range []struct {
		class string
		n     int
		want  uint64
	}{{"", 2, 2}, {"", 3, 3}, {"engine", 1, 1}, {"", 3, 3}, {"", 1, 3}, {"engine", 2, 2}} {
		if err := co.link.write(t.Context(), c.class, c.n); err != nil {
			t.Fatal(err)
		}
		at, err := co.link.js.Consumer(t.Context(), co.link.stream, consumer(c.class))
		if err != nil {
			t.Fatal(err)
		}
		if got := at.CachedInfo().NumPending; got != c.want {
			t.Errorf("%d of %q: %d wait, want %d", c.n, c.class, got, c.want)
		}
	}
}
