package standings

import (
	"cmp"
	"math"
	"slices"

	"spar/ratings"
)

// Standing is one agent of a pool: a row of the table on screens and pages and in CSV, and a JSON object. A new column
// needs a field here, a line in Standings that fills it, and a line in columns.
type Standing struct {
	Agent    string           `json:"agent" help:"name"`
	Elo      ratings.Estimate `json:"elo" estimate:"flat" help:"rating in Elo by expected score"`
	Raw      *float64         `json:"raw,omitempty" help:"rating in the unit of the draw model"`
	Status   ratings.Status   `json:"status" help:"basis of the estimate: ok, unbounded_above, unbounded_below, unbounded, unplaced, confounded, no_information, prior, anchor"`
	Games    int64            `json:"games" help:"games rated"`
	Score    float64          `json:"score" help:"mean score, 0 to 1"`
	AsFirst  ratings.Count    `json:"as_first" help:"results as first player: wins, draws, losses"`
	AsSecond ratings.Count    `json:"as_second" help:"results as second player: wins, draws, losses"`
	Faults   int64            `json:"faults,omitempty" help:"games that the agent forfeited"`
	Accuracy ratings.Estimate `json:"accuracy,omitzero" help:"share of decisions that kept the exact value, in a solved game"`
	Next     *Next            `json:"next,omitempty" help:"against the agent ranked below"`

	rank ratings.Rank
}

// MarshalJSON implements json.Marshaler.
func (s Standing) MarshalJSON() ([]byte, error) { return ratings.Flat(s) }

// Next compares an agent with the one ranked below it.
type Next struct {
	Agent string           `json:"agent"`
	Elo   ratings.Estimate `json:"elo" estimate:"flat" help:"difference in Elo"`
	Score ratings.Estimate `json:"score" help:"expected score, averaged over both seats"` // an open end is 0 or 1
}

// MarshalJSON implements json.Marshaler.
func (n Next) MarshalJSON() ([]byte, error) { return ratings.Flat(n) }

// Expected writes the expected score with its interval. It is empty if unknown.
func (n *Next) Expected() string {
	if n == nil {
		return ""
	}
	e := n.Score
	if e.LoOpen, e.HiOpen = n.Elo.LoOpen, n.Elo.HiOpen; e.Open() != "" {
		return e.Range()
	}
	return e.Words()
}

// Advantage describes the first-player advantage under one set of rules.
type Advantage struct {
	Rules         string           `json:"rules,omitempty" help:"label of the rules"`
	Elo           ratings.Estimate `json:"elo" estimate:"flat" help:"value of the first player's seat in Elo"`
	Status        ratings.Status   `json:"status" help:"basis of the estimate"`
	First         int64            `json:"first" help:"games won by the first player"`
	Draws         int64            `json:"draws" help:"drawn games"`
	Second        int64            `json:"second" help:"games won by the second player"`
	DrawRateEqual float64          `json:"draw_rate_equal" help:"probability of a draw between equal agents without a first-player advantage"`
	Decisive      ratings.Estimate `json:"decisive,omitzero" help:"share of the decided games that the first player won"`
	Score         ratings.Estimate `json:"score,omitzero" help:"the first player's mean score"`
}

// MarshalJSON implements json.Marshaler.
func (a Advantage) MarshalJSON() ([]byte, error) { return ratings.Flat(a) }

// Standings is the JSON form of a pool.
type Standings struct {
	Rules          string             `json:"rules" help:"label of the rules; \"all\" for every game together"`
	Games          int64              `json:"games" help:"games that count for strength, including repeated ones"`
	Distinct       int64              `json:"distinct,omitzero" help:"games that repeat no earlier one; omitted if their moves are unknown"`
	Errors         string             `json:"errors" help:"how the errors are estimated: opening, pair, game, draw-aware, naive, posterior"`
	Level          float64            `json:"level" help:"level of the intervals"`
	Agents         []Standing         `json:"agents"`
	Advantages     []Advantage        `json:"advantages"`
	Warnings       []string           `json:"warnings" help:"warnings about the numbers"`
	Model          string             `json:"model" help:"score or davidson"`
	Units          int64              `json:"units" help:"independent units behind the errors"`
	Ranks          []ratings.Rank     `json:"ranks"`
	Groups         [][]string         `json:"groups" help:"names by group; no agent met one of another group, and each group has mean 0, without agents that have no bound"`
	LackOfFit      *ratings.LackOfFit `json:"lack_of_fit,omitempty"`
	Intransitivity *Intransitivity    `json:"intransitivity,omitempty"`
	Crosstable     []Match            `json:"crosstable,omitempty"`
	LOS            *LOS               `json:"los,omitempty"`
}

