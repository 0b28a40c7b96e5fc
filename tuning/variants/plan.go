// Package variants searches over rules: it proposes variants of a base, drops those that break the game, finds exact
// values, plays the others and measures them.
//
// # Terms
//
// The base is the rules as they are. A variant is the base with some knobs changed. A proposal is a list of changes;
// proposals come from a grid of values, a sample of it, a list, or the neighbours of the base, one knob and one step
// away (Neighbours, for balance reports). A sweep plays a design: all variants of a grid or a sample, or a search for
// targets in rounds that the better half survives. A tier is an agent that searches with some number of simulations.
// Fresh games measure the best variants again, on seeds that did not choose them.
//
// # Data flow
//
// Load reads a Plan. Propose makes variants and drops what is invalid or breaks the game, Solve finds exact values. Run
// plays the design through package campaign, measures each variant through package balance, and returns a Result, whose
// table has every variant. All variants have the same seeds.
package variants

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"spar/agents"
	"spar/arena"
	"spar/arena/campaign"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
	"spar/tuning/target"
)

// Plan is a file that describes a sweep.
type Plan struct {
	// Name of the sweep.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// The rules to vary: name of a shipped game, or a path.
	Rules string `yaml:"rules" json:"rules" jsonschema:"required"`
	// Changes of the rules that all variants have, by key path.
	Set map[string]any `yaml:"set,omitempty" json:"set,omitempty"`
	// Knobs to vary.
	Knobs []Knob `yaml:"knobs" json:"knobs" jsonschema:"required"`
	// grid: all combinations. latin-hypercube, halton: a sample of combinations, spread over the knobs; points sets their
	// number. halving: a search for the targets that keeps the better half of the variants and plays it again with twice
	// the games.
	Design string `yaml:"design" json:"design,omitempty" jsonschema:"enum=grid,enum=latin-hypercube,enum=halton,enum=halving"`
	// Combinations to sample (latin-hypercube, halton) or to start with (halving; 0 = all).
	Points int `yaml:"points,omitempty" json:"points,omitempty" jsonschema:"minimum=0,maximum=10000"`
	// Simulations per move of each agent, weakest first. If all boards have at most 16 cells, and no kinds of pieces, the
	// agents use alpha-beta search, with ten positions for each simulation. Default: 50 and 100.
	Tiers []int `yaml:"tiers" json:"tiers" jsonschema:"minimum=1,maximum=1000000"`
	// Games of self-play under the base rules, from which the agents first learn an evaluation. All variants use it, so
	// they must have the same tables. 0 = the hand-made evaluation.
	Learn int `yaml:"learn,omitempty" json:"learn,omitempty" jsonschema:"minimum=0,maximum=100000000"`
	// Games of each tier against itself for each variant. With halving: in the first round, doubled in each further
	// round.
	Games int `yaml:"games" json:"games" jsonschema:"minimum=2,maximum=1000000"`
	// Games of each tier against the next, to measure depth; 0 = none.
	Ladder int `yaml:"ladder,omitempty" json:"ladder" jsonschema:"minimum=0,maximum=1000000"`
	// Conditions to meet, like fpa<=0.02 or completion>=99%.
	Targets []string `yaml:"targets" json:"targets"`
	// How many of the variants nearest to the targets to measure again; with halving, the number of finalists.
	Best int `yaml:"best" json:"best" jsonschema:"minimum=0,maximum=1000"`
	// Games of each tier against itself when a variant is measured again, on fresh seeds.
	Fresh int `yaml:"fresh" json:"fresh" jsonschema:"minimum=2,maximum=1000000"`
	// What to do with combinations that make invalid rules: skip and list them, or refuse the file.
	Invalid string `yaml:"invalid" json:"invalid,omitempty" jsonschema:"enum=skip,enum=refuse"`
	// With halving: the games of a variant in a round end once they decide all targets on score, draws and
	// completion; a variant that significantly misses a target leaves the search. Joint confidence 95 %. Default:
	// true.
	Early bool `yaml:"early" json:"early,omitempty"`
	// Seed for all random choices.
	Seed int64 `yaml:"seed" json:"seed"`
	// Games played at the same time; 0 = one per core. Does not change the games.
	Workers int `yaml:"workers" json:"-" jsonschema:"minimum=0,maximum=1024"`
	// File of the study. Default: out/NAME.db.
	Database string `yaml:"database" json:"-"`
}

// Knob is a knob to vary: a list of values, or a range of whole numbers given by from, to and step.
type Knob struct {
	// Key path, like pieces.cap.
	Knob string `yaml:"knob" json:"knob" jsonschema:"required"`
	// Values to try.
	Values []any `yaml:"values,omitempty" json:"values,omitempty"`
	// First of a range of whole numbers, instead of values.
	From *int `yaml:"from,omitempty" json:"-"`
	// Last of the range.
	To *int `yaml:"to,omitempty" json:"-"`
	// Step of the range. Default: 1.
	Step int `yaml:"step,omitempty" json:"-" jsonschema:"minimum=0,maximum=10000"`
}

