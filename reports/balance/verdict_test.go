package balance

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/tuning/target"
)

// A forced win misses every target of fairness, whatever the agents score, and meets one that asks for it; targets of
// other things are none of its business.
func TestTargetsAgainstExactValues(t *testing.T) {
	t.Parallel()
	number := func(v float64) ratings.Estimate {
		return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: v - 0.01, Hi: v + 0.01}, N: 1000}
	}
	for _, c := range []struct {
		winner, wanted string
		want           target.Verdict
		exact          bool
	}{
		{"first", "fpa<=0.05", target.Missed, true},
		{"second", "fpa<=0.05", target.Missed, true},
		{"draw", "fpa<=0.05", target.Met, false},
		{"", "fpa<=0.05", target.Met, false},
		{"first", "score in [0.45, 0.55]", target.Missed, true},
		{"first", "score>=0.4", target.Met, false},
		{"second", "score>=0.4", target.Missed, true},
		{"first", "elo in [-50, 50]", target.Missed, true},
		{"second", "elo<=50", target.Met, false},
		{"draw", "elo in [-50, 50]", target.Met, false},
		{"first", "draws<=0.3", target.Met, false},
	} {
		g := Group{}
		g.Outcome.Score, g.Outcome.Elo, g.Outcome.Draw = number(0.5),
			ratings.Estimate{Value: 0, Interval: ratings.Interval{Lo: -9, Hi: 9}, N: 1000}, number(0.2)
		r := &Report{Groups: []Group{g}}
		if c.winner != "" {
			r.Exact = &campaign.Exact{Winner: c.winner, Text: "Solved."}
		}
		goal := must.Get(target.Parse(c.wanted))(t)
		got := r.Judge("x", []target.Target{goal})[0]
		if got.Verdict != c.want || (got.Exact != "") != c.exact || c.exact && !strings.Contains(got.String(),
			"is missed: Solved. Among these agents, ") {
			t.Errorf("%s, %s: %+v %s", c.winner, c.wanted, got, got)
		}
	}
}

