package solve

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// reference is a second way to solve a game, kept as plain as can be: every position by its text in a map, without
// symmetry, packing, backward moves or counters; rounds over all positions until nothing changes.
type reference struct {
	g      *engines.Game
	states []engines.State
	moves  [][]refMove
	value  []Value
	known  []bool
}

type refMove struct {
	result engines.Result // of the move, if the game is over
	to     int            // otherwise the position
}

// refKeys writes the text of a position without what the rest of the game does not depend on.
type refKeys struct {
	plies     int // the ply counts below this one
	firstTurn int
	tells     bool   // what follows depends on whether the first turn is over
	text, key []byte // of the last position
}

func newRefKeys(g *engines.Game) *refKeys {
	r := g.Rules()
	second := r.FirstTurn(engines.Second)
	k := &refKeys{firstTurn: r.Turn.FirstTurn, tells: r.Turn.Pie.On() || second != r.Turn.Placements}
	for _, stage := range r.Placement.Opening {
		k.plies += stage.Plies
	}
	if r.Pieces.Cap > 0 {
		k.plies = max(k.plies, r.Pieces.RemovalFromPly-1)
	}
	return k
}

func (k *refKeys) write(s *engines.State) []byte {
	k.key, k.text = k.key[:0], s.AppendText(k.text[:0])
	begun := s.Side() == engines.Second || s.Ply() >= k.firstTurn
	plies := k.plies
	if plies > 0 && bytes.Contains(k.text, []byte(" traded")) {
		plies++ // the swap of seats was a ply
	}
	i := 0
	for word := range bytes.SplitSeq(k.text, []byte(" ")) {
		switch {
		case i == 2:
			k.key = append(strconv.AppendInt(k.key, int64(min(s.Ply(), plies)), 10), ' ')
		case string(word) == "begun", string(word) == "unbegun":
			begun = string(word) == "begun"
		case !bytes.HasPrefix(word, []byte("last=")):
			k.key = append(append(k.key, word...), ' ')
		}
		i++
	}
	if k.tells && begun {
		k.key = append(k.key, "begun"...)
	}
	return k.key
}

// solveReference gives up, returning nil, at more positions than most.
func solveReference(g *engines.Game, most int) *reference {
	r := &reference{g: g}
	index, keys := map[string]int{}, newRefKeys(g)
	number := func(s *engines.State) int {
		key := keys.write(s)
		i, ok := index[string(key)]
		if !ok {
			i = len(r.states)
			index[string(key)] = i
			r.states = append(r.states, *s)
		}
		return i
	}
	start := g.NewState()
	number(&start)
	var next engines.State
	var moves []engines.Move
	for i := 0; i < len(r.states); i++ {
		if i > most {
			return nil
		}
		moves = r.states[i].AppendMoves(moves[:0])
		list := make([]refMove, 0, len(moves))
		for _, m := range moves {
			next = r.states[i]
			next.Play(m)
			if next.Over() {
				list = append(list, refMove{result: next.Result()})
			} else {
				list = append(list, refMove{to: number(&next)})
			}
		}
		r.moves = append(r.moves, list)
	}
	r.value, r.known = make([]Value, len(r.states)), make([]bool, len(r.states))
	for d := 1; r.round(d); d++ {
	}
	return r
}

// round decides the positions that are won or lost in exactly d plies, and reports whether another round may find any.
func (r *reference) round(d int) bool {
	type verdict struct {
		i int
		v Value
	}
	var found []verdict
	for i := range r.states {
		if r.known[i] {
			continue
		}
		side := r.states[i].Side()
		wins, allLose := false, true
		for _, m := range r.moves[i] {
			switch {
			case m.result == engines.Winner(side):
				wins = true
			case m.result == engines.Winner(1-side):
				continue
			case m.result == engines.Drawn || !r.known[m.to]:
			case (r.value[m.to].Outcome == Win) == (r.states[m.to].Side() == side):
				wins = true
			default:
				continue
			}
			allLose = false
		}
		switch {
		case wins:
			found = append(found, verdict{i, Value{Win, d}})
		case allLose:
			found = append(found, verdict{i, Value{Loss, d}})
		}
	}
	for _, f := range found {
		r.known[f.i], r.value[f.i] = true, f.v
	}
	return len(found) > 0
}

// compare checks every position of the game against a table.
func (r *reference) compare(t rapid.TB, table *Table) {
	t.Helper()
	var split Split
	longest := 0
	for i := range r.states {
		want := r.value[i]
		split.add(want.Outcome, 1)
		longest = max(longest, want.DTW)
		if got, ok := table.Lookup(&r.states[i]); !ok || got != want {
			t.Fatalf("%s: %s: the table says %v %v, the reference %v\nrules: %s", r.g.Name(), r.states[i].Text(), got,
				ok, want, r.g.Rules().Canonical())
		}
	}
	s := table.Stats()
	if s.States != uint64(len(r.states)) || s.Split != split || s.MaxDTW != longest {
		t.Fatalf("%s: the table has %d states %+v, longest %d; the reference %d, %+v, %d\nrules: %s", r.g.Name(),
			s.States, s.Split, s.MaxDTW, len(r.states), split, longest, r.g.Rules().Canonical())
	}
}

func endless(t testing.TB, g *engines.Game) *engines.Game {
	t.Helper()
	e := must.Get(Endless(g))(t)
	return e
}

