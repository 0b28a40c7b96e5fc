package plain

import (
	"fmt"
	"strings"
	"testing"
	"testing/quick"
	"unicode"
)

func page(s string) string { return string(Page([]byte(s))) }

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
		{"XML", XML, "a<b\x1b[31m\xff", `a&lt;b\x1b[31m` + "\ufffd"},
		{"page", page, "<p>a\x1b[31m\u009bé\n\t", "<p>a␛[31m\ufffdé\n\t"},
		{"Markdown", Markdown, "a|b\n# c <script> [x](y) `z`", "a\\|b # c &lt;script> \\[x](y) \\`z\\`"},
		{"code of Markdown", Code, "spar run a\n```\n# b", `spar run a\x0a'''\x0a# b`},
	} {
		if got := c.f(c.given); got != c.wants {
			t.Errorf("%s: %q became %q, want %q", c.what, c.given, got, c.wants)
		}
	}
}

// Names that a spreadsheet would compute, which Excel and LibreOffice do for these first characters, are refused.
func TestFormula(t *testing.T) {
	t.Parallel()
	for name, computed := range map[string]bool{"=1+1": true, "@SUM(A1)": true, "+x": true, "-2+3": true, "minimax-2": false, "": false} {
		if got := Formula(name); (got != "") != computed {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// TestNothingInvisible: whatever comes in, each function gives one printable line.
func TestNothingInvisible(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(string) string{
		"Line": Line, "Markdown": Markdown,
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
