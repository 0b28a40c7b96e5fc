package fuzzlimit

import (
	"errors"
	"testing"

	"spar/configs"
	"spar/configs/strict"
)

// Files is the fuzz target for a reader of YAML files of one kind. It starts with the shipped files and the texts in
// more. The function read must return nil or a list of mistakes with messages.
func Files(f *testing.F, kind configs.Kind, read func(*testing.T, []byte) error, more ...string) {
	f.Helper()
	for _, name := range configs.Names(kind) {
		_, data, err := configs.Read(kind, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range more {
		f.Add([]byte(text))
	}
	watch := Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		var es strict.Errors
		if err := read(t, data); err != nil && (!errors.As(err, &es) || len(es) == 0 || es.Error() == "") {
			t.Fatalf("%T %v is not a list of mistakes", err, err)
		}
	})
}
