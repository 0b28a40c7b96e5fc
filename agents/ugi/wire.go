package ugi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// MaxLine is the maximum length of a line that either side sends, in bytes.
const MaxLine = 16 << 20

// errLine is the error for a line that is too long.
var errLine = fmt.Errorf("a line of more than %d MB", MaxLine>>20)

// wire exchanges lines with an engine over pipes. Every wait has a time limit.
type wire struct {
	in    *ourEnd // pipe to the engine's standard input
	out   *ourEnd // pipe from the engine's standard output
	lines *bufio.Scanner
	log   *transcript // log of the messages; nil = none
	buf   []byte
	info  []byte // last info line before the last answer
}

func newWire(in, out *ourEnd, log *transcript) *wire {
	w := &wire{in: in, out: out, lines: bufio.NewScanner(out), log: log}
	w.lines.Buffer(nil, MaxLine)
	w.lines.Split(wholeLines)
	return w
}

// wholeLines splits text at newlines. It drops an incomplete last line.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, bytes.TrimRight(data[:i], "\r"), nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// within limits later reads and writes by a time and a context.
func (w *wire) within(ctx context.Context, limit time.Duration) error {
	until := time.Now().Add(limit)
	if err := errors.Join(w.in.limit(ctx, until), w.out.limit(ctx, until)); err != nil &&
		!errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("%w: %w", ErrOurs, err)
	}
	return nil
}

// send writes all lines in one write.
func (w *wire) send(ctx context.Context, want string, lines ...string) error {
	w.buf = w.buf[:0]
	for _, line := range lines {
		w.buf = append(append(w.buf, line...), '\n')
		w.log.line('>', line)
	}
	_, err := w.in.Write(w.buf)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		err = nil
	}
	return trouble(ctx, err, want)
}

// next returns the next line, which is valid until the next call.
func (w *wire) next(ctx context.Context, want string) ([]byte, error) {
	if !w.lines.Scan() {
		return nil, trouble(ctx, w.lines.Err(), want)
	}
	w.log.line('<', w.lines.Bytes())
	return w.lines.Bytes(), nil
}

// await reads lines until one equals the word.
func (w *wire) await(ctx context.Context, word string) error {
	for {
		line, err := w.next(ctx, word)
		if err != nil || string(bytes.TrimSpace(line)) == word {
			return err
		}
	}
}

// bestMove asks for a move. It sends isready first, and ignores output before the answer to that; a surplus
// bestmove is therefore not mistaken for the answer. It sends everything in one write, so that a ply takes one
// round trip.
func (w *wire) bestMove(ctx context.Context, position, goCommand string) (string, error) {
	const want = "bestmove"
	w.info = w.info[:0]
	if err := w.send(ctx, want, "isready", position, goCommand); err != nil {
		return "", err
	}
	if err := w.await(ctx, "readyok"); err != nil {
		return "", err
	}
	for {
		line, err := w.next(ctx, want)
		if err != nil {
			return "", err
		}
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte(want)) {
			if words := bytes.TrimSpace(line); bytes.HasPrefix(words, []byte("info ")) {
				w.info = append(w.info[:0], words...)
			}
			continue
		}
		words := bytes.Fields(line)
		if string(words[0]) != want {
			continue
		}
		if len(words) < 2 {
			return "", fmt.Errorf("%w: %q", ErrGarbage, line)
		}
		return string(words[1]), nil
	}
}

// trouble returns the reason why a read or write failed. It is nil at the end of the pipe.
func trouble(ctx context.Context, err error, want string) error {
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, os.ErrClosed):
		return fmt.Errorf("%w before %s", ErrGone, want)
	case errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%w: %s", ErrTimeout, want)
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%w: %w while waiting for %s", ErrGarbage, errLine, want)
	}
	return fmt.Errorf("%w: %w", ErrOurs, err)
}
