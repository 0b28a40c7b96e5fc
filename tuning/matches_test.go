package tuning

import (
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// A match counts pairs from its first agent's side, those alone that are no repetitions. Here are three pairs of 1, 1½ and
// ½ points and one that repeats the first.
func TestMatchCountsPairs(t *testing.T) {
	t.Parallel()
	certain := must.Get(agents.LoadSpec("greedy", "ties=first"))(t)
	a, b := certain, certain
	a.Name, b.Name = "cup: a", "cup: b"
	x := &examiner{out: &Examination{}, openingBase: 3}
	for i := range 2 {
		// all is stored: nothing is played
		x.m = &matchRunner{t: &Tuning{}, purpose: "validation", rules: 1, seed: 7, stored: map[int64]study.Game{}}
		for n, result := range strings.Fields("first first draw second first first second draw") {
			g := study.Game{
				Opening: 3 + int64(n/2), Seed: 7, Result: result, First: int64(1 + n%2), Second: int64(2 - n%2),
				Hash: int64(n % 4),
			}
			if n > 5 {
				g.Hash = int64(n)
			} else if n > 3 {
				g.Marks = evidence.Repeated
			}
			x.m.stored[int64(n)] = g
		}
		m := must.Get(x.match(t.Context(), a, b, 4))(t)
		if m.Score.N != 3 || m.Score.Value != 0.5 || x.out.Games != int64(8*(i+1)) {
			t.Errorf("match %d: %d pairs with a score of %g, %d games so far", i+1, m.Score.N, m.Score.Value, x.out.Games)
		}
	}
}

// A game that a crash has left unjudged in the study is judged when the encounter is asked for again, and the study is
// told, were it only one; where nothing may be played the study stays as it is.
func TestUnjudgedGamesAreJudged(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	db := storetest.Open(t, x.Database)
	a, b := x.Start, x.Start
	a.Name, b.Name = "a", "b"
	pending := func(play bool) int {
		h := must.Get(x.newMatchRunner(t.Context(), db, x.Name, purposeTraining, "a plan", play))(t)
		defer h.close()
		must.Get(h.play(t.Context(), match{a: a, b: b, pairs: 1}))(t)
		n := 0
		for _, row := range storetest.Games(t, db, store.Filter{}) {
			if row.Marks&evidence.Pending != 0 {
				n++
			}
		}
		if !play && h.db != nil {
			t.Error("a hall that plays nothing may write")
		}
		return n
	}
	if n := pending(true); n != 0 {
		t.Fatalf("%d of the games played are not judged", n)
	}
	must.Do(t, db.Commit(t.Context(), nil, []study.Marked{{Number: 1, Marks: evidence.Pending}}, 1))
	if n := pending(false); n != 1 {
		t.Errorf("%d games to be judged, want the one", n)
	}
	if n := pending(true); n != 0 {
		t.Errorf("%d games are still not judged", n)
	}
}
