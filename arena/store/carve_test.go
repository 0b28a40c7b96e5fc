package store

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// A row is the size of its head, a number for the kind of each field, and the fields, as SQLite's description of its
// files has it ("Record Format"): 1 to 6 integers of 1, 2, 3, 4, 6 and 8 bytes, 7 a float, 8 and 9 the numbers 0 and 1,
// odd ones from 13 on text.
func TestRecord(t *testing.T) {
	t.Parallel()
	const zeros = "\x00\x00\x00\x00\x00"
	half := binary.BigEndian.AppendUint64(nil, math.Float64bits(-0.5))
	for text, want := range map[string][]any{
		"\x01":                         {},
		"\x02\x00":                     {nil},
		"\x03\x08\x09":                 {int64(0), int64(1)},
		"\x02\x01\x05":                 {int64(5)},
		"\x02\x01\xff":                 {int64(-1)},
		"\x02\x02\x01\x02":             {int64(258)},
		"\x02\x02\xff\x00":             {int64(-256)},
		"\x02\x03\x01\x00\x01":         {int64(65537)},
		"\x02\x04\x01\x00\x00\x00":     {int64(1 << 24)},
		"\x02\x05\x01" + zeros:         {int64(1 << 40)},
		"\x02\x06\x01\x00\x00" + zeros: {int64(1 << 56)},
		"\x02\x06\xff\xff\xff\xff\xff\xff\xff\xfe": {int64(-2)},
		"\x02\x07" + string(half):                  {-0.5},
		"\x02\x0d":                                 {""},
		"\x02\x0fa":                                {"a"},
		"\x02\x11\u00e9":                           {"\u00e9"},
		"\x04\x0f\x01\x11a\x03bc":                  {"a", int64(3), "bc"},
		"\x03\x81\x01" + strings.Repeat("x", 58):   {strings.Repeat("x", 58)},
		"":                                         {},
		"\x00":                                     nil, // a head is not shorter than its size
		"\x03\x08":                                 nil, // nor longer than the row
		"\x02\x81":                                 nil, // a kind that does not end
		"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff": nil, // a negative one
		"\x02\x0a":         nil, // kinds of nothing
		"\x02\x0b":         nil,
		"\x02\x0c":         nil, // bytes
		"\x02\x0ea":        nil,
		"\x02\x0f\xe9":     nil, // no UTF-8
		"\x02\x0f\x00":     nil, // the end of a text in C
		"\x02\x02\x01":     nil, // too short
		"\x02\x01\x05\x05": nil, // too long
	} {
		got, ok := record([]byte(text))
		if ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%q: %v, %t, want %v", text, got, ok, want)
		}
	}
}
