package optimise

import (
	"fmt"
	"math"
)

// eloPerLogit is 800/ln 10: an Elo difference D between equals changes wins minus
// losses by D/eloPerLogit a game.
const eloPerLogit = 800 / math.Ln10

// Outlook is an estimate of a tuning problem before its first game, for Forecast and GamesFor. Curvature and
// Distance are in scale units.
type Outlook struct {
	Curvature []float64 // Elo lost by a parameter at distance 1 from its optimum
	Distance  []float64 // distance of the start from the optimum, for each parameter
	DrawRate  float64
	Options   SPSAOptions
}

// Guess returns the outlook if only the Elo loss of the start is known. It assumes that n parameters share the
// loss equally and are each at distance 1.
func Guess(n int, loss, drawRate float64) Outlook {
	o := Outlook{Curvature: make([]float64, n), Distance: make([]float64, n), DrawRate: drawRate}
	for i := range n {
		o.Curvature[i], o.Distance[i] = loss/float64(n), 1
	}
	return o
}

func (o Outlook) check() error {
	if len(o.Curvature) == 0 || len(o.Curvature) != len(o.Distance) {
		return fmt.Errorf("optimise: %w: forecast with %d curvatures and %d distances", ErrProblem, len(o.Curvature),
			len(o.Distance))
	}
	for i, e := range o.Curvature {
		if !finite(e, o.Distance[i]) || e < 0 {
			return fmt.Errorf("optimise: %w: forecast parameter %d: curvature %v, distance %v", ErrProblem, i+1, e,
				o.Distance[i])
		}
	}
	if !(o.DrawRate >= 0 && o.DrawRate < 1) {
		return fmt.Errorf("optimise: %w: forecast with draw rate %v", ErrProblem, o.DrawRate)
	}
	return nil
}

// loss returns the Elo loss against the optimum for the mean square distances m.
func (o Outlook) loss(m []float64) float64 {
	sum := 0.0
	for i, e := range o.Curvature {
		sum += e * m[i]
	}
	return sum
}

// Prediction is the result of Forecast.
type Prediction struct {
	Games int `json:"games" help:"games of the run"`
	// Elo loss of the start, against the optimum
	Start float64 `json:"start" help:"Elo loss of the start, against the optimum"`
	// expected Elo loss of the answer (the tail average), against the optimum
	Loss float64 `json:"loss" help:"expected Elo loss of the answer, against the optimum"`
	// expected Elo loss of the last theta, against the optimum
	Last float64 `json:"last" help:"expected Elo loss of the last step, against the optimum"`
	REnd float64 `json:"r_end" help:"learning rate at the end"`
}

// forecastBlocks is the number of blocks with constant gains by which Forecast approximates a schedule.
const forecastBlocks = 200

// Forecast is the expected Elo below the optimum after an SPSA run of so many games,
// with the gains of that run. With d_i the distance of parameter i, m_i its mean
// square and kappa the loss of slope of the logistic curve at the Elo differences
// played (the probit approximation), a pair of games makes
//
//	d_i <- rho_i d_i + noise,       rho_i = 1 - 8 kappa R_k e_i c_k^2/C
//	m_i <- rho_i^2 m_i + R_k^2 c_k^2 (2(1-d) + sum_{j != i} (8 kappa e_j c_k/C)^2 m_j)
//	kappa = (1 + (pi/8) (ln 10/400)^2 sum_j (4 e_j c_k)^2 m_j)^(-1/2)
//
// which for constant gains and kappa = 1 falls by exp(-2t/lambda), lambda = C/(4 r e c^2), to C n (1-d) r/8 Elo
// (vdbergh, spsa_simul). The mean square of the tail average follows from the same recursion. Bounds, rounding and the
// length of a direction are omitted.
func (o Outlook) Forecast(games int) (Prediction, error) {
	if err := o.check(); err != nil {
		return Prediction{}, err
	}
	opts, err := o.Options.resolve(games / 2)
	if err != nil {
		return Prediction{}, err
	}
	return o.forecast(games, opts), nil
}

