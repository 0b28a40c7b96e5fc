package optimise

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// relaxation is the number of games in which SPSA with constant gains brings a parameter 1/e of the way to its optimum,
// for a curvature of e Elo per square unit and a perturbation c in the same unit (vdbergh, spsa_simul).
func relaxation(e, c, r float64) float64 { return eloPerLogit / (4 * r * e * c * c) }

// stationaryLoss is the mean Elo below the optimum at which SPSA with constant gains stays, for n parameters and draw
// rate d.
func stationaryLoss(n int, d, r float64) float64 { return eloPerLogit * float64(n) * (1 - d) * r / 8 }

// outlookOf states a known surface in the units of the forecast.
func outlookOf(t *testing.T, s Surface, p Problem, o SPSAOptions) Outlook {
	t.Helper()
	sp, err := newSpace(p)
	if err != nil {
		t.Fatal(err)
	}
	out := Outlook{DrawRate: s.DrawRate, Options: o}
	for i, q := range sp.params {
		f := sp.factor[i]
		out.Curvature = append(out.Curvature, s.Curvature[i]*f*f)
		out.Distance = append(out.Distance, (q.Start-s.Optimum[i])/f)
	}
	return out
}

// stationaryLoss against the numbers of tuning runs at constant gains: 14 parameters
// r = 0.005 gives 3.0, r = 0.02 12.2 Elo; 6 parameters r = 0.01 2.6. And against
// our own simulation.
func TestStationaryLoss(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		r    float64
		want float64
	}{{14, 0.005, 3.0}, {14, 0.02, 12.2}, {6, 0.01, 2.6}} {
		near(t, "stationary loss", stationaryLoss(c.n, 0, c.r), c.want, 0.06)
	}
	const n, r, d = 6, 0.02, 0.3
	want := stationaryLoss(n, d, r)
	sum, runs := 0.0, 40
	for seed := range uint64(runs) {
		p := weights(n, 6000, seed)
		o, err := NewSPSA(p, SPSAOptions{REnd: r, ConstantGains: true})
		if err != nil {
			t.Fatal(err)
		}
		sim := simulate(t, o, plant(t, p, SurfaceOptions{Loss: 150, DrawRate: d, Spread: 2, Seed: seed}), seed)
		sum += sim.Current / float64(runs)
	}
	t.Logf("stationary loss %.2f Elo simulated, %.2f by formula", sum, want)
	near(t, "simulated over predicted", sum/want, 1, 0.3)
}

// With constant gains the forecast is the closed form of vdbergh's spsa_simul.
func TestForecastIsTheClosedForm(t *testing.T) {
	t.Parallel()
	const e, c, r, d, games = 20.0, 0.4, 0.02, 0.2, 3000
	o := Outlook{
		Curvature: []float64{e}, Distance: []float64{1}, DrawRate: d,
		Options: SPSAOptions{CEnd: c, REnd: r, ConstantGains: true},
	}
	p, err := o.Forecast(games)
	if err != nil {
		t.Fatal(err)
	}
	decay := math.Exp(-2 * games / relaxation(e, c, r))
	floor := stationaryLoss(1, d, r)
	near(t, "last loss", p.Last, e*decay+floor*(1-decay), 0.02*p.Last)
}

// The forecast against simulation, with the real schedule.
func TestForecastAgainstSimulation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, games int
		loss     float64
		o        SPSAOptions
	}{
		{6, 2000, 100, SPSAOptions{}},
		{14, 2000, 300, SPSAOptions{}},
		{14, 10000, 100, SPSAOptions{}},
		{6, 400, 600, SPSAOptions{REnd: 0.05}},
	} {
		const runs = 20
		var sims []Simulation
		mean, last := 0.0, 0.0
		for seed := range uint64(runs) {
			p := weights(c.n, c.games, seed)
			s := plant(t, p, SurfaceOptions{Loss: c.loss, DrawRate: 0.2, Seed: seed})
			o, err := NewSPSA(p, c.o)
			if err != nil {
				t.Fatal(err)
			}
			sim := simulate(t, o, s, seed)
			sims = append(sims, sim)
			f, err := outlookOf(t, s, p, c.o).Forecast(c.games)
			if err != nil {
				t.Fatal(err)
			}
			mean += f.Loss / runs
			last += f.Last / runs
		}
		got := summarise(sims)
		t.Logf("%d parameters, %d games from %.0f Elo: forecast %.1f (last %.1f), simulated %.1f (%.1f)", c.n, c.games,
			c.loss, mean, last, got.Mean, got.Current)
		near(t, "simulated answer over forecast", got.Mean/mean, 1, 0.35)
		near(t, "simulated last theta over forecast", got.Current/last, 1, 0.35)
	}
}

