package tuning_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/tuning"
)

// small is a tuning of a second: the six weights that matter most in vanishing tic-tac-toe.
const small = `
name: small
rules: vanishing
agent: handmade
parameters: ["weights.*"]
method: spsa
games: 240
openings: {plies: 3}
checks: {points: 2, pairs: 10, pool: [random]}
validation: {pairs: 30, max_pairs: 40, pool: [random]}
seed: 5
`

func load(t *testing.T, text string, set ...string) *tuning.Tuning {
	t.Helper()
	x := must.Get(tuning.Load("small.yaml", []byte(text),
		append([]string{"database=" + filepath.Join(t.TempDir(), "study.db")}, set...)...))(t)
	return x
}

func open(t *testing.T, x *tuning.Tuning) *store.DB {
	t.Helper()
	db := storetest.Open(t, x.Database)
	return db
}

// stopAfter is a Progress that stops the run after some steps.
func stopAfter(steps int, stop context.CancelFunc) tuning.Progress {
	return func(s tuning.Status) {
		if s.Check != nil {
			return
		}
		if steps--; steps == 0 {
			stop()
		}
	}
}

func run(t *testing.T, x *tuning.Tuning) *tuning.Result {
	t.Helper()
	r := must.Get(x.Run(t.Context(), open(t, x), nil))(t)
	r.Played = 0
	return r
}

func methods() []string { return []string{"spsa", "td", "regression", "pipeline"} }

// The result does not depend on the number of workers, nor on how often the run was stopped.
func TestSameResultOnAnyWorkersAndAfterAnyStops(t *testing.T) {
	t.Parallel()
	for _, method := range methods() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			set := []string{"method=" + method}
			want := run(t, load(t, small, append(set, "workers=1")...))
			if last := want.Course[len(want.Course)-1]; want.Games != 240 || last.Games != 240 ||
				last.Score == 0.5 && method == "regression" { // the seat decides in these rules
				t.Errorf("%d games, the course ends at %d, want 240", want.Games, last.Games)
			}
			if got := run(t, load(t, small, append(set, "workers=8")...)); !reflect.DeepEqual(got, want) {
				t.Errorf("8 workers: %v\n1 worker:  %v", got.Changes, want.Changes)
			}
			x := load(t, small, append(set, "workers=3")...)
			db := open(t, x)
			stops := 0
			for {
				ctx, cancel := context.WithCancel(t.Context())
				r, err := x.Run(ctx, db, stopAfter(3+15*stops, cancel))
				cancel()
				if told := (*arena.StoppedError)(nil); errors.As(err, &told) {
					if told.Total != 240+2*2*10+3*2*10 || told.Before+told.Played > told.Total {
						t.Errorf("stopped with %d and %d games of %d, want 240, two checks of 40 and the start's 20", told.Before, told.Played,
							told.Total)
					}
					stops++
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				r.Played = 0
				if !reflect.DeepEqual(r, want) {
					t.Errorf("after %d stops: %v\nundisturbed: %v", stops, r.Changes, want.Changes)
				}
				break
			}
			if stops == 0 && method != "regression" {
				t.Error("the run was never stopped")
			}
			again := must.Get(x.Recall(t.Context(), db))(t)
			if again.Played = 0; !reflect.DeepEqual(again, want) {
				t.Error("the result recalled from the study differs")
			}
		})
	}
}

