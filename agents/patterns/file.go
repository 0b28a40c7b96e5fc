package patterns

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"spar/engines"
)

// A file is: magic, the length of the header (4 bytes, little endian), the header as JSON, the numbers (2 bytes each,
// in units of 1/1024; deflated from version 2 on, since most patterns are never seen), and the SHA-256 of all that.
const (
	magic   = "SPARNET\x00"
	version = 2
)

// FileLimit is the size in bytes up to which a file is read.
const FileLimit = maxBytes + 1<<20

// ErrFile says that a file holds no net that can be used here.
var ErrFile = errors.New("no usable net")

// Provenance is how a net came to be.
type Provenance struct {
	Rules     string  `json:"rules" help:"name of the rules"` // name
	RulesHash string  `json:"rules_hash" help:"hash of the rules' canonical text"`
	RulesText string  `json:"rules_text" help:"the canonical text"` // canonical: what engines.Stored reads
	Seed      int64   `json:"seed" help:"seed of the training"`
	Seeds     int     `json:"seeds,omitempty" help:"number of trainings that were averaged, on consecutive seeds; left out for one"` // trainings on seeds from that one on, whose mean it is; 0 = one
	Games     int64   `json:"games" help:"games of self-play"`                                                                       // of self-play, in all
	Version   string  `json:"version" help:"version of the program"`                                                                 // of the program
	From      string  `json:"from,omitempty" help:"rules of the net that it started from"`
	Course    []Stage `json:"course,omitempty"` // of the training, stage by stage
	Measured
}

// Measured is what clocks had a part in, so that no second training has the same. It is kept beside the net's file;
// files of older versions hold it themselves.
type Measured struct {
	CPUSecond float64 `json:"cpu_s" help:"CPU seconds of the training"`
	Curve     []Rung  `json:"curve,omitempty"` // of strength against training
	Gate      *Gate   `json:"gate,omitempty"`
}

// Stage is what the games of self-play of one stage of a training were like.
type Stage struct {
	Games int64   `json:"games" help:"games at the end of this stage of the training"` // learned from by its end
	Loss  float64 `json:"loss" help:"mean cross entropy in this stage, in nats"`       // mean cross entropy in this stage, in nats; 0.693 knows nothing
	Draws float64 `json:"draws" help:"share of the games in this stage"`               // share of the games in this stage
	Plies float64 `json:"plies" help:"their mean length"`                              // their mean length
}

// Rung is the score of a net against what it was earlier in its training, in the same search at the same budget, with
// the 95 % interval.
type Rung struct {
	Games int64   `json:"games" help:"games that an earlier state of the training had learned from"`
	Score float64 `json:"score" help:"score of the net against that state, 0 to 1"` // 0 to 1
	Lo    float64 `json:"lo" help:"lower end of its interval, 95 %, over pairs"`
	Hi    float64 `json:"hi" help:"upper end"`
	Pairs int64   `json:"pairs" help:"pairs"`
}

// Gate is the paired match at equal time that a net was let through by: its score against the evaluation that is the
// default without it, with the 95 % interval.
type Gate struct {
	Against string  `json:"against" help:"the other evaluation"`
	Search  string  `json:"search" help:"the search and the budgets"`
	Score   float64 `json:"score" help:"score of the net, 0 to 1"`
	Lo      float64 `json:"lo" help:"lower end of its interval, 95 %, over pairs"`
	Hi      float64 `json:"hi" help:"upper end"`
	Pairs   int64   `json:"pairs" help:"pairs"`
}

// UnmarshalJSON reads gates of older files, too, in which the ends of the interval were score_lo and score_hi.
func (g *Gate) UnmarshalJSON(text []byte) error {
	type plain Gate
	old := struct {
		*plain
		Lo *float64 `json:"score_lo"`
		Hi *float64 `json:"score_hi"`
	}{plain: (*plain)(g)}
	if err := json.Unmarshal(text, &old); err != nil {
		return err
	}
	if old.Lo != nil && old.Hi != nil {
		g.Lo, g.Hi = *old.Lo, *old.Hi
	}
	return nil
}

