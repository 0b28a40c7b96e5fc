package strict

import (
	"reflect"
	"slices"
	"testing"
)

// Commas inside brackets and quotes belong to the value; brackets around all values do not, unless they are one list.
func TestSplitValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a=1": {"a", "1"}, "a=1, 2": {"a", "1", "2"}, "a.b=[c,d],[e]": {"a.b", "[c,d]", "[e]"},
		`a=["x,y",z],{k: [1, 2]}`: {"a", `["x,y",z]`, "{k: [1, 2]}"},
		`a="[",b`:                 {"a", `"["`, "b"}, "a=[1, 2]": {"a", "1", "2"}, "l=[1,2]": {"l", "[1,2]"},
		"l=[1],[2]": {"l", "[1]", "[2]"}, "m.x=[1]": {"m.x", "1"}, "p.l=[1]": {"p.l", "[1]"},
		"a": nil, "a=": nil, "=1": nil, "a=1,,2": nil,
	} {
		type part struct {
			L []int
		}
		path, values, ok := SplitValues(text, reflect.TypeFor[struct {
			A string
			L []int
			M map[string]int
			P *part
		}]())
		if got := append([]string{path}, values...); ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%q: %q %v, want %q", text, got, ok, want)
		}
	}
}

// A list of names is split between the labels.
func TestSplitList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": {""}, "a": {"a"}, "a,b": {"a", "b"}, "a[x=1,y={2,3}],b[x=[1,2]]": {"a[x=1,y={2,3}]", "b[x=[1,2]]"},
		"a,": {"a", ""},
	} {
		if got := SplitList(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A path leads through inline parts and parts that may be left out; every path that a type lists is found.
func TestPaths(t *testing.T) {
	t.Parallel()
	type inner struct {
		B int `yaml:"b"`
	}
	type file struct {
		I inner    `yaml:",inline"`
		J *inner   `yaml:"j"`
		K inner    `yaml:"k"`
		C []string `yaml:"c,omitempty"`
	}
	v := reflect.ValueOf(&file{I: inner{2}, J: &inner{4}, K: inner{5}})
	paths := Paths(v.Type().Elem())
	if want := []string{"b", "j", "j.b", "k.b", "c"}; !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
	for _, path := range paths {
		if _, ok := At(v, path); !ok {
			t.Errorf("%s is not found", path)
		}
	}
	if at, ok := At(v, "j.b"); !ok || at.Int() != 4 {
		t.Errorf("j.b: %v", at)
	}
	for _, path := range []string{"d", "j.c", "b.b", ""} {
		if _, ok := At(v, path); ok {
			t.Errorf("%q is found", path)
		}
	}
	if _, ok := At(reflect.ValueOf(file{}), "j.b"); ok {
		t.Error("a part that is left out is found")
	}
}

// TestJSONErrors: an error of a JSON line names keys and JSON's types, not Go's.
func TestJSONErrors(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"rows":"4"}`: "rows cannot be a JSON string",
		`[1]`:          "a JSON array",
		`rows`:         "no JSON at character 1",
		`{"row":4}`:    `unknown key "row"; did you mean rows?`,
	} {
		var into struct {
			Rows int `json:"rows"`
		}
		if err := JSON([]byte(line), &into); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
