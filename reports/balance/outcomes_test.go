package balance

import (
	"math"
	"testing"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/engines/enginetest"
	"spar/ratings"
)

// All games between agents that search, of the study and of the inquiry: 3 of 4 and 16 of 20, 7, 7 and 6, are ended by
// the rules. Where agents or searches play the same few games again and again, only the distinct ones count.
func TestCompletionOfAll(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	probe := func(distinct, first, draws, second, caps int64) campaign.Probe {
		return campaign.Probe{Distinct: distinct, By: map[string]campaign.Tally{"puct": {
			First: first, Draws: draws,
			Second: second, Caps: caps,
		}}}
	}
	searches := map[[2]int32]*endTally{{0, 0}: {all: [2]int64{1, 3}, fresh: [2]int64{1, 3}}}
	stage := campaign.Stage{
		Free: probe(7, 3, 1, 2, 1), FirstMoves: []campaign.Probe{probe(7, 5, 0, 0, 2)},
		Replies: []campaign.Probe{probe(6, 0, 5, 0, 1)},
	}
	p := &pass{ends: searches, data: &Data{Inquiry: []campaign.Stage{stage}}}
	if n := m.completion(p); n.N != 24 || math.Abs(n.Value-19.0/24) > 1e-12 {
		t.Errorf("%+v, want 19 of 24", n)
	}
	searches[[2]int32{0, 1}] = &endTally{all: [2]int64{0, 100}, fresh: [2]int64{0, 2}}
	p.data.Inquiry = append(p.data.Inquiry, campaign.Stage{Free: probe(2, 40, 0, 0, 0)})
	if n := m.completion(p); n.N != 28 || math.Abs(n.Value-23.0/28) > 1e-12 {
		t.Errorf("%+v, want 23 of 28", n)
	}
}

// How games ended is counted of those that count, between agents that search: two random moves or one say nothing about
// the rules.
func TestEndsAreOfSearchers(t *testing.T) {
	t.Parallel()
	agent := func(kind string) Agent { return Agent{Spec: &agents.Spec{Type: kind}} }
	r, s, unknown := int32(0), int32(1), int32(2)
	p := newPass(&Data{Agents: map[string]Agent{"r": agent("random"), "s": agent("mcts")}}, nil)
	p.names, p.mirrored = []string{"r", "s", "unknown"}, true
	for _, x := range []record{
		{first: r, second: r},
		{first: r, second: s},
		{first: s, second: r},
		{first: s, second: s},
		{first: s, second: unknown},
		{first: s, second: s, kind: endCap},
		{first: s, second: s, marks: evidence.Surplus},
	} {
		p.ended(&x, false)
	}
	if n := newMeasurer(Options{}).completion(p); n.N != 3 || n.Value != 2.0/3 {
		t.Errorf("%+v, want 2 of 3", n)
	}
	q := newPass(p.data, nil)
	q.names = p.names
	if q.ended(&record{first: s, second: s}, false); len(q.ends) > 0 {
		t.Error("a tournament counts as a study of the rules")
	}
}

// The headline is the strongest tier from the start position that has games.
func TestHeadline(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	for i, tier := range []string{"a", "b", "c"} {
		for k := range 4 {
			x := played(t, g, int64(4*i+k+1), tier, tier, []string{centreWin5, cornerWin7, cornerLost, cornerDraw}[k])
			games = append(games, x)
		}
	}
	d := records(g, "classic", []Event{event(1, campaign.PurposeMirror, "a", "b", "c")},
		players(map[string]int64{"a": 50, "b": 100, "c": 200}), games)
	if r := measureGames(t, d, Options{}); r.Groups[r.Headline].Key != "mirror/c" {
		t.Errorf("the headline is %s", r.Groups[r.Headline].Key)
	}
	if fixed, all := (&Report{}).stored([]Event{{Games: 20}, {Games: 30, Clear: true}}); fixed != 20 ||
		all != 50 {
		t.Errorf("%d and %d games", fixed, all)
	}
}

// A win that nearly all games open with is not kept, and the move that wins soonest is the one to name.
func TestMissedWin(t *testing.T) {
	t.Parallel()
	move := func(m, exact string, in int) FirstMove {
		return FirstMove{Move: m, Images: []string{m}, Exact: exact, ExactIn: in}
	}
	for _, c := range []struct {
		exact, other, want string
	}{
		{"win", "win", "these agents do not keep the win, although every first move wins"},
		{"win", "draw", "these agents do not keep the win: 30 of 40 games open with a1, which wins"},
		{"loss", "win", "these agents miss the win: 30 of 40 games open with a1, which loses (c1 wins)"},
		{"", "win", "these agents do not find the win (c1 wins)"},
	} {
		v := &view{
			r:    &Report{FirstMove: &FirstMoves{Moves: []FirstMove{move("b1", c.other, 19), move("a1", c.exact, 21), move("c1", "win", 9)}}},
			main: &Group{Games: 40, Found: Found{Variety: &Variety{Openings: []EffectivePly{{Top: []Line{{Moves: "a1", Games: 30}}}}}}},
		}
		if got := v.missed(campaign.First, ratings.Estimate{Value: 0.4}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
