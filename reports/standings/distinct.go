package standings

import (
	"maps"
	"math/bits"
)

// distinct counts distinct keys. Up to mostKeys of them it is exact. Beyond that it keeps a sample, the keys that
// start with a certain number of zero bits, and its estimate has a standard error of about 0.15 % (adaptive
// sampling, Wegman; analysed by Flajolet, Computing 43, 1990). Its memory is bounded. The zero value is empty.
type distinct struct {
	kept  map[uint64]struct{}
	zeros int // number of leading zero bits of the keys that are kept
}

const mostKeys = 1 << 19

// add adds a key. The bits of keys must be random.
func (d *distinct) add(key uint64) {
	if d.kept == nil {
		d.kept = map[uint64]struct{}{}
	}
	if bits.LeadingZeros64(key) >= d.zeros {
		d.kept[key] = struct{}{}
	}
	for len(d.kept) > mostKeys {
		d.zeros++
		maps.DeleteFunc(d.kept, func(key uint64, _ struct{}) bool {
			return bits.LeadingZeros64(key) < d.zeros
		})
	}
}

// count returns the number of distinct keys, and whether it is exact.
func (d *distinct) count() (n int64, exact bool) { return int64(len(d.kept)) << d.zeros, d.zeros == 0 }
