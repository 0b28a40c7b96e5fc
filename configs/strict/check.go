package strict

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"spar/configs/plain"
)

// Shorthand is implemented by structs (with pointer receivers) that may be written as a single value, which is the
// value of one key.
type Shorthand interface{ ShorthandKey() string }

// Chooser is implemented by structs (with pointer receivers) that determine the allowed words of a key. Nil means that
// the key's tag lists them.
type Chooser interface{ Choices(key string) []string }

// tagRules is what a field's jsonschema tag requires.
type tagRules struct {
	enum     []string
	min, max float64
	hasMin   bool
	hasMax   bool
	required bool
}

func parseTag(tag string) tagRules {
	var r tagRules
	for part := range strings.SplitSeq(tag, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "enum":
			r.enum = append(r.enum, value)
		case "minimum":
			r.min, _ = strconv.ParseFloat(value, 64)
			r.hasMin = true
		case "maximum":
			r.max, _ = strconv.ParseFloat(value, 64)
			r.hasMax = true
		case "required":
			r.required = true
		}
	}
	return r
}

// field is one key that a struct reads.
type field struct {
	key   string
	typ   reflect.Type
	rules tagRules
}

func fieldsOf(t reflect.Type) []field {
	var fs []field
	for i := range t.NumField() {
		f := t.Field(i)
		key, opts, _ := strings.Cut(cmp.Or(f.Tag.Get("yaml"), f.Tag.Get("json")), ",")
		if key == "-" || !f.IsExported() {
			continue
		}
		if strings.Contains(opts, "inline") {
			fs = append(fs, fieldsOf(f.Type)...)
			continue
		}
		if key == "" {
			key = strings.ToLower(f.Name)
		}
		fs = append(fs, field{key, f.Type, parseTag(f.Tag.Get("jsonschema"))})
	}
	return fs
}

// check compares a node with a Go type, recursively, and records every mistake. Path is the key path of the node,
// for messages.
func (d *Document) check(n *yaml.Node, t reflect.Type, path string, rules tagRules) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s, ok := reflect.New(t).Interface().(Shorthand)
	if ok && n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
		value := *n
		key := scalar(s.ShorthandKey(), n.Line)
		key.Column = n.Column
		*n = yaml.Node{
			Kind:    yaml.MappingNode,
			Tag:     "!!map",
			Line:    n.Line,
			Column:  n.Column,
			Content: []*yaml.Node{key, &value},
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		d.checkStruct(n, t, path)
	case reflect.Map:
		if n.Kind != yaml.MappingNode {
			d.wrong(n, path, "keys and values")
			return
		}
		d.duplicates(n, path)
		for i := 0; i+1 < len(n.Content); i += 2 {
			d.check(n.Content[i+1], t.Elem(), join(path, n.Content[i].Value), rules)
		}
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.wrong(n, path, "a list")
			return
		}
		for i, c := range n.Content {
			d.check(c, t.Elem(), fmt.Sprintf("%s[%d]", path, i), rules)
		}
	case reflect.Interface:
	default:
		d.checkScalar(n, t, path, rules)
	}
}

func (d *Document) checkStruct(n *yaml.Node, t reflect.Type, path string) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, path, "keys and values")
		return
	}
	d.duplicates(n, path)
	fields := fieldsOf(t)
	chooser, _ := reflect.New(t).Interface().(Chooser)
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.key
		if chooser != nil {
			fields[i].rules.enum = append(f.rules.enum, chooser.Choices(f.key)...)
		}
		if f.rules.required && child(n, f.key) == nil {
			d.doubt(join(path, f.key), n, "%s is missing", join(path, f.key))
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := slices.Index(names, key.Value)
		if at < 0 {
			where := ""
			if path != "" {
				where = " in " + path
			}
			d.refused[key] = true
			if key.Line < 0 { // an override states its whole path
				whole := d.overrides[-key.Line-1].Path
				d.doubt(join(path, key.Value), key, "no key %q%s", whole, d.lacking(key.Value, ": ", Suggest(whole, Paths(d.typ))))
				continue
			}
			meant, suggestion := key.Value, ""
			if len(d.errs) < mostShown { // looking for names takes time
				meant, suggestion = cmp.Or(Nearest(key.Value, names), key.Value), Suggest(key.Value, names)
			}
			d.doubt(join(path, meant), key, "unknown key %q%s%s", key.Value, where, d.lacking(key.Value, ": ", suggestion))
			continue
		}
		// A part that is a struct keeps what is right in it; anything else is right as a whole or left out.
		before := len(d.errs)
		d.check(value, fields[at].typ, join(path, key.Value), fields[at].rules)
		if len(d.errs) > before && (fields[at].typ.Kind() != reflect.Struct || value.Kind != yaml.MappingNode) {
			d.refused[key] = true
		}
	}
}

