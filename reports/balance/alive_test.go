package balance

import (
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// How often the mechanics happened, counted from the texts of the moves and the last positions.
func TestAlive(t *testing.T) {
	t.Parallel()
	type counts = map[string]func(p *engines.Position, moves []string) int
	// from the seventh ply on, one a ply
	leaves := func(_ *engines.Position, moves []string) int { return max(0, len(moves)-6) }
	withMark := func(mark string) func(*engines.Position, []string) int {
		return func(_ *engines.Position, moves []string) int { return strings.Count(strings.Join(moves, " "), mark) }
	}
	chains := func(_ *engines.Position, moves []string) int {
		n := 0
		for i := 1; i < len(moves); i++ {
			if _, to, ok := strings.Cut(moves[i-1], "x"); ok && strings.HasPrefix(moves[i], to+"x") {
				n++
			}
		}
		return n
	}
	chosen := func(moves []string) []string { // without the choices of what a capture takes, like xb2
		return slices.DeleteFunc(slices.Clone(moves), func(m string) bool { return m[0] == 'x' })
	}
	for _, c := range []struct {
		rules string
		set   []string
		want  counts
	}{
		{"vanishing", nil, counts{"leaves": leaves}},
		{
			"vanishing",
			[]string{"pieces.reuse_vacated=true"},
			counts{"leaves": leaves},
		},
		{"rolling", nil, counts{"leaves": func(p *engines.Position,
			moves []string,
		) int {
			if p.Reason() == engines.ByLine { // when a line wins, nothing leaves
				return max(0, len(moves)-7)
			}
			return max(0, len(moves)-6)
		}}},
		{"infiltration-6x6", nil, counts{
			"steps": withMark("-"), "jumps": withMark("x"),
			"returns": func(_ *engines.Position, moves []string) int {
				n := -12 // six a side are deployed
				for _, m := range moves {
					if len(m) == 2 {
						n++
					}
				}
				return n
			},
			"chains": chains,
		}},
		{
			"ctor",
			[]string{"board.columns=5", "board.rows=5", "surround.effect=remove", "draw.max_plies=120"},
			counts{
				"surrounds": func(p *engines.Position, moves []string) int {
					return len(moves) - p.Pieces(0).Count() - p.Pieces(1).Count()
				},
			},
		},
		{"connect4", []string{"pieces.cap=5", "placement.falls=true"}, counts{
			"leaves": func(_ *engines.Position, moves []string) int { return max(0, len(moves)-10) },
			// columns by hand: what stands above a piece that leaves drops
			"falls": func(_ *engines.Position, moves []string) int {
				n, columns := 0, map[byte][]int{}
				for ply, m := range moves {
					columns[m[0]] = append(columns[m[0]], ply)
					if old := ply - 10; old >= 0 {
						name := moves[old][0]
						at := slices.Index(columns[name], old)
						n += len(columns[name]) - at - 1
						columns[name] = slices.Delete(columns[name], at, at+1)
					}
				}
				return n
			},
		}},
		{"gardner", nil, counts{"steps": withMark("-"), "takes": withMark("x")}},
		{"lines-of-action", nil, counts{
			"steps": withMark("-"), "takes": withMark("x"), "passes": withMark("pass"),
		}},
		{"fanorona5", nil, counts{
			"steps": withMark("-"),
			"jumps": func(_ *engines.Position, moves []string) int {
				return strings.Count(strings.Join(chosen(moves), " "), "x")
			},
			"chains": func(p *engines.Position, moves []string) int { return chains(p, chosen(moves)) },
		}},
		{"connect4", []string{"turn.pie=true"}, counts{"swaps": withMark("swap")}},
	} {
		g := enginetest.Load(t, c.rules, c.set...)
		games := randomGames(g, 1, 1, 30, 5)
		sum, some := map[string]float64{}, map[string]float64{}
		for _, x := range games {
			p := g.NewPosition()
			moves := strings.Fields(x.Moves)
			must.Do(t, p.PlayText(moves))
			for name, of := range c.want {
				n := of(p, moves)
				sum[name] += float64(n)
				some[name] += oneIf(n > 0)
			}
		}
		r := measureGames(t, records(g, c.rules, []Event{event(1, campaign.PurposeMirror, "random")},
			players(map[string]int64{"random": 0}), games), Options{})
		seen := 0
		for _, u := range r.Groups[0].Alive {
			if _, ok := c.want[u.Mechanic]; !ok {
				t.Errorf("%s %v: %s is counted", c.rules, c.set, u.Mechanic)
				continue
			}
			seen++
			if math.Abs(u.PerGame.Value-sum[u.Mechanic]/30) > 1e-9 || math.Abs(u.Games.Value-some[u.Mechanic]/30) > 1e-9 {
				t.Errorf("%s %v: %s %g times per game in %g of the games, want %g in %g", c.rules, c.set, u.Mechanic,
					u.PerGame.Value, u.Games.Value, sum[u.Mechanic]/30, some[u.Mechanic]/30)
			}
		}
		if seen != len(c.want) {
			t.Errorf("%s %v: %d mechanics are counted, want %d", c.rules, c.set, seen, len(c.want))
		}
	}
}
