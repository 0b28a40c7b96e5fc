package files

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"pgregory.net/rapid"

	"spar/configs/must"
)

// The bytes of "é1\nb" in each encoding, as iconv writes them, and line ends of each system.
func TestText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"UTF-8":                     {"\xc3\xa91\nb", "é1\nb"},
		"UTF-8 with mark":           {"\xef\xbb\xbf\xc3\xa91\nb", "é1\nb"},
		"UTF-16 LE with mark":       {"\xff\xfe\xe9\x001\x00\n\x00b\x00", "é1\nb"},
		"UTF-16 BE with mark":       {"\xfe\xff\x00\xe9\x001\x00\n\x00b", "é1\nb"},
		"UTF-16 LE":                 {"\xe9\x001\x00\n\x00b\x00", "é1\nb"},
		"UTF-16 BE":                 {"\x00\xe9\x001\x00\n\x00b", "é1\nb"},
		"UTF-16, two units":         {"\xff\xfe\x3d\xd8\x00\xdea\x00", "😀a"},
		"UTF-16, half a pair":       {"\xff\xfe\x3d\xd8a\x00", "\ufffda"},
		"UTF-16, half a unit":       {"\xff\xfea\x00b", "a\ufffd"},
		"Latin-1":                   {"\xe91\nb", "é1\nb"},
		"Latin-1 at the end":        {"b\xe9", "bé"},
		"Windows-1252":              {"\x80 \x93a\x94 \x9f", "€ “a” Ÿ"},
		"both":                      {"\xc3\xa9\xe9", "éé"},
		"CR LF":                     {"a\r\nb\r\n\r\nc\r\n", "a\nb\n\nc\n"},
		"CR":                        {"a\rb\r\rc\r", "a\nb\n\nc\n"},
		"mixed ends":                {"a\r\r\nb\n\rc", "a\n\nb\n\nc"},
		"empty":                     {"", ""},
		"one byte":                  {"\xef", "ï"},
		"a mark inside is a letter": {"a\ufeff", "a\ufeff"},
	} {
		for kind, r := range map[string]io.Reader{
			"": strings.NewReader(c.in), " by byte": iotest.OneByteReader(strings.NewReader(c.in)),
			" with its end": iotest.DataErrReader(strings.NewReader(c.in)),
		} {
			if kind == " by byte" && !strings.Contains(name, "mark") && strings.HasPrefix(name, "UTF-16") {
				continue // its first byte alone could be Latin-1
			}
			if got, err := io.ReadAll(Text(r)); string(got) != c.want || err != nil {
				t.Errorf("%s%s: %q, %v; want %q", name, kind, got, err, c.want)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "a")
	must.Do(t, os.WriteFile(path, []byte("\xff\xfea\x00\r\x00"), 0o644))
	if data, err := ReadText(path, 6); string(data) != "a\n" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

// Any text comes back from any encoding that can hold it, in chunks of any size.
func TestTextInAnyEncoding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := "xy" + strings.ReplaceAll(rapid.String().Draw(t, "text"), "\r", "")
		in := want
		if rapid.Bool().Draw(t, "UTF-16") {
			var b strings.Builder
			for _, u := range utf16.Encode([]rune("\ufeff" + want)) {
				b.WriteString(string([]byte{byte(u >> 8), byte(u)}))
			}
			in = b.String()
		}
		var r io.Reader = strings.NewReader(in)
		if rapid.Bool().Draw(t, "by byte") {
			r = iotest.OneByteReader(r)
		}
		if got, err := io.ReadAll(Text(r)); string(got) != want || err != nil {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	})
}

// A line is passed on at once: who writes it waits for the answer.
func TestTextDoesNotWait(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	go func() { _, _ = out.Write([]byte("{}\n")) }()
	if n, err := Text(in).Read(make([]byte, 10)); n != 3 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
