package ugi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"spar/engines"
)

// Limits is what a go command allows.
type Limits struct {
	Depth    int
	Nodes    int64
	MoveTime time.Duration
	Clock    [2]time.Duration // time left, first and second player; 0 = no clock
	Inc      [2]time.Duration
}

// Player is what Serve lets others play against.
type Player interface {
	NewGame(seed [2]uint64)
	// Choose returns a legal move. When the context ends it is due at once.
	Choose(ctx context.Context, p *engines.Position, l Limits) (engines.Move, error)
}

// Serve speaks the engine's side of the protocol until quit or the end of the input. Besides what the protocol knows it answers
// "query legalmoves", "query fen" and "query board", and takes the option Seed, two numbers with a colon between them.
func Serve(ctx context.Context, g *engines.Game, name string, player Player, in io.Reader, out io.Writer) error {
	s := &server{g: g, player: player, out: out, position: g.NewPosition()}
	defer s.stop()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() && ctx.Err() == nil {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "ugi":
			s.say("id name Spar %s (%s)\noption name Seed type string default 0:0\nugiok", name, g.Name())
		case "isready":
			s.say("readyok")
		case "setoption":
			s.setOption(words[1:])
		case "uginewgame":
			s.stop()
			s.player.NewGame(s.seed)
			s.position = g.NewPosition()
		case "position":
			s.stop()
			if err := s.setPosition(words[1:]); err != nil {
				s.say("info string error %v", err)
			}
		case "query":
			s.query(strings.Join(words[1:], " "))
		case "go":
			s.start(ctx, words[1:])
		case "stop":
			s.stop()
		case "quit":
			return nil
		}
	}
	s.wait()
	return lines.Err()
}

type server struct {
	g        *engines.Game
	player   Player
	position *engines.Position
	seed     [2]uint64
	mu       sync.Mutex // guards out
	out      io.Writer
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

func (s *server) setPosition(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("position: expected startpos or fen")
	}
	at := len(words)
	for i, w := range words {
		if w == "moves" {
			at = i
			break
		}
	}
	p := s.g.NewPosition()
	if words[0] == "fen" {
		state, err := s.g.ParseState(strings.Join(words[1:at], " "))
		if err != nil {
			return err
		}
		p = engines.PositionAt(state)
	}
	if at < len(words) {
		if err := p.PlayText(words[at+1:]); err != nil {
			return err
		}
	}
	s.position = p
	return nil
}

func (s *server) query(what string) {
	p := s.position
	result := map[engines.Result]string{engines.Ongoing: "none", engines.FirstWins: "p1win", engines.SecondWins: "p2win", engines.Drawn: "draw"}
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
		s.say("response %s", strings.Join(p.Board(), "/"))
	default:
		s.say("info string unknown query %s", what)
	}
}

// start begins a search; its answer comes when it is done or stopped.
func (s *server) start(ctx context.Context, words []string) {
	s.stop()
	if s.position.Over() {
		s.say("bestmove 0000")
		return
	}
	l := parseLimits(words)
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	p := s.position.Clone()
	go func() {
		defer close(s.done)
		m, err := s.player.Choose(ctx, p, l)
		if err != nil {
			s.say("info string error %v", err)
			s.say("bestmove 0000")
			return
		}
		s.say("bestmove %s", s.g.MoveText(m))
	}()
}

func parseLimits(words []string) Limits {
	var l Limits
	for i := 0; i+1 < len(words); i++ {
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil {
			continue
		}
		ms := time.Duration(n) * time.Millisecond
		switch words[i] {
		case "depth":
			l.Depth = int(n)
		case "nodes":
			l.Nodes = n
		case "movetime":
			l.MoveTime = ms
		case "p1time":
			l.Clock[0] = ms
		case "p2time":
			l.Clock[1] = ms
		case "p1inc":
			l.Inc[0] = ms
		case "p2inc":
			l.Inc[1] = ms
		}
	}
	return l
}

// stop ends a search that runs and waits for its answer.
func (s *server) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.wait()
}

func (s *server) wait() {
	if s.done != nil {
		<-s.done
		s.cancel()
		s.done, s.cancel = nil, nil
	}
}
