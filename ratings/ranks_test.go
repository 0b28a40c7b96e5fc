package ratings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/configs/must"
)

func TestReferenceLOS(t *testing.T) {
	t.Parallel()
	for name, ref := range references(t) {
		if ref.Score == nil || ref.Score.LOS == nil {
			continue
		}
		f := mustFit(t, load(t, name), Options{Errors: ErrorDrawAware})
		for i, row := range f.LOS() {
			for j, got := range row {
				if want := ref.Score.LOS[i][j]; want != nil {
					near(t, fmt.Sprint(name, i, j), got, *want, 2e-6, 0)
				}
			}
		}
	}
}

// TestReferenceProfile checks the constrained maximisation behind the one-sided
// bounds, on gaps in Davidson's model. Where the estimate is infinite the
// references are good to 0.4 Elo; here the supremum is the fit of the parts, which
// the bound's own start meets to 1e-6.
func TestReferenceProfile(t *testing.T) {
	t.Parallel()
	for name, ref := range references(t) {
		for _, r := range ref.Profile {
			t.Run(name+" "+r.Pair[0]+r.Pair[1], func(t *testing.T) {
				t.Parallel()
				table := load(t, name)
				f := &Fit{t: table, o: Options{Model: ModelDavidson, priorSD: 400}, k: 1, strataOf: []int{0}, parts: &separation{adv: []bool{true}}}
				bound := func(side, z float64) float64 {
					p := f.looseLikelihood()
					c := make([]float64, p.dim())
					i, _ := slices.BinarySearch(table.players, r.Pair[0])
					j, _ := slices.BinarySearch(table.players, r.Pair[1])
					c[i], c[j] = 1, -1
					x, ok := (&profile{p: p, c: c}).bound(side, z*z/2)
					if !ok {
						t.Fatal("no bound")
					}
					return x / eloUnit
				}
				if r.OneSided != nil {
					near(t, "one-sided", bound(-1, quantile(0.9, 0)), *r.OneSided, 0.4, 0)
				}
				if r.Lo != nil {
					near(t, "lower", bound(-1, quantile(0.95, 0)), *r.Lo, 0.4, 0)
				}
				if r.Hi != nil {
					near(t, "upper", bound(1, quantile(0.95, 0)), *r.Hi, 0.05, 0)
				}
			})
		}
	}
}

func TestHolm(t *testing.T) {
	t.Parallel()
	// Worked by hand: sorted .005 .01 .03 .04 times 4 3 2 1, made monotone.
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "Holm", got[i], want, 1e-12, 0)
	}
	if len(Holm(nil)) != 0 {
		t.Error("an empty family has no p-values")
	}
}

// TestCriticalValues compares with the studentised range: multiples of a
// difference's error for equal, independent players, at 95 %.
func TestCriticalValues(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]float64{5: 2.73, 10: 3.16, 20: 3.54} {
		table := build(t, func(b *Builder) error {
			for i := range n {
				for j := range n {
					if i != j {
						if err := b.AddCount(fmt.Sprintf("%02d", i), fmt.Sprintf("%02d", j), "", 40, 20, 40); err != nil {
							return err
						}
					}
				}
			}
			return nil
		})
		ranks := mustFit(t, table, Options{}).Ranks(1)
		near(t, fmt.Sprint(n, " players"), ranks[0].Critical, want, 0.04, 0)
		for _, r := range ranks {
			if r.Lo != 1 || r.Hi != n {
				t.Errorf("equal players: %s has ranks %d to %d", r.Name, r.Lo, r.Hi)
			}
		}
	}
}

func TestRanksSeparate(t *testing.T) {
	t.Parallel()
	table := build(t, all(count("a", "b", 700, 100, 200), count("b", "a", 250, 100, 650),
		count("b", "c", 700, 100, 200), count("c", "b", 250, 100, 650), count("a", "c", 900, 50, 50),
		count("c", "a", 60, 40, 900)))
	f := mustFit(t, table, Options{})
	for place, r := range f.Ranks(3) {
		if r.Lo != place+1 || r.Hi != place+1 || r.Name != string(rune('a'+place)) {
			t.Errorf("%+v", r)
		}
	}
	if _, err := f.Difference("a", "nobody"); err == nil {
		t.Error("an unknown player was compared")
	}
}

