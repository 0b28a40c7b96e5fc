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

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

func solvedTable(t testing.TB, g *engines.Game) *solve.Table {
	t.Helper()
	solved := must.Get(solve.Solve(context.Background(), g, solve.Options{}))(t)
	return solved
}

type record struct {
	ID          string          `json:"id"`
	Perspective string          `json:"perspective"`
	Moves       []string        `json:"moves"`
	Plies       json.RawMessage `json:"plies"`
	Arc         []float64       `json:"arc"`
}

// golden calls do with each annotated game.
func golden(t *testing.T, do func(r record)) {
	f := must.Get(os.Open("testdata/classic_review.jsonl.gz"))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		must.Do(t, json.Unmarshal(lines.Bytes(), &r))
		do(r)
	}
	must.Do(t, lines.Err())
}

// The games that the original program annotated agree in every field that it has: it stated no expected scores.
func TestClassicGolden(t *testing.T) {
	g := enginetest.Load(t, "classic")
	exact := &Scale{Exact, byTable(solvedTable(t, g)), isClassic(g)}
	games := 0
	golden(t, func(r record) {
		games++
		have, err := exact.review(g, r.Moves, strings.Index("XO", r.Perspective))
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		var want []Ply
		must.Do(t, json.Unmarshal(r.Plies, &want))
		for i := range want {
			p := have.Plies[i]
			want[i].Before, want[i].After, want[i].Loss = p.Before, p.After, p.Loss
		}
		if !reflect.DeepEqual(have.Plies, want) || !reflect.DeepEqual(have.Arc, r.Arc) {
			t.Errorf("%s: %s: %+v %v, want %+v %v", r.ID, r.Moves, have.Plies, have.Arc, want, r.Arc)
		}
	})
	if games != 75 {
		t.Errorf("%d games, want 75", games)
	}
}

func TestGenericExact(t *testing.T) {
	g := enginetest.Load(t, "vanishing")
	r := must.Get((&Scale{Source: Exact, rate: byTable(solvedTable(t, g))}).review(g, []string{"b1", "a1", "a2"}, 0))(t)
	first := r.Plies[0]
	if first.Class != Best || first.Rating != 87 || first.Label != "W12" || first.Before != 1 || first.After != 1 || first.Loss != 0 ||
		strings.Join(first.Best, " ") != "b1 a2 c2 b3" {
		t.Errorf("an edge opening wins in 13: %+v", first)
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
		all := must.Get(byTable(solved)(g.NewPosition()))(t)
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
		r := must.Get((&Scale{rate: byEvaluator(evaluator)}).review(g, []string{move}, 1))(t)
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
	all := must.Get(byEvaluator(evaluator)(enginetest.Load(t, "classic").NewPosition()))(t)
	for i, want := range []int{-99, -99, -99, -80, -50, 0, 50, 98, 99} {
		if all[i].Rating != want || all[i].Score != scores[i] || all[i].Exact {
			t.Errorf("score %g: %+v, want rating %d", scores[i], all[i], want)
		}
	}
}

func TestRefusals(t *testing.T) {
	g := enginetest.Load(t, "classic")
	if _, err := (&Scale{Source: Exact, rate: byTable(solvedTable(t, g))}).review(g, []string{"a1", "a1"}, 0); err == nil ||
		!strings.HasPrefix(err.Error(), "ply 2: ") {
		t.Errorf("illegal move: %v", err)
	}
	short := func(*engines.Position) ([]float64, error) { return []float64{1}, nil }
	if _, err := (&Scale{rate: byEvaluator(short)}).review(g, []string{"a1"}, 0); err == nil {
		t.Error("scores are missing")
	}
}
