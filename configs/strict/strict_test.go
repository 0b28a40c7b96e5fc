package strict_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/fuzzlimit"
	"spar/configs/strict"
)

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

// Most says that there is less room here than elsewhere.
func (*kitchen) Most(key string) (float64, string) {
	if key == "ovens" {
		return 2, "; a larger house takes more"
	}
	return 0, ""
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
	doc, err := strict.Parse("menu.yaml", []byte(text))
	if err != nil {
		return m, err
	}
	if err := doc.SetAll(overrides); err != nil {
		return m, err
	}
	return m, doc.Decode(&m)
}

func lines(text ...string) string { return strings.Join(text, "\n") }

// Every mistake is told with file:line:col, what was expected, the line, and a caret under the place.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{
			"misspelt key", "name: a\ncuont: 3", lines(
				`menu.yaml:2:1: unknown key "cuont"; did you mean count?`,
				`     2 | cuont: 3`,
				`       | ^`),
		},
		{
			"misspelt key inside", "name: a\nkitchen:\n  cook: 3", lines(
				`menu.yaml:3:3: unknown key "cook" in kitchen; did you mean cooks?`,
				`     3 |   cook: 3`,
				`       |   ^`),
		},
		{
			"a key like no other, few to choose from", "name: a\nkitchen: {xyz: 3}", lines(
				`menu.yaml:2:11: unknown key "xyz" in kitchen; valid are cooks, ovens, stove`,
				`     2 | kitchen: {xyz: 3}`,
				`       |           ^`),
		},
		{
			"a key that is not for files", "name: a\nhidden: 3", lines(
				`menu.yaml:2:1: unknown key "hidden"; valid are name, count, ratio, low, fresh, size, dishes, tags, prices, kitchen, any, extra`,
				`     2 | hidden: 3`,
				`       | ^`),
		},
		{
			"missing key", "count: 3", lines(
				`menu.yaml:1:1: name is missing`,
				`     1 | count: 3`,
				`       | ^`),
		},
		{
			"missing key in a list", "name: a\ndishes:\n  - soup\n  - {price: 3}", lines(
				`menu.yaml:4:5: dishes[1].name is missing`,
				`     4 |   - {price: 3}`,
				`       |     ^`),
		},
		{
			"a fraction for a whole number", "name: a\ncount: 7.5", lines(
				`menu.yaml:2:8: count: expected a whole number from 1 to 12, found 7.5`,
				`     2 | count: 7.5`,
				`       |        ^`),
		},
		{
			"a text for a number", "name: a\ncount: seven", lines(
				`menu.yaml:2:8: count: expected a whole number from 1 to 12, found "seven"`,
				`     2 | count: seven`,
				`       |        ^`),
		},
		{
			"a quoted number", "name: a\ncount: \"7\"", lines(
				`menu.yaml:2:8: count: expected a whole number from 1 to 12, found "7"`,
				`     2 | count: "7"`,
				`       |        ^`),
		},
		{
			"too large", "name: a\ncount: 13", lines(
				`menu.yaml:2:8: count: expected a whole number from 1 to 12, found 13`,
				`     2 | count: 13`,
				`       |        ^`),
		},
		{
			"too small, no upper bound", "name: a\nratio: -0.5", lines(
				`menu.yaml:2:8: ratio: expected a number, 0 or more, found -0.5`,
				`     2 | ratio: -0.5`,
				`       |        ^`),
		},
		{
			"too large, no lower bound", "name: a\nlow: 4", lines(
				`menu.yaml:2:6: low: expected a whole number, 3 or less, found 4`,
				`     2 | low: 4`,
				`       |      ^`),
		},
		{
			"too large in base 16", "name: a\ncount: 0x10", lines(
				`menu.yaml:2:8: count: expected a whole number from 1 to 12, found 0x10`,
				`     2 | count: 0x10`,
				`       |        ^`),
		},
		{
			"larger than any number", "name: a\nextra: 99999999999999999999", lines(
				`menu.yaml:2:8: extra: expected a whole number, at most 9223372036854775807, found 99999999999999999999`,
				`     2 | extra: 99999999999999999999`,
				`       |        ^`),
		},
		{
			"just larger than any number", "name: a\nextra: 9223372036854775808", lines(
				`menu.yaml:2:8: extra: expected a whole number, at most 9223372036854775807, found 9223372036854775808`,
				`     2 | extra: 9223372036854775808`,
				`       |        ^`),
		},
		{
			"smaller than any number", "name: a\nextra: -99999999999999999999", lines(
				`menu.yaml:2:8: extra: expected a whole number, at least -9223372036854775808, found -99999999999999999999`,
				`     2 | extra: -99999999999999999999`,
				`       |        ^`),
		},
		{
			"larger than any number where there is an end", "name: a\ncount: 99999999999999999999", lines(
				`menu.yaml:2:8: count: expected a whole number from 1 to 12, found 99999999999999999999`,
				`     2 | count: 99999999999999999999`,
				`       |        ^`),
		},
		{
			"larger than this build takes", "name: a\nkitchen:\n  ovens: 3", lines(
				`menu.yaml:3:10: kitchen.ovens: expected a whole number from 1 to 2, found 3; a larger house takes more`,
				`     3 |   ovens: 3`,
				`       |          ^`),
		},
		{
			"a word where this build has an end", "name: a\nkitchen:\n  ovens: many", lines(
				`menu.yaml:3:10: kitchen.ovens: expected a whole number from 1 to 2, found "many"`,
				`     3 |   ovens: many`,
				`       |          ^`),
		},
		{
			"a quote that is never closed", "name: \"a\nextra: 3\n", lines(
				`menu.yaml:1:7: the quote that begins here is never closed`,
				`     1 | name: "a`,
				`       |       ^`),
		},
		{
			"a single quote that is never closed", "name: a\ntags: [hot, 'cold]\n", lines(
				`menu.yaml:2:13: the quote that begins here is never closed`,
				`     2 | tags: [hot, 'cold]`,
				`       |             ^`),
		},
		{
			"not a number", "name: a\nratio: .nan", lines(
				`menu.yaml:2:8: ratio: expected a number, 0 or more, found .nan`,
				`     2 | ratio: .nan`,
				`       |        ^`),
		},
		{
			"a number for a switch", "name: a\nfresh: 1", lines(
				`menu.yaml:2:8: fresh: expected true or false, found 1`,
				`     2 | fresh: 1`,
				`       |        ^`),
		},
		{
			"a word that is not one of the choices", "name: a\nsize: lrage", lines(
				`menu.yaml:2:7: size: "lrage" is not one of small, large; did you mean large?`,
				`     2 | size: lrage`,
				`       |       ^`),
		},
		{
			"a word like none of the choices", "name: a\nsize: xxl", lines(
				`menu.yaml:2:7: size: "xxl" is not one of small, large`,
				`     2 | size: xxl`,
				`       |       ^`),
		},
		{
			"a word in a list of choices", "name: a\ntags: [hot, clod]", lines(
				`menu.yaml:2:13: tags[1]: "clod" is not one of hot, cold; did you mean cold?`,
				`     2 | tags: [hot, clod]`,
				`       |             ^`),
		},
		{
			"a number in a map", "name: a\nprices: {soup: -1}", lines(
				`menu.yaml:2:16: prices.soup: expected a whole number, 0 or more, found -1`,
				`     2 | prices: {soup: -1}`,
				`       |                ^`),
		},
		{
			"nothing where a number belongs", "name: a\ncount:", lines(
				`menu.yaml:2:7: count: expected a whole number from 1 to 12, found nothing`,
				`     2 | count:`,
				`       |       ^`),
		},
		{
			"keys where a text belongs", "name: {a: b}", lines(
				`menu.yaml:1:7: name: expected a text, found keys and values`,
				`     1 | name: {a: b}`,
				`       |       ^`),
		},
		{
			"a list where keys belong", "name: a\nkitchen: [1, 2]", lines(
				`menu.yaml:2:10: kitchen: expected keys and values, found a list`,
				`     2 | kitchen: [1, 2]`,
				`       |          ^`),
		},
		{
			"a value where a list belongs", "name: a\ndishes: soup", lines(
				`menu.yaml:2:9: dishes: expected a list, found "soup"`,
				`     2 | dishes: soup`,
				`       |         ^`),
		},
		{
			"a key stated twice", "name: a\ncount: 3\ncount: 4", lines(
				`menu.yaml:3:1: count is stated twice, first on line 2`,
				`     3 | count: 4`,
				`       | ^`),
		},
		{
			"a key stated twice inside", "name: a\nprices:\n  soup: 3\n  tea: 1\n  soup: 4", lines(
				`menu.yaml:5:3: prices.soup is stated twice, first on line 3`,
				`     5 |   soup: 4`,
				`       |   ^`),
		},
		{
			"several at once, in reading order", "count: 13\nfresh: maybe\nsiez: large\nkitchen:\n  stove: gass\n  cooks: 1.5", lines(
				`menu.yaml:1:1: name is missing`,
				`     1 | count: 13`,
				`       | ^`,
				`menu.yaml:1:8: count: expected a whole number from 1 to 12, found 13`,
				`     1 | count: 13`,
				`       |        ^`,
				`menu.yaml:2:8: fresh: expected true or false, found "maybe"`,
				`     2 | fresh: maybe`,
				`       |        ^`,
				`menu.yaml:3:1: unknown key "siez"; did you mean size?`,
				`     3 | siez: large`,
				`       | ^`,
				`menu.yaml:5:10: kitchen.stove: "gass" is not one of gas, electric; did you mean gas?`,
				`     5 |   stove: gass`,
				`       |          ^`,
				`menu.yaml:6:10: kitchen.cooks: expected a whole number, found 1.5`,
				`     6 |   cooks: 1.5`,
				`       |          ^`),
		},
		{
			"the caret stands right behind tabs and letters of several bytes", "name: a\nkitchen: {stove:\t\"gas\",\tcoöks: 1}", lines(
				`menu.yaml:2:25: unknown key "coöks" in kitchen; did you mean cooks?`,
				"     2 | kitchen: {stove:\t\"gas\",\tcoöks: 1}",
				"       |                 \t      \t^"),
		},
		{
			"lines that end in CR LF", "name: a\r\ncuont: 3\r\n", lines(
				`menu.yaml:2:1: unknown key "cuont"; did you mean count?`,
				`     2 | cuont: 3`,
				`       | ^`),
		},
		{
			"an empty file", "", "menu.yaml:1:1: expected keys and values (name: ...), found nothing",
		},
		{
			"comments only", "# nothing here\n", lines(
				"menu.yaml:1:1: expected keys and values (name: ...), found nothing",
				"     1 | # nothing here",
				"       | ^"),
		},
		{
			"a list at the top", "- a\n- b", lines(
				`menu.yaml:1:1: expected keys and values (name: ...), found a list`,
				`     1 | - a`,
				`       | ^`),
		},
		{
			"a value at the top", "soup", lines(
				`menu.yaml:1:1: expected keys and values (name: ...), found "soup"`,
				`     1 | soup`,
				`       | ^`),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := read(c.text)
			var es strict.Errors
			if !errors.As(err, &es) {
				t.Fatalf("error %v, want mistakes", err)
			}
			if diff := cmp.Diff(c.want, es.Error()); diff != "" {
				t.Errorf("want (-), got (+)\n%s", diff)
			}
		})
	}
}

