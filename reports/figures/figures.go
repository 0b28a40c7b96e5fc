// Package figures draws single charts of a study for papers: ratings, expected scores between agents, strength
// against cost or budget. [Draw] reads the study and returns a [Figure], which
// package chart writes. Every chart names its game, and every estimate has its interval; an arrow marks an open
// end.
package figures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena/store"
	"spar/configs/strict"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/standings"
)

// Ask describes the figure to draw.
type Ask struct {
	Kind    string   `flag:"kind=ladder" help:"what to draw, see spar help plot --all"`
	Rules   string   `flag:"rules,r" help:"use only games under these rules (default: all games)"`
	Cost    string   `flag:"cost=time" one:"time nodes" help:"x axis of --kind strength: time or nodes per decision"`
	Title   *string  // nil names the games; empty omits the title
	Agents  []string `flag:"agents" list:"comma" help:"show only these agents; the nth agent gets the nth colour of --colours. Ratings use all games"`
	Colours []chart.Colour
	// size in pixels; 0 = one that suits the data
	Width, Height float64
}

// colour returns the colour of an agent or a line, which is the nth one of the figure.
func (a Ask) colour(name string, n int) (c chart.Colour) {
	if i := slices.Index(a.Agents, name); i >= 0 {
		n = i
	}
	if n < len(a.Colours) {
		c = a.Colours[n]
	}
	return c
}

// known returns an error if Agents has a name that is not one of the figure's.
func (a Ask) known(names []string) error {
	for _, name := range a.Agents {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%w %q%s", ErrAgent, name, strict.Suggest(name, names))
		}
	}
	return nil
}

// Figure is a chart with its alternative text.
type Figure struct {
	Chart chart.Chart
	Alt   string
}

// The errors of Draw about its input.
var (
	ErrKind  = errors.New("kind of figure")
	ErrRules = strict.Mistake("rules")
	ErrNone  = strict.Mistake("nothing to draw")
	ErrSize  = strict.Mistake("size")
	ErrAgent = strict.Mistake("the figure does not contain the agent")
)

// kind describes a kind of figure.
type kind struct {
	name, text string
	draw       func(context.Context, *drawing) (*Figure, error)
}

func kinds() []kind {
	return []kind{
		{"strength", "rating against time per decision (with --cost nodes: nodes per decision)", strength},
		{"scaling", "rating by budget; agents that differ only in budget share a line", scaling},
		{"ladder", "ratings in order, the strongest first", ladder},
		{"heatmap", "score of each agent against every other agent", heatmap},
	}
}

// Kinds lists the kinds of figures with their descriptions.
func Kinds() (names, texts []string) {
	for _, k := range kinds() {
		names = append(names, k.name)
		texts = append(texts, k.text)
	}
	return names, texts
}

// Draw draws a figure. The title names the games.
func Draw(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	for _, k := range kinds() {
		if k.name != ask.Kind {
			continue
		}
		d, err := rated(ctx, db, ask)
		if err != nil {
			return nil, err
		}
		f, err := k.draw(ctx, d)
		if err != nil {
			return nil, err
		}
		title, err := games(ctx, db, ask)
		if err != nil {
			return nil, err
		}
		if ask.Title != nil {
			title = *ask.Title
		}
		whole := &chart.Named{Title: title, Chart: f.Chart}
		if ask.Width > 0 {
			whole.Resize(ask.Width, ask.Height)
			if w, h := whole.Least(); w > ask.Width || h > ask.Height {
				return nil, fmt.Errorf("%w %.0fx%.0f: the labels of this figure need at least %.0fx%.0f pixels", ErrSize, ask.Width,
					ask.Height, math.Ceil(w), math.Ceil(h))
			}
		}
		return &Figure{whole, strings.TrimPrefix(title+". ", ". ") + f.Alt}, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrKind, ask.Kind)
}

// namedGames is the maximum number of games named in a title.
const namedGames = 4

// games names the games of a figure.
func games(ctx context.Context, db *store.DB, ask Ask) (string, error) {
	if ask.Rules != "" {
		return ask.Rules, nil
	}
	names, err := db.Names(ctx, "rules")
	if n := len(names); n > namedGames {
		names = append(names[:namedGames:namedGames], fmt.Sprintf("%d more", n-namedGames))
	}
	return strings.Join(names, ", "), err
}

// rating is the rating of one agent, in Elo.
type rating struct {
	name string
	ratings.Estimate
	weak   bool // the rating depends on a prior
	colour chart.Colour
}

// drawing is what a figure shows: agents with their ratings, the best first.
type drawing struct {
	Ask
	db   *store.DB
	pool *standings.Pool
	rows []rating
}

// rated rates the agents under the requested rules.
func rated(ctx context.Context, db *store.DB, ask Ask) (*drawing, error) {
	by := standings.Overall
	if ask.Rules != "" {
		by = standings.PerRules
	}
	pools, err := standings.Study(ctx, db, by, ratings.Options{})
	if err != nil {
		return nil, err
	}
	for _, p := range pools {
		if p.Rules != ask.Rules {
			continue
		}
		var rows []rating
		for _, r := range p.Fit.Players {
			if len(ask.Agents) == 0 || slices.Contains(ask.Agents, r.Name) {
				rows = append(rows, rating{name: r.Name, Estimate: r.Elo, weak: r.Status != ratings.StatusOK})
			}
		}
		if err := ask.known(p.Table.Players()); err != nil {
			return nil, err
		}
		slices.SortStableFunc(rows, func(a, b rating) int { return cmp.Compare(b.Value, a.Value) })
		for i := range rows {
			rows[i].colour = ask.colour(rows[i].name, i)
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("%w: Spar does not rate games of tuning, of people or of an agent against itself", ErrNone)
		}
		return &drawing{ask, db, p, rows}, nil
	}
	return nil, fmt.Errorf("%w: %s has no games of %q that count towards ratings", ErrRules, db.Path(), ask.Rules)
}

// words lists the ratings for people who cannot see the chart.
func words(rows []rating) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.name+" "+r.String())
	}
	return "Ratings (95 %): " + strings.Join(out, ", ")
}

func ladder(_ context.Context, d *drawing) (*Figure, error) {
	f := &chart.Forest{X: chart.Axis{Label: "Elo, 95 %", Unit: chart.Signed}, Dim: chart.Dim{Width: chart.Full}}
	for _, r := range d.rows {
		row := chart.RowOf(r.name, r.Estimate)
		row.Hollow, row.Note, row.Colour = r.weak, r.Words(), r.colour
		f.Rows = append(f.Rows, row)
	}
	return &Figure{f, words(d.rows)}, nil
}

// fewGames is the number of games between two agents below which a cell is marked. With twice as many games, the
// interval of a score is about ±15 percentage points.
const fewGames = 20
