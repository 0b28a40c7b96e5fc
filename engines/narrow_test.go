//go:build !wide

package engines_test

// What a board of 16x16 is refused with, and the largest that is not.
const tooLarge = "board.columns: expected a whole number from 2 to 11, found 16; the build for large boards takes 16 each way and 240 cells: go build -tags wide ./cmd/spar"

func largest() []string { return []string{"board.columns=11", "board.rows=11"} }
