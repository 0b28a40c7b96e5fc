// Package env plays batches of games for programs in other languages, as environments for learning.
//
// # Terms
//
//   - Action: the number of a move, from 0 without gaps. A [Coder] numbers the moves of a game; [ActionCode] is the
//     version of the numbering.
//   - Plane: one number for each cell of the board, seen from one side.
//   - Extra: a further number of a position, like a hand or a phase.
//
// # Flow of data
//
// [Server.Serve] reads [Request] values, one on each line as JSON, and writes an answer on one line for each. A
// request acts on those games of the batch that it names.
package env

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"spar/configs/files"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/solve"
)

// mostGames is the maximum number of games in a batch.
const mostGames = 100_000

// Request is a line that a client sends. It concerns the games of the batch whose indices are in Index, or all games if
// Index is empty.
type Request struct {
	Do       string   `json:"do"`       // info, reset, step, random, undo, state, observe, value or quit
	Games    int      `json:"games"`    // for reset: number of games; 0 = as many as now (1 at first)
	Index    []int    `json:"index"`    // indices of the games to act on; empty = all
	Actions  []int    `json:"actions"`  // for step: one action for each game
	Moves    []string `json:"moves"`    // step: the moves as texts, instead of actions; reset: moves from the start
	Position string   `json:"position"` // for reset: position to begin at, as text
	Plies    int      `json:"plies"`    // random: most random moves in each game; 0 = play to the end
	Seed     *int64   `json:"seed"`     // seed of the random moves from now on
	// for step and random: replace each finished game by a new one after the answer
	Reset  bool   `json:"reset"`
	Silent bool   `json:"silent"` // omit the legal actions from the answer
	As     string `json:"as"`     // for observe: planes or text
	Side   *int   `json:"side"`   // observe: who sees the planes, 0 or 1; the side to move when left out
}

// Server is the environment of one client. Only one goroutine may use it.
type Server struct {
	game   *engines.Game
	coder  Coder
	games  []*engines.Position
	begin  *engines.Position
	rng    *rand.Rand
	table  *solve.Table
	unable error // reason why there is no table of exact values
	moves  []engines.Move
	out    []byte
}

// NewServer returns a server with a batch of one game.
func NewServer(g *engines.Game) *Server {
	s := &Server{
		game:  g,
		coder: NewCoder(g),
		begin: g.NewPosition(),
		rng:   rand.New(rand.NewPCG(1, 1)),
	}
	s.games = []*engines.Position{s.begin.Clone()}
	return s
}

// errQuit is the error that ends the session.
var errQuit = errors.New("quit")

// Serve answers requests until the request quit, the end of the input or the end of the context. A bad request
// changes nothing; its answer has the field "error".
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := bulk.Each(files.Lines(in, "standard input"), "standard input", func(_ int, line []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.out = s.out[:0]
		err := s.answer(ctx, line)
		switch {
		case errors.Is(err, errQuit):
			return err
		case err != nil:
			text, _ := json.Marshal(err.Error()) // a text always has one
			s.out = append(append(append(s.out[:0], `{"error":`...), text...), '}')
		}
		s.out = append(s.out, '\n')
		_, err = out.Write(s.out)
		return err
	})
	if errors.Is(err, errQuit) {
		return nil
	}
	return err
}

// answer handles one request. It writes the answer to s.out.
func (s *Server) answer(ctx context.Context, line []byte) error {
	var r Request
	if err := strict.JSON(line, &r); err != nil {
		return fmt.Errorf("not a request: %w", err)
	}
	if r.Seed != nil {
		s.rng = rand.New(rand.NewPCG(uint64(*r.Seed), 1))
	}
	for _, i := range r.Index {
		if i < 0 || i >= len(s.games) {
			return fmt.Errorf("index %d: the batch has games 0 to %d", i, len(s.games)-1)
		}
	}
	meant := r.Index
	if meant == nil && r.Do != "reset" {
		meant = make([]int, len(s.games))
		for i := range meant {
			meant[i] = i
		}
	}
	switch r.Do {
	case "info":
		return s.info()
	case "reset":
		return s.reset(&r)
	case "step":
		return s.step(&r, meant)
	case "random":
		return s.random(&r, meant)
	case "undo":
		return s.undo(&r, meant)
	case "state":
		s.report(&r, meant)
		return nil
	case "observe":
		return s.observe(&r, meant)
	case "value":
		return s.values(ctx, meant)
	case "quit":
		return errQuit
	}
	return fmt.Errorf("do %q: expected info, reset, step, random, undo, state, observe, value or quit", r.Do)
}

