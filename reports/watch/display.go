// Package watch shows the progress of a command. A [Display] shows text that changes in place on a terminal, and
// nothing elsewhere. [Run] listens to the events of a run and shows the current standings on a Display.
package watch

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"spar/arena/live"
	"spar/configs/plain"
	"spar/reports/screen"
)

// Display shows progress on a terminal, where it overwrites its lines.
type Display struct {
	mu    sync.Mutex
	out   io.Writer
	live  bool // the output is a terminal
	lines int  // number of lines currently displayed
	every time.Duration
	last  time.Time
}

// NewDisplay returns an empty Display, updated ten times a second at most.
func NewDisplay(w io.Writer) *Display {
	return &Display{out: w, live: screen.Terminal(w), every: 100 * time.Millisecond, last: time.Now()}
}

// ShowText shows a text that is known already: see Show.
func (d *Display) ShowText(text string) { d.Show(func() string { return text }) }

// Show replaces the text if the last update was long enough ago. Only then does it call text.
func (d *Display) Show(text func() string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if !d.live || now.Sub(d.last) < d.every {
		return
	}
	d.last = now
	s := string(screen.Break([]byte(strings.TrimRight(text(), "\n")), screen.Columns(d.out)))
	fmt.Fprint(d.out, d.erase(), s, "\n")
	d.lines = 0
	for line := range strings.SplitSeq(s, "\n") {
		d.lines++
		width := screen.Columns(d.out)
		if width > 0 { // a longer line takes several of the terminal
			d.lines += max(0, utf8.RuneCountInString(line)-1) / width
		}
	}
}

// Say prints a permanent line above the text.
func (d *Display) Say(line string) {
	d.Clear()
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = d.out.Write(screen.Break([]byte(line+"\n"), screen.Columns(d.out))) // a closed terminal ends the command anyway
}

// Hear prints the important events of a run as permanent lines: games that are played again, and barred workers.
func (d *Display) Hear(e live.Event) {
	if e.Kind == live.Barred || e.Kind == live.Withdrawn {
		d.Say("warning: " + plain.Line(e.Text))
	}
}

// erase moves to the start of the displayed text and clears it.
func (d *Display) erase() string {
	if d.lines == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", d.lines)
}

// Clear removes the text.
func (d *Display) Clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprint(d.out, d.erase())
	d.lines = 0
}

// Stage shows how much of the total is done, and the remaining time.
func (d *Display) Stage(began time.Time, name string, done, total int64) {
	d.Show(func() string {
		if total == 0 {
			return fmt.Sprintf("%s: %d", name, done)
		}
		text := fmt.Sprintf("%s: %d of %d", name, done, total)
		at := live.Progress{Done: float64(done), Total: float64(total), Elapsed: time.Since(began)}
		if left, known := at.Left(); known && at.Elapsed > time.Second {
			text += fmt.Sprintf(", %s left", Roughly(left))
		}
		return text
	})
}

// Roughly writes a duration in words, rounded.
func Roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than a second"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
