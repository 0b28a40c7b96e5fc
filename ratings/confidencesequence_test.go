package ratings

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSequenceUnderLooking looks after every game at games of a known mean. The sequence leaves it out at some moment
// in at most 5 % of the runs; an interval for a fixed number of games does so in several times as many, which is what
// the sequence is for.
func TestSequenceUnderLooking(t *testing.T) {
	t.Parallel()
	const runs, games = 200, 300
	for _, p := range [][3]float64{{0.5, 0, 0.5}, {0.2, 0, 0.8}, {0.1, 0.7, 0.2}, {0.03, 0, 0.97}} {
		r := rand.New(rand.NewPCG(7, uint64(1000*p[1])))
		mean := p[1]/2 + p[2]
		missed, fixed := 0, 0
		for range runs {
			counts := make([]int64, 3)
			out, outFixed := false, false
			for n := 1; n <= games; n++ {
				switch u := r.Float64(); {
				case u < p[0]:
					counts[0]++
				case u < p[0]+p[1]:
					counts[1]++
				default:
					counts[2]++
				}
				// the mean is left out when one side has won so much, which takes less time to tell than the interval
				reached := math.Log(2 / 0.05)
				back := []int64{counts[2], counts[1], counts[0]}
				now := logCapital(counts, mean) >= reached || logCapital(back, 1-mean) >= reached
				out = out || now
				if s := sometimes(n, counts); s.N > 0 && now != (s.Interval.Lo > mean || s.Interval.Hi < mean) {
					t.Fatalf("%v: %v", counts, s.Interval)
				}
				score := (float64(counts[1])/2 + float64(counts[2])) / float64(n)
				squares := (float64(counts[1])/4 + float64(counts[2])) / float64(n)
				half := 1.96 * math.Sqrt(max(0, squares-score*score)/float64(n))
				outFixed = outFixed || n >= 20 && half > 0 && math.Abs(score-mean) > half
			}
			if out {
				missed++
			}
			if outFixed {
				fixed++
			}
		}
		if missed > runs*5/100 {
			t.Errorf("%v: left out in %d of %d runs", p, missed, runs)
		}
		if fixed < runs*12/100 {
			t.Errorf("%v: a fixed interval is left in only %d of %d runs: the test would not notice", p, fixed, runs)
		}
	}
}

// sometimes is the interval after every fiftieth game.
func sometimes(n int, counts []int64) Estimate {
	if n%50 != 0 {
		return Estimate{}
	}
	return ConfidenceSequence(counts, 0.95)
}

// TestSequenceIsWhatAGamblerWins plays the bets one after the other, as their definition says, and compares the ends of
// the interval with the means at which the capital crosses its limit.
func TestSequenceIsWhatAGamblerWins(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom([]int{2, 4}).Draw(t, "top")
		scores := rapid.SliceOfN(rapid.IntRange(0, top), 1, 60).Draw(t, "scores")
		counts := make([]int64, top+1)
		for _, x := range scores {
			counts[x]++
		}
		s := ConfidenceSequence(counts, 0.9)
		// wealth against m of who bets on greater scores with half of his money, and on lesser ones with the other half
		wealth := func(m float64) (up, down float64) {
			for _, f := range []float64{1, 0.5, 0.25, 0.125, 0.0625, 0.03125} {
				high, low := 1.0, 1.0
				for _, x := range scores {
					z := float64(x) / float64(top)
					high *= 1 + f/m*(z-m)
					low *= 1 - f/(1-m)*(z-m)
				}
				up, down = up+high/6, down+low/6
			}
			return up / 2, down / 2
		}
		const limit = 10 // 1/0.1
		lo, hi := s.Interval.Lo, s.Interval.Hi
		if lo > 1e-9 {
			below, _ := wealth(lo * (1 - 1e-6))
			above, _ := wealth(lo * (1 + 1e-6))
			if below < limit || above > limit {
				t.Fatalf("%v: around %v the capital is %v and %v", counts, lo, below, above)
			}
		}
		if hi < 1-1e-9 {
			_, above := wealth(1 - (1-hi)*(1-1e-6))
			_, below := wealth(1 - (1-hi)*(1+1e-6))
			if above < limit || below > limit {
				t.Fatalf("%v: around %v the capital is %v and %v", counts, hi, below, above)
			}
		}
		if lo > s.Value || hi < s.Value {
			t.Fatalf("%v: %v is outside %v", counts, s.Value, s.Interval)
		}
		back := slices.Clone(counts)
		slices.Reverse(back)
		mirrored := ConfidenceSequence(back, 0.9)
		if math.Abs(1-lo-mirrored.Interval.Hi) > 1e-9 || math.Abs(1-hi-mirrored.Interval.Lo) > 1e-9 {
			t.Fatalf("%v gives %v, backwards %v", counts, s.Interval, mirrored.Interval)
		}
	})
}

// TestSequenceOfClusters looks after every opening at games that come in fours of the same result, for which a sequence
// of independent games is left too often. Clusters widen it, so that it leaves out the mean in at most 5 % of the runs.
func TestSequenceOfClusters(t *testing.T) {
	t.Parallel()
	const runs, openings, alike = 200, 100, 4
	for _, mean := range []float64{0.5, 0.8} {
		r := rand.New(rand.NewPCG(8, uint64(100*mean)))
		missed, alone := 0, 0
		for range runs {
			var c ClusteredMean
			counts := make([]int64, 2)
			out, outAlone := false, false
			for n := 1; n <= openings; n++ {
				score := 0
				if r.Float64() < mean {
					score = 1
				}
				counts[score] += alike
				c.Add(float64(alike*score), alike, 0)
				if n%10 != 0 {
					continue
				}
				s := c.Mean(0.95, "games").AtAllTimes(counts)
				if s.Value != float64(counts[1])/float64(alike*n) || s.Unit != "games" || s.N != int64(alike*n) || !s.Anytime {
					t.Fatalf("%v gives %+v", counts, s)
				}
				free := ConfidenceSequence(counts, 0.95)
				out = out || s.Lo > mean || s.Hi < mean
				outAlone = outAlone || free.Lo > mean || free.Hi < mean
			}
			if out {
				missed++
			}
			if outAlone {
				alone++
			}
		}
		if missed > runs*5/100 || alone < runs*15/100 {
			t.Errorf("mean %v: left out in %d of %d runs, of independent games in %d", mean, missed, runs, alone)
		}
	}
}
