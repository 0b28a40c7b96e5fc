package reference_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/must"
	"spar/configs/reference"
)

// names collects the names of all keys of a schema, wherever they stand.
func names(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if p, ok := v["properties"].(map[string]any); ok {
			for name := range p {
				into[name] = true
			}
		}
		for _, x := range v {
			names(x, into)
		}
	case []any:
		for _, x := range v {
			names(x, into)
		}
	}
}

// Every key of every schema is in the reference, with a meaning, once.
func TestEveryKeyIsThere(t *testing.T) {
	t.Parallel()
	schemas := map[string]string{
		"agents":      "agent",
		"tournaments": "tournament",
		"tunings":     "tuning",
		"sweeps":      "sweep",
		"machines":    "machines",
		"rules":       "rules",
	}
	for _, k := range reference.Kinds() {
		keys := must.Get(k.Keys())(t)
		text := must.Get(configs.Schema(schemas[k.Name]))(t)
		var tree any
		must.Do(t, json.Unmarshal(text, &tree))
		want, got := map[string]bool{}, map[string]bool{}
		names(tree, want)
		for _, key := range keys {
			last := key.Path[strings.LastIndexByte(key.Path, '.')+1:]
			got[last] = true
			if key.Meaning == "" || key.Value == "" {
				t.Errorf("%s: %s has no meaning or value", k.Name, key.Path)
			}
		}
		for name := range want {
			if !got[name] {
				t.Errorf("%s: the key %s is missing", k.Name, name)
			}
		}
		if len(keys) < 5 {
			t.Errorf("%s has %d keys", k.Name, len(keys))
		}
	}
}

// Some keys that are known: bounds, words, lists, what is required.
func TestKnownKeys(t *testing.T) {
	t.Parallel()
	want := []reference.Key{
		{Path: "budget.depth", Value: "whole number, 0 to 200"},
		{Path: "ties", Value: "one of random, first"},
		{Path: "games[].rules", Value: "text", Required: true},
		{Path: "record_plies", Value: "true or false"},
		{Path: "draw.max_plies", Value: "whole number, 0 to 100000; default 0"},
	}
	for _, k := range reference.Kinds() {
		keys := must.Get(k.Keys())(t)
		for _, key := range keys {
			if i := slices.IndexFunc(want, func(w reference.Key) bool { return w.Path == key.Path }); i >= 0 {
				if key.Meaning = ""; key != want[i] && k.Name != "tunings" && k.Name != "sweeps" {
					t.Errorf("%s: %+v, want %+v", k.Name, key, want[i])
				}
				want = slices.Delete(want, i, i+1)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not there: %+v", want)
	}
}
