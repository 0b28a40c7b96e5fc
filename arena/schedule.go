package arena

// Job is one game to play.
type Job struct {
	Number  int64 // from 0; decides the game's random stream
	Rules   int   // index into Tournament.Rules
	First   int   // index into Tournament.Players
	Second  int
	Pair    int64 // the two games of a pair have consecutive numbers, the same opening and exchanged seats
	Opening int64
}

// Schedule yields the jobs of a tournament in the order of their numbers.
type Schedule struct {
	pairings [][2]int
	rules    int
	pairs    int
}

// NewSchedule expands a round-robin: round by round, every match-up plays one pair in every game, so that a run that is
// stopped early is balanced.
func NewSchedule(t *Tournament) *Schedule {
	s := &Schedule{rules: len(t.Rules), pairs: t.Pairs}
	for a := range t.Players {
		for b := range a {
			s.pairings = append(s.pairings, [2]int{b, a})
		}
	}
	return s
}

// Len is the number of games.
func (s *Schedule) Len() int64 { return int64(s.pairs) * int64(s.rules) * int64(len(s.pairings)) * 2 }

// Job returns the job of a number below Len.
func (s *Schedule) Job(number int64) Job {
	pair := number / 2
	perRound := int64(s.rules * len(s.pairings))
	within := int(pair % perRound)
	p := s.pairings[within%len(s.pairings)]
	if number%2 == 1 {
		p[0], p[1] = p[1], p[0]
	}
	return Job{Number: number, Rules: within / len(s.pairings), First: p[0], Second: p[1], Pair: pair, Opening: pair / perRound}
}
