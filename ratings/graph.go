package ratings

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// graph has the successors of each vertex of a directed graph.
type graph [][]int

// reach marks the sources and all vertices that can be reached from them.
func (g graph) reach(sources []int) []bool {
	seen := make([]bool, len(g))
	stack := slices.Clone(sources)
	for _, v := range sources {
		seen[v] = true
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, w := range g[v] {
			if !seen[w] {
				seen[w] = true
				stack = append(stack, w)
			}
		}
	}
	return seen
}

// strong numbers the strongly connected components (Tarjan 1972, SIAM J. Comput. 1:146).
func (g graph) strong() (comp []int, count int) {
	n := len(g)
	comp = make([]int, n)
	low, num := make([]int, n), make([]int, n)
	var stack []int
	clock := 0
	var visit func(v int)
	visit = func(v int) {
		clock++
		num[v], low[v], comp[v] = clock, clock, -1
		stack = append(stack, v)
		for _, w := range g[v] {
			if num[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if comp[w] < 0 {
				low[v] = min(low[v], num[w])
			}
		}
		if low[v] != num[v] {
			return
		}
		for at := slices.Index(stack, v); len(stack) > at; stack = stack[:len(stack)-1] {
			comp[stack[len(stack)-1]] = count
		}
		count++
	}
	for v := range n {
		if num[v] == 0 {
			visit(v)
		}
	}
	return renumber(comp)
}

// weakComponents returns the connected components of the players; the listed pairings are the edges.
func weakComponents(n int, pairs []Pairing) (comp []int, count int) {
	g := make(graph, n)
	for _, p := range pairs {
		g[p.First], g[p.Second] = append(g[p.First], p.Second), append(g[p.Second], p.First)
	}
	return g.strong()
}

// renumber makes labels consecutive, in the order in which they first appear.
func renumber(label []int) (out []int, count int) {
	seen := make(map[int]int)
	out = make([]int, len(label))
	for i, l := range label {
		if _, ok := seen[l]; !ok {
			seen[l] = len(seen)
		}
		out[i] = seen[l]
	}
	return out, len(seen)
}

// scoredAgainst returns the graph with an edge i -> j if i won or drew a game against j (Ford 1957, Amer. Math. Monthly
// 64(8):28).
func scoredAgainst(n int, pairs []Pairing) graph {
	g := make(graph, n)
	for _, p := range pairs {
		if p.Wins+p.Draws > 0 {
			g[p.First] = append(g[p.First], p.Second)
		}
		if p.Losses+p.Draws > 0 {
			g[p.Second] = append(g[p.Second], p.First)
		}
	}
	return g
}

// identifiable reports for each advantage whether the games determine it separately from the ratings. They do not if
// some potential c and advantages α, not all zero in α, satisfy c_first - c_second + α_stratum = 0 in every pairing
// used: each cycle of the match-up graph gives one linear equation in α, and an advantage is identified when the
// equations determine it. Without adv, α is 0.
func identifiable(n int, pairs []Pairing, use, adv []bool, stratumOf []int) []bool {
	strata := len(adv)
	arcs := make([][]int32, n) // pairings of each player
	for k, p := range pairs {
		if use[k] {
			arcs[p.First], arcs[p.Second] = append(arcs[p.First], int32(k)), append(arcs[p.Second], int32(k))
		}
	}
	products := mat.NewSymDense(strata, nil)
	potential := make([][]float64, n) // coefficients of α along the tree path
	row := make([]float64, strata)
	for root := range n {
		if potential[root] != nil {
			continue
		}
		potential[root] = make([]float64, strata)
		queue := []int{root}
		for len(queue) > 0 {
			v := queue[0]
			queue = queue[1:]
			for _, k := range arcs[v] {
				p := pairs[k]
				w, sign := p.Second, 1.0 // c_second = c_first + α
				if p.First != v {
					w, sign = p.First, -1
				}
				copy(row, potential[v])
				if s := stratumOf[p.Stratum]; adv[s] {
					row[s] += sign
				}
				if potential[w] == nil {
					potential[w] = slices.Clone(row)
					queue = append(queue, w)
					continue
				}
				floats.Sub(row, potential[w])
				products.SymRankOne(products, 1, mat.NewVecDense(strata, row))
			}
		}
	}
	return determined(products)
}

// determined reports the unknowns that are 0 in every solution of homogeneous equations, from the products of their
// coefficients, summed over the equations: the others occur in the null space.
func determined(products *mat.SymDense) []bool {
	n := products.SymmetricDim()
	out := slices.Repeat([]bool{true}, n)
	var e mat.EigenSym
	var vectors mat.Dense
	if !e.Factorize(products, true) {
		return make([]bool, n)
	}
	e.VectorsTo(&vectors)
	values := e.Values(nil) // in ascending order
	for k, v := range values {
		for c := 0; c < n && v <= 1e-12*values[n-1]; c++ {
			out[c] = out[c] && math.Abs(vectors.At(c, k)) < 1e-6
		}
	}
	return out
}
