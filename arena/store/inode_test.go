//go:build linux

package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"spar/arena/study"
	"spar/configs/must"
)

// atRest makes a study of an event and closes it.
func atRest(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.db")
	db, err := Open(t.Context(), path, Create)
	if err == nil {
		_, err = db.BeginEvent(t.Context(), study.Event{Name: "cup", Purpose: "tournament", Plan: "{}"})
	}
	must.Do(t, errors.Join(err, db.Close()))
	return path
}

// One process writes to a file, by whatever name it opens it. The lock is of the file: here another descriptor holds it,
// as another process does.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	path := atRest(t)
	link := filepath.Join(filepath.Dir(path), "link.db")
	must.Do(t, os.Symlink("study.db", link))
	other, err := os.Open(path)
	if err == nil {
		err = syscall.Flock(int(other.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		if _, err := Open(t.Context(), name, Create); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "(process ") {
			t.Errorf("%s, which another process writes to: %v", name, err)
		}
	}
	time.AfterFunc(lockPatience/4, func() { other.Close() }) // as the child of one that was killed lets go, a little later
	db := must.Get(Open(t.Context(), link, Writing))(t)
	defer db.Close()
	if again, err := os.Open(path); err != nil || syscall.Flock(int(again.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		t.Errorf("a writer holds no lock: %v", err)
	}
	first, inner := must.Get(db.Lock())(t), must.Get(db.Lock())(t)
	second := must.Get(Open(t.Context(), path, Create))(t) // in the same process
	defer second.Close()
	for _, unlock := range []func(){inner, first} {
		if _, err := second.Lock(); !errors.Is(err, ErrBusy) {
			t.Errorf("two DBs of a process add games: %v", err)
		}
		unlock()
	}
	if _, err := second.Lock(); err != nil {
		t.Errorf("after the last unlock: %v", err)
	}
}

// Under a second name (hard link) a study can be read as long as nobody writes to it, and never be written.
func TestSecondName(t *testing.T) {
	t.Parallel()
	path := atRest(t)
	link := filepath.Join(t.TempDir(), "link.db")
	db, err := Open(t.Context(), path, Create)
	if err == nil {
		err = os.Link(path, link)
	}
	if err != nil {
		t.Fatal(err)
	}
	if reader, err := Open(t.Context(), path, Existing); err != nil {
		t.Error(err)
	} else {
		reader.Close()
	}
	if _, err := Open(t.Context(), link, Existing); !errors.Is(err, ErrBusy) {
		t.Errorf("read under a second name during a write: %v", err)
	}
	must.Do(t, db.Close())
	for _, name := range []string{path, link} {
		if _, err := Open(t.Context(), name, Create); !errors.Is(err, ErrNames) {
			t.Errorf("written under one of two names: %v", err)
		}
		reader := must.Get(Open(t.Context(), name, Existing))(t)
		if events, err := reader.Events(t.Context()); len(events) != 1 || err != nil {
			t.Error(events, err)
		}
		reader.Close()
		if files, _ := os.ReadDir(filepath.Dir(name)); len(files) != 1 {
			t.Errorf("left beside %s: %v", name, files)
		}
	}
}

// A killed writer leaves games in a log beside the name that it used: who reads under another name is told that name, and
// does not see an older study.
func TestSecondNameAfterKill(t *testing.T) {
	t.Parallel()
	writer := must.Get(Open(t.Context(), atRest(t), Create))(t)
	defer writer.Close()
	must.Get(writer.BeginEvent(t.Context(), study.Event{Name: "other", Purpose: "tournament", Plan: "{}"}))(t)
	folder := t.TempDir()
	path, link := filepath.Join(folder, "study.db"), filepath.Join(folder, "link.db")
	for _, end := range []string{"", "-wal"} {
		must.Do(t, os.WriteFile(path+end, must.Get(os.ReadFile(writer.path+end))(t), 0o644))
	}
	must.Do(t, os.Link(path, link))
	must.Refuse(Open(t.Context(), link, Existing))(t, "use "+path)
	reader := must.Get(Open(t.Context(), path, Existing))(t)
	defer reader.Close()
	if events, err := reader.Events(t.Context()); len(events) != 2 || err != nil {
		t.Error(events, err)
	}
}

// Who reads a study changes no byte of it, whatever its version, and leaves nothing beside it; also if a writer is killed
// before, and where nothing can be written.
func TestReadersWriteNothing(t *testing.T) {
	t.Parallel()
	paths := map[string]string{"at rest": atRest(t), "write-protected": atRest(t)}
	for version := 1; version < len(migrations()); version++ {
		paths["version "+string(rune('0'+version))] = older(t, version)
	}
	killed, err := Open(t.Context(), atRest(t), Create)
	if err == nil {
		_, err = killed.BeginEvent(t.Context(), study.Event{Name: "other", Purpose: "tournament", Plan: "{}"})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer killed.Close()
	paths["killed"] = filepath.Join(t.TempDir(), "study.db")
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(killed.path + end) // the last use of that file
		if err == nil {
			err = os.WriteFile(paths["killed"]+end, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, os.Chmod(paths["write-protected"], 0o444))
	want := map[string]int{"at rest": 1, "write-protected": 1, "killed": 2}
	for what, path := range paths {
		t.Run(what, func(t *testing.T) {
			before := must.Get(os.ReadFile(path))(t)
			files, _ := filepath.Glob(path + "*")
			db := must.Get(Open(t.Context(), path, Existing))(t)
			events, err := db.Events(t.Context())
			if n := want[what]; err != nil || n == 0 && len(events) != 3 || n > 0 && len(events) != n {
				t.Errorf("events %v, %v", events, err)
			}
			row := db.sql.QueryRowContext(t.Context(), "SELECT length(zeroblob(?))", mostText+1)
			if err := explain(row.Scan(new(int64))); Driver == "sqlite3" && db.memory == nil && (err == nil ||
				!strings.Contains(err.Error(), "larger than 64 MB")) {
				t.Errorf("a row of more than 64 MB: %v", err)
			}
			if _, err := db.BeginEvent(t.Context(), study.Event{Name: "new", Purpose: "tournament", Plan: "{}"}); err == nil {
				t.Error("a reader wrote")
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file is another: %v", err)
			}
			left, _ := filepath.Glob(path + "*")
			if what != "killed" && len(left) != len(files) {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// A reader sees what a writer commits later, in a study that nobody wrote to when it was opened.
func TestReaderSeesLaterWriter(t *testing.T) {
	t.Parallel()
	path := atRest(t)
	reader := must.Get(Open(t.Context(), path, Existing))(t)
	defer reader.Close()
	writer, err := Open(t.Context(), path, Writing)
	if err == nil {
		_, err = writer.BeginEvent(t.Context(), study.Event{Name: "other", Purpose: "tournament", Plan: "{}"})
	}
	must.Do(t, errors.Join(err, writer.Close()))
	if events, err := reader.Events(context.Background()); err != nil || len(events) != 2 {
		t.Error(events, err)
	}
}

// After a writer the file has all games and no log, also if a reader in its process closes later.
func TestReaderClosesAfterWriter(t *testing.T) {
	t.Parallel()
	path := atRest(t)
	writer, err := Open(t.Context(), path, Writing)
	if err == nil {
		_, err = writer.BeginEvent(t.Context(), study.Event{Name: "latecomer", Purpose: "tournament", Plan: "{}"})
	}
	if err != nil {
		t.Fatal(err)
	}
	reader, err := Open(t.Context(), path, Existing)
	if err == nil {
		_, err = reader.Events(t.Context())
	}
	must.Do(t, errors.Join(err, writer.Close()))
	if data, err := os.ReadFile(path); err != nil || !bytes.Contains(data, []byte("latecomer")) {
		t.Errorf("the last commit is not in the file: %v", err)
	}
	if n := size(path + logs()[0]); n != 0 {
		t.Errorf("%d bytes are in the log, which another file of this name would get", n)
	}
	must.Do(t, reader.Close())
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("left: %v", files)
	}
}

// A copy of the file alone has all games, a second after the last.
func TestLogGoesIntoTheFile(t *testing.T) {
	t.Parallel()
	path := atRest(t)
	db, err := Open(t.Context(), path, Create)
	if err == nil {
		_, err = db.BeginEvent(t.Context(), study.Event{Name: "other", Purpose: "tournament", Plan: "{}"})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for began := time.Now(); ; time.Sleep(lookEvery) {
		copied := filepath.Join(t.TempDir(), "copy.db")
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(copied, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		reader := must.Get(Open(t.Context(), copied, Existing))(t)
		events, err := reader.Events(t.Context())
		if reader.Close(); err == nil && len(events) == 2 {
			return
		}
		if time.Since(began) > 30*time.Second {
			t.Fatalf("not in the file: %v, %v", events, err)
		}
	}
}

// A checkpoint changes the file, so its time does not show that another program overwrites it in that moment: its header
// does.
func TestOverwrittenDuringACheckpoint(t *testing.T) {
	t.Parallel()
	path := atRest(t)
	older := must.Get(os.ReadFile(path))(t)
	ctx, losses := WatchFiles(t.Context(), func(error) {})
	db := must.Get(Open(ctx, path, Writing))(t)
	must.Get(db.BeginEvent(ctx, study.Event{Name: "next", Plan: strings.Repeat(" ", 1e6)}))(t)
	if gone := db.look(t.Context(), true); gone != nil || db.inode.pages < 15 {
		t.Errorf("nobody else wrote: %v, %d pages", gone, db.inode.pages)
	}
	newer, err := os.ReadFile(path)
	for _, content := range [][]byte{older, nil, newer} {
		must.Do(t, errors.Join(err, os.WriteFile(path, content, 0o644)))
		if sized := db.sized(t.Context(), true); sized != (len(content) == len(newer)) {
			t.Errorf("with %d bytes of %d: %v", len(content), len(newer), sized)
		}
	}
	db.inode.guard(db.file)
	if err := errors.Join(db.Close(), losses.Err()); err != nil {
		t.Error(err)
	}
}

// A write that an interrupt ends says so, whenever the interrupt comes.
func TestInterruptedWrite(t *testing.T) {
	t.Parallel()
	db := must.Get(Open(t.Context(), atRest(t), Writing))(t)
	defer db.Close()
	ctx, cancel := context.WithCancel(t.Context())
	if err := db.write(ctx, func(tx *sql.Tx) (err error) {
		for cancel(); err == nil; {
			_, err = tx.Exec("DELETE FROM events")
		}
		return err
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
