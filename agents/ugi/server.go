package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"spar/engines"
)

// Limits are the limits in a go command. A zero field sets no limit.
type Limits struct {
	Depth    int
	Nodes    int64
	MoveTime time.Duration // time for this move; AtOnce if the command says 0 or less
	// remaining times of the first and the second player; AtOnce if the command says 0 or less
	Clock    [2]time.Duration
	Inc      [2]time.Duration
	Infinite bool // no limit: search until the context ends
}

// AtOnce means a time of 0 or less in a go command: the move is due at once.
const AtOnce = time.Nanosecond

// The largest supported limits.
const (
	maxDepth = 200
	maxTime  = 24 * time.Hour
)

// Player is the agent that Serve makes available.
type Player interface {
	NewGame(seed [2]uint64)
	// Choose returns a legal move with information about it: Score is NaN and the other fields are 0 if unknown. When
	// the context ends, Choose must return at once.
	Choose(ctx context.Context, p *engines.Position, l Limits) (engines.Move, Info, error)
}

// Serve acts as an engine for the manager at in and out, until quit, the end of the input or of the context. A search
// with a limit still answers after quit or the end of the input; the end of the context ends every search. Besides
// the commands of the protocol it answers "query legalmoves", "query fen" and "query board", and accepts the option
// Seed, two numbers with a colon between them. After it has rejected a position, it has no position. It then answers
// go with bestmove 0000, and a query with "response none". An info line with the reason comes first. If the context
// ends before the input, a goroutine continues to wait for the next line.
func Serve(ctx context.Context, g *engines.Game, name string, player Player, in io.Reader, out io.Writer) error {
	s := &server{
		g:        g,
		name:     name,
		player:   player,
		out:      out,
		position: g.NewPosition(),
	}
	defer s.stop()
	over := make(chan struct{})
	defer close(over)
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		defer close(lines)
		from := bufio.NewScanner(in)
		from.Buffer(nil, MaxLine)
		for from.Scan() {
			select {
			case lines <- from.Text():
			case <-over:
				return
			}
		}
		failed <- from.Err()
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				s.finish()
				return inputError(<-failed)
			}
			if !s.obey(ctx, strings.Fields(line)) {
				s.finish()
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func inputError(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("standard input: %w", errLine)
	}
	return err
}

// obey executes one command. It returns false if that was the last one.
func (s *server) obey(ctx context.Context, words []string) bool {
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "ugi":
		s.say("id name Spar %s (%s)\noption name Seed type string default 0:0\nugiok", s.name, s.g.Name())
	case "isready":
		s.say("readyok")
	case "setoption":
		s.setOption(words[1:])
	case "uginewgame":
		s.stop()
		s.player.NewGame(s.seed)
		s.position = s.g.NewPosition()
	case "position":
		s.stop()
		var err error
		if s.position, err = s.readPosition(words[1:]); err != nil {
			s.say("info string error %v", err)
		}
	case "query":
		s.query(strings.Join(words[1:], " "))
	case "go":
		s.start(ctx, words[1:])
	case "stop":
		s.stop()
	case "quit":
		return false
	}
	return true
}

type server struct {
	g        *engines.Game
	name     string
	player   Player
	position *engines.Position // nil if the last position was invalid
	seed     [2]uint64
	mu       sync.Mutex // protects writes to out
	out      io.Writer
	endless  bool // the search ends by stop only
	cancel   context.CancelFunc
	done     chan struct{}
}

func (s *server) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...) // a manager that has gone closes our input, too
}

func (s *server) setOption(words []string) {
	if len(words) == 4 && words[0] == "name" && strings.EqualFold(words[1], "seed") && words[2] == "value" {
		a, b, _ := strings.Cut(words[3], ":")
		x, errX := strconv.ParseUint(a, 10, 64)
		y, errY := strconv.ParseUint(b, 10, 64)
		if errX != nil || errY != nil {
			s.say("info string error seed %q: expected two numbers, like 1:2", words[3])
			return
		}
		s.seed = [2]uint64{x, y}
	}
}

