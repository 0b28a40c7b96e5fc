package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

func load(t *testing.T, name string, set map[string]any) Rules {
	t.Helper()
	r := must.Get(LoadRules(name, set))(t)
	return r
}

func plan(t *testing.T, name string) *Campaign {
	t.Helper()
	c := must.Get(New(load(t, name, nil), Request{Effort: "quick", Seed: 1}))(t)
	return c
}

// tiny is a study of a few hundred games that take milliseconds.
func tiny(t *testing.T, name string) *Campaign {
	c := plan(t, name)
	c.Record.Inquiry = Inquiry{} // has tests of its own
	c.Record.Budgets = []int64{4, 8}
	c.Record.Sizes = Sizes{
		Mirror: 10, Openings: 4, Ladder: 4, FirstMove: 12,
	}
	return c
}

// One first move of each class under the symmetries, counted by hand: a corner, an edge and the centre of 3x3; the 16
// columns-mirrored pairs of the 4 rows of a home; on the torus every cell is like every other; on 9x9 the triangle of
// 1+2+3+4+5 cells; and in connect4 the 4 columns up to the mirror.
func TestFirstMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		want  int
		first string
	}{
		{"classic", 3, "a1 b1 b2"},
		{"rolling", 3, "a1 b1 b2"},
		{"vanishing", 3, "a1 b1 b2"},
		{"checkerboard", 16, ""},
		{"infiltration", 16, ""},
		{"ctor", 1, "a1"},
		{"gomoku9", 15, ""},
		{"connect4", 4, ""},
	} {
		got := FirstMoves(load(t, c.rules, nil).Game)
		if len(got) != c.want || c.first != "" && strings.Join(got, " ") != c.first {
			t.Errorf("%s: %d first moves %v, want %d %s", c.rules, len(got), got, c.want, c.first)
		}
	}
}

// The games of a quick study of classic by hand: 4 tiers and one that errs against themselves 120 games each at most, and the
// tiers 20 from openings; 3 neighbours 60 games each at most; 3 first moves with 16 pairs each (48 pairs of 96 games).
func TestParts(t *testing.T) {
	t.Parallel()
	want := map[string]struct {
		games  int64
		agents int
		format string
	}{
		"classic/mirror": {600, 5, "mirror"}, "classic/openings": {80, 4, "mirror"}, "classic/ladder": {180, 4, "ladder"},
		"classic/first-move": {96, 1, "mirror"},
	}
	c := plan(t, "classic")
	seeds := map[int64]bool{}
	for _, p := range c.Parts() {
		w, ok := want[p.Name]
		if got := PartGames(p); !ok || got != w.games || len(p.Players) != w.agents || p.Format != w.format {
			t.Errorf("%s: %d games of %d agents (%s), want %+v", p.Name, got, len(p.Players), p.Format, w)
		}
		if p.Adjudge != (arena.Adjudge{}) || p.Clock != (arena.Clock{}) {
			t.Errorf("%s adjudicates or has a clock: lengths and results would not be those of the rules", p.Name)
		}
		for _, s := range p.Players {
			if s.Budget.Timed() {
				t.Errorf("%s: %s thinks by the clock", p.Name, s.Name)
			}
		}
		if seeds[p.Seed] {
			t.Errorf("%s has the seed of another part", p.Name)
		}
		seeds[p.Seed] = true
	}
	if got := mostGames(c); got != 956 {
		t.Errorf("%d games, want 956", got)
	}
}

// A study that an earlier version began is continued only if its plans are the same, down to descriptions of agents.
func TestPlansStayTheSame(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"vanishing": "a4858b95666e", "kaooa": "cf7618d838d5", "infiltration": "ac2813df63fd"} {
		h := sha256.New()
		for _, p := range plan(t, name).Parts() {
			fmt.Fprintln(h, must.Get(p.Canonical())(t))
		}
		if got := hex.EncodeToString(h.Sum(nil)[:6]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// mostGames is the number of games of a study without its inquiry, where nothing ends early.
func mostGames(c *Campaign) int64 {
	total := int64(0)
	for _, t := range c.Parts() {
		total += PartGames(t)
	}
	return total
}

func run(t *testing.T, db *store.DB, cs []*Campaign, o Options) Summary {
	t.Helper()
	sum := must.Get(Run(t.Context(), t.Context(), db, cs, o))(t)
	return sum
}

// Who finds another process at work on a study writes nothing into it, not even a plan.
func TestAStudyInUse(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	other := storetest.Open(t, db.Path())
	unlock := must.Get(other.Lock())(t)
	defer unlock()
	_, whole := Run(t.Context(), t.Context(), db, []*Campaign{tiny(t, "classic")}, Options{})
	_, inquiry := asked(t, "rolling").runInquiry(t.Context(), t.Context(), db, Options{})
	if events, err := db.Events(t.Context()); !errors.Is(whole, store.ErrBusy) || !errors.Is(inquiry, store.ErrBusy) ||
		len(events) != 0 || err != nil {
		t.Errorf("%v; %v; wrote %+v, %v", whole, inquiry, events, err)
	}
}
