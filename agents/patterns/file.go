package patterns

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"spar/configs/plain"
	"spar/configs/strict"
	"spar/engines"
	"spar/ratings"
)

// A file consists of magic, the length of the header (4 bytes, little endian), the header as JSON, the weights (2 bytes
// each, in units of 1/1024; compressed from version 2 on, since most weights are 0), and the SHA-256 of all that.
const (
	magic   = "SPARNET\x00"
	version = 2
)

// FileLimit is the largest size of a file that is read, in bytes.
const FileLimit = maxBytes + 1<<20

// ErrFile is wrapped by errors about a file that has no net, or none that is usable here.
const ErrFile = strict.Mistake("no usable net")

// Provenance describes how a net was made.
type Provenance struct {
	Rules     string `json:"rules" help:"name of the rules"`
	RulesHash string `json:"rules_hash" help:"hash of the rules' canonical text"`
	RulesText string `json:"rules_text" help:"canonical text of the rules"` // for engines.Stored
	Seed      int64  `json:"seed" help:"seed of the training"`
	// number of training runs, on consecutive seeds, that were averaged into the net; 0 means 1
	Seeds int `json:"seeds,omitempty" help:"number of training runs, on consecutive seeds, that were averaged; omitted for one"`
	// total number of self-play games
	Games   int64   `json:"games" help:"games of self-play"`
	Version string  `json:"version" help:"version of the program"`
	From    string  `json:"from,omitempty" help:"rules of the net that it started from"`
	Course  []Stage `json:"course,omitempty"` // statistics of the training by stage
	Measured
}

// Measured holds measurements that depend on the clock and so differ between training runs. They are stored next to
// the net's file; net files of older versions contain them.
type Measured struct {
	CPUSecond float64 `json:"cpu_s" help:"CPU seconds of the training"`
	Gate      *Gate   `json:"gate,omitempty"`
}

// Stage has the statistics of the self-play games in one stage of a training run.
type Stage struct {
	// games that the net had learned from by the end of the stage
	Games int64 `json:"games" help:"games at the end of this stage of the training"`
	// mean cross-entropy in this stage, in nats; always guessing 1/2 gives 0.693
	Loss float64 `json:"loss" help:"mean cross-entropy in this stage, in nats"`
	// fraction of drawn games in this stage
	Draws float64 `json:"draws" help:"share of the games in this stage"`
	// mean length of the games in plies
	Plies float64 `json:"plies" help:"their mean length"`
}

// Gate is the match at equal CPU time that a net had to win: its score, with the 95 % interval, against the evaluation
// that is the default without the net.
type Gate struct {
	Against string           `json:"against" help:"the other evaluation"`
	Search  string           `json:"search" help:"the search and the budgets"`
	Score   ratings.Estimate `json:"score" estimate:"flat" help:"score of the net, 0 to 1"`
	Pairs   int64            `json:"pairs" help:"pairs"`
}

// MarshalJSON implements json.Marshaler.
func (g Gate) MarshalJSON() ([]byte, error) { return ratings.Flat(g) }

// UnmarshalJSON ignores its input, because no code uses the gate of a file.
func (*Gate) UnmarshalJSON([]byte) error { return nil }

// header is the JSON before the weights of a file.
type header struct {
	Version      int          `json:"version"`
	Architecture Architecture `json:"architecture"`
	Params       int          `json:"params"`
	Provenance
}

// About returns the provenance of the net.
func (n *Net) About() Provenance { return n.about }

// Know returns the net with measurements added. They are not part of its file.
func (n *Net) Know(m Measured) *Net {
	known := *n
	known.about.Measured = m
	return &known
}

// Hash returns the SHA-256 of the net's file in hexadecimal digits.
func (n *Net) Hash() string { return n.hash }

// With returns the net with a provenance, and the bytes of its file. It adds the rules to the provenance, and rounds the
// weights to multiples of 1/64: the file is about half as large, and games do not show the difference.
func (n *Net) With(about Provenance) (*Net, []byte, error) {
	const step = unit / 64
	w := slices.Clone(n.weights)
	for i := range w {
		w[i] = (min(w[i], math.MaxInt16-step) + step/2) &^ (step - 1)
	}
	return n.of(w).file(about, flate.BestCompression)
}

