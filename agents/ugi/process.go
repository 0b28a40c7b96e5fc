package ugi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Maximum times to wait at the end of a process.
const (
	grace    = 200 * time.Millisecond // after a program was asked to end, until it is killed
	farewell = 5 * time.Second        // until the kernel has ended a killed process
	hearing  = time.Second            // for the rest of standard error after the process has ended
)

// Limits on how much of standard error is kept: bytes and lines, and the length shown in errors.
const (
	tailBytes = 8 << 10
	tailLines = 5
	tailShown = 600
)

// Command describes how to start an engine.
type Command struct {
	Name    string            // name in logs; empty = the program's name
	Path    string            // the program, looked up in PATH
	Args    []string          // arguments of the program
	Dir     string            // working directory; empty = that of this process
	Options map[string]string // options that are sent by setoption after the handshake, in the order of names
	// maximum time for the answer to ugi, and to isready before the first move; 0 = the constant Handshake
	Handshake time.Duration
}

// Find returns the path of the program, without running it. The error wraps ErrStart.
func (c Command) Find() (string, error) {
	if !Supported {
		return "", fmt.Errorf("%w: this build of spar cannot run external programs", ErrStart)
	}
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil {
			return "", fmt.Errorf("%w: working directory: %w", ErrStart, err)
		} else if !info.IsDir() {
			return "", fmt.Errorf("%w: working directory: %s is not a directory", ErrStart, c.Dir)
		}
	}
	path := c.Path
	if strings.ContainsRune(path, filepath.Separator) && !filepath.IsAbs(path) { // relative to where it runs
		path = filepath.Join(c.Dir, path)
		if !strings.ContainsRune(path, filepath.Separator) {
			path = "./" + path
		}
	}
	found, err := exec.LookPath(path)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrStart, err)
	}
	if found == path {
		return c.Path, nil
	}
	return found, nil
}

// process is a running engine, its pipes and, if there is one, its guardian.
type process struct {
	cmd     *exec.Cmd // the guardian process, or the program itself
	in, out *ourEnd
	stderr  *os.File
	// pipe to the guardian: when Spar closes it or dies, the guardian ends the engine; nil if there is no guardian
	lifeline *os.File
	report   *os.File      // pipe with reports of the guardian
	mark     string        // environment variable of the guardian and its descendants, by which they are found
	ended    chan struct{} // closed when cmd has ended
	heard    chan struct{} // closed when standard error has ended
	tail     []byte        // end of standard error; read it only after heard is closed
}

// ending describes how an engine has ended.
type ending struct {
	status string // exit status or signal, if it ended by itself
	err    error  // wraps ErrStart or ErrOurs if the engine did not cause the end
	tail   string // the last lines of standard error
}

// startProcess runs the program with pipes that Spar can close, even if children of the program keep the other ends
// open.
func startProcess(c Command, h Host, log *transcript) (*process, error) {
	path, err := c.Find()
	if err != nil {
		return nil, err
	}
	guarded := guardable && len(h.Guardian) > 0
	p := &process{ended: make(chan struct{}), heard: make(chan struct{})}
	theirs, err := p.connect(guarded)
	defer func() { // the child has its own
		for _, f := range theirs {
			_ = f.Close()
		}
	}()
	if err != nil {
		p.disconnect()
		return nil, fmt.Errorf("%w: %w", ErrOurs, err)
	}
	p.cmd = &exec.Cmd{
		Path:   path,
		Args:   append([]string{c.Path}, c.Args...),
		Dir:    c.Dir,
		Stdin:  theirs[0],
		Stdout: theirs[1],
		Stderr: theirs[2],
	}
	p.cmd.SysProcAttr = ofFamily(guarded)
	if guarded {
		p.cmd.Path = guardianPath
		p.cmd.Args = slices.Concat(h.Guardian, []string{"--", path}, c.Args)
		p.cmd.ExtraFiles = theirs[3:]
		p.mark = fmt.Sprintf("SPAR_GUARDIAN=%d-%d", os.Getpid(), time.Now().UnixNano())
		p.cmd.Env = append(os.Environ(), p.mark)
	}
	if err := p.cmd.Start(); err != nil {
		p.disconnect()
		var at *os.PathError
		if guarded && !(errors.As(err, &at) && at.Op == "chdir") {
			return nil, fmt.Errorf("%w: guardian: %w", ErrOurs, err)
		}
		return nil, blame(err)
	}
	if log != nil {
		log.pid = p.cmd.Process.Pid
	}
	go func() {
		_ = p.cmd.Wait() // what it says stands in ProcessState
		switch {         // what it started may hold its pipes open
		case !guarded:
			killFamily(p.cmd.Process)
		case !p.cmd.ProcessState.Success(): // its subreaping has ended with it
			endFamily(p.cmd.Process.Pid, p.mark)
		}
		close(p.ended)
	}()
	go p.hear(log)
	return p, nil
}

