package solve

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"spar/configs/fuzzlimit"
	"spar/configs/must"
	"spar/engines"
)

// FuzzTable holds that no file makes the reader of tables panic, and that a table that is read answers about its game.
func FuzzTable(f *testing.F) {
	g := must.Get(engines.Named("classic"))(f)
	table := must.Get(Solve(context.Background(), g, Options{Memory: 64_000_000}))(f)
	path := filepath.Join(f.TempDir(), "t")
	must.Do(f, table.Save(path))
	data := must.Get(os.ReadFile(path))(f)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(data[:prefixBytes])
	f.Add([]byte(magic))
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		for _, g := range []*engines.Game{nil, g} {
			if table, err := parse(data, g); err == nil && table == nil {
				t.Fatal("neither a table nor an error")
			}
		}
	})
}
