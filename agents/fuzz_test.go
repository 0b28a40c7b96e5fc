package agents_test

import (
	"testing"

	"spar/agents"
	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/engines"
)

// FuzzParseSpec holds that no agent's file makes the reader panic, that each mistake has words, and that what is read
// can be made, with its opening book, or says why not.
func FuzzParseSpec(f *testing.F) {
	g := must.Get(engines.Named("vanishing"))(f)
	fuzzlimit.Files(
		f, configs.Agents, func(t *testing.T, data []byte) error {
			s, err := agents.ParseSpec("fuzz.yaml", data, "fuzz")
			if err == nil && (s.Type == "random" || s.Type == "heuristic") {
				if _, err := agents.New(s, g); err != nil && err.Error() == "" {
					t.Fatal("an agent cannot be made, and nothing says why")
				}
			}
			return err
		},
		"type: random\nmixture: {opening_book: [b2 a1, '', a1 a1, x9], epsilon: 1}",
		"type: heuristic\nweights: {own_pieces: .inf, nothing: 1}\nlate_from: 9999999999999999999",
		"type: ugi\nugi: {command: \"a\\0b\", options: {a: \"\\n\"}}",
		"type: perfect\nperfect: {table: ../../etc/passwd}",
	)
}
