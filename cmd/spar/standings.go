package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"spar/arena/store"
	"spar/ratings"
)

func sqrt(x float64) float64 { return math.Sqrt(x) }

type standingsOptions struct {
	by     string // overall, rules or both
	asJSON bool
}

func standingsCommand() *cobra.Command {
	var (
		path string
		o    standingsOptions
	)
	c := &cobra.Command{
		Use:   "standings",
		Short: "Rate the agents of a study",
		Long: `Rates agents by maximum likelihood on the 400-point logistic scale, with a first-player advantage, per game and overall.
Errors are 95 % and take the two games of a pair as one unit where there are enough pairs. Equal games (the same moves by the
same players) count once.`,
		Example: `  spar standings --db out/quickstart.db
  spar standings --db out/quickstart.db --by rules --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.by != "overall" && o.by != "rules" && o.by != "both" {
				return usagef("--by %s: expected overall, rules or both", o.by)
			}
			db, err := store.OpenExisting(c.Context(), path)
			if err != nil {
				return usageError{err}
			}
			defer db.Close()
			return printStandings(c.Context(), c.OutOrStdout(), db, o)
		},
	}
	c.Flags().StringVar(&path, "db", "out/quickstart.db", "the study")
	c.Flags().StringVar(&o.by, "by", "both", "overall, rules or both")
	jsonFlag(c, &o.asJSON)
	return c
}

// tableOf collects the games of one set of rules, or of all, for rating. Equal games of the same two agents in the same seats
// count once; stored is the number of games with the repeated ones.
func tableOf(ctx context.Context, db *store.DB, rules string) (table *ratings.Table, stored int64, err error) {
	var b ratings.Builder
	type key struct {
		first, second, hash int64
	}
	seen := map[key]bool{}
	for g, err := range db.Games(ctx, store.Filter{Rules: rules}) {
		if err != nil {
			return nil, 0, err
		}
		stored++
		k := key{g.First, g.Second, g.Hash}
		if seen[k] {
			continue
		}
		seen[k] = true
		outcome := map[string]ratings.Outcome{"first": ratings.FirstWins, "second": ratings.SecondWins, "draw": ratings.Draw}[g.Result]
		if err := b.Add(ratings.Game{
			First: g.FirstName, Second: g.SecondName, Result: outcome, Stratum: g.RulesName,
			Pair: strconv.FormatInt(g.Event, 10) + "/" + strconv.FormatInt(g.Pair, 10), Hash: uint64(g.Hash),
		}); err != nil {
			return nil, 0, err
		}
	}
	return b.Table(), stored, nil
}

// standing is one agent's row.
type standing struct {
	Agent    string   `json:"agent"`
	Elo      float64  `json:"elo"`
	SE       float64  `json:"se"`
	Lo       *float64 `json:"lo"`
	Hi       *float64 `json:"hi"`
	Status   string   `json:"status"`
	Games    int64    `json:"games"`
	Score    float64  `json:"score"`
	AsFirst  count    `json:"as_first"`
	AsSecond count    `json:"as_second"`
}

// count is how one seat's games ended, seen from the agent.
type count struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

type advantage struct {
	Rules  string   `json:"rules,omitempty"`
	Elo    float64  `json:"elo"`
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	Status string   `json:"status"`
	First  int64    `json:"first"`
	Draws  int64    `json:"draws"`
	Second int64    `json:"second"`
}

type standings struct {
	Rules      string      `json:"rules"` // "all" for every game together
	Games      int64       `json:"games"`
	Distinct   int64       `json:"distinct"` // of them not equal to an earlier one: what is rated
	Errors     string      `json:"errors"`
	Level      float64     `json:"level"`
	Agents     []standing  `json:"agents"`
	Advantages []advantage `json:"advantages"`
	Warnings   []string    `json:"warnings,omitempty"`
}

func bound(x float64, open bool) *float64 {
	if open {
		return nil
	}
	return &x
}

func makeStandings(ctx context.Context, db *store.DB, rules string) (*standings, error) {
	t, stored, err := tableOf(ctx, db, rules)
	if err != nil {
		return nil, err
	}
	fit, err := t.Fit(ratings.Options{PerStratum: true})
	if err != nil {
		return nil, err
	}
	s := &standings{Rules: rules, Games: stored, Errors: fit.Errors.String(), Level: fit.Level, Warnings: fit.Warnings}
	if rules == "" {
		s.Rules = "all"
	}
	_, s.Distinct = t.Distinct()
	for _, p := range fit.Players {
		total := p.Total()
		s.Agents = append(s.Agents, standing{
			Agent: p.Name, Elo: p.Elo, SE: p.SE, Lo: bound(p.Interval.Lo, p.Interval.LoOpen), Hi: bound(p.Interval.Hi, p.Interval.HiOpen),
			Status: string(p.Status), Games: total.Games(), Score: total.Points() / max(float64(total.Games()), 1), AsFirst: count(p.AsFirst), AsSecond: count(p.AsSecond),
		})
	}
	sort.SliceStable(s.Agents, func(i, j int) bool { return s.Agents[i].Elo > s.Agents[j].Elo })
	for _, a := range fit.Advantages {
		s.Advantages = append(s.Advantages, advantage{
			Rules: a.Stratum, Elo: a.Elo, Lo: bound(a.Interval.Lo, a.Interval.LoOpen), Hi: bound(a.Interval.Hi, a.Interval.HiOpen), Status: string(a.Status),
			First: a.Games.Wins, Draws: a.Games.Draws, Second: a.Games.Losses,
		})
	}
	return s, nil
}

func printStandings(ctx context.Context, out io.Writer, db *store.DB, o standingsOptions) error {
	rules, err := db.Names(ctx, "rules")
	if err != nil {
		return err
	}
	scopes := []string{""}
	switch {
	case o.by == "rules":
		scopes = rules
	case o.by == "both" && len(rules) > 1:
		scopes = append(rules, "")
	case o.by == "both":
		scopes = rules
	}
	for _, scope := range scopes {
		s, err := makeStandings(ctx, db, scope)
		if err != nil {
			return err
		}
		if o.asJSON {
			if err := printJSON(out, s); err != nil {
				return err
			}
			continue
		}
		if err := s.print(out); err != nil {
			return err
		}
	}
	return nil
}

// interval writes ±half where the interval is symmetric, else both bounds.
func interval(elo float64, lo, hi *float64) string {
	switch {
	case lo == nil && hi == nil:
		return "unknown"
	case lo == nil:
		return fmt.Sprintf("< %+.0f", *hi)
	case hi == nil:
		return fmt.Sprintf("> %+.0f", *lo)
	case math.Abs((*hi-elo)-(elo-*lo)) < 0.5:
		return fmt.Sprintf("±%.0f", (*hi-*lo)/2)
	}
	return fmt.Sprintf("%+.0f to %+.0f", *lo, *hi)
}

func wdl(c count) string { return fmt.Sprintf("%d/%d/%d", c.Wins, c.Draws, c.Losses) }

func (s *standings) print(out io.Writer) error {
	title := s.Rules
	if title == "all" {
		title = "all games"
	}
	fmt.Fprintf(out, "%s: %d games, %d distinct; errors: %s, %.0f %%\n", title, s.Games, s.Distinct, s.Errors, 100*s.Level)
	t := newTable(out, table.Row{"rank", "agent", "Elo", "95 %", "score", "games", "first +/=/-", "second +/=/-", "status"}, 1, 3, 4, 5, 6, 7, 8)
	for i, a := range s.Agents {
		status := a.Status
		if status == "ok" {
			status = ""
		}
		t.AppendRow(table.Row{i + 1, a.Agent, fmt.Sprintf("%+.0f", a.Elo), interval(a.Elo, a.Lo, a.Hi), fmt.Sprintf("%.1f %%", 100*a.Score), a.Games, wdl(a.AsFirst), wdl(a.AsSecond), status})
	}
	t.Render()
	for _, a := range s.Advantages {
		name := "first player"
		if a.Rules != "" && s.Rules == "all" {
			name += " in " + a.Rules
		}
		fmt.Fprintf(out, "%s: %+.0f Elo %s (first %d, draw %d, second %d)", name, a.Elo, interval(a.Elo, a.Lo, a.Hi), a.First, a.Draws, a.Second)
		if a.Status != "ok" {
			fmt.Fprintf(out, " %s", a.Status)
		}
		fmt.Fprintln(out)
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(out, "note: %s\n", w)
	}
	_, err := fmt.Fprintln(out)
	return err
}
