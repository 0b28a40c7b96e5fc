package pages

import (
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/tuning/variants"
)

// The headline names each change of the best remedy that begins with a fixed move. Draws with 10 % random moves are named so.
func TestRemediesNameTheirChangesAndGames(t *testing.T) {
	t.Parallel()
	x := variants.Remedy{
		Changes: []string{"turn.pie=swap", "no_moves=draw"}, Words: []string{"a pie rule: the second player may swap", "no_moves=draw"},
		Opening: "a3-a2", Score: ratings.WithInterval(0.5, 0.45, 0.55, 76), Weak: ratings.WithInterval(0.5, 0.4, 0.6, 76),
		Draws: ratings.WithInterval(0.9, 0.8, 0.95, 76), Length: 20,
	}
	var out strings.Builder
	d := Remedies(enginetest.Load(t, "dodgem"), &variants.RemedyResult{Text: "None helps", Erring: true, Others: []variants.Remedy{x}})
	must.Do(t, d.Text(&out, 0))
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"With a pie rule and no_moves=draw, the games begin with a3-a2, the first move", "The Blue player then scores ", " drawn, 10 % random ", " plies, 10 % random ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
