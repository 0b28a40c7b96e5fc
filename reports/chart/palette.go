package chart

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Colour is a colour with a role. It has one value for light and one for dark pages, as 0xrrggbb. Used as a
// color.Color, it is the light one.
type Colour struct {
	// a name in the style sheet, where it occurs as the classes f-role (fill) and s-role (stroke) and the variable
	// --role; or #rrggbb
	role        string
	light, dark uint32
}

// The roles. First and Second are the two players everywhere; A to F are other series. A test checks that text has a
// contrast of 4.5:1 with the page, and everything else that carries meaning 3:1.
var (
	Ink      = Colour{"ink", 0x1b1f24, 0xe8ebef}    // text and the most important lines
	Muted    = Colour{"muted", 0x57606a, 0xa3adb8}  // secondary text
	Axes     = Colour{"axis", 0x7b858f, 0x7d8894}   // axes, ticks, reference lines
	Thin     = Colour{"grid", 0xe1e5ea, 0x2b333c}   // auxiliary lines, such as grids
	Paper    = Colour{"paper", 0xffffff, 0x14181d}  // background of the page
	First    = Colour{"first", 0x0067a8, 0x5cb3ee}  // the first player, X
	Second   = Colour{"second", 0xb84a00, 0xf0a04b} // the second player, O
	Draws    = Colour{"draw", 0x6b7480, 0x9aa5b1}   // drawn games
	Caps     = Colour{"cap", 0x8a4a8f, 0xcf9ad3}    // games ended by a limit
	Good     = Colour{"good", 0x1a7048, 0x57c98f}
	Middling = Colour{"middling", 0x855c00, 0xe0b341}
	Poor     = Colour{"poor", 0xb3261e, 0xff8a80}
	A        = Colour{"a", 0x0067a8, 0x5cb3ee}
	B        = Colour{"b", 0xb84a00, 0xf0a04b}
	C        = Colour{"c", 0x00755a, 0x3fc79e}
	D        = Colour{"d", 0x8a4a8f, 0xcf9ad3}
	E        = Colour{"e", 0x7a6200, 0xd8c04a}
	F        = Colour{"f", 0x4d5560, 0xb4bdc7}
)

// roles lists all colour roles.
func roles() []Colour {
	all := []Colour{Ink, Muted, Axes, Thin, Paper, First, Second, Draws, Caps, Good, Middling, Poor, A, B, C, D, E, F}
	for _, diverging := range []bool{true, false} {
		for i := range Steps {
			on, text := Scale{Diverging: diverging}.colours(i)
			all = append(all, on, text)
		}
	}
	return all
}

// series returns the colour of the nth series that has no role of its own.
func series(n int) Colour { return []Colour{A, B, C, D, E, F}[n%6] }

// RGBA returns the colour on a light page.
func (c Colour) RGBA() (r, g, b, a uint32) { return c.Light().RGBA() }

// Light returns the colour on a light page.
func (c Colour) Light() color.RGBA { return rgb(c.light) }

// Dark returns the colour on a dark page.
func (c Colour) Dark() color.RGBA { return rgb(c.dark) }

func rgb(v uint32) color.RGBA {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// ParseColour reads a colour like #0067a8 or 06a, which is the same on light and dark pages.
func ParseColour(text string) (Colour, error) {
	digits := strings.TrimPrefix(text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	v, err := strconv.ParseUint(digits, 16, 24)
	if len(digits) != 6 || err != nil {
		return Colour{}, fmt.Errorf("colour %q: expected six hexadecimal digits, like 0067a8", text)
	}
	return Colour{"#" + digits, uint32(v), uint32(v)}, nil
}

func (c Colour) or(d Colour) Colour {
	if c.role == "" {
		return d
	}
	return c
}

// own reports whether the colour is no role, but the same on light and dark pages.
func (c Colour) own() bool { return strings.HasPrefix(c.role, "#") }

// ink returns the colour of text on a block of the colour.
func (c Colour) ink() Colour {
	if !c.own() {
		return Paper
	}
	v := readable(c.light)
	return Colour{fmt.Sprintf("#%06x", v), v, v}
}

// readable returns the text colour, dark or light, that has the higher contrast on a background colour.
func readable(on uint32) uint32 {
	const dark, light = 0x101418, 0xffffff
	if Contrast(rgb(on), rgb(dark)) >= Contrast(rgb(on), rgb(light)) {
		return dark
	}
	return light
}

// Contrast returns the contrast ratio of two colours by the Web Content Accessibility Guidelines, 1 to 21.
func Contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n.R) + 0.7152*linear(n.G) + 0.0722*linear(n.B)
}

// Steps is the number of steps of a colour scale.
const Steps = 9

type pair struct{ light, dark uint32 }

// diverging is the colour scale from the second player's orange through the page's background shade to the first
// player's blue.
var diverging = [Steps]pair{
	{0xa84300, 0xf0a04b},
	{0xcf7130, 0xc27a34},
	{0xe8a878, 0x8c5a2c},
	{0xf6d9c3, 0x513a26},
	{0xf1f2f4, 0x262c34},
	{0xc9dff0, 0x203c52},
	{0x8bbbdf, 0x28608a},
	{0x3f8cc4, 0x3d88bd},
	{0x005a94, 0x5cb3ee},
}

// sequential is the colour scale from the page's background shade to blue.
var sequential = [Steps]pair{
	{0xf1f2f4, 0x262c34},
	{0xdde9f3, 0x22343f},
	{0xc3daed, 0x21414f},
	{0xa4c8e4, 0x245165},
	{0x82b3d9, 0x28647c},
	{0x5d9ccc, 0x307a97},
	{0x3b84bb, 0x4293b4},
	{0x1e6ca8, 0x5baed0},
	{0x00538c, 0x7fcaea},
}

// CSS returns the style rules that a page with SVG charts needs: the variables of the roles in light and dark
// themes, and the classes that use them. A page can force a theme by data-theme="light" or "dark" at its root
// element.
func CSS() string {
	var light, dark, classes strings.Builder
	for _, e := range roles() {
		fmt.Fprintf(&light, "--%s:#%06x;", e.role, e.light)
		fmt.Fprintf(&dark, "--%s:#%06x;", e.role, e.dark)
		fmt.Fprintf(&classes, ".f-%s{fill:var(--%s)}.s-%s{stroke:var(--%s)}\n", e.role, e.role, e.role, e.role)
	}
	return fmt.Sprintf(`:root{color-scheme:light dark;%s}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){%s}}
@media screen{:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark;%s}}
@media print{:root{color-scheme:light}}
%s%s`, light.String(), dark.String(), dark.String(), classes.String(), shapes)
}

// shapes are the SVG classes that set no colour.
const shapes = `.chart text{font-family:"Liberation Sans",Arial,Helvetica,sans-serif}
.chart path{stroke-linejoin:round}
.chart .s{fill:none}
`
