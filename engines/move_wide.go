//go:build wide

package engines

// moveWord holds two cells and a kind.
type moveWord = uint32

// appendFar appends the placements on cells from 128 on.
func appendFar(dst []Move, free Bits) []Move {
	free.Lo, free.Hi = 0, 0
	for ; !free.Empty(); free = free.Rest() {
		dst = append(dst, placeMove(free.First()))
	}
	return dst
}
