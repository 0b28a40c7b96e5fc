package learn

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/eval"
	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/arena/store"
	"spar/arena/study"
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

// A course has a stage for each twentieth of the training, with the means over the games since the one before.
func TestCourse(t *testing.T) {
	t.Parallel()
	var c course
	for i, g := range []struct {
		plies, positions int
		result, loss     float64
	}{{5, 4, 1, 2}, {7, 4, 0.5, 4}, {9, 0, 0.5, 0}, {3, 0, 0, 0}, {1, 1, 0, 0.5}} {
		c.add(&patterns.Lesson{Moves: make([]engines.Move, g.plies), Result: g.result}, g.loss, g.positions, 40)
		if want := (i + 1) / 2; len(c.Stages) != want {
			t.Errorf("%d stages after %d games of 40, want %d", len(c.Stages), i+1, want)
		}
	}
	want := []patterns.Stage{{Games: 2, Loss: 0.75, Draws: 0.5, Plies: 6}, {Games: 4, Loss: 0, Draws: 0.5, Plies: 6}}
	if !slices.Equal(c.Stages, want) || c.Games != 1 || c.Plies != 1 || c.Loss != 0.5 || c.Positions != 1 || c.Draws != 0 {
		t.Errorf("%+v, want the stages %+v and a game more", c, want)
	}
}

