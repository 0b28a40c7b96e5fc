package review

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

func solvedTable(t testing.TB, g *engines.Game) *solve.Table {
	t.Helper()
	solved, err := solve.Solve(context.Background(), g, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return solved
}

type record struct {
	ID          string          `json:"id"`
	Perspective string          `json:"perspective"`
	Moves       []string        `json:"moves"`
	Plies       json.RawMessage `json:"plies"`
	Arc         json.RawMessage `json:"arc"`
}

// golden calls do with each annotated game.
func golden(t *testing.T, do func(r record)) {
	f, err := os.Open("testdata/classic_review.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		do(r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// agrees compares a value with JSON as JSON: no key may be missing, none added.
func agrees(t *testing.T, have any, want json.RawMessage) bool {
	t.Helper()
	text, err := json.Marshal(have)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &b); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(a, b)
}

// The games that the original program annotated agree in every field.
func TestClassicGolden(t *testing.T) {
	g := enginetest.Load(t, "classic")
	games, plies, agreed := 0, 0, 0
	golden(t, func(r record) {
		games++
		have, err := classicScale().review(g, r.Moves, strings.Index("XO", r.Perspective))
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		plies += len(have.Plies)
		if !agrees(t, have.Plies, r.Plies) || !agrees(t, have.Arc, r.Arc) {
			t.Errorf("%s disagrees: %s", r.ID, r.Moves)
			return
		}
		agreed++
	})
	if games != 75 {
		t.Errorf("%d games, want 75", games)
	}
	t.Logf("%d of %d games agree, %d plies", agreed, games, plies)
}

// The numbers of moves by rating and class, over every position of the game.
func TestClassicClassCounts(t *testing.T) {
	type pair struct {
		rating int
		class  string
	}
	want := map[pair]int{
		{99, Best}: 2782, {97, Best}: 424, {97, Excellent}: 1180, {95, Best}: 224, {95, Excellent}: 32, {95, Good}: 16,
		{0, Good}: 1789, {0, Inaccuracy}: 1384,
		{-94, Mistake}: 196, {-96, Good}: 148, {-96, Mistake}: 720, {-98, Good}: 1756, {-98, Mistake}: 5516,
	}
	have := map[pair]int{}
	memo := minimax{}
	seen := map[uint64]bool{}
	var walk func(s engines.State)
	walk = func(s engines.State) {
		if s.Over() || seen[s.Hash()] {
			return
		}
		seen[s.Hash()] = true
		all := memo.moves(&s)
		for _, r := range all {
			better := map[int]bool{}
			for _, o := range all {
				if o.Rating > r.Rating {
					better[o.Rating] = true
				}
			}
			have[pair{r.Rating, classicClass(len(better), r.Rating)}]++
			next := s
			next.Play(r.Move)
			walk(next)
		}
	}
	walk(enginetest.Load(t, "classic").NewState())
	if len(seen) != 4520 || !reflect.DeepEqual(have, want) {
		t.Errorf("%d positions, %v; want 4520, %v", len(seen), have, want)
	}
}

// The solved table and the minimax of Classic rate moves alike.
func TestExactAgreesWithClassic(t *testing.T) {
	g := enginetest.Load(t, "classic")
	solved := solvedTable(t, g)
	golden(t, func(r record) {
		perspective := strings.Index("XO", r.Perspective)
		want, err := classicScale().review(g, r.Moves, perspective)
		if err != nil {
			t.Fatal(err)
		}
		have, err := genericScale("", byTable(solved)).review(g, r.Moves, perspective)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(have.Arc, want.Arc) {
			t.Errorf("%s: arc %v, want %v", r.ID, have.Arc, want.Arc)
		}
		for i, p := range have.Plies {
			w := want.Plies[i]
			w.Class, w.Scores = p.Class, p.Scores
			if !reflect.DeepEqual(p, w) {
				t.Errorf("%s: ply %d: %+v, want %+v", r.ID, i+1, p, w)
			}
		}
	})
}

func TestGenericExact(t *testing.T) {
	g := enginetest.Load(t, "vanishing")
	r, err := genericScale("", byTable(solvedTable(t, g))).review(g, []string{"b1", "a1", "a2"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	first := r.Plies[0]
	if first.Class != Best || first.Rating != 87 || first.Label != "W12" || *first.Scores != (Scores{1, 1, 0}) ||
		strings.Join(first.Best, " ") != "b1 a2 c2 b3" {
		t.Errorf("an edge opening wins in 13: %+v %+v", first, first.Scores)
	}
	if r.Arc[1] != 0.435 {
		t.Errorf("arc %v", r.Arc)
	}
}

// A win that the ply cap comes before is a draw.
func TestPlyCap(t *testing.T) {
	open := enginetest.Load(t, "rolling")
	solved := solvedTable(t, open)
	for _, c := range []struct {
		cap  string
		want int
	}{{"9", 91}, {"8", 0}} {
		g := enginetest.Load(t, "rolling", "draw.max_plies="+c.cap)
		all, err := byTable(solved)(g.NewPosition())
		if err != nil {
			t.Fatal(err)
		}
		if best := BestMoves(all); best[0].Rating != c.want {
			t.Errorf("cap %s: best %+v, want rating %d", c.cap, best[0], c.want)
		}
	}
}

// The classes follow from the loss against the best score.
func TestThresholds(t *testing.T) {
	g := enginetest.Load(t, "classic")
	scores := []float64{0.6, 0.6, 0.58, 0.55, 0.45, 0.44, 0, 0, 0}
	evaluator := func(*engines.Position) ([]float64, error) { return scores, nil }
	for cell, want := range []string{Best, Best, Excellent, Good, Inaccuracy, Mistake, Mistake} {
		move := g.CellName(engines.Cell(cell))
		r, err := genericScale("", byEvaluator(evaluator)).review(g, []string{move}, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Plies[0]
		if p.Class != want || p.Named() != map[bool]string{true: move, false: "a1"}[cell < 2] ||
			p.Bar != round(1-scores[cell]) {
			t.Errorf("%s: %+v, want class %s", move, p, want)
		}
	}
}

// A score of an evaluator is rated from -99, lost, over 0 to 99, won: two points for each hundredth that it lies above
// a half.
func TestRatingsOfScores(t *testing.T) {
	t.Parallel()
	scores := []float64{0, 0.004, 0.006, 0.1, 0.25, 0.5, 0.75, 0.99, 1}
	evaluator := func(*engines.Position) ([]float64, error) { return scores, nil }
	all, err := byEvaluator(evaluator)(enginetest.Load(t, "classic").NewPosition())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{-99, -99, -99, -80, -50, 0, 50, 98, 99} {
		if all[i].Rating != want || all[i].Score != scores[i] || all[i].Exact {
			t.Errorf("score %g: %+v, want rating %d", scores[i], all[i], want)
		}
	}
}

func TestRefusals(t *testing.T) {
	if IsClassic(enginetest.Load(t, "vanishing")) {
		t.Error("vanishing passes for classic")
	}
	g := enginetest.Load(t, "classic")
	if _, err := classicScale().review(g, []string{"a1", "a1"}, 0); err == nil ||
		!strings.HasPrefix(err.Error(), "ply 2: ") {
		t.Errorf("illegal move: %v", err)
	}
	short := func(*engines.Position) ([]float64, error) { return []float64{1}, nil }
	if _, err := genericScale("", byEvaluator(short)).review(g, []string{"a1"}, 0); err == nil {
		t.Error("scores are missing")
	}
}
