package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/must"
)

// described are the paths of a kind's fields, as "spar help json" lists them, and those of what holds others.
type described struct{ fields, parents map[string]bool }

func describe(paths ...string) described {
	d := described{map[string]bool{}, map[string]bool{"": true}}
	for _, path := range paths {
		d.fields[path] = true
		for i := range path {
			if path[i] == '.' || path[i] == '[' {
				d.parents[path[:i]] = true
			}
			if strings.HasSuffix(path[:i], "[]") {
				d.parents[path[:i]] = true
			}
		}
	}
	return d
}

func describedKinds() map[string]described {
	out := map[string]described{}
	for _, k := range jsonKinds(newRoot()) {
		var paths []string
		for _, f := range k.fields() {
			paths = append(paths, f.path)
		}
		out[k.name] = describe(paths...)
	}
	return out
}

// unknown lists the paths of an object that are not described. A field that is described without fields of its own may
// hold anything.
func (d described) unknown(path string, v any) []string {
	parent := d.parents[path]
	if d.fields[path] && !parent {
		return nil
	}
	var out []string
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, d.unknown(path+"[]", x)...)
		}
	case map[string]any:
		for key, x := range v {
			if named := path + ".NAME"; d.fields[named] || d.parents[named] {
				key = "NAME"
			}
			out = append(out, d.unknown(strings.TrimPrefix(path+"."+key, "."), x)...)
		}
	}
	if !parent || v != nil && !isNested(v) && !d.fields[path] {
		return append(out, path)
	}
	return out
}

func isNested(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// printedFolder is where the scripts' calls of spar leave copies of what they print.
const printedFolder = "SPAR_TEST_PRINTED"

// call is run, with a copy of standard output for checkPrinted.
func call(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if folder := os.Getenv(printedFolder); folder != "" {
		f, err := os.CreateTemp(folder, "printed-")
		if err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
		defer f.Close()
		fmt.Fprintln(f, "spar", strings.Join(args, " "))
		stdout = io.MultiWriter(stdout, f)
	}
	return run(context.Background(), args, stdin, stdout, stderr)
}

// checkPrinted holds all JSON objects that the scripts had printed against the description.
func checkPrinted(t *testing.T, folder string) {
	known := describedKinds()
	files := must.Get(filepath.Glob(filepath.Join(folder, "printed-*")))(t)
	objects, said := 0, map[string]bool{}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		command, text, _ := bytes.Cut(text, []byte("\n"))
		if bytes.HasPrefix(command, []byte("spar env ")) && !bytes.Contains(command, []byte("--actions")) {
			continue // a protocol of its own, told by spar env --help
		}
		for line := range bytes.Lines(text) {
			var object map[string]any
			if json.Unmarshal(line, &object) != nil {
				if bytes.HasSuffix(command, []byte(" --json")) || bytes.Contains(command, []byte(" --json ")) {
					t.Errorf("%s: no JSON object: %.100s", command, line)
				}
				continue // a text for people
			}
			objects++
			kind, _ := object["kind"].(string)
			if !bytes.HasPrefix(line, []byte(`{"kind":"`)) || object["version"] != float64(jsonVersion) {
				t.Errorf("%s: does not begin with kind and version: %.100s", command, line)
				continue
			}
			delete(object, "kind")
			delete(object, "version")
			if known[kind].fields == nil {
				t.Errorf("%s: printed the kind %q, which no command declares (printsJSON)", command, kind)
				continue
			}
			for _, path := range known[kind].unknown("", object) {
				if at := kind + " " + path; !said[at] {
					said[at] = true
					t.Errorf("%s: the kind %q has the field %q, which no command declares (printsJSON)", command, kind, path)
				}
			}
		}
	}
	if len(files) > 100 && objects == 0 {
		t.Errorf("no object in what %d commands printed", len(files))
	}
}

func TestUnknownFields(t *testing.T) {
	t.Parallel()
	known := describe("name", "rows[].a", "rows[].b.c", "by.NAME.x", "open", "one.x")
	for text, want := range map[string]string{
		`{"name":"x","rows":[{"a":1,"b":{"c":2}}],"open":{"any":[{"thing":1}]},"one":{"x":1}}`: "",
		`{"rows":null,"open":null,"one":null,"name":null}`:                                     "",
		`{"rows":[]}`:                            "",
		`{"other":1}`:                            "other",
		`{"other":[]}`:                           "other",
		`{"other":{}}`:                           "other",
		`{"rows":[{"d":1}]}`:                     "rows[].d",
		`{"rows":[{"b":1}]}`:                     "rows[].b",
		`{"one":{"y":null}}`:                     "one.y",
		`{"rows":[3]}`:                           "rows[]",
		`{"by":{"any":{"x":1},"other":{"y":1}}}`: "by.NAME.y",
	} {
		var v any
		must.Do(t, json.Unmarshal([]byte(text), &v))
		if got := strings.Join(known.unknown("", v), ","); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
