// Package arena plays agents against each other. The same plan and seed give the same games, on any number of workers,
// in one run or in a run that was killed and resumed.
//
// # Terms
//
// A task is one game to play, complete in itself. Its slot is its place in the study: event and number. A task refers
// to assets (rules, agents, nets) by hash. A player plays one task at a time; a pool is a group of players, in this
// process or on other machines. A source decides which task comes next; it judges finished games in the order of their
// numbers, so that the number of workers changes nothing. A sink stores each result once. A pair is two games from one
// opening with the seats swapped. A match-up is two agents under one set of rules.
//
// # Flow
//
// LoadPlan reads a tournament; NewSchedule makes it a source. Run and the other callers have a Runner, which holds a
// pool and its assets. Runner.Conduct takes tasks from the source, has the pool play them, reports the results to the
// source, and stores them. Runner.Play does the same without a study, for replay checks and bouts of tunings. Progress
// and results go to a live.Feed.
//
// # Files
//
// The plan: plan, warnings, preview. What is played next: schedule, with formats, swiss, stop and earlystop. One game:
// task, game, adjudicate, selfplay; player and pool play them. A run: run, runner, conduct, source, sink. What comes
// from elsewhere or was stored: accept, verify, replaycheck.
package arena

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/openings"
	"spar/configs"
	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// Plan is a tournament file.
type Plan struct {
	// Name of the tournament, also within its study.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// Rules to play: names of shipped games, paths, or {rules: NAME, set: {key: value}}.
	Games []GameRef `yaml:"games" json:"games" jsonschema:"required"`
	// Players: names of shipped agents, paths, or {agent: NAME, name: ..., set: {key: value}}.
	Agents []AgentRef `yaml:"agents" json:"agents" jsonschema:"required"`
	// Who plays whom: round-robin: every two agents. gauntlet: each agent of seeds against every other agent. swiss:
	// rounds between agents of similar scores. match: two agents. ladder: each agent against the one listed before it.
	Format string `yaml:"format" json:"format" jsonschema:"enum=round-robin,enum=gauntlet,enum=swiss,enum=match,enum=ladder"`
	// Pairs that each match-up plays under each of the rules. A pair is two games from one opening, with the seats
	// swapped.
	Pairs int `yaml:"pairs" json:"pairs" jsonschema:"required,minimum=1,maximum=10000000"`
	// Format gauntlet: names of the agents that play every other agent. Default: the first agent.
	Seeds []string `yaml:"seeds" json:"seeds,omitempty"`
	// Format swiss: number of rounds. Default: the binary logarithm of the number of agents, rounded up.
	Rounds int `yaml:"rounds" json:"rounds,omitempty" jsonschema:"minimum=0,maximum=1000"`
	// Format swiss: score of a bye, as a fraction of the points of a round. 1 = a win in every game.
	SwissBye float64 `yaml:"swiss_bye" json:"swiss_bye,omitempty" jsonschema:"minimum=0,maximum=1"`
	// How games begin.
	Openings openings.Options `yaml:"openings" json:"openings"`
	// Limits of a decision. They apply to agents that have no limits of their own.
	Budget agents.Budget `yaml:"budget" json:"budget"`
	// Time of each side for a whole game. Default: no clock.
	Clock Clock `yaml:"clock" json:"clock"`
	// When the tournament ends before all pairs are played.
	Stop Stop `yaml:"stop" json:"stop"`
	// When a game ends because both agents agree on its result.
	Adjudge Adjudge `yaml:"adjudicate" json:"adjudicate"`
	// What happens to agents that fail.
	Faults Faults `yaml:"faults" json:"faults"`
	// Store what the agents report for each ply: score, depth, nodes, time, legal moves.
	Thoughts bool `yaml:"record_plies" json:"record_plies,omitempty"`
	// Seed of all random numbers.
	Seed int64 `yaml:"seed" json:"seed"`
	// Games played at the same time; 0 = one for each core. Does not change the games.
	Workers int `yaml:"workers" json:"-" jsonschema:"minimum=0,maximum=1024"`
	// File of the study. Default: out/NAME.db.
	Database string `yaml:"database" json:"-"`
	// Folder for the report: index.html about the agents and the games, and a page for each of the rules. Spar writes it
	// when the tournament is finished. Default: no report.
	Report string `yaml:"report" json:"-"`
}

