package predict

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/people"
)

// nobody marks, in Match.Sides, a move that no person made.
const nobody = '-'

// OfStudy returns the games of people in a study as matches. Matches between the same two players form one pair.
// Moves of agents have the side "-".
func OfStudy(ctx context.Context, db *store.DB) ([]people.Match, error) {
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return nil, err
	}
	games, pairs := map[string]*engines.Game{}, map[[2]string]int{}
	var out []people.Match
	for row, err := range db.Games(ctx, store.Filter{}) {
		if err != nil {
			return nil, err
		}
		players := [2]string{row.FirstName, row.SecondName}
		var human [2]bool
		for side, name := range players {
			human[side] = specs[name] == `{"type":"human"}`
		}
		if row.Marks&evidence.Human == 0 || human == [2]bool{} {
			continue
		}
		if games[row.RulesJSON] == nil {
			if games[row.RulesJSON], err = engines.Load(row.RulesName, []byte(row.RulesJSON)); err != nil {
				return nil, fmt.Errorf("game %d: %w", row.ID, err)
			}
		}
		slices.Sort(players[:])
		if _, ok := pairs[players]; !ok {
			pairs[players] = len(pairs)
		}
		m := people.Match{Pair: pairs[players], Moves: row.Moves, Result: row.Result, By: "play", Rules: games[row.RulesJSON]}
		p := m.Rules.NewPosition()
		for i, text := range strings.Fields(row.Moves) {
			side := byte(nobody)
			if human[p.Side()] && i >= row.OpeningPlies {
				side = "XO"[p.Side()]
			}
			m.Sides += string(side)
			if err := p.PlayText([]string{text}); err != nil {
				return nil, fmt.Errorf("game %d: %w", row.ID, err)
			}
		}
		out = append(out, m)
	}
	return out, nil
}
