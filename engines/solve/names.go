package solve

import "spar/engines"

// names gives each position a name, the same for all symmetric images: its Key in the codec, or a number if
// positions are too large for a Key.
type names struct {
	codec   *engines.Codec
	numbers map[engines.LargeKey]uint64
	keys    []engines.LargeKey // for each number, from 1, the key of its position
	kinds   map[engines.Kinds]uint64
	planes  []engines.Kinds // for each number of keys, from 0, the kinds of its pieces
	most    int             // maximum number of keys that fit into the memory
}

// numberBytes is the approximate memory for a number: its key twice, and the entry in the map.
const numberBytes = 240

func newNames(codec *engines.Codec, bytes int64) *names {
	return &names{
		codec:   codec,
		numbers: map[engines.LargeKey]uint64{},
		keys:    make([]engines.LargeKey, 1),
		kinds:   map[engines.Kinds]uint64{},
		most:    int(bytes / numberBytes),
	}
}

// of returns the name of a position. The second result is false for a position that play cannot reach, and if all
// numbers are used (see full).
func (n *names) of(s *engines.State) (name engines.Key, ok bool) {
	if !n.codec.Large() {
		name, _, ok = n.codec.Canonical(s)
		return name, ok
	}
	key, kinds, ok := n.codec.CanonicalLarge(s)
	if !ok {
		return engines.Key{}, false
	}
	if kinds != (engines.Kinds{}) {
		number, known := n.kinds[kinds]
		if !known {
			number = uint64(len(n.kinds)) + 1
			n.kinds[kinds], n.planes = number, append(n.planes, kinds)
		}
		key = key.WithKinds(number)
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

// full reports whether all numbers are used.
func (n *names) full() bool { return n.codec.Large() && len(n.keys)+len(n.planes) > n.most }

// position sets s to the position with a name.
func (n *names) position(name engines.Key, s *engines.State) {
	if n.codec.Large() {
		var kinds engines.Kinds
		if number := n.keys[name.Lo].Kinds(); len(n.planes) > 0 && number > 0 {
			kinds = n.planes[number-1]
		}
		n.codec.DecodeLarge(&n.keys[name.Lo], kinds, s)
		return
	}
	n.codec.Decode(name, s)
}
