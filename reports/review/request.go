package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"spar/engines"
	"spar/engines/bulk"
)

// Request is a game to review.
type Request struct {
	ID    json.RawMessage // id in the line of the file; may be empty
	Name  string          // name to display
	Game  *engines.Game
	Moves []string
	Side  int   // side from whose view the game is reviewed
	Err   error // reason why the line is not a game; nil if it is one

	where string // name of the input and number of the line, for errors
	line  int
}

// Reader reads requests from lines.
type Reader struct {
	Name   string // name of the input in errors
	Side   int    // side from whose view games are reviewed if their line states none
	Chosen bool   // use Side for all lines

	games bulk.Games
}

// Request reads the game in a line. If the line is not a game, Err of the request says why.
func (r *Reader) Request(number int, line []byte) Request {
	one := Request{Name: fmt.Sprintf("%s:%d", r.Name, number), Side: r.Side, line: number}
	one.where = one.Name
	var l Line
	if one.Err = bulk.Parse(line, "a game", &l); one.Err != nil {
		return one
	}
	one.ID, one.Moves = l.ID, l.Moves
	var err error
	if one.Game, err = r.games.Game(&l.Line); l.Perspective != "" && !r.Chosen {
		one.Side, one.Err = ParseSide(l.Perspective)
	}
	if err == nil && l.Position != "" {
		err = errors.New(
			"a game is reviewed from its start, so a position is not allowed here (spar analyze --best and --parts take one)")
	}
	one.Err = errors.Join(one.Err, err)
	if len(one.ID) > 0 {
		one.Name = strings.Trim(string(one.ID), `"`)
	}
	if one.Game != nil {
		one.Name += ", " + one.Game.Name()
	}
	return one
}

// Answer reviews a requested game. An error about the game is in the field Error of the answer. The returned error
// is that of ctx.
func (j *Judge) Answer(ctx context.Context, q Request) (r Game, err error) {
	if err = q.Err; err == nil {
		r, err = j.Review(ctx, q.Game, q.Moves, q.Side)
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r = Game{Error: err.Error()}
		if q.where != "" {
			r.Error = q.where + ": " + r.Error
		}
	}
	r.ID, r.Line = q.ID, q.line
	return r, nil
}
