package tuning

import (
	"encoding/json"

	"spar/ratings"
)

// Match is the analysis of a match, whose JSON has null for a side on which the interval is open.
type Match struct{ ratings.Match }

// analyse takes the pairs by points of one side: 0, 1/2, 1, 3/2, 2.
func analyse(pairs [5]float64) (Match, error) {
	m, err := ratings.AnalyzeMatch(pairs[:], 0.95)
	return Match{m}, err
}

// MarshalJSON writes score, elo, lo, hi (95 %) and pairs.
func (m Match) MarshalJSON() ([]byte, error) {
	lo, hi := ends(m.Elo.Interval)
	return json.Marshal(struct {
		Score float64  `json:"score"`
		SE    float64  `json:"score_se"`
		Elo   float64  `json:"elo"`
		Lo    *float64 `json:"lo"`
		Hi    *float64 `json:"hi"`
		Pairs float64  `json:"pairs"`
	}{m.Score.Value, m.Score.SE, m.Elo.Value, lo, hi, float64(m.Score.N)})
}

// ends of an interval; nil where it is open.
func ends(v ratings.Interval) (lo, hi *float64) {
	if !v.LoOpen {
		lo = &v.Lo
	}
	if !v.HiOpen {
		hi = &v.Hi
	}
	return lo, hi
}

// Test is the sequential test of an examination.
type Test struct{ ratings.SPRTResult }

// MarshalJSON writes the hypotheses, the verdict and what it rests on.
func (t Test) MarshalJSON() ([]byte, error) {
	lo, hi := ends(t.Elo.Interval)
	return json.Marshal(struct {
		Model string   `json:"model"`
		Elo0  float64  `json:"elo0"`
		Elo1  float64  `json:"elo1"`
		State string   `json:"state"`
		Pairs float64  `json:"pairs"`
		LLR   float64  `json:"llr"`
		Lower float64  `json:"lower"`
		Upper float64  `json:"upper"`
		Elo   float64  `json:"elo"` // median-unbiased
		Lo    *float64 `json:"lo"`
		Hi    *float64 `json:"hi"`
	}{t.Model.String(), t.Elo0, t.Elo1, string(t.State), float64(t.Elo.N), t.LLR, t.Lower, t.Upper, t.Elo.Value, lo, hi})
}
