package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"spar/agents/pace"
	"spar/engines"
	"spar/reports/board"
)

// Errors of requests that come too late or from the wrong side. Illegal moves have other errors.
var (
	ErrStale = errors.New("the position has changed since you saw it")
	ErrTurn  = errors.New("it is not your turn")
	ErrOver  = errors.New("the game is over")
	ErrGone  = errors.New("the game was deleted")
	ErrNone  = errors.New("there is nothing to undo")
)

// Session is one game that people play. It is safe for concurrent use.
type Session struct {
	room *Sessions

	mu       sync.Mutex
	rec      Record
	links    [2]string // tokens of the seats; the record has only their hashes
	game     *engines.Game
	pos      *engines.Position
	frames   []board.Frame
	sides    string
	decision int64     // increases when the position or the player of a seat changes
	turn     time.Time // start of the current decision
	thinking *thought
	deleted  bool
	problem  string // reason why the agent cannot move; empty if it can
	clock    *time.Timer

	changedAt time.Time // time of the first change that is not stored; zero if everything is
	failed    error     // why the last attempt to store the session failed
}

// thought is a search in progress.
type thought struct {
	stop  context.CancelFunc // cancels the search
	now   context.CancelFunc // asks for the best move so far
	began time.Time
}

// View is a copy of a session at one moment. Do not modify its slices.
type View struct {
	Record
	Game     *engines.Game
	Position *engines.Position // position, as a copy
	Frames   []board.Frame     // positions from the start of the game on
	Sides    string            // X or O for each ply
	Thinking time.Time         // start of the search; zero if none runs
	Problem  string
	Unsaved  string        // says that the session is not stored yet, and why; empty if it is
	Left     time.Duration // time left on the clock of the game; -1 without a clock
	Links    [2]string     // tokens of the seats that this process created; empty otherwise
}

// Over reports whether the game has ended, by its rules or otherwise.
func (v *View) Over() bool { return v.Result != "" || v.Position.Over() }

// Outcome returns the result of the game, which may be unfinished.
func (v *View) Outcome() engines.Result {
	if r, ok := engines.ParseResult(v.Result); ok {
		return r
	}
	return v.Position.Result()
}

// Words describes how the game ended.
func (v *View) Words() string {
	if v.Result == "" {
		return board.Result(v.Position)
	}
	return board.Ended(v.Position, v.Outcome(), v.Reason)
}

// View returns the session as it is now.
func (t *Session) View() View {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.view()
}

func (t *Session) view() View {
	now := t.room.Now()
	v := View{
		Record:   t.rec,
		Game:     t.game,
		Position: t.pos.Clone(),
		Frames:   slices.Clone(t.frames),
		Sides:    t.sides,
		Problem:  t.problem,
		Unsaved:  t.unsaved(),
		Left:     -1,
		Links:    t.links,
	}
	v.Plies, v.Redo = slices.Clone(t.rec.Plies), slices.Clone(t.rec.Redo)
	if t.thinking != nil {
		v.Thinking = t.thinking.began
	}
	if limit := t.limit(); limit > 0 {
		v.Left = max(0, limit-t.spent(now))
	}
	return v
}

func (t *Session) limit() time.Duration {
	return pace.Seconds(t.game.Rules().Clock.Seconds)
}

// spent returns the time that both sides have used. The time of the first decision does not count.
func (t *Session) spent(now time.Time) time.Duration {
	ms := time.Duration(t.rec.MS() * float64(time.Millisecond))
	if len(t.rec.Plies) > t.rec.Given && !t.over() {
		ms += now.Sub(t.turn)
	}
	return ms
}

func (t *Session) over() bool { return t.rec.Result != "" || t.pos.Over() }

// replay sets the position by replaying the recorded moves.
func (t *Session) replay() error {
	t.pos = t.game.NewPosition()
	var err error
	t.frames, t.sides, err = board.Replay(t.pos, t.rec.Moves())
	return err
}

// changed is called after every change of the game. It stops the old search, starts the next one and saves the
// session. The caller must hold the lock.
func (t *Session) changed() {
	if t.deleted {
		return
	}
	t.decision++
	t.turn = t.room.Now()
	t.problem = ""
	t.stopThinking()
	if t.clock != nil {
		t.clock.Stop()
		t.clock = nil
	}
	switch {
	case t.over(): // if a player takes back the last move and the game ends again, both games are stored
		if v := t.view(); t.rec.Counted == "" {
			t.rec.Counted = v.Outcome().String()
			t.tally(+1)
		}
	default:
		if t.rec.Counted != "" { // its end was taken back
			t.tally(-1)
			t.rec.Counted = ""
		}
		if !t.rec.Seats[t.pos.Side()].Person() {
			t.think()
		}
		if limit := t.limit(); limit > 0 && len(t.rec.Plies) > t.rec.Given {
			decision := t.decision
			t.clock = time.AfterFunc(max(0, limit-t.spent(t.turn)), func() { t.flag(decision) })
		}
	}
	t.keep()
}

func (t *Session) stopThinking() {
	if t.thinking != nil {
		t.thinking.stop()
		t.thinking = nil
	}
}

// flag ends a game as a draw if its clock has run out.
func (t *Session) flag(decision int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.decision == decision && !t.over() {
		t.end("draw", "clock")
	}
}

func (t *Session) end(result, reason string) {
	t.rec.Result, t.rec.Reason = result, reason
	t.changed()
}

