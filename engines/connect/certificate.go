package connect

import (
	"context"
	"fmt"

	"spar/engines"
)

// Certificate proves that a side wins a position. Each step proves that with some stones the winner can connect
// two ends although the other side plays first, and lists the empty cells that this needs. An end is a stone or an
// edge; edges have the numbers after the last cell of the board. The last step connects the two edges.
type Certificate struct {
	Winner int    `json:"winner" help:"0 = the first player"`
	Move   string `json:"move,omitempty" help:"the winner's first move, if the winner is to move"`
	Steps  []Step `json:"steps" help:"proofs of connections, each from earlier ones; the last joins the edges"`

	move engines.Cell
}

// Step is a step of one of three kinds. Touch: two ends are neighbours. And: two earlier steps have one end in
// common and no cells. Or: wherever the other side plays, the winner has an answer after which an earlier step is
// valid that does not need the other side's cell.
type Step struct {
	Touch []int    `json:"touch,omitempty" help:"two neighbouring ends: cells by number, the edges after the last cell"`
	And   []int    `json:"and,omitempty" help:"two steps that share an end"`
	Or    []Option `json:"or,omitempty" help:"options of the winner; the other side cannot block all of them by one cell"`
}

// Option is an answer of the winner in an or-step.
type Option struct {
	Cell engines.Cell `json:"cell" help:"where the winner plays"`
	Step int          `json:"step" help:"earlier step of the proof that holds after that move"`
}

// proof collects the steps of a proof. A nil proof records nothing.
type proof struct {
	steps   []Step
	touches map[[2]int]int32
}

func (p *proof) put(s Step) int32 {
	p.steps = append(p.steps, s)
	return int32(len(p.steps) - 1)
}

func (p *proof) touch(x, y int) int32 {
	if p == nil {
		return 0
	}
	at, ok := p.touches[[2]int{x, y}]
	if !ok {
		at = p.put(Step{Touch: []int{x, y}})
		p.touches[[2]int{x, y}] = at
	}
	return at
}

func (p *proof) and(a, b int32) int32 {
	if p == nil {
		return 0
	}
	return p.put(Step{And: []int{int(a), int(b)}})
}

func (p *proof) or(list []carrier) int32 {
	if p == nil {
		return 0
	}
	var s Step
	for _, c := range list {
		s.Or = append(s.Or, Option{c.key, int(c.why)})
	}
	return p.put(s)
}

// chain proves that an end is connected with a stone that is part of its chain.
func (p *proof) chain(l *Links, from, to int) int32 {
	b, n := l.b, engines.Cell(l.b.n)
	why := map[engines.Cell]int32{engines.Cell(to): -1}
	todo := []engines.Cell{engines.Cell(to)}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		near := b.near[at&engines.CellMask].And(l.own)
		for i, edge := range b.edges[l.side] {
			switch {
			case at == n+engines.Cell(i):
				near = edge.And(l.own)
			case edge.Has(at) && at < n:
				near = near.With(n + engines.Cell(i))
			}
		}
		for ; !near.Empty(); near = near.Rest() {
			next := near.First()
			if _, ok := why[next]; ok {
				continue
			}
			why[next] = p.touch(int(next), int(at))
			if why[at] >= 0 {
				why[next] = p.and(why[next], why[at])
			}
			if int(next) == from {
				return why[next]
			}
			todo = append(todo, next)
		}
	}
	return -1 // the two are of one chain
}

// Certify returns a proof that the winner found by Solve wins a position. The parameter side is the side to move.
func (s *Solver) Certify(ctx context.Context, stones Stones, side int) (*Certificate, error) {
	a, err := s.Solve(ctx, stones, side)
	if err != nil {
		return nil, err
	}
	c := certifier{s: s, ctx: ctx, winner: a.Winner, known: map[Stones]carrier{}}
	c.proof = &proof{touches: map[[2]int]int32{}}
	out := &Certificate{Winner: a.Winner, move: engines.NoCell}
	if a.Winner == side {
		out.move, out.Move = a.Move, s.b.g.CellName(a.Move)
		stones[side] = stones[side].With(a.Move)
	}
	last, err := c.answerAll(stones)
	if err != nil {
		return nil, err
	}
	out.Steps = c.proof.needed(last.why)
	return out, nil
}

// certifier builds the proof that a side wins.
type certifier struct {
	s      *Solver
	ctx    context.Context
	winner int
	links  Links
	known  map[Stones]carrier
	proof  *proof
}

// answerAll proves that the winner wins after any move of the other side.
func (c *certifier) answerAll(stones Stones) (carrier, error) {
	if out, ok := c.known[stones]; ok {
		return out, nil
	}
	b := c.s.b
	c.links.find(b, c.winner, &stones, c.s.lim, c.proof)
	full, threats := c.links.whole()
	if out, ok := smallest(full); ok {
		return out, nil
	}
	must, options := b.empty(&stones), append([]carrier(nil), threats...)
	for _, d := range options {
		must = must.And(d.Bits)
	}
	for !must.Empty() {
		next := stones
		next[1-c.winner] = next[1-c.winner].With(must.First())
		a, err := c.s.Solve(c.ctx, next, c.winner)
		if err == nil && a.Winner != c.winner {
			err = fmt.Errorf("no answer to %s", b.g.CellName(must.First()))
		}
		if err != nil {
			return carrier{}, err
		}
		next[c.winner] = next[c.winner].With(a.Move)
		d, err := c.answerAll(next)
		if err != nil {
			return carrier{}, err
		}
		d.Bits, d.key = d.With(a.Move), a.Move
		options, must = append(options, d), must.And(d.Bits)
	}
	out := carrier{}
	var used []carrier
	for _, i := range cover(options) {
		used, out.Bits = append(used, options[i]), out.Or(options[i].Bits)
	}
	out.why = c.proof.or(used)
	c.known[stones] = out
	return out, nil
}

