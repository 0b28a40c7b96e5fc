// Package bulk reads games and positions from JSON lines. Commands that handle many positions use it, and so do
// pages in a browser. [Each] calls a function for each line; a [Line] names the rules, a position and moves, and
// [Games] compiles each set of rules once.
package bulk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// Line is one line of input: rules, a position and moves from there. Other fields are ignored, so an exported game is
// a valid line.
type Line struct {
	ID    json.RawMessage `json:"id"`    // any value; the answer repeats it
	Rules string          `json:"rules"` // name of a shipped game, or path of a rules file
	Set   map[string]any  `json:"set"`   // overrides for knobs of the rules, by key path
	Moves Moves           `json:"moves"`

	Position string `json:"position"` // position before the moves, as text; empty = the start of the game
}

// Moves are the texts of moves. In JSON they are a list, or one text with spaces between moves.
type Moves []string

// UnmarshalJSON reads either form.
func (m *Moves) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*m = strings.Fields(text)
		return nil
	}
	if json.Unmarshal(data, (*[]string)(m)) != nil {
		return errors.New("moves: expected a list of moves, or one string of moves separated by spaces")
	}
	return nil
}

// Parse reads the JSON object in a line. Errors say that it is not what, like "a game".
func Parse(line []byte, what string, to any) error {
	if err := strict.InWords(json.Unmarshal(line, to)); err != nil {
		return fmt.Errorf(`not %s: %w; expected one like {"rules":"classic", "moves":["b2"]}`, what, err)
	}
	if !bytes.Contains(line, []byte(`"moves"`)) { // a misspelt key must not mean the start
		var keys map[string]json.RawMessage
		_ = json.Unmarshal(line, &keys) // not an object: no keys
		for key := range keys {
			if keys["position"] == nil && strict.Distance(strings.ToLower(key), "moves") == 1 {
				return fmt.Errorf("unknown key %q; did you mean moves?", key)
			}
		}
	}
	return nil
}

// Asked is the first part of the answer to a line. It identifies the line.
type Asked struct {
	ID   json.RawMessage `json:"id,omitempty" help:"id of the input line"`
	Line int             `json:"line" help:"number of the input line"`
	// error, with the name of the input and the line number
	Error string `json:"error,omitempty" help:"error of an illegal move or a finished game, with the input line"`
}

// Fail returns the answer to a line that has an error. Name is the input's name in errors.
func (a Asked) Fail(name string, err error) Asked {
	a.Error = fmt.Sprintf("%s:%d: %v", name, a.Line, err)
	return a
}

// Ask reads a position from a line. The line is an object as Line describes it, or a list of moves from the start,
// separated by spaces. A blank line is the start position.
func (c *Games) Ask(number int, text []byte) (Asked, *engines.Position, error) {
	a := Asked{Line: number}
	var l Line
	if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("{")) {
		if err := Parse(text, "a position", &l); err != nil {
			return a, nil, err
		}
	} else {
		l.Moves = strings.Fields(string(text))
	}
	a.ID = l.ID
	g, err := c.Game(&l)
	if err != nil {
		return a, nil, err
	}
	p, err := Position(g, l.Position, l.Moves)
	return a, p, err
}

// Each calls do with each line that is not blank. Lines are numbered from 1. Name is the input's name in errors.
func Each(in io.Reader, name string, do func(number int, line []byte) error) error {
	return EachLine(in, name, func(number int, line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return do(number, line)
	})
}

