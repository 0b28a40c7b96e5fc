package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"math"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"spar/agents"
	"spar/engines"
	"spar/reports/screen"
)

// Store saves sessions and finished games.
type Store interface {
	// Save stores a session, together with its game if that has ended and is not stored. It stores both or neither. It
	// returns the session with the id of the game.
	Save(View) (Record, error)
	// Load returns a session. The result ok is false if there is none.
	Load(id string) (r Record, ok bool, err error)
	// Delete removes a session, and the games that Save has stored for it.
	Delete(Record) error
	// SaveElsewhere writes the sessions that Save cannot store to a separate file and returns its path. It replaces the
	// file of an earlier call. Last marks the last call of a process, which tries more folders.
	SaveElsewhere(all []Record, last bool) (where string, err error)
	// Unstored returns the sessions that an earlier process put aside, and those whose game has ended but is not stored.
	Unstored() ([]Record, error)
}

// Sessions holds all sessions of a server.
type Sessions struct {
	Library  *Library
	Store    Store
	Changed  func(id string) // called after every change; it must be fast
	Now      func() time.Time
	Searches chan struct{} // holds one value for each search in progress; its capacity is the maximum
	Guests   chan struct{} // the same for searches in games of guests; nil = Searches
	MoveTime time.Duration // time limit of an agent's move
	// OnSaveError, if not nil, receives the error when sessions cannot be stored, and nil when storing works again
	OnSaveError func(error)

	base context.Context
	quit context.CancelFunc
	work sync.WaitGroup

	keeper  keeper
	rematch sync.Mutex // held during Rematch, so that two requests start only one rematch

	mu       sync.Mutex
	sessions map[string]*Session
	order    []string // ids, the least recently used first
	agents   []*idle
}

// Limits of what is kept in memory: stored sessions can be loaded again, and agents made again.
const (
	mostSessions = 200
	mostAgents   = 4
)

// idle is an agent that no session uses.
type idle struct {
	key   string
	agent agents.Agent
}

// Open makes Sessions ready to use; Close ends them.
func (r *Sessions) Open(ctx context.Context) {
	r.base, r.quit = context.WithCancel(ctx)
	r.sessions = map[string]*Session{}
	r.keeper.wake = make(chan struct{}, 1)
	r.keeper.tried = make(chan struct{})
	r.keeper.end = make(chan struct{})
	r.keeper.ended = make(chan struct{})
	go r.keepAll()
	if r.Now == nil {
		r.Now = time.Now
	}
	if r.Guests == nil {
		r.Guests = r.Searches
	}
}

