package screen

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// What would break a line is quoted.
func TestNamesOnALine(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"greedy": "greedy", "größe 3": "größe 3", "a\nb": `"a\nb"`,
		"a\xff": `"a\xff"`, "": "",
	} {
		if got := Cell(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64][3]string{
		0: {"0 games", "0 plies", "0 searches"}, 1: {"1 game", "1 ply", "1 search"},
		2: {"2 games", "2 plies", "2 searches"},
	} {
		if got := [3]string{Plural(n, "game"), Plural(n, "ply"), Plural(n, "search")}; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Lines of a paragraph have at most Width characters, all but the first an indent. A word that is longer stays whole.
func TestParagraph(t *testing.T) {
	t.Parallel()
	a := strings.Repeat("ä", 60)
	b := strings.Repeat("b", 34)
	long := strings.Repeat("c", 120)
	for _, c := range [][2]string{
		{" \n", ""},
		{a + "\n" + b, a + " " + b + "\n"},
		{a + " " + b + "b", a + "\n     " + b + "b\n"},
		{"x " + long + " y", "x\n     " + long + "\n     y\n"},
	} {
		var out bytes.Buffer
		if err := Paragraph(&out, c[0]); err != nil || out.String() != c[1] {
			t.Errorf("%q, %v, want %q", out.String(), err, c[1])
		}
	}
}

// What rounds to nothing has one sign.
func TestSigned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "+0.0"},
		{math.Copysign(0, -1), "+0.0"},
		{-0.04, "+0.0"},
		{-0.06, "-0.1"},
		{12.34, "+12.3"},
		{math.Inf(-1), "-Inf"},
	} {
		if got := Signed(c.x); got != c.want {
			t.Errorf("%g: %s, want %s", c.x, got, c.want)
		}
	}
}
