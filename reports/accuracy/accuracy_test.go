package accuracy_test

import (
	"context"
	"math"
	"testing"

	"spar/agents"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/engines/solve"
	"spar/reports/accuracy"
)

// Three games of classic, worked out by hand. In the first, a1 b2 c3 keeps the draw; then O's a3? lets X win by c1 (two
// lines), and everything after keeps what there is. O's mistake costs half a point. The second is the same game without
// mistakes of anybody up to b1, and in the third O answers the corner with an edge, which loses by force: half a point
// again.
func TestStudy(t *testing.T) {
	t.Parallel()
	ctx, g := context.Background(), enginetest.Load(t, "classic")
	db := storetest.New(t)
	event := must.Get(db.BeginEvent(ctx, study.Event{Name: "e", Purpose: "tournament", Plan: "{}"}))(t)
	rules := must.Get(db.RulesID(ctx, "classic", g.RulesHash(), g.Rules().Canonical()))(t)
	var ids []int64
	for _, name := range []string{"x", "o"} {
		id := must.Get(db.AgentID(ctx, name, "{}"))(t)
		ids = append(ids, id)
	}
	var played []study.Game
	for i, moves := range []string{"a1 b2 c3 a3 c1 b1 c2", "a1 b2 c3 b1 b3 a3 c1", "a1 b1 b2 c3 a2"} {
		played = append(played, study.Game{
			Event: event.ID, Number: int64(i), Rules: rules, First: ids[0], Second: ids[1], Pair: int64(i), Moves: moves,
			Result: "first", Reason: "line", Hash: int64(i),
		})
	}
	must.Do(t, db.Commit(ctx, played, nil, event.ID))
	table, err := solve.Within(ctx, g, 1<<24)
	if err != nil || table == nil {
		t.Fatal(err)
	}
	rows, err := accuracy.Study(ctx, db, "classic", g, accuracy.Table(table), 0)
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	x, o := rows[0], rows[1]
	if x.Agent != "x" || x.Decisions != 11 || x.Kept != 11 || x.Games != 3 || x.MeanLoss.Value != 0 || x.Share.Hi != 1 || x.Share.Lo > 0.5 {
		t.Errorf("x: %+v", x) // Wilson's interval of 3 of 3 games begins at 0.44
	}
	// Of nothing lost in games of 4, 4 and 3 decisions, effectively 11²/41 games, the upper limit is Wilson's,
	// 3.8415 / (11²/41 + 3.8415).
	if x.MeanLoss.Lo != 0 || math.Abs(x.MeanLoss.Hi-0.5655) > 1e-4 {
		t.Errorf("x: %+v", x.MeanLoss)
	}
	// O decides 3 + 3 + 2 times and throws away half a point twice: 0, ½ and ½ a game, the mean 1/8. Three games cannot show
	// that they vary little: they count as 8²/22 trials. Wilson's interval by Student's t on 8²/22 - 1 degrees (4.505).
	if in := o.MeanLoss; math.Abs(in.Lo-0.00217) > 1e-4 || math.Abs(in.Hi-0.9038) > 1e-4 {
		t.Errorf("o: %+v", in)
	}
	if p := float64(o.Optimal) / 8; !o.OptimalShare.Contains(p) || o.OptimalShare.Hi-o.OptimalShare.Lo < 0.3 {
		t.Errorf("o: %d optimal, %+v", o.Optimal, o.OptimalShare)
	}
	if o.Decisions != 8 || o.Kept != 6 || o.Share.Value != 0.75 || math.Abs(o.MeanLoss.Value-1.0/8) > 1e-12 ||
		!(o.Share.Lo < 0.75 && 0.75 < o.Share.Hi) {
		t.Errorf("o: %+v", o)
	}
	if len(o.Mistakes) != 2 || o.Mistakes[0].Loss != 0.5 {
		t.Errorf("mistakes: %+v", o.Mistakes)
	}
	// three games are a pair and half of one: the first of them, or all
	for most, games := range map[int64]int64{1: 2, 2: 2, 3: 3, 9: 3} {
		if rows, err := accuracy.Study(ctx, db, "classic", g, accuracy.Table(table), most); err != nil || len(rows) != 2 ||
			rows[0].Games != games {
			t.Errorf("about %d games: %+v, %v", most, rows, err)
		}
	}
}

// The perfect agent keeps every value; a random one does not.
func TestAgent(t *testing.T) {
	t.Parallel()
	ctx, g := context.Background(), enginetest.Load(t, "vanishing")
	table, err := solve.Within(ctx, g, 1<<26)
	if err != nil || table == nil {
		t.Fatal(err)
	}
	// Perfect play under a ply cap keeps what a position is worth under it: most of vanishing's wins come after ply 10.
	capped := enginetest.Load(t, "vanishing", "draw.max_plies=10")
	short := must.Get(agents.LoadSpec("perfect"))(t)
	if r, err := accuracy.Agent(ctx, accuracy.Table(table), capped, short, 200, 1, nil); err != nil || r.Share.Value != 1 ||
		r.Optimal != r.Decisions || r.Decisions == 0 {
		t.Errorf("under a ply cap: %+v, %v", r, err)
	}
	for name, perfect := range map[string]bool{"perfect": true, "random": false} {
		spec := must.Get(agents.LoadSpec(name))(t)
		r := must.Get(accuracy.Agent(ctx, accuracy.Table(table), g, spec, 200, 1, nil))(t)
		if (r.Share.Value == 1) != perfect || r.Decisions != 200 || r.Games != 200 || perfect && r.Optimal != 200 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if table, err := solve.Within(ctx, enginetest.Load(t, "checkerboard"), 1<<20); table != nil || err != nil {
		t.Errorf("checkerboard fits a megabyte: %v, %v", table, err)
	}
}

// Proofs count the same decisions as kept as the table does; a limit that is too low leaves decisions out.
func TestProofsAgreeWithTheTable(t *testing.T) {
	t.Parallel()
	ctx, g := context.Background(), enginetest.Load(t, "classic")
	spec := must.Get(agents.LoadSpec("random"))(t)
	var kept [2]int64
	for i, memory := range []int64{1e8, 1} {
		values, err := accuracy.ValuesOf(ctx, g, solve.Options{Memory: memory}, &solve.ProofOptions{Memory: 1e6})
		if err != nil || values.Proves() != (i == 1) {
			t.Fatalf("proofs %v with %d bytes, %v", i == 1, memory, err)
		}
		r, err := accuracy.Agent(ctx, values, g, spec, 300, 1, nil)
		if err != nil || r.Decisions != 300 || (r.Unproved == nil) != (i == 0) {
			t.Fatalf("%+v, %v", r, err)
		}
		kept[i] = r.Kept
	}
	if kept[0] != kept[1] || kept[0] == 300 {
		t.Errorf("%d decisions kept the value by the table, %d by proofs", kept[0], kept[1])
	}
	values := must.Get(accuracy.ValuesOf(ctx, g, solve.Options{Memory: 1}, &solve.ProofOptions{Memory: 1e6, Nodes: 1}))(t)
	if r, err := accuracy.Agent(ctx, values, g, spec, 50, 1, nil); err != nil || r.Decisions+*r.Unproved != 50 ||
		*r.Unproved == 0 {
		t.Errorf("with one node: %+v, %v", r, err)
	}
}
