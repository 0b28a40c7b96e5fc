// Package eval evaluates positions by named features times weights. All rules share the same features.
//
// # Terms
//
//   - Feature: a count of a position, seen from one side: own_need_1 counts the open lines that need one more own
//     piece. Most come in pairs, own_ and enemy_. A line that loses (win.misere, lose.line) counts for the opponent.
//   - Weights: a number for each feature; the value of a position is their sum of products, in the unit of the
//     weights.
//   - Score: the expected score, 0 to 1; the logistic function of value/scale, so that it is 0.73 if the value equals
//     the scale.
//   - Phase: a set of weights. The weights in use may change at a ply (late_weights) and in the movement phase
//     (movement_weights).
//   - Model: anything that evaluates positions, an [Evaluator] of this package or a net of package patterns.
//   - Cursor: a model's state along a line of play. It evaluates a position and its children without counting everything
//     again.
//
// # Flow of data
//
// [New] compiles weights for a game. A search takes a [Cursor] from its [Model] and asks it for values of
// positions, children and leaves.
package eval

import (
	"strings"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// Feature is the index of a feature. Most features come in pairs: one count for the side from which the position is
// seen (own_), and one for the other side (enemy_).
type Feature int

// The features of one side.
const (
	Need1    Feature = iota // open lines that need one more piece
	Need2                   // open lines that need two more pieces
	Need3                   // open lines that need three more pieces
	Need4                   // open lines with a piece that need four or more
	Expiring                // open lines that lose a piece by age before they can be completed
	Threats                 // empty cells that complete a line at once
	Double                  // 1 if there are two or more such cells
	Ready                   // 1 if the side is to move and can place on such a cell
	Centre                  // sum over pieces of nearness to the centre, 0 (corner) to 1
	Lines                   // sum over pieces of the winning lines through their cells
	Material                // number of pieces on the board, without one that a mill is about to take
	Advanced                // number of pieces in the enemy's home, or on cells where a goal asks for them
	Hand                    // number of pieces in hand
	Mobility                // number of steps that the side could make if it were to move
	Jumps                   // number of jumps that the side could make if it were to move
	Hanging                 // number of pieces that one enemy placement next to them would flip
	Loose                   // number of pieces that two such placements would flip
	Secure                  // number of pieces that cannot be flipped as long as their neighbours stay
	Links                   // number of neighbouring pairs of pieces, under rules with surrounding
	// under gravity: number of cells that complete a line and that the side will get once all other columns are full
	Waiting
	Distance     // number of moves that the nearest piece needs to reach a goal cell, see engines.State.Distance
	pairFeatures // number of paired features
	tempoFeature = 2 * pairFeatures
	featureCount = tempoFeature + 1
)

type featureInfo struct{ name, text string }

// describe lists the paired features in the order of their numbers.
func describe() [pairFeatures]featureInfo {
	return [pairFeatures]featureInfo{
		{
			"need_1",
			"open lines that need one more piece; a line that loses the game counts for the opponent, here and in the " +
				"features below",
		},
		{"need_2", "open lines that need two more pieces"},
		{"need_3", "open lines that need three more pieces"},
		{"need_4", "open lines that need four or more pieces and have at least one"},
		{"expiring", "open lines that lose an old piece before they can be completed"},
		{"threats", "empty cells that complete a line at once"},
		{"double", "1 if two or more empty cells would each complete a line"},
		{"ready", "1 if the side is to move and can complete a line at once by placing a piece"},
		{"centre", "sum over all pieces of their nearness to the centre, from 0 in a corner to 1 in the middle"},
		{"lines", "sum over all pieces of the number of winning lines through their cells"},
		{
			"material",
			"pieces on the board, except one that a mill is about to take; with several kinds, pieces on the board and " +
				"in hand count by how far their kind moves on an empty board; negative if having fewer pieces is the goal",
		},
		{
			"advanced",
			"pieces in the enemy's home, or on the cells of a goal that needs several pieces; " +
				"a goal that loses the game counts for the opponent",
		},
		{"hand", "pieces in hand"},
		{"mobility", "steps that the side could make if it were to move"},
		{"jumps", "jumps that the side could make if it were to move"},
		{"hanging", "pieces that one enemy placement next to them would flip"},
		{"loose", "pieces that two more enemy neighbours would flip"},
		{"secure", "pieces that cannot be flipped while the neighbouring pieces of their side stay"},
		{"links", "pairs of neighbouring pieces, if pieces can be flipped"},
		{
			"waiting",
			"if pieces fall: empty cells that complete a line at once and that the side will get to fill once all " +
				"other columns are full",
		},
		{
			"distance",
			"moves that the nearest piece needs to reach a goal cell over empty cells, or the distance in rows plus " +
				"columns if the way is blocked",
		},
	}
}

// Names lists all features: own_ and enemy_ of each pair, then tempo.
func Names() []string {
	var names []string
	for _, prefix := range []string{"own_", "enemy_"} {
		for _, f := range describe() {
			names = append(names, prefix+f.name)
		}
	}
	return append(names, "tempo")
}

// FeatureOf returns the feature with the given name. Its value is its index in Names.
func FeatureOf(name string) (Feature, bool) {
	if name == "tempo" {
		return tempoFeature, true
	}
	of, own := strings.CutPrefix(name, "own_")
	if !own {
		var enemy bool
		if of, enemy = strings.CutPrefix(name, "enemy_"); !enemy {
			return 0, false
		}
	}
	for i, f := range describe() {
		switch {
		case f.name != of:
		case own:
			return Feature(i), true
		default:
			return pairFeatures + Feature(i), true
		}
	}
	return 0, false
}

// Describe says in words what a feature counts.
func Describe(name string) string {
	f, ok := FeatureOf(name)
	switch {
	case !ok:
		return ""
	case f == tempoFeature:
		return "1 if the side is to move, else 0"
	case f >= pairFeatures:
		return "for the enemy: " + describe()[f-pairFeatures].text
	}
	return describe()[f].text
}

// Vector holds the value of every feature, in the order of Names.
type Vector [featureCount]float64

// Weights maps feature names to weights. A missing feature has weight 0.
type Weights map[string]float64

// Check returns an error that names the first unknown feature.
func (w Weights) Check() error {
	for name := range w {
		if _, ok := FeatureOf(name); !ok {
			return strict.Unknown("feature", name, Names())
		}
	}
	return nil
}

// vector returns the weights in the order of Names.
func (w Weights) vector() Vector {
	var v Vector
	for name, x := range w {
		if f, ok := FeatureOf(name); ok {
			v[f] = x
		}
	}
	return v
}

// has reports whether a paired feature has a nonzero weight for either side.
func (v *Vector) has(fs ...Feature) bool {
	for _, f := range fs {
		if v[f] != 0 || v[pairFeatures+f] != 0 {
			return true
		}
	}
	return false
}

// tables holds what is computed once for a game to evaluate features.
type tables struct {
	game   *engines.Game
	centre [engines.CellSpace]float64
	lines  [2][engines.CellSpace]float64
	due    [2]engines.Bits // the result of the function due
	waits  bool            // the result of Waits
}

func newTables(g *engines.Game) *tables {
	t := &tables{game: g}
	for c := range g.Cells() {
		t.centre[c] = g.Centrality(engines.Cell(c))
		for side := range 2 {
			t.lines[side][c] = float64(len(g.WindowsThrough(side, engines.Cell(c))))
		}
	}
	if t.waits = Waits(g); t.waits {
		t.due = due(g)
	}
	return t
}

// Waits reports whether pieces fall, each turn places one, and pieces stay. Under such rules, the sides alternate
// in the last column from its floor up when all other columns are full. A side therefore does not have to hurry to
// take a cell that it will get anyway.
func Waits(g *engines.Game) bool {
	uses := g.Mechanics()
	return uses.Has(rules.Falling) && uses.Has(rules.Lines) && uses.Only(
		rules.Falling, rules.Lines, rules.ExactLines, rules.LineRegions, rules.LineDirections, rules.Wraps,
		rules.Majorities, rules.FullBoards,
		rules.PlyCaps, rules.Passes, rules.StuckDraws, rules.StuckWins, rules.Repetitions,
	)
}

// due divides the cells between two sides, as if all other columns were full: each side has the cells that it then
// fills. Plies are numbered from 0; the first set is for the side that makes the even ones.
func due(g *engines.Game) (cells [2]engines.Bits) {
	columns, rows := g.Columns(), g.Cells()/g.Columns()
	for c := range g.Cells() {
		number := (columns-1)*rows + rows - 1 - c/columns // the pieces of the other columns, and those below
		cells[number%2] = cells[number%2].With(engines.Cell(c))
	}
	return cells
}

// waiting returns the cells that a side will get if all other columns fill up.
func (t *tables) waiting(s *engines.State, side int) engines.Bits {
	if !t.waits {
		return engines.Bits{}
	}
	placed := s.Pieces(0).Or(s.Pieces(1)).Count()
	return t.due[(side^s.Side()^placed)&1]
}
