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
		games, err := Requests(bytes.NewReader(data), "fuzz", -1, false)
		for _, g := range games {
			if err == nil && g.Game == nil && g.Err == nil {
				t.Fatalf("%q: %s is neither a game nor an error", data, g.Name)
			}
		}
	})
}