func TestTwoMethodsAgree(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		rules string
		set   []string
	}{
		{"classic", nil},
		{"vanishing", nil},
		{"vanishing", []string{"board.columns=4", "board.rows=2", "pieces.reuse_vacated=true"}},
		{"rolling", []string{"pieces.cap=2"}},
		{"rolling", []string{"pieces.cap=2", "setup=[O.O, ..., .X.]"}}, // an image of the start has other ages
		{"rolling", []string{"pieces.cap=2", "board.wrap=torus"}},
		{"rolling", []string{"pieces.cap=2", "pieces.removal_from_ply=6"}},
		{"rolling", []string{"pieces.cap=2", "turn.placements=2"}},
		{"classic", []string{"turn.pie=true"}},
		{"classic", []string{"board.columns=4", "board.rows=2"}},
		{"connect4", []string{"board.columns=4", "board.rows=4", "win.line=3"}},
		{"connect4", []string{"board.columns=4", "board.rows=3", "board.wrap=columns", "win.line=3"}},
		{"ctor", []string{"board.columns=3", "board.rows=3", "board.wrap=none", "surround.threshold=2"}},
		{"infiltration-6x6", tinyInfiltration()},
		{"infiltration-6x6", append(tinyInfiltration(), "draw.quiet=3", "draw.repetition=0")},
		{"tapatan", []string{"draw.quiet=5", "draw.repetition=0"}},
		{"infiltration-6x6", append(tinyInfiltration(), "turn.pie=true")},
		{"draughts", []string{"board.columns=4", "board.rows=4", "setup=[.m.m, ...., ...., M.M.]", "draw.repetition=0", "draw.quiet=6"}},
		{"russian-draughts", []string{"board.columns=5", "board.rows=4", "setup=[.m.m., ....., ....., .M.M.]", "draw.quiet=0"}},
		{"international-draughts", []string{"board.columns=4", "board.rows=4", "setup=[.m.m, ...., ...., M.M.]", "draw.quiet=0"}},
		{"los-alamos", []string{"board.columns=3", "board.rows=4", "setup=[k.., ..p, ..., .RK]", "draw.quiet=0"}},
		{"brandubh", []string{
			"board.columns=5", "board.rows=5", "cells=[{name: throne, at: [c3]}, {name: corners, at: [a1, e1, a5, e5]}]",
			"second.win={reach: [a1, e1, a5, e5], reach_kind: king}", "setup=[..M.., ....., ..k.., ....., ..M..]",
		}},
	} {
		t.Run(fmt.Sprint(v.rules, v.set), func(t *testing.T) {
			t.Parallel()
			g := endless(t, enginetest.Load(t, v.rules, v.set...))
			r := solveReference(g, 1_000_000)
			if r == nil {
				t.Fatal("too large for the reference")
			}
			table := solve(t, g)
			r.compare(t, table)
			s := table.Stats()
			t.Logf("%d states, %d classes, %v", s.States, s.Classes, s.Root)
		})
	}
}

// Rules with kinds of pieces: two games with each mechanic that only they need.
func TestTwoMethodsAgreeOnKinds(t *testing.T) {
	t.Parallel()
	for m := range rules.PieceMechanics().Each() {
		draw, solved := enginetest.RandomRulesWith(m), 0
		for seed := 0; solved < 2; seed++ {
			r := draw.Example(seed)
			r.Draw.Repetition = 0
			r.Draw.MaxPlies = 0
			r.Draw.Quiet = min(r.Draw.Quiet, 2)
			g, err := engines.Compile(r)
			if err != nil || seed == 500 {
				t.Fatalf("%v: %d games in %d draws, %v", rules.MechanicsOf(m), solved, seed, err)
			}
			if start := g.NewState(); start.Over() || !r.Mechanics().Has(m) {
				continue
			}
			ref := solveReference(g, 600)
			if ref == nil {
				continue
			}
			table, err := Solve(t.Context(), g, Options{Workers: 1})
			if err != nil {
				t.Fatalf("%s: %v", r.Canonical(), err)
			}
			solved++
			ref.compare(t, table)
		}
	}
}

// Rules of all kinds on the smallest boards.
func TestTwoMethodsAgreeOnRandomRules(t *testing.T) {
	t.Parallel()
	solved := 0
	rapid.Check(t, func(rt *rapid.T) {
		r := enginetest.RandomRules().Draw(rt, "rules")
		r.Board.Columns, r.Board.Rows = rapid.IntRange(2, 4).
			Draw(rt, "few columns"),
			rapid.IntRange(2, 4).
				Draw(rt, "few rows")
		r.Pieces.Supply = min(r.Pieces.Supply, rapid.IntRange(2, 4).Draw(rt, "small supply"))
		r.Pieces.Cap = min(r.Pieces.Cap, 4)
		r.Win.Line = min(r.Win.Line, rapid.IntRange(2, 3).Draw(rt, "short line"))
		r.Pieces.RemovalFromPly = min(r.Pieces.RemovalFromPly, 6)
		r.Draw.Repetition, r.Draw.MaxPlies = 0, 0
		g, err := engines.Compile(r)
		if err != nil {
			rt.Skip("not valid on so small a board")
		}
		ref := solveReference(g, 400)
		if ref == nil {
			rt.Skip("large")
		}
		solved++
		table := must.Get(Solve(t.Context(), g, Options{Workers: 1}))(rt)
		ref.compare(rt, table)
	})
	t.Logf("%d games", solved)
}
