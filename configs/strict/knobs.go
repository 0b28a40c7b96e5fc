package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Paths lists the key paths of a file type in the order of its fields: every key with a value or a list. For an
// optional part (a pointer) it lists the part itself and the keys in it.
func Paths(t reflect.Type) []string {
	var out []string
	for _, f := range fieldsOf(t) {
		of, optional := f.typ, f.typ.Kind() == reflect.Pointer
		if optional {
			of = of.Elem()
		}
		part := of.Kind() == reflect.Struct
		if optional || !part {
			out = append(out, f.key)
		}
		if part {
			for _, path := range Paths(of) {
				out = append(out, f.key+"."+path)
			}
		}
	}
	return out
}

// At returns the value at a key path. The second result is false if the type has no such path, or if the part that
// contains it is nil.
func At(v reflect.Value, path string) (at reflect.Value, ok bool) {
	key, rest, deeper := strings.Cut(path, ".")
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return v, false
	}
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		switch {
		case option == "inline":
			if at, ok := At(v.Field(i), path); ok {
				return at, true
			}
		case name != key || name == "" || name == "-":
		case deeper:
			return At(v.Field(i), rest)
		default:
			return v.Field(i), true
		}
	}
	return v, false
}

// SplitSetting splits PATH=VALUE, the form of overrides and knobs, and trims spaces around the path. The last
// result is false if the path, the equals sign or the value is missing.
func SplitSetting(text string) (path, value string, ok bool) {
	path, value, ok = strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	return path, value, ok && path != "" && strings.TrimSpace(value) != ""
}

// SplitValues splits PATH=VALUE,VALUE for a path of a type. Brackets around all values are allowed. If the path takes a
// list, brackets around one value make it a list. The last result is false in the same cases as for SplitSetting, and
// if a value is empty.
func SplitValues(text string, t reflect.Type) (path string, values []string, ok bool) {
	path, list, ok := SplitSetting(text)
	list = strings.TrimSpace(list)
	inner, closed := strings.CutSuffix(list, "]")
	if closed && strings.HasPrefix(inner, "[") && len(SplitList(list)) == 1 && !takesList(t, path) {
		list = inner[1:]
	}
	for _, v := range SplitList(list) {
		values = append(values, strings.TrimSpace(v))
	}
	return path, values, ok && !slices.Contains(values, "")
}

// takesList reports whether the value at a key path of a type may be a list.
func takesList(t reflect.Type, path string) bool {
	for key := range strings.SplitSeq(path, ".") {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			fields := fieldsOf(t)
			at := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
			if at < 0 {
				return false
			}
			t = fields[at].typ
		default:
			return false
		}
	}
	return t.Kind() == reflect.Slice || t.Kind() == reflect.Interface
}

// ListValue returns the value of an override: a list as a file would contain it, any other value as its text.
func ListValue(text string) any {
	var list []any
	if strings.HasPrefix(strings.TrimSpace(text), "[") && yaml.Load([]byte(text), &list) == nil {
		return list
	}
	return text
}

// SplitList splits a text at its commas, except in brackets or double quotes, because labels and values can
// contain commas, like [".O.", "X.X"].
func SplitList(text string) []string {
	var out []string
	depth, start, quoted := 0, 0, false
	for i, r := range text + "," {
		switch {
		case r == '"':
			quoted = !quoted
		case i == len(text):
			out = append(out, text[start:i])
		case quoted:
		case r == '[' || r == '{':
			depth++
		case r == ']' || r == '}':
			depth--
		case r == ',' && depth == 0:
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return out
}

// JSON reads one JSON value. A key that its type does not have is an error with the nearest one, because a misspelt key
// must not mean its default; so is a second value. The type must not contain itself.
func JSON(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := InWords(d.Decode(into))
	if key, ok := strings.CutPrefix(fmt.Sprint(err), "json: unknown field "); ok {
		return Unknown("key", strings.Trim(key, `"`), Paths(reflect.TypeOf(into).Elem()))
	}
	if err == nil && d.More() {
		return errors.New("more than one JSON value")
	}
	return err
}

// InWords rewords an error of encoding/json, which names types of Go.
func InWords(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON at character %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s cannot be a JSON %s", strings.TrimPrefix(kind.Field, "Line."), kind.Value)
	case kind != nil:
		return fmt.Errorf("a JSON %s", kind.Value)
	}
	return err
}
