package standings

import "spar/ratings"

// Rating is the JSON object of "spar rate".
type Rating struct {
	Model         string         `json:"model" help:"score or davidson"`
	Advantage     *float64       `json:"advantage" help:"value of the first player's seat in Elo; null if each game has its own: see advantages"`
	AdvantageSE   *float64       `json:"advantage_se" help:"standard error of the advantage"`
	DrawRateEqual *float64       `json:"draw_rate_equal" help:"probability of a draw between equal agents"`
	Players       []RatingPlayer `json:"agents"`
	Groups        [][]string     `json:"groups" help:"names of the agents in each group; no agent met one of another group, and each group has mean 0"`
	Warnings      []string       `json:"warnings" help:"warnings about the numbers"`

	Games  int64  `json:"games" help:"games"`
	Errors string `json:"errors" help:"how the errors are estimated: opening, pair, game, draw-aware, naive, posterior"`
	// number of independent units on which the standard errors are based
	Units int64   `json:"units" help:"independent units behind the errors"`
	Level float64 `json:"level" help:"level of the intervals"`
	// Elo for one unit of the draw model, near equality
	Scale        *float64 `json:"scale,omitempty" help:"Elo per unit of the draw model near equality"`
	AdvantageRaw *float64 `json:"advantage_raw,omitempty" help:"the advantage in the unit of the draw model"`
	// nu of davidson
	DrawParameter  *float64        `json:"draw_parameter,omitempty" help:"nu of davidson"`
	Advantages     []Advantage     `json:"advantages" help:"as in standings"`
	LackOfFit      *Lack           `json:"lack_of_fit,omitempty" help:"as in standings"`
	Intransitivity *Intransitivity `json:"intransitivity,omitempty" help:"as in standings"`
	Crosstable     []Match         `json:"crosstable,omitempty" help:"as in standings"`
	LOS            *LOS            `json:"los,omitempty" help:"as in standings"`
}

// RatingPlayer is a player in the results of other programs.
type RatingPlayer struct {
	Agent string   `json:"agent" help:"name"`
	Elo   float64  `json:"elo" help:"Elo by expected score"`
	SE    float64  `json:"se" help:"standard error"`
	Lo    *float64 `json:"lo" help:"lower end of the interval"`
	Hi    *float64 `json:"hi" help:"upper end"`
	// ends of the interval that are open: above, below, both or empty
	Open   string  `json:"open" help:"sides without a bound: above, below, both or empty"`
	Games  int64   `json:"games" help:"games"`
	Score  float64 `json:"score" help:"mean score, 0 to 1"`
	Status string  `json:"status" help:"basis of the estimate: ok, unbounded_above, unbounded_below, unbounded, unplaced, confounded, no_information, prior, anchor"`
	// rating in the unit of the draw model
	Raw *float64 `json:"raw,omitempty" help:"rating in the unit of the draw model"`
	// comparison with the player ranked below
	Next *Next `json:"next,omitempty" help:"against the player ranked below: agent, elo, lo, hi, open, and the score expected over both seats: value, lo, hi"`
}

// RatingJSON returns the pool as the JSON object of "spar rate".
func (p *Pool) RatingJSON(o Extras) *Rating {
	f := p.Fit
	r := &Rating{
		Model: f.Model.String(), Players: []RatingPlayer{}, Groups: f.Groups, Warnings: p.Warnings(), Games: p.Played,
		Errors: f.Errors.String(), Units: p.Units(), Level: f.Level, Advantages: p.advantages(),
	}
	if r.Groups == nil {
		r.Groups = [][]string{}
	}
	if len(f.Advantages) == 1 {
		a := f.Advantages[0]
		r.Advantage, r.AdvantageSE, r.DrawRateEqual = knownOf(a.Elo.Value), knownOf(a.Elo.SE), knownOf(a.DrawRate)
	}
	draws := f.Model != ratings.ModelScore
	if draws {
		r.Scale = knownOf(f.Scale)
		if len(f.Advantages) == 1 {
			r.AdvantageRaw, r.DrawParameter = knownOf(f.Advantages[0].Raw), knownOf(f.Advantages[0].DrawParameter)
		}
	}
	for _, a := range p.rows() {
		player := RatingPlayer{
			Agent: a.Agent, Elo: a.Elo, SE: a.SE, Lo: a.Lo, Hi: a.Hi, Open: a.Open, Games: a.Games, Score: a.Score,
			Status: a.Status, Next: a.Next,
		}
		if draws {
			player.Raw = knownOf(p.Row(a.Agent).Raw)
		}
		r.Players = append(r.Players, player)
	}
	p.extras(o, &r.LackOfFit, &r.Intransitivity, &r.Crosstable, &r.LOS)
	return r
}
