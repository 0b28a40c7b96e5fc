package rules

import "slices"

// Described reports whether a knob is in the list of knobs.
func Described(path string) bool {
	return slices.ContainsFunc(knobs(), func(k knob) bool { return k.path == path })
}

// TakesPieces reports whether the goal states how many own pieces it takes.
func (g Goal) TakesPieces() bool { return g.pieces != nil }
