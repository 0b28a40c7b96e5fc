// Package mcts searches by Monte-Carlo tree search: UCT or PUCT selection, a solver for proved results, RAVE,
// progressive bias, implicit minimax backups, rollouts of several kinds and tree reuse, Knobs switch each of these
// on.
//
// # Terms
//
//   - Simulation: one descent from the root, one new node, and its value by an evaluation or a rollout.
//   - Rollout: the game played on from a new node, at random or greedily.
//   - Proof: the exact result of a node, from ends of games and from proofs of its children.
//   - Reuse: the tree below the moves played is kept for the next search.
//
// # Flow of data
//
// [New] makes a [Searcher] for a game and a model. [Searcher.Search] runs simulations within its [Limits] and
// returns a [Result]: the move, all root moves with visits and scores, and the expected continuation.
//
// Turns of several moves need no special code: each node records which side chooses there, results are stored from
// the view of that side, and a proof states which side wins.
//
// Nodes are stored in blocks that are reused from search to search, so a simulation allocates nothing.
package mcts

import "fmt"

// Options are the knobs of a search. DefaultOptions returns the defaults; reports/research/mcts.md describes the
// matches behind them.
type Options struct {
	// Selection rule: uct (UCB1) or puct (with priors from the evaluation).
	Selection string `yaml:"selection" json:"selection,omitempty" jsonschema:"enum=uct,enum=puct"`
	// Exploration constant c: UCT adds c*sqrt(ln N/n), PUCT c*prior*sqrt(N)/(1+n).
	Exploration float64 `yaml:"exploration" json:"exploration" jsonschema:"minimum=0,maximum=100"`
	// First-play urgency: value of a move never tried, 0 to 1; above 1 every move is tried once first; -1 uses the
	// parent's mean. Selection uct without rave, bias and implicit needs 1 or more. Default: 10 for selection uct without
	// rave, bias and implicit, otherwise -1.
	FPU float64 `yaml:"fpu" json:"fpu" jsonschema:"minimum=-1,maximum=10"`
	// PUCT priors are a softmax of the evaluation's scores, 0 to 1, divided by this: lower is sharper, 1000 is almost
	// uniform; 0 = 0.25.
	Prior float64 `yaml:"policy_temperature" json:"policy_temperature,omitempty" jsonschema:"minimum=0,maximum=1000"`
	// Back up proved wins, losses and draws.
	Solver bool `yaml:"solver" json:"solver"`
	// Equivalence constant k of RAVE: all-moves-as-first weigh sqrt(k/(3n+k)); 0 = off.
	RAVE float64 `yaml:"rave" json:"rave" jsonschema:"minimum=0,maximum=1000000"`
	// Progressive bias: adds bias*h/(n+1), where h is the evaluation's score of the move; 0 = off.
	Bias float64 `yaml:"bias" json:"bias" jsonschema:"minimum=0,maximum=100"`
	// Weight of the implicit minimax value of the evaluation in selection; 0 = off.
	Implicit float64 `yaml:"implicit" json:"implicit" jsonschema:"minimum=0,maximum=1"`
	// How a simulation continues from a leaf: random moves; tactical (wins at once, else blocks, else random); greedy
	// (the evaluation's best move, or random with rollout_epsilon); none (the evaluation itself).
	Rollout string `yaml:"rollout" json:"rollout,omitempty" jsonschema:"enum=random,enum=tactical,enum=greedy,enum=none"`
	// Fraction of random moves in greedy rollouts.
	Epsilon float64 `yaml:"rollout_epsilon" json:"rollout_epsilon" jsonschema:"minimum=0,maximum=1"`
	// Whose view counts in the evaluation of a leaf: the first player's (first), or the mean of both players' views
	// (both), which treats the seats alike.
	Perspective string `yaml:"perspective" json:"perspective,omitempty" jsonschema:"enum=first,enum=both"`
	// Stop rollouts after this many plies and use the evaluation; 0 = play to the end.
	Plies int `yaml:"rollout_plies" json:"rollout_plies" jsonschema:"minimum=0,maximum=100000"`
	// The move played: most visits (robust) or best mean (max).
	Final string `yaml:"final" json:"final,omitempty" jsonschema:"enum=robust,enum=max"`
	// Keep the part of the tree below the moves played.
	Reuse bool `yaml:"reuse" json:"reuse"`
	// Fraction of Dirichlet noise in the priors of the root (PUCT), for varied self-play; 0 = off.
	Noise float64 `yaml:"noise" json:"noise" jsonschema:"minimum=0,maximum=1"`
	// Parameter of the noise; 0 = 10 divided by the number of moves.
	NoiseAlpha float64 `yaml:"noise_alpha" json:"noise_alpha" jsonschema:"minimum=0,maximum=100"`
	// Draw the move played with weight visits^(1/temperature); 0 = the best.
	Temperature float64 `yaml:"temperature" json:"temperature" jsonschema:"minimum=0,maximum=100"`
	// In games won by lines without gravity, check at each node whether either side can win by continuous threats, and
	// search only moves near pieces. auto: in searches limited by time.
	Forced string `yaml:"forced" json:"forced,omitempty" jsonschema:"enum=auto,enum=on,enum=off"`
	// Maximum number of nodes in memory; 0 = 4 million. When the tree is full, the search continues without new nodes.
	MaxNodes int `yaml:"max_nodes" json:"max_nodes" jsonschema:"minimum=0,maximum=500000000"`
	// Threads that search one tree together; above 1 a decision depends on timing, and games with it are marked as
	// timed. 0 = 1.
	Threads int `yaml:"threads" json:"threads,omitempty" jsonschema:"minimum=0,maximum=256"`
}