// connect makes the pipes and returns the child's ends: those of the engine, then of its guardian. It returns
// those made so far also if there is an error.
func (p *process) connect(guarded bool) (theirs []*os.File, err error) {
	theirs = make([]*os.File, 3, 5)
	if p.in, theirs[0], err = newPipe(true); err != nil {
		return theirs[:0], err
	}
	if p.out, theirs[1], err = newPipe(false); err != nil {
		return theirs[:1], err
	}
	if p.stderr, theirs[2], err = os.Pipe(); err != nil || !guarded {
		return slices.DeleteFunc(theirs, func(f *os.File) bool { return f == nil }), err
	}
	theirs = theirs[:5]
	if theirs[3], p.lifeline, err = os.Pipe(); err != nil {
		return theirs[:3], err
	}
	if p.report, theirs[4], err = os.Pipe(); err != nil {
		return theirs[:4], err
	}
	return theirs, nil
}

// disconnect closes Spar's ends of the pipes.
func (p *process) disconnect() {
	for _, end := range []*ourEnd{p.in, p.out} {
		if end != nil {
			_ = end.Close() // nobody is there
		}
	}
	for _, f := range []*os.File{p.stderr, p.lifeline, p.report} {
		_ = f.Close() // nil is no file, and says so
	}
}

// blame distinguishes a program that cannot be executed from a system that has run out of resources.
func blame(err error) error {
	for _, ours := range shortages() {
		if errors.Is(err, ours) {
			return fmt.Errorf("%w: %w", ErrOurs, err)
		}
	}
	return fmt.Errorf("%w: %w", ErrStart, err)
}

// hear reads standard error and keeps its end, so that a program can write without limit.
func (p *process) hear(log *transcript) {
	defer close(p.heard)
	buf := make([]byte, 4<<10)
	for {
		n, err := p.stderr.Read(buf)
		log.raw('!', buf[:n])
		p.tail = append(p.tail, buf[:n]...)
		if len(p.tail) > 2*tailBytes {
			p.tail = append(p.tail[:0], p.tail[len(p.tail)-tailBytes:]...)
		}
		if err != nil {
			return
		}
	}
}

// wait reports whether the process ends within the given time.
func (p *process) wait(d time.Duration) bool {
	select { // what has ended has, also when there is no time left
	case <-p.ended:
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	}
}

// end ends the process and its descendants. It kills them if they do not end in time.
func (p *process) end(patience time.Duration) ending {
	alone := p.wait(patience)
	if p.lifeline == nil {
		killFamily(p.cmd.Process)
	} else {
		_ = p.lifeline.Close() // nothing is ever written to it
		wake(p.cmd.Process)    // an engine may have stopped its guardian
	}
	gone := p.wait(farewell + time.Second)
	if !gone {
		_ = p.cmd.Process.Kill()
		gone = p.wait(time.Second)
	}
	_ = p.in.Close() // what was not read is not wanted
	_ = p.out.Close()
	e := p.account(alone, gone)
	timer := time.NewTimer(hearing)
	select {
	case <-p.heard:
	case <-timer.C:
	}
	timer.Stop()
	_ = p.stderr.Close()
	<-p.heard
	e.tail = lastLines(p.tail)
	return e
}

// account determines how the engine ended, from its guardian or from its exit status.
func (p *process) account(alone, gone bool) ending {
	if p.lifeline == nil {
		switch {
		case !gone:
			return ending{err: fmt.Errorf("%w: process %d does not end", ErrOurs, p.cmd.Process.Pid)}
		case alone:
			return ending{status: p.cmd.ProcessState.String()}
		}
		return ending{}
	}
	_ = p.report.SetReadDeadline(time.Now().Add(time.Second))
	text, _ := io.ReadAll(p.report) // what came is what there is
	_ = p.report.Close()
	var e ending
	told, started := false, false
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "status":
			e.status, told = rest, true
		case "started":
			started = true
		case "killed":
			told = true
		case "refused":
			e.err = fmt.Errorf("%w: %s", ErrStart, rest)
			told = true
		case "ours":
			e.err = fmt.Errorf("%w: %s", ErrOurs, rest)
			told = true
		}
	}
	if !told {
		how := "the guardian does not answer"
		if gone {
			how = "the guardian ended: " + p.cmd.ProcessState.String()
		}
		if started && gone { // only its engine has a reason to end it
			return ending{status: how}
		}
		e.err = fmt.Errorf("%w: %s", ErrOurs, how)
	}
	return e
}

// lastLines returns the last lines of standard error as one printable line.
func lastLines(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	lines = lines[max(0, len(lines)-tailLines):]
	for i, l := range lines {
		lines[i] = bytes.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return unicode.ReplacementChar
		}, bytes.TrimSpace(l))
	}
	out := []rune(string(bytes.Join(lines, []byte(" / "))))
	if len(out) > tailShown {
		return "…" + string(out[len(out)-tailShown:])
	}
	return string(out)
}
