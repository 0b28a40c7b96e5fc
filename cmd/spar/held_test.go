//go:build unix

package main

import (
	"bufio"
	"cmp"
	"database/sql"
	"flag"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"spar/arena/store"
	"spar/configs/must"
)

var every = flag.Bool("every", false, "try every command that holds a study, as .ci/faults does")

// holder is a command that holds a study open and stores games in it for minutes.
type holder struct {
	name, args string
	study      string // the study's file; empty for s.db
	worker     bool   // another process plays the games
}

// holders lists the commands that hold a study. The first three are tried by every test, the others with -every.
var holders = []holder{
	{name: "run", args: "run long.yaml --db s.db --workers 1"},
	{name: "run with pages", args: "run long.yaml --db s.db --workers 1 --serve 127.0.0.1:0"},
	{name: "serve", args: "serve --folder . --listen 127.0.0.1:0", study: "people.db"},
	{name: "match", args: "match random greedy --pairs 1000000 --db s.db --workers 1"},
	{name: "balance", args: "balance vanishing --effort thorough --db s.db --workers 1"},
	{name: "sweep", args: "sweep long-sweep.yaml --db s.db --workers 1"},
	{name: "tune", args: "tune quickstart --set games=10000000 --db s.db --workers 1"},
	{
		name: "learn",
		args: "learn vanishing --games 128 --gate-pairs 5000 --gate-nodes 2000 --db s.db --workers 1 --out v.net",
	},
	{
		name:   "coordinator",
		args:   "run long.yaml --db s.db --workers 0 --coordinate 127.0.0.1:0 --machines alone.yaml",
		worker: true,
	},
}

// long are the files that holders name.
var long = map[string]string{
	"long.yaml":       "name: long\ngames: [classic]\nagents: [random, {agent: random, name: other}]\npairs: 1000000\n",
	"long-sweep.yaml": "name: long\nrules: vanishing\nknobs: [{knob: pieces.cap, values: [3, 4, 5]}]\ntiers: [20, 40]\ngames: 5000\n",
	"alone.yaml":      "coordinate_only: true\n",
}

// held is a holder at work.
type held struct {
	*exec.Cmd
	said *bufio.Scanner // what it prints
	page string         // address of its pages, where it serves some
	web  http.Client    // a browser with the owner's cookie
	path string         // its study
}

// hold starts spar in a folder of its own.
func (h holder) hold(t *testing.T) *held {
	t.Helper()
	dir := t.TempDir()
	for name, text := range long {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	start := func(args ...string) *held {
		c := &held{Cmd: exec.Command("spar", args...), path: filepath.Join(dir, cmp.Or(h.study, "s.db"))}
		c.Dir = dir
		out, in := must.Get2(os.Pipe())(t)
		c.Stdout, c.Stderr = in, in
		must.Do(t, c.Start())
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait(); out.Close() })
		in.Close()
		c.said = bufio.NewScanner(out)
		return c
	}
	c := start(strings.Fields(h.args)...)
	if strings.Contains(h.args, "127.0.0.1:0") {
		at := regexp.MustCompile(`(http|nats)://[0-9.:]+(/\?token=\w+)?`)
		for c.page == "" && c.said.Scan() {
			c.page = at.FindString(c.said.Text())
		}
		if base, _, ok := strings.Cut(c.page, "/?token="); ok { // opening the link gives the cookie
			jar := must.Get(cookiejar.New(nil))(t)
			c.web = http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			answer := must.Get(c.web.Get(c.page))(t)
			answer.Body.Close()
			c.page = base
		}
	}
	if h.worker {
		start("worker", c.page, "--workers", "1")
	}
	return c
}

// grown waits until the study holds more games than some number, finished or not, and returns how many it holds. Where
// people play the games, it begins them.
func (c *held) grown(t *testing.T, than int64) int64 {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
		if filepath.Base(c.path) == "people.db" {
			c.fetch(t, "/play", url.Values{"rules": {"classic"}, "agent": {"random"}}, http.StatusSeeOther)
		}
		if n, err := kept(t, c.path); err == nil && n > than {
			return n
		}
	}
	t.Fatalf("%s does not hold more than %d games within 30 s", c.path, than)
	return 0
}

// kept counts the games of a study, and the unfinished ones of people.
func kept(t *testing.T, path string) (int64, error) {
	db, err := store.Open(t.Context(), path, store.Existing)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	sizes, err := db.Sizes(t.Context())
	for _, one := range db.LatestTables(t.Context(), -1) {
		sizes.Games++
		err = cmp.Or(err, one)
	}
	return sizes.Games, err
}

