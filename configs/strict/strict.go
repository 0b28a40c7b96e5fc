// Package strict reads YAML files and reports all mistakes at once. Each mistake has file:line:col, the line
// itself, what was expected and, for a misspelt name, the nearest valid one.
//
// What is allowed comes from the Go types that a file is read into: the yaml tag names a key, and the jsonschema
// tag (enum=, minimum=, maximum=, required) states the allowed values. The published JSON Schemas are generated
// from the same tags, so editors and this package always agree.
package strict

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"spar/configs/plain"
)

// Error is one mistake in a file.
type Error struct {
	File    string // name of the file as given, or the override with its value; empty if it has no name
	Line    int    // line, from 1; 0 if the mistake has no place in a file
	Col     int    // column, from 1
	Message string
	Source  string // text of the line, without its end
	// key path of the mistake, or of the override that caused it; empty for a mistake that concerns the whole file
	Path string
}

// Bare returns the message without the key path at its start.
func (e Error) Bare() string { return strings.TrimPrefix(e.Message, e.Path+": ") }

func (e Error) Error() string {
	if e.Line == 0 && e.File == "" {
		return e.Message
	}
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	at := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
	if e.Source == "" {
		return at
	}
	source, col := e.window()
	return fmt.Sprintf("%s\n  %4d | %s\n       | %s^", at, e.Line, source, indent(source, col))
}

// window returns the part of the line around the column that an error shows, and the column within that part.
func (e Error) window() (source string, col int) {
	text := []rune(e.Source)
	col = min(max(e.Col-1, 0), len(text))
	if len(text) <= plain.MostQuoted {
		return e.Source, col
	}
	from := max(0, min(col-plain.MostQuoted/2, len(text)-plain.MostQuoted))
	return string(text[from : from+plain.MostQuoted]), col - from
}

// indent returns white space as wide as the text before the column. It keeps tabs.
func indent(source string, col int) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string([]rune(source)[:col]))
}

// Errors are all mistakes of one file, in the order of the file.
type Errors []Error

func (es Errors) Error() string {
	var b strings.Builder
	for i, e := range es[:min(len(es), mostShown)] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	if more := len(es) - mostShown; more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// mostShown is the maximum number of mistakes that are listed. A file with more is probably of another kind.
const mostShown = 50

// Document is a parsed file that collects mistakes.
type Document struct {
	// Lacks explains an unknown key or word: what such files cannot express, or what to use instead. It returns an
	// empty text if it has no explanation. Lacks may be nil.
	Lacks func(word string) string

	name  string
	lines []string
	root  *yaml.Node
	typ   reflect.Type // type with which Decode compares it
	// for each override, an Error without a message; a node whose Line is -i came from overrides[i-1]
	overrides []Error
	errs      Errors
	doubtful  []string            // key paths whose values are wrong or missing, or that are below a misspelt key
	refused   map[*yaml.Node]bool // keys that Decode skips
}

// Parse reads the text of a YAML file, like rules or an agent. It must have exactly one document, which is a
// mapping, with at most SmallBytes and SmallNodes. It applies overrides written as key=value, in order. The error is
// of type Errors.
func Parse(name string, data []byte, overrides ...string) (*Document, error) {
	return parse(name, data, SmallBytes, SmallNodes, overrides)
}

// ParseLarge is like Parse, for plans, which name many agents or games. It allows LargeBytes and LargeNodes.
func ParseLarge(name string, data []byte, overrides ...string) (*Document, error) {
	return parse(name, data, LargeBytes, LargeNodes, overrides)
}

func parse(name string, data []byte, mostBytes, mostNodes int, overrides []string) (*Document, error) {
	if err := checkSize(name, data, mostBytes, mostNodes); err != nil {
		return nil, err
	}
	d := &Document{
		name:    name,
		refused: map[*yaml.Node]bool{},
		lines:   strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"),
	}
	var node yaml.Node
	if err := yaml.Load(data, &node); err != nil {
		line, col, msg := 1, 1, err.Error()
		var many *yaml.LoadErrors
		var one *yaml.LoadError
		if errors.As(err, &many) && len(many.Errors) > 0 {
			one = many.Errors[0]
		} else {
			errors.As(err, &one)
		}
		if one != nil {
			msg = one.Message
			mark := one.Mark
			if one.ContextMsg == "while scanning a quoted scalar" && msg == "found unexpected end of stream" {
				mark = one.ContextMark
				msg = "the quote that begins here is never closed"
			}
			if mark.Line > 0 {
				line, col = mark.Line, max(mark.Column, 1)
			}
		}
		msg = strings.TrimPrefix(msg, "yaml: ")
		if strings.HasPrefix(msg, "no documents") {
			msg = "expected keys and values (name: ...), found nothing"
		}
		return nil, Errors{d.place(line, col, "%s", cmp.Or(map[string]string{
			"did not find expected ',' or '}'":               "a comma or } is missing before this",
			"did not find expected ',' or ']'":               "a comma or ] is missing before this",
			"did not find expected key":                      "expected a key, as far to the right as the keys above",
			"found character that cannot start any token":    "indent with spaces, not with tabs, and quote special characters",
			"mapping values are not allowed in this context": "unexpected colon: check how far this line and the last one are indented",
		}[msg], msg))}
	}
	root := &node
	if root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil, Errors{
			d.place(max(root.Line, 1), max(root.Column, 1), "expected keys and values (name: ...), found %s",
				describe(root)),
		}
	}
	d.root = root
	if n := count(root); n > mostNodes {
		return nil, tooMany(name, mostNodes)
	}
	return d, d.SetOf("", overrides)
}

