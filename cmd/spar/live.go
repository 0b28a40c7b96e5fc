package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"spar/arena"
	"spar/engines"
	"spar/ratings"
)

// liveGame is what the live view needs to know of a finished game.
type liveGame struct {
	rules, first, second string
	pair                 int64
	result               engines.Result
	plies                int
	fault                bool
}

// liveStandings rates a run while it goes on. Its memory and the time of a look depend on the match-ups, not on the games.
type liveStandings struct {
	builder ratings.Builder
	open    map[int64]liveGame // pairs with one game finished
	penta   [5]float64         // a match: pairs by points of the first agent
	sprt    *ratings.SPRT
	leader  string // first agent of the plan, whose points penta counts
	games   int64
	plies   int64
	faults  int64
}

func newLiveStandings(t *arena.Tournament) *liveStandings {
	l := &liveStandings{open: map[int64]liveGame{}, leader: t.Players[0].Name}
	if t.Stop.SPRT != nil {
		if test, err := t.Stop.SPRT.Test(); err == nil { // checked with the plan
			l.sprt = &test
		}
	}
	return l
}

func (l *liveStandings) add(g liveGame) {
	l.games++
	l.plies += int64(g.plies)
	if g.fault {
		l.faults++
	}
	other, ok := l.open[g.pair]
	if !ok {
		l.open[g.pair] = g
		return
	}
	delete(l.open, g.pair)
	if g.first == g.second {
		return
	}
	outcome := func(g liveGame) ratings.Outcome { return ratings.Outcome(2 * g.result.Score(engines.First)) }
	stratum := g.rules
	if g.fault || other.fault {
		stratum += forfeited
	}
	if err := l.builder.AddPairs(g.first, g.second, stratum, outcome(g), outcome(other), 1); err != nil {
		return // an agent without a name: the final standings say so
	}
	points := g.result.Score(engines.First) + other.result.Score(engines.Second)
	if g.first != l.leader {
		points = 2 - points
	}
	l.penta[int(2*points)]++
}

// fit rates the finished pairs; best first.
func (l *liveStandings) fit() []ratings.PlayerRow {
	fit, err := l.builder.Table().Fit(ratings.Options{PerStratum: true})
	if err != nil {
		return nil
	}
	slices.SortStableFunc(fit.Players, func(a, b ratings.PlayerRow) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(b.Elo, a.Elo))
	})
	return fit.Players
}

// mostLive is the number of agents that the live view has room for.
const mostLive = 12

// table is the view for a person at a terminal.
func (l *liveStandings) table() string {
	players := l.fit()
	if len(players) == 0 {
		return ""
	}
	var b strings.Builder
	t := newTable(&b, table.Row{"", "agent", "Elo", "95 %", "score", "games"}, 1, 3, 5, 6)
	for i, p := range players[:min(len(players), mostLive)] {
		total := p.Total()
		t.AppendRow(table.Row{i + 1, p.Name, fmt.Sprintf("%+.0f", p.Elo), eloInterval(p.Elo, p.Interval), fmt.Sprintf("%.1f %%", 100*total.Points()/float64(total.Games())), total.Games()})
	}
	t.Render()
	if more := len(players) - mostLive; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	if l.sprt != nil {
		fmt.Fprintln(&b, l.test())
	}
	fmt.Fprintln(&b, l.health())
	return b.String()
}

// summary is the same in one line, for a file.
func (l *liveStandings) summary() string {
	out := l.health()
	if players := l.fit(); len(players) > 0 {
		out = fmt.Sprintf("%s leads, Elo %+.0f (%s); %s", players[0].Name, players[0].Elo, eloInterval(players[0].Elo, players[0].Interval), out)
	}
	if l.sprt != nil {
		out = l.test() + "; " + out
	}
	return out
}

func (l *liveStandings) health() string {
	return fmt.Sprintf("mean length %.1f plies, %d faults", float64(l.plies)/float64(max(1, l.games)), l.faults)
}

// test is where a sequential test stands.
func (l *liveStandings) test() string {
	v, err := l.sprt.Evaluate(l.penta[:])
	if err != nil {
		return "sequential test: not begun"
	}
	return fmt.Sprintf("sequential test of Elo %g against %g: LLR %.2f within [%.2f, %.2f], pairs of 0, ½, 1, 1½, 2 points: %.0f %.0f %.0f %.0f %.0f",
		l.sprt.Elo0, l.sprt.Elo1, v.LLR, v.Lower, v.Upper, l.penta[0], l.penta[1], l.penta[2], l.penta[3], l.penta[4])
}
