package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/must"
)

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	must.Do(t, os.WriteFile(path, []byte("12345678"), 0o644))
	if data, err := Read(path, 8); err != nil || string(data) != "12345678" {
		t.Errorf("a file of the limit's size: %q, %v", data, err)
	}
	var large *TooLargeError
	if data, err := Read(path, 7); !errors.As(err, &large) || data != nil {
		t.Errorf("a file above the limit: %q, %v", data, err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := Read("/dev/zero", 1<<20); !errors.As(err, &large) ||
			!strings.Contains(err.Error(), "/dev/zero is larger than 1 MiB") {
			t.Errorf("a device without end: %v", err)
		}
	}
}

// endless is a line without end.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += int64(len(p))
	return len(p), nil
}

func TestLines(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(strings.Repeat("x", 1000)+"\n", 1<<15) // twice the greatest length of a line
	if got, err := io.ReadAll(Lines(strings.NewReader(text), "in")); err != nil || string(got) != text {
		t.Errorf("short lines: %d bytes, %v", len(got), err)
	}
	var e endless
	var large *TooLargeError
	if _, err := io.ReadAll(Lines(&e, "in")); !errors.As(err, &large) || e.read > 2*MaxLine {
		t.Errorf("a line without end: %v after %d bytes", err, e.read)
	}
}

var errInjected = errors.New("injected")

// faulty is the system, one of whose steps fails: the nth of those that can fail.
type faulty struct {
	left  int
	steps []string
}

func (f *faulty) step(what string) error {
	f.steps = append(f.steps, what)
	if f.left--; f.left == 0 {
		return fmt.Errorf("%s: %w", what, errInjected)
	}
	return nil
}

func (f *faulty) disk() disk {
	d := system
	d.makeFolder = func(path string) error { return errors.Join(f.step("mkdir"), system.makeFolder(path)) }
	d.create = func(folder, pattern string) (file, error) {
		if err := f.step("create"); err != nil {
			return nil, err
		}
		real, err := system.create(folder, pattern)
		return &faultyFile{real, f}, err
	}
	d.rename = func(from, to string) error {
		if err := f.step("rename"); err != nil {
			return err
		}
		return system.rename(from, to)
	}
	d.syncFolder = func(path string) error { return f.step("sync of the folder") }
	return d
}

type faultyFile struct {
	file
	f *faulty
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if err := f.f.step("write"); err != nil {
		n, _ := f.file.Write(p[:len(p)/2]) // as a full disk does
		return n, err
	}
	return f.file.Write(p)
}

func (f *faultyFile) Sync() error {
	if err := f.f.step("sync"); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f *faultyFile) Chmod(m os.FileMode) error {
	if err := f.f.step("chmod"); err != nil {
		return err
	}
	return f.file.Chmod(m)
}

func (f *faultyFile) Close() error {
	return errors.Join(f.file.Close(), f.f.step("close"))
}

// TestWriteFaults lets each step of writing a file fail in turn until the work succeeds: the file is always the old
// one or the new one, whole, and nothing else is left in its folder.
func TestWriteFaults(t *testing.T) {
	t.Parallel()
	before := strings.Repeat("old\n", 50_000)
	after := strings.Repeat("new!\n", 70_000)
	for n := 1; ; n++ {
		if n > 100 {
			t.Fatal("never succeeds")
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "report.html")
		must.Do(t, os.WriteFile(path, []byte(before), 0o644))
		f := &faulty{left: n}
		err := f.disk().write(path, func(w io.Writer) error {
			for line := range strings.Lines(after) {
				if _, err := io.WriteString(w, line); err != nil {
					return err
				}
			}
			return nil
		})
		what := "nothing"
		if len(f.steps) >= n {
			what = f.steps[n-1]
		}
		want := after
		if err != nil {
			want = before
			if !errors.Is(err, errInjected) || !strings.Contains(err.Error(), "report.html") && what != "mkdir" {
				t.Errorf("fault %d (%s): %v", n, what, err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("fault %d (%s): the file has %d bytes, want %d: %v", n, what, len(got), len(want), err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("fault %d (%s): left over: %v, %v", n, what, entries, err)
		}
		if len(f.steps) < n {
			if n < 10 {
				t.Errorf("only %d steps: %v", n-1, f.steps)
			}
			return
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "c.csv")
	must.Do(t, WriteBytes(path, []byte("x")))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info, err)
	}
	link := filepath.Join(filepath.Dir(path), "link")
	must.Do(t, os.Symlink(path, link))
	must.Do(t, WriteBytes(link, []byte("y")))
	if data, err := os.ReadFile(path); err != nil || string(data) != "y" {
		t.Errorf("through a link: %q, %v", data, err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := WriteBytes("/dev/full", []byte("x")); err == nil {
			t.Error("a full device took a byte")
		}
	}
	if err := WriteBytes(filepath.Dir(path), nil); err == nil {
		t.Error("a folder was written")
	}
}
