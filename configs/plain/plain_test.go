package plain

import (
	"fmt"
	"strings"
	"testing"
	"testing/quick"
	"unicode"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what         string
		f            func(string) string
		given, wants string
	}{
		{"terminal", Line, "greedy – 2½ é", "greedy – 2½ é"},
		{"terminal", Line, "a\x1b[2Jb", `a\x1b[2Jb`},
		{"terminal", Line, "a\nwon\tall\r", `a\x0awon\x09all\x0d`},
		{"terminal", Line, "a\u009b2Jb\u202ec\u00a0d", `a\x9b2Jb\u202ec d`},
		{"terminal", Line, "a\xffb", "a\ufffdb"},
		{"lines of a terminal", Text, "a\n\tb\x1b]0;c\a", "a\n\tb\\x1b]0;c\\x07"},
		{"CSV", Cell, "=1+1", "'=1+1"},
		{"CSV", Cell, "@SUM(A1)", "'@SUM(A1)"},
		{"CSV", Cell, "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
		{"CSV", Cell, "-2+3", "'-2+3"},
		{"CSV", Cell, "-12.5", "-12.5"},
		{"CSV", Cell, "+1e-05", "+1e-05"},
		{"CSV", Cell, "-", "'-"},
		{"CSV", Cell, "\t=1", `\x09=1`},
		{"CSV", Cell, "minimax-2", "minimax-2"},
		{"Markdown", Markdown, "a|b\n# c <script> [x](y) `z`", "a\\|b # c &lt;script> \\[x](y) \\`z\\`"},
		{"code of Markdown", Code, "spar run a\n```\n# b", `spar run a\x0a'''\x0a# b`},
	} {
		if got := c.f(c.given); got != c.wants {
			t.Errorf("%s: %q became %q, want %q", c.what, c.given, got, c.wants)
		}
	}
}

// TestNothingInvisible: whatever comes in, each function gives one printable line, and no cell that a spreadsheet would
// compute.
func TestNothingInvisible(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(string) string{
		"Line": Line, "Cell": Cell, "Markdown": Markdown,
		"Code": Code,
	} {
		if err := quick.Check(func(s string) bool {
			out := f(s)
			return strings.IndexFunc(out, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An error quotes at most 200 characters of a file, whatever the file holds.
func TestErrorsQuoteLittle(t *testing.T) {
	t.Parallel()
	for name, long := range map[string]string{
		"a word": strings.Repeat("x", 5000), "words": strings.Repeat("ab ", 2000),
		"quotation marks": strings.Repeat(`"`, 5000),
		"not ASCII":       strings.Repeat("é", 5000), "not text": strings.Repeat("\x00\xff", 3000),
	} {
		for _, err := range []error{
			fmt.Errorf("x.yaml:3:1: unknown key %q", long),
			fmt.Errorf("line 7: a column %q, %q", long, "b"),
		} {
			if got := Brief(err.Error()); len([]rune(got)) > 60+2*MostQuoted || !strings.HasPrefix(got, err.Error()[:7]) {
				t.Errorf("%s: %d characters: %s", name, len([]rune(got)), got)
			}
		}
	}
	prose := `"a" ` + strings.Repeat("between quotations ", 20) + ` "b"`
	if Brief(prose) != prose {
		t.Error(Brief(prose))
	}
}