func TestAnchor(t *testing.T) {
	t.Parallel()
	table := load(t, "b1_rr6_adv80_davidson")
	free := mustFit(t, table, Options{})
	f := mustFit(t, table, Options{Anchors: []Anchor{{"P03", 1500}}})
	for i, r := range f.Players {
		near(t, r.Name, r.Elo.Value, free.Players[i].Elo.Value-free.Players[2].Elo.Value+1500, 1e-9, 0)
		d := must.Get(free.Difference(r.Name, "P03"))(t)
		near(t, "error of "+r.Name, r.Elo.SE, d.Elo.SE, 1e-6, 0)
	}
	if f.Players[2].Status != StatusAnchor {
		t.Errorf("status %q", f.Players[2].Status)
	}
}

// TestOrderDoesNotMatter: the same games shuffled, and the same pairs given one
// by one or as counts, make the same output to the bit.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	var games []Game
	var counts Builder
	for k := range 300 {
		x, y := fmt.Sprint(k%5), fmt.Sprint(5+k%3)
		r1, r2 := Outcome(rng.IntN(3)), Outcome(rng.IntN(3))
		games = append(games, Game{First: x, Second: y, Result: r1, Pair: fmt.Sprint(k)},
			Game{First: y, Second: x, Result: r2, Pair: fmt.Sprint(k)})
		must.Do(t, counts.AddPairs(y, x, "", r2, r1, 1))
	}
	text := func(tb *Table) []byte {
		b := must.Get(json.Marshal(mustFit(t, tb, Options{Errors: ErrorPair})))(t)
		return b
	}
	want := text(counts.Table())
	for range 3 {
		rng.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
		var b Builder
		for _, g := range games {
			must.Do(t, b.Add(g))
		}
		if got := text(b.Table()); !bytes.Equal(got, want) {
			t.Fatalf("order matters:\n%s\n%s", got, want)
		}
	}
}

func TestClusters(t *testing.T) {
	t.Parallel()
	game := func(x, y string, r Outcome, pair string, hash uint64) Game {
		return Game{First: x, Second: y, Result: r, Pair: pair, Hash: hash}
	}
	tests := []struct {
		name            string
		opening         bool
		games           []Game
		clusters, alone int64
	}{
		{"a pair", false, []Game{game("a", "b", 2, "1", 0), game("b", "a", 0, "1", 0)}, 1, 0},
		{"pairs of every kind", false, []Game{
			game("a", "b", 2, "1", 0), game("b", "a", 1, "1", 0), game("a", "b", 1, "2", 0), game("b", "a", 1, "2", 0),
			game("a", "b", 1, "3", 0), game("b", "a", 2, "3", 0),
			game("a", "b", 0, "4", 0), game("b", "a", 0, "4", 0), game("a", "b", 0, "", 0), game("a", "b", 1, "", 0),
			game("b", "a", 1, "", 0), game("b", "a", 2, "", 0),
		}, 4, 4},
		{"half a pair", false, []Game{game("a", "b", 2, "1", 0)}, 0, 1},
		{"keys count within a match-up", false, []Game{game("a", "b", 2, "1", 0), game("c", "b", 0, "1", 0)}, 0, 2},
		{"keys count across match-ups", true, []Game{game("a", "b", 2, "1", 0), game("c", "b", 0, "1", 0)}, 1, 0},
		{"four games", false, []Game{
			game("a", "b", 2, "1", 0), game("a", "b", 2, "1", 0), game("b", "a", 0, "1", 0),
			game("b", "a", 1, "1", 0),
		}, 1, 0},
		{"three games twice", false, []Game{
			game("a", "b", 2, "1", 0), game("a", "b", 2, "1", 0), game("b", "a", 1, "1", 0), game("b", "a", 1, "2", 0),
			game("a", "b", 2, "2", 0), game("a", "b", 2, "2", 0),
		}, 2, 0},
		{"replays", false, []Game{game("a", "b", 2, "", 9), game("a", "b", 2, "", 9), game("a", "b", 2, "", 8)}, 1, 1},
		{
			"replays join a pair that was begun before", false,
			[]Game{game("a", "b", 2, "1", 9), game("a", "b", 2, "2", 7), game("a", "b", 2, "1", 7)},
			1, 0,
		},
		{"replays join pairs", false, []Game{
			game("a", "b", 2, "1", 9), game("b", "a", 2, "1", 7),
			game("a", "b", 2, "2", 9), game("b", "a", 1, "2", 6),
		}, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b Builder
			for _, g := range tt.games {
				if tt.opening {
					g.Opening = Label(g.Pair)
				}
				must.Do(t, b.Add(g))
			}
			table := b.Table()
			of := &table.pairs
			if tt.opening {
				of = table.openings
			}
			if c, a := of.count(); c != tt.clusters || a != tt.alone {
				t.Errorf("%d clusters and %d games alone, want %d and %d", c, a, tt.clusters, tt.alone)
			}
			mustFit(t, table, Options{Errors: ErrorPair})
		})
	}
}

