package rules

import (
	"iter"
	"math/bits"
	"strings"

	"spar/engines/grid"
)

// Mechanics is a set of mechanics. A compiled game has the set of mechanics that it uses. A fast path, like all code
// that is correct only for some rules, lists the mechanics that it handles. Only games without other mechanics use it.
// A new mechanic therefore uses the general path, which is slow and correct.
type Mechanics [2]uint64

// Part is a mechanic or a set of mechanics.
type Part interface{ set() Mechanics }

func (m Mechanic) set() Mechanics {
	var out Mechanics
	out[m>>6] = 1 << (m & 63)
	return out
}

func (m Mechanics) set() Mechanics { return m }

// MechanicsOf returns the union of mechanics and sets of mechanics.
func MechanicsOf(parts ...Part) (out Mechanics) {
	for _, p := range parts {
		for i, word := range p.set() {
			out[i] |= word
		}
	}
	return out
}

// Has reports whether a mechanic is in the set.
func (m Mechanics) Has(one Mechanic) bool { return m[one>>6&1]>>(one&63)&1 != 0 }

// Any reports whether the set contains any of the given mechanics.
func (m Mechanics) Any(of ...Part) bool { return m != m.Without(of...) }

// Only reports whether all mechanics of the set are among the handled ones.
func (m Mechanics) Only(handled ...Part) bool { return m.Without(handled...) == Mechanics{} }

// Without returns the set without the given mechanics.
func (m Mechanics) Without(parts ...Part) Mechanics {
	for i, word := range MechanicsOf(parts...) {
		m[i] &^= word
	}
	return m
}

// MinusAllBut returns the mechanics that are in both sets.
func (m Mechanics) MinusAllBut(o Mechanics) Mechanics { return m.Without(m.Without(o)) }

// Each iterates over the mechanics of the set.
func (m Mechanics) Each() iter.Seq[Mechanic] {
	return func(yield func(Mechanic) bool) {
		for i, word := range m {
			for ; word != 0; word &= word - 1 {
				if !yield(Mechanic(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// String lists the knobs that switch the mechanics on.
func (m Mechanics) String() string {
	var paths []string
	for _, k := range knobs() {
		switch all := KnobMechanics(k.path); {
		case !m.Any(all):
		case all.Only(m):
			paths = append(paths, k.path)
		default:
			paths = append(paths, k.path+" (in part)")
		}
	}
	return strings.Join(paths, ", ")
}

// Mechanics returns the set of mechanics that the rules use.
func (r *Rules) Mechanics() (out Mechanics) {
	known := map[string]bool{}
	for _, k := range knobs() {
		known[k.path] = true
		for _, u := range k.uses {
			if (k.under == "" || r.set(k.under)) && (u.on == nil && r.set(k.path) || u.on != nil && u.on(r)) {
				out = MechanicsOf(out, u.of)
			}
		}
	}
	eachKnob(*r, func(path string, _ any) {
		if !known[path] && !r.AtDefault(path) {
			out = MechanicsOf(out, Undeclared)
		}
	})
	for i := range r.Kinds {
		if own := *r; own.Kinds[i].Movement != nil {
			own.Movement = r.MovementOf(i)
			own.Kinds = nil
			own.Second = nil
			out = MechanicsOf(out, own.Mechanics())
		}
	}
	if r.Second != nil {
		own := r.Of(grid.Second)
		own.Second = nil
		out = MechanicsOf(out, own.Mechanics())
	}
	return out
}
