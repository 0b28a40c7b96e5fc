package variants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/configs/must"
	"spar/engines/rules"
)

// The steps of one knob that may mend a problem, by hand. What makes no valid rules is no step, like a line of four on
// 3x3, nor what stops a mechanic: of 9 cells nobody takes more than five. What else is set stays. What is
// unfair keeps its board and moves: hare and hounds gets another goal, or starts one row nearer.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	hare := filepath.Join(t.TempDir(), "hare.yaml")
	err := os.WriteFile(
		hare,
		[]byte(
			`{name: hare, board: {columns: 3, rows: 5}, setup: [".O.", "...", "...", "X.X", ".X."], movement: {steps: king, directions: [forward, sideways]},
  second: {movement: {steps: king}, win: {reach: [b5]}}, draw: {repetition: 3}, no_moves: loss}`,
		),
		0o600,
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules    string
		set      map[string]any
		problem  Problem
		has, not string
	}{
		{
			"classic", nil,
			Unfair,
			"turn.pie=true turn.pie=seats second.first_turn=2 placement.opening= win.line=2 setup=[\"O..\"",
			"win.line=4 pieces.cap turn.pie=false board",
		},
		{"vanishing", map[string]any{"pieces.cap": 4}, Endless, "pieces.cap=3 pieces.removal=after_win " +
			"win.line=2", "turn.pie board pieces.cap=5"},
		{"vanishing", nil, Drawish, "win.line=2 pieces.cap=4", "turn.pie"},
		{hare, nil, Unfair, `second.win.reach=["b4"] second.win.reach=["b5","b4"] setup=["...",".O.","...","X.X",".X."] setup=[".O.","...","X.X",".X.","..."]`, "board.rows board.columns win"},
		// a man of any kind less, or a step ahead
		{"dobutsu", nil, Unfair, `setup=["gle",".c.",".C.",".LG"] setup=["gle",".c.",".CG","EL."] setup=[".le","gc."`, "board"},
		{"rolling", nil, Unfair, "pieces.cap=4 win.line=2", "board movement"},
	} {
		var got []string
		base := must.Get(campaign.LoadRules(c.rules, c.set))(t)
		var lists [][]Change
		for _, x := range candidates(base.Game.Rules(), c.problem) {
			lists = append(lists, []Change{x})
		}
		kept, _ := Propose(base, lists)
		for _, s := range kept {
			got = append(got, s.Changes[0].Path+"="+strings.ReplaceAll(s.Changes[0].Text(), " ", ""))
			if s.Game.RulesHash() == base.Game.RulesHash() || c.set != nil && !strings.Contains(s.Label,
				"surround.threshold=") && !strings.Contains(s.Label, "pieces.cap=") {
				t.Errorf("%s of %v", s.Label, c.set)
			}
		}
		starts := func(with string) bool {
			return slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, with) })
		}
		for _, want := range strings.Fields(c.has) {
			if !starts(want) {
				t.Errorf("%s, %v: %q lacks %s", c.rules, c.problem, got, want)
			}
		}
		for _, no := range strings.Fields(c.not) {
			if starts(no) {
				t.Errorf("%s, %v: %q has %s", c.rules, c.problem, got, no)
			}
		}
	}
}

// Changes as people read them.
func TestWords(t *testing.T) {
	t.Parallel()
	base := rules.DefaultRules()
	base.Setup = []string{"OO", "..", "XX"}
	in := func(cells ...string) []any {
		return []any{map[string]any{"plies": 1, "region": "cells", "cells": cells}}
	}
	for want, c := range map[string]Change{
		"the game starts without O b1":              {"setup", []string{"O.", "..", "XX"}},
		"the game starts with X a2 instead of X a3": {"setup", []string{"OO", "X.", ".X"}},
		"the game starts with O b2":                 {"setup", []string{"OO", ".O", "XX"}},
		"the first piece goes to a1, b2":            {"placement.opening", in("a1", "b2")},
		"the first piece goes to one of 9 cells (a1, b1, c1, d1, e1, f1 ... i1)": {
			"placement.opening", in("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1"),
		},
		"a pie rule: the second player may swap seats": {"turn.pie", "seats"},
		"the second player's first turn has two moves": {"second", `{"first_turn":2}`}, // as a comparison has it
		"win.line=4": {"win.line", 4},
	} {
		if got := c.Words(base); got != want {
			t.Errorf("%v: %q, want %q", c, got, want)
		}
	}
}
