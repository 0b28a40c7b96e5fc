package ratings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/configs/must"
)

// openingWorld is how openings change the games of agents, in Elo: an advantage of the seat, strengths of each agent, and
// strengths of each agent in each seat, all drawn anew for each opening. The estimator assumes none of it.
type openingWorld struct {
	name               string
	seat, agent, seats float64 // standard deviations
	draws              float64 // draw rate of equals
}

// openingDesign is who plays whom: each match-up plays every opening once in both seats, rounds times.
type openingDesign struct {
	name     string
	elo      []float64
	adv      float64
	openings int
	rounds   int
	met      func(i, j int) bool
}

func everybody(int, int) bool { return true }

// effects are those of one opening: by agent and seat.
type effects struct {
	seat   float64
	agents [][2]float64
}

func (w openingWorld) effects(rng *rand.Rand, agents int) effects {
	e := effects{seat: w.seat * rng.NormFloat64(), agents: make([][2]float64, agents)}
	for i := range e.agents {
		both := w.agent * rng.NormFloat64()
		e.agents[i] = [2]float64{both + w.seats*rng.NormFloat64(), both + w.seats*rng.NormFloat64()}
	}
	return e
}

// score returns the expected score of agent i as first player against j.
func (d openingDesign) score(e effects, i, j int) float64 {
	gap := d.elo[i] - d.elo[j] + d.adv + e.seat + e.agents[i][0] - e.agents[j][1]
	return 1 / (1 + math.Pow(10, -gap/400))
}

// truth returns what the estimates converge to, without the estimator: the ratings and the advantage with which a
// logistic curve gives each agent and the first player the points that they expect over 40,000 openings. Also the first
// player's score.
func (d openingDesign) truth(w openingWorld, seed uint64) (elo []float64, adv, first float64) {
	n := len(d.elo)
	const many = 40_000
	rng := rand.New(rand.NewPCG(seed, 99))
	want := make([][]float64, n)
	for i := range want {
		want[i] = make([]float64, n)
	}
	for range many {
		e := w.effects(rng, n)
		for i := range n {
			for j := range n {
				if i != j && (d.met(i, j) || d.met(j, i)) {
					want[i][j] += d.score(e, i, j) / many
				}
			}
		}
	}
	elo = slices.Clone(d.elo)
	games := 0.0
	for range 4000 {
		excess, firsts := make([]float64, n), 0.0
		first, games = 0, 0
		for i := range n {
			for j := range n {
				if want[i][j] == 0 {
					continue
				}
				x := want[i][j] - 1/(1+math.Pow(10, -(elo[i]-elo[j]+adv)/400))
				excess[i], excess[j], firsts = excess[i]+x, excess[j]-x, firsts+x
				first, games = first+want[i][j], games+1
			}
		}
		mean := 0.0
		for i := range elo {
			elo[i] += 100 * excess[i] / float64(n)
			mean += elo[i] / float64(n)
		}
		for i := range elo {
			elo[i] -= mean
		}
		adv += 300 * firsts / games
	}
	return elo, adv, first / games
}

// game draws the outcome of a game with an expected score.
func (w openingWorld) game(rng *rand.Rand, p float64) Outcome {
	drawn := w.draws * 2 * min(p, 1-p)
	switch u := rng.Float64(); {
	case u < p-drawn/2:
		return FirstWins
	case u < p+drawn/2:
		return Draw
	}
	return SecondWins
}

// play plays all games of one set of rules.
func (d openingDesign) play(w openingWorld, rng *rand.Rand) (*Table, *ClusteredMean) {
	var b Builder
	var scores ClusteredMean
	d.playIn(&b, "", w, rng, &scores)
	return b.Table(), &scores
}

func (d openingDesign) playIn(b *Builder, stratum string, w openingWorld, rng *rand.Rand, scores *ClusteredMean) {
	for o := range d.openings {
		e := w.effects(rng, len(d.elo))
		opening := Label(fmt.Sprint(stratum, o))
		for range d.rounds {
			for i := range d.elo {
				for j := range i {
					if !d.met(i, j) {
						continue
					}
					r1, r2 := w.game(rng, d.score(e, i, j)), w.game(rng, d.score(e, j, i))
					if err := b.AddOpeningPairs(fmt.Sprint(i), fmt.Sprint(j), stratum, r1, r2, 1, opening); err != nil {
						panic(err)
					}
					scores.Add(r1.Score()+r2.Score(), 2, opening)
				}
			}
		}
	}
}

