// Package balance measures how balanced rules are: it takes games and returns numbers. Other packages draw and
// print them.
//
// Every number has its interval and the count of independent units behind it. A number that the games cannot
// determine is null in the JSON, and Missing names it with the reason.
//
// # Terms
//
//   - Group: games of one kind. A balance study has two groups for each tier, which plays itself from the true start
//     and from random openings. Any other study is one group. Most measures describe a group; those that compare
//     groups or agents (trends, ladder, matrix, first moves, restricted play) are fields of the Report.
//   - Score: 1 for a win of the first player, 0.5 for a draw, 0 for a loss. Plies are counted from the first player's
//     first move.
//   - Elo: 400·log10(s/(1-s)) of a score s.
//   - Tier: an agent of a balance study, weakest first.
//   - Position values: expected scores of the first player, by an oracle, which is one evaluator for the whole
//     report.
package balance

import (
	"fmt"

	"spar/arena/campaign"
	"spar/arena/evidence"

	"spar/ratings"
	"spar/tuning/target"
)

// Report holds all measurements of one set of rules.
type Report struct {
	Rules   Rules      `json:"rules" help:"name, title, hash, canonical text, size and symmetries of the rules"`
	Study   Played     `json:"study"`
	Method  Method     `json:"method" help:"level, resamples and seed of the intervals"`
	Verdict Conclusion `json:"verdict"`
	People  *ForPeople `json:"people,omitempty" help:"a prediction of games between people"`
	// reason why every game must end, if the rules guarantee it; otherwise empty
	Ends string `json:"ends,omitempty" help:"reason why every game ends, if it follows from the rules"`
	// fraction of the games of searching agents in a balance study that end by the rules and not by a cap; null if
	// there are no such games
	Completed ratings.Estimate `json:"completed" help:"share of games that end by the rules, among those between searching agents"`
	// stages of the inquiry into who wins under the rules, with games of two kinds of search
	Inquiry  []campaign.Stage `json:"inquiry,omitempty" help:"stages of the search for the winner under best play: nodes, simulations, free, first_moves, replies, side, work, plies"`
	Lights   []Light          `json:"lights" help:"limits and what the numbers say: measure, title, section, number, colour, good, middling, text, more, more_of, detects"`
	Warnings []string         `json:"warnings,omitempty" help:"warnings about the whole report"`
	Missing  []Missing        `json:"missing" help:"what these games cannot measure: measure, number, group, reason"`
	// weakest first; empty if the study is not a balance study
	Tiers []Tier `json:"tiers" help:"agents of the study, weakest first"`
	// index in Groups of the group that the verdict uses; -1 if there are no games
	Headline int `json:"headline" help:"index in groups of the group that the verdict uses; -1 if there are no games"`
	// mirror groups by tier, then openings groups by tier; or one group of all games
	Groups []Group `json:"groups" help:"one group for each agent against itself, or one of all games; each number is value, lo, hi (null where open: above, below or both), n, unit (what n counts), method, anytime (holds at every look), note"`

	// only if agents of different strength met
	Joint  *JointAdvantage `json:"joint_advantage,omitempty" help:"first-player advantage in games between agents of different strength"`
	Trends Trends          `json:"trends" help:"score and draws against strength"`
	Ladder *Ladder         `json:"ladder,omitempty" help:"matches of neighbouring tiers"`
	// agents against each other
	Matrix    *Matrix       `json:"matrix,omitempty" help:"all agents against each other"`
	FirstMove *FirstMoves   `json:"first_moves,omitempty" help:"score of each first move, and the effect of a pie rule"`
	Restrict  []Restriction `json:"restricted,omitempty" help:"agents against restricted versions of themselves"` // sorted by Elo, the costliest first
	// effects of knobs
	Knobs *Knobs `json:"knobs,omitempty" help:"rules that differ in one knob"`
	// size of the game
	Size Size `json:"size" help:"branching, length, positions, speeds"`
	// accuracy of the position values
	Oracle *Oracle         `json:"oracle,omitempty" help:"accuracy of the position values"`
	Exact  *campaign.Exact `json:"exact,omitempty" help:"exact results, if the game is solved"` // exact results, if the game is solved
	// changes of one knob that give a game with a known exact value, draws first; only if the game itself is
	// solved and has a problem
	Solved  []SolvedStep    `json:"solved_steps,omitempty" help:"changes of one knob with a known exact value, draws first, if the game is solved and has a problem: path, value, exact (see exact)"`
	Samples []Sample        `json:"samples" help:"example games"` // games worth looking at, with their ids
	Targets []target.Judged `json:"targets,omitempty"`            // requirements, and whether they are met
}

// Missing is a measure that the games cannot determine.
type Missing struct {
	Measure string `json:"measure"` // name of the measure, as in the headings of a report
	Number  int    `json:"number"`  // number of the measure, 1 to 25; 0 for extras
	Group   string `json:"group,omitempty"`
	Reason  string `json:"reason"`
}

