package ugi

import (
	"context"
	"errors"

	"spar/configs/strict"
)

// Errors that an engine caused. They are wrapped with more detail.
var (
	ErrTimeout = errors.New("no answer in time")
	ErrGone    = errors.New("its output ended")
	ErrGarbage = errors.New("not a valid answer")
)

// Errors that an engine did not cause.
var (
	// ErrOurs means that this process has failed, for example for lack of file descriptors or memory.
	ErrOurs       = errors.New("failure of Spar or the system, not of the agent")
	ErrStart      = errors.New("cannot be started") // the program does not exist, or the system cannot execute it
	ErrNotAllowed = strict.Mistake("not allowed to run")
)

// Host holds the settings for the engines that this process runs. It is passed in the context, because many calls
// lie between the command that sets it up and the agent that starts an engine.
type Host struct {
	// Guardian is the command line, including the program's name, that runs this program again to call Guard. A
	// guardian is the parent of one engine and ends all processes that the engine started, even if this process is
	// killed. Without a guardian, and on systems other than Linux, Spar ends the engine's process group; processes that
	// left the group keep running.
	Guardian []string
	// Log is a folder in which all messages to and from each engine are appended to a file NAME.log; empty = no log.
	// A line has the process's number, the seconds since its start, a sign and the text. The signs: > sent, <
	// received, ! on standard error, * start and end.
	Log string
	// Allow is called before an engine starts. If it returns an error, which must wrap ErrNotAllowed, the engine
	// does not run. Nil allows all engines.
	Allow func(Command) error
	// Warn receives warnings about an engine that do not cause a forfeit. It may be nil, and is called
	// from several goroutines.
	Warn func(text string)
}

type hostKey struct{}

// WithHost returns a context in which agents start engines through this host.
func WithHost(ctx context.Context, h Host) context.Context {
	return context.WithValue(ctx, hostKey{}, h)
}

// HostOf returns the host of a context; the zero Host if there is none.
func HostOf(ctx context.Context) Host {
	h, _ := ctx.Value(hostKey{}).(Host)
	return h
}
