package balance

import (
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// A game that one side wins by force is not called good because the agents score evenly, nor one of which nobody knows what stronger
// agents would do.
func TestForcedWinIsNotGood(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		winner string
		colour Colour
		begins string
	}{
		{"first", Poor, "Solved."},
		{"draw", Good, "Solved."},
		{"", Middling, "Unknown for stronger play: "},
	} {
		r := &Report{Groups: []Group{{Name: "a against itself", Outcome: Outcome{Score: m.share(10_000, 20_000, "games")}}}}
		if c.winner != "" {
			r.Exact = &Exact{Winner: c.winner, Text: "Solved."}
		}
		r.Verdict = m.conclude(r, false)
		r.Lights = m.lights(r)
		for _, l := range r.Lights {
			if l.Measure == "first_score" && l.Colour != c.colour {
				t.Errorf("winner %q: %s, want %s", c.winner, l.Colour, c.colour)
			}
		}
		if text := r.Verdict.Text; !strings.HasPrefix(text, c.begins) {
			t.Errorf("winner %q: %s", c.winner, text)
		}
	}
}

// The warning needs a rise and a fall beyond the intervals; tiers without a budget do not count.
func TestUnsteady(t *testing.T) {
	t.Parallel()
	points := func(scores ...float64) (out []TierPoint) {
		out = append(out, TierPoint{Name: "random", Number: Number{Value: 0.9, Lo: 0.85, Hi: 0.95, N: 100}})
		for i, s := range scores {
			out = append(out, TierPoint{Name: string(rune('a' + i)), InFit: true, Number: Number{Value: s, Lo: s - 0.05, Hi: s + 0.05, N: 100}})
		}
		return out
	}
	for _, c := range []struct {
		points []TierPoint
		want   string
	}{
		{points(0.3, 0.5, 0.2), "a 30.0 %, b 50.0 %, c 20.0 %"},
		{points(0.3, 0.5, 0.45), ""},
		{points(0.2, 0.4, 0.6), ""},
		{points(0.5), ""},
		{nil, ""},
	} {
		if got := unsteady(c.points); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A trend is told over the tiers that search, in words that fit who is ahead, and not at all where the score goes up and down.
func TestTrendInWords(t *testing.T) {
	t.Parallel()
	number := func(v float64) Number { return Number{Value: v, Lo: v - 0.02, Hi: v + 0.02, N: 400} }
	trend := func(slope, rise float64, scores ...float64) Trends {
		out := Trends{Advantage: Trend{Slope: Number{Value: slope, Lo: slope - 10, Hi: slope + 10, N: 3}}, Rise: number(rise)}
		for i, s := range scores {
			out.Score.Points = append(out.Score.Points, TierPoint{Name: string(rune('a' + i)), InFit: i > 0, Number: number(s)})
		}
		return out
	}
	for _, c := range []struct {
		trends Trends
		want   string
	}{
		{trend(40, 0.2, 0.9, 0.5, 0.6, 0.7), " The advantage of the first player grows with strength, by 40 Elo a doubling of the budget (30 to 50)."},
		{trend(40, 0.2, 0.9, 0.1, 0.2, 0.3), " The advantage of the second player shrinks with strength, by 40 Elo a doubling of the budget (30 to 50)."},
		{trend(-40, -0.2, 0.1, 0.3, 0.2, 0.1), " The advantage of the second player grows with strength, by 40 Elo a doubling of the budget (30 to 50)."},
		{trend(-40, -0.2, 0.1, 0.9, 0.8, 0.7), " The advantage of the first player shrinks with strength, by 40 Elo a doubling of the budget (30 to 50)."},
		{trend(5, -0.2, 0.1, 0.7, 0.6, 0.5), " The first player's score falls with strength, from 70.0 % (b) to 50.0 % (d)."},
		{trend(5, 0.01, 0.9, 0.5, 0.5, 0.51), ""},
		{trend(40, -0.2, 0.9, 0.6, 0.2, 0.4), ""},
		{trend(40, 0.2, 0.9, 0.5, 0.6), " The advantage of the first player grows with strength, by 40 Elo a doubling of the budget (30 to 50)."}, // of two tiers
		{trend(40, 0.2, 0.9, 0.5), ""},
		{trend(10, 0.02, 0.9, 0.5, 0.6), ""}, // intervals that end at 0
		{trend(10, -0.02, 0.9, 0.6, 0.5), ""},
		{trend(10, 0.03, 0.9, 0.3, 0.4), " The first player's score grows with strength, from 30.0 % (b) to 40.0 % (c)."},
	} {
		if got := trendOf(c.trends); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The units are pairs as soon as some games began with openings.
func TestUnitsOfAGroup(t *testing.T) {
	t.Parallel()
	for opened, want := range map[bool]string{false: "games", true: "pairs"} {
		if got := (&groupData{opened: opened}).of(); got != want {
			t.Errorf("opened %t: %s", opened, got)
		}
	}
}

// A first move of fewer than 200 games says so, unless it says something worse; whether it is close to even is judged by thirds.
func TestFewGamesOfAFirstMove(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	m := newMeasurer(Options{})
	for _, c := range []struct {
		t     tally
		want  string
		close bool
	}{
		{tally{wins: 100, losses: 99}, "fewer than 200 games", true},
		{tally{wins: 100, losses: 100}, "", true},
		{tally{wins: 100, losses: 200}, "", true},
		{tally{wins: 200, losses: 100}, "", true},
		{tally{wins: 201, losses: 100}, "", false},
		{tally{wins: 100, losses: 201}, "", false},
	} {
		move := g.NewPosition().AppendMoves(nil)[0]
		p := &pass{data: &Data{Game: g}, names: []string{"a"}}
		p.forced = firstSums{moves: map[engines.Move]*halves{move: {tallies: [3]tally{c.t, c.t, c.t}}}, agents: map[int32]bool{0: true}}
		f := m.firstMoves(p, nil, nil, nil)
		if f == nil || len(f.Moves) != 1 || f.Moves[0].Score.Warning != c.want || f.Moves[0].Close != c.close {
			t.Errorf("%+v: %+v", c.t, f)
		}
	}
}
