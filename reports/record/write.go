package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"spar/agents"
	"spar/arena"
	"spar/configs"
	"spar/configs/files"
	"spar/engines"
	"spar/engines/rules"
	"spar/tuning"
	"spar/tuning/variants"
)

// Written is a plan that was written to a file, or the reason why it was not.
type Written struct {
	Event string `json:"event" help:"name"`
	File  string `json:"file,omitempty" help:"file of the plan, next to its rules and agents; omitted if there is none"`
	// command that plays the same games
	Command string `json:"command,omitempty" help:"command that reproduces the games"`
	Note    string `json:"note,omitempty" help:"how games of this plan differ from the stored ones, or why there is no file"`
}

// Text writes the command that reproduces the games, or the reason why there is none.
func (w Written) Text(out io.Writer) error {
	line := w.Command
	if line == "" {
		line = "no plan written for " + w.Event
	}
	if w.Note != "" {
		line += " (" + w.Note + ")"
	}
	_, err := fmt.Fprintln(out, line)
	return err
}

// planned is a stored plan of a tournament or a tuning. A tuning's rules are stored as a hash.
type planned struct {
	Plan    json.RawMessage
	Rules   json.RawMessage
	Players []agents.Spec
	Start   *agents.Spec
	Rivals  []agents.Spec
}

// errMissing is the error for an object that a plan refers to and the study does not have.
var errMissing = errors.New("the study does not hold")

// writer writes files that refer to each other.
type writer struct {
	r     *Record
	dir   string
	names map[string]string // path of each written file, by object
	taken map[string]bool   // paths that are in use
}

// WritePlans writes the plan of every event to a folder, with its rules and agents. Such a plan reproduces the games;
// games with time budgets or external programs may differ.
func (r *Record) WritePlans(dir string) ([]Written, error) {
	w := &writer{r, dir, map[string]string{}, map[string]bool{}}
	var out []Written
	for i, e := range r.Events {
		if e.Games == 0 || slices.ContainsFunc(r.Events[:i], func(o Event) bool { return o.PlanHash == e.PlanHash }) {
			continue // nothing to play, or played by the same plan, as the checks of a tuning
		}
		var p planned
		note := Written{Event: e.Event, Note: "this event has no plan of a tournament or a tuning"}
		for _, b := range e.Builds {
			if b.Command != "" {
				note.Note += "; it was made by: " + b.Command
				break
			}
		}
		err := json.Unmarshal(e.Plan, &p)
		switch {
		case err == nil && len(p.Players) > 0:
			note, err = w.tournament(e, p)
		case err == nil && p.Start != nil:
			note, err = w.tuning(e, p)
		default:
			err = nil
		}
		if errors.Is(err, errMissing) {
			note, err = Written{Event: e.Event, Note: err.Error()}, nil
		}
		if err != nil {
			return out, fmt.Errorf("event %s: %w", e.Event, err)
		}
		if e.Timed > 0 {
			note.Note = strings.TrimPrefix(note.Note+"; some games had a time limit and may differ", "; ")
		}
		out = append(out, note)
	}
	return out, nil
}

func (w *writer) tournament(e Event, p planned) (Written, error) {
	out := Written{Event: e.Event}
	var plan arena.Plan
	if err := json.Unmarshal(p.Plan, &plan); err != nil {
		return out, err
	}
	var rules []struct{ Hash string }
	if err := json.Unmarshal(p.Rules, &rules); err != nil {
		return out, err
	}
	plan.Games, plan.Agents = nil, nil
	for _, x := range rules {
		ref, err := w.rules(x.Hash)
		if err != nil {
			return out, err
		}
		plan.Games = append(plan.Games, ref)
	}
	for _, s := range p.Players {
		file, err := w.agent(s)
		if err != nil {
			return out, err
		}
		plan.Agents = append(plan.Agents, arena.AgentRef{Agent: file, Name: s.Name})
	}
	if plan.Stop.EarlyStop != nil {
		plan.Stop.EarlyStop = nil
		out.Note = "the event stopped early; the plan plays all pairs, and those of the study come first"
	}
	if plan.Format != "swiss" {
		plan.Rounds, plan.SwissBye = 0, 0
	}
	if len(plan.Openings.Lines) > 0 {
		plan.Openings.File = ""
	}
	file, text, err := w.plan(e.Event, plan)
	if err != nil {
		return out, err
	}
	out.File, out.Command = file, "spar run "+file
	_, err = arena.LoadPlan(file, text)
	return out, err
}

