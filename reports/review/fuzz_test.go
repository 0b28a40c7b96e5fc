package review

import (
	"bytes"
	"testing"

	"spar/configs/fuzzlimit"
)

// FuzzRequests holds that no file of games makes its reader panic, and that each line is a game or says why not.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"id":1,"rules":"classic","moves":["b2","a1"],"perspective":"first"}`))
	f.Add([]byte("{\"rules\":\"ctor\",\"perspective\":\"x\"}\n\n[]\nnull\n{\"set\":{\"a\":[]}}\n"))
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		r := Reader{Name: "fuzz", Side: -1}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if g := r.Request(i+1, line); g.Game == nil && g.Err == nil {
				t.Fatalf("%q: %s is neither a game nor an error", data, g.Name)
			}
		}
	})
}
