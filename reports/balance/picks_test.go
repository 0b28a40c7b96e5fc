package balance

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// courseAt makes the arc of a game from its values to the first player; the sides move by turns, the first at its entry 0 where the start is even.
func courseAt(id int64, start int, half uint8, v ...float64) *arc {
	a := &arc{rec: &record{id: id, half: half, plies: int32(start + len(v) - 1)}, start: start, v: v}
	for i := range v[1:] {
		a.side = append(a.side, (start+i)%2)
	}
	return a
}

// The greatest comeback is the lowest value, below a quarter, that a winner had after a ply; the greatest blunder the most that a ply gave
// away. Of equals the first counts. What a game begins with is nobody's doing but after an opening.
func TestTurns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		games []*arc
		want  string
	}{
		"none":                        {nil, ""},
		"a straight win":              {[]*arc{courseAt(1, 0, 2, 0.5, 0.6, 0.6, 1)}, ""},
		"a comeback after a blunder":  {[]*arc{courseAt(1, 0, 2, 0.5, 0.2, 0.9, 1)}, "comeback 1.1 (20 %) blunder 1.2 (70 points)"},
		"of the second player":        {[]*arc{courseAt(1, 0, 0, 0.5, 0.9, 0.3, 0)}, "comeback 1.1 (10 %) blunder 1.3 (30 points)"},
		"a quarter is not below":      {[]*arc{courseAt(1, 0, 2, 0.5, 0.25, 0.25, 1)}, "blunder 1.1 (25 points)"},
		"the start is nobody's doing": {[]*arc{courseAt(1, 0, 2, 0.1, 0.6, 0.6, 1)}, ""},
		"after an opening it is":      {[]*arc{courseAt(1, 2, 2, 0.1, 0.6, 0.6, 1)}, "comeback 1.2 (10 %)"},
		"draws are no comebacks":      {[]*arc{courseAt(1, 0, 1, 0.5, 0.5, 0.5, 0.5)}, ""},
		"the lower of two":            {[]*arc{courseAt(1, 0, 2, 0.5, 0.5, 0.5, 0.2, 1), courseAt(2, 0, 2, 0.5, 0.5, 0.5, 0.1, 1)}, "comeback 2.3 (10 %) blunder 2.4 (90 points)"},
		"the first of equals":         {[]*arc{courseAt(3, 0, 2, 0.5, 0.125, 0.125, 1), courseAt(2, 0, 2, 0.5, 0.125, 0.125, 1)}, "comeback 3.1 (12 %) blunder 3.1 (38 points)"},
	} {
		var got []string
		for _, p := range turns(c.games) {
			_, value, _ := strings.Cut(p.why, "down to ")
			value, _, _ = strings.Cut(value, " after")
			if p.kind == "blunder" {
				value = strings.Fields(p.why)[3] + " points"
			}
			got = append(got, fmt.Sprintf("%s %d.%d (%s)", p.kind, p.game, p.ply, value))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", name, s, c.want)
		}
	}
}

// The most frequent opening of four plies; of equally frequent ones that which came first.
func TestCommonOpening(t *testing.T) {
	t.Parallel()
	of := func(m engines.Move) prefix { return prefix{1, 2, 3, m}.cut(4) }
	for _, c := range []struct {
		lines []line
		want  int64
	}{
		{nil, 0},
		{[]line{{of(1), 1, 0, 0, 7}, {of(2), 1, 1, 0, 9}}, 9},
		{[]line{{of(1), 1, 0, 1, 9}, {of(2), 1, 1, 0, 7}}, 7},
		{[]line{{of(1), 1, 0, 1, 7}, {of(2), 1, 1, 0, 9}}, 7},
		{[]line{{prefix{1, 2, 3}.cut(3), 9, 0, 0, 1}, {of(2), 1, 0, 0, 9}}, 9},
	} {
		if got := commonOpening(&groupData{lines: lineSums{lines: c.lines}}); got.first != c.want {
			t.Errorf("%v: %d, want %d", c.lines, got.first, c.want)
		}
	}
}