// Rating is the JSON object of "spar rate": standings, and the parameters of the fit.
type Rating struct {
	Standings
	Advantage     *float64 `json:"advantage" help:"value of the first player's seat in Elo; null if each game has its own: see advantages"`
	AdvantageSE   *float64 `json:"advantage_se" help:"standard error of the advantage"`
	DrawRateEqual *float64 `json:"draw_rate_equal" help:"probability of a draw between equal agents without a first-player advantage"`
	Scale         *float64 `json:"scale,omitempty" help:"Elo per unit of the draw model near equality"`
	AdvantageRaw  *float64 `json:"advantage_raw,omitempty" help:"the advantage in the unit of the draw model"`
	DrawParameter *float64 `json:"draw_parameter,omitempty" help:"nu of davidson"`
}

// Match is the result of one agent against another. It has the points expected from the ratings if the two ratings can
// be compared and both sides have points.
type Match struct {
	Agent    string           `json:"agent" help:"name"`
	Opponent string           `json:"opponent" help:"name"`
	Games    int64            `json:"games" help:"games between the two"`
	Points   float64          `json:"points" help:"points of the agent"`
	Score    ratings.Estimate `json:"score" help:"agent's mean score"`
	Expected *float64         `json:"expected" help:"points that the ratings predict for the agent"`
	Z        *float64         `json:"z" help:"(points - expected) in standard deviations"`
	P        *float64         `json:"p" help:"two-sided p-value, adjusted by Holm within the table"`
}

