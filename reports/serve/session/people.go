package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/files"
	"spar/configs/plain"
)

// PeopleFile is the name of the study with the games that people play.
const PeopleFile = "people.db"

const peopleEvent = "people"

// People is the Store of a server: a study in a folder. One process owns the study. In other processes, People is empty
// and stores nothing.
type People struct {
	Folder  string
	Library *Library
	Watched context.Context // context that watches the file of the study, see store.WatchFiles

	mu     sync.Mutex
	db     *store.DB // nil if this process does not own the study
	unlock func()
	aside  []byte // what the file of sessions that could not be stored has
}

// ErrNotOwned is returned by a People that does not own its study.
var ErrNotOwned = errors.New("this server does not store games played by people")

// Own makes this process the owner of the study, and creates it if necessary. The error says who the owner is.
func (k *People) Own() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db != nil {
		return nil
	}
	db, err := store.Open(context.WithoutCancel(k.Watched), filepath.Join(k.Folder, PeopleFile), store.Create)
	if err != nil {
		return err
	}
	if k.unlock, err = db.Lock(); err != nil {
		return errors.Join(err, db.Close())
	}
	k.db = db
	return nil
}

func (k *People) study() (*store.DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil {
		return nil, ErrNotOwned
	}
	return k.db, nil
}

// Close closes the study, and removes it if it is empty.
func (k *People) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil {
		return nil
	}
	defer k.unlock()
	ctx := context.WithoutCancel(k.Watched)
	lines, err := k.db.Lines(ctx)
	for _, tableErr := range k.db.LatestTables(ctx, 1) {
		return errors.Join(tableErr, k.db.Close())
	}
	if err != nil || len(lines) > 0 {
		return errors.Join(err, k.db.Close())
	}
	return k.db.Discard(ctx) // which keeps one with games
}

// writes is how long one attempt to store something may take.
const writes = 10 * time.Second

// Save stores a session, and its game if that has ended.
func (k *People) Save(v View) (r Record, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), writes)
	defer func() {
		if cancel(); errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("writing took longer than %v", writes)
		}
	}()
	db, err := k.study()
	if err != nil {
		return v.Record, err
	}
	t, err := v.table()
	if err == nil {
		err = db.SaveTable(ctx, t) // the moves at least, if something is wrong with the game
	}
	if err != nil || !v.unstored() {
		return v.Record, err
	}
	return k.finish(ctx, db, v)
}

// table returns the row of a session.
func (r *Record) table() (store.Table, error) {
	state, err := json.Marshal(r)
	return store.Table{ID: r.ID, State: string(state), Game: r.Game}, err
}

// Load returns a stored session.
func (k *People) Load(id string) (r Record, ok bool, err error) {
	db, err := k.study()
	if err != nil {
		return r, false, err
	}
	t, ok, err := db.LoadTable(context.Background(), id)
	if err != nil || !ok {
		return r, ok, err
	}
	if err = json.Unmarshal([]byte(t.State), &r); err != nil {
		err = rowError(id, err)
	}
	return r, true, err
}

// finish stores a session with its finished game.
func (k *People) finish(ctx context.Context, db *store.DB, v View) (Record, error) {
	label, _ := SplitReference(v.Rules)
	name := Label(label, v.Set)
	rules, err := named(name, v.Game.RulesHash(), func(name string) (int64, error) {
		return db.RulesID(ctx, name, v.Game.RulesHash(), v.Canonical)
	})
	if err != nil {
		return v.Record, err
	}
	var seats [2]int64
	for side, p := range v.Seats {
		spec := v.Specs[side]
		if p.Person() {
			spec = `{"type":"human"}`
		} else if s, err := k.Library.Spec(p); spec == "" && err == nil {
			spec = s.Canonical()
		} else if spec == "" {
			spec = `{"type":"unknown"}` // its file is gone
		}
		seats[side], err = named(p.String(), plain.Hash(spec), func(name string) (int64, error) {
			return db.AgentID(ctx, name, spec)
		})
		if err != nil {
			return v.Record, err
		}
	}
	r := arena.ResultOf(v.Position)
	r.Outcome, r.OpeningPlies, r.Detail = v.Outcome(), v.Given, v.Notes()
	if v.Result != "" {
		r.Reason = v.Reason
	}
	for i, p := range v.Plies {
		side := strings.IndexByte("XO", v.Sides[i])
		r.Spent[side] += time.Duration(p.MS * float64(time.Millisecond))
		r.Nodes[side] += p.Nodes
		t := study.Ply{
			Ply:   i + 1,
			Depth: p.Depth,
			Nodes: p.Nodes,
			MS:    p.MS,
			Legal: p.Legal,
			PV:    p.PV,
		}
		if p.Score != nil {
			t.Score.Float64, t.Score.Valid = *p.Score, true
		}
		r.Thoughts = append(r.Thoughts, t)
	}
	r.Worker = arena.LocalWorker
	rec := v.Record
	if rec.Game != 0 {
		rec.Earlier = append(slices.Clone(rec.Earlier), rec.Game)
	}
	rec.Stored = rec.end()
	_, err = db.FinishTable(ctx, peopleEvent, r.Row(rules, seats[0], seats[1], 0, 0, v.Seed),
		func(id int64) (store.Table, error) {
			rec.Game = id
			return rec.table()
		})
	return rec, err
}

