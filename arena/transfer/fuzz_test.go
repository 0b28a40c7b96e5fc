package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"spar/arena/store"
	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/configs/plain"
)

// FuzzImport holds that no file makes the import panic, and that one that is refused leaves nothing in the study.
func FuzzImport(f *testing.F) {
	ctx := context.Background()
	whole := exported(f, played(f, "{name: x, games: [classic], agents: [random, greedy], pairs: 2, record_plies: true}"))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(exported(f, everything(f)))
	f.Add(bytes.ReplaceAll(whole, []byte(`"random"`), []byte(`""`)))
	f.Add(bytes.ReplaceAll(whole, []byte(`"opening":0`), []byte(`"opening":-1`)))
	f.Add(bytes.ReplaceAll(whole, []byte(`"opening_plies":0`), []byte(`"opening_plies":-1`)))
	f.Add(bytes.ReplaceAll(whole, []byte(`"number":1`), []byte(`"number":-9223372036854775808`)))
	folder, opened := f.TempDir(), 0
	open := func(t testing.TB) (*store.DB, []byte) {
		opened++
		into := must.Get(store.Open(ctx, filepath.Join(folder, fmt.Sprint(opened, ".db")), store.Create))(t)
		return into, exported(t, into)
	}
	into, before := open(f)
	f.Cleanup(func() { into.Close() })
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		// an empty study again: a full one takes long to compare
		if _, err := Import(ctx, into, bytes.NewReader(data), "fuzz"); err == nil {
			into.Close()
			into, before = open(t)
			return
		} else if plain.Text(err.Error()) == "" {
			t.Fatal("an error without words")
		}
		if after := exported(t, into); !bytes.Equal(before, after) {
			t.Fatalf("a refused import has left something:\n%s\n%s", before, after)
		}
	})
}

func exported(t testing.TB, db *store.DB) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, JSONL(context.Background(), db, func(kind string, line any) error {
		text, err := lineOf(kind, line)
		b.Write(text)
		return err
	}))
	return b.Bytes()
}

// lineOf writes a line as the command does.
func lineOf(kind string, line any) ([]byte, error) {
	text, err := json.Marshal(line)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "{\"kind\":%q,\"version\":1,%s\n", kind, text[1:]), nil
}
