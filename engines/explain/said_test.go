package explain_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/configs"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/explain"
)

// What the text says, and what it does not, of rules where it is easily wrong.
func TestWhatIsSaid(t *testing.T) {
	t.Parallel()
	supplied := []string{"board.columns=5", "board.rows=5", "pieces.supply=4", "draw.repetition=3"}
	nothing := "nothing can be placed any more"
	for _, c := range []struct {
		name string
		game string
		set  []string
		says []string
		not  []string
	}{
		{"steps and captures only", "breakthrough", nil, []string{"turns; a turn is one step of one piece, or one capture of a neighbouring piece."}, []string{"place"}},
		{"clones and leaps only", "ataxx", nil, []string{"turns; a turn is one step of one piece, or one leap of one piece."}, []string{"A piece is placed"}},
		{"removals, then jumps", "konane", nil, []string{"after the opening, a turn is the jumps of one piece.", "takes off one of the player's own pieces from one of a1, f6, c3, d4."}, []string{"is placed", "placing"}},
		{"each moves in his own way", "fox-and-geese", nil, []string{"a turn of the first player is one step of one piece; a turn of the second player is one step of one piece, or the jumps of one piece."}, nil},
		{"one who cannot move", "fox-and-geese", []string{"second={movement: {steps: none}}"}, []string{"the second player neither places nor moves.", "The pieces of the second player do not move."}, nil},
		{
			"what is captured is placed again", "alquerque",
			[]string{"movement.captured=return"},
			[]string{"a turn is one step of one piece, or the jumps of one piece, or the placement of one piece from the hand.", "A piece is placed on any empty cell.", "no legal placement, step or jump", "the hands"},
			nil,
		},
		{
			"stages of what is placed again", "alquerque",
			[]string{"movement.captured=return", "territory=halves", "placement.opening=[{plies: 4, region: home}]"},
			[]string{"In moves 1 to 4 of the game (both players counted) a piece from the hand is placed on an empty cell of the player's own home.", "After that, a piece is placed"},
			nil,
		},
		{
			"removals where pieces are placed", "reversi6",
			[]string{"custodian.must=false", "placement.opening=[{plies: 2, region: anywhere, remove: true}]"},
			[]string{"Moves 1 to 2 of the game (both players counted) take off one of the player's own pieces from any cell."},
			[]string{"take off a piece on any empty"},
		},

		{"leaps after a supply", "gomoku9", append(supplied, "win.line=4", "movement.leaps=['1,2']"), []string{"game, a turn is one leap of one piece."}, []string{nothing}},
		{"captures after a supply", "gomoku9", append(supplied, "win.line=4", "movement.take=[king]"), []string{"game, a turn is one capture of a neighbouring piece."}, []string{nothing}},
		{"flights after a supply", "gomoku9", append(supplied, "win.line=4", "movement.fly=4"), []string{"game, a turn is one flight of one piece.", "may fly: he moves a piece to any empty cell."}, []string{nothing, "instead of a step"}},
		{"nothing after a supply", "gomoku9", append(supplied, "win.line=4"), []string{nothing + ", and nothing moves."}, nil},
		{
			"steps, captures and placements", "gomoku9", append(supplied, "win.line=4", "movement.steps=king", "movement.take=[king]", "movement.captured=return"),
			[]string{"game, a turn is one step of one piece, or one capture of a neighbouring piece, or the placement of one piece from the hand.", "A piece captured by moving onto its cell goes back into its owner's hand."},
			nil,
		},
		{"unequal supplies", "gomoku9", append(supplied, "win.line=4", "movement.steps=king", "second={supply: 6}"), []string{"The first player has 4 pieces in hand, the second 6 pieces."}, []string{"Each player has"}},

		{"surrounded on squares", "ctor", nil, []string{"5 or more of its up to 8 neighbouring cells"}, nil},
		{"surrounded on hexagons", "ctor", []string{"board.wrap=none", "board.shape=hex", "surround.threshold=3"}, []string{"3 or more of its up to 6 neighbouring cells"}, nil},
		{"surrounded along rows and columns", "ctor", []string{"board.neighbours=4", "surround.threshold=3"}, []string{"3 or more of its up to 4 neighbouring cells"}, nil},

		{"jumps along rows and columns", "konane", nil, []string{"A jump takes a piece, along rows and columns, over a neighbouring piece of the opponent", "the piece jumped over is captured."}, []string{"directions,"}},
		{"jumps on squares", "konane", []string{"movement.jumps=[]"}, []string{"A jump takes a piece, in any of the 8 directions, over"}, nil},
		{
			"moves on hexagons", "infiltration-6x6",
			[]string{"board.shape=hex", "movement.take=[king]"},
			[]string{"A step takes a piece to an empty neighbouring cell, in any of the 6 directions.", "of the opponent, in any of the 6 directions, by moving", "A jump takes a piece, in any of the 6 directions, over"},
			[]string{"8 directions"},
		},
		{"moves along drawn lines", "alquerque", nil, []string{"cell, along the drawn lines.", "A jump takes a piece, along the drawn lines, over"}, []string{"directions"}},
		{"steps in some directions", "hexapawn", nil, []string{"neighbouring cell, straight forward.", "Forward is away from"}, []string{"directions"}},
		{"steps limited twice", "hexapawn", []string{"movement.steps=rook", "movement.directions=[forward, forward_diagonal]"}, []string{"along rows and columns, but only straight forward or diagonally forward."}, nil},
		{"captures in directions of a player", "hexapawn", []string{"movement.directions=[]"}, []string{"Forward is away from"}, nil},
		{
			"jumps over own pieces", "alquerque",
			[]string{"movement.forced_capture=false", "movement.jump_over=friend", "movement.take=[king]", "win.eliminate=2"},
			[]string{"over a neighbouring piece of its own side to the empty cell right behind it; nothing is captured", "A piece captured by moving onto its cell is out"},
			[]string{"jumped over is captured", "captured by a jump"},
		},
		{
			"jumps over all pieces", "infiltration",
			[]string{"movement.jump_over=any"},
			[]string{"over a neighbouring piece of either player", "a piece of the opponent is captured, one of its own side stays.", "A piece captured by a jump goes back"},
			[]string{"the piece jumped over is captured"},
		},
		{"jumps that capture nothing", "konane", []string{"movement.captured=stay", "draw.repetition=3"}, []string{"nothing is captured"}, []string{"is captured.", "captured by"}},
		{"captures of both kinds return", "infiltration", []string{"movement.take=[king]"}, []string{"A piece captured by moving onto its cell or by a jump goes back into its owner's hand."}, nil},
		{"captures of both kinds are forced", "alquerque", []string{"movement.take=[king]"}, []string{"A player who can capture or jump when his turn begins must: he may do nothing else."}, nil},

		{"elimination in order", "alquerque", nil, []string{"the move itself; too few pieces lose, the opponent's looked at first; a player who cannot move"}, nil},
		{"a line of the second player's alone", "gomoku9", []string{"win={full: true}", "second.win={line: 5}", "draw.full_board=false"}, []string{"the move itself; a line wins; a full board"}, []string{"does not end the game"}},
		{"a full board that the second player wins", "order-and-chaos", nil, []string{"a line wins; a full board"}, []string{"does not end the game", "draw"}},
		{"a line that is lost", "yavalath", nil, []string{"a line wins; a line that loses; a full board"}, nil},
		{"a number of captures", "pente", []string{"lose.line=4"}, []string{"captures by enclosing; a line wins; a number of captures wins; a line that loses; a full board"}, nil},
		{"shapes, lines and arrivals lost", "teeko", []string{"win.misere=true", "win.reach=[far]", "win.reach_count=3"}, []string{"a line loses; a shape loses; an arrival loses; a player who cannot move"}, nil},
		{"lost by one, won by the other", "gomoku9", []string{"win.misere=true", "second.win={line: 4}", "draw.repetition=3"}, []string{"a line wins or loses; a full board"}, nil},
		{"a connection", "hex5", []string{"draw.max_plies=20"}, []string{"the move itself; a connection wins; the limit of moves"}, nil},
		{"whatever is a move", "nine-mens-morris", nil, []string{"After 300 moves of both players (pieces taken off count, too) without a winner"}, nil},
		{"a mill", "nine-mens-morris", nil, []string{"too few pieces lose, the opponent's looked at first; a mill, for which its player goes on and takes a piece; a player who cannot move"}, nil},
		{
			"a fall", "connect4",
			[]string{"pieces.cap=10", "pieces.removal=after_win", "placement.falls=true", "draw.max_plies=90"},
			[]string{"a piece that has left falls; a line wins; what the fall has made for the opponent; pieces over the limit leave; what stands above them falls, and what that makes counts; the limit of moves"},
			nil,
		},
	} {
		text := explain.Game(enginetest.Load(t, c.game, c.set...)).String()
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q is not said in\n%s", c.name, s, text)
			}
		}
		for _, s := range c.not {
			if strings.Contains(text, s) {
				t.Errorf("%s: %q is said in\n%s", c.name, s, text)
			}
		}
	}
}