// What a piece of the first player is worth on a cell is what the net says of that cell with that piece, in the mean over the
// positions in which it stands there; cells without one, and those of the second player, say nothing.
func TestWorthOfCells(t *testing.T) {
	t.Parallel()
	g, _, net := trained(t, 400)
	k := &sketch{net: net, linear: eval.New(g, eval.Params{}), bins: make([]CalibrationBin, calibrationBins), heavy: map[string]*Heavy{}, seen: map[string]bool{}, worth: make([]float64, g.Cells()), times: make([]float64, g.Cells())}
	p := g.NewPosition()
	worth, n := map[string]float64{}, map[string]float64{}
	for _, move := range []string{"b2", "a1", "c3"} {
		if err := p.PlayText([]string{move}); err != nil {
			t.Fatal(err)
		}
		k.add(&p.State, 1)
		terms, _ := net.Explain(&p.State, engines.First)
		for _, x := range terms {
			if x.Table == "psq" && (x.Cells == "b2" || x.Cells == "c3" && move == "c3") {
				worth[x.Cells], n[x.Cells] = worth[x.Cells]+x.Worth, n[x.Cells]+1
			}
		}
	}
	out, err := k.portrait(t.Context())
	if err != nil || n["b2"] != 3 || n["c3"] != 1 {
		t.Fatalf("%v terms, %v", n, err)
	}
	for c, got := range out.Worth {
		name := g.CellName(engines.Cell(c))
		switch want := 100 * (net.Score(worth[name]/n[name]) - 0.5); {
		case n[name] == 0 && got != nil:
			t.Errorf("%s is worth %g", name, *got)
		case n[name] > 0 && (got == nil || *got != want):
			t.Errorf("%s is worth %v, want %g", name, got, want)
		}
	}
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

// What is known of the end is for the side to move: predicted and scored are of the one who moves.
func TestCalibrationIsOfTheMover(t *testing.T) {
	t.Parallel()
	g, _, net := trained(t, 400)
	for _, c := range []struct {
		moves         []string
		first, scored float64
	}{{nil, 1, 1}, {nil, 0, 0}, {[]string{"b2"}, 1, 0}, {[]string{"b2"}, 0, 1}, {[]string{"b2"}, 0.5, 0.5}} {
		k := &sketch{net: net, linear: eval.New(g, eval.Params{}), bins: make([]CalibrationBin, calibrationBins), heavy: map[string]*Heavy{}, seen: map[string]bool{}, worth: make([]float64, g.Cells()), times: make([]float64, g.Cells())}
		p := g.NewPosition()
		if err := p.PlayText(c.moves); err != nil {
			t.Fatal(err)
		}
		k.add(&p.State, c.first)
		_, value := net.Explain(&p.State, engines.First)
		want := net.Score(value)
		if len(c.moves) == 1 {
			want = 1 - want
		}
		var all CalibrationBin
		for i, b := range k.bins {
			if b.N > 0 && (want < float64(i)/calibrationBins || want > float64(i+1)/calibrationBins) {
				t.Errorf("%g stands in the bin %d of %d", want, i, calibrationBins)
			}
			all.Predicted, all.Scored, all.N = all.Predicted+b.Predicted, all.Scored+b.Scored, all.N+b.N
		}
		if all.N != 1 || all.Scored != c.scored || math.Abs(all.Predicted-want) > 1e-12 {
			t.Errorf("after %v, the first scoring %g: %+v, want %g scored and %g predicted", c.moves, c.first, all, c.scored, want)
		}
	}
}

// A training has the games that are stated, else those of the one under way, else as many as fit into the minutes, in whole batches.
func TestGamesOfATraining(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	part := filepath.Join(t.TempDir(), "x.part")
	games := func(o Options, minutes float64) int64 {
		s := &Session{Game: g, Options: o, Minutes: minutes, Files: Files{Part: part}}
		tr, _, err := s.training(t.Context(), 0, pace.Within(pace.Seconds(60*minutes)))
		if err != nil {
			t.Fatal(err)
		}
		return tr.o.Games
	}
	if got := games(Options{Games: 300, Seed: 1}, 1e-9); got != 300 {
		t.Errorf("%d games, stated were 300", got)
	}
	if got := games(Options{Seed: 1}, 1e-9); got != batch {
		t.Errorf("%d games in no time, want one batch", got)
	}
	if got := games(Options{Seed: 1}, 0.01); got < 2*batch || got%batch != 0 {
		t.Errorf("%d games in 0.6 s, want several whole batches", got)
	}
	if n, err := Games(part); n != 0 || err != nil {
		t.Errorf("%d games of none, %v", n, err)
	}
	s := &Session{Game: g, Options: Options{Games: 300, Seed: 1}, Files: Files{Part: part}, From: []byte("no net")}
	if _, _, err := s.training(t.Context(), 0, pace.Limit{}); err == nil || !strings.Contains(err.Error(), "the net to start from") {
		t.Errorf("from what is no net: %v", err)
	}
	tr, err := New(t.Context(), g, Options{Games: 700, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := tr.Resume(part); ok || err != nil {
		t.Errorf("resumed from nothing: %t, %v", ok, err)
	}
	if err := tr.Save(part); err != nil {
		t.Fatal(err)
	}
	if got := games(Options{Seed: 1}, 1e-9); got != 700 {
		t.Errorf("%d games, those under way are 700", got)
	}
	s = &Session{Game: g, Options: Options{Seed: 1}, Files: Files{Part: part}}
	if same, _, err := s.training(t.Context(), 0, pace.Limit{}); err != nil {
		t.Error(err)
	} else if ok, err := same.Resume(part); !ok || err != nil {
		t.Errorf("a session does not go on with a training of its seed: %v", err)
	}
	s.Options.Seeds = 2 // of several the first says how many
	if err := tr.Save(s.part(0)); err != nil {
		t.Fatal(err)
	}
	if second, _, err := s.training(t.Context(), 1, pace.Limit{}); err != nil || second.o.Games != 700 || second.o.seed() != 2 {
		t.Errorf("%d games of a second seed, the first has 700; %v", second.o.Games, err)
	}
	if err := os.WriteFile(part, []byte("none"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Games(part); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

// What cannot be is refused by name; the limits themselves can be.
func TestOptionsOfATraining(t *testing.T) {
	t.Parallel()
	good := Options{}.Fill(enginetest.Load(t, "classic"))
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.Games = 0 }, ""},
		{func(o *Options) { o.Games = -1 }, "-1 games"},
		{func(o *Options) { o.Longest = 0 }, "learn: longest 0"},
		{func(o *Options) { o.Opening = -1 }, "learn: opening -1"},
		{func(o *Options) { o.Batch = -1 }, "batch -1"},
		{func(o *Options) { o.Batch = 100_000 }, ""},
		{func(o *Options) { o.Batch = 100_001 }, "batch 100001: expected 1 to 100000"},
		{func(o *Options) { o.Seeds = 1 }, ""},
		{func(o *Options) { o.Seeds = 100 }, ""},
		{func(o *Options) { o.Seeds = 101 }, "seeds 101: expected 1 to 100"},
		{func(o *Options) { o.Seeds = -1 }, "seeds -1"},
		{func(o *Options) { o.Lambda = 0 }, ""},
		{func(o *Options) { o.Lambda = 1 }, ""},
		{func(o *Options) { o.Lambda = -0.1 }, "lambda -0.1"},
		{func(o *Options) { o.Lambda = 1.1 }, "lambda 1.1"},
		{func(o *Options) { o.Lambda = math.NaN() }, "lambda NaN"},
		{func(o *Options) { o.Rate = 10 }, ""},
		{func(o *Options) { o.Rate = 0 }, "rate 0"},
		{func(o *Options) { o.Rate = 10.5 }, "rate 10.5"},
		{func(o *Options) { o.Epsilon = 0 }, ""},
		{func(o *Options) { o.Epsilon = 1 }, ""},
		{func(o *Options) { o.Epsilon = -1 }, "epsilon -1"},
		{func(o *Options) { o.Epsilon = 1.5 }, "epsilon 1.5"},
		{func(o *Options) { o.Depth = patterns.MostDepth }, ""},
		{func(o *Options) { o.Depth = patterns.MostDepth + 1 }, "learn: depth 4"},
		{func(o *Options) { o.Base = LinearBase }, ""},
		{func(o *Options) { o.Base = "odd" }, `base "odd"`},
		{func(o *Options) { o.League = 1 }, ""},
		{func(o *Options) { o.League = -0.5 }, "league -0.5"},
		{func(o *Options) { o.League = 2 }, "league 2"},
	} {
		o := good
		c.change(&o)
		if err := o.Check(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// The budgets of a contest that was begun are those of its name, and no other contest's.
func TestBudgetsOfAContestBegun(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, name := range []string{"n: minimax against a, 12 and 200", "n: mcts against a, 13 and 100", "n: minimax against a, many", "n: minimax against a, 25 and 100", "n: minimax against a, 26 and 100"} {
		if _, err := db.BeginEvent(t.Context(), study.Event{Name: name, Purpose: "contest", Plan: "{}"}); err != nil {
			t.Fatal(err)
		}
	}
	c := Contest{Budget: 100}
	if err := (Examination{}).level(t.Context(), db, enginetest.Load(t, "classic"), "n: minimax against a, ", [2]agents.Spec{}, &c); err != nil || c.Ours != 25 || c.Cost != 4 {
		t.Errorf("%+v, %v", c, err)
	}
}

// What a pattern is worth adds up over the positions that have it, the shares likewise, whoever is to move.
func TestPatternsAddUp(t *testing.T) {
	t.Parallel()
	g, _, net := trained(t, 400)
	k := &sketch{net: net, linear: eval.New(g, eval.Params{}), bins: make([]CalibrationBin, calibrationBins), heavy: map[string]*Heavy{}, seen: map[string]bool{}, worth: make([]float64, g.Cells()), times: make([]float64, g.Cells())}
	p := g.NewPosition()
	worth, share := map[string]float64{}, map[string]float64{}
	for _, move := range []string{"", "b2", "a1", "c3", "a3"} {
		if move != "" {
			if err := p.PlayText([]string{move}); err != nil {
				t.Fatal(err)
			}
		}
		k.add(&p.State, 0.5)
		terms, _ := net.Explain(&p.State, engines.First)
		for _, x := range terms {
			if x.Cells != "" && x.Table != "to move" {
				key := x.Table + "|" + x.Cells + "|" + x.Holds
				worth[key], share[key] = worth[key]+x.Worth, share[key]+1
			}
		}
	}
	if len(k.heavy) != len(worth) || len(worth) == 0 || k.n != 5 || len(k.disputes) != 5 {
		t.Errorf("%d patterns of %d, %d positions, %d disputes", len(k.heavy), len(worth), k.n, len(k.disputes))
	}
	several := 0
	for key, h := range k.heavy {
		if math.Abs(h.Worth-worth[key]) > 1e-12 || h.Share != share[key] {
			t.Errorf("%s: %g in %g positions, want %g in %g", key, h.Worth, h.Share, worth[key], share[key])
		}
		if h.Share > 1 && h.Worth != 0 {
			several++
		}
	}
	if several == 0 {
		t.Error("no pattern stands in two positions")
	}
}

// A training tells at last how it ended, with all of its games.
func TestLastReport(t *testing.T) {
	t.Parallel()
	tr, err := New(t.Context(), enginetest.Load(t, "classic"), Options{Games: 300, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var told []Report
	if err := tr.Run(t.Context(), func(r Report) { told = append(told, r) }, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(told); n == 0 || told[n-1].Games != 300 || told[n-1].Total != 300 || told[n-1].Plies < 5 || told[n-1].Plies > 9 || told[n-1].Decided < 100 || told[n-1].Decided > 300 || !(told[n-1].Loss > 0) {
		t.Errorf("%+v", told)
	}
}

// What is learned serves rules with the same board and tables: not a board of other cells, even as many, nor tables that only fit rules
// with lines as long, nor tables that cannot be.
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

// Of positions that are seen differently those have an exact value whose outcome a short proof finds: a row of three is won for the side
// that makes it four with its next move, and what an empty board of 42 cells is worth takes longer.
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
	out, err := k.portrait(t.Context())
	if err != nil || len(out.Disputes) != 2 || out.Disputes[0].Net != 0.1 || out.Disputes[0].Exact != "" || out.Disputes[1].Exact != "win" {
		t.Errorf("%+v, %v", out.Disputes, err)
	}
}

// A pattern is told from one position in a hundred on.
func TestRarePatterns(t *testing.T) {
	t.Parallel()
	_, _, net := trained(t, 1)
	for positions, want := range map[int]int{100: 1, 101: 0} {
		k := &sketch{net: net, n: positions, heavy: map[string]*Heavy{"rare": {Term: patterns.Term{Worth: 3}, Share: 1}}}
		if out, err := k.portrait(t.Context()); err != nil || len(out.Patterns) != want || want > 0 && (out.Patterns[0].Share != 0.01 || out.Patterns[0].Worth != 3) {
			t.Errorf("of %d positions: %+v, %v", positions, out.Patterns, err)
		}
	}
}

// What a net is certain of stands in the last bin, and in the first.
func TestCertaintyInTheLastBin(t *testing.T) {
	t.Parallel()
	g, tr, _ := trained(t, 1)
	for number, bin := range map[float32]int{30: 9, -30: 0} {
		for i := range tr.trainer.Numbers {
			tr.trainer.Numbers[i] = number
		}
		net, err := tr.Net()
		if err != nil {
			t.Fatal(err)
		}
		k := &sketch{net: net, linear: eval.New(g, eval.Params{}), bins: make([]CalibrationBin, calibrationBins), heavy: map[string]*Heavy{}, seen: map[string]bool{}, worth: make([]float64, g.Cells()), times: make([]float64, g.Cells())}
		p := g.NewPosition()
		if err := p.PlayText([]string{"b2", "a1"}); err != nil {
			t.Fatal(err)
		}
		if k.add(&p.State, 1); k.bins[bin].N != 1 || math.Abs(k.bins[bin].Predicted-float64(bin)/9) > 1e-12 {
			t.Errorf("%+v", k.bins)
		}
	}
}
