package sheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/diagram"
)

// Example shows one thing that happens in a game, in a position from a played game.
type Example struct {
	Title   string // the kind of move, or how the game ends
	Words   string
	Diagram *diagram.Diagram

	cost int // how complicated the example is; 0 is simplest
}

const (
	seed      = 47
	games     = 120
	mostPlies = 400
)

// finder plays games and keeps the simplest example of everything that happens in them.
type finder struct {
	game  *engines.Game
	moves map[string]Example
	goals map[string]Example
}

// find plays random games and returns examples of the kinds of moves and of the ways to win, in the order in which
// they first occur. The result is always the same for the same rules.
func find(g *engines.Game) (moves, goals []Example) {
	f := &finder{game: g, moves: map[string]Example{}, goals: map[string]Example{}}
	var kinds, ends []string
	rng := rand.New(rand.NewPCG(seed, seed))
	for n := range games {
		p := g.NewPosition()
		var turn Example
		for !p.Over() && p.Ply() < mostPlies {
			before := board.Of(&p.State)
			was, m := p.Clone(), f.choose(p, n%15 == 14, rng)
			after := board.Play(p, m, &before)
			e := f.move(was, &before, &after, m)
			kinds = keep(f.moves, kinds, e)
			if turn = chain(turn, e); p.Side() != was.Side() || p.Over() {
				if d := turn.Diagram; d != nil && len(d.Arrows) > 1 && len(d.Crosses) > 1 {
					kinds = keep(f.moves, kinds, turn)
				}
				turn = Example{}
			}
			if p.Over() {
				ends = keep(f.goals, ends, f.goal(p, &after, m))
			}
		}
	}
	for _, k := range kinds {
		moves = append(moves, f.moves[k])
	}
	for _, k := range ends {
		goals = append(goals, f.goals[k])
	}
	return moves, goals
}

// chain joins the example of a move to those of the moves of the same piece before it in the same turn.
func chain(turn, e Example) Example {
	if e.Diagram == nil {
		return turn
	}
	d, t := *e.Diagram, turn.Diagram
	if t != nil && len(t.Arrows) > 0 && len(d.Arrows) > 0 && t.Arrows[len(t.Arrows)-1][1] == d.Arrows[0][0] {
		d.Board, d.Arrows, d.Crosses = t.Board, slices.Concat(t.Arrows, d.Arrows), slices.Concat(t.Crosses, d.Crosses)
		e.Words = turn.Words + " " + e.Words
		e.cost = turn.cost + e.cost
	}
	e.Title, e.Diagram = "Chain of captures", &d
	return e
}

// keep stores an example if it is the first one with its title, or simpler than the previous one.
func keep(of map[string]Example, titles []string, e Example) []string {
	if e.Title == "" {
		return titles
	}
	old, known := of[e.Title]
	if !known {
		titles = append(titles, e.Title)
	}
	if !known || e.cost < old.cost {
		of[e.Title] = e
	}
	return titles
}

// choose draws a move at random. It prefers moves that end the game in a new way, then wins, and finally losses
// and draws. In long games it prefers captures and avoids kinds of endings that it already has.
func (f *finder) choose(p *engines.Position, long bool, rng *rand.Rand) engines.Move {
	all := p.AppendMoves(nil)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	best, rank := all[0], -1
	for _, m := range all {
		s := p.State
		s.Play(m)
		r := 1
		_, seen := f.goals[f.endTitle(&s)]
		switch {
		case s.Over() && !seen && s.Result() != engines.Drawn:
			r = 3
		case s.Over() && !long && s.Result() == engines.Winner(p.Side()), long && s.Captures(p.Side()) > p.Captures(p.Side()):
			r = 2
		case s.Over():
			r = 0
		}
		if r > rank {
			best, rank = m, r
		}
	}
	return best
}

// move returns the example of a move: the position before it, with the effects of the move.
func (f *finder) move(p *engines.Position, before, after *board.Frame, m engines.Move) Example {
	g, side := f.game, p.Side()
	d := &diagram.Diagram{Game: g, Board: before.Signs()}
	title := f.kind(p, before, after, m)
	if title == "" {
		return Example{}
	}
	said := []string{fmt.Sprintf("%s: %s", g.SideName(side), g.MoveText(m))}
	effect := func(cells []int, one, many string) {
		if len(cells) > 0 {
			said = append(said, board.Names(g, cells)+" "+plain.If(len(cells) == 1, one, many))
		}
	}
	gone := after.Gone
	flips := slices.DeleteFunc(slices.Clone(after.Flips), func(c int) bool { return c == after.To })
	switch {
	case m == engines.Swap:
		d.Board, d.Marks = after.Signs(), after.Flips
		said = []string{g.NameSides("The second player swaps")}
	case m.IsRemoval():
		d.Crosses, gone = []int{after.To}, nil
		said = []string{fmt.Sprintf("%s: the piece on %s leaves the board", g.SideName(side), board.Names(g, d.Crosses))}
	case m.IsShot():
		d.Board, d.Marks = after.Signs(), []int{after.To}
		said = []string{fmt.Sprintf("%s: %s: the cell %s is blocked", g.SideName(side), g.MoveText(m), board.Names(g, d.Marks))}
	case m.IsPlacement():
		b := []byte(before.Board)
		b[after.To] = after.Board[after.To]
		if b[after.To] == '.' { // what was placed has left at once
			b[after.To] = "XO"[side]
		}
		d.Board, d.Marks = string(b), []int{after.To}
	default:
		d.Arrows = [][2]int{{after.From, after.To}}
		if before.Board[after.To] != '.' {
			said = append(said, "the piece on "+board.Names(g, []int{after.To})+" is captured")
		}
	}
	if m != engines.Swap {
		if promoted(before, after) {
			said = append(said, "the piece becomes: "+after.PieceName(g, after.To))
		}
		effect(gone, "is captured", "are captured")
		effect(flips, "changes sides", "change sides")
		effect(after.Old, "is the oldest and leaves", "are the oldest and leave")
		d.Crosses = append(append(d.Crosses, gone...), after.Old...)
		d.Marks = append(d.Marks, flips...)
	}
	return Example{
		Title: title, Words: strings.Join(said, "; ") + ".", Diagram: d,
		cost: 10*(len(gone)+len(flips)+len(after.Old)) + max(p.Ply(), 4),
	}
}

