package arena

import (
	"fmt"
	"slices"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/study"
	"spar/engines"
)

// Done receives a finished game and returns what to store.
func (s *Schedule) Done(r *Result) Filed {
	j, ok := s.flight[r.Number]
	if !ok || r.Event != s.event {
		return Filed{}
	}
	delete(s.flight, r.Number)
	end := played{
		outcome: r.Outcome,
		capped:  evidence.Capped(r.Reason),
		faulty:  r.Faulty,
		timed:   r.Timed,
		hash:    r.Hash,
		marks:   evidence.Pending,
	}
	if r.Number < s.judged || s.decided { // a decision did not wait for it
		s.mark(r.Number, evidence.Pending, s.surplus(&slot{Job: j, played: end}))
		if r.Number >= s.base {
			s.slot(r.Number).outcome = r.Outcome
		}
	} else {
		s.slot(r.Number).played = end
		s.advance()
	}
	f, p := s.Rest(), s.plays(&j)
	f.OK, f.Game = true, r.Row(p.rules, p.first, p.second, j.Pair, j.Opening, s.t.Seed)
	f.Game.Marks = evidence.Pending
	f.Marked = slices.DeleteFunc(f.Marked, func(m study.Marked) bool {
		if m.Number == r.Number {
			f.Game.Marks = m.Marks
		}
		return m.Number == r.Number
	})
	f.Live = live.Game{
		Number:  j.Number,
		Pair:    j.Pair,
		Opening: j.Opening,
		Rules:   s.t.Labels[j.Rules],
		First:   s.t.Players[j.First].Name,
		Second:  s.t.Players[j.Second].Name,
		Result:  r.Outcome.String(),
		Reason:  r.Reason,
		Detail:  r.Detail,
		Plies:   r.Plies,
		Random:  r.OpeningPlies,
		Points:  r.Outcome.Score(engines.First),
		Worker:  r.Worker,
		Moves:   r.Moves,
	}
	return f
}

// surplus judges a game that does not count, outside the order of numbers.
func (s *Schedule) surplus(g *slot) evidence.Marks {
	var outside evidence.Judge
	return outside.Mark(s.factsOf(g, evidence.Surplus))
}

func (s *Schedule) factsOf(g *slot, given evidence.Marks) evidence.Facts {
	p := s.plays(&g.Job)
	return evidence.Facts{
		Purpose: s.t.purpose(),
		Rules:   p.rules,
		First:   p.first,
		Second:  p.second,
		Hash:    g.hash,
		Forfeit: g.faulty != 0,
		Timed:   g.timed,
		Certain: s.certain[g.First] && s.certain[g.Second],
		Given:   given,
	}
}

// mark records the marks of a game if they differ from those in the study.
func (s *Schedule) mark(number int64, was, is evidence.Marks) {
	if was != is {
		s.marked = append(s.marked, study.Marked{Number: number, Marks: is})
	}
}

// needless reports whether a game that has not been judged is unnecessary.
func (s *Schedule) needless(g *slot) bool {
	return s.withdrawn[g.First] || s.withdrawn[g.Second] || s.format.skips(g.Number)
}

// advance judges the next games in the order of the numbers, as far as they are finished.
func (s *Schedule) advance() {
	for ; s.judged < s.end() && !s.decided; s.judged++ {
		g := s.slot(s.judged)
		g.void = s.needless(g)
		if g.outcome == engines.Ongoing && !g.void {
			return
		}
		if g.outcome != engines.Ongoing {
			marks := s.surplus(g)
			if !g.void {
				marks = s.judge.Mark(s.factsOf(g, 0))
				s.count(g)
				if (g.handed || g.ours) && g.faulty != 0 {
					s.faults++
				}
			}
			s.mark(g.Number, g.marks, marks)
			g.marks = marks
		}
		if why, over := s.format.judged(s, g); over {
			s.decide(g.Number, why)
		}
	}
}

// decide ends the tournament after a game; later games do not count.
func (s *Schedule) decide(last int64, why string) {
	for n := last + 1; n < s.end(); n++ {
		if g := s.slot(n); g.outcome != engines.Ongoing {
			s.mark(n, g.marks, s.surplus(g))
		}
	}
	s.decided, s.why = true, why
	for most, _ := s.Total(); s.taken < len(s.stored) && s.stored[s.taken].number < most; s.taken++ {
		g := s.stored[s.taken] // of stages that were never made
		s.mark(g.number, g.marks, g.marks&^evidence.Pending|evidence.Surplus)
	}
}

// count withdraws players that have forfeited too many games in a row.
func (s *Schedule) count(g *slot) {
	for side, player := range []int{g.First, g.Second} {
		if int(g.faulty) == side+1 {
			s.row[player]++
		} else if g.First != g.Second || g.faulty == 0 {
			s.row[player] = 0
		}
		if k := s.t.Faults.Withdraw; k > 0 && s.row[player] >= k && !s.withdrawn[player] {
			s.withdrawn[player] = true
			s.notes = append(s.notes, live.Event{
				Kind: live.Withdrawn, Run: s.t.Name,
				Text: fmt.Sprintf("%s is withdrawn: it forfeited %d games in a row", s.t.Players[player].Name, k),
			})
		}
	}
}

// Finished reports whether the tournament is over, and the reason. Some games may still be in progress.
func (s *Schedule) Finished() (why string, ok bool) {
	return s.why, s.decided || s.dry && s.judged == s.end()
}

// Withdrawn returns the players that were withdrawn because they forfeited too many games in a row.
func (s *Schedule) Withdrawn() []string {
	var names []string
	for i, w := range s.withdrawn {
		if w {
			names = append(names, s.t.Players[i].Name)
		}
	}
	return names
}
