package standings

import (
	"math"
	"slices"

	"spar/ratings"
)

// Next compares an agent with the one ranked below it: the difference in Elo, and the expected score averaged over
// both seats.
type Next struct {
	Agent string   `json:"agent"`
	Elo   float64  `json:"elo"`
	Lo    *float64 `json:"lo"` // null if the interval is open
	Hi    *float64 `json:"hi"`
	Open  string   `json:"open"` // open ends, as in Standing
	Score Between  `json:"score"`

	estimate ratings.Estimate
}

// Count holds the results of the games in one seat, from the agent's view.
type Count struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

// Advantage describes the first-player advantage.
type Advantage struct {
	Rules string   `json:"rules,omitempty" help:"label of the rules"`
	Elo   float64  `json:"elo" help:"value of the first player's seat in Elo"`
	Lo    *float64 `json:"lo" help:"lower end of the interval"`
	Hi    *float64 `json:"hi" help:"upper end"`
	// open ends, as in Standing
	Open   string  `json:"open" help:"sides without a bound: above, below, both or empty"`
	Status string  `json:"status" help:"basis of the estimate"`
	First  int64   `json:"first" help:"games won by the first player"`
	Draws  int64   `json:"draws" help:"drawn games"`
	Second int64   `json:"second" help:"games won by the second player"`
	SE     float64 `json:"se" help:"standard error"`
	// DrawRateEqual is the probability of a draw between equally strong agents.
	DrawRateEqual float64 `json:"draw_rate_equal" help:"probability of a draw between equal agents"`
	// fraction of wins of the first player among games with a winner
	Decisive *Share `json:"decisive,omitempty" help:"share of the decided games that the first player won: value, lo, hi, n, unit, method"`
	// mean score of the first player
	Score *Share `json:"score,omitempty" help:"the first player's mean score: value, lo, hi, n, unit, method"`
}

// Share is a fraction with its interval.
type Share struct {
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	N      int64   `json:"n"`
	Unit   string  `json:"unit"`
	Method string  `json:"method,omitempty"`
}

// RankRange is an agent's rank in its group, with the interval of its true rank.
type RankRange struct {
	Agent string `json:"agent" help:"name"`
	Group int    `json:"group" help:"group, from 0: groups never met"`
	Rank  int    `json:"rank" help:"rank in the group by the estimate"`
	Lo    int    `json:"lo" help:"best rank of the interval; the intervals of all agents hold together"`
	Hi    int    `json:"hi" help:"worst rank of the interval"`
}

// Standings is the JSON form of a pool.
type Standings struct {
	// name of the rules; "all" for the games of all rules together
	Rules      string      `json:"rules" help:"label of the rules; \"all\" for every game together"`
	Games      int64       `json:"games" help:"games that count for strength, including repeated ones"`
	Distinct   int64       `json:"distinct" help:"games that repeat no earlier one"`
	Errors     string      `json:"errors" help:"how the errors are estimated: opening, pair, game, draw-aware, naive, posterior"`
	Level      float64     `json:"level" help:"level of the intervals"`
	Agents     []Standing  `json:"agents"`
	Advantages []Advantage `json:"advantages"`
	Warnings   []string    `json:"warnings,omitempty" help:"warnings about the numbers"`
	Model      string      `json:"model" help:"score or davidson"`
	// number of independent units on which the standard errors are based
	Units          int64           `json:"units" help:"independent units behind the errors"`
	Ranks          []RankRange     `json:"ranks"`
	Groups         [][]string      `json:"groups" help:"names by group"`
	LackOfFit      *Lack           `json:"lack_of_fit,omitempty"`
	Intransitivity *Intransitivity `json:"intransitivity,omitempty"`
	Crosstable     []Match         `json:"crosstable,omitempty"`
	LOS            *LOS            `json:"los,omitempty"`
}

// Lack is the test of the hypothesis that one rating for each agent explains the results.
type Lack struct {
	ChiSquare float64 `json:"chi_square" help:"test of the hypothesis that one rating per agent explains the results"`
	DF        int     `json:"df" help:"degrees of freedom"`
	P         float64 `json:"p" help:"p-value"`
}

