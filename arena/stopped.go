package arena

import (
	"context"
	"errors"
	"fmt"
)

// StoppedError says that an interrupt ended work of many games before its end. What was played is stored, and the same
// call goes on.
type StoppedError struct {
	Total  int64 // games of the whole work, the most there may be
	Before int64 // of them stored by earlier calls
	Played int64 // of them played by this one
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped: %d of at most %d games are stored; run the same command again to continue", e.Before+e.Played, e.Total)
}

// Stopped returns e in place of an error that says no more than that ctx has ended, and any other error as it is.
func Stopped(ctx context.Context, err error, e StoppedError) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return &e
}
