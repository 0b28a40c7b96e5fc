package arena_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/solve"
	"spar/ratings"
)

// These tests specify by their outcomes what decides a tournament. Its players are engines whose results are known
// beforehand: see testdata/rank.sh.

// never errs: with two of them the first player wins, whose line of five a5 b4 c3 d2 e1 is full at ply 21.
const never = 99

// field is a plan of players named A, B, C and so on, each with the number of moves on the board at which it errs: the
// greater number wins. Head holds the other keys of the plan.
func field(t *testing.T, head string, errs ...int) string {
	t.Helper()
	var refs []string
	for i, n := range errs {
		refs = append(refs, ranked(t, string(rune('A'+i)), strconv.Itoa(n)))
	}
	return planOf(head, refs...)
}

// list writes words as a YAML list without its brackets.
func list(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, ", ")
}

// planOf is a plan of the agents in these files on 5x5, with other keys in head.
func planOf(head string, files ...string) string {
	return fmt.Sprintf("name: field\ngames: [{rules: classic, set: {board.columns: 5, board.rows: 5, win.line: "+
		"5}}]\nseed: 1\nagents: [%s]\n%s",
		list(files), head)
}

// ranked writes the file of an agent that runs testdata/rank.sh.
func ranked(t *testing.T, name string, args ...string) string {
	t.Helper()
	script := must.Get(filepath.Abs("testdata/rank.sh"))(t)
	file := filepath.Join(t.TempDir(), name+".yaml")
	text := fmt.Sprintf("type: ugi\nugi: {command: sh, args: [%s]}\n", list(append([]string{script}, args...)))
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// outcome plays a plan and returns why it ended and its games in order, without those that were played ahead of a
// decision and count for nothing.
func outcome(t *testing.T, text string, set ...string) (arena.Summary, []store.Row) {
	t.Helper()
	db := storetest.New(t)
	sum := run(t, plan(t, text, set...), db, 0)
	var rows []store.Row
	for _, row := range games(t, db) {
		if row.Marks&evidence.Surplus == 0 {
			rows = append(rows, row)
		}
	}
	return sum, rows
}

// encounters writes who met whom, A first in the pair's first game, one word a pair.
func encounters(t *testing.T, rows []store.Row) string {
	t.Helper()
	var out []string
	for i := 0; i+1 < len(rows); i += 2 {
		a, b := rows[i], rows[i+1]
		if a.FirstName != b.SecondName || a.SecondName != b.FirstName || a.Pair != b.Pair || a.Opening != b.Opening {
			t.Errorf("games %d and %d are no pair: %s-%s, %s-%s", a.Number, b.Number, a.FirstName, a.SecondName, b.FirstName,
				b.SecondName)
		}
		out = append(out, a.FirstName+a.SecondName)
	}
	return strings.Join(out, " ")
}

// Swiss, by hand. Points are those of games; a bye scores as if both games of the round were won, times swiss_bye. The
// order is by points, then by the place in the plan; each plays the next he has not met; the bye is the lowest's who
// has had fewest.
func TestSwiss(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, head string
		errs       []int
		want       string
	}{
		// All pairs are tied 1-1. Round 1, ABCDE: E has the bye, 2 points, the others 1. Round 2, E ABCD: the bye is
		// D's; A 2, B 2, C 2, D 3, E 3. Round 3, DE ABC: the bye is C's, the lowest of those without; D with the next,
		// E, leaves A and B, who have met: so D with A.
		{
			"a bye scores", "format: swiss\npairs: 1\nrounds: 3\n",
			[]int{never, never, never, never, never},
			"AB CD EA BC DA EB",
		},
		// A bye without points: E is last in round 2, ABCDE with 1 1 1 1 0; but he has had the bye, so that it is D's.
		// Round 3, ABC 2 each DE 1 each: the bye is C's; A has met B and C; A with D would leave B and E, who have met.
		{
			"a bye without points", "format: swiss\npairs: 1\nrounds: 3\nswiss_bye: 0\n",
			[]int{never, never, never, never, never},
			"AB CD AC BE AE BD",
		},
		// The better wins: D > C > B > A. Round 1: B and D win. Round 2: winners and losers among themselves. Two
		// rounds are the default for four players.
		{"winners meet winners", "format: swiss\npairs: 1\n", []int{10, 12, 14, 16}, "AB CD BD AC"},
		// Three players, A > B > C: the bye is C's, then, of B with 0 and C with his bye's 2, A having 2, again the
		// lowest: B's. At the end A has 4, the others 2, and the bye is A's, who alone had none.
		{"everybody has one bye", "format: swiss\npairs: 1\nrounds: 3\n", []int{14, 12, 10}, "AB AC BC"},
		// Once all have met, encounters repeat.
		{"few players, many rounds", "format: swiss\npairs: 1\nrounds: 3\n", []int{12, 10}, "AB AB AB"},
		// B errs at once and is withdrawn after his first pair; the one he does not play counts for A, who so has 4
		// points, as E has by his bye, and comes before E by his place in the plan; C and D have 2. A with E would
		// leave C and D, who have met.
		{
			"a withdrawn player loses what he does not play", "format: swiss\npairs: 2\nrounds: 2\nfaults: {withdraw: 2}\n",
			[]int{never, 0, never, never, never},
			"AB CD CD AC AC ED ED",
		},
		// The same from the second place: A errs, so that B has 4 points.
		{
			"nor what he would begin", "format: swiss\npairs: 2\nrounds: 2\nfaults: {withdraw: 2}\n",
			[]int{0, never, never, never, never},
			"AB CD CD BC BC ED ED",
		},
		// Both pairs of an encounter are played in its round.
		{"two pairs", "format: swiss\npairs: 2\nrounds: 1\n", []int{12, 10, 14}, "AB AB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, workers := range []int{1, 2, 3, 6} {
				sum, rows := outcome(t, field(t, c.head, c.errs...), fmt.Sprintf("workers=%d", workers))
				if got := encounters(t, rows); got != c.want || !sum.Finished {
					t.Errorf("%d workers: %s, want %s (finished: %t, %s)", workers, got, c.want, sum.Finished, sum.Why)
				}
			}
		})
	}
}

