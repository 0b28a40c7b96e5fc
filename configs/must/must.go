// Package must ends a test at an error that is not what the test is about; only tests use it.
package must

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