// Names of designs. A design chooses the combinations to play.
const (
	Grid    = "grid"
	Latin   = "latin-hypercube"
	Halton  = "halton"
	Halving = "halving"
)

// mostVariants is the maximum number of variants of a sweep.
const mostVariants = 10_000

// DefaultPlan returns a plan with the default of every key.
func DefaultPlan() Plan {
	return Plan{
		Design:  Grid,
		Tiers:   []int{50, 100},
		Games:   200,
		Ladder:  40,
		Best:    2,
		Fresh:   400,
		Invalid: "skip",
		Early:   true,
		Seed:    1,
	}
}

// Sweep is a plan with its variants.
type Sweep struct {
	Plan
	Goal     []target.Target
	Variants []Variant // variants to play, the base first
	Skipped  []Skipped

	learned agents.EvaluationOptions // learned evaluation of the agents, if the plan has Learn
}

// New makes a sweep of a plan from the command line, with overrides of its keys.
func New(p Plan, overrides ...string) (*Sweep, error) {
	text, err := yaml.Dump(p)
	if err != nil {
		return nil, fmt.Errorf("sweep %s: %w", p.Name, err)
	}
	return Load("the command line", text, overrides...)
}

// Load reads a plan. Overrides change its keys, like "games=50".
func Load(file string, data []byte, overrides ...string) (*Sweep, error) {
	doc, err := strict.ParseLarge(file, data, overrides...)
	if err != nil {
		return nil, err
	}
	s := &Sweep{Plan: DefaultPlan()}
	_ = doc.Decode(&s.Plan) // doc.Err returns its mistakes together with those found below
	ref := arena.GameRef{Rules: s.Rules, Set: s.Set}.Split()
	s.Rules, s.Set = ref.Rules, ref.Set
	s.check(doc)
	if err := doc.Err(); err != nil {
		return nil, err
	}
	stated := s.Rules
	if s.Rules, err = doc.Input("rules", stated); err != nil {
		doc.Errorf("rules", "rules: %v", err)
		return nil, doc.Err()
	}
	doc.Output("database", s.Database, ".db")
	doc.Output("name", "out/"+s.Name+".db", ".db") // the default of database
	if err := s.expand(doc); err != nil {
		return nil, err
	}
	s.Rules = stated // not the resolved path: the study must not depend on where the command runs
	if s.Database == "" {
		s.Database = "out/" + s.Name + ".db"
	}
	return s, doc.Err()
}

func (s *Sweep) check(doc *strict.Document) {
	if len(s.Knobs) == 0 && !doc.Doubtful("knobs") {
		doc.Errorf("knobs", "list a knob to vary")
	}
	seen := map[string]bool{}
	for i := range s.Knobs {
		k, at := &s.Knobs[i], fmt.Sprintf("knobs[%d]", i)
		if doc.Doubtful(at) {
			continue
		}
		if !slices.Contains(rules.KnobPaths(), k.Knob) {
			doc.Errorf(at+".knob", "%s.knob: the rules have no knob %q%s", at, k.Knob, strict.Suggest(k.Knob, rules.KnobPaths()))
		}
		if seen[k.Knob] {
			doc.Errorf(at+".knob", "%s.knob: duplicate knob %s", at, k.Knob)
		}
		seen[k.Knob] = true
		if _, fixed := s.Set[k.Knob]; fixed {
			doc.Errorf(at+".knob", "%s.knob: %s already has a value in \"set\"", at, k.Knob)
		}
		if err := k.expand(); err != nil {
			doc.Errorf(at, "%s: %v", at, err)
		}
	}
	for path := range s.Set {
		if !slices.Contains(rules.KnobPaths(), path) {
			doc.Errorf("set", "set: the rules have no knob %q%s", path, strict.Suggest(path, rules.KnobPaths()))
		}
	}
	if !doc.Doubtful("tiers") && (len(s.Tiers) == 0 || !slices.IsSorted(s.Tiers)) {
		doc.Errorf("tiers", "tiers: expected simulations per move in ascending order, found %v", s.Tiers)
	}
	for i := 1; i < len(s.Tiers); i++ {
		if s.Tiers[i] == s.Tiers[i-1] {
			doc.Errorf("tiers", "tiers: duplicate value %d", s.Tiers[i])
		}
	}
	if s.Points == 0 && (s.Design == Latin || s.Design == Halton) {
		doc.Errorf("design", "design: %s needs points, the number of combinations to sample", s.Design)
	}
	if s.Points > 0 && s.Design == Grid {
		doc.Errorf("points", "\"points\" has no effect with design: grid, which plays all combinations")
	}
	if s.Design == Halving && len(s.Targets) == 0 {
		doc.Errorf("design", "design: halving needs targets to search for")
	}
	if s.Design == Halving && s.Best == 0 {
		doc.Errorf("best", "design: halving needs at least one finalist")
	}
	s.Early = s.Early && s.Design == Halving
	if s.Design == Halving && !slices.ContainsFunc(s.Targets, isDepth) {
		if doc.Has("ladder") && s.Ladder > 0 {
			doc.Errorf("ladder", "design: halving plays a ladder only for a target on depth; leave ladder out")
		}
		s.Ladder = 0
	}
	for i, text := range s.Targets {
		t, err := target.Parse(text)
		if err == nil && t.Measure == "depth" && s.Ladder == 0 {
			err = fmt.Errorf("%q: a target on depth needs ladder games; set \"ladder\"", text)
		}
		if err != nil {
			doc.Errorf(fmt.Sprintf("targets[%d]", i), "targets[%d]: %v", i, err)
			continue
		}
		s.Goal = append(s.Goal, t)
	}
}

