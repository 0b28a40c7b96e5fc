package learn

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"spar/agents"
	"spar/agents/bench"
	"spar/agents/pace"
	"spar/agents/patterns"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/openings"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
)

// Matchup is a match of a net against another evaluation, in the same search and with equal CPU time.
type Matchup struct {
	Search  string `json:"search" help:"minimax or mcts"`
	Against string `json:"against" help:"the other evaluation"`
	// positions (minimax) or simulations (mcts) of the other side for each move
	Budget int64 `json:"budget" help:"positions or simulations per move of the opponent"`
	// positions or simulations of the net for each move, in the same CPU time
	Ours int64 `json:"ours" help:"budget of the net, in the same CPU time"`
	// CPU time of a position with the net, as a multiple of that of the other side
	Cost     float64          `json:"cost" help:"CPU time of a position of the net, relative to one of the opponent"`
	Score    ratings.Estimate `json:"score" estimate:"flat" help:"score of the net, 0 to 1; interval over pairs"`
	Elo      ratings.Estimate `json:"elo" estimate:"value" help:"Elo that the score corresponds to"`
	Pairs    int64            `json:"pairs" help:"pairs that count; without pairs the score has no meaning"`
	Openings int              `json:"opening_plies" help:"random plies at the start of a pair"`
	Balanced bool             `json:"balanced" help:"the openings are nearly even"`
	Games    int64            `json:"games" help:"their games"`
	// reason for playing no pairs; empty if the match was played
	Why string `json:"why,omitempty" help:"why there are no pairs; absent if there are some"`
}

// MarshalJSON implements json.Marshaler.
func (c Matchup) MarshalJSON() ([]byte, error) { return ratings.Flat(c) }

// Gains reports whether the net is significantly better.
func (c *Matchup) Gains() bool { return c.Score.Lo > 0.5 }

// Loses reports whether the net is significantly worse.
func (c Matchup) Loses() bool { return c.Pairs > 0 && c.Score.Hi < 0.5 }

// Examination describes the match-ups of the gate.
type Examination struct {
	Pairs   int   // of each match-up
	Nodes   int64 // positions of the rival for each move
	Seed    int64
	Workers int
	Assets  *arena.Assets // rules, agents and nets that the pool needs
	Pool    arena.Pool    // plays the games; nil = Workers goroutines of this process
	Rivals  []Rival       // nil = the default evaluation and UCT
	Clock   bench.Clock
	Limit   pace.Limit // of all match-ups together; pairs that do not fit are not played
}

// duration estimates the time of the gate. The parameter sample is the time of the sample games.
func (x Examination) duration(ctx context.Context, net *patterns.Net, g *engines.Game,
	sample time.Duration,
) (time.Duration, error) {
	file, err := net.Packed(patterns.Provenance{})
	if err != nil {
		return 0, err
	}
	c := Matchup{Search: "minimax", Budget: x.Nodes, Ours: x.Nodes}
	sides := c.sides(file, defaultRival(g))
	each, _, err := arena.SecondsPerGame(ctx, &arena.Tournament{
		Plan: arena.Plan{
			Name: "estimate", Format: "match", Pairs: 50, Seed: x.Seed, Workers: x.Workers,
			Openings: openings.Options{Plies: openingPlies(g)},
		},
		Rules: []*engines.Game{g}, Labels: []string{g.Name()}, Players: sides[:],
	}, sample)
	return pace.Seconds(1.2 * (each*2*float64(gateMatchups*x.Pairs) + (1+gateMatchups)*measuring(x.Pairs))),
		err
}

// Rival is another evaluation, or a search of another kind.
type Rival struct {
	Name  string
	Spec  agents.Spec // agent whose weights or net are the evaluation
	Whole bool        // Spec is used with its own search, too; only its budget is replaced
}

// gateMatchups is the number of match-ups of the gate: against the default without the net and against UCT.
const gateMatchups = 2

// defaultRival returns the evaluation that searches have without a net under the rules of a game.
func defaultRival(g *engines.Game) Rival {
	name := "default"
	if agents.Tuned(g) {
		name = "tuned"
	}
	return Rival{Name: name, Spec: agents.Spec{Evaluation: agents.EvaluationOptions{Kind: agents.Linear}}}
}

