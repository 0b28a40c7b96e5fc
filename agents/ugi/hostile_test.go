//go:build unix

package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"spar/configs/must"
)

// honest is a UGI engine in sh, whose nth move is called mN. What it does at go and at quit can be defined anew, and
// its family keeps descriptor 9 open: as long as anybody of it lives, the pipe $1 has a writer.
const honest = `
exec 9>"$1"
n=0
answer() { n=$((n+1)); echo "bestmove m$n"; }
leave() { exit 0; }
loop() {
	while read -r word rest; do
		case $word in
		ugi) echo "id name sh"; echo ugiok ;;
		isready) echo readyok ;;
		go) answer ;;
		quit) leave ;;
		esac
	done
}
`

// Times of the tests: patience is for what comes, haste for what does not.
const (
	patience = time.Minute
	haste    = 50 * time.Millisecond
)

// hostile are engines that fail in a way of their own, and some that only look like it.
var hostile = []struct {
	name      string
	script    string // after honest
	handshake time.Duration
	limit     time.Duration // of a move
	want      error         // nil: it plays m1, m2 and m3
	says      string        // in the error
	escapes   bool          // some of the family leave the process group: only a guardian finds them
	position  string        // besides startpos
}{
	{name: "hang at start", script: "sleep 300", handshake: haste, want: ErrTimeout, says: "ugiok"},
	{
		name:   "hang in the middle",
		script: "answer() { echo thinking >&2; sleep 300; }; loop",
		limit:  haste,
		want:   ErrTimeout,
		says:   "bestmove",
	},
	{name: "hang at quit", script: "leave() { sleep 300; }; loop"},
	{name: "garbage", script: "answer() { echo bestmove; }; loop", want: ErrGarbage, says: `"bestmove"`},
	{
		name:   "endless line",
		script: "answer() { tr '\\0' x </dev/zero; }; loop",
		want:   ErrGarbage,
		says:   "a line of more than 16 MB",
	},
	{
		name:   "crash",
		script: "answer() { echo oh >&2; echo no >&2; exit 3; }; loop",
		want:   ErrGone,
		says:   "(exit status 3); standard error: oh / no",
	},
	{
		name:   "crash by a signal",
		script: "answer() { kill -SEGV $$; }; loop",
		want:   ErrGone,
		says:   "(signal: segmentation fault",
	},
	{
		name:   "cut off",
		script: "answer() { printf 'bestmove m1'; exit 4; }; loop",
		want:   ErrGone,
		says:   "(exit status 4)",
	},
	{name: "exit 0", script: "exit 0", want: ErrGone, says: "(exit status 0)"},
	{
		name:   "output closed",
		script: "answer() { exec >&-; sleep 300; }; loop",
		want:   ErrGone,
		says:   "its output ended before bestmove",
	},
	{
		name:   "late answer",
		script: "answer() { sleep 100; echo bestmove m1; }; loop",
		limit:  haste,
		want:   ErrTimeout,
		says:   "bestmove",
	},
	{name: "answers twice", script: "answer() { n=$((n+1)); echo bestmove m$n; echo bestmove surplus; }; loop"},
	{name: "grandchildren", script: "(sleep 300 & sleep 300 &); loop"},
	{
		name:   "grandchildren and crash",
		script: "sleep 300 & answer() { exit 5; }; loop",
		want:   ErrGone,
		says:   "(exit status 5)",
	},
	{
		name:    "detached grandchildren",
		script:  "setsid sh -c 'sleep 300 & setsid sleep 300 & sleep 300' & loop",
		escapes: true,
	},
	{
		name:    "detached and crash",
		script:  "setsid sleep 300 & answer() { exit 6; }; loop",
		want:    ErrGone,
		says:    "(exit status 6)",
		escapes: true,
	},
	{
		name:    "detached and silent",
		script:  "setsid sleep 300 & echo ugiok; echo readyok; exit 0",
		want:    ErrGone,
		says:    "(exit status 0)",
		escapes: true,
	},
	{
		name:    "on the run",
		script:  "run() { (setsid sh -c \"$1\" x \"$1\" &); }; run 'sleep 0.01; (\"$0\" -c \"$1\" x \"$1\" &)'; loop",
		escapes: true,
	},
	{
		name:    "guardian stopped",
		script:  "answer() { setsid sleep 300 & kill -STOP $PPID; sleep 300; }; loop",
		limit:   haste,
		want:    ErrTimeout,
		says:    "bestmove",
		escapes: true,
	},
	{name: "flood on standard error", script: "yes >&2 & loop"},
	{name: "flood of lines", script: "answer() { n=$((n+1)); yes info | head -n 100000; echo bestmove m$n; }; loop"},
	{
		name:   "flood without end",
		script: "answer() { yes info; }; loop",
		limit:  haste,
		want:   ErrTimeout,
		says:   "bestmove",
	},
	{name: "wrong side", script: "answer() { n=$((n+1)); echo bestmove m$n ponder m0; }; loop"},
	{name: "slow start", script: "sleep 100; loop", handshake: haste, want: ErrTimeout, says: "ugiok"},
	{name: "slow start, awaited", script: "sleep 0.1; loop", handshake: patience},
	{name: "binary", script: "exec cat /dev/urandom", handshake: haste, want: ErrTimeout, says: "ugiok"},
	{
		name:   "escape sequences",
		script: "answer() { printf 'a\\033[2Jb' >&2; exit 1; }; loop",
		want:   ErrGone,
		says:   "a\ufffd[2Jb",
	},
	{
		name:     "deaf",
		script:   "echo ugiok; echo readyok; exec sleep 300",
		limit:    haste,
		want:     ErrTimeout,
		position: strings.Repeat(" a1", 1<<16),
	},
}

