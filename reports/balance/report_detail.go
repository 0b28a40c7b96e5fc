package balance

import (
	"spar/ratings"
)

// Matrix is the scores of agents against each other.
type Matrix struct {
	Agents []string `json:"agents"` // names of the agents, strongest first
	Cells  []Cell   `json:"cells"`  // two agents that met; both directions are listed
	// NonTransitive is the fraction of triples in which each agent beats the next one by more than 2 standard
	// errors.
	Triples       int64            `json:"triples"` // triples of agents that all met each other
	Cycles        [][]string       `json:"cycles"`
	NonTransitive ratings.Estimate `json:"non_transitive"`
	// p-value of the hypothesis that one rating for each agent explains the table; 1 if it cannot be tested
	LackOfFit float64 `json:"lack_of_fit_p"`
	Ratings   []Rated `json:"ratings"`
}

// Cell is one agent's score against another.
type Cell struct {
	Agent    string           `json:"agent"`
	Opponent string           `json:"opponent"`
	Score    ratings.Estimate `json:"score"`
	// difference from the fit of one rating for each agent and a seat term, in standard errors
	Residual float64 `json:"residual_z"`
}

// Rated is an agent's rating in Elo, relative to the mean of the agents it can be compared with.
type Rated struct {
	Agent string           `json:"agent"`
	Elo   ratings.Estimate `json:"elo"`
	Group int              `json:"group"` // ratings of different groups cannot be compared
}

// FirstMoves is how good each first move is.
type FirstMoves struct {
	// forced (the study plays each first move) or chosen (by the agents, which prefers good moves)
	Source string      `json:"source"`
	Agents []string    `json:"agents"`
	Moves  []FirstMove `json:"moves"` // one move of each symmetry class; the best for the first player first
	Pie    *Pie        `json:"pie,omitempty"`
}

// FirstMove is one first move, with its images under the symmetries of the rules.
type FirstMove struct {
	Move   string   `json:"move"`   // name of the class: its image with the lowest cell
	Images []string `json:"images"` // all moves of the class
	// cells of the images, numbered row by row from the top left; empty for moves without a cell
	Cells []int            `json:"cells"`
	Score ratings.Estimate `json:"score"` // score of the first player, 0 to 1
	// p-value of an even score, adjusted by Holm over all first moves
	P      float64 `json:"p"`
	Uneven bool    `json:"uneven"` // P < 1 - Method.Level
	Close  bool    `json:"close"`  // the score is between 1/3 and 2/3
	// exact result for the first player: win, draw or loss; empty if unknown
	Exact   string `json:"exact,omitempty"`
	ExactIn int    `json:"exact_in,omitempty"` // plies until the game ends with exact play
}

// Pie is how even the game is if the second player may take over the first move.
type Pie struct {
	Move string `json:"move"` // the most even move, chosen by half of the games
	// |score - 1/2| of that move in the other half of the games, 0 to 0.5
	Residual ratings.Estimate `json:"residual"`
	Naive    ratings.Estimate `json:"naive"` // the same in the games that chose the move; biased towards 0
	// |score - 1/2| in normal games of the same agents from the true start
	Without ratings.Estimate `json:"without"`
	Close   int              `json:"close"` // number of first moves with a score between 1/3 and 2/3
	Of      int              `json:"of"`
	InRules bool             `json:"in_rules"` // the rules already have the pie rule
	// value of turn.pie that the rules have or could have: true or seats; empty if they cannot have a pie rule
	Form string `json:"form"`
	// fraction of games in which the second player swapped, if the rules have the pie rule
	Taken ratings.Estimate `json:"taken"`
	Best  string           `json:"best_for_first"`
}

