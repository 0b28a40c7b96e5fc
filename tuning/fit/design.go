package fit

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// chunk is the number of positions that one goroutine sums at a time. Partial sums are added in order, so that
// results do not depend on the number of cores.
const chunk = 4096

// design is the data of a regression in standard units.
type design struct {
	n, features int
	x           []float64 // features of n positions, one row each, divided by their root mean square
	z           []float64 // result of the game of each position
	game        []int     // index of the game of each position, 0, 1, ... without gaps
	weight      []float64 // weight of each position: 1/(number of games x positions of its game)
	games       int
	size        []float64 // number of positions of each game
	rms         []float64 // of each feature; 0: it is 0 in all positions
	fold        []int     // cross-validation fold of each game
}

// newDesign checks and standardises samples.
func newDesign(samples []Sample, o Options) (*design, error) {
	n, p := len(samples), len(o.Names)
	if n == 0 {
		return nil, fmt.Errorf("fit: %w: there are no positions", ErrData)
	}
	d := &design{
		n:        n,
		features: p,
		x:        make([]float64, 0, n*p),
		z:        make([]float64, n),
		game:     make([]int, n),
		weight:   make([]float64, n),
		rms:      make([]float64, p),
	}
	index := make(map[int64]int)
	var result []float64
	mixed := false
	for i, s := range samples {
		switch {
		case len(s.Features) != p:
			return nil, fmt.Errorf("fit: %w: position %d of game %d has %d features, the model has %d", ErrData, i, s.Game,
				len(s.Features), p)
		case s.Result != 0 && s.Result != 0.5 && s.Result != 1:
			return nil, fmt.Errorf("fit: %w: game %d has result %v: expected 1, 0.5 or 0", ErrData, s.Game, s.Result)
		}
		for j, f := range s.Features {
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, fmt.Errorf("fit: %w: position %d of game %d has %s %v: expected a finite number",
					ErrData, i, s.Game, o.Names[j], f)
			}
		}
		g, seen := index[s.Game]
		if !seen {
			g = len(result)
			index[s.Game] = g
			result = append(result, s.Result)
			d.size = append(d.size, 0)
		}
		mixed = mixed || s.Result != result[0]
		d.game[i], d.z[i] = g, s.Result
		d.size[g]++
		d.x = append(d.x, s.Features...)
	}
	d.games = len(result)
	if d.games < 2*folds {
		return nil, fmt.Errorf("fit: %w: %d games are too few: %d-fold cross-validation needs %d", ErrData, d.games, folds,
			2*folds)
	}
	if !mixed {
		return nil, fmt.Errorf("fit: %w: all games have result %v, so nothing can be learned", ErrData, result[0])
	}
	d.standardise()
	if slices.Max(d.rms) == 0 {
		return nil, fmt.Errorf("fit: %w: every feature is 0 in every position", ErrData)
	}
	return d, nil
}

// zero returns weights of 0.
func (d *design) zero() []float64 { return make([]float64, d.features) }

// standardise divides features by their root mean square.
func (d *design) standardise() {
	for i := range d.n {
		d.weight[i] = 1 / (float64(d.games) * d.size[d.game[i]])
		for j, f := range d.x[i*d.features : (i+1)*d.features] {
			d.rms[j] += d.weight[i] * f * f
		}
	}
	for j := range d.rms {
		d.rms[j] = math.Sqrt(d.rms[j])
		if d.rms[j] == 0 {
			continue
		}
		for i := j; i < len(d.x); i += d.features {
			d.x[i] /= d.rms[j]
		}
	}
}

// row returns the regressors of position i.
func (d *design) row(i int) []float64 { return d.x[i*d.features : (i+1)*d.features] }

// margin returns the product w.x for position i.
func (d *design) margin(w []float64, i int) float64 {
	sum := 0.0
	for j, f := range d.row(i) {
		sum += w[j] * f
	}
	return sum
}

// total sums f over all chunks of positions, in parallel and in a fixed order.
func (d *design) total(width int, f func(sum []float64, from, to int)) []float64 {
	parts := make([][]float64, (d.n+chunk-1)/chunk)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for c := range parts {
		group.Go(func() error {
			parts[c] = make([]float64, width)
			f(parts[c], c*chunk, min((c+1)*chunk, d.n))
			return nil
		})
	}
	_ = group.Wait() // no part fails
	for _, p := range parts[1:] {
		for i, v := range p {
			parts[0][i] += v
		}
	}
	return parts[0]
}

// uses reports whether position i is in the training part when fold is held out; -1 holds none out.
func (d *design) uses(i, fold int) bool { return fold < 0 || d.fold[d.game[i]] != fold }

// share returns the factor that makes the weights of the positions outside a fold sum to 1.
func (d *design) share(fold int) float64 {
	if fold < 0 {
		return 1
	}
	used := 0
	for _, f := range d.fold {
		if f != fold {
			used++
		}
	}
	return float64(d.games) / float64(used)
}

