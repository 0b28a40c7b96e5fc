package arena

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/openings"
	"spar/arena/study"
	"spar/engines"
)

// Job is one game of a tournament's schedule.
type Job struct {
	Number int64  // number of the game in the schedule, from 0
	Stream uint64 // together with the seed of the run, it determines the game's random streams
	Rules  int    // index into Tournament.Rules
	First  int    // index into Tournament.Players
	Second int
	// number of the pair; its two games have consecutive numbers and the same opening, with the seats swapped
	Pair    int64
	Opening int64
}

// Schedule is the source of a tournament. It proceeds in stages. The content of a stage, the end of the tournament
// and the withdrawal of players depend only on the judged games: the finished ones in the order of their numbers,
// up to the first unfinished one. It hands out games before earlier ones are judged; if a decision makes a game
// unnecessary, the game is surplus. To resume, set the stored games, then call Next.
type Schedule struct {
	t      *Tournament
	format format
	event  int64

	games  []slot // games of the stages so far; the game with number n has index n - base
	base   int64  // number before which all games have been judged and removed; even
	judged int64  // number before which all games have been judged
	next   int64  // number before which all games have been handed out or are not needed
	again  []int64
	flight map[int64]Job // games that have been handed out and are not finished
	stored []storedGame  // games that were finished before this run, in the order of their numbers
	newest int64         // number of the game that was stored last
	taken  int           // number of stored games that stages have used

	judge     evidence.Judge
	marked    []study.Marked // games judged since the last Done
	notes     []live.Event   // notes since the last Done
	dry       bool           // no more stages will be made
	decided   bool           // an early stop has ended the tournament
	why       string
	faults    int64             // number of judged games in this run in which an agent failed
	row       []int             // for each player, the number of consecutive forfeits
	withdrawn []bool            // for each player, whether it was withdrawn
	certain   []bool            // for each player, whether it is deterministic
	streams   map[[3]int]uint64 // cached seeds of random streams, see the method stream

	assets   *Assets
	entrants map[[2]int]Entrant // players in the form that tasks use, by rules and player
	books    []*openings.Book   // openings of each of the rules
	ids      ids
}

// slot is a game of the schedule with its state.
type slot struct {
	Job
	played
	// not to be played, or not counted: an agent was withdrawn, or the match-up was decided
	void   bool
	handed bool // this run has handed it out
}

// played is how a game ended.
type played struct {
	outcome engines.Result // result; Ongoing if the game is not finished
	capped  bool           // only a cap ended it
	faulty  int8           // side that forfeited, 1 or 2; 0 = none
	timed   bool
	hash    int64
	marks   evidence.Marks // marks in the study
	ours    bool           // stored by this run, before the schedule was made again
}

// storedGame is the part of a stored game that the schedule needs.
type storedGame struct {
	number int64
	plays  plays
	played
}

// plays identifies games with the same rules, agents and opening.
type plays struct{ rules, first, second, opening int64 }

func (s *Schedule) plays(j *Job) plays {
	return plays{s.ids.rules[j.Rules], s.ids.players[j.First], s.ids.players[j.Second], j.Opening}
}

// ids are the row ids in the study of the rules and agents of the tournament.
type ids struct {
	rules   []int64
	players []int64
}

// NewSchedule returns a schedule that can count and list the games of a tournament (Total, Jobs). Only equip lets it
// make tasks, which need assets and the row ids of a study.
func NewSchedule(t *Tournament) *Schedule {
	s := &Schedule{
		t:         t,
		format:    newFormat(t),
		flight:    map[int64]Job{},
		streams:   map[[3]int]uint64{},
		row:       make([]int, len(t.Players)),
		withdrawn: make([]bool, len(t.Players)),
		certain:   make([]bool, len(t.Players)),
		ids:       ids{rules: make([]int64, len(t.Rules)), players: make([]int64, len(t.Players))},
	}
	for i := range t.Rules {
		s.ids.rules[i] = int64(i)
	}
	for i, p := range t.Players {
		s.ids.players[i] = int64(i)
		s.certain[i] = p.Deterministic()
	}
	return s
}

