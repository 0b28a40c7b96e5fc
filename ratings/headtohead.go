package ratings

// HeadToHead is the result that the ratings predict for two players who meet equally often in both seats. A difference
// of 100 Elo gives a score of 64 % only if there is no first-player advantage. A greater advantage brings the score
// nearer to one half.
type HeadToHead struct {
	Difference
	// Score is A's expected score over both seats and all strata, weighted by their games. The ends of its
	// interval are the scores at the ends of the difference's interval; an open end gives 0 or 1.
	Score Estimate
}

// HeadToHead compares two players by name.
func (f *Fit) HeadToHead(a, b string) (HeadToHead, error) {
	d, err := f.Difference(a, b)
	h := HeadToHead{Difference: d, Score: share(d.Elo.N, d.Elo.Unit, d.Elo.Method, d.Elo.Level)}
	h.Score.Prior = d.Elo.Prior
	if err != nil || !d.Comparable {
		return h, err
	}
	i, _ := f.Index(a)
	j, _ := f.Index(b)
	if i == j {
		h.Score.Interval = Interval{Lo: 0.5, Hi: 0.5}
		return h, nil
	}
	unit := eloUnit / f.Scale // theta per score-Elo
	theta := f.theta[i] - f.theta[j]
	h.Score.Value = f.bothSeats(theta)
	if !h.Elo.LoOpen {
		h.Score.Lo = f.bothSeats(theta + (h.Elo.Lo-h.Elo.Value)*unit)
	}
	if !h.Elo.HiOpen {
		h.Score.Hi = f.bothSeats(theta + (h.Elo.Hi-h.Elo.Value)*unit)
	}
	return h, nil
}

// bothSeats returns the expected score at a difference of strength, averaged over both seats, with strata weighted
// by their games. If all games were forfeited, the seats have no effect.
func (f *Fit) bothSeats(theta float64) float64 {
	if len(f.Advantages) == 0 {
		return logistic(theta)
	}
	sum, games := 0.0, 0.0
	for _, a := range f.Advantages {
		w := max(float64(a.Games.Games()), 1e-9)
		first, _ := f.scoreMoments(a, theta)
		second, _ := f.scoreMoments(a, -theta)
		sum, games = sum+w*(first+1-second)/2, games+w
	}
	return sum / games
}
