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
	"testing"

	"spar/arena/store"
)

// smaller is what makes the same commands cheap: it is not tested here how fast, how strong or how true what they do
// is.
var smaller = [][2]string{
	{"--seconds 1", "--seconds 0.01"},
	{"balance vanishing", "balance classic --inquiry=false"}, // reports on vanishing solve its neighbours, too
	{`balance-vanishing.db --target "completion>=95%"`, `balance-classic.db --target "completion>=75%"`},
	{"sweep vanishing-size", `sweep vanishing-size --set "knobs=[{knob: pieces.cap, from: 3, to: 4}]"`},
	{"5x5-win4 4x4-lose3", "4x4-lose3 --memory 8MB"},
	{"--games 20000", "--games 500"},       // of self-play
	{"--gate-nodes 100", "--gate-pairs 0"}, // the script learn has a gate
	{"--pairs 5 --nodes 100", "--pairs 1 --nodes 20"},
	{"kind=linear --pairs 5", "kind=linear --pairs 1"},
	{"--set games=10 --set fresh=20", "--set games=2 --set fresh=2 --set ladder=4"},
	{`"games=[rolling, vanishing, ctor]"`, `"games=[classic, ctor]"`},
	{"ctor/learned --games 200", "ctor/learned --games 20"},
	{"tune quickstart", "tune quickstart --set games=150"}, // the script tune has all of them
	{"tune validate quickstart", "tune validate quickstart --set games=150"},
	{"tune report quickstart", "tune report quickstart --set games=150"},
	{"--positions 500", "--positions 100"},
}

// Every "spar ..." command of the README runs, in order, in one empty folder.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	commands, queries := 0, 0
	for line := range strings.SplitSeq(string(text), "\n") {
		line, _, _ = strings.Cut(line, "   #")
		line = strings.TrimSpace(line)
		input := ""
		if rest, ok := strings.CutPrefix(line, "echo '"); ok {
			var piped string
			if input, piped, ok = strings.Cut(rest, "' | "); !ok {
				continue
			}
			line = piped
		}
		if query, ok := strings.CutPrefix(line, "sqlite3 "); ok {
			queries++
			w := words(query)
			if err := printsRows(filepath.Join(dir, w[0]), w[1]); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			continue
		}
		for _, less := range smaller {
			line = strings.Replace(line, less[0], less[1], 1)
		}
		args, ok := strings.CutPrefix(line, "spar ")
		if !ok {
			continue
		}
		commands++
		var out, problems bytes.Buffer
		c := exec.Command("spar", words(args)...)
		c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, strings.NewReader(input), &out, &problems
		if err := c.Run(); err != nil {
			t.Errorf("spar %s: %v\n%s", args, err, problems.String())
		}
		if out.Len() == 0 {
			t.Errorf("spar %s printed nothing", args)
		}
	}
	if queries < 3 {
		t.Errorf("only %d queries found in the README", queries)
	}
	if commands < 15 {
		t.Errorf("only %d commands found in the README", commands)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "out", "*.db")); len(files) == 0 {
		t.Error("no study was written")
	}
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
