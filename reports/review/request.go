package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"spar/engines"
	"spar/engines/bulk"
)

// Request is a game to review.
type Request struct {
	ID    json.RawMessage // as a line of a file states it; may be empty
	Name  string          // for people
	Game  *engines.Game
	Moves []string
	Side  int   // the perspective
	Err   error // why there is no game
}

// Requests reads one game a line; name is what errors call the input. A line that is not a game keeps its error. The perspective
// that a line states holds unless it was chosen by hand.
func Requests(in io.Reader, name string, side int, chosen bool) (games []Request, err error) {
	var cache bulk.Games
	err = bulk.Each(in, name, func(number int, line []byte) error {
		one := Request{Name: fmt.Sprintf("%s:%d", name, number), Side: side}
		var l Line
		if err := json.Unmarshal(line, &l); err != nil {
			one.Err = fmt.Errorf("%s: not a game: %w", one.Name, err)
			games = append(games, one)
			return nil
		}
		one.ID, one.Moves = l.ID, l.Moves
		var err error
		if one.Game, err = cache.Game(&l.Line); l.Perspective != "" && !chosen {
			one.Side, one.Err = ParseSide(l.Perspective)
		}
		one.Err = errors.Join(one.Err, err)
		if len(one.ID) > 0 {
			one.Name = strings.Trim(string(one.ID), `"`)
		}
		if one.Game != nil {
			one.Name += ", " + one.Game.Name()
		}
		games = append(games, one)
		return nil
	})
	return games, err
}

// Answer reviews a requested game. What is wrong with the game stands in the answer's Error, and the error is that of ctx.
func (j *Judge) Answer(ctx context.Context, q Request) (r Game, err error) {
	if err = q.Err; err == nil {
		r, err = j.Review(ctx, q.Game, q.Moves, q.Side)
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r = Game{Error: err.Error()}
	}
	r.ID = q.ID
	return r, nil
}
