// Package people describes the line games of a public benchmark: 118 games on a grid that people judged and
// played.
//
// A [Game] holds the facts about one game. It is a line in a file of games. Its
// rules are those of the shipped game classic with overrides ([Game.Overrides], [Game.Rules]). A [Match] holds the
// moves of one match. It is a line in a file of matches. [ReadMatches] replays each match under its game's rules.
package people

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
)

// base is the shipped game that the rules override.
const base = "classic"

// Game is a game of lines on a grid: one line of JSON. In a field of two values, the first player's is first.
type Game struct {
	ID         string    `json:"id"`
	Class      string    `json:"class"` // group of games to which it belongs; any text
	Rows       int       `json:"rows"`
	Columns    int       `json:"columns"`
	Line       [2]int    `json:"line"`        // for each player, the number of pieces in a row that wins
	Directions [2]string `json:"directions"`  // for each player, the rows that count: any, straight or diagonal
	FirstTurns [2]int    `json:"first_turns"` // for each player, the number of placements in the first turn
	Misere     bool      `json:"misere"`      // a player who completes a line loses

	// first player's payoff as people judge it, -1 to 1; nil if unknown
	JudgedPayoff *Judgement `json:"judged_payoff"`
	// probability of a draw as people judge it, 0 to 1; nil if unknown
	JudgedDraw *Judgement `json:"judged_draw"`
	JudgedFun  *Judgement `json:"judged_fun"` // expected fun as people judge it, 0 to 100; nil if unknown
}

// Judgement is a mean of people's judgements of a game before they played it.
type Judgement struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	N    int     `json:"n"`
	// means of two random halves of the people; they show how reliable the mean is
	Halves []float64 `json:"halves,omitempty"`
}

// directions maps the words for line directions to values of win.directions.
func directions() (words []string, knob map[string][]string) {
	return []string{"any", "straight", "diagonal"},
		map[string][]string{"straight": {"rows", "columns"}, "diagonal": {"diagonals"}}
}

// Overrides lists the overrides that turn the shipped game classic into this game.
func (g *Game) Overrides() []string {
	_, along := directions()
	out := []string{
		fmt.Sprintf("board.columns=%d", g.Columns), fmt.Sprintf("board.rows=%d", g.Rows),
		fmt.Sprintf("win.line=%d", g.Line[0]),
	}
	if d := along[g.Directions[0]]; d != nil {
		out = append(out, "win.directions=["+strings.Join(d, ",")+"]")
	}
	if g.Misere {
		out = append(out, "win.misere=true")
	}
	if n := g.FirstTurns[0]; n != 1 {
		out = append(out, fmt.Sprintf("turn.first_turn=%d", n))
	}
	if n := g.FirstTurns[1]; n != 1 {
		out = append(out, fmt.Sprintf("second.first_turn=%d", n))
	}
	if g.Line[0] != g.Line[1] || g.Directions[0] != g.Directions[1] {
		own := []string{fmt.Sprintf("line: %d", g.Line[1])}
		if d := along[g.Directions[1]]; d != nil {
			own = append(own, "directions: ["+strings.Join(d, ",")+"]")
		}
		if g.Misere {
			own = append(own, "misere: true")
		}
		out = append(out, "second.win={"+strings.Join(own, ", ")+"}")
	}
	return out
}

// Rules returns the rules of the game, with its id as their name.
func (g *Game) Rules() (engines.Rules, error) {
	compiled, err := engines.Named(base, g.Overrides()...)
	if err != nil {
		return engines.Rules{}, err
	}
	r := compiled.Rules()
	r.Name = g.ID
	r.Title = g.ID
	r.About = ""
	return r, nil
}

// Compile compiles the rules of the game.
func (g *Game) Compile() (*engines.Game, error) {
	r, err := g.Rules()
	if err != nil {
		return nil, err
	}
	return engines.Compile(r)
}

// check returns an error if the facts contradict each other, before rules are built from them.
func (g *Game) check() error {
	words, _ := directions()
	if g.ID == "" {
		return errors.New("id: expected the name of the game")
	}
	for side := range 2 {
		if d := g.Directions[side]; !slices.Contains(words, d) {
			return fmt.Errorf("directions: %q is not a direction: expected %s%s", d, strings.Join(words, ", "), strict.Suggest(d, words))
		}
		if n := g.FirstTurns[side]; n < 1 || n > 8 {
			return fmt.Errorf("first_turns: %d: expected two numbers of pieces, each from 1 to 8", n)
		}
		if n := g.Line[side]; n < 2 {
			return fmt.Errorf("line: %d: expected two numbers of pieces, 2 or more", n)
		}
	}
	_, err := g.Rules()
	return err
}

// ReadGames reads a file of games, one on each line. Name is the file's name in errors. If a line is wrong or an
// id is repeated, it returns an error and no games.
func ReadGames(in io.Reader, name string) ([]Game, error) {
	var out []Game
	lines := map[string]int{}
	err := bulk.Each(in, name, func(number int, line []byte) error {
		var g Game
		err := readLine(line, &g)
		if err == nil {
			err = g.check()
		}
		if err == nil && lines[g.ID] > 0 {
			err = fmt.Errorf("id: %q is a duplicate; the first is on line %d", g.ID, lines[g.ID])
		}
		if err != nil {
			return strict.Badf("%s:%d: %w", name, number, err)
		}
		lines[g.ID] = number
		out = append(out, g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// readLine parses a line of JSON.
func readLine(line []byte, into any) error {
	if err := strict.JSON(line, into); err != nil {
		return fmt.Errorf("expected one JSON object per line: %w", err)
	}
	return nil
}