// Each hostile engine fails in the way that it should, in time, and nobody of its family is left when it was closed.
func TestHostileEngines(t *testing.T) {
	t.Parallel()
	hosts := map[string]context.Context{"guarded": guarded(), "group": context.Background()}
	for host, ctx := range hosts {
		for _, h := range hostile {
			if h.escapes && (host == "group" || !guardable) {
				continue
			}
			t.Run(host+"/"+h.name, func(t *testing.T) {
				t.Parallel()
				family := newFamily(t)
				c := family.command(h.script)
				c.Handshake = h.handshake
				if h.limit == 0 {
					h.limit = patience
				}
				err := playThree(ctx, c, "position startpos"+h.position, h.limit)
				if !errors.Is(err, h.want) || (err == nil) != (h.want == nil) {
					t.Errorf("%v, want %v", err, h.want)
				}
				for _, other := range []error{ErrTimeout, ErrGone, ErrGarbage, ErrStart, ErrOurs} {
					if other != h.want && errors.Is(err, other) {
						t.Errorf("%v, want %v alone", err, h.want)
					}
				}
				if err != nil && !strings.Contains(err.Error(), h.says) {
					t.Errorf("%v: does not say %q", err, h.says)
				}
				if host == "guarded" && family.alive(t) {
					t.Error("some of the family are left")
				}
				family.awaitEnd(t)
			})
		}
	}
}

// playThree asks an engine for three moves and closes it.
func playThree(ctx context.Context, c Command, position string, limit time.Duration) error {
	e, err := Start(ctx, c)
	if err != nil {
		return err
	}
	for _, want := range []string{"m1", "m2", "m3"} {
		move, err := e.BestMove(ctx, position, "go depth 1", limit)
		if err != nil {
			return e.Fail(err)
		}
		if move != want {
			return errors.Join(fmt.Errorf("move %q, want %s", move, want), e.Close())
		}
	}
	return e.Close()
}

// family is a pipe that every process of an engine holds open.
type family struct {
	path string
	fd   int
}