// Packed returns the net as a temporary file, for example to send it. It is larger than the file that With
// returns, and much faster to make.
func (n *Net) Packed(about Provenance) (*File, error) {
	net, data, err := n.file(about, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	return &File{data: data, rules: net.about.RulesHash, nets: map[string]*Net{net.about.RulesHash: net}}, nil
}

func (n *Net) file(about Provenance, level int) (*Net, []byte, error) {
	about.Rules, about.RulesHash, about.RulesText = n.game.Name(), n.game.RulesHash(), n.game.Rules().Canonical()
	text, err := json.Marshal(header{version, n.arch, n.params, about})
	if err != nil {
		return nil, nil, fmt.Errorf("patterns: header: %w", err)
	}
	data := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
	data = append(data, text...)
	numbers := make([]byte, 0, 2*len(n.weights))
	for _, w := range n.weights {
		numbers = binary.LittleEndian.AppendUint16(numbers, uint16(w))
	}
	if data, err = deflate(data, numbers, level); err != nil {
		return nil, nil, fmt.Errorf("patterns: numbers: %w", err)
	}
	sum := sha256.Sum256(data)
	data = append(data, sum[:]...)
	out := *n
	out.about, out.hash = about, plain.Hash(data)
	return &out, data, nil
}

// deflate compresses weights and appends them to data.
func deflate(data, numbers []byte, level int) ([]byte, error) {
	out := bytes.NewBuffer(data)
	w, err := flate.NewWriter(out, level)
	if err == nil {
		_, err = w.Write(numbers)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// inflate decompresses a given number of bytes of numbers.
func inflate(data []byte, size int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(data))
	out, err := io.ReadAll(io.LimitReader(r, int64(size)+1))
	if err == nil && len(out) != size {
		err = fmt.Errorf("expected exactly %d bytes of weights", size)
	}
	return out, err
}

// Header reads the provenance and the architecture of a file and checks that the file is complete. The error wraps
// ErrFile.
func Header(data []byte) (Provenance, Architecture, error) {
	h, _, err := parse(data)
	return h.Provenance, h.Architecture, err
}

// parse splits a file into its parts.
func parse(data []byte) (h header, numbers []byte, err error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return h, nil, badFile("not a file written by spar learn")
	}
	if len(data) < len(magic)+4+sha256.Size {
		return h, nil, badFile("cut off after %d bytes", len(data))
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	n := int64(binary.LittleEndian.Uint32(data[len(magic):]))
	rest := body[len(magic)+4:]
	if n > int64(len(rest)) {
		return h, nil, badFile("cut off after %d bytes", len(data))
	}
	whole := sha256.Sum256(body)
	headerErr := json.Unmarshal(rest[:n], &h)
	numbers = rest[n:]
	switch {
	case headerErr == nil && (h.Version < 1 || h.Version > version):
		return h, nil, badFile("version %d; this program reads versions 1 to %d", h.Version, version)
	case headerErr == nil && h.Version == 1 && len(numbers) < 2*h.Params:
		return h, nil, badFile("cut off after %d of %d weights", len(numbers)/2, h.Params)
	case !bytes.Equal(sum, whole[:]):
		return h, nil, badFile("wrong checksum; the file is damaged or cut off")
	case headerErr != nil:
		return h, nil, badFile("header: %w", headerErr)
	case h.Params < 0 || h.Params > maxBytes/2:
		return h, nil, badFile("it has %d weights, expected at most %d", h.Params, maxBytes/2)
	case h.Version > 1:
		if numbers, err = inflate(numbers, 2*h.Params); err != nil {
			return h, nil, badFile("numbers: %w", err)
		}
	case len(numbers) != 2*h.Params:
		return h, nil, badFile("%d numbers, %d expected", len(numbers)/2, h.Params)
	}
	return h, numbers, nil
}

// Read returns the net of a file for the rules that it was trained on. The error wraps ErrFile.
func Read(data []byte, g *engines.Game) (*Net, error) {
	h, numbers, err := parse(data)
	if err != nil {
		return nil, err
	}
	if h.RulesHash != g.RulesHash() {
		return nil, fmt.Errorf("%w: trained on other rules (%s, %.12s; these are %s, %.12s); "+
			"to train a net for a variant from it, use spar learn --from", ErrFile, h.Rules, h.RulesHash, g.Name(), g.RulesHash())
	}
	return read(h, numbers, data, g)
}

// SameBoard reports whether two games have the same cells. 3x4 and 4x3 have equally many cells but not the same ones.
// An empty list of missing cells means the same as no list.
func SameBoard(a, b *engines.Game) bool {
	one, err := json.Marshal(a.Rules().Board)
	other, err2 := json.Marshal(b.Rules().Board)
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// Kin returns the net of a file for rules other than those that it was trained on. The board and the tables must be
// the same under both, as they usually are in a variant; otherwise the error wraps ErrFile.
func Kin(data []byte, g *engines.Game) (*Net, error) {
	h, numbers, err := parse(data)
	if err != nil {
		return nil, err
	}
	trained, err := engines.Stored(h.RulesText)
	if err != nil {
		return nil, badFile("the rules that it was trained on: %w", err)
	}
	if !SameBoard(trained, g) {
		return nil, badFile("trained on another board (%s)", h.Rules)
	}
	n, err := read(h, numbers, data, g)
	if err != nil {
		return nil, fmt.Errorf("%w (trained on %s)", err, h.Rules)
	}
	return n, nil
}

// Start returns the weights of a net that was trained on other rules, as a starting point. The error wraps ErrFile if
// its tables do not fit the layout.
func (l *Layout) Start(data []byte) ([]float32, error) {
	h, numbers, err := parse(data)
	if err != nil {
		return nil, err
	}
	if (h.Architecture.Linear == nil) != (l.linear == nil) {
		return nil, fmt.Errorf("%w to start from: only one of the two nets corrects a linear evaluation (--base)", ErrFile)
	}
	if h.Params != l.params {
		return nil, fmt.Errorf("%w to start from: %d weights for %s, expected %d; leave out --from", ErrFile, h.Params, h.Rules,
			l.params)
	}
	n := l.of(stored(numbers))
	return n.Numbers(), nil
}

func read(h header, numbers, data []byte, g *engines.Game) (*Net, error) {
	l, err := NewLayout(g, h.Architecture)
	if err != nil {
		return nil, badFile("%w", err)
	}
	if l.params != h.Params {
		return nil, badFile("it has %d weights; these rules and its tables need %d", h.Params, l.params)
	}
	n := l.of(stored(numbers))
	n.about, n.hash = h.Provenance, plain.Hash(data)
	return n, nil
}

func stored(numbers []byte) []int16 {
	w := make([]int16, len(numbers)/2)
	for i := range w {
		w[i] = int16(binary.LittleEndian.Uint16(numbers[2*i:]))
	}
	return w
}

// File is the file of a net, with the nets made from it, one for each game. It is safe for concurrent use.
type File struct {
	data  []byte
	rules string // hash of the rules of the training
	mu    sync.Mutex
	nets  map[string]*Net
}

// NewFile returns a file after checking that it is complete.
func NewFile(data []byte) (*File, error) {
	h, _, err := parse(data)
	if err != nil {
		return nil, err
	}
	return &File{data: data, rules: h.RulesHash, nets: map[string]*Net{}}, nil
}

// Fits reports whether the net was trained on the rules of a game. It is cheaper than making the net.
func (f *File) Fits(g *engines.Game) bool { return f.rules == g.RulesHash() }

// Hash returns the SHA-256 of the file in hexadecimal digits.
func (f *File) Hash() string { return plain.Hash(f.data) }

// Bytes returns the content of the file, which the caller must not change.
func (f *File) Bytes() []byte { return f.data }

// For returns the net for a game. The error wraps ErrFile if the net was trained on other rules.
func (f *File) For(g *engines.Game) (*Net, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n, ok := f.nets[g.RulesHash()]; ok {
		return n, nil
	}
	n, err := Read(f.data, g)
	if err == nil {
		f.nets[g.RulesHash()] = n
	}
	return n, err
}

// ForKin returns the net for a game whose rules may differ from those that it was trained on: see Kin.
func (f *File) ForKin(g *engines.Game) (*Net, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n, ok := f.nets[g.RulesHash()]; ok {
		return n, nil
	}
	return Kin(f.data, g)
}

// badFile returns an error of a file of a net.
func badFile(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrFile, fmt.Errorf(format, args...))
}
