package arena

import (
	"fmt"
	"hash/fnv"
	"slices"

	"spar/engines"
)

// Job is one game to play.
type Job struct {
	Number  int64  // from 0
	Stream  uint64 // decides the game's random streams, with the seed of the run
	Rules   int    // index into Tournament.Rules
	First   int    // index into Tournament.Players
	Second  int
	Pair    int64 // the two games of a pair have consecutive numbers, the same opening and exchanged seats
	Opening int64
}

// Scheduler yields the jobs of a tournament from what is finished so far. Resuming is the same as starting: tell it what is
// stored, then ask for what is next. It proceeds in stages; what a stage holds depends only on the results of the stages
// before, so the games are the same on any number of workers.
type Scheduler struct {
	t         *Tournament
	format    format
	jobs      []Job            // of the stages so far, by number less base
	results   []engines.Result // likewise; Ongoing = not finished
	faulty    []int8           // likewise: the side that forfeited, 1 or 2; 0 = none
	base      int              // jobs before this one are finished and forgotten
	pending   int              // jobs of the stages so far that are not finished
	next      int              // the first number that may have to be handed out
	stored    map[int64]stored // finished before, of stages to come
	finished  bool
	why       string
	row       []int  // by player: games in a row that it forfeited
	withdrawn []bool // by player
}

type stored struct {
	result engines.Result
	faulty int8
}

// format makes the stages of a tournament.
type format interface {
	// stage returns the pairs of the next stage, none when the tournament is over, with the reason.
	stage(s *Scheduler) (pairs []pairing, why string)
	// barrier tells whether a stage must be finished before the next is made.
	barrier() bool
	// estimate is the number of games, and whether it is exact.
	estimate(t *Tournament) (games int64, exact bool)
}

// pairing is one pair of games to play.
type pairing struct {
	rules, a, b int
	opening     int64
	meeting     int // how often the two have met before, where they begin with the same openings again
}

// NewScheduler begins the schedule of a tournament.
func NewScheduler(t *Tournament) *Scheduler {
	return &Scheduler{
		t: t, format: newFormat(t), stored: map[int64]stored{},
		row: make([]int, len(t.Players)), withdrawn: make([]bool, len(t.Players)),
	}
}

// Total is the number of games, and whether it is exact; otherwise it is the most there may be.
func (s *Scheduler) Total() (games int64, exact bool) { return s.format.estimate(s.t) }

// Restore tells the scheduler of a game that was finished before. Call it before the first Next.
func (s *Scheduler) Restore(number int64, result engines.Result, faulty int8) {
	s.stored[number] = stored{result, faulty}
}

// Unknown returns the number of a restored game that the schedule has had no use for, if the tournament is finished.
func (s *Scheduler) Unknown() (number int64, ok bool) {
	for n := range s.stored {
		return n, true
	}
	return 0, false
}

// Next returns a job that has not been handed out. Without one, Finished tells whether the tournament is over or waits for
// games in flight.
func (s *Scheduler) Next() (Job, bool) {
	for !s.finished {
		for ; s.next < s.base+len(s.jobs); s.next++ {
			j := s.jobs[s.next-s.base]
			if s.results[s.next-s.base] != engines.Ongoing {
				continue
			}
			if s.withdrawn[j.First] || s.withdrawn[j.Second] {
				s.pending-- // will not be played
				continue
			}
			s.next++
			return j, true
		}
		if s.format.barrier() && s.pending > 0 {
			return Job{}, false
		}
		s.extend()
	}
	return Job{}, false
}

// extend adds a stage.
func (s *Scheduler) extend() {
	pairs, why := s.format.stage(s)
	if len(pairs) == 0 {
		s.finished, s.why = true, why
		return
	}
	if !s.format.barrier() {
		s.forget()
	}
	for _, p := range pairs {
		pair := int64(s.base+len(s.jobs)) / 2
		for _, seats := range [2][2]int{{p.a, p.b}, {p.b, p.a}} {
			j := Job{Number: int64(s.base + len(s.jobs)), Rules: p.rules, First: seats[0], Second: seats[1], Pair: pair, Opening: p.opening}
			j.Stream = s.t.stream(j, p.meeting)
			s.jobs, s.results, s.faulty = append(s.jobs, j), append(s.results, engines.Ongoing), append(s.faulty, 0)
			s.pending++
			if old, ok := s.stored[j.Number]; ok {
				delete(s.stored, j.Number)
				s.Done(j.Number, old.result, old.faulty)
			}
		}
	}
}

// forget drops the finished games at the front, of a format that does not look back, so that the memory of a long tournament
// does not grow.
func (s *Scheduler) forget() {
	n := 0
	for n < len(s.jobs) && s.results[n] != engines.Ongoing {
		n++
	}
	s.base += n
	s.jobs, s.results, s.faulty = slices.Delete(s.jobs, 0, n), slices.Delete(s.results, 0, n), slices.Delete(s.faulty, 0, n)
}

