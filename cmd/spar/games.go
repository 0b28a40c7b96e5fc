package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/arena/transfer"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/engines"
	"spar/reports/screen"
	"spar/reports/table"
)

func gamesCommand() *cobra.Command {
	var f store.Filter
	study := studyFlag{defaultStudy}
	var o struct {
		Length string  `flag:"length" not:"min-plies max-plies" help:"plies: A-B, A- (at least), -B (at most) or A"`
		Swing  float64 `flag:"swing" range:"[0,1]" help:"least change of the expected score between two plies of a game"`
		Delete []int64 `flag:"delete" help:"delete these games of people, by number, with what belongs to them"`
	}
	c := &cobra.Command{
		Use:   "games [STUDY.db]",
		Short: "List the games of a study",
		Long: `Lists the games that satisfy all given flags.

--swing lists games in which the first player's expected score changed by at least this much between two plies, and
says where it changed most. The agents' scores are stored only if the tournament says record_plies.`,
		Example: `  spar games --db out/quickstart.db --rules ctor --limit 5
  spar games --db out/quickstart.db --agent greedy --result draw --sort -plies
  spar games --db out/quickstart.db --lost-by greedy --length 10-30 --opening "b2 a1"
  spar games --db out/quickstart.db --sort odd`,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Length != "" {
				if err := readLength(o.Length, &f); err != nil {
					return err
				}
			}
			if f.Max > 0 && f.Max < f.Min {
				return usagef("%d to %d plies: the range ends before it begins", f.Min, f.Max)
			}
			swings := c.Flags().Changed("swing")
			f.Opening = strings.Join(strings.Fields(f.Opening), " ")
			mode := store.Existing
			if len(o.Delete) > 0 {
				mode = store.Writing
			}
			db, err := store.Open(c.Context(), study.Path, mode)
			if err != nil {
				return badInput(err)
			}
			defer db.Close()
			if err := errors.Join(checkFilter(c.Context(), db, f), checkOpening(c.Context(), db, f)); err != nil {
				return err
			}
			recorded, err := db.HasThoughts(c.Context())
			if err != nil {
				return err
			}
			if swings && !recorded {
				return usagef("--swing: %s keeps no scores of plies (record_plies: true in the tournament's file)", study.Path)
			}
			if len(o.Delete) > 0 {
				if err := db.DeleteHumanGames(c.Context(), o.Delete); err != nil {
					return err
				}
				return say(c, "deleted %s of people\n", screen.Plural(int64(len(o.Delete)), "game"))
			}
			header := []string{"game", "rules", "first", "second", "result", "reason", "plies", "moves"}
			if swings {
				header = append(header, "swing")
			}
			t := table.To(c.OutOrStdout(), header, 1, 7)
			show := func(g store.Row, s *transfer.Swing) error {
				if wantsJSON(c) {
					line := transfer.GameOf(g)
					line.Swing = s
					return printJSON(c.OutOrStdout(), "game", line)
				}
				moves := g.Moves
				if len(moves) > 40 {
					moves = moves[:37] + "..."
				}
				row := []any{g.ID, g.RulesName, g.FirstName, g.SecondName, g.Result, g.Reason, g.Plies, moves}
				if s != nil {
					row = append(row, fmt.Sprintf("%.2f to %.2f at ply %d", s.From, s.To, s.Ply))
				}
				t.Add(row...)
				return nil
			}
			if swings {
				for g, err := range transfer.Swings(c.Context(), db, f, o.Swing) {
					if err == nil {
						err = show(g.Row, &g.Swing)
					}
					if err != nil {
						return err
					}
				}
			} else {
				for g, err := range db.Games(c.Context(), f) {
					if err == nil {
						err = show(g, nil)
					}
					if err != nil {
						return err
					}
				}
			}
			if f.Opening != "" && len(t.Rows) == 0 && !wantsJSON(c) {
				return say(c, "no selected game begins with %s\n", plain.Line(f.Opening))
			}
			if !wantsJSON(c) {
				t.Write()
			}
			return nil
		},
	}
	declare(c, &study, &f, &o)
	printsJSON(c, "game", transfer.Lines(transfer.KindGame)...)
	return c
}

// readLength parses --length.
func readLength(text string, f *store.Filter) error {
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	for _, end := range []struct {
		text string
		to   *int
	}{{low, &f.Min}, {high, &f.Max}} {
		n, err := strconv.Atoi(end.text)
		if end.text != "" && (err != nil || n < 1) || low == "" && high == "" {
			return usagef("--length %s: expected plies, like 10-30, 10- or -30", text)
		}
		*end.to = n
	}
	return nil
}

