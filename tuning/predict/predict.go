// Package predict compares agents with people: with how people judge games, how they move and how their matches
// end.
//
// # Terms
//
//   - Payoff: what the first player gets on average, from 1 (always wins) to -1.
//   - Forecast: payoff and draws of games of an agent against itself.
//   - Decision: a position of a match with the move that a person chose.
//   - Log-likelihood: the mean logarithm of the probability that an agent gives to the moves that people chose.
//   - Log loss: minus the mean logarithm of the probability that an agent's games give to the results of matches.
//   - Fold: the matches of a fifth of the pairs of players. A fit is measured on the fold that was not used for it.
//
// # Flow of data
//
// [Games] plays games and forecasts each. [Matches] asks agents for their probabilities at each decision of
// matches, and fits to agents other than persons a temperature and a share of uniform moves. [Fit] fits the type
// person.
package predict

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/arena"
	"spar/engines"
	"spar/engines/people"
	"spar/ratings"
)

const level = .95 // confidence level of all intervals

// ScoreError is the typical error of a novice's predicted score for the first player, 0 to 1: the root mean square over
// the 41 games of the benchmark's open matches, minus the error that the small number of matches explains.
const ScoreError = .07

// Forecast is what the games of an agent against itself predict for a game.
type Forecast struct {
	ID           string     `json:"id" help:"the game"`
	Agent        string     `json:"agent" help:"the agent that played both sides"`
	Payoff       float64    `json:"payoff" help:"mean result for the first player, 1 (wins) to -1 (loses)"`
	Interval     [2]float64 `json:"interval" help:"95 % interval of payoff"`
	Draw         float64    `json:"draw" help:"share of draws"`
	DrawInterval [2]float64 `json:"draw_interval" help:"95 % interval of draw"`
	Plies        float64    `json:"plies" help:"mean length of the games"`
	Games        int        `json:"games" help:"games played"`
	Judged       *float64   `json:"judged,omitempty" help:"payoff that people expected, if the input states it"`

	results [4]int // number of games with each engines.Result
}

// Game forecasts one game from n games of an agent against itself.
func Game(ctx context.Context, g *engines.Game, spec agents.Spec, n int, seed int64) (Forecast, error) {
	f := Forecast{ID: g.Name(), Agent: spec.Name, Games: n}
	var seats [2]arena.Seat
	for side := range seats {
		a, err := agents.NewContext(ctx, spec, g)
		if err != nil {
			return f, err
		}
		seats[side] = arena.Seat{Name: spec.Name, Agent: a, Budget: spec.Budget.Or(spec.DefaultBudget())}
	}
	for i := range n {
		r, err := arena.Play(ctx, g, arena.Conditions{Seed: seed, Stream: uint64(i)}, seats)
		if err != nil {
			return f, err
		}
		if r.Faulty != 0 {
			return f, fmt.Errorf("%s: %s", g.Name(), r.Detail)
		}
		f.results[r.Outcome]++
		f.Plies += float64(r.Plies) / float64(n)
	}
	first, drawn := f.results[engines.FirstWins], f.results[engines.Drawn]
	points := float64(first) + float64(drawn)/2
	score := ratings.WilsonPoints(points, int64(n), level)
	draws := ratings.Wilson(int64(drawn), int64(n), level)
	f.Payoff = 2*score.Value - 1
	f.Interval = [2]float64{2*score.Lo - 1, 2*score.Hi - 1}
	f.Draw = draws.Value
	f.DrawInterval = [2]float64{draws.Lo, draws.Hi}
	return f, nil
}

// Games forecasts how people who have only read the rules would judge each game: novices of agent type person play as
// such people imagine a game between novices. The forecasts are in the order of the games.
func Games(ctx context.Context, games []people.Game, spec agents.Spec, n int, seed int64) ([]Forecast, error) {
	if spec.Type == "person" && spec.Person.Preset == "novice" {
		spec.Person = spec.Person.Imagine()
	}
	out := make([]Forecast, len(games))
	err := parallel(ctx, len(games), func(ctx context.Context, i int) error {
		g, err := games[i].Compile()
		if err != nil {
			return err
		}
		if out[i], err = Game(ctx, g, spec, n, seed); err == nil && games[i].JudgedPayoff != nil {
			out[i].Judged = &games[i].JudgedPayoff.Mean
		}
		return err
	})
	return out, err
}

// parallel calls f for 0 to n-1, with one goroutine for each core.
func parallel(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error { return f(ctx, i) })
	}
	return group.Wait()
}

// Agreement is how well forecasts agree with what people judged: the squared correlation over games.
type Agreement struct {
	R2      ratings.Estimate // with an interval by resampling games
	Against ratings.Estimate // difference of R2 to that of other forecasts for the same games, resampled together
}

// Agree compares forecasts with the judgements of people in them. If others is not nil, it also compares the
// agreement with that of other forecasts for the same games. It skips games without a judgement. With fewer than
// three games the result is the zero value.
func Agree(forecasts, others []Forecast) (a Agreement) {
	var x, y, z []float64
	for i, f := range forecasts {
		if f.Judged != nil {
			x, y = append(x, f.Payoff), append(y, *f.Judged)
			if others != nil {
				z = append(z, others[i].Payoff)
			}
		}
	}
	if len(x) < 3 {
		return a
	}
	a.R2 = resample(len(x), func(in []int) float64 { return squared(x, y, in) })
	if others != nil {
		a.Against = resample(len(x), func(in []int) float64 { return squared(x, y, in) - squared(z, y, in) })
	}
	return a
}

// squared returns the squared Pearson correlation of some of the points.
func squared(x, y []float64, in []int) float64 {
	var mx, my, xx, yy, xy float64
	for _, i := range in {
		mx += x[i] / float64(len(in))
		my += y[i] / float64(len(in))
	}
	for _, i := range in {
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if xx*yy == 0 {
		return 0
	}
	return xy * xy / (xx * yy)
}

// resample returns a statistic of n units with the standard error from 2000 bootstrap samples with a fixed seed.
func resample(n int, of func(in []int) float64) ratings.Estimate {
	const samples = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	in := make([]int, n)
	for i := range in {
		in[i] = i
	}
	value := of(in)
	var sum, squares float64
	for range samples {
		for i := range in {
			in[i] = rng.IntN(n)
		}
		x := of(in)
		sum, squares = sum+x, squares+x*x
	}
	e := ratings.Normal(value, math.Sqrt(max(0, squares/samples-sum*sum/samples/samples)), int64(n), "games",
		ratings.ScalePlain)
	e.Method = "bootstrap"
	return e
}