// randomGame is the number of evaluated positions that take about as long as one random game.
const randomGame = 4

// uct returns the rival that is UCT tree search with random games. A net that loses to it should not become a
// default.
func uct() Rival {
	s, _ := agents.LoadSpec("uct-1k") // shipped files are read by tests
	return Rival{Name: "uct", Spec: s, Whole: true}
}

// measuring returns the CPU-seconds for measuring the speed of each side. Matches of few pairs get less.
func measuring(pairs int) float64 { return 0.4 * min(1, float64(pairs)/20) }

// Examine plays the match-ups of the gate. Events have the net's hash in their names; games that are stored are not
// played again.
func (x Examination) Examine(ctx context.Context, db *store.DB, net *patterns.File, g *engines.Game,
	feed *live.Feed,
) ([]Matchup, error) {
	var out []Matchup
	unlock, err := db.Lock() // during all match-ups: the measurement before the first decides the games of all
	if err != nil {
		return nil, err
	}
	defer unlock()
	whole := x.Limit
	for i, rival := range x.Rivals {
		x.Limit = whole.Part(1 / float64(len(x.Rivals)-i))
		c := Matchup{Search: "minimax", Against: rival.Name, Budget: x.Nodes}
		if rival.Whole {
			c.Budget = max(1, c.Budget/randomGame)
		}
		c.Ours = c.Budget
		name := fmt.Sprintf("%s %.8s: %s against %s, ", g.Name(), net.Hash(), c.Search, rival.Name)
		if err := x.levelBudgets(ctx, db, g, name, c.sides(net, rival), &c); err != nil {
			return out, err
		}
		if err := x.matchup(ctx, db, g, name, c.sides(net, rival), &c, feed); err != nil {
			return out, err
		}
		out = append(out, c)
	}
	return out, nil
}

// sides returns the two players of a match, the net and its rival, with their budgets.
func (c *Matchup) sides(net *patterns.File, rival Rival) [2]agents.Spec {
	ours := agents.Spec{Evaluation: agents.EvaluationOptions{File: "learned", Hash: net.Hash(), Net: net}}
	sides := [2]agents.Spec{searching(ours, c.Ours), searching(rival.Spec, c.Budget)}
	if rival.Whole {
		sides[1] = rival.Spec
		sides[1].Budget = agents.Budget{Iterations: c.Budget}
	}
	sides[0].Name, sides[1].Name = "learned", rival.Name
	return sides
}

// tail returns the end of a match-up's name: its budgets.
const tail = "%d and %d"

// levelBudgets finds the budget with which the net takes as much CPU time as the rival. A match that was
// interrupted keeps its budget, because a second measurement would give another.
func (x Examination) levelBudgets(ctx context.Context, db *store.DB, g *engines.Game, name string, sides [2]agents.Spec,
	c *Matchup,
) error {
	events, err := db.Events(ctx)
	if err != nil {
		return err
	}
	for _, e := range events {
		var ours, budget int64
		if rest, ok := strings.CutPrefix(e.Name, name); ok {
			if n, _ := fmt.Sscanf(rest, tail, &ours, &budget); n == 2 && budget == c.Budget {
				c.Ours = ours
				c.Cost = float64(budget) / float64(ours)
				return nil
			}
		}
	}
	var rates [2]float64
	for range 3 { // in turn, so that other load on the machine affects both
		for i := range sides {
			s, err := bench.Search(ctx, g, sides[i], x.Clock, measuring(x.Pairs)/3, openingPlies(g))
			if err != nil {
				return fmt.Errorf("measuring %s: %w", c.Search, err)
			}
			rates[i] += float64(s.Nodes) / max(s.CPU, 1e-9)
		}
	}
	c.Cost = rates[1] / rates[0]
	c.Ours = max(1, int64(math.Round(float64(c.Budget)/c.Cost)))
	return nil
}

// openingPlies returns the number of random plies at the start of a pair.
func openingPlies(g *engines.Game) int { return min(8, max(2, g.Cells()/10)) }

