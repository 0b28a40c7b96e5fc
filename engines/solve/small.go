package solve

import (
	"context"
	"errors"

	"spar/engines"
)

// SmallCells and SmallMemory define a small game, which Spar solves whenever it needs exact values. It has at most
// SmallCells cells, and solving it needs at most SmallMemory bytes, which is enough for about two million states.
const (
	SmallCells  = 20
	SmallMemory = 100 << 20
)

// Small solves a small game, which takes at most a few seconds. It returns nil for other games. The caller must
// close the table.
func Small(ctx context.Context, g *engines.Game) (*Table, error) {
	if g.Cells() > SmallCells {
		return nil, nil
	}
	return Within(ctx, g, SmallMemory)
}

// Within solves a game if that needs at most the given memory in bytes; otherwise it returns nil. The caller must
// close the table.
func Within(ctx context.Context, g *engines.Game, memory int64) (*Table, error) {
	if _, err := g.NewCodec(); err != nil {
		return nil, nil // a position does not fit a key
	}
	if _, err := Endless(g); err != nil {
		return nil, nil
	}
	t, err := Solve(ctx, g, Options{Memory: memory})
	var large *MemoryError
	if errors.As(err, &large) {
		return nil, nil
	}
	return t, err
}