// lacking returns the explanation of an unknown word, behind the given punctuation, or else the suggestion.
func (d *Document) lacking(word, punctuation, suggestion string) string {
	if d.Lacks == nil || d.Lacks(word) == "" {
		return suggestion
	}
	return punctuation + d.Lacks(word)
}

// doubt records a mistake at a node, and the key path whose value must not be used.
func (d *Document) doubt(path string, n *yaml.Node, format string, args ...any) {
	d.doubtful = append(d.doubtful, path)
	d.errorAt(path, n, format, args...)
}

func (d *Document) duplicates(n *yaml.Node, path string) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if first, ok := seen[k.Value]; ok && k.Line > 0 {
			d.refused[k] = true
			d.doubt(join(path, k.Value), k, "%s is a duplicate; the first is on line %d", join(path, k.Value), first)
			continue
		}
		seen[k.Value] = k.Line
	}
}

func (d *Document) checkScalar(n *yaml.Node, t reflect.Type, path string, rules tagRules) {
	tag := n.ShortTag()
	switch {
	case n.Kind != yaml.ScalarNode || tag == "!!null":
		d.wrong(n, path, expected(t, rules))
	case t.Kind() == reflect.String:
		if at := strings.IndexFunc(n.Value, func(r rune) bool {
			return !unicode.IsPrint(r) && (r != '\n' && r != '\t' || oneLine(path))
		}); at >= 0 {
			d.doubt(path, n, "%s: expected printable text, found %s", path, strconv.QuoteToASCII(n.Value))
			return
		}
		if len(rules.enum) > 0 {
			for _, e := range rules.enum {
				if n.Value == e {
					return
				}
			}
			d.doubt(path, n, "%s: %q is not one of %s%s", path, n.Value, strings.Join(rules.enum, ", "),
				d.lacking(n.Value, "; ", didYouMean(n.Value, rules.enum)))
		}
	case t.Kind() == reflect.Bool:
		if tag != "!!bool" {
			d.wrong(n, path, "true or false")
		}
	default:
		integer := t.Kind() != reflect.Float64 && t.Kind() != reflect.Float32
		if tag != "!!int" && (integer || tag != "!!float") {
			d.wrong(n, path, expected(t, rules)+beyond(n.Value, t, rules))
			return
		}
		digits := strings.TrimLeft(n.Value, "+-")
		if len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] &&
			digits[1] <= '9' {
			d.wrong(n, path, expected(t, rules)+" without leading zeros, which some programs read as octal")
			return
		}
		var whole int64
		var v float64
		bad := integer && n.Load(&whole) != nil || n.Load(&v) != nil
		bad = bad || math.IsNaN(v) || math.IsInf(v, 0) || rules.hasMin && v < rules.min || rules.hasMax && v > rules.max
		switch {
		case bad && rules.hasMax && v > rules.max:
			d.doubt(path, n, "%s: expected %s, found %s", path, expected(t, rules), describe(n))
		case bad:
			d.wrong(n, path, expected(t, rules)+beyond(n.Value, t, rules))
		}
	}
}

