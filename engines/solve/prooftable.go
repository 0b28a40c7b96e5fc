package solve

import "math/bits"

// proofTable remembers proof and disproof numbers. Its size is fixed: an entry takes the place of the one on which the
// least work was spent, of the four that share its bucket. It compares keys in full.
type proofTable struct {
	buckets [][4]proofEntry
}

type proofEntry struct {
	node   node
	pn, dn uint32
	work   uint32 // nodes spent; 0 = the entry is free
}

const proofEntryBytes = 40

func newProofTable(bytes int64) proofTable {
	n := max(1<<8, bytes/(4*proofEntryBytes))
	return proofTable{buckets: make([][4]proofEntry, n)}
}

func (t *proofTable) bucket(n node) *[4]proofEntry {
	h := scramble(n.key.Lo^bits.RotateLeft64(n.key.Hi, 23), oddA)
	if n.attacks {
		h = scramble(h, oddB)
	}
	at, _ := bits.Mul64(h*oddC, uint64(len(t.buckets)))
	return &t.buckets[at]
}

// load returns the numbers of a node, 1 and 1 for one that is not known.
func (t *proofTable) load(n node) (pn, dn uint32) {
	b := t.bucket(n)
	for i := range b {
		if e := &b[i]; e.work > 0 && e.node == n {
			return e.pn, e.dn
		}
	}
	return 1, 1
}

// store keeps the numbers of a node.
func (t *proofTable) store(n node, pn, dn uint32, work uint64) {
	b := t.bucket(n)
	into := &b[0]
	for i := range b {
		e := &b[i]
		if e.work > 0 && e.node == n {
			work += uint64(e.work)
			into = e
			break
		}
		if e.work < into.work {
			into = e
		}
	}
	*into = proofEntry{n, pn, dn, uint32(min(work, 1<<32-1))}
}

// forgetRefutations keeps what is proved and no more.
func (t *proofTable) forgetRefutations() {
	for i := range t.buckets {
		for j := range t.buckets[i] {
			if e := &t.buckets[i][j]; e.pn != 0 {
				*e = proofEntry{}
			}
		}
	}
}
