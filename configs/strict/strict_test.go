package strict_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/configs/strict"
)

var update = flag.Bool("update", false, "write golden files")

// menu is a file with every kind of value.
type menu struct {
	Name    string         `yaml:"name" jsonschema:"required"`
	Count   int            `yaml:"count" jsonschema:"minimum=1,maximum=12"`
	Ratio   float64        `yaml:"ratio" jsonschema:"minimum=0"`
	Low     int            `yaml:"low" jsonschema:"maximum=3"`
	Fresh   bool           `yaml:"fresh"`
	Size    string         `yaml:"size" jsonschema:"enum=small,enum=large"`
	Dishes  []dish         `yaml:"dishes"`
	Tags    []string       `yaml:"tags" jsonschema:"enum=hot,enum=cold"`
	Prices  map[string]int `yaml:"prices" jsonschema:"minimum=0"`
	Kitchen kitchen        `yaml:"kitchen"`
	Any     map[string]any `yaml:"any"`
	Hidden  int            `yaml:"-"`
	Inline  `yaml:",inline"`
}

// Inline holds keys that stand among those of the menu.
type Inline struct {
	Extra int `yaml:"extra"`
}

type kitchen struct {
	Cooks int    `yaml:"cooks"`
	Ovens int    `yaml:"ovens" jsonschema:"minimum=1,maximum=9"`
	Stove string `yaml:"stove" jsonschema:"enum=gas,enum=electric"`
}

// dish may be written as its name alone.
type dish struct {
	Name  string `yaml:"name" jsonschema:"required"`
	Price int    `yaml:"price" jsonschema:"minimum=0"`
}

func (*dish) ShorthandKey() string { return "name" }

// read decodes a menu over defaults.
func read(text string, overrides ...string) (menu, error) {
	m := menu{Count: 5, Size: "small", Kitchen: kitchen{Cooks: 2, Stove: "gas"}}
	doc, err := strict.Parse("menu.yaml", []byte(text), overrides...)
	if err != nil {
		return m, err
	}
	return m, doc.Decode(&m)
}

// Each file of mistakes.txtar is wrong in the way that its name says. The golden file holds what is said of it:
// file:line:col, what was expected, the line, and a caret under the place.
func TestMistakes(t *testing.T) {
	t.Parallel()
	cases := must.Get(txtar.ParseFile("testdata/mistakes.txtar"))(t)
	got := ""
	for _, c := range cases.Files {
		_, err := read(string(c.Data))
		var es strict.Errors
		if !errors.As(err, &es) {
			t.Errorf("%s: error %v, want mistakes", c.Name, err)
		}
		got += "== " + c.Name + "\n" + es.Error() + "\n"
	}
	const file = "testdata/mistakes.golden"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("want (-), got (+); run with -update if it is right\n%s", diff)
	}
}

// Good files are read over the defaults.
func TestDecode(t *testing.T) {
	t.Parallel()
	got, err := read(`
name: lunch
ratio: 2
size: large
dishes: [soup, {name: tea, price: 3}]
tags: [hot]
prices: {soup: 4}
kitchen: {cooks: 1_0}
any: {deep: [1, {x: y}]}
extra: 0x1f
`)
	want := menu{
		Name: "lunch", Count: 5, Ratio: 2, Size: "large", Dishes: []dish{{"soup", 0}, {"tea", 3}}, Tags: []string{"hot"},
		Prices: map[string]int{"soup": 4},
		Kitchen: kitchen{
			Cooks: 10,
			Stove: "gas",
		}, Any: map[string]any{"deep": []any{1, map[string]any{"x": "y"}}}, Inline: Inline{31},
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An override stands over the file; its mistakes name it, and have no line.
func TestOverrides(t *testing.T) {
	t.Parallel()
	const text = "name: a\nkitchen: {cooks: 3}\ndishes: [soup]"
	m := must.Get(read(text, "kitchen.cooks=7", "size=large", "tags=[hot, cold]", "prices.tea=2", "count=1", "count=2"))(t)
	if m.Kitchen.Cooks != 7 || m.Size != "large" || len(m.Tags) != 2 || m.Prices["tea"] != 2 || m.Count != 2 {
		t.Errorf("%+v", m)
	}
	for _, c := range []struct{ override, want string }{
		{"kitchen.cook=7", `kitchen.cook=7: no key "kitchen.cook"; did you mean kitchen.cooks?`},
		{"kichen.cooks=7", `kichen.cooks=7: no key "kichen.cooks"; did you mean kitchen.cooks?`},
		{"count=7.5", "count=7.5: count: expected a whole number from 1 to 12, found 7.5"},
		{"count=", "count=: expected a value after count="},
		{"size=medium", `size=medium: size: "medium" is not one of small, large`},
		{"count", "count: expected key=value"},
		{"name.first=b", "name.first=b: name holds a value, not keys"},
		{"tags=[hot", `tags=[hot: "[hot" is not a YAML value`},
		{"kitchen=3", "kitchen=3: kitchen: expected keys and values, found 3"},
		{"=3", `=3: expected key=value`},
	} {
		_, err := read(text, c.override)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.override, err, c.want)
		}
	}
	_, err := read("name: a\ncuont: 3", "size=medium")
	if want := "menu.yaml:2:1: "; err == nil || !strings.HasPrefix(err.Error(), want) ||
		!strings.HasSuffix(err.Error(), "not one of small, large") {
		t.Errorf("mistakes of the file, then of the override: %v", err)
	}
}

