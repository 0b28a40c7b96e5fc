package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"spar/arena/store"
	"spar/configs/must"
)

var update = flag.Bool("update", false, "write the golden files, and those in scripts, anew")

// The test binary is spar itself when it is called so, as it is on the PATH of tests.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as enginetest.CollectSeldom, which would bring its imports along
	}
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "spar" {
		if os.Getenv(residentOf) != "" {
			reside()
		}
		os.Exit(call(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	own, err := os.Executable()
	folder, err2 := os.MkdirTemp(filepath.Dir(own), "bin")
	if err := errors.Join(err, err2, os.Link(own, filepath.Join(folder, "spar"+strings.TrimPrefix(filepath.Ext(own), ".test"))),
		os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// TestScripts runs testdata/script/*.txtar, which specify the command line. Besides the commands of testscript they have
//
//	spar ARGUMENTS...              a call of spar in the script's resident process; "exec spar" starts a process for it
//	input FILE                     what the next such call reads
//	exits CODE spar ARGUMENTS...   the call ends with exactly that code
//	cmpjson FILE FILE [KEY...]     the same JSON objects line by line but for surplus games, the keys named left out
//	jsonlines FILE N               N lines, each a JSON object
//	await STUDY [N]                wait until the study exists, and holds N games
//
// $EXAMPLES is configs/examples, $PYTHON a Python 3: one with NumPy where there is one. [python] tells whether there is any.
func TestScripts(t *testing.T) {
	t.Parallel()
	printed := t.TempDir()
	examples := must.Get(filepath.Abs("../../configs/examples"))(t)
	python := findPython()
	t.Cleanup(func() { checkPrinted(t, printed) }) // after all scripts
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv(printedFolder, printed)
			env.Setenv("EXAMPLES", examples)
			env.Setenv("PYTHON", python)
			env.Values[residentOf] = &resident{env: env.Vars}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"spar":      scriptSpar,
			"input":     func(ts *testscript.TestScript, _ bool, args []string) { residentIn(ts).input = ts.ReadFile(args[0]) },
			"exits":     scriptExits,
			"cmpjson":   scriptCmpJSON,
			"jsonlines": scriptJSONLines,
			"await":     scriptAwait,
			"sql":       scriptSQL,
		},
		Condition: func(name string) (bool, error) {
			if name != "python" {
				return false, fmt.Errorf("%s: expected python", name)
			}
			return python != "", nil
		},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// findPython prefers a Python with NumPy: the one of a package manager may be behind another on the PATH.
func findPython() string {
	found := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		// The name may be a script that needs PATH to find the interpreter: ask the interpreter for its own path.
		path, err := exec.Command(name, "-c", "import sys; print(sys.executable)").Output()
		if err != nil {
			continue
		}
		python := strings.TrimSpace(string(path))
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return python
		}
		found = cmp.Or(found, python)
	}
	return found
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if neg || err != nil || args[1] != "spar" {
		ts.Fatalf("usage: exits CODE spar ARGUMENTS...")
	}
	if got := residentIn(ts).call(ts, args[2:]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func readObjects(ts *testscript.TestScript, file string) []map[string]any {
	var objects []map[string]any
	for line := range strings.Lines(ts.ReadFile(file)) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			ts.Fatalf("%s: not a JSON object: %v: %s", file, err, line)
		}
		objects = append(objects, o)
	}
	return objects
}

func scriptCmpJSON(ts *testscript.TestScript, neg bool, args []string) {
	surplus := func(o map[string]any) bool { // how many games are played ahead of a decision depends on the workers
		marks, _ := o["marks"].(string)
		return strings.Contains(marks, "surplus")
	}
	a := slices.DeleteFunc(readObjects(ts, args[0]), surplus)
	b := slices.DeleteFunc(readObjects(ts, args[1]), surplus)
	for _, key := range args[2:] {
		for _, o := range append(a[:len(a):len(a)], b...) {
			delete(o, key)
		}
	}
	if reflect.DeepEqual(a, b) == neg {
		ts.Fatalf("equal is %t\n%s\n%s", !neg, ts.ReadFile(args[0]), ts.ReadFile(args[1]))
	}
}

func scriptJSONLines(ts *testscript.TestScript, _ bool, args []string) {
	if got := len(readObjects(ts, args[0])); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%d lines, want %s", got, args[1])
	}
}

func scriptAwait(ts *testscript.TestScript, _ bool, args []string) {
	want := 0
	if len(args) > 1 {
		var err error
		if want, err = strconv.Atoi(args[1]); err != nil {
			ts.Fatalf("usage: await STUDY [N]")
		}
	}
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		if n, err := storedGames(ts.MkAbs(args[0]), want); err == nil && n >= want {
			return
		}
	}
	ts.Fatalf("%s: still waiting after 20 s", args[0])
}

// scriptSQL changes a study as another program would: sql STUDY FILE.
func scriptSQL(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open(store.Driver, "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(ts.ReadFile(args[1]))
	ts.Check(err)
}

// storedGames counts the games of a study that another process may be writing to, up to most or one.
func storedGames(path string, most int) (n int, err error) {
	db, err := store.Open(context.Background(), path, store.Existing)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	for _, err := range db.Games(context.Background(), store.Filter{Limit: max(most, 1)}) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
