package serve

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// What was made for a version is made once, until it is forgotten or another version is asked for; a mistake is kept like a result.
func TestMadeOnce(t *testing.T) {
	t.Parallel()
	var j jobs
	defer j.work.Wait()
	made := 0
	var wrong error
	await := func(key string, version any) string {
		value, err := j.await(key, version, func() (any, error) { made++; return fmt.Sprintf("%s %v %d", key, version, made), wrong })
		return fmt.Sprintf("%v %v", value, err)
	}
	for i, c := range []struct {
		key     string
		version any
		forget  bool
		want    string
	}{
		{"a", 1, false, "a 1 1 <nil>"},
		{"a", 1, false, "a 1 1 <nil>"},
		{"b", 1, false, "b 1 2 <nil>"},
		{"a", 1, false, "a 1 1 <nil>"},
		{"a", 2, false, "a 2 3 <nil>"},
		{"a", 2, true, "a 2 4 <nil>"},
		{"b", 1, false, "b 1 2 <nil>"},
	} {
		if c.forget {
			j.forget(c.key)
		}
		if got := await(c.key, c.version); got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}
	wrong = errors.New("no")
	if got := await("a", 3); got != "a 3 5 no" {
		t.Error(got)
	}
	if value, ok, err := j.get("a", 3, 0, nil); value != "a 3 5" && value != nil || !ok || err == nil {
		t.Errorf("%v, %t, %v", value, ok, err)
	}
	if value, ok, err := j.get("b", 1, 0, nil); value != "b 1 2" || !ok || err != nil {
		t.Errorf("%v, %t, %v", value, ok, err)
	}
}

// When many results are kept those that are there make room, and what is still being made stays.
func TestResultsMakeRoom(t *testing.T) {
	t.Parallel()
	var j jobs
	defer j.work.Wait()
	hold := make(chan struct{})
	defer close(hold)
	j.forget("nothing")
	_, _, _ = j.get("slow", 1, -1, func() (any, error) { <-hold; return nil, nil })
	j.forget("slow")
	for i := 1; i <= mostKept; i++ {
		if _, err := j.await(fmt.Sprint(i), 1, func() (any, error) { return i, nil }); err != nil {
			t.Fatal(err)
		}
		if want := i + 1; i < mostKept && len(j.made) != want {
			t.Errorf("%d results, want %d", len(j.made), want)
		}
	}
	if len(j.made) != 2 || j.made["slow"] == nil || j.made[fmt.Sprint(mostKept)] == nil {
		t.Errorf("%d results are kept", len(j.made))
	}
}

// While a new version is being made there is the one before, if it was no mistake; and nothing where there is none.
func TestTheOneBefore(t *testing.T) {
	t.Parallel()
	for _, wrong := range []error{nil, errors.New("no")} {
		var j jobs
		var stale []string
		j.stale = func(key string) { stale = append(stale, key) }
		hold := make(chan struct{})
		slow := func() (any, error) { <-hold; return "new", nil }
		if value, ok, _ := j.get("a", 1, -1, slow); ok || value != nil {
			t.Errorf("%v at once", value)
		}
		if _, err := j.await("b", 1, func() (any, error) { return "old", wrong }); err != wrong {
			t.Error(err)
		}
		if value, _, err := j.get("b", 2, -1, nil); err != wrong || value != "old" { // it was made just now
			t.Errorf("%v, %v", value, err)
		}
		j.made["b"].at = time.Now().Add(-2 * fresh)
		if value, ok, _ := j.get("b", 2, -1, slow); ok != (wrong == nil) || ok && value != "old" {
			t.Errorf("%v, %t", value, ok)
		}
		close(hold)
		j.work.Wait()
		for key, version := range map[string]int{"a": 1, "b": 2} {
			if value, ok, err := j.get(key, version, 0, nil); value != "new" || !ok || err != nil {
				t.Errorf("%s: %v, %t, %v", key, value, ok, err)
			}
		}
		want := []string{"b", "b"} // of another version, then in place of what is being made
		if wrong != nil {
			want = want[:1] // a mistake is no result of before
		}
		if !slices.Equal(stale, want) {
			t.Errorf("told that %v are stale, want %v", stale, want)
		}
	}
}

// Up to 15 streams each has four messages a second; 200 share what 8 would have: one in six seconds.
func TestSpacing(t *testing.T) {
	t.Parallel()
	for streams, want := range map[int64]time.Duration{0: 250 * time.Millisecond, 1: 250 * time.Millisecond, 15: 250 * time.Millisecond, 16: 500 * time.Millisecond, 200: 6250 * time.Millisecond, 1024: 32 * time.Second} {
		if got := spacing(streams); got != want {
			t.Errorf("%d streams: %v, want %v", streams, got, want)
		}
	}
}

// What is there is good for a second; while a run plays for twenty times as long as it took to make, from a second to half a minute.
func TestOutlived(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plays     bool
		took, age time.Duration
		want      bool
	}{
		{false, time.Minute, 900 * time.Millisecond, false},
		{false, time.Minute, 1100 * time.Millisecond, true},
		{true, 10 * time.Millisecond, 900 * time.Millisecond, false},
		{true, 10 * time.Millisecond, 1100 * time.Millisecond, true},
		{true, 400 * time.Millisecond, 19 * time.Second, false},
		{true, 400 * time.Millisecond, 21 * time.Second, true},
		{true, time.Minute, 29 * time.Second, false},
		{true, time.Minute, 31 * time.Second, true},
	} {
		j := jobs{plays: func() bool { return c.plays }}
		if got := j.outlived(&job{took: c.took, at: time.Now().Add(-c.age)}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	if j := (&jobs{}); !j.outlived(&job{took: time.Minute, at: time.Now().Add(-2 * time.Second)}) {
		t.Error("without a run a result is kept for more than a second")
	}
}
