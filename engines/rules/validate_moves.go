package rules

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"spar/engines/grid"
)

// validateMovement returns errors about movement knobs that have no meaning or repeat another one.
func validateMovement(r *Rules, refuse refuser) {
	m := &r.Movement
	fed := r.Pieces.Supply > 0 || len(r.Setup) > 0
	refuse(m.Moves() && !fed, "movement", "there are no pieces to move: set pieces.supply or setup")
	refuse(m.MultiJump.On() && !m.chains(), "movement.multi_jump", "this key needs capture: true or line_capture")
	refuse(len(m.Lines) > 0 && (m.Steps == "none" || m.Slide || !m.Distance.IsZero() || !m.First.IsZero()),
		"movement.line_capture", "this key needs movement.steps without slide, distance or first")
	refuse(len(m.Lines) > 0 && grid.New(r.Board).Bent, "movement.line_capture",
		"the drawn lines bend or meet, so a row has no single direction: remove line_capture")
	refuse(m.ForcedCapture.On() && !m.takes(), "movement.forced_capture",
		"this key needs capture: true, or movement.take")
	for _, pair := range [][2]string{
		{"clone", "steps"},
		{"directions", "steps"},
		{"slide", "steps"},
		{"jump_over", "capture"},
		{"jumps", "capture"},
		{"captured_leave", "multi_jump"},
		{"to_end", "slide"},
		{"take_leaps", "leaps"},
		{"long_jumps", "capture"},
		{"straight", "multi_jump"},
	} {
		what, needs := "movement."+pair[0], "movement."+pair[1]
		refuse(r.set(what) && !r.set(needs), what, "this key needs %s", needs)
	}
	line := !m.Distance.IsZero()
	refuse(m.TakeSlide && !m.Slide && !line, "movement.take_slide",
		"this key needs movement.slide, or movement.distance")
	refuse(line && (m.Steps == "none" || m.Slide || m.Clone || !m.First.IsZero()), "movement.distance",
		"this key needs movement.steps without slide, clone or first")
	refuse(line && grid.New(r.Board).Bent, "movement.distance",
		"the drawn lines bend or meet, so a piece has no single line to follow: remove distance")
	refuse(m.PassOwn && !m.Slide && !line && m.First.IsZero(), "movement.pass_own",
		"this key needs movement.slide, distance or first")
	refuse(m.LongJumps.On() && grid.New(r.Board).Meets, "movement.long_jumps",
		"where drawn lines bend or edges are joined, long jumps over two different pieces could end on the same cell: "+
			"remove long_jumps")
	open := map[string]uint8{"none": 255, "columns": 0xee, "rows": 0xbb}[r.Board.Wrap] // directions that leave some cell
	refuse(len(m.Exits) > 0 && DirectionMask(m.Exits, grid.First)&open == 0, "movement.exits",
		"with board.wrap: %s, no piece can leave the board in these directions", r.Board.Wrap)
	first := m.First
	refuse(!first.IsZero() && (first.Rows == 0 || first.Steps < 2), "movement.first",
		"a longer first step needs first.rows, and first.steps of at least 2")
	refuse(!first.IsZero() && (m.Steps == "none" || m.Slide || m.Clone), "movement.first",
		"a longer first step needs movement.steps without slide or clone")
	refuse(first.Rows > r.Board.Rows, "movement.first.rows", "%d rows, but the board has %d", first.Rows, r.Board.Rows)
	refuse(m.Steps != "none" && DirectionMask(m.Directions, grid.First)&WordDirections(m.Steps, grid.First) == 0,
		"movement.directions", "steps: %[2]s allows none of the directions %[1]s", strings.Join(m.Directions, ", "), m.Steps)
	refuse(m.Captured == "stay" && (!m.Capture || len(m.Take) > 0), "movement.captured",
		"captured: stay leaves jumped pieces on the board; it needs movement.capture, and excludes movement.take")
	refuse(
		m.Captured == "stay" && m.MultiJump.On() && r.Draw.Repetition+r.Draw.MaxPlies+r.Draw.Quiet == 0,
		"movement.captured",
		"a chain of jumps without captures may continue forever: set draw.repetition, draw.quiet or draw.max_plies, or "+
			"remove movement.multi_jump",
	)
	refuse(m.JumpOver == "friend" && m.Captured == "return", "movement.jump_over",
		"a player's own pieces stay when they are jumped over, so none can return; remove captured: return")
	refuse(m.Clone && m.Slide, "movement.clone", "a clone is made on a neighbouring cell: remove movement.slide")
	refuse(m.Clone && r.Mechanics().Has(Returns), "movement.clone",
		"captured clones would return to the hands without limit; set captured: remove")
	refuse(m.Clone && m.Fly > 0, "movement.clone", "a piece that flies leaves no copy behind: remove movement.fly")
	refuse(m.Fly > 0 && len(m.Leaps) > 0, "movement.fly",
		"a piece that flies goes to any empty cell, so leaps add nothing: remove movement.leaps")
	refuse(m.Moves() && r.Placement.Gravity, "movement",
		"pieces that fall do not step or jump: remove movement or placement.gravity")
	refuse(len(m.Leaps) > 0 && (r.Board.Shape == "hex" || len(r.Board.Lines) > 0), "movement.leaps",
		"leaps count columns and rows of squares: remove board.shape and board.lines")
	for i, text := range m.Leaps {
		path := fmt.Sprintf("movement.leaps[%d]", i)
		var x, y int
		n, err := fmt.Sscanf(text, "%d,%d", &x, &y)
		bad := n < 2 || err != nil || fmt.Sprintf("%d,%d", x, y) != text || x < 0 || y < 0 || x > 10 || y > 10
		refuse(bad, path, "%q is not a leap: expected columns,rows from 0 to 10, like 1,2", text)
		if bad {
			continue
		}
		along := (x == 0 || y == 0) && m.Steps != "bishop" || x == y && m.Steps != "rook" // the directions of steps
		refuse(max(x, y) < 2 && (along || max(x, y) == 0 || len(m.Take) > 0), path,
			"a leap of one cell is a step: use movement.steps")
		refuse((m.Slide || line || m.First.Steps >= max(x, y)) && along, path,
			"a slide or a longer first step already reaches the cells of this leap: remove one of the two")
		refuse(r.Board.Wrap != "none" && min(r.Board.Columns, r.Board.Rows) < 2*max(x, y)+1, path,
			"with board.wrap, a leap of %d needs at least %d columns and rows", max(x, y), 2*max(x, y)+1)
		refuse(min(x, y) >= min(r.Board.Columns, r.Board.Rows) || max(x, y) >= max(r.Board.Columns, r.Board.Rows),
			path, "no piece can leap so far on this board")
	}
}