// outside reads a study as another program does: it must find the lock by which SQLite knows that somebody else still
// uses the log.
func outside(t *testing.T, path string) {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	shared := syscall.Flock_t{
		Type:  syscall.F_WRLCK,
		Start: 0x40000002,
		Len:   510,
	} // sqlite.org/src/file/src/os.h: SHARED_FIRST, SHARED_SIZE
	err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &shared)
	if f.Close(); err != nil || shared.Type == syscall.F_UNLCK {
		t.Fatalf("%s: its writer holds no lock, and the next reader deletes its log (%v)", path, err)
	}
	readers := [][]string{{"spar", "games", "--db", path}}
	if _, err := exec.LookPath("sqlite3"); err == nil {
		readers = append(readers, []string{"sqlite3", path, "SELECT count(*) FROM games"})
	}
	for _, r := range readers {
		if out, err := exec.Command(r[0], r[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// fetch asks for a page, or posts a form.
func (c *held) fetch(t *testing.T, path string, form url.Values, want int) {
	t.Helper()
	answer, err := c.web.Get(c.page + path)
	if form != nil {
		answer, err = c.web.PostForm(c.page+path, form)
	}
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != want {
		t.Fatalf("%s: %s", path, answer.Status)
	}
}

// Another program locks a study while a command writes to it: the command says so and waits, and goes on afterwards. If
// it is to end before that, it saves its games in a new file. Every game is in one of the two.
func TestStudyLocked(t *testing.T) {
	t.Parallel()
	for i, h := range holders {
		if h.study != "" || h.worker || i >= 1 && !*every {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			c := h.hold(t)
			c.grown(t, 3)
			other := must.Get(sql.Open(store.Driver, "file:"+c.path+"?_txlock=immediate&_busy_timeout=60000"))(t)
			defer other.Close()
			locked := func() *sql.Tx {
				tx := must.Get(other.BeginTx(t.Context(), nil))(t)
				c.says(t, "tries again")
				return tx
			}
			tx := locked()
			stored := must.Get(kept(t, c.path))(t)
			must.Do(t, tx.Rollback())
			c.says(t, "can write to it again")
			c.grown(t, stored)
			tx = locked()
			defer tx.Rollback() //nolint:errcheck // nothing was written
			for range 2 {
				must.Do(t, c.Process.Signal(syscall.SIGTERM))
				time.Sleep(100 * time.Millisecond) // or the two would be one
			}
			waiting, last := false, ""
			for c.said.Scan() {
				last = c.said.Text()
				waiting = waiting || strings.Contains(last, "storing ")
			}
			_ = c.Wait()
			if strings.Contains(last, "saved in s.saved.db") {
				more, err := kept(t, filepath.Join(c.Dir, "s.saved.db"))
				if code := c.ProcessState.ExitCode(); err != nil || more == 0 || code != exitFailed {
					t.Errorf("%d games are saved (%v), exit code %d", more, err, code)
				}
			} else if waiting || h.name == "run" {
				t.Errorf("no games are saved: %q", last)
			}
			if faults, err := store.Damage(t.Context(), c.path); err != nil || len(faults) > 0 {
				t.Error(faults, err)
			}
		})
	}
}

// says waits until the command prints a line with a text, and returns the line.
func (c *held) says(t *testing.T, text string) string {
	t.Helper()
	for c.said.Scan() {
		if strings.Contains(c.said.Text(), text) {
			return c.said.Text()
		}
	}
	t.Fatalf("it ended and did not say %q", text)
	return ""
}

// Other programs read a study while a command writes to it, and come and go: nothing is lost when the command is killed
// then, and the file is whole.
func TestReadersComeAndGo(t *testing.T) {
	t.Parallel()
	for i, h := range holders {
		if i >= 3 && !*every {
			break
		}
		t.Run(h.name, func(t *testing.T) {
			if !*every {
				t.Parallel()
			}
			c := h.hold(t)
			seen := c.grown(t, 0)
			for range 3 {
				if strings.HasPrefix(c.page, "http") {
					c.fetch(t, "/study/"+strings.TrimSuffix(filepath.Base(c.path), ".db"), nil, http.StatusOK)
				}
				outside(t, c.path)
				seen = c.grown(t, seen)
			}
			must.Do(t, c.Process.Kill())
			_ = c.Wait()
			if after, err := kept(t, c.path); err != nil || after < seen {
				t.Errorf("%d games are stored, %d were seen (%v)", after, seen, err)
			}
			if faults, err := store.Damage(t.Context(), c.path); err != nil || len(faults) > 0 {
				t.Error(faults, err)
			}
		})
	}
}

// A study that is deleted, moved, replaced or overwritten while a command writes to it: the command says so within two
// seconds, saves the games that it knows in a new file, and exits with 1.
func TestStudyGone(t *testing.T) {
	t.Parallel()
	ways := []struct {
		name string
		take func(path string) error
	}{
		{"deleted", os.Remove},
		{"moved", func(path string) error { return os.Rename(path, path+".moved") }},
		{"replaced", func(path string) error {
			if err := os.WriteFile(path+".new", nil, 0o644); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}},
		{"overwritten", func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("a copy ", 1000)), 0o644) }},
		{"emptied", func(path string) error { return os.Truncate(path, 0) }},
	}
	for i, h := range holders {
		for j, way := range ways {
			if i != j && !*every {
				continue
			}
			t.Run(h.name+" "+way.name, func(t *testing.T) {
				if !*every {
					t.Parallel()
				}
				c := h.hold(t)
				stored := c.grown(t, 3)
				must.Do(t, way.take(c.path))
				began := time.Now()
				noticed := time.Duration(0)
				last := ""
				name := filepath.Base(c.path)
				for c.said.Scan() {
					if last = c.said.Text(); noticed == 0 && strings.Contains(last, "study "+name+": ") {
						noticed = time.Since(began)
					}
				}
				_ = c.Wait()
				saved := strings.TrimSuffix(name, ".db") + ".saved.db"
				if code := c.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(last, "saved in "+saved) {
					t.Errorf("exit code %d, last line %q", code, last)
				}
				if noticed == 0 || noticed > 20*time.Second { // two seconds, and what a machine under load takes
					t.Errorf("noticed after %v", noticed)
				}
				if n, err := kept(t, filepath.Join(c.Dir, saved)); err != nil || n < stored {
					t.Errorf("%d games are saved, %d were stored (%v)", n, stored, err)
				}
				if out, err := exec.Command("spar", "verify", filepath.Join(c.Dir, saved)).CombinedOutput(); err != nil {
					t.Errorf("the games that are saved: %s", out)
				}
				if left, _ := filepath.Glob(c.path + "-*"); len(left) > 0 {
					t.Errorf("left behind, for the next file of that name: %v", left)
				}
			})
		}
	}
}
