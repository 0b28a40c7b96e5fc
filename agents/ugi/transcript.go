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

// transcript appends what an engine hears and says to a file. Each line is one write, so that engines of the same
// name may share the file. A nil transcript writes nothing.
type transcript struct {
	f     *os.File
	began time.Time
	pid   int
	mu    sync.Mutex // standard error is heard by a goroutine of its own
	err   error      // the first write that failed
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

// line writes one line; sign says whose it is.
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
