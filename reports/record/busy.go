package record

import (
	"context"
	"encoding/json"
	"fmt"

	"spar/agents"
	"spar/arena/store"
	"spar/arena/study"
)

// leastCPU is the least processor time of a run over the thinking time of its agents that needs no warning.
const leastCPU = 0.75

// Busy returns a warning for each event that limits wall time and in which the agents had much less processor time
// than thinking time. The cause is another load on the machine, or too many workers. Busy skips events with external
// programs or other machines, whose processor time is not known.
func Busy(ctx context.Context, db *store.DB) ([]string, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	var timed []study.Event
	for _, e := range events {
		if e.CPUS > 0 && onWall(e.Plan) {
			timed = append(timed, e)
		}
	}
	if len(timed) == 0 {
		return nil, nil // which spares a pass over the games
	}
	played, err := db.Played(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range timed {
		thought, elsewhere := 0.0, false
		for _, p := range played {
			if p.Event == e.ID {
				thought += p.Spent.Seconds()
				elsewhere = elsewhere || p.Worker != "" && p.Worker != "local"
			}
		}
		if !elsewhere && e.CPUS < leastCPU*thought {
			out = append(out, fmt.Sprintf("%s: the agents thought for %s but had at most %s of processor time (%.0f %%): the "+
				"machine was busy, so equal time was not equal work. Play again with fewer workers, with budget {clock: cpu}, or "+
				"with budgets of nodes or simulations", e.Name, lasted(thought), lasted(e.CPUS), 100*e.CPUS/thought))
		}
	}
	return out, nil
}

// onWall reports whether agents of a plan have limits of wall time, and none is a program.
func onWall(plan string) bool {
	var p struct {
		Plan    struct{ Budget agents.Budget }
		Players []agents.Spec
	}
	if json.Unmarshal([]byte(plan), &p) != nil {
		return false
	}
	wall := false
	for _, s := range p.Players {
		if s.Program() {
			return false
		}
		b := s.Budget.Or(p.Plan.Budget)
		wall = wall || b.Timed() && !b.OnCPU()
	}
	return wall
}