// Blind, a report has nothing exact in it, and speaks about the rules or not at all.
func TestBlind(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "hexapawn")
	db := studyOf(t, g, "hexapawn", campaign.PurposeMirror, randomGames(g, 1, 1, 40, 5))
	r, err := Study(t.Context(), db, "hexapawn", StudyOptions{
		Options: Options{Blind: true},
		Values:  &oracle.Options{Games: 2, MaxIterations: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Exact != nil || r.Oracle == nil || r.Oracle.Kind == "exact" {
		t.Errorf("%+v %+v", r.Exact, r.Oracle)
	}
	for _, m := range r.FirstMove.Moves {
		if m.Exact != "" {
			t.Errorf("%s is a %s", m.Move, m.Exact)
		}
	}
	if r.Verdict.Scope != AboutRules || r.Verdict.Claim != campaign.Unknown || r.Verdict.Settle == "" {
		t.Errorf("%+v", r.Verdict)
	}
	if r, err = Study(t.Context(), db, "hexapawn", StudyOptions{}); err != nil || r.Verdict.Claim != campaign.Second ||
		!r.Verdict.Exact {
		t.Errorf("%+v, %v", r.Verdict, err)
	}
}

// A side is favoured among the agents only where both strongest tiers surely say so, without moving, both kinds of
// search agree, and no forced first move turns it.
func TestAmongAgents(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	score := func(v float64) ratings.Estimate {
		return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: v - 0.04, Hi: v + 0.04}, N: 400}
	}
	stage := func(ab, ts campaign.Tally) []campaign.Stage {
		return []campaign.Stage{{Free: campaign.Probe{By: map[string]campaign.Tally{
			campaign.AlphaBeta:  ab,
			campaign.TreeSearch: ts,
		}}}}
	}
	most := campaign.Tally{First: 10, Second: 2}
	few := campaign.Tally{First: 2, Second: 10}
	forced := func(uneven bool, scores ...float64) *FirstMoves {
		out := &FirstMoves{Source: "forced"}
		for _, v := range scores {
			out.Moves = append(out.Moves, FirstMove{Move: "a1", Score: score(v), Uneven: uneven})
		}
		return out
	}
	for _, c := range []struct {
		name          string
		before, after float64
		inquiry       []campaign.Stage
		first         *FirstMoves
		want          campaign.Claim
	}{
		{"first", 0.62, 0.64, stage(most, most), forced(true, 0.65, 0.5), campaign.First},
		{"second", 0.36, 0.38, stage(few, few), forced(true, 0.4, 0.3), campaign.Second},
		{"no first moves are known", 0.62, 0.64, stage(most, most), nil, campaign.First},
		{
			"a first move that was not forced", 0.36, 0.38, stage(few, few),
			&FirstMoves{Source: "chosen", Moves: forced(true, 0.55).Moves}, campaign.Second,
		},
		{"a tier below is not sure", 0.53, 0.57, stage(most, most), nil, campaign.Unknown},
		{"the score still moves", 0.56, 0.68, stage(most, most), nil, campaign.Unknown},
		{"alpha-beta does not agree", 0.62, 0.64, stage(few, most), nil, campaign.Unknown},
		{"tree search does not agree", 0.62, 0.64, stage(most, few), nil, campaign.Unknown},
		{"a first move holds", 0.36, 0.38, stage(few, few), forced(true, 0.3, 0.55), campaign.Unknown},
		{"nobody asked for a second opinion", 0.62, 0.64, nil, nil, campaign.Unknown},
	} {
		r := &Report{Inquiry: c.inquiry, FirstMove: c.first}
		for i, v := range []float64{c.before, c.after} {
			g := Group{Kind: "mirror", Tier: i}
			g.Outcome.Score = score(v)
			r.Groups = append(r.Groups, g)
		}
		if got := m.amongAgents(r); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// With so many more games as a light asks for, it is decided in four of five studies. The score is 0.52, the limit
// 0.55: 1.9599 and 0.8416 standard errors of 0.5/√n in 0.03 are 2180 games in all.
func TestMoreGamesDecideFourTimesInFive(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	light := rule{good: band{0.45, 0.55}, middling: band{0.40, 0.60}, text: func(ratings.Estimate) string { return "" }}
	l := light.judge(m.share(208, 400))
	n := l.Number.N + l.More
	if l.Colour != Undecided || math.Abs(float64(n)-2180) > 60 {
		t.Fatalf("%+v: %d games in all, want about 2180", l, n)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	decided := 0
	const studies = 1000
	for range studies {
		wins := int64(0)
		for range n {
			if rng.Float64() < 0.52 {
				wins++
			}
		}
		if light.judge(m.share(wins, n)).Colour != Undecided {
			decided++
		}
	}
	if share := float64(decided) / studies; math.Abs(share-0.8) > 0.04 { // 3 standard errors
		t.Errorf("decided in %.1f %% of the studies", 100*share)
	}
}

// Where pieces only come the cells run out, and no games are needed to know that games end; not so where pieces leave
// or move, or where a ply cap may come first.
func TestEndsSurely(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		set   []string
		want  bool
	}{
		{"classic", nil, true},
		{"connect4", nil, true},
		{"ctor", nil, true}, // captured stones change sides and stay
		{"classic", []string{"draw.max_plies=9"}, true},
		{"classic", []string{"draw.max_plies=8"}, false},
		{"vanishing", nil, false},
		{"infiltration", nil, false},
		{"ctor", []string{"surround.effect=remove", "draw.max_plies=400"}, false},
	} {
		if got := endsSurely(enginetest.Load(t, c.rules, c.set...)); (got != "") != c.want {
			t.Errorf("%s %v: %q", c.rules, c.set, got)
		}
	}
}
