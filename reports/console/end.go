package console

import (
	"fmt"
	"strings"

	"spar/engines"
	"spar/reports/screen"
)

// End describes how a game ended to the people who played it. If one person played, it is like "You win". Reason
// is one of the words in the records.
func End(g *engines.Game, names [2]string, people [2]bool, result engines.Result, reason string, plies int) string {
	after := " after " + screen.Plural(int64(plies), "ply") + "."
	if result != engines.FirstWins && result != engines.SecondWins {
		return "A draw" + drawn(reason) + after
	}
	winner := engines.First
	if result == engines.SecondWins {
		winner = engines.Second
	}
	loser := 1 - winner
	who := func(side int) string { return fmt.Sprintf("%s (%s)", names[side], g.SideLabel(side)) }
	text := who(winner) + " wins"
	switch {
	case people[winner] && !people[loser]:
		text = "You win"
	case people[loser] && !people[winner]:
		text = "You lose"
	}
	fault, forfeited := strings.CutPrefix(reason, "forfeit_")
	switch {
	case reason == "forfeit_resign":
		if text == "You lose" {
			return "You resigned" + after
		}
		return text + ": " + who(loser) + " resigned" + after
	case forfeited:
		return fmt.Sprintf("%s: %s forfeited the game (%s)%s", text, who(loser), strings.ReplaceAll(fault, "_", " "), after)
	}
	how := map[string]string{
		"line": "by a line", "majority": "with more pieces on the board", "no_moves": "because one side has no move left",
		"taken": "by taking the last " + g.Rules().Of(winner).Win.Take, "reach": "by reaching a goal cell", "captures": "by captures",
	}[reason]
	if how == "" {
		how = "by " + strings.ReplaceAll(reason, "_", " ")
	}
	if text == "You lose" {
		return text + ": " + who(winner) + " wins " + how + after
	}
	return text + " " + how + after
}

func drawn(reason string) string {
	words, ok := map[string]string{
		"full_board": ": the board is full", "repetition": ": the position was repeated",
		"ply_cap": ": the limit of moves is reached", "clock": ": the time is up",
		"quiet":    ": too many moves without placement or capture",
		"no_moves": ": no move is left", "majority": ": the same number of pieces on the full board",
	}[reason]
	if !ok {
		return " by " + strings.ReplaceAll(reason, "_", " ")
	}
	return words + ","
}
