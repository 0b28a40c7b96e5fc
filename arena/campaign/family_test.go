package campaign

import (
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/configs/must"
)

// A study whose tiers are alpha-beta has them in every part: ten positions for each simulation, and varied. Only the
// random player is something else.
func TestTiersByMinimax(t *testing.T) {
	t.Parallel()
	c := must.Get(New(load(t, "ctor", nil), Request{Effort: "quick", Seed: 1, Tiers: ByMinimax}))(t)
	var names []string
	for _, p := range c.Parts() {
		for _, s := range p.Players {
			names = append(names, s.Name)
			if s.Type == "mcts" {
				t.Errorf("%s has %s", p.Name, s.Name)
			}
			if strings.HasSuffix(s.Name, "v") && (s.Type != "minimax" || s.Mixture.Softmax == 0 || s.Weights == nil) {
				t.Errorf("%s: %s is a %s", p.Name, s.Name, s.Type)
			}
		}
	}
	for _, want := range []string{"random", "minimax-200v", "minimax-400v", "minimax-800v"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %q among %q", want, names)
		}
	}
	if args := strings.Join(c.Record.Args(), " "); args != "spar balance ctor --effort quick --tiers minimax --seed 1" {
		t.Error(args)
	}
	for study, want := range map[string]string{ // on 16 cells, pieces that can move back would do so for long
		"classic quick": "random minimax-500 minimax-2000 minimax-8000 minimax-8000-slips",
		"tapatan quick": "random minimax-500 minimax-2000 minimax-8000 minimax-8000-slips",
		"dao quick":     "random minimax-120 minimax-500 minimax-2000 minimax-2000-slips",
		"dao thorough": "random minimax-10 minimax-20 minimax-30 minimax-120 minimax-500 minimax-2000 " +
			"minimax-2000-slips", // the quarters 7.5 and 2 of 30 would both be 10
	} {
		game, effort, _ := strings.Cut(study, " ")
		small, err := New(load(t, game, nil), Request{Effort: effort, Tiers: ByMinimax})
		if err != nil || small.Record.Request.Tiers != "" {
			t.Errorf("minimax is what a study of a small board has anyway: %+v, %v", small.Record.Request, err)
		}
		names = nil
		for _, s := range small.Parts()[0].Players {
			names = append(names, s.Name)
			if named, err := agents.LoadSpec(s.Name); err != nil || named.Mixture.Epsilon != s.Mixture.Epsilon {
				t.Errorf("%s by its name: %v, %v", s.Name, named.Mixture, err)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s", study, got)
		}
	}
	usual, err := New(c.Rules, Request{Effort: "quick", Seed: 1, Tiers: ByMCTS})
	if err != nil || usual.Record.Request != (Request{Effort: "quick", Seed: 1}) {
		t.Errorf("mcts is what a study has anyway: %+v, %v", usual.Record.Request, err)
	}
	must.Refuse(New(c.Rules, Request{Effort: "quick", Tiers: "minmax"}))(t, `did you mean minimax`)
}

// The family is that of the row of the table configs/strongest.yaml for a tenth of a second.
func TestRecommendedTiers(t *testing.T) {
	t.Parallel()
	for game, want := range map[string]Family{"gomoku9": ByMCTS, "amazons": ByMinimax} {
		if got, err := Recommended(load(t, game, nil).Game); got != want || err != nil {
			t.Errorf("%s: %s, %v", game, got, err)
		}
	}
}
