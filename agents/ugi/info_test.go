package ugi

import (
	"fmt"
	"testing"
)

// What engines say of their moves, and what is left of nonsense.
func TestInfo(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"info depth 7 nodes 1200 wdl 310 400 290 pv b2 a1": "{7 1200 0.51 [b2 a1]}",
		"info nodes 5 time 3 depth 2":                      "{2 5 NaN []}",
		"info wdl 1000 0 0":                                "{0 0 1 []}",
		"info depth x nodes -4 wdl 1 2":                    "{0 0 NaN []}",
		"info wdl 0 0 0 pv":                                "{0 0 NaN []}",
		"info depth":                                       "{0 0 NaN []}",
		"":                                                 "{0 0 NaN []}",
	} {
		if got := fmt.Sprint(parseInfo(line)); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
		if said := parseInfo(line).line(); fmt.Sprint(parseInfo(said)) != want {
			t.Errorf("%q is said as %q", line, said)
		}
	}
}
