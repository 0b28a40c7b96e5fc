package strict

import (
	"reflect"
	"slices"
	"strings"
)

// Paths lists the key paths of a type of files, in the order of its fields: of every key that holds a value or a
// list, and of a part that may be left out as a whole (a pointer) both its own and those within.
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

// At is the value at a key path. It is not ok where the type has no such path, or where the part that holds it is
// left out.
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

// SplitSetting splits PATH=VALUE, as overrides and knobs are written. The path is without spaces around it; ok is
// false where the path, the equals sign or the value is missing.
func SplitSetting(text string) (path, value string, ok bool) {
	path, value, ok = strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	return path, value, ok && path != "" && strings.TrimSpace(value) != ""
}

// SplitValues splits a list of values written PATH=VALUE,VALUE: ok as for SplitSetting, and where no value is empty.
func SplitValues(text string) (path string, values []string, ok bool) {
	path, list, ok := SplitSetting(text)
	for _, v := range SplitList(list) {
		values = append(values, strings.TrimSpace(v))
	}
	return path, values, ok && !slices.Contains(values, "")
}

// SplitList splits a text at its commas, but not at those inside brackets or double quotes: labels and values may
// have commas of their own, as [".O.", "X.X"] has.
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
