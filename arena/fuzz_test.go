package arena

import (
	"errors"
	"testing"

	"spar/configs"
	"spar/configs/fuzzlimit"
	"spar/configs/strict"
)

// FuzzLoadPlan holds that no tournament file makes the reader panic, that each mistake has words, and that what is read has a schedule.
func FuzzLoadPlan(f *testing.F) {
	for _, name := range configs.Names(configs.Tournaments) {
		_, data, err := configs.Read(configs.Tournaments, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, format := range []string{"swiss", "knockout", "match", "ladder", "mirror", "gauntlet"} {
		f.Add([]byte("name: x\ngames: [classic]\nagents: [random, greedy]\npairs: 1\nformat: " + format))
	}
	f.Add([]byte("name: x\ngames: [{rules: vanishing, set: {pieces.cap: 4}}]\nagents: [random, {agent: greedy, name: g}]\npairs: 3\nopenings: {lines: [b2, a1 b2]}\nstop: {sprt: {elo0: 0, elo1: 5}}"))
	f.Add([]byte("name: ../x\ngames: [../a.yaml, /etc/passwd]\nagents: [a, a]\npairs: 010\nopenings: {file: ../x}"))
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		p, err := LoadPlan("fuzz.yaml", data)
		var es strict.Errors
		if err != nil {
			if !errors.As(err, &es) || len(es) == 0 || es.Error() == "" {
				t.Fatalf("%T %v is no list of mistakes", err, err)
			}
			return
		}
		if len(p.Players) > 200 || p.Pairs > 1000 || p.Openings.Plies > 10 {
			return
		}
		if n, _ := NewSchedule(p).Total(); n < 0 {
			t.Fatalf("a schedule of %d games", n)
		}
	})
}
