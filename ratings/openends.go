package ratings

import "math"

// side says at which ends the likelihood gives no bound for a quantity. It is a bit set.
type side struct{ above, below bool }

// openEnds finds the quantities that the likelihood does not bound. There is a direction of recession (c, α) if no
// result becomes less probable along it: c_first - c_second + α >= 0 if the first player won every game of a
// pairing, <= 0 where the second did, = 0 otherwise (Albert & Anderson 1984, Biometrika 71:1). A quantity is open
// at each end to which such a direction leads. Without advantages these directions are the paths in the graph of
// points scored, where a draw is an edge both ways. With an advantage that diverges, they are called tilted.
type openEnds struct {
	points graph // i -> j: i won or drew a game against j
	from   map[int][]bool
	tilts  []tiltedCone
}

// tiltedCone holds the directions with given advantages: farthest[i][j] is the largest c_i - c_j.
type tiltedCone struct {
	alpha    []int // advantage of each stratum of the fit: -1, 0 or 1
	farthest [][]float64
}

// Limits of the search for tilted directions, which takes n³ steps for each of 3^k - 1 combinations of k free
// advantages. Beyond these limits, only directions without advantages are found.
const (
	mostTilted = 150
	mostFree   = 4
)

func newOpenEnds(e *separation, free []int) *openEnds {
	n := len(e.t.players)
	o := &openEnds{points: scoredAgainst(n, e.linked(func(int) bool { return true })), from: map[int][]bool{}}
	if n > mostTilted || len(free) > mostFree {
		return o
	}
	combinations := int(math.Pow(3, float64(len(free))))
	for code := 1; code < combinations; code++ {
		alpha := make([]int, e.k)
		for rest, x := code, 0; x < len(free); rest, x = rest/3, x+1 {
			alpha[free[x]] = []int{0, 1, -1}[rest%3]
		}
		if d := e.farthest(alpha); d != nil {
			o.tilts = append(o.tilts, tiltedCone{alpha, d})
		}
	}
	return o
}

// farthest returns the largest differences c_i - c_j of directions with these advantages, by the algorithm of
// Floyd & Warshall for shortest paths. It returns nil if there is no such direction.
func (e *separation) farthest(alpha []int) [][]float64 {
	n := len(e.t.players)
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
		for j := range d[i] {
			if i != j {
				d[i][j] = math.Inf(1)
			}
		}
	}
	for _, p := range e.t.pairings {
		a := float64(alpha[e.strataOf[p.Stratum]])
		if p.Wins+p.Draws > 0 {
			d[p.Second][p.First] = min(d[p.Second][p.First], a)
		}
		if p.Losses+p.Draws > 0 {
			d[p.First][p.Second] = min(d[p.First][p.Second], -a)
		}
	}
	for _, i := range e.anchors {
		for _, j := range e.anchors {
			d[i][j] = min(d[i][j], 0)
		}
	}
	for m := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][m]+d[m][j])
			}
		}
	}
	for i := range n {
		if d[i][i] < 0 {
			return nil
		}
	}
	return d
}

// reaches reports whether a path in the graph of points leads from i to j.
func (o *openEnds) reaches(i, j int) bool {
	if o.from[i] == nil {
		o.from[i] = o.points.reach([]int{i})
	}
	return o.from[i][j]
}

// of returns the open ends of a player's distance from the mean of other players in the group.
func (o *openEnds) of(i int, level []int) (s side) {
	for _, j := range level {
		s.above = s.above || !o.reaches(j, i)
		s.below = s.below || !o.reaches(i, j)
	}
	for _, t := range o.tilts {
		up, down := 0.0, 0.0
		for _, j := range level {
			up += t.farthest[i][j]
			down += t.farthest[j][i]
		}
		s.above = s.above || up > 0
		s.below = s.below || down > 0
	}
	return s
}

// advantage returns the open ends of a stratum's advantage.
func (o *openEnds) advantage(stratum int) (s side) {
	for _, t := range o.tilts {
		s.above = s.above || t.alpha[stratum] > 0
		s.below = s.below || t.alpha[stratum] < 0
	}
	return s
}

// separated reports whether some pairings have no finite maximum, so that quantities may be open.
func (f *Fit) separated() bool { return f.mapSol != nil }

// openEnds returns the open ends of the table. It is computed when first used.
func (f *Fit) openEnds() *openEnds {
	if f.ends == nil {
		f.ends = newOpenEnds(f.parts, f.divergent())
	}
	return f.ends
}

// level returns the players relative to whose mean the rating of player i is stated: the anchor of the group, or
// the largest part in which all differences are finite, or the whole group.
func (f *Fit) level(i int) []int {
	g := f.parts.weak[i]
	if a := f.anchored(); a >= 0 && f.parts.weak[a] == g {
		return []int{a}
	}
	var out []int
	for j := range f.ml.n {
		if f.parts.weak[j] == g && (f.ref[g] < 0 || f.parts.comp[j] == f.ref[g]) {
			out = append(out, j)
		}
	}
	return out
}