func (s *Server) info() error {
	text, err := json.Marshal(struct {
		Rules   string   `json:"rules"`
		Hash    string   `json:"rules_hash"`
		Columns int      `json:"columns"`
		Rows    int      `json:"rows"`
		Actions int      `json:"actions"`
		Code    int      `json:"action_code"`
		Planes  []string `json:"planes"`
		Extras  []string `json:"extras"`
	}{
		s.game.Name(), s.game.RulesHash(), s.game.Columns(), s.game.Rows(), s.coder.Actions(), ActionCode,
		Planes(s.game), Extras(s.game),
	})
	s.out = append(s.out, text...)
	return err
}

func (s *Server) reset(r *Request) error {
	n := r.Games
	if n == 0 {
		n = len(s.games)
	}
	if n < 1 || n > mostGames {
		return fmt.Errorf("games %d: expected 1 to %d", n, mostGames)
	}
	p, err := bulk.Position(s.game, r.Position, r.Moves)
	if err != nil {
		return err
	}
	if r.Index != nil {
		for _, i := range r.Index {
			s.games[i].CopyFrom(p)
		}
		s.report(r, r.Index)
		return nil
	}
	s.begin = p
	for len(s.games) < n {
		s.games = append(s.games, p.Clone())
	}
	s.games = s.games[:n]
	all := make([]int, n)
	for i, g := range s.games {
		g.CopyFrom(p)
		all[i] = i
	}
	s.report(r, all)
	return nil
}

// step plays one move in each selected game; action -1 skips a game. If any action is illegal, step plays none.
func (s *Server) step(r *Request, meant []int) error {
	n := len(r.Actions)
	if r.Moves != nil {
		n = len(r.Moves)
	}
	if n != len(meant) {
		return fmt.Errorf("the request has %d actions or moves, expected %d: one for each game", n, len(meant))
	}
	chosen := make([]engines.Move, n)
	for k, i := range meant {
		p := s.games[i]
		chosen[k] = engines.NoMove
		if r.Moves == nil && r.Actions[k] == -1 {
			continue
		}
		if p.Over() {
			return fmt.Errorf("game %d is over (result: %s, reason: %s)", i, p.Result(), p.Reason())
		}
		if r.Moves != nil {
			m, err := p.ParseMove(r.Moves[k])
			if err != nil {
				return fmt.Errorf("game %d: %w", i, err)
			}
			chosen[k] = m
			continue
		}
		s.moves = p.AppendMoves(s.moves[:0])
		if chosen[k] = s.coder.Move(r.Actions[k]); !slices.Contains(s.moves, chosen[k]) {
			return fmt.Errorf("game %d: action %d is not legal in %s", i, r.Actions[k], p.Text())
		}
	}
	for k, i := range meant {
		if chosen[k] != engines.NoMove {
			s.games[i].Play(chosen[k])
		}
	}
	s.report(r, meant)
	s.again(r, meant)
	return nil
}

// random plays random moves in each selected game that is not over.
func (s *Server) random(r *Request, meant []int) error {
	if r.Plies < 0 {
		return fmt.Errorf("plies %d: expected 0 or more", r.Plies)
	}
	const longest = 100_000 // of a game without an end
	most := r.Plies
	if most == 0 {
		most = longest
	}
	for _, i := range meant {
		for k := 0; k < most && !s.games[i].Over(); k++ {
			s.moves = s.games[i].AppendMoves(s.moves[:0])
			s.games[i].Play(s.moves[s.rng.IntN(len(s.moves))])
		}
	}
	s.report(r, meant)
	s.again(r, meant)
	return nil
}

// again replaces finished games by new ones if the request asks for it.
func (s *Server) again(r *Request, meant []int) {
	if !r.Reset {
		return
	}
	for _, i := range meant {
		if s.games[i].Over() {
			s.games[i].CopyFrom(s.begin)
		}
	}
}

// undo takes back one move in each selected game.
func (s *Server) undo(r *Request, meant []int) error {
	for _, i := range meant {
		if len(s.games[i].Played()) == 0 {
			return fmt.Errorf("game %d: no move to take back", i)
		}
	}
	for _, i := range meant {
		p := s.games[i]
		back, err := bulk.Position(s.game, p.Origin(), nil)
		if err != nil {
			return err
		}
		for _, m := range p.Played()[:len(p.Played())-1] {
			back.Play(m)
		}
		p.CopyFrom(back)
	}
	s.report(r, meant)
	return nil
}

// legal returns the legal moves of a game in the order of their numbers; none if the game is over.
func (s *Server) legal(p *engines.Position) []engines.Move {
	s.moves = p.AppendMoves(s.moves[:0])
	slices.Sort(s.moves)
	return s.moves
}

