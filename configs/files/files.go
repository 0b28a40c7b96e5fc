// Package files reads files up to a size limit, and text in the encodings of all systems. It also writes files,
// completely or not at all: it writes to a temporary file and then renames that.
package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// TooLargeError is returned for an input that is larger than allowed.
type TooLargeError struct {
	Path  string
	Limit int64 // maximum size in bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than %s, the limit", e.Path, size(e.Limit))
}

// size formats a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// BadInput always returns true: see strict.IsBadInput.
func (*TooLargeError) BadInput() bool { return true }

// Read reads a file, a pipe or a device of at most limit bytes. For a larger one it returns a *TooLargeError, after
// reading no more than the limit.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > limit {
		return nil, &TooLargeError{path, limit}
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &TooLargeError{path, limit}
	}
	return data, nil
}

// MaxLine is the maximum length of a line of input, in bytes.
const MaxLine = 16 << 20

// Lines returns a reader of r's text (see Text) that fails with a *TooLargeError at a line longer than MaxLine, so that
// an endless line does not fill the memory. Path is the input's name in the error.
func Lines(r io.Reader, path string) io.Reader {
	return &lines{in: bufio.NewReaderSize(Text(r), 1<<16), path: path}
}

type lines struct {
	in    *bufio.Reader
	path  string
	since int64 // number of bytes since the last end of a line
}

func (l *lines) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		l.since = int64(n - end - 1)
	} else {
		l.since += int64(n)
	}
	if l.since > MaxLine {
		return 0, fmt.Errorf("a line of %w", &TooLargeError{l.path, MaxLine})
	}
	return n, err
}

// Write writes a file, and creates its folder, with the output of the function write. If anything fails, the old
// file is not changed. A device or a pipe is written directly.
func Write(path string, write func(io.Writer) error) error { return system.write(path, write) }

// WriteBytes writes data as Write does.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// disk is the file system as an interface, so that tests can make operations fail.
type disk struct {
	makeFolder func(path string) error
	create     func(folder, pattern string) (file, error)
	rename     func(from, to string) error
	remove     func(path string) error
	syncFolder func(path string) error
}

// file is an open file.
type file interface {
	io.WriteCloser
	Name() string
	Sync() error
	Chmod(os.FileMode) error
}

var system = disk{
	makeFolder: func(path string) error { return os.MkdirAll(path, 0o755) },
	create:     func(folder, pattern string) (file, error) { return os.CreateTemp(folder, pattern) },
	rename:     os.Rename,
	remove:     os.Remove,
	syncFolder: syncFolder,
}

func (d disk) write(path string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("writing %s: it is a folder", path)
		}
		return writeThrough(path, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the link stays
	}
	if err := d.makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := d.create(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	open := true
	defer func() {
		if err != nil {
			if open {
				_ = f.Close()
			}
			_ = d.remove(f.Name())
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	open = false
	if err := f.Close(); err != nil {
		return err
	}
	if err := d.rename(f.Name(), path); err != nil {
		return err
	}
	// So that the name survives a power cut, too. The file is whole either way, and not every system can be asked for
	// it.
	_ = d.syncFolder(filepath.Dir(path))
	return nil
}

// writeThrough writes directly to devices and pipes.
func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(f, 1<<16)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Cause returns why an operation on a file failed, without naming the operation and the file.
func Cause(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
