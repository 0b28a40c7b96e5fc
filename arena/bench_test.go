package arena_test

import (
	"context"
	"fmt"
	"testing"

	"spar/arena"
)

// A game of two random agents under the rules of classic, stored: what a game costs besides thinking. The figure to
// look at is the processor time of the process.
func BenchmarkStoredGames(b *testing.B) {
	db := newStudy(b)
	p := plan(b, fmt.Sprintf("{name: bench, games: [classic], agents: [random, {agent: random, name: "+
		"other}], pairs: %d}", (b.N+1)/2))
	b.ReportAllocs()
	ctx := context.Background()
	if _, err := arena.Run(ctx, ctx, p, db, arena.Options{}); err != nil {
		b.Fatal(err)
	}
}
