package balance

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
)

// finiteNumbers walks a value and fails on every NaN and infinity.
func finiteNumbers(t *testing.T, at string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			t.Errorf("%s is %v", at, f)
		} else if f == 0 && math.Signbit(f) {
			t.Errorf("%s is -0", at)
		}
	case reflect.Struct:
		if n, ok := v.Interface().(ratings.Estimate); ok && n.Known() {
			if !n.LoOpen && n.Lo > n.Value || !n.HiOpen && n.Hi < n.Value {
				t.Errorf("%s: %v is not between %v and %v", at, n.Value, n.Lo, n.Hi)
			}
			if n.Unit == "" || n.Method == "" {
				t.Errorf("%s has no words: %+v", at, n)
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				finiteNumbers(t, at+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			finiteNumbers(t, at, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			finiteNumbers(t, at, v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			finiteNumbers(t, at+"."+k.String(), v.MapIndex(k))
		}
	}
}

// sound checks what holds for every report.
func sound(t *testing.T, r *Report) {
	t.Helper()
	finiteNumbers(t, "report", reflect.ValueOf(r))
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	if r.Verdict.Text == "" || len(r.Missing) == 0 {
		t.Errorf("verdict %q, missing %v", r.Verdict.Text, r.Missing)
	}
}

func TestTraps(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	known := players(map[string]int64{"top": 100, "fixed": -1, "random": 0})
	mirror := []Event{event(1, campaign.PurposeMirror, "random", "fixed", "top")}
	one := func(agent, moves string) Game { return played(t, g, 1, agent, agent, moves) }
	many := func(x Game, n int) []Game {
		var out []Game
		for i := range n {
			if x.ID, x.Number = int64(i+1), int64(i); x.First == "top" { // its games differ in moves that do not matter here
				x.Hash = int64(i + 1)
			}
			out = append(out, x)
		}
		return out
	}
	forfeit := one("top", "b2 a1")
	forfeit.Result, forfeit.Reason, forfeit.Plies = "second", "forfeit_illegal", 2
	capped := one("top", centreWin5)
	capped.Result, capped.Reason = "draw", "ply_cap"
	bad := one("top", centreWin5)
	bad.Moves = "b2 b2"
	for _, c := range []struct {
		name  string
		games []Game
		check func(*testing.T, *Report)
	}{
		{"a mirror match without chance is one game", many(one("fixed", centreWin5), 10), func(t *testing.T, r *Report) {
			if o := r.Groups[0].Outcome; o.FirstWins != 1 || o.First.N != 1 || r.Groups[0].Distinct != 1 ||
				r.Groups[0].Repeated != 9 || r.Study.Repeated != 9 {
				t.Errorf("%+v", r.Groups[0])
			}
			if !strings.Contains(strings.Join(r.Warnings, " "), "9 of 10 games repeat") {
				t.Error(r.Warnings)
			}
		}},
		{"equal games of chance are observations", many(one("random", centreWin5), 10), func(t *testing.T, r *Report) {
			if o := r.Groups[0].Outcome; o.FirstWins != 10 || r.Groups[0].Distinct != 1 {
				t.Errorf("%+v", o)
			}
			// All won: the limit is Wilson's, and the value takes half a point as lost: 10.5 of 11.
			if e := r.Groups[0].Outcome.Elo; !e.HiOpen || e.Note == "" || math.Abs(e.Value-400*math.Log10(10.5/0.5)) > 1e-9 {
				t.Errorf("%+v", e)
			}
		}},
		{"caps are no draws", many(capped, 40), func(t *testing.T, r *Report) {
			o := r.Groups[0].Outcome
			if o.Draws != 0 || o.Draw.Value != 0 || o.Caps != 40 || o.Cap.Value != 1 || o.Decisive.Known() {
				t.Errorf("%+v", o)
			}
			if l := r.Groups[0].Length; !l.All.Median.Known() || l.Histogram[0].Part != 40 {
				t.Errorf("%+v", l)
			}
			if l := r.light("completion"); l.Measure != "completion" || l.Colour != Poor {
				t.Errorf("%+v", l)
			}
		}},
		{"some caps", append(many(one("top", centreWin5), 30), many(capped, 10)...), func(t *testing.T, r *Report) {
			g := r.Groups[0]
			if g.Ends.Completion.Value != 0.75 || g.Outcome.Cap.Value != 0.25 || g.Outcome.Draw.Value != 0 ||
				g.Outcome.Decisive.N != 30 {
				t.Errorf("%+v", g)
			}
			if r.light("completion").Colour != Poor || !strings.HasPrefix(r.Verdict.Text, "Only 75 % of top's games against itself end before the ply limit") {
				t.Errorf("%+v %s", r.light("completion"), r.Verdict.Text)
			}
		}},
		{"draws only", many(one("top", cornerDraw), 50), func(t *testing.T, r *Report) {
			o := r.Groups[0].Outcome
			if o.Draws != 50 || o.Score.Value != 0.5 || o.Elo.Value != 0 || o.Decisive.Known() {
				t.Errorf("%+v", o)
			}
			// As uncertain as with 1.5 wins and 1.5 losses: a variance of 0.75/50², Student's quantile of 49 degrees.
			if math.Abs(o.Score.Lo-0.46530) > 1e-4 || math.Abs(o.Score.Hi-0.53470) > 1e-4 {
				t.Errorf("%+v", o.Score)
			}
		}},
		{"forfeits are apart", append(many(one("top", centreWin5), 3), forfeit), func(t *testing.T, r *Report) {
			if o := r.Groups[0].Outcome; o.FirstWins != 3 || o.SecondWins != 0 || r.Study.Forfeits != 1 ||
				r.Groups[0].Ends.Forfeits != 1 {
				t.Errorf("%+v", r.Groups[0])
			}
			if e := r.Groups[0].Ends; len(e.Reasons) != 2 || e.Reasons[1].Kind != "forfeit" || e.Completion.N != 3 {
				t.Errorf("%+v", e)
			}
		}},
		{"forfeits only", []Game{forfeit}, func(t *testing.T, r *Report) {
			if r.Headline != -1 || r.Groups[0].Outcome.First.Known() || !strings.Contains(r.Verdict.Text, "No games") {
				t.Errorf("%d %s", r.Headline, r.Verdict.Text)
			}
		}},
		{"a single game", []Game{one("top", centreWin5)}, func(*testing.T, *Report) {}},
		{"moves that do not replay", []Game{one("top", centreWin5), bad}, func(t *testing.T, r *Report) {
			if r.Study.BadGames != 1 || r.Groups[0].Outcome.First.N != 2 || r.Groups[0].Choice.Mean.N != 1 {
				t.Errorf("%+v", r.Study)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for i := range c.games {
				c.games[i].ID = int64(i + 1)
			}
			r := measureGames(t, records(g, "classic", mirror, known, c.games), Options{})
			sound(t, r)
			c.check(t, r)
		})
	}
}

func TestEmptyStudy(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	_, err := Measure(context.Background(), records(g, "classic", []Event{event(1, campaign.PurposeMirror)}, nil, nil),
		Options{})
	if !errors.Is(err, ErrNoGames) {
		t.Error(err)
	}
	db := studyOf(t, g, "classic", "tournament", nil)
	if _, err := Study(context.Background(), db, "classic", StudyOptions{}); !errors.Is(err, ErrNoGames) {
		t.Error(err)
	}
	if _, err := Study(context.Background(), db, "clasic", StudyOptions{}); !errors.Is(err, ErrNoGames) ||
		!strings.Contains(err.Error(), "classic") {
		t.Error(err)
	}
}

// Random games have known chances: enumerated for classic, by the probabilities of all lines for the others (before
// repetition). With 6,000 games the standard error is at most 0.0065; four of them are allowed.
func TestRandomPlayOfSolvedGames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules               string
		first, second, draw float64
	}{
		{"classic", 0.58492, 0.28810, 0.12698},
		{"rolling", 0.57276, 0.42724, 0},
		{"vanishing", 0.52708, 0.47292, 0},
	} {
		t.Run(c.rules, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, c.rules)
			games := randomGames(g, 1, 1, 6_000, 11)
			r := measureGames(t, records(g, c.rules, []Event{event(1, campaign.PurposeMirror, "random")},
				players(map[string]int64{"random": 0}), games), Options{SolveMemory: 64e6})
			sound(t, r)
			o := r.Groups[0].Outcome
			for what, p := range map[*ratings.Estimate]float64{&o.First: c.first, &o.Second: c.second, &o.Draw: c.draw} {
				if math.Abs(what.Value-p) > 4*math.Sqrt(p*(1-p)/6_000)+2e-4 {
					t.Errorf("%v, expected %v", *what, p)
				}
			}
			if r.Exact == nil || (c.rules != "classic") != (r.Exact.Winner == "first") {
				t.Errorf("%+v", r.Exact)
			}
			if c.rules == "rolling" && !strings.Contains(r.Verdict.Text, "first player wins by force") {
				t.Error(r.Verdict)
			}
		})
	}
}

