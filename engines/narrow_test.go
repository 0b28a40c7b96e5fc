//go:build !wide

package engines_test

// What a board of 16x16 is refused with, and the largest that is not.
const tooLarge = "board.rows: 256 cells: expected at most 121; the build for large boards takes 240: go build -tags " +
	"wide ./cmd/spar"

func largest() []string { return []string{"board.columns=11", "board.rows=11"} }
