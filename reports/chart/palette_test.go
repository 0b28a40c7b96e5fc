package chart

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

// The known ends of the scale, and grey #767676, the lightest that is readable on white (4.54:1).
func TestContrastIsThatOfTheGuidelines(t *testing.T) {
	t.Parallel()
	white := color.RGBA{255, 255, 255, 255}
	for _, c := range []struct {
		a    color.RGBA
		want float64
	}{{color.RGBA{0, 0, 0, 255}, 21}, {white, 1}, {color.RGBA{0x76, 0x76, 0x76, 255}, 4.54}} {
		if got := Contrast(c.a, white); math.Abs(got-c.want) > 0.005 {
			t.Errorf("contrast of %v with white: %.3f, want %.2f", c.a, got, c.want)
		}
	}
}

func TestColoursStandOutInBothThemes(t *testing.T) {
	t.Parallel()
	text := []Colour{Ink, Muted, First, Second, Good, Middling, Poor, A, B, C, D, E, F}
	shapes := []Colour{Axes, Draws, Caps}
	for name, of := range map[string]func(Colour) color.RGBA{"light": Colour.Light, "dark": Colour.Dark} {
		check := func(c, on Colour, least float64) {
			if got := Contrast(of(c), of(on)); got < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, below %.1f", name, c.role, on.role, got, least)
			}
		}
		for _, c := range text {
			check(c, Paper, 4.5)
			check(Paper, c, 4.5) // numbers in bars
		}
		for _, c := range shapes {
			check(c, Paper, 3)
		}
		check(Ink, Scale{}.first(), 4.5) // buttons
		for _, diverging := range []bool{true, false} {
			for i := range Steps {
				on, ink := Scale{Diverging: diverging}.colours(i)
				check(ink, on, 4.5)
				lines, ground := of(ink), of(on)
				mix := func(a, b uint8) uint8 { return uint8(hatching*float64(a) + (1-hatching)*float64(b)) }
				lines = color.RGBA{mix(lines.R, ground.R), mix(lines.G, ground.G), mix(lines.B, ground.B), 0xff}
				if got := Contrast(lines, ground); got < 3 {
					t.Errorf("%s: hatching on %s has a contrast of %.2f, below 3", name, on.role, got)
				}
			}
		}
	}
}

// first is the colour of the lowest step.
func (k Scale) first() Colour {
	on, _ := k.colours(0)
	return on
}

func TestStyleSheetKnowsEveryRole(t *testing.T) {
	t.Parallel()
	css := CSS()
	for _, c := range roles() {
		for _, want := range []string{"--" + c.role + ":#", ".f-" + c.role + "{", ".s-" + c.role + "{"} {
			if !strings.Contains(css, want) {
				t.Errorf("no %s in the style sheet", want)
			}
		}
	}
	// Light, dark by the system, dark by choice; paper is always light.
	if n := strings.Count(css, "--ink:"); n != 3 {
		t.Errorf("%d definitions of the ink, want 3", n)
	}
}