// The numbers do not depend on the number of workers, and the same games from a study give the same numbers.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	games := randomGames(g, 1, 1, 500, 5)
	db := studyOf(t, g, "vanishing", campaign.PurposeMirror, games)
	var texts []string
	for _, workers := range []int{1, 4} {
		r := must.Get(Study(context.Background(), db, "vanishing", StudyOptions{
			Options: Options{Workers: workers, SolveMemory: -1},
			Values:  &oracle.Options{Games: 8, MaxIterations: 20, Workers: workers, Seed: int64(1)},
		}))(t)
		sound(t, r)
		if r.Oracle == nil || r.Oracle.Games != 8 || r.Oracle.Name != "oracle-mcts-20" {
			t.Fatalf("%+v", r.Oracle)
		}
		text := must.Get(json.Marshal(r))(t)
		texts = append(texts, string(text))
	}
	if d := cmp.Diff(texts[0], texts[1]); d != "" {
		t.Error(d)
	}
	// The games picked to be looked at have a course of their own, which counts for no measure; the study keeps it.
	r := must.Get(Study(context.Background(), db, "vanishing", StudyOptions{Options: Options{SolveMemory: -1}}))(t)
	if len(r.Samples) < 3 || r.Oracle.Games != 8 {
		t.Errorf("%d samples, %d games valued", len(r.Samples), r.Oracle.Games)
	}
	for _, s := range r.Samples {
		if len(s.Values) != s.Plies+1 {
			t.Errorf("%s: %d values of %d plies", s.Kind, len(s.Values), s.Plies)
		}
	}
}

