package engines_test

import (
	"fmt"

	"spar/engines"
)

// Rules are compiled once; positions are values that know their legal moves.
func Example() {
	game, err := engines.Named("vanishing", "pieces.cap=4")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := game.NewPosition()
	if err := p.PlayText([]string{"b2", "a1"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Text(), p.MoveCount(), "moves")
	next := p.Clone()
	next.Play(p.AppendMoves(nil)[0])
	fmt.Println(next.Side(), next.Over(), p.Ply())
	fmt.Println(p.PlayText([]string{"a1"}))
	// Output:
	// O../.X./... X 2 ages=b2|a1 last=a1 7 moves
	// 1 false 2
	// ply 3: illegal move a1: the cell is occupied
}
