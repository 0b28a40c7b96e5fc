package tuning

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/openings"
	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
	"spar/tuning/optimise"
)

// Plan is a file that describes a tuning.
type Plan struct {
	// Name of the tuning, also within its study.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// The rules to play: a shipped game, a path, or {rules: NAME, set: {key: value}}.
	Rules arena.GameRef `yaml:"rules" json:"rules" jsonschema:"required"`
	// The agent to improve, where the search starts: a shipped agent, a path, or {agent: NAME, set: {key: value}}.
	Agent arena.AgentRef `yaml:"agent" json:"agent" jsonschema:"required"`
	// What to tune: key paths of the agent's file, like weights.own_need_1, weights.* (every weight that has an
	// effect), movement_weights.*, mcts.exploration; or {path: ..., min: ..., max: ..., scale: ...}.
	Parameters []ParamRef `yaml:"parameters" json:"parameters" jsonschema:"required"`
	// Tune the own_ and enemy_ weights of a feature as one parameter and keep their initial ratio (opposite signs when
	// both are 0). This halves the number of parameters, and weights learned one ply deep also help deeper searches.
	Mirror bool `yaml:"mirror" json:"mirror,omitempty"`
	// pipeline (the default): a tenth of the games by td (or regression), the rest by spsa; spsa: paired perturbations;
	// td: TD(lambda) self-play; regression: logistic regression on self-play.
	Method string `yaml:"method" json:"method" jsonschema:"enum=pipeline,enum=spsa,enum=td,enum=regression"`
	// Number of training games.
	Games int `yaml:"games" json:"games" jsonschema:"required,minimum=2,maximum=10000000"`
	// How games begin. The validation draws other openings of the same length.
	Openings openings.Options `yaml:"openings" json:"openings"`
	// Limits of a decision, for agents without their own.
	Budget    agents.Budget `yaml:"budget" json:"budget"`
	Opponents []string      `yaml:"-" json:"opponents,omitempty"` // only self; part of the text of stored plans
	// Fraction of the matches in which candidates play one level deeper (a greedy agent as minimax of depth 2), so
	// that the result is also good at that depth. For methods spsa and pipeline.
	Deeper float64 `yaml:"deeper" json:"deeper,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Knobs of method spsa.
	SPSA optimise.Options `yaml:"spsa" json:"spsa,omitzero"`
	// Knobs of td, regression and the first stage of the pipeline.
	Learn Learn `yaml:"learn" json:"learn,omitzero"`
	// Matches of the intermediate result against the starting agent and against a fixed pool, on training openings.
	Checks Checks `yaml:"checks" json:"checks"`
	// What "spar tune validate" plays.
	Validation Validation `yaml:"validation" json:"validation"`
	// Seed for all random choices.
	Seed int64 `yaml:"seed" json:"seed"`
	// Games played at the same time; 0 = one per core. Does not change the result.
	Workers int `yaml:"workers" json:"-" jsonschema:"minimum=0,maximum=1024"`
	// File of the study. Default: out/NAME.db.
	Database string `yaml:"database" json:"-"`
	// File for the tuned agent. Default: next to the agent's own file, or next to the study.
	Output string `yaml:"output" json:"-"`
}

// ParamRef names one or more parameters to tune.
type ParamRef struct {
	// Key path in the agent's file; weights.* and the like mean all weights that have an effect under the rules.
	Path string `yaml:"path" json:"path" jsonschema:"required"`
	// Lower bound. Default: none.
	Min *float64 `yaml:"min" json:"min,omitempty"`
	// Upper bound. Default: none.
	Max *float64 `yaml:"max" json:"max,omitempty"`
	// Size of a typical change; with log, a factor above 1. Default: for weights from sample games, for knobs from the
	// bounds or the initial value.
	Scale float64 `yaml:"scale" json:"scale,omitempty" jsonschema:"minimum=0"`
	// Search the logarithm of a knob, so that steps are factors: for example for an exploration constant between 0.1
	// and 3. Both bounds must be above 0.
	Log bool `yaml:"log" json:"log,omitempty"`
}

// ShorthandKey lets a parameter be written as its path alone.
func (*ParamRef) ShorthandKey() string { return "path" }

// Learn holds the knobs of learning from the positions of games.
type Learn struct {
	// First stage of the pipeline: td (the default) or regression.
	Method string `yaml:"method" json:"method,omitempty" jsonschema:"enum=td,enum=regression"`
	// Fraction of the games for the first stage of the pipeline. Default: 0.1.
	Share float64 `yaml:"share" json:"share,omitempty" jsonschema:"minimum=0,maximum=0.9"`
	// TD: the decay of eligibility traces. Default: 0.7.
	Lambda *float64 `yaml:"lambda" json:"lambda,omitempty" jsonschema:"minimum=0,maximum=1"`
	// TD: learning rate at the start. Default: 0.05.
	Alpha float64 `yaml:"alpha" json:"alpha,omitempty" jsonschema:"minimum=0,maximum=10"`
	// Fraction of random moves in the games. Default: 0.1 for td, 0.15 for regression.
	Epsilon *float64 `yaml:"epsilon" json:"epsilon,omitempty" jsonschema:"minimum=0,maximum=1"`
}

// Checks are matches of the intermediate result against the starting agent and against a fixed pool.
type Checks struct {
	// Number of checks, evenly spaced; 0 = none. Default: 5.
	Points *int `yaml:"points" json:"points,omitempty" jsonschema:"minimum=0,maximum=100"`
	// Pairs of games that each check plays against the starting agent, and about as many against the pool as a whole,
	// in addition to the training games. Default: 100.
	Pairs int `yaml:"pairs" json:"pairs,omitempty" jsonschema:"minimum=0,maximum=100000"`
	// Opponents of the intermediate result in each check, and once of the starting agent; [] = none. Agents without
	// weights use the hand-made ones. Default: random, handmade and minimax-2, without the starting agent itself.
	Pool []string `yaml:"pool" json:"pool,omitzero"`
}

// Validation describes how the result is validated, in games that are not used for training.
type Validation struct {
	// Pairs of each match. Default: 200.
	Pairs int `yaml:"pairs" json:"pairs,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	// Opponents of both the tuned agent and the starting agent, to find the worst match-up. Agents without weights use
	// the hand-made ones. Default: random, minimax-2 and uct-1k.
	Pool []string `yaml:"pool" json:"pool,omitempty"`
	// H1 of the sequential test of the tuned agent against the starting agent, in normalized Elo; H0 is 0. Default: 10,
	// or 20 for fewer than 3,000 training games.
	Elo1 float64 `yaml:"elo1" json:"elo1,omitempty" jsonschema:"minimum=0,maximum=400"`
	// Maximum number of pairs in the sequential test, after which it is undecided. Default: 2,000.
	Most int `yaml:"max_pairs" json:"max_pairs,omitempty" jsonschema:"minimum=0,maximum=10000000"`
	// Pairs of the match one level deeper. Default: the same as pairs.
	Deeper int `yaml:"deeper_pairs" json:"deeper_pairs,omitempty" jsonschema:"minimum=0,maximum=1000000"`
}

