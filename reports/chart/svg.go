package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"spar/configs/plain"
)

// svgCanvas is a vg.Canvas that writes compact SVG without style attributes. The security policy of our pages
// blocks style attributes, and classes let the page choose light or dark colours.
type svgCanvas struct {
	w, h  float64
	body  bytes.Buffer
	state svgState
	stack []svgState
}

type svgState struct {
	m      [6]float64 // transformation x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5; y points up
	colour color.Color
	width  float64
	dashes []vg.Length
	offset float64
}

func (c *svgCanvas) SetLineWidth(w vg.Length) { c.state.width = w.Points() }
func (c *svgCanvas) SetColor(k color.Color)   { c.state.colour = k }

func (c *svgCanvas) SetLineDash(dashes []vg.Length, offset vg.Length) {
	c.state.dashes, c.state.offset = dashes, offset.Points()
}

func (c *svgCanvas) Push() { c.stack = append(c.stack, c.state) }

func (c *svgCanvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *svgCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	m := c.state.m
	c.state.m = [6]float64{m[0]*cos + m[2]*sin, m[1]*cos + m[3]*sin, m[2]*cos - m[0]*sin, m[3]*cos - m[1]*sin, m[4], m[5]}
}

func (c *svgCanvas) Translate(p vg.Point) {
	m := &c.state.m
	x, y := p.X.Points(), p.Y.Points()
	m[4], m[5] = m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5]
}

func (c *svgCanvas) Scale(x, y float64) {
	m := &c.state.m
	m[0], m[1], m[2], m[3] = m[0]*x, m[1]*x, m[2]*y, m[3]*y
}

// at converts a point of the drawing to its position in the file, where y points down.
func (c *svgCanvas) at(p vg.Point) (x, y float64) {
	m := c.state.m
	px, py := p.X.Points(), p.Y.Points()
	return m[0]*px + m[2]*py + m[4], c.h - (m[1]*px + m[3]*py + m[5])
}

func (c *svgCanvas) Fill(p vg.Path) {
	if _, _, _, a := c.state.colour.RGBA(); a == 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path%s d="%s"/>`+"\n", c.paint("fill"), c.path(p))
}

func (c *svgCanvas) Stroke(p vg.Path) {
	if _, _, _, a := c.state.colour.RGBA(); a == 0 || c.state.width <= 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path%s`, c.paint("stroke"))
	if c.state.width != 1 {
		fmt.Fprintf(&c.body, ` stroke-width="%s"`, short(c.state.width))
	}
	if len(c.state.dashes) > 0 {
		c.body.WriteString(` stroke-dasharray="`)
		for i, d := range c.state.dashes {
			if i > 0 {
				c.body.WriteByte(' ')
			}
			c.body.WriteString(short(d.Points()))
		}
		c.body.WriteByte('"')
		if c.state.offset != 0 {
			fmt.Fprintf(&c.body, ` stroke-dashoffset="%s"`, short(c.state.offset))
		}
	}
	fmt.Fprintf(&c.body, ` d="%s"/>`+"\n", c.path(p))
}

// paint returns the attributes of a fill or stroke: a class if the colour has a role.
func (c *svgCanvas) paint(what string) string {
	k, opacity := c.state.colour, 1.0
	if f, ok := k.(faded); ok {
		k, opacity = f.Colour, f.opacity
	}
	class := "f-"
	if what == "stroke" {
		class = "s s-"
	}
	var s string
	if role, ok := k.(Colour); ok && role.role[0] != '#' {
		s = fmt.Sprintf(` class="%s%s"`, class, role.role)
	} else {
		n := color.NRGBAModel.Convert(k).(color.NRGBA)
		opacity = float64(n.A) / 255
		if what == "stroke" {
			s = ` class="s"`
		}
		s += fmt.Sprintf(` %s="#%02x%02x%02x"`, what, n.R, n.G, n.B)
	}
	if opacity < 1 {
		s += fmt.Sprintf(` %s-opacity="%s"`, what, short(opacity))
	}
	return s
}

func (c *svgCanvas) path(p vg.Path) string {
	var b bytes.Buffer
	move := func(letter string, ps ...vg.Point) {
		b.WriteString(letter)
		for i, p := range ps {
			if i > 0 {
				b.WriteByte(' ')
			}
			x, y := c.at(p)
			b.WriteString(short(x))
			b.WriteByte(' ')
			b.WriteString(short(y))
		}
	}
	for _, e := range p {
		switch e.Type {
		case vg.MoveComp:
			move("M", e.Pos)
		case vg.LineComp:
			move("L", e.Pos)
		case vg.CurveComp:
			letter := "Q"
			if len(e.Control) == 2 {
				letter = "C"
			}
			move(letter, append(append([]vg.Point(nil), e.Control...), e.Pos)...)
		case vg.ArcComp:
			c.arc(move, e)
		case vg.CloseComp:
			b.WriteByte('Z')
		}
	}
	return b.String()
}

// arc writes a full circle, which charts draw no other arc than, as two halves.
func (c *svgCanvas) arc(move func(string, ...vg.Point), e vg.PathComp) {
	arc := fmt.Sprintf("A%s %s 0 0 0 ", short(e.Radius.Points()), short(e.Radius.Points()))
	for i, x := range []vg.Length{e.Radius, -e.Radius, e.Radius} {
		move([]string{"M", arc, arc}[i], point(e.Pos.X+x, e.Pos.Y))
	}
}

func (c *svgCanvas) FillString(f font.Face, p vg.Point, text string) {
	if f.Font.Size <= 0 || text == "" {
		return
	}
	x, y := c.at(p)
	fmt.Fprintf(&c.body, `<text%s x="%s" y="%s" font-size="%s"`, c.paint("fill"), short(x), short(y),
		short(f.Font.Size.Points()))
	if f.Font.Weight > 0 {
		c.body.WriteString(` font-weight="bold"`)
	}
	if m := c.state.m; m[1] != 0 || m[0] < 0 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, short(-math.Atan2(m[1], m[0])*180/math.Pi), short(x), short(y))
	}
	fmt.Fprintf(&c.body, ">%s</text>\n", plain.XML(text))
}

// DrawImage implements vg.Canvas. Charts have no images.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {}

// write writes the element; a separate file includes its colours and a background.
func (c *svgCanvas) write(b *bytes.Buffer, alt string, file bool) {
	size := fmt.Sprintf(`viewBox="0 0 %s %s" width="%s" height="%s"`, short(c.w), short(c.h), short(c.w), short(c.h))
	if file {
		size += ` xmlns="http://www.w3.org/2000/svg"`
	}
	fmt.Fprintf(b, `<svg class="chart" role="img" aria-label="%s" %s>`+"\n", plain.XML(alt), size)
	if file {
		fmt.Fprintf(b, "<style>%s</style>\n", CSS())
		fmt.Fprintf(b, `<path class="f-paper" d="M0 0H%sV%sH0Z"/>`+"\n", short(c.w), short(c.h))
	}
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
}

// short formats a number to two decimals, without trailing zeros.
func short(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// faded is a colour with an opacity.
type faded struct {
	Colour
	opacity float64
}

// Fade returns the colour with an opacity from 0 to 1.
func (c Colour) Fade(opacity float64) color.Color { return faded{c, opacity} }

// RGBA returns the faded colour on a light page.
func (f faded) RGBA() (r, g, b, a uint32) {
	r, g, b, a = f.Colour.RGBA()
	k := func(v uint32) uint32 { return uint32(float64(v) * f.opacity) }
	return k(r), k(g), k(b), k(a)
}
