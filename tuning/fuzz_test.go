package tuning

import (
	"errors"
	"regexp"
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/strict"
)

// FuzzLoad holds that no tuning file makes the reader panic, and that each mistake has words.
func FuzzLoad(f *testing.F) {
	for _, name := range configs.Names(configs.Tunings) {
		_, data, err := configs.Read(configs.Tunings, name)
		if err != nil {
			f.Fatal(err)
		}
		if name != "quickstart" { // on a small board: the reader plays sample games
			data = regexp.MustCompile(`(?m)^rules: .*`).ReplaceAll(data, []byte("rules: classic"))
		}
		f.Add(data)
	}
	f.Add([]byte("name: x\nrules: classic\nagent: minimax-2\nparameters: [{path: weights.*}]\ngames: 1000\nmethod: cma\nopponents: [self, ../a.yaml]\noutput: /x"))
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		_, err := load("fuzz.yaml", data, 2)
		var es strict.Errors
		if err != nil && (!errors.As(err, &es) || len(es) == 0 || es.Error() == "") {
			t.Fatalf("%T %v is no list of mistakes", err, err)
		}
	})
}
