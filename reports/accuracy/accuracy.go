// Package accuracy measures how often agents play perfectly. It compares the decisions of recorded games with the
// exact values of solved games. A decision keeps the value if it turns no win into a draw or loss and no draw into a
// loss.
package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
)

// level is the confidence level of all intervals.
const level = 0.95

// worst is the number of mistakes to list.
const worst = 5

// Result is the accuracy of an agent's decisions.
type Result struct {
	Agent     string `json:"agent" help:"name"`
	Rules     string `json:"rules" help:"name of the rules"`
	Decisions int64  `json:"decisions" help:"decisions compared with the exact values"`
	Kept      int64  `json:"kept" help:"decisions that kept the value of the position"`
	// number of independent units: games, or positions of random games
	Games    int64            `json:"games" help:"number of independent games, or positions"`
	Share    ratings.Estimate `json:"share" estimate:"flat" help:"share of decisions that kept the value, clustered by game"`
	MeanLoss ratings.Estimate `json:"mean_loss" estimate:"value" help:"mean loss in points: half a point from win to draw or from draw to loss"`
	// decisions that also win fastest or lose slowest; 0 for proofs, which give no distances
	Optimal      int64            `json:"optimal" help:"decisions that were also the fastest win or the slowest loss; 0 with unproved"`
	OptimalShare ratings.Estimate `json:"-"`
	// the worst mistakes: the largest loss first; of equal losses, the one farthest from the end first
	Mistakes []Mistake `json:"mistakes,omitempty"`
	// number of decisions left out because the limit was too low for a proof; nil if a table has all values
	Unproved *int64 `json:"unproved,omitempty" help:"decisions that do not count because no proof was found; absent if a table has all values"`
}

// MarshalJSON implements json.Marshaler.
func (r Result) MarshalJSON() ([]byte, error) { return ratings.Flat(r) }

// Mistake is a decision that lost value.
type Mistake struct {
	Position string  `json:"position" help:"position of one of the worst decisions"`
	Move     string  `json:"move" help:"move that was played"`
	Best     string  `json:"best" help:"a best move"`
	Loss     float64 `json:"loss" help:"points that the move lost"`
	DTW      int     `json:"dtw" help:"distance to the end, in plies, before the mistake"`
}

// tally counts decisions of one agent.
type tally struct {
	Result
	share    ratings.ClusteredMean
	lost     ratings.ClusteredMean // lost points
	optimal  ratings.ClusteredMean
	kept, of int64 // numbers of kept and of all decisions in the current game
	halves   int64 // half points lost in the current game
	best     int64 // optimal decisions in the current game
	unproved int64
}

// judge adds one decision to the counts.
func (a *tally) judge(values Values, p *engines.Position, m engines.Move) {
	v := values.verdict(p, m)
	if !v.known {
		if values.Proves() {
			a.unproved++
		}
		return
	}
	kept := int64(1)
	if v.optimal {
		a.Optimal++
		a.best++
	}
	if v.loss > 0 {
		kept = 0
		a.halves += int64(2 * v.loss)
		if a.isWorse(v) {
			a.mistake(Mistake{p.Text(), p.Game().MoveText(m), p.Game().MoveText(v.best), v.loss, v.value.DTW})
		}
	}
	a.kept += kept
	a.of++
}

// isWorse reports whether a mistake belongs before another in the list of the worst.
func (a *tally) isWorse(v verdict) bool {
	if len(a.Mistakes) < worst {
		return true
	}
	last := a.Mistakes[worst-1]
	return v.loss > last.Loss || v.loss == last.Loss && v.value.DTW > last.DTW
}

func (a *tally) mistake(m Mistake) {
	at, _ := slices.BinarySearchFunc(a.Mistakes, m,
		func(x, y Mistake) int { return cmp.Or(cmp.Compare(y.Loss, x.Loss), cmp.Compare(y.DTW, x.DTW), -1) })
	if at < worst {
		a.Mistakes = slices.Insert(a.Mistakes, at, m)
		a.Mistakes = a.Mistakes[:min(worst, len(a.Mistakes))]
	}
}

// endGame finishes the cluster of one game.
func (a *tally) endGame() {
	if a.of > 0 {
		a.Games++
	}
	a.share.Add(float64(a.kept), a.of, 0)
	a.lost.Add(float64(a.halves)/2, a.of, 0)
	a.optimal.Add(float64(a.best), a.of, 0)
	a.kept, a.of, a.halves, a.best = 0, 0, 0, 0
}