// equip gives the schedule what tasks need: assets with rules and agents, and their row ids in the study.
func (s *Schedule) equip(assets *Assets, event int64, rows ids) {
	s.assets = assets
	s.event = event
	s.ids = rows
	s.entrants = map[[2]int]Entrant{}
	for i, g := range s.t.Rules {
		assets.AddRules(g)
		s.books = append(s.books, openings.NewBook(g, s.t.Openings, s.t.Seed+int64(i)))
	}
}

// Total returns the number of games, and whether it is exact; if not, it is an upper bound.
func (s *Schedule) Total() (games int64, exact bool) { return s.format.estimate(s.t) }

// Jobs yields the remaining games in order, as far as they do not depend on results.
func (s *Schedule) Jobs(yield func(Job) bool) {
	for {
		j, ok := s.nextJob(false)
		if !ok || !yield(j) {
			return
		}
	}
}

// Next returns up to n tasks that have not been handed out. If begun is true, it returns only second games of
// pairs in progress.
func (s *Schedule) Next(n int, begun bool) []Task {
	out := make([]Task, 0, n)
	for len(out) < n {
		j, ok := s.nextJob(begun)
		if !ok {
			break
		}
		out = append(out, s.task(j))
	}
	return out
}

// Ahead returns the number of games that have been handed out but not judged, and the number of judged games.
func (s *Schedule) Ahead() (ahead, judged int64) {
	if !s.t.Stop.adaptive() && s.t.Faults.Withdraw == 0 {
		return 0, s.judged
	}
	return s.next - s.judged, s.judged
}

func (s *Schedule) task(j Job) Task {
	book := s.books[j.Rules]
	t := Task{
		Slot:    Slot{s.event, j.Number},
		Opening: book.Text(j.Opening),
		opening: book.Opening(j.Opening),
		Stream:  j.Stream,
		Setting: Setting{
			Rules: s.t.Rules[j.Rules].RulesHash(), Seats: [2]Entrant{s.entrant(j.Rules, j.First), s.entrant(j.Rules, j.Second)},
			Seed: s.t.Seed, Clock: s.t.Plan.Clock, Adjudicate: s.t.Adjudge, Thoughts: s.t.Thoughts,
		},
	}
	if s.t.Plan.Clock.Seconds > 0 { // elsewhere games must be repeatable
		t.GameLimit = s.t.Rules[j.Rules].Rules().Clock.Seconds
	}
	return t
}

// label returns the label of a game's opening, see ratings.Game. A schedule that only counts games has no openings.
func (s *Schedule) label(j *Job) uint64 {
	if len(s.books) == 0 {
		return 0
	}
	text := s.books[j.Rules].Text(j.Opening)
	return evidence.Opening(int64(j.Rules), text, len(strings.Fields(text)))
}

// entrant returns a player in the form that tasks under some rules use.
func (s *Schedule) entrant(rules, player int) Entrant {
	key := [2]int{rules, player}
	e, ok := s.entrants[key]
	if !ok {
		e = s.assets.Entrant(s.t.Players[player], s.t.Rules[rules], s.t.Budget)
		s.entrants[key] = e
	}
	return e
}

// nextJob returns a game that has not been handed out. If there is none, the tournament is over (see Finished), or
// it has to wait for unfinished games.
func (s *Schedule) nextJob(begun bool) (Job, bool) {
	for len(s.again) > 0 && !s.decided {
		n := slices.Min(s.again)
		if n >= s.base && begun && !s.begun(n) {
			break
		}
		i := slices.Index(s.again, n)
		s.again = slices.Delete(s.again, i, i+1)
		if n < s.base {
			continue
		}
		if g := s.slot(n); g.outcome == engines.Ongoing && !g.void {
			return s.hand(g), true
		}
	}
	for !s.decided {
		for ; s.next < s.end(); s.next++ {
			g := s.slot(s.next)
			if g.outcome != engines.Ongoing || g.void || s.needless(g) {
				continue
			}
			if begun && !s.begun(s.next) {
				return Job{}, false
			}
			s.next++
			return s.hand(g), true
		}
		if begun || s.dry || s.format.barrier() && s.judged < s.end() {
			return Job{}, false
		}
		s.extend()
	}
	return Job{}, false
}

