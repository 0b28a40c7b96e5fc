package ratings

import "math"

// eloUnit is the natural logistic units in one Elo: ln(10)/400.
const eloUnit = math.Ln10 / 400

// ExpectedScore returns the expected score for a difference in Elo, on the exact 400-point logistic scale:
// 1/(1+10^(-elo/400)).
func ExpectedScore(elo float64) float64 { return logistic(elo * eloUnit) }

// maxElo is the largest difference that EloOfScore returns. Scores of 0 and 1 have no finite value.
const maxElo = 4000.0

// EloOfScore is the inverse of ExpectedScore, limited to ±4000.
func EloOfScore(score float64) float64 {
	switch {
	case !(score > 0):
		return -maxElo
	case score >= 1:
		return maxElo
	}
	return min(max(math.Log(score/(1-score))/eloUnit, -maxElo), maxElo)
}

func logistic(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// Model selects how results depend on the strength difference.
type Model int

// The draw models.
const (
	// ModelScore is score quasi-likelihood: the expected score is logistic, regardless of how draws arise. If
	// there are draws, this is fractional-logit quasi-maximum likelihood (Papke & Wooldridge 1996); otherwise it
	// is the model of Bradley and Terry (1952).
	ModelScore Model = iota
	// ModelDavidson gives wins, draws and losses in the ratio 10^(d/800) : ν : 10^(-d/800) for a difference of d Elo
	// (Davidson 1970, JASA 65:317; with an advantage, Davidson & Beaver 1977).
	ModelDavidson
)

// String returns "score" or "davidson".
func (m Model) String() string {
	if m == ModelDavidson {
		return "davidson"
	}
	return "score"
}

// point is a model's log-likelihood for the games of one pairing with its first
// two derivatives, in natural units: eta is the strength difference, delta the
// model's draw parameter.
type point struct {
	ll                   float64
	gEta, gDelta         float64
	hEta, hCross, hDelta float64 // second derivatives of the negative log-likelihood
}

// kernel evaluates one pairing with w, d, l games at (eta, delta).
type kernel interface {
	eval(w, d, l, eta, delta float64) point
	// score returns the derivatives of one game's log-likelihood, by outcome.
	score(o Outcome, eta, delta float64) (gEta, gDelta float64)
	// returns the initial draw parameter, from the total numbers of results
	start(w, d, l float64) float64
	// returns the factor from strengths to score-Elo near 0: the derivative of the expected score at eta = 0,
	// divided by that of the logistic curve
	slope(delta float64) float64
}

func kernelOf(m Model) kernel {
	if m == ModelDavidson {
		return davidson{}
	}
	return scoreKernel{}
}

// scoreKernel is the score quasi-likelihood; it has no draw parameter.
type scoreKernel struct{}

func (scoreKernel) eval(w, d, l, eta, _ float64) point {
	n, s := w+d+l, w+d/2
	p := logistic(eta)
	// S·eta - N·ln(1+e^eta), with the large half taken out.
	soft := max(eta, 0) + math.Log1p(math.Exp(-math.Abs(eta)))
	ll := s*eta - n*soft
	if eta > 0 { // s·eta and n·eta nearly cancel
		ll = -(n-s)*eta - n*math.Log1p(math.Exp(-eta))
	}
	return point{ll: ll, gEta: s - n*p, hEta: n * p * logistic(-eta)}
}

func (scoreKernel) score(o Outcome, eta, _ float64) (gEta, gDelta float64) {
	return o.Score() - logistic(eta), 0
}

func (scoreKernel) start(_, _, _ float64) float64 { return 0 }
func (scoreKernel) slope(float64) float64         { return 1 }
