package balance

import (
	"bytes"
	"compress/gzip"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// sketch counts different hashes: HyperLogLog with linear counting while few registers are used (Flajolet, Fusy, Gandouet &
// Meunier 2007). The relative error is 1.04/sqrt(registers). What it counts does not depend on order.
type sketch struct{ register []uint8 }

func newSketch(bits int) sketch { return sketch{make([]uint8, 1<<bits)} }

func (s sketch) add(hash uint64) {
	width := bits.Len(uint(len(s.register))) - 1
	h := mix(hash)
	i := h >> (64 - width)
	rank := uint8(bits.LeadingZeros64(h<<width|1<<(width-1))) + 1
	if rank > s.register[i] {
		s.register[i] = rank
	}
}

func (s sketch) merge(o sketch) {
	for i, r := range o.register {
		s.register[i] = max(s.register[i], r)
	}
}

func (s sketch) count() int64 {
	m := float64(len(s.register))
	sum, empty := 0.0, 0.0
	for _, r := range s.register {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			empty++
		}
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate <= 2.5*m && empty > 0 {
		estimate = m * math.Log(m/empty)
	}
	return int64(math.Round(estimate))
}

// growthPlies is the number of plies whose positions are counted one by one.
const growthPlies = 100

// growth counts the positions met.
type growth struct {
	all     sketch // about 0.8 %
	total   int64
	ply     []sketch // by ply from 1; about 1.6 %
	visited []int64
}

func newGrowth() growth { return growth{all: newSketch(14)} }

// add takes the position after so many plies.
func (g *growth) add(ply int, hash uint64) {
	g.all.add(hash)
	g.total++
	if ply > growthPlies {
		return
	}
	g.reach(ply)
	g.ply[ply-1].add(hash)
	g.visited[ply-1]++
}

func (g *growth) reach(ply int) {
	for len(g.ply) < ply {
		g.ply, g.visited = append(g.ply, newSketch(12)), append(g.visited, 0)
	}
}

func (g *growth) merge(o *growth) {
	g.all.merge(o.all)
	g.total += o.total
	g.reach(len(o.ply))
	for i := range o.ply {
		g.ply[i].merge(o.ply[i])
		g.visited[i] += o.visited[i]
	}
}

// size is measure 25, with the size of the tree from one group of games.
func (m measurer) size(p *pass, d *groupData, name string) Size {
	out := Size{Positions: p.states.all.count(), Visited: p.states.total, Group: name}
	out.Positions = min(out.Positions, out.Visited)
	for i, s := range p.states.ply {
		out.States = append(out.States, StateGrowth{Ply: i + 1, Visited: p.states.visited[i], Unique: min(s.count(), p.states.visited[i])})
	}
	canonical := p.data.Game.Rules().Canonical()
	out.RulesBytes, out.RulesPacked = len(canonical), packed(canonical)
	out.Speeds = p.speeds()
	if d == nil {
		return out
	}
	var tree []float64
	var branching, refinement [][]float64
	for _, r := range d.members {
		if r.bad {
			continue
		}
		tree = append(tree, r.logTree)
		branching = append(branching, []float64{float64(r.legal), float64(r.decisions)})
		if r.half != 1 {
			refinement = append(refinement, []float64{float64(r.legal), float64(r.decisions), float64(r.plies), 1})
		}
	}
	out.LogTree = m.mean(tree, "games", "log10")
	out.Branching = m.ratio(branching, "games", "moves")
	// GR = sqrt(B)/D, B and D the means over the games that somebody won.
	gr := func(s, out []float64) { out[0] = math.Sqrt(s[0]/s[1]) / (s[2] / s[3]) }
	if len(refinement) > 0 {
		total, value := make([]float64, 4), make([]float64, 1)
		for _, row := range refinement {
			for i, x := range row {
				total[i] += x
			}
		}
		gr(total, value)
		lo, hi, ok := m.sums(refinement, 1, gr)
		out.Refinement = m.bootstrapped(value[0], int64(len(refinement)), lo[0], hi[0], ok[0], "decisive games", "index")
	}
	return out
}

// packed is the number of bytes of a text after compression.
func packed(text string) int {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return 0
	}
	_, _ = w.Write([]byte(text)) // writing to memory does not fail
	_ = w.Close()
	return b.Len()
}

// speeds is how fast the agents played, from the time on the records. Which side made a ply is taken to alternate.
func (p *pass) speeds() []Speed {
	type sum struct {
		ms, nodes float64
		moves     int64
	}
	sums := make([]sum, len(p.names))
	for i := range p.records {
		r := &p.records[i]
		if !r.counts() {
			continue
		}
		chosen := int64(r.plies - r.opening)
		for side, who := range [2]int32{r.first, r.second} {
			s := &sums[who]
			s.ms += float64(r.ms[side])
			s.nodes += float64(r.nodes[side])
			s.moves += (chosen + int64(1-side)) / 2
		}
	}
	out := []Speed{}
	for i, s := range sums {
		if s.moves > 0 && s.ms > 0 {
			out = append(out, Speed{Agent: p.names[i], MS: s.ms / float64(s.moves), Nodes: s.nodes / s.ms * 1000, Moves: s.moves})
		}
	}
	slices.SortFunc(out, func(a, b Speed) int { return strings.Compare(a.Agent, b.Agent) })
	return out
}
