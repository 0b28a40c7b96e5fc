package balance

import (
	"context"
	"fmt"

	"spar/engines"
	"spar/engines/solve"
)

// exact is what the solved game says.
func exact(g *engines.Game, table *solve.Table) *Exact {
	if table == nil {
		return nil
	}
	s := table.Stats()
	limit := g.Rules().Draw.MaxPlies
	root := s.Root.Under(limit, 0)
	out := &Exact{Winner: winner(root), Plies: root.DTW, Value: root.String(), States: s.States, FirstOf: len(s.Openings)}
	for _, o := range s.Openings {
		if o.Value.Under(limit, 0).Outcome == root.Outcome {
			out.Keeping++
		}
	}
	if root != s.Root {
		out.Text = fmt.Sprintf("With best play the ply cap makes it a draw: without it, the %s player would win in %d plies.", s.Winner(), s.Root.DTW)
		return out
	}
	switch out.Winner {
	case "draw":
		out.Text = fmt.Sprintf("With best play it is a draw; %s it.", out.firstMoves("keep"))
	case "first":
		out.Text = fmt.Sprintf("The first player wins by force, in %d plies; %s it.", out.Plies, out.firstMoves("do"))
	default:
		out.Text = fmt.Sprintf("The second player wins by force, in %d plies.", out.Plies)
	}
	return out
}

// Brief is the value in a few words, like "draw" or "first player wins in 23"; empty where the winner is not known.
func (e Exact) Brief() string {
	switch {
	case e.Winner == "" || e.Winner == "draw":
		return e.Winner
	case e.Plies > 0:
		return fmt.Sprintf("%s player wins in %d", e.Winner, e.Plies)
	}
	return e.Winner + " player wins"
}

// firstMoves says how many of the first moves keep the value, with a verb for several.
func (e *Exact) firstMoves(verb string) string {
	if e.Keeping == 1 {
		verb = map[string]string{"keep": "keeps", "do": "does"}[verb]
	}
	moves := "moves"
	if e.FirstOf == 1 {
		moves = "move"
	}
	return fmt.Sprintf("%d of %d first %s %s", e.Keeping, e.FirstOf, moves, verb)
}

// endsSurely says why every game ends by the rules, whoever plays: pieces only come, and cells run out. It is empty where that does not
// follow from the rules, or where a ply cap may come first.
func endsSurely(g *engines.Game) string {
	free, err := solve.Endless(g) // without draws by repetition and by the cap
	limit := g.Rules().Draw.MaxPlies
	if err != nil || free.MayNotEnd() || limit > 0 && limit < g.Cells() {
		return ""
	}
	return fmt.Sprintf("every game ends by the rules: nothing leaves the board and nothing moves, so that its %d cells run out", g.Cells())
}

// ProofNodes are the positions that a report spends on proving who wins a game that it cannot solve: about a second.
const ProofNodes = 100_000

// ExactOf is the exact value of rules where it can be had for little: solved in so many bytes, or proved with no more than that many
// positions; else nil. It fails only when ctx ends.
func ExactOf(ctx context.Context, g *engines.Game, memory int64, positions uint64, workers int) (*Exact, error) {
	table, err := solved(ctx, Data{Game: g}, memory, workers)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && table != nil {
		return exact(g, table), table.Close()
	}
	out := proved(g, proof(ctx, g, positions))
	return out, ctx.Err()
}

// proof tries to prove who wins from the start; nil where that takes more positions.
func proof(ctx context.Context, g *engines.Game, positions uint64) *solve.Proof {
	s := g.NewState()
	p, err := solve.Prove(ctx, &s, solve.ProofOptions{Nodes: positions, Workers: 1})
	if err != nil || !p.Known() {
		return nil
	}
	return &p
}

// proved is what a proof says. A proof knows no ply cap, so that under one only a draw holds: the win may come too late.
func proved(g *engines.Game, p *solve.Proof) *Exact {
	if p == nil || p.AtLeast != solve.Draw && g.Rules().Draw.MaxPlies > 0 {
		return nil
	}
	out := &Exact{Winner: winner(solve.Value{Outcome: p.AtLeast}), Value: p.AtLeast.String(), Proved: p.Nodes}
	text := map[string]string{"first": "The first player wins by force", "second": "The second player wins by force", "draw": "With best play it is a draw"}[out.Winner]
	if p.Move != engines.NoMove && out.Winner == "first" {
		text += ", beginning with " + g.MoveText(p.Move)
	}
	out.Text = fmt.Sprintf("%s (proved, %d positions).", text, p.Nodes)
	return out
}

// winner is who wins a value of the start: first, second or draw.
func winner(v solve.Value) string {
	switch v.Outcome {
	case solve.Win:
		return "first"
	case solve.Loss:
		return "second"
	}
	return "draw"
}

// accuracy compares the decisions of a group with the exact values.
func (m measurer) accuracy(d *groupData) *Accuracy {
	if d.rated == 0 {
		return nil
	}
	out := &Accuracy{Kept: m.ratio(d.exact, exactKept, exactRated, d.of(), "share"), MeanLoss: m.ratio(d.exact, exactLoss, exactRated, d.of(), "score")}
	out.Perfect = m.clustered(d, d.flawless, m.share(d.flawless.trials(int64(d.flawless.sum)), d.flawless.trials(d.rated), "games"))
	for _, r := range d.worst {
		out.Worst = append(out.Worst, r.id)
	}
	return out
}