// The pie is cut by the move that is most even on one half of the games, and measured on the other; the best move is that of all games. A
// move that was chosen needs ten games in each half.
func TestPie(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	m := newMeasurer(Options{})
	p := &pass{data: &Data{Game: g}}
	legal := g.NewPosition().AppendMoves(nil)
	half := func(w, l int64) tally { return tally{w, 0, l} }
	both := func(a, b tally) *[3]tally {
		all := a
		all.join(b)
		return &[3]tally{all, a, b}
	}
	moves := map[engines.Move]*[3]tally{
		legal[0]: both(half(8, 2), half(9, 1)),
		legal[1]: both(half(6, 5), half(3, 9)),
		legal[2]: both(half(2, 2), half(1, 2)), // even, in few games
		legal[3]: both(half(5, 6), half(5, 5)), // as even as the second
	}
	order := legal[:4]
	for source, want := range map[string]int{"forced": 2, "chosen": 1} {
		out := m.pie(p, order, moves, &FirstMoves{Source: source, Moves: []FirstMove{{Close: true}, {}, {Close: true}}}, tally{30, 0, 10}, 5)
		if out.Move != g.MoveText(legal[want]) || out.Best != g.MoveText(legal[0]) || out.Close != 2 || out.Of != 4 || out.InRules {
			t.Errorf("%s: %+v", source, out)
		}
		first, second := moves[legal[want]][1], moves[legal[want]][2]
		near(t, "naive", out.Naive.Value, math.Abs(first.mean()-0.5))
		near(t, "residual", out.Residual.Value, math.Abs(second.mean()-0.5))
		near(t, "without", out.Without.Value, 0.25)
		if out.Taken.OK() {
			t.Errorf("%s: taken %+v", source, out.Taken)
		}
	}
	p.data = &Data{Game: enginetest.Load(t, "classic", "turn.pie=true")}
	if out := m.pie(p, order, moves, &FirstMoves{Source: "forced"}, tally{30, 0, 10}, 5); !out.InRules || out.Taken.Value != 0.125 || out.Without.OK() {
		t.Errorf("with the pie rule: %+v", out)
	}
	for _, least := range []int64{9, 10} { // of a chosen move
		only := map[engines.Move]*[3]tally{legal[0]: both(half(5, 5), half(5, least-5))}
		if out := m.pie(p, legal[:1], only, &FirstMoves{Source: "chosen"}, tally{}, 0); (out.Move != "") != (least == 10) {
			t.Errorf("%d games in a half: %q", least, out.Move)
		}
	}
}

// Fisher's interval of a correlation: of 0.5 in 103 games atanh 0.5 = 0.549306, a tenth of 1.959964 either way. Few games say nothing; a
// perfect correlation has an end at itself.
func TestCorrelation(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		r      float64
		n      int64
		lo, hi float64
	}{
		{0.5, 103, math.Tanh(0.549306 - 0.1959964), math.Tanh(0.549306 + 0.1959964)},
		{-0.5, 103, -math.Tanh(0.549306 + 0.1959964), -math.Tanh(0.549306 - 0.1959964)},
		{0.5, 3, -1, 1},
		{0, 4, -math.Tanh(1.959964), math.Tanh(1.959964)},
		{1, 103, math.Tanh(math.Atanh(1-1.0/103) - 0.1959964), 1},
		{1.0001, 103, math.Tanh(math.Atanh(1-1.0/103) - 0.1959964), 1},
		{-1, 103, -1, -math.Tanh(math.Atanh(1-1.0/103) - 0.1959964)},
	} {
		got := m.correlation(c.r, c.n)
		near(t, fmt.Sprintf("%g of %d: lower", c.r, c.n), got.Lo, c.lo)
		near(t, fmt.Sprintf("%g of %d: upper", c.r, c.n), got.Hi, c.hi)
		near(t, "value", got.Value, max(-1, min(1, c.r)))
	}
}

