package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/reports/serve/table"
)

// peopleFile and peopleEvent are where games of people are kept.
const (
	peopleFile  = "people.db"
	peopleEvent = "people"
)

// people keeps games of people in a study of their own, which is made when the first one begins.
type people struct {
	folder  string
	studies *studies

	mu sync.Mutex
	db *store.DB
}

func (k *people) open(create bool) (*store.DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db != nil {
		return k.db, nil
	}
	path := filepath.Join(k.folder, peopleFile)
	if !create && !exists(path) {
		return nil, nil
	}
	db, err := store.Open(context.WithoutCancel(k.studies.base), path, store.Create)
	k.db = db
	return db, err
}

func (k *people) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil {
		return nil
	}
	return k.db.Close()
}

// Save keeps a table.
func (k *people) Save(r table.Record) error {
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

// Load finds a table.
func (k *people) Load(id string) (r table.Record, ok bool, err error) {
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
func (k *people) Finish(v table.View) (int64, error) {
	ctx := context.Background()
	db, err := k.open(true)
	if err != nil {
		return 0, err
	}
	plain, _ := table.SplitReference(v.Rules)
	name := label(plain, v.Set)
	rules, err := db.RulesID(ctx, name, v.Game.RulesHash(), v.Canonical)
	if err != nil { // a file of the user's has changed: rules of another meaning have another name
		rules, err = db.RulesID(ctx, name+" "+v.Game.RulesHash()[:6], v.Game.RulesHash(), v.Canonical)
	}
	if err != nil {
		return 0, err
	}
	var seats [2]int64
	for side, p := range v.Seats {
		spec := `{"type":"human"}`
		if !p.Person() {
			s, err := k.studies.library.Spec(p)
			if err != nil {
				return 0, err
			}
			spec = s.Canonical()
		}
		if seats[side], err = db.AgentID(ctx, p.String(), spec); err != nil {
			return 0, err
		}
	}
	r := arena.Told(v.Position)
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

// Delete removes a table and the games that were stored of it.
func (k *people) Delete(r table.Record) error {
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

// rulesByHash finds rules by their hash in the studies and in people's games.
func (s *Server) rulesByHash(hash string) (canonical string, ok bool) {
	keys, _ := s.studies.paths()
	for _, key := range keys {
		o, err := s.studies.study(s.base, key)
		if err != nil {
			continue // its own page says why
		}
		rules, err := o.db.Rules(s.base)
		for _, r := range rules {
			if err == nil && r.Hash == hash {
				return r.Canonical, true
			}
		}
	}
	records, _ := s.people.latest(s.base, "", -1)
	for _, r := range records {
		if g, err := s.library.Stored(r.Canonical); err == nil && g.RulesHash() == hash {
			return r.Canonical, true
		}
	}
	return "", false
}

// lines are the lines that were kept of a game.
func (k *people) lines(ctx context.Context, game string) (string, error) {
	db, err := k.open(false)
	if err != nil || db == nil {
		return "", err
	}
	return db.LoadLines(ctx, game)
}

// keepLines keeps the lines of a game.
func (k *people) keepLines(ctx context.Context, game, moves string) error {
	db, err := k.open(true)
	if err != nil {
		return err
	}
	return db.SaveLines(ctx, game, moves)
}

// label names rules with their overrides, as studies do.
func label(name string, set []string) string {
	if len(set) == 0 {
		return name
	}
	return name + "[" + strings.Join(slices.Sorted(slices.Values(set)), ",") + "]"
}

// latest lists the tables that were played at last; those alone that play on from one game where its name is given.
func (k *people) latest(ctx context.Context, origin string, n int) ([]table.Record, error) {
	db, err := k.open(false)
	if err != nil || db == nil {
		return nil, err
	}
	var out []table.Record
	for t, err := range db.LatestTables(ctx, origin, n) {
		if err != nil {
			return out, err
		}
		var r table.Record
		if err := json.Unmarshal([]byte(t.State), &r); err != nil {
			return out, errors.Join(fmt.Errorf("table %s", t.ID), err)
		}
		out = append(out, r)
	}
	return out, nil
}