// GameRef names rules, with overrides of knobs.
type GameRef struct {
	// Name of a shipped game, or a path.
	Rules string `yaml:"rules" json:"rules" jsonschema:"required"`
	// Knobs by key path, like pieces.cap: 5.
	Set map[string]any `yaml:"set" json:"set,omitempty"`
}

// ShorthandKey lets a plan write "vanishing" for "{rules: vanishing}".
func (*GameRef) ShorthandKey() string { return "rules" }

// AgentRef names an agent, with overrides of knobs.
type AgentRef struct {
	// Name of a shipped agent, or a path.
	Agent string `yaml:"agent" json:"agent" jsonschema:"required"`
	// Name in this tournament.
	Name string `yaml:"name" json:"name,omitempty"`
	// Knobs of the agent by key path, like budget.depth: 3.
	Set map[string]any `yaml:"set" json:"set,omitempty"`
}

// ShorthandKey lets a plan write "greedy" for "{agent: greedy}".
func (*AgentRef) ShorthandKey() string { return "agent" }

// Split moves overrides in brackets after the name to the field of overrides. An override in the field wins over one
// in brackets.
func (r GameRef) Split() GameRef {
	name, set := rules.SplitLabel(r.Rules)
	if set == nil {
		return r
	}
	maps.Copy(set, r.Set)
	return GameRef{name, set}
}

// Split is like GameRef.Split.
func (r AgentRef) Split() AgentRef {
	name, set := rules.SplitLabel(r.Agent)
	if set == nil {
		return r
	}
	maps.Copy(set, r.Set)
	return AgentRef{name, r.Name, set}
}

// Clock is the time that each side has for a whole game.
type Clock struct {
	// Seconds of each side at the start of a game. A side that uses them up forfeits. 0 = no clock.
	Seconds float64 `yaml:"seconds" json:"seconds,omitempty" jsonschema:"minimum=0"`
	// Seconds added after each move.
	Increment float64 `yaml:"increment" json:"increment,omitempty" jsonschema:"minimum=0"`
}

// Adjudge describes when a game ends early: if both agents agree on the outcome, if the table of the solved game
// contains the position, or if only a draw is possible.
type Adjudge struct {
	// A side loses when both agents give it an expected score of at most this in the number of successive decisions
	// given by moves. 0 = off.
	Resign float64 `yaml:"resign" json:"resign,omitempty" jsonschema:"minimum=0,maximum=0.5"`
	// A game is drawn when the expected scores of both agents are within this of 0.5 in the number of successive
	// decisions given by moves. 0 = off.
	Draw float64 `yaml:"draw" json:"draw,omitempty" jsonschema:"minimum=0,maximum=0.5"`
	// Successive decisions that must agree. Default: 6.
	Moves int `yaml:"moves" json:"moves,omitempty" jsonschema:"minimum=0,maximum=1000"`
	// First ply from which draws are adjudicated.
	From int `yaml:"from_ply" json:"from_ply,omitempty" jsonschema:"minimum=0"`
	// First ply from which a game ends with the exact value of its position, from a table of the solved game. 0 = off. A
	// win after the ply cap counts as a draw. The table ignores draws by repetition.
	Exact int `yaml:"exact_from_ply" json:"exact_from_ply,omitempty" jsonschema:"minimum=0"`
	// A game is drawn once it is proved that each side can keep the other from winning, under rules in which pieces stay
	// and only lines decide.
	ForcedDraw bool `yaml:"forced_draw" json:"forced_draw,omitempty"`
	// Table from spar solve --out, for a tournament with one set of rules. Default: Spar solves the rules before the
	// first game.
	Table string `yaml:"table" json:"table,omitempty"`
	// Upper limit of memory for solving one set of rules, in MB; 0 = 64.
	Memory int `yaml:"memory_mb" json:"memory_mb,omitempty" jsonschema:"minimum=0,maximum=1000000"`
}

// Faults describes how failing agents are handled. An agent that fails always loses the game.
type Faults struct {
	// Withdraw an agent that forfeits this many games in a row. Its games stay in the study. 0 = never.
	Withdraw int `yaml:"withdraw" json:"withdraw,omitempty" jsonschema:"minimum=0,maximum=1000000"`
}

