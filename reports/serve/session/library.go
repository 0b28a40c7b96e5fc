package session

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"spar/agents"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
)

// Library is the collection of rules and agents that pages may use: shipped ones, and the files named on the
// command line. Pages use names, never paths.
type Library struct {
	// Elsewhere returns the canonical text of rules that no file here contains, by their hash. It may be nil.
	Elsewhere func(hash string) (canonical string, ok bool)

	rules, agents map[string]string // paths of the user's files by name
	shipped       sync.Map          // name -> *engines.Game: shipped rules without overrides
	stored        struct {
		sync.Mutex
		games map[string]*engines.Game // by canonical text
	}
}

// mostStored is the maximum number of compiled rules of studies in memory. A page needs a few; a sweep has
// hundreds.
const mostStored = 64

// Stored compiles rules from their canonical text, or returns the cached result.
func (l *Library) Stored(canonical string) (*engines.Game, error) {
	l.stored.Lock()
	g := l.stored.games[canonical]
	l.stored.Unlock()
	if g != nil {
		return g, nil
	}
	g, err := engines.Stored(canonical)
	if err != nil {
		return nil, err
	}
	l.stored.Lock()
	defer l.stored.Unlock()
	if len(l.stored.games) >= mostStored || l.stored.games == nil {
		l.stored.games = map[string]*engines.Game{}
	}
	l.stored.games[canonical] = g
	return g, nil
}

// NewLibrary reads all files once, so that errors appear at the start.
func NewLibrary(rules, agentFiles []string) (*Library, error) {
	l := &Library{rules: map[string]string{}, agents: map[string]string{}}
	var all []error
	for _, path := range rules {
		g, err := engines.Named(path)
		if err != nil {
			all = append(all, err)
			continue
		}
		if slices.Contains(configs.Names(configs.Games), path) {
			continue // shipped
		}
		name := g.Name()
		if slices.Contains(configs.Names(configs.Games), name) || l.rules[name] != "" {
			name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + " (" + name + ")"
		}
		l.rules[name] = path
	}
	for _, path := range agentFiles {
		s, err := agents.LoadSpec(path)
		switch {
		case err != nil:
			all = append(all, err)
		case s.Program():
			all = append(all, fmt.Errorf("%s: pages cannot use agents of type ugi, because these run a program", path))
		case !slices.Contains(configs.Names(configs.Agents), path):
			l.agents[s.Name] = path
		}
	}
	return l, errors.Join(all...)
}

// Path returns the path of rules from a file of the user. It is empty for shipped rules.
func (l *Library) Path(name string) string { return l.rules[name] }

// Version returns a value that changes when a file of the user may have changed.
func (l *Library) Version() string {
	var out []string
	for _, path := range append(slices.Sorted(maps.Values(l.rules)), slices.Sorted(maps.Values(l.agents))...) {
		out = append(out, path+" "+Stamp(path))
	}
	return strings.Join(out, "\n")
}

// Stamp returns the time of the last change of a file, as a word.
func Stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "gone"
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

// Rules lists the names of rules, those of the user's files first.
func (l *Library) Rules() []string { return names(l.rules, configs.Games) }

// Agents lists the names of agents, those of the user's files first.
func (l *Library) Agents() []string { return names(l.agents, configs.Agents) }

func names(own map[string]string, kind configs.Kind) []string {
	out := slices.Sorted(maps.Keys(own))
	for _, name := range configs.Names(kind) {
		if own[name] == "" {
			out = append(out, name)
		}
	}
	return out
}

// reference matches a name followed by the hash of its rules.
var reference = regexp.MustCompile(`^(.*)@([0-9a-f]{16})$`)

// SplitReference splits a reference NAME@HASH. The hash of a plain name is empty.
func SplitReference(rules string) (name, hash string) {
	if m := reference.FindStringSubmatch(rules); m != nil {
		return m[1], m[2]
	}
	return rules, ""
}

// Reference returns the name of rules for an address that works on any server. Rules that are not shipped get the
// hash of the rules before the overrides: NAME@HASH.
func (l *Library) Reference(rules string, set []string, g *engines.Game) (string, []string) {
	if named, err := l.Game(rules, set); err == nil && named.RulesHash() == g.RulesHash() {
		if l.rules[rules] == "" {
			return rules, set
		}
		if base, err := l.Game(rules, nil); err == nil {
			return rules + "@" + base.RulesHash(), set
		}
	}
	if name, ok := l.nameOf(g.RulesHash()); ok {
		return l.Reference(name, nil, g)
	}
	return g.Name() + "@" + g.RulesHash(), nil
}

// nameOf returns the name of the rules with a hash.
func (l *Library) nameOf(hash string) (string, bool) {
	for _, name := range l.Rules() {
		if g, err := l.Game(name, nil); err == nil && g.RulesHash() == hash {
			return name, true
		}
	}
	return "", false
}

