package agents_test

import (
	"errors"
	"testing"

	"spar/agents"
	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/strict"
	"spar/engines"
)

// FuzzParseSpec holds that no agent's file makes the reader panic, that each mistake has words, and that what is read can be made,
// with its opening book, or says why not.
func FuzzParseSpec(f *testing.F) {
	for _, name := range configs.Names(configs.Agents) {
		_, data, err := configs.Read(configs.Agents, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("type: random\nmixture: {opening_book: [b2 a1, '', a1 a1, x9], epsilon: 1}"))
	f.Add([]byte("type: heuristic\nweights: {own_pieces: .inf, nothing: 1}\nlate_from: 9999999999999999999"))
	f.Add([]byte("type: ugi\nugi: {command: \"a\\0b\", options: {a: \"\\n\"}}"))
	f.Add([]byte("type: perfect\nperfect: {table: ../../etc/passwd}"))
	g, err := engines.Named("vanishing")
	if err != nil {
		f.Fatal(err)
	}
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		s, err := agents.ParseSpec("fuzz.yaml", data, "fuzz")
		var es strict.Errors
		if err != nil {
			if !errors.As(err, &es) || len(es) == 0 || es.Error() == "" {
				t.Fatalf("%T %v is no list of mistakes", err, err)
			}
			return
		}
		if s.Type == "random" || s.Type == "heuristic" {
			if _, err := agents.New(s, g); err != nil && err.Error() == "" {
				t.Fatal("an agent cannot be made, and nothing says why")
			}
		}
	})
}
