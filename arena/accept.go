package arena

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/engines"
)

// Maximum sizes of parts of a result. They are far more than games need, but small enough to protect the disk.
const (
	mostMoves  = 1 << 16
	mostDetail = 1 << 12
	mostPV     = 1 << 12
)

// Accept returns an error if a result from another machine cannot be right, as far as that can be checked without
// playing the game again. The result must have the task's rules and agents, its moves must be legal and start with
// the opening, and the end must follow from them. Accept sets the fields that follow from the moves. Timed means
// that the game depends on a clock.
func (t *Task) Accept(g *engines.Game, timed bool, r *Result) error {
	wrong := func(what string, args ...any) error {
		return fmt.Errorf("game %d: "+what, append([]any{t.Number}, args...)...)
	}
	if r.Slot != t.Slot || r.Rules != t.Rules || r.Specs != t.Specs() {
		return wrong("its rules or agents are not those of the task")
	}
	if len(r.Moves) > mostMoves || len(r.Detail) > mostDetail {
		return wrong("%d bytes of moves and %d bytes of detail are too many", len(r.Moves), len(r.Detail))
	}
	if t.SelfPlay.On() {
		if err := t.acceptLesson(g, r); err != nil {
			return wrong("%w", err)
		}
		return nil
	}
	opening, err := t.moves(g)
	if err != nil {
		return err
	}
	p := g.NewPosition()
	if err := p.PlayText(strings.Fields(r.Moves)); err != nil {
		return wrong("%w", err)
	}
	played := p.Played()
	if len(played) < len(opening) || !slices.Equal(played[:len(opening)], opening) {
		return wrong("it does not begin with the opening of the task")
	}
	switch {
	case !t.ends(p, r.Outcome, r.Reason, r.Faulty):
		return wrong("its moves do not lead to the stated result: %s by %q", r.Outcome, r.Reason)
	case min(r.Spent[0], r.Spent[1]) < 0 || min(r.Nodes[0], r.Nodes[1]) < 0:
		return wrong("its times or nodes are negative")
	case r.Random != "":
		return wrong("it marks moves as random, which only self-play games may do")
	case len(r.Thoughts) > 0 && !t.Thoughts || len(r.Thoughts) > p.Ply():
		return wrong("it has too many records of the agents' plies: %d", len(r.Thoughts))
	}
	for i, ply := range r.Thoughts {
		if len(ply.PV) > mostPV || ply.Ply < 1 || ply.Ply > p.Ply() || i > 0 && ply.Ply <= r.Thoughts[i-1].Ply {
			return wrong("the agents' record of ply %d is out of order or too long", ply.Ply)
		}
	}
	r.OpeningPlies, r.Plies, r.Timed = len(opening), p.Ply(), timed
	r.Moves, r.Hash = g.JoinMoves(played), gameHash(g.RulesHash(), played)
	return nil
}

// ends reports whether a game of the task can end in this position with an outcome and a reason. Faulty is the side
// that forfeited: 1, 2, or 0 for neither.
func (t *Task) ends(p *engines.Position, outcome engines.Result, reason string, faulty int8) bool {
	decided := outcome == engines.FirstWins || outcome == engines.SecondWins
	drawn := outcome == engines.Drawn
	switch {
	case evidence.IsForfeit(reason) != (faulty != 0):
		return false
	case p.Over():
		return outcome == p.Result() && reason == p.Reason().String()
	case faulty != 0:
		return len(reason) < 40 && (faulty == 1 || faulty == 2) && outcome == engines.Winner(2-int(faulty))
	}
	switch reason {
	case "resign":
		return t.Adjudicate.Resign > 0 && decided
	case "agreed_draw":
		return t.Adjudicate.Draw > 0 && drawn
	case "exact":
		return t.Adjudicate.Exact > 0 && p.Ply() >= t.Adjudicate.Exact && (decided || drawn)
	case "forced_draw":
		return t.Adjudicate.ForcedDraw && drawn && p.ForcedDraw()
	case "clock":
		return t.GameLimit > 0 && drawn
	}
	return false
}

// Alike compares two results of the same untimed task. It returns an error that names a difference, or nil.
// Workers and times may differ.
func (r *Result) Alike(other *Result) error {
	differ := func(what string, a, b any) error {
		return fmt.Errorf("game %d: %s %v and %v", r.Number, what, a, b)
	}
	switch {
	case r.Moves != other.Moves:
		return differ("moves", r.Moves, other.Moves)
	case r.Outcome != other.Outcome || r.Reason != other.Reason:
		return differ("result", r.Outcome.String()+" by "+r.Reason, other.Outcome.String()+" by "+other.Reason)
	case r.Random != other.Random:
		return differ("moves drawn at random", r.Random, other.Random)
	case r.Nodes != other.Nodes:
		return differ("nodes", r.Nodes, other.Nodes)
	case len(r.Thoughts) != len(other.Thoughts):
		return differ("thoughts", len(r.Thoughts), len(other.Thoughts))
	}
	for i, a := range r.Thoughts {
		b := other.Thoughts[i]
		a.MS, b.MS = 0, 0
		if a != b {
			return differ(fmt.Sprintf("agents' record of ply %d", a.Ply), a, b)
		}
	}
	return nil
}

// Distrust is returned by a pool that has found an unreliable worker. The caller supersedes the worker's stored
// games, except those in Tested, and plays them again.
type Distrust struct {
	Worker string
	Why    string
	Tested func(Slot) bool // reports whether a replay on another worker gave the same game
}

func (d *Distrust) Error() string {
	return fmt.Sprintf("worker %s is unreliable: %s", cmp.Or(d.Worker, LocalWorker), d.Why)
}
