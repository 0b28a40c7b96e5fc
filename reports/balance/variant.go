package balance

import (
	"context"
	"iter"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/tuning/target"
)

// OfVariant measures the given events of the rules with a label, for a sweep. All games of an agent against itself
// count as mirror games.
func OfVariant(ctx context.Context, db *store.DB, label string, wanted func(study.Event) bool,
	workers int,
) (target.Measured, error) {
	data, err := FromStudy(ctx, db, label)
	if err != nil {
		return target.Measured{}, err
	}
	keep := map[int64]bool{}
	var events []Event
	for _, e := range data.Events {
		if !wanted(e.Event) {
			continue
		}
		keep[e.ID] = true
		switch e.Purpose {
		case campaign.PurposeLadder, campaign.PurposeRoundLadder, campaign.PurposeFreshLadder:
			e.Purpose = campaign.PurposeLadder
		default:
			e.Purpose = campaign.PurposeMirror
		}
		events = append(events, e)
	}
	data.Events = events
	data.Games = gamesOf(data.Games, keep)
	r, err := Measure(ctx, data, Options{Workers: workers, SolveMemory: -1})
	if err != nil {
		return target.Measured{}, err
	}
	out := target.Measured{ByAgent: map[string]target.Numbers{}, Depth: r.Numbers()["depth"]}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Kind == "mirror" && g.Tier >= 0 && g.Tier < len(r.Tiers) {
			out.ByAgent[r.Tiers[g.Tier].Name] = g.Numbers()
		}
	}
	return out, nil
}

// gamesOf yields the games of the given events. At the first error it passes the error on and ends.
func gamesOf(all func(context.Context) iter.Seq2[*Game, error],
	keep map[int64]bool,
) func(context.Context) iter.Seq2[*Game, error] {
	return func(ctx context.Context) iter.Seq2[*Game, error] {
		return func(yield func(*Game, error) bool) {
			for g, err := range all(ctx) {
				if err == nil && !keep[g.Event] {
					continue
				}
				if !yield(g, err) || err != nil {
					return
				}
			}
		}
	}
}
