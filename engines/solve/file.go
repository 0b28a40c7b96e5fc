package solve

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines"
)

// A table file is, all numbers little-endian:
//
//	8 bytes   magic
//	4 bytes   format version, which includes the encoding of positions as keys
//	4 bytes   length of the header
//	4 bytes   CRC-32C of the header
//	4 bytes   0
//	header    JSON, see header
//	0 to 63   zero bytes, up to a multiple of 64
//	sections  starts, rests and vals of the Table, one after the other, each padded with zeros to a multiple of 64
const (
	magic         = "spartabl"
	formatVersion = 1
	prefixBytes   = 24
	align         = 64
	mostHeader    = 1 << 24
)

// header describes a file.
type header struct {
	Rules      json.RawMessage `json:"rules"` // full rules of the solved game
	Hash       string          `json:"rules_hash"`
	KeyBits    int             `json:"key_bits"`
	Symmetries int             `json:"symmetries"`
	Exchange   bool            `json:"exchange"`
	Classes    uint32          `json:"classes"`
	BucketBits int             `json:"bucket_bits"`
	Palette    []uint16        `json:"palette"`
	Stats      Stats           `json:"stats"`
	Sections   [3]section      `json:"sections"`
}

type section struct {
	Bytes int64  `json:"bytes"`
	CRC   uint32 `json:"crc32c"`
}

// padded returns the number of bytes with the zeros behind them.
func padded(bytes int64) int64 { return (bytes + align - 1) / align * align }

// FileError is returned for a file that cannot be used, with the reason.
type FileError struct {
	Path   string
	Reason string
}

// BadInput always returns true: see strict.IsBadInput.
func (*FileError) BadInput() bool { return true }

// Error returns the name of the file and the reason.
func (e *FileError) Error() string {
	return fmt.Sprintf("solved table %s: %s", e.Path, e.Reason)
}

