// Package record describes the provenance of a study: which games were played, by which agents, with which program
// and when. A [Record] holds it. [Replay] plays a fraction of the games
// again and compares them; [Verify] checks the stored games against the rules.
package record

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/plain"
)

// Record is the provenance of all games of a study.
type Record struct {
	DB    string `json:"db" help:"the study's file"`
	Games int64  `json:"games" help:"games"`
	// thinking time of all agents together, in seconds
	Spent    float64   `json:"thinking_s" help:"thinking time of the agents"`
	Nodes    int64     `json:"nodes" help:"nodes of all searches"`
	Purposes []Purpose `json:"purposes"`
	Events   []Event   `json:"events"`
	Rules    []Rules   `json:"rules"`
	Agents   []Agent   `json:"agents"`
	Machines []Machine `json:"machines"`
	Warnings []string  `json:"warnings,omitempty" help:"events whose agents had much less processor time than they thought"`
}

// Purpose is a purpose for which games were played, with the number of games.
type Purpose struct {
	Purpose string `json:"purpose" help:"purpose of the games"`
	Events  int    `json:"events" help:"events"`
	Games   int64  `json:"games" help:"games"`
	Counts  int64  `json:"counts" help:"games that count for strength or balance"`
}

// Event is one plan with its games.
type Event struct {
	Event   string `json:"event" help:"name"`
	Purpose string `json:"purpose" help:"purpose of its games"`
	Format  string `json:"format,omitempty" help:"format of the tournament"`
	Seed    int64  `json:"seed" help:"seed for all random choices"`
	// SHA-256 of the plan's text in the study
	PlanHash string `json:"plan_hash" help:"SHA-256 of the plan's text, which spar export prints"`
	// the plan, with its field names in lower case
	Plan    json.RawMessage `json:"plan" help:"the plan that produces its games"`
	Games   int64           `json:"games" help:"games"`
	Counts  int64           `json:"counts" help:"games that count"`
	Faults  int64           `json:"faults" help:"games that an agent forfeited by a fault"`
	Timed   int64           `json:"timed" help:"games with a time limit"`
	LeftOut []LeftOut       `json:"left_out"` // games that cannot be reproduced
	Started string          `json:"started,omitempty" help:"start of the first run, UTC"`
	// time at which the last complete run ended
	Ended  string  `json:"ended,omitempty" help:"end of the last run that ended normally"`
	WallS  float64 `json:"wall_s" help:"time of all runs"`
	CPUS   float64 `json:"cpu_s" help:"CPU time of all runs"`
	Builds []Build `json:"builds"`
}

// Build is a program on a machine, with the number of games that it stored.
type Build struct {
	Release string `json:"release" help:"version of a program that played games of the event"`
	Commit  string `json:"commit" help:"commit of the program"`
	Go      string `json:"go" help:"Go version of the program"`
	CPU     string `json:"cpu" help:"processor"`
	Since   string `json:"since,omitempty" help:"when the program started, UTC"`
	Games   int64  `json:"games" help:"games that this program stored"`
	Command string `json:"command,omitempty" help:"command line"`
}

// Rules are one set of rules in the study.
type Rules struct {
	Rules string          `json:"rules" help:"label"`
	Hash  string          `json:"hash" help:"hash of the knobs"`
	Games int64           `json:"games" help:"games"`
	Knobs json.RawMessage `json:"knobs" help:"every knob"`
}

// Agent is an agent's spec, with the rules under which the agent had it.
type Agent struct {
	Agent string `json:"agent" help:"name"`
	// rules under which it has this spec
	Rules []string        `json:"rules" help:"labels of the rules with this spec"`
	Hash  string          `json:"hash,omitempty" help:"hash of the spec; omitted if the study does not have it"`
	Spec  json.RawMessage `json:"spec" help:"every knob and weight"`
	read  agents.Spec
}

// Machine is a worker, with the number of its games and of those that other workers replayed.
type Machine struct {
	// name of the worker; empty or "local" means the process that stored the games
	Worker string `json:"worker" help:"name of the worker that played; local is the process that stored the games"`
	System string `json:"system,omitempty" help:"operating system and processor"`
	Games  int64  `json:"games" help:"games"`
	// how often its leases expired, so that its games went to other workers
	Late     int64  `json:"late,omitempty" help:"times that its games were reassigned because it made no progress"`
	Checked  int64  `json:"checked,omitempty" help:"games that another worker replayed with the same moves"`
	Differed int64  `json:"differed,omitempty" help:"games that another worker replayed with other moves"`
	Barred   string `json:"barred,omitempty" help:"reason why it got no more games"`
}

// Read reads the provenance of a study.
func Read(ctx context.Context, db *store.DB) (*Record, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	played, err := db.Played(ctx)
	if err != nil {
		return nil, err
	}
	builds, err := db.Builds(ctx)
	if err != nil {
		return nil, err
	}
	out, err := leftOut(ctx, db)
	if err != nil {
		return nil, err
	}
	r := &Record{DB: db.Path()}
	if r.Warnings, err = Busy(ctx, db); err != nil {
		return nil, err
	}
	for i, e := range events {
		r.addEvent(e, played, builds)
		r.Events[i].LeftOut = listed(out[e.ID])
	}
	if err := r.addRules(ctx, db, played); err != nil {
		return nil, err
	}
	if err := r.addAgents(ctx, db); err != nil {
		return nil, err
	}
	return r, r.addMachines(ctx, db, played)
}

