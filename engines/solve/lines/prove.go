package lines

import (
	"context"
	"slices"
)

// Value is the value of a game with best play.
type Value string

// The values of a game. Unknown means that no method gave an answer within the limits.
const (
	First   Value = "first"
	Second  Value = "second"
	Draw    Value = "draw"
	Unknown Value = "unknown"
)

// Options are the limits of Prove.
type Options struct {
	Nodes  uint64 // maximum number of positions to search; 0 = no limit
	Memory int64  // memory for the table of positions in bytes; 0 = 64 MB
}

// Proof is the result of Prove.
type Proof struct {
	Value Value
	Wins  [2]Answer // for each side, the answer to whether it wins
	Nodes uint64    // number of positions searched
}

// Answer is the answer to "does this side win?".
type Answer struct {
	Known, Wins bool
	Method      string     // method that gave the answer; empty if it is unknown
	Pairs       [][2]uint8 // of a pairing strategy: each line of this side, in misère games of the other one, contains one
}

// Method names the method that determined who wins, or why neither side wins.
func (p *Proof) Method() string {
	first, second := p.Wins[0].Method, p.Wins[1].Method
	switch {
	case p.Value == Unknown:
		return ""
	case p.Value == First, first == second:
		return first
	case p.Value == Second:
		return second
	}
	return "first: " + first + "; second: " + second
}

// The methods of answers.
const (
	Stealing  = "strategy stealing"
	Symmetry  = "symmetry strategy"
	Pairing   = "pairing strategy"
	Potential = "potential (Erdős–Selfridge)"
	Threats   = "threat sequence"
	Searched  = "search"
	Opponent  = "the other side wins"
)

// attempt is one of the searches for a side.
type attempt struct {
	search
	weak    bool // the defender has no lines; the answer is no only if all such searches for a side give no
	done    bool // the search has ended
	refuted bool
}

// firstNodes is the number of positions that each search may visit in the first round. Each further round allows
// four times as many positions.
const firstNodes = 1000

// smallTable is the size of the table in the first rounds, in bytes. Most games need no more, and clearing a large
// table takes time.
const smallTable = 16_000_000

// Prove determines the value of a game. If a limit is reached, it returns the answers found so far.
func Prove(ctx context.Context, g *Game, o Options) Proof {
	if o.Memory == 0 {
		o.Memory = 64_000_000
	}
	w := &work{g: g, keys: newKeys(), proof: Proof{Value: Unknown}}
	for side := range 2 {
		w.strategies(side)
	}
	w.plan(ctx)
	w.table = newTable(min(o.Memory, smallTable))
	for nodes := uint64(firstNodes); !w.settled() && ctx.Err() == nil; nodes *= 4 {
		before := w.proof.Nodes
		if int64(before) > smallTable/256 && int64(len(w.table)) < o.Memory/bucketBytes {
			w.table = newTable(o.Memory)
		}
		for _, a := range w.attempts {
			if o.Nodes > 0 && w.proof.Nodes >= o.Nodes || w.settled() {
				break
			}
			if o.Nodes > 0 {
				nodes = min(nodes, o.Nodes-w.proof.Nodes)
			}
			w.try(a, nodes)
		}
		if w.proof.Nodes == before {
			break
		}
	}
	return w.proof
}

// work is a proof in progress.
type work struct {
	g        *Game
	keys     *keys
	table    table
	attempts []*attempt
	proof    Proof
}

func (w *work) settled() bool { return w.proof.Wins[0].Known && w.proof.Wins[1].Known }

// answer records an answer.
func (w *work) answer(side int, a Answer) {
	a.Known = true
	w.proof.Wins[side] = a
	if a.Wins {
		w.proof.Wins[1-side] = Answer{Known: true, Method: Opponent}
	}
	switch wins := &w.proof.Wins; {
	case wins[0].Wins:
		w.proof.Value = First
	case wins[1].Wins:
		w.proof.Value = Second
	case w.settled():
		w.proof.Value = Draw
	}
}

// strategies looks for an answer for a side by general arguments about the start position.
func (w *work) strategies(attacker int) {
	g := w.g
	p := newPosition(g, w.keys)
	s := &search{p: p, attacker: attacker}
	lines := attacker
	if g.Misere {
		lines = 1 - attacker
	}
	var pairs pairing
	switch {
	case attacker == 1 && g.steals():
		w.answer(1, Answer{Method: Stealing})
	case g.mirrors(1 - attacker):
		w.answer(attacker, Answer{Method: Symmetry})
	case g.Misere && g.First != [2]int{1, 1} || !p.single():
	case p.close[lines] == (Set{}) && pairs.search(p, lines):
		w.answer(attacker, Answer{Method: Pairing, Pairs: slices.Clone(pairs.pairs)})
	}
	if w.proof.Wins[attacker].Known {
		return
	}
	judge := s.judge
	if g.Misere {
		judge = s.judgeMisere
	}
	switch judge() {
	case yes:
		w.answer(attacker, Answer{Wins: true, Method: Threats})
	case no:
		w.answer(attacker, Answer{Method: Potential})
	}
}

// plan lists the searches for the open questions, the fastest first.
func (w *work) plan(ctx context.Context) {
	for side := range 2 {
		if w.proof.Wins[side].Known {
			continue
		}
		searches := []search{{}}
		if !w.g.Misere {
			early := w.g.First[0] + w.g.First[1] + 2
			searches = []search{{width: 8, quiet: early}, {width: 14}, {}}
		}
		for _, s := range searches {
			s.attacker = side
			w.add(ctx, &attempt{search: s}, w.g)
		}
		if !w.g.Misere {
			for _, g := range w.g.weak(side) {
				w.add(ctx, &attempt{search: search{attacker: side}, weak: true}, g)
			}
		}
	}
}

func (w *work) add(ctx context.Context, a *attempt, g *Game) {
	a.p, a.ctx = newPosition(g, w.keys), ctx
	a.tag = w.keys.tags[len(w.attempts)%len(w.keys.tags)]
	w.attempts = append(w.attempts, a)
}

// try continues a search.
func (w *work) try(a *attempt, nodes uint64) {
	side := a.attacker
	if a.done || w.proof.Wins[side].Known {
		return
	}
	before := a.nodes
	a.table = w.table
	v := a.run(nodes)
	w.proof.Nodes += a.nodes - before
	a.done, a.refuted = v != unsettled, v == no
	switch {
	case !a.weak && v == yes:
		w.answer(side, Answer{Wins: true, Method: Searched})
	case !a.weak && v == no && a.width == 0:
		w.answer(side, Answer{Method: Searched})
	case a.weak && v != unsettled:
		open := false
		for _, b := range w.attempts {
			if b.weak && b.attacker == side {
				b.done = b.done || v == yes
				open = open || !b.refuted
			}
		}
		if !open {
			w.answer(side, Answer{Method: Searched})
		}
	}
}
