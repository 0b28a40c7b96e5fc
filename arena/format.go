package arena

// format makes the stages of a tournament.
type format interface {
	// stage returns the pairs of the next stage, and its name. If the tournament is over, it returns no pairs, and
	// the reason.
	stage(s *Schedule) (pairs []pairing, text string)
	// barrier reports whether all games of a stage must be judged before the next stage is made.
	barrier() bool
	// estimate returns the number of games, and whether it is exact.
	estimate(t *Tournament) (games int64, exact bool)
	// judged receives every game in the order of numbers, including void ones. It returns whether the tournament
	// is over.
	judged(s *Schedule, g *slot) (why string, over bool)
	// skips reports whether a later game is unnecessary because of the games judged so far.
	skips(number int64) bool
}

// mayLeaveOut reports whether some games of the schedule may never be played, because of an early stop or a
// withdrawn agent.
func (t *Tournament) mayLeaveOut() bool {
	return t.Stop.adaptive() || t.Stop.Minutes > 0 || t.Faults.Withdraw > 0
}

// pairing is one pair of games to play.
type pairing struct {
	rules, a, b int
	opening     int64
	meeting     int // number of earlier pairs of the same two players, for formats whose pairs reuse openings
}

func newFormat(t *Tournament) format {
	who := map[string]func(*Tournament) pairings{
		"gauntlet": gauntlet, "match": match, "mirror": mirror,
		"ladder": ladder,
	}[t.Format]
	if t.Format == "swiss" {
		return newSwiss(t)
	}
	if who == nil {
		who = everybody
	}
	return &rounds{t: t, who: who(t)}
}
