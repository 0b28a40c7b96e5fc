package tuning

import (
	"time"

	"spar/arena/live"
)

// Status is the progress of a run.
type Status struct {
	live.Progress           // number of games: in the training, or in all matches of a validation
	Current       []float64 // present numbers of the search; nil outside training
	Check         *Check    // the check that has just ended; nil otherwise
}

// Progress receives the status of a run, from one goroutine. It may be nil.
type Progress func(Status)

// reporter reports the status of a run.
type reporter struct {
	progress Progress
	total    int // total number of games
	began    time.Time
}

func (p Progress) begin(total int) reporter { return reporter{p, total, time.Now()} }

// report reports the number of completed games, and how many of them this run has played.
func (r reporter) report(done int, played int64, current []float64, check *Check) {
	if r.progress == nil {
		return
	}
	r.progress(Status{
		Progress: live.Progress{
			Done: float64(done), Before: float64(int64(done) - played), Total: float64(r.total), Elapsed: time.Since(r.began),
		},
		Current: current, Check: check,
	})
}
