package standings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/configs/plain"
	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// LiveGame holds the data of a finished game that the live view needs.
type LiveGame struct {
	Number               int64 // number of the game in its event
	Rules, First, Second string
	Pair                 int64
	Result               engines.Result
	Plies                int
	Opening              uint64 // label of the opening, see OpeningLabel
	Marks                evidence.Marks
}

// OpeningLabel returns the label of an opening for LiveGame.
func OpeningLabel(rules, moves string, plies int) uint64 {
	return evidence.Opening(int64(ratings.Label(rules)), moves, plies)
}

// Live rates a run in progress by its finished pairs. Its memory and time depend on the number of match-ups and of
// shared openings.
type Live struct {
	builder ratings.Builder
	open    map[int64]LiveGame // pairs of which one game has been judged
	waiting map[int64]LiveGame // games that have not been judged, by number
	// for a match: number of pairs in which the leader scored 0, 1/2, 1, 3/2 and 2 points
	penta  ratings.PairScores
	test   *ratings.SPRT
	leader string
	games  int64
	plies  int64
	faults int64
	splits map[string]*splits // number of split pairs, by rules
	news   []string
}

// NewLive returns the view of a run that has no games yet. For a match with a sequential test it also follows the
// test; leader is the match's first agent. Without a test, test is nil.
func NewLive(leader string, test *ratings.SPRT) *Live {
	return &Live{
		open:    map[int64]LiveGame{},
		waiting: map[int64]LiveGame{},
		splits:  map[string]*splits{},
		leader:  leader,
		test:    test,
	}
}

// Add adds a finished game. A pending game is rated only after Judge has been called for it, so that the view does not
// depend on the speed of the workers.
func (l *Live) Add(g LiveGame) {
	l.games++
	l.plies += int64(g.Plies)
	if g.Marks&evidence.Pending != 0 {
		l.waiting[g.Number] = g
		return
	}
	l.rate(g)
}

// Judge sets the marks of a pending game, which decide what it counts for.
func (l *Live) Judge(number int64, m evidence.Marks) {
	if g, ok := l.waiting[number]; ok {
		delete(l.waiting, number)
		g.Marks = m
		l.rate(g)
	}
}

// rate adds a judged game.
func (l *Live) rate(g LiveGame) {
	if g.Marks&evidence.Forfeit != 0 {
		l.faults++
	}
	other, ok := l.open[g.Pair]
	if !ok {
		l.open[g.Pair] = g
		return
	}
	delete(l.open, g.Pair)
	counts := g.Marks.Counts(evidence.Strength) && other.Marks.Counts(evidence.Strength)
	if !counts || stratumOf(g) != stratumOf(other) || g.First != other.Second || g.Second != other.First {
		l.single(g)
		l.single(other)
		return
	}
	err := l.builder.AddOpeningPairs(g.First, g.Second, stratumOf(g), outcomeOf(g), outcomeOf(other), 1, g.Opening)
	if err != nil {
		return // an agent without a name: the final standings say so
	}
	points := g.Result.Score(engines.First) + other.Result.Score(engines.Second)
	if g.First != l.leader {
		points = 2 - points
	}
	l.penta.Add(int(2*points), g.Opening)
	x := l.splits[g.Rules]
	if x == nil {
		x = &splits{}
		l.splits[g.Rules] = x
	}
	text := x.note(g.Rules, g.Result == other.Result && g.Result != engines.Drawn, g.Opening)
	if text != "" {
		l.news = append(l.news, text)
	}
}

// News returns new messages to show at once. The only message warns that the seat decides most pairs of a game.
func (l *Live) News() []string {
	news := l.news
	l.news = nil
	return news
}

// single adds a game without a partner, which cannot be rated as a pair.
func (l *Live) single(g LiveGame) {
	if g.Marks.Counts(evidence.Strength) {
		// as above
		_ = l.builder.Add(ratings.Game{
			First:   g.First,
			Second:  g.Second,
			Stratum: stratumOf(g),
			Result:  outcomeOf(g),
			Opening: g.Opening,
		})
	}
}

func outcomeOf(g LiveGame) ratings.Outcome { return ratings.Outcome(2 * g.Result.Score(engines.First)) }

func stratumOf(g LiveGame) string { return evidence.Stratum(g.Rules, g.Marks) }

// Players returns the agents with ratings from the games so far, best first.
func (l *Live) Players() []ratings.PlayerRow {
	fit, err := l.builder.Table().Fit(ratings.Options{PerStratum: true})
	if err != nil {
		return nil
	}
	slices.SortStableFunc(fit.Players, func(a, b ratings.PlayerRow) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(b.Elo.Value, a.Elo.Value))
	})
	return fit.Players
}

// Health returns a summary: the mean length of games, and how many were forfeited.
func (l *Live) Health() string {
	return fmt.Sprintf("mean length %.1f plies, faults: %d", float64(l.plies)/float64(max(1, l.games)), l.faults)
}

// Test returns the state of the sequential test in words. It is empty without a test.
func (l *Live) Test() string {
	if l.test == nil {
		return ""
	}
	v, err := l.test.Evaluate(l.penta.Effective())
	if err != nil {
		return "sequential test: not started"
	}
	return fmt.Sprintf(
		"sequential test of Elo %g against %g: LLR %.2f, bounds [%.2f, %.2f], pairs of 0, ½, 1, 1½, 2 points: %s",
		l.test.Elo0, l.test.Elo1, v.LLR, v.Lower, v.Upper, strings.Trim(fmt.Sprint(l.penta.Counts), "[]"))
}

// Ahead estimates how many more games the sequential test takes if one of its hypotheses is true: the smaller and
// the larger number. The last result is false without a test, or if there is no estimate yet.
func (l *Live) Ahead() (least, most float64, ok bool) {
	if l.test == nil {
		return 0, 0, false
	}
	a, b, err := l.test.Ahead(l.penta.Effective())
	return 2 * min(a, b), 2 * max(a, b), err == nil && !math.IsInf(a+b, 0)
}

// difference returns the quantity that the sequential test tests, in Elo: the leader's strength relative to the
// other agent.
func (l *Live) difference() string {
	m, err := ratings.AnalyzeMatch(l.penta.Effective(), 0.95)
	if err != nil || m.Score.N == 0 {
		return ""
	}
	return fmt.Sprintf("%s is ahead by %s", plain.Line(l.leader), m.Elo)
}

// mostLive is the maximum number of agents that the live view shows.
const mostLive = 12

// Text returns the view for a terminal. It is empty before the first pair.
func (l *Live) Text() string {
	players := l.Players()
	if len(players) == 0 {
		return ""
	}
	var b strings.Builder
	places := map[string]int{}
	for i, p := range players {
		places[p.Name] = i + 1
	}
	_ = table.Rows(players[:min(len(players), mostLive)], func(p ratings.PlayerRow) []any {
		return []any{
			"place",
			table.As{Column: table.Column{Bare: true}, Cell: table.Count(places[p.Name])},
			"agent", p.Name, "Elo", p.Elo,
			"score", table.Num(Score(p.Total()), chart.Percent, 1), "games", p.Total().Games(),
		}
	}).Text(&b, 0)
	if more := len(players) - mostLive; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	if test := l.Test(); test != "" {
		fmt.Fprintln(&b, l.difference())
		fmt.Fprintln(&b, test)
	}
	fmt.Fprintln(&b, l.Health())
	return b.String()
}
