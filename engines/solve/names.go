package solve

import "spar/engines"

// names gives each position a name that stands for all its images: the Key of the codec, or a number where positions
// are too large for one.
type names struct {
	codec   *engines.Codec
	numbers map[engines.LargeKey]uint64
	keys    []engines.LargeKey // by number, from 1
	most    int                // numbers that fit the memory
}

// numberBytes is about what a number takes: its key twice, and the map around it.
const numberBytes = 240

func newNames(codec *engines.Codec, bytes int64) *names {
	return &names{
		codec:   codec,
		numbers: map[engines.LargeKey]uint64{},
		keys:    make([]engines.LargeKey, 1),
		most:    int(bytes / numberBytes),
	}
}

// of returns the name of a position. It reports false for one that play cannot lead to, and where the numbers are used
// up (full).
func (n *names) of(s *engines.State) (name engines.Key, ok bool) {
	if !n.codec.Large() {
		name, _, ok = n.codec.Canonical(s)
		return name, ok
	}
	key, ok := n.codec.CanonicalLarge(s)
	if !ok {
		return engines.Key{}, false
	}
	number, known := n.numbers[key]
	switch {
	case known:
	case n.full():
		return engines.Key{}, false
	default:
		number = uint64(len(n.keys))
		n.numbers[key], n.keys = number, append(n.keys, key)
	}
	return engines.Key{Lo: number}, true
}

// full reports whether no position can get a new number.
func (n *names) full() bool { return n.codec.Large() && len(n.keys) > n.most }

// position sets s to the position of a name.
func (n *names) position(name engines.Key, s *engines.State) {
	if n.codec.Large() {
		n.codec.DecodeLarge(&n.keys[name.Lo], s)
		return
	}
	n.codec.Decode(name, s)
}
