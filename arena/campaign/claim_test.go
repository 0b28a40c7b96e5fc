package campaign

import "testing"

// stage is a stage of which every kind of play scores alike: first, draws and second of 12 free games, of 6 games from
// each of two first moves, and from each of two replies to the first of them.
func stage(free Tally, first, replies [2]Tally) Stage {
	probe := func(moves string, t Tally) Probe {
		return Probe{Moves: moves, By: map[string]Tally{AlphaBeta: t, TreeSearch: t, Across: t}}
	}
	return Stage{
		Nodes: 8000, Side: "second", Free: probe("", free),
		FirstMoves: []Probe{probe("a1", first[0]), probe("b2", first[1])},
		Replies:    []Probe{probe("a1 b1", replies[0]), probe("a1 c1", replies[1])},
	}
}

// A claim needs three stages, of which the last two agree in every kind of play, and no forced opening that turns it.
func TestJudge(t *testing.T) {
	t.Parallel()
	win := Tally{First: 2}
	draw := Tally{Draws: 2}
	loss := Tally{Second: 2}
	all := func(x Tally) Stage { return stage(x, [2]Tally{x, x}, [2]Tally{x, x}) }
	but := func(s Stage, change func(*Stage)) Stage { change(&s); return s }
	even := all(draw)
	first := all(win)
	second := all(loss)
	other := but(first, func(s *Stage) {
		s.Free.By = map[string]Tally{AlphaBeta: win, TreeSearch: draw, Across: win}
		s.FirstMoves[0].By[TreeSearch], s.FirstMoves[1].By[TreeSearch] = draw, draw
	})
	for _, c := range []struct {
		name   string
		stages []Stage
		want   Claim
		forced string
	}{
		{"nothing", nil, Unknown, ""},
		{"two stages", []Stage{first, first}, Unknown, ""},
		{"first", []Stage{second, first, first}, First, ""},
		{"second", []Stage{first, second, second}, Second, ""},
		{"even", []Stage{first, even, even}, Even, ""},
		{"drawn by a cap", []Stage{even, even, all(Tally{Caps: 2})}, Even, ""},
		{"turned at the last stage", []Stage{first, first, second}, Unknown, ""},
		{"the second opinion does not agree", []Stage{first, first, other}, Unknown, ""},
		{"decisive games in equal numbers are not even", []Stage{even, even, all(Tally{First: 1, Second: 1})}, Unknown, ""},
		{"a reply refutes it", []Stage{first, first, stage(win, [2]Tally{win, win}, [2]Tally{win, draw})}, Unknown, ""},
		{"one kind of search does not win after a reply", []Stage{first, first, but(all(win), func(s *Stage) {
			s.Replies[0].By = map[string]Tally{AlphaBeta: draw, TreeSearch: win, Across: win}
		})}, Unknown, ""},
		{
			"a first move escapes it, as one of several may by luck",
			[]Stage{second, second, stage(loss, [2]Tally{loss, draw}, [2]Tally{loss, loss})},
			Unknown, "",
		},
		{"a first move escapes it in two stages", []Stage{
			second, stage(loss, [2]Tally{loss, win}, [2]Tally{loss, loss}),
			stage(loss, [2]Tally{loss, win}, [2]Tally{loss, loss}),
		}, Unknown, "b2"},
		{"a first move wins, and no reply stops it", []Stage{
			even, stage(draw, [2]Tally{win, draw}, [2]Tally{win, win}),
			stage(draw, [2]Tally{win, draw}, [2]Tally{win, win}),
		}, First, "a1"},
		{
			"a first move wins but for one reply",
			[]Stage{even, even, stage(draw, [2]Tally{win, draw}, [2]Tally{win, draw})},
			Unknown, "",
		},
		{"a first move won a stage before, and wins no longer", []Stage{
			even, stage(draw, [2]Tally{win, draw}, [2]Tally{win, win}), even,
		}, Unknown, ""},
		{"the reply is the first player's own", []Stage{first, first, but(stage(win, [2]Tally{win, win}, [2]Tally{win, loss}),
			func(s *Stage) { s.Side = "first" })}, First, ""},
	} {
		got := Judge(c.stages)
		forced := ""
		if got.Forced != nil {
			forced = got.Forced.Moves
		}
		if got.Claim != c.want || forced != c.forced || (got.Claim == Unknown) != (got.Settle != "" && got.Against != "") {
			t.Errorf("%s: %+v, want %s, forced %q", c.name, got, c.want, c.forced)
		}
	}
	// It ends early only where three stages in a row agree.
	for _, c := range []struct {
		stages []Stage
		want   bool
	}{
		{[]Stage{first, first}, false},
		{[]Stage{first, first, first}, true},
		{[]Stage{second, first, first, first}, true},
		{[]Stage{first, second, first, first}, false},
		{[]Stage{first, second, first}, false},
		{[]Stage{other, other, other}, false},
		{[]Stage{first, first, first, other}, false},
	} {
		if got := Settled(c.stages); got != c.want {
			t.Errorf("%d stages: settled %t, want %t", len(c.stages), got, c.want)
		}
	}
}
