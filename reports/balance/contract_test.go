package balance

import (
	"flag"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
	"spar/ratings"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The names in the JSON of a report are a public contract: a change shows up here, and one that takes a name away or
// changes what it means raises Version.
func TestContract(t *testing.T) {
	t.Parallel()
	var lines []string
	var walk func(at string, typ reflect.Type)
	walk = func(at string, typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer:
			walk(at, typ.Elem())
		case reflect.Slice, reflect.Array:
			walk(at+"[]", typ.Elem())
		case reflect.Map:
			walk(at+".*", typ.Elem())
		case reflect.Struct:
			if typ == reflect.TypeFor[ratings.Estimate]() && at != "" {
				lines = append(lines, at+" number")
				return
			}
			for i := range typ.NumField() {
				f := typ.Field(i)
				if !f.IsExported() {
					continue
				}
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if f.Anonymous && name == "" { // its fields are those of the outer object
					walk(at, f.Type)
					continue
				}
				if name == "" {
					t.Errorf("%s.%s has no name in the JSON", typ.Name(), f.Name)
				}
				walk(strings.TrimPrefix(at+"."+name, "."), f.Type)
			}
		default:
			lines = append(lines, at+" "+typ.Kind().String())
		}
	}
	walk("", reflect.TypeFor[Report]())
	sort.Strings(lines)
	got := strings.Join(lines, "\n") + "\n"
	const path = "testdata/contract.golden"
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if d := cmp.Diff(string(want), got); d != "" {
		t.Error(d)
	}
}
