package serve

import (
	"errors"
	"fmt"
	"testing"
)

// What was made for a version is made once, until it is forgotten or another version is asked for; a mistake is kept
// like a result.
func TestMadeOnce(t *testing.T) {
	t.Parallel()
	var j jobs
	defer j.work.Wait()
	made := 0
	var wrong error
	await := func(key string, version any) string {
		value, err := j.await(key, version, func() (any,
			error,
		) {
			made++
			return fmt.Sprintf("%s %v %d", key, version, made), wrong
		})
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
