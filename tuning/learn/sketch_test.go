package learn

import (
	"strings"
	"testing"

	"spar/agents/patterns"
	"spar/engines"
	"spar/engines/enginetest"
)

// trained is a training of classic tic-tac-toe that has learned from some games.
func trained(t *testing.T, games int64) (*engines.Game, *Training, *patterns.Net) {
	t.Helper()
	g := enginetest.Load(t, "classic")
	tr, err := New(t.Context(), g, Options{Games: games, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(t.Context(), func(Report) {}, nil); err != nil {
		t.Fatal(err)
	}
	n, err := tr.Net()
	if err != nil {
		t.Fatal(err)
	}
	return g, tr, n
}

// A training that starts from another net has its numbers, and says where they are from.
func TestStartFrom(t *testing.T) {
	t.Parallel()
	g, tr, net := trained(t, 300)
	_, file, err := net.With(Provenance(tr))
	if err != nil {
		t.Fatal(err)
	}
	next, err := New(t.Context(), g, Options{Games: 300, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.StartFrom(file); err != nil {
		t.Fatal(err)
	}
	begun, err := next.Net()
	if err != nil {
		t.Fatal(err)
	}
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

// Of positions that are seen differently those have an exact value whose outcome a short proof finds: a row of three is
// won for the side that makes it four with its next move, and what an empty board of 42 cells is worth takes longer.
// Where net and weights are furthest apart comes first.
func TestExactValuesOfDisputes(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "connect4")
	k := &sketch{}
	for _, d := range []struct {
		moves       string
		net, linear float64
	}{{"d6 a6 e6 b6 f6 c6", 0.9, 0.8}, {"", 0.1, 0.6}} {
		p := g.NewPosition()
		if err := p.PlayText(strings.Fields(d.moves)); err != nil {
			t.Fatal(err)
		}
		k.disputes = append(k.disputes, Dispute{Position: p.Text(), Net: d.net, Linear: d.linear, state: p.State})
	}
	out, err := k.description(t.Context())
	if err != nil || len(out.Disputes) != 2 || out.Disputes[0].Net != 0.1 || out.Disputes[0].Exact != "" ||
		out.Disputes[1].Exact != "win" {
		t.Errorf("%+v, %v", out.Disputes, err)
	}
}
