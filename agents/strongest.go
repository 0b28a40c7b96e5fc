package agents

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"spar/agents/eval"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
)

// Strongest is the table from which the agent type strongest chooses a search: configs/strongest.yaml.
type Strongest struct {
	Searches []string       `yaml:"searches"` // the shipped agents that were compared
	Rows     []StrongestRow `yaml:"rows"`
}

// StrongestRow says which search was strongest in a game at a budget, and on what evidence.
type StrongestRow struct {
	Game    string  `yaml:"game" json:"game" help:"the game of the row"`
	Family  string  `yaml:"family" json:"family,omitempty" help:"its family"`
	Moves   bool    `yaml:"moves" json:"moves,omitempty" help:"pieces move"`
	Cells   int     `yaml:"cells" json:"cells" help:"cells of its board"`
	Seconds float64 `yaml:"seconds" json:"seconds" help:"time for a move"`
	Search  string  `yaml:"search" json:"search" help:"the strongest agent"`
	Rival   string  `yaml:"rival" json:"rival,omitempty" help:"the agent that did best against it"`
	Score   float64 `yaml:"score" json:"score,omitempty" help:"score against the rival, 0 to 1"`
	Low     float64 `yaml:"low" json:"low,omitempty" help:"lower end of the 95 % interval"`
	High    float64 `yaml:"high" json:"high,omitempty" help:"upper end"`
	Pairs   int64   `yaml:"pairs" json:"pairs,omitempty" help:"pairs of games; 0 = not measured"`
	Date    string  `yaml:"date" json:"date,omitempty" help:"day of the measurement"`
}

// String describes the choice and its evidence.
func (r StrongestRow) String() string {
	text := fmt.Sprintf("%g s: %s (measured in %s: ", r.Seconds, r.Search, r.Game)
	if r.Pairs == 0 {
		return text + "nothing yet)"
	}
	return fmt.Sprintf("%s%.0f %% (%.0f to %.0f) against %s, %d pairs, %s)", text, 100*r.Score, 100*r.Low, 100*r.High,
		r.Rival, r.Pairs, r.Date)
}

// ReadStrongest reads the table. Name is the file's name in errors.
func ReadStrongest(name string, data []byte) (t Strongest, err error) {
	doc, err := strict.Parse(name, data)
	if err != nil {
		return t, err
	}
	_ = doc.Decode(&t) // its mistakes come back from Err
	for i, r := range t.Rows {
		at := fmt.Sprintf("rows[%d].", i)
		if !slices.Contains(t.Searches, r.Search) {
			doc.Errorf(at+"search", "%v", strict.Unknown("search", r.Search, t.Searches))
		}
		if !(r.Seconds > 0) || r.Cells <= 0 {
			doc.Errorf(at+"seconds", "seconds %g and cells %d: expected more than 0", r.Seconds, r.Cells)
		}
	}
	return t, doc.Err()
}

// ShippedStrongest returns the table that Spar ships.
func ShippedStrongest() (Strongest, error) {
	name, data, err := configs.Strongest()
	if err != nil {
		return Strongest{}, err
	}
	return ReadStrongest(name, data)
}

// For returns the rows for a game. Rules without rows of their own get those of the nearest game, which is of the
// same family, agrees on whether pieces move, and has a similar number of cells.
func (t Strongest) For(g *engines.Game) []StrongestRow {
	best, at := math.Inf(1), ""
	for _, r := range t.Rows {
		far := math.Abs(math.Log(float64(r.Cells) / float64(g.Cells())))
		if r.Family != g.Rules().Family {
			far += 20
		}
		if r.Moves != g.Moves() {
			far += 10
		}
		if r.Game == g.Name() {
			far = -1
		}
		if far < best {
			best, at = far, r.Game
		}
	}
	return slices.DeleteFunc(slices.Clone(t.Rows), func(r StrongestRow) bool { return r.Game != at })
}

// NearestRow returns the row measured at the budget nearest to a number of seconds, on a logarithmic scale. For 0
// seconds, which means no time limit, it uses 0.1 seconds.
func NearestRow(rows []StrongestRow, seconds float64) (best StrongestRow) {
	if seconds <= 0 {
		seconds = 0.1
	}
	far := math.Inf(1)
	for _, r := range rows {
		if d := math.Abs(math.Log(r.Seconds / seconds)); d < far {
			far, best = d, r
		}
	}
	return best
}

const strongest = "strongest"

func strongestKind() kind {
	return kind{
		name:     strongest,
		about:    "the search that was strongest in measurements for the rules and the time",
		knobs:    []string{"budget", "ties"},
		searches: true,
		// whichever of the two the search counts: about 0.1 s, and repeatable
		budget: Budget{Nodes: 100_000, Iterations: 10_000},
		make: func(ctx context.Context, s Spec, g *engines.Game, c common, _ eval.Model) (Agent, error) {
			t, err := ShippedStrongest()
			if err != nil {
				return nil, err
			}
			a := &strongestAgent{common: c, rows: t.For(g), game: g, made: map[string]Agent{}}
			_, err = a.at(ctx, s.Budget)
			return a, err
		},
	}
}

// strongestAgent plays by one search for each budget that it meets.
type strongestAgent struct {
	common
	rows []StrongestRow
	game *engines.Game
	made map[string]Agent
	seed Seed
}

func (a *strongestAgent) NewGame(seed Seed) {
	a.seed = seed
	for _, s := range a.made {
		s.NewGame(seed)
	}
}

// at returns the search for a budget.
func (a *strongestAgent) at(ctx context.Context, b Budget) (Agent, error) {
	name := NearestRow(a.rows, b.Time().Seconds()).Search
	if made := a.made[name]; made != nil {
		return made, nil
	}
	s, err := LoadSpec(name)
	if err != nil {
		return nil, err
	}
	s.Budget = b
	model, err := Model(s, a.game)
	if err != nil {
		return nil, err
	}
	made, err := s.kind().make(ctx, s.For(a.game), a.game, a.common, model)
	if err == nil {
		made.NewGame(a.seed)
		a.made[name] = made
	}
	return made, err
}

func (a *strongestAgent) Choose(ctx context.Context, p *engines.Position, b Budget, rng *rand.Rand) (Decision, error) {
	b = b.Or(strongestKind().budget)
	s, err := a.at(ctx, b)
	if err != nil {
		return Decision{}, err
	}
	return s.Choose(ctx, p, b, rng)
}