// A light shows a colour only where the whole interval has it.
func TestLights(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	score := rule{good: band{0.45, 0.55}, middling: band{0.40, 0.60}, text: func(ratings.Estimate) string { return "" }}
	room := rule{
		good: band{20, inf}, middling: band{0, inf}, text: func(ratings.Estimate) string { return "" },
		saturates: true,
	}
	for _, c := range []struct {
		rule   rule
		n      ratings.Estimate
		colour Colour
		more   int64
	}{
		{score, ratings.Estimate{Value: 0.5, Interval: ratings.Interval{Lo: 0.46, Hi: 0.54}, N: 100}, Good, 0},
		{score, ratings.Estimate{Value: 0.57, Interval: ratings.Interval{Lo: 0.56, Hi: 0.59}, N: 100}, Middling, 0},
		{score, ratings.Estimate{Value: 0.7, Interval: ratings.Interval{Lo: 0.65, Hi: 0.75}, N: 100}, Poor, 0},
		// The limit 0.55 is 0.05 away and the side 0.10: four times the games, and (1.96 + 0.8416)²/1.96² times for a
		// chance of 80 %: 718, of which two digits count.
		{score, ratings.Estimate{Value: 0.5, Interval: ratings.Interval{Lo: 0.40, Hi: 0.60}, N: 100}, Undecided, 720},
		{score, ratings.Estimate{Value: 0.55, Interval: ratings.Interval{Lo: 0.50, Hi: 0.61}, N: 100}, Undecided, 0},
		{score, ratings.Estimate{}, NoData, 0},
		// Not good, whatever more games say; and undecided for longer than it is worth naming.
		{score, ratings.Estimate{Value: 0.6, Interval: ratings.Interval{Lo: 0.57, Hi: 0.64}, N: 100}, NotGood, 0},
		{score, ratings.Estimate{Value: 0.549, Interval: ratings.Interval{Lo: 0.5, Hi: 0.6}, N: 100}, Undecided, 0},
		{room, ratings.Estimate{Value: 90, Interval: ratings.Interval{Lo: 50, HiOpen: true}, N: 100}, Good, 0},
		{room, ratings.Estimate{Value: 5, Interval: ratings.Interval{Lo: -5, Hi: 15}, N: 100}, Poor, 0},
		{room, ratings.Estimate{Value: 15, Interval: ratings.Interval{Lo: 11, Hi: 19}, N: 100}, Middling, 0},
		{room, ratings.Estimate{Value: 10, Interval: ratings.Interval{Lo: -30, Hi: 50}, N: 100}, Undecided, 3200},
	} {
		if l := c.rule.judge(c.n); l.Colour != c.colour || l.More != c.more {
			t.Errorf("%+v: %s, %d more, expected %s, %d more", c.n, l.Colour, l.More, c.colour, c.more)
		}
	}
}

// The table of a solved game knows no ply cap: a win that comes after it is a draw. Hexapawn is won in 6 plies.
func TestExactValuesUnderAPlyCap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit, winner, first string
	}{
		{"draw.max_plies=5", "draw", "draw"},
		{"draw.max_plies=6", "second", "loss"},
	} {
		g := enginetest.Load(t, "hexapawn", c.limit)
		games := randomGames(g, 1, 1, 40, 5)
		r := must.Get(Study(context.Background(), studyOf(t, g, "hexapawn", campaign.PurposeMirror, games), "hexapawn",
			StudyOptions{Values: &oracle.Options{}}))(t)
		if r.Exact == nil || r.Exact.Winner != c.winner || strings.Contains(r.Exact.Text, "ply cap") != (c.winner == "draw") {
			t.Errorf("%s: %+v", c.limit, r.Exact)
		}
		for _, m := range r.FirstMove.Moves {
			if m.Move == "b3-b2" && m.Exact != c.first {
				t.Errorf("%s: b3-b2 is a %s", c.limit, m.Exact)
			}
		}
		for _, s := range r.Samples {
			if c.winner == "draw" && s.Values[0] != 0.5 {
				t.Errorf("%s: the start is worth %g in %s", c.limit, s.Values[0], s.Title)
			}
		}
	}
}
