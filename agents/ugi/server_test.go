package ugi

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// first plays the first legal move and keeps the limits that it was given. With think it waits for that first.
type first struct {
	limits []Limits
	think  func(context.Context)
}

func (f *first) NewGame([2]uint64) {}

func (f *first) Choose(ctx context.Context, p *engines.Position, l Limits) (engines.Move, Info, error) {
	f.limits = append(f.limits, l)
	if f.think != nil {
		f.think(ctx)
	}
	info := Info{Score: math.NaN()}
	if l.Depth == 9 {
		info = Info{Depth: 9, Nodes: 10, Score: 0.75, PV: []string{"a1", "b2"}}
	}
	return p.AppendMoves(nil)[0], info, nil
}

// What the server answers to whole conversations. The first legal move of classic is a1.
func TestServer(t *testing.T) {
	t.Parallel()
	const refused = "info string error no position: the last position was invalid\n"
	for _, c := range []struct{ name, in, want string }{
		{"greeting", "ugi\nisready\n", "id name Spar me (classic)\noption name Seed type string default 0:0\nugiok\nreadyok\n"},
		{"a move", "position startpos\ngo depth 1\n", "bestmove a1\n"},
		{"what is known of a move", "position startpos\ngo depth 9\n", "info depth 9 nodes 10 wdl 750 0 250 pv a1 " +
			"b2\nbestmove a1\n"},
		{"carriage returns", "position startpos\r\ngo depth 1\r\n", "bestmove a1\n"},
		{
			"each go has an answer", "go\ngo depth 1\ngo infinite\nposition startpos moves a1\ngo\nquit\n",
			strings.Repeat("bestmove a1\n", 3) + "bestmove b1\n",
		},
		{
			"a game that is over", "position startpos moves a1 a2 b1 b2 c1\ngo\nquery gameover\nquery result\n",
			"bestmove 0000\nresponse true\nresponse p1win\n",
		},
		{
			"queries", "query p1turn\nposition startpos moves b2\nquery p1turn\nquery gameover\nquery result\n",
			"response true\nresponse false\nresponse false\nresponse none\n",
		},
		{"an unknown query", "query age\n", "info string unknown query age\n"},
		{
			"an illegal move", "position startpos moves a1\nposition startpos moves a1 a1\ngo depth 1\nquery p1turn\n",
			"info string error ply 2: illegal move a1: the cell is occupied\n" + refused + "bestmove 0000\n" + refused +
				"response none\n",
		},
		{
			"a good position after a bad one", "position nowhere\nposition startpos moves a1\ngo\n",
			"info string error expected startpos or fen after position, then moves\nbestmove b1\n",
		},
		{"a new game after a bad position", "position\nuginewgame\ngo\n", "info string error expected startpos or fen " +
			"after position, then moves\nbestmove a1\n"},
		{"a seed that is none", "setoption name Seed value x\n", "info string error seed \"x\": expected two " +
			"numbers, like 1:2\n"},
		{"unknown commands", "hello\n\nregister later\nisready\n", "readyok\n"},
		{"nothing after quit", "quit\nisready\n", ""},
		{"5 MB", "position startpos moves a1" + strings.Repeat(" ", 5<<20) + "\ngo\n", "bestmove b1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := Serve(context.Background(), enginetest.Load(t, "classic"), "me", &first{}, strings.NewReader(c.in),
				&out); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestServerRefusesEndlessLines(t *testing.T) {
	t.Parallel()
	err := Serve(context.Background(), enginetest.Load(t, "classic"), "me", &first{}, io.LimitReader(zeros{}, 1<<30),
		io.Discard)
	if !errors.Is(err, errLine) {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// Limits of 0 and less are the smallest there are, and large ones do not overflow.
func TestLimits(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for line, want := range map[string]Limits{
		"":                           {},
		"movetime 0":                 {MoveTime: AtOnce},
		"movetime -5":                {MoveTime: AtOnce},
		"movetime 250":               {MoveTime: 250 * time.Millisecond},
		"movetime 99999999999999999": {MoveTime: day},
		"depth 0":                    {Depth: 1},
		"depth 7 nodes 9":            {Depth: 7, Nodes: 9},
		"depth 9999999999":           {Depth: 200},
		"nodes 0":                    {Nodes: 1},
		"infinite":                   {Infinite: true},
		"p1time 0 p2time 10":         {Clock: [2]time.Duration{AtOnce, 10 * time.Millisecond}},
		"p1time 5 p2time 6 p1inc 7 p2inc 8": {
			Clock: [2]time.Duration{5 * time.Millisecond, 6 * time.Millisecond},
			Inc:   [2]time.Duration{7 * time.Millisecond, 8 * time.Millisecond},
		},
		"depth x nodes": {},
	} {
		p := &first{}
		if err := Serve(context.Background(), enginetest.Load(t, "classic"), "me", p, strings.NewReader("go "+line+"\n"),
			io.Discard); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]Limits{want}, p.limits); diff != "" {
			t.Errorf("go %s: %s", line, diff)
		}
	}
}

// dialogue is a server whose manager speaks line by line.
type dialogue struct {
	*bufio.Scanner
	in   *io.PipeWriter
	done chan error
}

func newDialogue(ctx context.Context, t *testing.T, p Player) *dialogue {
	t.Helper()
	fromManager, in := io.Pipe()
	out, fromServer := io.Pipe()
	d := &dialogue{bufio.NewScanner(out), in, make(chan error, 1)}
	go func() {
		d.done <- Serve(ctx, enginetest.Load(t, "classic"), "me", p, fromManager, fromServer)
		_ = fromServer.Close() // nobody has failed
	}()
	t.Cleanup(func() { _ = in.Close() }) // the server's reader ends
	return d
}

// say sends a line and checks the answer.
func (d *dialogue) say(t *testing.T, line, want string) {
	t.Helper()
	must.Get(io.WriteString(d.in, line+"\n"))(t)
	if want != "" && (!d.Scan() || d.Text() != want) {
		t.Fatalf("%s: %q, want %s", line, d.Text(), want)
	}
}

// A search with a limit is finished after quit and after the end of the input.
func TestQuitAwaitsTheAnswer(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"quit\n", ""} {
		ended := false
		p := &first{think: func(ctx context.Context) {
			select {
			case <-ctx.Done():
				ended = true
			case <-time.After(20 * time.Millisecond): // by then quit has been read
			}
		}}
		var out strings.Builder
		err := Serve(t.Context(), enginetest.Load(t, "classic"), "me", p, strings.NewReader("go depth 2\n"+end), &out)
		if err != nil || ended || out.String() != "bestmove a1\n" {
			t.Errorf("%q: ended early: %t; %q, %v", end, ended, out.String(), err)
		}
	}
}

// Whoever thinks until the context ends is ended by stop and by the end of the server's context, without a limit also
// by quit and by the end of the input, and answers.
func TestThinkingEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(d *dialogue, cancel func()){
		"stop":     func(d *dialogue, _ func()) { _, _ = io.WriteString(d.in, "stop\n") },
		"quit":     func(d *dialogue, _ func()) { _, _ = io.WriteString(d.in, "quit\n") },
		"input":    func(d *dialogue, _ func()) { _ = d.in.Close() },
		"context":  func(_ *dialogue, cancel func()) { cancel() },
		"position": func(d *dialogue, _ func()) { _, _ = io.WriteString(d.in, "position startpos\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			thinking := make(chan struct{})
			d := newDialogue(ctx, t, &first{think: func(ctx context.Context) { close(thinking); <-ctx.Done() }})
			d.say(t, map[bool]string{true: "go infinite", false: "go depth 30"}[name == "quit" || name == "input"], "")
			<-thinking
			d.say(t, "isready", "readyok") // also while it thinks
			end(d, cancel)
			if !d.Scan() || d.Text() != "bestmove a1" {
				t.Errorf("%q", d.Text())
			}
			if name == "stop" || name == "position" {
				d.say(t, "isready", "readyok")
				_ = d.in.Close()
			}
			if err := <-d.done; err != nil {
				t.Error(err)
			}
		})
	}
}

// The answer to go infinite comes after stop, though the player has had it before.
func TestInfinite(t *testing.T) {
	t.Parallel()
	chosen := make(chan struct{})
	d := newDialogue(context.Background(), t, &first{think: func(context.Context) { close(chosen) }})
	d.say(t, "go infinite", "")
	<-chosen
	for range 100 {
		d.say(t, "isready", "readyok")
	}
	d.say(t, "stop", "bestmove a1")
}