// result computes the fractions and their intervals.
func (a *tally) result(values Values) Result {
	r := a.Result
	if values.Proves() {
		r.Unproved = &a.unproved
	}
	mean := func(of *ratings.ClusteredMean) (e ratings.Estimate, kept int64) {
		if e = of.Mean(level, "decisions"); e.N == 0 {
			return ratings.Estimate{}, 0
		}
		e.Method = "wilson, clustered by game"
		return e, int64(e.Value*float64(e.N) + 0.5)
	}
	r.Share, r.Kept = mean(&a.share)
	r.MeanLoss, _ = mean(&a.lost)
	r.OptimalShare, _ = mean(&a.optimal)
	r.Decisions = r.Share.N
	return r
}

// Agent measures an agent's decisions in positions from random games. Each position is an independent unit. If progress
// is not nil, it is called with the number of positions done.
func Agent(ctx context.Context, values Values, g *engines.Game, spec agents.Spec, positions int, seed int64,
	progress func(done int),
) (Result, error) {
	a, err := agents.NewContext(ctx, spec, g)
	if err != nil {
		return Result{}, err
	}
	if c, ok := a.(agents.Closer); ok {
		defer c.Close()
	}
	out := &tally{Result: Result{Agent: spec.Name, Rules: g.Name()}}
	rng := rand.New(rand.NewPCG(uint64(seed), 0x616363))
	for n := 0; n < positions && ctx.Err() == nil; {
		p := g.NewPosition()
		for range rng.IntN(g.Cells()*2 + 1) {
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
		if p.Over() {
			continue
		}
		a.NewGame(agents.Seed{rng.Uint64(), rng.Uint64()})
		d, err := a.Choose(ctx, p, spec.Budget, rng)
		if err != nil {
			return Result{}, fmt.Errorf("%s in %s: %w", spec.Name, p.Text(), err)
		}
		out.judge(values, p, d.Move)
		out.endGame()
		if n++; progress != nil {
			progress(n)
		}
	}
	return out.result(values), ctx.Err()
}

// Study measures the decisions in a study's games under the named rules; the best agents come first. It skips the moves
// of openings, and games that do not count for evidence.Ends, such as training games. If most is positive and there
// are more games, it uses about that many, spread evenly over the pairs. It returns nil if there are no games.
func Study(ctx context.Context, db *store.DB, rules string, g *engines.Game, values Values, most int64) ([]Result,
	error,
) {
	stored, _, err := db.RulesNamed(ctx, rules)
	if err != nil {
		return nil, err
	}
	names, err := db.AgentNames(ctx)
	if err != nil {
		return nil, err
	}
	step := int64(1)
	if most > 0 {
		counts, err := db.EventCounts(ctx, stored.ID)
		if err != nil {
			return nil, err
		}
		games := int64(0)
		for _, n := range counts {
			games += n
		}
		step = max(1, (games+most-1)/most)
	}
	byAgent := map[int64]*tally{}
	of := func(agent int64) *tally {
		if byAgent[agent] == nil {
			byAgent[agent] = &tally{Result: Result{Agent: names[agent], Rules: rules}}
		}
		return byAgent[agent]
	}
	for row, err := range db.SomeGamesOf(ctx, stored.ID, step) {
		if err != nil {
			return nil, err
		}
		if !row.Marks.Counts(evidence.Ends) {
			continue
		}
		players := [2]*tally{of(row.First), of(row.Second)}
		p := g.NewPosition()
		for i, text := range strings.Fields(row.Moves) {
			m, err := p.ParseMove(text)
			if err != nil {
				return nil, fmt.Errorf("game %d: %w", row.ID, err)
			}
			if i >= row.OpeningPlies {
				players[p.Side()].judge(values, p, m)
			}
			p.Play(m)
		}
		players[0].endGame()
		if players[0] != players[1] {
			players[1].endGame()
		}
	}
	var out []Result
	for _, a := range byAgent {
		out = append(out, a.result(values))
	}
	slices.SortFunc(out, func(x, y Result) int {
		return cmp.Or(cmp.Compare(y.Share.Value, x.Share.Value), cmp.Compare(x.Agent, y.Agent))
	})
	return out, nil
}