// Colour is a traffic light.
type Colour string

// The colours of a light. A light is good, middling or poor only if the whole interval lies in that range.
const (
	Good     Colour = "good"
	Middling Colour = "middling"
	Poor     Colour = "poor"
	NoData   Colour = "no data"
)

// Undecided is the colour of a light, and the verdict on a target or a change, if the games do not decide it.
const Undecided = "undecided"

// Light compares a number with the usual limits, which are conventions.
type Light struct {
	// key of the measure for programs: completion, first_score, draws, length_cv, ...
	Measure  string           `json:"measure"`
	Title    string           `json:"title"`   // title of the measure for people
	Section  string           `json:"section"` // section of the page: outcome, length, depth, ...
	Number   ratings.Estimate `json:"number"`
	Colour   Colour           `json:"colour"`
	Good     string           `json:"good"` // the good range in words, like "45 to 55 %"
	Middling string           `json:"middling"`
	Text     string           `json:"text"` // one sentence about what the number means
	// if undecided: approximate number of further units (Number.Of) that settle it with a probability of 80 %, if
	// the value stays the same; 0 = unknown
	More   int64  `json:"more,omitempty"`
	MoreOf string `json:"more_of,omitempty"`
	// Detects is the distance from a limit at which the present number of units is enough with a probability of 80
	// %; 0 = unknown.
	Detects float64 `json:"detects,omitempty"`
}

// Rules identifies the rules that were measured.
type Rules struct {
	Name      string `json:"name"` // label in the study, which includes overrides
	Title     string `json:"title"`
	Hash      string `json:"hash"`
	Canonical string `json:"canonical"` // all knobs as JSON
	Columns   int    `json:"columns"`
	Rows      int    `json:"rows"`
	Symmetry  int    `json:"symmetries"` // number of board symmetries that keep the rules, including the identity
}

// Played counts the games.
type Played struct {
	DB     string      `json:"db" help:"file of the study"`
	Events []EventInfo `json:"events" help:"events with purpose, seed and games; clear: match-ups stopped early"`
	Games  int64       `json:"games" help:"games of these rules"`
	// games that differ in moves, agents or seats
	Distinct int64 `json:"distinct" help:"different games"`
	// effort stated in the study's plan; may be empty
	Effort string `json:"effort,omitempty" help:"effort of the plan, if the study has one"`
	// skipped games: deterministic agents repeat them
	Repeated int64 `json:"repeated" help:"repeated games of agents without randomness; Spar skips them"`
	// games that ended because an agent failed; only Ends uses them
	Forfeits int64 `json:"forfeits" help:"games that an agent forfeited; they count only for how games end"`
	LeftOut  int64 `json:"left_out" help:"games that do not count: from tuning, of people, or surplus"`
	// every game started from an opening that the agents did not choose
	Opened bool `json:"opened" help:"whether all games began with openings"`
	// games with a time limit, which cannot be reproduced exactly
	Timed   int64 `json:"timed" help:"games under a time budget"`
	Decided int64 `json:"adjudicated" help:"games that an adjudication ended"`
	// games whose moves are not legal; measures that need the moves skip them
	BadGames  int64 `json:"bad_games" help:"games whose moves do not replay"`
	FirstSeed int64 `json:"first_seed" help:"lowest seed of the events"`
	LastSeed  int64 `json:"last_seed" help:"highest seed"`
}

// Games returns the number of games under the rules that count for at least one measure, including those of the
// inquiry. Skipped games are not included, because their number depends on the workers.
func (r *Report) Games() int64 { return r.Study.Games - r.Study.LeftOut + r.Asked() }

// Asked returns the number of games of the inquiry.
func (r *Report) Asked() int64 {
	n := int64(0)
	for _, s := range r.Inquiry {
		for _, p := range s.Probes() {
			n += p.All().Games()
		}
	}
	return n
}

// EventInfo describes an event of the study.
type EventInfo struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose"`
	Seed    int64  `json:"seed"`
	Games   int64  `json:"games"`
	// its match-ups may stop early, so their intervals are confidence sequences
	Clear bool `json:"clear,omitempty"`
}

// Method describes how the intervals were computed.
type Method struct {
	Level     float64 `json:"level"` // confidence level of every interval
	Resamples int     `json:"resamples"`
	Seed      uint64  `json:"seed"` // seed of the bootstrap
}

// Tier is one of the agents of a balance study.
type Tier struct {
	Index         int     `json:"index"` // index, from 0 for the weakest
	Name          string  `json:"name"`
	Budget        string  `json:"budget"` // budget in words
	Amount        int64   `json:"amount"` // iterations, nodes or depth; 0 if the budget is none of these
	Doubling      float64 `json:"doubling"`
	Timed         bool    `json:"timed,omitempty"`
	Deterministic bool    `json:"deterministic,omitempty"` // always plays the same game
}

