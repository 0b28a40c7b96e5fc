package arena

import (
	"fmt"
	"math/bits"
	"strings"

	"spar/engines"
)

// knockout is a knockout format. The order of the plan gives the seeds: first against last, and so on; in an
// incomplete bracket the top seeds get byes. A tied match is continued with one more pair under each of the rules
// until it is decided. After maxTiebreaks such continuations the better seed advances.
type knockout struct {
	t       *Tournament
	matches []knockoutMatch // matches of the current round
	winners []int
	seeded  []string // sentences about matches that the seeding decided
	begun   bool
}

type knockoutMatch struct {
	a, b  int
	pairs []int64 // pairs played so far
	next  int     // index of the next pair
	won   int     // index of the winner; -1 while undecided
	level bool    // the seeding decided
}

const maxTiebreaks = 16

func newKnockout(t *Tournament) *knockout { return &knockout{t: t} }

func (f *knockout) barrier() bool { return true }

func (f *knockout) skips(int64) bool { return false }

func (f *knockout) judged(*Schedule, *slot) (string, bool) { return "", false }

func (f *knockout) estimate(t *Tournament) (int64, bool) {
	return int64(len(t.Players)-1) * int64(t.Pairs+maxTiebreaks) * int64(len(t.Rules)) * 2, false
}

func (f *knockout) stage(s *Schedule) ([]pairing, string) {
	if !f.begun {
		f.begun = true
		f.winners = make([]int, 1<<bits.Len(uint(len(f.t.Players)-1)))
		for i := range f.winners {
			f.winners[i] = i
			if i >= len(f.t.Players) {
				f.winners[i] = -1
			}
		}
		f.nextRound()
	}
	for {
		f.decide(s)
		if out := f.open(s); len(out) > 0 {
			return out, fmt.Sprintf("round of %d", 2*len(f.matches))
		}
		f.winners = f.winners[:0]
		for _, m := range f.matches {
			f.winners = append(f.winners, m.won)
		}
		if len(f.winners) == 1 {
			why := f.seeded
			if last := f.matches[0]; !last.level {
				why = append([]string{f.t.Players[last.won].Name + " wins the knockout"}, why...)
			}
			return nil, strings.Join(why, "; ")
		}
		f.nextRound()
	}
}

// nextRound makes the matches of a round: first against last, second against last but one, and so on.
func (f *knockout) nextRound() {
	f.matches = f.matches[:0]
	for i := range len(f.winners) / 2 {
		m := knockoutMatch{a: f.winners[i], b: f.winners[len(f.winners)-1-i], won: -1}
		if m.b < 0 {
			m.won = m.a
		}
		f.matches = append(f.matches, m)
	}
}

// decide finds the winners of matches whose pairs are finished.
func (f *knockout) decide(s *Schedule) {
	for i := range f.matches {
		m := &f.matches[i]
		if len(m.pairs) == 0 || m.won >= 0 { // a bye, or decided before
			continue
		}
		a, b, how := 0.0, 0.0, "all drawn"
		gone := s.withdrawn[m.a] && s.withdrawn[m.b]
		for _, p := range m.pairs {
			x, y := s.pairPoints(p)
			a, b = a+x, b+y
			if s.slot(2*p).outcome != engines.Drawn || s.slot(2*p+1).outcome != engines.Drawn {
				how = "level"
			}
		}
		switch {
		case a > b:
			m.won = m.a
		case a == b && (gone || m.next >= f.t.Pairs+maxTiebreaks):
			m.won, m.level = m.a, true
			if gone {
				how = "both withdrawn"
			}
			f.seeded = append(f.seeded, fmt.Sprintf("%s advances by seeding: %d games against %s, %s", f.t.Players[m.a].Name,
				2*len(m.pairs), f.t.Players[m.b].Name, how))
		case b > a:
			m.won = m.b
		}
	}
}

// open returns the pairs that undecided matches must still play.
func (f *knockout) open(s *Schedule) []pairing {
	var out []pairing
	next := s.end() / 2
	for i := range f.matches {
		m := &f.matches[i]
		if m.won >= 0 {
			continue
		}
		for want := max(f.t.Pairs, m.next+1); m.next < want; m.next++ {
			for rules := range f.t.Rules {
				out = append(out, pairing{rules, m.a, m.b, int64(m.next), 0})
				m.pairs = append(m.pairs, next)
				next++
			}
		}
	}
	return out
}