func (w *writer) tuning(e Event, p planned) (Written, error) {
	out := Written{Event: e.Event}
	var plan tuning.Plan
	var hash string
	if err := json.Unmarshal(p.Plan, &plan); err != nil {
		return out, err
	}
	if len(p.Rivals) > 0 {
		out.Note = "its candidates played other agents, which tunings of this version do not"
		return out, nil
	}
	if err := json.Unmarshal(p.Rules, &hash); err != nil {
		return out, err
	}
	ref, err := w.rules(hash)
	if err != nil {
		return out, err
	}
	plan.Rules = ref
	start, err := w.agent(*p.Start)
	if err != nil {
		return out, err
	}
	plan.Agent = arena.AgentRef{Agent: start, Name: p.Start.Name}
	switch plan.Method { // the study states defaults that a file of this method may not
	case "pipeline":
	case "td", "regression":
		plan.Learn.Method, plan.Learn.Share = "", 0
	default:
		plan.Learn = tuning.Learn{}
	}
	plan.Opponents = nil // no key of a file
	file, text, err := w.plan(e.Event, plan)
	if err != nil {
		return out, err
	}
	out.File, out.Command = file, "spar tune "+file
	_, err = tuning.Load(file, text)
	return out, err
}

// path returns the path of a file in a folder for a label, which may contain any characters.
func (w *writer) path(folder, label, ending string) string {
	name := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9._=]+`).ReplaceAllString(label, "-"), "-.")
	for n, base := 2, cmp.Or(name, "unnamed"); ; n++ {
		path := folder + cmp.Or(name, base) + ending
		if !w.taken[path] {
			w.taken[path] = true
			return path
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// plan writes a plan without empty keys.
func (w *writer) plan(event string, plan any) (path string, text []byte, err error) {
	if text, err = json.Marshal(plan); err != nil {
		return "", nil, err
	}
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil { // JSON is YAML
		return "", nil, err
	}
	plain(&doc)
	if text, err = yaml.Dump(&doc); err != nil {
		return "", nil, err
	}
	path = filepath.Join(w.dir, w.path("", event, ".yaml"))
	return path, text, files.WriteBytes(path, text)
}

// plain removes the style of JSON and empty maps from a document.
func plain(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle | yaml.DoubleQuotedStyle
	var kept []*yaml.Node
	for i, c := range n.Content {
		plain(c)
		if n.Kind == yaml.MappingNode && i%2 == 1 && (c.Kind != yaml.MappingNode || len(c.Content) > 0) {
			kept = append(kept, n.Content[i-1], c)
		}
	}
	if n.Kind == yaml.MappingNode {
		n.Content = kept
	}
}

// rules writes the rules with a hash. The overrides in their label are not written into the file, so that the
// label stays the same.
func (w *writer) rules(hash string) (arena.GameRef, error) {
	at := slices.IndexFunc(w.r.Rules, func(x Rules) bool { return x.Hash == hash })
	if at < 0 {
		return arena.GameRef{}, fmt.Errorf("%w the rules %s", errMissing, hash)
	}
	x := w.r.Rules[at]
	name, set := rules.SplitLabel(x.Rules)
	ref := arena.GameRef{Rules: w.names[hash], Set: set}
	if ref.Rules != "" {
		return ref, nil
	}
	g, err := engines.Stored(string(x.Knobs))
	if err != nil {
		return ref, fmt.Errorf("rules %s: %w", x.Rules, err)
	}
	ref.Rules = w.path("rules/", name, ".yaml")
	w.names[hash] = ref.Rules
	var text bytes.Buffer
	if err := variants.WriteRules(&text, g.Rules(), x.Rules+", SHA-256 "+hash); err != nil {
		return ref, err
	}
	return ref, files.WriteBytes(filepath.Join(w.dir, ref.Rules), text.Bytes())
}

// agent writes an agent. If its effective knobs and weights are the same under all rules of the study, it writes all of
// them, otherwise only those of the plan.
func (w *writer) agent(s agents.Spec) (string, error) {
	var inForce []agents.Spec
	for _, a := range w.r.Agents {
		if a.Agent == s.Name && a.read.Type != "" {
			inForce = append(inForce, a.read)
		}
	}
	if len(inForce) == 1 {
		inForce[0].Name, inForce[0].Description = s.Name, s.Description
		s = inForce[0]
	}
	key := s.Canonical()
	if path := w.names[key]; path != "" {
		return path, nil
	}
	path := w.path("agents/", s.Name, ".yaml")
	w.names[key] = path
	if s.Evaluation.File != "" {
		s.Scale = 0 // the net has its own
		if err := w.net(&s, path); err != nil {
			return "", err
		}
	}
	text, err := tuning.AgentYAML(s, s.Name)
	if err != nil {
		return "", err
	}
	return path, files.WriteBytes(filepath.Join(w.dir, path), text)
}

// net writes the learned evaluation of an agent beside its file, unless it is a shipped one.
func (w *writer) net(s *agents.Spec, path string) error {
	data, err := s.Evaluation.LoadStored()
	if err != nil {
		return fmt.Errorf("%w the evaluation %s of agent %s, and no file with its hash", errMissing, s.Evaluation.File,
			s.Name)
	}
	if !configs.IsNetPath(s.Evaluation.File) {
		return nil
	}
	s.Evaluation.File = "./" + filepath.Base(path) + ".net"
	return files.WriteBytes(filepath.Join(w.dir, path+".net"), data)
}