// Group holds the measures of one set of games.
type Group struct {
	Key      string `json:"key"`  // mirror/NAME, openings/NAME or all
	Name     string `json:"name"` // name of the group for readers
	Kind     string `json:"kind"` // mirror, openings or all
	Tier     int    `json:"tier"` // index in Tiers; -1 for the group of all games
	Games    int64  `json:"games"`
	Distinct int64  `json:"distinct"`
	Repeated int64  `json:"repeated"` // repeated games, which no measure uses
	Forfeits int64  `json:"forfeits"` // forfeited games; only Ends uses them

	Outcome    Outcome     `json:"outcome"`
	Ends       Ends        `json:"ends"`
	Length     Length      `json:"length"`
	Course     *Course     `json:"course,omitempty"` // from position values
	Choice     *Choice     `json:"choice,omitempty"`
	Variety    *Variety    `json:"variety,omitempty"`
	Clarity    *Clarity    `json:"clarity,omitempty"`
	Board      *BoardUse   `json:"board,omitempty"`
	Alive      []Use       `json:"alive"` // how often each mechanic of the rules was used
	Permanence *Permanence `json:"permanence,omitempty"`
	Snowball   *Snowball   `json:"snowball,omitempty"`
	Accuracy   *Accuracy   `json:"accuracy,omitempty"` // decisions compared with exact play
	// fraction of games that are not equal to an earlier one
	DistinctOf  ratings.Estimate `json:"distinct_share"`
	PieceCounts *PieceBalance    `json:"piece_counts,omitempty"` // pieces on the board over time
}

// Same reports whether the agents repeat the same few games. The measures then use only the distinct games.
func (g *Group) Same() bool { return evidence.Same(g.Games, g.Distinct) }

// Counted returns the number of games as text, with the number of distinct games if they differ.
func (g *Group) Counted(n ratings.Estimate) string {
	switch {
	case g.Same():
		return fmt.Sprintf("%d games, %d distinct: these agents always play the same", g.Games, g.Distinct)
	case g.Repeated > 0:
		return fmt.Sprintf("%d games, %d distinct", g.Games, g.Distinct)
	case g.Distinct < g.Games:
		return fmt.Sprintf("%s, %d distinct", n.Count(), g.Distinct)
	}
	return n.Count()
}

// Outcome is who wins. A game that ended by a cap does not count as a draw here: FirstWins +
// Draws + Caps + SecondWins equals Games.
type Outcome struct {
	FirstWins  int64 `json:"first_wins"`
	Draws      int64 `json:"draws"` // draws by the rules
	Caps       int64 `json:"caps"`  // games ended by the ply cap or a clock
	SecondWins int64 `json:"second_wins"`

	// First, Draw and Second are the fractions of the results, with Wilson intervals
	First  ratings.Estimate `json:"first"`
	Draw   ratings.Estimate `json:"draw"`
	Cap    ratings.Estimate `json:"cap"`
	Second ratings.Estimate `json:"second"`
	Score  ratings.Estimate `json:"score"` // mean score of the first player; draws and capped games count 0.5
	Elo    ratings.Estimate `json:"elo"`   // first-player advantage in Elo, from Score
	// fraction of wins of the first player among the games with a winner
	Decisive ratings.Estimate `json:"decisive"`
}

// Ends is why games ended. Fractions refer to all games of the group, including forfeits.
type Ends struct {
	Reasons []ReasonShare `json:"reasons"` // the most frequent reason first
	// fraction of games ended by the rules and not by a cap; forfeits and adjudications are excluded
	Completion ratings.Estimate `json:"completion"`
	Forfeits   int64            `json:"forfeits"`
}

// ReasonShare is the fraction of games that ended for one reason.
type ReasonShare struct {
	Reason string `json:"reason"` // reason as in the records: line, full_board, ply_cap, ...
	Kind   string `json:"kind"`   // win, draw, cap, adjudicated or forfeit
	Games  int64  `json:"games"`
	// Distinct is how many of Games are not equal to an earlier game.
	Distinct int64            `json:"distinct"`
	Share    ratings.Estimate `json:"share"`
	By       map[string]int64 `json:"by"` // games by result: first, draw, second
}

// Length is how long games are, in plies; quantiles of type 7 (linear between order statistics).
type Length struct {
	All       Spread            `json:"all"`
	Finished  Spread            `json:"finished"`  // without games ended by a cap
	ByResult  map[string]Spread `json:"by_result"` // first, draw, second; draws without caps
	Histogram []Bar             `json:"histogram"` // by plies, or by ranges of plies
}