// Here returns the local name of a reference, or the reference itself if no file here has these rules.
func (l *Library) Here(rules string) string {
	name, hash := SplitReference(rules)
	if hash == "" {
		return rules
	}
	if slices.Contains(l.Rules(), name) {
		if g, err := l.Game(name, nil); err == nil && g.RulesHash() == hash {
			return name
		}
	}
	if name, ok := l.nameOf(hash); ok {
		return name
	}
	return rules
}

// Game compiles rules by their name or reference, from the current contents of the file.
func (l *Library) Game(name string, set []string) (*engines.Game, error) {
	name = l.Here(name)
	if name, hash := SplitReference(name); hash != "" {
		if l.Elsewhere != nil {
			if canonical, ok := l.Elsewhere(hash); ok {
				if len(set) == 0 {
					return l.Stored(canonical)
				}
				return engines.Load(name+".yaml", []byte(canonical), set...)
			}
		}
		why := ""
		if slices.Contains(l.Rules(), name) {
			why = fmt.Sprintf("; the rules %q of this server differ", name)
		}
		return nil, fmt.Errorf("no rules %q with the hash %s here%s: start \"spar serve\" with --rules and their file",
			name, hash, why)
	}
	path := l.rules[name]
	if path == "" {
		if g, ok := l.shipped.Load(name); ok && len(set) == 0 {
			return g.(*engines.Game), nil
		}
		if !slices.Contains(configs.Names(configs.Games), name) {
			return nil, fmt.Errorf("no rules called %q here%s", name, strict.Suggest(name, l.Rules()))
		}
		path = name
	}
	g, err := engines.Named(path, set...)
	if err == nil && len(set) == 0 && l.rules[name] == "" {
		l.shipped.Store(name, g)
	}
	return g, err
}

// Overrides splits texts into overrides. Values may contain spaces: an override starts with the path of a knob and
// an equals sign.
func Overrides(texts []string) []string {
	var out []string
	for _, text := range texts {
		begun := false
		for word := range strings.FieldsSeq(text) {
			if path, _, ok := strings.Cut(word, "="); begun &&
				(!ok || strings.Trim(path, "abcdefghijklmnopqrstuvwxyz_.") != "") {
				out[len(out)-1] += " " + word
				continue
			}
			out, begun = append(out, word), true
		}
	}
	return out
}

// NoText is how an override writes an empty text.
const NoText = "''"

// Override writes a knob with its value as an override.
func Override(path, text string) string { return path + "=" + cmp.Or(text, NoText) }

// Knob is a knob of agents that pages may set, with its range. The cost of each value is bounded, because an agent's move
// has a time limit.
type Knob struct {
	Key, Name, Label, Help string
	Least, Most            float64
	Step                   string // 1 for whole numbers, otherwise any
}

// Knobs lists the knobs of agents that pages may set.
func Knobs() []Knob {
	return []Knob{
		{"budget.depth", "depth", "Depth", "search depth of minimax in plies", 1, 40, "1"},
		{"budget.iterations", "iterations", "Simulations", "simulations of a tree search", 1, 300_000, "1"},
		{"budget.seconds", "seconds", "Seconds per move", "time limit of any search", 0.1, 30, "any"},
		{"mixture.epsilon", "epsilon", "Random share", "fraction of random moves; weakens any agent", 0, 1, "any"},
	}
}

// Range returns the range as text.
func (k Knob) Range() string {
	return fmt.Sprintf("%s to %s", strconv.FormatFloat(k.Least, 'f', -1, 64), strconv.FormatFloat(k.Most, 'f', -1, 64))
}

// check returns an error for a value outside the range.
func (k Knob) check(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	kind := "number"
	if k.Step == "1" {
		kind = "whole number"
		_, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || !(x >= k.Least && x <= k.Most) {
		return fmt.Errorf("%s=%s: expected a %s from %s", k.Key, text, kind, k.Range())
	}
	return nil
}

// Spec returns the spec of a player that is an agent.
func (l *Library) Spec(p Player) (agents.Spec, error) {
	var s agents.Spec
	path := l.agents[p.Agent]
	if path == "" {
		if !slices.Contains(configs.Names(configs.Agents), p.Agent) {
			return s, fmt.Errorf("no agent called %q here%s", p.Agent, strict.Suggest(p.Agent, l.Agents()))
		}
		path = p.Agent
	}
	for _, text := range p.Set {
		key, value, _ := strings.Cut(text, "=")
		at := slices.IndexFunc(Knobs(), func(k Knob) bool { return k.Key == key })
		if at < 0 {
			return s, fmt.Errorf("pages cannot set %s", key)
		}
		if err := Knobs()[at].check(value); err != nil {
			return s, err
		}
	}
	return agents.LoadSpec(path, p.Set...)
}
