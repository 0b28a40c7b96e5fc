package rules

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"spar/configs/strict"
	"spar/engines/grid"
)

// Sides are the display names of the two sides, and the colours of their pieces. They do not affect play, so they are
// not part of the rules' hash.
type Sides struct {
	// The first player's side.
	First Side `yaml:"first" json:"first,omitzero"`
	// The second player's side.
	Second Side `yaml:"second" json:"second,omitzero"`
}

// Side is the name and the colour of a side. Both sides have a name or neither has, and the same holds for colours.
type Side struct {
	// Display name of the side, like Black or Fox: 2 to 16 letters, digits, spaces and hyphens.
	Name string `yaml:"name,omitempty" json:"name,omitempty"`
	// The colour of the side's pieces: black, white, grey, red, orange, yellow, green, blue, purple, brown, or six
	// hexadecimal digits like "#b03a2e".
	Colour string `yaml:"colour,omitempty" json:"colour,omitempty"`
}

// sideColours returns the colours that can be given by name.
func sideColours() map[string]string {
	return map[string]string{
		"black": "#1c1c1c", "white": "#ffffff", "grey": "#808080", "red": "#c0392b", "orange": "#e67e22",
		"yellow": "#f4c430", "green": "#2e8b57", "blue": "#2f6fb5", "purple": "#7d3c98", "brown": "#7b4a21",
	}
}

// Of returns the Side of First or Second.
func (s Sides) Of(side int) Side {
	if side == grid.First {
		return s.First
	}
	return s.Second
}

// Hex returns the colour as # and six hexadecimal digits. It is empty if there is none.
func (s Side) Hex() string {
	if hex, ok := sideColours()[s.Colour]; ok {
		return hex
	}
	return strings.ToLower(s.Colour)
}

// RGB returns the colour as components from 0 to 255. The result ok is false if there is none.
func (s Side) RGB() (rgb [3]int, ok bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s.Hex(), "#"), 16, 32)
	return [3]int{int(n >> 16), int(n >> 8 & 255), int(n & 255)}, err == nil
}

// Ink returns black or white, whichever is easier to read on the colour.
func (s Side) Ink() string {
	rgb, _ := s.RGB()
	luminance := 0.0 // of WCAG, with a plain power: beyond 0.18, black has the better contrast
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		luminance += weight * math.Pow(float64(rgb[i])/255, 2.2)
	}
	if luminance > 0.18 {
		return "#000000"
	}
	return "#ffffff"
}

// Ansi returns the code of a 256-colour terminal for text in this colour. It is empty if there is none. The codes from
// 16 on are a cube of 6x6x6 colours.
func (s Side) Ansi() string {
	rgb, ok := s.RGB()
	if !ok {
		return ""
	}
	step := func(part int) int { return (part*5 + 127) / 255 }
	ink := map[string]int{"#000000": 16, "#ffffff": 231}[s.Ink()]
	return fmt.Sprintf("38;5;%d;48;5;%d", ink, 16+36*step(rgb[0])+6*step(rgb[1])+step(rgb[2]))
}

// leastApart is the minimum sum of the differences between the parts of two colours, so that people can
// distinguish them on a board.
const leastApart = 96

var (
	sideName  = regexp.MustCompile(`^\pL[\pL\pN -]{0,14}[\pL\pN]$`)
	hexColour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
)

// validateSides returns errors about sides that people could not distinguish.
func validateSides(r *Rules, refuse refuser) {
	s, known := r.Sides, slices.Sorted(maps.Keys(sideColours()))
	for side, path := range []string{"sides.first", "sides.second"} {
		name, colour := s.Of(side).Name, s.Of(side).Colour
		refuse(name != "" && !sideName.MatchString(name), path+".name",
			"%q: expected 2 to 16 letters, digits, spaces and hyphens, starting with a letter", name)
		refuse(colour != "" && !slices.Contains(known, colour) && !hexColour.MatchString(colour), path+".colour",
			"%q: expected the name of a colour, or \"#\" and six hexadecimal digits%s", colour,
			strict.Suggest(colour, known))
		refuse(name == "" && s.Of(1-side).Name != "", path+".name", "the other side has a name, so this one needs one")
		refuse(colour == "" && s.Of(1-side).Colour != "", path+".colour",
			"the other side has a colour, so this one needs one")
	}
	refuse(s.First.Name != "" && strings.EqualFold(s.First.Name, s.Second.Name), "sides.second.name",
		"both sides are called %q: rename one", s.First.Name)
	a, okA := s.First.RGB()
	b, okB := s.Second.RGB()
	apart := 0
	for i := range a {
		apart += max(a[i]-b[i], b[i]-a[i])
	}
	refuse(okA && okB && apart < leastApart, "sides.second.colour",
		"%s and %s are too similar: choose a colour that differs more", s.First.Colour, s.Second.Colour)
	refuse(okA && !r.Pieces.Owner.IsZero(), "sides.first.colour",
		"no piece belongs to a side (pieces.owner is %s), so the sides have no colours: remove them", r.Pieces.Owner)
}
