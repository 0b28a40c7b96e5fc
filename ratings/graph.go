package ratings

import "slices"

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
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	find := func(x int) int {
		for parent[x] != x {
			parent[x] = parent[parent[x]]
			x = parent[x]
		}
		return x
	}
	for _, p := range pairs {
		parent[find(p.First)] = find(p.Second)
	}
	comp = make([]int, n)
	for i := range comp {
		comp[i] = find(i)
	}
	return renumber(comp)
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
	rows := &eliminator{rows: make([][]float64, strata), width: strata}
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
				for s := range row {
					row[s] -= potential[w][s]
				}
				rows.add(row)
				if rows.rank == strata {
					return rows.determined()
				}
			}
		}
	}
	return rows.determined()
}

// eliminator holds equations in reduced row echelon form.
type eliminator struct {
	rows  [][]float64 // rows[c] has its pivot in column c; nil if there is none
	width int
	rank  int
}

const eliminationEps = 1e-9

func (e *eliminator) add(row []float64) {
	subtract := func(from, what []float64, by float64) {
		for c := range from {
			from[c] -= by * what[c]
		}
	}
	for c, r := range e.rows {
		if r != nil && row[c] != 0 {
			subtract(row, r, row[c])
		}
	}
	pivot, best := -1, eliminationEps
	for c, x := range row {
		if max(x, -x) > best {
			pivot, best = c, max(x, -x)
		}
	}
	if pivot < 0 {
		return
	}
	lead := row[pivot]
	for c := range row {
		row[c] /= lead
	}
	for c, r := range e.rows {
		if r != nil && c != pivot {
			subtract(r, row, r[pivot])
		}
	}
	e.rows[pivot] = slices.Clone(row)
	e.rank++
}

// determined reports the columns whose value the equations determine.
func (e *eliminator) determined() []bool {
	out := make([]bool, e.width)
	for c, r := range e.rows {
		if r == nil {
			continue
		}
		out[c] = true
		for d, x := range r {
			if d != c && max(x, -x) > eliminationEps {
				out[c] = false
			}
		}
	}
	return out
}
