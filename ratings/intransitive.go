package ratings

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// payoff is the table as the payoff matrix of a game: scores by unordered match-up, with equal weight for both
// seats.
type payoff struct {
	names []string
	score [][]float64 // score of the row's player against the column's; 0.5 if they did not meet
	games [][]float64
	balls [][]float64 // points, on the scale of games, for the flow
}

// payoff aggregates every game of the table. If a match-up was played in both seats, its score is the mean of the two,
// which cancels the advantage.
func (t *Table) payoff() payoff {
	n := len(t.players)
	p := payoff{names: t.players}
	grid := func(fill float64) [][]float64 {
		g := make([][]float64, n)
		for i := range g {
			g[i] = make([]float64, n)
			for j := range g[i] {
				g[i][j] = fill
			}
		}
		return g
	}
	p.score, p.games, p.balls = grid(0.5), grid(0), grid(0)
	first, points := grid(0), grid(0)
	for _, x := range t.pairings {
		first[x.First][x.Second] += float64(x.Games())
		points[x.First][x.Second] += x.Points()
	}
	for i := range n {
		for j := range n {
			a, b := first[i][j], first[j][i]
			if i == j || a+b == 0 {
				continue
			}
			p.games[i][j] = a + b
			switch {
			case a > 0 && b > 0:
				p.score[i][j] = (points[i][j]/a + 1 - points[j][i]/b) / 2
			case a > 0:
				p.score[i][j] = points[i][j] / a
			default:
				p.score[i][j] = 1 - points[j][i]/b
			}
			p.balls[i][j] = p.score[i][j] * p.games[i][j]
		}
	}
	return p
}

// flow returns the logit of a score in Elo, shrunk towards 0. With s points in n games it uses the score
// (s+¼)/(n+½).
func (p payoff) flow(i, j int) float64 {
	n := p.games[i][j]
	if n == 0 {
		return 0
	}
	s := (p.balls[i][j] + 0.25) / (n + 0.5)
	return math.Log(s/(1-s)) / eloUnit
}

// CyclicPair is the part of one match-up that ratings cannot explain.
type CyclicPair struct {
	A, B string
	Elo  float64 // strength of A against B beyond the transitive ratings
}

// Hodge splits the match-ups' score differences into a transitive and a cyclic
// part (Jiang, Lim, Yao & Ye 2011, Math. Program. 127:203).
type Hodge struct {
	// Ratings are the weighted least squares ratings in Elo with mean 0, in the order of Table.Players. They
	// differ from maximum likelihood ratings, which have other weights.
	Ratings []float64
	Pairs   []CyclicPair
	// Total, Gradient and Cyclic are sums of games times squared Elo, of the whole, the transitive and the cyclic
	// part: Total = Gradient + Cyclic.
	Total, Gradient, Cyclic float64
	// CyclicShare is Cyclic/Total. Noise alone explains NoiseShare of it on average. Corrected is the share after
	// removing the noise from both parts, in [0, 1].
	CyclicShare, NoiseShare, Corrected float64
	// Curl and Harmonic are the parts of Cyclic: around triangles, and around longer holes of an incomplete table.
	Curl, Harmonic float64
}

// Hodge decomposes the table. The noise in a match-up's flow has the delta
// method's variance 1/(n·p(1-p)) reduced for draws; the cyclic space has as many
// dimensions as independent cycles.
func (t *Table) Hodge() Hodge {
	p := t.payoff()
	n := len(p.names)
	h := Hodge{Ratings: make([]float64, n)}
	type edge struct {
		i, j int
		w, y float64
	}
	var edges []edge
	lap := mat.NewSymDense(max(n, 1), nil)
	rhs := mat.NewVecDense(max(n, 1), nil)
	for i := range n {
		for j := i + 1; j < n; j++ {
			if w := p.games[i][j]; w > 0 {
				e := edge{i, j, w, p.flow(i, j)}
				edges = append(edges, e)
				lap.SetSym(i, i, lap.At(i, i)+w)
				lap.SetSym(j, j, lap.At(j, j)+w)
				lap.SetSym(i, j, -w)
				rhs.SetVec(i, rhs.AtVec(i)+w*e.y)
				rhs.SetVec(j, rhs.AtVec(j)-w*e.y)
			}
		}
	}
	if len(edges) == 0 {
		return h
	}
	all := make([]bool, len(t.pairings))
	for x := range all {
		all[x] = true
	}
	comp, nComp := weakComponents(n, t.pairings, all)
	inverse := pseudoInverse(lap, comp, nComp)
	var r mat.VecDense
	r.MulVec(inverse, rhs)
	for i := range n {
		h.Ratings[i] = r.AtVec(i)
	}
	noise, noiseTotal := 0.0, 0.0
	cyclic := make([]float64, len(edges))
	for x, e := range edges {
		g := h.Ratings[e.i] - h.Ratings[e.j]
		cyclic[x] = e.y - g
		h.Pairs = append(h.Pairs, CyclicPair{p.names[e.i], p.names[e.j], cyclic[x]})
		h.Total += e.w * e.y * e.y
		h.Gradient += e.w * g * g
		h.Cyclic += e.w * cyclic[x] * cyclic[x]
		// Var(flow)·w, and the share of it that the projection leaves over.
		v := e.w * t.flowVariance(p, e.i, e.j)
		lever := e.w * (inverse.At(e.i, e.i) + inverse.At(e.j, e.j) - 2*inverse.At(e.i, e.j))
		noise += v * max(0, 1-lever)
		noiseTotal += v
	}
	if h.Total > 0 {
		h.CyclicShare = h.Cyclic / h.Total
		h.NoiseShare = min(1, noise/h.Total)
		if rest := h.Total - noiseTotal; rest > 0 {
			h.Corrected = min(1, max(0, (h.Cyclic-noise)/rest))
		}
	}
	triangles := make([][3]int, 0)
	index := make(map[[2]int]int, len(edges))
	for x, e := range edges {
		index[[2]int{e.i, e.j}] = x
	}
	for _, e := range edges {
		for k := e.j + 1; k < n; k++ {
			a, ok := index[[2]int{e.j, k}]
			b, ok2 := index[[2]int{e.i, k}]
			if ok && ok2 {
				triangles = append(triangles, [3]int{index[[2]int{e.i, e.j}], a, b})
			}
		}
	}
	weights := make([]float64, len(edges))
	for x, e := range edges {
		weights[x] = e.w
	}
	h.Curl = curlEnergy(weights, cyclic, triangles)
	h.Harmonic = max(0, h.Cyclic-h.Curl)
	return h
}

