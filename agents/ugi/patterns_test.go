package ugi

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// What the test binary can be besides itself.
const (
	guardWord = "guard"
	moverEnv  = "SPAR_TEST_MOVER"
	ownerEnv  = "SPAR_TEST_OWNER"
)

// guarded is a context under which the test binary is the guardian of engines.
func guarded() context.Context {
	return WithHost(context.Background(), Host{Guardian: []string{os.Args[0], guardWord}})
}

// shellWord makes the test binary a shell, which is no guardian.
const shellWord = "shell"

// TestMain lets the test binary be a guardian, a trivial engine, or the owner of an engine.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == guardWord:
		os.Exit(Guard(os.Args[2:]))
	case len(os.Args) > 1 && os.Args[1] == shellWord:
		_ = syscall.Exec("/bin/sh", append([]string{"sh", "-c"}, os.Args[2:]...), os.Environ())
	case os.Getenv(moverEnv) != "":
		move()
	case os.Getenv(ownerEnv) != "":
		own()
	default:
		goleak.VerifyTestMain(m)
	}
}

// move is an engine that answers with the first free cell of a 3x3 board.
func move() {
	var moves string
	board := cells()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		word, _, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "ugi":
			fmt.Println("ugiok")
		case "isready":
			fmt.Println("readyok")
		case "query":
			fmt.Println("response false")
		case "position":
			_, moves, _ = strings.Cut(in.Text(), "moves")
		case "go":
			for _, cell := range board {
				if !strings.Contains(moves, cell) {
					fmt.Println("bestmove", cell)
					break
				}
			}
		}
	}
}

func cells() []string { return strings.Fields("a1 b1 c1 a2 b2 c2 a3 b3 c3") }

// The cost of a game over UGI is that of its round trips. Spar knows the rules, so a ply is one round trip; a manager that does
// not asks the engines whose turn it is, whether they are ready and whether the game is over, before it asks for the move. As many
// games go on at a time as there are cores, as in a tournament.
func BenchmarkRoundTrips(b *testing.B) {
	b.Setenv(moverEnv, "1")
	for _, pattern := range []struct {
		name  string
		asked []string // before the move
	}{
		{"one a ply", nil},
		{"four a ply", []string{"query p1turn", "isready", "query gameover"}},
	} {
		b.Run(pattern.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				var engines [2]*Engine
				for i := range engines {
					e, err := Start(guarded(), Command{Path: os.Args[0]})
					if err != nil {
						b.Error(err)
						return
					}
					defer e.Close()
					engines[i] = e
				}
				for pb.Next() {
					if err := playMovers(engines, pattern.asked); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// playMovers plays the movers' game of seven plies, in which the first player wins with a3.
func playMovers(engines [2]*Engine, asked []string) error {
	ctx, position := context.Background(), "position startpos moves"
	for ply, want := range cells()[:7] {
		e := engines[ply%2]
		for _, ask := range asked {
			if strings.HasPrefix(ask, "query") {
				ask = position + "\n" + ask
			}
			if err := e.ask(ctx, ask); err != nil {
				return err
			}
		}
		move, err := e.BestMove(ctx, position, "go depth 1", time.Second)
		if err != nil || move != want {
			return fmt.Errorf("ply %d: %q, %w", ply+1, move, err)
		}
		position += " " + move
	}
	return nil
}

// ask sends a question and reads one line.
func (e *Engine) ask(ctx context.Context, question string) error {
	if err := e.within(ctx, time.Second); err != nil {
		return err
	}
	if err := e.send(ctx, question, question); err != nil {
		return err
	}
	_, err := e.next(ctx, question)
	return err
}
