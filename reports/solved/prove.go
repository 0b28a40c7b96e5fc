package solved

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/solve"
	"spar/reports/screen"
	"spar/reports/table"
)

// Proof is a proved position.
type Proof struct {
	Rules   string        `json:"rules" help:"name of the rules"`
	Moves   string        `json:"moves" help:"moves that lead to the position"`
	Value   string        `json:"value" help:"value for the side to move: win, draw, loss or unknown"`
	AtLeast solve.Outcome `json:"at_least" help:"lower bound of the value"`
	AtMost  solve.Outcome `json:"at_most" help:"upper bound of the value"`
	Move    string        `json:"move" help:"a move that wins"` // the winning move; empty if there is none
	Nodes   uint64        `json:"nodes" help:"positions expanded"`
	Method  string        `json:"method,omitempty" help:"method of a line game's proof, like threat sequence"`
}

// MoveProof is a proved move.
type MoveProof struct {
	Rules   string        `json:"rules" help:"name of the rules"`
	Moves   string        `json:"moves" help:"moves that lead to the position"`
	Move    string        `json:"move" help:"move that is proved"`
	Value   string        `json:"value" help:"value for the side that makes the move: win, draw, loss or unknown"`
	AtLeast solve.Outcome `json:"at_least" help:"lower bound of the value"`
	AtMost  solve.Outcome `json:"at_most" help:"upper bound of the value"`
	Nodes   uint64        `json:"nodes" help:"positions expanded"`
	Reply   string        `json:"reply,omitempty" help:"a move that refutes the move, if it loses"`
}

// Prover proves a position, or each of its moves.
type Prover struct {
	Game    *engines.Game
	Label   string // name of the rules, with overrides
	Moves   string // moves that lead to the position
	Each    bool
	Options solve.ProofOptions
	Out     Output
}

// ErrPosition is returned for moves that do not lead to an unfinished position.
const ErrPosition = strict.Mistake("--prove")

// Run finds the proofs and prints them.
func (p *Prover) Run(ctx context.Context) error {
	at, err := bulk.Position(p.Game, "", strings.Fields(p.Moves))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if at.Over() {
		return fmt.Errorf("%w: after %q the game is over (result: %s, reason: %s)", ErrPosition, p.Moves, at.Result(),
			at.Reason())
	}
	if p.Each {
		return p.eachMove(ctx, &at.State)
	}
	return p.position(ctx, &at.State)
}

func proofValue(r solve.Proof) string {
	if r.Known() {
		return r.AtLeast.String()
	}
	return "unknown"
}

// position proves a position and prints the proof.
func (p *Prover) position(ctx context.Context, s *engines.State) error {
	out := p.Out.To
	r, proofErr := solve.Prove(ctx, s, p.Options)
	if proofErr != nil && ctx.Err() == nil {
		return proofErr
	}
	move := ""
	if r.Move != engines.NoMove {
		move = p.Game.MoveText(r.Move)
	}
	if p.Out.JSON {
		err := p.Out.Object("proof", Proof{p.Label, p.Moves, proofValue(r), r.AtLeast, r.AtMost, move, r.Nodes, r.Method})
		return errors.Join(err, proofErr)
	}
	name, value := p.Label, proofValue(r)
	fmt.Fprintf(out, "%s after %q: %s for the side to move, %s expanded", name, p.Moves, value,
		screen.Plural(r.Nodes, "position"))
	if !r.Known() {
		fmt.Fprintf(out, " (the value is at least %v and at most %v)", r.AtLeast, r.AtMost)
	}
	if r.Method != "" {
		fmt.Fprintf(out, "; %s", r.Method)
	}
	if move != "" {
		fmt.Fprintf(out, "; %s wins", move)
	}
	limit := p.Game.Rules().Draw.MaxPlies
	if limit > 0 && r.Known() && r.AtLeast != solve.Draw {
		fmt.Fprintf(out, "; the proof ignores draw.max_plies %d", limit)
	}
	_, err := fmt.Fprintln(out)
	return errors.Join(err, proofErr) // a search that was cancelled has said what it knows
}

// reply returns the move that refutes a losing move, if the proof names one.
func (p *Prover) reply(m solve.MoveProof) string {
	if m.Proof.Move == engines.NoMove || !m.Known() || m.AtLeast != solve.Loss {
		return ""
	}
	return p.Game.MoveText(m.Proof.Move)
}

// eachMove proves every move of a position. It prints JSON as soon as a move is proved, or a table at the end.
func (p *Prover) eachMove(ctx context.Context, s *engines.State) error {
	var done []solve.MoveProof
	var printErr error
	err := solve.ProveMoves(ctx, s, p.Options, func(m solve.MoveProof) {
		done = append(done, m)
		text := p.Game.MoveText(m.Move)
		if p.Out.JSON {
			line := MoveProof{p.Label, p.Moves, text, proofValue(m.Proof), m.AtLeast, m.AtMost, m.Nodes, p.reply(m)}
			printErr = errors.Join(printErr, p.Out.Object("move_proof", line))
		}
	})
	if p.Out.JSON {
		return errors.Join(err, printErr)
	}
	slices.SortFunc(done, func(a, b solve.MoveProof) int { return cmp.Compare(a.Move, b.Move) })
	t := table.To(p.Out.To, []string{"move", "value", "positions", "reply"}, 3)
	count := map[string]int{}
	for _, m := range done {
		count[proofValue(m.Proof)]++
		t.Add(p.Game.MoveText(m.Move), proofValue(m.Proof), m.Nodes, p.reply(m))
	}
	t.Write()
	_, printErr = fmt.Fprintf(p.Out.To, "%d moves: %d win, %d draw, %d lose, %d unknown\n",
		len(done), count["win"], count["draw"], count["loss"], count["unknown"])
	return errors.Join(err, printErr)
}
