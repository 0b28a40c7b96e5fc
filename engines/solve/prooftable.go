package solve

import "math/bits"

// proofTable stores proof and disproof numbers. It grows up to its limit. After that, a new entry replaces the one
// with the least work among the four in its bucket. Keys are compared completely.
type proofTable struct {
	buckets [][4]proofEntry
	most    int64 // maximum number of buckets
	used    int   // number of used entries
}

type proofEntry struct {
	node   node
	pn, dn uint32
	work   uint32 // number of nodes searched for it; 0 means that the entry is free
}

const proofEntryBytes = 40

func newProofTable(bytes int64) proofTable {
	const least = 1 << 8
	return proofTable{buckets: make([][4]proofEntry, least), most: max(least, bytes/(4*proofEntryBytes))}
}

// grow enlarges the table up to four times.
func (t *proofTable) grow() {
	larger := proofTable{buckets: make([][4]proofEntry, min(4*int64(len(t.buckets)), t.most)), most: t.most}
	for i := range t.buckets {
		for _, e := range t.buckets[i] {
			if e.work > 0 {
				larger.store(e.node, e.pn, e.dn, uint64(e.work))
			}
		}
	}
	*t = larger
}

func (t *proofTable) bucket(n node) *[4]proofEntry {
	h := scramble(n.key.Lo^bits.RotateLeft64(n.key.Hi, 23), oddA)
	if n.attacks {
		h = scramble(h, oddB)
	}
	at, _ := bits.Mul64(h*oddC, uint64(len(t.buckets)))
	return &t.buckets[at]
}

// load returns the numbers of a node; 1 and 1 if the table does not have it.
func (t *proofTable) load(n node) (pn, dn uint32) {
	b := t.bucket(n)
	for i := range b {
		if e := &b[i]; e.work > 0 && e.node == n {
			return e.pn, e.dn
		}
	}
	return 1, 1
}

// store stores the numbers of a node.
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
	if into.work == 0 {
		t.used++
	}
	*into = proofEntry{n, pn, dn, uint32(min(work, 1<<32-1))}
	if t.used > len(t.buckets) && int64(len(t.buckets)) < t.most { // a quarter full
		t.grow()
	}
}

// forgetRefutations removes all entries that are not proofs.
func (t *proofTable) forgetRefutations() {
	for i := range t.buckets {
		for j := range t.buckets[i] {
			if e := &t.buckets[i][j]; e.work > 0 && e.pn != 0 {
				*e = proofEntry{}
				t.used--
			}
		}
	}
}