// Tournament is a plan with all its rules and agents loaded.
type Tournament struct {
	Plan
	Rules   []*engines.Game
	Labels  []string // names of the rules, with overrides
	Purpose string   // purpose that is stored in the study; empty = tournament
	Players []agents.Spec
}

// LoadPlan reads a tournament file and the files that it names. Overrides change its keys, like "pairs=10".
func LoadPlan(file string, data []byte, overrides ...string) (*Tournament, error) {
	doc, err := strict.ParseLarge(file, data, overrides...)
	if err != nil {
		return nil, err
	}
	doc.Lacks = removedFormat
	p := Plan{Format: "round-robin"}
	_ = doc.Decode(&p) // its mistakes come back with those of meaning, from Err
	t := &Tournament{Plan: p}
	for i, ref := range p.Games {
		ref = ref.Split()
		p.Games[i] = ref
		at := fmt.Sprintf("games[%d]", i)
		found := ref
		var err error
		if found.Rules, err = doc.Input(at, ref.Rules); err != nil {
			doc.Errorf(at, "%s: %v", at, err)
			continue
		}
		g, err := LoadGame(found)
		if err != nil {
			doc.Refer(at, at+".set", err)
			continue
		}
		if err := Ends(g, Label(g, ref.Set)); err != nil {
			doc.Errorf(at, "%s: %v", at, err)
			continue
		}
		t.Rules, t.Labels = append(t.Rules, g), append(t.Labels, Label(g, ref.Set))
	}
	plain := map[string]agents.Spec{} // as their files are: many may name the same
	for i, ref := range p.Agents {
		ref = ref.Split()
		p.Agents[i] = ref
		at := fmt.Sprintf("agents[%d]", i)
		found := ref
		var err error
		if found.Agent, err = doc.Input(at, ref.Agent); err != nil {
			doc.Errorf(at, "%s: %v", at, err)
			continue
		}
		s, known := plain[found.Agent]
		if !known || len(found.Set) > 0 {
			if s, err = loadAgent(AgentRef{Agent: found.Agent, Set: found.Set}); err == nil && len(found.Set) == 0 {
				plain[found.Agent] = s
			}
		}
		s.Name = cmp.Or(found.Name, s.Name)
		if err != nil {
			doc.Refer(at, at+".set", err)
			continue
		}
		t.Players = append(t.Players, s)
	}
	called := map[string]bool{}
	for i, s := range t.Players {
		doc.Named(fmt.Sprintf("agents[%d]", i), s.Name)
		if called[s.Name] {
			doc.Errorf("agents", "two agents are both named %q; rename one with `name:`", s.Name)
		}
		called[s.Name] = true
	}
	for i, s := range t.Players {
		for _, g := range t.Rules {
			if s.Evaluation.Net != nil && len(t.Players) == len(p.Agents) {
				if _, err := s.Evaluation.For(g); err != nil {
					doc.Errorf(fmt.Sprintf("agents[%d]", i), "agents[%d]: %s: %v", i, s.Evaluation.File, err)
				}
			}
		}
	}
	if err := t.checkTime(); err != nil {
		doc.Errorf("budget.clock", "budget.%v", err)
	}
	labels := map[string]bool{}
	for _, l := range t.Labels {
		if labels[l] {
			doc.Errorf("games", "duplicate game: %s", l)
		}
		labels[l] = true
	}
	doc.Output("database", t.Database, ".db")
	doc.Output("report", t.Report, "", ".html")
	doc.Named("name", t.Name)
	doc.Output("name", "out/"+t.Name+".db", ".db") // the database where none is stated
	if len(p.Agents) < 2 && !doc.Doubtful("agents") {
		doc.Errorf("agents", "a tournament needs at least two agents")
	}
	t.checkFormat(doc)
	if len(p.Games) == 0 && !doc.Doubtful("games") {
		doc.Errorf("games", "a tournament needs a game")
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// checkTime returns an error for budgets in processor time that an agent or the clock of the games does not suit.
func (t *Tournament) checkTime() error {
	if err := t.Budget.Check(1); err != nil {
		return err
	}
	for _, s := range t.Players {
		b := s.Budget.Or(t.Budget)
		if err := b.Check(s.Threads()); err != nil {
			return fmt.Errorf("%w (agent %s)", err, s.Name)
		}
		if b.OnCPU() && t.Clock.Seconds > 0 {
			return errors.New("clock.seconds measures wall time and cannot be combined with clock: cpu of a budget; leave one out")
		}
	}
	return nil
}

// removedFormat says what to use instead of a format that Spar no longer has; empty for other words.
func removedFormat(format string) string {
	return map[string]string{
		"knockout": "a swiss tournament finds the best agent in as many rounds as a knockout",
		"mirror": "use spar balance, which plays agents against themselves, or a match between an agent and its copy " +
			"under another name",
	}[format]
}

// checkFormat fills in the defaults of the format and reports keys that the format does not use.
func (t *Tournament) checkFormat(doc *strict.Document) {
	if t.SwissBye == 0 && !doc.Has("swiss_bye") {
		t.SwissBye = 1
	}
	if t.Format == "swiss" && t.Rounds == 0 {
		t.Rounds = bits.Len(uint(max(1, len(t.Players)-1)))
	}
	if t.Format == "gauntlet" && len(t.Seeds) == 0 && len(t.Players) > 0 {
		t.Seeds = []string{t.Players[0].Name}
	}
	names := make([]string, len(t.Players))
	for i, s := range t.Players {
		names[i] = s.Name
	}
	known := len(names) == len(t.Plan.Agents) && !doc.Doubtful("agents") // else seeds are not worth a message of their own
	for _, seed := range t.Seeds {
		if known && !slices.Contains(names, seed) {
			doc.Errorf("seeds", "no agent of this tournament is named %q%s", seed, strict.Suggest(seed, names))
		}
	}
	if t.Format == "gauntlet" && known && len(t.Seeds) >= len(names) {
		doc.Errorf("seeds", "every agent is in \"seeds\", so no opponents are left")
	}
	for path, format := range map[string]string{"seeds": "gauntlet", "rounds": "swiss", "swiss_bye": "swiss"} {
		if doc.Has(path) && t.Format != format {
			doc.Errorf(path, "%s needs format: %s; the format is %s", path, format, t.Format)
		}
	}
	if t.Format == "match" && len(t.Plan.Agents) != 2 {
		doc.Errorf("format", "a match has two agents; the plan lists %d", len(t.Plan.Agents))
	}
	if t.Stop.SPRT != nil {
		if t.Format != "match" {
			doc.Errorf("stop.sprt", "a sequential test needs format: match; the format is %s", t.Format)
		}
		if _, err := t.Stop.SPRT.Test(); err != nil {
			doc.Errorf("stop.sprt", "%v", err)
		}
	}
	if t.Adjudge.Exact == 0 && (t.Adjudge.Table != "" || t.Adjudge.Memory != 0) {
		doc.Errorf("adjudicate", "adjudicate.table and memory_mb have no effect without exact_from_ply")
	}
	if path, err := doc.InputFile("adjudicate.table", t.Adjudge.Table); err != nil {
		doc.Errorf("adjudicate.table", "adjudicate.table: %v", err)
	} else {
		t.Adjudge.Table = path
	}
	if t.Adjudge.Table != "" && len(t.Plan.Games) > 1 {
		doc.Errorf("adjudicate.table", "a table works for one set of rules, not %d (without a table Spar "+
			"solves each)", len(t.Plan.Games))
	}
	if t.Stop.Width > 0 && t.Format == "swiss" {
		doc.Errorf("stop.width", "the formats round-robin, gauntlet, match and ladder can stop by interval width; the "+
			"others cannot")
	}
	if t.Openings.Draw == "any" {
		t.Openings.Draw = "" // the same plan, however it is written
	}
	if (t.Openings.Plies > 0 || t.Openings.Balanced()) && (len(t.Openings.Lines) > 0 || t.Openings.File != "") ||
		len(t.Openings.Lines) > 0 && t.Openings.File != "" {
		doc.Errorf("openings", "give only one of plies (or balanced), lines and file")
	}
	if t.Openings.File != "" {
		path, err := doc.InputFile("openings.file", t.Openings.File)
		if err == nil {
			err = t.readOpenings(path)
		}
		if err != nil {
			doc.Errorf("openings.file", "%v", err)
		}
	}
	for i, g := range t.Rules {
		if err := t.Openings.Check(g, t.Seed+int64(i)); err != nil {
			doc.Errorf("openings", "%s: %v", t.Labels[i], err)
		}
		for k, line := range t.Openings.Lines {
			p := g.NewPosition()
			err := p.PlayText(strings.Fields(line))
			if err == nil && p.Over() {
				err = fmt.Errorf("the game ends in this opening")
			}
			if err != nil {
				doc.Errorf("openings", "opening %d in %s: %v", k+1, t.Labels[i], err)
			}
		}
	}
}

// readOpenings reads the file of openings into the plan, so that the stored plan contains them.
func (t *Tournament) readOpenings(path string) error {
	text, err := files.ReadText(path, strict.LargeBytes)
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			t.Openings.Lines = append(t.Openings.Lines, line)
		}
	}
	if len(t.Openings.Lines) == 0 {
		return fmt.Errorf("%s contains no openings", t.Openings.File)
	}
	return nil
}