// A player is withdrawn after exactly so many forfeits in a row, and it is the one at fault: B errs at once, whichever
// side he has. What was played ahead of the decision counts for nothing, so that the number of workers does not matter.
// The games of the others all are played: 6 encounters.
func TestWithdrawnAfterSoMany(t *testing.T) {
	t.Parallel()
	for _, k := range []int{1, 2, 3, 6} {
		for _, workers := range []int{1, 4} {
			sum, rows := outcome(t, field(t, fmt.Sprintf("pairs: 1\nfaults: {withdraw: %d}\n", k), never, 0, never, never,
				never), fmt.Sprintf("workers=%d", workers))
			faults, others := 0, 0
			for _, r := range rows {
				lost := map[bool]string{true: "second", false: "first"}[r.FirstName == "B"]
				switch {
				case r.FirstName != "B" && r.SecondName != "B":
					others++
				case evidence.IsForfeit(r.Reason) && strings.HasPrefix(r.Detail, "B at ply ") && r.Result == lost:
					faults++
				default:
					t.Errorf("withdraw %d: %s-%s ended %s by %s: %s", k, r.FirstName, r.SecondName, r.Result, r.Reason, r.Detail)
				}
			}
			if faults != k || others != 12 || !slices.Equal(sum.Withdrawn, []string{"B"}) || sum.Faults < int64(k) {
				t.Errorf("withdraw %d, %d workers: %d forfeits count, %d games of the others, withdrawn %v, %d faults; "+
					"want %d, 12, B", k, workers, faults, others, sum.Withdrawn, sum.Faults, k)
			}
		}
	}
}

// Only forfeits in a row count: a player who errs in every second game is never withdrawn, and not when nobody is to
// be.
func TestForfeitsInARow(t *testing.T) {
	t.Parallel()
	text := planOf("pairs: 4\nworkers: 1\n", ranked(t, "A", "99"), ranked(t, "B", "0", "first"))
	for _, k := range []int{0, 2} {
		sum, rows := outcome(t, text, fmt.Sprintf("faults.withdraw=%d", k))
		if len(rows) != 8 || len(sum.Withdrawn) != 0 || sum.Faults != 4 {
			t.Errorf("withdraw %d: %d games, withdrawn %v, %d faults; want all 8, nobody, 4", k, len(rows), sum.Withdrawn,
				sum.Faults)
		}
		for _, r := range rows {
			// As second B never errs, and A, who begins, wins: so A wins all.
			if (r.Result == "first") != (r.FirstName == "A") {
				t.Errorf("%s-%s ended %s", r.FirstName, r.SecondName, r.Result)
			}
		}
	}
}

