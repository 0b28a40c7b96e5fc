package tuning

import (
	"regexp"
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
)

// FuzzLoad holds that no tuning file makes the reader panic, and that each mistake has words. Shipped files are read
// for a small board: the reader plays sample games.
func FuzzLoad(f *testing.F) {
	ofRules := regexp.MustCompile(`(?m)^rules: (vanishing|rolling|checkerboard|infiltration|ctor)\b.*`)
	fuzzlimit.Files(
		f, configs.Tunings, func(_ *testing.T, data []byte) error {
			_, err := load("fuzz.yaml", ofRules.ReplaceAll(data, []byte("rules: classic")), 2)
			return err
		},
		"name: x\nrules: classic\nagent: minimax-2\nparameters: [{path: weights.*}]\ngames: 1000\nmethod: spsa\noutput: /x",
	)
}