// Into sets another file for the study. Unless reportPlaced is true, it also moves the report next to that file,
// so that the report of another run of the plan is not overwritten.
func (t *Tournament) Into(database string, reportPlaced bool) {
	if t.Report != "" && !reportPlaced && filepath.Clean(database) != filepath.Clean(t.Database) {
		t.Report = strings.TrimSuffix(database, filepath.Ext(database)) + "-report"
	}
	t.Database = database
}

// purpose returns the purpose of the tournament's event.
func (t *Tournament) purpose() string { return cmp.Or(t.Purpose, "tournament") }

// LoadGame compiles the rules that a reference names.
func LoadGame(ref GameRef) (*engines.Game, error) {
	file, data, err := configs.Read(configs.Games, ref.Rules)
	if err != nil {
		return nil, err
	}
	return engines.Load(file, data, rules.Overrides(ref.Set)...)
}

// Ends returns an error if games under the rules may never end. Label is the name of the rules in the error.
func Ends(g *engines.Game, label string) error {
	if !g.MayNotEnd() {
		return nil
	}
	return fmt.Errorf("games under %s may never end: set draw.max_plies or draw.repetition, for example --set "+
		"draw.max_plies=400", label)
}

// Label returns the name of rules with their overrides: "vanishing", "vanishing[pieces.cap=4]".
func Label(g *engines.Game, set map[string]any) string {
	if len(set) == 0 {
		return g.Name()
	}
	return g.Name() + "[" + strings.Join(rules.Overrides(set), ",") + "]"
}

