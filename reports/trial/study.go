package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"spar/agents/pace"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines"
	"spar/ratings"
	"spar/reports/screen"
)

// Pairs counts the pairs of games that two agents played under one set of rules and that count for strength, from the
// first agent's view.
type Pairs struct {
	Rules    string `json:"rules,omitempty" help:"rules of the pairs; several if they are pooled"`
	Pooled   bool   `json:"pooled,omitempty" help:"true if several rules are pooled"`
	Agent    string `json:"agent,omitempty" help:"the agent whose strength is tested"`
	Opponent string `json:"opponent,omitempty" help:"its opponent"`
	// number of pairs in which the agent scored 0, 1/2, 1, 3/2 and 2 points
	Pentanomial []float64 `json:"pentanomial,omitempty" help:"pairs by the candidate's points: 0, 1/2, 1, 1 1/2, 2"`
	Distinct    int       `json:"distinct_pairs,omitempty" help:"distinct pairs"`
	Games       int       `json:"games,omitempty" help:"games of these pairs"`
	Drawn       float64   `json:"draw_ratio" help:"fraction of drawn games"`
	// thinking time of both agents together, in seconds
	Thinking float64 `json:"thinking_s" help:"thinking time of both"`
	seen     map[[2]int64]bool
	order    []judged
}

// judged is a pair. Pairs are in the order in which the test received them.
type judged struct {
	game    int64  // id of the second game of the pair
	points  int    // half points of the agent
	opening uint64 // see evidence.Opening
}

// ErrNoPairs is returned if two agents have no pairs to test.
var ErrNoPairs = strict.Mistake("no pairs")

// Planned returns the two agents of a match, in the order of its plan, and its sequential test, or nil if it has none.
// The last result is false if the event is not a match of two agents.
func Planned(e study.Event) (test *ratings.SPRT, agent, opponent string, ok bool) {
	var plan struct {
		Plan    struct{ Stop arena.Stop }
		Players []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(e.Plan), &plan); err != nil || len(plan.Players) != 2 {
		return nil, "", "", false
	}
	if s := plan.Plan.Stop.SPRT; s != nil {
		if t, err := s.Test(); err == nil {
			test = &t
		}
	}
	return test, plan.Players[0].Name, plan.Players[1].Name, true
}

// Between returns the pairs of two agents (see Contest) and the sequential test of a match between them, or nil if
// there was no test. If free is true, the agents are put into the order that they have in the match.
func Between(ctx context.Context, db *store.DB, event string, two [2]string, free bool) ([]*Pairs, *ratings.SPRT, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, nil, err
	}
	var planned *ratings.SPRT
	for _, e := range events {
		test, agent, opponent, ok := Planned(e)
		if !ok || event != "" && e.Name != event {
			continue
		}
		if free && slices.Contains(two[:], agent) && slices.Contains(two[:], opponent) {
			two, free = [2]string{agent, opponent}, false
		}
		if planned == nil && two == [2]string{agent, opponent} {
			planned = test
		}
	}
	all, err := Contest(ctx, db, event, two[0], two[1])
	return all, planned, err
}

// Contest returns the pairs of two agents in a study: one entry for each of the rules, in the order of the study.
// An empty event means all events.
func Contest(ctx context.Context, db *store.DB, event, agent, opponent string) ([]*Pairs, error) {
	type half struct {
		points, drawn float64
		hash          int64
		row           store.Row
	}
	type place struct{ event, pair int64 }
	open := map[place]half{}
	var out []*Pairs
	for row, err := range db.Games(ctx, store.Filter{Agent: agent, Event: event}) {
		if err != nil {
			return nil, err
		}
		r, ok := engines.ParseResult(row.Result)
		first := row.FirstName == agent && row.SecondName == opponent
		if !ok || !first && (row.FirstName != opponent || row.SecondName != agent) || !row.Marks.Counts(evidence.Strength) {
			continue
		}
		now := half{hash: row.Hash, row: row, points: r.Score(engines.First)}
		if !first {
			now.points = r.Score(engines.Second)
		}
		if r == engines.Drawn {
			now.drawn = 1
		}
		at := place{row.Event, row.Pair}
		was, ok := open[at]
		if !ok {
			open[at] = now
			continue
		}
		delete(open, at)
		if was.row.FirstName == row.FirstName {
			continue // no exchange of seats
		}
		i := slices.IndexFunc(out, func(p *Pairs) bool { return p.Rules == row.RulesName })
		if i < 0 {
			i = len(out)
			out = append(out, &Pairs{
				Rules:       row.RulesName,
				Agent:       agent,
				Opponent:    opponent,
				Pentanomial: make([]float64, 5),
				seen:        map[[2]int64]bool{},
			})
		}
		p := out[i]
		p.Pentanomial[int(2*(was.points+now.points))]++
		p.order = append(p.order, judged{
			row.ID, int(2 * (was.points + now.points)), evidence.Opening(row.Rules, row.Moves, row.OpeningPlies),
		})
		p.Games += 2
		p.Drawn += was.drawn + now.drawn
		p.seen[[2]int64{was.hash, now.hash}] = true
		for _, g := range []store.Row{was.row, row} {
			p.Thinking += (g.FirstMS + g.SecondMS) / 1000
		}
	}
	for _, p := range out {
		p.finish()
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w of %s and %s: a pair is two games with the seats exchanged; "+
			"games of tuning, of people and repeated games are skipped", ErrNoPairs, agent, opponent)
	}
	return out, nil
}

