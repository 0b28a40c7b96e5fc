// Package must ends a test at an error that is not what the test is about; only tests use it.
package must

import (
	"fmt"
	"strings"
)

// T is what tests, fuzz targets and properties have in common.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test if a call failed: must.Do(t, db.Close()).
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get is the value of a call, and ends the test if the call failed: data := must.Get(os.ReadFile(path))(t).
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Get2 is Get for a call with two values.
func Get2[V, W any](v V, w W, err error) func(T) (V, W) {
	return func(t T) (V, W) {
		t.Helper()
		Do(t, err)
		return v, w
	}
}

// Fail ends the test unless a call failed with an error that contains some words: must.Fail(t, db.Lock(), "in use").
func Fail(t T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Fatal(fmt.Sprintf("error %v, want one with %q", err, words))
	}
}

// Refuse is Fail for a call with a value: must.Refuse(rules.Load(file))(t, "unknown key").
func Refuse[V any](_ V, err error) func(T, string) {
	return func(t T, words string) {
		t.Helper()
		Fail(t, err, words)
	}
}