// curlEnergy is the energy of the projection of a cyclic flow on the span of
// triangles, by conjugate gradients on the normal equations.
func curlEnergy(w, y []float64, triangles [][3]int) float64 {
	if len(triangles) == 0 {
		return 0
	}
	// A flow around triangle (i,j,k) is (+1, +1, -1)/w on ij, jk, ik.
	sign := [3]float64{1, 1, -1}
	spread := func(phi []float64) []float64 {
		out := make([]float64, len(w))
		for t, tri := range triangles {
			for c, e := range tri {
				out[e] += sign[c] * phi[t] / w[e]
			}
		}
		return out
	}
	around := func(flow []float64) []float64 {
		out := make([]float64, len(triangles))
		for t, tri := range triangles {
			for c, e := range tri {
				out[t] += sign[c] * flow[e]
			}
		}
		return out
	}
	dot := func(a, b []float64) (s float64) {
		for i := range a {
			s += a[i] * b[i]
		}
		return s
	}
	phi := make([]float64, len(triangles))
	res := around(y)
	dir := append([]float64(nil), res...)
	rr := dot(res, res)
	stop := 1e-20 * rr
	for range min(200, len(w)+5) {
		if rr <= stop {
			break
		}
		ad := around(spread(dir))
		da := dot(dir, ad)
		if da <= 0 {
			break
		}
		alpha := rr / da
		for i := range phi {
			phi[i] += alpha * dir[i]
			res[i] -= alpha * ad[i]
		}
		next := dot(res, res)
		for i := range dir {
			dir[i] = res[i] + next/rr*dir[i]
		}
		rr = next
	}
	flow := spread(phi)
	e := 0.0
	for i, x := range flow {
		e += w[i] * x * x
	}
	return e
}

// flowVariance returns the variance in Elo² of one match-up's flow, computed from the variance of its scores in each
// seat.
func (t *Table) flowVariance(p payoff, i, j int) float64 {
	s := (p.balls[i][j] + 0.25) / (p.games[i][j] + 0.5)
	var counts [2]Count
	for _, x := range t.pairings {
		switch {
		case x.First == i && x.Second == j:
			counts[0] = counts[0].plus(Count{x.Wins, x.Draws, x.Losses})
		case x.First == j && x.Second == i:
			counts[1] = counts[1].plus(Count{x.Losses, x.Draws, x.Wins})
		}
	}
	variance, seats := 0.0, 0.0
	for _, c := range counts {
		n := float64(c.Games())
		if n == 0 {
			continue
		}
		mean := (c.Points() + 0.25) / (n + 0.5)
		v := mean*(1-mean) - float64(c.Draws)/n/4
		variance += max(v, 0.05*mean*(1-mean)) / n
		seats++
	}
	slope := eloUnit * s * (1 - s)
	return variance / (seats * seats) / (slope * slope)
}

// pseudoInverse inverts a weighted graph Laplacian on the complement of the
// constants of each component.
func pseudoInverse(lap *mat.SymDense, comp []int, nComp int) *mat.SymDense {
	n := lap.SymmetricDim()
	size := make([]float64, nComp)
	trace := make([]float64, nComp)
	for i, c := range comp {
		size[c]++
		trace[c] += lap.At(i, i)
	}
	kappa := func(c int) float64 { return max(trace[c], 1) / (size[c] * size[c]) }
	full := mat.NewSymDense(n, nil)
	full.CopySym(lap)
	for i := range comp {
		for j := i; j < n; j++ {
			if comp[i] == comp[j] {
				full.SetSym(i, j, full.At(i, j)+kappa(comp[i]))
			}
		}
	}
	var chol cholesky
	if !chol.factorize(full) {
		return mat.NewSymDense(n, nil)
	}
	inv := chol.inverse()
	for i := range comp {
		for j := i; j < n; j++ {
			if c := comp[i]; c == comp[j] {
				inv.SetSym(i, j, inv.At(i, j)-1/(kappa(c)*size[c]*size[c]))
			}
		}
	}
	return inv
}

// Copeland returns, in the order of Table.Players, each player's number of
// match-ups won minus lost, and the number of cyclic triads among those decided.
func (t *Table) Copeland() (wins []int, cyclic, triads int) {
	p := t.payoff()
	n := len(p.names)
	wins = make([]int, n)
	beats := func(i, j int) int {
		switch s := p.score[i][j]; {
		case p.games[i][j] == 0 || abs(s-0.5) < 1e-12:
			return 0
		case s > 0.5:
			return 1
		}
		return -1
	}
	for i := range n {
		for j := range n {
			if i != j {
				wins[i] += beats(i, j)
			}
		}
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				a, b, c := beats(i, j), beats(j, k), beats(k, i)
				if a != 0 && b != 0 && c != 0 {
					triads++
					if a == b && b == c {
						cyclic++
					}
				}
			}
		}
	}
	return wins, cyclic, triads
}
