package live

import "time"

// Progress is the progress of a long computation. The unit is games, or the simulations that they cost.
type Progress struct {
	Done    float64 // units done, including those of earlier runs
	Before  float64 // the part of Done that earlier runs have done
	Total   float64
	Elapsed time.Duration // time since this run began
}

// Rate returns the units per second of this run; 0 while there is too little data.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return max(0, p.Done-p.Before) / p.Elapsed.Seconds()
}

// Share returns the fraction of the work that is done, from 0 to 1.
func (p Progress) Share() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, p.Done/p.Total)
}

// Left returns the time for the remaining work at the current rate. The result known is false if there is no rate
// yet.
func (p Progress) Left() (left time.Duration, known bool) { return p.Take(p.Total - p.Done) }

// Take returns the time for the given number of units at the current rate. The result known is false if there is
// no rate yet.
func (p Progress) Take(units float64) (d time.Duration, known bool) {
	rate := p.Rate()
	if rate == 0 {
		return 0, false
	}
	return time.Duration(max(0, units) / rate * float64(time.Second)), true
}