// A change between two studies is told for groups and ladders that both have, and is more or less where 0 lies outside its interval.
func TestRowsOfAComparison(t *testing.T) {
	t.Parallel()
	at := func(v, half float64) Number { return Number{Value: v, Lo: v - half, Hi: v + half, N: 9} }
	report := func(hash string, ladder bool, keys ...string) *Report {
		r := &Report{Rules: Rules{Hash: hash}}
		for _, k := range keys {
			g := Group{Key: k}
			g.Outcome.Score = at(0.6, 0.01)
			r.Groups = append(r.Groups, g)
		}
		if ladder {
			r.Ladder = &Ladder{Depth: at(4, 1), Slope: at(100, 9)}
		}
		return r
	}
	for name, c := range map[string]struct {
		a, b *Report
		want int // rows of ladders
		warn string
	}{
		"both ladders":   {report("h", true, "x"), report("h", true, "x"), 2, "no games of the two are pairs"},
		"the first's":    {report("h", true, "x"), report("h", false, "x"), 0, "no games of the two are pairs"},
		"the second's":   {report("h", false, "x"), report("h", true, "x"), 0, "no games of the two are pairs"},
		"none in common": {report("h", false, "x"), report("h", false, "y"), 0, "no kind of games in common"},
	} {
		var out Comparison
		out.rows(c.a, c.b, nil, nil)
		ladders := 0
		for _, r := range out.Rows {
			if r.Group == "ladder" {
				ladders++
			}
		}
		if ladders != c.want || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], c.warn) || (len(out.Rows) == 0) != (name == "none in common") {
			t.Errorf("%s: %d rows of ladders among %d, %q", name, ladders, len(out.Rows), out.Warnings)
		}
	}
	var out Comparison
	for _, change := range []Number{at(2, 1), at(1, 1), at(-1, 1), at(-2, 1), {Value: 2, Lo: 1, Hi: 3}, {Value: 2, Lo: 1, HiOpen: true, N: 9}, {Value: -2, LoOpen: true, Hi: -1, N: 9}} {
		out.add("g", "m", at(1, 1), at(2, 1), change, false)
	}
	out.add("g", "m", Number{}, at(2, 1), at(2, 1), false)
	out.add("g", "m", at(2, 1), Number{}, at(2, 1), false)
	var verdicts []string
	for _, r := range out.Rows {
		verdicts = append(verdicts, string(r.Verdict))
	}
	if want := []string{"more", "undecided", "undecided", "less", "undecided", "undecided", "undecided"}; !slices.Equal(verdicts, want) {
		t.Errorf("%q, want %q", verdicts, want)
	}
}

// Pieces at tenths of the games: 4 games with 1, 1, 3 and 3 pieces of the first player have a mean of 2 and an error of 1/2.
func TestPiecesAtTenths(t *testing.T) {
	t.Parallel()
	u := newBoardSums(9)
	m := newMeasurer(Options{})
	if got := m.pieceCounts(&groupData{use: u}); got != nil {
		t.Errorf("of no games: %+v", got)
	}
	other := newBoardSums(9)
	for i, n := range []int64{1, 1, 3, 3} {
		to := []*boardSums{u, other}[i%2]
		to.games++
		to.z, to.zz = to.z+n, to.zz+n*n
		to.pieces[0][10], to.squares[0][10] = to.pieces[0][10]+n, to.squares[0][10]+n*n
		to.pieces[1][3], to.squares[1][3] = to.pieces[1][3]+2, to.squares[1][3]+4
		to.arrivals[1][5], to.captured[2], to.occupied[3], to.owned[4], to.ownedZ[6] = 1, 2, 3, 4, 5
		to.choose(2, 7, n)
		to.choose(maxChoicePly, 7, n)
	}
	u.merge(other)
	got := m.pieceCounts(&groupData{use: u})
	if p := got.First[10]; p.Y.Value != 2 || math.Abs(p.Y.Hi-2-m.z/2) > 1e-12 || math.Abs(p.Y.Lo-2+m.z/2) > 1e-12 || p.Y.N != 4 || p.X != 1 {
		t.Errorf("%+v", p)
	}
	if p := got.Second[3]; p.Y.Value != 2 || p.Y.Lo != 2 || p.Y.Hi != 2 || len(got.First) != 11 || len(got.Second) != 11 {
		t.Errorf("%+v", p)
	}
	if u.z != 8 || u.zz != 20 || u.arrivals[1][5] != 2 || u.captured[2] != 4 || u.occupied[3] != 6 || u.owned[4] != 8 || u.ownedZ[6] != 10 || len(u.choice) != 3 || u.choice[2][7] != 8 {
		t.Errorf("%+v", u)
	}
}

