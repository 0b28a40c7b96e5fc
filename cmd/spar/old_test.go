package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/must"
)

// What Spar wrote before (testdata/old: a study, exports and a net, made at 47c653f) still opens and replays to the
// same games.
func TestOldFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unpack := func(name string) string {
		packed := must.Get(os.Open("testdata/old/" + name + ".gz"))(t)
		defer packed.Close()
		plain := must.Get(gzip.NewReader(packed))(t)
		data, err := io.ReadAll(plain)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	study := unpack("cup.db")
	people := unpack("people.db")
	merged := filepath.Join(dir, "merged.db")
	// The link of the second player's seat in people.db ends in 2o3ogcgnnm7mrhe5gnphhkqul3. Its hash gives no seat.
	const seat, hash = "2o3ogcgnnm7mrhe5gnphhkqul3", `\"tokens\":[\"\",\"sha256:a003c68d`
	for _, c := range []struct{ command, prints string }{
		{"standings --db " + study, "minimax-2"},
		{"show 1 --db " + study, "random"},
		{"verify " + study + " --replay", "36 games replayed, 0 mismatches"},
		{"import testdata/old/cup.jsonl --db " + merged, "36 games read, 36 of them new"},
		{"rate testdata/old/cup.pgn --csv", "minimax-2"},
		{"import testdata/old/cup.jsonl --db " + study, "36 games read, 0 of them new"},
		{"verify " + merged, "36 games replayed, 0 mismatches"},
		{"agents show minimax-2 --rules vanishing --agent-set minimax-2:evaluation.file=testdata/old/v.net", "v.net"},
		{"export --db " + people, hash},
		{"import testdata/old/people.jsonl --db " + filepath.Join(dir, "imported.db"), "0 games read"},
		{"export --db " + filepath.Join(dir, "imported.db"), hash},
		{"play --rules vanishing minimax-2 random --agent-set minimax-2:evaluation.file=testdata/old/v.net", "won"},
	} {
		var out, said bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.command), strings.NewReader(""), &out, &said); code != exitOK ||
			!strings.Contains(out.String(), c.prints) ||
			strings.Contains(out.String(), seat) {
			t.Errorf("spar %s: exit code %d\n%s%s", c.command, code, &out, &said)
		}
	}
}