func newFamily(t *testing.T) *family {
	t.Helper()
	f := &family{path: filepath.Join(t.TempDir(), "family")}
	must.Do(t, syscall.Mkfifo(f.path, 0o600))
	f.fd = must.Get(syscall.Open(f.path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0))(t)
	t.Cleanup(func() { _ = syscall.Close(f.fd) })
	return f
}

// command is an engine in sh whose processes belong to the family.
func (f *family) command(script string) Command {
	return Command{Path: "sh", Args: []string{"-c", honest + script, "engine", f.path}}
}

// alive tells whether some process of the family is left.
func (f *family) alive(t *testing.T) bool {
	t.Helper()
	n, err := syscall.Read(f.fd, make([]byte, 1))
	if n == 0 && err == nil {
		return false // the end of the pipe
	}
	if err != syscall.EAGAIN {
		t.Errorf("%d bytes from the family, %v", n, err)
	}
	return true
}

// awaitEnd waits until none is left.
func (f *family) awaitEnd(t *testing.T) {
	t.Helper()
	for began := time.Now(); f.alive(t); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("some of the family are left for good")
		}
	}
}

// When this process is killed, its engines end with all that they have started; a guardian sees to that.
func TestFamilyEndsWithUs(t *testing.T) {
	t.Parallel()
	if !guardable {
		t.Skip("there are no guardians on this system")
	}
	for _, s := range []os.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(s) {
				t.Skip("it is ignored here, as where a shell has started this in the background")
			}
			family := newFamily(t)
			owner := exec.CommandContext(t.Context(), os.Args[0], family.path)
			owner.Env = append(os.Environ(), ownerEnv+"=setsid sleep 300 & (sleep 300 &) ; leave() { sleep 300; }; loop")
			out := must.Get(owner.StdoutPipe())(t)
			must.Do(t, owner.Start())
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "started: <nil>\n" {
				t.Fatalf("%q, %v", line, err)
			}
			if !family.alive(t) {
				t.Error("the engine does not run")
			}
			must.Do(t, owner.Process.Signal(s))
			_ = owner.Wait() // it was killed
			family.awaitEnd(t)
		})
	}
}

// own is a process that starts an engine, says what came of it and stays. Its argument is the family's pipe.
func own() {
	_, err := Start(guarded(), (&family{path: os.Args[1]}).command(os.Getenv(ownerEnv)))
	fmt.Println("started:", err)
	fmt.Println(errors.Is(err, ErrOurs))
	if err == nil {
		select {}
	}
}