// Spread describes a distribution of lengths.
type Spread struct {
	Median ratings.Estimate `json:"median"`
	P5     ratings.Estimate `json:"p5"`
	P25    ratings.Estimate `json:"p25"`
	P75    ratings.Estimate `json:"p75"`
	P95    ratings.Estimate `json:"p95"`
	Mean   ratings.Estimate `json:"mean"`
	CV     ratings.Estimate `json:"cv"` // standard deviation divided by mean
	Min    int              `json:"min"`
	Max    int              `json:"max"`
}

// Bar is a bar of a histogram of integers: the numbers From to To, both included.
type Bar struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Count int64 `json:"count"`
	Part  int64 `json:"part,omitempty"` // how many of these games ended by a cap
}

// Point is a point of a curve.
type Point struct {
	X float64          `json:"x"`
	Y ratings.Estimate `json:"y"`
}

// JointAdvantage is the first-player advantage, fitted together with the strengths of the agents: logit
// P(first wins) = strength difference + advantage.
type JointAdvantage struct {
	Elo      ratings.Estimate `json:"elo"`
	Score    ratings.Estimate `json:"score"` // score of the first player between equal agents
	Agents   int              `json:"agents"`
	Games    int64            `json:"games"`
	ByAgent  []AsFirst        `json:"by_agent"` // scores of each agent in both seats
	Warnings []string         `json:"warnings,omitempty"`
	// an agent won or lost all its games: the fit depends on a prior
	Separated bool `json:"separated,omitempty"`
	// SeatP tests whether the advantage is the same for all agents: the smallest p-value over the agents, adjusted
	// by Holm; null with fewer than three agents. Uneven names the agent if the test is significant.
	SeatP  *float64 `json:"seat_p"`
	Uneven string   `json:"seat_differs_for,omitempty"`
}

// AsFirst holds an agent's scores in both seats.
type AsFirst struct {
	Agent    string           `json:"agent"`
	AsFirst  ratings.Estimate `json:"as_first"`
	AsSecond ratings.Estimate `json:"as_second"`
}

// Trends is trends over the tiers, in games from the true start.
type Trends struct {
	Advantage Trend `json:"advantage"` // first-player advantage in Elo, against doublings of the budget
	Score     Trend `json:"score"`
	Draws     Trend `json:"draws"` // slope in logits per doubling
	Length    Trend `json:"length"`
	// score of the first player at the strongest tier minus that at the weakest
	Rise ratings.Estimate `json:"rise"`
	// advantage divided by the gain of one doubling of the budget; has no slope
	Rungs Trend `json:"rungs"`
}

// Trend describes how a measure depends on strength.
type Trend struct {
	Points []TierPoint `json:"points"`
	// per doubling, by weighted least squares; tiers without a budget are skipped
	Slope     ratings.Estimate `json:"slope"`
	Intercept float64          `json:"intercept"`
	// p-value of the hypothesis that the points lie on a line; 1 if it cannot be tested
	LackOfFit float64 `json:"lack_of_fit_p"`
}

// TierPoint is the value at one tier.
type TierPoint struct {
	Tier int    `json:"tier"`
	Name string `json:"name"`
	// log2 of the budget relative to the weakest tier that has one; -1 for a tier without a budget
	Doubling float64          `json:"doubling"`
	InFit    bool             `json:"in_fit"`
	Number   ratings.Estimate `json:"number"`
}

// Ladder is how much strength grows with the budget.
type Ladder struct {
	Rungs    []Rung           `json:"rungs"`    // matches of tier k+1 against tier k
	Strength []TierPoint      `json:"strength"` // Elo above the weakest tier: sum of the rungs up to this tier
	Slope    ratings.Estimate `json:"slope"`    // mean Elo per doubling, over tiers with budgets
	// number of 60 % rungs (70.44 Elo each) from the weakest to the strongest tier
	Depth ratings.Estimate `json:"depth"`
	// Depth without the step from random play to the weakest tier that searches
	Skill ratings.Estimate `json:"skill"`
	// the strongest tier still gains, so the game is deeper than Depth
	LowerBound bool `json:"lower_bound"`
	// first doubling without a significant gain, like "mcts-400 over mcts-200"
	Saturated string   `json:"saturated,omitempty"`
	Top       string   `json:"top"`
	Events    []string `json:"events"`
}

// Rung is the match of two neighbouring tiers.
type Rung struct {
	Lower    string           `json:"lower"`
	Upper    string           `json:"upper"`
	Score    ratings.Estimate `json:"score"` // score of Upper, 0 to 1
	Elo      ratings.Estimate `json:"elo"`
	Doubling float64          `json:"doublings"` // log2 of the ratio of the budgets; 0 if one tier has no budget
	Wins     int64            `json:"wins"`
	Draws    int64            `json:"draws"`
	Losses   int64            `json:"losses"`
}