// minimise fits the weights to all games outside a fold, starting from w.
func (d *design) minimise(from []float64, ridge float64, fold int) ([]float64, error) {
	p, scale := len(from), d.share(fold)
	objective := func(w []float64) float64 {
		sum := d.total(1, func(sum []float64, lo, hi int) {
			for i := lo; i < hi; i++ {
				if d.uses(i, fold) {
					sum[0] += d.weight[i] * entropy(d.margin(w, i), d.z[i])
				}
			}
		})[0] * scale
		for _, v := range w {
			sum += ridge * v * v
		}
		return sum
	}
	gradient := func(grad, w []float64) {
		sum := d.total(p, func(sum []float64, lo, hi int) {
			for i := lo; i < hi; i++ {
				if !d.uses(i, fold) {
					continue
				}
				r := scale * d.weight[i] * (sigmoid(d.margin(w, i)) - d.z[i])
				for j, v := range d.row(i) {
					sum[j] += r * v
				}
			}
		})
		for i, v := range w {
			grad[i] = sum[i] + 2*ridge*v
		}
	}
	problem := optimize.Problem{
		Func: objective,
		Grad: gradient,
		Hess: func(h *mat.SymDense, w []float64) {
			sum := d.hessian(w, fold)
			for i := range p {
				for j := i; j < p; j++ {
					h.SetSym(i, j, sum[i*p+j])
				}
				// A dead weight has no curvature; with 1 Newton leaves it where it is.
				if extra := 2 * ridge; d.rms[i] == 0 {
					h.SetSym(i, i, 1+extra)
				} else {
					h.SetSym(i, i, h.At(i, i)+extra)
				}
			}
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-7, MajorIterations: 200, Converger: optimize.NeverTerminate{}}
	result, err := optimize.Minimize(problem, from, settings, &optimize.Newton{})
	if result == nil {
		return nil, fmt.Errorf("fit: newton: %w", err)
	}
	// Near a flat minimum the line search may give up just short of the threshold.
	grad := make([]float64, p)
	gradient(grad, result.X)
	for _, g := range grad {
		if !(math.Abs(g) < 1e-5) {
			if err == nil {
				err = fmt.Errorf("stopped with %v", result.Status)
			}
			return nil, fmt.Errorf("fit: newton with ridge %v did not converge: %w", ridge, err)
		}
	}
	return result.X, nil
}

// hessian returns the matrix sum of weight p(1-p) x x^T, upper triangle, row by row.
func (d *design) hessian(w []float64, fold int) []float64 {
	p, scale := len(w), d.share(fold)
	return d.total(p*p, func(sum []float64, lo, hi int) {
		b := quad{p: p}
		for i := lo; i < hi; i++ {
			if !d.uses(i, fold) {
				continue
			}
			q := sigmoid(d.margin(w, i))
			b.add(sum, d, i, scale*d.weight[i]*q*(1-q))
		}
		b.flush(sum)
	})
}

// quad adds outer products to a matrix, four at a time. This reduces memory traffic by more than half.
type quad struct {
	x [4][]float64
	c [4]float64
	n int // number of buffered rows
	p int
}

// add buffers the product c x x^T for the regressors x of position i.
func (b *quad) add(sum []float64, d *design, i int, c float64) {
	if b.n == 4 {
		b.flush(sum)
	}
	b.x[b.n], b.c[b.n] = d.row(i), c
	b.n++
}

// flush adds the buffered products.
func (b *quad) flush(sum []float64) {
	if b.n == 0 {
		return
	}
	for k := b.n; k < 4; k++ {
		b.x[k], b.c[k] = b.x[0], 0
	}
	width := len(b.x[0])
	for a := range width {
		v0 := b.c[0] * b.x[0][a]
		v1 := b.c[1] * b.x[1][a]
		v2 := b.c[2] * b.x[2][a]
		v3 := b.c[3] * b.x[3][a]
		if v0 == 0 && v1 == 0 && v2 == 0 && v3 == 0 {
			continue
		}
		line := sum[a*b.p+a:][:width-a]
		x0 := b.x[0][a:][:len(line)]
		x1 := b.x[1][a:][:len(line)]
		x2 := b.x[2][a:][:len(line)]
		x3 := b.x[3][a:][:len(line)]
		for j := range line {
			line[j] += v0*x0[j] + v1*x1[j] + v2*x2[j] + v3*x3[j]
		}
	}
	b.n = 0
}

// logits writes the products w.x of the positions of a fold to out; fold -1 means all positions.
func (d *design) logits(w []float64, fold int, out []float64) {
	for i := range out {
		if fold < 0 || d.fold[d.game[i]] == fold {
			out[i] = d.margin(w, i)
		}
	}
}

// lossExcept returns the cross-entropy on the positions outside a fold.
func (d *design) lossExcept(w []float64, fold int) float64 {
	sum := 0.0
	for i := range d.n {
		if d.uses(i, fold) {
			sum += d.weight[i] * entropy(d.margin(w, i), d.z[i])
		}
	}
	return sum * d.share(fold)
}

// lossOf returns the cross-entropy for given products w.x.
func (d *design) lossOf(v []float64) float64 {
	sum := 0.0
	for i, x := range v {
		sum += d.weight[i] * entropy(x, d.z[i])
	}
	return sum
}

// lossSE returns the standard error of lossOf over games.
func (d *design) lossSE(v []float64) float64 {
	each := make([]float64, d.games)
	for i, x := range v {
		each[d.game[i]] += entropy(x, d.z[i]) / d.size[d.game[i]]
	}
	mean, ss, g := d.lossOf(v), 0.0, float64(d.games)
	for _, e := range each {
		ss += (e - mean) * (e - mean)
	}
	return math.Sqrt(ss / (g - 1) / g)
}

// nullLoss returns the cross-entropy of predicting the mean result.
func (d *design) nullLoss() float64 {
	mean := 0.0
	for i, z := range d.z {
		mean += d.weight[i] * z
	}
	return -mean*math.Log(mean) - (1-mean)*math.Log(1-mean)
}

// entropy is -z ln p - (1-z) ln(1-p) for the logit v of p.
func entropy(v, z float64) float64 {
	if v > 0 {
		return math.Log1p(math.Exp(-v)) + (1-z)*v
	}
	return math.Log1p(math.Exp(v)) - z*v
}

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
