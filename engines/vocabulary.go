package engines

import (
	"spar/engines/grid"
	"spar/engines/rules"
)

// The words of packages grid and rules that the methods of Game and State use.
type (
	Rules = rules.Rules
	Cell  = grid.Cell
	Bits  = grid.Bits
)

// The sides and the cells, as in package grid.
const (
	First     = grid.First
	Second    = grid.Second
	NoCell    = grid.NoCell
	CellSpace = grid.CellSpace
	CellMask  = grid.CellMask
)