// positions finds lines of classic of so many plies with a given value by the solver and at least least plies to go.
func positions(t *testing.T, outcome engines.Result, plies, least, n int) []string {
	t.Helper()
	g := must.Get(arena.LoadGame(arena.GameRef{Rules: "classic"}))(t)
	table := must.Get(solve.Solve(t.Context(), g, solve.Options{}))(t)
	var out []string
	var walk func(p *engines.Position)
	walk = func(p *engines.Position) {
		if len(out) == n || p.Over() {
			return
		}
		if p.Ply() == plies {
			v, ok := table.Lookup(&p.State)
			got := engines.Drawn
			switch v.Outcome {
			case solve.Win:
				got = engines.Winner(p.Side())
			case solve.Loss:
				got = engines.Winner(1 - p.Side())
			}
			if ok && got == outcome && v.DTW >= least {
				out = append(out, `"`+g.JoinMoves(p.Played())+`"`)
			}
			return
		}
		for _, m := range p.AppendMoves(nil) {
			next := p.Clone()
			next.Play(m)
			walk(next)
		}
	}
	p := g.NewPosition()
	walk(p)
	if len(out) < n {
		t.Fatalf("%d lines won by %v, want %d", len(out), outcome, n)
	}
	return out
}

// Two perfect players know the outcome at once. The lost one resigns after so many decisions in a row that agree, of
// both sides together and at least one each: that side loses, whichever it is and whoever moves first after the
// opening. A draw is agreed only from a ply on.
func TestResigning(t *testing.T) {
	t.Parallel()
	const head = "name: resign\ngames: [classic]\npairs: 4\nagents: [perfect, {agent: perfect, name: other}]\n"
	for _, c := range []struct {
		outcome engines.Result
		plies   int
		want    string
	}{
		{engines.FirstWins, 3, "first"},
		{engines.FirstWins, 2, "first"},
		{engines.SecondWins, 3, "second"},
		{engines.SecondWins, 4, "second"},
	} {
		lines := positions(t, c.outcome, c.plies, 3, 4)
		for _, moves := range []int{1, 2} {
			_, rows := outcome(t, head+"openings: {lines: ["+strings.Join(lines, ", ")+"]}\n",
				fmt.Sprintf("adjudicate={resign: 0.05, moves: %d}", moves))
			for _, r := range rows {
				if r.Result != c.want || r.Reason != "resign" || r.Plies != c.plies+2 {
					t.Errorf("moves %d, after %s: %s by %s at ply %d, want %s by resign at %d", moves, r.Moves, r.Result, r.Reason,
						r.Plies, c.want, c.plies+2)
				}
			}
			if len(rows) != 8 {
				t.Errorf("%d games, want 8", len(rows))
			}
		}
	}
	draws := positions(t, engines.Drawn, 1, 0, 4)
	for _, c := range []struct {
		adjudicate string
		plies      int
		reason     string
	}{
		{"{draw: 0.05, moves: 2}", 3, "agreed_draw"},
		{"{draw: 0.05, moves: 2, from_ply: 4}", 5, "agreed_draw"}, // plies 4 and 5 are the first two that may agree
		{"{draw: 0.05, moves: 3, resign: 0.05}", 4, "agreed_draw"},
		{"{resign: 0.05, moves: 1}", 9, "full_board"},
		{"{draw: 0.05, moves: 9}", 9, "full_board"},
		{"{}", 9, "full_board"},
	} {
		_, rows := outcome(t, head+"openings: {lines: ["+strings.Join(draws, ", ")+"]}\n", "adjudicate="+c.adjudicate)
		for _, r := range rows {
			if r.Result != "draw" || r.Reason != c.reason || r.Plies != c.plies {
				t.Errorf("%s: %s by %s at ply %d, want a draw by %s at %d", c.adjudicate, r.Result, r.Reason, r.Plies, c.reason,
					c.plies)
			}
		}
	}
}

// rated rates games as a tournament does, pairs as units, and returns the width of the widest interval.
func rated(t *testing.T, rows []store.Row) float64 {
	t.Helper()
	var b ratings.Builder
	for _, r := range rows {
		o := map[string]ratings.Outcome{
			"first": ratings.FirstWins, "draw": ratings.Draw,
			"second": ratings.SecondWins,
		}[r.Result]
		must.Do(t, b.Add(ratings.Game{
			First: r.FirstName, Second: r.SecondName, Result: o, Stratum: r.RulesName,
			Pair: fmt.Sprint(r.Pair), Opening: evidence.Opening(r.Rules, r.Moves, r.OpeningPlies),
		}))
	}
	fit := must.Get(b.Table().Fit(ratings.Options{PerStratum: true}))(t)
	widest := 0.0
	for _, p := range fit.Players {
		if p.Elo.Interval.LoOpen || p.Elo.Interval.HiOpen {
			return math.Inf(1)
		}
		widest = max(widest, p.Elo.Interval.Hi-p.Elo.Interval.Lo)
	}
	return widest
}

