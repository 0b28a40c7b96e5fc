package ratings

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Options are the options of Fit. The zero value is the recommended analysis.
type Options struct {
	Model  Model
	Errors ErrorKind
	// Level is the confidence level of every interval, in (0, 1); 0 means 0.95.
	Level float64
	// Anchors are players whose ratings are given. Without anchors, each group has mean 0. One anchor sets the level of
	// its group. Several anchors keep their ratings while the others are estimated, and put their groups on one scale;
	// they need ModelScore.
	Anchors []Anchor
	// PerStratum means that each stratum has its own advantage and draw rate.
	PerStratum bool
	// NoAdvantage means that every advantage is 0.
	NoAdvantage bool
	priorSD     float64 // of the normal prior on ratings and advantages, where one is used, in Elo; 0 means 400
	// Few means that there are too few independent games for an interval: all intervals are open.
	Few bool
}

// Anchor is a player whose rating is given.
type Anchor struct {
	Name string
	Elo  float64
}

// Errors that Fit wraps.
var (
	// ErrUnknownPlayer is returned for a name that is not in the table.
	ErrUnknownPlayer = mistake("unknown player")
	// ErrOptions is returned for an option that is out of range.
	ErrOptions = mistake("bad option")
)

// Interval is a confidence interval in the unit of its estimate. The field of an open end is 0.
type Interval struct {
	Lo, Hi         float64
	LoOpen, HiOpen bool
}

// unbounded is an interval without ends.
var unbounded = Interval{LoOpen: true, HiOpen: true}

// Contains reports whether x lies in the interval.
func (v Interval) Contains(x float64) bool {
	return (v.LoOpen || x >= v.Lo) && (v.HiOpen || x <= v.Hi)
}

// Ends returns the ends of the interval; an open end is infinite.
func (v Interval) Ends() (lo, hi float64) {
	lo, hi = v.Lo, v.Hi
	if v.LoOpen {
		lo = math.Inf(-1)
	}
	if v.HiOpen {
		hi = math.Inf(1)
	}
	return lo, hi
}

// farAway is an Elo value larger than games can show. An end beyond it comes only from the prior that keeps a
// profile likelihood finite.
const farAway = 1e4

// cut makes those ends open that are beyond farAway.
func (v Interval) cut() Interval {
	if v.LoOpen = v.LoOpen || !(math.Abs(v.Lo) <= farAway); v.LoOpen {
		v.Lo = 0
	}
	if v.HiOpen = v.HiOpen || !(math.Abs(v.Hi) <= farAway); v.HiOpen {
		v.Hi = 0
	}
	return v
}

// Count holds one player's numbers of wins, draws and losses.
type Count struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

// String writes wins/draws/losses.
func (c Count) String() string { return fmt.Sprintf("%d/%d/%d", c.Wins, c.Draws, c.Losses) }

// Games returns the number of games.
func (c Count) Games() int64 { return c.Wins + c.Draws + c.Losses }

// Points returns wins plus half the draws.
func (c Count) Points() float64 { return float64(c.Wins) + float64(c.Draws)/2 }

func (c Count) plus(d Count) Count {
	return Count{c.Wins + d.Wins, c.Draws + d.Draws, c.Losses + d.Losses}
}

// PlayerRow is one player's result. Elo is relative to the mean of the group (or to the anchor). In a group with
// unbounded players it is relative to the mean of the group's largest bounded part.
type PlayerRow struct {
	Name     string
	Elo      Estimate // rating in score-Elo; Prior means that a prior was used
	Raw      float64  // rating in the model's own unit; for ModelScore it equals the value of Elo
	Status   Status
	Group    int // index in Fit.Groups
	AsFirst  Count
	AsSecond Count
}

// Total returns the games in both seats.
func (r PlayerRow) Total() Count { return r.AsFirst.plus(r.AsSecond) }

// AdvantageRow is a first-player advantage with its draw parameter.
type AdvantageRow struct {
	Stratum string   // name of the stratum; empty if there is one advantage for all
	Elo     Estimate // advantage in score-Elo
	Raw     float64
	Status  Status
	Games   Count // games, from the first player's view
	// DrawRate is the probability of a draw between equals without an
	// advantage, 0 to 1. DrawParameter is ν for Davidson,
	// 0 for the score model.
	DrawRate, DrawParameter float64
}

