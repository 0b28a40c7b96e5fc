package enginetest

import (
	"testing"

	"spar/configs"
	"spar/engines"
)

// Load compiles a shipped game or a rules file with overrides like "pieces.cap=5". Unlike engines.Load it accepts
// overrides without effect.
func Load(t testing.TB, name string, overrides ...string) *engines.Game {
	t.Helper()
	file, data, err := configs.Read(configs.Games, name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := engines.Load(file, data, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
