package ratings

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
)

// flatKeys are the JSON keys of an estimate that has no object of its own. The first one has the name of its field.
type flatKeys struct {
	Value *float64
	SE    float64  `json:"se" help:"standard error; 0 if unknown"`
	Lo    *float64 `json:"lo" help:"lower end of the interval"`
	Hi    *float64 `json:"hi" help:"upper end"`
	Open  string   `json:"open" help:"sides without a bound: above, below, both or empty"`
}

// FlatField is a field of the form that Flat writes.
type FlatField struct {
	reflect.StructField
	at  []int // index of the field in the type
	key int   // index in flatKeys; -1 for a field that is no flat estimate
}

// FlatFields lists the fields that Flat writes for a type, and reports whether one of them belongs to a flat estimate.
func FlatFields(t reflect.Type) (out []FlatField, flat bool) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		option := f.Tag.Get("estimate")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			nested, some := FlatFields(inner)
			flat = flat || some
			for _, n := range nested {
				n.at = append(slices.Clone(f.Index), n.at...)
				out = append(out, n)
			}
		case option != "":
			flat = true
			for i, k := range slices.Collect(reflect.TypeFor[flatKeys]().Fields()) {
				if i == 0 {
					k.Name, k.Tag = f.Name, f.Tag
				}
				if i == 0 || option == "flat" {
					out = append(out, FlatField{k, f.Index, i})
				}
			}
		case f.IsExported() && name != "-":
			out = append(out, FlatField{f, f.Index, -1})
		}
	}
	return out, flat
}

// Flat writes a struct as JSON. A field of type Estimate with the tag estimate:"flat" becomes five keys: its own name,
// se, lo, hi and open; with estimate:"value" it becomes the first key only. An open end is null. The value is null if
// one side won every game.
func Flat(v any) ([]byte, error) {
	fields, _ := FlatFields(reflect.TypeOf(v))
	var types []reflect.StructField
	var values []reflect.Value
	for _, f := range fields {
		x, err := reflect.ValueOf(v).FieldByIndexErr(f.at)
		if err != nil {
			continue // of an embedded struct that is missing
		}
		if f.key >= 0 {
			e := x.Interface().(Estimate)
			x = reflect.ValueOf(flatKeys{
				rounded(e.Value, !e.Known() || e.Prior && math.Abs(e.Value) >= maxElo), *rounded(e.SE, false),
				rounded(e.Lo, !e.Known() || e.LoOpen), rounded(e.Hi, !e.Known() || e.HiOpen), e.Open(),
			}).Field(f.key)
		}
		f.Index, f.Offset = nil, 0
		types = append(types, f.StructField)
		values = append(values, x)
	}
	out := reflect.New(reflect.StructOf(types)).Elem()
	for i, x := range values {
		out.Field(i).Set(x)
	}
	return json.Marshal(out.Interface())
}

// rounded rounds a number to a millionth, because further digits are rounding errors, and removes the sign of a zero.
func rounded(x float64, unknown bool) *float64 {
	if unknown {
		return nil
	}
	x = math.Round(x*1e6)/1e6 + 0
	return &x
}
