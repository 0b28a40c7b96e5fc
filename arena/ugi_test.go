package arena_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena/store"
)

// faultPlan is a tournament of four honest agents and, if wanted, four that fail.
func faultPlan(t *testing.T, faulty bool) string {
	t.Helper()
	mover, err := filepath.Abs("testdata/mover.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	agent := func(mode string) string {
		file := filepath.Join(dir, mode+".yaml")
		text := fmt.Sprintf("type: ugi\nugi: {command: sh, args: [%q, %s]}\nbudget: {seconds: 0.8}\n", mover, mode)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	list := []string{"random", "greedy", "minimax-2", agent("honest")}
	if faulty {
		list = append(list, agent("hang"), agent("crash"), agent("cheat"), agent("garble"))
	}
	return "name: faults\ngames: [classic]\npairs: 1\nseed: 5\nagents: [" + strings.Join(list, ", ") + "]\n"
}

// Every game of a tournament with hanging, crashing, cheating and garbling engines gets a result with its reason, and the
// honest agents play the same games among themselves as without the others.
func TestFaultyEngines(t *testing.T) {
	t.Parallel()
	p, db := plan(t, faultPlan(t, true)), newStudy(t)
	began := time.Now()
	sum := run(t, p, db, 0)
	if sum.Played != 8*7/2*2 || !sum.Finished {
		t.Errorf("%d games, finished %v", sum.Played, sum.Finished)
	}
	if d := time.Since(began); d > 60*time.Second { // 14 hangs of a second and more, with a wide margin
		t.Errorf("took %v", d)
	}
	want := map[string]string{"hang": "forfeit_timeout", "crash": "forfeit_crash", "cheat": "forfeit_illegal", "garble": "forfeit_garbage"}
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
	alone, among := newStudy(t), map[string]string{}
	run(t, plan(t, faultPlan(t, false)), alone, 0)
	for _, row := range games(t, alone) {
		among[fmt.Sprint(row.FirstName, " ", row.SecondName, " ", row.Opening)] += row.Moves
	}
	if diff := cmp.Diff(among, honest); diff != "" || len(honest) != 4*3 {
		t.Errorf("%d seatings and openings of honest agents, want 12; against the tournament without the others:\n%s", len(honest), diff)
	}
}

// An engine that forfeits again and again is withdrawn, and its games are kept.
func TestWithdrawal(t *testing.T) {
	t.Parallel()
	p, db := plan(t, faultPlan(t, true)+"faults: {withdraw: 2}\nworkers: 1\n"), newStudy(t)
	sum := run(t, p, db, 0)
	if len(sum.Withdrawn) < 3 || sum.Played >= 8*7/2*2 {
		t.Errorf("withdrawn %v after %d games", sum.Withdrawn, sum.Played)
	}
	if sum.Faults < 6 {
		t.Errorf("%d faults", sum.Faults)
	}
}

// Spar against itself over UGI plays the games that it plays within one process.
func TestSparOverUGI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binary := filepath.Join(dir, "spar")
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", binary, "spar/cmd/spar").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const head = "name: x\ngames: [infiltration-6x6]\npairs: 2\nseed: 3\nopenings: {plies: 4}\nagents: "
	inside, outside := newStudy(t), newStudy(t)
	run(t, plan(t, head+"[greedy, {agent: mcts-100, name: mcts-100, set: {budget.iterations: 30}}]"), inside, 0) // names decide the random streams
	wrap := func(name, budget string) string {
		file := filepath.Join(dir, name+".yaml")
		text := fmt.Sprintf("type: ugi\nugi: {command: %q, args: [ugi, infiltration-6x6, --agent, %s]}\nbudget: %s\n", binary, name, budget)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	run(t, plan(t, head+"["+wrap("greedy", "{depth: 1}")+", "+wrap("mcts-100", "{iterations: 30}")+"]"), outside, 0)
	if diff := cmp.Diff(movesOf(t, inside), movesOf(t, outside)); diff != "" {
		t.Errorf("the games differ:\n%s", diff)
	}
}

func movesOf(t *testing.T, db *store.DB) []string {
	t.Helper()
	var out []string
	for _, row := range games(t, db) {
		out = append(out, row.Moves)
	}
	return out
}
