package arena

import (
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
)

// FuzzLoadPlan holds that no tournament file makes the reader panic, that each mistake has words, and that what is read
// has a schedule.
func FuzzLoadPlan(f *testing.F) {
	for _, format := range []string{"swiss", "knockout", "match", "ladder", "gauntlet"} {
		f.Add([]byte("name: x\ngames: [classic]\nagents: [random, greedy]\npairs: 1\nformat: " + format))
	}
	fuzzlimit.Files(
		f, configs.Tournaments, func(t *testing.T, data []byte) error {
			p, err := LoadPlan("fuzz.yaml", data)
			if err != nil || len(p.Players) > 200 || p.Pairs > 1000 || p.Openings.Plies > 10 {
				return err
			}
			if n, _ := NewSchedule(p).Total(); n < 0 {
				t.Fatalf("a schedule of %d games", n)
			}
			return nil
		},
		"name: x\ngames: [{rules: vanishing, set: {pieces.cap: 4}}]\nagents: [random, {agent: greedy, name: g}]\npairs: "+
			"3\nopenings: {lines: [b2, a1 b2]}\nstop: {sprt: {elo0: 0, elo1: 5}}",
		"name: ../x\ngames: [../a.yaml, /etc/passwd]\nagents: [a, a]\npairs: 010\nopenings: {file: ../x}",
	)
}
