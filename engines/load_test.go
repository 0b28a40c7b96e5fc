package engines_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file under testdata, or writes the file with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want := must.Get(os.ReadFile(file))(t)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-), now (+); run with -update when it should change\n%s", file, diff)
	}
}

// All mistakes of a rules file come at once, each with its place, its line, and what was meant.
func TestAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	for name, mistakes := range map[string]int{
		"five": 5, "meaning": 5, "mixed": 4,
		"size": 2, "line": 2, "goal": 3, "stuck": 1, "split": 1, // pictures, lines, goals and sides that cannot be
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := must.Get(os.ReadFile(filepath.Join("testdata", "load", name+".yaml")))(t)
			g, err := engines.Load(name+".yaml", data)
			var es strict.Errors
			if g != nil || !errors.As(err, &es) || !strict.IsBadInput(err) {
				t.Fatalf("loaded %v, error %v: want a list of mistakes", g, err)
			}
			if len(es) != mistakes {
				t.Errorf("%d mistakes, want %d", len(es), mistakes)
			}
			golden(t, filepath.Join("load", name+".txt"), err.Error()+"\n")
		})
	}
}

// base is a plain game; the combinations below change it.
const base = "name: base\nboard: {columns: 5, rows: 5}\nwin: {line: 4}\n"

// Every combination that makes no sense is refused by the name of the knob that is best changed.
func TestImpossibleCombinations(t *testing.T) {
	t.Parallel()
	read := func(changes ...string) error {
		_, err := engines.Load("base.yaml", []byte(base), changes...)
		return err
	}
	enginetest.Mistakes(t, "testdata/load/impossible.txt", *update, read)
}

// The largest board, the longest line, the tightest supply and cap are accepted: the refusals above begin right behind
// them.
func TestPossibleCombinations(t *testing.T) {
	t.Parallel()
	for name, set := range map[string][]string{
		"121 cells":                     {"board.columns=11", "board.rows=11", "win.line=11"},
		"a line as long as the board":   {"win.line=5"},
		"a line once round a torus":     {"board.wrap=torus", "win.line=5"},
		"a supply of half of the board": {"pieces.supply=12"},
		"supplies that fill the board":  {"pieces.supply=20", "second={supply: 5}"},
		"a supply that fills the home":  {"territory=halves", "placement.region=home", "pieces.supply=10"},
		"a supply with room for what returns": {
			"territory=halves", "placement.region=home", "pieces.supply=5",
			"movement.capture=true", "movement.captured=return",
		},
		"a cap of the line":                 {"pieces.cap=4"},
		"a cap below the line, lines first": {"pieces.cap=3", "pieces.removal=after_win"},
		"gravity where columns wrap":        {"placement.gravity=true", "board.wrap=columns"},
		"jumps round a torus of five":       {"board.wrap=torus", "pieces.supply=6", "movement.capture=true"},
		"a wrap of three columns":           {"board.columns=3", "board.wrap=columns"},
		"a chain of the whole supply":       {"win.line=0", "pieces.supply=5", "win.connect=top_bottom"},
		"a pattern of the cap, lines first": {
			"win.line=0", "pieces.cap=3", "pieces.removal=after_win",
			"win.pattern=[square]",
		},
		"a pattern of more, by flips": {
			"win.line=0", "pieces.supply=3", "custodian.effect=flip",
			"win.pattern=[square]",
		},
		"captures of all that returns": {
			"win.line=0", "pieces.supply=3", "movement.capture=true",
			"movement.captured=return", "win.captures=9",
		},
		"an opening of 60 plies":                {"placement.opening=[{plies: 60, region: anywhere}]"},
		"the last to move wins, and no lines":   {"win.line=0", "no_moves=loss"},
		"the second occurrence draws":           {"draw.repetition=2"},
		"pieces that only step, and by the row": {"pieces.supply=6", "movement.steps=rook"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := engines.Load("base.yaml", []byte(base), set...); err != nil {
				t.Error(err)
			}
		})
	}
}