// Close ends every search and waits for it. It then tries once more to store all unsaved sessions. If that fails, the
// error names the file that holds them.
func (r *Sessions) Close() error {
	select {
	case <-r.keeper.ended: // it is closed already
		return nil
	default:
	}
	r.quit()
	r.work.Wait()
	close(r.keeper.end)
	<-r.keeper.ended
	err := r.keeper.failing
	if err != nil {
		n, where, failed := r.aside(true)
		err = errors.Join(fmt.Errorf("%s played by people could not be stored: %w; Spar saved the games in %s",
			screen.Plural(n, "game"), err, where), failed)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.sessions {
		t.mu.Lock()
		if t.clock != nil {
			t.clock.Stop()
		}
		t.mu.Unlock()
	}
	for _, a := range r.agents {
		closeAgent(a.agent)
	}
	r.agents = nil
	return err
}

func closeAgent(a agents.Agent) {
	if c, ok := a.(agents.Closer); ok {
		_ = c.Close() // it has nothing to save
	}
}

// Token returns a random secret.
func Token() string { return strings.ToLower(rand.Text()) }

// Setup describes a game to start.
type Setup struct {
	Rules string
	Set   []string
	Seats [2]Player
	Moves []string // moves to play first

	Origin string // address of the review of the game that this one continues
}

// New starts a game.
func (r *Sessions) New(s Setup) (*Session, error) {
	g, err := r.Library.Game(s.Rules, s.Set)
	if err != nil {
		return nil, err
	}
	for _, p := range s.Seats {
		if p.Person() {
			continue
		}
		spec, err := r.Library.Spec(p)
		if err == nil {
			err = spec.Suits(g)
		}
		if err != nil {
			return nil, err
		}
	}
	rec := Record{
		ID:        Token()[:10],
		Rules:     r.Library.Here(s.Rules),
		Set:       s.Set,
		Canonical: g.Rules().Canonical(),
		Seats:     s.Seats,
		Given:     len(s.Moves),
		Origin:    s.Origin,
	}
	rec.Seed = int64(mathrand.Uint64() >> 1)
	for _, m := range s.Moves {
		rec.Plies = append(rec.Plies, Ply{Move: m})
	}
	return r.add(g, rec)
}

// Rematch continues a series with the sides exchanged. From an earlier game of a series it returns the latest one,
// unless that has ended.
func (r *Sessions) Rematch(t *Session) (*Session, error) {
	r.rematch.Lock()
	defer r.rematch.Unlock()
	if last := r.Latest(t); last != t {
		if !last.Over() {
			return last, nil
		}
		t = last
	}
	t.mu.Lock()
	old := t.rec
	t.mu.Unlock()
	g, err := r.Library.Stored(old.Canonical)
	if err != nil {
		return nil, err
	}
	rec := Record{
		ID:        Token()[:10],
		Rules:     old.Rules,
		Set:       old.Set,
		Canonical: g.Rules().Canonical(),
		Seats:     [2]Player{old.Seats[1], old.Seats[0]},
		Assists:   old.Assists,
		Used:      old.Assists,
		Tally:     old.Tally,
		Swapped:   !old.Swapped,
		Tokens: [2]string{
			old.Tokens[1],
			old.Tokens[0],
		},
		Seed: old.Seed + 1,
	}
	next, err := r.add(g, rec)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	next.mu.Lock()
	next.links = [2]string{t.links[1], t.links[0]}
	next.mu.Unlock()
	t.rec.Next = next.ID()
	t.keep() // pages of the old session show the new one
	return next, nil
}

// rematches yields the later games of a series in order.
func (r *Sessions) rematches(rec *Record) iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		id := rec.Next
		for n := 0; id != "" && n < mostSessions; n++ {
			next, ok, err := r.Session(id)
			if err != nil || !ok || !yield(next) {
				return
			}
			id = next.View().Next
		}
	}
}

// Latest returns the last game of the series.
func (r *Sessions) Latest(t *Session) *Session {
	v := t.View()
	for next := range r.rematches(&v.Record) {
		t = next
	}
	return t
}

// Rejoins reports whether the series has a later game that has not ended.
func (r *Sessions) Rejoins(v *View) bool {
	over := true
	for next := range r.rematches(&v.Record) {
		over = next.Over()
	}
	return !over
}

// Delete ends a game and removes everything that is stored about it.
func (r *Sessions) Delete(t *Session) error {
	r.keeper.storing.Lock()
	defer r.keeper.storing.Unlock()
	t.mu.Lock()
	t.stopThinking()
	if t.clock != nil {
		t.clock.Stop()
	}
	err := r.Store.Delete(t.rec)
	t.deleted = err == nil
	t.decision++
	t.mu.Unlock()
	if err != nil {
		return err
	}
	r.mu.Lock()
	delete(r.sessions, t.rec.ID)
	r.order = slices.DeleteFunc(r.order, func(id string) bool { return id == t.rec.ID })
	r.mu.Unlock()
	r.Changed(t.rec.ID)
	return nil
}

