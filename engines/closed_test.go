package engines_test

import (
	"slices"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
)

// A cell that a kind avoids is closed to its drops, to its jumps and to its shots, which go as far as its steps.
func TestAvoidedCells(t *testing.T) {
	t.Parallel()
	const head = "name: closed\nboard: {columns: 5, rows: 5}\ncells: [{name: hall, at: [c3]}]\nno_moves: loss\n" +
		"draw: {repetition: 3}\n"
	for _, c := range []struct {
		name, rules, moves string
		legal, illegal     string
	}{
		{
			"drops", "kinds: [{name: man, avoids: [hall], movement: {steps: king, take: [king]}}]\n" +
				"movement: {captured: switch_to_hand}\nsetup: [mm..., M...., ....., ....., .....]\n", "a2xa1 b1-c1",
			"M@c2 M@c4", "M@c3",
		},
		{
			"jumps", "kinds: [{name: man, avoids: [hall], passes: [hall], movement: {steps: king, capture: true}}, {name: ox}]\n" +
				"setup: [....., .oo.., .Mo.., ....., .....]\n", "",
			"b3xb1 b3xd1", "b3xd3",
		},
		{
			"shots", "kinds: [{name: man, avoids: [hall], movement: {steps: king, first: {rows: 2, steps: 2}}}]\n" +
				"turn: {block: shot}\nsetup: [....m, ....., ....., ....., .M...]\n", "b5-b4",
			"b2=# a5=# d4=#", "c3=# d2=#",
		},
	} {
		g := must.Get(engines.Load("closed.yaml", []byte(head+c.rules)))(t)
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		legal := g.MoveTexts(p.AppendMoves(nil))
		for _, m := range strings.Fields(c.legal + " " + c.illegal) {
			if slices.Contains(legal, m) != slices.Contains(strings.Fields(c.legal), m) {
				t.Errorf("%s: %s is wrong in %v", c.name, m, legal)
			}
		}
	}
}
