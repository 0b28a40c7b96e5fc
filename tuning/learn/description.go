package learn

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/engines"
	"spar/ratings"
)

// course collects statistics of each stage of a training, and the sums of the present stage.
type course struct {
	Stages             []patterns.Stage
	Loss, Draws, Plies float64
	Positions, Games   int64
}

// stages is the number of stages of a training.
const stages = 20

func (c *course) add(l *patterns.Lesson, loss float64, positions int, total int64) {
	c.Loss, c.Positions = c.Loss+loss, c.Positions+int64(positions)
	c.Plies += float64(len(l.Moves))
	if l.Result == 0.5 {
		c.Draws++
	}
	done := int64(0)
	if n := len(c.Stages); n > 0 {
		done = c.Stages[n-1].Games
	}
	if c.Games++; (done+c.Games)*stages/total == done*stages/total {
		return
	}
	n := float64(c.Games)
	c.Stages = append(c.Stages, patterns.Stage{
		Games: done + c.Games, Loss: c.Loss / float64(max(c.Positions, 1)),
		Draws: c.Draws / n, Plies: c.Plies / n,
	})
	*c = course{Stages: c.Stages}
}

// Description describes a net by positions from new games of self-play: one random position of each game, so that
// positions are independent.
type Description struct {
	Positions int              `json:"positions" help:"positions, one from each of as many new games of self-play"`
	Bins      []CalibrationBin `json:"calibration"`
	Worth     []*float64       `json:"worth" help:"for each cell: percentage points that a piece of the first player adds; null if none was seen"`
	Patterns  []LargePattern   `json:"patterns"` // with the largest values, the largest first
}

// CalibrationBin compares the net's predictions with game results. Both are scores of the side to move, 0 to 1.
type CalibrationBin struct {
	// mean predicted score
	Predicted float64 `json:"predicted" help:"mean expected score of the side to move, 0 to 1"`
	Scored    float64 `json:"scored" help:"mean result of the games"` // mean result of the games
	// lower end of the 95 % interval of Scored (Wilson; too wide if there are draws)
	Lo float64 `json:"lo" help:"lower end of its interval, 95 %"`
	Hi float64 `json:"hi" help:"upper end"`
	N  int     `json:"n" help:"positions"`
}

// LargePattern is a pattern with its mean value.
type LargePattern struct {
	patterns.Term         // one pattern as an example; Worth is the mean for the first player
	Share         float64 `json:"share" help:"share of the positions that have it"` // fraction of the positions that have it
	// effect on the expected score of an even position, in percentage points
	Points float64 `json:"points" help:"percentage points of the first player's expected score, from even"`
}

const (
	calibrationBins  = 10
	mostPatterns     = 12
	leastShare       = 0.01 // minimum fraction of the positions that must have a pattern; rarer ones are omitted
	leastDescription = 50   // minimum number of games, which are played even after the time limit
)

// Look plays games of self-play and describes the net with positions from them. It stops at the time limit, but
// not before leastDescription games. When ctx ends, it returns its error.
func Look(ctx context.Context, net *patterns.Net, games int, seed int64, limit pace.Limit) (Description, error) {
	g := net.Game()
	o := Options{Seed: seed}.Fill(g)
	p := patterns.NewSelfPlayer(net, o.selfPlay())
	k := &sketch{
		net: net, bins: make([]CalibrationBin, calibrationBins), large: map[string]*LargePattern{},
	}
	k.worth, k.times = make([]float64, g.Cells()), make([]float64, g.Cells())
	for i := 0; i < games && (i < leastDescription || !limit.Over()); i++ {
		lesson := p.Play(ctx, uint64(seed)^0xca11, uint64(i))
		if err := ctx.Err(); err != nil {
			return Description{}, err
		}
		if at := p.Draw(max(len(lesson.Moves), 1)); len(lesson.Moves) > 0 {
			s := g.NewState()
			for _, m := range lesson.Moves[:at] {
				s.Play(m)
			}
			if s.WinningPlacements().Empty() { // a search does not use the net where a move wins at once
				k.add(&s, lesson.Result)
			}
		}
	}
	return k.description(), nil
}

// sketch collects a description.
type sketch struct {
	net          *patterns.Net
	bins         []CalibrationBin
	large        map[string]*LargePattern
	worth, times []float64
	n            int
}

func (k *sketch) add(s *engines.State, first float64) {
	k.n++
	side := s.Side()
	result := first
	if side == engines.Second {
		result = 1 - first
	}
	terms, value := k.net.Explain(s, engines.First)
	ours := k.net.Score(value)
	if side == engines.Second {
		ours = 1 - ours
	}
	b := &k.bins[min(int(ours*calibrationBins), calibrationBins-1)]
	b.Predicted, b.Scored, b.N = b.Predicted+ours, b.Scored+result, b.N+1
	for _, t := range terms {
		if t.Table == "to move" || t.Cells == "" {
			continue
		}
		key := t.Table + "|" + t.Cells + "|" + t.Holds
		h := k.large[key]
		if h == nil {
			h = &LargePattern{Term: t}
			h.Worth = 0
			k.large[key] = h
		}
		h.Worth, h.Share = h.Worth+t.Worth, h.Share+1
		if c, err := k.net.Game().ParseCell(t.Cells); err == nil && t.Table == "psq" && strings.HasPrefix(t.Holds, "X") {
			k.worth[c], k.times[c] = k.worth[c]+t.Worth, k.times[c]+1
		}
	}
}

func (k *sketch) description() Description {
	out := Description{Positions: k.n}
	points := func(worth float64) float64 { return 100 * (k.net.Score(worth) - 0.5) }
	for _, b := range k.bins {
		if b.N == 0 {
			continue
		}
		n := float64(b.N)
		came := ratings.WilsonPoints(b.Scored, int64(b.N), 0.95)
		b.Predicted, b.Scored = b.Predicted/n, b.Scored/n
		b.Lo, b.Hi = came.Interval.Lo, came.Interval.Hi
		out.Bins = append(out.Bins, b)
	}
	for c, times := range k.times {
		out.Worth = append(out.Worth, nil)
		if times > 0 {
			x := points(k.worth[c] / times)
			out.Worth[c] = &x
		}
	}
	for _, h := range k.large {
		h.Worth /= h.Share
		if h.Share /= float64(k.n); h.Share >= leastShare {
			h.Points = points(h.Worth)
			h.Percent = h.Points
			out.Patterns = append(out.Patterns, *h)
		}
	}
	slices.SortFunc(out.Patterns, func(a, b LargePattern) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Worth), math.Abs(a.Worth)),
			strings.Compare(a.Table+a.Cells+a.Holds, b.Table+b.Cells+b.Holds))
	})
	out.Patterns = out.Patterns[:min(len(out.Patterns), mostPatterns)]
	return out
}
