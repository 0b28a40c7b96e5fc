package arena

import (
	"context"
	"errors"
	"fmt"
)

// StoppedError says that an interrupt stopped work with many games. The games played are stored, and the same call
// continues.
type StoppedError struct {
	Total  int64 // games of the whole work, an upper limit
	Before int64 // games stored by earlier calls
	Played int64 // games played by this call
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
