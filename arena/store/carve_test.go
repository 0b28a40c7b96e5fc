package store

import (
	"bytes"
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

// A cell that ends with its page is whole; one that goes on elsewhere has the number of the page there in four bytes.
// Pages have 512 bytes: of a row of 600 bytes in a table, 600 is above 477, the most that fits, 39 + (600-39) % 508 =
// 92 stay, and 508 go on.
func TestCellsAtTheEndOfAPage(t *testing.T) {
	t.Parallel()
	const size, whole, here = 512, 600, 92
	text := strings.Repeat("y", whole-3) // 3 bytes of head: 13 + 2*597 = 1207 = 0x89 0x37
	row := append([]byte{0x03, 0x89, 0x37}, text...)
	long := append([]byte{0x84, 0x58, 0x07}, row[:here]...) // 600 bytes, of key 7
	short := []byte{0x03, 0x09, 0x02, 0x0f, 'z'}            // 3 bytes, of key 9
	leads := func(to byte) []byte { return append(slices.Clone(long), 0, 0, 0, to) }
	for name, c := range map[string]struct {
		cell []byte // the last bytes of the page
		left int64  // pages that may still be read
		want string
		key  int64
	}{
		"whole":                     {short, 0, "z", 9},
		"a byte is missing":         {short[:4], 0, "", 0},
		"goes on":                   {leads(2), 1, text, 7},
		"too many pages":            {leads(2), 0, "", 0},
		"to no page":                {leads(0), 9, "", 0},
		"behind the file":           {leads(3), 9, "", 0},
		"half of the number":        {long[:len(long):len(long)], 9, "", 0},
		"three bytes of the number": {leads(2)[:len(long)+3], 9, "", 0},
		"nothing":                   {[]byte{0x00, 0x09}, 9, "", 0},
		"longer than the file":      {[]byte{0x88, 0x01, 0x09}, 9, "", 0},
	} {
		data := make([]byte, 2*size)
		copy(data, "SQLite format 3\x00")
		binary.BigEndian.PutUint16(data[16:], size)
		at := size - len(c.cell)
		copy(data[at:], c.cell)
		copy(data[size+4:], row[here:])
		from := newCarver(bytes.NewReader(data), int64(len(data)))
		from.left = c.left
		r, ok := from.cell(from.page(1), at, tableLeaf)
		if ok != (c.want != "") || ok && (r.key != c.key || len(r.fields) != 1 || r.fields[0] != c.want) {
			t.Errorf("%s: %t, %+v", name, ok, r)
		}
	}
}