// stream names a game by who plays whom, under which rules, from which opening, for the which time and in which half of the
// pair, but not by its number: games stay as they are when a tournament gains or loses other agents or rules.
func (t *Tournament) stream(j Job, meeting int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %q %d %d %d", t.Labels[j.Rules], t.Players[j.First].Name, t.Players[j.Second].Name, j.Opening, meeting, j.Number%2)
	return h.Sum64()
}

// Done tells the scheduler of a finished game. Faulty is 1 or 2 when the first or second player forfeited.
func (s *Scheduler) Done(number int64, result engines.Result, faulty int8) {
	i := int(number) - s.base
	s.results[i], s.faulty[i] = result, faulty
	s.pending--
	j := s.jobs[i]
	for side, player := range []int{j.First, j.Second} {
		if int(faulty) == side+1 {
			s.row[player]++
		} else if j.First != j.Second || faulty == 0 {
			s.row[player] = 0
		}
		if k := s.t.Faults.Withdraw; k > 0 && s.row[player] >= k {
			s.withdrawn[player] = true
		}
	}
}

// Finished tells whether every game has been handed out and the tournament is over, and why.
func (s *Scheduler) Finished() (why string, ok bool) { return s.why, s.finished }

// Withdrawn lists the players that were withdrawn for forfeiting too many games in a row.
func (s *Scheduler) Withdrawn() []string {
	var names []string
	for i, w := range s.withdrawn {
		if w {
			names = append(names, s.t.Players[i].Name)
		}
	}
	return names
}

// pairPoints returns the points of the two players of a pair (the player who was first in its first game, then the other), and
// whether both games are finished. Only formats with barriers may ask: the others forget. A game that is not played because a player was withdrawn counts for the other.
func (s *Scheduler) pairPoints(pair int64) (a, b float64, ok bool) {
	for i := range int64(2) {
		n := 2*pair + i
		j := s.jobs[n]
		first := s.results[n].Score(engines.First)
		if s.results[n] == engines.Ongoing {
			switch {
			case s.withdrawn[j.First] && !s.withdrawn[j.Second]:
				first = 0
			case s.withdrawn[j.Second] && !s.withdrawn[j.First]:
				first = 1
			case !s.withdrawn[j.First]:
				return 0, 0, false
			}
		}
		if i == 0 {
			a, b = a+first, b+1-first
		} else {
			a, b = a+1-first, b+first
		}
	}
	return a, b, true
}

func newFormat(t *Tournament) format {
	switch t.Format {
	case "gauntlet":
		return &rounds{pairings: gauntletPairings(t), t: t}
	case "swiss":
		return newSwiss(t)
	case "knockout":
		return newKnockout(t)
	case "match":
		return &rounds{pairings: [][2]int{{0, 1}}, t: t, batch: matchBatch}
	case "mirror":
		return &rounds{pairings: mirrorPairings(t), t: t}
	case "ladder":
		return &rounds{pairings: ladderPairings(t), t: t}
	}
	return &rounds{pairings: allPairings(t), t: t}
}

// matchBatch is how many pairs a match plays between two looks at its stopping rule.
const matchBatch = 8

// rounds is the format in which every pairing plays every game the same number of times, round by round, so that a run that
// is stopped early is balanced.
type rounds struct {
	t        *Tournament
	pairings [][2]int
	batch    int // rounds in a stage; 0 = 1
	round    int
	stop     stopRule
}

func allPairings(t *Tournament) [][2]int {
	var out [][2]int
	for b := range t.Players {
		for a := range b {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// gauntletPairings lets each seed play each of the field.
func gauntletPairings(t *Tournament) [][2]int {
	var out [][2]int
	for i := range t.Players {
		for j := range t.Players {
			if t.isSeed(i) && !t.isSeed(j) {
				out = append(out, [2]int{i, j})
			}
		}
	}
	return out
}

// mirrorPairings lets each player play himself. The two games of a pair then have the same seating and the same opening, and
// are independent of each other: each game has random streams of its own.
func mirrorPairings(t *Tournament) [][2]int {
	var out [][2]int
	for i := range t.Players {
		out = append(out, [2]int{i, i})
	}
	return out
}

// ladderPairings lets each player play the one listed before him.
func ladderPairings(t *Tournament) [][2]int {
	var out [][2]int
	for i := 1; i < len(t.Players); i++ {
		out = append(out, [2]int{i, i - 1})
	}
	return out
}

func (r *rounds) barrier() bool { return r.t.Stop.adaptive() }

func (r *rounds) estimate(t *Tournament) (int64, bool) {
	return int64(t.Pairs) * int64(len(r.pairings)) * int64(len(t.Rules)) * 2, !t.Stop.adaptive()
}

func (r *rounds) stage(s *Scheduler) ([]pairing, string) {
	if r.round > 0 && r.t.Stop.adaptive() {
		if why, done := r.stop.done(s); done {
			return nil, why
		}
	}
	var out []pairing
	for range max(1, r.batch) {
		if r.round == r.t.Pairs {
			break
		}
		for rules := range r.t.Rules {
			for _, p := range r.pairings {
				out = append(out, pairing{rules, p[0], p[1], int64(r.round), 0})
			}
		}
		r.round++
	}
	return out, fmt.Sprintf("all %d pairs played", r.t.Pairs)
}
