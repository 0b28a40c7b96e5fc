package variants_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/tuning/variants"
)

// A grid's variants differ from the base by the difference of their numbers; the base has no change. What is measured
// again remembers by what it was chosen, is played with its own seed, and the games of both are counted.
func TestChangesAndSecondMeasurement(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small, "tiers=[1, 2]", "games=6", "fresh=8", "ladder=2", "seed=3")
	r := play(t, s, t.TempDir()+"/s.db", 2)
	for i, v := range r.Variants {
		if (v.Change == nil) != (i == 0) || v.Base != (i == 0) || v.Numbers["length"].N != 6 || len(v.ByTier) != 2 ||
			v.Hash != s.Variants[i].Game.RulesHash() {
			t.Errorf("%s: %+v", v.Rules, v)
		}
		for name, d := range v.Change {
			if want := v.Numbers[name].Value - r.Variants[0].Numbers[name].Value; math.Abs(d.Value-want) > 1e-9 {
				t.Errorf("%s: %s changes by %g, want %g", v.Rules, name, d.Value, want)
			}
		}
		if i > 0 && !v.Change["length"].Known() {
			t.Errorf("%s: no change of the length", v.Rules)
		}
	}
	for _, a := range r.Again {
		i := slices.IndexFunc(r.Variants, func(c variants.Cell) bool { return c.Rules == a.Rules })
		if a.Before["length"] != r.Variants[i].Numbers["length"] || a.Numbers["length"].N != 8 ||
			a.Verdict != a.Judged[0].Verdict && a.Verdict != a.Judged[1].Verdict || len(a.Judged) != 2 {
			t.Errorf("%+v", a)
		}
	}
	if first, fresh := s.Planned(); r.Games != first+fresh || r.Seed != 3 ||
		!slices.Equal(r.Tiers, []string{"minimax-10", "minimax-20"}) || r.Knobs[0].Base != "3" {
		t.Errorf("%d games of %d and %d, tiers %v", r.Games, first, fresh, r.Tiers)
	}
	if o := s.Outlook(); o.Games != 5*(4*6+2*2) || o.Fresh != 2*3*8 || len(o.Variants) != 5 || len(o.Skipped) != 1 {
		t.Errorf("%+v", o)
	}
}

// A guard stands back where its measure has a target.
func TestGuarded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ targets, want []string }{
		{[]string{"fpa<=0.05"}, []string{"fpa<=0.05", "completion>=90%", "draws<=90%", "alive>=10%", "depth>=1"}},
		{[]string{"draws>=95%", "alive>=0"}, []string{"draws>=95%", "alive>=0", "completion>=90%", "depth>=1"}},
	} {
		if got := variants.Guarded(c.targets); !slices.Equal(got, c.want) {
			t.Errorf("%v guarded: %v, want %v", c.targets, got, c.want)
		}
	}
}

// Depth can be searched for: every candidate climbs the ladder, and so do the finalists again, on games of their own.
func TestSearchForDepth(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, "name: deep\nrules: classic\ndesign: halving\nknobs: [{knob: win.line, values: [2, 3]}]\ntiers: "+
		"[5, 10]\ngames: 4\nladder: 4\nbest: 1\nfresh: 4\ntargets: [\"depth>=-50\"]\n")
	first, fresh := s.Planned()
	ladder := int64(2 * 4) // two steps, from random play over two tiers
	if want := 2 * (3*4 + ladder); first != want {
		t.Errorf("%d games planned, want %d", first, want)
	}
	if want := 3*4 + ladder; fresh != want {
		t.Errorf("%d games to measure again, want %d", fresh, want)
	}
	path := filepath.Join(t.TempDir(), "deep.db")
	r := play(t, s, path, 1)
	if r.Games != first+fresh || !r.Variants[0].Numbers["depth"].Known() || len(r.Again) != 1 ||
		!r.Again[0].Numbers["depth"].Known() {
		t.Errorf("%d games; %+v; again %+v", r.Games, r.Variants[0].Numbers["depth"], r.Again)
	}
	db := storetest.Open(t, path)
	seeds := map[int64]string{} // those of one purpose are the same for all rules, and no other purpose has them
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		part := row.EventName[strings.LastIndexByte(row.EventName, '/')+1:]
		if old, ok := seeds[row.Seed]; ok && old != part {
			t.Errorf("%s and %s share a seed", old, part)
		}
		seeds[row.Seed] = part
	}
	if len(seeds) != 6 {
		t.Errorf("seeds of %v, want those of a round, its ladder and its errors, and of all again", seeds)
	}
}