// What YAML itself refuses is told in its words, at its place.
func TestNotYAML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, place string }{
		{"an open bracket", "name: a\ntags: [hot\ncount: 3", "menu.yaml:3:"},
		{"an open quote", "name: \"a", "menu.yaml:1:"},
		{"a tab for indentation", "name: a\nkitchen:\n\tcooks: 1", "menu.yaml:3:"},
		{"a second document", "name: a\n---\nname: b", "menu.yaml:"},
		{"an unknown alias", "name: *a", "menu.yaml:1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := read(c.text)
			var es strict.Errors
			if !errors.As(err, &es) || len(es) != 1 || !strings.HasPrefix(err.Error(), c.place) || es[0].Message == "" || strings.Contains(es[0].Message, "yaml:") {
				t.Errorf("%v\nwant one mistake at %s", err, c.place)
			}
		})
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
		Name: "lunch", Count: 5, Ratio: 2, Size: "large", Dishes: []dish{{"soup", 0}, {"tea", 3}}, Tags: []string{"hot"}, Prices: map[string]int{"soup": 4},
		Kitchen: kitchen{Cooks: 10, Stove: "gas"}, Any: map[string]any{"deep": []any{1, map[string]any{"x": "y"}}}, Inline: Inline{31},
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
	m, err := read(text, "kitchen.cooks=7", "size=large", "tags=[hot, cold]", "prices.tea=2", "count=1", "count=2")
	if err != nil {
		t.Fatal(err)
	}
	if m.Kitchen.Cooks != 7 || m.Size != "large" || len(m.Tags) != 2 || m.Prices["tea"] != 2 || m.Count != 2 {
		t.Errorf("%+v", m)
	}
	for _, c := range []struct{ override, want string }{
		{"kitchen.cook=7", `kitchen.cook=7: no key "kitchen.cook"; did you mean kitchen.cooks?`},
		{"kichen.cooks=7", `kichen.cooks=7: no key "kichen.cooks"; did you mean kitchen.cooks?`},
		{"count=7.5", "count=7.5: count: expected a whole number from 1 to 12, found 7.5"},
		{"count=", "count=: expected a value behind count="},
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
	_, err = read("name: a\ncuont: 3", "size=medium")
	if want := "menu.yaml:2:1: "; err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "not one of small, large") {
		t.Errorf("mistakes of the file, then of the override: %v", err)
	}
}

