package engines

// LargeKey is the exact code of a position that does not fit into the 128 bits of a Key. Different positions have
// different LargeKeys of a Codec.
type LargeKey struct {
	pieces [2]Bits // pieces of both sides, exchanged if Canonical exchanges the sides
	rest   Key
}

// NewLargeCodec is NewCodec for games whose positions may need more than 128 bits. If they do (Large), the codec
// makes LargeKeys and no Keys. It returns an error if such a game has pieces with ages.
func (g *Game) NewLargeCodec() (*Codec, error) {
	return g.newCodec(g.symmetries, g.exchanges(), 0, !g.fifo)
}

// Large reports whether the codec makes LargeKeys instead of Keys.
func (c *Codec) Large() bool { return c.bits > 128 }

// CanonicalLarge returns the least LargeKey among the symmetric images of a position. The second result is false
// in the same cases as for Canonical.
func (c *Codec) CanonicalLarge(s *State) (least LargeKey, ok bool) {
	traded := s.g.traded
	s = untraded(s)
	rest, ok := c.rest(s, traded)
	if !ok {
		return LargeKey{}, false
	}
	mover := 0
	if c.exchange {
		mover = int(s.side)
	}
	seen := c.seen[mover]
	for i, p := range c.symmetries {
		k := LargeKey{rest: rest}
		for role := range k.pieces {
			for b := s.pieces[role^mover]; !b.Empty(); b = b.Rest() {
				k.pieces[role] = k.pieces[role].With(p[seen[b.First()]])
			}
		}
		if s.chain != NoCell {
			k.rest = rest.plus(c.chain.weight.times(uint64(p[seen[s.chain]]) + 1))
		}
		if i == 0 || k.less(&least) {
			least = k
		}
	}
	return least, true
}

func (k *LargeKey) less(o *LargeKey) bool {
	for role := range k.pieces {
		if differ := k.pieces[role].Xor(o.pieces[role]); !differ.Empty() {
			return o.pieces[role].Has(differ.First())
		}
	}
	return k.rest.Less(o.rest)
}

// DecodeLarge is Decode for a key of CanonicalLarge.
func (c *Codec) DecodeLarge(key *LargeKey, s *State) { c.decode(key.rest, &key.pieces, s) }
