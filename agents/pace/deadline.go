package pace

import "time"

// Deadline is the time at which a decision must end. The zero value means no limit.
type Deadline struct {
	time.Time               // by the clock on the wall; a processor deadline moves it as long as time is left
	cpu       time.Duration // ThreadTime at the end; 0: the wall decides
}

// After returns the deadline after d of wall time.
func After(d time.Duration) Deadline { return Deadline{Time: time.Now().Add(d)} }

// AfterCPU returns the deadline after the calling thread has used d of processor time; the goroutine must stay on
// that thread. On a system without a clock for that, it is d of wall time.
func AfterCPU(d time.Duration) Deadline {
	at := After(d)
	if HasCPU {
		at.cpu = ThreadTime() + d
	}
	return at
}

// Part returns the deadline at which the given fraction (share) of the remaining time has passed.
func (d Deadline) Part(share float64) Deadline {
	if d.IsZero() {
		return d
	}
	cut := time.Duration((1 - share) * float64(time.Until(d.Time)))
	if d.Time = d.Add(-cut); d.cpu > 0 {
		d.cpu -= cut
	}
	return d
}

// reached reports whether the time is up at a moment, or within a margin of it. Wall time passes at least as fast as
// processor time, so that the thread's clock is asked only at a deadline of the wall.
func (d *Deadline) reached(now time.Time, margin time.Duration) bool {
	if now.Add(margin).Before(d.Time) {
		return false
	}
	if d.cpu > 0 {
		if left := d.cpu - ThreadTime(); left > margin {
			d.Time = now.Add(left)
			return false
		}
	}
	return true
}