// named returns the id of a name in the study. If a file has changed and the study has the name for its earlier
// contents, the new contents need another name.
func named(name, hash string, id func(name string) (int64, error)) (int64, error) {
	n, err := id(name)
	if errors.Is(err, store.ErrTaken) {
		return id(name + " " + hash[:6])
	}
	return n, err
}

// asideFile is the name of the file with the sessions that could not be stored.
const asideFile = "people.unsaved.json"

// SaveElsewhere writes sessions to a file next to the study, or removes the file if there are no sessions. If last is
// set and the folder is not writable, it uses the temporary folder.
func (k *People) SaveElsewhere(all []Record, last bool) (where string, err error) {
	path := filepath.Join(k.Folder, asideFile)
	if len(all) == 0 {
		k.aside = nil
		return path, os.Remove(path)
	}
	data, err := json.MarshalIndent(all, "", " ")
	if err != nil || bytes.Equal(data, k.aside) {
		return path, err
	}
	if err = files.WriteBytes(path, data); err == nil {
		k.aside = data
	} else if last {
		there := filepath.Join(os.TempDir(), fmt.Sprintf("%d-%s", os.Getpid(), asideFile))
		return fmt.Sprintf("%s: move it to %s before the next start", there, path), files.WriteBytes(there, data)
	}
	return path, err
}

// Unstored returns the sessions in the file of SaveElsewhere that are newer than those of the study, and those sessions
// of the study whose games have ended but are not stored.
func (k *People) Unstored() (out []Record, err error) {
	path := filepath.Join(k.Folder, asideFile)
	data, err := files.Read(path, mostAside)
	var all []Record
	if err == nil {
		if err = json.Unmarshal(data, &all); err != nil {
			err = fmt.Errorf("%s: not a list of sessions: %w", path, err)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, r := range all {
		if stored, ok, err := k.Load(r.ID); err != nil {
			return nil, err
		} else if !ok || stored.Revision < r.Revision {
			out = append(out, r)
		}
	}
	tables, err := k.Latest(context.Background(), -1)
	for _, r := range tables {
		if r.unstored() && !slices.ContainsFunc(out, func(o Record) bool { return o.ID == r.ID }) {
			out = append(out, r)
		}
	}
	return out, err
}

// mostAside is the largest size in bytes of the file of SaveElsewhere.
const mostAside = 64 << 20

// Delete removes a session and its stored games.
func (k *People) Delete(r Record) error {
	db, err := k.study()
	if err != nil {
		return err
	}
	games := r.Earlier
	if r.Game != 0 {
		games = append(slices.Clone(games), r.Game)
	}
	return db.DeleteTable(context.Background(), r.ID, games)
}

// Label returns the name of rules with their overrides, as studies write it.
func Label(name string, set []string) string {
	if len(set) == 0 {
		return name
	}
	return name + "[" + strings.Join(slices.Sorted(slices.Values(set)), ",") + "]"
}

// Latest returns the n sessions that changed last, or all if n is negative.
func (k *People) Latest(ctx context.Context, n int) ([]Record, error) {
	db, err := k.study()
	if err != nil {
		return nil, nil
	}
	var out []Record
	for t, err := range db.LatestTables(ctx, n) {
		if err != nil {
			return out, err
		}
		var r Record
		if json.Unmarshal([]byte(t.State), &r) == nil && r.ID == t.ID { // another program changed the others
			out = append(out, r)
		}
	}
	return out, nil
}