// joined reports whether player i and the reference level belong to one part with finite differences.
func (f *Fit) joined(i int) bool {
	for _, j := range f.level(i) {
		if f.parts.comp[j] != f.parts.comp[i] {
			return false
		}
	}
	return true
}

// openStatus returns the status of a player from the open ends of the rating, before refineStatus.
func (f *Fit) openStatus(i int, before Status) Status {
	switch s := f.openEnds().of(i, f.level(i)); {
	case s.above && s.below && before != StatusUnplaced && before != StatusPrior:
		return StatusUnbounded
	case s.above && s.below:
		return before
	case s.above:
		return StatusUnboundedAbove
	case s.below:
		return StatusUnboundedBelow
	case f.joined(i):
		return StatusOK
	}
	return StatusPrior
}

// bounds returns the interval of player i's distance from a level, or of the parameter i if there is no level, as far as
// the likelihood bounds it: an open end stays open, the other gets the one-sided profile bound (see oneSidedDrop). The
// function elo converts the distance from natural units to the unit of the interval.
func (f *Fit) bounds(i int, level []int, s side, elo func(float64) float64) Interval {
	v := Interval{LoOpen: s.below, HiOpen: s.above}
	drop := f.oneSidedDrop()
	if !s.above && !s.below {
		z := quantile(f.Level, 0)
		drop = z * z / 2
	}
	ok := false
	if !v.LoOpen {
		v.Lo, ok = f.bound(i, level, -1, drop)
		v.Lo, v.LoOpen = elo(v.Lo), !ok
	}
	if !v.HiOpen {
		v.Hi, ok = f.bound(i, level, 1, drop)
		v.Hi, v.HiOpen = elo(v.Hi), !ok
	}
	return v.cut()
}

// bound returns one profile bound, in natural units, on player i's distance from the mean of a level.
func (f *Fit) bound(i int, level []int, towards, drop float64) (float64, bool) {
	if f.ml.n > fullProfile {
		b, ok := f.boundAlone(i, towards, drop)
		return b - f.meanOf(level), ok
	}
	p := f.looseLikelihood()
	c := make([]float64, p.dim())
	for _, j := range level {
		c[j] -= 1 / float64(len(level))
	}
	c[i]++
	pr := profile{p: p, c: c}
	return pr.bound(towards, drop)
}

// apart describes the order of two players whose difference has no finite maximum.
type apart struct {
	open side    // open ends of the first rating minus the second
	p    float64 // one-sided p-value of the results if both players were equal; 1 if the games bound neither end
	up   bool    // the results favour the first player
}

// los returns the likelihood that the first player is stronger, or a bound on it if the difference is open on one
// side. A lower bound below 1/2, or an upper bound above 1/2, gives no information and becomes 1/2.
func (a apart) los() float64 {
	if a.up {
		return max(0.5, 1-a.p)
	}
	return min(0.5, a.p)
}

// isApart reports whether the difference of two players has no finite maximum.
func (f *Fit) isApart(i, j int) bool {
	return i != j && f.separated() && f.parts.comp[i] != f.parts.comp[j]
}

// apart compares two players. The result ok is false if their difference has a finite maximum, so that its
// standard error is valid.
func (f *Fit) apart(i, j int) (a apart, ok bool) {
	if f.o.Few && i != j {
		return apart{open: side{true, true}, p: 1}, true
	}
	if !f.isApart(i, j) {
		return a, false
	}
	a = apart{open: f.openEnds().of(i, []int{j}), p: 1}
	if a.open.above && a.open.below {
		return a, true
	}
	drop, up, solved := f.dropAtZero(i, j, a.open)
	if !solved {
		return a, true
	}
	a.up = up
	if a.open.above || a.open.below { // the inverse of oneSidedDrop
		a.p = math.Exp(-drop)
	} else {
		a.p = normalCDF(-math.Sqrt(2 * drop))
	}
	return a, true
}

// dropAtZero returns by how much the log-likelihood is below its supremum if two players are equal, and whether
// the supremum favours the first.
func (f *Fit) dropAtZero(i, j int, open side) (drop float64, up, ok bool) {
	if f.ml.n > fullProfile {
		value := f.alone(i)
		far := farAlone
		if open.below {
			far = -far
		}
		return max(0, value(far)-value(f.theta[j])), open.above, open != (side{})
	}
	p := f.looseLikelihood()
	if f.looseSol == nil {
		sol, err := p.solve(p.start(), nil)
		if err != nil {
			return 0, false, false
		}
		f.looseSol = sol
	}
	c := make([]float64, p.dim())
	c[i], c[j] = 1, -1
	ll, _, ok := (&profile{p: p, c: c}).constrained(0, f.looseSol.theta)
	return max(0, f.looseSol.ll-ll), f.looseSol.theta[i] > f.looseSol.theta[j], ok
}

func (f *Fit) meanOf(players []int) (mean float64) {
	for _, j := range players {
		mean += f.theta[j] / float64(len(players))
	}
	return mean
}
