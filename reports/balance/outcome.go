package balance

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"spar/ratings"
)

// Outcome is who wins. A game that ended by a cap does not count as a draw here: FirstWins +
// Draws + Caps + SecondWins equals Games.
type Outcome struct {
	FirstWins  int64 `json:"first_wins"`
	Draws      int64 `json:"draws"` // draws by the rules
	Caps       int64 `json:"caps"`  // games ended by the ply cap or a clock
	SecondWins int64 `json:"second_wins"`

	// First, Draw and Second are the fractions of the results, with Wilson intervals
	First  ratings.Estimate `json:"first"`
	Draw   ratings.Estimate `json:"draw"`
	Cap    ratings.Estimate `json:"cap"`
	Second ratings.Estimate `json:"second"`
	Score  ratings.Estimate `json:"score"` // mean score of the first player; draws and capped games count 0.5
	Elo    ratings.Estimate `json:"elo"`   // first-player advantage in Elo, from Score
	// fraction of wins of the first player among the games with a winner
	Decisive ratings.Estimate `json:"decisive"`
}

// Ends is why games ended. Fractions refer to all games of the group, including forfeits.
type Ends struct {
	Reasons []ReasonShare `json:"reasons"` // the most frequent reason first
	// fraction of games ended by the rules and not by a cap; forfeits and adjudications are excluded
	Completion ratings.Estimate `json:"completion"`
	Forfeits   int64            `json:"forfeits"`
}

// ReasonShare is the fraction of games that ended for one reason.
type ReasonShare struct {
	Reason string `json:"reason"` // reason as in the records: line, full_board, ply_cap, ...
	Kind   string `json:"kind"`   // win, draw, cap, adjudicated or forfeit
	Games  int64  `json:"games"`
	// Distinct is how many of Games are not equal to an earlier game.
	Distinct int64            `json:"distinct"`
	Share    ratings.Estimate `json:"share"`
	By       map[string]int64 `json:"by"` // games by result: first, draw, second
}

// outcomeSums counts how the games of a group ended.
type outcomeSums struct {
	d *groupData
	endings
}

func newOutcome(d *groupData) sums { return &outcomeSums{d: d} }

// Add implements sums.
func (s *outcomeSums) Add(unit []*record) { s.endings.add(unit) }

// Result implements sums.
func (s *outcomeSums) Result(m measurer, g *Group) {
	g.Outcome, g.Ends = s.outcome(m), s.ends(m)
	g.Forfeits, g.DistinctOf = g.Ends.Forfeits, m.share(s.d.distinct, s.d.games, "games")
}

// class is how a game ended, including the winner.
type class struct {
	reason int32
	kind   endKind
	half   uint8
}

// way is how a game ended, whoever won.
type way struct {
	reason int32
	kind   endKind
}

func (c class) counts() bool { return c.kind != endForfeit }

// endings counts how the games of each unit ended.
type endings struct {
	classes []class
	index   map[class]int32
	units   map[ending]int64 // number of units of each kind
}

// ending is a kind of unit: the classes of both games, of which the second is -1 if there is no second game, and the
// label of the opening.
type ending struct {
	classes [2]int32
	label   uint64
}

func (e *endings) add(rs []*record) {
	if e.index == nil {
		e.index, e.units = map[class]int32{}, map[ending]int64{}
	}
	key := ending{[2]int32{-1, -1}, rs[0].label}
	for i, r := range rs {
		c := class{r.reason, r.kind, r.half}
		at, ok := e.index[c]
		if !ok {
			at = int32(len(e.classes))
			e.index[c] = at
			e.classes = append(e.classes, c)
		}
		key.classes[i] = at
	}
	e.units[key]++
}

// games returns the number of games that ended in one way.
func (e *endings) games(is func(class) bool) int64 {
	total := int64(0)
	for key, n := range e.units {
		for _, at := range key.classes {
			if at >= 0 && is(e.classes[at]) {
				total += n
			}
		}
	}
	return total
}

