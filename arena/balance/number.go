package balance

import (
	"encoding/json"
	"math"
)

// MarshalJSON writes null for a number that does not exist.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.OK() {
		return []byte("null"), nil
	}
	type plain Number
	return json.Marshal(plain(n))
}

// Difference is after less before, taken as independent. The interval comes from those of the parts, side
// by side (square and add, after Newcombe 1998), so that it is right near 0 and 1, too.
func Difference(before, after Number) Number {
	if !before.OK() || !after.OK() {
		return Number{}
	}
	x := Number{Value: after.Value - before.Value, N: min(before.N, after.N), Of: before.Of, Unit: before.Unit, Method: "difference of intervals"}
	x.LoOpen, x.HiOpen = after.LoOpen || before.HiOpen, after.HiOpen || before.LoOpen
	if !x.LoOpen {
		x.Lo = x.Value - math.Hypot(after.Value-after.Lo, before.Hi-before.Value)
	}
	if !x.HiOpen {
		x.Hi = x.Value + math.Hypot(after.Hi-after.Value, before.Value-before.Lo)
	}
	return x
}