// A file that states a knob without effect is refused; an override that switches a mechanic off takes what depends on
// it along.
func TestOverrideSwitchesDependantsOff(t *testing.T) {
	t.Parallel()
	const jumping = `
name: jumping
board: {columns: 6, rows: 6}
pieces: {supply: 6}
movement: {steps: king, capture: true, multi_jump: true, forced_capture: true}
win: {line: 3}
`
	off := strings.Replace(jumping, "capture: true, multi", "capture: false, multi", 1)
	_, err := engines.Load("f.yaml", []byte(off))
	want := "f.yaml:5:53: movement.multi_jump: this key needs capture: true"
	if err == nil || !strings.Contains(err.Error(), want) ||
		!strings.Contains(err.Error(), "movement.forced_capture: this key needs capture: true") {
		t.Errorf("a file with capture off and its dependants on: %v\nlacks: %s", err, want)
	}
	g := must.Get(engines.Load("f.yaml", []byte(jumping), "movement.capture=false"))(t)
	if m := g.Rules().Movement; m.Capture || m.MultiJump.On() || m.ForcedCapture.On() || m.Steps != "king" {
		t.Errorf("the override left %+v", m)
	}
	if g, err = engines.Load("f.yaml", []byte(jumping)); err != nil || !g.Rules().Movement.ForcedCapture.On() {
		t.Errorf("without the override: %v", err)
	}
	// Also when another override states them: the original programs ignore them then, and the golden traces have such
	// games.
	g, err = engines.Load("f.yaml", []byte(jumping), "movement.capture=false", "movement.forced_capture=true")
	if err != nil || g.Rules().Movement.ForcedCapture.On() {
		t.Errorf("an override of a dependant: %v", err)
	}
}

// Maps of knobs, as tournament files and records state them, are overrides of any kind of value.
func TestOverrides(t *testing.T) {
	t.Parallel()
	got := rules.Overrides(map[string]any{
		"pieces.cap": 8, "board.wrap": "torus", "turn.pie": true, "draw.max_plies": float64(100000), "clock.seconds": 2.5,
		"title":             nil,
		"placement.opening": []any{map[string]any{"plies": 2, "region": "home"}},
	})
	want := []string{
		"board.wrap=torus", "clock.seconds=2.5", "draw.max_plies=100000", "pieces.cap=8",
		`placement.opening=[{"plies":2,"region":"home"}]`, "title=null", "turn.pie=true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	g := load(t, "checkerboard",
		map[string]any{"placement.opening": []any{map[string]any{"plies": 3, "region": "second_home"}}})
	if o := g.Rules().Placement.Opening; len(o) != 1 ||
		!reflect.DeepEqual(o[0], rules.Stage{Plies: 3, Region: "second_home"}) {
		t.Errorf("opening %+v", o)
	}
}

// Equal rules have equal hashes, however they are written; every knob that decides play changes the hash.
func TestRulesHash(t *testing.T) {
	t.Parallel()
	a := must.Get(engines.Load("a.yaml", []byte(base)))(t)
	b := must.Get(engines.Load("b.yaml",
		[]byte("win:\n  line: 4 # four\nboard:\n  rows: 5\n  columns: 5\nname: base\nterritory: none\n")))(t)
	if a.RulesHash() != b.RulesHash() {
		t.Error("the same rules, written in two ways, have two hashes")
	}
	for _, o := range []string{
		"win.line=3", "win.overlines=false", "pieces.cap=5", "board.wrap=torus", "draw.max_plies=9",
		"no_moves=draw",
	} {
		c := must.Get(engines.Load("a.yaml", []byte(base), o))(t)
		if c.RulesHash() == a.RulesHash() {
			t.Errorf("%s does not change the hash", o)
		}
	}
}

// FuzzLoad holds that no file and no override makes Load panic, and that what it accepts can be played.
func FuzzLoad(f *testing.F) {
	for _, name := range configs.Names(configs.Games) {
		_, data := must.Get2(configs.Read(configs.Games, name))(f)
		f.Add(data, "pieces.cap=5")
	}
	f.Add([]byte(base), "win={line: 3}")
	f.Add([]byte(base), "win.line=[1]")
	f.Add([]byte("name: a\nboard: &b {columns: 3, rows: 3}\nwin: *b"), "board=*b")
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte, override string) {
		defer watch()()
		g, err := engines.Load("f.yaml", data, override)
		if err != nil {
			return
		}
		for p := g.NewPosition(); !p.Over() && p.Ply() < 30; {
			p.Play(p.AppendMoves(nil)[0])
		}
	})
}