// Fit is the result of rating a table.
type Fit struct {
	Model      Model // requested model; ModelScore if the requested draw model has no maximum
	Level      float64
	Players    []PlayerRow    // in the order of Table.Players
	Advantages []AdvantageRow // one, or one for each stratum in the order of names
	Groups     [][]string     // players that met, directly or through others

	Errors     ErrorKind // kind of standard error that was used
	paired     bool      // pair errors were requested, but would be 0
	Clusters   int64     // number of independent units on which the standard errors are based
	Pairs      int64     // number of these units that have more than one game
	Parameters int       // number of free parameters
	Scale      float64   // score-Elo for one unit of the model, near equality

	Warnings []string

	t        *Table
	o        Options
	k        int   // number of strata of the fit: 1, unless each has its own advantage
	strataOf []int // for each stratum of the table, the stratum of the fit
	parts    *separation
	anchors  []int           // players, in the order of Options.Anchors
	held     map[int]float64 // ratings of several anchors in natural units, relative to their mean

	ml    *likelihood
	mlSol *maximum
	mlCov *mat.SymDense // covariance of the maximum likelihood estimates, in natural units
	deq   []float64     // draw rate of equals in each stratum

	mapSol *maximum // maximum with the prior; nil if no prior was needed
	mapCov *mat.SymDense
	theta  []float64 // parameters in natural units, including those of players that the prior places
	ref    []int     // reference component of each group; -1 if there is none
	comps  [][]int   // players of each component

	byCluster []clusterCovariance // by pair, and by opening; the widest interval counts
	tiny      bool                // there are too few games for a variance: intervals come from the profile likelihood

	loose    *likelihood // the whole table with a weak prior, see looseLikelihood
	looseOf  [][]*datum  // the data of loose, by player and advantage
	looseSol *maximum    // maximum of loose, computed when it is first used
	ends     *openEnds   // see the method openEnds
}

// Fit rates the players of a table. It returns an error only for invalid options and numerical failure. Sparse or
// degenerate data lead to statuses and warnings.
func (t *Table) Fit(o Options) (*Fit, error) {
	if o.Level == 0 {
		o.Level = 0.95
	}
	if o.priorSD == 0 {
		o.priorSD = 400
	}
	switch {
	case !(o.Level > 0 && o.Level < 1):
		return nil, fmt.Errorf("ratings: %w: level %v is not between 0 and 1", ErrOptions, o.Level)
	case len(o.Anchors) > 1 && o.Model != ModelScore:
		return nil, fmt.Errorf("ratings: %w: several anchors need the score model", ErrOptions)
	case o.Model < ModelScore || o.Model > ModelDavidson:
		return nil, fmt.Errorf("ratings: %w: model %d", ErrOptions, o.Model)
	case o.Errors < ErrorAuto || o.Errors > ErrorPosterior:
		return nil, fmt.Errorf("ratings: %w: errors %d", ErrOptions, o.Errors)
	}
	for i, a := range o.Anchors {
		if math.IsNaN(a.Elo) || math.IsInf(a.Elo, 0) {
			return nil, fmt.Errorf("ratings: %w: anchor at %v", ErrOptions, a.Elo)
		}
		if _, ok := slices.BinarySearch(t.players, a.Name); !ok {
			return nil, fmt.Errorf("ratings: anchor: %w: %q", ErrUnknownPlayer, a.Name)
		}
		if slices.ContainsFunc(o.Anchors[:i], func(b Anchor) bool { return a.Name == b.Name }) {
			return nil, fmt.Errorf("ratings: %w: %q is listed as an anchor twice", ErrOptions, a.Name)
		}
	}
	fit, err := t.fit(o)
	if errors.Is(err, errDraws) {
		model := o.Model
		o.Model = ModelScore
		if fit, err = t.fit(o); err == nil {
			fit.Warnings = append([]string{fmt.Sprintf("%s: the likelihood increases without bound with the draw rate between "+
				"equals, so it has no maximum; the ratings are from the score model", model)}, fit.Warnings...)
		}
	}
	return fit, err
}

