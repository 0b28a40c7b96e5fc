package mcts

import "math"

// selectChild returns the child with the highest selection value, for a node with given visits and points.
func (w *walker) selectChild(n *node, before int32, points float64) int32 {
	o := &w.o
	children := w.children(n)
	bestValue, best := float32(math.Inf(-1)), 0
	visits := float32(before) + 1
	explore := float32(o.Exploration)
	log := explore * explore * w.logOf(before+1)
	if w.plainUCB { // two short cuts to what the long way below finds
		chosen := -1
		if before > int32(len(children)) {
			chosen = w.highestUCB(children, log)
		}
		if chosen < 0 && log < w.untriedFirst {
			chosen = w.untried(children)
		}
		if chosen >= 0 {
			return n.children + int32(chosen)
		}
	}
	root := explore * float32(math.Sqrt(float64(visits)))
	fpu := float32(o.FPU)
	if fpu < 0 {
		fpu = 0.5
		if before > 0 {
			fpu = float32(points / float64(before))
			if len(children) > 0 && children[0].side != n.side {
				fpu = 1 - fpu
			}
		}
	}
	unrefined := o.RAVE == 0 && o.Bias == 0 && o.Implicit == 0
	puct := o.Selection == "puct"
	unvisited := 0
	for i := range children {
		c := &children[i]
		if c.proof != unproved {
			if c.proof == provedFirst+c.side {
				return n.children + int32(i) // a proved win of the chooser
			}
			if c.proof != provedDraw {
				if bestValue == float32(math.Inf(-1)) {
					best = i
				}
				continue // a proved loss is taken only when nothing else is left
			}
		}
		var v float32
		switch {
		case !unrefined:
			v = w.weigh(c, fpu, log, root)
		case puct:
			v = fpu
			if c.visits > 0 {
				v = float32(c.points) / float32(c.visits)
			}
			v += float32(c.prior*root) / (1 + float32(c.visits))
		case c.visits > 0:
			inverse := 1 / float32(c.visits)
			// products are rounded, so that no machine fuses them into a sum
			v = float32(float32(c.points)*inverse) + sqrt32(log*inverse)
		default:
			v = fpu
		}
		if v > bestValue {
			bestValue, best, unvisited = v, i, 1
		} else if v == bestValue && c.visits == 0 { // among moves never tried draw one uniformly
			unvisited++
			if w.rng.Uint32N(uint32(unvisited)) == 0 {
				best = i
			}
		}
	}
	return n.children + int32(best)
}

// highestUCB returns the first child with the highest upper confidence bound that is not lost. It returns -1 if a
// child is untried or a proved win, or if all are lost. Bounds are never negative, so their bits have the same
// order as their values. With the index in the lowest bits, the maximum can be computed without branches, which
// processors could mispredict.
func (t *tree) highestUCB(children []node, log float32) int {
	best, untried := uint64(0), uint32(0)
	for i := range children {
		c := &children[i]
		if c.proof != unproved {
			if c.proof == provedFirst+c.side {
				return -1
			}
			if c.proof != provedDraw {
				continue
			}
		}
		inverse := t.inverses[c.visits&(inverses-1)]
		if c.visits >= inverses {
			inverse = 1 / float32(c.visits)
		}
		// products are rounded, so that no machine fuses them into a sum
		v := float32(float32(c.points)*inverse) + sqrt32(log*inverse)
		best = max(best, uint64(math.Float32bits(v))<<32|uint64(^uint32(i)))
		untried |= uint32(c.visits-1) >> 31
	}
	if untried != 0 || best == 0 {
		return -1
	}
	return int(^uint32(best))
}

// untried draws an untried child, unless a child is a proved win. It returns -1 if all have been tried.
func (w *walker) untried(children []node) int {
	if len(w.open) < len(children) {
		w.open = make([]uint16, 2*len(children))
	}
	open, n := w.open[:len(children)], 0
	for i := range children {
		c := &children[i]
		if c.proof != unproved {
			if c.proof == provedFirst+c.side {
				return i
			}
			if c.proof != provedDraw {
				continue
			}
		}
		open[n] = uint16(i)
		n += int(uint32(c.visits-1) >> 31) // 1 without visits
	}
	if n == 0 {
		return -1
	}
	chosen := 0
	for i := 1; i < n; i++ {
		if w.rng.Uint32N(uint32(i+1)) == 0 {
			chosen = i
		}
	}
	return int(open[chosen])
}

// logOf returns the natural logarithm of a number of visits. For small numbers it uses a table.
func (t *tree) logOf(n int32) float32 {
	if int(n) < len(t.logs) {
		return t.logs[n]
	}
	return float32(math.Log(float64(n)))
}

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// weigh returns the selection value of a child with all refinements.
func (t *tree) weigh(c *node, fpu, log, root float32) float32 {
	o := &t.o
	q := fpu
	n := float32(c.visits)
	if c.visits > 0 {
		q = float32(c.points) / n
	}
	if o.RAVE > 0 && c.amafN > 0 {
		beta := sqrt32(float32(o.RAVE) / (float32(3*n) + float32(o.RAVE)))
		q = float32((1-beta)*min(q, 1)) + float32(beta*c.amaf)/float32(c.amafN)
	}
	if o.Implicit > 0 {
		q = float32((1-float32(o.Implicit))*min(q, 1)) + float32(float32(o.Implicit)*c.implicit)
	}
	if o.Selection == "puct" {
		return q + float32(c.prior*root)/(1+n)
	}
	if o.Bias > 0 {
		q += float32(float32(o.Bias)*c.prior) / (n + 1)
	}
	if c.visits > 0 {
		q += sqrt32(log / n)
	} else {
		q += sqrt32(log) // as if tried once
	}
	return q
}
