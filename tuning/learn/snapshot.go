package learn

import (
	"context"
	"fmt"

	"spar/agents/patterns"
	"spar/arena/live"
	"spar/arena/store"
	"spar/engines"
)

// snapshot is a copy of the net at an earlier time of the training.
type snapshot struct {
	Games   int64 // number of games the net had learned from by then
	Numbers []float32
	net     *patterns.Net
}

// pasts are the fractions of a training, 1/n, after which a snapshot is kept, since strength grows roughly with the
// logarithm of the games.
var pasts = [...]int64{16, 8, 4, 2}

// keepSnapshot keeps a snapshot if one is due.
func (t *Training) keepSnapshot() error {
	if n := len(t.snapshots); n < len(pasts) && t.done*pasts[n] >= t.o.Games {
		net, err := t.Net()
		if err != nil {
			return err
		}
		t.snapshots = append(t.snapshots, snapshot{t.done, net.Numbers(), net})
	}
	return nil
}

// revive makes the nets of the snapshots of a checkpoint.
func (t *Training) revive(kept []snapshot) error {
	for i := range kept {
		net, err := t.layout.New(kept[i].Numbers)
		if err != nil {
			return fmt.Errorf("the net of %d games: %w", kept[i].Games, err)
		}
		kept[i].net = net
	}
	return nil
}

// playCurve plays the net against its snapshots, in minimax with the same number of positions per move: all nets are
// equally fast.
func (x Examination) playCurve(ctx context.Context, db *store.DB, net *patterns.File, past []snapshot, g *engines.Game,
	feed *live.Feed,
) ([]patterns.Rung, error) {
	var out []patterns.Rung
	x.Pairs = x.CurvePairs
	whole := x.Limit
	for i, o := range past {
		x.Limit = whole.Part(1 / float64(len(past)-i))
		_, data, err := o.net.With(patterns.Provenance{Games: o.Games})
		if err != nil {
			return out, err
		}
		file, err := patterns.NewFile(data)
		if err != nil {
			return out, err
		}
		then := RivalOf(fmt.Sprintf("after %d games", o.Games), file)
		c := Matchup{Search: "minimax", Against: then.Name, Budget: max(1, x.Nodes/4)}
		c.Ours = c.Budget
		name := fmt.Sprintf("%s %.8s: against itself %s, ", g.Name(), net.Hash(), then.Name)
		sides := c.sides(net, then)
		if err := x.matchup(ctx, db, g, name, sides, &c, feed); err != nil {
			return out, err
		}
		if c.Pairs > 0 {
			out = append(out, patterns.Rung{Games: o.Games, Score: c.Score, Lo: c.Lo, Hi: c.Hi, Pairs: c.Pairs})
		}
	}
	return out, nil
}