// A caller adds mistakes of meaning at key paths, below keys and in lists; where the file is silent, at the nearest key above.
// What Decode has refused is doubtful, and so is all above and below it.
func TestMistakesOfMeaning(t *testing.T) {
	t.Parallel()
	doc, err := strict.Parse("menu.yaml", []byte("name: a\nkitchen:\n  cooks: 2\ndishes:\n  - soup\n  - {name: tea, price: -3}\nsiez: large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.SetAll([]string{"tags=[hot]"}); err != nil {
		t.Fatal(err)
	}
	var m menu
	if err := doc.Decode(&m); err == nil || m.Name != "a" || m.Kitchen.Cooks != 2 || m.Dishes != nil {
		t.Errorf("%v, decoded %+v: want what is right", err, m)
	}
	for path, want := range map[string]bool{
		"size": true, "dishes": true, "dishes[1]": true, "dishes[1].price": true, "dishes[0]": false, "name": false, "kitchen": false, "sizes": false,
	} {
		if got := doc.Doubtful(path); got != want {
			t.Errorf("doubtful %s: %t, want %t", path, got, want)
		}
	}
	for path, want := range map[string][2]bool{"name": {true, false}, "tags": {true, true}, "kitchen.cooks": {true, false}, "kitchen.stove": {}, "any.thing": {}} {
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

// What is wrong with a file that a document names is said where it names it, what is wrong with the keys that it overrides in it at these.
func TestRefer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text      string
		overrides []string
		err       error
		want      string
	}{
		{"name: a\nkitchen: {cooks: 3}\nprices:\n  size: 2", nil, nil, `menu.yaml:4:3: prices.size: "medium" is not one of small, large`},
		{"name: a\nkitchen: {cooks: 3}", nil, nil, `menu.yaml:1:7: name: size=medium: size: "medium" is not one of small, large`},
		{"name: a", []string{"prices={size: 2}"}, nil, `prices={size: 2}: prices.size: "medium" is not one of small, large`},
		{"name: a\nprices: {size: 2}", nil, errors.New("no such menu"), "menu.yaml:1:7: name: no such menu"},
	} {
		doc, err := strict.Parse("menu.yaml", []byte(c.text))
		if err == nil {
			err = doc.SetAll(c.overrides)
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.err == nil {
			_, c.err = read("name: b", "size=medium")
		}
		doc.Refer("name", "prices", c.err)
		if got, _, _ := strings.Cut(doc.Err().Error(), "\n"); got != c.want {
			t.Errorf("%s %s:\n%s, want\n%s", c.text, c.overrides, got, c.want)
		}
	}
	doc, err := strict.Parse("menu.yaml", []byte("name: a\nprices: {size: 2, cuont: 1}"))
	if err != nil {
		t.Fatal(err)
	}
	_, both := read("name: b\nsiez: small", "size=medium")
	doc.Refer("name", "prices", both)
	if got := doc.Err().Error(); !strings.Contains(got, "menu.yaml:1:7: name: menu.yaml:2:1: unknown key") || !strings.Contains(got, "menu.yaml:2:10: prices.size: ") {
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
		{"zebra", many, ""},
		{"zebra", many[:20], "; valid are " + strings.Join(many[:20], ", ")},
		{"explor", []string{"expand", "exploration", "reuse"}, "; did you mean exploration?"}, // the beginning of it
		{"rate", []string{"games", "learning_rate"}, "; did you mean learning_rate?"},         // a part of it
		{"playout_depth", []string{"nodes", "depth"}, "; did you mean depth?"},                // more than it
		{"caps", []string{"capture", "cap"}, "; did you mean cap?"},                           // an edit is nearer than a part
		{"a", []string{"ataxx", "classic"}, "; valid are ataxx, classic"},                     // of which one letter says nothing
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
		"name: a", "", "- a", "name: a\n---\nname: b", "name: &a b\nsize: *a", "name: a\nkitchen: &k {cooks: 1}\nany: {k: *k}", "name: [", "<<: {name: a}",
		"dishes: &d [*d]", "? {a: b}\n: c", "name: !!binary aGk=", "count: 0o17", "name: a\nprices: {soup: 1, soup: 2}", "name: |\n  a\n  b", "name: a\r\ncount: 1",
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
	d, err := strict.Parse("menu.yaml", []byte("name: a\ncount: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d.Errorf("count", "too few")
		d.Errorf("name", "too short")
	}
	want := "menu.yaml:1:7: too short\n     1 | name: a\n       |       ^\nmenu.yaml:2:8: too few\n     2 | count: 3\n       |        ^"
	if got := d.Err().Error(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