// inOrder iterates by name, so that the order of problems is fixed.
func inOrder(m map[string]bool) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}

// validateCaptures returns errors about captures, owners and openings that have no meaning.
func validateCaptures(r *Rules, refuse refuser) {
	c := &r.Custodian
	off := c.Effect.IsZero()
	refuse(off && (len(c.Hostile) > 0 || c.Length > 0 || c.Must || len(c.Directions) > 0), "custodian",
		"custodian.effect is off: set effect: flip, or effect: remove")
	refuse(c.Must && r.Pieces.Supply == 0 && r.Moves(), "custodian.must",
		"the rules have no placements that could enclose a piece: remove custodian.must")
	refuse(c.Must && len(r.Setup) == 0, "custodian.must", "no piece can be enclosed on an empty board: add a setup")
	refuse(c.Must && r.Placement.Gravity, "custodian.must",
		"the player cannot choose where a piece falls: remove placement.gravity")
	refuse(c.Must && r.Pieces.ReuseVacated, "custodian.must",
		"pieces.reuse_vacated has no meaning where every placement must enclose a piece")
	t := grid.New(r.Board)
	m, longest := &r.Mill, 0
	for n := 2; (c.Length > 0 || m.Line > 0) && n <= grid.MaxSide && len(t.Runs(n)) > 0; n++ {
		longest = n
	}
	refuse(c.Length+2 > longest && c.Length > 0, "custodian.length",
		"%d pieces between two others do not fit: the longest line of this board has %d cells", c.Length, longest)
	refuse(m.Line == 1 || m.Line > longest, "mill.line",
		"a line of %d does not fit on this board: expected 2 to %d, or 0 for none", m.Line, longest)
	refuse(m.Line == 0 && (m.Exact || m.Moved), "mill", "\"exact\" and \"moved\" need mill.line")
	refuse(
		m.Line > 0 && r.Win.Line > 0 && m.Line >= r.Win.Line && r.Win.Overlines && r.Win.Region == "anywhere" &&
			len(r.Win.Directions) == 0 && !r.Win.Misere,
		"mill.line",
		"a line of %d already wins: set a smaller mill.line",
		r.Win.Line,
	)
	refuse(m.Moved && !r.Moves(), "mill.moved", "pieces never move: remove mill.moved")
	for _, of := range []Rules{r.Of(grid.First), r.Of(grid.Second)} {
		refuse(m.Line > of.Pieces.Supply && of.Pieces.Supply > 0 && len(r.Setup) == 0, "mill.line",
			"%d pieces cannot make a line of %d", of.Pieces.Supply, m.Line)
	}
	second := r.Of(grid.Second)
	refuse(r.Win.Full && second.Win.Full, "win.full",
		"only one player can win by a full board: add a second.win, and set full in win or in second.win")
	refuse((r.Win.Full || second.Win.Full) && (r.Win.Majority || second.Win.Majority), "win.full",
		"win.majority already decides the game on a full board: remove one of the two")
	refuse(r.Win.Komi != 0 && !r.Win.Majority, "win.komi", "this key needs win.majority, which counts pieces")
	if r.Second != nil {
		refuse(r.Win.Komi != second.Win.Komi, "second.win.komi", "komi is one number: state the same win.komi for both players")
		refuse(*r.Second == SecondPlayer{}, "second", "no keys: expected first_turn, supply, movement or win")
		refuse(r.Win.Majority != second.Win.Majority, "second.win.majority",
			"pieces are counted for both players or for neither: state win.majority for both players")
		refuse((second.Pieces.Supply > 0) != (r.Pieces.Supply > 0) && len(r.Setup) == 0, "second.supply",
			"one side has no pieces: add a setup")
	}
	for i, stage := range r.Placement.Opening {
		path := fmt.Sprintf("placement.opening[%d]", i)
		refuse((stage.Region == "cells") != (len(stage.Cells) > 0), path+".cells",
			"a list of cells needs region: cells, and region: cells needs a list of cells")
		for k, name := range stage.Cells {
			at, ok := t.CellNamed(name)
			refuse(!ok || !t.Board.Has(at), fmt.Sprintf("%s.cells[%d]", path, k), "%q is not a cell of the board", name)
		}
		refuse(stage.Region == "beside" && !stage.Remove, path+".region", "region: beside needs remove: true")
		refuse(stage.Remove && len(r.Setup) == 0, path+".remove",
			"there is nothing to remove from an empty board: add a setup")
		refuse(stage.Remove && r.Pieces.Supply > 0, path+".remove",
			"removals need all pieces on the board at the start: set pieces.supply: 0")
		refuse(stage.Remove && max(r.Turn.Placements, r.Turn.FirstTurn, r.FirstTurn(grid.Second)) > 1, path+".remove",
			"a removal is a turn of its own: turn.placements, turn.first_turn and second.first_turn must be 1")
	}
	validateOwner(r, refuse)
}

