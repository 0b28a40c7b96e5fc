package chooser

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"spar/configs/fuzzlimit"
)

// FuzzChoose holds that no line of a bulk input makes the chooser panic, and that it gives a move or says why not.
func FuzzChoose(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"rules":"classic","moves":["b2","a1"]}`, `{"rules":"vanishing","set":{"pieces.cap":4},"moves":[]}`,
		`{"rules":"/dev/null.yaml"}`, `{"rules":"classic","position":"x"}`,
		`{"rules":"checkerboard","level":"hard"}`, `{"moves":["stop","swap","c2xe4","` + strings.Repeat("z", 1000) + `"]}`,
		`null`, `[]`, `{"set":{"board.columns":1e300}}`, `{"rules":"ctor","agent":"random"}`,
	} {
		f.Add([]byte(line))
	}
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		var l Line
		if json.Unmarshal(data, &l) != nil {
			return
		}
		if l.Agent != "" && l.Agent != "random" { // the time of searches is not the matter here
			l.Agent = "greedy"
		}
		l.Level = ""
		c := Chooser{Agent: "greedy"}
		defer c.Close()
		r, err := c.Choose(context.Background(), &l, 1)
		if err == nil && r.Move == "" && r.Error == "" {
			t.Fatalf("%s: neither a move nor an error", data)
		}
	})
}
