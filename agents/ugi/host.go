package ugi

import (
	"context"
	"errors"
)

// Errors of an engine. They wrap more detail.
var (
	ErrTimeout = errors.New("no answer in time")
	ErrGone    = errors.New("its output ended")
	ErrGarbage = errors.New("not an answer")
)

// Errors that say nothing about how an engine plays.
var (
	ErrStart      = errors.New("cannot be started") // the program is not there, or the system does not execute it
	ErrNotAllowed = errors.New("not allowed to run")
	ErrOurs       = errors.New(
		"not the fault of the agent",
	) // this process has failed: no file descriptors, no memory, no guardian
)

// Host is what this process offers to the engines that it runs. It travels in the context, because engines are
// started where an agent first moves, far below the command that knows.
type Host struct {
	// Guardian is the command line, from the name of the program on, with which this program executed again calls
	// Guard. The guardian is the parent of one engine and ends all that the engine has started, also when this
	// process is killed. Without one, and on systems other than Linux, an engine ends with its process group: what
	// has left the group lives on.
	Guardian []string
	// Log is a folder where what is said to and by each engine is appended to a file NAME.log; empty = nowhere. A line
	// there has the process's number, the seconds since it was started, a sign and the text: > we said, < it said, ! on
	// standard error, and * for the start and the end.
	Log string
	// Allow is asked before an engine is started; an error, which wraps ErrNotAllowed, keeps it from running. Nil
	// allows all.
	Allow func(Command) error
}

type hostKey struct{}

// WithHost returns a context under which engines are started by this host.
func WithHost(ctx context.Context, h Host) context.Context {
	return context.WithValue(ctx, hostKey{}, h)
}

// HostOf returns the host of a context; the zero Host where there is none.
func HostOf(ctx context.Context) Host {
	h, _ := ctx.Value(hostKey{}).(Host)
	return h
}
