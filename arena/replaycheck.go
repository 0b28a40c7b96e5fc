package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/engines"
)

// ReplayCheck plays stored games again with the stored agents, and compares the replays with the stored games. The
// caller passes the games of an event in the order of their numbers, from one goroutine, and closes the check at the
// end.
type ReplayCheck struct {
	runner *Runner
	// plan of each tournament, by event; nil for an event that numbers its random streams itself
	plans map[int64]*Plan
	kept  map[[2]string]string       // stored agents with all knobs and weights, by agent and rules
	built map[[2]string]builtEntrant // agents that are ready to play, by agent and rules
	// for each pair number, the number of earlier pairs of the same agents with the same opening
	met    map[pairOf]map[int64]int64
	tasks  []Task                       // games to be played
	stored map[Slot]study.Game          // stored form of these games
	report func(study.Game, Difference) // called for every replayed game
}

type builtEntrant struct {
	spec agents.Spec
	why  string // reason why the game cannot be replayed; empty if it can
}

// pairOf identifies pairs of a tournament that would have the same random streams without a number for the
// repetition.
type pairOf struct{ event, rules, one, other, opening int64 }

// Recorded is a stored game with the names and specs that its row refers to.
type Recorded struct {
	study.Game
	Label, First, Second string // names in the study
	Under                *engines.Game
	Specs                [2]string // stored specs of the two agents, as JSON
}

// Difference is the first difference between a game and its replay. It is the zero value if they are equal.
type Difference struct {
	Ply         int    // number of the first ply with a different move, from 1; 0 if the moves are equal
	Stored, Now string // the stored move or result, and the new one; "end" if the game had ended
	Searched    bool   // the moves are equal but the numbers of nodes differ
}

// Differs reports whether the games have different moves or results.
func (d Difference) Differs() bool { return d.Stored != d.Now }

func (d Difference) String() string {
	if d.Ply > 0 {
		return fmt.Sprintf("ply %d was %s, is %s", d.Ply, d.Stored, d.Now)
	}
	return fmt.Sprintf("was %s, is %s", d.Stored, d.Now)
}

// NewReplayCheck returns a check that can replay games of the given events. It calls report for each replayed
// game, in the order in which they finish.
func NewReplayCheck(events []study.Event, effective []study.Effective, workers int,
	report func(study.Game, Difference),
) *ReplayCheck {
	a := &ReplayCheck{
		runner: NewRunner(nil, nil, workers),
		plans:  map[int64]*Plan{},
		kept:   map[[2]string]string{},
		built:  map[[2]string]builtEntrant{},
		met:    map[pairOf]map[int64]int64{},
		stored: map[Slot]study.Game{},
		report: report,
	}
	for _, e := range events {
		a.plans[e.ID], _ = storedPlan(e.Plan)
	}
	for _, e := range effective {
		a.kept[[2]string{e.Agent, e.Rules}] = e.Spec
	}
	return a
}

// storedPlan parses the text that Tournament.Canonical writes.
func storedPlan(text string) (*Plan, error) {
	var o struct{ Plan *Plan }
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return nil, err
	}
	if o.Plan == nil || o.Plan.Format == "" {
		return nil, errors.New("not the plan of a tournament")
	}
	return o.Plan, nil
}

// Close releases the resources of the agents.
func (a *ReplayCheck) Close() { a.runner.Close() }

// Skip counts a game that will not be replayed. It must be called for each such game, so that later games of the
// same agents get the right random streams.
func (a *ReplayCheck) Skip(r *Recorded) { a.meeting(r) }

// meeting returns the number of earlier pairs in its event that have the same two agents and the same opening as
// the game.
func (a *ReplayCheck) meeting(r *Recorded) int64 {
	// elsewhere no two begin with the same opening again
	if plan := a.plans[r.Event]; plan == nil || plan.Format != "swiss" {
		return 0
	}
	k := pairOf{r.Event, r.Rules, min(r.Game.First, r.Game.Second), max(r.Game.First, r.Game.Second), r.Opening}
	if a.met[k] == nil {
		a.met[k] = map[int64]int64{}
	}
	n, ok := a.met[k][r.Pair]
	if !ok {
		n = int64(len(a.met[k]))
		a.met[k][r.Pair] = n
	}
	return n
}