// findOpenings finds one distinct opening for each pair and returns the number of pairs. It prefers nearly even
// openings, so that the opening does not decide the pair. If there are too few short openings it takes longer
// ones.
func findOpenings(g *engines.Game, most int, seed int64) (best openings.Options, pairs int) {
	for _, draw := range []string{"balanced", ""} {
		for plies := openingPlies(g); plies <= openingPlies(g)+longerOpenings; plies++ {
			o := openings.Options{Draw: draw, Plies: plies}
			book := openings.NewBook(g, o, seed)
			if len(book.Opening(0)) == 0 {
				continue
			}
			if n := int(book.Distinct(int64(most))); n > pairs {
				best, pairs = o, n
			}
			if pairs == most {
				return best, pairs
			}
		}
	}
	return best, pairs
}

// longerOpenings is the maximum number of plies by which openings are made longer.
const longerOpenings = 4

// searching returns minimax with the evaluation of a spec.
func searching(s agents.Spec, nodes int64) agents.Spec {
	out := agents.DefaultSpec()
	out.Type = "minimax"
	out.Params = s.Params
	out.Evaluation = s.Evaluation
	out.Budget = agents.Budget{Nodes: nodes}
	return out
}

// matchup plays one match and analyses it.
func (x Examination) matchup(ctx context.Context, db *store.DB, g *engines.Game, name string, sides [2]agents.Spec,
	c *Matchup, feed *live.Feed,
) error {
	name += fmt.Sprintf(tail, c.Ours, c.Budget)
	for i := range sides {
		sides[i].Name = name + ": " + sides[i].Name // a study has one spec for each name
	}
	drawn, pairs := findOpenings(g, x.Pairs, x.Seed)
	c.Openings, c.Balanced = drawn.Plies, drawn.Draw != ""
	t := &arena.Tournament{
		Plan:    arena.Plan{Name: name, Format: "match", Pairs: pairs, Seed: x.Seed, Workers: x.Workers, Openings: drawn},
		Rules:   []*engines.Game{g},
		Labels:  []string{g.Name()},
		Purpose: "learning gate",
		Players: sides[:],
	}
	soft, cancel := x.Limit.Soft(ctx)
	defer cancel()
	hard, end := x.Limit.Hard(ctx)
	defer end()
	if _, err := arena.Run(soft, hard, t, db, arena.Options{Feed: feed, Assets: x.Assets, Pool: x.Pool}); err != nil &&
		(hard.Err() == nil || ctx.Err() != nil) {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := x.count(ctx, db, t, c); err != nil {
		return err
	}
	switch {
	case c.Pairs > 0:
	case pairs == 0 && x.Pairs > 0:
		c.Why = "every random opening ends or decides the game"
	case x.Limit.Over():
		c.Why = "time ran out before the first pair ended"
	default:
		c.Why = fmt.Sprintf("each of the %d pairs is incomplete or repeats an earlier game", pairs)
	}
	return nil
}

// count analyses the complete pairs of a match-up from the net's side.
func (x Examination) count(ctx context.Context, db *store.DB, t *arena.Tournament, c *Matchup) error {
	events, err := db.Events(ctx)
	if err != nil {
		return err
	}
	names, err := db.AgentNames(ctx)
	if err != nil {
		return err
	}
	points := map[int64][2]float64{} // by pair: points, games
	for _, e := range events {
		if e.Name != t.Name {
			continue
		}
		for g, err := range db.Finished(ctx, e.ID) {
			if err != nil {
				return err
			}
			r, ok := engines.ParseResult(g.Result)
			if !ok || !g.Marks.Counts(evidence.Strength) {
				continue
			}
			side := engines.First
			if names[g.First] != t.Players[0].Name {
				side = engines.Second
			}
			p := points[g.Pair]
			points[g.Pair] = [2]float64{p[0] + r.Score(side), p[1] + 1}
		}
	}
	var pairs [5]float64
	for _, p := range points {
		if p[1] == 2 {
			pairs[int(2*p[0])]++
			c.Pairs++
		}
	}
	c.Games = 2 * c.Pairs
	m, err := ratings.AnalyzeMatch(pairs[:], 0.95)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	if c.Pairs > 0 {
		c.Score, c.Elo = m.Score, m.Elo
	}
	return nil
}
