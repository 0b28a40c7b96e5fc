package fit

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"spar/configs/strict"
)

// ErrData is returned for invalid samples or options.
const ErrData = strict.Mistake("cannot fit")

// Sample is a position of a stored game.
type Sample struct {
	Game     int64     // identifies the game; its positions have the same number
	Result   float64   // result of the game from the view of the features: 1, 0.5 or 0
	Features []float64 // values of the features; Fit neither changes nor keeps the slice
}

// Options are the options of Fit. A zero field means the default.
type Options struct {
	Names []string // names of the features
	// Ridges are the candidates for the penalty, in standard units, among which cross-validation chooses; nil
	// means 0, 1e-4, 1e-3 and 1e-2. With a single value there is no cross-validation.
	Ridges []float64
	Seed   uint64
}

// Weight is one fitted weight.
type Weight struct {
	Feature string  `json:"feature"`
	Value   float64 `json:"value"`
	// Dead means that the feature is 0 in every position. The weight is then 0, too.
	Dead bool `json:"dead,omitempty"`
}

// RidgeRow is the cross-validation result of one ridge penalty. A loss is the mean cross-entropy per game, in
// nats.
type RidgeRow struct {
	Ridge  float64 `json:"ridge"`
	Train  float64 `json:"train"`
	Held   float64 `json:"held"`    // loss on held-out games
	HeldSE float64 `json:"held_se"` // standard error of Held over games
	Chosen bool    `json:"chosen,omitempty"`
}

// Model is the result of Fit.
type Model struct {
	RMS     []float64  `json:"rms"` // root mean square of each feature; every game has the same weight
	Weights []Weight   `json:"weights"`
	Games   int        `json:"games"`
	Samples int        `json:"samples"`
	Ridge   float64    `json:"ridge"`
	Ridges  []RidgeRow `json:"ridges"`
	Loss    float64    `json:"loss"` // cross-entropy on the games of the fit, in nats
	Held    float64    `json:"held"` // cross-entropy on held-out games, in nats
	Null    float64    `json:"null"` // cross-entropy of always predicting the mean result, in nats
	// Slope is the factor for the held-out logits that predicts best: 1 means calibrated, less than 1
	// overconfident.
	Slope    float64  `json:"slope"`
	Warnings []string `json:"warnings"`
}

const (
	folds           = 5          // of the cross-validation
	gamesPerWeight  = 200.0 / 14 // minimum games for each weight; with fewer, regression results were poor
	separableMargin = 15         // logits above this show that the data are separable
)

// Fit fits a logistic regression of results on features, in which long and short games have the same weight.
// It minimises, by Newton's method,
//
//	L(w) = (1/G) sum_g (1/n_g) sum_{t in g} [-z ln p - (1-z) ln(1-p)] + ridge |w|^2
//
// The ridge is the candidate with the least loss on held-out games. (Positions held out at random would be predicted by
// other positions of their own game.)
func Fit(samples []Sample, o Options) (*Model, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	d, err := newDesign(samples, o)
	if err != nil {
		return nil, err
	}
	m := &Model{RMS: d.rms, Games: d.games, Samples: d.n, Null: d.nullLoss()}
	held, err := d.choose(m, o)
	if err != nil {
		return nil, err
	}
	w, err := d.minimise(d.zero(), m.Ridge, -1)
	if err != nil {
		return nil, err
	}
	m.Loss = d.lossExcept(w, -1)
	m.Held = d.lossOf(held)
	if m.Slope, err = d.slope(held); err != nil {
		m.Slope = 0
	}
	for j, x := range w {
		m.Weights = append(m.Weights, Weight{Feature: o.Names[j], Value: x / cmp.Or(d.rms[j], 1), Dead: d.rms[j] == 0})
	}
	m.warn(d, w)
	return m, nil
}

// check validates the options and fills in the defaults.
func (o Options) check() (Options, error) {
	if len(o.Names) == 0 {
		return o, fmt.Errorf("fit: %w: no features", ErrData)
	}
	if o.Ridges == nil {
		o.Ridges = []float64{0, 1e-4, 1e-3, 1e-2}
	}
	for _, r := range o.Ridges {
		if !(r >= 0) || math.IsInf(r, 0) {
			return o, fmt.Errorf("fit: %w: ridge %v", ErrData, r)
		}
	}
	return o, nil
}

// choose selects the ridge by cross-validation and returns the held-out logits of the best one.
func (d *design) choose(m *Model, o Options) ([]float64, error) {
	d.split(o.Seed)
	best := -1
	var held []float64
	starts := make([][]float64, folds)
	for f := range starts {
		starts[f] = d.zero()
	}
	// From the strongest penalty down, each solution starts the next.
	for i := len(o.Ridges) - 1; i >= 0; i-- {
		row := RidgeRow{Ridge: o.Ridges[i]}
		logits := make([]float64, d.n)
		for f := range folds {
			w, err := d.minimise(starts[f], row.Ridge, f)
			if err != nil {
				return nil, err
			}
			starts[f] = w
			d.logits(w, f, logits)
			row.Train += d.lossExcept(w, f) / float64(folds)
		}
		row.Held, row.HeldSE = d.lossOf(logits), d.lossSE(logits)
		m.Ridges = append([]RidgeRow{row}, m.Ridges...)
		if best < 0 || row.Held < m.Held {
			best = i
			m.Held = row.Held
			held = logits
		}
	}
	m.Ridges[best].Chosen = true
	m.Ridge = o.Ridges[best]
	return held, nil
}

// warn adds warnings about the weights, for the user.
func (m *Model) warn(d *design, w []float64) {
	if need := gamesPerWeight * float64(len(m.Weights)); float64(m.Games) < need {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d games for %d weights; below %.0f games regression is unreliable",
			m.Games, len(m.Weights), math.Ceil(need)))
	}
	if m.Held >= m.Null {
		m.Warnings = append(m.Warnings, "on held-out games the weights predict no better than the mean result")
	}
	wide := 0
	v := make([]float64, d.n)
	d.logits(w, -1, v)
	for i, x := range v {
		if math.Abs(x) > separableMargin && (x > 0) == (d.z[i] > 0.5) {
			wide++
		}
	}
	if wide > d.n/2 {
		m.Warnings = append(m.Warnings,
			"the features separate all wins from all losses: the ridge penalty, not the data, determines the size of the weights")
	}
	dead := 0
	for _, x := range m.Weights {
		if x.Dead {
			dead++
		}
	}
	if dead > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d of %d weights have a feature that is always 0 and "+
			"were not changed", dead, len(m.Weights)))
	}
}

// split assigns games to folds.
func (d *design) split(seed uint64) {
	d.fold = make([]int, d.games)
	for i, g := range rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d)).Perm(d.games) {
		d.fold[g] = i % folds
	}
}
