package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// PeopleFile is the name of the study with the games that people play.
const PeopleFile = "people.db"

const peopleEvent = "people"

// People is the Store of a server. It is a study in a folder, which is created when the first game begins.
type People struct {
	Folder  string
	Library *Library
	Watched context.Context // context that watches the file of the study, see store.WatchFiles

	mu sync.Mutex
	db *store.DB
}

// open returns the study, and creates it if create is set. It returns nil if there is no study.
func (k *People) open(create bool) (*store.DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db != nil {
		return k.db, nil
	}
	path := filepath.Join(k.Folder, PeopleFile)
	if _, err := os.Stat(path); !create && err != nil {
		return nil, nil
	}
	db, err := store.Open(context.WithoutCancel(k.Watched), path, store.Create)
	k.db = db
	return db, err
}

// Close closes the study.
func (k *People) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil {
		return nil
	}
	return k.db.Close()
}

// Save stores a session.
func (k *People) Save(r Record) error {
	db, err := k.open(true)
	if err != nil {
		return err
	}
	state, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return db.SaveTable(context.Background(), store.Table{ID: r.ID, State: string(state), Game: r.Game})
}

// Load returns a stored session.
func (k *People) Load(id string) (r Record, ok bool, err error) {
	db, err := k.open(false)
	if err != nil || db == nil {
		return r, false, err
	}
	t, ok, err := db.LoadTable(context.Background(), id)
	if err != nil || !ok {
		return r, ok, err
	}
	return r, true, json.Unmarshal([]byte(t.State), &r)
}

// Finish stores a finished game.
func (k *People) Finish(v View) (int64, error) {
	ctx := context.Background()
	db, err := k.open(true)
	if err != nil {
		return 0, err
	}
	plain, _ := SplitReference(v.Rules)
	name := Label(plain, v.Set)
	rules, err := db.RulesID(ctx, name, v.Game.RulesHash(), v.Canonical)
	if err != nil { // the rules file has changed: the new rules need another name
		rules, err = db.RulesID(ctx, name+" "+v.Game.RulesHash()[:6], v.Game.RulesHash(), v.Canonical)
	}
	if err != nil {
		return 0, err
	}
	var seats [2]int64
	for side, p := range v.Seats {
		spec := `{"type":"human"}`
		if !p.Person() {
			s, err := k.Library.Spec(p)
			if err != nil {
				return 0, err
			}
			spec = s.Canonical()
		}
		if seats[side], err = db.AgentID(ctx, p.String(), spec); err != nil {
			return 0, err
		}
	}
	r := arena.ResultOf(v.Position)
	r.Outcome, r.OpeningPlies, r.Detail = v.Outcome(), v.Given, v.Notes()
	if v.Result != "" {
		r.Reason = v.Reason
	}
	for i, p := range v.Plies {
		side := engines.First
		if v.Sides[i] == 'O' {
			side = engines.Second
		}
		r.Spent[side] += time.Duration(p.MS * float64(time.Millisecond))
		r.Nodes[side] += p.Nodes
		t := study.Ply{Ply: i + 1, Depth: p.Depth, Nodes: p.Nodes, MS: p.MS, Legal: p.Legal, PV: p.PV}
		if p.Score != nil {
			t.Score.Float64, t.Score.Valid = *p.Score, true
		}
		r.Thoughts = append(r.Thoughts, t)
	}
	r.Worker = arena.LocalWorker
	return db.AddHumanGame(ctx, peopleEvent, r.Row(rules, seats[0], seats[1], 0, 0, v.Seed))
}

// Delete removes a session and its stored games.
func (k *People) Delete(r Record) error {
	db, err := k.open(false)
	if err != nil || db == nil {
		return err
	}
	games := r.Earlier
	if r.Game != 0 {
		games = append(slices.Clone(games), r.Game)
	}
	return db.DeleteTable(context.Background(), r.ID, games)
}

// Lines returns the saved lines of a game.
func (k *People) Lines(ctx context.Context, game string) (string, error) {
	db, err := k.open(false)
	if err != nil || db == nil {
		return "", err
	}
	return db.LoadLines(ctx, game)
}

// KeepLines stores the lines of a game.
func (k *People) KeepLines(ctx context.Context, game, moves string) error {
	db, err := k.open(true)
	if err != nil {
		return err
	}
	return db.SaveLines(ctx, game, moves)
}

// Label returns the name of rules with their overrides, in the form that studies use.
func Label(name string, set []string) string {
	if len(set) == 0 {
		return name
	}
	return name + "[" + strings.Join(slices.Sorted(slices.Values(set)), ",") + "]"
}

// Latest returns the n sessions that changed last, or all if n is negative. If origin is not empty, it returns
// only sessions that continue that game.
func (k *People) Latest(ctx context.Context, origin string, n int) ([]Record, error) {
	db, err := k.open(false)
	if err != nil || db == nil {
		return nil, err
	}
	var out []Record
	for t, err := range db.LatestTables(ctx, origin, n) {
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
