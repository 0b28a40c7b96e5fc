// Package reference writes the list of all keys of all kinds of YAML files. It takes them from the JSON schemas that
// editors use, so that each key is described once.
package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/mitchellh/go-wordwrap"

	"spar/configs"
)

// Kind is a kind of YAML file.
type Kind struct {
	Name   string // as in "spar help yaml agents"
	Folder string // folder in configs with the shipped files; empty = there are none
	About  string
	schema string
}

// Kinds lists the kinds of YAML files.
func Kinds() []Kind {
	return []Kind{
		{"agents", "agents", "An agent: its type, and the knobs of that type.", "agent"},
		{
			"tournaments",
			"tournaments",
			"A tournament: rules, agents, format, openings, clocks, when to stop.",
			"tournament",
		},
		{"tunings", "tunings", "A tuning: the parameters of an agent to tune, and the method.", "tuning"},
		{"sweeps", "sweeps", "A sweep: knobs of rules, and targets for the game.", "sweep"},
		{"machines", "", "The --machines file: how other machines join a run.", "machines"},
		{
			"rules",
			"games",
			"The rules of a game, as a combination of mechanics. Keys that several parts have are listed once.",
			"rules",
		},
	}
}

// Key is a key of a file.
type Key struct {
	// path from the top of the file; [] means an entry of a list, and * a name that the user chooses
	Path     string
	Value    string // allowed values, like "whole number, 0 to 200" or "one of a, b"
	Required bool
	Meaning  string
}

// Keys lists the keys of a kind in the order of its schema.
func (k Kind) Keys() ([]Key, error) {
	text, err := configs.Schema(k.schema)
	if err != nil {
		return nil, err
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", k.schema, err)
	}
	return s.keys(nil, ""), nil
}

// schema is the part of JSON Schema that the committed schemas use.
type schema struct {
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Default     any        `json:"default"`
	Enum        []any      `json:"enum"`
	Minimum     *float64   `json:"minimum"`
	Maximum     *float64   `json:"maximum"`
	Required    []string   `json:"required"`
	Properties  properties `json:"properties"`
	Items       maybe      `json:"items"`
	OneOf       []schema   `json:"oneOf"`
	More        maybe      `json:"additionalProperties"`
}

// properties are the keys of a schema, in the order of the file.
type properties []property

type property struct {
	name string
	schema
}

// UnmarshalJSON reads an object and keeps the order of its keys.
func (p *properties) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil { // {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		one := property{name: fmt.Sprint(name)}
		if err := d.Decode(&one.schema); err != nil {
			return err
		}
		*p = append(*p, one)
	}
	return nil
}

// maybe is a schema or a boolean: true allows everything, false nothing.
type maybe struct{ *schema }

// UnmarshalJSON reads a boolean or a schema.
func (m *maybe) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		m.schema = new(schema)
		return json.Unmarshal(text, m.schema)
	}
	return nil
}

// keys appends the keys of a schema below a path.
func (s *schema) keys(out []Key, path string) []Key {
	for i := range s.Properties {
		p := &s.Properties[i]
		required := slices.Contains(s.Required, p.name)
		at := strings.TrimPrefix(path+"."+p.name, ".")
		value := p.value()
		if p.Default != nil && !required {
			value += fmt.Sprintf("; default %v", p.Default)
		}
		out = append(out, Key{at, value, required, p.Description})
		out = p.keys(out, at)
	}
	for _, way := range s.OneOf {
		out = way.keys(out, path)
	}
	if s.Items.schema != nil {
		out = s.Items.keys(out, path+"[]")
	}
	if s.More.schema != nil {
		out = s.More.keys(out, path+".*")
	}
	return out
}

// value describes the allowed values of a key.
func (s *schema) value() string {
	switch {
	case len(s.OneOf) > 0:
		var ways []string
		for _, way := range s.OneOf {
			ways = append(ways, way.value())
		}
		return strings.Join(ways, ", or ")
	case len(s.Enum) > 0:
		var words []string
		for _, e := range s.Enum {
			words = append(words, fmt.Sprint(e))
		}
		return "one of " + strings.Join(words, ", ")
	case s.Items.schema != nil:
		return "list of: " + s.Items.value()
	case s.More.schema != nil:
		return "a map of names to values: " + s.More.value()
	}
	word, ok := map[string]string{
		"integer": "whole number", "number": "number", "string": "text",
		"boolean": "true or false", "object": "keys", "array": "list",
	}[s.Type]
	if !ok {
		word = "any value"
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		word += ", " + numeral(*s.Minimum) + " to " + numeral(*s.Maximum)
	case s.Minimum != nil:
		word += ", at least " + numeral(*s.Minimum)
	case s.Maximum != nil:
		word += ", at most " + numeral(*s.Maximum)
	}
	return word
}

// numeral formats a number without an exponent.
func numeral(x float64) string {
	text, _ := json.Marshal(x) // bounds are finite
	return string(text)
}

// Text writes the reference for a terminal. Keys that several parts have stand at the shortest path.
func Text(w io.Writer, kinds []Kind) error {
	width := 110
	if t, ok := w.(interface{ Width() int }); ok && t.Width() > 0 {
		width = max(20, min(width, t.Width()-6))
	}
	for i, kind := range kinds {
		keys, err := kind.Keys()
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if kind.Folder != "" {
			kind.About += fmt.Sprintf(" Shipped files are in configs/%s.", kind.Folder)
		}
		shown := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool {
			return slices.ContainsFunc(keys, func(o Key) bool {
				return len(o.Path) < len(k.Path) && path.Ext(o.Path) == path.Ext(k.Path) && o.Meaning == k.Meaning
			})
		})
		fmt.Fprintln(w, wordwrap.WrapString(kind.Name+": "+kind.About, uint(width)))
		for _, k := range shown {
			if k.Required {
				k.Value += "; required"
			}
			text := strings.ReplaceAll(wordwrap.WrapString(k.Meaning, uint(width)), "\n", "\n      ")
			fmt.Fprintf(w, "\n  %s: %s\n      %s\n", k.Path, k.Value, text)
		}
	}
	return nil
}
