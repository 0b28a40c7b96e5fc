package ugi

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// answers is what a conversation with an engine comes to that says all of that at once, by a plain reading of its
// lines.
func answers(text string) (move string, ok bool) {
	lines := strings.Split(text, "\n")
	lines = lines[:len(lines)-1] // what stands after the last newline was cut off
	for _, word := range []string{"ugiok", "readyok", "readyok"} {
		at := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) == word })
		if at < 0 {
			return "", false
		}
		lines = lines[at+1:]
	}
	for _, line := range lines {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "bestmove" {
			return strings.Join(words[1:min(2, len(words))], ""), len(words) > 1
		}
	}
	return "", false
}

// FuzzEngineOutput: whatever an engine says, the client finds its move or a fault of it, and does not wait.
func FuzzEngineOutput(f *testing.F) {
	for _, text := range []string{
		"ugiok\nreadyok\nreadyok\nbestmove a1\n", "id name x\noption name Seed type string\nugiok\r\n readyok \nbestmove " +
			"b1\nreadyok\ninfo\nbestmove a1 ponder b2\n",
		"ugiok\nreadyok\nreadyok\nbestmove\n", "ugiok\nreadyok\nreadyok\nbestmover a1\nbestmove a1", "\n\x00\xff",
		"ugiok ugiok\n", "ugiok\nreadyok\nreadyok\n\tbestmove\ta1\n",
	} {
		f.Add([]byte(text))
	}
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		defer watch()()
		in, theirIn := must.Get2(newPipe(true))(t)
		out, theirOut := must.Get2(newPipe(false))(t)
		defer func() { _ = errors.Join(in.Close(), out.Close(), theirIn.Close()) }()
		go func() {
			_, _ = theirOut.Write(text) // the client need not read it all
			_ = theirOut.Close()
		}()
		e := &Engine{wire: newWire(in, out, nil), handshake: time.Minute, offered: map[string]bool{}}
		got, err := "", e.greet(context.Background(), nil)
		if err == nil {
			got, err = e.BestMove(context.Background(), "position startpos", "go", time.Minute)
		}
		if want, ok := answers(string(text)); got != want || ok != (err == nil) {
			t.Errorf("%q, %v; want %q, %v", got, err, want, ok)
		}
		if err != nil && !errors.Is(err, ErrGone) && !errors.Is(err, ErrGarbage) {
			t.Errorf("%v is no fault of the engine", err)
		}
	})
}

// FuzzServe: whatever a manager says, every isready and every go has one answer, every known query too, and all are
// lines that the protocol knows.
func FuzzServe(f *testing.F) {
	for _, text := range []string{
		"ugi\nisready\nuginewgame\nposition startpos moves b2 a1\ngo movetime 0\nquery p1turn\nquery result\nstop\nquit\n",
		"position fen . moves b2\ngo infinite\ngo depth -1\n",
		"setoption name Seed value 1:2\nquery legalmoves\nquery fen\nquery board\nquery x",
		"position startpos moves\nposition moves moves\nposition fen\ngo\n",
		"go p1time 1 p2time 99999999999999999999 infinite\nquit\ngo\n", "\x00\n\xff \n",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, text string, moves bool) {
		defer watch()()
		g := enginetest.Load(t, map[bool]string{false: "classic", true: "infiltration-6x6"}[moves])
		var out bytes.Buffer
		must.Do(t, Serve(context.Background(), g, "me", &first{}, strings.NewReader(text), &out))
		want := map[string]int{}
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			if words[0] == "quit" {
				break
			}
			switch words[0] {
			case "ugi":
				want["ugiok"]++
			case "isready":
				want["readyok"]++
			case "go":
				want["bestmove"]++
			}
		}
		got := map[string]int{}
		for line := range strings.Lines(out.String()) {
			word := strings.Fields(line)
			if len(word) == 0 {
				t.Fatalf("an empty line in %q", out.String())
			}
			got[word[0]]++
		}
		for word, n := range got {
			switch word {
			case "ugiok", "readyok", "bestmove":
				if n != want[word] {
					t.Errorf("%d times %s, want %d", n, word, want[word])
				}
			case "id", "option", "info", "response":
			default:
				t.Errorf("a line of %s", word)
			}
		}
		for word, n := range want {
			if got[word] != n {
				t.Errorf("%d times %s, want %d", got[word], word, n)
			}
		}
	})
}
