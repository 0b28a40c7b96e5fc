package tuning

import (
	"encoding/json"

	"spar/ratings"
)

// Match is the result of a match from the view of one side. Its unit is the pair of games.
type Match struct {
	Score ratings.Estimate `json:"score"` // mean score a game
	Elo   ratings.Estimate `json:"elo"`
}

// analyse computes the result of a match from the numbers of pairs in which one side scored 0, 1/2, 1, 3/2 and 2
// points.
func analyse(pairs [5]float64) (Match, error) {
	m, err := ratings.AnalyzeMatch(pairs[:], level)
	return Match{m.Score, m.Elo}, err
}

// Confidence level of the intervals in this package.
const (
	level  = 0.95
	normal = 1.96 // half-width of a normal interval of that level, in standard errors
)

// Test is the sequential test of a validation.
type Test struct{ ratings.SPRTResult }

// MarshalJSON writes the hypotheses, the verdict and its evidence.
func (t Test) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Model string           `json:"model"`
		Elo0  float64          `json:"elo0"`
		Elo1  float64          `json:"elo1"`
		State ratings.State    `json:"state"`
		Pairs int64            `json:"pairs"`
		LLR   float64          `json:"llr"`
		Lower float64          `json:"lower"`
		Upper float64          `json:"upper"`
		Elo   ratings.Estimate `json:"elo"` // median-unbiased
	}{t.Model.String(), t.Elo0, t.Elo1, t.State, t.Elo.N, t.LLR, t.Lower, t.Upper, t.Elo})
}