// Able returns the reason why a game cannot be replayed, or an empty text if it can.
func (a *ReplayCheck) Able(r *Recorded) (why string) {
	switch {
	case !r.Marks.Counts(evidence.Replay) || r.Timed:
		return "the games had a time limit, or people played them"
	case r.Marks&evidence.Superseded != 0:
		return "the games were superseded, because an unreliable worker had played them"
	}
	for side, name := range []string{r.First, r.Second} {
		if b := a.entrant(name, r.Label, r.Specs[side], r.Under); b.why != "" {
			return b.why
		}
	}
	return ""
}

// Take adds a game to those that the next Play will replay. The game must be one for which Able returned no
// reason.
func (a *ReplayCheck) Take(r *Recorded) {
	meeting := a.meeting(r)
	t := Task{Slot: Slot{r.Event, r.Number}, Setting: Setting{Rules: a.runner.Assets.AddRules(r.Under), Seed: r.Seed}}
	budget := agents.Budget{}
	if plan := a.plans[r.Event]; plan != nil {
		budget = plan.Budget
		t.Clock = plan.Clock
		t.Adjudicate = plan.Adjudge
		t.Stream = streamOf(namesHash(r.Label, r.First, r.Second), r.Opening, int(meeting), r.Number)
	} else {
		t.Stream = uint64(r.Number) // as tunings number their games
	}
	for side, name := range []string{r.First, r.Second} {
		t.Seats[side] = a.runner.Assets.Entrant(a.entrant(name, r.Label, r.Specs[side], r.Under).spec, r.Under, budget)
		t.Seats[side].Name = name
	}
	moves := strings.Fields(r.Moves)
	t.Opening = strings.Join(moves[:min(len(moves), r.OpeningPlies)], " ")
	a.tasks, a.stored[t.Slot] = append(a.tasks, t), r.Game
}

// entrant parses an agent as stored in the study.
func (a *ReplayCheck) entrant(name, label, own string, g *engines.Game) builtEntrant {
	key := [2]string{name, label}
	b, ok := a.built[key]
	if !ok {
		b.spec, b.why = readEntrant(cmp.Or(a.kept[key], own), g)
		b.spec.Name = name
		a.built[key] = b
	}
	return b
}

func readEntrant(text string, g *engines.Game) (s agents.Spec, why string) {
	if json.Unmarshal([]byte(text), &s) != nil || s.Type == "" {
		return s, "the study does not describe their agents"
	}
	if s.Foreign() {
		return s, "an external program that cannot run here played them"
	}
	if s.Evaluation.File != "" {
		if _, err := s.Evaluation.LoadStored(); err != nil {
			return s, fmt.Sprintf("the evaluation %s of their agents is missing or has changed", s.Evaluation.File)
		}
	}
	if full, _ := s.Effective(g); full != "" && s.For(g).Canonical() != s.Canonical() {
		return s, "the study does not contain the weights of their agents"
	}
	return s, ""
}

// Waiting returns the number of games that Play would replay.
func (a *ReplayCheck) Waiting() int { return len(a.tasks) }

// Play replays the games added so far and reports each.
func (a *ReplayCheck) Play(ctx context.Context) error {
	err := a.runner.Play(ctx, a.tasks, func(r *Result) {
		row := a.stored[r.Slot]
		a.report(row, differenceOf(row, r))
	})
	a.tasks = a.tasks[:0]
	clear(a.stored)
	return err
}

// differenceOf compares a stored game with its replay.
func differenceOf(row study.Game, now *Result) Difference {
	was, is := strings.Fields(row.Moves), strings.Fields(now.Moves)
	at := func(moves []string, i int) string {
		if i < len(moves) {
			return moves[i]
		}
		return "end"
	}
	for i := range max(len(was), len(is)) {
		if at(was, i) != at(is, i) {
			return Difference{Ply: i + 1, Stored: at(was, i), Now: at(is, i)}
		}
	}
	d := Difference{Stored: row.Result + " by " + row.Reason, Now: now.Outcome.String() + " by " + now.Reason}
	d.Searched = !d.Differs() && [2]int64{row.FirstNodes, row.SecondNodes} != now.Nodes
	return d
}
