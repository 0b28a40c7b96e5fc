package ratings

import "math"

// davidson is Davidson's draw model, with delta = ln ν. It is an exponential family: the log-likelihood is concave
// in (eta, delta), and observed and expected information are equal.
type davidson struct{}

// noDraws is a draw parameter so small that both models predict no draws.
var noDraws = math.Inf(-1)

func (davidson) probabilities(eta, delta float64) (win, draw, loss, logTotal float64) {
	h := math.Abs(eta) / 2
	// Everything relative to the larger of e^{±eta/2}.
	a, d := math.Exp(-2*h), math.Exp(delta-h)
	total := 1 + a + d
	win, loss = 1/total, a/total
	if eta < 0 {
		win, loss = loss, win
	}
	return win, d / total, loss, h + math.Log(total)
}

func (m davidson) eval(w, d, l, eta, delta float64) point {
	n := w + d + l
	win, draw, loss, logTotal := m.probabilities(eta, delta)
	mu := (win - loss) / 2
	p := point{
		ll:   (w-l)*eta/2 - n*logTotal,
		gEta: (w-l)/2 - n*mu, hEta: n * ((win+loss)/4 - mu*mu),
	}
	if draw > 0 || d > 0 {
		p.ll += d * delta
		p.gDelta = d - n*draw
		p.hCross = -n * mu * draw
		p.hDelta = n * draw * (1 - draw)
	}
	return p
}

func (m davidson) score(o Outcome, eta, delta float64) (gEta, gDelta float64) {
	win, draw, loss, _ := m.probabilities(eta, delta)
	gEta, gDelta = (float64(o)-1)/2-(win-loss)/2, -draw
	if o == Draw {
		gDelta++
	}
	return gEta, gDelta
}

func (davidson) start(w, d, l float64) float64 { return math.Log(2 * d / (w + l)) }

func (davidson) slope(delta float64) float64 { return 2 / (2 + math.Exp(delta)) }
