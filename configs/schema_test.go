package configs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"spar/agents"
	"spar/arena"
	"spar/arena/remote"
	"spar/configs"
	"spar/configs/must"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
	"spar/tuning"
	"spar/tuning/variants"
)

var update = flag.Bool("update", false, "write the schemas")

// types names the Go type of each kind of file.
func types() map[string]any {
	return map[string]any{
		"rules":      &engines.Rules{},
		"agent":      &agents.Spec{},
		"tournament": &arena.Plan{},
		"tuning":     &tuning.Plan{},
		"sweep":      &variants.Plan{},
		"machines":   &remote.Machines{},
	}
}

// The committed schemas are those of the types; run with -update after a change.
func TestSchemasAreCurrent(t *testing.T) {
	t.Parallel()
	nested := jsonschema.Reflector{
		FieldNameTag:               "yaml",
		DoNotReference:             true,
		RequiredFromJSONSchemaTags: true,
		Anonymous:                  true,
		CommentMap:                 comments(t),
	}
	r := nested
	// A type that may be written as one value can be a string, too.
	r.Mapper = func(t reflect.Type) *jsonschema.Schema {
		if t.Kind() != reflect.Struct {
			return nil
		}
		if _, ok := reflect.New(t).Interface().(strict.Shorthand); !ok {
			return nil
		}
		object := nested.ReflectFromType(t)
		object.Version = ""
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, object}}
	}
	for kind, v := range types() {
		schema := r.Reflect(v)
		if kind == "agent" {
			describe(schema, &agents.Spec{})
		}
		choices(schema)
		if kind == "rules" {
			text, err := yaml.Dump(rules.DefaultRules())
			values := map[string]any{}
			must.Do(t, cmp.Or(err, yaml.Load(text, &values)))
			defaults(schema, values)
		}
		schema.Title = "Spar " + kind + " file"
		want := must.Get(json.MarshalIndent(schema, "", "  "))(t)
		want = append(want, '\n')
		file := kind + ".schema.json"
		if *update {
			must.Do(t, os.WriteFile(file, want, 0o644))
			continue
		}
		got := must.Get(os.ReadFile(file))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not the schema of its type: run go test ./configs -update", file)
		}
	}
}

// comments returns the comments of all fields, each as one line, which describe the keys of files.
func comments(t *testing.T) map[string]string {
	t.Helper()
	var r jsonschema.Reflector
	for _, folder := range []string{"agents", "arena", "engines/grid", "engines/rules", "tuning"} {
		must.Do(t, r.AddGoComments("spar/configs", "../"+folder))
	}
	for name, text := range r.CommentMap {
		if strings.Count(path.Base(name), ".") == 1 { // a type
			delete(r.CommentMap, name)
		} else {
			r.CommentMap[name] = strings.ReplaceAll(text, "\n", " ")
		}
	}
	return r.CommentMap
}

// describe adds to the schema of agents what the descriptions of their types say.
func describe(schema *jsonschema.Schema, s *agents.Spec) {
	for p := schema.Properties.Oldest(); p != nil; p = p.Next() {
		at := p.Value
		if help := s.Help(p.Key); help != "" {
			at.Description = help
		}
		if at.Type == "array" {
			at = at.Items
		}
		for _, word := range s.Choices(p.Key) {
			at.Enum = append(at.Enum, word)
		}
	}
}

// choices states the values of knobs that are a boolean or a word.
func choices(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	words := map[string]string{"pie": "seats", "multi_jump": "must", "forced_capture": "most", "long_jumps": "next"}
	for p := s.Properties.Oldest(); s.Properties != nil && p != nil; p = p.Next() {
		if word := words[p.Key]; word != "" && p.Value.Type == "string" {
			p.Value.Type, p.Value.Enum = "", []any{true, false, word}
		}
		choices(p.Value)
	}
	choices(s.Items)
}

// defaults states the values of keys that a file does not have.
func defaults(s *jsonschema.Schema, values map[string]any) {
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		switch v := values[p.Key].(type) {
		case map[string]any:
			defaults(p.Value, v)
		case bool, int, string:
			if v != "" {
				p.Value.Default = v
			}
		}
	}
}

// Every shipped file is valid against the schema that editors check it with.
func TestShippedFilesFitTheirSchemas(t *testing.T) {
	if *update {
		t.Skip("this program still holds the schemas from before the update")
	}
	t.Parallel()
	for kind, folder := range map[string]configs.Kind{
		"rules": configs.Games, "agent": configs.Agents,
		"tournament": configs.Tournaments, "tuning": configs.Tunings, "sweep": configs.Sweeps,
	} {
		text := must.Get(configs.Schema(kind))(t)
		doc := must.Get(validator.UnmarshalJSON(bytes.NewReader(text)))(t)
		c := validator.NewCompiler()
		must.Do(t, c.AddResource(kind, doc))
		schema := must.Get(c.Compile(kind))(t)
		names := configs.Names(folder)
		if len(names) == 0 {
			t.Errorf("no shipped files of kind %s", folder)
		}
		for _, name := range names {
			file, data := must.Get2(configs.Read(folder, name))(t)
			var v any
			if err := yaml.Load(data, &v); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			asJSON := must.Get(json.Marshal(v))(t)
			instance := must.Get(validator.UnmarshalJSON(bytes.NewReader(asJSON)))(t)
			if err := schema.Validate(instance); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			if !strings.Contains(string(data), kind+".schema.json") {
				t.Errorf("%s does not name its schema for editors: copy the first line of another file of its folder", file)
			}
		}
	}
}
