package arena_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

var update = flag.Bool("update", false, "write the golden study anew")

// goldenPlan is a small study of every format. Its games of random and greedy agents never change; those of mcts may
// change when the search does.
const goldenPlan = `
name: golden
games: [classic, rolling, vanishing, checkerboard, infiltration, ctor, connect4, {rules: classic, set: {turn.pie: true}}]
agents: [random, greedy, mcts-100]
format: round-robin
pairs: 2
openings: {plies: 2}
seed: 20261121
`

// The same plan and seed give the games that they gave when testdata/golden.tsv was written, in every format. No file
// can name mirror, with which balance and sweeps play.
func TestGoldenStudy(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	run(t, plan(t, goldenPlan), db, 0)
	for _, format := range []string{"swiss", "gauntlet", "ladder", "mirror"} {
		p := plan(t, goldenPlan, "format="+strings.Replace(format, "mirror", "ladder", 1), "pairs=1", "name=golden-"+format, "games=[classic, rolling, vanishing, "+
			"connect4, {rules: classic, set: {turn.pie: true}}]")
		p.Format = format
		run(t, p, db, 0)
	}
	var got strings.Builder
	for _, g := range storetest.Games(t, db, store.Filter{}) {
		fmt.Fprintf(&got, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", g.EventName, g.Number, g.RulesName, g.FirstName, g.SecondName,
			g.Moves, g.Result, g.Reason)
	}
	const file = "testdata/golden.tsv"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	old := strings.Split(string(want), "\n")
	now := strings.Split(got.String(), "\n")
	if len(old) != len(now) {
		t.Fatalf("%d games, want %d", len(now)-1, len(old)-1)
	}
	for i := range old {
		if old[i] != now[i] {
			t.Errorf("was\n%s\nis\n%s", old[i], now[i])
		}
	}
}
