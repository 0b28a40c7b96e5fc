package screen

import (
	"bytes"
	"strings"
	"testing"
)

// TestOutputSteersNothing writes hostile bytes in pieces of each length.
func TestOutputSteersNothing(t *testing.T) {
	t.Parallel()
	const text = "a\x1b[31mred\x1b[0m\tb\n\x1b]0;title\x07\x1b[2Jc\x00\x7f\u009b31m\u00e9\u0142\n"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		o := NewOutput(&b)
		for p := []byte(text); len(p) > 0; {
			n := min(size, len(p))
			if m, err := o.Write(p[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			p = p[n:]
		}
		got := b.String()
		left := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(got)
		if strings.ContainsAny(left, "\x1b\x07\x00\x7f") || strings.Contains(left, "\u009b") {
			t.Errorf("in pieces of %d bytes: %q", size, got)
		}
		if !strings.Contains(got, "c\\x00\\x7f") || !strings.Contains(got, "\u00e9\u0142\n") {
			t.Errorf("in pieces of %d bytes something is lost: %q", size, got)
		}
	}
	var b bytes.Buffer
	if _, err := NewOutput(&b).Write([]byte(text)); err != nil ||
		!strings.HasPrefix(b.String(), "a\x1b[31mred\x1b[0m\tb\n\\x1b]0;") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestBreak(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(" word", 6)
	for _, whole := range []string{"|" + long + " |\n", "#" + long + "\n", "a  b" + long + "\n"} {
		if got := Break([]byte(whole), 20); string(got) != whole {
			t.Errorf("%q", got)
		}
	}
	if got := string(Break([]byte("warning:"+long), 20)); got != "warning: word word\n  word word word word" {
		t.Errorf("%q", got)
	}
}
