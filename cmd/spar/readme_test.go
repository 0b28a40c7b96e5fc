package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"spar/arena/store"
	"spar/configs/must"
)

// smaller is what makes the same commands cheap: it is not tested here how fast, how strong or how true what they do
// is.
var smaller = [][2]string{
	{"--seconds 1", "--seconds 0.01"},
	{"balance my-game.yaml", "balance my-game.yaml --effort quick --minutes 0.05"},
	{"balance vanishing", "balance classic --inquiry=false"}, // reports on vanishing solve its neighbours, too
	{`--target "completion>=95%"`, `--target "completion>=75%"`},
	{"sweep vanishing-size", `sweep vanishing-size --set "knobs=[{knob: pieces.cap, from: 3, to: 4}]"`},
	{"5x5-win4 4x4-lose3", "4x4-lose3 --memory 8MB"},
	{"--games 20000", "--games 500"},       // of self-play
	{"--gate-nodes 100", "--gate-pairs 0"}, // the script learn has a gate
	{"--pairs 5 --nodes 100", "--pairs 1 --nodes 20"},
	{"kind=linear --pairs 5", "kind=linear --pairs 1"},
	{"--set games=10 --set fresh=20", "--set games=2 --set fresh=2 --set ladder=4"},
	{`"games=[rolling, vanishing, ctor]"`, `"games=[classic, ctor]"`},
	{"tune quickstart", "tune quickstart --set games=150"}, // the script tune has all of them
	{"tune validate quickstart", "tune validate quickstart --set games=150"},
	{"tune report quickstart", "tune report quickstart --set games=150"},
	{"--positions 500", "--positions 100"},
}

// guides are the documents for users. The least numbers of commands and of shown outputs show that none is skipped.
var guides = []struct {
	path            string
	commands, shown int
}{
	{"README.md", 8, 2},
	{"engines/README.md", 10, 0},
	{"agents/README.md", 5, 0},
	{"arena/README.md", 7, 0},
	{"ratings/README.md", 5, 0},
	{"tuning/README.md", 6, 0},
	{"reports/README.md", 6, 1},
}

// Every command of a guide runs, in order, in one empty folder: lines that begin with "spar", pipes into spar and queries
// of sqlite3. A block of YAML that begins with the comment "# NAME.yaml" becomes that file. After "$ spar ..." its output
// is shown, with a line "..." for any number of lines; it runs once for all guides, in a folder of its own. No guide is
// longer than 8,000 bytes.
func TestGuides(t *testing.T) {
	t.Parallel()
	shown, folders := sync.Map{}, t.TempDir()
	for _, g := range guides {
		t.Run(g.path, func(t *testing.T) {
			t.Parallel()
			text := must.Get(os.ReadFile("../../" + g.path))(t)
			if len(text) > 8000 {
				t.Errorf("%d bytes, expected at most 8,000", len(text))
			}
			dir, lines := t.TempDir(), strings.Split(string(text), "\n")
			commands, outputs := 0, 0
			for i, line := range lines {
				if name, ok := strings.CutPrefix(line, "# "); ok && strings.HasSuffix(name, ".yaml") && lines[i-1] == "```yaml" {
					file, _, _ := strings.Cut(strings.Join(lines[i:], "\n"), "```")
					must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(file), 0o600))
				}
				line, _, _ = strings.Cut(line, "   #")
				line = strings.TrimSpace(line)
				input := ""
				for _, piped := range []string{"echo '", "printf '"} {
					if rest, ok := strings.CutPrefix(line, piped); ok {
						input, line, _ = strings.Cut(rest, "' | ")
						input = strings.ReplaceAll(input, `\n`, "\n")
					}
				}
				if query, ok := strings.CutPrefix(line, "sqlite3 "); ok {
					w := words(query)
					if err := printsRows(filepath.Join(dir, w[0]), w[1]); err != nil {
						t.Errorf("%s: %v", line, err)
					}
					continue
				}
				line, show := strings.CutPrefix(line, "$ ")
				if !show {
					for _, less := range smaller {
						line = strings.Replace(line, less[0], less[1], 1)
					}
				}
				args, ok := strings.CutPrefix(line, "spar ")
				if !ok {
					continue
				}
				commands++
				call := func(dir string) string {
					var out, problems bytes.Buffer
					c := exec.Command("spar", words(args)...)
					c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, strings.NewReader(input), &out, &problems
					if err := c.Run(); err != nil {
						t.Errorf("spar %s: %v\n%s", args, err, problems.String())
					}
					if out.Len()+problems.Len() == 0 && !strings.Contains(args, "--out ") {
						t.Errorf("spar %s printed nothing", args)
					}
					return out.String()
				}
				if !show {
					call(dir)
					continue
				}
				at := filepath.Join(folders, args)
				once, _ := shown.LoadOrStore(args, sync.OnceValue(func() string {
					must.Do(t, os.Mkdir(at, 0o700))
					return call(at)
				}))
				out := once.(func() string)()
				must.Do(t, os.CopyFS(dir, os.DirFS(at)))
				outputs++
				end := i + 1
				for lines[end] != "```" && !strings.HasPrefix(lines[end], "$ ") {
					end++
				}
				if want := lines[i+1 : end]; !prints(strings.Split(strings.TrimSpace(out), "\n"), want) {
					t.Errorf("$ spar %s printed\n%s\nexpected\n%s", args, out, strings.Join(want, "\n"))
				}
			}
			if commands < g.commands || outputs < g.shown {
				t.Errorf("%d commands found, %d with output; expected at least %d and %d", commands, outputs, g.commands, g.shown)
			}
		})
	}
}

// prints reports whether lines are those that a document shows.
func prints(lines, shown []string) bool {
	if len(shown) == 0 || shown[0] == "" && len(shown) == 1 {
		return len(lines) == 0
	}
	if shown[0] == "..." {
		for i := range len(lines) + 1 {
			if prints(lines[i:], shown[1:]) {
				return true
			}
		}
		return false
	}
	return len(lines) > 0 && strings.TrimRight(lines[0], " ") == shown[0] && prints(lines[1:], shown[1:])
}

// words splits a command line at spaces outside double quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// printsRows runs a query that gives something.
func printsRows(path, query string) error {
	db, err := sql.Open(store.Driver, "file:"+path)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return cmp.Or(rows.Err(), errors.New("no rows"))
	}
	return nil
}