// A gain beyond the dead zone that the other side does not take back is kept: of 0.2 at ply 1 the reply takes back a half, of 0.3 all and more.
// Replies by the mover himself are none, the last ply has none, and what is exact gains nothing.
func TestPermanence(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{Resamples: 20})
	d := newGroup(0, 9, "k", "mirror", "x")
	if got := m.permanence(d, nil, 0, false); got != nil {
		t.Errorf("of no games: %+v", got)
	}
	d.board.add(1, 2, 0.5, 3, 4, 1, 10)
	moveTwice := courseAt(1, 0, 2, 0.5, 0.75, 0.875, 1)
	moveTwice.side[1] = 0
	for name, c := range map[string]struct {
		a    *arc
		dead float64
		want float64 // below 0: none
	}{
		"half taken back":     {courseAt(1, 0, 2, 0.5, 0.75, 0.625, 0.625), 0.2, 0.5},
		"the reply alone":     {courseAt(1, 0, 2, 0.5, 0.75, 0.25, 0.25), 0.3, 1}, // the reply alone gains enough
		"all and more":        {courseAt(1, 0, 2, 0.5, 0.75, 0.25, 0.25), 0.2, 0.5},
		"nothing taken back":  {courseAt(1, 0, 2, 0.5, 0.75, 0.875, 0.875), 0.1, 1},
		"within the zone":     {courseAt(1, 0, 2, 0.5, 0.75, 0.75, 0.75), 0.25, -1},
		"the mover goes on":   {moveTwice, 0.2, -1},
		"the last has none":   {courseAt(1, 0, 2, 0.5, 0.5, 0.5, 1), 0.1, -1},
		"of the second, too":  {courseAt(1, 1, 0, 0.5, 0.25, 0.5, 0), 0.2, 0},
		"a gain in the start": {courseAt(1, 0, 2, 0.5, 1, 1), 0.2, 1},
	} {
		got := m.permanence(d, []*arc{c.a}, c.dead, false)
		if got.Browne.OK() != (c.want >= 0) || c.want >= 0 && math.Abs(got.Browne.Value-c.want) > 1e-9 {
			t.Errorf("%s: %+v, want %g", name, got.Browne, c.want)
		}
		if exact := m.permanence(d, []*arc{c.a}, c.dead, true); exact.Browne.OK() || exact.Repetition.Value != 0.25 || exact.Undone.Value != 0.75 || exact.Removed.Value != 0.1 {
			t.Errorf("%s: %+v", name, exact)
		}
	}
}

// Choices by ply: three games had 1, 1 and 3 moves at the first, none had a second, two had 2 at the third. Over all plies 4 of 10 decisions
// were forced, with 26 moves, and ln 8 in all where there was a choice: 8^(1/6) effective moves.
func TestChoices(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{Resamples: 20})
	d := newGroup(0, 9, "k", "mirror", "x")
	d.use = newBoardSums(9)
	if got := m.choice(d); got != nil {
		t.Errorf("of no games: %+v", got)
	}
	d.choice.add(10, 4, 6, 26, math.Log(8), 1)
	for _, x := range []struct{ ply, legal int }{{0, 1}, {0, 1}, {0, 3}, {2, 2}, {2, 2}} {
		d.use.choose(x.ply, x.legal, 1)
	}
	got := m.choice(d)
	near(t, "forced", got.Forced.Value, 0.4)
	near(t, "free", got.Decisions.Value, 0.6)
	near(t, "moves", got.Mean.Value, 2.6)
	near(t, "effective", got.Effective.Value, math.Pow(8, 1.0/6))
	near(t, "passes", got.Passes.Value, 0.1)
	if len(got.ByPly) != 2 || got.ByPly[0].Ply != 1 || got.ByPly[1].Ply != 3 || got.ByPly[0].Games != 3 || got.ByPly[1].Games != 2 {
		t.Fatalf("%+v", got.ByPly)
	}
	d.use.choose(3, 0, 2) // a ply without any move to choose from is not forced
	if last := m.choice(d).ByPly[2]; last.Games != 2 || last.Forced != 0 {
		t.Errorf("%+v", last)
	}
	first, third := got.ByPly[0], got.ByPly[1]
	near(t, "forced at first", first.Forced, 2.0/3)
	near(t, "median", first.Median.Value, 1)
	near(t, "10 %", first.P10, 1)
	near(t, "90 %", first.P90, 1+0.8*2) // at 0.9 of two steps
	near(t, "forced at third", third.Forced, 0)
	near(t, "median at third", third.Median.Value, 2)
}