// Placing is explained where pieces are placed, and nowhere else.
func TestPlacingIsSaidWherePiecesArePlaced(t *testing.T) {
	t.Parallel()
	for _, name := range configs.Names(configs.Games) {
		g := enginetest.Load(t, name)
		src := rand.New(rand.NewPCG(5, 7))
		placed := false
		for p := g.NewPosition(); !p.Over() && p.Ply() < 60; {
			ms := p.AppendMoves(nil)
			m := ms[src.IntN(len(ms))]
			placed = placed || m.IsPlacement() && !g.Rules().Movement.Clone
			p.Play(m)
		}
		text := explain.Game(g).String()
		for _, s := range []string{"a player places", "\nPlacing\n  - "} {
			if removes := name == "konane" && s != "a player places"; strings.Contains(text, s) != (placed || removes) {
				t.Errorf("%s: %q is said: %t, placed: %t\n%s", name, s, !placed, placed, text)
			}
		}
	}
}

// section is a part of a text.
func section(told *explain.Rules, title string) string {
	for _, s := range told.Sections {
		if s.Title == title {
			return strings.Join(s.Sentences, " ")
		}
	}
	return ""
}

// Every move that is played is one of those that the text says a turn is, and every end of a game stands in the order of things.
func TestWhatHappensIsSaid(t *testing.T) {
	t.Parallel()
	ends := map[engines.Reason][]string{
		engines.ByLine: {"a line wins", "a line loses"}, engines.ByPattern: {"a shape"}, engines.ByConnection: {"a connection"}, engines.ByReach: {"an arrival"},
		engines.ByElimination: {"too few pieces"}, engines.ByLosingLine: {"a line that loses"}, engines.ByCaptures: {"a number of captures"},
		engines.ByFullBoard: {"a full board"}, engines.ByMajority: {"a full board", "a player who cannot move"}, engines.ByNoMoves: {"a player who cannot move"},
		engines.ByRepetition: {"repetition"}, engines.ByPlyCap: {"limit of moves"},
	}
	rapid.Check(t, func(t *rapid.T) {
		g, err := engines.Compile(enginetest.RandomRules().Draw(t, "rules"))
		if err != nil {
			t.Fatal(err)
		}
		r := g.Rules()
		told := explain.Game(g)
		turn, order := section(told, "A turn"), section(told, "What happens in one move")
		said := func(in string, any ...string) bool {
			return slices.ContainsFunc(any, func(s string) bool { return strings.Contains(in, s) })
		}
		src := rand.New(rand.NewPCG(11, rapid.Uint64().Draw(t, "seed")))
		for range 2 {
			p := g.NewPosition()
			for !p.Over() && p.Ply() < 200 {
				moving, clone := p.Moving(), r.Of(p.Side()).Movement.Clone
				ms := p.AppendMoves(nil)
				m := ms[src.IntN(len(ms))]
				known := true
				switch {
				case !moving:
				case m.IsPlacement() && !clone:
					known = said(turn, "placement of one piece") && section(told, "Placing") != ""
				case m.IsPlacement():
					known = said(turn, "one step")
				case m.IsJump():
					known = said(turn, "one capture", "one jump", "the jumps")
				case m.From() != engines.NoCell:
					known = said(turn, "one step", "one leap", "one flight")
				}
				if !known {
					t.Fatalf("%s\n%s: %s\n%s", r.Canonical(), g.MoveText(m), turn, told)
				}
				p.Play(m)
			}
			if p.Over() && order != "" && !said(order, ends[p.Reason()]...) {
				t.Fatalf("%s\nends by %s: %s", r.Canonical(), p.Reason(), order)
			}
		}
	})
}

var update = flag.Bool("update", false, "write the golden texts")

// The whole texts of all shipped games, and of rules that people wrote with nothing but the help.
func TestGoldenTexts(t *testing.T) {
	t.Parallel()
	games := map[string]*engines.Game{}
	for _, name := range configs.Names(configs.Games) {
		games[name] = enginetest.Load(t, name)
	}
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if games[strings.TrimSuffix(filepath.Base(file), ".yaml")], err = engines.Load(file, data); err != nil {
			t.Fatal(err)
		}
	}
	for name, g := range games {
		told := explain.Game(g)
		got := told.String() + "\nDoes it end? " + told.Ending.Text + "\n"
		file := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != got {
			t.Errorf("%s: run with -update and read the change (%v)\n%s", name, err, got)
		}
	}
}