func (d *Document) place(line, col int, format string, args ...any) Error {
	e := Error{File: d.name, Line: line, Col: col}
	if line < 0 {
		e = d.overrides[-line-1]
	}
	e.Message = fmt.Sprintf(format, args...)
	if line >= 1 && line <= len(d.lines) {
		e.Source = d.lines[line-1]
	}
	return e
}

func (d *Document) errorAt(path string, n *yaml.Node, format string, args ...any) {
	e := d.place(n.Line, n.Column, format, args...)
	if n.Line > 0 {
		e.Path = path
	}
	d.errs = append(d.errs, e)
}

// Errorf records a mistake at a key path such as "pieces.cap". If the file does not have the key, the mistake is
// at the nearest key above.
func (d *Document) Errorf(path, format string, args ...any) {
	d.errorAt(path, d.find(path), format, args...)
}

// Unknown records a mistake at a key of a mapping that is not among the valid ones.
func (d *Document) Unknown(path, kind, key string, valid []string) {
	d.errorAt(path, keyNode(d.find(path), key), "%v", Unknown(kind, key, valid))
}

// Named records a mistake at a key path if the name is not allowed; see plain.Formula.
func (d *Document) Named(path, name string) {
	if why := plain.Formula(name); why != "" {
		d.Errorf(path, "%s", why)
	}
}

// Refer records the mistakes of another file. The document names that file at the key path at, and overrides for
// it at the key path set; each mistake is recorded at its place.
func (d *Document) Refer(at, set string, err error) {
	var all, rest Errors
	if !errors.As(err, &all) {
		d.Errorf(at, "%s: %v", at, err)
		return
	}
	for _, e := range all {
		if e.Line != 0 || e.Path == "" {
			rest = append(rest, e)
			continue
		}
		path := join(set, e.Path)
		if n := d.lookup(set); n != nil {
			d.errorAt(path, keyNode(n, e.Path), "%s: %s", path, e.Bare())
		} else { // in brackets behind the name
			d.Errorf(at, "%s: %v", at, e)
		}
	}
	if len(rest) > 0 {
		d.Errorf(at, "%s: %v", at, rest)
	}
}

// keyNode returns the node of a key in a mapping; the mapping if it does not have the key.
func keyNode(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i]
		}
	}
	return n
}

// Has reports whether the file (or an override) states a value for the key path.
func (d *Document) Has(path string) bool { return d.lookup(path) != nil }

// Stated lists the key paths that have a value or a list, in the order of the file. It includes overrides.
func (d *Document) Stated() []string { return stated(d.root, "") }

func stated(n *yaml.Node, path string) []string {
	if n.Kind != yaml.MappingNode {
		return []string{path}
	}
	var out []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, stated(n.Content[i+1], join(path, n.Content[i].Value))...)
	}
	return out
}

// Overridden reports whether the value at the key path came from Set.
func (d *Document) Overridden(path string) bool {
	n := d.lookup(path)
	return n != nil && n.Line < 0
}

