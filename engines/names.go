package engines

import (
	"strings"

	"spar/engines/rules"
)

// Side returns the name and colour of First or Second.
func (g *Game) Side(side int) rules.Side { return g.rules.Sides.Of(side) }

// SideName returns the name that the rules give a side, or X or O if they give none.
func (g *Game) SideName(side int) string {
	if name := g.Side(side).Name; name != "" {
		return name
	}
	return "XO"[side : side+1]
}

// SideLabel returns the letter of a side's pieces, after the side's name if the rules give one, like "Red, X". If
// pieces belong to no side, or have letters of their own, it returns only the name.
func (g *Game) SideLabel(side int) string {
	name, letter := g.Side(side).Name, "XO"[side:side+1]
	switch {
	case name == "":
		return letter
	case !g.rules.Pieces.Owner.IsZero() || g.Kinds() > 0:
		return name
	}
	return name + ", " + letter
}

// KindName returns the name for pieces of a side and kind, like "White king". Without kinds it returns PieceName.
func (g *Game) KindName(side, kind int) string {
	if g.Kinds() == 0 {
		return g.PieceName(side)
	}
	return g.PieceName(side) + " " + g.rules.Kinds[kind].Name
}

// PieceName returns the name for the pieces X and O of sides 0 and 1: the side's name, or the letter if pieces
// belong to no side.
func (g *Game) PieceName(side int) string {
	if !g.rules.Pieces.Owner.IsZero() {
		return "XO"[side : side+1]
	}
	return g.SideName(side)
}

// NameSides replaces "the first player" and "the second player" in a text by the sides' names, like "the Fox
// player". It changes nothing if the rules have no names.
func (g *Game) NameSides(text string) string {
	first, second := g.Side(First).Name, g.Side(Second).Name
	if first == "" {
		return text
	}
	return strings.NewReplacer("first player", first+" player", "First player", first+" player",
		"second player", second+" player", "Second player", second+" player").Replace(text)
}
