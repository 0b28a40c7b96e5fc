package ratings_test

import (
	"fmt"

	"spar/ratings"
)

// Results of any two-player game give ratings with intervals. Games with the same Pair count as one unit.
func ExampleBuilder() {
	var b ratings.Builder
	for i := range 100 {
		pair := fmt.Sprint(i)
		back := ratings.SecondWins // ann wins as the second player, too
		if i%4 == 0 {
			back = ratings.FirstWins
		}
		for _, g := range []ratings.Game{
			{First: "ann", Second: "bob", Result: ratings.FirstWins, Stratum: "classic", Pair: pair},
			{First: "bob", Second: "ann", Result: back, Stratum: "classic", Pair: pair},
		} {
			if err := b.Add(g); err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	fit, err := b.Table().Fit(ratings.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := fit.Difference("ann", "bob")
	fmt.Println("ann is ahead:", d.Elo.Lo > 0, err)
	_, err = fit.Difference("ann", "eve")
	fmt.Println(err)
	// Output:
	// ann is ahead: true <nil>
	// ratings: unknown player: "eve"
}

// A match of 40 pairs by points 0, ½, 1, 1½ and 2, as an estimate of the score and in Elo.
func ExampleAnalyzeMatch() {
	m, err := ratings.AnalyzeMatch([]float64{4, 6, 12, 10, 8}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Score)
	fmt.Println(m.Elo)
	// Output:
	// 57 % (48 to 67, 40 pairs)
	// +53 Elo (-17 to 127, 40 pairs)
}

// A sequential test stops as soon as its results decide between two strengths.
func ExampleTracker() {
	tracker, err := ratings.NewTracker(ratings.SPRT{Elo0: 0, Elo1: 50}, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, pairs := ratings.StateContinue, 0
	for ; state == ratings.StateContinue; pairs++ {
		points := []int{4, 3, 2, 4}[pairs%4] // of a pair, doubled
		if state, err = tracker.Add(points); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(state, "after", pairs, "pairs")
	// Output: accept_h1 after 24 pairs
}

// 12 successes of 40, with Wilson's interval, and the interval that stays valid however often one looks.
func ExampleWilson() {
	fmt.Println(ratings.Wilson(12, 40, 0.95))
	fmt.Println(ratings.ConfidenceSequence([]int64{28, 12}, 0.95))
	// Output:
	// 30 % (18 to 45, 40 games)
	// 30 % (11 to 55, 40 games)
}