// tracked is how one interval did.
type tracked struct {
	name       string
	covered, n int
	width      float64
	misses     []float64 // distances of the estimate from the truth
}

func (t *tracked) add(e Estimate, truth float64) {
	t.n++
	if e.Contains(truth) {
		t.covered++
	}
	t.width += e.Hi - e.Lo
	t.misses = append(t.misses, math.Abs(e.Value-truth))
}

// wide is the mean width relative to that of the interval of constant width that covers 95 %.
func (t *tracked) wide() float64 {
	slices.Sort(t.misses)
	return t.width / float64(t.n) / (2 * t.misses[int(0.95*float64(len(t.misses)))])
}

// coverOpenings simulates tournaments whose openings change the games in ways that the estimator does not assume.
func coverOpenings(t *testing.T, rep *report) {
	six := []float64{-220, -120, -30, 40, 130, 220}
	worlds := []openingWorld{
		{"no effect", 0, 0, 0, 0.3},
		{"agents x openings (sd 120)", 0, 120, 0, 0.3},
		{"seats of openings (sd 250)", 250, 0, 0, 0.1},
		{"all three (150, 100, 100)", 150, 100, 100, 0.2},
	}
	designs := []openingDesign{
		{"6 agents, 10 openings", six, 60, 10, 1, everybody},
		{"6 near agents, 20 openings", []float64{0, 0, 10, 10, 20, 20}, 60, 20, 1, everybody},
		{"2 agents, 20 openings 5 times", []float64{-30, 30}, 40, 20, 5, everybody},
		{"6 agents, 20 openings", six, 60, 20, 1, everybody},
		{"6 agents, 60 openings", six, 60, 60, 1, everybody},
		{"gauntlet of 6, 20 openings", six, 0, 20, 1, func(i, j int) bool { return i == 0 || j == 0 }},
		{"2 agents, 100 openings", []float64{-30, 30}, 40, 100, 1, everybody},
	}
	if !*long {
		designs, worlds = designs[:3], []openingWorld{worlds[0], worlds[3]}
	}
	for di, d := range designs {
		for wi, w := range worlds {
			t.Run(d.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				d.cover(t, w, fmt.Sprintf("c%d%d", di, wi), rep)
			})
		}
	}
}

func (d openingDesign) cover(t *testing.T, w openingWorld, key string, rep *report) {
	elo, adv, first := d.truth(w, 1)
	n, last := replicates(200, 3000), len(elo)-1
	kept := []*tracked{
		{name: "first against last"}, {name: "neighbours"}, {name: "rating"}, {name: "advantage"}, {name: "first player's score"},
	}
	ranks, claims, wrong := 0, 0, 0
	rng := rand.New(rand.NewPCG(7, uint64(len(key)+d.openings)))
	for range n {
		table, scores := d.play(w, rng)
		f := mustFit(t, table, Options{})
		if f.Errors != ErrorOpening && f.Errors != ErrorPair || f.separated() {
			continue // somebody won everything
		}
		for i, x := range []struct {
			e     Estimate
			truth float64
		}{
			{f.difference(last, 0).Elo, elo[last] - elo[0]},
			{f.difference(last, last-1).Elo, elo[last] - elo[last-1]},
			{f.Players[last].Elo, elo[last]},
			{f.Advantages[0].Elo, adv},
			{scores.Mean(0.95, "games"), first},
		} {
			kept[i].add(x.e, x.truth)
		}
		if ranksHold(f, elo) {
			ranks++
		}
		for i := range elo {
			for j := range elo {
				if i != j && elo[i] <= elo[j] {
					claims++
					wrong += int(math.Floor(f.los(i, j) + 0.025)) // a likelihood above 97.5 %
				}
			}
		}
	}
	least := 0.93
	if d.openings == 10 {
		least = 0.9
	}
	row := fmt.Sprintf("| %s | %s |", d.name, w.name)
	hold := func(what string, covered, of int) {
		rate := float64(covered) / float64(of)
		if row += fmt.Sprintf(" %.1f", 100*rate); rate < least-4*math.Sqrt(least*(1-least)/float64(of)) || *long && rate < least {
			t.Errorf("%s: %.1f %% of %d intervals hold", what, 100*rate, of)
		}
	}
	for _, x := range kept {
		hold(x.name, x.covered, x.n)
		wide := x.wide()
		if row += fmt.Sprintf(" (%.2f) |", wide); wide > 1.3+2/math.Sqrt(float64(n)) || *long && wide > 1.3 {
			t.Errorf("%s: intervals are %.2f times as wide as exact ones", x.name, wide)
		}
	}
	hold("ranks", ranks, kept[0].n)
	if row += fmt.Sprintf(" | %.1f |", 100*float64(wrong)/float64(claims)); float64(wrong) > 0.05*float64(claims) {
		t.Errorf("%d of %d likelihoods of the weaker agent are above 97.5 %%", wrong, claims)
	}
	rep.add(key, row)
}