func (t *Session) tally(by int) {
	r, _ := engines.ParseResult(t.rec.Counted)
	switch {
	case r == engines.Drawn:
		t.rec.Tally.Drawn += by
	case (r == engines.FirstWins) != t.rec.Swapped:
		t.rec.Tally.Won[0] += by
	default:
		t.rec.Tally.Won[1] += by
	}
}

// Seat identifies who acts: Owner, or the side whose link is used.
type Seat int

// Owner is the person who runs the server. The owner plays every seat that has no link.
const Owner Seat = -1

func (t *Session) may(by Seat, side int) bool {
	if by == Owner {
		return t.rec.Tokens[side] == ""
	}
	return int(by) == side
}

// change calls do if the game is still at the ply that the player saw.
func (t *Session) change(ply int, do func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deleted {
		return ErrGone
	}
	if ply != len(t.rec.Plies) {
		return fmt.Errorf("%w (you saw ply %d, the game is at ply %d)", ErrStale, ply, len(t.rec.Plies))
	}
	return do()
}

// Move plays a move of a person. Its parameter ply is the number of plies that the person saw.
func (t *Session) Move(by Seat, ply int, text string) error {
	return t.change(ply, func() error {
		side := t.pos.Side()
		switch {
		case t.over():
			return ErrOver
		case !t.rec.Seats[side].Person() || !t.may(by, side):
			return ErrTurn
		}
		m, err := t.pos.ParseMove(text)
		if err != nil {
			return err
		}
		t.play(m, Ply{Legal: t.pos.MoveCount()})
		return nil
	})
}

// play plays a legal move. The caller must hold the lock.
func (t *Session) play(m engines.Move, p Ply) {
	p.Move = t.game.MoveText(m)
	if len(t.rec.Plies) > t.rec.Given { // the clock begins with the first move
		p.MS = math.Round(float64(t.room.Now().Sub(t.turn).Microseconds())) / 1000
	}
	t.rec.Redo = nil
	t.push(m, p)
	t.changed()
}

func (t *Session) push(m engines.Move, p Ply) {
	t.rec.Plies = append(t.rec.Plies, p)
	t.sides += "XO"[t.pos.Side() : t.pos.Side()+1]
	t.frames = append(t.frames, board.Play(t.pos, m, &t.frames[len(t.frames)-1]))
}

// Undo takes back plies until the previous decision of a person, even if the game has ended. Redo reverses it.
func (t *Session) Undo(ply int) error {
	return t.change(ply, func() error {
		if t.rec.unstored() {
			return errors.New("the end of this game is not stored yet")
		}
		at := len(t.rec.Plies)
		if t.rec.Result == "" { // else the undo removes the result only
			for at--; at >= t.rec.Given && t.rec.Plies[at].Agent != ""; at-- {
			}
			if at < t.rec.Given {
				return ErrNone
			}
		}
		for i := len(t.rec.Plies) - 1; i >= at; i-- {
			t.rec.Redo = append(t.rec.Redo, t.rec.Plies[i])
		}
		t.rec.Plies = t.rec.Plies[:at:at]
		t.rec.Result, t.rec.Reason = "", ""
		t.rec.Undos++
		if err := t.replay(); err != nil {
			return err
		}
		t.changed()
		return nil
	})
}

// Redo repeats the move of a person that Undo took back, and the agents' answers to it.
func (t *Session) Redo(ply int) error {
	return t.change(ply, func() error {
		if len(t.rec.Redo) == 0 {
			return errors.New("there is nothing to redo")
		}
		for first := true; len(t.rec.Redo) > 0; first = false {
			p := t.rec.Redo[len(t.rec.Redo)-1]
			if !first && p.Agent == "" {
				break
			}
			m, err := t.pos.ParseMove(p.Move)
			if err != nil {
				t.rec.Redo = nil
				return err
			}
			t.rec.Redo = t.rec.Redo[:len(t.rec.Redo)-1]
			t.push(m, p)
		}
		t.changed()
		return nil
	})
}

// Resign makes the side of the seat lose the game. If the owner plays both sides, the side to move resigns.
func (t *Session) Resign(by Seat, ply int) error {
	return t.change(ply, func() error {
		if t.over() {
			return ErrOver
		}
		side := int(by)
		if by == Owner {
			side = t.pos.Side()
			if !t.rec.Seats[side].Person() || !t.may(by, side) {
				side = 1 - side
			}
		}
		t.end(engines.Winner(1-side).String(), "resign")
		return nil
	})
}

// MoveNow asks the agent for its best move so far.
func (t *Session) MoveNow() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.thinking != nil {
		t.thinking.now()
	}
}

// Hint shows the next level of help for this position: a region, the best cells, the value of every move.
func (t *Session) Hint(ply int) error {
	return t.change(ply, func() error {
		if t.over() {
			return ErrOver
		}
		if t.rec.HintPly != ply+1 {
			t.rec.HintPly, t.rec.HintLevel = ply+1, 0
		}
		if t.rec.HintLevel < 3 {
			t.rec.HintLevel++
			t.rec.Hints++
		}
		t.keep()
		return nil
	})
}

// Assist sets which aids are on.
func (t *Session) Assist(a Assists) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rec.Assists = a
	if !t.over() {
		t.rec.Used = t.rec.Used.Or(a)
	}
	t.keep()
}

// Over reports whether the game of the session has ended.
func (t *Session) Over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over()
}

// ID returns the text that identifies the session in addresses.
func (t *Session) ID() string { return t.rec.ID }