func (r *Record) addEvent(e study.Event, played []store.Played, builds []store.Stretch) {
	o := Event{
		Event:    e.Name,
		Purpose:  e.Purpose,
		Seed:     e.Seed,
		PlanHash: plain.Hash(e.Plan),
		Plan:     printed(e.Plan),
		Format:   formatOf(e.Plan),
		Started:  e.Started,
		Ended:    e.Ended,
		WallS:    e.WallS,
		CPUS:     e.CPUS,
		Builds:   []Build{},
	}
	for _, p := range played {
		if p.Event == e.ID {
			o.Games += p.Games
			o.Counts += p.Counts
			o.Faults += p.Faults
			o.Timed += p.Timed
			r.Spent += p.Spent.Seconds()
			r.Nodes += p.Nodes
		}
	}
	for _, b := range builds {
		if b.Event == e.ID {
			o.Builds = append(o.Builds, Build{b.Version, b.Commit, b.Go, b.CPU, b.Since, b.Games, b.Command})
		}
	}
	r.Games += o.Games
	r.Events = append(r.Events, o)
	at := slices.IndexFunc(r.Purposes, func(p Purpose) bool { return p.Purpose == e.Purpose })
	if at < 0 {
		at = len(r.Purposes)
		r.Purposes = append(r.Purposes, Purpose{Purpose: e.Purpose})
	}
	p := &r.Purposes[at]
	p.Events++
	p.Games += o.Games
	p.Counts += o.Counts
}

func (r *Record) addRules(ctx context.Context, db *store.DB, played []store.Played) error {
	rules, err := db.Rules(ctx)
	for _, x := range rules {
		o := Rules{Rules: x.Name, Hash: x.Hash, Knobs: raw(x.Canonical)}
		for _, p := range played {
			if p.Rules == x.ID {
				o.Games += p.Games
			}
		}
		r.Rules = append(r.Rules, o)
	}
	return err
}

// addAgents adds the agents. It merges the rules under which an agent has the same spec.
func (r *Record) addAgents(ctx context.Context, db *store.DB) error {
	effective, err := db.Effective(ctx)
	if err != nil {
		return err
	}
	own, err := db.AgentSpecs(ctx)
	if err != nil {
		return err
	}
	for _, e := range effective {
		at := slices.IndexFunc(r.Agents, func(a Agent) bool { return a.Agent == e.Agent && a.Hash == e.Hash })
		if at < 0 {
			at = len(r.Agents)
			r.Agents = append(r.Agents, agentOf(e.Agent, e.Hash, cmp.Or(e.Spec, own[e.Agent])))
		}
		r.Agents[at].Rules = append(r.Agents[at].Rules, e.Rules)
		delete(own, e.Agent)
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.ContainsFunc(r.Agents, func(a Agent) bool { return a.Agent == name }) {
			r.Agents = append(r.Agents, agentOf(name, "", own[name]))
		}
	}
	return nil
}

func agentOf(name, hash, spec string) Agent {
	a := Agent{Agent: name, Hash: hash, Spec: raw(spec), Rules: []string{}}
	_ = json.Unmarshal(a.Spec, &a.read) // games taken in from elsewhere come without specs
	return a
}

func (r *Record) addMachines(ctx context.Context, db *store.DB, played []store.Played) error {
	workers, err := db.Workers(ctx)
	if err != nil {
		return err
	}
	games := map[string]int64{}
	for _, p := range played {
		games[p.Worker] += p.Games
	}
	for _, w := range workers {
		r.Machines = append(r.Machines, Machine{w.ID, w.System, games[w.ID], w.Late, w.Checked, w.Differed, w.Barred})
		delete(games, w.ID)
	}
	for name, n := range games {
		r.Machines = append(r.Machines, Machine{Worker: name, Games: n})
	}
	slices.SortFunc(r.Machines, func(a, b Machine) int { return strings.Compare(a.Worker, b.Worker) })
	return nil
}

// raw returns a stored text as JSON. Invalid JSON becomes a JSON string.
func raw(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage("null") // cannot happen: it is a text
	}
	return quoted
}

// printed returns a plan with lower-case names, like all other output. The stored text cannot change, because of
// its hash. It has the capitalised names of Go fields at the top level and in its list of rules. Names below these
// are keys of files, which printed does not change.
func printed(plan string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(plan), &fields) != nil || fields == nil {
		return raw(plan)
	}
	var rules []struct {
		Label string `json:"label"`
		Hash  string `json:"hash"`
	}
	if json.Unmarshal(fields["Rules"], &rules) == nil { // of a tournament; a tuning has the hash alone
		fields["Rules"], _ = json.Marshal(rules)
	}
	out := map[string]json.RawMessage{}
	for name, value := range fields {
		out[strings.ToLower(name)] = value
	}
	text, err := json.Marshal(out)
	if err != nil {
		return raw(plan) // cannot happen: it was JSON
	}
	return text
}

func formatOf(plan string) string {
	var o struct {
		Plan struct {
			Format string `json:"format"`
		}
	}
	_ = json.Unmarshal([]byte(plan), &o) // plans of other kinds have none
	return o.Plan.Format
}