// EachLine is like Each, but also calls do with blank lines.
func EachLine(in io.Reader, name string, do func(number int, line []byte) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), files.MaxLine+1<<17) // so that whoever reads with files.Lines hears its error
	number := 0
	for lines.Scan() {
		number++
		if err := do(number, lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	return nil
}

// Games compiles each combination of rules and knobs only once. The zero value is ready to use. It is not safe for
// concurrent use.
type Games struct {
	Rules string   `flag:"rules,r" help:"rules for lines that name no rules"`
	Set   []string `flag:"set"` // applied before a line's own
	// path of the input file: paths of rules are relative to its folder, or to the working directory if the input is
	// not a file
	File string

	compiled map[string]*engines.Game
}

// Game returns the compiled game of a line.
func (c *Games) Game(l *Line) (*engines.Game, error) {
	name := c.seen(l.Rules)
	if name == "" {
		name = c.Rules
	}
	if name == "" {
		return nil, errors.New("no rules: add \"rules\" to the line, or name rules on the command line")
	}
	overrides := append(c.Set[:len(c.Set):len(c.Set)], rules.Overrides(l.Set)...)
	key := name + "\n" + strings.Join(overrides, "\n")
	if g, ok := c.compiled[key]; ok {
		return g, nil
	}
	g, err := engines.Named(name, overrides...)
	if err != nil {
		return nil, err
	}
	if c.compiled == nil {
		c.compiled = map[string]*engines.Game{}
	}
	c.compiled[key] = g
	return g, nil
}

// seen returns the path of the rules that a line names, relative to the file with that line.
func (c *Games) seen(rules string) string {
	if c.File == "" || !files.IsPath(rules) || filepath.IsAbs(rules) {
		return rules
	}
	beside := filepath.Dir(c.File) + string(filepath.Separator) + rules
	if _, err := os.Stat(beside); err != nil || !files.IsPath(beside) {
		return rules
	}
	return beside
}

// Replayed is the answer to a line whose moves were replayed.
type Replayed struct {
	ID json.RawMessage `json:"id,omitempty" help:"id of the input line"`
	// number of legal moves before each ply
	Legal []int `json:"legal" help:"number of legal moves before each ply"`
	// side that made each ply, as X or O
	Movers string   `json:"movers" help:"X or O for each ply"`
	Result string   `json:"result" help:"first, second, draw or ongoing"`
	Reason string   `json:"reason,omitempty" help:"line, full_board, ..."`
	Board  []string `json:"board" help:"rows from the top"`
	Hands  string   `json:"hands,omitempty" help:"pieces in hand, in words"`
	Plies  int      `json:"plies" help:"plies played"`
	// error of the first illegal move; the other fields describe the position before it
	Error string `json:"error,omitempty" help:"the first illegal move; the rest is the position before it"`
}

// NoGame returns the answer to a line whose rules or position are wrong. Its lists are empty, not null.
func NoGame(id json.RawMessage, err error) Replayed {
	return Replayed{
		ID:     id,
		Legal:  []int{},
		Result: engines.Ongoing.String(),
		Board:  []string{},
		Error:  err.Error(),
	}
}

// Replay plays the moves of a line and checks that each is legal.
func (c *Games) Replay(l *Line) Replayed {
	g, err := c.Game(l)
	if err != nil {
		return NoGame(l.ID, err)
	}
	r := Replayed{ID: l.ID, Legal: []int{}}
	p, err := Position(g, l.Position, nil)
	if err != nil {
		return NoGame(l.ID, err)
	}
	var movers strings.Builder
	for _, text := range l.Moves {
		m, err := p.ParseMove(text)
		if err != nil {
			r.Error = engines.PlyError{Ply: p.Ply() + 1, Err: err}.Error()
			break
		}
		r.Legal = append(r.Legal, p.MoveCount())
		movers.WriteByte("XO"[p.Side()])
		p.Play(m)
	}
	r.Movers, r.Result, r.Reason = movers.String(), p.Result().String(), p.Reason().String()
	r.Board, r.Hands, r.Plies = p.Rows(), p.HandsText(), p.Ply()
	return r
}

// Position reads a position from text, or starts at the start position if text is empty, and plays the moves from
// there.
func Position(g *engines.Game, text string, moves []string) (*engines.Position, error) {
	p := g.NewPosition()
	if text != "" {
		s, err := g.ParseState(text)
		if err != nil {
			return nil, strict.Bad(err)
		}
		p = engines.PositionAt(s)
	}
	return p, strict.Bad(p.PlayText(moves))
}

// OpenPosition is like Position, but returns an error if the game is over.
func OpenPosition(g *engines.Game, text string, moves []string) (*engines.Position, error) {
	p, err := Position(g, text, moves)
	if err == nil {
		err = Open(p)
	}
	return p, err
}

// Open returns an error if the game is over, so that no move can be made.
func Open(p *engines.Position) error {
	if p.Over() {
		return strict.Badf("the game is over (result: %s, reason: %s)", p.Result(), p.Reason())
	}
	return nil
}