// Stopping by width ends as soon as the whole width of every interval, not half of it, is at most what was asked for:
// with the last stage's games it is, without them it was not yet.
func TestStopByWidth(t *testing.T) {
	t.Parallel()
	const head = "name: width\ngames: [classic]\npairs: 2000\nopenings: {plies: 2}\nseed: 3\nworkers: 2\n"
	for _, c := range []struct {
		agents string
		width  float64
		stage  int // games
	}{
		{"format: match\nagents: [random, {agent: random, name: other}]\n", 60, 16},
		{"agents: [random, {agent: random, name: other}, {agent: random, name: third}]\n", 80, 6},
	} {
		sum, rows := outcome(t, head+c.agents, fmt.Sprintf("stop.width=%g", c.width))
		if !sum.Finished || len(rows) < 3*c.stage || len(rows) >= 4000 {
			t.Fatalf("%d games, %+v", len(rows), sum)
		}
		if w := rated(t, rows); w > c.width {
			t.Errorf("stopped after %d games with intervals up to %.1f wide, want %g", len(rows), w, c.width)
		}
		if w := rated(t, rows[:len(rows)-c.stage]); w <= c.width {
			t.Errorf("stopped after %d games, but %d games earlier the intervals were only %.1f wide", len(rows), c.stage, w)
		}
		if !strings.Contains(sum.Why, "interval is narrower than "+fmt.Sprint(c.width)) {
			t.Errorf("why: %s", sum.Why)
		}
	}
}

// A sequential test of a match, fed the pairs in their order, stops at the first pair at which an own tracker does; the
// verdict is that of the plan's first agent, wherever he sits.
func TestStopBySequentialTest(t *testing.T) {
	t.Parallel()
	const head = "name: sequential\nformat: match\ngames: [vanishing]\npairs: 400\nopenings: {plies: 3}\nseed: 3\n"
	for _, c := range []struct {
		agents string
		state  ratings.State
	}{
		{"agents: [greedy, random]\n", ratings.StateAcceptH1},
		{"agents: [random, greedy]\n", ratings.StateAcceptH0},
	} {
		for _, workers := range []int{1, 2} {
			sum, rows := outcome(t, head+c.agents, "stop={sprt: {elo0: 0, elo1: 100}}", fmt.Sprintf("workers=%d", workers))
			first := strings.Fields(strings.Trim(strings.TrimPrefix(c.agents, "agents: "), "[]\n"))[0]
			first = strings.TrimSuffix(first, ",")
			tracker := must.Get(ratings.NewTracker(ratings.SPRT{Elo0: 0, Elo1: 100}, true))(t)
			stopped := 0
			for i := 0; i+1 < len(rows) && stopped == 0; i += 2 {
				points := 0.0 // of the first agent
				for _, r := range rows[i : i+2] {
					switch {
					case r.Result == "draw":
						points += 0.5
					case (r.Result == "first") == (r.FirstName == first):
						points++
					}
				}
				state := must.Get(tracker.Add(int(2 * points)))(t)
				if state != ratings.StateContinue {
					stopped = i/2 + 1
					if state != c.state {
						t.Errorf("%s: %s, want %s", c.agents, state, c.state)
					}
				}
			}
			if stopped == 0 || len(rows) != 2*stopped {
				t.Errorf("%d games count, the test stops after %d pairs", len(rows), stopped)
			}
			if want := fmt.Sprintf("%s after %d pairs", c.state, stopped); !strings.Contains(sum.Why, want) {
				t.Errorf("%d workers: why %q, want %q in it", workers, sum.Why, want)
			}
		}
	}
}

// Where the context has ended nothing new is begun, though a round of eight players has 28 pairs: the run ends with the
// pairs that were handed out before, unfinished, and the next one plays them all.
func TestNothingIsBegunAfterTheEnd(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var names []string
	for i := range 8 {
		names = append(names, fmt.Sprintf("{agent: random, name: player%d}", i))
	}
	p := plan(t, "name: end\ngames: [classic]\nagents: ["+strings.Join(names, ", ")+
		"]\npairs: 3\nseed: 1\nworkers: 2\n")
	db := storetest.New(t)
	sum := must.Get(arena.Run(ended, t.Context(), p, db, arena.Options{}))(t)
	if sum.Finished || sum.Played > 8 || sum.Played%2 != 0 {
		t.Errorf("%d games played after the end, finished %t", sum.Played, sum.Finished)
	}
	before := sum.Played
	if sum = run(t, p, db, 0); !sum.Finished || sum.Before != before || sum.Before+sum.Played != 3*56 {
		t.Errorf("%d games before and %d now, finished %t; want all 168", sum.Before, sum.Played, sum.Finished)
	}
}