// A start whose weights have the wrong signs is put right by every method: the tuned agent beats it by far on games
// that the training did not see, and does better against the weights before they were spoilt. (That the optimisers come
// within a few Elo of a planted optimum is tested on known surfaces, in package optimise.)
func TestPlantedWeightsAreFound(t *testing.T) {
	t.Parallel()
	spoilt := filepath.Join(t.TempDir(), "spoilt.yaml")
	start := "type: heuristic\nweights: {own_need_1: -4, enemy_need_1: 4, own_centre: -4, enemy_centre: 4, own_need_2: " +
		"4, enemy_need_2: -4, enemy_ready: -4, own_lines: -2, own_expiring: 1, enemy_expiring: 1, enemy_lines: 1, " +
		"own_threats: -4, own_double: -4, enemy_threats: 4, enemy_double: 4}\n"
	writeFile(t, spoilt, start)
	for _, method := range methods() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			x := load(t, small, "method="+method, "agent="+spoilt, "games=1200", "checks.points=0", "validation.pairs=60",
				"validation.pool=[handmade]")
			db := open(t, x)
			r := must.Get(x.Run(t.Context(), db, nil))(t)
			e := must.Get(x.Validate(t.Context(), db, r.Tuned, nil, nil))(t)
			hand := e.Pool[0]
			t.Logf("%s: %+.0f Elo over the start (from %+.0f); %.0f %% against the weights before they were spoilt, the start "+
				"had %.0f %%",
				method, e.Direct.Elo.Value, e.Direct.Elo.Interval.Lo, 100*hand.Tuned.Score.Value, 100*hand.Start.Score.Value)
			if e.Direct.Elo.Interval.LoOpen || e.Direct.Elo.Interval.Lo < 50 {
				t.Errorf("%+.0f Elo, from %+.0f, is no recovery", e.Direct.Elo.Value, e.Direct.Elo.Interval.Lo)
			}
			if hand.Tuned.Score.Value < hand.Start.Score.Value+0.05 {
				t.Errorf("%.2f against the weights before they were spoilt, the start had %.2f", hand.Tuned.Score.Value,
					hand.Start.Score.Value)
			}
		})
	}
}

// Where nothing can be found nothing is found: the sequential test does not accept, and the differences are within two
// standard errors of 0. Once an agent is examined against itself, once the whole run tunes a knob without effect (the
// parameter of a noise that is off).
func TestNothingIsFoundWhereThereIsNothing(t *testing.T) {
	t.Parallel()
	for name, set := range map[string][]string{
		"itself": {"validation.pairs=200", "validation.max_pairs=200", "openings.plies=4"},
		"dead knob": {
			"agent={agent: mcts-100, set: {budget.iterations: 15}}", "games=100",
			"parameters=[{path: mcts.noise_alpha, min: 0, max: 10}]", "validation.pairs=150", "validation.max_pairs=150",
			"validation.pool=[]", "validation.deeper_pairs=60",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := load(t, small, set...)
			db := open(t, x)
			candidate := x.Start
			if name == "dead knob" {
				r := must.Get(x.Run(t.Context(), db, nil))(t)
				candidate = r.Tuned
			}
			e := must.Get(x.Validate(t.Context(), db, candidate, nil, nil))(t)
			if e.SPRT.State == "accept_h1" {
				t.Errorf("the sequential test takes an agent to be better than itself: %+v", e.SPRT)
			}
			for name, m := range map[string]tuning.Match{"direct": e.Direct, "deeper": e.Deeper} {
				if d := m.Score.Value - 0.5; d > 2*m.Score.SE || d < -2*m.Score.SE {
					t.Errorf("%s: score %.3f ± %.3f against itself", name, m.Score.Value, m.Score.SE)
				}
			}
			if e.Look != 1 || len(e.Earlier) != 0 {
				t.Errorf("look %d, earlier %v", e.Look, e.Earlier)
			}
		})
	}
}

// Another candidate of the same tuning plays games of its own and is counted; the same one is the same look.
func TestLooksAreCounted(t *testing.T) {
	t.Parallel()
	x := load(t, small, "validation.max_pairs=8", "validation.pairs=4", "validation.pool=[]")
	db := open(t, x)
	other := must.Get(agents.LoadSpec("greedy", "weights.own_need_1=3"))(t)
	for i, c := range []struct {
		spec agents.Spec
		look int
	}{{x.Start, 1}, {other, 2}, {x.Start, 1}} {
		e := must.Get(x.Validate(t.Context(), db, c.spec, nil, nil))(t)
		if e.Look != c.look || len(e.Earlier) != c.look-1 {
			t.Errorf("validation %d: look %d after %v, want %d", i, e.Look, e.Earlier, c.look)
		}
	}
	seeds := map[int64]string{}
	openings := map[string]string{}
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		if old, ok := seeds[row.Seed]; ok && old != row.EventName {
			t.Errorf("%s and %s share a seed", old, row.EventName)
		}
		if seeds[row.Seed] = row.EventName; row.Seed < 0 {
			t.Errorf("%s has the seed %d", row.EventName, row.Seed)
		}
		openings[strings.Join(strings.Fields(row.Moves)[:row.OpeningPlies], " ")] = row.EventName
	}
	if len(seeds) != 2 {
		t.Errorf("%d seeds for two looks", len(seeds))
	}
}

