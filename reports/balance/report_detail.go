package balance

import (
	"spar/ratings"
)

// Matrix is measure 9.
type Matrix struct {
	Agents []string `json:"agents"` // names of the agents, strongest first
	Cells  []Cell   `json:"cells"`  // pairs of agents that met, in both directions
	// NonTransitive is the share of the triples of agents that all met in which each beats the next beyond 2 standard
	// errors.
	Triples       int64            `json:"triples"` // that all met
	Cycles        [][]string       `json:"cycles"`
	NonTransitive ratings.Estimate `json:"non_transitive"`
	LackOfFit     float64          `json:"lack_of_fit_p"` // p-value of "one rating per agent explains the table"; 1 when it cannot be tested
	// share of the differences that is cyclic, corrected for noise; 0 to 1
	CyclicShare float64 `json:"cyclic_share"`
	Ratings     []Rated `json:"ratings"`
}

// Cell is one agent's score against another.
type Cell struct {
	Agent    string           `json:"agent"`
	Opponent string           `json:"opponent"`
	Score    ratings.Estimate `json:"score"`
	Residual float64          `json:"residual_z"` // of the fit of one rating per agent and a seat term, in standard errors
}

// Rated is an agent's rating in Elo, relative to the mean of those it could be compared with.
type Rated struct {
	Agent string           `json:"agent"`
	Elo   ratings.Estimate `json:"elo"`
	Group int              `json:"group"` // ratings of different groups cannot be compared
}

// FirstMoves is measures 10 and 11.
type FirstMoves struct {
	// forced (the study plays each first move) or chosen (by the agents, biased towards good moves)
	Source string      `json:"source"`
	Agents []string    `json:"agents"`
	Moves  []FirstMove `json:"moves"` // one of each symmetry class, best for the first player first
	Pie    *Pie        `json:"pie,omitempty"`
}

// FirstMove is one first move, with its images under the symmetries of the rules.
type FirstMove struct {
	Move    string           `json:"move"`               // name of the class: its image with the lowest cell
	Images  []string         `json:"images"`             // number of moves in the class
	Cells   []int            `json:"cells"`              // of the images, row by row from the top left; empty for moves without a cell
	Score   ratings.Estimate `json:"score"`              // of the first player
	P       float64          `json:"p"`                  // p-value of "even", by Holm over all first moves
	Uneven  bool             `json:"uneven"`             // P < 1 - Method.Level
	Close   bool             `json:"close"`              // score between 1/3 and 2/3
	Exact   string           `json:"exact,omitempty"`    // if solved: win, draw or loss of the first player
	ExactIn int              `json:"exact_in,omitempty"` // plies to that end
}

// Pie is measure 11: how even the game is if the second player may take over the first move.
type Pie struct {
	Move     string           `json:"move"`     // the most even move, chosen on half of the games
	Residual ratings.Estimate `json:"residual"` // |score - 1/2| of that move on the other half, 0 to 0.5
	Naive    ratings.Estimate `json:"naive"`    // the same on the games that chose the move: biased towards 0
	Without  ratings.Estimate `json:"without"`  // |score - 1/2| of normal play from the true start by the same agents
	Close    int              `json:"close"`    // first moves with a score between 1/3 and 2/3
	Of       int              `json:"of"`
	InRules  bool             `json:"in_rules"` // the rules have the pie rule already
	// value of turn.pie that the rules have or would accept: true or seats; empty if they accept none
	Form string `json:"form"`
	// if the rules have one: share of the games in which the second player swapped
	Taken ratings.Estimate `json:"taken"`
	Best  string           `json:"best_for_first"`
}

