package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"spar/engines"
)

// replayLine is a game as "spar replay" reads it. Other fields of a line are ignored, so that exported games replay too.
type replayLine struct {
	ID    json.RawMessage `json:"id"`
	Rules string          `json:"rules"`
	Set   map[string]any  `json:"set"`
	Moves []string        `json:"moves"`
}

// replayed is what became of it.
type replayed struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Legal  []int           `json:"legal"`
	Movers string          `json:"movers"`
	Result string          `json:"result"`
	Reason string          `json:"reason,omitempty"`
	Board  []string        `json:"board"`
	Plies  int             `json:"plies"`
	Error  string          `json:"error,omitempty"`
}

func replayCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "replay [FILE|-]",
		Short: "Replay games given as move lists and check every move",
		Long: `Reads one JSON object a line, {"id":…, "rules":"vanishing", "set":{"pieces.cap":4}, "moves":["b2",…]}, plays the moves and
prints the number of legal moves before each ply, who moved, the result and the final board. An illegal move is reported
with its ply and the reason; the other lines go on, and the exit code is 1.`,
		Example: `  echo '{"id":1,"rules":"classic","moves":["b2","a1","b1","b3","c3"]}' | spar replay
  spar replay games.jsonl --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name, err := openInput(c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			return replayAll(in, name, c.OutOrStdout(), asJSON)
		},
	}
	jsonFlag(c, &asJSON)
	return c
}

func replayAll(in io.Reader, name string, out io.Writer, asJSON bool) error {
	games := gameCache{}
	buffered := bufio.NewWriter(out)
	failed := false
	err := eachLine(in, name, func(number int, line []byte) error {
		r := noGame(nil)
		var l replayLine
		if err := json.Unmarshal(line, &l); err != nil {
			r.Error = fmt.Sprintf("%s:%d: not a game: %v", name, number, err)
		} else {
			r = games.replay(l)
		}
		failed = failed || r.Error != ""
		if asJSON {
			return printJSON(buffered, "replay", r)
		}
		return printReplay(buffered, number, &r)
	})
	if err := errors.Join(err, buffered.Flush()); err != nil {
		return err
	}
	if failed {
		return errSaid
	}
	return nil
}

// eachLine calls do with each line that is not blank.
func eachLine(in io.Reader, name string, do func(number int, line []byte) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 1<<26)
	for number := 1; lines.Scan(); number++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		if err := do(number, lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// gameCache compiles each combination of rules and knobs once.
type gameCache map[string]*engines.Game

func (cache gameCache) game(rules string, set map[string]any) (*engines.Game, error) {
	overrides := engines.Overrides(set)
	key := rules + " " + strings.Join(overrides, " ")
	if g, ok := cache[key]; ok {
		return g, nil
	}
	g, err := loadGame(rules, overrides)
	if err == nil {
		cache[key] = g
	}
	return g, err
}

// noGame is the answer to a line that no game can be made of: its lists are empty, not null.
func noGame(id json.RawMessage) replayed {
	return replayed{ID: id, Legal: []int{}, Result: engines.Ongoing.String(), Board: []string{}}
}

func (cache gameCache) replay(l replayLine) replayed {
	r := noGame(l.ID)
	g, err := cache.game(l.Rules, l.Set)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	p := g.NewPosition()
	var movers strings.Builder
	for _, text := range l.Moves {
		m, err := p.ParseMove(text)
		if err != nil {
			r.Error = engines.PlyError{Ply: p.Ply() + 1, Err: err}.Error()
			break
		}
		r.Legal = append(r.Legal, p.MoveCount())
		movers.WriteByte("XO"[p.Side()])
		p.Play(m)
	}
	r.Movers, r.Result, r.Reason = movers.String(), p.Result().String(), p.Reason().String()
	r.Board, r.Plies = p.Board(), p.Ply()
	return r
}

func printReplay(out io.Writer, number int, r *replayed) error {
	id := string(r.ID)
	if id == "" {
		id = fmt.Sprintf("line %d", number)
	}
	if r.Error != "" {
		_, err := fmt.Fprintf(out, "%s: %s\n", id, r.Error)
		return err
	}
	reason := ""
	if r.Reason != "" {
		reason = " by " + r.Reason
	}
	_, err := fmt.Fprintf(out, "%s: %s%s after %d plies   %s\n", id, r.Result, reason, r.Plies, strings.Join(r.Board, "/"))
	return err
}
