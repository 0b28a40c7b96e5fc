package balance

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
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