// LOS is the matrix of likelihoods of superiority.
type LOS struct {
	Agents []string     `json:"agents" help:"names"`
	Matrix [][]*float64 `json:"matrix" help:"likelihood that row is stronger than column; null where the games do not determine it"`
	Open   [][]string   `json:"open" help:"\"above\" where the likelihood is a lower bound, \"below\" where it is an upper one, else \"\""`
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
		out.Matrix = append(out.Matrix, values)
		out.Open = append(out.Open, open)
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

// Score returns the mean score of the counted games, or 0 without games.
func Score(c ratings.Count) float64 { return c.Points() / max(float64(c.Games()), 1) }

// Units returns the number of independent units on which the standard errors are based.
func (p *Pool) Units() int64 {
	n, _ := p.Fit.Units()
	return n
}

// Standings returns the agents of the pool, best first.
func (p *Pool) Standings() []Standing {
	ranks := p.Ranks()
	out := make([]Standing, len(ranks))
	for i, r := range ranks {
		a := p.Row(r.Name)
		total := a.Total()
		s := Standing{
			Agent:    a.Name,
			Elo:      a.Elo,
			Status:   a.Status,
			Games:    total.Games(),
			Score:    known(Score(total)),
			AsFirst:  a.AsFirst,
			AsSecond: a.AsSecond,
			Faults:   p.Faults[a.Name],
			rank:     r,
		}
		if p.Fit.Model != ratings.ModelScore {
			s.Raw = knownOf(a.Raw)
		}
		if x := p.Accuracy[a.Name]; x.Decisions > 0 {
			s.Accuracy = x.Share
		}
		if i+1 < len(ranks) {
			if h, err := p.Fit.HeadToHead(r.Name, ranks[i+1].Name); err == nil && h.Comparable {
				s.Next = &Next{h.B, h.Elo, h.Score}
			}
		}
		out[i] = s
	}
	return out
}

// JSON returns the pool as a JSON object, with the optional parts that are requested or significant.
func (p *Pool) JSON(o Extras) *Standings {
	f := p.Fit
	s := &Standings{
		Rules:      cmp.Or(p.Rules, "all"),
		Games:      p.Played,
		Distinct:   p.Distinct,
		Errors:     f.Errors.String(),
		Level:      f.Level,
		Warnings:   p.Warnings(),
		Model:      f.Model.String(),
		Units:      p.Units(),
		Groups:     append([][]string{}, f.Groups...),
		Agents:     p.Standings(),
		Advantages: p.advantages(),
		Ranks:      append([]ratings.Rank{}, p.Ranks()...),
	}
	if l := p.Lack; l.DF > 0 {
		s.LackOfFit = &ratings.LackOfFit{ChiSquare: known(l.ChiSquare), DF: l.DF, P: l.P}
	}
	if o.Intransitivity || p.Misfit {
		s.Intransitivity = &Intransitivity{p.worst()}
	}
	if o.Crosstable {
		s.Crosstable = p.Matches()
	}
	if o.LOS {
		s.LOS = p.losOf()
	}
	return s
}

// RatingJSON returns the pool as the JSON object of "spar rate".
func (p *Pool) RatingJSON(o Extras) *Rating {
	r := &Rating{Standings: *p.JSON(o)}
	draws := p.Fit.Model != ratings.ModelScore
	if draws {
		r.Scale = knownOf(p.Fit.Scale)
	}
	if len(p.Fit.Advantages) == 1 {
		a := p.Fit.Advantages[0]
		r.Advantage, r.AdvantageSE, r.DrawRateEqual = knownOf(a.Elo.Value), knownOf(a.Elo.SE), knownOf(a.DrawRate)
		if draws {
			r.AdvantageRaw, r.DrawParameter = knownOf(a.Raw), knownOf(a.DrawParameter)
		}
	}
	return r
}

func (p *Pool) advantages() []Advantage {
	out := []Advantage{}
	for _, a := range p.Fit.Advantages {
		row := Advantage{
			Rules:         a.Stratum,
			Elo:           a.Elo,
			Status:        a.Status,
			First:         a.Games.Wins,
			Draws:         a.Games.Draws,
			Second:        a.Games.Losses,
			DrawRateEqual: known(a.DrawRate),
			Score:         p.First[a.Stratum],
		}
		if won := p.Table.FirstDecisive(p.Fit.Level, of(a.Stratum)); won.N > 0 {
			row.Decisive = won
		}
		out = append(out, row)
	}
	return out
}

// Warnings returns the notes, each once.
func (p *Pool) Warnings() []string {
	out := []string{}
	for _, n := range p.notes {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// worst returns the match-ups that the ratings explain least, the worst first.
func (p *Pool) worst() []Match {
	const most = 5
	rank := func(a, b string) int {
		return slices.IndexFunc(p.Lack.Pairs[:min(most, len(p.Lack.Pairs))], func(r ratings.PairResidual) bool {
			return r.A == a && r.B == b
		})
	}
	out := slices.DeleteFunc(p.Matches(), func(m Match) bool { return rank(m.Agent, m.Opponent) < 0 })
	slices.SortFunc(out, func(x, y Match) int {
		return rank(x.Agent, x.Opponent) - rank(y.Agent, y.Opponent)
	})
	return out
}

// Matches returns the match-ups that have games, in the order of names.
func (p *Pool) Matches() []Match {
	names, scores := p.Table.Players(), p.Table.MatchScores(p.Fit.Level)
	at, out := map[[2]string]int{}, []Match{}
	for _, x := range p.Table.Pairings() {
		k, points := [2]int{x.First, x.Second}, x.Points()
		if k[0] > k[1] {
			k, points = [2]int{k[1], k[0]}, float64(x.Games())-points
		}
		players := [2]string{names[k[0]], names[k[1]]}
		i, ok := at[players]
		if !ok {
			i, at[players] = len(out), len(out)
			out = append(out, Match{Agent: players[0], Opponent: players[1], Score: scores[k]})
		}
		out[i].Games, out[i].Points = out[i].Games+x.Games(), out[i].Points+points
	}
	for _, r := range p.Lack.Pairs {
		if i, ok := at[[2]string{r.A, r.B}]; ok {
			out[i].Expected, out[i].Z, out[i].P = knownOf(r.Expected), knownOf(r.Z), &r.P
		}
	}
	return out
}