// add adds a session, unless another goroutine has already added it.
func (r *Sessions) add(g *engines.Game, rec Record) (*Session, error) {
	t := &Session{room: r, rec: rec, game: g}
	if err := t.replay(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	if old, ok := r.sessions[rec.ID]; ok { // another goroutine has added it
		r.mu.Unlock()
		return old, nil
	}
	r.sessions[rec.ID] = t
	r.mu.Unlock()
	r.used(rec.ID)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changed()
	return t, nil
}

// used marks a session as recently used and removes those least recently used from memory.
func (r *Sessions) used(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = append(slices.DeleteFunc(r.order, func(o string) bool { return o == id }), id)
	r.order = slices.DeleteFunc(r.order, func(old string) bool {
		t := r.sessions[old]
		if len(r.sessions) <= mostSessions || old == id || t == nil || !t.mu.TryLock() {
			return t == nil
		}
		defer t.mu.Unlock()
		idle := t.thinking == nil && t.clock == nil && t.changedAt.IsZero()
		if idle {
			delete(r.sessions, old)
		}
		return idle
	})
}

// Session returns a session, if necessary from the store. The result ok is false if there is none.
func (r *Sessions) Session(id string) (t *Session, ok bool, err error) {
	r.mu.Lock()
	t = r.sessions[id]
	r.mu.Unlock()
	if t != nil {
		r.used(id)
		return t, true, nil
	}
	rec, ok, err := r.Store.Load(id)
	if err != nil || !ok {
		return nil, false, err
	}
	g, err := r.Library.Stored(rec.Canonical)
	if err == nil {
		t, err = r.add(g, rec)
	}
	if err != nil {
		return nil, false, rowError(id, err)
	}
	return t, true, nil
}

// ErrRow is wrapped by errors about a stored session that Spar cannot have written itself.
var ErrRow = errors.New("another program has changed it")

func rowError(id string, err error) error {
	return fmt.Errorf("the stored game %s cannot be read, because %w: %w", id, ErrRow, err)
}

// think starts the search of the agent that is to move. The caller must hold the lock of the session.
func (t *Session) think() {
	side := t.pos.Side()
	spec, err := t.room.Library.Spec(t.rec.Seats[side])
	if err != nil {
		t.problem = err.Error()
		return
	}
	ctx, stop := context.WithTimeout(t.room.base, t.room.MoveTime)
	search, now := context.WithCancel(ctx)
	t.thinking = &thought{stop, now, t.room.Now()}
	t.rec.Specs[side] = spec.Canonical()
	p := t.pos.Clone()
	decision := t.decision
	name := t.rec.Seats[side].String()
	seed := t.rec.Seed
	slots := t.room.Searches
	if t.rec.Tokens != [2]string{} {
		slots = t.room.Guests
	}
	t.room.work.Go(func() {
		defer stop()
		d, err := t.room.choose(ctx, search, slots, spec, p, seed)
		t.mu.Lock()
		defer t.mu.Unlock()
		switch {
		case t.decision != decision || t.room.base.Err() != nil: // the position has changed
			return
		case err != nil:
			t.thinking, t.problem = nil, fmt.Sprintf("%s cannot move: %v", name, err)
			t.room.Changed(t.rec.ID)
			return
		}
		ply := Ply{
			Agent: name,
			Depth: d.Depth,
			Nodes: d.Nodes,
			Legal: p.MoveCount(),
			PV:    t.game.JoinMoves(d.PV),
		}
		if !math.IsNaN(d.Score) {
			ply.Score = &d.Score
		}
		t.play(d.Move, ply)
	})
}

// choose returns the move of an agent. It waits until a slot for a search is free. When the context search ends, the
// agent returns its best move so far.
func (r *Sessions) choose(ctx, search context.Context, slots chan struct{}, spec agents.Spec, p *engines.Position,
	seed int64,
) (agents.Decision, error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return agents.Decision{}, errors.New("the computer is busy with other searches")
	}
	key := p.Game().RulesHash() + "\n" + p.Game().Name() + "\n" + spec.Canonical()
	a, err := r.borrow(ctx, key, spec, p.Game())
	if err != nil {
		return agents.Decision{}, err
	}
	stream := agents.Seed{uint64(seed), uint64(p.Ply())}
	a.NewGame(stream)
	d, err := a.Choose(search, p, spec.Budget, stream.Stream())
	if err == nil && !slices.Contains(p.AppendMoves(nil), d.Move) {
		err = errors.New("its move is illegal")
	}
	r.giveBack(key, a, err)
	return d, err
}

func (r *Sessions) borrow(ctx context.Context, key string, spec agents.Spec, g *engines.Game) (agents.Agent, error) {
	r.mu.Lock()
	at := slices.IndexFunc(r.agents, func(i *idle) bool { return i.key == key })
	if at >= 0 {
		a := r.agents[at].agent
		r.agents = slices.Delete(r.agents, at, at+1)
		r.mu.Unlock()
		return a, nil
	}
	r.mu.Unlock()
	return agents.NewContext(ctx, spec, g)
}

func (r *Sessions) giveBack(key string, a agents.Agent, err error) {
	if err != nil {
		closeAgent(a)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.agents = append(r.agents, &idle{key, a})
	if len(r.agents) > mostAgents {
		closeAgent(r.agents[0].agent)
		r.agents = r.agents[1:]
	}
}