// Match is the result of one agent against another: points, and the mean score with its interval. It has the
// points expected from the ratings if the two ratings can be compared and both sides have points.
type Match struct {
	Agent    string   `json:"agent" help:"name"`
	Opponent string   `json:"opponent" help:"name"`
	Games    int64    `json:"games" help:"games between the two"`
	Points   float64  `json:"points" help:"points of the agent"`
	Score    Between  `json:"score" help:"agent's mean score: value, lo, hi"` // mean score per game
	Expected *float64 `json:"expected" help:"points that the ratings predict for the agent"`
	Z        *float64 `json:"z" help:"(points - expected) in standard deviations"` // (points - expected) in standard deviations
	// two-sided p-value, adjusted by Holm within the table
	P *float64 `json:"p" help:"two-sided p-value, adjusted by Holm within the table"`
}

// Between is a number with the ends of its interval; an end is nil if it is open or unknown.
type Between struct {
	Value float64  `json:"value"`
	Lo    *float64 `json:"lo"`
	Hi    *float64 `json:"hi"`
}

func between(value, lo, hi float64) Between {
	return Between{known(value), knownOf(lo), knownOf(hi)}
}

// LOS is the matrix of likelihoods of superiority: the probability that the agent of the row is stronger than that
// of the column.
type LOS struct {
	Agents []string `json:"agents" help:"names"`
	// probabilities by row and column; null if the games do not determine one
	Matrix [][]*float64 `json:"matrix" help:"likelihood that row is stronger than column; null where the games do not determine it"`
	// "above" if the probability is a lower bound, "below" if it is an upper bound, otherwise empty
	Open [][]string `json:"open" help:"\"above\" where the likelihood is a lower bound, \"below\" where it is an upper one, else \"\""`
}

func (p *Pool) losOf() *LOS {
	out := &LOS{Agents: p.Table.Players()}
	for i, row := range p.Fit.LOS() {
		values, open := make([]*float64, len(row)), make([]string, len(row))
		for j, x := range row {
			d, err := p.Fit.Difference(out.Agents[i], out.Agents[j])
			if open[j] = d.Elo.Open(); err == nil && (open[j] == "" || open[j] != "both" && x != 0.5) {
				values[j] = &x
			} else {
				open[j] = ""
			}
		}
		out.Matrix, out.Open = append(out.Matrix, values), append(out.Open, open)
	}
	return out
}

// Intransitivity describes deviations from one rating per agent.
type Intransitivity struct {
	Worst []Match `json:"worst" help:"match-ups that the ratings explain least, as in crosstable"`
}

// known rounds a number to a millionth, because further digits are rounding errors. It removes the sign of a zero.
func known(x float64) float64 { return math.Round(x*1e6)/1e6 + 0 }

func knownOf(x float64) *float64 {
	x = known(x)
	return &x
}

// farAway is an Elo value larger than games can show. An end of an interval beyond it comes only from the prior
// that keeps a fit finite, and is treated as open.
const farAway = 1e4

// Bound returns an end of an interval; nil if it is open.
func Bound(x float64, open bool) *float64 {
	if open || !(math.Abs(x) <= farAway) {
		return nil
	}
	return knownOf(x)
}

// Ends returns both ends of an interval; nil for an open end.
func Ends(v ratings.Interval) (lo, hi *float64) { return Bound(v.Lo, v.LoOpen), Bound(v.Hi, v.HiOpen) }

// Score returns the mean score of a count; 0 without games.
func Score(c ratings.Count) float64 { return c.Points() / max(float64(c.Games()), 1) }

// Units returns the number of independent units on which the standard errors are based.
func (p *Pool) Units() int64 {
	n, _ := p.Fit.Units()
	return n
}

// JSON returns the pool as a JSON object, with the requested optional parts.
func (p *Pool) JSON(o Extras) *Standings {
	f := p.Fit
	s := &Standings{
		Rules: p.Rules, Games: p.Played, Distinct: p.Distinct, Errors: f.Errors.String(), Level: f.Level,
		Warnings: p.Warnings(),
		Model:    f.Model.String(), Units: p.Units(), Groups: f.Groups, Agents: []Standing{}, Advantages: p.advantages(),
		Ranks: []RankRange{},
	}
	if p.Rules == "" {
		s.Rules = "all"
	}
	if s.Groups == nil {
		s.Groups = [][]string{}
	}
	s.Agents = append(s.Agents, p.rows()...)
	for _, r := range p.Ranks() {
		s.Ranks = append(s.Ranks, RankRange{r.Name, r.Group, r.Place, r.Lo, r.Hi})
	}
	p.extras(o, &s.LackOfFit, &s.Intransitivity, &s.Crosstable, &s.LOS)
	return s
}