// Moves reports whether pieces of either side can move.
func (r *Rules) Moves() bool { return r.anyMovement((*Movement).Moves) }

// supplied reports whether a player starts with pieces in hand.
func (r *Rules) supplied() bool { return r.Pieces.Supply > 0 }

// MovesApart reports whether a player may move pieces while the other player still places.
func (r *Rules) MovesApart() bool { return !r.Pieces.Moving.IsZero() && r.either((*Rules).supplied) }

func validateOwner(r *Rules, refuse refuser) {
	owner := r.Pieces.Owner
	if owner != "shared" && owner != "choice" {
		return
	}
	for what, on := range inOrder(map[string]bool{
		"pieces.supply": r.Pieces.Supply > 0 || r.Of(grid.Second).Pieces.Supply > 0, "movement": r.Moves(),
		"territory": r.Territory != "none",
		"mill.line": r.Mill.Line > 0, "turn.pie": r.Turn.Pie.On(),
		"pieces.reuse_vacated": r.Pieces.ReuseVacated && owner == "choice",
	}) {
		refuse(on, "pieces.owner", "%s needs pieces that belong to a player: remove it, or set pieces.owner: own", what)
	}
	validateOwned(r, refuse)
	refuse(
		owner == "shared" &&
			(r.Surround.Threshold > 0 || !r.Custodian.Effect.IsZero() || len(r.Setup) > 0 &&
				strings.Contains(strings.Join(r.Setup, ""), "O")),
		"pieces.owner",
		"all pieces are shared, so none can be captured and a setup may have only X; otherwise set pieces.owner: own",
	)
	for _, stage := range r.Placement.Opening {
		refuse(stage.Remove, "pieces.owner", "shared pieces have no owner who could remove them: remove "+
			"placement.opening[].remove")
	}
}

// validateSecond checks the second player's separate parts like rules for both players.
func validateSecond(r *Rules) (ps Problems) {
	if r.Second == nil {
		return nil
	}
	own := r.Of(grid.Second)
	own.Second = nil
	refuse := func(bad bool, path, format string, args ...any) {
		prefix := ""
		switch part, _, _ := strings.Cut(path, "."); {
		case part == "movement" && r.Second.Movement != nil, part == "win" && r.Second.Win != nil:
			prefix = "second."
		case path == "pieces.supply" && r.Second.Supply != nil:
			prefix, path = "second.", "supply"
		}
		if bad && prefix != "" {
			ps = append(ps, Problem{prefix + path, fmt.Sprintf(format, args...)})
		}
	}
	validateMovement(&own, refuse)
	validateJumps(&own, refuse)
	refuse(own.Movement.Clone && r.Mechanics().Has(Returns) && !own.Mechanics().Has(Returns), "movement.clone",
		"captured clones would return to the hands without limit; set captured: remove")
	validateGoals(&own, []int{grid.First}, refuse)
	validateLine(&own, refuse)
	validatePieces(&own, own.Territory == "halves", refuse)
	return ps
}
