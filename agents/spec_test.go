package agents_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"spar/agents"
	"spar/configs/must"
	"spar/engines/enginetest"
)

var update = flag.Bool("update", false, "write golden files")

// Each file of spec_errors.txtar is wrong in the way that its name says; the golden file holds what is said of it.
func TestSpecErrors(t *testing.T) {
	t.Parallel()
	cases := must.Get(txtar.ParseFile("testdata/spec_errors.txtar"))(t)
	got := ""
	for _, c := range cases.Files {
		_, err := agents.ParseSpec("test.yaml", c.Data, "test")
		got += fmt.Sprintf("== %s\n%v\n", c.Name, err)
	}
	const file = "testdata/spec_errors.golden"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("%v\n%s", err, cmp.Diff(string(want), got))
	}
}

// A spec's name is that of its file unless it states one, and overrides reach every knob.
func TestSpecNamesAndOverrides(t *testing.T) {
	t.Parallel()
	s := loadSpec(t, "minimax-4", "budget.depth=3", "minimax.table_mb=2", "mixture.epsilon=0.25")
	if s.Name != "minimax-4" || s.Budget.Depth != 3 || s.Minimax.TableMB != 2 || s.Mixture.Epsilon != 0.25 ||
		!s.Minimax.Quiescence {
		t.Errorf("got %+v", s)
	}
	if s := loadSpec(t, "minimax-4", "minimax-4:budget.depth=3"); s.Budget.Depth != 3 ||
		!slices.Equal(s.Chosen, []string{"budget.depth"}) {
		t.Errorf("an override that names its agent: got %+v", s)
	}
	for override, want := range map[string]string{
		"minimax-4:budget.dept=3":  `minimax-4:budget.dept=3: no key "budget.dept"; did you mean budget.depth?`,
		"minimax-2:budget.depth=3": "minimax-2:budget.depth=3: expected key=value, or minimax-4:key=value",
		"budget.depth":             "budget.depth: expected key=value",
	} {
		if _, err := agents.LoadSpec("minimax-4", override); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", override, err, want)
		}
	}
	if s := loadSpec(t, "checkerboard/hard"); s.Name != "checkerboard/hard" || s.Level != "checkerboard/hard" {
		t.Errorf("name %q, level %q", s.Name, s.Level)
	}
	must.Refuse(agents.LoadSpec("minimx-4"))(t, "minimax-4")
	s, err := agents.ParseSpec("a.yaml", []byte("name: own\ntype: random"), "base")
	if err != nil || s.Name != "own" {
		t.Errorf("name %q, %v", s.Name, err)
	}
}

// The sources' levels refuse rules that they were not made for, and say which knob.
func TestLevelThatDoesNotFit(t *testing.T) {
	t.Parallel()
	for level, game := range map[string]string{
		"ctor/standard": "infiltration", "vanishing/standard": "checkerboard",
		"checkerboard/hard": "ctor",
	} {
		_, err := agents.New(loadSpec(t, level), enginetest.Load(t, game))
		if err == nil || !strings.Contains(err.Error(), level) || !strings.Contains(err.Error(), "needs") {
			t.Errorf("%s in %s: %v", level, game, err)
		}
	}
}

// The name of a tier in a report names the same agent elsewhere.
func TestTiersByName(t *testing.T) {
	g := enginetest.Load(t, "vanishing")
	for _, want := range []agents.Spec{agents.AlphaBeta(8000), agents.Varied(800), agents.TreeSearch(80)} {
		got, _ := loadSpec(t, want.Name).Effective(g)
		if same, _ := want.Effective(g); got != same {
			t.Errorf("%s: got %s, want %s", want.Name, got, same)
		}
	}
}