// kind names the kind of a move; empty for moves without an effect on the board.
func (f *finder) kind(p *engines.Position, before, after *board.Frame, m engines.Move) string {
	g, r := f.game, f.game.Rules()
	own := r.Of(p.Side())
	if m.From() != engines.NoCell && g.Kinds() > 0 {
		own.Movement = own.MovementOf(p.KindAt(m.From()))
	}
	title := ""
	switch {
	case m == engines.Swap:
		return "Swap"
	case after.To < 0:
		return ""
	case m.IsRemoval():
		return "Taking a piece off"
	case m.IsShot():
		return "Shot"
	case m.IsDrop():
		title = "Drop from the hand"
	case m.IsPlacement() && own.Movement.Clone && p.Hand(p.Side()) == 0:
		title = "Growing"
	case m.IsPlacement() && r.Placement.Gravity:
		title = "Drop"
	case m.IsPlacement():
		title = "Placement"
	case before.Board[after.To] != '.':
		title = "Capture"
	case m.IsJump() && len(own.Movement.Lines) == 0:
		title = "Jump"
	case !own.Movement.Distance.IsZero():
		title = "Move"
	case g.Grid().Beside[after.From].Has(engines.Cell(after.To)):
		title = "Step"
	case own.Movement.Slide:
		title = "Slide"
	case len(own.Movement.Leaps) > 0:
		title = "Leap"
	case !own.Movement.First.IsZero():
		title = "Longer first step"
	default:
		title = "Flight"
	}
	if promoted(before, after) {
		title = "Promotion"
	}
	flips := slices.ContainsFunc(after.Flips, func(c int) bool { return c != after.To })
	switch {
	case len(after.Gone) > 0:
		title += " that captures"
	case flips:
		title += " that turns pieces over"
	case len(after.Old) > 0:
		title += " that makes the oldest piece leave"
	}
	if r.Second != nil && r.Second.Movement != nil && !m.IsPlacement() {
		title += " (" + g.SideName(p.Side()) + ")"
	}
	return title
}

// promoted reports whether the piece that moved has become another kind.
func promoted(before, after *board.Frame) bool {
	return before.Kinds != "" && after.From >= 0 && before.Kinds[after.From] != after.Kinds[after.To]
}

// endTitle names how a position has ended; each side has its own title if the sides win in different ways.
func (f *finder) endTitle(s *engines.State) string {
	title := ""
	if goal, ok := rules.GoalBy(s.Reason().String()); ok {
		title = plain.Capital(goal.Ends)
	} else if s.Reason() == engines.ByNoMoves {
		title = "No move left"
	}
	if r := f.game.Rules(); title != "" && r.Second != nil && r.Second.Win != nil {
		title = "Win of " + f.game.SideName(int(s.Result()-engines.FirstWins)) + ": " + strings.ToLower(title)
	}
	return title
}

// goal returns the example of how the game ended; none for a draw.
func (f *finder) goal(p *engines.Position, after *board.Frame, m engines.Move) Example {
	if p.Result() == engines.Drawn {
		return Example{}
	}
	title := f.endTitle(&p.State)
	d := &diagram.Diagram{Game: f.game, Board: after.Signs(), Marks: after.Win}
	if len(d.Marks) == 0 && after.To >= 0 {
		d.Marks = []int{after.To}
	}
	if p.Reason() == engines.ByConnection {
		d.Marks = connected(f.game, p.Pieces(int(p.Result()-engines.FirstWins)), engines.Cell(after.To))
	}
	if after.From >= 0 {
		d.Arrows = [][2]int{{after.From, after.To}}
	}
	words := fmt.Sprintf("The last move is %s. %s.", f.game.MoveText(m), board.Ending(p))
	return Example{Title: title, Words: words, Diagram: d, cost: p.Ply()}
}

// connected lists the cells of a chain of neighbouring pieces through a cell.
func connected(g *engines.Game, pieces engines.Bits, through engines.Cell) (cells []int) {
	seen := map[engines.Cell]bool{through: true}
	for next := []engines.Cell{through}; len(next) > 0; next = next[1:] {
		cells = append(cells, int(next[0]))
		for c := range g.Neighbours(next[0]).And(pieces).Each {
			if !seen[c] {
				seen[c] = true
				next = append(next, c)
			}
		}
	}
	slices.Sort(cells)
	return cells
}
