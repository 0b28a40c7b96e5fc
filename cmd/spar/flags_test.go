package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Flags that are said to need others, or to stand apart from them, are there; without them every command may run.
func TestFlagsThatGoTogetherExist(t *testing.T) {
	t.Parallel()
	eachCommand(newRoot(), func(c *cobra.Command) {
		for _, name := range []string{"set", "agent-set", "plan-set"} {
			if f := c.Flags().Lookup(name); f != nil {
				if err := f.Value.Set("key=value"); err != nil {
					t.Errorf("%s --%s: %v", c.CommandPath(), name, err)
				}
			}
		}
		if c.PreRunE == nil {
			return
		}
		if err := c.PreRunE(c, nil); err != nil {
			t.Errorf("%s: %v", c.CommandPath(), err)
		}
	})
}

// A size has a unit: MB is a million, MiB 2 to the 20th.
func TestByteCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"4GB": 4_000_000_000, "500MB": 500_000_000, "64MiB": 67_108_864, "1.5 kb": 1500, "1B": 1, "2tib": 2 << 40, "0.5KiB": 512,
	} {
		var n byteCount
		if err := n.Set(text); err != nil || int64(n) != want {
			t.Errorf("%s: %d, %v; want %d", text, n, err, want)
		}
		back := byteCount(0)
		if err := back.Set(n.String()); err != nil || back != n {
			t.Errorf("%s is written %s and read back as %d, %v", text, n.String(), back, err)
		}
	}
	for text, want := range map[string]string{
		"4": "with a unit", "NaN": "with a unit", "": "with a unit", "-1GB": "with a unit", "1e9B": "with a unit", "4 GBs": `unknown unit "GBs"`,
		"0MB": "at least 1B", "0.1B": "at least 1B", "9999999999GB": "less than 8EiB",
	} {
		n := byteCount(7)
		if err := n.Set(text); err == nil || !strings.Contains(err.Error(), want) || n != 7 {
			t.Errorf("%q: %v, %d left; want an error with %q", text, err, n, want)
		}
	}
}
