package arena

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/openings"
	"spar/arena/study"
	"spar/engines"
)

// Verify replays a stored game. It returns an error that names the difference from its row, if there is one.
func Verify(g *engines.Game, row study.Game) error {
	_, err := replayed(g, row)
	return err
}

// replayed is Verify, and returns the position at the end of the game.
func replayed(g *engines.Game, row study.Game) (*engines.Position, error) {
	p := g.NewPosition()
	err := p.PlayText(strings.Fields(row.Moves))
	switch {
	case err != nil:
	case p.Ply() != row.Plies:
		err = fmt.Errorf("its moves have %d plies, but the row says %d", p.Ply(), row.Plies)
	case row.OpeningPlies < 0 || row.OpeningPlies > p.Ply():
		err = fmt.Errorf("its opening has %d plies, but the whole game has %d", row.OpeningPlies, p.Ply())
	case p.Over() && (p.Result().String() != row.Result || p.Reason().String() != row.Reason):
		err = fmt.Errorf("its moves end in %s by %s, but the row says %q by %q", p.Result(), p.Reason(), row.Result, row.Reason)
	case !p.Over() && slices.Contains(engines.Reasons(), row.Reason):
		err = fmt.Errorf("the game is not over after its last move, but the row says %q by %q", row.Result, row.Reason)
	case gameHash(g.RulesHash(), p.Played()) != row.Hash: // by which repetitions are told
		err = fmt.Errorf("the hash of its rules and moves is %d, but the row says %d", gameHash(g.RulesHash(), p.Played()),
			row.Hash)
	case !(min(row.FirstMS, row.SecondMS) >= 0) || math.IsInf(row.FirstMS+row.SecondMS, 0) ||
		min(row.FirstNodes, row.SecondNodes) < 0:
		err = errors.New("its times or nodes are negative or infinite")
	case row.Detail != "" && row.Marks&evidence.Human == 0 && !evidence.IsForfeit(row.Reason):
		err = fmt.Errorf("it describes a fault (%q), but nobody forfeited", row.Detail)
	}
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", row.ID, err)
	}
	return p, nil
}

// Audit checks the stored games of an event against its plan. A tournament's plan and seed determine the number,
// agents, pair, opening and seed of every game, and the marks follow from the games. Events of tunings, of people and
// of knockouts, which older versions played, have no such plan: there the games of a pair are compared with each other.
// Audit does not let the agents play again: see ReplayCheck.
type Audit struct {
	event   study.Event
	s       *Schedule             // nil for an event without the plan of a tournament
	rules   map[int64]int         // index of rules in the plan, by row id
	agents  map[int64]agents.Spec // agents with their budgets in this event, by row id
	most    int64                 // upper limit of the number of games
	ids     []int64               // row ids of the games that the schedule judges
	judges  [2]evidence.Judge     // without a plan: of all events with this purpose, and of this event alone
	before  study.Game            // without a plan: the game before
	counted bool                  // without a plan: there was a game before
}

// Kept is an entry of a study to which its games refer: rules with the compiled game, or an agent with its spec.
type Kept struct {
	ID   int64
	Spec string
	Game *engines.Game
}

