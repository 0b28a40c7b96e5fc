package engines

import (
	"math/big"
	"math/bits"
)

// Key is the exact code of a position, a number of up to 128 bits. Under one Codec, different positions have
// different keys.
type Key struct{ Hi, Lo uint64 }

// Less reports whether k is the smaller number.
func (k Key) Less(o Key) bool { return k.Hi < o.Hi || k.Hi == o.Hi && k.Lo < o.Lo }

func keyOf(n *big.Int) Key {
	low := new(big.Int).SetUint64(^uint64(0))
	return Key{Hi: new(big.Int).Rsh(n, 64).Uint64(), Lo: low.And(low, n).Uint64()}
}

func (k Key) times(n uint64) Key {
	hi, lo := bits.Mul64(k.Lo, n)
	return Key{Hi: hi + k.Hi*n, Lo: lo}
}

func (k Key) plus(o Key) Key {
	lo, carry := bits.Add64(k.Lo, o.Lo, 0)
	return Key{Hi: k.Hi + o.Hi + carry, Lo: lo}
}

// over divides the key by a number below 2^32.
func (k Key) over(n uint64) (Key, int) {
	if k.Hi == 0 {
		return Key{Lo: k.Lo / n}, int(k.Lo % n)
	}
	lo, rest := bits.Div64(k.Hi%n, k.Lo, n)
	return Key{Hi: k.Hi / n, Lo: lo}, int(rest)
}