// checkFilter returns an error for names that the study does not have, since they would select nothing.
func checkFilter(ctx context.Context, db *store.DB, f store.Filter) error {
	for _, name := range []struct{ flag, value, kind string }{
		{"agent", f.Agent, "agents"},
		{"lost-by", f.Lost, "agents"},
		{"rules", f.Rules, "rules"},
	} {
		if name.value == "" {
			continue
		}
		held, err := db.Names(ctx, name.kind)
		if err != nil {
			return err
		}
		if !slices.Contains(held, name.value) {
			return usagef("--%s: %s holds no games of %q%s", name.flag, db.Path(), name.value, strict.Suggest(name.value, held))
		}
	}
	reasons := append(arena.Reasons(), arena.Forfeits()...)
	if f.Reason == "" || slices.Contains(reasons, f.Reason) {
		return nil
	}
	held, err := db.Names(ctx, "reasons") // agents of one's own fail for their own
	if err == nil && !slices.Contains(held, f.Reason) {
		err = usagef("--reason: unknown reason %q%s", f.Reason, strict.Suggest(f.Reason, append(reasons, held...)))
	}
	return err
}

// checkOpening returns an error for an opening with which no game can begin under the requested rules, or under
// any rules of the study.
func checkOpening(ctx context.Context, db *store.DB, f store.Filter) error {
	if f.Opening == "" {
		return nil
	}
	rules, err := db.Rules(ctx)
	if err != nil {
		return err
	}
	var wrong error
	for _, r := range rules {
		if f.Rules != "" && f.Rules != r.Name {
			continue
		}
		g, err := engines.Stored(r.Canonical)
		if err != nil {
			return err
		}
		if err = g.NewPosition().PlayText(strings.Fields(f.Opening)); err == nil {
			return nil
		}
		wrong = usagef("--opening, under %s: %w", r.Name, err)
	}
	return wrong
}

func showCommand() *cobra.Command {
	var o struct {
		Path string `flag:"db=defaultStudy" help:"the study"`
	}
	c := &cobra.Command{
		Use:     "show GAME",
		Short:   "Show a stored game, the board after each ply",
		Example: "  spar show 17 --db out/quickstart.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id <= 0 {
				return usagef("%q is not the number of a game (see \"spar games\")%s", args[0], byDB(c, args[0]))
			}
			db, err := openStudy(c.Context(), o.Path)
			if err != nil {
				return err
			}
			defer db.Close()
			for row, err := range db.Games(c.Context(), store.Filter{ID: id}) {
				if err != nil {
					return err
				}
				thoughts, err := db.Thoughts(c.Context(), row.ID)
				if err != nil {
					return err
				}
				if wantsJSON(c) {
					for _, ply := range slices.Sorted(maps.Keys(thoughts)) {
						row.Thoughts = append(row.Thoughts, thoughts[ply])
					}
					return printJSON(c.OutOrStdout(), transfer.KindGame, transfer.Whole(row))
				}
				levels, err := storedLevels(c.Context(), db, row.FirstName, row.SecondName)
				if err != nil {
					return err
				}
				return showGame(c.OutOrStdout(), row, thoughts, levels)
			}
			return usagef("no game %d in %s", id, o.Path)
		},
	}
	declare(c, &o)
	printsJSON(c, "game", transfer.Lines(transfer.KindGame)...)
	return c
}

// storedLevels describes which levels of the original programs two agents of a study are; empty for other agents.
func storedLevels(ctx context.Context, db *store.DB, names ...string) (levels [2]string, err error) {
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

func showGame(out io.Writer, row store.Row, thoughts map[int]study.Ply, levels [2]string) error {
	g, err := engines.Stored(row.RulesJSON)
	if err != nil {
		return err
	}
	// whoever made the file
	for _, text := range []*string{&row.RulesName, &row.FirstName, &row.SecondName, &row.Reason, &row.Detail} {
		*text = plain.Line(*text)
	}
	fmt.Fprintf(out, "game %d, %s: %s (%s) against %s (%s), seed %d, pair %d\n\n",
		row.ID, row.RulesName, row.FirstName, g.SideLabel(0), row.SecondName, g.SideLabel(1), row.Seed, row.Pair)
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
		if err := printPly(out, p, side, text, who); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s by %s after %d plies\n", row.Result, row.Reason, row.Plies)
	if row.Detail != "" {
		fmt.Fprintln(out, row.Detail)
	}
	result, ok := engines.ParseResult(row.Result)
	if !ok {
		return fmt.Errorf("game %d has the result %q", row.ID, row.Result)
	}
	return printScores(out, [2]string{row.FirstName, row.SecondName}, levels, result, row.Plies,
		(row.FirstMS+row.SecondMS)/1000)
}

// printPly prints a ply that has just been played.
func printPly(out io.Writer, p *engines.Position, side int, text, who string) error {
	hands := ""
	if p.Game().Rules().Pieces.Supply > 0 {
		hands = fmt.Sprintf("   in hand: X %d, O %d", p.Hand(0), p.Hand(1))
	}
	_, err := fmt.Fprintf(out, "%d. %c %s (%s)%s\n%s\n", p.Ply(), "XO"[side], text, who, hands, p.Picture(useColour(out)))
	return err
}