// header is what a file says before its numbers.
type header struct {
	Version      int          `json:"version"`
	Architecture Architecture `json:"architecture"`
	Params       int          `json:"params"`
	Provenance
}

// About is how the net came to be.
func (n *Net) About() Provenance { return n.about }

// Know returns the net with what was measured, which is no part of its file.
func (n *Net) Know(m Measured) *Net {
	known := *n
	known.about.Measured = m
	return &known
}

// Hash is the SHA-256 of the net's file in hexadecimal digits.
func (n *Net) Hash() string { return n.hash }

// With returns the net with a provenance, and its file. The rules are filled in.
func (n *Net) With(about Provenance) (*Net, []byte, error) {
	return n.file(about, flate.BestCompression)
}

// Packed is the net as a file that is sent and forgotten: it is larger than With's, and made in a fraction of the time.
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
	out.about, out.hash = about, hashOf(data)
	return &out, data, nil
}

// deflate appends numbers to data, made smaller.
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

// inflate reads so many bytes of numbers that deflate made smaller.
func inflate(data []byte, size int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(data))
	out, err := io.ReadAll(io.LimitReader(r, int64(size)+1))
	if err == nil && len(out) != size {
		err = fmt.Errorf("%d or more bytes, %d expected", len(out), size)
	}
	return out, err
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Header reads what a file says about itself and checks that it is whole. The error wraps ErrFile.
func Header(data []byte) (Provenance, Architecture, error) {
	h, _, err := parse(data)
	return h.Provenance, h.Architecture, err
}

// parse takes a file apart.
func parse(data []byte) (h header, numbers []byte, err error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return h, nil, fmt.Errorf("%w: not a file of spar learn", ErrFile)
	}
	if len(data) < len(magic)+4+sha256.Size {
		return h, nil, fmt.Errorf("%w: cut off after %d bytes", ErrFile, len(data))
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	n := int64(binary.LittleEndian.Uint32(data[len(magic):]))
	rest := body[len(magic)+4:]
	if n > int64(len(rest)) {
		return h, nil, fmt.Errorf("%w: cut off after %d bytes", ErrFile, len(data))
	}
	whole := sha256.Sum256(body)
	headerErr := json.Unmarshal(rest[:n], &h)
	numbers = rest[n:]
	switch {
	case headerErr == nil && (h.Version < 1 || h.Version > version):
		return h, nil, fmt.Errorf("%w: version %d, this program reads versions 1 to %d", ErrFile, h.Version, version)
	case headerErr == nil && h.Version == 1 && len(numbers) < 2*h.Params:
		return h, nil, fmt.Errorf("%w: cut off after %d of %d numbers", ErrFile, len(numbers)/2, h.Params)
	case !bytes.Equal(sum, whole[:]):
		return h, nil, fmt.Errorf("%w: wrong checksum, the file is damaged or cut off", ErrFile)
	case headerErr != nil:
		return h, nil, fmt.Errorf("%w: header: %w", ErrFile, headerErr)
	case h.Params < 0 || h.Params > maxBytes/2:
		return h, nil, fmt.Errorf("%w: %d numbers, at most %d expected", ErrFile, h.Params, maxBytes/2)
	case h.Version > 1:
		if numbers, err = inflate(numbers, 2*h.Params); err != nil {
			return h, nil, fmt.Errorf("%w: numbers: %w", ErrFile, err)
		}
	case len(numbers) != 2*h.Params:
		return h, nil, fmt.Errorf("%w: %d numbers, %d expected", ErrFile, len(numbers)/2, h.Params)
	}
	return h, numbers, nil
}

