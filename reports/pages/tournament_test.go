package pages

import (
	"bytes"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/must"
	"spar/ratings"
	"spar/reports/standings"
)

// Two agents play 80 games of each of two rules, by the wins of who moves first. In "one" only the seat counts: the first
// player wins 30 + 30 of 80, 75 %. In "two" only the agent counts: the first player wins 36 + 4 of 80, 50 %, and a wins
// 36 + 36. So a has 30 + 10 + 36 + 36 of 160 points, 70 %.
func TestTournament(t *testing.T) {
	t.Parallel()
	wins := map[string][2]int64{"one": {30, 30}, "two": {36, 4}} // of a and of b, as the first player
	pool := func(title, rules string, of ...string) *standings.Pool {
		var b ratings.Builder
		for _, name := range of {
			for i, seats := range [][2]string{{"a", "b"}, {"b", "a"}} {
				must.Do(t, b.AddCount(seats[0], seats[1], name, wins[name][i], 0, 40-wins[name][i]))
			}
		}
		p := &standings.Pool{Title: title, Rules: rules, Table: b.Table(), Played: int64(80 * len(of))}
		must.Do(t, p.Rate(ratings.Options{PerStratum: true}))
		return p
	}
	kind := func(rules, reason string, games, plies int64) store.Kind {
		return store.Kind{Row: store.Row{RulesName: rules, Game: study.Game{Reason: reason}}, Games: games, Plies: plies}
	}
	d := must.Get(Tournament("test", "out/test.db",
		[]*standings.Pool{pool("one", "one", "one"), pool("two", "two", "two"), pool("all games", "", "one", "two")},
		[]store.Kind{kind("one", "line", 60, 600), kind("one", "full_board", 20, 180), kind("two", "line", 80, 400)},
		func(rules string) string { return rules + ".html" }))(t)
	var b bytes.Buffer
	must.Do(t, d.Markdown(&b, func(id string) string { return "figures/" + id + ".svg" }))
	golden(t, "tournament.md", b.Bytes())
	for _, want := range []string{"a is strongest over these 2 games: ", "Moving first helps in 1 of them.", "75 %", "70.0 %", "| 10 | line 75 %, full board 25 % |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
}
