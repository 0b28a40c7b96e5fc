package live

import "time"

// Progress is how far long work has come, in units of the work: games, or the simulations that they cost.
type Progress struct {
	Done    float64 // including what earlier runs did
	Before  float64 // of that, by earlier runs
	Total   float64
	Elapsed time.Duration // of this run
}

// Rate is the units a second of this run; 0 before there is something to go by.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return max(0, p.Done-p.Before) / p.Elapsed.Seconds()
}

// Share is the part that is done, from 0 to 1.
func (p Progress) Share() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, p.Done/p.Total)
}

// Left is the time that the rest takes at the rate so far; known tells whether there is a rate.
func (p Progress) Left() (left time.Duration, known bool) { return p.Take(p.Total - p.Done) }

// Take is the time that so many units take at the rate so far.
func (p Progress) Take(units float64) (d time.Duration, known bool) {
	rate := p.Rate()
	if rate == 0 {
		return 0, false
	}
	return time.Duration(max(0, units) / rate * float64(time.Second)), true
}
