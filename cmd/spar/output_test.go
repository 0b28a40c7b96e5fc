package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/reports/screen"
)

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestFullOutput: every command that prints says so when it cannot.
func TestFullOutput(t *testing.T) {
	t.Parallel()
	db := t.TempDir() + "/full.db"
	var quiet bytes.Buffer
	if code := run(context.Background(), []string{"match", "random", "greedy", "--pairs", "2", "--db", db}, nil, &quiet, &quiet); code != 0 {
		t.Fatal(quiet.String())
	}
	for _, command := range []string{
		"version", "help", "help json", "rules list", "rules show classic", "rules check classic", "agents list", "agents show greedy", "play --rules classic random greedy",
		"perft classic --depth 2", "standings --db " + db, "standings --json --db " + db, "standings --csv --db " + db, "games --db " + db, "games --json --db " + db,
		"show 1 --db " + db, "export --db " + db, "export --format csv --db " + db, "verify " + db,
		"plan --elo 20", "sprt --pentanomial 5,20,60,30,8 --elo0 0 --elo1 10", "analyze classic --parts", "solve classic", "analyze classic --best", "run quickstart --dry-run --set agents=[random,greedy]",
		"match random greedy --pairs 2 --db " + db, "match random greedy --pairs 2 --json --seed 2 --db " + db + "2", "balance classic --effort quick --dry-run", "completion bash",
		"analyze --rules classic --moves b2", "report " + db,
	} {
		var said bytes.Buffer
		if code := run(context.Background(), strings.Fields(command), strings.NewReader(""), full{}, &said); code != exitFailed ||
			!strings.Contains(said.String(), "no space left") {
			t.Errorf("spar %s on a full disk: exit code %d, %q", command, code, said.String())
		}
	}
	if f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		defer f.Close()
		if code := run(context.Background(), []string{"version"}, nil, f, &quiet); code != exitFailed {
			t.Errorf("/dev/full: exit code %d", code)
		}
	}
}

// Nobody looks at /dev/null, though it is a device.
func TestNullIsNoTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	null := must.Get(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	if screen.Terminal(null) {
		t.Error(os.DevNull, "passes for a terminal")
	}
}
