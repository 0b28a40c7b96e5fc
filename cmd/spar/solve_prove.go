package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"spar/configs/files"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/connect"
	"spar/engines/solve"
	"spar/reports/table"
)

// prover holds the options of --prove.
type prover struct {
	g            *engines.Game
	label        string // name of the rules, with overrides
	moves        string // moves that lead to the position
	certificates string // path of the output file; empty = none
	asJSON, each bool
	o            solve.ProofOptions
}

func (p *prover) run(ctx context.Context, w io.Writer) error {
	at, err := bulk.Position(p.g, "", strings.Fields(p.moves))
	if err != nil {
		return usageError{err}
	}
	if at.Over() {
		return usagef("--prove: after %q the game is over: %s by %s", p.moves, at.Result(), at.Reason())
	}
	var written []certificate
	keep := func(moves string, r solve.Proof) {
		if r.Certificate != nil {
			written = append(written, certificate{p.g.Name(), moves, r.Certificate})
		}
	}
	if p.o.Certify = p.certificates != ""; p.o.Certify {
		if b, err := connect.New(p.g); err != nil || !b.Decisive {
			return usagef("--certificates: %s is not won by connecting two edges alone", p.g.Name())
		}
	}
	if p.each {
		err = p.eachMove(ctx, w, &at.State, keep)
	} else {
		err = p.position(ctx, w, &at.State, keep)
	}
	if p.certificates == "" || err != nil {
		return err
	}
	return files.Write(p.certificates, func(w io.Writer) error {
		for _, c := range written {
			if err := json.NewEncoder(w).Encode(c); err != nil {
				return err
			}
		}
		return nil
	})
}

func proofValue(r solve.Proof) string {
	if r.Known() {
		return r.AtLeast.String()
	}
	return "unknown"
}

// position proves a position and prints the proof.
func (p *prover) position(ctx context.Context, w io.Writer, s *engines.State, keep func(string, solve.Proof)) error {
	r, proofErr := solve.Prove(ctx, s, p.o)
	if proofErr != nil && ctx.Err() == nil {
		return proofErr
	}
	keep(p.moves, r)
	move := ""
	if r.Move != engines.NoMove {
		move = p.g.MoveText(r.Move)
	}
	if p.asJSON {
		err := printJSON(w, "proof", proof{p.label, p.moves, proofValue(r), r.AtLeast, r.AtMost, move, r.Nodes, r.Method})
		return errors.Join(err, proofErr)
	}
	name, value := p.label, proofValue(r)
	fmt.Fprintf(w, "%s after %q: %s for the side to move, %d positions expanded", name, p.moves, value, r.Nodes)
	if !r.Known() {
		fmt.Fprintf(w, " (at least %v, at most %v)", r.AtLeast, r.AtMost)
	}
	if r.Method != "" {
		fmt.Fprintf(w, "; %s", r.Method)
	}
	if move != "" {
		fmt.Fprintf(w, "; %s wins", move)
	}
	if limit := p.g.Rules().Draw.MaxPlies; limit > 0 && r.Known() && r.AtLeast != solve.Draw {
		fmt.Fprintf(w, "; the proof ignores draw.max_plies %d", limit)
	}
	_, err := fmt.Fprintln(w)
	return errors.Join(err, proofErr) // a search that was cancelled has said what it knows
}

// reply returns the move that refutes a losing move, if the proof names one.
func (p *prover) reply(m solve.MoveProof) string {
	if m.Proof.Move == engines.NoMove || !m.Known() || m.AtLeast != solve.Loss {
		return ""
	}
	return p.g.MoveText(m.Proof.Move)
}

// eachMove proves every move of a position. It prints JSON as soon as a move is proved, or a table at the end.
func (p *prover) eachMove(ctx context.Context, w io.Writer, s *engines.State, keep func(string, solve.Proof)) error {
	var done []solve.MoveProof
	var printErr error
	err := solve.ProveMoves(ctx, s, p.o, func(m solve.MoveProof) {
		done = append(done, m)
		text := p.g.MoveText(m.Move)
		keep(strings.TrimSpace(p.moves+" "+text), m.Proof)
		if p.asJSON {
			line := moveProof{p.label, p.moves, text, proofValue(m.Proof), m.AtLeast, m.AtMost, m.Nodes, p.reply(m)}
			printErr = errors.Join(printErr, printJSON(w, "move_proof", line))
		}
	})
	if p.asJSON {
		return errors.Join(err, printErr)
	}
	slices.SortFunc(done, func(a, b solve.MoveProof) int { return cmp.Compare(a.Move, b.Move) })
	t := table.To(w, []string{"move", "value", "positions", "reply"}, 3)
	count := map[string]int{}
	for _, m := range done {
		count[proofValue(m.Proof)]++
		t.Add(p.g.MoveText(m.Move), proofValue(m.Proof), m.Nodes, p.reply(m))
	}
	t.Write()
	_, printErr = fmt.Fprintf(w, "%d moves: %d win, %d draw, %d lose, %d unknown\n",
		len(done), count["win"], count["draw"], count["loss"], count["unknown"])
	return errors.Join(err, printErr)
}
