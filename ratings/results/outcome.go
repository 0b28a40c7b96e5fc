package results

import (
	"slices"
	"strconv"
	"strings"

	"spar/ratings"
)

// result is what a text states about the end of a game.
type result struct {
	outcome ratings.Outcome
	played  bool // false if the game was not finished
	bye     bool // there was no opponent
	forfeit bool // won without play
}

// words are the results that are not two scores.
var words = map[string]result{
	"first": {outcome: ratings.FirstWins, played: true}, "second": {outcome: ratings.SecondWins, played: true},
	"draw": {outcome: ratings.Draw, played: true}, "=": {outcome: ratings.Draw, played: true},
	"=-=": {outcome: ratings.Draw, played: true},
	"+--": {outcome: ratings.FirstWins, played: true, forfeit: true},
	"+-":  {outcome: ratings.FirstWins, played: true, forfeit: true},
	"--+": {outcome: ratings.SecondWins, played: true, forfeit: true},
	"-+":  {outcome: ratings.SecondWins, played: true, forfeit: true},
	"":    {}, "*": {}, "-": {}, "?": {}, "unplayed": {}, "notplayed": {}, "unfinished": {},
}

// spellings makes texts of a result alike: dashes, colons and slashes between scores, decimal commas, halves.
var spellings = strings.NewReplacer(
	" ", "", "\t", "", "\u00a0", "", "–", "-", "—", "-", "−", "-",
	"‐", "-", "½", "0.5", "1/2", "0.5", ",", ".", ":", "-", "/", "-", "(", "", ")", "", "forfeit", "f",
)

// parseResult reads a result from the first player's side: two scores like 1-0, 1:0, 0,5-0,5 and ½-½, the first
// player's score alone, or first, second and draw. An F behind a score, or + and -, mean that nobody played. A star or
// an empty text means that the game was not finished. The second result is false for other texts.
func parseResult(text string) (result, bool) {
	s := spellings.Replace(strings.ToLower(trim(text)))
	if r, ok := words[s]; ok {
		return r, true
	}
	if strings.Contains(s, "bye") {
		return result{bye: true}, true
	}
	r := result{played: true, forfeit: strings.Contains(s, "f")}
	first, second, both := strings.Cut(strings.ReplaceAll(s, "f", ""), "-")
	score, err := strconv.ParseFloat(first, 64)
	if both && err == nil {
		var other float64
		if other, err = strconv.ParseFloat(second, 64); score+other != 1 {
			return r, false
		}
	}
	if err != nil || !slices.Contains([]float64{0, 0.5, 1}, score) || strings.ContainsAny(s, "+x") {
		return r, false
	}
	r.outcome = ratings.Outcome(2 * score)
	return r, true
}

// unusual names the end of a game that no position decided; empty for other ends. Ended is the tag Termination of PGN,
// or a reason.
func unusual(ended string, forfeit bool) string {
	ended = strings.ToLower(ended)
	for _, kind := range []struct{ words, name string }{
		{"stall disconnect", "by a stalled connection"},
		{"time", "on time"},
		{"abandon", "because a player left"},
		{"illegal infraction", "by an illegal move"},
		{"forfeit crash error emergency death", "by forfeit"},
	} {
		for word := range strings.FieldsSeq(kind.words) {
			if strings.Contains(ended, word) {
				return kind.name
			}
		}
	}
	if forfeit {
		return "by forfeit"
	}
	return ""
}
