package enginetest

import (
	"testing"

	"spar/engines"
)

// Load compiles a shipped game, or a file, with overrides like "pieces.cap=5".
func Load(t testing.TB, name string, overrides ...string) *engines.Game {
	t.Helper()
	g, err := engines.Named(name, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