// Err returns the mistakes recorded so far in the order of the file, each once, with those of overrides last; nil
// if there are none.
func (d *Document) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	seen := map[Error]bool{}
	d.errs = slices.DeleteFunc(d.errs, func(e Error) bool {
		again := seen[e]
		seen[e] = true
		return again
	})
	slices.SortStableFunc(d.errs, func(a, b Error) int {
		if (a.Line == 0) != (b.Line == 0) {
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return d.errs
}

// Doubtful reports whether Decode found a mistake at a key path, above it or below it. Mistakes that follow from
// such a value need no separate message.
func (d *Document) Doubtful(path string) bool {
	for _, bad := range d.doubtful {
		if under(bad, path) || under(path, bad) {
			return true
		}
	}
	return false
}

// under reports whether a key path equals another one or is below it.
func under(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || top == "" || rest[0] == '.' || rest[0] == '[')
}

func (d *Document) lookup(path string) *yaml.Node {
	n := d.root
	for key := range strings.SplitSeq(path, ".") {
		if n = child(n, key); n == nil {
			return nil
		}
	}
	return n
}

func (d *Document) find(path string) *yaml.Node {
	n := d.root
	for key := range strings.SplitSeq(path, ".") {
		next := child(n, key)
		if next == nil {
			break
		}
		n = next
	}
	return n
}

// child returns the value of a key, or of an element like "games[1]" or "lines[1][0]".
func child(n *yaml.Node, key string) *yaml.Node {
	if at := strings.LastIndexByte(key, '['); at >= 0 {
		i, err := strconv.Atoi(strings.TrimSuffix(key[at+1:], "]"))
		n = child(n, key[:at])
		if err != nil || n == nil || n.Kind != yaml.SequenceNode || i < 0 || i >= len(n.Content) {
			return nil
		}
		return n.Content[i]
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// Set replaces the value at a key path. Origin is the source of the value in errors. The value is YAML, like 5,
// true, torus or [a, b]. Decode checks whether the path exists.
func (d *Document) Set(path, value, origin string) error {
	d.overrides = append(d.overrides, Error{File: origin, Path: path})
	mark := -len(d.overrides)
	if strings.TrimSpace(value) == "" {
		return Errors{d.place(mark, 0, "expected a value after %s=", path)}
	}
	var node yaml.Node
	if err := yaml.Load([]byte(value), &node); err != nil {
		return Errors{d.place(mark, 0, "%q is not a YAML value", value)}
	}
	v := &node
	if v.Kind == yaml.DocumentNode && len(v.Content) > 0 {
		v = v.Content[0]
	}
	remark(v, mark)
	n := d.root
	keys := strings.Split(path, ".")
	for i, key := range keys {
		next := child(n, key)
		if i == len(keys)-1 {
			if next != nil {
				*next = *v
			} else {
				n.Content = append(n.Content, scalar(key, mark), v)
			}
			return nil
		}
		if next == nil {
			next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: mark}
			n.Content = append(n.Content, scalar(key, mark), next)
		}
		if next.Kind != yaml.MappingNode {
			return Errors{d.place(mark, 0, "%s holds a value, not keys", strings.Join(keys[:i+1], "."))}
		}
		n = next
	}
	return nil
}

// SetOf applies overrides to a document with a name. Overrides can start with the name, as NAME:key=value.
func (d *Document) SetOf(name string, overrides []string) error {
	for _, o := range overrides {
		text := o
		if name != "" {
			text = strings.TrimPrefix(o, name+":")
		}
		key, value, ok := strings.Cut(text, "=")
		switch head, _, named := strings.Cut(key, ":"); {
		case named && name != "" && !strings.Contains(head, "."): // of another
			return Errors{{File: o, Message: fmt.Sprintf("expected key=value, or %s:key=value", name)}}
		case !ok || key == "":
			return Errors{{File: o, Message: "expected key=value"}}
		}
		if err := d.Set(key, value, o); err != nil {
			return err
		}
	}
	return nil
}

func scalar(s string, line int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Line: line}
}

func remark(n *yaml.Node, line int) {
	n.Line, n.Column = line, 0
	for _, c := range n.Content {
		remark(c, line)
	}
}

// Decode compares the document with v's type and sets the fields of v, which must contain the defaults. It returns
// all mistakes together, as Errors. V then has the valid values, and the defaults for wrong ones (see Doubtful),
// so that the caller can look for more mistakes and return d.Err().
func (d *Document) Decode(v any) error {
	d.typ = reflect.TypeOf(v).Elem()
	d.check(d.root, d.typ, "", tagRules{})
	err := d.right(d.root).Load(v, yaml.WithKnownFields())
	if err != nil && len(d.errs) == 0 {
		d.errs = Errors{{File: d.name, Message: strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	return d.Err()
}

// right returns a copy of a node without the refused keys.
func (d *Document) right(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for i := 0; i < len(n.Content); i++ {
		if n.Kind == yaml.MappingNode && i%2 == 0 && d.refused[n.Content[i]] {
			i++ // its value
			continue
		}
		c.Content = append(c.Content, d.right(n.Content[i]))
	}
	return &c
}

// Mistake is a constant error that says that the user's input is wrong. A package returns it, wrapped, if the input
// cannot be used, and a command then ends with exit code 2.
type Mistake string

func (m Mistake) Error() string { return string(m) }

// BadInput always returns true: see IsBadInput.
func (Mistake) BadInput() bool { return true }

// BadInput always returns true: see IsBadInput.
func (Errors) BadInput() bool { return true }

// badInput is an error that is one of the user's input.
type badInput struct{ error }

func (b badInput) Unwrap() error { return b.error }

// BadInput always returns true: see IsBadInput.
func (badInput) BadInput() bool { return true }

// Bad marks an error as caused by the user's input; nil stays nil.
func Bad(err error) error {
	if err == nil {
		return nil
	}
	return badInput{err}
}

// Badf formats an error like fmt.Errorf and marks it like Bad.
func Badf(format string, args ...any) error { return Bad(fmt.Errorf(format, args...)) }

// IsBadInput reports whether an error, or one that it wraps, has a method BadInput that returns true.
func IsBadInput(err error) bool {
	var said interface{ BadInput() bool }
	return errors.As(err, &said) && said.BadInput()
}
