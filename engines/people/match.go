package people

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
)

// Match is a match between two people: one line of JSON.
type Match struct {
	Game   string `json:"game"`   // id of a game
	Pair   int    `json:"pair"`   // number that identifies the pair of players
	Moves  string `json:"moves"`  // moves, separated by spaces
	Sides  string `json:"sides"`  // for each move, the side whose piece it placed: X or O
	Result string `json:"result"` // first, second or draw
	By     string `json:"by"`     // how it ended: play, agreement or surrender

	Rules *engines.Game `json:"-"` // rules of the game; ReadMatches sets them
}

// Replay plays the moves of a match under its Rules, which must be set. It returns an error if a move is illegal or
// places the other side's piece, or if a match that ended by play has a result other than the stated one. Matches that
// ended by agreement or surrender may stop at any ply.
func (m *Match) Replay() (*engines.Position, error) {
	p := m.Rules.NewPosition()
	moves := strings.Fields(m.Moves)
	if len(moves) != len(m.Sides) {
		return nil, fmt.Errorf("sides: %d for %d moves", len(m.Sides), len(moves))
	}
	for i, text := range moves {
		if p.Over() {
			return nil, fmt.Errorf("move %d: %s: the game is over (result: %s, reason: %s)", i+1, text, p.Result(), p.Reason())
		}
		if side := "XO"[p.Side()]; m.Sides[i] != side {
			return nil, fmt.Errorf("move %d: %s: \"sides\" has %c, expected %c", i+1, text, m.Sides[i], side)
		}
		if err := p.PlayText([]string{text}); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if m.By == "play" && p.Result().String() != m.Result {
		return nil, fmt.Errorf("result: %q: after the moves, the result is %s", m.Result, p.Result())
	}
	return p, nil
}

// check returns an error if a field of a match has an invalid value.
func (m *Match) check() error {
	for _, word := range []struct {
		key, value string
		valid      []string
	}{
		{"result", m.Result, []string{"first", "second", "draw"}},
		{"by", m.By, []string{"play", "agreement", "surrender"}},
	} {
		if !slices.Contains(word.valid, word.value) {
			return fmt.Errorf("%s: %q: expected one of %s%s",
				word.key, word.value, strings.Join(word.valid, ", "), strict.Suggest(word.value, word.valid))
		}
	}
	return nil
}

// ReadMatches reads a file of matches of the given games by name, one on each line, and replays each. Name is the
// file's name in errors. If a line is wrong, it returns an error and no matches. Matches without moves that ended by
// play have no result; ReadMatches returns them as skipped.
func ReadMatches(in io.Reader, name string, games map[string]*engines.Game) (matches, skipped []Match, err error) {
	read := func(line []byte) error {
		var m Match
		if err := readLine(line, &m); err != nil {
			return err
		}
		if m.Rules = games[m.Game]; m.Rules == nil {
			return fmt.Errorf("game: unknown game %q%s", m.Game,
				strict.Suggest(m.Game, slices.Sorted(maps.Keys(games))))
		}
		if err := m.check(); err != nil {
			return err
		}
		if m.Moves == "" && m.By == "play" {
			skipped = append(skipped, m)
			return nil
		}
		matches = append(matches, m)
		_, err := m.Replay()
		return err
	}
	err = bulk.Each(in, name, func(number int, line []byte) error {
		if err := read(line); err != nil {
			return strict.Badf("%s:%d: %w", name, number, err)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return matches, skipped, nil
}
