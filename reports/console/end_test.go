package console

import (
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// How each end is told: to one person by name, to two or none by the winner's; a forfeit names who forfeited.
func TestEnd(t *testing.T) {
	g := enginetest.Load(t, "classic")
	t.Parallel()
	names := [2]string{"human", "greedy"}
	me, nobody := [2]bool{true, false}, [2]bool{}
	for _, c := range []struct {
		people [2]bool
		result engines.Result
		reason string
		want   string
	}{
		{me, engines.FirstWins, "line", "You win by a line after 7 plies."},
		{me, engines.SecondWins, "line", "You lose: greedy (O) wins by a line after 7 plies."},
		{nobody, engines.SecondWins, "majority", "greedy (O) wins with more pieces on the board after 7 plies."},
		{[2]bool{true, true}, engines.FirstWins, "no_moves", "human (X) wins because one side has no move left " +
			"after 7 plies."},
		{me, engines.SecondWins, "forfeit_resign", "You resigned after 7 plies."},
		{nobody, engines.FirstWins, "forfeit_illegal", "human (X) wins: greedy (O) forfeited the game (illegal) " +
			"after 7 plies."},
		{me, engines.Drawn, "full_board", "A draw: the board is full, after 7 plies."},
		{me, engines.Drawn, "ply_cap", "A draw: the limit of moves is reached, after 7 plies."},
		{me, engines.FirstWins, "a_new_way", "You win by a new way after 7 plies."},
		{me, engines.Drawn, "a_new_way", "A draw by a new way after 7 plies."},
	} {
		if got := End(g, names, c.people, c.result, c.reason, 7); got != c.want {
			t.Errorf("%s by %s: %q, want %q", c.result, c.reason, got, c.want)
		}
	}
}