// left reports whether there are games to play after the stored ones.
func (s *Schedule) left() bool {
	j, ok := s.nextJob(false)
	if ok {
		s.Requeue(Slot{s.event, j.Number})
	}
	return ok
}

// begun reports whether a game is the second of a pair whose first game this run has handed out.
func (s *Schedule) begun(n int64) bool { return n%2 == 1 && s.slot(n-1).handed }

func (s *Schedule) hand(g *slot) Job {
	g.handed = true
	s.flight[g.Number] = g.Job
	return g.Job
}

func (s *Schedule) end() int64 { return s.base + int64(len(s.games)) }

func (s *Schedule) slot(n int64) *slot { return &s.games[n-s.base] }

// Requeue takes back a game that was handed out and not played.
func (s *Schedule) Requeue(at Slot) {
	if _, ok := s.flight[at.Number]; !ok {
		return
	}
	delete(s.flight, at.Number)
	if at.Number >= s.base {
		s.slot(at.Number).handed = false
		s.again = append(s.again, at.Number)
	}
}

// extend adds a stage.
func (s *Schedule) extend() {
	pairs, text := s.format.stage(s)
	if len(pairs) == 0 {
		s.dry, s.why = true, text
		return
	}
	if text != "" {
		s.notes = append(s.notes, live.Event{Kind: live.Stage, Run: s.t.Name, Text: text})
	}
	if !s.format.barrier() {
		s.forget()
	}
	for _, p := range pairs {
		pair := s.end() / 2
		for _, seats := range [2][2]int{{p.a, p.b}, {p.b, p.a}} {
			g := slot{Job: Job{
				Number: s.end(), Rules: p.rules, First: seats[0], Second: seats[1], Pair: pair,
				Opening: p.opening,
			}}
			g.Stream = s.stream(g.Job, p.meeting)
			if s.taken < len(s.stored) && s.stored[s.taken].number == g.Number {
				// Where games before it were superseded, a stage may be another than the one that it was played in.
				if old := s.stored[s.taken]; old.plays == s.plays(&g.Job) {
					g.played = old.played
				} else {
					s.mark(g.Number, old.marks, old.marks|evidence.Superseded)
				}
				s.taken++
			}
			s.games = append(s.games, g)
		}
	}
	s.advance()
}

// unknown returns the number of a stored game that is not part of the complete schedule.
func (s *Schedule) unknown() (number int64, ok bool) {
	if _, over := s.Finished(); over && s.taken < len(s.stored) {
		return s.stored[s.taken].number, true
	}
	return 0, false
}

// forget removes judged games at the front if the format does not need them again, so that a long tournament needs
// little memory.
func (s *Schedule) forget() {
	n := s.judged &^ 1
	s.games = slices.Delete(s.games, 0, int(n-s.base))
	s.base, s.next = n, max(s.next, n)
}

// stream returns the seed of a game. It is the FNV-1a hash of a text with the players, the rules, the opening, the
// repetition and the index in the pair. It does not depend on the game's number, so that games stay the same if
// agents or rules are added to a tournament or removed. Hashes of the names are cached, since the same two players
// may play millions of games.
func (s *Schedule) stream(j Job, meeting int) uint64 {
	who := [3]int{j.Rules, j.First, j.Second}
	h, ok := s.streams[who]
	if !ok {
		h = namesHash(s.t.Labels[j.Rules], s.t.Players[j.First].Name, s.t.Players[j.Second].Name)
		s.streams[who] = h
	}
	return streamOf(h, j.Opening, meeting, j.Number)
}

func namesHash(rules, first, second string) uint64 {
	return fnv1a(14695981039346656037, fmt.Appendf(nil, "%q %q %q ", rules, first, second))
}

func streamOf(names uint64, opening int64, meeting int, number int64) uint64 {
	text := strconv.AppendInt(make([]byte, 0, 48), opening, 10)
	text = strconv.AppendInt(append(text, ' '), int64(meeting), 10)
	return fnv1a(names, strconv.AppendInt(append(text, ' '), number%2, 10))
}

func fnv1a(h uint64, text []byte) uint64 {
	for _, c := range text {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