func loadAgent(ref AgentRef) (agents.Spec, error) {
	s, err := agents.LoadSpec(ref.Agent, rules.Overrides(ref.Set)...)
	if err != nil {
		return s, err
	}
	if ref.Name != "" {
		s.Name = ref.Name
	} else if len(ref.Set) > 0 {
		s.Name += "[" + strings.Join(rules.Overrides(ref.Set), ",") + "]"
	}
	return s, nil
}

// Canonical returns everything that determines the games as one line of JSON: the plan with the loaded rules and
// agents.
func (t *Tournament) Canonical() (string, error) {
	type game struct{ Label, Hash string }
	var gs []game
	for i, g := range t.Rules {
		gs = append(gs, game{t.Labels[i], g.RulesHash()})
	}
	text, err := json.Marshal(struct {
		Plan    Plan
		Rules   []game
		Players []agents.Spec
	}{t.Plan, gs, t.Players})
	if err != nil {
		return "", fmt.Errorf("plan %s: %w", t.Name, err)
	}
	return string(text), nil
}

// RefText writes a reference in a plan: a name with overrides written key=value, or NAME:key=value.
func RefText(kind, name string, set []string) string {
	if len(set) == 0 {
		return fmt.Sprintf("%q", name)
	}
	var knobs []string
	for _, text := range set {
		key, value, _ := strings.Cut(strings.TrimPrefix(text, name+":"), "=")
		knobs = append(knobs, fmt.Sprintf("%q: %s", key, value))
	}
	return fmt.Sprintf("{%s: %q, set: {%s}}", kind, name, strings.Join(knobs, ", "))
}
