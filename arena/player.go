package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"spar/agents"
	"spar/agents/pace"
	"spar/arena/live"
	"spar/engines"
	"spar/engines/solve"
)

// Assets are the rules and agents that tasks refer to by hash, and the tables for exact adjudication. Players
// share them; they are safe for concurrent use.
type Assets struct {
	mu     sync.RWMutex
	games  map[string]*engines.Game
	specs  map[string]agents.Spec
	tables map[tableKey]*table
}

// tableKey identifies a table by its file, or by the memory limit for solving.
type tableKey struct {
	rules, file string
	memoryMB    int
}

type table struct {
	once sync.Once
	t    *solve.Table
	err  error
}

// NewAssets returns empty assets. Close them at the end.
func NewAssets() *Assets {
	return &Assets{games: map[string]*engines.Game{}, specs: map[string]agents.Spec{}, tables: map[tableKey]*table{}}
}

// AddRules adds rules and returns their hash.
func (k *Assets) AddRules(g *engines.Game) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	hash := g.RulesHash()
	if _, ok := k.games[hash]; !ok {
		k.games[hash] = g
	}
	return hash
}

// Entrant adds an agent with the weights that it has under the rules of g. It returns the agent in the form that
// tasks use. An agent without a budget gets the given one.
func (k *Assets) Entrant(s agents.Spec, g *engines.Game, budget agents.Budget) Entrant {
	_, hash := s.Effective(g)
	k.mu.Lock()
	k.specs[hash] = s.For(g)
	k.mu.Unlock()
	return Entrant{Name: s.Name, Spec: hash, Budget: s.Budget.Or(budget)}
}

// AddSpec adds an agent under a given hash. The agent comes from another machine, and the caller has checked it.
func (k *Assets) AddSpec(hash string, s agents.Spec) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.specs[hash] = s
}

// ForgetAgent removes an agent that no later task refers to.
func (k *Assets) ForgetAgent(hash string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.specs, hash)
}

// ForgetAgents removes all agents. No later task may refer to them.
func (k *Assets) ForgetAgents() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.specs)
}

// Game returns the compiled rules with the given hash.
func (k *Assets) Game(hash string) (*engines.Game, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if g, ok := k.games[hash]; ok {
		return g, nil
	}
	return nil, fmt.Errorf("this process has no rules with the hash %s", hash)
}

// Spec returns the agent with the given hash, as it plays under its rules.
func (k *Assets) Spec(hash string) (agents.Spec, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if s, ok := k.specs[hash]; ok {
		return s, nil
	}
	return agents.Spec{}, fmt.Errorf("this process has no agent with the hash %s", hash)
}

// Table returns the table for exact adjudication under the rules of g. It loads or makes the table only once. It
// returns nil if exact adjudication is off.
func (k *Assets) Table(ctx context.Context, g *engines.Game, o Adjudge) (*solve.Table, error) {
	if o.Exact == 0 {
		return nil, nil
	}
	key := tableKey{g.RulesHash(), o.Table, o.Memory}
	k.mu.Lock()
	t, ok := k.tables[key]
	if !ok {
		t = &table{}
		k.tables[key] = t
	}
	k.mu.Unlock()
	t.once.Do(func() {
		if o.Table != "" {
			t.t, t.err = solve.Load(o.Table, g)
			return
		}
		memory := int64(o.Memory) * 1_000_000
		if memory == 0 {
			memory = 64_000_000
		}
		t.t, t.err = solve.Solve(ctx, g, solve.Options{Memory: memory})
	})
	if t.err != nil {
		return nil, fmt.Errorf("adjudicate.exact_from_ply in %s: %w", g.Name(), t.err)
	}
	return t.t, nil
}

// Player plays tasks one after the other. It keeps the agents that it has built, with their tables, for later tasks.
// Only one goroutine may use it.
type Player struct {
	assets *Assets
	name   string // name of the worker, which results contain
	most   int    // maximum number of agents to keep
	agents map[agentKey]*kept
	awake  map[agentKey]agents.Sleeper // agents that have a running process
	clock  int64                       // number of uses of agents so far, to find the least recently used one
	watch  func()                      // called after every ply; may be nil
	shower live.Shower
	self   selfPlaying
}

// agentKey identifies an agent that was built. An agent that plays itself has two entries, so that the two sides
// share no memory.
type agentKey struct {
	rules, spec string
	opposite    bool // for the second player, if an agent plays itself
}

// kept is an agent that was built, or the reason why it could not be built.
type kept struct {
	agent agents.Agent
	err   error
	used  int64
}

// mostAgents is the default number of agents that a player keeps.
const mostAgents = 64

// NewPlayer returns a player. Name is the name of the worker in its results. The caller must close the player.
func NewPlayer(assets *Assets, name string) *Player {
	return &Player{
		assets: assets, name: name, most: mostAgents, agents: map[agentKey]*kept{},
		awake: map[agentKey]agents.Sleeper{},
	}
}