// Course is how the score changed during games, from position values after every ply. N counts
// sampled games.
type Course struct {
	Games    int64 `json:"games"`    // number of sampled games
	Decisive int64 `json:"decisive"` // sampled games with a winner

	// mean fraction of a won game that has been played when the winner takes the lead for good; low =
	// a long decided ending
	Decisiveness ratings.Estimate `json:"decisiveness"`
	Settled      ratings.Estimate `json:"settled"` // the same for a lead of at least 0.9
	// distribution of the fraction at which the winner leads for good
	SettledECDF []Step `json:"decisive_ecdf"`
	// mean number of lead changes outside the dead zone; the first lead does not count
	LeadChanges ratings.Estimate `json:"lead_changes"`
	LeadPer10   ratings.Estimate `json:"lead_per_10"`    // lead changes per ten plies
	LeadBars    []Bar            `json:"lead_histogram"` //
	// differences of values up to this are ignored: twice the oracle's noise, at least 0.02; 0 for exact values
	DeadZone float64 `json:"dead_zone"`
	// mean over won games of sqrt(2(1/2-v)) at the plies at which the winner trailed with value v
	Drama ratings.Estimate `json:"drama"`
	// fraction of won games in which the winner's value was once below 0.25
	Comebacks ratings.Estimate `json:"comebacks"`
	LowPoints []float64        `json:"low_points"` // the winner's lowest value in each won game, ascending
	// mean of 4v(1-v) in each twentieth of the game
	Uncertainty []Point          `json:"uncertainty"`
	Late        ratings.Estimate `json:"late_uncertainty"` // mean uncertainty in the last third of the game
	// mean of the largest gain by one move in a game, corrected for noise
	Killer      ratings.Estimate `json:"killer"`
	KillerRaw   ratings.Estimate `json:"killer_raw"`   // the same without correction
	KillerNoise ratings.Estimate `json:"killer_noise"` // mean largest gain that noise alone would show
	KillerAt    ratings.Estimate `json:"killer_at"`    // mean fraction of the game played at that move
	Swings      []Swing          `json:"swings"`       // largest gain in each game
}

// Step is a step of an empirical distribution: the fraction of games with at most X.
type Step struct {
	X     float64 `json:"x"`
	Share float64 `json:"share"`
}

// Swing is the largest gain by one move in a game.
type Swing struct {
	Game int64   `json:"game"`
	Ply  int     `json:"ply"`
	At   float64 `json:"at"`   // ply divided by the number of plies
	Gain float64 `json:"gain"` // gain in expected score, 0 to 1
}

// Choice is how many moves a player can choose among.
type Choice struct {
	ByPly     []ChoicePly      `json:"by_ply"`
	Forced    ratings.Estimate `json:"forced"`    // fraction of plies with one legal move
	Decisions ratings.Estimate `json:"decisions"` // fraction of plies with more than one legal move
	Mean      ratings.Estimate `json:"mean"`      // mean number of legal moves at a ply
	// geometric mean of the number of legal moves, where there is more than one
	Effective ratings.Estimate `json:"effective"`
	Passes    ratings.Estimate `json:"passes"` // fraction of plies that are forced passes
}

// ChoicePly describes the number of legal moves at one ply.
type ChoicePly struct {
	Ply    int              `json:"ply"` // number of the ply, from 1
	Games  int64            `json:"games"`
	Median ratings.Estimate `json:"median"`
	P10    float64          `json:"p10"`
	P90    float64          `json:"p90"`
	Forced float64          `json:"forced"` // fraction of games with only one legal move there
}

// Variety is how different the games are. Symmetric openings count as equal, and only games from the
// true start are used.
type Variety struct {
	Openings []EffectivePly   `json:"openings"`
	Distinct ratings.Estimate `json:"distinct"` // fraction of games that are not equal to an earlier one
	// Policy is the effective number of moves that the agents choose among in a position: exp(H) for the entropy H
	// of the chosen moves, in positions that at least 20 games of the group reached.
	Policy ratings.Estimate `json:"policy"`
}

// EffectivePly is the variety of the first plies.
type EffectivePly struct {
	Ply  int `json:"ply"`
	Seen int `json:"seen"` // number of distinct sequences
	// exp(H), where the entropy H has the correction of Miller and Madow
	Effective ratings.Estimate `json:"effective"`
	Plain     float64          `json:"plain"` // exp(H) without the correction
	Top       []Line           `json:"top"`   // the most frequent sequences
}

// Line is a sequence of first moves.
type Line struct {
	Moves string           `json:"moves"` // the smallest of its symmetric images
	Games int64            `json:"games"`
	Score ratings.Estimate `json:"score"` // score of the first player, 0 to 1
}

// Clarity is how easy good moves are to find, from sampled positions. A phase is a third of the game.
type Clarity struct {
	Positions int64 `json:"positions"`
	// mean fraction of the legal moves that are nearly as good as the best
	Narrow   ratings.Estimate `json:"narrow"`
	Variance ratings.Estimate `json:"variance"` // mean variance of the values of the legal moves
	// fraction of positions in which a one-ply search finds the oracle's move
	Shallow ratings.Estimate `json:"shallow"`
	// how far below the best move, in expected score, a move counts as nearly as good
	Near   float64      `json:"near"`
	Phases []PhaseClear `json:"phases"`
}

