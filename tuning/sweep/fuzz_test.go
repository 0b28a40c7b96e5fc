package sweep

import (
	"errors"
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/strict"
)

// FuzzLoad holds that no sweep file makes the reader panic, that each mistake has words, and that no more variants are planned than may
// be.
func FuzzLoad(f *testing.F) {
	for _, name := range configs.Names(configs.Sweeps) {
		_, data, err := configs.Read(configs.Sweeps, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("name: x\nrules: vanishing\nknobs: [{knob: pieces.cap, from: -9223372036854775808, to: 9223372036854775807}]"))
	f.Add([]byte("name: x\nrules: vanishing\nknobs: [{knob: pieces.cap, from: 1, to: 9, step: 2}, {knob: board.columns, values: [3, a, []]}]\ndesign: halton\npoints: 9999"))
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		s, err := Load("fuzz.yaml", data)
		var es strict.Errors
		if err != nil {
			if !errors.As(err, &es) || len(es) == 0 || es.Error() == "" {
				t.Fatalf("%T %v is no list of mistakes", err, err)
			}
			return
		}
		if n := len(s.Variants); n > mostVariants+1 {
			t.Fatalf("%d variants", n)
		}
	})
}
