package session

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/review"
)

// Fair is an interval within 45 to 55 percent, unfair one outside; at the last look it is unclear otherwise.
func TestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, draws, games int64
		last                bool
		want                string
	}{
		{10, 0, 20, false, ""},
		{10, 0, 20, true, "unclear"},
		{20, 0, 20, false, "unfair"},
		{0, 0, 20, false, "unfair"},
		{0, 20, 20, false, ""},
		{1000, 0, 2000, false, "fair"},
		{0, 2000, 2000, true, "fair"},
		{1090, 0, 2000, true, "unclear"},
		{910, 0, 2000, true, "unclear"},
		{1200, 0, 2000, true, "unfair"},
		{800, 0, 2000, true, "unfair"},
	} {
		s := &Sample{Games: c.games, First: c.first, Draws: c.draws}
		if got := judge(s, c.last); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	var s Sample
	for i, r := range []engines.Result{engines.FirstWins, engines.SecondWins, engines.Drawn, engines.Ongoing} {
		s.add(r, i)
	}
	if want := (Sample{Games: 4, First: 1, Draws: 1, Plies: 6, Unended: 1}); s != want || s.Mean() != 1.5 ||
		s.Score(0.95).Value != 0.5 || (&Sample{}).Mean() != 0 ||
		(&Sample{Games: 3, First: 1, Draws: 1}).Score(0.95).Value != 0.5 {
		t.Errorf("%+v", s)
	}
}

// Random games are the same every time. Where both play classic at random the first player wins 0.585 of all games and
// the second 0.288: 2,000 games spread by 0.011.
func TestRandomGames(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	s := Random(t.Context(), g)
	first, draws := float64(s.First)/2000, float64(s.Draws)/2000
	if s.Games != 2000 || math.Abs(first-0.585) > 0.033 || math.Abs(draws-0.127) > 0.022 || s.Unended != 0 ||
		s.Mean() < 7 || s.Mean() > 8 {
		t.Errorf("%+v", s)
	}
	if again := Random(t.Context(), g); again != s {
		t.Errorf("%+v, and again %+v", s, again)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if s := Random(ended, g); s.Games != 0 {
		t.Errorf("%d games after the end", s.Games)
	}
}

// A study ends as soon as its games show something: two in a row are won by the first player, which 20 games show;
// that all games are drawn is fair, which takes 1,280. An agent that cannot play leaves the question open.
func TestStudies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set, agent, verdict string
		games               int64
	}{
		{"draw.max_plies=2", "random", "fair", 1280},
		{"win.line=2", "greedy", "unfair", 20},
		{"draw.max_plies=3", "nobody", "unclear", 0},
	} {
		s := &Studies{Searches: make(chan struct{}, 1), Changed: func(string) {}}
		s.Open(t.Context())
		defer s.Close()
		g := enginetest.Load(t, "classic", c.set)
		spec := agents.Spec{Type: c.agent}
		if loaded, err := agents.LoadSpec(c.agent); err == nil {
			spec = loaded
		}
		s.of[g.RulesHash()] = &Fairness{}
		s.play(g, spec, g.RulesHash())
		if f, ok := s.Of(g); !ok || f.Verdict != c.verdict || f.Sample.Games != c.games ||
			(f.Err != nil) != (c.agent == "nobody") {
			t.Errorf("%s by %s: %+v", c.set, c.agent, f)
		}
	}
}

// The values of a game's moves are the first player's: classic is a draw at the start and after a1, and from b1 on the
// first player wins, with a double threat where O blocks. An exact value is the same however far the end is.
func TestLook(t *testing.T) {
	t.Parallel()
	a := &Valuer{Searches: make(chan struct{}, 1), Limit: time.Minute}
	a.Open(t.Context())
	defer a.Close()
	g, game := enginetest.Load(t, "classic"), strings.Fields("a1 b1 a2 b2 a3")
	done := make(chan struct{}, 16)
	for {
		look := must.Get(a.RateGame(g, game, func() { done <- struct{}{} }))(t)
		if look.Done < len(game) {
			<-done
			continue
		}
		if !slices.Equal(look.Values, []float64{0.5, 0.5, 1, 1, 1, 1}) || look.Failed != 0 || look.Source != review.Exact {
			t.Errorf("%+v", look)
		}
		break
	}
	var at engines.PlyError
	if _, err := a.RateGame(g, []string{"a1", "a1"}, nil); !errors.As(err, &at) || at.Ply != 2 {
		t.Errorf("a move that is not legal: %v", err)
	}
}
