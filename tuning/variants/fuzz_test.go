package variants

import (
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
)

// FuzzLoad holds that no sweep file makes the reader panic, that each mistake has words, and that no more variants are
// planned than may be.
func FuzzLoad(f *testing.F) {
	fuzzlimit.Files(
		f, configs.Sweeps, func(t *testing.T, data []byte) error {
			s, err := Load("fuzz.yaml", data)
			if err == nil && len(s.Variants) > mostVariants+1 {
				t.Fatalf("%d variants", len(s.Variants))
			}
			return err
		},
		"name: x\nrules: vanishing\nknobs: [{knob: pieces.cap, from: -9223372036854775808, to: 9223372036854775807}]",
		"name: x\nrules: vanishing\nknobs: [{knob: pieces.cap, from: 1, to: 9, step: 2}, {knob: board.columns, values: [3, "+
			"a, []]}]\ndesign: halton\npoints: 9999",
	)
}
