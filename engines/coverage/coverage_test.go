package coverage

import (
	"slices"
	"testing"

	"spar/configs"
)

// What is called shipped is shipped, and what is not says what expresses it or what it lacks.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	files := configs.Names(configs.Games)
	for _, e := range Table() {
		ok := map[string]bool{
			Shipped: slices.Contains(files, e.Rules) && e.Missing == "", Expressible: e.Rules == "" && e.How != "",
			Missing: e.Rules == "" && e.Missing != "",
		}[e.Status]
		if !ok || seen[e.Game] {
			t.Errorf("%+v", e)
		}
		seen[e.Game] = true
	}
}

// A game is found by a name that is nearly right; a key finds the mechanic that it means.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"draughts": "Checkers and draughts", "hare & hounds": "Hare and Hounds", "Fanoruna": "Fanorona",
		"othello": "Reversi (Othello)", "TAK": "Tak",
		"nine mens morris": "Nine Men's Morris", "dots-and-boxes": "Dots and Boxes", "whist": "", "": "",
	} {
		got := ""
		if found := Find(name); len(found) > 0 {
			got = found[0].Game
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for key, want := range map[string]string{
		"die": "dice", "stacks": "stacking", "castles": "castling and en passant",
		"en_passant": "castling and en passant", "third": "more than two players",
		"cards": "cards that say how pieces move", "capture": "", "borad": "",
	} {
		if got, _ := MissingMechanic(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