func TestGamesForReversesBest(t *testing.T) {
	t.Parallel()
	o := Guess(14, 300, 0.2)
	prev := math.Inf(1)
	for _, games := range []int{500, 2000, 10000, 50000} {
		p, err := o.Best(games)
		if err != nil {
			t.Fatal(err)
		}
		if p.Loss >= prev {
			t.Errorf("%d games leave %.2f Elo, fewer left %.2f", games, p.Loss, prev)
		}
		prev = p.Loss
		back, err := o.GamesFor(p.Loss)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d games: %.2f Elo with r_end %.4f; back: %d games", games, p.Loss, p.REnd, back.Games)
		near(t, "games for the loss of games", float64(back.Games)/float64(games), 1, 0.1)
	}
	if _, err := o.GamesFor(-1); !errors.Is(err, ErrProblem) {
		t.Errorf("GamesFor(-1): %v", err)
	}
	if _, err := o.GamesFor(1e-9); !errors.Is(err, ErrProblem) {
		t.Errorf("GamesFor(1e-9): %v", err)
	}
	for _, bad := range []Outlook{
		{Curvature: []float64{1, -1}, Distance: []float64{1, 1}},
		{Curvature: []float64{1, 1}, Distance: []float64{1, math.Inf(1)}},
	} {
		if _, err := bad.Forecast(1000); !errors.Is(err, ErrProblem) ||
			!strings.Contains(err.Error(), "forecast parameter 2: ") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if _, err := (Outlook{}).Forecast(1000); !errors.Is(err, ErrProblem) {
		t.Errorf("empty outlook: %v", err)
	}
	if p, err := o.GamesFor(299); err != nil || p.Games != 2*minSPSAPairs {
		t.Errorf("a target above the start: %+v, %v", p, err)
	}
}

func TestSurface(t *testing.T) {
	t.Parallel()
	s := Surface{Optimum: []float64{0}, Curvature: []float64{100}, DrawRate: 0.4, FirstElo: 200}
	near(t, "loss", s.Loss([]float64{2}), 400, 1e-12)
	near(t, "score at +400 Elo", ScoreOfElo(400), 10.0/11, 1e-12)
	o := s.Play(Candidate{ID: 3, Pairs: 40000, Plus: []float64{1}, Minus: []float64{0}}, 1)
	want := (ScoreOfElo(100) + ScoreOfElo(-300)) / 2 // seats swapped, first player +200
	near(t, "score 100 Elo below, seats swapped", o.Score, want, 0.005)
	if o.Games != 80000 || o.ID != 3 {
		t.Errorf("outcome %+v", o)
	}
	p := mixed(1000, 1)
	for seed := range uint64(20) {
		s := plant(t, p, SurfaceOptions{Loss: 150, Seed: seed})
		start := make([]float64, len(p.Parameters))
		for i, q := range p.Parameters {
			start[i] = q.Start
		}
		near(t, "loss of the start", s.Loss(start), 150, 1e-6)
		if x := s.Optimum[3]; x < 1 || x > 12 || s.Optimum[4] < 0 {
			t.Errorf("optimum %v is out of bounds", s.Optimum)
		}
	}
}

// No gain promises more than the best one.
func TestBestIsBest(t *testing.T) {
	t.Parallel()
	o := Guess(14, 300, 0.2)
	best, err := o.Best(5000)
	if err != nil {
		t.Fatal(err)
	}
	for x := 0.0005; x < 0.2; x *= 1.1 {
		o.Options.REnd = x
		p, err := o.Forecast(5000)
		if err != nil {
			t.Fatal(err)
		}
		if p.Loss < 0.999*best.Loss {
			t.Errorf("%.2f Elo left with a gain of %.4f, %.2f with the best, %.4f", p.Loss, x, best.Loss, best.REnd)
		}
	}
}

// The sums that the forecast needs, against adding up; for q near 1 and at the ends, too.
func TestSeries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ q, n, first, second float64 }{
		{0.5, 3, 1.75, 2.5}, // 1 + 1/2 + 1/4, and 0 + 1 + 3/2
		{-0.5, 4, 0.625, 2.25},
		{0, 3, 1, 2},
		{-1, 4, 0, 2},
		{0.5, 0, 0, 0},
		{1, 1000, 1000, 500_000},
		{1 - 1e-12, 1000, 1000, 500_000},
	} {
		near(t, "series", series(c.q, c.n), c.first, 1e-6*c.first)
		near(t, "series of series", secondSeries(c.q, c.n), c.second, 1e-6*c.second)
	}
}

// A planted optimum that cannot be is refused; what is left out is filled in.
// The start of a planted surface is as many Elo below its optimum as was asked for, also where that is less than one.
func TestPlantedLoss(t *testing.T) {
	t.Parallel()
	p := Problem{Games: 1000, Parameters: []Parameter{{Name: "x", Start: 3, Scale: 1}, {Name: "y", Start: -2, Scale: 0.5}}}
	for _, loss := range []float64{0.25, 1, 300} {
		near(t, "loss of the start", plant(t, p, SurfaceOptions{Loss: loss, Seed: 1}).Loss([]float64{3, -2}), loss, 1e-9)
	}
	near(t, "loss of the start on a flat surface", plant(t, p, SurfaceOptions{Loss: -1, Seed: 1}).Loss([]float64{3, -2}),
		0, 0)
}