// ranksHold reports whether all rank ranges contain a rank that the agent's true strength has; agents of one strength
// have several.
func ranksHold(f *Fit, elo []float64) bool {
	for _, r := range f.Ranks(1) {
		i, _ := f.Index(r.Name)
		better, worse := 0, 0
		for _, x := range elo {
			if x > elo[i]+0.5 {
				better++
			} else if x < elo[i]-0.5 {
				worse++
			}
		}
		if r.Lo > len(elo)-worse || r.Hi < better+1 {
			return false
		}
	}
	return true
}

// Two equal agents that play the same openings again and again differ over these openings only: a sequential test that
// took each pair as independent would call one stronger in a quarter of its runs.
func TestSPRTWithRepeatedOpenings(t *testing.T) {
	t.Parallel()
	const runs, openings, pairs = 200, 12, 300
	d := openingDesign{elo: []float64{0, 0}, adv: 40}
	w := openingWorld{agent: 120, draws: 0.2}
	rng := rand.New(rand.NewPCG(1, 2))
	wrong := map[bool]int{}
	for _, labelled := range []bool{false, true} {
		for range runs {
			tracker := must.Get(NewTracker(SPRT{Elo0: 0, Elo1: 50}, true))(t)
			var drawn []effects
			for range openings {
				drawn = append(drawn, w.effects(rng, 2))
			}
			state := StateContinue
			for k := 0; state == StateContinue && k < pairs; k++ {
				e, label := drawn[k%openings], uint64(0)
				if labelled {
					label = uint64(k%openings + 1)
				}
				state = must.Get(tracker.AddIn(int(w.game(rng, d.score(e, 0, 1))+2-w.game(rng, d.score(e, 1, 0))), label))(t)
			}
			if state == StateAcceptH1 {
				wrong[labelled]++
			}
		}
	}
	if wrong[false] < runs/8 || wrong[true] > runs*11/100 { // 5 %, plus four standard errors
		t.Errorf("H1 is accepted in %d of %d runs, by independent pairs in %d", wrong[true], runs, wrong[false])
	}
}

// Where every match-up plays the same openings several times, and openings suit some agents, the tests of
// interactions reject about one true model in twenty. With pairs as if they were independent they would reject 15.
func TestFitWithRepeatedOpenings(t *testing.T) {
	t.Parallel()
	d := openingDesign{elo: []float64{120, 40, -40, -120}, adv: 60, openings: 15, rounds: 6, met: everybody}
	w := openingWorld{agent: 120, draws: 0.3}
	rng := rand.New(rand.NewPCG(7, 7))
	const tables = 120
	rejected := map[string]int{}
	for range tables {
		var b Builder
		for game := range 3 {
			d.playIn(&b, fmt.Sprint(game), w, rng, &ClusteredMean{})
		}
		x := mustFit(t, b.Table(), Options{PerStratum: true}).Interactions(func(string) bool { return true })
		for what, p := range map[string]float64{"games": x.Game.P, "seats": x.Seat.P} {
			if p < 0.05 {
				rejected[what]++
			}
		}
	}
	for what, n := range rejected {
		if share := float64(n) / tables; share > 0.15 {
			t.Errorf("%s: p < 0.05 in %.0f %% of true models", what, 100*share)
		}
	}
}
