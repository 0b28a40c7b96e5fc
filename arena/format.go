package arena

// format makes the stages of a tournament.
type format interface {
	// stage returns the pairs of the next stage and what it is called, none when the tournament is over, with the
	// reason.
	stage(s *Schedule) (pairs []pairing, text string)
	// barrier reports whether a stage must be judged before the next is made.
	barrier() bool
	// estimate is the number of games, and whether it is exact.
	estimate(t *Tournament) (games int64, exact bool)
	// judged is told of every game in the order of the numbers, void ones among them, and says when the tournament is
	// over.
	judged(s *Schedule, g *slot) (why string, over bool)
	// skips reports whether the games judged so far make a later one needless.
	skips(number int64) bool
}

// mayLeaveOut reports whether games of the schedule may never be played: a stop rule ends it, or an agent is withdrawn.
func (t *Tournament) mayLeaveOut() bool {
	return t.Stop.adaptive() || t.Stop.Minutes > 0 || t.Faults.Withdraw > 0
}

// pairing is one pair of games to play.
type pairing struct {
	rules, a, b int
	opening     int64
	meeting     int // how often the two have met before, where they begin with the same openings again
}

func newFormat(t *Tournament) format {
	who := map[string]func(*Tournament) pairings{
		"gauntlet": gauntlet, "match": match, "mirror": mirror,
		"ladder": ladder,
	}[t.Format]
	switch {
	case t.Format == "swiss":
		return newSwiss(t)
	case t.Format == "knockout":
		return newKnockout(t)
	case who == nil:
		who = everybody
	}
	return &rounds{t: t, who: who(t)}
}