// shareOf returns the fraction of some of the games for which is holds, clustered as the first player's score is. If
// match-ups could stop early, the interval holds at all times together.
func (m measurer) shareOf(s *outcomeSums, of string, among, is func(class) bool) ratings.Estimate {
	var c ratings.ClusteredMean
	var counts [2]int64 // games for which is does not hold, and for which it does
	for key, times := range s.units {
		games, hits := int64(0), 0.0
		for _, at := range key.classes {
			if at >= 0 && among(s.classes[at]) {
				hit := oneIf(is(s.classes[at]))
				games, hits = games+1, hits+hit
				counts[int(hit)] += times
			}
		}
		c.AddMany(hits, games, times, key.label)
	}
	e := c.Mean(m.level, of)
	if e.N == 0 {
		return ratings.Estimate{}
	}
	if s.d.looked {
		e = e.AtAllTimes(counts[:])
	}
	return warnThin(e)
}

// outcome computes who wins. Its score is the first player's score of evidence.FirstPlayer, as everywhere.
func (s *outcomeSums) outcome(m measurer) Outcome {
	e, d := &s.endings, s.d
	capped := func(c class) bool { return c.counts() && c.kind == endCap }
	ended := func(half uint8) func(class) bool {
		return func(c class) bool { return c.counts() && c.kind != endCap && c.half == half }
	}
	share := func(is func(class) bool) ratings.Estimate { return m.shareOf(s, "games", class.counts, is) }
	o := Outcome{
		FirstWins: e.games(ended(2)), Draws: e.games(ended(1)), SecondWins: e.games(ended(0)),
		Caps: e.games(capped),
	}
	o.First, o.Draw, o.Second, o.Cap = share(ended(2)), share(ended(1)), share(ended(0)), share(capped)
	d.first.Anytime = d.looked
	o.Score = warnThin(d.first.Score(m.level))
	o.Elo = elo(o.Score)
	decisive := func(c class) bool { return c.counts() && c.kind != endCap && c.half != 1 }
	o.Decisive = m.shareOf(s, "decisive games", decisive, ended(2))
	return o
}

func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// stretch multiplies the width of an interval by the square root of a design effect, within limits. An open end
// stays open.
func stretch(n ratings.Estimate, effect, least, most float64) ratings.Estimate {
	if !n.Known() || effect <= 1 {
		return n
	}
	if !n.LoOpen {
		n.Lo = max(least, n.Value-(n.Value-n.Lo)*math.Sqrt(effect))
	}
	if !n.HiOpen {
		n.Hi = min(most, n.Value+(n.Hi-n.Value)*math.Sqrt(effect))
	}
	n.Method += ", clustered"
	return n
}

// ends computes why games ended, from all games of a group except repeated ones, forfeits included.
func (s *outcomeSums) ends(m measurer) Ends {
	e := &s.endings
	all := func(class) bool { return true }
	completed := func(c class) bool { return c.kind == endWin || c.kind == endDraw }
	// nobody knows how the rules would have ended the others
	played := func(c class) bool { return completed(c) || c.kind == endCap }
	out := Ends{Reasons: []ReasonShare{}, Forfeits: e.games(func(c class) bool { return !c.counts() })}
	out.Completion = m.shareOf(s, "games", played, completed)
	found := map[way]bool{}
	for _, c := range e.classes {
		k := way{c.reason, c.kind}
		if found[k] {
			continue
		}
		found[k] = true
		is := func(c class) bool { return c.reason == k.reason && c.kind == k.kind }
		x := ReasonShare{
			Reason: s.d.p.reasons[k.reason], Kind: k.kind.String(), By: map[string]int64{}, Games: e.games(is),
			Distinct: s.d.ways[k],
		}
		for half := range uint8(3) {
			if n := e.games(func(c class) bool { return is(c) && c.half == half }); n > 0 {
				x.By[resultWord(half)] = n
			}
		}
		x.Share = m.shareOf(s, "games", all, is)
		out.Reasons = append(out.Reasons, x)
	}
	slices.SortFunc(out.Reasons, func(a, b ReasonShare) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), strings.Compare(a.Reason, b.Reason), strings.Compare(a.Kind, b.Kind))
	})
	return out
}

func resultWord(half uint8) string { return [...]string{"second", "draw", "first"}[half] }