// What this process lacks is no fault of an engine.
func TestOurOwnFailures(t *testing.T) {
	t.Parallel()
	t.Run("no descriptors", func(t *testing.T) {
		t.Parallel()
		owner := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -n 10; exec "$0" "$1"`, os.Args[0],
			newFamily(t).path)
		owner.Env = append(os.Environ(), ownerEnv+"=loop")
		out, err := owner.Output()
		if err != nil || !strings.Contains(string(out), "too many open files") ||
			!strings.HasSuffix(string(out), "\ntrue\n") {
			t.Errorf("%s, %v", out, err)
		}
	})
	t.Run("no guardian", func(t *testing.T) {
		t.Parallel()
		if !guardable {
			t.Skip("there are no guardians on this system")
		}
		ctx := WithHost(context.Background(), Host{Guardian: []string{os.Args[0], "-test.run=^$"}})
		if _, err := Start(ctx, newFamily(t).command("loop")); !errors.Is(err, ErrOurs) ||
			!strings.Contains(err.Error(), "the guardian ended") {
			t.Error(err)
		}
	})
	t.Run("the guardian killed", func(t *testing.T) {
		t.Parallel()
		if !guardable {
			t.Skip("there are no guardians on this system")
		}
		family := newFamily(t)
		err := playThree(guarded(),
			family.command("answer() { sleep 300 & setsid sleep 300 & kill -9 $PPID; sleep 300; }; loop"),
			"position startpos", patience)
		if !errors.Is(err, ErrGone) || errors.Is(err, ErrOurs) ||
			!strings.Contains(err.Error(), "the guardian ended") {
			t.Error(err)
		}
		family.awaitEnd(t)
	})
	t.Run("the guardian killed before it speaks", func(t *testing.T) {
		t.Parallel()
		if !guardable {
			t.Skip("there are no guardians on this system")
		}
		family := newFamily(t)
		ctx := WithHost(
			context.Background(),
			Host{
				Guardian: []string{
					os.Args[0],
					shellWord,
					`exec 9>"$0"; sleep 300 & (set -m; sleep 300 &); kill -9 $$`,
					family.path,
				},
			},
		)
		if _, err := Start(ctx, family.command("loop")); !errors.Is(err, ErrOurs) ||
			!strings.Contains(err.Error(), "the guardian ended") {
			t.Error(err)
		}
		family.awaitEnd(t)
	})
	t.Run("no log", func(t *testing.T) {
		t.Parallel()
		ctx := WithHost(context.Background(), Host{Log: filepath.Join(t.TempDir(), "missing")})
		if _, err := Start(ctx, newFamily(t).command("loop")); !errors.Is(err, ErrOurs) {
			t.Error(err)
		}
	})
}

// A wait ends with its context, and says so.
func TestCancelledWait(t *testing.T) {
	t.Parallel()
	for _, during := range []string{"handshake", "move"} {
		t.Run(during, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(guarded())
			family := newFamily(t)
			script := "echo up >&9; sleep 300"
			if during == "move" {
				script = "answer() { echo up >&9; sleep 300; }; loop"
			}
			go func() { // when the engine has come so far
				for began := time.Now(); time.Since(began) < patience; time.Sleep(time.Millisecond) {
					if n, _ := syscall.Read(family.fd, make([]byte, 8)); n > 0 {
						break
					}
				}
				cancel()
			}()
			if err := playThree(ctx, family.command(script), "position startpos", patience); !errors.Is(err,
				context.Canceled) {
				t.Error(err)
			}
			family.awaitEnd(t)
		})
	}
}

// The log has both sides of the conversation, standard error, the start and the end.
func TestEngineLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := HostOf(guarded())
	h.Log = dir
	c := newFamily(t).command("echo hello >&2; loop")
	c.Name, c.Options = "check/er 1", map[string]string{"B": "2", "A": "1"}
	must.Do(t, playThree(WithHost(context.Background(), h), c, "position startpos", patience))
	text := must.Get(os.ReadFile(filepath.Join(dir, "check_er_1.log")))(t)
	var got, stderr []string
	for line := range strings.Lines(string(text)) {
		var pid int
		var seconds float64
		if n, err := fmt.Sscan(line, &pid, &seconds); n != 2 || pid <= 0 || seconds < 0 {
			t.Errorf("%q: %v", line, err)
		}
		said := strings.SplitN(strings.TrimSpace(line), " ", 3)[2]
		if strings.HasPrefix(said, "!") {
			stderr = append(stderr, said)
		} else {
			got = append(got, said)
		}
	}
	want := "> ugi,< id name sh,< ugiok,> setoption name A value 1,> setoption name B value 2,> isready,< readyok"
	for i := range 3 {
		want += fmt.Sprintf(",> isready,> position startpos,> go depth 1,< readyok,< bestmove m%d", i+1)
	}
	want += ",> quit"
	if middle := strings.Join(got[1:len(got)-1], ","); middle != want {
		t.Errorf("the log is\n%s, want\n%s", middle, want)
	}
	if !strings.HasPrefix(got[0], `* started ["sh" `) ||
		!strings.HasPrefix(got[len(got)-1], "* ended by quit exit status 0") {
		t.Errorf("begins %q, ends %q", got[0], got[len(got)-1])
	}
	if len(stderr) != 1 || stderr[0] != "! hello" {
		t.Errorf("standard error %q", stderr)
	}
}
