package balance

import (
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// A restriction costs strength only where the whole interval says so. An end that is open is not known, whatever it holds.
func TestWhatARestrictionCosts(t *testing.T) {
	t.Parallel()
	const costs, nothing, odd = "it costs strength", "no difference is certain", "stronger than the agent"
	for _, c := range []struct {
		elo  Number
		want string
	}{
		{Number{Value: -90, Lo: -150, Hi: -30, N: 9}, costs},
		{Number{Value: -90, LoOpen: true, Hi: -30, N: 9}, costs},
		{Number{Value: -90, Lo: -150, HiOpen: true, N: 9}, nothing},
		{Number{Value: -90, Lo: -150, Hi: -1, HiOpen: true, N: 9}, nothing},
		{Number{Value: -30, Lo: -60, Hi: 0, N: 9}, nothing},
		{Number{Value: -30, Lo: -60, Hi: 0.5, N: 9}, nothing},
		{Number{Value: 0, Lo: -60, Hi: 60, N: 9}, nothing},
		{Number{Value: 30, Lo: 0, Hi: 60, N: 9}, nothing},
		{Number{Value: 30, Lo: 0.5, Hi: 60, N: 9}, odd},
		{Number{Value: 90, Lo: 30, HiOpen: true, N: 9}, odd},
		{Number{Value: 90, Lo: 30, LoOpen: true, Hi: 150, N: 9}, nothing},
	} {
		if got := withoutIt(c.elo); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %s, want %s", c.elo, got, c.want)
		}
	}
}

// That all games begin with openings is said where each of them does, be the opening of one ply.
func TestAllGamesOpened(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		openings []int
		want     bool
	}{
		{[]int{1, 1, 1}, true},
		{[]int{2, 1, 3}, true},
		{[]int{0, 2, 2}, false},
		{[]int{2, 0, 2}, false},
		{[]int{2, 2, 0}, false},
		{[]int{0, 0, 0}, false},
	} {
		var games []Game
		for i, plies := range c.openings {
			x := played(t, g, int64(i+1), "top", "top", []string{centreWin5, cornerLost, cornerDraw}[i])
			x.OpeningPlies, x.Hash = plies, int64(i+1)
			games = append(games, x)
		}
		r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "top")}, players(map[string]int64{"top": 100}), games), Options{})
		said := slices.ContainsFunc(r.Warnings, func(s string) bool { return strings.HasPrefix(s, "all games begin with openings") })
		if r.Study.Opened != c.want || said != c.want {
			t.Errorf("openings of %v plies: opened %t, said %t, want %t: %q", c.openings, r.Study.Opened, said, c.want, r.Warnings)
		}
	}
}

// A report warns of games that end by a cap where fewer than 95 % end by the rules and the interval still reaches 95 %; where
// even its end does not, the light is poor and says it.
func TestWarningOfCaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		measure string
		n       Number
		want    bool
	}{
		{"completion", Number{Value: 0.9, Lo: 0.8, Hi: 0.97, N: 50}, true},
		{"completion", Number{Value: 0.9, Lo: 0.8, Hi: 0.95, N: 50}, true},
		{"completion", Number{Value: 0.9, Lo: 0.85, Hi: 0.94, N: 500}, false},
		{"completion", Number{Value: 0.95, Lo: 0.9, Hi: 0.98, N: 50}, false},
		{"completion", Number{Value: 1, Lo: 0.99, Hi: 1, N: 500}, false},
		{"completion", Number{}, false},
		{"completion", Number{Hi: 1}, false},
		{"draws", Number{Value: 0.9, Lo: 0.8, Hi: 0.97, N: 50}, false},
	} {
		r := &Report{Lights: []Light{{Measure: c.measure, Number: c.n}}, Groups: []Group{{Name: "all"}}, Headline: -1}
		(&assembly{report: r}).warnings()
		if (len(r.Warnings) == 1) != c.want || len(r.Warnings) > 1 || c.want && !strings.HasPrefix(r.Warnings[0], "90.0 % of the games end by the rules") {
			t.Errorf("%s %+v: %q, want a warning: %t", c.measure, c.n, r.Warnings, c.want)
		}
	}
	for headline, want := range map[int]bool{-1: false, 0: true} { // of a group alone something is known about the true start
		r := &Report{Groups: []Group{{Name: "all"}}, Headline: headline}
		r.Study.Opened = true
		g := enginetest.Load(t, "classic")
		(&assembly{report: r, pass: &pass{data: &Data{Game: g}}}).warnings()
		if said := slices.ContainsFunc(r.Warnings, func(s string) bool { return strings.HasPrefix(s, "all games begin with openings") }); said != want {
			t.Errorf("headline %d: %q", headline, r.Warnings)
		}
	}
}

// Games to look at are chosen of what there is: of one game the usual length, of none that count nothing.
func TestSamplesOfFewGames(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	kinds := func(reason string) []string {
		x := played(t, g, 1, "top", "top", centreWin5)
		if reason != "" {
			x.Reason = reason
		}
		r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "top")}, players(map[string]int64{"top": 100}), []Game{x}), Options{})
		var out []string
		for _, s := range r.Samples {
			out = append(out, s.Kind+" "+s.Why)
		}
		return out
	}
	if got := kinds(""); !slices.Equal(got, []string{"median 5 plies, like all games"}) {
		t.Errorf("one game: %q", got)
	}
	if got := kinds("forfeit_error"); len(got) != 0 {
		t.Errorf("one forfeited game: %q", got)
	}
}

// What an inquiry found, with what that rests on: the last stage, and all of its games.
func TestWordsOfAnInquiry(t *testing.T) {
	t.Parallel()
	by := func(n int64) campaign.Probe { return campaign.Probe{By: map[string]campaign.Tally{"x": {First: n}}} }
	last := campaign.Stage{Nodes: 800, Simulations: 90, Free: by(10), FirstMoves: []campaign.Probe{by(4), by(5)}, Replies: []campaign.Probe{by(2)}}
	learned := last
	learned.Learned = true
	for _, c := range []struct {
		claim  campaign.Claim
		stages []campaign.Stage
		want   string
	}{
		{campaign.First, []campaign.Stage{learned, last}, "The first player wins, as far as strong play can tell: alpha-beta with up to 800 positions a move and tree search with 90 playouts agree, each against itself and against the other, freely and from forced openings (21 games at that strength, nothing exact)."},
		{campaign.Even, []campaign.Stage{last, learned}, "Even, as far as strong play can tell: alpha-beta with up to 800 positions a move and tree search with 90 simulations agree, both with the same learned evaluation, each against itself and against the other, freely and from forced openings (21 games at that strength, nothing exact)."},
	} {
		if got := agreed(campaign.Finding{Claim: c.claim}, c.stages); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
	d := &dist{counts: []int64{2, 0, 3}}
	for rank, want := range map[int]float64{0: 0, 1: 0, 2: 2, 4: 2, 5: 2, 9: 2} {
		if got := d.at(rank); got != want {
			t.Errorf("rank %d: %g, want %g", rank, got, want)
		}
	}
}
