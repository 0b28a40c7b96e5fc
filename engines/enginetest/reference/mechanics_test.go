package reference

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
)

// board returns the default rules on a board of a size, changed as a test needs them.
func board(columns, rows int, change func(*engines.Rules)) engines.Rules {
	r := rules.DefaultRules()
	r.Board.Columns, r.Board.Rows = columns, rows
	change(&r)
	return r
}

// TestMechanics plays short lines whose outcome follows from the written rules by hand, for what the shipped games do
// not do.
func TestMechanics(t *testing.T) {
	homes := func(r *engines.Rules) { r.Territory, r.Placement.Region = "halves", "home" }
	tests := []struct {
		name   string
		rules  engines.Rules
		moves  string
		mover  byte   // '.' when the game is over
		legal  string // "" when the game is over
		result string // result and reason, "" while the game goes on
		board  string // rows joined by /
	}{
		{
			name: "a hole is the lowest free cell under gravity",
			rules: board(3, 3, func(r *engines.Rules) {
				r.Placement.Gravity = true
				r.Pieces.Cap = 1
			}),
			moves: "a3 b3 a2", mover: 'O', legal: "a3 b2 c3", board: ".../X../.O.",
		},
		{
			name: "what stands above the oldest falls when that leaves, and keeps its age",
			rules: board(3, 3, func(r *engines.Rules) {
				r.Placement.Gravity, r.Placement.Falls = true, true
				r.Pieces.Cap = 1
			}),
			moves: "a3 a2 b3", mover: 'O', legal: "a2 b2 c3", board: ".../.../OX.",
		},
		{
			name: "a fall that makes the mover's line wins for him",
			rules: board(4, 4, func(r *engines.Rules) {
				r.Placement.Gravity, r.Placement.Falls = true, true
				r.Pieces.Cap, r.Win.Line = 3, 3
			}),
			moves: "a4 d4 a3 d3 b4 b3 c4", mover: '.', result: "first line", board: "..../..../.O.O/XXXO",
		},
		{
			name: "a fall that makes the enemy's line wins for him, before the lines of the next move",
			rules: board(4, 4, func(r *engines.Rules) {
				r.Placement.Gravity, r.Placement.Falls = true, true
				r.Pieces.Cap, r.Win.Line = 3, 3
			}),
			moves: "a4 a3 d4 b4 d3 c4 c3", mover: '.', result: "second line", board: "..../..../..XX/OOOX",
		},
		{
			name: "the mover's own line comes first",
			rules: board(4, 4, func(r *engines.Rules) {
				r.Placement.Gravity, r.Placement.Falls = true, true
				r.Pieces.Cap, r.Win.Line = 3, 3
			}),
			moves: "a4 a3 d4 b4 d3 c4 d2", mover: '.', result: "first line", board: "..../...X/...X/OOOX",
		},
		{
			name: "what a fall completes after the test of lines wins at once",
			rules: board(4, 4, func(r *engines.Rules) {
				r.Placement.Gravity, r.Placement.Falls = true, true
				r.Pieces.Cap, r.Pieces.Removal, r.Win.Line = 3, "after_win", 3
			}),
			moves: "a4 a3 d4 b4 d3 c4 c3", mover: '.', result: "second line", board: "..../..../..XX/OOOX",
		},
		{
			name: "a jump follows the line round a bend, and only one line",
			rules: board(3, 2, func(r *engines.Rules) {
				r.Board.Lines = [][]string{{"a1", "b1", "b2", "a2"}, {"b1", "c1"}, {"c1", "c2"}}
				r.Setup = []string{"XO.", "..."}
				r.Movement.Capture = true
			}),
			moves: "", mover: 'X', legal: "a1xb2", board: "XO./...",
		},
		{
			name: "enemies are enclosed round a bend",
			rules: board(3, 2, func(r *engines.Rules) {
				r.Board.Lines = [][]string{{"a1", "b1", "b2", "a2"}, {"b1", "c1"}, {"c1", "c2"}}
				r.Setup = []string{".O.", "X.."}
				r.Custodian.Effect = "flip"
			}),
			moves: "c2 b2 a1", mover: 'O', legal: "c1", board: "XX./XXX",
		},
		{
			name: "a straight chain goes on along its line",
			rules: board(4, 3, func(r *engines.Rules) {
				r.Board.Missing = []string{"a2", "b2", "c2"}
				r.Board.Lines = [][]string{{"a1", "b1", "c1", "d1", "d2", "d3"}, {"c3", "d3"}, {"a3", "b3", "c3"}, {"a1", "a3"}}
				r.Setup = []string{"XO.O", "###.", "...O"}
				r.Movement = rules.Movement{Steps: "none", Capture: true, MultiJump: "true", Straight: true, Captured: "remove", JumpOver: "enemy"}
			}),
			moves: "a1xc1", mover: 'X', legal: "c1xd2 stop", board: "..XO/###./...O",
		},
		{
			name:  "a line wraps",
			rules: board(4, 4, func(r *engines.Rules) { r.Win.Line, r.Board.Wrap = 3, "columns" }),
			moves: "d1 a2 a1 b2 b1", mover: '.', result: "first line", board: "XX.X/OO../..../....",
		},
		{
			name:  "a line across the wrong edge does not",
			rules: board(4, 4, func(r *engines.Rules) { r.Win.Line, r.Board.Wrap = 3, "rows" }),
			moves: "d1 a2 a1 b2 b1", mover: 'O', legal: "a3 a4 b3 b4 c1 c2 c3 c4 d2 d3 d4", board: "XX.X/OO../..../....",
		},
		{
			name: "a ring of exactly the length is no overline",
			rules: board(3, 4, func(r *engines.Rules) {
				r.Win.Line, r.Win.Overlines, r.Board.Wrap = 3, false, "columns"
			}),
			moves: "a1 a2 b1 b2 c1", mover: '.', result: "first line", board: "XXX/OO./.../...",
		},
		{
			name:  "an overline is no line",
			rules: board(4, 4, func(r *engines.Rules) { r.Win.Line, r.Win.Overlines = 3, false }),
			moves: "a1 a2 b1 b2 d1 d3 c1", mover: 'O', legal: "a3 a4 b3 b4 c2 c3 c4 d2 d4", board: "XXXX/OO../...O/....",
		},
		{
			name: "swap mirrors on a board with territories and leaves the middle row in place",
			rules: board(2, 3, func(r *engines.Rules) {
				r.Territory = "halves"
				r.Turn.Pie = rules.PieStones
				r.Turn.FirstTurn = 2
				r.Turn.Placements = 2
			}),
			moves: "a3 b2 swap", mover: 'X', legal: "a2 a3 b1 b3", board: "O./.O/..",
		},
		{
			name:  "swap in place without territories",
			rules: board(2, 3, func(r *engines.Rules) { r.Turn.Pie = rules.PieStones }),
			moves: "a3 swap", mover: 'X', legal: "a1 a2 b1 b2 b3", board: "../../O.",
		},
		{
			name:  "swap is offered once",
			rules: board(2, 2, func(r *engines.Rules) { r.Turn.Pie = rules.PieStones }),
			moves: "a1 b1", mover: 'X', legal: "a2 b2", board: "XO/..",
		},
		{
			name:  "no legal action loses",
			rules: board(2, 3, homes),
			moves: "a3 a1 b3 b1", mover: '.', result: "second no_moves", board: "OO/../XX",
		},
		{
			name:  "no legal action draws",
			rules: board(2, 3, func(r *engines.Rules) { homes(r); r.NoMoves = "draw" }),
			moves: "a3 a1 b3 b1", mover: '.', result: "draw no_moves", board: "OO/../XX",
		},
		{
			name:  "no legal action passes",
			rules: board(2, 3, func(r *engines.Rules) { homes(r); r.NoMoves = "pass" }),
			moves: "a3 a1 b3 b1 pass", mover: 'O', legal: "pass", board: "OO/../XX",
		},
		{
			name:  "two passes end the game",
			rules: board(2, 3, func(r *engines.Rules) { homes(r); r.NoMoves = "pass" }),
			moves: "a3 a1 b3 b1 pass pass", mover: '.', result: "draw no_moves", board: "OO/../XX",
		},
		{
			name: "two passes end the game by majority",
			rules: board(3, 2, func(r *engines.Rules) {
				homes(r)
				r.NoMoves, r.Win.Majority, r.Draw.FullBoard = "pass", true, false
				r.Surround = rules.Surround{Threshold: 3, Effect: "remove"}
				r.Pieces.Supply = 3
			}),
			// c2 captures b1; after c1 all hands are empty and nothing can move.
			moves: "a2 b1 b2 a1 c2 c1 pass pass", mover: '.', result: "first majority", board: "O.O/XXX",
		},
		{
			name:  "a komi of one makes five pieces to four a draw",
			rules: board(3, 3, func(r *engines.Rules) { r.Win.Line, r.Win.Majority, r.Win.Komi = 0, true, 1 }),
			moves: "a1 b1 c1 a2 b2 c2 a3 b3 c3", mover: '.', result: "draw majority", board: "XOX/OXO/XOX",
		},
		{
			name:  "with a komi of two the four pieces win",
			rules: board(3, 3, func(r *engines.Rules) { r.Win.Line, r.Win.Majority, r.Win.Komi = 0, true, 2 }),
			moves: "a1 b1 c1 a2 b2 c2 a3 b3 c3", mover: '.', result: "second majority", board: "XOX/OXO/XOX",
		},
		{
			name: "a turn ends early where there is no cell left",
			rules: board(2, 3, func(r *engines.Rules) {
				homes(r)
				r.Turn.Placements = 2
				r.NoMoves = "pass"
			}),
			moves: "a3 a1 b1 b3", mover: 'O', legal: "pass", board: "OO/../XX",
		},
		{
			name: "a turn ends early with an empty hand, and the movement phase follows",
			rules: board(3, 2, func(r *engines.Rules) {
				r.Pieces.Supply, r.Turn.FirstTurn, r.Turn.Placements = 2, 1, 2
				r.Movement.Steps = "rook"
			}),
			moves: "a2 a1 b1 b2", mover: 'O', legal: "b1-c1", board: "OO./XX.",
		},
		{
			name: "a player with an empty hand is skipped",
			rules: board(3, 2, func(r *engines.Rules) {
				r.Pieces.Supply, r.Turn.FirstTurn = 2, 2
				r.Movement.Steps = "rook"
			}),
			moves: "a2 b2 a1", mover: 'O', legal: "b1 c1 c2", board: "O../XX.",
		},
		{
			name: "one pass of surround leaves what falls only to the converted",
			rules: board(5, 2, func(r *engines.Rules) {
				r.Surround.Threshold = 2
			}),
			moves: "a1 b1 e1 c2 b2", mover: 'O', legal: "a2 c1 d1 d2 e2", board: "XX..X/.XO..",
		},
		{
			name: "a cascade takes it too",
			rules: board(5, 2, func(r *engines.Rules) {
				r.Surround.Threshold, r.Surround.Cascade = 2, true
			}),
			moves: "a1 b1 e1 c2 b2", mover: 'O', legal: "a2 c1 d1 d2 e2", board: "XX..X/.XX..",
		},
		{
			name: "neighbours on a board of two wrapped columns are counted once",
			rules: board(2, 2, func(r *engines.Rules) {
				r.Board.Wrap, r.Surround.Threshold = "torus", 3
			}),
			moves: "a1 b1 a2", mover: 'O', legal: "b2", board: "XO/X.",
		},
		{
			name: "the piece over the cap leaves only from its ply on",
			rules: board(3, 3, func(r *engines.Rules) {
				r.Pieces.Cap, r.Pieces.RemovalFromPly = 1, 5
			}),
			moves: "a1 c3 b1 b3 c1", mover: 'O', legal: "a1 a2 a3 b1 b2 c2", board: "..X/.../.OO",
		},
		{
			name: "a jump does not land where it started",
			rules: board(2, 3, func(r *engines.Rules) {
				r.Board.Wrap = "torus"
				r.Pieces.Supply = 1
				r.Movement.Capture = true
			}),
			moves: "a1 b1", mover: '.', result: "second no_moves", board: "XO/../..",
		},
		{
			name: "a jump goes around the edge, and the piece may jump again or stop",
			rules: board(5, 2, func(r *engines.Rules) {
				r.Board.Wrap = "columns"
				r.Pieces.Supply = 2
				r.Movement.Capture, r.Movement.MultiJump = true, "true"
			}),
			moves: "d1 e1 d2 b1 d1xa1", mover: 'X', legal: "a1xc1 stop", board: "XO.../...X.",
		},
		{
			name: "a forced capture leaves nothing else",
			rules: board(5, 2, func(r *engines.Rules) {
				r.Pieces.Supply = 1
				r.Movement = rules.Movement{Steps: "king", Capture: true, ForcedCapture: "true", Captured: "remove"}
			}),
			moves: "b1 c1", mover: 'X', legal: "b1xd1", board: ".XO../.....",
		},
		{
			name: "a captured piece is placed again in its owner's home",
			rules: board(3, 4, func(r *engines.Rules) {
				r.Territory, r.Placement.Region, r.Pieces.Supply = "halves", "home", 1
				r.Movement = rules.Movement{Steps: "rook", Capture: true, ForcedCapture: "true", Captured: "return"}
			}),
			moves: "b3 b2 b3xb1", mover: 'O', legal: "a1 a2 b2 c1 c2", board: ".X./.../.../...",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := New(test.rules)
			for _, token := range strings.Fields(test.moves) {
				must.Do(t, g.Play(token))
			}
			if test.mover != '.' && g.Mover() != test.mover {
				t.Errorf("%c to move, want %c", g.Mover(), test.mover)
			}
			if got := strings.Join(g.Legal(), " "); got != test.legal {
				t.Errorf("legal %q, want %q", got, test.legal)
			}
			result := test.result
			if result == "" {
				result = "ongoing "
			}
			if got := g.Result() + " " + g.Reason(); got != result {
				t.Errorf("result %q, want %q", got, result)
			}
			if got := strings.Join(g.Board(), "/"); got != test.board {
				t.Errorf("board %s, want %s", got, test.board)
			}
		})
	}
}

