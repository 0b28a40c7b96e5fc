package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines"
	"spar/ratings"
	"spar/reports/table"
)

// StrongestCheck measures whether another search beats the one that the agent "strongest" uses at a given time per
// move. In each game, its search plays the other searches in a gauntlet, at equal processor time and from nearly even
// openings.
type StrongestCheck struct {
	Seconds float64  `flag:"seconds=0.01" range:"(0," help:"time for a move, in seconds of processor time"`
	Pairs   int      `flag:"pairs=20" key:"pairs" range:"[1,10000000]" help:"pairs of games for each match-up; a match-up stops early once it is decided"`
	Seed    int64    `flag:"seed=1" key:"seed"`
	PlanSet []string `flag:"plan-set"`

	Table agents.Strongest   // the table that is checked
	Parts []*StrongestResult // one for each game
}

// StrongestResult is the outcome for one game.
type StrongestResult struct {
	Rules   string           `json:"rules" help:"name of the rules"`
	Seconds float64          `json:"seconds" help:"time for a move"`
	Search  string           `json:"search" help:"the search that the agent strongest uses"`
	Rival   string           `json:"rival" help:"the search that did best against it; empty before the first pair"`
	Score   ratings.Estimate `json:"score" estimate:"flat" help:"score of the search against the rival, 0 to 1"`
	Pairs   int64            `json:"pairs" help:"pairs of games against the rival"`
	Verdict string           `json:"verdict" help:"strongest, level, beaten or undecided"`

	Whole      bool              `json:"-"` // all its games are played: no interrupt has left pairs out
	Tournament *arena.Tournament `json:"-"`
	game       *engines.Game
}

// MarshalJSON implements json.Marshaler.
func (r *StrongestResult) MarshalJSON() ([]byte, error) { return ratings.Flat(*r) }

// Add plans the gauntlet of a game.
func (c *StrongestCheck) Add(g *engines.Game, label string) error {
	r := &StrongestResult{Rules: label, Seconds: c.Seconds, game: g}
	r.Search = agents.NearestRow(c.Table.For(g), c.Seconds).Search
	players := []string{r.Search}
	for _, name := range c.Table.Searches {
		s, err := agents.LoadSpec(name)
		if err != nil {
			return err
		}
		sharp := "mcts.policy_temperature"
		if name != r.Search && (s.MCTS.Prior == 0 || s.IdleAt(sharp, g) == "") {
			players = append(players, name)
		}
	}
	text := fmt.Sprintf("name: %q\nformat: gauntlet\nagents: [%s]\ngames: [%q]\npairs: %d\nseed: %d\n"+
		"budget: {seconds: %g, clock: cpu}\nopenings: ", fmt.Sprintf("strongest %s %g s %s", label, c.Seconds, r.Search),
		strings.Join(players, ", "), label, c.Pairs, c.Seed, c.Seconds)
	var err error
	if r.Tournament, err = arena.LoadPlan("strongest", []byte(text+"balanced\n"), c.PlanSet...); err != nil {
		r.Tournament, err = arena.LoadPlan("strongest", []byte(text+"{plies: 2}\n"), c.PlanSet...)
	}
	if err == nil {
		players := r.Tournament.Players
		at := slices.IndexFunc(players, func(p agents.Spec) bool { return p.Name == r.Search })
		if at < 0 {
			return strict.Badf("agents: the list lacks %s, which the agent strongest uses for %s", r.Search, label)
		}
		// the one that all others play, also if --plan-set lists them otherwise
		players[0], players[at] = players[at], players[0]
		r.Tournament.Stop.EarlyStop = &arena.EarlyStop{Score: []float64{0.5}, Least: 3, Level: jointLevel}
		c.Parts = append(c.Parts, r)
	}
	return err
}

