package standings

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"spar/arena/store"
	"spar/arena/study"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// Worker describes the games of a study that one machine played.
type Worker struct {
	Worker string `json:"worker" help:"name; local is the process that stored the games"`
	System string `json:"system,omitempty" help:"operating system and processor"`
	Slots  int    `json:"slots,omitempty" help:"games at a time"`
	// number of games that count
	Games int64 `json:"games" help:"games that count"`
	// games per hour, from joining to last contact
	Rate *float64 `json:"games_per_s,omitempty" help:"games submitted per second, between joining and last contact"`
	// games in which an agent failed
	Faults     int64            `json:"faults" help:"games that an agent forfeited by a fault"`
	FaultShare ratings.Estimate `json:"fault_share,omitzero" help:"their share of the games, 95 %"`
	// how often its leases expired and its games went to other workers
	Late int64 `json:"late" help:"times that its games were reassigned because it made no progress"`
	// games that another worker replayed with the same result
	Checked  int64 `json:"checked" help:"games that another worker replayed with the same moves"`
	Differed int64 `json:"differed" help:"games that another worker replayed with other moves"` //
	// games that no longer count
	Superseded int64 `json:"superseded" help:"games that no longer count because the worker was barred"`
	// first player's score minus that of other workers in the same match-ups, in standard errors
	Residual   *float64 `json:"residual,omitempty" help:"first player's score against that of the other workers in the same match-ups, in standard errors"`
	Difference float64  `json:"difference,omitempty" help:"the residual in points per game"` // the same in points per game
	// number of games in this comparison
	Compared int64 `json:"compared" help:"games that the residual is based on"`
	// reason why it gets no more games; empty if it does
	Barred string `json:"barred,omitempty" help:"reason why it got no more games"`
	// time of the last contact, UTC
	Seen string `json:"seen,omitempty" help:"last contact, UTC"`
}

// Workers describes each worker of a study: how fast it is, how often agents failed on it, and whether its results
// agree with those of other workers.
func Workers(ctx context.Context, db *store.DB) ([]Worker, error) {
	cells, err := db.ByWorker(ctx)
	if err != nil {
		return nil, err
	}
	known, err := db.Workers(ctx)
	if err != nil {
		return nil, err
	}
	return workers(cells, known), nil
}

func workers(cells []store.Cell, known []study.Worker) []Worker {
	type matchUp struct{ rules, first, second int64 }
	all := map[matchUp]store.Cell{}
	for _, c := range cells {
		k := matchUp{c.Rules, c.First, c.Second}
		sum := all[k]
		sum.Games, sum.Points, sum.Squares = sum.Games+c.Games, sum.Points+c.Points, sum.Squares+c.Squares
		all[k] = sum
	}
	at := map[string]int{}
	var out []Worker
	var variance, sums []float64
	row := func(name string) int {
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out, variance, sums = append(out, Worker{Worker: name}), append(variance, 0), append(sums, 0)
		}
		return i
	}
	for _, c := range cells {
		i := row(c.Worker)
		w := &out[i]
		w.Games, w.Faults, w.Superseded = w.Games+c.Games, w.Faults+c.Faults, w.Superseded+c.Superseded
		sum := all[matchUp{c.Rules, c.First, c.Second}]
		own, others := float64(c.Games), float64(sum.Games-c.Games)
		if own == 0 || others == 0 {
			continue
		}
		mean := sum.Points / float64(sum.Games)
		spread := max(0, sum.Squares/float64(sum.Games)-mean*mean)
		sums[i] += own * (c.Points/own - (sum.Points-c.Points)/others)
		variance[i] += own * own * spread * (1/own + 1/others)
		w.Compared += c.Games
	}
	for _, k := range known {
		w := &out[row(k.ID)]
		w.System, w.Slots, w.Late, w.Checked, w.Differed, w.Barred, w.Seen = k.System, k.Slots, k.Late, k.Checked, k.Differed,
			k.Barred, k.Seen.UTC().Format(time.RFC3339)
		if past := k.Seen.Sub(k.Joined).Seconds(); past > 0 {
			rate := float64(k.Games) / past
			w.Rate = &rate
		}
	}
	for i := range out {
		w := &out[i]
		if w.Games > 0 {
			w.FaultShare = ratings.ClopperPearson(w.Faults, w.Games, 0.95)
		}
		if variance[i] > 0 {
			z := sums[i] / math.Sqrt(variance[i])
			w.Residual, w.Difference = &z, sums[i]/float64(w.Compared)
		}
	}
	slices.SortFunc(out, func(a, b Worker) int { return strings.Compare(a.Worker, b.Worker) })
	return out
}

// WorkersText writes the table of workers.
func WorkersText(out io.Writer, ws []Worker) error {
	type field = table.Field[Worker]
	number := func(name string, known func(Worker) *float64, unit chart.Unit) field {
		return table.Declare(table.Column{Name: name}, func(w Worker) table.Cell {
			if x := known(w); x != nil {
				return table.Num(*x, unit, 1)
			}
			return table.None("unknown")
		})
	}
	count := table.CountField[Worker]
	if err := table.Build([]field{
		table.WordField("worker", func(w Worker) string { return w.Worker }),
		table.WordField("system", func(w Worker) string { return w.System }),
		table.Declare(table.Column{Name: "at a time"}, func(w Worker) table.Cell {
			if w.Slots == 0 {
				return table.None("unknown")
			}
			return table.Count(w.Slots)
		}),
		count("games", func(w Worker) int64 { return w.Games }),
		number("games/s", func(w Worker) *float64 { return w.Rate }, chart.Number),
		count("faults", func(w Worker) int64 { return w.Faults }),
		table.Declare(table.Column{Name: "of games"}, func(w Worker) table.Cell {
			if w.Games == 0 {
				return table.None("no games")
			}
			return table.Estimate(w.FaultShare, chart.Percent, 1)
		}),
		count("late", func(w Worker) int64 { return w.Late }),
		count("checked", func(w Worker) int64 { return w.Checked }),
		count("differed", func(w Worker) int64 { return w.Differed }),
		count("superseded", func(w Worker) int64 { return w.Superseded }),
		number("residual", func(w Worker) *float64 { return w.Residual }, chart.Signed),
		count("n", func(w Worker) int64 { return w.Compared }),
	}, ws).Text(out, 0); err != nil {
		return err
	}
	for _, w := range ws {
		if w.Barred != "" {
			if _, err := fmt.Fprintf(out, "%s got no more games: %s\n", w.Worker, w.Barred); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintln(out, "residual: how far the first player's score is from that of the other workers in the "+
		"same match-ups, in standard errors of n games")
	return err
}