// Keep sets how many agents the player keeps and returns the player.
func (p *Player) Keep(n int) *Player {
	p.most = max(2, n)
	return p
}

// Watch sets a function that is called after every ply of an agent, from the goroutine that plays, and returns the
// player.
func (p *Player) Watch(f func()) *Player {
	p.watch = f
	return p
}

// Show publishes the player's games on boards, under the given number, and returns the player.
func (p *Player) Show(b *live.Boards, number int) *Player {
	p.shower = live.Shower{Boards: b, Player: number}
	return p
}

// Play plays a task. An agent that cannot be built forfeits the game. Play returns an error, and no result, if ctx
// ends or if something other than an agent fails.
func (p *Player) Play(ctx context.Context, t *Task) (Result, error) {
	g, err := p.assets.Game(t.Rules)
	if err != nil {
		return Result{}, err
	}
	if t.SelfPlay.On() {
		return p.playSelf(ctx, g, t)
	}
	keys := [2]agentKey{{rules: t.Rules, spec: t.Seats[0].Spec}, {rules: t.Rules, spec: t.Seats[1].Spec}}
	keys[1].opposite = keys[0] == keys[1]
	for key, s := range p.awake {
		if key != keys[0] && key != keys[1] { // so that a player has the processes of two agents at most
			s.Sleep()
		}
	}
	opening, err := t.moves(g)
	if err != nil {
		return Result{}, err
	}
	table, err := p.assets.Table(ctx, g, t.Adjudicate)
	if err != nil {
		return Result{}, err
	}
	var seats [2]Seat
	for side, key := range keys {
		seats[side] = Seat{Name: t.Seats[side].Name, Budget: t.Seats[side].Budget}
		a, err := p.agent(ctx, key, g)
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		if err != nil {
			seats[side].Agent = unbuilt{err}
			continue
		}
		seats[side].Agent = a
	}
	var each func(*engines.Position, agents.Decision)
	if p.shower.Boards != nil || p.watch != nil {
		each = func(at *engines.Position, _ agents.Decision) {
			if p.shower.Boards != nil {
				p.shower.Show(at, t.Seats[0].Name, t.Seats[1].Name, t.Slot.Number)
			}
			if p.watch != nil {
				p.watch()
			}
		}
	}
	r, err := Play(ctx, g, Conditions{
		Seed: t.Seed, Stream: t.Stream, Opening: opening, Clock: t.Clock,
		GameLimit: pace.Seconds(t.GameLimit),
		Adjudge:   t.Adjudicate, Table: table, Thoughts: t.Thoughts, Each: each,
	}, seats)
	r.Slot = t.Slot
	r.Rules = t.Rules
	r.Specs = t.Specs()
	r.Worker = p.name
	return r, err
}

// agent returns the player's agent for a key. It builds the agent when it is first used. The agent causes the
// returned error.
func (p *Player) agent(ctx context.Context, key agentKey, g *engines.Game) (agents.Agent, error) {
	p.clock++
	if k, ok := p.agents[key]; ok {
		k.used = p.clock
		return k.agent, k.err
	}
	if len(p.agents) >= p.most {
		p.dropOldest()
	}
	s, err := p.assets.Spec(key.spec)
	k := &kept{used: p.clock}
	if err == nil {
		k.agent, err = agents.NewContext(ctx, s, g)
	}
	if err != nil && ctx.Err() != nil {
		return nil, err // it may be built another time
	}
	k.err = err
	p.agents[key] = k
	if sleeper, ok := k.agent.(agents.Sleeper); ok {
		p.awake[key] = sleeper
	}
	return k.agent, k.err
}

func (p *Player) dropOldest() {
	var oldest agentKey
	used := p.clock
	for key, k := range p.agents {
		if k.used < used {
			oldest, used = key, k.used
		}
	}
	p.agents[oldest].close()
	delete(p.agents, oldest)
	delete(p.awake, oldest)
}

func (k *kept) close() {
	if c, ok := k.agent.(agents.Closer); ok {
		_ = c.Close() // its games are over; nothing depends on it
	}
}

// Close releases the resources of the agents.
func (p *Player) Close() {
	for _, k := range p.agents {
		k.close()
	}
	clear(p.agents)
	clear(p.awake)
}

// unbuilt replaces an agent that could not be built. It forfeits when it is asked for a move.
type unbuilt struct{ err error }

func (unbuilt) NewGame(agents.Seed) {}

func (u unbuilt) Choose(context.Context, *engines.Position, agents.Budget, *rand.Rand) (agents.Decision, error) {
	return agents.Decision{}, &agents.Fault{Kind: "build", Err: u.err}
}
