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
	counts map[int][]float64 // by games of training: the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points
}

// tuned is the name of an agent in the games that show progress: a tuning plays its present answer against its start.
var tuned = regexp.MustCompile(`^(.*) after ([0-9]+)$`)

// learner reads from an agent's name which tuning it belongs to and after how many games.
func learner(agent string) (name string, games int, ok bool) {
	found := tuned.FindStringSubmatch(agent)
	if found == nil {
		return "", 0, false
	}
	games, err := strconv.Atoi(found[2])
	return found[1], games, err == nil
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
		name, games, ok := learner(row.FirstName)
		if !ok {
			side = engines.Second
			if name, games, ok = learner(row.SecondName); !ok {
				continue
			}
		}
		// the checks of a tuning play other agents, too
		if row.FirstName != name+" start" && row.SecondName != name+" start" {
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
			c = &curve{name, map[int][]float64{}}
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
	var alts []string
	l := &chart.Lines{
		Dim: chart.Dim{Width: chart.Full}, X: chart.Axis{Label: "games of training", Unit: chart.Integer},
		Y:    chart.Axis{Label: "Elo against the start, 95 %", Unit: chart.Signed},
		Refs: []chart.Ref{{Value: 0, Label: "the start"}},
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		line := chart.Line{Name: name, Style: chart.Whiskers}
		for _, games := range slices.Sorted(maps.Keys(c.counts)) {
			m, err := ratings.AnalyzeMatch(c.counts[games], 0.95)
			if err != nil {
				return nil, err
			}
			line.Points = append(line.Points, chart.PointOf(float64(games), m.Elo))
			alts = append(alts, fmt.Sprintf("%s after %d games of training: %s Elo against the start", name, games, m.Elo))
		}
		l.Lines = append(l.Lines, line)
	}
	if len(l.Lines) == 0 {
		return nil, fmt.Errorf("%w: the study has no checks of a tuning", ErrNone)
	}
	if l.Lines, err = ask.only(l.Lines); err != nil {
		return nil, err
	}
	return &Figure{l, strings.Join(alts, "; ") + " (95 %)"}, nil
}
