package main

import (
	"bufio"
	"net/http"
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
)

// longPlan is a tournament that goes on for minutes.
const longPlan = "name: long\ngames: [classic]\nagents: [random, {agent: random, name: other}]\npairs: 1000000\n"

// writer starts spar in a folder with longPlan in long.yaml, and returns the address of its pages where it serves some.
func writer(t *testing.T, dir string, args ...string) (c *exec.Cmd, said *bufio.Scanner, page string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(longPlan), 0o644); err != nil {
		t.Fatal(err)
	}
	c = exec.Command("spar", args...)
	c.Dir = dir
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = in, in
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait(); out.Close() })
	in.Close()
	said = bufio.NewScanner(out)
	if strings.Contains(strings.Join(args, " "), "127.0.0.1") {
		at := regexp.MustCompile(`http://\S+/`)
		for page == "" && said.Scan() {
			page = at.FindString(said.Text())
		}
	}
	return c, said, page
}

// grown waits until a study holds so many games, and returns how many it holds.
func grown(t *testing.T, path string, least int64) int64 {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
		db, err := store.OpenExisting(t.Context(), path)
		if err != nil {
			continue
		}
		n, err := db.Sizes(t.Context())
		db.Close()
		if err == nil && n.Games >= least {
			return n.Games
		}
	}
	t.Fatalf("%s does not hold %d games within 30 s", path, least)
	return 0
}

// outside reads a study as another program does: it must find the lock by which SQLite knows that somebody else still uses the log.
func outside(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	shared := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 0x40000002, Len: 510} // sqlite.org/src/file/src/os.h: SHARED_FIRST, SHARED_SIZE
	err = syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &shared)
	if f.Close(); err != nil || shared.Type == syscall.F_UNLCK {
		t.Fatalf("%s: its writer holds no lock, and the next reader deletes its log (%v)", path, err)
	}
	if reader, err := exec.LookPath("sqlite3"); err == nil {
		if out, err := exec.Command(reader, path, "SELECT count(*) FROM games").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

func fetch(t *testing.T, address string, form url.Values) *http.Response {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(address)
	if form != nil {
		answer, err = client.PostForm(address, form)
	}
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

// Other programs read a study while it is written, and come and go: nothing is lost when the writer is killed then.
func TestReadersComeAndGo(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"run": {"run", "long.yaml", "--db", "s.db", "--workers", "1"}, "run and serve": {"run", "long.yaml", "--db", "s.db", "--workers", "1", "--serve", "127.0.0.1:0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "s.db")
			c, _, page := writer(t, dir, args...)
			seen := grown(t, path, 1)
			for range 2 {
				if page != "" {
					if a := fetch(t, page+"study/s", nil); a.StatusCode != http.StatusOK {
						t.Fatal(a.Status)
					}
				}
				outside(t, path)
				seen = grown(t, path, seen+100)
			}
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			if after := grown(t, path, 0); after < seen {
				t.Errorf("%d games are stored, %d were seen", after, seen)
			}
			if faults, err := store.Damage(t.Context(), path); err != nil || len(faults) > 0 {
				t.Error(faults, err)
			}
		})
	}
	t.Run("serve", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		c, _, page := writer(t, dir, "serve", "--folder", dir, "--listen", "127.0.0.1:0")
		path := filepath.Join(dir, "people.db")
		var games []string
		for range 4 {
			at := fetch(t, page+"play", url.Values{"rules": {"classic"}, "agent": {"random"}}).Header.Get("Location")
			if games = append(games, strings.TrimPrefix(at, "/play/")); len(at) < 7 {
				t.Fatalf("location %q", at)
			}
			fetch(t, page+"study/people", nil)
			outside(t, path)
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		db, err := store.OpenExisting(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, id := range games {
			if _, ok, err := db.LoadTable(t.Context(), id); err != nil || !ok {
				t.Errorf("game %s: there %t, %v", id, ok, err)
			}
		}
	})
}

// A study that is deleted, moved or replaced while it is written: the command says so within a second, saves all games in a new file, and
// exits with 1.
func TestStudyGone(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".moved") },
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", nil, 0o644); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "s.db")
			c, said, _ := writer(t, dir, "run", "long.yaml", "--db", "s.db", "--workers", "1")
			stored := grown(t, path, 100)
			if err := take(path); err != nil {
				t.Fatal(err)
			}
			began, noticed, last := time.Now(), time.Duration(0), ""
			for said.Scan() {
				if last = said.Text(); noticed == 0 && strings.Contains(last, "study s.db: ") {
					noticed = time.Since(began)
				}
			}
			_ = c.Wait()
			if code := c.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(last, "saved in s.saved.db") {
				t.Errorf("exit code %d, last line %q", code, last)
			}
			if noticed == 0 || noticed > 5*time.Second { // a second, and what a machine under load takes
				t.Errorf("noticed after %v", noticed)
			}
			if saved := grown(t, filepath.Join(dir, "s.saved.db"), 0); saved < stored {
				t.Errorf("%d games are saved, %d were stored", saved, stored)
			}
			if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
				t.Errorf("left behind, for the next file of that name: %v", left)
			}
		})
	}
}
