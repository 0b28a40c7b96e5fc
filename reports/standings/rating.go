package standings

import (
	"slices"

	"spar/ratings"
)

// Rating is the object of "spar rate --json".
type Rating struct {
	Model         string         `json:"model"`
	Advantage     *float64       `json:"advantage"` // Elo; null with --per-rules and several rules: see advantages
	AdvantageSE   *float64       `json:"advantage_se"`
	DrawRateEqual *float64       `json:"draw_rate_equal"`
	Players       []RatingPlayer `json:"players"`
	Groups        [][]string     `json:"groups"`
	Warnings      []string       `json:"warnings"`

	Games          int64           `json:"games"`
	Errors         string          `json:"errors"`
	Units          int64           `json:"units"` // independent units behind the errors
	Level          float64         `json:"level"`
	Scale          *float64        `json:"scale,omitempty"` // Elo per unit of the draw model near equality
	AdvantageRaw   *float64        `json:"advantage_raw,omitempty"`
	DrawParameter  *float64        `json:"draw_parameter,omitempty"` // nu of davidson, Elo of raokupper
	Advantages     []Advantage     `json:"advantages"`
	LackOfFit      *Lack           `json:"lack_of_fit,omitempty"`
	Intransitivity *Intransitivity `json:"intransitivity,omitempty"`
	Crosstable     []Match         `json:"crosstable,omitempty"`
	LOS            *LOS            `json:"los,omitempty"`
}

// RatingPlayer is a player of results from elsewhere.
type RatingPlayer struct {
	Agent  string   `json:"agent"`
	Elo    float64  `json:"elo"`
	SE     float64  `json:"se"`
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	Open   string   `json:"open"` // sides without a bound: above, below, both or ""
	Games  int64    `json:"games"`
	Score  float64  `json:"score"`
	Status string   `json:"status"`
	Raw    *float64 `json:"raw,omitempty"`  // in the unit of the draw model
	Next   *Next    `json:"next,omitempty"` // against the player ranked below
}

// RatingJSON is the pool as the object of "spar rate".
func (p *Pool) RatingJSON(o Extras) (*Rating, error) {
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
	ranks := p.Ranks()
	next := map[string]*Next{}
	for i, n := range p.nexts(ranks) {
		next[ranks[i].Name] = n
	}
	for _, a := range f.Players {
		player := RatingPlayer{
			Agent: a.Name, Elo: known(a.Elo.Value), SE: known(a.Elo.SE),
			Games: a.Total().Games(), Score: known(Score(a.Total())), Status: string(a.Status), Next: next[a.Name],
		}
		player.Lo, player.Hi, player.Open = Bound(a.Elo.Interval.Lo, a.Elo.Interval.LoOpen), Bound(a.Elo.Interval.Hi, a.Elo.Interval.HiOpen), a.Elo.Interval.Open()
		if draws {
			player.Raw = knownOf(a.Raw)
		}
		r.Players = append(r.Players, player)
	}
	slices.SortStableFunc(r.Players, func(a, b RatingPlayer) int {
		i, j := p.Row(a.Agent), p.Row(b.Agent)
		switch {
		case i.Group != j.Group:
			return i.Group - j.Group
		case i.Elo.Value > j.Elo.Value:
			return -1
		case i.Elo.Value < j.Elo.Value:
			return 1
		}
		return 0
	})
	return r, p.extras(o, &r.LackOfFit, &r.Intransitivity, &r.Crosstable, &r.LOS)
}
