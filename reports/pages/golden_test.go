package pages

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/campaign"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/page"
	"spar/tuning"
	"spar/tuning/fit"
	"spar/tuning/optimise"
	"spar/tuning/target"
	"spar/tuning/variants"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must.Do(t, os.WriteFile(path, got, 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-update writes it): %s", name, d)
	}
}

// made is a share with an interval of five points to each side, of 100 games.
func made(v float64) ratings.Estimate {
	return ratings.Estimate{
		Value: v, Interval: ratings.Interval{Lo: v - 0.05, Hi: v + 0.05}, N: 100, Unit: "games",
		Scale: ratings.ScaleShare, Method: "wilson",
	}
}

func match(score, elo, half float64) tuning.Match {
	return tuning.Match{
		Score: ratings.Estimate{
			Value: score, N: 40, Unit: "pairs", Scale: ratings.ScaleShare,
			Interval: ratings.Interval{Lo: score - 0.1, Hi: score + 0.1},
		},
		Elo: ratings.Estimate{
			Value: elo, N: 40, Unit: "pairs", Scale: ratings.ScaleElo,
			Interval: ratings.Interval{Lo: elo - half, Hi: elo + half},
		},
	}
}

// madeSweep is a sweep over two knobs in which everything is there: rounds, effects, an exact value, a target that is
// met.
func madeSweep() *variants.Result {
	r := result(true, "win.line", "pieces.cap")
	r.Rounds = []variants.Round{{Round: 1, Candidates: 8, Games: 20, Kept: []string{"x", "y"}}}
	r.Notes = []string{"take care"}
	r.Effects = []variants.Effect{{Path: "win.line", Value: "2", Numbers: variants.Numbers{"score": made(0.1)}}}
	r.Variants[3].Verdict, r.Variants[2].Numbers["score"] = target.Met, ratings.Estimate{}
	r.Variants[0].Winner, r.Variants[0].Plies, r.Variants[0].Far = "second", 8, 1
	r.Again[0].Judged = []target.Judged{{
		Rules: "classic[0]", Target: "fpa<=0.05", Measure: "fpa", Verdict: target.Met,
		Number: measured(0),
	}}
	return r
}

func madeTuning(t *testing.T) Tuned {
	t.Helper()
	r := &tuning.Result{
		Games: 100, Warnings: []string{"few"},
		Changes: []tuning.Change{
			{Path: "x", Before: 10, After: 14, Noise: 2, Scale: 4},
			{Path: "y", Before: 5, After: 4, Scale: 1},
		},
		Course:    []tuning.Point{{Games: 50, Current: []float64{12, 5}}, {Games: 100, Current: []float64{14, 4}}},
		Checks:    []tuning.Check{{Games: 50, Match: match(0.6, 70, 20), Pool: match(0.55, 0, 0).Score}},
		StartPool: match(0.4, 0, 0).Score, Movement: new(0.7),
		Model: madeModel(),
	}
	x := &tuning.Examination{
		Name: "n", Candidate: "c", Condition: "depth 3", Worst: "b", WorstWas: "a", Look: 2, Direct: match(0.55, 35, 10),
		Deeper:   match(0.45, -35, 10),
		Training: &r.Checks[0], Optimism: &ratings.Estimate{
			Value: 35, SE: 10, N: 40, Scale: ratings.ScaleElo,
			Interval: ratings.Interval{Lo: 15.4, Hi: 54.6},
		},
		Pool: []tuning.PoolRow{
			{Opponent: "a", Tuned: match(0.7, 147, 10), Start: match(0.6, 70, 10)},
			{Opponent: "b", Tuned: match(0.4, -70, 10), Start: match(0.5, 0, 10)},
		},
		Earlier: []string{"e"}, Warnings: []string{"w"},
	}
	x.SPRT.SPRTResult = ratings.SPRTResult{
		State: ratings.StateAcceptH1, Elo: ratings.Estimate{N: 40}, LLR: 2.95, Lower: -2.94, Upper: 2.94,
		SPRT: ratings.SPRT{Elo1: 5},
	}
	return Tuned{Tuning: madePlan(t), Result: r, Examination: x}
}

func madePlan(t *testing.T) *tuning.Tuning {
	t.Helper()
	plan := &tuning.Tuning{
		Game: enginetest.Load(t, "classic"), Label: "classic",
		Params: []tuning.Param{{Parameter: optimise.Parameter{Name: "x", Start: 1.5, Scale: 0.25}}},
	}
	plan.Name, plan.Method, plan.Start.Name, plan.Direction, plan.Games, plan.Database = "t", "spsa", "greedy", true, 400,
		"t.db"
	return plan
}

func madeModel() *fit.Model {
	return &fit.Model{
		Games: 30, Held: 0.6, Samples: 70, Null: 0.7, Slope: 0.9,
		Weights: []fit.Weight{
			{Feature: "p", Value: 0.5},
			{Feature: "q", Dead: true},
		},
		Ridges: []fit.RidgeRow{
			{Ridge: 1, Train: 0.5, Held: 0.62, HeldSE: 0.01},
			{Ridge: 10, Train: 0.55, Held: 0.6, HeldSE: 0.01, Chosen: true},
		},
	}
}

// Documents say what their data say: the whole of each is a golden file.
func TestDocuments(t *testing.T) {
	t.Parallel()
	one := result(false, "win.line")
	one.Again = nil
	trained := madeTuning(t)
	trained.Examination = nil
	for name, d := range map[string]*page.Document{
		"sweep":     Sweep(madeSweep(), []page.Command{{Text: "spar sweep x.yaml"}}),
		"sweep-one": Sweep(one, nil),
		"tuning":    Tuning(madeTuning(t)),
		"training":  Tuning(trained),
	} {
		var b bytes.Buffer
		if err := d.Markdown(&b, func(id string) string { return "figures/" + id + ".svg" }); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		golden(t, name+".md", b.Bytes())
	}
}

// What studies, sweeps and tunings say on a terminal.
func TestTexts(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	write := func(name string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b.WriteString("\n== above: " + name + "\n\n")
	}
	write("sweep", Sweep(madeSweep(), nil).Text(&b, 100))
	plan := &variants.Sweep{
		Variants: []variants.Variant{
			{Rules: campaign.Rules{Label: "classic"}, Base: true},
			{Rules: campaign.Rules{Label: "classic[win.line=2]"}},
		},
		Skipped: []variants.Skipped{{Rules: "win.line=9", Reason: "does not fit"}},
	}
	plan.Name, plan.Design, plan.Database = "s", "grid", "s.db"
	write("plan of a sweep", SweepPlanText(&b, plan))
	made := madeTuning(t)
	write("examination", Examined(made.Examination).Text(&b, 0))
	made.Examination = nil
	write("tuning", Tuning(made).Text(&b, 0))
	write("plan of a tuning", Planned(madePlan(t)).Text(&b, 0))
	golden(t, "texts.txt", b.Bytes())
}
