package ratings

import (
	"fmt"
	"slices"
)

// AddPlayer adds a player, who may have no games.
func (b *Builder) AddPlayer(name string) error {
	if name == "" {
		return fmt.Errorf("ratings: %w: a player without a name", ErrBadGame)
	}
	b.players.number(name)
	return nil
}

// Predict returns the probabilities of a win, a draw and a loss of first against second by the fitted model. The
// stratum is ignored unless the fit is per stratum. For the score model, the probability of a draw is that of
// Davidson's model at the same expected score.
func (f *Fit) Predict(first, second, stratum string) (win, draw, loss float64, err error) {
	i, ok := f.Index(first)
	j, ok2 := f.Index(second)
	if !ok || !ok2 {
		return 0, 0, 0, fmt.Errorf("ratings: %w: %q or %q", ErrUnknownPlayer, first, second)
	}
	s := slices.IndexFunc(f.Advantages, func(a AdvantageRow) bool { return a.Stratum == stratum })
	if s < 0 {
		if f.Advantages[0].Stratum != "" {
			return 0, 0, 0, fmt.Errorf("ratings: %w: no stratum %q", ErrOptions, stratum)
		}
		s = 0
	}
	n := len(f.Players)
	eta := f.theta[i] - f.theta[j] + f.theta[n+s]
	delta := f.theta[n+len(f.Advantages)+s]
	if f.Model == ModelDavidson {
		win, draw, loss, _ = davidson{}.probabilities(eta, delta)
		return win, draw, loss, nil
	}
	p := logistic(eta)
	draw = drawShare(p, f.Advantages[s].DrawRate)
	return max(0, p-draw/2), draw, max(0, 1-p-draw/2), nil
}