// NewAudit reads the plan of an event. Rules and players are those of the study, by name. It returns an error if the
// plan cannot be read, or if the study's rules or agents differ from the plan's.
func NewAudit(e study.Event, rules, players map[string]Kept) (*Audit, error) {
	a := &Audit{event: e, rules: map[int64]int{}, agents: map[int64]agents.Spec{}}
	for _, k := range players {
		var s agents.Spec
		_ = json.Unmarshal([]byte(k.Spec), &s) // games taken in from elsewhere come without specs
		a.agents[k.ID] = s
	}
	if evidence.IsTraining(e.Purpose) || e.Purpose == evidence.PurposeHuman || e.Purpose == evidence.PurposeValidation {
		return a, nil
	}
	wrong := func(format string, args ...any) (*Audit, error) {
		return nil, fmt.Errorf("event %q: "+format, append([]any{e.Name}, args...)...)
	}
	var o struct {
		Plan    *Plan
		Rules   []struct{ Label, Hash string }
		Players []json.RawMessage
	}
	if err := json.Unmarshal([]byte(e.Plan), &o); err != nil || o.Plan == nil {
		return wrong("its plan is not a tournament plan")
	}
	if o.Plan.Seed != e.Seed || o.Plan.Name != e.Name {
		return wrong("its seed is %d, but its plan is that of %q with seed %d", e.Seed, o.Plan.Name, o.Plan.Seed)
	}
	t := &Tournament{Plan: *o.Plan, Purpose: e.Purpose}
	var rows ids
	for i, r := range o.Rules {
		k, ok := rules[r.Label]
		if !ok || k.Game.RulesHash() != r.Hash {
			return wrong("the study does not hold the plan's rules %q (hash %s)", r.Label, r.Hash)
		}
		t.Rules = append(t.Rules, k.Game)
		t.Labels = append(t.Labels, r.Label)
		rows.rules, a.rules[k.ID] = append(rows.rules, k.ID), i
	}
	for i, text := range o.Players {
		var s agents.Spec
		if err := json.Unmarshal(text, &s); err != nil {
			return wrong("agent %d of its plan: %w", i+1, err)
		}
		k, ok := players[s.Name]
		if !ok || k.Spec != string(text) {
			return wrong("the study does not hold the plan's agent %q, or holds it with other knobs", s.Name)
		}
		s.Budget = s.Budget.Or(t.Budget)
		t.Players, rows.players, a.agents[k.ID] = append(t.Players, s), append(rows.players, k.ID), s
	}
	if len(t.Players) == 0 || len(t.Players) < 2 && t.Format != "mirror" || len(t.Rules) == 0 {
		return wrong("its plan lacks agents or rules")
	}
	if t.Format == "knockout" { // older versions played it; its games are checked without its brackets
		return a, nil
	}
	a.s = NewSchedule(t)
	a.s.event, a.s.ids = e.ID, rows
	for i, g := range t.Rules {
		a.s.books = append(a.s.books, openings.NewBook(g, t.Openings, t.Seed+int64(i)))
	}
	a.most, _ = a.s.Total()
	return a, nil
}

// Before adds a game of an earlier event that a game of this event may repeat. Call it before Take.
func (a *Audit) Before(f evidence.Facts) {
	if a.s != nil {
		a.s.judge.Mark(f)
	} else {
		a.judges[0].Mark(f)
	}
}

// Take checks one game. The caller passes the games of the event in the order of their numbers.
func (a *Audit) Take(g *engines.Game, row study.Game) error {
	end, err := replayed(g, row)
	switch {
	case row.Marks&evidence.Superseded != 0 && row.Number >= a.most: // no longer part of the schedule
	case a.s == nil && err == nil:
		err = a.alone(&row)
	case a.s != nil:
		if why := a.planned(end, &row); err == nil {
			err = why
		}
	}
	if err != nil && end != nil {
		return fmt.Errorf("game %d: %w", row.ID, err)
	}
	return err
}

// planned compares a game with the plan, and adds it to those that the schedule judges. End is nil if the game's moves
// do not lead to its result.
func (a *Audit) planned(end *engines.Position, row *study.Game) error {
	if row.Number < 0 || row.Number >= a.most {
		return fmt.Errorf("the plan has no game %d", row.Number)
	}
	stored, err := storedOf(row, math.MaxInt64)
	if err != nil {
		return err
	}
	a.s.stored = append(a.s.stored, stored)
	a.ids = append(a.ids, row.ID)
	t := a.s.t
	rules, ok := a.rules[row.Rules]
	if !ok || row.Pair != row.Number/2 || row.Opening < 0 || row.Opening > row.Number {
		return fmt.Errorf("the plan has other rules, another pair or another opening for game %d", row.Number)
	}
	if row.Seed != t.Seed {
		return fmt.Errorf("its seed is %d, but the plan's is %d", row.Seed, t.Seed)
	}
	timed := t.Clock.Seconds > 0 || a.agents[row.First].Timed() || a.agents[row.Second].Timed()
	if timed != row.Timed {
		return fmt.Errorf("its row has \"timed\": %t, but by the plan it should be %t", row.Timed, timed)
	}
	if end == nil {
		return nil
	}
	var task Task
	task.Adjudicate = t.Adjudge
	if t.Clock.Seconds > 0 {
		task.GameLimit = t.Rules[rules].Rules().Clock.Seconds
	}
	outcome, _ := engines.ParseResult(row.Result)
	if !task.ends(end, outcome, row.Reason, evidence.Faulty(row.Result, row.Reason)) {
		return fmt.Errorf("under this plan, a game cannot end with result %s and reason %q", row.Result, row.Reason)
	}
	opening := a.s.books[rules].Opening(row.Opening)
	if row.OpeningPlies != len(opening) || !slices.Equal(end.Played()[:len(opening)], opening) {
		return fmt.Errorf("it does not begin with opening %d of the plan, which is %q",
			row.Opening, t.Rules[rules].JoinMoves(opening))
	}
	return nil
}

