package agents

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/agents/minimax"
	"spar/engines"
	"spar/engines/threats"
)

// MinimaxOptions are the knobs of the agent type minimax.
type MinimaxOptions struct {
	// Memory of the transposition table in MiB; 0 = none. Entries of deeper searches and of other lines may change a
	// score at the same depth.
	TableMB int `yaml:"table_mb" json:"table_mb" jsonschema:"minimum=0,maximum=65536"`
	// full: table move, captures, blocks, killers, history; plain: textbook alpha-beta in the order of the legal moves,
	// for counting nodes.
	Ordering string `yaml:"ordering" json:"ordering,omitempty" jsonschema:"enum=full,enum=plain"`
	// Search captures two plies beyond the horizon.
	Quiescence bool `yaml:"quiescence" json:"quiescence"`
	// Search only this many moves of each node, the best by evaluation; 0 = all. May miss wins.
	Candidates int `yaml:"candidates" json:"candidates,omitempty" jsonschema:"minimum=0,maximum=1000"`
	// In a search limited by time or nodes, search moves that are probably bad less deeply, and others more deeply.
	// auto: on if pieces move, because it was stronger in such games.
	Selective string `yaml:"selective" json:"selective,omitempty" jsonschema:"enum=auto,enum=on,enum=off"`
	// In games won by lines without gravity, check at nodes whether either side can win by continuous threats, and search
	// only moves near pieces. auto: in searches limited by time alone.
	Forced string `yaml:"forced" json:"forced,omitempty" jsonschema:"enum=auto,enum=on,enum=off"`
	// Threads that share the table; above 1 a decision depends on timing, and games with it are marked as timed. 0 = 1.
	Threads int `yaml:"threads" json:"threads,omitempty" jsonschema:"minimum=0,maximum=256"`
}

func minimaxKind() kind {
	plain := func(s *Spec, _ *engines.Game) bool { return s.Minimax.Ordering == "plain" }
	return kind{
		name:      "minimax",
		about:     "alpha-beta",
		knobs:     valueKnobs("minimax", "budget"),
		evaluates: true,
		compares:  true,
		searches:  true,
		depth:     true,
		budget:    Budget{Depth: 4},
		certain:   firstTie,
		idle: []idleRule{
			{"budget.iterations", "alpha-beta has no simulations", always},
			{
				"minimax.table_mb minimax.quiescence minimax.candidates",
				"ordering: plain is textbook alpha-beta, which does not use it", plain,
			},
			{"minimax.forced", noThreats, withoutThreats},
			{
				"minimax.selective",
				"a search with a fixed depth, with candidates or with softmax is never selective",
				func(s *Spec, _ *engines.Game) bool {
					return s.Budget.Depth > 0 || s.Minimax.Candidates > 0 || s.Mixture.Softmax > 0 || s.Minimax.Ordering == "plain"
				},
			},
		},
		threads: func(s *Spec) int { return s.Minimax.Threads },
		memory:  func(s *Spec) int64 { return int64(s.Minimax.TableMB) << 20 },
		zeros: func(s *Spec) {
			s.Minimax.Threads, s.Minimax.Selective = cmp.Or(s.Minimax.Threads, 1), cmp.Or(s.Minimax.Selective, "auto")
			s.Minimax.Forced = cmp.Or(s.Minimax.Forced, "auto")
		},
		plays: func(s *Spec) string {
			if s.Budget.Depth == 0 {
				return ""
			}
			return fmt.Sprintf("looks %d plies ahead", s.Budget.Depth)
		},
		deeper: func(s *Spec) string {
			s.Budget.Depth = cmp.Or(s.Budget.Depth, s.DefaultBudget().Depth) + 1
			return fmt.Sprintf("minimax, depth %d", s.Budget.Depth)
		},
		make: func(_ context.Context, s Spec, g *engines.Game, c common, model eval.Model) (Agent, error) {
			search := minimax.New(g, model, minimax.Options{
				TableMB: s.Minimax.TableMB, Plain: s.Minimax.Ordering == "plain", Candidates: s.Minimax.Candidates,
				Quiescence: s.Minimax.Quiescence, Threads: s.Minimax.Threads, Selective: s.Minimax.selects(g),
				Forced: s.Minimax.Forced, AllScores: s.Mixture.Softmax > 0,
			})
			if s.Budget.Timed() {
				search.Allocate()
			}
			return &minimaxAgent{common: c, model: model, search: search}, nil
		},
	}
}

// noThreats is the reason why the knobs forced have no effect in games without wins by threats.
const noThreats = "pieces fall, or the rules allow no win by continuous threats"

func withoutThreats(_ *Spec, g *engines.Game) bool { return !threats.Defends(g) }

// selects reports whether searches without a depth limit are selective under the rules (see package minimax). At
// equal time, selective search scored 83 % in ataxx (30 games) and 63 % in breakthrough. In placement games no
// gain was measured at 10 ms: reversi 55 % (50 to 60, 100 pairs), connect four 53 % (48 to 58, 60 pairs), gomoku11
// 52 % (42 to 63, 20 pairs); in reversi there is one at 50 ms, 66 % (a sequential test ended after 27 pairs). The agent
// strongest chooses for each game and time. Fewer plies without a table move, and leaving out late moves, gained nothing:
// 49 % (40 to 58) and 51 % (42 to 61) in ataxx at 10 ms, 60 pairs.
func (o MinimaxOptions) selects(g *engines.Game) bool {
	return o.Selective == "on" || o.Selective != "off" && g.Moves()
}

// minimaxAgent plays by alpha-beta search.
type minimaxAgent struct {
	common
	model  eval.Model
	search *minimax.Searcher
}

func (a *minimaxAgent) NewGame(Seed) { a.search.Reset() }

func (a *minimaxAgent) Choose(ctx context.Context, p *engines.Position, b Budget, rng *rand.Rand) (Decision, error) {
	if b.Depth == 0 && b.Nodes == 0 && b.Time() == 0 { // a budget of iterations alone would not end
		b.Depth = minimaxKind().budget.Depth
	}
	end, release := b.until()
	defer release()
	may, d, proved := a.start(ctx, p, end, b.Nodes)
	if proved {
		return d, nil
	}
	r := a.search.Search(ctx, p, minimax.Limits{
		Depth:    b.Depth,
		Nodes:    b.Nodes,
		Deadline: end,
		Root:     may,
	})
	d = Decision{
		Best:  r.Best,
		Value: float64(r.Score) / 100,
		Score: a.score(r.Score),
		Depth: r.Depth,
		Nodes: r.Nodes,
		PV:    r.PV,
		Exact: r.Exact,
	}
	a.decide(&d, len(r.Moves), func(i int) (engines.Move, float64) { return r.Moves[i].Move, a.score(r.Moves[i].Score) }, rng)
	if len(d.PV) > 0 && d.PV[0] != d.Move { // the line of the move that is played, not of its equal
		d.PV = a.search.Line(d.Move)
	}
	return d, nil
}

// score converts the score of a search to an expected score.
func (a *minimaxAgent) score(v int32) float64 {
	const won = minimax.Win - 100_000
	switch {
	case v > won:
		return 1
	case v < -won:
		return 0
	}
	return a.model.Score(float64(v) / 100)
}
