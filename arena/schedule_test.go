package arena

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/evidence"
	"spar/configs/must"
	"spar/engines"
)

// script says how the games of a tournament end, and which side forfeits (1, 2; 0 = none), so that tests of the
// schedule need play nothing.
type script func(Job) (engines.Result, int8)

// ended is what a study would hold after a run: outcome and marks of each game.
type ended struct {
	outcomes map[int64]engines.Result
	faults   map[int64]int8
	marks    map[int64]evidence.Marks
	plays    map[int64]plays
	why      string
	out      []string // withdrawn
}

// counted drops the games that count for nothing: how many were played ahead of a decision depends on the workers.
func (e ended) counted() map[int64]engines.Result {
	out := map[int64]engines.Result{}
	for n, o := range e.outcomes {
		if e.marks[n]&evidence.Surplus == 0 {
			out[n] = o
		}
	}
	return out
}

func scheduled(t *testing.T, text string) *Tournament {
	t.Helper()
	p := must.Get(LoadPlan("test.yaml", []byte(text)))(t)
	return p
}

// simulate plays a tournament by a script on many workers that finish their games in any order; a part of the tasks is
// given back. Stored are games that a run before has finished.
func simulate(t *testing.T, p *Tournament, how script, workers int, seed uint64, stored ended) ended {
	t.Helper()
	s, assets := NewSchedule(p), NewAssets()
	s.equip(assets, 1, s.ids)
	out := ended{
		outcomes: map[int64]engines.Result{}, faults: map[int64]int8{}, marks: map[int64]evidence.Marks{},
		plays: map[int64]plays{},
	}
	for n := int64(0); n < 100_000; n++ {
		if o, ok := stored.outcomes[n]; ok {
			s.stored = append(s.stored, storedGame{
				n, stored.plays[n], played{outcome: o, faulty: stored.faults[n], hash: n / 2, marks: stored.marks[n]},
			})
			out.outcomes[n], out.faults[n], out.marks[n], out.plays[n] = o, stored.faults[n], stored.marks[n], stored.plays[n]
		}
	}
	note := func(f Filed) {
		if f.OK {
			if _, twice := out.outcomes[f.Game.Number]; twice {
				t.Fatalf("game %d was played twice", f.Game.Number)
			}
			o, _ := engines.ParseResult(f.Game.Result)
			out.outcomes[f.Game.Number], out.marks[f.Game.Number] = o, f.Game.Marks
			out.plays[f.Game.Number] = plays{f.Game.Rules, f.Game.First, f.Game.Second, f.Game.Opening}
		}
		for _, m := range f.Marked {
			out.marks[m.Number] = m.Marks
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var flight []Task
	for {
		for len(flight) < workers {
			tasks := s.Next(1, false)
			if len(tasks) == 0 {
				break
			}
			if rng.IntN(10) == 0 {
				s.Requeue(tasks[0].Slot)
				continue
			}
			flight = append(flight, tasks[0])
		}
		if len(flight) == 0 {
			break
		}
		i := rng.IntN(len(flight))
		n := flight[i].Number
		outcome, fault := how(s.flight[n])
		out.faults[n] = fault
		r := Result{Slot: Slot{1, n}, Outcome: outcome, Reason: "line", Hash: n / 2, Plies: 9}
		if fault > 0 {
			r.Reason, r.Faulty = "forfeit_crash", fault
		}
		note(s.Done(&r))
		if f := s.Done(&r); f.OK || len(f.Marked) > 0 {
			t.Fatalf("game %d told twice counts twice", n)
		}
		flight = slices.Delete(flight, i, i+1)
	}
	note(s.Rest())
	why, ok := s.Finished()
	if n, extra := s.unknown(); !ok || extra {
		t.Fatalf("finished: %t; unknown game %d: %t", ok, n, extra)
	}
	out.why, out.out = why, s.Withdrawn()
	for n, m := range out.marks {
		if m&evidence.Pending != 0 {
			t.Errorf("game %d was never judged", n)
		}
	}
	return out
}

// draw makes an outcome for a number that depends on nothing else.
func draw(n int64, first, second float64) engines.Result {
	u := rand.New(rand.NewPCG(uint64(n), 99)).Float64()
	switch {
	case u < first:
		return engines.FirstWins
	case u < first+second:
		return engines.SecondWins
	}
	return engines.Drawn
}

// Whatever the number of workers, in which order they finish, and whether a run was interrupted: the same games count,
// the same players are withdrawn, and the same reason ends the tournament.
func TestDecisionsDoNotDependOnTheWorkers(t *testing.T) {
	t.Parallel()
	strong := func(j Job) (engines.Result, int8) { // the first agent scores 80 %
		if j.First == 0 {
			return draw(j.Number, 0.7, 0.1), 0
		}
		return draw(j.Number, 0.1, 0.7), 0
	}
	even := func(j Job) (engines.Result, int8) { return draw(j.Number, 0.4, 0.3), 0 }
	failing := func(j Job) (engines.Result, int8) { // the third agent forfeits most of its games, the fourth some
		for side, player := range []int{j.First, j.Second} {
			if player == 2 && j.Number%3 > 0 || player == 3 && j.Number%4 == 1 {
				return engines.Winner(1 - side), int8(side + 1)
			}
		}
		return draw(j.Number, 0.4, 0.3), 0
	}
	const two = "agents: [random, {agent: random, name: other}]\ngames: [classic]\n"
	const five = "agents: [random, {agent: random, name: b}, {agent: random, name: c}, {agent: random, name: d}, " +
		"{agent: random, name: e}]\ngames: [classic, vanishing]\n"
	for _, c := range []struct {
		name, plan string
		how        script
		surplus    bool // more workers play games ahead of the decision
		clear      *EarlyStop
	}{
		{
			"sequential test", "name: x\nformat: match\npairs: 500\nstop: {sprt: {elo0: 0, elo1: 50}}\n" + two, strong, true,
			nil,
		},
		{"interval width", "name: x\npairs: 400\nstop: {width: 120}\n" + five, even, true, nil},
		{"withdrawal", "name: x\npairs: 4\nfaults: {withdraw: 2}\n" + five, failing, true, nil},
		{
			"swiss with withdrawal", "name: x\nformat: swiss\nrounds: 4\npairs: 2\nfaults: {withdraw: 2}\n" + five, failing,
			true, nil,
		},
		{"swiss", "name: x\nformat: swiss\nrounds: 3\npairs: 1\n" + five, even, false, nil},
		{
			"clear", "name: x\npairs: 60\nformat: gauntlet\n" + five, strong, true,
			&EarlyStop{Score: []float64{0.5, 0.7}, Least: 10, Level: 0.95},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			scheduled := func(t *testing.T, text string) *Tournament {
				p := scheduled(t, text)
				p.Stop.EarlyStop = c.clear
				return p
			}
			want := simulate(t, scheduled(t, c.plan), c.how, 1, 0, ended{})
			if strings.Contains(c.plan, "withdraw") != (len(want.out) > 0) {
				t.Errorf("withdrawn: %v", want.out)
			}
			for _, workers := range []int{1, 2, 8, 200} {
				for seed := range uint64(2) {
					got := simulate(t, scheduled(t, c.plan), c.how, workers, seed, ended{})
					if !reflect.DeepEqual(got.counted(), want.counted()) || got.why != want.why || !slices.Equal(got.out, want.out) {
						t.Fatalf("%d workers: %d games count (%s; withdrawn %v), want %d (%s; %v)",
							workers, len(got.counted()), got.why, got.out, len(want.counted()), want.why, want.out)
					}
					if !c.surplus && len(got.outcomes) != len(want.outcomes) {
						t.Errorf("%d workers: %d games, want %d", workers, len(got.outcomes), len(want.outcomes))
					}
					// Some of its games are lost, as by a crash, and the run goes on.
					kept := ended{outcomes: map[int64]engines.Result{}, faults: got.faults, marks: got.marks, plays: got.plays}
					rng := rand.New(rand.NewPCG(seed, 7))
					for n, o := range got.outcomes {
						if rng.IntN(3) > 0 {
							kept.outcomes[n] = o
						}
					}
					again := simulate(t, scheduled(t, c.plan), c.how, workers, seed+100, kept)
					if !reflect.DeepEqual(again.counted(), want.counted()) || again.why != want.why {
						t.Fatalf("%d workers, resumed: %d games count (%s), want %d (%s)", workers, len(again.counted()), again.why,
							len(want.counted()), want.why)
					}
				}
			}
		})
	}
}

// A match of two agents without chance cannot decide anything by playing the same games again and again.
func TestRepeatedPairsDecideNothing(t *testing.T) {
	t.Parallel()
	p := scheduled(t, `
name: x
format: match
pairs: 100
games: [classic]
agents: [{agent: greedy, set: {ties: first}}, {agent: greedy, name: other, set: {ties: first}}]
stop: {sprt: {elo0: 0, elo1: 50}}
`)
	wins := func(n int64) engines.Result { return engines.Winner(int(n % 2)) } // the first agent wins every game
	s, assets := NewSchedule(p), NewAssets()
	s.equip(assets, 1, s.ids)
	games, repeated := 0, 0
	for {
		tasks := s.Next(2, false)
		if len(tasks) == 0 {
			break
		}
		for _, task := range tasks {
			// three different pairs
			f := s.Done(&Result{Slot: task.Slot, Outcome: wins(task.Number), Reason: "line", Hash: task.Number % 6})
			games++
			if f.Game.Marks&evidence.Repeated != 0 {
				repeated++
			}
		}
	}
	if why, _ := s.Finished(); games != 200 || repeated != 194 || strings.Contains(why, "sequential") {
		t.Errorf("%d games, %d of them repeated: %s", games, repeated, why)
	}
}

// An agent that cannot be built forfeits its games; the run and the others go on.
func TestAgentsThatCannotBeBuiltForfeit(t *testing.T) {
	t.Parallel()
	p := scheduled(t, "name: x\ngames: [ctor]\nagents: [random, {agent: perfect, set: {perfect.memory_mb: "+
		"1}}]\npairs: 1\n")
	s, assets := NewSchedule(p), NewAssets()
	s.equip(assets, 1, s.ids)
	player := NewPlayer(assets, "")
	defer player.Close()
	for _, task := range s.Next(2, false) {
		r, err := player.Play(t.Context(), &task)
		if err != nil || r.Reason != "forfeit_build" || int(r.Faulty) != 2-int(task.Number) {
			t.Errorf("game %d: %s, faulty side %d (%s), %v", task.Number, r.Reason, r.Faulty, r.Detail, err)
		}
	}
}

// Everybody plays everybody: the pairs with b come after all those of earlier ones, b(b-1)/2, and go through those
// before b. That holds for fields of any size, where the root that finds b is no longer exact.
func TestEverybodyInTurn(t *testing.T) {
	t.Parallel()
	all := everybody(&Tournament{Players: make([]agents.Spec, 4)})
	var got []string
	for i := range all.n {
		a, b := all.at(i)
		got = append(got, fmt.Sprint(b, "-", a))
	}
	if strings.Join(got, " ") != "1-0 2-0 2-1 3-0 3-1 3-2" {
		t.Errorf("%v", got)
	}
	for _, b := range []int64{1, 2, 3, 1000, 94_906_267, 94_906_268, 1_000_000_001, 1_234_567_890, 1_500_000_000} {
		first := b * (b - 1) / 2
		for _, a := range []int64{0, b / 2, b - 1} {
			if x, y := all.at(first + a); int64(x) != a || int64(y) != b {
				t.Errorf("pair %d is %d-%d, want %d-%d", first+a, y, x, b, a)
			}
		}
	}
}
