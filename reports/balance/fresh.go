package balance

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"spar/arena/campaign"
)

// chosenBy removes the games with which a search chose the rules, if there are later measurements of these rules,
// because the games that led to the choice look too good. It returns a note about that.
func (d *Data) chosenBy() string {
	fresh := func(e Event) bool {
		return e.Purpose == campaign.PurposeFresh || e.Purpose == campaign.PurposeFreshLadder
	}
	round := func(e Event) bool {
		return e.Purpose == campaign.PurposeRound || e.Purpose == campaign.PurposeRoundLadder
	}
	all := int64(0)
	for _, e := range d.Events {
		all += e.Games
	}
	switch {
	case slices.ContainsFunc(d.Events, fresh):
		if d.only(fresh); len(d.Events) == 0 {
			return ""
		}
		left := all
		for i := range d.Events {
			left -= d.Events[i].Games
			d.Events[i].Purpose = map[string]string{
				campaign.PurposeFresh: campaign.PurposeMirror, campaign.PurposeFreshLadder: campaign.PurposeLadder,
			}[d.Events[i].Purpose]
		}
		if left == 0 {
			return ""
		}
		return fmt.Sprintf(
			"Spar skips the %d games that a search used to choose these rules; only games with fresh seeds count", left)
	case slices.ContainsFunc(d.Events, round):
		return "a search used these games to choose the rules and played no fresh ones, so these numbers are too optimistic"
	}
	return ""
}

// only keeps the given events and their games.
func (d *Data) only(keep func(Event) bool) {
	d.Events = slices.DeleteFunc(slices.Clone(d.Events), func(e Event) bool { return !keep(e) })
	known := map[int64]bool{}
	for _, e := range d.Events {
		known[e.ID] = true
	}
	games := d.Games
	d.Games = func(ctx context.Context) iter.Seq2[*Game, error] {
		return func(yield func(*Game, error) bool) {
			for g, err := range games(ctx) {
				if err == nil && !known[g.Event] {
					continue
				}
				if !yield(g, err) || err != nil {
					return
				}
			}
		}
	}
}