// Of an odd field the larger half goes on: 7 candidates are 7, 4 and 2 in the rounds, with twice the games each time,
// and one is left; 5 with three finalists wanted are 5, then 3. The games by hand, one tier: 7x4 + 4x8 + 2x16 = 92, and
// 5x4 = 20; a finalist is measured again with 6 games. A field that is no larger than what is wanted plays one round.
func TestHalvingRoundsUp(t *testing.T) {
	t.Parallel()
	const text = `
name: odd
rules: gomoku9
knobs: [{knob: board.columns, from: 3, to: 9}]
set: {win.line: 3, board.rows: 3, draw.max_plies: 9}
design: halving
tiers: [1]
games: 4
fresh: 6
targets: ["length>=5"]
`
	for _, c := range []struct {
		overrides []string
		fields    []int // candidates of each round
		games     []int // of each candidate in each round
		kept      []int
		planned   int64
	}{
		{[]string{"best=1"}, []int{7, 4, 2}, []int{4, 8, 16}, []int{4, 2, 1}, 7*4 + 4*8 + 2*16},
		{[]string{"best=2"}, []int{7, 4}, []int{4, 8}, []int{4, 2}, 7*4 + 4*8},
		{[]string{"best=3", "knobs=[{knob: board.columns, values: [4, 5, 6, 7, 9]}]"}, []int{5}, []int{4}, []int{3}, 5 * 4},
		{[]string{"best=7"}, []int{7}, []int{4}, []int{7}, 7 * 4},
	} {
		s := mustLoad(t, text, c.overrides...)
		if first, fresh := s.Planned(); first != c.planned || fresh != int64(6*s.Best) {
			t.Errorf("%v: %d and %d games planned, want %d and %d", c.overrides, first, fresh, c.planned, 6*s.Best)
		}
		r := playWith(t, s, filepath.Join(t.TempDir(), "odd.db"), inPassing(2))
		var fields, games, kept []int
		for i, round := range r.Rounds {
			fields = append(fields, round.Candidates)
			games = append(games, round.Games)
			kept = append(kept, len(round.Kept))
			if round.Round != i+1 {
				t.Errorf("%v: round %d is called %d", c.overrides, i+1, round.Round)
			}
		}
		if !slices.Equal(fields, c.fields) || !slices.Equal(games, c.games) || !slices.Equal(kept, c.kept) {
			t.Errorf("%v: fields of %v, games %v, kept %v; want %v, %v, %v", c.overrides, fields, games, kept, c.fields, c.games,
				c.kept)
		}
		if want := c.planned + int64(6*s.Best); r.Games != want || len(r.Again) != s.Best {
			t.Errorf("%v: %d games, %d measured again; want %d and %d", c.overrides, r.Games, len(r.Again), want, s.Best)
		}
		// Everybody keeps the games of all his rounds: a finalist of three rounds has 4 + 8 + 16.
		for _, v := range r.Variants {
			n := int64(0)
			for i, round := range r.Rounds {
				if i == 0 || slices.Contains(r.Rounds[i-1].Kept, v.Rules) {
					n += int64(round.Games)
				}
			}
			if got := v.Numbers["length"].N; got != n {
				t.Errorf("%v: %s rests on %d games, want %d", c.overrides, v.Rules, got, n)
			}
		}
	}
}

// A file that states only what has to be stated is a grid of two tiers, 50 and 100 iterations, 200 games of each with
// itself and 40 against each other, of which the best two are played again with 400; its seed is 1, like that of every
// other plan.
func TestWhatAFileLeavesOut(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, "name: bare\nrules: classic\nknobs: [{knob: board.columns, values: [3, 4]}]\ntargets: "+
		"[\"draws<=90%\"]\n")
	if s.Design != variants.Grid || !slices.Equal(s.Tiers, []int{50, 100}) || s.Games != 200 || s.Ladder != 40 || s.Best != 2 ||
		s.Fresh != 400 || s.Seed != 1 {
		t.Errorf("%+v", s.Plan)
	}
	// Two variants: random play, two tiers and one that errs, of 200 games each, and two steps of the ladder of 40; two
	// finalists: three agents of 400.
	if first, fresh := s.Planned(); first != 2*(4*200+2*40) || fresh != 2*3*400 {
		t.Errorf("%d and %d games planned, want 1760 and 2400", first, fresh)
	}
}
