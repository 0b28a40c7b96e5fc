package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// line shows how far long work is on one line that is written over and over; to a file it writes nothing but a line every
// half minute.
type line struct {
	mu    sync.Mutex
	out   io.Writer
	live  bool
	width int // of what stands on the line
	last  time.Time
}

func newLine(w io.Writer) *line { return &line{out: w, live: isTerminal(w), last: time.Now()} }

const (
	lineEvery = 100 * time.Millisecond
	fileEvery = 30 * time.Second
)

// show replaces the line, if the last change was long enough ago. The text is only made when it is shown.
func (l *line) show(text func() string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	every := fileEvery
	if l.live {
		every = lineEvery
	}
	now := time.Now()
	if now.Sub(l.last) < every {
		return
	}
	l.last = now
	s := text()
	if !l.live {
		fmt.Fprintln(l.out, s)
		return
	}
	fmt.Fprintf(l.out, "\r%s%s", s, strings.Repeat(" ", max(0, l.width-len(s))))
	l.width = len(s)
}

// clear takes the line away.
func (l *line) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.live && l.width > 0 {
		fmt.Fprintf(l.out, "\r%s\r", strings.Repeat(" ", l.width))
		l.width = 0
	}
}

// stage shows a count of a total, with the time left.
func (l *line) stage(began time.Time, name string, done, total int64) {
	l.show(func() string {
		if total == 0 {
			return fmt.Sprintf("%s: %d", name, done)
		}
		text := fmt.Sprintf("%s: %d of %d", name, done, total)
		if elapsed := time.Since(began); elapsed > time.Second && done > 0 {
			text += fmt.Sprintf(", %s left", roughly(time.Duration(float64(elapsed)*float64(total-done)/float64(done))))
		}
		return text
	})
}

// roughly writes a time as people say it.
func roughly(d time.Duration) string {
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
