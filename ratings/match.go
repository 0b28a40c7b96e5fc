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
	w := weigh(counts)
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
			"too few or too uniform results to estimate the variance: the interval treats each game or pair as a win or a loss")
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
		Value:  (s.Value - 0.5) / sigma * normalizedUnit,
		SE:     normalizedUnit / math.Sqrt(perItem) * math.Sqrt((1+t*t/2)/w.n),
		N:      s.N,
		Unit:   s.Unit,
		Level:  level,
		Method: s.Method,
		Scale:  ScaleElo,
	}
	z := quantile(level, 0) * m.Normalized.SE
	m.Normalized.Interval = Interval{Lo: m.Normalized.Value - z, Hi: m.Normalized.Value + z}
	return m, nil
}

// toElo converts a score and its interval to Elo; an end of 0 or 1 gives no bound.
func (m *Match) toElo() {
	s := m.Score
	m.Elo = Estimate{
		Value:  EloOfScore(s.Value),
		Level:  s.Level,
		N:      s.N,
		Unit:   s.Unit,
		Method: s.Method,
		Scale:  ScaleElo,
	}
	if m.Elo.Prior = s.Value <= 0 || s.Value >= 1; !m.Elo.Prior {
		m.Elo.SE = s.SE / (eloUnit * s.Value * (1 - s.Value)) // by the delta method
	}
	m.Elo.Interval = Interval{LoOpen: s.Lo <= 0, HiOpen: s.Hi >= 1}
	if !m.Elo.LoOpen {
		m.Elo.Lo = EloOfScore(s.Lo)
	}
	if !m.Elo.HiOpen {
		m.Elo.Hi = EloOfScore(s.Hi)
	}
}

// weighted are the moments of equally spaced scores in [0, 1].
type weighted struct{ n, sum, squares float64 }

// weigh sums the moments of counts of equally spaced scores.
func weigh[T int64 | float64](counts []T) (w weighted) {
	for i, c := range counts {
		x, n := float64(i)/float64(len(counts)-1), float64(c)
		w = weighted{w.n + n, w.sum + n*x, w.squares + n*x*x}
	}
	return w
}
