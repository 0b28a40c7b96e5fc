package main

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"spar/engines/solve"
	"spar/engines/solve/published"
)

// A difference ends the command with exit code 1 after all rows have been printed; what is not attempted does not.
func TestSuiteEnds(t *testing.T) {
	t.Parallel()
	right := published.Entry{Name: "right", Rules: "pong-hau-ki", Value: published.Value{Winner: "draw"}}
	wrong := published.Entry{Name: "wrong", Rules: "pong-hau-ki", Value: published.Value{Winner: "first"}}
	large := published.Entry{Name: "large", Rules: "teeko", Value: published.Value{Winner: "first"}}
	for _, c := range []struct {
		entries []published.Entry
		fails   bool
		last    string
	}{
		{[]published.Entry{right, large}, false, "1 same, 0 different, 1 not attempted\n"},
		{[]published.Entry{wrong, right}, true, "1 same, 1 different, 0 not attempted\n"},
	} {
		var out bytes.Buffer
		s := suite{seconds: 60, options: solve.Options{Workers: 1, Memory: 1e6}}
		err := s.run(t.Context(), &out, io.Discard, c.entries)
		if !bytes.HasSuffix(out.Bytes(), []byte(c.last)) || errors.Is(err, errSaid) != c.fails || err != nil && !c.fails {
			t.Errorf("%v\n%s, want %s", err, out.String(), c.last)
		}
	}
}
