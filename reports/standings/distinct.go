package standings

import "math/bits"

// distinct counts distinct keys. Up to mostKeys of them it is exact. Beyond that it keeps a sample, the keys that
// start with a certain number of zero bits, and its estimate has a standard error of about 0.15 % (adaptive
// sampling, Wegman; analysed by Flajolet, Computing 43, 1990). Its memory is bounded. The zero value is empty.
type distinct struct {
	slots []uint64 // hash table with open addressing; 0 is free
	used  int
	zeros int // number of leading zero bits of the keys that are kept
}

const mostKeys = 1 << 19

// add adds a key. The bits of keys must be random.
func (d *distinct) add(key uint64) {
	if key == 0 {
		key = 1
	}
	if bits.LeadingZeros64(key) < d.zeros {
		return
	}
	if 4*d.used >= 3*len(d.slots) { // twice mostKeys slots are enough
		d.grow()
	}
	d.put(key)
	for d.used > mostKeys {
		d.zeros++
		d.rebuild(len(d.slots))
	}
}

func (d *distinct) put(key uint64) {
	mask := uint64(len(d.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		switch d.slots[i] {
		case key:
			return
		case 0:
			d.slots[i] = key
			d.used++
			return
		}
	}
}

func (d *distinct) grow() { d.rebuild(max(1024, 2*len(d.slots))) }

func (d *distinct) rebuild(size int) {
	old := d.slots
	d.slots, d.used = make([]uint64, size), 0
	for _, key := range old {
		if key != 0 && bits.LeadingZeros64(key) >= d.zeros {
			d.put(key)
		}
	}
}

// count returns the number of distinct keys, and whether it is exact.
func (d *distinct) count() (n int64, exact bool) { return int64(d.used) << d.zeros, d.zeros == 0 }