// A caller adds mistakes of meaning at key paths, below keys and in lists; where the file is silent, at the nearest
// key above. What Decode has refused is doubtful, and so is all above and below it.
func TestMistakesOfMeaning(t *testing.T) {
	t.Parallel()
	doc := must.Get(strict.Parse("menu.yaml",
		[]byte("name: a\nkitchen:\n  cooks: 2\ndishes:\n  - soup\n  - {name: tea, price: -3}\nsiez: large"),
		"tags=[hot]"))(t)
	var m menu
	if err := doc.Decode(&m); err == nil || m.Name != "a" || m.Kitchen.Cooks != 2 || m.Dishes != nil {
		t.Errorf("%v, decoded %+v: want what is right", err, m)
	}
	for path, want := range map[string]bool{
		"size": true, "dishes": true, "dishes[1]": true, "dishes[1].price": true, "dishes[0]": false, "name": false,
		"kitchen": false, "sizes": false,
	} {
		if got := doc.Doubtful(path); got != want {
			t.Errorf("doubtful %s: %t, want %t", path, got, want)
		}
	}
	for path, want := range map[string][2]bool{
		"name": {true, false}, "tags": {true, true}, "kitchen.cooks": {true, false},
		"kitchen.stove": {}, "any.thing": {},
	} {
		if got := [2]bool{doc.Has(path), doc.Overridden(path)}; got != want {
			t.Errorf("%s: stated and overridden %v, want %v", path, got, want)
		}
	}
	doc.Errorf("kitchen.stove", "no stove")
	doc.Errorf("kitchen.cooks", "too many cooks")
	doc.Errorf("tags", "too hot")
	doc.Errorf("dishes[0].name", "no soup")
	var got []string
	for line := range strings.Lines(doc.Err().Error()) {
		if !strings.HasPrefix(line, " ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		"menu.yaml:3:3: no stove", "menu.yaml:3:10: too many cooks", "menu.yaml:5:5: no soup",
		"menu.yaml:6:24: dishes[1].price: expected a whole number, 0 or more, found -3",
		`menu.yaml:7:1: unknown key "siez"; did you mean size?`, "tags=[hot]: too hot",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What is wrong with a file that a document names is said where it names it, what is wrong with the keys that it
// overrides in it at these.
func TestRefer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text      string
		overrides []string
		err       error
		want      string
	}{
		{
			"name: a\nkitchen: {cooks: 3}\nprices:\n  size: 2", nil, nil,
			`menu.yaml:4:3: prices.size: "medium" is not one of small, large`,
		},
		{"name: a\nkitchen: {cooks: 3}", nil, nil, `menu.yaml:1:7: name: size=medium: size: "medium" is not one of small, large`},
		{"name: a", []string{"prices={size: 2}"}, nil, `prices={size: 2}: prices.size: "medium" is not one of small, large`},
		{"name: a\nprices: {size: 2}", nil, errors.New("no such menu"), "menu.yaml:1:7: name: no such menu"},
	} {
		doc := must.Get(strict.Parse("menu.yaml", []byte(c.text), c.overrides...))(t)
		if c.err == nil {
			_, c.err = read("name: b", "size=medium")
		}
		doc.Refer("name", "prices", c.err)
		if got, _, _ := strings.Cut(doc.Err().Error(), "\n"); got != c.want {
			t.Errorf("%s %s:\n%s, want\n%s", c.text, c.overrides, got, c.want)
		}
	}
	doc := must.Get(strict.Parse("menu.yaml", []byte("name: a\nprices: {size: 2, cuont: 1}")))(t)
	_, both := read("name: b\nsiez: small", "size=medium")
	doc.Refer("name", "prices", both)
	if got := doc.Err().Error(); !strings.Contains(got, "menu.yaml:1:7: name: menu.yaml:2:1: unknown key") ||
		!strings.Contains(got, "menu.yaml:2:10: prices.size: ") {
		t.Errorf("a mistake of its own, and one of what is set: %s", got)
	}
}

// The nearest name is suggested, whatever its case; when none is near, the names are listed if they are few.
func TestSuggest(t *testing.T) {
	t.Parallel()
	many := strings.Fields("a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2")
	for _, c := range []struct {
		given string
		valid []string
		want  string
	}{
		{"vanishin", []string{"classic", "vanishing"}, "; did you mean vanishing?"},
		{"CTOR", []string{"classic", "ctor"}, "; did you mean ctor?"},
		{"ctro", []string{"classic", "ctor"}, "; did you mean ctor?"},
		{"chess", []string{"ctor", "vanishing"}, "; valid are ctor, vanishing"},
		{"zebra", many, "; the nearest are b1, e1, b2, e2, a1"}, // the first four have a letter of it
		{"zebra", many[:20], "; valid are " + strings.Join(many[:20], ", ")},
		{"explor", []string{"expand", "exploration", "reuse"}, "; did you mean exploration?"}, // the beginning of it
		{"rate", []string{"games", "learning_rate"}, "; did you mean learning_rate?"},         // a part of it
		{"playout_depth", []string{"nodes", "depth"}, "; did you mean depth?"},                // more than it
		// an edit is nearer than a part
		{"caps", []string{"capture", "cap"}, "; did you mean cap?"},
		// of which one letter says nothing
		{"a", []string{"ataxx", "classic"}, "; valid are ataxx, classic"},
		{"x", nil, ""},
		{"", []string{"ctor"}, "; valid are ctor"},
	} {
		if got := strict.Suggest(c.given, c.valid); got != c.want {
			t.Errorf("%q: %q, want %q", c.given, got, c.want)
		}
	}
}

// FuzzParse holds that no file and no override makes this package panic, and that each mistake has words.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"name: a", "", "- a", "name: a\n---\nname: b", "name: &a b\nsize: *a",
		"name: a\nkitchen: &k {cooks: 1}\nany: {k: *k}", "name: [", "<<: {name: a}",
		"dishes: &d [*d]", "? {a: b}\n: c", "name: !!binary aGk=", "count: 0o17", "name: a\nprices: {soup: 1, soup: 2}",
		"name: |\n  a\n  b", "name: a\r\ncount: 1",
	} {
		f.Add([]byte(text), "kitchen.cooks=3")
		f.Add([]byte(text), "dishes=[*d]")
	}
	f.Add([]byte("name: a\nkitchen: {}"), "kitchen=&a [*a]")
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte, override string) {
		defer watch()()
		_, err := read(string(data), override)
		var es strict.Errors
		if err != nil && (!errors.As(err, &es) || len(es) == 0) {
			t.Fatalf("%T %v is no list of mistakes", err, err)
		}
		for _, e := range es {
			if e.Message == "" || e.Error() == "" {
				t.Errorf("%+v says nothing", e)
			}
		}
	})
}

// Two checks that say the same of one place are one mistake.
func TestMistakesAreSaidOnce(t *testing.T) {
	t.Parallel()
	d := must.Get(strict.Parse("menu.yaml", []byte("name: a\ncount: 3\n")))(t)
	for range 2 {
		d.Errorf("count", "too few")
		d.Errorf("name", "too short")
	}
	want := "menu.yaml:1:7: too short\n     1 | name: a\n       |       ^\nmenu.yaml:2:8: too few\n     2 | count: 3\n  " +
		"     |        ^"
	if got := d.Err().Error(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
