package balance

import (
	"bytes"
	"compress/gzip"
	"math"
	"math/bits"
	"slices"
	"strings"

	"spar/engines"
)

// sketch estimates the number of distinct hashes: HyperLogLog with linear counting while few registers are used
// (Flajolet, Fusy, Gandouet & Meunier 2007). The relative error is 1.04/sqrt(registers). The order of the hashes
// has no effect.
type sketch struct{ register []uint8 }

func newSketch(bits int) sketch { return sketch{make([]uint8, 1<<bits)} }

func (s sketch) add(hash uint64) {
	width := bits.Len(uint(len(s.register))) - 1
	h := engines.Mix(hash)
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

// growthPlies is the number of plies for which positions are counted separately.
const growthPlies = 100

// growth counts distinct positions.
type growth struct {
	all     sketch // all positions; relative error about 0.8 %
	total   int64
	ply     []sketch // positions after each ply from 1; relative error about 1.6 %
	visited []int64
}

func newGrowth() growth { return growth{all: newSketch(14)} }

// add adds a position after a number of plies, with its number of occurrences.
func (g *growth) add(ply int, hash uint64, times int64) {
	g.all.add(hash)
	g.total += times
	if ply > growthPlies {
		return
	}
	g.reach(ply)
	g.ply[ply-1].add(hash)
	g.visited[ply-1] += times
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

// size computes how large the game is. The size of its tree comes from one group of games.
func (m measurer) size(p *pass, d *groupData, name string) Size {
	out := Size{Positions: p.states.all.count(), Visited: p.states.total, Group: name}
	out.Positions = min(out.Positions, out.Visited)
	for i, s := range p.states.ply {
		out.States = append(out.States, StateGrowth{
			Ply: i + 1, Visited: p.states.visited[i],
			Unique: min(s.count(), p.states.visited[i]),
		})
	}
	canonical := p.data.Game.Rules().Canonical()
	out.RulesBytes, out.RulesPacked = len(canonical), packed(canonical)
	out.Speeds = p.pace()
	if d == nil {
		return out
	}
	out.LogTree = m.ratio(d.tree, treeLog, treeGames, "games", "log10")
	out.Branching = m.ratio(d.tree, treeLegal, treeDecisions, "games", "moves")
	// GR = sqrt(B)/D, B and D the means over the games that somebody won.
	gr := func(s, out []float64) {
		out[0] = math.Sqrt(s[wonLegal]/s[wonDecisions]) / (s[wonPlies] / s[wonGames])
	}
	if d.won.n > 0 {
		value := make([]float64, 1)
		gr(d.won.total, value)
		lo, hi, ok := m.sums(d.won, 1, gr)
		out.Refinement = m.bootstrapped(value[0], d.won.n, lo[0], hi[0], ok[0], "decisive games", "index")
	}
	return out
}

// packed returns the number of bytes of a text after compression.
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

// speedSums sums the thinking of an agent: time and plies.
type speedSums struct {
	ms, nodes float64
	moves     int64
}

// timing adds the thinking times of a game. It assumes that the sides alternate.
func (p *pass) timing(r *record) {
	for int(max(r.first, r.second)) >= len(p.speeds) {
		p.speeds = append(p.speeds, speedSums{})
	}
	chosen := int64(r.plies - r.opening)
	for side, who := range [2]int32{r.first, r.second} {
		s := &p.speeds[who]
		s.ms += float64(r.ms[side])
		s.nodes += float64(r.nodes[side])
		s.moves += (chosen + int64(1-side)) / 2
	}
}

// pace returns how fast the agents played, from the recorded times.
func (p *pass) pace() []Speed {
	out := []Speed{}
	for i, s := range p.speeds {
		if s.moves > 0 && s.ms > 0 {
			out = append(out, Speed{
				Agent: p.names[i], MS: s.ms / float64(s.moves), Nodes: s.nodes / s.ms * 1000,
				Moves: s.moves,
			})
		}
	}
	slices.SortFunc(out, func(a, b Speed) int { return strings.Compare(a.Agent, b.Agent) })
	return out
}
