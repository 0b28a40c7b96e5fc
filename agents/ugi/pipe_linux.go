package ugi

import (
	"context"
	"io"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// ourEnd is Spar's end of a pipe, for one goroutine. It waits in the kernel and does not use Go's poller: a
// question and its answer take microseconds, and switching threads would double that.
type ourEnd struct {
	fd    int
	ctx   context.Context
	until time.Time
	// closed when the process at the other end has ended; its remaining data are then read without waiting
	ended <-chan struct{}
}

// slice is the time between two checks of the context and the process while waiting.
const slice = 50 * time.Millisecond

// Event flags of poll(2).
const (
	pollIn  = 1
	pollOut = 4
)

// newPipe makes a pipe and returns Spar's end, and the child's end as a file. If write is set, Spar's end is the one
// for writing.
func newPipe(weWrite bool) (*ourEnd, *os.File, error) {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	ours, theirs := fds[0], fds[1]
	if weWrite {
		ours, theirs = theirs, ours
	}
	file := os.NewFile(uintptr(theirs), "|")
	if err := syscall.SetNonblock(ours, true); err != nil {
		_, _ = syscall.Close(ours), file.Close()
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return &ourEnd{fd: ours}, file, nil
}

// limit sets a deadline and a context for later reads and writes.
func (p *ourEnd) limit(ctx context.Context, until time.Time) error {
	p.ctx, p.until = ctx, until
	return nil
}

// wait waits until data can be read or written.
func (p *ourEnd) wait(events int16) error {
	for ended := false; ; {
		left := time.Until(p.until)
		if left <= 0 || p.ctx.Err() != nil {
			return os.ErrDeadlineExceeded
		}
		request := struct {
			fd              int32
			events, revents int16
		}{fd: int32(p.fd), events: events}
		timeout := syscall.NsecToTimespec(min(left, slice).Nanoseconds())
		if ended {
			timeout = syscall.Timespec{} // what it said last may still be there
		}
		n, _, errno := syscall.Syscall6(
			syscall.SYS_PPOLL,
			uintptr(unsafe.Pointer(&request)),
			1,
			uintptr(unsafe.Pointer(&timeout)),
			0,
			0,
			0,
		)
		switch {
		case errno != 0 && errno != syscall.EINTR:
			return os.NewSyscallError("ppoll", errno)
		case errno == 0 && n > 0:
			return nil
		}
		if ended {
			return io.EOF
		}
		select {
		case <-p.ended:
			ended = true
		default:
		}
	}
}

// Read reads the available bytes, or waits if there are none.
func (p *ourEnd) Read(b []byte) (int, error) {
	for {
		if p.fd < 0 {
			return 0, os.ErrClosed
		}
		if err := p.wait(pollIn); err != nil {
			return 0, err
		}
		n, err := syscall.Read(p.fd, b)
		switch {
		case err == syscall.EAGAIN, err == syscall.EINTR:
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write writes all of b and waits for space as needed.
func (p *ourEnd) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		if p.fd < 0 {
			return written, os.ErrClosed
		}
		n, err := syscall.Write(p.fd, b[written:])
		switch {
		case err == syscall.EAGAIN:
			if err := p.wait(pollOut); err != nil {
				return written, err
			}
		case err == syscall.EINTR:
		case err != nil:
			return written, os.NewSyscallError("write", err)
		default:
			written += n
		}
	}
	return written, nil
}

// Close closes the pipe.
func (p *ourEnd) Close() error {
	if p.fd < 0 {
		return os.ErrClosed
	}
	err := syscall.Close(p.fd)
	p.fd = -1
	return err
}