// Read makes a net of a file, for the rules that it was trained on. The error wraps ErrFile.
func Read(data []byte, g *engines.Game) (*Net, error) {
	h, numbers, err := parse(data)
	if err != nil {
		return nil, err
	}
	if h.RulesHash != g.RulesHash() {
		return nil, fmt.Errorf(
			"%w: trained on other rules (%s, %.12s; these are %s, %.12s); a variant may start from it: spar learn --from",
			ErrFile,
			h.Rules,
			h.RulesHash,
			g.Name(),
			g.RulesHash(),
		)
	}
	return read(h, numbers, data, g)
}

// SameBoard tells whether two games have the same cells: 3x4 and 4x3 have as many, and the same number of a net means
// others. An empty list is the same as none.
func SameBoard(a, b *engines.Game) bool {
	one, err := json.Marshal(a.Rules().Board)
	other, err2 := json.Marshal(b.Rules().Board)
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// Kin makes a net of a file for rules that need not be those that it was trained on, as long as the board and its
// tables are the same under them: as a variant's mostly are. The error wraps ErrFile where they are not.
func Kin(data []byte, g *engines.Game) (*Net, error) {
	h, numbers, err := parse(data)
	if err != nil {
		return nil, err
	}
	trained, err := engines.Stored(h.RulesText)
	if err != nil {
		return nil, fmt.Errorf("%w: the rules that it was trained on: %w", ErrFile, err)
	}
	if !SameBoard(trained, g) {
		return nil, fmt.Errorf("%w: trained on %s, on another board", ErrFile, h.Rules)
	}
	n, err := read(h, numbers, data, g)
	if err != nil {
		return nil, fmt.Errorf("%w (trained on %s)", err, h.Rules)
	}
	return n, nil
}

// Start returns the numbers of a net trained on other rules as a place to start from. The error wraps ErrFile where
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
		return nil, fmt.Errorf(
			"%w to start from: %d numbers of %s, expected %d; leave out --from",
			ErrFile,
			h.Params,
			h.Rules,
			l.params,
		)
	}
	n := l.of(stored(numbers))
	return n.Numbers(), nil
}

func read(h header, numbers, data []byte, g *engines.Game) (*Net, error) {
	l, err := NewLayout(g, h.Architecture)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if l.params != h.Params {
		return nil, fmt.Errorf("%w: %d numbers, the rules and its tables have %d", ErrFile, h.Params, l.params)
	}
	n := l.of(stored(numbers))
	n.about, n.hash = h.Provenance, hashOf(data)
	return n, nil
}

func stored(numbers []byte) []int16 {
	w := make([]int16, len(numbers)/2)
	for i := range w {
		w[i] = int16(binary.LittleEndian.Uint16(numbers[2*i:]))
	}
	return w
}

// File is a net's file, and the nets made of it, one for each game that asks. It is safe for any number of goroutines.
type File struct {
	data  []byte
	rules string // hash of those that it was trained on
	mu    sync.Mutex
	nets  map[string]*Net
}

// NewFile keeps a file after a look at whether it is whole.
func NewFile(data []byte) (*File, error) {
	h, _, err := parse(data)
	if err != nil {
		return nil, err
	}
	return &File{data: data, rules: h.RulesHash, nets: map[string]*Net{}}, nil
}

// Fits tells whether it was trained on the rules of a game, which costs less than to make a net of it.
func (f *File) Fits(g *engines.Game) bool { return f.rules == g.RulesHash() }

// Hash is the SHA-256 of the file in hexadecimal digits.
func (f *File) Hash() string { return hashOf(f.data) }

// Bytes is the file. It must not be changed.
func (f *File) Bytes() []byte { return f.data }

// For is the net for a game. The error wraps ErrFile where it was trained on other rules.
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

// ForKin is the net for a game whose rules need not be those that it was trained on: see Kin.
func (f *File) ForKin(g *engines.Game) (*Net, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n, ok := f.nets[g.RulesHash()]; ok {
		return n, nil
	}
	return Kin(f.data, g)
}
