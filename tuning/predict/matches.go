package predict

import (
	"context"
	"math"

	"gonum.org/v1/gonum/optimize"

	"spar/agents"
	"spar/engines"
	"spar/engines/people"
	"spar/ratings"
)

// Score is how well an agent predicts matches between people. Intervals are 95 %, by match. A mean without data is 0.
type Score struct {
	Agent         string    `json:"agent"`
	Moves         int       `json:"moves" help:"moves by people with more than one legal move"`
	LogLikelihood float64   `json:"log_likelihood" help:"mean log-probability of the moves that people chose"`
	LogInterval   []float64 `json:"log_likelihood_interval" help:"95 % interval of log_likelihood, by match; null for one match"`
	Top1          float64   `json:"top1" help:"share of moves that the agent considers most probable; ties count in part"`
	Top1Interval  []float64 `json:"top1_interval" help:"95 % interval of top1, by match"`
	Matches       int       `json:"matches" help:"matches with a result"`
	LogLoss       float64   `json:"log_loss" help:"mean minus log-probability of the results; three equally likely ones give 1.099"`
	LossInterval  []float64 `json:"log_loss_interval" help:"95 % interval of log_loss, by match"`
	Fitted        bool      `json:"fitted" help:"whether the predictions were fitted on other pairs of players: a temperature and a share of random moves"`

	Ahead         *float64  `json:"ahead,omitempty" help:"log_likelihood of the first agent minus this one's"`
	AheadInterval []float64 `json:"ahead_interval,omitempty" help:"95 % interval of ahead, by match"`
	moves         []float64 // log-likelihoods of the moves
}

// Matches scores how well agents predict the moves and results of matches. For agents of other types than person it
// fits a temperature and a share of random moves, with cross-validation by pairs of players. Agents of type person
// are used unchanged. Results are predicted from n games of the agent against itself in each game.
func Matches(ctx context.Context, matches []people.Match, specs []agents.Spec, n int, seed int64) ([]Score, error) {
	out := make([]Score, len(specs))
	err := parallel(ctx, len(specs), func(ctx context.Context, i int) (err error) {
		out[i], err = score(ctx, matches, specs[i], n, seed)
		return err
	})
	if err != nil {
		return nil, err
	}
	ds, _, err := ask(ctx, matches, agents.Spec{Type: "random"}, seed)
	for i := 1; i < len(out) && err == nil; i++ {
		ahead := make([]float64, len(ds))
		for j := range ds {
			ahead[j] = out[0].moves[j] - out[i].moves[j]
		}
		e := clustered(ds, ahead)
		out[i].Ahead, out[i].AheadInterval = &e.Value, interval(e)
	}
	return out, err
}

func score(ctx context.Context, matches []people.Match, spec agents.Spec, n int, seed int64) (Score, error) {
	s := Score{Agent: spec.Name, Fitted: spec.Type != "person" && spec.Type != "random"}
	ds, chances, err := ask(ctx, matches, spec, seed)
	if err != nil {
		return s, err
	}
	power, share := [folds]float64{}, [folds]float64{}
	for fold := range folds {
		if power[fold] = 1; s.Fitted {
			power[fold], share[fold] = temper(ds, chances, fold)
		}
	}
	top := make([]float64, len(ds))
	for i := range ds {
		s.moves = append(s.moves, max(tempered(&ds[i], chances[i], power[ds[i].fold()], share[ds[i].fold()]),
			math.Log(1e-12)))
		top[i] = topShare(chances[i], ds[i].chosen)
	}
	s.Moves = len(ds)
	s.LogLikelihood, s.LogInterval = ends(clustered(ds, s.moves))
	s.Top1, s.Top1Interval = ends(clustered(ds, top))
	var games []*engines.Game
	forecasts := map[*engines.Game]*Forecast{}
	for _, m := range matches {
		if forecasts[m.Rules] == nil {
			forecasts[m.Rules] = &Forecast{}
			games = append(games, m.Rules)
		}
	}
	err = parallel(ctx, len(games), func(ctx context.Context, i int) (err error) {
		*forecasts[games[i]], err = Game(ctx, games[i], spec, n, seed)
		return err
	})
	if err != nil {
		return s, err
	}
	var each []decision // one a match
	var losses []float64
	for i, m := range matches {
		if r, ok := engines.ParseResult(m.Result); ok {
			f := forecasts[m.Rules]
			chance := float64(f.results[r]+1) / float64(f.Games+3) // one game more of each result, so that none is 0
			each, losses = append(each, decision{match: i}), append(losses, -math.Log(chance))
		}
	}
	s.Matches = len(each)
	s.LogLoss, s.LossInterval = ends(clustered(each, losses))
	return s, nil
}

func ends(e ratings.Estimate) (float64, []float64) { return e.Value, interval(e) }

func interval(e ratings.Estimate) []float64 {
	if e.LoOpen {
		return nil
	}
	return []float64{e.Lo, e.Hi}
}

// topShare returns 1 if the chosen move is the most probable one, less if others are equally probable.
func topShare(chances []float64, chosen int) float64 {
	equal := 0.0
	for _, x := range chances {
		if x > chances[chosen]+1e-12 {
			return 0
		}
		if x > chances[chosen]-1e-12 {
			equal++
		}
	}
	return 1 / equal
}

// temper fits the exponent of the probabilities and the fraction of random moves, on all folds except one.
func temper(ds []decision, chances [][]float64, but int) (power, share float64) {
	at := func(x []float64) (power, share float64) { return math.Exp(x[0]), 1 / (1 + math.Exp(-x[1])) }
	problem := optimize.Problem{Func: func(x []float64) float64 {
		p, s := at(x)
		loss := 0.0
		for i := range ds {
			if ds[i].fold() != but {
				loss -= tempered(&ds[i], chances[i], p, s)
			}
		}
		return loss
	}}
	start := []float64{math.Log(5), math.Log(.3 / .7)}
	r, err := optimize.Minimize(problem, start, &optimize.Settings{FuncEvaluations: 150}, &optimize.NelderMead{})
	if err != nil && r == nil {
		return at(start)
	}
	return at(r.X)
}