// Course is measures 12 to 16: how the score changed during games, from position values after every ply. N counts
// games of the sample.
type Course struct {
	Games    int64 `json:"games"`    // number of sampled games
	Decisive int64 `json:"decisive"` // games of the sample with a winner

	// 12: mean share of a won game that is over when the winner takes the lead for good; low = a long decided ending
	Decisiveness ratings.Estimate `json:"decisiveness"`
	Settled      ratings.Estimate `json:"settled"`       // the same with "the winner has at least 0.9, for good"
	SettledECDF  []Step           `json:"decisive_ecdf"` // of the share at which the winner leads for good
	// 13: mean number, outside the dead zone, without the first lead
	LeadChanges ratings.Estimate `json:"lead_changes"`
	LeadPer10   ratings.Estimate `json:"lead_per_10"`    // per ten plies
	LeadBars    []Bar            `json:"lead_histogram"` //
	DeadZone    float64          `json:"dead_zone"`      // of lead changes around 1/2: twice the oracle's noise, at least 0.02; 0 for exact values
	Drama       ratings.Estimate `json:"drama"`          // 14: mean over won games of sqrt(2(1/2-v)) over the plies at which the winner trailed
	Comebacks   ratings.Estimate `json:"comebacks"`      // share of won games in which the winner once had less than 0.25
	LowPoints   []float64        `json:"low_points"`     // the winner's lowest value of each won game, ascending
	// 15: mean of 4v(1-v) by share of the game played (20 bins)
	Uncertainty []Point          `json:"uncertainty"`
	Late        ratings.Estimate `json:"late_uncertainty"` // mean over the last third
	Killer      ratings.Estimate `json:"killer"`           // 16: mean of the largest gain of a mover, corrected for noise
	KillerRaw   ratings.Estimate `json:"killer_raw"`       // mean gain of killer moves without correction for noise
	KillerNoise ratings.Estimate `json:"killer_noise"`     // expected from noise alone in a game without changes
	KillerAt    ratings.Estimate `json:"killer_at"`        // mean share of the game played at that ply
	Swings      []Swing          `json:"swings"`           // of each game
}

// Step is a step of an empirical distribution: the share of the games with at most X.
type Step struct {
	X     float64 `json:"x"`
	Share float64 `json:"share"`
}

// Swing is the largest gain of a mover in one game.
type Swing struct {
	Game int64   `json:"game"`
	Ply  int     `json:"ply"`
	At   float64 `json:"at"`   // ply / plies
	Gain float64 `json:"gain"` // in expected score
}

// Choice is measure 17: how many moves a player can choose among.
type Choice struct {
	ByPly     []ChoicePly      `json:"by_ply"`
	Forced    ratings.Estimate `json:"forced"`    // share of the plies with one legal move
	Decisions ratings.Estimate `json:"decisions"` // share with more than one
	Mean      ratings.Estimate `json:"mean"`      // legal moves a ply
	Effective ratings.Estimate `json:"effective"` // legal moves a decision, geometric mean
	Passes    ratings.Estimate `json:"passes"`    // share of the plies that were forced passes
}

// ChoicePly is the number of legal moves before one ply.
type ChoicePly struct {
	Ply    int              `json:"ply"` // number of the ply, from 1
	Games  int64            `json:"games"`
	Median ratings.Estimate `json:"median"`
	P10    float64          `json:"p10"`
	P90    float64          `json:"p90"`
	Forced float64          `json:"forced"` // share of plies with only one legal move
}

// Variety is measure 18: how different the games are. Openings are counted up to the symmetries of the rules, from
// the true start only.
type Variety struct {
	Openings []EffectivePly   `json:"openings"`
	Distinct ratings.Estimate `json:"distinct"` // share of the games that are not equal to an earlier one
	// Policy is the effective number of moves that the agents choose among in a position: exp(H), from positions that
	// occurred in at least 20 games of the group.
	Policy ratings.Estimate `json:"policy"`
}

// EffectivePly is the variety of the first plies.
type EffectivePly struct {
	Ply       int              `json:"ply"`
	Seen      int              `json:"seen"`      // number of different sequences
	Effective ratings.Estimate `json:"effective"` // exp(H), H with the correction of Miller and Madow
	Plain     float64          `json:"plain"`     // exp(H) without it
	Top       []Line           `json:"top"`       // the most frequent
}

// Line is a sequence of first moves.
type Line struct {
	Moves string           `json:"moves"` // its image that comes first in order
	Games int64            `json:"games"`
	Score ratings.Estimate `json:"score"` // of the first player
}

// Clarity is measure 19: how easy good moves are to find, from positions of the sample. Phases are thirds of a game.
type Clarity struct {
	Positions int64            `json:"positions"`
	Narrow    ratings.Estimate `json:"narrow"`   // mean share of the legal moves that are near the best
	Variance  ratings.Estimate `json:"variance"` // mean variance of the move values
	Shallow   ratings.Estimate `json:"shallow"`  // share of positions where one ply of look-ahead finds the oracle's choice
	Near      float64          `json:"near"`     // how far below the best move, in expected score, counts as near
	Phases    []PhaseClear     `json:"phases"`
}

