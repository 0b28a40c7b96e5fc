package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"spar/configs/files"
	"spar/engines"
)

// Saved is an unfinished game in a JSON file: a line that "spar replay" can read, with the players added.
type Saved struct {
	Rules  string         `json:"rules"`
	Set    map[string]any `json:"set,omitempty"`
	First  string         `json:"first"`
	Second string         `json:"second"`
	Seed   int64          `json:"seed"`
	Moves  []string       `json:"moves"`
}

// ReadSaved reads a game that the command "save" wrote.
func ReadSaved(path string) (Saved, error) {
	var s Saved
	text, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s is not a saved game: %w", path, err)
	}
	if s.Rules == "" || s.First == "" || s.Second == "" {
		return s, fmt.Errorf("%s is not a saved game: rules, first or second is missing", path)
	}
	return s, nil
}

// suspend saves an unfinished game in the current folder when the input ends. It does nothing if all moves are
// saved.
func (t *Table) suspend() {
	if len(t.at) == len(t.Begun) || len(t.at) == t.kept {
		return
	}
	p := t.Game.NewPosition()
	for _, m := range t.at {
		p.Play(m)
	}
	for n := 1; n < mostSuspended; n++ {
		if t.save(p, fmt.Sprintf("%s-suspended-%d.json", t.Game.Name(), n)) == nil {
			return
		}
	}
}

// mostSuspended is the maximum number of file names that suspend tries.
const mostSuspended = 1000

// save writes the game. It does not overwrite the file of another game.
func (t *Table) save(p *engines.Position, path string) error {
	if !strings.HasSuffix(path, ".json") {
		return errors.New("save FILE.json: the name of a file that ends in .json")
	}
	if _, err := os.Stat(path); path != t.written && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists: choose another name", path)
	}
	s := t.Saved
	s.Moves = p.Game().MoveTexts(p.Played())
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := files.Write(path, func(w io.Writer) error {
		_,
			err := fmt.Fprintf(w, "%s\n", text)
		return err
	}); err != nil {
		return err
	}
	t.written, t.kept = path, len(s.Moves)
	fmt.Fprintf(t.Out, "saved: spar play --resume %s continues from here\n", path)
	return nil
}
