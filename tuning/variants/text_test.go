package variants

import (
	"testing"

	"spar/ratings"
)

// The answer says that none helps only if no change waits for more games, and names the proof.
func TestTextOfNoRemedy(t *testing.T) {
	t.Parallel()
	score := ratings.WithInterval(0.5, 0.37, 0.64, 60)
	score.Scale = ratings.ScaleShare
	base := Remedy{Score: score, Games: 60, Solved: Solved{Winner: "first", Plies: 19}}
	for verdict, want := range map[string]string{
		"unfair":    "None of 20 changes helps: without a change the first player scores 50 % (37 to 64) in 60 games of minimax-4 against itself; the first player wins in 19 plies with best play",
		"undecided": "None of 20 changes is confirmed; 1 of them would need more games: without a change the first player scores 50 % (37 to 64) in 60 games of minimax-4 against itself; the first player wins in 19 plies with best play",
	} {
		s := search{Remedies: Remedies{Problem: Unfair}, out: &RemedyResult{
			Problem: Unfair, Base: base, Tried: 20, Agent: "minimax-4", Others: []Remedy{{Verdict: verdict}, {Verdict: "left", Solved: Solved{Winner: "second"}}},
		}}
		if got := s.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