// Measure reads the results from the study. The intervals allow for early stops. A search is beaten if its score is
// below one half by the joint interval of all comparisons.
func (c *StrongestCheck) Measure(ctx context.Context, db *store.DB) error {
	tests := 0
	for _, r := range c.Parts {
		tests += len(r.Tournament.Players) - 1
	}
	for _, r := range c.Parts {
		r.Verdict = "undecided"
		all := true
		for _, rival := range r.Tournament.Players[1:] {
			pairs, err := Contest(ctx, db, r.Tournament.Name, r.Search, rival.Name)
			if errors.Is(err, ErrNoPairs) {
				all = false
				continue
			}
			if err != nil {
				return err
			}
			var counts [5]int64
			for i, n := range pairs[0].Pentanomial {
				counts[i] = int64(n)
			}
			s := ratings.ConfidenceSequence(counts[:], jointLevel)
			all = all && s.Lo > 0.5
			if r.Rival == "" || s.Value < r.Score.Value {
				r.Rival = rival.Name
				r.Score = s
				r.Pairs = s.N
			}
			if ratings.ConfidenceSequence(counts[:], 1-(1-jointLevel)/float64(tests)).Hi < 0.5 {
				r.Verdict = "beaten"
			}
		}
		if all && r.Verdict != "beaten" {
			r.Verdict = "strongest"
		}
	}
	return nil
}

// Results returns the results as a table.
func (c *StrongestCheck) Results() table.Table {
	t := table.Rows(c.Parts, func(r *StrongestResult) []any {
		return []any{
			"rules", r.Rules, "search", r.Search, "rival", r.Rival,
			"score", table.Help("score of the search against its rival", r.Score),
			"verdict", r.Verdict, "pairs", r.Pairs,
		}
	})
	t.ID = "strongest"
	return t
}

// Write writes the table with the measured rows. It replaces a game's search by the rival if the search scored less
// than half, either significantly or over more pairs than the old row has.
func (c *StrongestCheck) Write(out io.Writer) error {
	rows := slices.Clone(c.Table.Rows)
	for _, r := range c.Parts {
		g := r.game
		row := agents.StrongestRow{
			Game:    g.Name(),
			Family:  g.Rules().Family,
			Moves:   g.Moves(),
			Cells:   g.Cells(),
			Seconds: r.Seconds,
			Search:  r.Search,
			Rival:   r.Rival,
			Score:   r.Score.Value,
			Low:     r.Score.Lo,
			High:    r.Score.Hi,
			Pairs:   r.Pairs,
			Date:    time.Now().UTC().Format(time.DateOnly),
		}
		if !r.Whole || r.Rival == "" || g.Name() != r.Rules {
			continue // not played to the end, or other rules than those of the name
		}
		at := slices.IndexFunc(rows, func(o agents.StrongestRow) bool {
			return o.Game == row.Game && o.Seconds == row.Seconds
		})
		fresh := at < 0 || rows[at].Pairs < row.Pairs
		if row.Score < 0.5 && (fresh || row.High < 0.5) {
			row.Search, row.Rival, row.Score, row.Low, row.High = row.Rival, row.Search, 1-row.Score, 1-row.High, 1-row.Low
		}
		if at >= 0 {
			rows[at] = row
		} else {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b agents.StrongestRow) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Seconds, b.Seconds))
	})
	_, err := fmt.Fprintf(out, `# The search that the agent strongest uses, by game and time for a move. Written by
#   spar bench strongest GAME... --seconds S --write
# which plays the searches against each other at equal processor time from balanced openings. The score is that of the
# search against the rival that did best, with a 95 %% confidence sequence; a match-up stops early once it is decided.
searches: [%s]
rows:
`, strings.Join(c.Table.Searches, ", "))
	for _, r := range rows {
		line := fmt.Sprintf("  - {game: %s, family: %s, moves: %t, cells: %d, seconds: %g, search: %s", r.Game, r.Family,
			r.Moves, r.Cells, r.Seconds, r.Search)
		if r.Pairs > 0 {
			line += fmt.Sprintf(", rival: %s, score: %.3f, low: %.3f, high: %.3f, pairs: %d, date: %s", r.Rival, r.Score,
				r.Low, r.High, r.Pairs, r.Date)
		}
		if _, e := fmt.Fprintln(out, line+"}"); e != nil {
			err = e
		}
	}
	return err
}