// PhaseClear is the clarity of a third of the games.
type PhaseClear struct {
	Phase    string           `json:"phase"` // opening, middle, end
	Narrow   ratings.Estimate `json:"narrow"`
	Variance ratings.Estimate `json:"variance"`
	Shallow  ratings.Estimate `json:"shallow"`
	Box      [5]float64       `json:"narrow_box"` // 5 %, quartiles, 95 % of the share near the best
}

// BoardUse is measure 20: which cells games use. Cells are numbered row by row from the top left.
type BoardUse struct {
	Columns  int              `json:"columns"`
	Rows     int              `json:"rows"`
	Coverage ratings.Estimate `json:"coverage"` // mean share of the cells that were ever occupied in a game
	Unused   int              `json:"unused"`   // cells that no game ever occupied
	Cells    []CellUse        `json:"cells"`
}

// CellUse is one cell.
type CellUse struct {
	Cell     string           `json:"cell"`
	Placed   float64          `json:"placed"`   // arrivals of a piece (placements, steps and jumps) a game
	First    float64          `json:"first"`    // of these, by the first player
	Captured float64          `json:"captured"` // pieces that were captured or converted on it, a game
	Occupied ratings.Estimate `json:"occupied"` // share of the games in which it was ever occupied
	Phi      ratings.Estimate `json:"phi"`      // correlation of "the first player ever owned it" with the first player's score, -1 to 1
	P        float64          `json:"p"`        // of "no correlation", Holm over all cells
	Marked   bool             `json:"marked"`   // P < 1 - Method.Level
}

// Permanence is measure 21: how lasting the effect of moves is.
type Permanence struct {
	Repetition ratings.Estimate `json:"repetition"` // 1 - different/visited positions within a game, mean over games
	// share of moves whose change of the board is undone within two plies
	Undone ratings.Estimate `json:"undone"`
	// 1 minus the mean share of a mover's gain that the reply cancels; from position values
	Browne  ratings.Estimate `json:"permanence"`
	Removed ratings.Estimate `json:"removed"` // pieces that leave the board a ply, by capture or age
}

// Snowball is measure 22: how early a lead decides the game, from position values.
type Snowball struct {
	// area under the curve (AUC) of the lead at half time as a predictor of the result: 0.5 open, 1 decided
	Half  ratings.Estimate `json:"auc_half"`
	Slope ratings.Estimate `json:"slope"` // of the logit of winning against the logit of the value at half time; 1 = calibrated
	Table []LeadCell       `json:"table"` // chance of the first player by lead and time
}

// LeadCell is one cell of the table: the mean score of the first player, given a value in a bin at a share of the
// game.
type LeadCell struct {
	From  float64          `json:"from"` // of the value
	To    float64          `json:"to"`
	At    float64          `json:"at"` // share of the game played: 0.1 to 0.9
	Score ratings.Estimate `json:"score"`
}

// PieceBalance is the material by time: mean pieces on the board at tenths of the game.
type PieceBalance struct {
	First  []Point `json:"first"`
	Second []Point `json:"second"`
}

// Restriction is measure 23: the loss of strength when an agent lacks an ability.
type Restriction struct {
	Name string `json:"name"` // of the restricted agent
	What string `json:"what"` // description of the restriction
	Twin string `json:"twin"` // the agent without the restriction
	// of the restricted agent against the unrestricted: near 0 = unimportant, very negative = essential
	Elo   ratings.Estimate `json:"elo"`
	Score ratings.Estimate `json:"score"`
	Text  string           `json:"text"` // conclusion in words
}

// Knobs is measure 24: the effect of changing one knob by one step on games of one tier against itself.
type Knobs struct {
	Agent    string        `json:"agent"`    // the tier that plays
	Base     KnobResponse  `json:"base"`     // under the unchanged rules
	Variants []KnobVariant `json:"variants"` // by the change of the first player's score, the greatest fall first
	Text     string        `json:"text"`     // conclusion in words
}

// KnobVariant is a set of rules that differs in one knob. Changes are from the base.
type KnobVariant struct {
	Rules    string       `json:"rules"` // name in the study
	Path     string       `json:"path"`  // path of the knob, like pieces.cap
	Value    string       `json:"value"` // value of the knob
	Base     string       `json:"base"`
	Response KnobResponse `json:"response"`
	Change   KnobResponse `json:"change"`
	// p-value of "the first player's score is unchanged", by Holm over the variants
	P       float64 `json:"p"`
	Certain bool    `json:"certain"` // the change of the score is significant
	Exact   string  `json:"exact,omitempty"`
}