// beyond returns the range of integers, in words, for a field without limits.
func beyond(value string, t reflect.Type, rules tagRules) string {
	_, err := strconv.ParseInt(value, 10, 64)
	switch negative := strings.HasPrefix(value, "-"); {
	case !errors.Is(err, strconv.ErrRange),
		t.Kind() == reflect.Float64,
		negative && rules.hasMin,
		!negative && rules.hasMax:
		return ""
	case negative:
		return fmt.Sprintf(", at least %d", math.MinInt64)
	}
	return fmt.Sprintf(", at most %d", math.MaxInt64)
}

// oneLine reports whether the text at a key path must be one line, because tables contain it.
func oneLine(path string) bool {
	key := path[strings.LastIndexByte(path, '.')+1:]
	return key == "name" || key == "title"
}

func expected(t reflect.Type, rules tagRules) string {
	what := ""
	switch t.Kind() {
	case reflect.String:
		if len(rules.enum) > 0 {
			return "one of " + strings.Join(rules.enum, ", ")
		}
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64, reflect.Float32:
		what = "a number"
	default:
		what = "a whole number"
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	switch {
	case rules.hasMin && rules.hasMax:
		what += fmt.Sprintf(" from %s to %s", number(rules.min), number(rules.max))
	case rules.hasMin:
		what += fmt.Sprintf(", %s or more", number(rules.min))
	case rules.hasMax:
		what += fmt.Sprintf(", %s or less", number(rules.max))
	}
	return what
}

func (d *Document) wrong(n *yaml.Node, path, want string) {
	d.doubt(path, n, "%s: expected %s, found %s", path, want, describe(n))
}

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.ShortTag() == "!!null" {
		return "nothing"
	}
	if n.ShortTag() == "!!str" {
		return strconv.Quote(n.Value)
	}
	return n.Value
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// An error lists at most mostListed valid names, which is enough for most parts of a file. Of more names it lists as
// many as fewNames.
const (
	mostListed = 20
	fewNames   = 5
)

// Suggest returns "; did you mean X?" for the valid name nearest to the one given. If none is near, it returns a list
// of the valid names, or of the nearest ones if there are many.
func Suggest(given string, valid []string) string {
	if near := didYouMean(given, valid); near != "" {
		return near
	}
	if len(valid) == 0 || len(given) > plain.MostQuoted {
		return ""
	}
	which := "valid"
	if len(valid) > mostListed {
		which, valid = "the nearest", slices.SortedStableFunc(slices.Values(valid), func(a, b string) int {
			return Distance(given, a) - Distance(given, b)
		})[:fewNames]
	}
	return fmt.Sprintf("; %s are %s", which, strings.Join(valid, ", "))
}

// Unknown returns the error for a name of some kind that is not valid, with what Suggest adds.
func Unknown(kind, given string, valid []string) error {
	return fmt.Errorf("unknown %s %q%s", kind, given, Suggest(given, valid))
}

// didYouMean returns "; did you mean X?", or an empty text if no valid name is near.
func didYouMean(given string, valid []string) string {
	near := Nearest(given, valid)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", near)
}

// Nearest returns the valid name nearest to the given one, or an empty text if none is near. Among equally near
// names it prefers the longest common prefix. A valid name that contains the given one, or is part of it, is
// always near.
func Nearest(given string, valid []string) string {
	if len(given) > plain.MostQuoted {
		return ""
	}
	best := ""
	bestDistance := len(given)/2 + 1
	bestCommon := 0
	for _, v := range valid {
		a, b := strings.ToLower(given), strings.ToLower(v)
		common := 0
		for common < min(len(a), len(b)) && a[common] == b[common] {
			common++
		}
		dist := Distance(a, b)
		switch {
		case strings.HasPrefix(b, a):
			dist = min(dist, 1)
		case strings.Contains(b, a), len(b) > 2 && strings.Contains(a, b):
			dist = min(dist, 2)
		}
		if dist < bestDistance || dist == bestDistance && best != "" && common > bestCommon {
			best, bestDistance, bestCommon = v, dist, common
		}
	}
	return best
}

// Distance returns the optimal string alignment distance: the number of insertions, deletions, substitutions and swaps
// of adjacent letters.
func Distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
