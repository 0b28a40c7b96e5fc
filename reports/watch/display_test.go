package watch

import (
	"strings"
	"testing"
	"time"

	"spar/arena/live"
)

// A text is replaced as a whole on a terminal; a file gets none.
func TestDisplay(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	d := &Display{out: &out, live: true}
	d.Show(func() string { return "one\ntwo\n" })
	d.Show(func() string { return "three" })
	d.Clear()
	d.Clear()
	if want := "one\ntwo\n\x1b[2A\r\x1b[Jthree\n\x1b[1A\r\x1b[J"; out.String() != want {
		t.Errorf("terminal: %q, want %q", out.String(), want)
	}
	out.Reset()
	d = NewDisplay(&out)
	d.last = time.Time{}
	d.Show(func() string { return "one" })
	d.Clear()
	if out.String() != "" {
		t.Errorf("file: %q", out.String())
	}
}

// What is to be known at once stays above the text; what else happens is for those who follow it.
func TestNewsOfARunStay(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	d := &Display{out: &out, live: true}
	d.Show(func() string { return "so far" })
	for _, kind := range []live.Kind{live.Begin, live.Stage, live.Barred, live.Machines, live.Withdrawn, live.End} {
		d.Hear(live.Event{Kind: kind, Text: string(kind) + "\x1b[2J"})
	}
	if want := "so far\n\x1b[1A\r\x1b[Jwarning: barred\\x1b[2J\nwarning: withdrawn\\x1b[2J\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
