package consent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/agents/ugi"
	"spar/configs/must"
)

func TestGate(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "spar", "commands.jsonl")
	command := ugi.Command{Name: "x\x1b[2J", Path: "sh", Args: []string{"-c", "echo ugiok"}, Dir: dir}
	asked, answer := []string(nil), false
	ask := func(q string) (bool, error) {
		asked = append(asked, q)
		return answer, nil
	}

	if err := (&Gate{}).Allow(command); !errors.Is(err, ugi.ErrNotAllowed) {
		t.Errorf("a gate of nothing: %v", err)
	}
	if err := (&Gate{All: true}).Allow(command); err != nil {
		t.Errorf("all are allowed: %v", err)
	}
	no := &Gate{File: file, Ask: ask}
	for range 2 { // asked once
		if err := no.Allow(command); !errors.Is(err, ugi.ErrNotAllowed) ||
			!strings.Contains(err.Error(), "--allow-commands") {
			t.Errorf("the answer was no: %v", err)
		}
	}
	if len(asked) != 1 || !strings.Contains(asked[0], `/sh -c "echo ugiok"`) || !strings.Contains(asked[0], dir) ||
		strings.Contains(asked[0], "\x1b") {
		t.Errorf("asked %q", asked)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no was kept: %v", err)
	}
	answer = true
	if err := (&Gate{File: file, Ask: ask}).Allow(command); err != nil || len(asked) != 2 {
		t.Errorf("the answer was yes: %v, asked %d times", err, len(asked))
	}
	silent := &Gate{File: file}
	if err := silent.Allow(command); err != nil {
		t.Errorf("allowed before: %v", err)
	}
	for what, c := range map[string]ugi.Command{
		"another folder":  {Path: "sh", Args: command.Args, Dir: other},
		"other arguments": {Path: "sh", Args: []string{"-c", "echo ugiok; rm x"}, Dir: dir},
		"another program": {Path: "cat", Args: command.Args, Dir: dir},
		"joined words":    {Path: "sh", Args: []string{"-c echo ugiok"}, Dir: dir},
	} {
		if err := silent.Allow(c); !errors.Is(err, ugi.ErrNotAllowed) {
			t.Errorf("%s is allowed by the consent to the first: %v", what, err)
		}
	}
	if err := silent.Allow(ugi.Command{Path: "no-such-program"}); !errors.Is(err, ugi.ErrStart) {
		t.Errorf("a program that is not there: %v", err)
	}
	must.Do(t, os.WriteFile(file, []byte("{"), 0o600))
	must.Fail(t, silent.Allow(command), file)
}
