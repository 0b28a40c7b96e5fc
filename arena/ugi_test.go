package arena_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/store/storetest"
	"spar/configs/must"
)

// faultPlan is a tournament of four honest agents and, if wanted, four that fail.
func faultPlan(t *testing.T, faulty bool) string {
	t.Helper()
	mover := must.Get(filepath.Abs("testdata/mover.sh"))(t)
	dir := t.TempDir()
	agent := func(mode string) string {
		file := filepath.Join(dir, mode+".yaml")
		deadline := 60.0 // nobody else comes near it, however busy the machine
		if mode == "hang" {
			deadline = 0.25
		}
		text := fmt.Sprintf("type: ugi\nugi: {command: sh, args: [%q, %s], deadline: %g}\n", mover, mode, deadline)
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	list := []string{"random", "greedy", "minimax-2", agent("honest")}
	if faulty {
		list = append(list, agent("hang"), agent("crash"), agent("cheat"), agent("garble"))
	}
	return "name: faults\ngames: [classic]\npairs: 1\nseed: 5\nagents: [" + strings.Join(list, ", ") + "]\n"
}

// Every game of a tournament with hanging, crashing, cheating and garbling engines gets a result with its reason, and
// the honest agents play the same games among themselves as without the others.
func TestFaultyEngines(t *testing.T) {
	t.Parallel()
	p, db := plan(t, faultPlan(t, true)), storetest.New(t)
	sum := run(t, p, db, 0)
	if sum.Played != 8*7/2*2 || !sum.Finished {
		t.Errorf("%d games, finished %v", sum.Played, sum.Finished)
	}
	want := map[string]string{
		"hang": "forfeit_timeout", "crash": "forfeit_crash", "cheat": "forfeit_illegal",
		"garble": "forfeit_garbage",
	}
	seen := map[string]int{}
	honest := map[string]string{}
	for _, row := range games(t, db) {
		if row.Detail == "" {
			if want[row.FirstName] == "" && want[row.SecondName] == "" {
				honest[fmt.Sprint(row.FirstName, " ", row.SecondName, " ", row.Opening)] += row.Moves
			}
			continue
		}
		name, _, _ := strings.Cut(row.Detail, " at ply")
		if want[name] != row.Reason {
			t.Errorf("%s by %s", row.Detail, row.Reason)
		}
		seen[name]++
	}
	for name := range want {
		if seen[name] < 6 {
			t.Errorf("%s failed %d times in 14 games", name, seen[name])
		}
	}
	alone, among := storetest.New(t), map[string]string{}
	run(t, plan(t, faultPlan(t, false)), alone, 0)
	for _, row := range games(t, alone) {
		among[fmt.Sprint(row.FirstName, " ", row.SecondName, " ", row.Opening)] += row.Moves
	}
	if diff := cmp.Diff(among, honest); diff != "" || len(honest) != 4*3 {
		t.Errorf("%d seatings and openings of honest agents, want 12; against the tournament without the others:\n%s",
			len(honest), diff)
	}
}
