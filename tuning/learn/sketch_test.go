package learn

import (
	"testing"

	"spar/agents/patterns"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// trained is a training of classic tic-tac-toe that has learned from some games.
func trained(t *testing.T, games int64) (*engines.Game, *Training, *patterns.Net) {
	t.Helper()
	g := enginetest.Load(t, "classic")
	tr := must.Get(New(t.Context(), g, Options{Games: games, Seed: 1}))(t)
	must.Do(t, tr.Run(t.Context(), func(Report) {}, nil))
	n := must.Get(tr.Net())(t)
	return g, tr, n
}

// A training that starts from another net has its numbers, and says where they are from.
func TestStartFrom(t *testing.T) {
	t.Parallel()
	g, tr, net := trained(t, 300)
	net, file := must.Get2(net.With(Provenance(tr)))(t)
	next := must.Get(New(t.Context(), g, Options{Games: 300, Seed: 2}))(t)
	must.Do(t, next.StartFrom(file))
	begun := must.Get(next.Net())(t)
	s := g.NewState()
	_, want := net.Explain(&s, engines.First)
	if _, got := begun.Explain(&s, engines.First); got != want || got == 0 || Provenance(next).From == "" {
		t.Errorf("the start is worth %g from %q, want %g", got, Provenance(next).From, want)
	}
	if err := next.StartFrom(file[:len(file)/2]); err == nil {
		t.Error("half a file serves as a beginning")
	}
}

// What is learned serves rules with the same board and tables: not a board of other cells, even as many, nor tables
// that only fit rules with lines as long, nor tables that cannot be.
func TestSameTables(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic", "board.columns=4")
	for _, c := range []struct {
		set  []string
		o    Options
		want bool
	}{
		{[]string{"board.columns=4"}, Options{}, true},
		{[]string{"board.columns=4", "win.misere=true"}, Options{}, true},
		{[]string{"board.rows=4"}, Options{}, false},
		{[]string{"board.columns=4", "win.line=2"}, Options{}, false},
		{[]string{"board.columns=4", "win.line=0"}, Options{}, false},
		{[]string{"board.columns=4"}, Options{Tables: []string{"odd"}}, false},
	} {
		if got := SameTables(g, enginetest.Load(t, "classic", c.set...), c.o); got != c.want {
			t.Errorf("%v, tables %v: %t", c.set, c.o.Tables, got)
		}
	}
}