// PhaseClear is the clarity of a third of the games.
type PhaseClear struct {
	Phase    string           `json:"phase"` // opening, middle or end
	Narrow   ratings.Estimate `json:"narrow"`
	Variance ratings.Estimate `json:"variance"`
	Shallow  ratings.Estimate `json:"shallow"`
	// 5 % quantile, quartiles and 95 % quantile of the fraction of moves that are nearly as good as the best
	Box [5]float64 `json:"narrow_box"`
}

// BoardUse is which cells games use. Cells are numbered row by row from the top left.
type BoardUse struct {
	Columns  int              `json:"columns"`
	Rows     int              `json:"rows"`
	Coverage ratings.Estimate `json:"coverage"` // mean fraction of the cells that were ever occupied in a game
	Unused   int              `json:"unused"`   // number of cells that no game ever occupied
	Cells    []CellUse        `json:"cells"`
}

// CellUse describes the use of one cell.
type CellUse struct {
	Cell     string           `json:"cell"`
	Placed   float64          `json:"placed"`   // arrivals of pieces per game, by placements, steps and jumps
	First    float64          `json:"first"`    // arrivals of the first player's pieces per game
	Captured float64          `json:"captured"` // pieces per game that were captured or converted on the cell
	Occupied ratings.Estimate `json:"occupied"` // fraction of games in which it was ever occupied
	// correlation between "the first player ever owned it" and the first player's score, -1 to 1
	Phi    ratings.Estimate `json:"phi"`
	P      float64          `json:"p"`      // p-value of no correlation, adjusted by Holm over all cells
	Marked bool             `json:"marked"` // P < 1 - Method.Level
}

// Permanence is how lasting the effect of moves is.
type Permanence struct {
	Repetition ratings.Estimate `json:"repetition"` // mean over games of 1 - (distinct positions / positions)
	// fraction of moves whose change of the board is undone within two plies
	Undone ratings.Estimate `json:"undone"`
	// 1 minus the mean fraction of a move's gain that the reply cancels; from position values
	Browne  ratings.Estimate `json:"permanence"`
	Removed ratings.Estimate `json:"removed"` // pieces that leave the board per ply, by capture or age
}

// Snowball is how early a lead decides the game, from position values.
type Snowball struct {
	// area under the ROC curve for predicting the winner from the lead at half time: 0.5 = no prediction, 1 =
	// certain
	Half ratings.Estimate `json:"auc_half"`
	// slope of the logit of winning against the logit of the value at half time; 1 = calibrated
	Slope ratings.Estimate `json:"slope"`
	Table []LeadCell       `json:"table"` // mean score of the first player, by lead and time
}

// LeadCell is one cell of the table: the mean score of the first player, given a value in a bin at a share of the
// game.
type LeadCell struct {
	From  float64          `json:"from"` // range of values From to To
	To    float64          `json:"to"`
	At    float64          `json:"at"` // fraction of the game played: 0.1 to 0.9
	Score ratings.Estimate `json:"score"`
}

// PieceBalance is the mean number of pieces on the board at each tenth of the game.
type PieceBalance struct {
	First  []Point `json:"first"`
	Second []Point `json:"second"`
}

// Restriction is how much strength an agent loses without one of its abilities.
type Restriction struct {
	Name string `json:"name"` // name of the restricted agent
	What string `json:"what"` // description of the restriction
	Twin string `json:"twin"` // name of the agent without the restriction
	// Elo of the restricted agent against the unrestricted one: near 0 = unimportant, very negative = essential
	Elo   ratings.Estimate `json:"elo"`
	Score ratings.Estimate `json:"score"`
	Text  string           `json:"text"` // conclusion in words
}

// Knobs is the effect of changing one knob by one step on games of one tier against itself.
type Knobs struct {
	Agent string       `json:"agent"` // the tier that plays
	Base  KnobResponse `json:"base"`  // measurements under the unchanged rules
	// sorted by the change of the first player's score, the greatest decrease first
	Variants []KnobVariant `json:"variants"`
	Text     string        `json:"text"` // name of the rules in the study
}

// KnobVariant describes rules that differ in one knob. Changes are relative to the unchanged rules.
type KnobVariant struct {
	Rules    string       `json:"rules"` // path of the knob, like pieces.cap
	Path     string       `json:"path"`  // path of the knob, like pieces.cap
	Value    string       `json:"value"` // value of the knob
	Base     string       `json:"base"`
	Response KnobResponse `json:"response"`
	Change   KnobResponse `json:"change"`
	// p-value of no change of the first player's score, adjusted by Holm over the variants
	P       float64 `json:"p"`
	Certain bool    `json:"certain"` // the change of the score is significant
	Exact   string  `json:"exact,omitempty"`
}