func (o Outlook) forecast(games int, opts SPSAOptions) Prediction {
	pairs := float64(games / 2)
	g := newGains(opts, games/2)
	n := len(o.Curvature)
	m := make([]float64, n)    // E d^2
	cov := make([]float64, n)  // E (sum of d over the tail so far) d
	tail := make([]float64, n) // E (sum of d over the tail so far)^2
	for i, d := range o.Distance {
		m[i] = d * d
	}
	out := Prediction{Games: games, Start: o.loss(m), REnd: opts.REnd}
	begin := (1 - opts.Tail) * pairs
	from, length := 0.0, 0.0
	for b := 1.0; from < pairs; b++ {
		// Blocks grow quadratically: early gains change fastest.
		to := pairs * math.Min(1, (b/forecastBlocks)*(b/forecastBlocks))
		if from < begin && to > begin {
			to = begin
		}
		c, r := g.at((from+to)/2 + 0.5)
		steps := to - from
		spread := 0.0
		for j, e := range o.Curvature {
			spread += 16 * e * e * c * c * m[j]
		}
		kappa := 1 / math.Sqrt(1+math.Pi/8*4*spread/(eloPerLogit*eloPerLogit))
		cross := 4 * kappa * kappa * spread / (eloPerLogit * eloPerLogit)
		for i, e := range o.Curvature {
			v := 8 * kappa * e * c / eloPerLogit
			rho := math.Min(math.Max(1-r*c*v, -1), 1)
			noise := r * r * c * c * (2*(1-o.DrawRate) + math.Max(0, cross-v*v*m[i]))
			after := m[i]*math.Pow(rho*rho, steps) + noise*series(rho*rho, steps)
			if from >= begin {
				level, s := (m[i]+after)/2, series(rho, steps)
				sum := cov[i]*s + level*secondSeries(rho, steps)
				tail[i] += 2*rho*sum + steps*level
				cov[i] = cov[i]*math.Pow(math.Abs(rho), steps) + level*s
			}
			m[i] = after
		}
		if from >= begin {
			length += steps
		}
		from = to
	}
	out.Last = o.loss(m)
	for i := range tail {
		tail[i] /= length * length
	}
	out.Loss = o.loss(tail)
	return out
}

// series is 1 + q + ... + q^(n-1) for |q| <= 1 and any n >= 0.
func series(q, n float64) float64 {
	if x := (1 - q) * n; x < 1e-6 {
		return n
	}
	return (1 - math.Pow(math.Abs(q), n)) / (1 - q)
}

// secondSeries returns the sum of series(q, t) over all t < n.
func secondSeries(q, n float64) float64 {
	if x := (1 - q) * n; x < 1e-3 {
		return n * n / 2
	}
	return (n - series(q, n)) / (1 - q)
}

// Best is Forecast with the REnd between 0.0005 and 0.2 that has the smallest expected loss. It needs the
// curvatures, which are seldom known, so it gives advice and no default.
func (o Outlook) Best(games int) (Prediction, error) {
	if _, err := o.Forecast(games); err != nil {
		return Prediction{}, err
	}
	opts, err := o.Options.resolve(games / 2)
	if err != nil {
		return Prediction{}, err
	}
	at := func(x float64) Prediction {
		opts.REnd = math.Exp(x)
		return o.forecast(games, opts)
	}
	const ratio = 0.6180339887498949 // golden section
	lo, hi := math.Log(0.0005), math.Log(0.2)
	x, y := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	px, py := at(x), at(y)
	for hi-lo > 0.02 {
		if px.Loss < py.Loss {
			hi, y, py = y, x, px
			x = hi - ratio*(hi-lo)
			px = at(x)
		} else {
			lo, x, px = x, y, py
			y = lo + ratio*(hi-lo)
			py = at(y)
		}
	}
	if px.Loss < py.Loss {
		return px, nil
	}
	return py, nil
}

// maxGames is the largest number of games that GamesFor considers. It is more than a desktop computer can play.
const maxGames = 100_000_000

// GamesFor is the inverse of Best. It returns the smallest number of games after which the expected loss is at
// most target Elo, and the REnd to use. It fails with ErrProblem if 100 million games are not enough.
func (o Outlook) GamesFor(target float64) (Prediction, error) {
	if !(target > 0) {
		return Prediction{}, fmt.Errorf("optimise: %w: a residual of %v Elo cannot be reached", ErrProblem, target)
	}
	least := 2 * minSPSAPairs * max(1, o.Options.Pairs) * max(1, o.Options.Directions)
	p, err := o.Best(least)
	if err != nil {
		return p, err
	}
	lo, hi := least, least
	for p.Loss > target {
		if hi >= maxGames {
			return Prediction{}, fmt.Errorf("optimise: %w: %d games leave %.1f Elo, more than %.1f", ErrProblem, hi, p.Loss,
				target)
		}
		lo, hi = hi, min(2*hi, maxGames)
		if p, err = o.Best(hi); err != nil {
			return p, err
		}
	}
	for hi-lo > max(2, hi/200) {
		mid := lo + (hi-lo)/4*2
		q, err := o.Best(mid)
		if err != nil {
			return q, err
		}
		if q.Loss <= target {
			hi, p = mid, q
		} else {
			lo = mid
		}
	}
	return p, nil
}
