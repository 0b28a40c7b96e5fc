package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/solve"
)

// Exact is the result of a game under perfect play.
type Exact struct {
	Winner string `json:"winner"` // first, second or draw
	Plies  int    `json:"plies"`  // plies to the end with best play; 0 for a draw
	Value  string `json:"value"`  // value in words, like "win in 13"
	States uint64 `json:"states"`
	// positions searched to prove the value of the start; 0 if it comes from a table
	Proved  uint64 `json:"proved,omitempty"`
	Keeping int    `json:"keeping"`     // number of first moves that keep the value
	FirstOf int    `json:"first_moves"` // number of first moves
	Text    string `json:"text"`
}

// Decided reports whether one side can force a win.
func (e *Exact) Decided() bool { return e != nil && e.Winner != "draw" }

// SolveMemory is the default memory for solving a game, in bytes.
const SolveMemory = 64_000_000

// ExactOfTable returns the value of a solved game; nil if there is no table.
func ExactOfTable(g *engines.Game, table *solve.Table) *Exact {
	if table == nil {
		return nil
	}
	s := table.Stats()
	limit := g.Rules().Draw.MaxPlies
	root := s.Root.Under(limit, 0)
	out := &Exact{
		Winner:  root.Outcome.Result(engines.First).String(),
		Plies:   root.DTW,
		Value:   root.String(),
		States:  s.States,
		FirstOf: len(s.Openings),
	}
	for _, o := range s.Openings {
		if o.Value.Under(limit, 0).Outcome == root.Outcome {
			out.Keeping++
		}
	}
	if root != s.Root {
		out.Text = fmt.Sprintf("With best play the game is a draw by the ply cap; without the cap, the %s player would win "+
			"in %d plies.", s.Winner(), s.Root.DTW)
		return out
	}
	how := root.How()
	if out.Plies > 0 {
		how += plain.If(out.Plies == 1, " ply", " plies")
	}
	switch out.Winner {
	case "draw":
		out.Text = fmt.Sprintf("With best play the game is a draw; %s it.", out.firstMoves("keep"))
	case "first":
		out.Text = fmt.Sprintf("The first player wins by force, %s; %s.", how, out.firstMoves("win"))
	default:
		out.Text = fmt.Sprintf("The second player wins by force, %s.", how)
	}
	return out
}

// Brief returns the value in a few words, like "draw" or "the first player wins in 23 plies"; empty if the winner is
// unknown.
func (e Exact) Brief() string {
	switch {
	case e.Winner == "" || e.Winner == "draw":
		return e.Winner
	case e.Plies > 0:
		return fmt.Sprintf("the %s player wins in %d %s", e.Winner, e.Plies, plain.If(e.Plies == 1, "ply", "plies"))
	}
	return "the " + e.Winner + " player wins"
}

// firstMoves writes how many first moves keep the value, with the verb in the singular or plural.
func (e *Exact) firstMoves(verb string) string {
	if e.Keeping == 1 {
		verb += "s"
	}
	moves := "moves"
	if e.FirstOf == 1 {
		moves = "move"
	}
	return fmt.Sprintf("%d of %d first %s %s", e.Keeping, e.FirstOf, moves, verb)
}

// ProofNodes is the number of positions that a report searches to prove who wins a game that it cannot solve. It
// takes about a second.
const ProofNodes = 100_000

// ExactOf returns the exact value of rules if it is cheap: if solving takes at most memory bytes, or a proof at most
// the given number of positions; else nil. It returns an error only if ctx ends.
func ExactOf(ctx context.Context, g *engines.Game, memory int64, positions uint64, workers int) (*Exact, error) {
	table, err := Solve(ctx, g, memory, workers)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && table != nil {
		return ExactOfTable(g, table), nil
	}
	out := ExactOfProof(g, Prove(ctx, g, positions))
	return out, ctx.Err()
}

// Prove tries to prove who wins from the start. It returns nil if that takes more than the given number of positions.
// Games with a dedicated search, such as line games, are proved so often that their search may take four times as many
// positions.
func Prove(ctx context.Context, g *engines.Game, positions uint64) *solve.Proof {
	s := g.NewState()
	if solve.HasProver(g) {
		positions *= 4
	}
	p, err := solve.Prove(ctx, &s, solve.ProofOptions{Nodes: positions, Workers: 1, Quick: true})
	if err != nil || !p.Known() {
		return nil
	}
	return &p
}

// ExactOfProof returns the value that a proof shows; nil without a proof. A proof ignores the ply cap. If the
// rules have one, only the proof of a draw is valid, because a win may come after the cap.
func ExactOfProof(g *engines.Game, p *solve.Proof) *Exact {
	if p == nil || p.AtLeast != solve.Draw && g.Rules().Draw.MaxPlies > 0 {
		return nil
	}
	out := &Exact{Winner: p.AtLeast.Result(engines.First).String(), Value: p.AtLeast.String(), Proved: p.Nodes}
	text := map[string]string{
		"first": "The first player wins by force", "second": "The second player wins by force",
		"draw": "With best play the game is a draw",
	}[out.Winner]
	if p.Move != engines.NoMove && out.Winner == "first" {
		text += ", beginning with " + g.MoveText(p.Move)
	}
	out.Text = fmt.Sprintf("%s (proved, positions searched: %d).", text, p.Nodes)
	return out
}

// Solve solves a game whose table fits into the given memory in bytes. For other games, and if memory is 0, it
// returns nil without an error.
func Solve(ctx context.Context, g *engines.Game, memory int64, workers int) (*solve.Table, error) {
	if memory < 0 {
		return nil, nil
	}
	memory = cmp.Or(memory, SolveMemory)
	table, err := solve.Solve(ctx, g, solve.Options{Memory: memory, Workers: workers})
	var large *solve.MemoryError
	if errors.As(err, &large) {
		return nil, fmt.Errorf("the game is too large to solve in %s of memory", solve.ByteText(memory))
	}
	return table, err
}

// SolveFirst tries to solve or prove the rules before the study. If it succeeds, the study needs no inquiry. If ctx
// ends first, the study keeps its inquiry.
func (c *Campaign) SolveFirst(ctx context.Context, workers int) error {
	x, err := ExactOf(ctx, c.Rules.Game, SolveMemory, ProofNodes, workers)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if x != nil {
		c.Record.Inquiry = Inquiry{}
	}
	return err
}