// clustersOf lists the kinds of clusters one by one.
func clustersOf(c *clusters) (out []cell) {
	c.each(func(terms []term, count int64) { out = append(out, cell{slices.Clone(terms), count}) })
	return out
}

func TestPerStratum(t *testing.T) {
	t.Parallel()
	add := func(s string, w, d, l int64) func(*Builder) error {
		return func(b *Builder) error {
			if err := b.AddCount("a", "b", s, w, d, l); err != nil {
				return err
			}
			return b.AddCount("b", "a", s, w, d, l)
		}
	}
	table := build(t, all(add("even", 30, 40, 30), add("sharp", 80, 0, 20), add("won", 50, 0, 0)))
	f := mustFit(t, table, Options{PerStratum: true})
	near(t, "even", f.Advantages[0].Elo.Value, 0, 1e-6, 0)
	near(t, "even draws", f.Advantages[0].DrawRate, 0.4, 1e-6, 0)
	near(t, "sharp", f.Advantages[1].Elo.Value, EloOfScore(0.8), 1e-6, 0)
	if a := f.Advantages[2]; a.Status != StatusUnboundedAbove || a.Elo.Interval.LoOpen || !a.Elo.Interval.HiOpen ||
		a.Elo.Interval.Lo < 300 {
		t.Errorf("a stratum that the first player always wins: %+v", a)
	}
	for _, r := range f.Players {
		if r.Status != StatusOK || r.Elo.Prior {
			t.Errorf("%+v", r)
		}
	}
	if s := table.FirstPlayer(0.95, func(s string) bool { return s == "won" }); s.Value != 1 || s.Hi != 1 {
		t.Errorf("%+v", s)
	}
}

func TestPredict(t *testing.T) {
	t.Parallel()
	table := load(t, "b1_rr6_adv80_davidson")
	for _, m := range []Model{ModelScore, ModelDavidson} {
		f := mustFit(t, table, Options{Model: m})
		w, d, l, err := f.Predict("P01", "P06", "")
		if err != nil {
			t.Fatal(err)
		}
		near(t, "sum", w+d+l, 1, 1e-12, 0)
		if w < 0.6 || l > 0.2 {
			t.Errorf("%v: %v %v %v", m, w, d, l)
		}
		// Fitted totals reproduce the games played.
		var wins, draws float64
		for _, p := range table.Pairings() {
			w, d, _, err := f.Predict(table.Players()[p.First], table.Players()[p.Second], "")
			if err != nil {
				t.Fatal(err)
			}
			wins += w * float64(p.Games())
			draws += d * float64(p.Games())
		}
		if math.Abs(draws-318) > 2 || math.Abs(wins-533) > 5 {
			t.Errorf("%v expects %.2f wins and %.2f draws, played 533 and 318", m, wins, draws)
		}
	}
}
