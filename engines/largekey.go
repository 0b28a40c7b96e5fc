package engines

import (
	"cmp"
	"slices"
)

// LargeKey is the exact code of a position that does not fit into the 128 bits of a Key. Under one Codec, different
// positions have different LargeKeys.
type LargeKey struct {
	pieces [2]Bits // pieces of both sides, exchanged if Canonical exchanges the sides; both have what is about to leave
	rest   Key
}

// Kinds holds the kinds of the pieces in a position: set i contains the cells of the pieces whose kind has bit i.
type Kinds = [3]Bits

// NewLargeCodec returns a codec even for games whose positions need more than 128 bits. For these games (see Large),
// the codec makes LargeKeys and no Keys. It returns an error if such a game has pieces with ages.
func (g *Game) NewLargeCodec() (*Codec, error) {
	return g.newCodec(g.symmetries, g.exchanges(), 0, !g.fifo)
}

// Large reports whether the codec makes LargeKeys instead of Keys.
func (c *Codec) Large() bool { return c.bits > 128 }

// CanonicalLarge returns the least LargeKey among the symmetric images of a position, and the kinds of its pieces. The
// last result is false in the same cases as for Canonical.
func (c *Codec) CanonicalLarge(s *State) (least LargeKey, kinds Kinds, ok bool) {
	traded := s.g.traded
	s = untraded(s)
	rest, ok := c.rest(s, traded)
	if !ok {
		return LargeKey{}, kinds, false
	}
	mover := 0
	if c.exchange {
		mover = int(s.side)
	}
	seen := c.seen[mover]
	for i, p := range c.symmetries {
		k := LargeKey{rest: rest}
		var planes Kinds
		for role := range k.pieces {
			b := s.pieces[role^mover]
			if c.g.kinds != nil {
				b = b.Or(s.dead)
				for j, plane := range s.plane {
					for b := plane; role == 0 && !b.Empty(); b = b.Rest() {
						planes[j] = planes[j].With(p[seen[b.First()]])
					}
				}
			}
			for ; !b.Empty(); b = b.Rest() {
				k.pieces[role] = k.pieces[role].With(p[seen[b.First()]])
			}
		}
		if s.chain != NoCell {
			k.rest = rest.plus(c.chain.weight.times(uint64(p[seen[s.chain]]) + 1))
		}
		if i == 0 || k.less(&least) || c.g.kinds != nil && k == least &&
			slices.CompareFunc(planes[:], kinds[:], compareBits) < 0 {
			least, kinds = k, planes
		}
	}
	return least, kinds, true
}

func compareBits(a, b Bits) int { return cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.Hi, b.Hi)) }

func (k *LargeKey) less(o *LargeKey) bool {
	for role := range k.pieces {
		if differ := k.pieces[role].Xor(o.pieces[role]); !differ.Empty() {
			return o.pieces[role].Has(differ.First())
		}
	}
	return k.rest.Less(o.rest)
}

// DecodeLarge is like Decode, for the results of CanonicalLarge.
func (c *Codec) DecodeLarge(key *LargeKey, kinds Kinds, s *State) {
	s.plane, s.dead = kinds, key.pieces[0].And(key.pieces[1])
	c.decode(key.rest, &key.pieces, s)
}

// WithKinds returns the key with a number for the kinds of its pieces. Equal keys then mean equal kinds.
func (k LargeKey) WithKinds(number uint64) LargeKey { k.rest.Hi = number; return k }

// Kinds returns the number for the kinds of pieces that WithKinds added.
func (k *LargeKey) Kinds() uint64 { return k.rest.Hi }