// Tuning is a plan together with everything that it names.
type Tuning struct {
	Plan
	Game      *engines.Game
	Label     string
	Start     agents.Spec // the agent to tune, with all weights written out
	Params    []Param
	Probe     *Probe
	pool      []string      // opponents in the validation, as names or as paths relative to the current folder
	checkers  []agents.Spec // opponents in the checks
	Direction bool          // the common length of the weights has no effect

	// Assets and Pool play the games; nil means this process.
	Assets *arena.Assets
	Pool   arena.Pool
	// Again receives a message when games are played again. It may be nil.
	Again func(text string)
}

// Load reads a plan and everything that it names, and plays some sample games to find the scales of the weights.
// Overrides change keys of the plan, like "games=2000". The error lists every mistake.
func Load(file string, data []byte, overrides ...string) (*Tuning, error) {
	return load(file, data, probeGames, overrides...)
}

// load is Load with a given number of sample games.
func load(file string, data []byte, samples int, overrides ...string) (*Tuning, error) {
	doc, err := strict.ParseLarge(file, data, overrides...)
	if err != nil {
		return nil, err
	}
	doc.Lacks = func(key string) string {
		return map[string]string{
			"values":    "spar ablate compares values that are not numbers",
			"opponents": "candidates play each other, and checks.pool names other agents",
		}[key]
	}
	t := &Tuning{Plan: Plan{Method: methodPipeline, Opponents: []string{self}}}
	_ = doc.Decode(&t.Plan) // doc.Err returns its mistakes together with those found below
	t.defaults()
	t.Rules = t.Rules.Split()
	rules, agent := t.Rules, t.Agent
	var g *engines.Game
	if rules.Rules, err = doc.Input("rules", t.Rules.Rules); err == nil {
		if g, err = arena.LoadGame(rules); err == nil {
			err = arena.Ends(g, arena.Label(g, rules.Set))
		}
	}
	if err != nil && !doc.Doubtful("rules") {
		doc.Refer("rules", "rules.set", err)
	} else if err == nil {
		t.Game, t.Label = g, arena.Label(g, t.Rules.Set)
	}
	var s agents.Spec
	if agent.Agent, err = doc.Input("agent", t.Agent.Agent); err == nil {
		s, err = loadAgent(agent)
	}
	if err != nil && !doc.Doubtful("agent") {
		doc.Refer("agent", "agent.set", err)
	} else if err == nil {
		t.Start = s
	}
	t.loadRivals(doc)
	t.place(doc, agent.Agent)
	if err := doc.Err(); err != nil {
		return nil, err
	}
	if t.Start.Evaluation.File == "" && t.Start.Evaluates() {
		t.Start.Evaluation.Kind = agents.Linear // tuned numbers must not depend on a learned net that only some rules have
	}
	t.Start = owned(t.Start.For(t.Game))
	t.checkers = slices.DeleteFunc(t.checkers, func(s agents.Spec) bool {
		s.Name = t.Start.Name
		s.Description = t.Start.Description
		return s.For(t.Game).Canonical() == t.Start.Canonical()
	})
	t.resolve(doc, samples)
	t.checkMethod(doc)
	if err := t.checkOpenings(); err != nil {
		doc.Errorf("openings", "%v", err)
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

const (
	self           = "self"
	methodPipeline = "pipeline"
	methodSPSA     = "spsa"
	methodTD       = "td"
	methodFit      = "regression"
)

// defaults fills in what the file leaves out.
func (t *Tuning) defaults() {
	if t.Checks.Points == nil {
		t.Checks.Points = new(5)
	}
	t.Checks.Pairs = cmp.Or(t.Checks.Pairs, 100)
	if t.Checks.Pool == nil {
		t.Checks.Pool = []string{"random", "handmade", "minimax-2"}
	}
	if t.Method == methodPipeline {
		t.Learn.Method = cmp.Or(t.Learn.Method, methodTD)
		t.Learn.Share = cmp.Or(t.Learn.Share, 0.1)
	}
	v := &t.Validation
	v.Pairs = cmp.Or(v.Pairs, 200)
	v.Deeper = cmp.Or(v.Deeper, v.Pairs)
	v.Most = cmp.Or(v.Most, 2000)
	if v.Elo1 == 0 {
		v.Elo1 = 10
		if t.Games < 3000 {
			v.Elo1 = 20
		}
	}
	if v.Pool == nil {
		v.Pool = []string{"random", "minimax-2", "uct-1k"}
	}
}

// place chooses the output files: the tuned agent goes next to the agent's own file if that is below the current
// folder.
func (t *Tuning) place(doc *strict.Document, agent string) {
	doc.Output("database", t.Database, ".db")
	doc.Output("name", "out/"+t.Name+".db", ".db") // the default of database
	if t.Database == "" {
		t.Database = "out/" + t.Name + ".db"
	}
	if t.Output != "" {
		doc.Output("output", t.Output, ".yaml")
		doc.Output("output", t.StartFile(), ".yaml")
		return
	}
	t.Output = filepath.Join(filepath.Dir(t.Database), t.Name+"-tuned.yaml")
	base, isFile := strings.CutSuffix(strings.TrimSuffix(agent, ".yml"), ".yaml")
	if isFile ||
		strings.HasSuffix(agent, ".yml") {
		if _, err := files.Below(".", base); err == nil || doc.Overridden("agent") {
			t.Output = base + "-tuned.yaml"
		}
	}
	for _, path := range []string{t.Output, t.StartFile()} { // names from the file, in a folder that may not be
		doc.Replaces("name", path)
	}
}

// loadAgent reads the agent that a reference names.
func loadAgent(ref arena.AgentRef) (agents.Spec, error) {
	s, err := agents.LoadSpec(ref.Agent, rules.Overrides(ref.Set)...)
	if err != nil {
		return s, err
	}
	s.Name = cmp.Or(ref.Name, s.Name)
	return s, nil
}

// loadRivals reads the opponents of the checks and of the validation. They have the hand-made weights
// unless their files say otherwise, so that a pool does not change when tuned weights become the default.
func (t *Tuning) loadRivals(doc *strict.Document) {
	for _, list := range []struct {
		key   string
		names []string
		add   func(file string, s agents.Spec)
	}{
		{"checks.pool", t.Checks.Pool, func(_ string, s agents.Spec) { t.checkers = append(t.checkers, s) }},
		{"validation.pool", t.Validation.Pool, func(file string, _ agents.Spec) { t.pool = append(t.pool, file) }},
	} {
		for i, name := range list.names {
			at := fmt.Sprintf("%s[%d]", list.key, i)
			found, err := doc.Input(at, name)
			var s agents.Spec
			if err == nil {
				s, err = agents.LoadSpec(found)
			}
			if err != nil {
				doc.Errorf(at, "%s: %v", list.key, err)
				continue
			}
			list.add(found, s.WithDefaults())
		}
	}
	if t.Deeper > 0 && !slices.Contains([]string{methodSPSA, methodPipeline}, t.Method) {
		doc.Errorf("deeper", "\"deeper\" has no effect with method: %s (only with spsa, pipeline)", t.Method)
	}
	for path, methods := range map[string][]string{
		"spsa": {methodSPSA, methodPipeline}, "learn": {methodTD, methodFit, methodPipeline},
		"learn.share": {methodPipeline}, "learn.method": {methodPipeline},
	} {
		if doc.Has(path) && !slices.Contains(methods, t.Method) {
			doc.Errorf(path, "%s has no effect with method: %s (only with %s)", path, t.Method, strings.Join(methods, ", "))
		}
	}
}

// least returns the minimum number of games of a method: with fewer the result is noise.
func (t *Tuning) least() (games int, why string) {
	n := len(t.Params)
	switch t.Method {
	case methodTD:
		return max(50, 4*n), "four games per weight, minimum 50"
	case methodFit:
		return max(100, 15*n), "fifteen games per weight, minimum 100"
	case methodPipeline:
		return max(200, 20*n), "twenty games per parameter, minimum 200"
	}
	return max(64, 10*n), "ten games per parameter, minimum 64"
}

// checkMethod refuses plans that the method cannot run.
func (t *Tuning) checkMethod(doc *strict.Document) {
	if len(t.Params) == 0 || doc.Doubtful("games") {
		return
	}
	if least, why := t.least(); t.Games < least {
		doc.Errorf("games", "%d games are too few for method %s and %d parameters; at least %d are needed (%s)",
			t.Games, t.Method, len(t.Params), least, why)
	}
	if t.learns() != "" {
		t.checkLearning(doc)
	}
	if doc.Err() != nil || t.Method == methodTD || t.Method == methodFit {
		return
	}
	if _, err := t.newOptimiser(t.Start, t.Games); err != nil {
		doc.Errorf("parameters", "%v", err)
	}
}

// learns returns the method of the learning stage; empty if there is none.
func (t *Tuning) learns() string {
	switch t.Method {
	case methodPipeline:
		return t.Learn.Method
	case methodTD, methodFit:
		return t.Method
	}
	return ""
}

// poolPairs returns the number of pairs of a check against one agent of its pool.
func (t *Tuning) poolPairs() int { return max(2, t.Checks.Pairs/max(1, len(t.checkers))) }

// checkGames returns the number of games of all checks: each against the starting agent and the pool, and once the
// starting agent against the pool.
func (t *Tuning) checkGames() int {
	points := *t.Checks.Points
	return 2 * (points*t.Checks.Pairs + min(points, 1)*(points+1)*len(t.checkers)*t.poolPairs())
}

// learnGames returns the number of games of the learning stage.
func (t *Tuning) learnGames() int {
	switch {
	case t.learns() == "":
		return 0
	case t.Method == methodPipeline:
		return int(t.Learn.Share*float64(t.Games)) / 2 * 2
	}
	return t.Games
}

// problem returns the search for better parameters than those of a spec, in the form of an optimiser.
func (t *Tuning) problem(from agents.Spec, games int) (optimise.Problem, error) {
	p := optimise.Problem{Seed: seedOf(t.Seed, "search"), Games: games / 2 * 2}
	for _, q := range t.Params {
		x, err := q.value(&from)
		if err != nil {
			return p, err
		}
		q.Start, q.Direction = x, t.Direction
		p.Parameters = append(p.Parameters, q.Parameter)
	}
	return p, nil
}

// newOptimiser returns the optimiser of a search from a spec.
func (t *Tuning) newOptimiser(from agents.Spec, games int) (*optimise.SPSA, error) {
	p, err := t.problem(from, games)
	if err != nil {
		return nil, err
	}
	return optimise.New(p, t.SPSA)
}

// Canonical returns everything that determines the games, as one line of JSON: the plan with the loaded rules and
// agents.
func (t *Tuning) Canonical() (string, error) {
	p := t.Plan
	p.Validation = Validation{} // which may be planned after the training
	text, err := json.Marshal(struct {
		Plan   Plan
		Rules  string
		Start  agents.Spec
		Rivals []agents.Spec // nil, as in plans of earlier versions
		Pool   []agents.Spec
		Params []Param
	}{p, t.Game.RulesHash(), t.Start, nil, t.checkers, t.Params})
	if err != nil {
		return "", fmt.Errorf("tuning %s: %w", t.Name, err)
	}
	return string(text), nil
}

// StartFile returns the path of the starting agent's file, which lies next to the tuned agent's.
func (t *Tuning) StartFile() string { return strings.TrimSuffix(t.Output, ".yaml") + "-start.yaml" }
