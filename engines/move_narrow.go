//go:build !wide

package engines

// moveWord holds two cells and a kind.
type moveWord = uint16

// appendFar appends the placements on cells from 128 on. This build has no such cells.
func appendFar(dst []Move, _ Bits) []Move { return dst }
