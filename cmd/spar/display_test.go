package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"spar/arena/live"
)

// A text is replaced as a whole on a terminal; a file gets lines now and then, and nothing to take away.
func TestDisplay(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	d := &display{out: &out, live: true}
	d.show(func() string { return "one\ntwo\n" })
	d.show(func() string { return "three" })
	d.clear()
	d.clear()
	if want := "one\ntwo\n\x1b[2A\r\x1b[Jthree\n\x1b[1A\r\x1b[J"; out.String() != want {
		t.Errorf("terminal: %q, want %q", out.String(), want)
	}
	out.Reset()
	d = newDisplay(&out)
	d.show(func() string { return "too early" })
	d.last = time.Now().Add(-fileEvery)
	d.show(func() string { return "one" })
	d.show(func() string { return "too soon" })
	d.clear()
	if out.String() != "one\n" {
		t.Errorf("file: %q", out.String())
	}
}

// What is to be known at once stays above the text; what else happens is for those who follow it.
func TestNewsOfARunStay(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	d := &display{out: &out, live: true}
	d.show(func() string { return "so far" })
	for _, kind := range []live.Kind{live.Begin, live.Stage, live.Barred, live.Machines, live.Withdrawn, live.End} {
		d.hear(live.Event{Kind: kind, Text: string(kind) + "\x1b[2J"})
	}
	if want := "so far\n\x1b[1A\r\x1b[Jwarning: barred\\x1b[2J\nwarning: withdrawn\\x1b[2J\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// Nobody looks at /dev/null, though it is a device.
func TestNullIsNoTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Error(os.DevNull, "passes for a terminal")
	}
}
