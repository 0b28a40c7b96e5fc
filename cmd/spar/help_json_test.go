package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"spar/arena/transfer"
)

// describedKinds are the paths of the fields by kind, as "spar help json" lists them.
func describedKinds() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, k := range jsonKinds() {
		out[k.name] = map[string]bool{}
		for _, f := range k.fields() {
			out[k.name][f.path] = true
		}
	}
	return out
}

// unknownFields lists the paths of an object that are not described. A field that is described without fields of its own may hold
// anything.
func unknownFields(known map[string]bool, path string, v any) []string {
	parent := path == "" || slices.ContainsFunc(slices.Collect(maps.Keys(known)), func(p string) bool {
		return strings.HasPrefix(p, path+".") || strings.HasPrefix(p, path+"[]")
	})
	if known[path] && !parent {
		return nil
	}
	var out []string
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, unknownFields(known, path+"[]", x)...)
		}
	case map[string]any:
		for key, x := range v {
			if named := path + ".NAME"; known[named] || slices.ContainsFunc(slices.Collect(maps.Keys(known)), func(p string) bool {
				return strings.HasPrefix(p, named)
			}) {
				key = "NAME"
			}
			out = append(out, unknownFields(known, strings.TrimPrefix(path+"."+key, "."), x)...)
		}
	}
	if !parent || v != nil && !isNested(v) && !known[path] {
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

// Every kind that the source prints is described, or known not to be yet.
func TestEveryKindIsDescribed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	watching, err := filepath.Glob("../../reports/watch/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, watching...)
	known := describedKinds()
	printed := map[string]bool{}
	call := regexp.MustCompile(`(?:printJSON\([^"\n]*?, |many\.each\(c, (?:always\()?|p\.print\()"([a-z_]+)"`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllSubmatch(text, -1) {
			kind := string(m[1])
			printed[kind] = true
			if known[kind] == nil {
				t.Errorf("%s prints the kind %q, which jsonKinds does not describe", file, kind)
			}
		}
	}
	for _, kind := range []string{transfer.KindStudy, transfer.KindGame, transfer.KindTable, transfer.KindOpinion, transfer.KindLines, transfer.KindValues, transfer.KindPosition, kindEvaluation, kindLearned} { // through a function
		printed[kind] = true
	}
	for kind := range known {
		if !printed[kind] {
			t.Errorf("jsonKinds describes %q, which nothing prints", kind)
		}
	}
}

// printedFolder is where the scripts' calls of spar leave copies of what they print.
const printedFolder = "SPAR_TEST_PRINTED"

// runCopying is run, with a copy of standard output for checkPrinted.
func runCopying(run func(stdout io.Writer) int) int {
	folder := os.Getenv(printedFolder)
	if folder == "" {
		return run(os.Stdout)
	}
	f, err := os.CreateTemp(folder, "printed-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer f.Close()
	fmt.Fprintf(f, "%s\n", strings.Join(os.Args, " "))
	return run(io.MultiWriter(os.Stdout, f))
}

// checkPrinted holds all JSON objects that the scripts had printed against the description.
func checkPrinted(t *testing.T, folder string) {
	known := describedKinds()
	files, err := filepath.Glob(filepath.Join(folder, "printed-*"))
	if err != nil {
		t.Fatal(err)
	}
	objects, said := 0, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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
			if known[kind] == nil {
				continue // TestEveryKindIsDescribed
			}
			for _, path := range unknownFields(known[kind], "", object) {
				if at := kind + " " + path; !said[at] {
					said[at] = true
					t.Errorf("%s: the kind %q has the field %q, which jsonKinds does not describe", command, kind, path)
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
	known := map[string]bool{"name": true, "rows[].a": true, "rows[].b.c": true, "by.NAME.x": true, "open": true, "one.x": true}
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
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(unknownFields(known, "", v), ","); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