// The training and the examination share no opening, not even one that a symmetry turns into another.
func TestOpeningsAreDisjoint(t *testing.T) {
	t.Parallel()
	for _, rules := range []string{"vanishing", "checkerboard", "torus-vanishing"} {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			x := load(t, small, "rules="+rules, "games=160", "validation.pool=[]", "validation.deeper_pairs=1",
				"validation.pairs=30", "validation.max_pairs=30", "openings.plies=3")
			db := open(t, x)
			must.Get(x.Run(t.Context(), db, nil))(t)
			must.Get(x.Validate(t.Context(), db, x.Start, nil, nil))(t)
			seen := map[string]map[string]bool{}
			for _, row := range storetest.Games(t, db, store.Filter{}) {
				where := "training"
				if strings.Contains(row.EventName, "validation") {
					where = "examination"
				}
				p := x.Game.NewPosition()
				must.Do(t, p.PlayText(strings.Fields(row.Moves)[:row.OpeningPlies]))
				for _, s := range x.Game.Symmetries() { // every image of the opening, as text
					image := p.Transform(s)
					text := image.Text()
					if seen[text] == nil {
						seen[text] = map[string]bool{}
					}
					seen[text][where] = true
				}
			}
			if len(seen) < 10 {
				t.Fatalf("only %d positions", len(seen))
			}
			for text, where := range seen {
				if len(where) > 1 {
					t.Errorf("%s begins games of the training and of the examination", text)
				}
			}
		})
	}
}

var update = flag.Bool("update", false, "write the golden files")

// What is wrong with a file is said before the first game, with its place and what would be right.
func TestMistakesInAFile(t *testing.T) {
	t.Parallel()
	enginetest.Mistakes(t, "testdata/mistakes.txt", *update, func(changes ...string) error {
		_, err := tuning.Load("small.yaml", []byte(small), changes...)
		return err
	})
}

// A study that was begun with another plan is refused, and nothing is played.
func TestAnotherPlanIsRefused(t *testing.T) {
	t.Parallel()
	x := load(t, small, "checks.points=0")
	run(t, x)
	y := must.Get(tuning.Load("small.yaml", []byte(small), "database="+x.Database, "checks.points=0", "games=300"))(t)
	var plan *store.PlanError
	if _, err := y.Run(t.Context(), open(t, y), nil); !errors.As(err, &plan) {
		t.Errorf("another number of games: %v", err)
	}
	z := must.Get(tuning.Load("small.yaml", []byte(small), "database="+x.Database, "name=other",
		"rules={rules: vanishing, set: {pieces.cap: 4}}", "games=300"))(t)
	if _, err := z.Run(t.Context(), open(t, z), nil); err != nil {
		t.Errorf("other rules under another name: %v", err)
	}
}

// The file of a tuned agent reads back as the agent, whatever its type.
func TestAgentFilesReadBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"greedy", "handmade", "minimax-2", "mcts-100", "uct-1k", "random"} {
		s := must.Get(agents.LoadSpec(name))(t)
		s.Late, s.LateFrom = nil, 0
		text := must.Get(tuning.AgentYAML(s, "A comment\nof two lines."))(t)
		got, err := agents.ParseSpec(name, text, name)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		got.Chosen, s.Chosen = nil, nil // a file that was written states other keys than one by hand
		if !reflect.DeepEqual(got, s) {
			t.Errorf("%s: read back as %+v\nwas %+v", name, got, s)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}