// KnobResponse holds the measurements of a variant.
type KnobResponse struct {
	Score      ratings.Estimate `json:"score"` // score of the first player, 0 to 1
	Draws      ratings.Estimate `json:"draws"`
	Completion ratings.Estimate `json:"completion"`
	Length     ratings.Estimate `json:"length"` // median length in plies
	Alive      []Use            `json:"alive,omitempty"`
}

// Size is the size of the game.
type Size struct {
	// mean log10 of the size of the tree: sum over plies of log10 of the number of legal moves
	LogTree   ratings.Estimate `json:"log10_tree"`
	Branching ratings.Estimate `json:"branching"` // mean number of legal moves at a ply
	// game refinement (Iida): sqrt(branching) / length, in games with a winner
	Refinement ratings.Estimate `json:"refinement"`
	States     []StateGrowth    `json:"states"` // number of distinct positions met, by ply
	// number of distinct positions in the study, accurate to about 1 %
	Positions int64 `json:"positions"`
	Visited   int64 `json:"visited"` // number of positions met
	// random games per second and core; 0 = not measured
	Playouts   float64 `json:"playouts_per_second,omitempty"`
	Speeds     []Speed `json:"speeds"`
	RulesBytes int     `json:"rules_bytes"` // size of the normalised rules in bytes
	// size of the normalised rules in bytes after compression
	RulesPacked int `json:"rules_packed"`
	// name of the group whose games give LogTree, Branching and Refinement
	Group string `json:"group"`
	// number of reachable positions, if the game is solved; otherwise 0
	SolvedStates uint64 `json:"solved_states,omitempty"`
}

// StateGrowth is the number of distinct positions after a ply.
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
	Budget    string  `json:"budget"` // budget of the agent in words
	Spec      string  `json:"spec,omitempty"`
	Stronger  float64 `json:"stronger"` // budget relative to the strongest tier, in doublings
	Seed      int64   `json:"seed"`
	Group     string  `json:"group"` // group whose games give Brier and Bins: that of the strongest tier
	Games     int64   `json:"games"` // games of that group that were valued
	Positions int64   `json:"positions"`
	Noise     float64 `json:"noise"` // standard deviation of a value between two seeds; 0 for exact values
	// mean squared error of the values as predictions of results, with draws as 0.5; 0.25 = no information
	Brier   ratings.Estimate `json:"brier"`
	Bins    []CalibrationBin `json:"calibration"`
	Warning string           `json:"warning,omitempty"`
}

// CalibrationBin describes the positions with values in one tenth of the scale.
type CalibrationBin struct {
	From     float64          `json:"from"`
	To       float64          `json:"to"`
	Mean     float64          `json:"mean"`     // mean value
	Observed ratings.Estimate `json:"observed"` // mean result of the games, as the score of the first player
	Count    int64            `json:"positions"`
}

// Accuracy compares the agents' decisions with the exact values.
type Accuracy struct {
	// fraction of the decisions between several moves that kept the exact value
	Kept     ratings.Estimate `json:"kept"`
	MeanLoss ratings.Estimate `json:"mean_loss"`       // mean loss of score in a decision
	Perfect  ratings.Estimate `json:"perfect"`         // fraction of games in which no decision lost value
	Worst    []int64          `json:"worst,omitempty"` // ids of the games with the largest losses
}

// Sample is a game that is worth looking at.
type Sample struct {
	Kind   string `json:"kind"` // longest, shortest, median, comeback, blunder, opening, draw, capped
	Title  string `json:"title"`
	Why    string `json:"why"`
	Game   int64  `json:"game"` // id in the study, for spar show ID --db PATH
	First  string `json:"first"`
	Second string `json:"second"`
	Result string `json:"result"`
	Reason string `json:"reason"`
	Plies  int    `json:"plies"`
	Ply    int    `json:"ply,omitempty"` // number of the interesting ply
	Seed   int64  `json:"seed"`
	Moves  string `json:"moves"`
	// expected score of the first player after From plies and after each later ply; empty if the game was not
	// valued
	Values []float64 `json:"values,omitempty"`
	From   int       `json:"values_from,omitempty"` // plies before the first value: the length of the opening
	Event  string    `json:"event"`

	key uint64 // key under which the values are stored
}
