// Package puzzles finds positions in which only one move keeps the exact value. It proves each by solving, and scores
// agents by the puzzles that they solve. FromRules and FromStudy make puzzles, Read reads a suite of them, and Rate
// scores an agent.
package puzzles

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/rules"
	"spar/engines/solve"
	"spar/reports/screen"
)

// Puzzle is a position in which one move alone keeps the value. In JSON it is one line, which is also a position
// that other commands can read.
type Puzzle struct {
	ID       string         `json:"id" help:"hash of rules and position"`
	Rules    string         `json:"rules" help:"name of the rules"`
	Set      map[string]any `json:"set,omitempty" help:"overrides of the rules, by key path"`
	Hash     string         `json:"rules_hash,omitempty" help:"hash of the rules with overrides; Spar refuses a suite with another one"`
	Position string         `json:"position" help:"text of the position"`
	Side     string         `json:"side" help:"side to move: X or O"` // side to move: X or O
	// value after the solution: win or draw, for the side to move
	Value solve.Outcome `json:"value" help:"value of the solution: win or draw"`
	Move  string        `json:"move" help:"the one move"`
	// best value of any other move
	Other solve.Outcome `json:"other" help:"value of the best other move: draw or loss"`
	Legal int           `json:"legal" help:"legal moves"`
	Plies int           `json:"plies,omitempty" help:"plies to the end with best play, for a win that a table proves"`
	Proof string        `json:"proof" help:"table or search"` // table or search
	// id of the game in the study
	Game int64 `json:"game,omitempty" help:"number of the game in the study"`
}

// Source is a kind of games to take positions from: the label in tables, and the compiled rules.
type Source struct {
	Label string
	Game  *engines.Game
}

// puzzle makes a puzzle of a position and its solution.
func (s Source) puzzle(at *engines.State, sol solution) Puzzle {
	name, set := rules.SplitLabel(s.Label)
	return Puzzle{
		ID: fmt.Sprintf("%016x", key(at)), Rules: name, Set: set, Hash: at.Game().RulesHash(), Position: at.Text(),
		Side:  "XO"[at.Side() : at.Side()+1],
		Value: sol.value, Move: s.Game.MoveText(sol.move), Other: sol.other, Legal: at.MoveCount(), Plies: sol.plies,
		Proof: sol.proof,
	}
}

// key identifies a position under its rules.
func key(at *engines.State) uint64 {
	h := fnv.New64a()
	io.WriteString(h, at.Game().RulesHash()+"\n"+at.Text()) //nolint:errcheck // a hash takes everything
	return h.Sum64()
}

// Label returns the name of a puzzle's rules, with their overrides.
func (p *Puzzle) Label() string { return rules.JoinLabel(p.Rules, rules.Overrides(p.Set)) }

// Picture returns the board as text.
func (p *Puzzle) Picture(colour bool) (string, error) {
	at, err := p.At()
	if err != nil {
		return "", err
	}
	return at.Picture(colour), nil
}

// Task returns the question for the solver.
func (p *Puzzle) Task() string {
	what := "win"
	if p.Value == solve.Draw {
		what = "hold the draw"
	}
	text := fmt.Sprintf("%s to move and %s: only one of %d moves is right", p.Side, what, p.Legal)
	if p.Plies > 0 {
		text += ", in " + screen.Plural(int64(p.Plies), "ply")
	}
	return text
}

// At returns the position of a puzzle as a state.
func (p *Puzzle) At() (*engines.Position, error) { return p.at(new(bulk.Games)) }

// at is At with a cache of compiled games.
func (p *Puzzle) at(games *bulk.Games) (*engines.Position, error) {
	g, err := games.Game(&bulk.Line{Rules: p.Rules, Set: p.Set})
	if err != nil {
		return nil, err
	}
	if p.Hash != "" && p.Hash != g.RulesHash() {
		return nil, fmt.Errorf("%w: %s has the hash %s now, expected %s", ErrRules, p.Label(), g.RulesHash(), p.Hash)
	}
	return bulk.OpenPosition(g, p.Position, nil)
}

// The errors about a file of puzzles.
var (
	ErrSuite = strict.Mistake("not a suite of puzzles")
	ErrRules = strict.Mistake("found under other rules")
)

// Read reads a suite with one puzzle in each line. Name is the suite's name in errors. The rules must not have
// changed since the puzzles were found.
func Read(in io.Reader, name string, games *bulk.Games) ([]Puzzle, error) {
	var all []Puzzle
	err := bulk.Each(in, name, func(number int, line []byte) error {
		var p Puzzle
		err := json.Unmarshal(line, &p)
		var at *engines.Position
		if err == nil {
			at, err = p.at(games)
		}
		if err == nil {
			_, err = at.ParseMove(p.Move)
		}
		switch {
		case errors.Is(err, ErrRules):
			return fmt.Errorf("%s:%d: %w", name, number, err)
		case err != nil:
			return fmt.Errorf("%s:%d: %w: %w", name, number, ErrSuite, err)
		}
		all = append(all, p)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: %w: it is empty", name, ErrSuite)
	}
	return all, err
}