// report answers with the state of the selected games. Lists have one entry per game: the side to move (0 or 1, or
// -1 if the game is over), the rewards of the two sides (1, 0, -1; 0 during the game) and the legal actions in
// ascending order.
func (s *Server) report(r *Request, meant []int) {
	s.list(`{"to_move":`, meant, func(p *engines.Position) {
		side := p.Side()
		if p.Over() {
			side = -1
		}
		s.out = strconv.AppendInt(s.out, int64(side), 10)
	})
	s.list(`,"rewards":`, meant, func(p *engines.Position) {
		first := 0
		if p.Over() {
			first = int(2*p.Result().Score(engines.First)) - 1
		}
		s.out = append(s.out, [3]string{"[-1,1]", "[0,0]", "[1,-1]"}[first+1]...)
	})
	if !r.Silent {
		s.list(`,"legal":`, meant, func(p *engines.Position) {
			s.out = append(s.out, '[')
			for k, m := range s.legal(p) {
				if k > 0 {
					s.out = append(s.out, ',')
				}
				s.out = strconv.AppendInt(s.out, int64(s.coder.Action(m)), 10)
			}
			s.out = append(s.out, ']')
		})
	}
	if r.Do == "state" {
		s.list(`,"position":`, meant, func(p *engines.Position) { s.text(p.Text()) })
		s.list(`,"moves":`, meant, func(p *engines.Position) { s.text(s.game.JoinMoves(p.Played())) })
		s.list(`,"names":`, meant, func(p *engines.Position) { s.text(s.game.JoinMoves(s.legal(p))) })
		s.list(`,"reason":`, meant, func(p *engines.Position) { s.text(p.Reason().String()) })
	}
	if r.Do == "reset" {
		s.out = append(s.out, `,"action_code":`...)
		s.out = strconv.AppendInt(s.out, ActionCode, 10)
	}
	s.out = append(s.out, '}')
}

// list appends a key, and a list with one entry for each game.
func (s *Server) list(key string, meant []int, entry func(*engines.Position)) {
	s.out = append(append(s.out, key...), '[')
	for k, i := range meant {
		if k > 0 {
			s.out = append(s.out, ',')
		}
		entry(s.games[i])
	}
	s.out = append(s.out, ']')
}

func (s *Server) text(text string) {
	quoted, _ := json.Marshal(text) // a text always has one
	s.out = append(s.out, quoted...)
}

// observe answers with the positions from one side's view, as planes or as texts.
func (s *Server) observe(r *Request, meant []int) error {
	if r.Side != nil && *r.Side != engines.First && *r.Side != engines.Second {
		return fmt.Errorf("side %d: expected 0 for the first player or 1 for the second", *r.Side)
	}
	by := func(p *engines.Position) int {
		if r.Side != nil {
			return *r.Side
		}
		return p.Side()
	}
	switch r.As {
	case "text":
		s.list(`{"observations":`, meant, func(p *engines.Position) { s.text(p.Text()) })
	case "planes", "":
		s.list(`{"observations":`, meant, func(p *engines.Position) {
			s.out = AppendPlanes(s.out, &p.State, by(p))
		})
		s.list(`,"extras":`, meant, func(p *engines.Position) {
			s.out = AppendExtras(s.out, &p.State, by(p))
		})
	default:
		return fmt.Errorf("as %q: expected planes or text", r.As)
	}
	s.out = append(s.out, '}')
	return nil
}

// tableMemory is the maximum memory in bytes for solving a game.
const tableMemory = 256_000_000

// values answers with the exact value of each selected game for the side to move, and the plies to the end; null for a
// finished game.
func (s *Server) values(ctx context.Context, meant []int) error {
	if s.table == nil && s.unable == nil {
		s.table, s.unable = solve.Solve(ctx, s.game, solve.Options{Memory: tableMemory})
	}
	if s.unable != nil {
		return fmt.Errorf("no exact values: %w", s.unable)
	}
	var missing error
	s.list(`{"values":`, meant, func(p *engines.Position) {
		if p.Over() {
			s.out = append(s.out, "null"...)
			return
		}
		v, ok := s.table.Lookup(&p.State)
		if !ok {
			missing = fmt.Errorf("the table has no value for %s", p.Text())
			return
		}
		v = v.Under(p.Game().Rules().Draw.MaxPlies, p.Ply())
		s.out = append(s.out, `{"value":`...)
		s.out = strconv.AppendInt(s.out, int64(v.Outcome), 10)
		s.out = append(s.out, `,"plies":`...)
		s.out = append(strconv.AppendInt(s.out, int64(v.DTW), 10), '}')
	})
	s.out = append(s.out, '}')
	return missing
}
