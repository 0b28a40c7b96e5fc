package ugi

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// transcript appends the messages between Spar and an engine to a file. Each line is one write, so that engines with
// the same name can share the file. A nil transcript writes nothing.
type transcript struct {
	f     *os.File
	began time.Time
	pid   int
	mu    sync.Mutex // needed because a separate goroutine reads standard error
	err   error      // first write error
}

func openTranscript(folder, name string) (*transcript, error) {
	if folder == "" {
		return nil, nil
	}
	file := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, "."))
	f, err := os.OpenFile(filepath.Join(folder, file+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%w: engine log: %w", ErrOurs, err)
	}
	return &transcript{f: f, began: time.Now()}, nil
}

// line writes one line. The sign marks the direction.
func (t *transcript) line(sign byte, text any) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := fmt.Fprintf(t.f, "%d %.6f %c %s\n", t.pid, time.Since(t.began).Seconds(), sign, text)
	if t.err == nil {
		t.err = err
	}
}

// raw writes all lines of a piece of output.
func (t *transcript) raw(sign byte, piece []byte) {
	if t == nil {
		return
	}
	for line := range bytes.Lines(piece) {
		t.line(sign, bytes.TrimRight(line, "\r\n"))
	}
}

func (t *transcript) close() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.f.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fmt.Errorf("%w: engine log: %w", ErrOurs, t.err)
	}
	return nil
}