// What a proof says: who wins, and with which move the first player begins; under a cap of plies only that it is a draw.
func TestWhatAProofSays(t *testing.T) {
	t.Parallel()
	free, capped := enginetest.Load(t, "classic"), enginetest.Load(t, "classic", "draw.max_plies=9")
	move := free.NewPosition().AppendMoves(nil)[4]
	for _, c := range []struct {
		g    *engines.Game
		p    *solve.Proof
		want string
	}{
		{free, nil, ""},
		{free, &solve.Proof{AtLeast: solve.Win, Move: move, Nodes: 7}, "The first player wins by force, beginning with " + free.MoveText(move) + " (proved, 7 positions)."},
		{free, &solve.Proof{AtLeast: solve.Win, Move: engines.NoMove, Nodes: 7}, "The first player wins by force (proved, 7 positions)."},
		{free, &solve.Proof{AtLeast: solve.Loss, Move: move, Nodes: 7}, "The second player wins by force (proved, 7 positions)."},
		{free, &solve.Proof{AtLeast: solve.Draw, Move: move, Nodes: 7}, "With best play it is a draw (proved, 7 positions)."},
		{capped, &solve.Proof{AtLeast: solve.Draw, Move: engines.NoMove, Nodes: 7}, "With best play it is a draw (proved, 7 positions)."},
		{capped, &solve.Proof{AtLeast: solve.Win, Move: engines.NoMove, Nodes: 7}, ""},
		{capped, &solve.Proof{AtLeast: solve.Loss, Move: engines.NoMove, Nodes: 7}, ""},
	} {
		got := ""
		if e := proved(c.g, c.p); e != nil {
			got = e.Text
			if e.Proved != 7 {
				t.Errorf("%+v", e)
			}
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

// Values are doubted where their search is less than two doublings above the strongest tier, and where it shows no noise; exact ones are not.
func TestDoubtsOfValues(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{Resamples: 20})
	values := func(iterations int64, noise float64) *oracle.Values {
		s := agents.DefaultSpec()
		s.Type, s.Budget = "mcts", agents.Budget{Iterations: iterations}
		return &oracle.Values{Name: "o", Spec: s, Noise: noise}
	}
	tier := []Tier{{Amount: 50}, {Amount: 100}}
	for name, c := range map[string]struct {
		values   *oracle.Values
		tiers    []Tier
		stronger float64
		want     string
	}{
		"two doublings":        {values(400, 0.1), tier, 2, ""},
		"one":                  {values(200, 0.1), tier, 1, "the oracle is less than two doublings"},
		"nearly two":           {values(396, 0.1), tier, math.Log2(3.96), "the oracle is less than two doublings"},
		"no tiers":             {values(200, 0.1), nil, 0, ""},
		"no budget of a tier":  {values(400, 0.1), []Tier{{}}, 0, "the oracle is less than two doublings"},
		"no noise":             {values(400, 0.004), tier, 2, "the oracle's two searches"},
		"hardly any, and some": {values(400, minDeadZone/4), tier, 2, ""},
		"exact":                {&oracle.Values{Name: "o", Exact: true}, tier, 0, ""},
	} {
		a := courseAt(1, 0, 2, 0.5, 0.05, 1)
		a.values = make([]store.PositionValue, 2)
		got := m.oracle([]*arc{a}, "g", c.values, c.tiers)
		if math.Abs(got.Stronger-c.stronger) > 1e-9 || !strings.HasPrefix(got.Warning, c.want) || (got.Warning == "") != (c.want == "") || (got.Kind == "exact") != c.values.Exact {
			t.Errorf("%s: %+v", name, got)
		}
		near(t, "Brier", got.Brier.Value, (0.25+0.9025)/2)
		if len(got.Bins) != 2 || got.Bins[0].From != 0 || got.Bins[1].From != 0.5 || got.Bins[0].Count != 1 || got.Bins[0].Observed.Value != 1 {
			t.Errorf("%s: %+v", name, got.Bins)
		}
	}
	if m.oracle(nil, "g", values(400, 0.1), tier) != nil || m.oracle([]*arc{courseAt(1, 0, 2, 0.5, 1)}, "g", nil, tier) != nil {
		t.Error("values of nothing")
	}
}
