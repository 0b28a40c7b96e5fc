package board

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"spar/configs/plain"
	"spar/engines"
)

// pictureWidth is the width of a picture at full size, in pixels and in drawing units.
const pictureWidth = 144

// leastUnit is the smallest width of a cell in which an age fits.
const leastUnit = 20

// Picture draws a position without buttons and with few shapes, for pages that show many positions. Its colours
// are in the style sheet of package serve.
func Picture(s *engines.State) template.HTML {
	g := s.Game()
	p := newPicture(g)
	f := Of(s)
	var cells, blocked []int
	var pieces [2][]int // the cells of each side
	for c, on := range []byte(f.Board) {
		if on != '#' {
			cells = append(cells, c)
		} else if g.BoardCells().Has(engines.Cell(c)) {
			blocked = append(blocked, c)
		}
		if side := strings.IndexByte("XO", on); side >= 0 {
			pieces[side] = append(pieces[side], c)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="picture"%s viewBox="0 0 %s %s" aria-hidden="true">`, Coloured(g), decimal(p.width),
		decimal(p.height))
	path := func(class string, cells []int, shape func(x, y float64) string) {
		if len(cells) == 0 {
			return
		}
		fmt.Fprintf(&out, `<path class=%q d="`, class)
		for _, c := range cells {
			x, y := p.centre(c)
			out.WriteString(shape(x, y))
		}
		out.WriteString(`"/>`)
	}
	path("blocked", append(Gaps(g), blocked...), p.outline)
	for side, class := range []string{"home1", "home2"} {
		path(class, numbers(g.Home(side)), p.outline)
	}
	for side, class := range goalClasses {
		path(class, numbers(g.GoalCells(side)), p.outline)
	}
	switch drawn := p.lines(); {
	case drawn != "":
		fmt.Fprintf(&out, `<path class="grid" d="%s"/>`, drawn)
		path("points", cells, func(x, y float64) string { return "M" + at(x, y) + "h0" })
	case p.hex || len(cells) < len(f.Board):
		path("grid", cells, p.outline)
	default:
		fmt.Fprintf(&out, `<path class="grid" d="%s"/>`, p.rules())
	}
	path("X", pieces[0], p.square)
	if f.Kinds == "" {
		path("cross", pieces[0], p.cross)
	}
	path("O", pieces[1], p.ring)
	for side := range pieces {
		for row := range g.Rules().Board.Rows {
			p.signs(&out, &f, side, row)
		}
	}
	path("next", f.Next, p.square)
	for c := range f.Ages {
		if f.Ages[c] != '.' && p.unit >= leastUnit {
			x, y := p.centre(c)
			fmt.Fprintf(&out, `<text x="%s" y="%s"%s>%d</text>`, decimal(x+.3*p.unit), decimal(y+.46*p.unit),
				plain.If(slices.Contains(f.Next, c), ` class="leaves"`, ""), strings.IndexByte(ageDigits, f.Ages[c]))
		}
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// numbers lists the cells of a set.
func numbers(of engines.Bits) (cells []int) {
	for c := range of.Each {
		cells = append(cells, int(c))
	}
	return cells
}

// picture is the layout of a board in its picture.
type picture struct {
	game          *engines.Game
	hex           bool
	unit          float64 // width of a cell
	width, height float64
}

func newPicture(g *engines.Game) picture {
	b := g.Rules().Board
	p := picture{game: g, hex: b.Shape == "hex", width: pictureWidth}
	columns, rows := float64(b.Columns), float64(b.Rows)
	if p.hex { // each row stands half a cell further right, three quarters of a hexagon lower
		p.unit = (pictureWidth - 2) / (columns + (rows-1)/2)
		p.height = p.unit*((rows-1)*math.Sqrt(3)/2+2/math.Sqrt(3)) + 2
	} else {
		p.unit = (pictureWidth - 2) / columns
		p.height = p.unit*rows + 2
	}
	return p
}

// centre returns the middle of a cell.
func (p *picture) centre(c int) (x, y float64) {
	column, row := float64(c%p.game.Columns()), float64(c/p.game.Columns())
	if p.hex {
		return 1 + p.unit*(column+row/2+.5), 1 + p.unit*(row*math.Sqrt(3)/2+1/math.Sqrt(3))
	}
	return 1 + p.unit*(column+.5), 1 + p.unit*(row+.5)
}

// outline returns the outline of a cell around its middle.
func (p *picture) outline(x, y float64) string {
	if !p.hex {
		return p.box(x, y, .5)
	}
	side := p.unit / math.Sqrt(3)
	half := decimal(p.unit / 2)
	low := decimal(side / 2)
	high := decimal(side)
	return fmt.Sprintf("M%sl%s %sv%sl-%s %sl-%s-%sv-%sz", at(x, y-side), half, low, high, half, low, half, low, high)
}

// rules returns the lines between the squares of a board without holes.
func (p *picture) rules() string {
	var path strings.Builder
	for x := range p.game.Columns() + 1 {
		fmt.Fprintf(&path, "M%sv%s", at(1+p.unit*float64(x), 1), decimal(p.height-2))
	}
	for y := range p.game.Rules().Board.Rows + 1 {
		fmt.Fprintf(&path, "M%sh%s", at(1, 1+p.unit*float64(y)), decimal(p.width-2))
	}
	return path.String()
}

// signs writes the letters of kinds on the pieces of a side in a row.
func (p *picture) signs(out *strings.Builder, f *Frame, side, row int) {
	var at, letters []string
	height, columns := 0.0, p.game.Columns()
	for c := row * columns; c < (row+1)*columns && f.Kinds != ""; c++ {
		if f.Board[c] == "XO"[side] {
			x, y := p.centre(c)
			at = append(at, decimal(x))
			letters = append(letters, f.Kinds[c:c+1])
			height = y + .16*p.unit
		}
	}
	if len(at) > 0 {
		fmt.Fprintf(out, `<text class="kind%d" font-size="%s" x="%s" y="%s">%s</text>`, side+1, decimal(.42*p.unit),
			strings.Join(at, " "), decimal(height), strings.Join(letters, ""))
	}
}

// box returns a square that extends a distance, in cells, from its middle to each side.
func (p *picture) box(x, y, half float64) string {
	side := decimal(2 * half * p.unit)
	return fmt.Sprintf("M%sh%sv%sh-%sz", at(x-half*p.unit, y-half*p.unit), side, side, side)
}

func (p *picture) square(x, y float64) string { return p.box(x, y, .32) }

func (p *picture) cross(x, y float64) string {
	arm, whole := .15*p.unit, decimal(.3*p.unit)
	return fmt.Sprintf("M%sl%s %sM%sl-%s %s", at(x-arm, y-arm), whole, whole, at(x+arm, y-arm), whole, whole)
}

func (p *picture) ring(x, y float64) string {
	r := .3 * p.unit
	return fmt.Sprintf("M%sa%s %s 0 10%s 0a%s %s 0 10-%s 0", at(x-r, y), decimal(r), decimal(r), decimal(2*r),
		decimal(r), decimal(r), decimal(2*r))
}

// lines returns the drawn lines of the board, empty for boards of squares or hexagons.
func (p *picture) lines() string {
	var path strings.Builder
	for _, line := range p.game.Rules().Board.Lines {
		command := "M"
		for _, name := range line {
			if c, err := p.game.ParseCell(name); err == nil { // the rules have been checked
				x, y := p.centre(int(c))
				path.WriteString(command + at(x, y))
				command = "L"
			}
		}
	}
	return path.String()
}

func at(x, y float64) string { return decimal(x) + " " + decimal(y) }

// decimal formats a number with at most one decimal.
func decimal(x float64) string {
	return strconv.FormatFloat(math.Round(10*x)/10, 'f', -1, 64)
}
