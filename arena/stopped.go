package arena

import (
	"context"
	"errors"
	"fmt"
)

// StoppedError is the error if an interrupt stopped a long computation. The games played so far are stored, and
// the same call continues.
type StoppedError struct {
	Total  int64 // number of games of the whole computation, an upper limit
	Before int64 // number of games stored by earlier calls
	Played int64 // number of games played by this call
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped: %d of at most %d games are stored; run the same command again to continue",
		e.Before+e.Played, e.Total)
}

// Stopped returns e if err only says that ctx has ended, and otherwise err.
func Stopped(ctx context.Context, err error, e StoppedError) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return &e
}
