package ratings

import "math"

// Change returns after minus before, assuming independence. Each end of the interval is computed from the ends of
// both intervals (square and add, after Newcombe 1998), so that it is right also near 0 and 1.
func Change(before, after Estimate) Estimate {
	if !before.Known() || !after.Known() {
		return Estimate{}
	}
	x := Estimate{
		Value: after.Value - before.Value, N: min(before.N, after.N), Unit: before.Unit, Scale: before.Scale,
		Method: "difference of intervals",
	}
	x.LoOpen, x.HiOpen = after.LoOpen || before.HiOpen, after.HiOpen || before.LoOpen
	if !x.LoOpen {
		x.Lo = x.Value - math.Hypot(after.Value-after.Lo, before.Hi-before.Value)
	}
	if !x.HiOpen {
		x.Hi = x.Value + math.Hypot(after.Hi-after.Value, before.Value-before.Lo)
	}
	return x
}