// needed returns the steps that a step depends on, in order, and that step itself last.
func (p *proof) needed(last int32) (out []Step) {
	place := map[int]int{}
	var visit func(i int) int
	visit = func(i int) int {
		if at, ok := place[i]; ok {
			return at
		}
		s := p.steps[i]
		if s.And != nil {
			s.And = []int{visit(s.And[0]), visit(s.And[1])}
		}
		s.Or = append([]Option(nil), s.Or...)
		for k := range s.Or {
			s.Or[k].Step = visit(s.Or[k].Step)
		}
		out = append(out, s)
		place[i] = len(out) - 1
		return place[i]
	}
	visit(int(last))
	return out
}

// fact is the claim of a step: with these stones the winner connects the two ends, and needs only these empty
// cells.
type fact struct {
	ends        [2]int
	needs, uses Bits
}

// Check verifies the certificate for a position. The parameter side is the side to move. It uses only which cells
// are neighbours.
func (c *Certificate) Check(b *Board, stones Stones, side int) error {
	if (side == c.Winner) != (c.move != engines.NoCell) {
		return fmt.Errorf("the certificate is for another side to move")
	}
	if side == c.Winner {
		if !b.empty(&stones).Has(c.move) {
			return fmt.Errorf("the first move is not on an empty cell")
		}
		stones[side] = stones[side].With(c.move)
	}
	facts := make([]fact, len(c.Steps))
	for i := range c.Steps {
		f, err := c.Steps[i].prove(b, c.Winner, facts[:i])
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		facts[i] = f
	}
	last := facts[len(facts)-1]
	if x, y := last.ends[0], last.ends[1]; min(x, y) != b.n || max(x, y) != b.n+1 {
		return fmt.Errorf("the last step does not connect the edges")
	}
	if !stones[c.Winner].Contains(last.needs) || !b.empty(&stones).Contains(last.uses) {
		return fmt.Errorf("the position lacks stones, or empty cells, that the proof needs")
	}
	return nil
}

// touching reports whether a cell is adjacent to an end.
func (b *Board) touching(side, cell, end int) bool {
	switch {
	case cell >= b.n || end > b.n+1:
		return false
	case end >= b.n:
		return b.edges[side][end-b.n].Has(engines.Cell(cell))
	}
	return b.near[cell].Has(engines.Cell(end))
}

// prove derives the claim of a step from the claims of earlier steps.
func (s *Step) prove(b *Board, winner int, known []fact) (f fact, err error) {
	cell := func(x int) Bits {
		if x >= b.n {
			return Bits{}
		}
		return Bits{}.With(engines.Cell(x))
	}
	switch {
	case len(s.Touch) == 2 && min(s.Touch[0], s.Touch[1]) >= 0:
		x, y := s.Touch[0], s.Touch[1]
		f = fact{ends: [2]int{x, y}, needs: cell(x).Or(cell(y))}
		if !b.touching(winner, x, y) && !b.touching(winner, y, x) {
			return f, fmt.Errorf("%d and %d are not neighbours", x, y)
		}
	case len(s.And) == 2 && min(s.And[0], s.And[1]) >= 0 && max(s.And[0], s.And[1]) < len(known):
		x, y := known[s.And[0]], known[s.And[1]]
		f.needs, f.uses = x.needs.Or(y.needs), x.uses.Or(y.uses)
		switch { // the shared end goes
		case x.ends[1] == y.ends[0]:
			f.ends = [2]int{x.ends[0], y.ends[1]}
		case x.ends[1] == y.ends[1]:
			f.ends = [2]int{x.ends[0], y.ends[0]}
		case x.ends[0] == y.ends[0]:
			f.ends = [2]int{x.ends[1], y.ends[1]}
		case x.ends[0] == y.ends[1]:
			f.ends = [2]int{x.ends[1], y.ends[0]}
		default:
			return f, fmt.Errorf("the connections share no end")
		}
		if !x.uses.And(y.uses).Empty() {
			return f, fmt.Errorf("the connections share a cell")
		}
	case len(s.Or) > 0:
		common := b.cells
		for i, o := range s.Or {
			if o.Step < 0 || o.Step >= len(known) || !b.cells.Has(o.Cell&engines.CellMask) {
				return f, fmt.Errorf("option %d: expected a cell and an earlier step", i)
			}
			k := known[o.Step]
			if i > 0 && !(k.ends == f.ends || k.ends == [2]int{f.ends[1], f.ends[0]}) {
				return f, fmt.Errorf("the options connect different ends")
			}
			f.ends = k.ends
			f.needs, f.uses = f.needs.Or(k.needs.Without(o.Cell)), f.uses.Or(k.uses.With(o.Cell))
			common = common.And(k.uses.With(o.Cell))
		}
		if !common.Empty() {
			return f, fmt.Errorf("the other side can play into all options")
		}
	default:
		return f, fmt.Errorf("expected a key touch, \"and\" or \"or\"")
	}
	if !f.needs.And(f.uses).Empty() || !f.needs.Contains(cell(f.ends[0]).Or(cell(f.ends[1]))) {
		return f, fmt.Errorf("a cell is used both as empty and as a stone")
	}
	return f, nil
}
