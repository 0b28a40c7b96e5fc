package ugi

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"spar/agents/pace"
)

// guardable reports that this system can keep a process and its descendants together.
const guardable = true

// guardianPath is the file of this program. It stays valid even if the file is moved or rebuilt.
const guardianPath = "/proc/self/exe"

// File descriptors of a guardian, after the engine's three pipes.
const (
	lifelineFD = 3 // reading from it ends when the process that started the guardian closes it or dies
	// receives lines: "started" once the engine runs, then one of "status TEXT", "killed", "refused TEXT" and "ours TEXT"
	reportFD = 4
)

// setChildSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2): orphans below this process become its children, whatever
// session or process group they have moved to.
const setChildSubreaper = 36

// Guard is the main function of a guardian process. It runs "-- PROGRAM ARGUMENTS..." with its own standard input,
// output and error. When the program or the parent of the guardian ends, it kills all processes that the program
// started. It returns the exit code of this process.
func Guard(args []string) int {
	if len(args) < 2 || args[0] != "--" {
		fmt.Fprintln(os.Stderr, "only spar itself starts a guardian (the process that watches an engine)")
		return 2
	}
	for _, fd := range []int{lifelineFD, reportFD} {
		var s syscall.Stat_t
		if err := syscall.Fstat(fd, &s); err != nil || s.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			fmt.Fprintln(os.Stderr, "only spar itself starts a guardian (the process that watches an engine)")
			return 2
		}
		syscall.CloseOnExec(fd)
	}
	g := &guardian{report: os.NewFile(reportFD, "report"), news: make(chan os.Signal, 1)}
	if err := g.guard(args[1:]); err != nil {
		g.say("ours %v", err)
		return 1
	}
	return 0
}

// guardian is the state of Guard. A single goroutine handles all child processes, so that it never kills a process
// ID that was already reaped.
type guardian struct {
	report *os.File
	news   chan os.Signal // receives SIGCHLD
	engine int
	status *syscall.WaitStatus // exit status of the engine, once it has ended
}

// say sends a report. It ignores errors, because the receiver may have died.
func (g *guardian) say(format string, args ...any) {
	fmt.Fprintf(g.report, format+"\n", args...)
}

func (g *guardian) guard(args []string) error {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, setChildSubreaper, 1, 0, 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("prctl: %w", errno)
	}
	lost := make(chan struct{})
	go func() {
		_, _ = os.NewFile(lifelineFD, "lifeline").Read(make([]byte, 1)) // nothing is ever written to it
		close(lost)
	}()
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	signal.Notify(g.news, syscall.SIGCHLD)
	runtime.LockOSThread() // the signal at a parent's death follows the thread
	var err error
	g.engine, err = syscall.ForkExec(args[0], args, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		if err = blame(err); errors.Is(err, ErrOurs) {
			return err
		}
		g.say("refused %v", strings.TrimPrefix(err.Error(), ErrStart.Error()+": "))
		return nil
	}
	if err := letGo(); err != nil {
		g.finish()
		return err
	}
	g.say("started")
	for g.status == nil {
		select {
		case <-g.news:
		case <-lost:
			g.reap()
			return g.last(g.status)
		case s := <-asked:
			g.finish()
			return fmt.Errorf("guardian: %v", s)
		}
		g.reap()
	}
	return g.last(g.status)
}

// last ends the engine and its descendants. It reports the engine's exit status, or that it was killed.
func (g *guardian) last(own *syscall.WaitStatus) error {
	if !g.finish() {
		return fmt.Errorf("processes %v do not end", children())
	}
	switch {
	case own == nil:
		g.say("killed")
	case own.Signaled():
		g.say("status signal: %v", own.Signal())
	default:
		g.say("status exit status %d", own.ExitStatus())
	}
	return nil
}

// letGo closes this process's copies of the engine's pipes, so that the pipes end when the engine does.
func letGo() error {
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	for fd := range 3 {
		if err := syscall.Dup3(null, fd, 0); err != nil {
			return err
		}
	}
	return nil
}

// reap collects child processes that have ended. It returns true if none is left. Then there are no descendants
// either, because orphans become children of this process.
func (g *guardian) reap() bool {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return true // ECHILD
		case pid == 0:
			return false
		case pid == g.engine:
			g.status = &status
		}
	}
}

// finish kills children until none is left. When a child dies, its own children become children of the guardian.
func (g *guardian) finish() bool {
	if g.reap() {
		return true
	}
	if g.status == nil {
		_ = syscall.Kill(-g.engine, syscall.SIGKILL) // most of the family at once
	}
	until := time.Now().Add(farewell)
	for time.Now().Before(until) {
		for _, pid := range children() {
			_ = syscall.Kill(pid, syscall.SIGKILL) // one that has ended meanwhile is still ours to reap
		}
		select {
		case <-g.news:
		case <-time.After(time.Millisecond):
		}
		if g.reap() {
			return true
		}
	}
	return false
}

// children returns the processes whose parent is this process.
func children() []int { return childrenOf(os.Getpid()) }

// childrenOf returns the processes whose parent is a process.
func childrenOf(parent int) []int {
	var pids []int
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent)) // the pattern is a good one
	for _, file := range files {
		text, _ := os.ReadFile(file) // a thread that has ended has none
		for _, word := range bytes.Fields(text) {
			if pid, err := strconv.Atoi(string(word)); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	if len(files) > 0 {
		return pids
	}
	return byStat(1, parent) // the kernel was built without these files
}

// cpu returns the processor time of the living processes of an engine: its guardian and all below.
func (p *process) cpu() (sum time.Duration) {
	pids := []int{p.cmd.Process.Pid}
	for i := 0; i < len(pids); i++ {
		t, _ := pace.ProcessTime(pids[i]) // one that has ended has used up its time
		sum, pids = sum+t, append(pids, childrenOf(pids[i])...)
	}
	return sum
}

// byStat returns the living processes whose stat file has a given number in a field, counted from the state: field 1 is
// the parent, field 3 the session.
func byStat(field, number int) []int {
	pids := processesWith("stat", func(text string) bool {
		words := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		return len(words) > field && words[field] == strconv.Itoa(number) && words[0] != "Z" // a zombie has ended
	})
	slices.Sort(pids)
	return pids
}

// processesWith returns the processes of which a file in their folder of /proc has a property.
func processesWith(name string, has func(text string) bool) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/" + name) // the pattern is a good one
	for _, file := range files {
		text, _ := os.ReadFile(file) // the process may have ended, or belong to another user
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && has(string(text)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// endFamily kills what is left of the family of a guardian that has died: processes in its session, and those that have
// its mark among their environment variables. It stops when none is left or after the time limit.
func endFamily(guardian int, mark string) {
	for until := time.Now().Add(farewell); time.Now().Before(until); time.Sleep(time.Millisecond) {
		left := append(byStat(3, guardian), processesWith("environ", func(text string) bool {
			return slices.Contains(strings.Split(text, "\x00"), mark)
		})...)
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // ESRCH: it has ended meanwhile
		}
		if len(left) == 0 {
			return
		}
	}
}