// fit is Fit for valid options. errDraws means that the draw model has no maximum.
func (t *Table) fit(o Options) (*Fit, error) {
	f := &Fit{Model: o.Model, Level: o.Level, Scale: 1, t: t, o: o, k: 1}
	f.strataOf = make([]int, len(t.strata))
	names := []string{""}
	if o.PerStratum && len(t.strata) > 0 {
		names, f.k = t.strata, len(t.strata)
		for s := range f.strataOf {
			f.strataOf[s] = s
		}
	}
	f.hold()
	f.rows(names)
	return f, f.run()
}

// hold finds the anchors. Several of them are held.
func (f *Fit) hold() {
	mean := 0.0
	for _, a := range f.o.Anchors {
		i, _ := slices.BinarySearch(f.t.players, a.Name)
		f.anchors = append(f.anchors, i)
		mean += a.Elo / float64(len(f.o.Anchors))
	}
	if len(f.anchors) > 1 {
		f.held = map[int]float64{}
		for k, i := range f.anchors {
			f.held[i] = (f.o.Anchors[k].Elo - mean) * eloUnit
		}
	}
}

// holds reports whether the rating of a player is held.
func (f *Fit) holds(i int) bool { _, ok := f.held[i]; return ok }

// rows sets the counts of the rows.
func (f *Fit) rows(strata []string) {
	f.Players = make([]PlayerRow, len(f.t.players))
	for i, n := range f.t.players {
		f.Players[i].Name = n
	}
	f.Advantages = make([]AdvantageRow, f.k)
	for s, n := range strata {
		f.Advantages[s].Stratum = n
	}
	for _, p := range f.t.pairings {
		c := Count{p.Wins, p.Draws, p.Losses}
		f.Players[p.First].AsFirst = f.Players[p.First].AsFirst.plus(c)
		f.Players[p.Second].AsSecond = f.Players[p.Second].AsSecond.plus(Count{p.Losses, p.Draws, p.Wins})
		a := &f.Advantages[f.strataOf[p.Stratum]]
		a.Games = a.Games.plus(c)
	}
}

func (f *Fit) run() error {
	adv := make([]bool, f.k)
	for s, a := range f.Advantages {
		adv[s] = !f.o.NoAdvantage && !IsForfeited(a.Stratum)
	}
	f.parts = newSeparation(f.t, f.strataOf, adv, f.anchors)
	if err := f.drawsExist(); err != nil {
		return err
	}
	if err := f.solveML(); err != nil {
		return err
	}
	if f.parts.nComp > f.parts.nWeak || len(f.divergent()) > 0 { // several parts, or an advantage without a maximum
		p := f.penalisedLikelihood(f.o.priorSD)
		sol, err := p.solve(p.start(), nil)
		if err != nil {
			return err
		}
		f.mapSol, f.mapCov = sol, p.covariance(sol)
	}
	_, f.ref = f.parts.statuses()
	f.place()
	f.drawRates()
	f.covariances()
	f.fillRows()
	return nil
}

// fullLikelihood returns the likelihood of the data that are active according to separation.
func (f *Fit) fullLikelihood() *likelihood {
	e := f.parts
	p := newLikelihood(f.t, f.o.Model, f.strataOf, e.active, e.adv, e.comp, e.nComp)
	p.hold(f.held)
	// The prior enters only where the data leave a direction free.
	for s, ok := range e.ident {
		if c := p.advAt(s); !ok && !p.fixed[c] {
			p.ridge[c] = precision(f.o.priorSD)
		}
	}
	return p
}

// drawsExist returns errDraws if the likelihood has no maximum in a draw parameter. It runs before other checks:
// if a draw parameter diverges, the data look separated, too.
func (f *Fit) drawsExist() error {
	if f.o.Model == ModelScore {
		return nil
	}
	p := f.fullLikelihood()
	if p.onlyDraws() {
		return errDraws
	}
	_, err := p.solve(p.start(), p.drawsRun)
	return err
}