func (p *Pairs) finish() {
	p.Distinct = len(p.seen)
	p.Drawn /= float64(max(1, p.Games))
}

// Pool adds the pairs under several rules together. Nil stays nil.
func Pool(all []*Pairs) *Pairs {
	if len(all) < 2 {
		return slices.Concat(all, []*Pairs{nil})[0]
	}
	sum := &Pairs{
		Pooled:      true,
		Agent:       all[0].Agent,
		Opponent:    all[0].Opponent,
		Pentanomial: make([]float64, 5),
		seen:        map[[2]int64]bool{},
	}
	var names []string
	for _, p := range all {
		names = append(names, p.Rules)
		sum.order = append(sum.order, p.order...)
		for i, n := range p.Pentanomial {
			sum.Pentanomial[i] += n
		}
		sum.Games += p.Games
		sum.Drawn += p.Drawn * float64(p.Games)
		for k := range p.seen { // hashes tell the rules apart
			sum.seen[k] = true
		}
		sum.Thinking += p.Thinking
	}
	sum.Rules = strings.Join(names, ", ")
	slices.SortFunc(sum.order, func(a, b judged) int { return cmp.Compare(a.game, b.game) })
	sum.finish()
	return sum
}

// Judge evaluates a test that is updated after each pair, as in a match. The first bound that is reached gives the
// verdict.
func (p *Pairs) Judge(test ratings.SPRT) (*Verdict, error) {
	tracker, err := ratings.NewTracker(test, true)
	if err != nil {
		return nil, err
	}
	for _, o := range p.order {
		if _, err := tracker.AddIn(o.points, o.opening); err != nil {
			return nil, err
		}
	}
	r, err := tracker.Result()
	if err != nil {
		return nil, err
	}
	v, err := verdictOf(r, p.Pentanomial, tracker.Counts(), ratings.FewItems)
	if err != nil {
		return nil, err
	}
	v.Pairs = p
	return v, nil
}

// header writes what was tested, for pairs from a study.
func (v *Verdict) header(out io.Writer) {
	p := v.Pairs
	if p == nil {
		return
	}
	under := p.Rules
	if p.Pooled {
		under = "all of " + under + ", pooled as one game"
	}
	fmt.Fprintf(out, "%s against %s under %s: %s, %d of them distinct, %.1f %% of the games drawn, %s of thinking\n",
		p.Agent, p.Opponent, under,
		screen.Plural(p.Games/2, "pair"), p.Distinct, 100*p.Drawn,
		pace.Seconds(p.Thinking).Round(time.Millisecond))
}

// OfMatch evaluates the sequential test of a match separately for each of its games. If there are several, the last
// entry is for all rules together; its test ends the match. It returns nil if there is no test or no pairs.
func OfMatch(ctx context.Context, t *arena.Tournament, db *store.DB) ([]*Verdict, error) {
	if t.Stop.SPRT == nil {
		return nil, nil
	}
	test, err := t.Stop.SPRT.Test()
	if err != nil {
		return nil, err
	}
	all, err := Contest(ctx, db, t.Name, t.Players[0].Name, t.Players[1].Name)
	if errors.Is(err, ErrNoPairs) {
		return nil, nil
	}
	if len(all) > 1 {
		all = append(all, Pool(all))
	}
	var out []*Verdict
	for _, p := range all {
		v, judged := p.Judge(test)
		if err = errors.Join(err, judged); err == nil {
			out = append(out, v)
		}
	}
	return out, err
}