// Evaluates reports whether a search evaluates positions: for priors, at leaves or elsewhere. A search that only plays
// random games to the end does not.
func (o Options) Evaluates() bool {
	return o.Selection == "puct" || o.Bias > 0 || o.Implicit > 0 || o.Plies > 0 || o.Rollout == "greedy" ||
		o.Rollout == "none"
}

// DefaultFPU returns the first-play urgency of a search that sets none: the value of a move that was never tried. UCB1
// needs an urgency above all other values, so that it tries each move once. PUCT, RAVE, bias and implicit values rate
// such moves themselves.
func (o Options) DefaultFPU() float64 {
	if o.plainUCT() {
		return 10
	}
	return DefaultOptions().FPU
}

// plainUCT reports whether only UCB1 chooses among the moves.
func (o Options) plainUCT() bool {
	return o.Selection == "uct" && o.RAVE == 0 && o.Bias == 0 && o.Implicit == 0
}

// sharpness returns the factor of scores in the softmax of priors.
func (o Options) sharpness() float64 {
	if o.Prior == 0 {
		return 4
	}
	return 1 / o.Prior
}

// Check returns an error for knobs with which a search cannot work. UCB1 adds a bonus to tried moves only. If the
// first-play urgency is the mean or below 1, an untried move therefore stays untried, and the search follows a single
// line.
func (o Options) Check() error {
	if o.plainUCT() && o.FPU < 1 {
		return fmt.Errorf("mcts.fpu %g: with selection uct, and without rave, bias or implicit, the search would "+
			"never try a second move; leave fpu out, or set it to at least 1", o.FPU)
	}
	return nil
}

// DefaultOptions returns the values of knobs that an agent's file does not set. FPU depends on the selection, see
// DefaultFPU.
func DefaultOptions() Options {
	return Options{
		Selection:   "puct",
		Exploration: 0.4,
		FPU:         -1,
		Solver:      true,
		Rollout:     "none",
		Epsilon:     0.1,
		Final:       "robust",
		Reuse:       true,
		MaxNodes:    4_000_000,
	}
}