// solveML maximises the likelihood of the active data. It drops more data if the iteration shows a separation that the
// checks did not find.
func (f *Fit) solveML() error {
	for {
		p := f.fullLikelihood()
		sol, err := p.solve(p.start(), p.separated)
		if errors.Is(err, errDiverged) {
			f.parts.dropSeparated(p, sol.theta)
			continue
		}
		if err != nil {
			return err
		}
		f.ml, f.mlSol = p, sol
		return nil
	}
}

// penalisedLikelihood is the likelihood of all data with a normal prior on ratings and advantages; sd is in Elo.
func (f *Fit) penalisedLikelihood(sd float64) *likelihood {
	all := slices.Repeat([]bool{true}, len(f.t.pairings))
	p := newLikelihood(f.t, f.o.Model, f.strataOf, all, f.parts.adv, nil, 0)
	p.hold(f.held)
	for c := range p.n + p.k {
		p.ridge[c] = precision(sd)
		p.fixed[c] = c >= p.n && !f.parts.adv[c-p.n]
	}
	return p
}

// precision returns 1/τ² in natural units for a standard deviation in Elo.
func precision(sd float64) float64 { return 1 / (sd * eloUnit * sd * eloUnit) }

// divergent returns the strata whose advantage the games do not determine.
func (f *Fit) divergent() (strata []int) {
	for s, adv := range f.parts.adv {
		if adv && f.ml.fixed[f.ml.advAt(s)] && f.Advantages[s].Games.Games() > 0 {
			strata = append(strata, s)
		}
	}
	return strata
}

// place shifts the parts of each group to their mean under the prior, so that what level returns has mean 0.
func (f *Fit) place() {
	f.theta = slices.Clone(f.mlSol.theta)
	f.comps = make([][]int, f.parts.nComp)
	for i, c := range f.parts.comp {
		f.comps[c] = append(f.comps[c], i)
	}
	if f.mapSol == nil {
		return
	}
	for _, members := range f.comps {
		if slices.ContainsFunc(members, f.holds) {
			continue // the anchors set the level
		}
		level := 0.0
		for _, i := range members {
			level += f.mapSol.theta[i] - f.theta[i]
		}
		for _, i := range members {
			f.theta[i] += level / float64(len(members))
		}
	}
	groups := make([]float64, f.parts.nWeak)
	sizes := make([]float64, f.parts.nWeak)
	for i, g := range f.parts.weak {
		if f.ref[g] < 0 || f.parts.comp[i] == f.ref[g] {
			groups[g] += f.theta[i]
			sizes[g]++
		}
	}
	for i, g := range f.parts.weak {
		f.theta[i] -= groups[g] / sizes[g]
	}
	for c := f.ml.n; c < f.ml.dim(); c++ {
		if f.ml.fixed[c] {
			f.theta[c] = f.mapSol.theta[c]
		}
	}
}

// drawRates computes the draw rate at equality, the model's draw parameter, and the factor from the model's unit
// to score-Elo.
func (f *Fit) drawRates() {
	f.deq = make([]float64, f.k)
	kern := kernelOf(f.o.Model)
	slope, games := 0.0, 0.0
	for s := range f.k {
		var n, p []float64
		draws, total := 0.0, 0.0
		for _, g := range f.t.pairings {
			if f.strataOf[g.Stratum] != s {
				continue
			}
			eta := f.theta[g.First] - f.theta[g.Second] + f.theta[f.ml.advAt(s)]
			n, p = append(n, float64(g.Games())), append(p, logistic(eta))
			draws += float64(g.Draws)
			total += float64(g.Games())
		}
		a := &f.Advantages[s]
		delta := f.theta[f.ml.drawAt(s)]
		switch f.o.Model {
		case ModelScore:
			f.deq[s] = drawRateAtEquality(n, p, draws)
			a.DrawRate = f.deq[s]
		case ModelDavidson:
			nu := math.Exp(delta)
			a.DrawParameter, a.DrawRate = nu, nu/(2+nu)
		}
		if total > 0 {
			slope += total * kern.slope(delta)
			games += total
		}
	}
	if games > 0 {
		f.Scale = slope / games
	}
}
