package explain_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/explain"
	"spar/engines/rules"
)

// changed are the sentences of a text that another does not have, marked with -, and the other way round with +.
func changed(before, after string) string {
	var out strings.Builder
	for _, side := range []struct{ mark, text, other string }{{"-", before, after}, {"+", after, before}} {
		for line := range strings.Lines(side.text) {
			if !strings.Contains("\n"+side.other, "\n"+line) {
				out.WriteString(side.mark + line)
			}
		}
	}
	return out.String()
}

// golden compares text with a file under testdata, or writes the file with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s: run with -update and read the change (%v)\n%s", file, err, got)
	}
}

// What changes in a text with the rules, where sentences depend on several knobs.
func TestChangedSentences(t *testing.T) {
	t.Parallel()
	supplied := []string{"board.columns=5", "board.rows=5", "pieces.supply=4", "draw.repetition=3", "win.line=4"}
	var out strings.Builder
	for _, c := range []struct {
		name string
		game string
		set  []string
	}{
		{"one who cannot move", "fox-and-geese", []string{"second={movement: {steps: none}}"}},
		{"what is captured is placed again", "alquerque", []string{"movement.captured=return"}},
		{"stages of what is placed again", "alquerque", []string{
			"movement.captured=return", "territory=halves",
			"placement.opening=[{plies: 4, region: home}]",
		}},
		{"removals where pieces are placed", "reversi6", []string{"custodian.must=false", "placement.opening=[{plies: 2, " +
			"region: anywhere, remove: true}]"}},
		{"leaps after a supply", "gomoku9", append(supplied, "movement.leaps=['1,2']")},
		{"captures after a supply", "gomoku9", append(supplied, "movement.take=[king]")},
		{"flights after a supply", "gomoku9", append(supplied, "movement.fly=4")},
		{"nothing after a supply", "gomoku9", supplied},
		{"steps, captures and placements", "gomoku9", append(supplied, "movement.steps=king", "movement.take=[king]",
			"movement.captured=return")},
		{"unequal supplies", "gomoku9", append(supplied, "movement.steps=king", "second={supply: 6}")},
		{"surrounded on hexagons", "ctor", []string{"board.wrap=none", "board.shape=hex", "surround.threshold=3"}},
		{"surrounded along rows and columns", "ctor", []string{"board.neighbours=4", "surround.threshold=3"}},
		{"jumps on squares", "konane", []string{"movement.jumps=[]"}},
		{"moves on hexagons", "infiltration-6x6", []string{"board.shape=hex", "movement.take=[king]"}},
		{"north and south on hexagons", "hexapawn", []string{"board.shape=hex", "movement.directions=[north, south]"}},
		{"steps limited twice", "hexapawn", []string{
			"movement.steps=rook",
			"movement.directions=[forward, forward_diagonal]",
		}},
		{"captures in directions of a player", "hexapawn", []string{"movement.directions=[]"}},
		{"jumps over own pieces", "alquerque", []string{
			"movement.forced_capture=false", "movement.jump_over=friend",
			"movement.take=[king]", "win.eliminate=2",
		}},
		{"jumps over all pieces", "infiltration", []string{"movement.jump_over=any"}},
		{"jumps that capture nothing", "konane", []string{"movement.captured=stay", "draw.repetition=3"}},
		{"captures of both kinds return", "infiltration", []string{"movement.take=[king]"}},
		{"captures of both kinds are forced", "alquerque", []string{"movement.take=[king]"}},
		{"a line of the second player's alone", "gomoku9", []string{
			"win={full: true}", "second.win={line: 5}",
			"draw.full_board=false",
		}},
		{"enclosed pieces are dropped", "tablut", []string{"movement.captured=switch_to_hand"}},
		{"a number of captures", "pente", []string{"lose.line=4"}},
		{"shapes, lines and arrivals lost", "teeko", []string{"win.misere=true", "win.reach=[far]", "win.reach_count=3"}},
		{"lost by one, won by the other", "gomoku9", []string{
			"win.misere=true", "second.win={line: 4}",
			"draw.repetition=3",
		}},
		{"a connection", "hex5", []string{"draw.max_plies=20"}},
		{"a board full of shots", "amazons", []string{"draw.full_board=true"}},
		{"shut in after an opening and a swap", "teeko", []string{
			"win.shut_in=[left]", "turn.pie=seats", "placement.opening=[{plies: 2, region: anywhere}]",
		}},
		{"a fall", "connect4", []string{
			"pieces.cap=10", "pieces.removal=after_win", "placement.falls=true",
			"draw.max_plies=90",
		}},
	} {
		before := explain.Game(enginetest.Load(t, c.game)).String()
		after := explain.Game(enginetest.Load(t, c.game, c.set...)).String()
		fmt.Fprintf(&out, "%s: %s %s\n%s\n", c.name, c.game, strings.Join(c.set, " "), changed(before, after))
	}
	golden(t, "changes.golden", out.String())
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
			placed = placed || m.IsPlacement() && !m.IsDrop() && !g.Rules().Movement.Clone
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

// Every move that is played is one of those that the text says a turn is, and every end of a game stands in the order
// of things.
func TestWhatHappensIsSaid(t *testing.T) {
	t.Parallel()
	ends := map[engines.Reason][]string{
		engines.ByLine: {"a line wins", "a line loses"}, engines.ByElimination: {"too few pieces loses"},
		engines.ByMajority: {"a full board", "a player who cannot move"}, engines.ByNoMoves: {"a player who cannot move"},
		engines.ByRepetition: {"repetition"}, engines.ByPlyCap: {"limit on moves"},
		engines.ByQuiet: {"without placement or capture"},
	}
	rapid.Check(t, func(t *rapid.T) {
		g := must.Get(engines.Compile(enginetest.RandomRules().Draw(t, "rules")))(t)
		r := g.Rules()
		told := explain.Game(g)
		turn := section(told, "A turn")
		order := section(told, "What happens in one move")
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
				case m.IsDrop():
					known = said(turn, "one drop")
				case m.IsPlacement() && !clone:
					known = said(turn, "placement of one piece") && section(told, "Placing") != ""
				case m.IsPlacement():
					known = said(turn, "one step")
				case m.IsJump():
					known = said(turn, "one capture", "one jump", "jumps of one piece")
				case m.From() != engines.NoCell:
					known = said(turn, "one step", "one leap", "one flight")
				}
				if !known {
					t.Fatalf("%s\n%s: %s\n%s", r.Canonical(), g.MoveText(m), turn, told)
				}
				p.Play(m)
			}
			words := ends[p.Reason()]
			if goal, ok := rules.GoalBy(p.Reason().String()); ok && words == nil {
				words = []string{cmp.Or(goal.Order, goal.Ends)}
			}
			if p.Over() && order != "" && !said(order, words...) {
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
	files := must.Get(filepath.Glob("testdata/*.yaml"))(t)
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		games[strings.TrimSuffix(filepath.Base(file), ".yaml")] = must.Get(engines.Load(file, data))(t)
	}
	for name, g := range games {
		told := explain.Game(g)
		got := told.String() + "\nDoes it end? " + told.Ending.Text + "\n"
		golden(t, name+".txt", got)
	}
}
