package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"spar/agents"
	"spar/agents/sources"
	"spar/arena"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/screen"
)

// OverridesOf returns the knobs that the user set on the command line.
func OverridesOf(set []string) map[string]any {
	if len(set) == 0 {
		return nil
	}
	_, overrides := rules.SplitLabel("[" + strings.Join(set, ",") + "]")
	return overrides
}

// Played is the JSON form of a game that is in no study. It has the same fields as a stored game.
type Played struct {
	Rules       string         `json:"rules" help:"name of the rules"`
	Set         map[string]any `json:"set,omitempty" help:"overrides of the rules, by key path"`
	First       string         `json:"first" help:"name of the first player"`
	Second      string         `json:"second" help:"name of the second player"`
	Seed        int64          `json:"seed" help:"seed of the event"`
	Result      string         `json:"result" help:"first, second or draw"`
	Reason      string         `json:"reason" help:"line, full_board, ..., or how the game was adjudicated or forfeited"`
	Detail      string         `json:"detail,omitempty" help:"the agent's fault"`
	Plies       int            `json:"plies" help:"length"`
	Moves       []string       `json:"moves" help:"all moves"`
	FirstMS     float64        `json:"first_ms" help:"time of the first player"`
	SecondMS    float64        `json:"second_ms" help:"time of the second player"`
	FirstNodes  int64          `json:"first_nodes" help:"nodes of the first player"`
	SecondNodes int64          `json:"second_nodes" help:"nodes of the second player"`
	// scores of both players by the formula of the original rolling program (see sources.RollingScore); nil unless the
	// opponent is a level of that program
	FirstScore  *int `json:"first_score,omitempty" help:"first player's points by the formula of the original rolling program, against one of its levels (play only)"`
	SecondScore *int `json:"second_score,omitempty" help:"second player's points"`
}

// Record returns the JSON form of a finished game.
func Record(g *engines.Game, set []string, seed int64, seats [2]arena.Seat, levels [2]string,
	r *arena.Result,
) Played {
	score := func(side int) *int {
		s, ok := sources.RollingScore(levels[1-side], r.Outcome, side, r.Plies, (r.Spent[0] + r.Spent[1]).Seconds())
		if ok {
			return &s
		}
		return nil
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Played{
		Rules:       g.Name(),
		Set:         OverridesOf(set),
		First:       seats[0].Name,
		Second:      seats[1].Name,
		Seed:        seed,
		Result:      r.Outcome.String(),
		Reason:      r.Reason,
		Detail:      r.Detail,
		Plies:       r.Plies,
		Moves:       strings.Fields(r.Moves),
		FirstMS:     ms(r.Spent[0]),
		SecondMS:    ms(r.Spent[1]),
		FirstNodes:  r.Nodes[0],
		SecondNodes: r.Nodes[1],
		FirstScore:  score(engines.First),
		SecondScore: score(engines.Second),
	}
}

// WriteScores writes the score that the original rolling program would give a player against one of its levels.
func WriteScores(out io.Writer, names, levels [2]string, result engines.Result, plies int, seconds float64) error {
	for side, name := range names {
		score, ok := sources.RollingScore(levels[1-side], result, side, plies, seconds)
		if !ok {
			continue
		}
		_, err := fmt.Fprintf(out, "score of %s against %s: %d (%d plies, %.3f s)\n", name, levels[1-side], score, plies,
			seconds)
		if err != nil {
			return err
		}
	}
	return nil
}

// levelsOf describes which levels of the original programs two agents of a study are; empty for other agents.
func levelsOf(ctx context.Context, db *store.DB, names ...string) (levels [2]string, err error) {
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return levels, err
	}
	for i, name := range names {
		var s agents.Spec
		if err := json.Unmarshal([]byte(specs[name]), &s); err != nil {
			return levels, fmt.Errorf("agent %s of %s: %w", name, db.Path(), err)
		}
		levels[i] = s.Level
	}
	return levels, nil
}

// Show prints a stored game: the board after each ply, and the end.
func Show(ctx context.Context, out io.Writer, db *store.DB, row store.Row) error {
	thoughts, err := db.Thoughts(ctx, row.ID)
	if err != nil {
		return err
	}
	levels, err := levelsOf(ctx, db, row.FirstName, row.SecondName)
	if err != nil {
		return err
	}
	g, err := engines.Stored(row.RulesJSON)
	if err != nil {
		return err
	}
	// whoever made the file
	for _, text := range []*string{&row.RulesName, &row.FirstName, &row.SecondName, &row.Reason, &row.Detail} {
		*text = plain.Line(*text)
	}
	fmt.Fprintf(out, "game %d, %s: %s (%s) against %s (%s), seed %d, pair %d\n%s\n\n",
		row.ID, row.RulesName, row.FirstName, g.SideLabel(0), row.SecondName, g.SideLabel(1), row.Seed, row.Pair, g.Legend())
	p := g.NewPosition()
	for i, text := range strings.Fields(row.Moves) {
		side := p.Side()
		if err := p.PlayText([]string{text}); err != nil {
			return fmt.Errorf("game %d: %w", row.ID, err)
		}
		who := [2]string{row.FirstName, row.SecondName}[side]
		if i < row.OpeningPlies {
			who = "opening"
		}
		if th, ok := thoughts[i+1]; ok {
			if th.Score.Valid {
				who += fmt.Sprintf(", score %.3f", th.Score.Float64)
			}
			who += fmt.Sprintf(", depth %d, %d nodes, %.1f ms, %d legal", th.Depth, th.Nodes, th.MS, th.Legal)
		}
		if err := WritePly(out, p, side, text, who); err != nil {
			return err
		}
	}
	result, ok := engines.ParseResult(row.Result)
	if !ok {
		return fmt.Errorf("game %d has an unknown result %q", row.ID, row.Result)
	}
	fmt.Fprintf(out, "%s.\n", board.Ended(p, result, row.Reason))
	if row.Detail != "" {
		fmt.Fprintln(out, row.Detail)
	}
	return WriteScores(out, [2]string{row.FirstName, row.SecondName}, levels, result, row.Plies,
		(row.FirstMS+row.SecondMS)/1000)
}

// WritePly writes a ply that has just been played.
func WritePly(out io.Writer, p *engines.Position, side int, text, who string) error {
	hands := p.HandsText()
	if hands != "" {
		hands = "   in hand: " + hands
	}
	_, err := fmt.Fprintf(out, "%d. %c %s (%s)%s\n%s\n", p.Ply(), "XO"[side], text, who, hands,
		p.Picture(screen.Coloured(out)))
	return err
}