// alone checks a game of an event without the plan of a tournament.
func (a *Audit) alone(row *study.Game) error {
	was, human := a.before, a.event.Purpose == evidence.PurposeHuman
	first := !a.counted
	a.before, a.counted = *row, true
	f := evidence.Facts{
		Purpose: a.event.Purpose,
		Rules:   row.Rules,
		First:   row.First,
		Second:  row.Second,
		Hash:    row.Hash,
		Timed:   row.Timed,
		Forfeit: evidence.IsForfeit(row.Reason),
		Given:   row.Marks,
		Certain: a.agents[row.First].Deterministic() && a.agents[row.Second].Deterministic(),
	}
	all, own := a.judges[0].Mark(f), a.judges[1].Mark(f)
	switch {
	case row.Marks != all && row.Marks != own:
		return marksError(row.Marks, own)
	case row.Pair != row.Number && (human || row.Pair != row.Number/2):
		return fmt.Errorf("game %d of its event cannot be in pair %d", row.Number, row.Pair)
	case first || human:
		return nil
	case was.Marks&^row.Marks&evidence.Surplus != 0 && row.First+row.Second == was.First+was.Second:
		return errors.New("it counts, although the match was already decided")
	case row.Seed != was.Seed || row.Pair == was.Pair && row.Rules != was.Rules:
		return errors.New("its seed or rules differ from those of the previous game")
	case row.Pair == was.Pair && (row.Opening != was.Opening || row.First != was.Second || row.Second != was.First ||
		row.OpeningPlies != was.OpeningPlies || !slices.Equal(strings.Fields(row.Moves)[:row.OpeningPlies],
		strings.Fields(was.Moves)[:row.OpeningPlies])):
		return errors.New("the two games of its pair must have the same opening, with the seats swapped")
	}
	return nil
}

func marksError(row, should evidence.Marks) error {
	return fmt.Errorf("its marks are %q (%d); those that follow from the games are %q", row, uint16(row), should)
}

// Close checks the marks of every game against the schedule, and reports missing games and games that the schedule does
// not have. It returns how many games remain to be played, or 0 if the plan alone does not determine that.
func (a *Audit) Close(bad func(error)) (left int64) {
	s := a.s
	if s == nil {
		return 0
	}
	for !s.decided && !s.dry && s.taken < len(s.stored) && !(s.format.barrier() && s.judged < s.end()) {
		s.extend()
	}
	find := func(number int64) (storedGame, int64) {
		i, _ := slices.BinarySearchFunc(s.stored, number, func(g storedGame, n int64) int {
			return cmp.Compare(g.number, n)
		})
		return s.stored[i], a.ids[i]
	}
	report := func(number int64, err error) {
		_, id := find(number)
		bad(fmt.Errorf("game %d: %w", id, err))
	}
	for _, m := range s.marked {
		switch g, _ := find(m.Number); {
		case m.Marks == g.marks|evidence.Superseded:
			report(m.Number, fmt.Errorf("the plan has different rules, agents or opening for game %d", m.Number))
		default:
			report(m.Number, marksError(g.marks, m.Marks))
		}
	}
	for _, g := range s.stored[s.taken:] {
		report(g.number, fmt.Errorf("the plan has no game %d after those that were played", g.number))
	}
	later := 0
	for n := s.judged; n < s.end() && !s.decided; n++ {
		if g := s.slot(n); g.outcome != engines.Ongoing && g.marks&evidence.Pending == 0 {
			later++
		}
	}
	if later > 0 {
		bad(fmt.Errorf("event %q: game %d is missing, although %d later games have been judged", a.event.Name, s.judged, later))
	}
	if _, exact := s.Total(); exact {
		left = a.most - int64(len(a.ids))
	}
	return left
}