// KnobResponse has the measured numbers of a variant.
type KnobResponse struct {
	Score      ratings.Estimate `json:"score"` // of the first player
	Draws      ratings.Estimate `json:"draws"`
	Completion ratings.Estimate `json:"completion"`
	Length     ratings.Estimate `json:"length"` // median length
	Alive      []Use            `json:"alive,omitempty"`
}

// Size is measure 25: the size of the game.
type Size struct {
	LogTree      ratings.Estimate `json:"log10_tree"`                    // mean over games of the sum of log10 of the legal moves
	Branching    ratings.Estimate `json:"branching"`                     // mean legal moves a ply
	Refinement   ratings.Estimate `json:"refinement"`                    // sqrt(branching)/length of won games (Iida's GR)
	States       []StateGrowth    `json:"states"`                        // different positions met, by ply
	Positions    int64            `json:"positions"`                     // different positions met in the study, up to about 1 %
	Visited      int64            `json:"visited"`                       // number of positions met
	Playouts     float64          `json:"playouts_per_second,omitempty"` // random games a second and core; 0 = not measured
	Speeds       []Speed          `json:"speeds"`
	RulesBytes   int              `json:"rules_bytes"`             // of the normalised rules
	RulesPacked  int              `json:"rules_packed"`            // the same compressed
	Group        string           `json:"group"`                   // the games of LogTree, Branching and Refinement
	SolvedStates uint64           `json:"solved_states,omitempty"` // states in all, exact results, if the game is solved
}

// StateGrowth is the number of different positions after a ply.
type StateGrowth struct {
	Ply     int   `json:"ply"`
	Visited int64 `json:"visited"`
	Unique  int64 `json:"unique"`
}

// Speed is how fast an agent played in the study.
type Speed struct {
	Agent string  `json:"agent"`
	MS    float64 `json:"ms_per_move"`
	Nodes float64 `json:"nodes_per_second"`
	Moves int64   `json:"moves"`
}

// Oracle describes the source of position values and their quality.
type Oracle struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`   // exact (the solved game) or agent
	Budget    string  `json:"budget"` // budget in words
	Spec      string  `json:"spec,omitempty"`
	Stronger  float64 `json:"stronger"` // doublings of the budget above the strongest tier
	Seed      int64   `json:"seed"`
	Group     string  `json:"group"` // the games that Brier and Bins refer to: those of the strongest tier
	Games     int64   `json:"games"` // of that group that were valued
	Positions int64   `json:"positions"`
	Noise     float64 `json:"noise"` // standard deviation of a value, from a second seed; 0 for exact values
	// mean squared error of the values as predictions of results, draws as half: 0.25 = no information
	Brier   ratings.Estimate `json:"brier"`
	Bins    []CalibrationBin `json:"calibration"`
	Warning string           `json:"warning,omitempty"`
}

// CalibrationBin is one tenth of the scale of values.
type CalibrationBin struct {
	From     float64          `json:"from"`
	To       float64          `json:"to"`
	Mean     float64          `json:"mean"`     // of the values in it
	Observed ratings.Estimate `json:"observed"` // mean result of the games
	Count    int64            `json:"positions"`
}

// Accuracy compares the agents' decisions with the exact values.
type Accuracy struct {
	Kept     ratings.Estimate `json:"kept"`            // share of decisions (with more than one legal move) that kept the value of the position
	MeanLoss ratings.Estimate `json:"mean_loss"`       // mean loss of score per decision
	Perfect  ratings.Estimate `json:"perfect"`         // share of games in which no decision lost value
	Worst    []int64          `json:"worst,omitempty"` // ids of the games with the greatest losses
}

// Sample is a game to look at.
type Sample struct {
	Kind   string `json:"kind"` // longest, shortest, median, comeback, blunder, opening, draw, capped
	Title  string `json:"title"`
	Why    string `json:"why"`
	Game   int64  `json:"game"` // id in the study: spar show ID --db PATH
	First  string `json:"first"`
	Second string `json:"second"`
	Result string `json:"result"`
	Reason string `json:"reason"`
	Plies  int    `json:"plies"`
	Ply    int    `json:"ply,omitempty"` // the interesting ply
	Seed   int64  `json:"seed"`
	Moves  string `json:"moves"`
	// of the first player after From plies and after each later ply, if the oracle valued the game
	Values []float64 `json:"values,omitempty"`
	From   int       `json:"values_from,omitempty"` // plies before the first value: the length of the opening
	Event  string    `json:"event"`

	key uint64 // key of the values
}
