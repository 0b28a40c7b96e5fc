package balance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/solve"
)

// Game is one game as Measure reads it.
type Game struct {
	study.Game
	First, Second string // names of the agents
}

// Data is the input of Measure: games of one set of rules.
type Data struct {
	Game   *engines.Game
	Label  string           // name of the rules in the study
	Path   string           // of the study
	Events []Event          // with games of these rules
	Agents map[string]Agent // by name; a missing agent counts as not deterministic
	// Games yields all games, by event and number; each is valid until the next one.
	Games func(context.Context) iter.Seq2[*Game, error]
	// Find returns one game.
	Find func(ctx context.Context, id int64) (Game, error)
	// Variants are games under rules that differ from these in one knob.
	Variants []Variant
	// Inquiry has the stages of the question who wins under the rules, as far as they were played.
	Inquiry []campaign.Stage
	open    bool   // the inquiry is not finished
	effort  string // effort in the study's plan, if it has one
}

// Event is an event with the relevant parts of its plan.
type Event struct {
	study.Event
	Tiers []string // names of the plan's agents in its order
	Clear bool     // its match-ups may stop early, so only intervals that are valid at every look are right
	Games int64    // games of these rules
}

// Agent is an agent of the study.
type Agent struct {
	Name string
	Spec *agents.Spec // nil if the study does not have it, as for imported games
	// Budget of its decisions: its own, or that of the plan.
	Budget agents.Budget
}

// Options are the knobs of Measure. The zero value is the standard analysis.
type Options struct {
	Level     float64        // of intervals, in (0, 1); 0 = 0.95
	Resamples int            // of the bootstrap; 0 = 1000
	Seed      uint64         // of the bootstrap
	Workers   int            // goroutines; 0 = one a processor. Does not change the numbers.
	Oracle    *oracle.Values // position values; nil = none, and measures that need them are missing
	Playouts  float64        // random games a second and core, if measured
	// SolveMemory is for solving the game, in bytes; 0 = campaign.SolveMemory, -1 = do not solve.
	SolveMemory int64
	Table       *solve.Table // the solved game, if the caller has it
	Proof       *solve.Proof // proof of the start's value, if there is no table
	// Blind ignores tables and proofs: the verdict rests on play only.
	Blind bool
	// Progress is called with the work done from time to time, from one goroutine at a time. Total is 0 if unknown.
	Progress func(stage string, done, total int64)

	unsolved string // why an earlier attempt at solving failed
}

// ErrNoGames is returned if a study has no games of the requested rules.
var ErrNoGames = errors.New("no games of these rules")

// hash identifies equal games, even in studies without hashes such as imported ones.
func (g *Game) hash() int64 {
	if g.Hash != 0 {
		return g.Hash
	}
	h := fnv.New64a()
	h.Write([]byte(g.Moves)) // a hash never fails
	return int64(h.Sum64())
}

// FromStudy reads the input of Measure for the rules with a label in a study. It streams the games when they are
// needed. Games that belong to the study of other rules, to measure the effect of a knob, count only for that study.
func FromStudy(ctx context.Context, db *store.DB, label string) (Data, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return Data{}, err
	}
	own := slices.DeleteFunc(slices.Clone(events), func(e study.Event) bool {
		return campaign.OfKnob(e) ||
			campaign.OfInquiry(e)
	})
	d, err := fromEvents(ctx, db, label, own)
	if err != nil {
		return Data{}, err
	}
	var over bool
	if d.Inquiry, over, err = campaign.Inquired(ctx, db, label); err != nil {
		return Data{}, err
	}
	d.open = !over
	d.Variants, err = variantsOf(ctx, db, d, events)
	return d, err
}

// fromEvents is FromStudy for some of the events.
func fromEvents(ctx context.Context, db *store.DB, label string, events []study.Event) (Data, error) {
	rules, ok, err := db.RulesNamed(ctx, label)
	if err != nil {
		return Data{}, err
	}
	if !ok {
		names, err := db.Names(ctx, "rules")
		return Data{}, errors.Join(fmt.Errorf("%s: %w: %q%s", db.Path(), ErrNoGames, label, strict.Suggest(label, names)),
			err)
	}
	d := Data{Label: label, Path: db.Path(), Agents: map[string]Agent{}}
	if d.Game, err = engines.Stored(rules.Canonical); err != nil {
		return Data{}, fmt.Errorf("rules %s of %s: %w", label, db.Path(), err)
	}
	specs, err := db.AgentSpecs(ctx)
	if err != nil {
		return Data{}, err
	}
	for name, text := range specs {
		a := Agent{Name: name}
		// imported games come without specs
		if s := agents.DefaultSpec(); json.Unmarshal([]byte(text), &s) == nil && s.Type != "" {
			a.Spec, a.Budget = &s, s.Budget
		}
		d.Agents[name] = a
	}
	counts, err := db.EventCounts(ctx, rules.ID)
	if err != nil {
		return Data{}, err
	}
	known := map[int64]bool{}
	for _, e := range events {
		if n := counts[e.ID]; n > 0 {
			known[e.ID] = true
			tiers, clear := d.readPlan(e.Plan)
			d.Events = append(d.Events, Event{Event: e, Tiers: tiers, Clear: clear, Games: n})
		}
	}
	names, err := db.AgentNames(ctx)
	if err != nil {
		return Data{}, err
	}
	named := func(g study.Game) Game { return Game{Game: g, First: names[g.First], Second: names[g.Second]} }
	d.Games = func(ctx context.Context) iter.Seq2[*Game, error] {
		return func(yield func(*Game, error) bool) {
			var now Game
			for g, err := range db.GamesOf(ctx, rules.ID) {
				if err != nil {
					yield(nil, err)
					return
				}
				if !known[g.Event] {
					continue
				}
				if now = named(*g); !yield(&now, nil) {
					return
				}
			}
		}
	}
	d.Find = func(ctx context.Context, id int64) (Game, error) {
		for row, err := range db.Games(ctx, store.Filter{ID: id}) {
			return named(row.Game), err
		}
		return Game{}, fmt.Errorf("%s has no game %d", db.Path(), id)
	}
	return d, nil
}

// readPlan returns the names of a plan's agents in order, and whether match-ups stop early. It also fills in the plan's
// budget for agents without their own. The plan of an imported event is not a tournament's and has no agents.
func (d *Data) readPlan(text string) (names []string, clear bool) {
	var plan struct {
		Plan struct {
			Budget agents.Budget `json:"budget"`
			Stop   struct {
				Clear *struct{} `json:"clear"`
			} `json:"stop"`
		}
		Players []struct {
			Name string `json:"name"`
		}
	}
	if json.Unmarshal([]byte(text), &plan) != nil {
		return nil, false
	}
	for _, p := range plan.Players {
		names = append(names, p.Name)
		if a, ok := d.Agents[p.Name]; ok {
			a.Budget = a.Budget.Or(plan.Plan.Budget)
			d.Agents[p.Name] = a
		}
	}
	return names, plan.Plan.Stop.Clear != nil
}

// certain reports whether an agent always answers a position alike. For an unknown agent it returns false.
func (d *Data) certain(name string) bool {
	a, ok := d.Agents[name]
	return ok && a.Spec != nil && a.Spec.Deterministic()
}
