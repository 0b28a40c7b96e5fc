package ugi

import (
	"context"
	"os"
	"time"
)

// ourEnd is Spar's end of a pipe, for one goroutine.
type ourEnd struct {
	*os.File
	release func()
}

// newPipe makes a pipe and returns Spar's end, and the child's end as a file. If write is set, Spar's end is the one
// for writing.
func newPipe(weWrite bool) (*ourEnd, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	if weWrite {
		return &ourEnd{File: w}, r, nil
	}
	return &ourEnd{File: r}, w, nil
}

// limit sets a deadline and a context for later reads and writes.
func (p *ourEnd) limit(ctx context.Context, until time.Time) error {
	if p.release != nil {
		p.release()
		p.release = nil
	}
	if err := p.SetDeadline(until); err != nil {
		return err
	}
	if ctx.Done() == nil {
		return nil
	}
	fired := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = p.SetDeadline(time.Unix(1, 0)) // one that is closed ends its reads and writes anyway
		close(fired)
	})
	p.release = func() {
		if !stop() {
			<-fired // it must not touch the deadline of what comes next
		}
	}
	return nil
}