// readPosition parses "startpos" or "fen TEXT", and the moves after it.
func (s *server) readPosition(words []string) (*engines.Position, error) {
	start, moves := words, []string(nil)
	if at := slices.Index(words, "moves"); at >= 0 {
		start, moves = words[:at], words[at+1:]
	}
	var p *engines.Position
	switch {
	case len(start) == 1 && start[0] == "startpos":
		p = s.g.NewPosition()
	case len(start) > 1 && start[0] == "fen":
		state, err := s.g.ParseState(strings.Join(start[1:], " "))
		if err != nil {
			return nil, err
		}
		p = engines.PositionAt(state)
	default:
		return nil, fmt.Errorf("expected startpos or fen after position, then moves")
	}
	if err := p.PlayText(moves); err != nil {
		return nil, err
	}
	return p, nil
}

// noPosition returns the reason why there is no position to search.
const noPosition = "info string error no position: the last position was invalid"

func (s *server) query(what string) {
	p := s.position
	if p == nil {
		s.say(noPosition + "\nresponse none")
		return
	}
	result := map[engines.Result]string{
		engines.Ongoing:    "none",
		engines.FirstWins:  "p1win",
		engines.SecondWins: "p2win",
		engines.Drawn:      "draw",
	}
	switch what {
	case "p1turn":
		s.say("response %v", p.Side() == engines.First)
	case "gameover":
		s.say("response %v", p.Over())
	case "result":
		s.say("response %s", result[p.Result()])
	case "legalmoves":
		s.say("response %s", strings.Join(s.g.MoveTexts(p.AppendMoves(nil)), ","))
	case "fen":
		s.say("response %s", p.Text())
	case "board":
		s.say("response %s", strings.Fields(p.Text())[0])
	default:
		s.say("info string unknown query %s", what)
	}
}

// start starts a search. The search prints its move when it is finished or stopped.
func (s *server) start(ctx context.Context, words []string) {
	s.stop()
	switch {
	case s.position == nil:
		s.say(noPosition + "\nbestmove 0000")
		return
	case s.position.Over():
		s.say("bestmove 0000")
		return
	}
	l := parseLimits(words)
	s.endless = l.Infinite
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	p := s.position.Clone()
	go func() {
		defer close(s.done)
		m, info, err := s.player.Choose(ctx, p, l)
		if l.Infinite {
			<-ctx.Done() // the answer to go infinite comes after stop, also when there is nothing left to think about
		}
		if err != nil {
			s.say("info string error %v", err)
			s.say("bestmove 0000")
			return
		}
		if info.known() {
			s.say("%s", info.line())
		}
		s.say("bestmove %s", s.g.MoveText(m))
	}()
}

// parseLimits parses the arguments of go. A limit of 0 or less means the smallest possible limit, not none.
func parseLimits(words []string) Limits {
	var l Limits
	for i, word := range words {
		if word == "infinite" {
			l.Infinite = true
		}
		if i+1 == len(words) {
			break
		}
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil {
			continue
		}
		ms := time.Duration(min(max(n, 0), maxTime.Milliseconds())) * time.Millisecond
		switch word {
		case "depth":
			l.Depth = int(min(max(n, 1), maxDepth))
		case "nodes":
			l.Nodes = max(n, 1)
		case "movetime":
			l.MoveTime = max(ms, AtOnce)
		case "p1time":
			l.Clock[0] = max(ms, AtOnce)
		case "p2time":
			l.Clock[1] = max(ms, AtOnce)
		case "p1inc":
			l.Inc[0] = ms
		case "p2inc":
			l.Inc[1] = ms
		}
	}
	return l
}

// finish waits for the answer of a search that has a limit.
func (s *server) finish() {
	if s.done != nil && !s.endless {
		<-s.done
	}
}

// stop stops a running search and waits for its answer.
func (s *server) stop() {
	if s.done != nil {
		s.cancel()
		<-s.done
		s.done, s.cancel = nil, nil
	}
}
