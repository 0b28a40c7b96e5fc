package ratings

import (
	"fmt"
	"math"
)

// Match is the analysis of a match between two agents without a stopping rule, from the first agent's view.
type Match struct {
	Score Estimate // mean score, 0 to 1
	// Elo is the score as a difference. If one side won all games, its value is ±4000, the end of the scale, and
	// Prior is set: only the bound is meaningful.
	Elo Estimate
	// Normalized is (μ-½)/σ per game times 800/ln 10, with its standard error; unknown if all scores are equal.
	Normalized Estimate
	LOS        float64
	Warnings   []string
}

// AnalyzeMatch analyses counts of losses, draws and wins, or of pairs by points 0, ½, 1, 1½, 2. The interval is
// Student's for the score, converted to Elo. This is not valid for fewer than ten items or if all scores are
// equal. The interval is then the Clopper-Pearson interval, which treats the score as binomial and is slightly too
// wide.
func AnalyzeMatch(counts []float64, level float64) (Match, error) {
	if !(level > 0 && level < 1) {
		return Match{}, fmt.Errorf("ratings: %w: level %v", ErrOptions, level)
	}
	if _, err := newSample(counts); err != nil {
		return Match{}, err
	}
	unit, perItem := "games", 1.0
	if len(counts) == 5 {
		unit, perItem = "pairs", 2
	}
	var w weighted
	for i, c := range counts {
		w.add(float64(i)/float64(len(counts)-1), c)
	}
	m := Match{Score: share(int64(w.n), unit, "Student's t", level), LOS: 0.5}
	if w.n == 0 {
		m.toElo()
		m.Warnings = append(m.Warnings, "no games")
		return m, nil
	}
	s := &m.Score
	s.Value = w.sum / w.n
	variance := max(0, w.squares/w.n-s.Value*s.Value)
	if w.n < 10 || variance < 1e-12 {
		m.Warnings = append(m.Warnings,
			"too few or too uniform results to estimate the variance: the interval treats each item as a win or a loss")
		s.Method = "Clopper-Pearson"
		s.SE, s.Interval = clopperPearson(w.sum, w.n, level)
		m.toElo()
		// P(better) with one virtual win and loss: never 0 or 1 by default.
		a := s.Value*w.n + 1
		b := w.n - s.Value*w.n + 1
		m.LOS = normalCDF((a - b) / math.Sqrt(a+b))
		return m, nil
	}
	s.SE = math.Sqrt(variance / (w.n - 1))
	h := quantile(level, w.n-1) * s.SE
	s.Interval = Interval{Lo: max(0, s.Value-h), Hi: min(1, s.Value+h)}
	m.toElo()
	m.LOS = normalCDF((s.Value - 0.5) / s.SE)
	sigma := math.Sqrt(variance * perItem)
	t := (s.Value - 0.5) / math.Sqrt(variance)
	m.Normalized = Estimate{
		Value: (s.Value - 0.5) / sigma * normalizedUnit, SE: normalizedUnit / math.Sqrt(perItem) * math.Sqrt((1+t*t/2)/w.n),
		N: s.N, Unit: s.Unit, Level: level, Method: s.Method, Scale: ScaleElo,
	}
	z := quantile(level, 0) * m.Normalized.SE
	m.Normalized.Interval = Interval{Lo: m.Normalized.Value - z, Hi: m.Normalized.Value + z}
	return m, nil
}

// toElo converts a score and its interval to Elo; an end of 0 or 1 gives no bound.
func (m *Match) toElo() {
	s := m.Score
	m.Elo = Estimate{Value: EloOfScore(s.Value), Level: s.Level, N: s.N, Unit: s.Unit, Method: s.Method, Scale: ScaleElo}
	m.Elo.Prior = s.Value <= 0 || s.Value >= 1
	m.Elo.Interval = Interval{LoOpen: s.Lo <= 0, HiOpen: s.Hi >= 1}
	if !m.Elo.LoOpen {
		m.Elo.Lo = EloOfScore(s.Lo)
	}
	if !m.Elo.HiOpen {
		m.Elo.Hi = EloOfScore(s.Hi)
	}
}

// PairStats are diagnostics of pairs of games with exchanged seats.
type PairStats struct {
	Pairs float64
	// Decided is (WW+WD)/(LD+LL): pairs won divided by pairs lost; 0 if none was lost.
	Decided float64
	// Correlation is the correlation between an agent's two scores in a pair. If it is strongly negative, openings
	// are unbalanced; if it is positive, the second game repeats the first.
	Correlation float64
	// DesignEffect is the variance of the mean divided by its variance for independent games.
	DesignEffect float64
	// Variance is the variance of a pair's mean score, for Plan.PairVariance.
	Variance float64
}

// Pairs returns the diagnostics of a against b, from the pairs with exchanged seats.
func (t *Table) Pairs(a, b string) PairStats {
	counts, _ := t.Pentanomial(a, b)
	var s PairStats
	var pair, game weighted
	for i, c := range counts {
		pair.add(float64(i)/4, float64(c))
	}
	s.Pairs = pair.n
	if lost := counts[0] + counts[1]; lost > 0 {
		s.Decided = float64(counts[3]+counts[4]) / float64(lost)
	}
	for _, x := range t.swaps {
		p := t.pairings[x.p]
		first, second := t.players[p.First], t.players[p.Second]
		if (first != a || second != b) && (first != b || second != a) {
			continue
		}
		for r, row := range x.n {
			for o, n := range row {
				u, v := float64(r)/2, 1-float64(o)/2 // of pairing p's first player
				if first != a {
					u, v = 1-u, 1-v
				}
				game.add(u, float64(n))
				game.add(v, float64(n))
			}
		}
	}
	if pair.n < 2 {
		return s
	}
	s.Variance = pair.squares/pair.n - pair.sum/pair.n*pair.sum/pair.n
	single := game.squares/game.n - game.sum/game.n*game.sum/game.n
	if single > 1e-12 {
		s.DesignEffect = 2 * s.Variance / single
		s.Correlation = min(max(s.DesignEffect-1, -1), 1)
	}
	return s
}
