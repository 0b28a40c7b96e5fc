package handover

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/handover/inpage"
)

// A page holds the rules and nets of its own games and of no others, and says who wins where that is stored.
func TestPageHoldsItsGames(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	games := []*engines.Game{enginetest.Load(t, "ctor"), enginetest.Load(t, "hexapawn")}
	must.Do(t, Check(games))
	must.Do(t, Write(&b, games, &Built{Wasm: []byte("wasm"), Loader: "loader"}))
	files := must.Get(archive(games))(t)
	for _, want := range []string{"games/ctor.yaml", "agents/ctor/learned.net", "agents/ctor/newest.net", "games/hexapawn.yaml"} {
		if !bytes.Contains(files, []byte(want)) {
			t.Errorf("no file %s", want)
		}
	}
	if bytes.Contains(files, []byte("rolling")) {
		t.Error("the page holds files of another game")
	}
	if page := b.String(); !strings.Contains(page, "With perfect play the Black player wins") ||
		!strings.Contains(page, "loader") {
		t.Error("the page lacks the exact value or the loader")
	}
	if err := Check([]*engines.Game{games[0], games[0]}); !errors.Is(err, ErrGames) {
		t.Errorf("two games of one name: %v", err)
	}
}

// A game on a page goes as its buttons say: moves, the answer of the agent, undo, hints, an end with a copy of the
// game.
func TestGameOnAPage(t *testing.T) {
	t.Parallel()
	p := &inpage.Page{Rules: func(name string) (*engines.Game, error) { return engines.Named(name) }}
	ask := func(what string, form url.Values, want ...string) {
		t.Helper()
		answer := p.Answer(what, form)
		for _, w := range want {
			if !regexp.MustCompile(w).MatchString(answer) {
				t.Errorf("%s %v: %q is not in %s", what, form, w, answer)
			}
		}
	}
	ask("move", url.Values{}, "No game has started|no game has started")
	ask("new", url.Values{"game": {"classic"}, "level": {"medium"}, "seed": {"3"}}, `data-ply="0"`, "Your move \\(X\\)")
	ask("move", url.Values{"ply": {"0"}, "move": {"b2"}}, `data-ply="1" data-digits data-think`, "thinking")
	ask("move", url.Values{"ply": {"0"}, "move": {"a1"}}, "The position has changed")
	ask("think", nil, `data-ply="2"`, "Your move")
	ask("hint", url.Values{"ply": {"2"}}, "marked region")
	ask("undo", url.Values{"ply": {"2"}}, `data-ply="0"`)
	ask("redo", url.Values{"ply": {"0"}}, `data-ply="2"`)
	ask("move", url.Values{"ply": {"2"}, "move": {"z9"}}, `role="alert"`)
	ask("new", url.Values{
		"game": {"classic"}, "level": {"people"}, "seed": {"3"}, "moves": {"a1 b1 a2 b2"},
		"rules": {"5ea68b04a4bccb5a"},
	}, `data-ply="4"`)
	ask("move", url.Values{"ply": {"4"}, "move": {"a3"}}, "X made three in a row and won",
		`id="copy" readonly value="a1 b1 a2 b2 a3"`)
	ask("new", url.Values{"game": {"classic"}, "level": {"people"}, "seed": {"3"}, "rules": {"0"}}, "different rules")
}

// A page that lacks a game says so.
func TestSelfPlayOfNoGame(t *testing.T) {
	t.Parallel()
	if got := inpage.SelfPlayText(url.Values{
		"game": {"no-such-game"}, "agent": {"greedy"},
		"plies": {"2"},
	}); !strings.HasPrefix(got, "error: ") {
		t.Errorf("%q", got)
	}
}

var update = flag.Bool("update", false, "write the list of sources")

// The list has every file that the engine of a page is compiled from, with its hash; -update writes it. A file that has
// changed since the program was built, or a program that does not know its sources, is an error that says what to do.
func TestSourceOfTheModule(t *testing.T) {
	const root = "../.."
	c := exec.Command("go", "list", "-deps", "-f", `{{if and .Module .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}`+
		"{{$d}}/{{.}}\n{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}\n{{end}}{{end}}", "./cmd/page")
	c.Dir, c.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out := must.Get(c.Output())(t)
	top := must.Get(filepath.Abs(root))(t)
	var want strings.Builder
	names := append(strings.Fields(string(out)), top+"/go.mod", top+"/go.sum")
	slices.Sort(names)
	for _, file := range names {
		text := must.Get(os.ReadFile(file))(t)
		fmt.Fprintf(&want, "%x %s\n", sha256.Sum256(text), filepath.ToSlash(strings.TrimPrefix(file, top+"/")))
	}
	if strings.Contains(want.String(), " reports/chart/") {
		t.Error("the engine of a page contains charts, which double its size: mark what needs them with go:build !js")
	}
	if *update {
		must.Do(t, os.WriteFile("sources.txt", []byte(want.String()), 0o644))
		return
	}
	if list != want.String() {
		t.Error("sources.txt is not current: go test ./reports/handover -update writes it")
	}
	if err := copySources(root, t.TempDir()); err != nil {
		t.Error(err)
	}
	other := t.TempDir()
	first := strings.Fields(list)[1]
	must.Do(t, os.MkdirAll(filepath.Join(other, filepath.Dir(first)), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(other, first), []byte("package agents"), 0o644))
	must.Fail(t, copySources(other, t.TempDir()), "build spar again")
	t.Setenv("PATH", "")
	must.Refuse(Module(t.Context()))(t, "release archive")
}
