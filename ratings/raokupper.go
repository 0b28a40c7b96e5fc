package ratings

import "math"

// raoKupper is the Rao-Kupper model with delta = D > 0 in natural units (0 means no draws). The log-likelihood is
// concave in (eta, D).
type raoKupper struct{}

func (raoKupper) probabilities(eta, delta float64) (win, draw, loss float64) {
	win, loss = logistic(eta-delta), logistic(-eta-delta)
	// 1 - win - loss without cancellation.
	draw = -math.Expm1(-2*delta) * logistic(eta+delta) * logistic(delta-eta)
	return win, draw, loss
}

func (m raoKupper) eval(w, d, l, eta, delta float64) point {
	if delta < 0 || (delta == 0 && d > 0) {
		return point{ll: math.Inf(-1)}
	}
	win, _, loss := m.probabilities(eta, delta)
	vw, vl := win*logistic(delta-eta), loss*logistic(eta+delta)
	p := point{
		ll:   w*logLogistic(eta-delta) + l*logLogistic(-eta-delta),
		gEta: w*(1-win) - l*(1-loss) + d*(loss-win),
		hEta: (w+d)*vw + (l+d)*vl,
	}
	if delta == 0 {
		return p
	}
	e := math.Expm1(2 * delta)
	if d > 0 {
		p.ll += d * (math.Log(-math.Expm1(-2*delta)) + logLogistic(eta+delta) + logLogistic(delta-eta))
	}
	p.gDelta = -w*(1-win) - l*(1-loss) + d*(2/e+loss+win)
	p.hCross = -(w+d)*vw + (l+d)*vl
	p.hDelta = (w+d)*vw + (l+d)*vl + d*4*(e+1)/(e*e)
	return p
}

func (m raoKupper) score(o Outcome, eta, delta float64) (gEta, gDelta float64) {
	win, _, loss := m.probabilities(eta, delta)
	switch o {
	case FirstWins:
		return 1 - win, -(1 - win)
	case SecondWins:
		return -(1 - loss), -(1 - loss)
	}
	return loss - win, 2/math.Expm1(2*delta) + loss + win
}

func (raoKupper) start(w, d, l float64) float64 {
	// At equality the share of draws is tanh(D/2).
	return 2 * math.Atanh(min(d/(w+d+l), 0.999))
}

func (raoKupper) slope(delta float64) float64 {
	x := math.Exp(-delta)
	return 4 * x / ((1 + x) * (1 + x))
}
