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
	"spar/tuning/variants"
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
	Path   string           // path of the study
	Events []Event          // events that have games of these rules
	Agents map[string]Agent // agents by name; a missing one counts as not deterministic
	// Games yields all games in the order of events and numbers. A game is valid until the next one is yielded.
	Games func(context.Context) iter.Seq2[*Game, error]
	// Find returns one game.
	Find     func(ctx context.Context, id int64) (Game, error)
	remedies *variants.RemedyResult // nil if none were sought
	// Inquiry holds the stages played so far of the inquiry into who wins under the rules.
	Inquiry []campaign.Stage
	open    bool   // the inquiry has not finished
	ref     string // arguments that name the rules on a command line
	effort  string // effort stated in the study's plan; may be empty
}

// Event is an event with the relevant parts of its plan.
type Event struct {
	study.Event
	Tiers []string // names of the plan's agents, in its order
	Clear bool     // its match-ups may stop early, so that intervals must be valid under repeated looks
	Games int64    // number of games of these rules
	Pairs int      // of each match-up under each of the rules

	budget agents.Budget // the plan's, for agents without their own
}

// Agent is an agent of the study.
type Agent struct {
	Name string
	Spec *agents.Spec // nil if the study does not have it, as for imported games
	// Budget is the budget for a decision: the agent's own, or that of the plan.
	Budget agents.Budget
}

// Options are the options of Measure. The zero value means the standard analysis.
type Options struct {
	Workers int            // goroutines; 0 = one for each processor. The numbers do not depend on it.
	Oracle  *oracle.Values // position values; nil = none: measures that need them are missing
	// SolveMemory is the memory for solving the game, in bytes; 0 = campaign.SolveMemory, -1 = do not solve.
	SolveMemory int64
	Table       *solve.Table // the solved game, if the caller has solved it
	Proof       *solve.Proof // proof of the start's value, if there is one and no table
	// Blind means that the verdict ignores tables and proofs and depends on play only.
	Blind bool
	// Progress is called from time to time with the work done. Calls do not overlap. Total is 0 if unknown.
	Progress func(stage string, done, total int64)

	unsolved string // reason why an earlier attempt to solve the game failed
}

// ErrNoGames is returned if a study has no games of the requested rules.
var ErrNoGames = errors.New("no games under these rules")

// hash returns a hash of a game's moves, so that equal games are found even in studies without stored hashes, such
// as imported ones.
func (g *Game) hash() int64 {
	if g.Hash != 0 {
		return g.Hash
	}
	h := fnv.New64a()
	h.Write([]byte(g.Moves)) // a hash never fails
	return int64(h.Sum64())
}

// FromStudy reads the input of Measure from a study, for the rules with the given label. It streams the games when they
// are needed. Games that were played to measure the effect of another game's knob count only for that game.
func FromStudy(ctx context.Context, db *store.DB, label string) (Data, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return Data{}, err
	}
	own := slices.DeleteFunc(slices.Clone(events), func(e study.Event) bool {
		return campaign.OfKnob(e) || campaign.OfInquiry(e)
	})
	d, err := fromEvents(ctx, db, label, own)
	if err != nil {
		return Data{}, err
	}
	var over bool
	if d.Inquiry, over, err = campaign.Inquired(ctx, db, label, d.Game); err != nil {
		return Data{}, err
	}
	d.open = !over
	d.remedies = advice(events, label)
	return d, nil
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
			x := Planned(e)
			x.Games = n
			for _, name := range x.Tiers {
				if a, ok := d.Agents[name]; ok {
					a.Budget = a.Budget.Or(x.budget)
					d.Agents[name] = a
				}
			}
			d.Events = append(d.Events, x)
		}
	}
	names, err := db.AgentNames(ctx)
	if err != nil {
		return Data{}, err
	}
	named := func(g study.Game) Game {
		return Game{Game: g, First: names[g.First], Second: names[g.Second]}
	}
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

// Planned returns an event with the relevant parts of its plan. An imported event has no tournament plan, so its agents
// are unknown.
func Planned(e study.Event) Event {
	var plan struct {
		Plan struct {
			Budget agents.Budget `json:"budget"`
			Pairs  int           `json:"pairs"`
			Stop   struct {
				Clear *struct{} `json:"clear"`
			} `json:"stop"`
		}
		Players []struct {
			Name string `json:"name"`
		}
	}
	out := Event{Event: e}
	if json.Unmarshal([]byte(e.Plan), &plan) != nil {
		return out
	}
	for _, p := range plan.Players {
		out.Tiers = append(out.Tiers, p.Name)
	}
	out.budget = plan.Plan.Budget
	out.Pairs = plan.Plan.Pairs
	out.Clear = plan.Plan.Stop.Clear != nil
	return out
}

// TierNames returns the agents of a balance study's plans, weakest first. It reads them from the ladder, which may
// start with random play.
func TierNames(events []Event) (names []string) {
	for _, purpose := range []string{campaign.PurposeLadder, campaign.PurposeMirror, campaign.PurposeOpenings} {
		for _, e := range events {
			for _, name := range e.Tiers {
				if e.Purpose == purpose && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// certain reports whether an agent always gives the same answer in a position. It returns false for an unknown
// agent.
func (d *Data) certain(name string) bool {
	a, ok := d.Agents[name]
	return ok && a.Spec != nil && a.Spec.Deterministic()
}
