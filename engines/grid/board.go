package grid

// Board has the knobs of the grid.
type Board struct {
	// Number of columns, named a to p from the left; at most 121 cells in all.
	Columns int `yaml:"columns" json:"columns" jsonschema:"required,minimum=1,maximum=16"`
	// Number of rows; row 1 is at the top.
	Rows int `yaml:"rows" json:"rows" jsonschema:"required,minimum=1,maximum=16"`
	// none; columns: the first and the last column are neighbours; rows: the first and the last row are; torus: both.
	Wrap string `yaml:"wrap" json:"wrap,omitempty" jsonschema:"enum=none,enum=columns,enum=rows,enum=torus"`

	// square; or hex: a rhombus of hexagons, in which each row is half a cell further right than the one above and a
	// cell has six neighbours: E, W, N, S, NE and SW of the grid.
	Shape Shape `yaml:"shape" json:"shape,omitzero" jsonschema:"enum=square,enum=hex"`
	// Cells that the board does not have, like [a1, c3].
	Missing []string `yaml:"missing" json:"missing,omitempty"`
	// Drawn lines, each a list of cells: only consecutive points of a line are neighbours. Winning lines and mills
	// must lie within one drawn line; jumps, slides and captures by enclosing follow a line, even where it bends.
	Lines [][]string `yaml:"lines" json:"lines,omitempty"`
	// Which cells are adjacent for surrounding, connecting and removing (beside): 8 around, or 4 along rows and columns;
	// 0 = all that the shape has. Steps and jumps have separate directions.
	Neighbours int `yaml:"neighbours" json:"neighbours,omitempty" jsonschema:"enum=0,enum=4,enum=8"`
}

// Joined reports whether the left and right edges are joined, and whether the top and bottom edges are.
func (b Board) Joined() (across, down bool) {
	torus := b.Wrap == "torus"
	return torus || b.Wrap == "columns", torus || b.Wrap == "rows"
}

// Shape is the form of the cells: square, which stored rules omit, or hex.
type Shape string

// IsZero reports whether the cells are squares.
func (s Shape) IsZero() bool { return s == "" || s == "square" }