// exactShare returns the accuracy of an agent; nil if the game is not solved or the agent made no decisions.
func (p *Pool) exactShare(name string) *Share {
	r, ok := p.Accuracy[name]
	if !ok || r.Decisions == 0 {
		return nil
	}
	return &Share{
		Value: known(r.Share), Lo: known(r.Lo), Hi: known(r.Hi), N: r.Decisions, Unit: "decisions",
		Method: "wilson, clustered by game",
	}
}

// extras adds the optional parts that were requested or are significant.
func (p *Pool) extras(o Extras, lack **Lack, worst **Intransitivity, cross *[]Match, los **LOS) {
	if p.Lack.DF > 0 {
		*lack = &Lack{known(p.Lack.ChiSquare), p.Lack.DF, p.Lack.P}
	}
	if o.Intransitivity || p.Misfit {
		*worst = &Intransitivity{p.worst()}
	}
	if o.Crosstable {
		*cross = p.Matches()
	}
	if o.LOS {
		*los = p.losOf()
	}
}

func (p *Pool) advantages() []Advantage {
	out := []Advantage{}
	for _, a := range p.Fit.Advantages {
		row := Advantage{
			Rules: a.Stratum, Elo: known(a.Elo.Value), Open: a.Elo.Interval.Open(), Status: string(a.Status),
			First: a.Games.Wins, Draws: a.Games.Draws, Second: a.Games.Losses, SE: known(a.Elo.SE),
			DrawRateEqual: known(a.DrawRate),
		}
		row.Lo, row.Hi = Ends(a.Elo.Interval)
		if won := p.Table.FirstDecisive(p.Fit.Level, of(a.Stratum)); won.N > 0 {
			row.Decisive = newShare(won)
		}
		if s := p.First[a.Stratum]; s.Known() {
			row.Score = newShare(s)
		}
		out = append(out, row)
	}
	return out
}

func newShare(s ratings.Estimate) *Share {
	return &Share{known(s.Value), known(s.Interval.Lo), known(s.Interval.Hi), s.N, s.Unit, s.Method}
}

// Warnings returns the notes, each once.
func (p *Pool) Warnings() []string {
	seen := map[string]bool{}
	out := []string{}
	for _, n := range p.notes {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// Matches returns the match-ups that have games.
func (p *Pool) Matches() []Match { return p.matchesOf(func(string, string) bool { return true }) }

// worst returns the match-ups that the ratings explain least, the worst first.
func (p *Pool) worst() []Match {
	const most = 5
	shown := map[[2]string]int{}
	for i, r := range p.Lack.Pairs[:min(most, len(p.Lack.Pairs))] {
		shown[[2]string{r.A, r.B}] = i
	}
	out := p.matchesOf(func(a, b string) bool { _, ok := shown[[2]string{a, b}]; return ok })
	slices.SortFunc(out, func(x, y Match) int {
		return shown[[2]string{x.Agent, x.Opponent}] - shown[[2]string{y.Agent, y.Opponent}]
	})
	return out
}

// matchesOf returns those of the given match-ups that have games, in the order of names.
func (p *Pool) matchesOf(wanted func(a, b string) bool) []Match {
	type key struct{ a, b string }
	tested := map[key]ratings.PairResidual{}
	for _, r := range p.Lack.Pairs {
		tested[key{r.A, r.B}] = r
	}
	names := p.Table.Players()
	at := map[key]int{}
	var counts []ratings.Count
	out := []Match{}
	for _, x := range p.Table.Pairings() {
		k, c := key{names[x.First], names[x.Second]}, ratings.Count{Wins: x.Wins, Draws: x.Draws, Losses: x.Losses}
		if x.First > x.Second {
			k, c.Wins, c.Losses = key{k.b, k.a}, c.Losses, c.Wins
		}
		if !wanted(k.a, k.b) {
			continue
		}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out, counts = append(out, Match{Agent: k.a, Opponent: k.b}), append(counts, ratings.Count{})
		}
		counts[i] = ratings.Count{
			Wins: counts[i].Wins + c.Wins, Draws: counts[i].Draws + c.Draws,
			Losses: counts[i].Losses + c.Losses,
		}
	}
	for i := range out {
		m := &out[i]
		m.Games, m.Points = counts[i].Games(), counts[i].Points()
		s := p.Table.MatchScore(m.Agent, m.Opponent, p.Fit.Level)
		m.Score = between(s.Value, s.Lo, s.Hi)
		if r, ok := tested[key{m.Agent, m.Opponent}]; ok {
			m.Expected, m.Z, m.P = knownOf(r.Expected), knownOf(r.Z), &r.P
		}
	}
	return out
}
