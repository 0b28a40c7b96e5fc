package tuning_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/ratings"
	"spar/tuning"
)

// Optimism is what the training saw less what the examination sees: positive when the training looked better. A
// training check that won 9 of 10 points, over an agent that is the start itself and wins half of the examination, was
// too optimistic by about 400·log10(0.9/0.1) = 381.7 Elo; one that lost as much was too pessimistic by it.
func TestOptimismIsTrainingLessExamination(t *testing.T) {
	t.Parallel()
	// 20 pairs, 16 of 2 points and 4 of 1: 36 of 40. And the reverse.
	for name, c := range map[string]struct {
		pairs [5]float64
		score float64
	}{
		"too good": {[5]float64{0, 0, 4, 0, 16}, 0.9},
		"too bad":  {[5]float64{16, 0, 4, 0, 0}, 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := load(t, small, "validation.max_pairs=8", "validation.pairs=40", "validation.pool=[]",
				"validation.deeper_pairs=1")
			m := must.Get(ratings.AnalyzeMatch(c.pairs[:], 0.95))(t)
			check := tuning.Check{Games: 240, Match: tuning.Match{Score: m.Score, Elo: m.Elo}, Pairs: c.pairs}
			e := must.Get(x.Validate(t.Context(), open(t, x), x.Start, &check, nil))(t)
			elo := func(score float64) float64 { return 400 * math.Log10(score/(1-score)) }
			if want := elo(c.score) - elo(e.Direct.Score.Value); math.Abs(e.Optimism.Value-want) > 1e-6 ||
				(want > 0) != (c.score > 0.5) {
				t.Errorf("optimism %+.1f Elo, want %+.1f", e.Optimism.Value, want)
			}
			// The delta method: the slope of Elo in the score is 400/ln 10 / (s(1-s)). The training's standard error is
			// that of 20 pairs of which 4 are 0.4 and 16 are 0.1 from the mean: sqrt((4·0.16 + 16·0.01)/20/19).
			slope := func(s float64) float64 { return 400 / math.Ln10 / (s * (1 - s)) }
			a := slope(0.9) * math.Sqrt((4*0.16+16*0.01)/20/19)
			if want := math.Hypot(a, slope(e.Direct.Score.Value)*e.Direct.Score.SE); math.Abs(e.Optimism.SE-want) > 1e-6 {
				t.Errorf("its error %.2f, want %.2f", e.Optimism.SE, want)
			}
		})
	}
	x := load(t, small, "validation.max_pairs=8", "validation.pairs=8", "validation.pool=[]", "validation.deeper_pairs=1")
	e := must.Get(x.Validate(t.Context(), open(t, x), x.Start, nil, nil))(t)
	if e.Optimism != nil || e.Training != nil {
		t.Errorf("optimism %+v without a training", e.Optimism)
	}
}

// The examination is told from the candidate's side, and its sums are right: against a start that plays at random a
// greedy agent wins nearly all, in the test and the match, and against the pool it is the better of the
// two.
func TestExaminationIsFromTheCandidatesSide(t *testing.T) {
	t.Parallel()
	x := load(t, small, "agent={agent: greedy, set: {mixture.epsilon: 1}}", "validation.max_pairs=60",
		"validation.pairs=20", "validation.pool=[random, handmade, greedy, uct-1k]", "validation.deeper_pairs=6")
	candidate := x.Start
	candidate.Name, candidate.Mixture.Epsilon = "uct-1k", 0 // nobody plays who is called as one of the two
	e := must.Get(x.Validate(t.Context(), open(t, x), candidate, nil, nil))(t)
	if e.Direct.Score.Value < 0.8 || e.Direct.Score.N != 20 || e.Deeper.Score.Value < 0.5 || e.Deeper.Score.N != 6 {
		t.Errorf("direct %.2f of %d pairs, deeper %.2f of %d; want nearly all of 20 and most of 6", e.Direct.Score.Value,
			e.Direct.Score.N, e.Deeper.Score.Value, e.Deeper.Score.N)
	}
	if e.SPRT.State != ratings.StateAcceptH1 || e.SPRT.Elo.N >= 60 || e.SPRT.Score < 0.8 {
		t.Errorf("the sequential test: %s after %d pairs, score %.2f; want it accepted before 60", e.SPRT.State, e.SPRT.Elo.N,
			e.SPRT.Score)
	}
	if len(e.Pool) != 2 || e.Pool[0].Opponent != "random" || e.Pool[0].Tuned.Score.Value < 0.8 ||
		math.Abs(e.Pool[0].Start.Score.Value-0.5) > 0.3 {
		t.Errorf("pool %+v", e.Pool)
	}
	if e.Worst != "handmade" || e.WorstWas != "handmade" {
		t.Errorf("worst against %q, was %q; want handmade, as random is no match", e.Worst, e.WorstWas)
	}
	// Two games a pair: those of the test, 20 of the match, 20 by each of the two against each of the pool, 6 deeper.
	if want := 2*int64(e.SPRT.Elo.N) + 2*(20+4*20+6); e.Games != want {
		t.Errorf("%d games, want %d", e.Games, want)
	}
	if e.Condition != "minimax, depth 2" {
		t.Errorf("deeper is %q", e.Condition)
	}
}

// The sequential test ends at the same game with any number of workers: what they have played after it is surplus, in
// the study, too, and an examination that goes on after a stop, or is recalled, is the same.
func TestSequentialTestOfAnyWorkers(t *testing.T) {
	t.Parallel()
	var want *tuning.Examination
	for _, workers := range []int{1, 2, 8} {
		x := load(t, small, "agent={agent: greedy, set: {mixture.epsilon: 1}}", "validation.max_pairs=200",
			"validation.pairs=4", "validation.pool=[]", "validation.deeper_pairs=1", fmt.Sprintf("workers=%d", workers))
		candidate := x.Start
		candidate.Name, candidate.Mixture.Epsilon = "good", 0
		db := open(t, x)
		if workers == 8 {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := x.Validate(ctx, db, candidate, nil, stopAfter(9, cancel))
			if cancel(); !errors.As(err, new(*arena.StoppedError)) {
				t.Fatalf("not stopped: %v", err)
			}
		}
		e := must.Get(x.Validate(t.Context(), db, candidate, nil, nil))(t)
		if want == nil {
			want = e
		}
		if !reflect.DeepEqual(e, want) || e.SPRT.State != ratings.StateAcceptH1 || e.SPRT.Elo.N >= 100 {
			t.Errorf("%d workers: %s after %d pairs, %d games; with one %s after %d, %d", workers, e.SPRT.State, e.SPRT.Elo.N,
				e.Games, want.SPRT.State, want.SPRT.Elo.N, want.Games)
		}
		counting := int64(0)
		for _, row := range storetest.Games(t, db, store.Filter{}) {
			if after := row.Number < 2*200 && row.Number >= 2*int64(e.SPRT.Elo.N); after != (row.Marks == evidence.Surplus) {
				t.Errorf("%d workers: game %d is marked %q", workers, row.Number, row.Marks)
			}
			if row.Marks.Counts(evidence.Strength) {
				counting++
			}
		}
		if counting != e.Games {
			t.Errorf("%d workers: %d games count in the study, %d in the examination", workers, counting, e.Games)
		}
		if recalled, err := x.RecallValidation(t.Context(), db, candidate, nil); err != nil ||
			!reflect.DeepEqual(recalled, e) {
			t.Errorf("%d workers: recalled %+v, %v", workers, recalled, err)
		}
	}
}
