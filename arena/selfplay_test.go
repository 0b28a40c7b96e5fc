package arena

import (
	"context"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/patterns"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// learner makes an agent known to a assets that has no learned evaluation yet, and returns its seat.
func learner(t *testing.T, k *Assets, g *engines.Game, about patterns.Provenance) Entrant {
	t.Helper()
	l := must.Get(patterns.NewLayout(g, patterns.For(g)))(t)
	net := must.Get(l.New(make([]float32, l.Params())))(t)
	file := must.Get(net.Packed(about))(t)
	s := agents.DefaultSpec()
	s.Name, s.Type, s.Evaluation = "learner", "heuristic", agents.EvaluationOptions{
		File: "learner", Hash: file.Hash(),
		Net: file,
	}
	k.AddRules(g)
	return k.Entrant(s, g, agents.Budget{})
}

// selfPlay is a task of a game to learn from.
func selfPlay(g *engines.Game, seats [2]Entrant, number int64, how patterns.SelfPlay) Task {
	task := NewTask(g, Slot{Number: number}, seats, nil, 7, uint64(number))
	task.SelfPlay = how
	return task
}

// A player plays games to learn from as the players of self-play do, from task to task with other nets and ways, and
// says which moves were drawn at random; they are accepted as played.
func TestPlaysToLearn(t *testing.T) {
	t.Parallel()
	g, assets := enginetest.Load(t, "vanishing"), NewAssets()
	one := learner(t, assets, g, patterns.Provenance{})
	other := learner(t, assets, g, patterns.Provenance{Games: 1})
	plies := 0
	p := NewPlayer(assets, "w").Watch(func() { plies++ })
	defer p.Close()
	cut := 0
	for number := range int64(12) {
		how := patterns.SelfPlay{Epsilon: 0.3, Opening: 4, Longest: 9 + int(number%2)*20, Depth: 1}
		learns := one
		if number%3 == 0 {
			learns = other
		}
		task := selfPlay(g, [2]Entrant{learns, learns}, number, how)
		before := plies
		r := must.Get(p.Play(t.Context(), &task))(t)
		net := must.Get(assets.net(learns, g))(t)
		want := patterns.NewSelfPlayer(net, how).Play(t.Context(), 7, uint64(number))
		got, err := r.Lesson(g)
		if err != nil || g.JoinMoves(got.Moves) != g.JoinMoves(want.Moves) || got.Result != want.Result ||
			got.Cut != want.Cut {
			t.Errorf("game %d: %+v, want %+v, %v", number, got, want, err)
		}
		for i, random := range want.Random {
			if got.Random[i] != random {
				t.Errorf("game %d, ply %d: drawn at random %t", number, i+1, got.Random[i])
			}
		}
		if plies-before != len(want.Moves) || r.Plies != len(want.Moves) || r.Worker != "w" || r.Slot != task.Slot {
			t.Errorf("game %d: %d plies were told; %+v", number, plies-before, r)
		}
		if want.Cut {
			cut++
		}
		kept := r
		if err := task.Accept(g, false, &r); err != nil || r.Hash != kept.Hash || r.Moves != kept.Moves {
			t.Errorf("game %d: %v", number, err)
		}
	}
	if cut == 0 || cut == 12 {
		t.Errorf("%d of 12 games were cut off", cut)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	task := selfPlay(g, [2]Entrant{one, one}, 1, patterns.SelfPlay{Longest: 9, Depth: 1})
	if _, err := p.Play(ended, &task); err == nil {
		t.Error("played after the end")
	}
	task.SelfPlay.Depth = 9
	must.Refuse(p.Play(t.Context(), &task))(t, "depth 9")
	task = selfPlay(g, [2]Entrant{assets.Entrant(agents.Spec{Name: "plain", Type: "heuristic"}, g, agents.Budget{}), one},
		1, patterns.SelfPlay{Longest: 9, Depth: 1})
	must.Refuse(p.Play(t.Context(), &task))(t, "agent plain has no learned evaluation")
}

// Of a game to learn from only what its moves say is taken: X completes the left column at ply 5.
func TestAcceptToLearn(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	const whole, part = "a1 b1 a2 b2 a3", "a1 b1 a2 b2"
	cut := func(r *Result) {
		r.Moves = part
		r.Random = "0000"
		r.Outcome = engines.Drawn
		r.Reason = ReasonCut
	}
	for name, c := range map[string]struct {
		change func(*Task, *Result)
		wrong  string // empty = accepted
	}{
		"as played":       {func(*Task, *Result) {}, ""},
		"another game":    {func(_ *Task, r *Result) { r.Number++ }, "not those of the task"},
		"another winner":  {func(_ *Task, r *Result) { r.Outcome = engines.SecondWins }, "do not lead to the stated result: second"},
		"another reason":  {func(_ *Task, r *Result) { r.Reason = ReasonCut }, "do not lead to the stated result: first"},
		"drawn":           {func(_ *Task, r *Result) { r.Outcome = engines.Drawn }, "do not lead to the stated result: draw"},
		"an illegal move": {func(_ *Task, r *Result) { r.Moves = "a1 a1 a2 b2 a3" }, "ply 2"},
		"after the end":   {func(_ *Task, r *Result) { r.Moves, r.Random = whole+" b3", "000000" }, "ply 6"},
		"cut off":         {func(task *Task, r *Result) { task.SelfPlay.Longest = 4; cut(r) }, ""},
		"cut off early":   {func(_ *Task, r *Result) { cut(r) }, "cut off after 4 plies, not 9"},
		"cut off late":    {func(task *Task, r *Result) { task.SelfPlay.Longest = 3; cut(r) }, "4 plies; at most 3"},
		"won late":        {func(task *Task, _ *Result) { task.SelfPlay.Longest = 4 }, "5 plies; at most 4"},
		"won at last":     {func(task *Task, _ *Result) { task.SelfPlay.Longest = 5 }, ""},
		"cut off, won": {
			func(task *Task, r *Result) { task.SelfPlay.Longest = 4; cut(r); r.Outcome = engines.FirstWins },
			"do not lead to the stated result",
		},
		"cut off, going on": {
			func(task *Task, r *Result) { task.SelfPlay.Longest = 4; cut(r); r.Outcome = engines.Ongoing },
			"do not lead to the stated result",
		},
		"no marks":         {func(_ *Task, r *Result) { r.Random = "" }, "0 marks of random moves for 5 moves"},
		"too many marks":   {func(_ *Task, r *Result) { r.Random = "000000" }, "6 marks of random moves for 5 moves"},
		"other marks":      {func(_ *Task, r *Result) { r.Random = "00x00" }, "5 marks of random moves for 5 moves"},
		"a fault":          {func(_ *Task, r *Result) { r.Faulty = 1 }, "do not lead to the stated result"},
		"nodes":            {func(_ *Task, r *Result) { r.Nodes[1] = 1 }, "it has fields that self-play games do not have"},
		"detail":           {func(_ *Task, r *Result) { r.Detail = "x" }, "has fields that"},
		"time before time": {func(_ *Task, r *Result) { r.Spent[0] = -1 }, "has fields that"},
		"marks of a game between agents": {func(task *Task, _ *Result) {
			task.SelfPlay = patterns.SelfPlay{}
		}, "it marks moves as random, which only self-play games may do"},
	} {
		task := selfPlay(g, [2]Entrant{{Spec: "a"}, {Spec: "b"}}, 3, patterns.SelfPlay{Longest: 9, Depth: 1})
		r := Result{
			Slot: task.Slot, Rules: task.Rules, Specs: [2]string{"a", "b"}, Moves: whole, Random: "01000",
			Outcome: engines.FirstWins, Reason: "line",
		}
		c.change(&task, &r)
		err := task.Accept(g, false, &r)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v, want %q", name, err, c.wrong)
		}
		if err == nil && (r.Plies != len(strings.Fields(r.Moves)) || r.Hash == 0) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	// A game that comes from a study teaches what its moves say, too.
	stored := Result{Slot: Slot{Number: 3}, Moves: whole, Random: "01000"}
	if lesson, err := stored.Lesson(g); err != nil || g.JoinMoves(lesson.Moves) != whole || lesson.Result != 1 ||
		lesson.Cut || !slices.Equal(lesson.Random, []bool{1: true, 4: false}) {
		t.Errorf("%+v, %v", lesson, err)
	}
	stored.Random = "0100"
	if _, err := stored.Lesson(g); err == nil ||
		err.Error() != "game 3 of self-play: 4 marks of random moves for 5 moves" {
		t.Errorf("%v", err)
	}
	a := Result{Moves: whole, Random: "01000"}
	b := Result{Moves: whole, Random: "00000"}
	if a.Alike(&a) != nil || a.Alike(&b) == nil {
		t.Error("games with other moves at random are alike")
	}
}
