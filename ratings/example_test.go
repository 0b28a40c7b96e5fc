package ratings_test

import (
	"fmt"

	"spar/ratings"
)

// Results of any two-player game give ratings with intervals; games of one pair are not counted as independent.
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
	fmt.Println("ann is ahead:", d.Elo.Interval.Lo > 0, err)
	_, err = fit.Difference("ann", "eve")
	fmt.Println(err)
	// Output:
	// ann is ahead: true <nil>
	// ratings: unknown player: "eve"
}