// Save writes the table to a file. The file gets its name only when it is complete. The same game gives the same
// bytes, regardless of the number of workers.
func (t *Table) Save(path string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("saving the solved table: %w", err)
		}
	}()
	if t.starts == nil {
		return errors.New("the table is closed")
	}
	h := header{
		Rules:      json.RawMessage(t.g.Rules().Canonical()),
		Hash:       t.hash,
		KeyBits:    t.mix.bits,
		Symmetries: t.codec.Symmetries(),
		Exchange:   t.codec.Exchanges(),
		Classes:    t.n,
		BucketBits: t.bucketBits,
		Palette:    t.palette,
		Stats:      t.stats,
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	parts := [][]byte{nil, t.starts, t.rests, t.vals}
	for i, data := range parts[1:] {
		h.Sections[i] = section{Bytes: int64(len(data)), CRC: crc32.Checksum(data, table)}
	}
	text, err := json.Marshal(&h)
	if err != nil {
		return err
	}
	prefix := []byte(magic)
	for _, n := range [...]uint32{formatVersion, uint32(len(text)), crc32.Checksum(text, table), 0} {
		prefix = binary.LittleEndian.AppendUint32(prefix, n)
	}
	parts[0] = append(prefix, text...)
	return files.Write(path, func(w io.Writer) error {
		var zeros [align]byte
		for _, p := range parts {
			if _, err := w.Write(p); err != nil {
				return err
			}
			if _, err := w.Write(zeros[:padded(int64(len(p)))-int64(len(p))]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Load opens the table of a game. It returns a FileError for a file that is damaged, belongs to another game, or was
// written by another version of the program. If g is nil, the file says which game it is.
func Load(path string, g *engines.Game) (t *Table, err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &FileError{path, "it is not a regular file"}
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, strict.Badf("solved table: %w", err)
	}
	t, reason := parse(data, g)
	if reason != nil {
		return nil, &FileError{path, reason.Error()}
	}
	return t, nil
}

var errDamaged = errors.New("damaged: its checksum does not match its contents")

func parse(data []byte, g *engines.Game) (*Table, error) {
	h, rest, err := parseHeader(data)
	if err != nil {
		return nil, err
	}
	if g == nil {
		var r engines.Rules
		if err := json.Unmarshal(h.Rules, &r); err != nil {
			return nil, fmt.Errorf("damaged: its rules cannot be read: %w", err)
		}
		if g, err = engines.Compile(r); err != nil {
			return nil, fmt.Errorf("its rules are not valid in this version: %w", err)
		}
	}
	e, err := Endless(g)
	if err != nil {
		return nil, err
	}
	if hash := e.RulesHash(); hash != h.Hash {
		return nil, fmt.Errorf("it is for other rules (%s, hash %s), not for %s (hash %s)", ruleName(h.Rules), h.Hash,
			g.Name(), hash)
	}
	codec, err := e.NewCodec()
	if err != nil {
		return nil, err
	}
	t := &Table{
		g: e, forever: e.Rules().Draw.RepeatWinner(), hash: h.Hash,
		codec: codec, mix: newMixer(codec.Bits()), stats: h.Stats, palette: h.Palette,
	}
	t.layout = chooseLayout(h.Classes, t.mix.bits)
	if t.mix.bits != h.KeyBits || codec.Symmetries() != h.Symmetries || codec.Exchanges() != h.Exchange ||
		t.bucketBits != h.BucketBits {
		return nil,
			errors.New("stale: another version of the program, which numbers positions differently, wrote it; solve the " +
				"game again")
	}
	return t, t.attach(h, rest)
}

func parseHeader(data []byte) (*header, []byte, error) {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	switch {
	case len(data) < prefixBytes || string(data[:8]) != magic:
		return nil, nil, errors.New("it is not a solved table")
	case word(8) != formatVersion:
		return nil, nil, fmt.Errorf("stale: it has format version %d, but this program reads version %d; solve the game again",
			word(8), formatVersion)
	}
	n := int(word(12))
	if n > mostHeader || prefixBytes+n > len(data) {
		return nil, nil, errors.New("damaged: it ends within its header")
	}
	text := data[prefixBytes : prefixBytes+n]
	if crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)) != word(16) || word(20) != 0 {
		return nil, nil, errDamaged
	}
	h := &header{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return nil, nil, fmt.Errorf("damaged: its header cannot be read: %w", err)
	}
	sections := padded(int64(prefixBytes + n))
	want := sections
	for _, s := range h.Sections {
		if s.Bytes < 0 || s.Bytes > int64(len(data)) {
			return nil, nil, fmt.Errorf("damaged: the file has %d bytes, fewer than one of its sections should have", len(data))
		}
		want += padded(s.Bytes)
	}
	if want != int64(len(data)) {
		return nil, nil, fmt.Errorf("damaged: it has %d bytes and should have %d", len(data), want)
	}
	if slices.ContainsFunc(data[prefixBytes+n:sections], notZero) {
		return nil, nil, errDamaged
	}
	return h, data[sections:], nil
}

// attach makes the sections those of the table. They must have been checked.
func (t *Table) attach(h *header, data []byte) error {
	width := int64(1)
	if len(h.Palette) == 0 {
		width = 2
	}
	want := [3]int64{4*(1<<t.bucketBits) + 4, int64(t.n)*int64(t.restBytes) + padding, int64(t.n) * width}
	into := [3]*[]byte{&t.starts, &t.rests, &t.vals}
	table := crc32.MakeTable(crc32.Castagnoli)
	for i, s := range h.Sections {
		if s.Bytes != want[i] {
			return fmt.Errorf("damaged: section %d has %d bytes and should have %d", i+1, s.Bytes, want[i])
		}
		*into[i] = data[:s.Bytes:s.Bytes]
		end := padded(s.Bytes)
		if crc32.Checksum(*into[i], table) != s.CRC || slices.ContainsFunc(data[s.Bytes:end], notZero) {
			return errDamaged
		}
		data = data[padded(s.Bytes):]
	}
	last := uint32(0)
	for b := range uint32(1)<<t.bucketBits + 1 {
		if s := t.start(b); s < last || s > t.n {
			return errors.New("damaged: its buckets are not in order")
		}
		last = t.start(b)
	}
	if last != t.n || len(h.Palette) > 256 ||
		slices.ContainsFunc(h.Palette, func(v uint16) bool { return v >= undecided }) {
		return errors.New("damaged: its buckets or values are not consistent")
	}
	return nil
}

func notZero(b byte) bool { return b != 0 }

func ruleName(text json.RawMessage) string {
	var r struct{ Name string }
	_ = json.Unmarshal(text, &r) // then it has none
	return cmp.Or(r.Name, "without a name")
}
