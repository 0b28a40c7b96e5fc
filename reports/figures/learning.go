package figures

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
)

// curve is the strength of an agent during one training, by games of training.
type curve struct {
	name   string
	learnt bool              // strength is measured against the finished net, not against the start
	counts map[int][]float64 // by games of training: the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points
}

// Agent names in the games that show progress. A tuning plays its current answer against its start. A learned net
// plays its earlier versions.
var (
	tuned   = regexp.MustCompile(`^(.*) after ([0-9]+)$`)
	learned = regexp.MustCompile(`^(.*): against itself after [0-9]+ games, .*: after ([0-9]+) games$`)
)

// learner reads from an agent's name which training it belongs to and after how many games.
func learner(agent string) (name string, games int, learnt, ok bool) {
	found := learned.FindStringSubmatch(agent)
	if learnt = found != nil; !learnt {
		found = tuned.FindStringSubmatch(agent)
	}
	if found == nil {
		return "", 0, false, false
	}
	games, err := strconv.Atoi(found[2])
	return found[1], games, learnt, err == nil
}

// curves counts the pairs of every training, from the view of the agent whose number of training games is known.
func curves(ctx context.Context, db *store.DB, ask Ask) (map[string]*curve, error) {
	type place struct{ event, pair int64 }
	open, out := map[place]float64{}, map[string]*curve{}
	for row, err := range db.Games(ctx, store.Filter{Rules: ask.Rules}) {
		if err != nil {
			return nil, err
		}
		side := engines.First
		name, games, learnt, ok := learner(row.FirstName)
		if !ok {
			side = engines.Second
			if name, games, learnt, ok = learner(row.SecondName); !ok {
				continue
			}
		}
		// the checks of a tuning play other agents, too
		if !learnt && row.FirstName != name+" start" && row.SecondName != name+" start" {
			continue
		}
		result, _ := engines.ParseResult(row.Result)
		at, points := place{row.Event, row.Pair}, result.Score(side)
		before, ok := open[at]
		if !ok {
			open[at] = points
			continue
		}
		delete(open, at)
		c := out[name]
		if c == nil {
			c = &curve{name, learnt, map[int][]float64{}}
			out[name] = c
		}
		if c.counts[games] == nil {
			c.counts[games] = make([]float64, 5)
		}
		c.counts[games][int(2*(before+points))]++
	}
	return out, nil
}

func learning(ctx context.Context, db *store.DB, ask Ask) (*Figure, error) {
	all, err := curves(ctx, db, ask)
	if err != nil {
		return nil, err
	}
	var panels []chart.Chart
	var alts, names []string
	for _, kind := range []struct {
		learnt bool
		than   string
	}{{false, "the start"}, {true, "the finished net"}} {
		l := &chart.Lines{
			Dim: chart.Dim{Width: chart.Full}, X: chart.Axis{Label: "games of training", Unit: chart.Integer},
			Y:    chart.Axis{Label: "Elo against " + kind.than + ", 95 %", Unit: chart.Signed},
			Refs: []chart.Ref{{Value: 0, Label: kind.than}},
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			c := all[name]
			if c.learnt != kind.learnt {
				continue
			}
			line := chart.Line{Name: name, Style: chart.Whiskers}
			for _, games := range slices.Sorted(maps.Keys(c.counts)) {
				m, err := ratings.AnalyzeMatch(c.counts[games], 0.95)
				if err != nil {
					return nil, err
				}
				e := m.Elo
				line.Points = append(line.Points, chart.PointOf(float64(games), e))
				alts = append(alts, fmt.Sprintf("%s after %d games of training: %s Elo against %s", name, games, e, kind.than))
			}
			l.Lines = append(l.Lines, line)
		}
		names = slices.AppendSeq(names, maps.Keys(all))
		if l.Lines, _ = ask.only(l.Lines); len(l.Lines) > 0 {
			panels = append(panels, l)
		}
	}
	if err := ask.known(names); err != nil && len(names) > 0 {
		return nil, err
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("%w: the study has no checks of a tuning and no curve of spar learn (--curve-pairs)", ErrNone)
	}
	return &Figure{&chart.Panels{Charts: panels, Columns: 1}, strings.Join(alts, "; ") + " (95 %)"}, nil
}