// TestAges follows the order of age through conversion, trimming and a reused cell.
func TestAges(t *testing.T) {
	convert := board(3, 3, func(r *engines.Rules) { r.Pieces.Cap, r.Surround.Threshold = 3, 2 })
	reuse := board(3, 3, func(r *engines.Rules) { r.Pieces.Cap, r.Pieces.ReuseVacated = 2, true })
	tests := []struct {
		name, moves, x, o string
		rules             engines.Rules
	}{
		// b2 surrounds a2 and b1, which become X's in cell order: a3 c1 b2 b1 a2, of which the three youngest stay.
		{"converted pieces are the youngest, in cell order", "a3 a2 c1 b1 b2", "b2 b1 a2", "", convert},
		{"a reused cell holds the youngest", "a1 c1 a2 c2 a1", "a2 a1", "c1 c2", reuse},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := New(test.rules)
			for _, token := range strings.Fields(test.moves) {
				must.Do(t, g.Play(token))
			}
			x, o := strings.Join(g.Ages('X'), " "), strings.Join(g.Ages('O'), " ")
			if x != test.x || o != test.o {
				t.Errorf("ages %q and %q, want %q and %q", x, o, test.x, test.o)
			}
		})
	}
}

// TestRandomMixtures plays random games by random mixtures of the mechanics and checks what must hold in all of them.
func TestRandomMixtures(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	coin := func() bool { return random.IntN(2) == 0 }
	choice := func() rules.Choice { return rules.Choice(strconv.FormatBool(coin())) }
	pies := []rules.Choice{rules.NoPie, rules.NoPie, rules.PieStones, rules.PieSeats}
	for range 2000 {
		r := board(2+random.IntN(5), 2+random.IntN(5), func(r *engines.Rules) {
			r.Board.Wrap = []string{"none", "columns", "rows", "torus"}[random.IntN(4)]
			r.Turn = rules.Turn{
				Placements: 1 + random.IntN(3),
				FirstTurn:  1 + random.IntN(3),
				Pie:        pies[random.IntN(4)],
			}
			r.Placement.Gravity = coin()
			if coin() {
				r.Territory = "halves"
				r.Placement.Region = []string{"anywhere", "home", "enemy"}[random.IntN(3)]
			}
			if coin() {
				r.Pieces.Supply = 1 + random.IntN(5)
				r.Movement = rules.Movement{
					Steps:   []string{"none", "king", "rook", "bishop"}[random.IntN(4)],
					Capture: coin(), MultiJump: choice(), ForcedCapture: choice(),
					Captured: []string{"return", "remove"}[random.IntN(2)],
				}
			}
			if coin() {
				r.Pieces.Cap, r.Pieces.RemovalFromPly, r.Pieces.ReuseVacated = random.IntN(5), 1+random.IntN(8), coin()
			}
			if coin() {
				r.Placement.Opening = []rules.Stage{
					{Plies: 1 + random.IntN(4), Region: "anywhere"},
					{Plies: 2, Region: "first_home"},
				}
			}
			r.Pieces.Removal = []string{"before_win", "after_win"}[random.IntN(2)]
			r.Surround = rules.Surround{
				Threshold: random.IntN(5),
				Effect:    []string{"convert", "remove"}[random.IntN(2)],
				Cascade:   coin(),
			}
			r.Win.Line, r.Win.Overlines, r.Win.Majority = random.IntN(5), coin(), coin()
			r.Draw = rules.Draw{FullBoard: coin(), Repetition: 3, MaxPlies: 150}
			r.NoMoves = []string{"loss", "draw", "pass"}[random.IntN(3)]
		})
		g := New(r)
		var moves []string
		for g.Result() == "ongoing" {
			legal := g.Legal()
			if len(legal) == 0 {
				t.Fatalf("%+v: nothing legal after %v", r, moves)
			}
			token := legal[random.IntN(len(legal))]
			moves = append(moves, token)
			must.Do(t, g.Play(token))
			for _, side := range []byte("XO") {
				cells := g.Ages(side)
				if on := strings.Count(strings.Join(g.Board(), ""), string(side)); on != len(cells) {
					t.Fatalf("%+v: %c has %d pieces and the ages %v after %v", r, side, on, cells, moves)
				}
				slices.Sort(cells)
				if len(slices.Compact(cells)) != len(g.Ages(side)) {
					t.Fatalf("%+v: a cell twice among the ages of %c after %v", r, side, moves)
				}
			}
			x, o := g.Hands()
			if x < 0 || o < 0 || r.Pieces.Supply == 0 && x+o > 0 {
				t.Fatalf("%+v: hands %d and %d after %v", r, x, o, moves)
			}
			total := x + o + len(g.Ages('X')) + len(g.Ages('O'))
			lossless := r.Pieces.Cap == 0 && r.Movement.Captured == "return" &&
				(r.Surround.Threshold == 0 || r.Surround.Effect == "convert")
			if r.Pieces.Supply > 0 && lossless && total != 2*r.Pieces.Supply {
				t.Fatalf("%+v: %d pieces of %d after %v", r, total, 2*r.Pieces.Supply, moves)
			}
		}
		if len(g.Legal()) != 0 || g.Reason() == "" || g.Play("a1") == nil {
			t.Fatalf("%+v: the game is not properly over after %v", r, moves)
		}
	}
}
