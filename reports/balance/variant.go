package balance

import (
	"context"
	"fmt"
	"strings"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/tuning/target"
)

// OfVariant measures the games under the rules with the given label, in the events of a sweep for which wanted returns
// true. Games of an agent against itself count, whatever the event is for.
func OfVariant(ctx context.Context, db *store.DB, label string, wanted func(study.Event) bool,
	workers int,
) (target.Measured, error) {
	data, err := FromStudy(ctx, db, label)
	if err != nil {
		return target.Measured{}, err
	}
	data.only(func(e Event) bool { return wanted(e.Event) })
	for i := range data.Events {
		switch e := &data.Events[i]; e.Purpose {
		case campaign.PurposeLadder, campaign.PurposeRoundLadder, campaign.PurposeFreshLadder:
			e.Purpose = campaign.PurposeLadder
		default:
			e.Purpose = campaign.PurposeMirror
		}
	}
	r, err := Measure(ctx, data, Options{Workers: workers, SolveMemory: -1})
	if err != nil {
		return target.Measured{}, err
	}
	out := target.Measured{ByAgent: map[string]target.Numbers{}, Depth: r.Numbers()["depth"]}
	for i := range r.Groups {
		if agent, ok := strings.CutPrefix(r.Groups[i].Key, "mirror/"); ok {
			n := r.numbers(&r.Groups[i])
			if g := &r.Groups[i]; g.Same() {
				score := n["score"]
				score.Note = fmt.Sprintf("%d games, of which only %d are distinct: each of these counts once", g.Games, g.Distinct)
				n["score"] = score
			}
			out.ByAgent[agent] = n
		}
	}
	return out, nil
}