func isDepth(text string) bool {
	t, err := target.Parse(text)
	return err == nil && t.Measure == "depth"
}

// wantsDepth reports whether a search has a target for depth.
func (s *Sweep) wantsDepth() bool {
	return s.Design == Halving && slices.ContainsFunc(s.Targets, isDepth)
}

// expand converts a range to values.
func (k *Knob) expand() error {
	if k.From == nil && k.To == nil {
		if k.Step != 0 {
			return fmt.Errorf("%s: a step needs a range, from and to", k.Knob)
		}
		if len(k.Values) == 0 {
			return fmt.Errorf("%s: give values, or from and to", k.Knob)
		}
		return nil
	}
	switch {
	case k.From == nil || k.To == nil:
		return fmt.Errorf("%s: a range needs both from and to", k.Knob)
	case len(k.Values) > 0:
		return fmt.Errorf("%s: give either values, or from and to", k.Knob)
	case *k.From > *k.To:
		return fmt.Errorf("%s: from (%d) is greater than to (%d)", k.Knob, *k.From, *k.To)
	}
	step := max(1, k.Step)
	// unsigned, because the difference may overflow an int
	if (uint64(*k.To)-uint64(*k.From))/uint64(step) >= mostVariants {
		return fmt.Errorf("%s: more than %d values", k.Knob, mostVariants)
	}
	for v := *k.From; v <= *k.To; v += step {
		k.Values = append(k.Values, v)
	}
	return nil
}

// ParseKnob reads a knob from the command line: pieces.cap=4..12, pieces.cap=4..12..2 or board.wrap=none,torus. Values
// are YAML, and lists are in brackets: pieces.cap=[4,5] is pieces.cap=4,5, but win.reach=[a1,a2] is one list, as for
// --set. Several lists: second.win.reach=[b5],[b4].
func ParseKnob(text string) (Knob, error) {
	path, values, ok := strict.SplitValues(text, reflect.TypeFor[rules.Rules]())
	k := Knob{Knob: path}
	bad := fmt.Errorf("%q: expected a knob with its values, like pieces.cap=4..12 or board.wrap=none,torus", text)
	if !ok {
		return k, bad
	}
	if len(values) > 1 || !strings.Contains(values[0], "..") || strings.ContainsAny(values[0], `[{"`) {
		for _, v := range values {
			k.Values = append(k.Values, strict.ListValue(v))
		}
		return k, nil
	}
	parts := strings.Split(values[0], "..")
	numbers := make([]int, len(parts))
	for i, p := range parts {
		p = strings.TrimSpace(p)
		if numbers[i], _ = strconv.Atoi(p); strconv.Itoa(numbers[i]) != p { // "04" is not a number here
			return k, bad
		}
	}
	if len(parts) > 3 || len(parts) == 3 && numbers[2] < 1 {
		return k, bad
	}
	k.From, k.To = &numbers[0], &numbers[1]
	if len(parts) == 3 {
		k.Step = numbers[2]
	}
	return k, nil
}

// combinations returns the number of combinations of the values, or math.MaxInt if there are more than mostVariants.
func (s *Sweep) combinations() int {
	n := 1
	for _, k := range s.Knobs {
		n *= len(k.Values)
		if n > mostVariants || n < 0 {
			return math.MaxInt
		}
	}
	return n
}

// tiers returns the agents of the tiers, weakest first: random play, the searching agents, and the learned
// evaluation if there is one.
func (s *Sweep) tiers() []agents.Spec {
	var budgets []int64
	for _, n := range s.Tiers {
		budgets = append(budgets, int64(n))
	}
	var games []*engines.Game
	for _, v := range s.Variants {
		games = append(games, v.Game)
	}
	out := campaign.Tiers(budgets, games...)
	for i := range out {
		if i > 0 && s.learned.Net != nil {
			out[i].Evaluation = s.learned
		}
	}
	return out
}

// Guarded adds implied targets to the targets of a search: games must end, most must not be drawn, the rules'
// mechanics must be used, and search must beat random play. A measure with a target gets no implied one. Guarded
// keeps invalid targets; the reader of the plan reports them.
func Guarded(targets []string) []string {
	var stated []string
	for _, text := range targets {
		if t, err := target.Parse(text); err == nil {
			stated = append(stated, t.Measure)
		}
	}
	out := slices.Clone(targets)
	for _, guard := range []struct{ measure, text string }{
		{"completion", "completion>=90%"},
		{"draws", "draws<=90%"},
		{"alive", "alive>=10%"},
		{"depth", "depth>=1"},
	} {
		if !slices.Contains(stated, guard.measure) {
			out = append(out, guard.text)
		}
	}
	return out
}
