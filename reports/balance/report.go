// Package balance measures how balanced rules are: it takes games and returns numbers. It draws nothing and prints
// nothing.
//
// Every number has its interval and the count of independent units behind it. A number that the games cannot give is
// null in the JSON, and Missing names it with the reason.
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

// Report is everything measured for one set of rules.
type Report struct {
	Rules   Rules      `json:"rules" help:"name, title, hash, canonical text, size and symmetries of the rules"`
	Study   Played     `json:"study"`
	Method  Method     `json:"method" help:"level, resamples and seed of the intervals"`
	Verdict Conclusion `json:"verdict"`
	People  *ForPeople `json:"people,omitempty" help:"a prediction of games between people"`
	// the reason why every game ends, if it follows from the rules
	Ends      string           `json:"ends,omitempty" help:"reason why every game ends, if it follows from the rules"`
	Completed ratings.Estimate `json:"completed" help:"share of games that end by the rules, among those between searching agents"` // share of all games of a balance study between agents that search that the rules end, not a cap; null if there are none
	// who wins under the rules, by games of two kinds of search
	Inquiry  []campaign.Stage `json:"inquiry,omitempty" help:"stages of the search for the winner under best play: nodes, simulations, free, first_moves, replies, side, work, plies"`
	Lights   []Light          `json:"lights" help:"limits and what the numbers say: measure, title, section, number, colour, good, middling, text, more, more_of, detects"`
	Warnings []string         `json:"warnings,omitempty" help:"warnings about the whole report"`
	Missing  []Missing        `json:"missing" help:"what these games cannot measure: measure, number, group, reason"`
	Tiers    []Tier           `json:"tiers" help:"agents of the study, weakest first"` // weakest first; empty when the study is not a balance study
	// index into Groups of the group behind the verdict; -1 without games
	Headline int     `json:"headline" help:"index into groups of the group that the verdict rests on; -1 without games"`
	Groups   []Group `json:"groups" help:"one group for each agent against itself, or one of all games; each number is value, lo, hi (null where open: above, below or both), n, unit (what n counts), method, anytime (holds at every look), note"` // mirror by tier, then openings by tier; or one group of all games

	// measure 2, if agents of different strength met
	Joint  *JointAdvantage `json:"joint_advantage,omitempty" help:"the first player's advantage in games between agents of different strength"`
	Trends Trends          `json:"trends" help:"score and draws against strength"`        // measures 3 and 4
	Ladder *Ladder         `json:"ladder,omitempty" help:"matches of neighbouring tiers"` // measures 7 and 8
	// measure 9: agents against each other
	Matrix    *Matrix       `json:"matrix,omitempty" help:"all agents against each other"`
	FirstMove *FirstMoves   `json:"first_moves,omitempty" help:"worth of first moves, and the pie rule"`          // measures 10 and 11
	Restrict  []Restriction `json:"restricted,omitempty" help:"agents against restricted versions of themselves"` // measure 23, sorted by Elo, the costliest first
	// measure 24: effects of knobs
	Knobs *Knobs `json:"knobs,omitempty" help:"rules that differ in one knob"`
	// measure 25: size of the game
	Size   Size            `json:"size" help:"branching, length, positions, speeds"`
	Oracle *Oracle         `json:"oracle,omitempty" help:"accuracy of the position values"`     // how good the position values are
	Exact  *campaign.Exact `json:"exact,omitempty" help:"exact results, if the game is solved"` // exact results, if the game is solved
	// changes of one knob with known exact value, draws first; only if the game itself is solved and has a problem
	Solved  []SolvedStep    `json:"solved_steps,omitempty" help:"changes of one knob with a known exact value, draws first, if the game is solved and has a problem: path, value, exact (see exact)"`
	Samples []Sample        `json:"samples" help:"example games"` // games to look at, with ids
	Targets []target.Judged `json:"targets,omitempty"`            // what was required, and whether it is met
}

// Missing is a measure that the games cannot give.
type Missing struct {
	Measure string `json:"measure"` // name, as in the headings of a report
	Number  int    `json:"number"`  // 1 to 25; 0 for extras
	Group   string `json:"group,omitempty"`
	Reason  string `json:"reason"`
}

// Colour is a traffic light.
type Colour string

// The lights. A light is good, middling or poor only where the whole interval says so.
const (
	Good     Colour = "good"
	Middling Colour = "middling"
	Poor     Colour = "poor"
	NoData   Colour = "no data"
)

// Undecided is the colour of a light, the verdict on a target and that on a change which the games do not decide.
const Undecided = "undecided"

// Light compares a number with the usual limits, which are conventions.
type Light struct {
	Measure  string           `json:"measure"` // key for programs: completion, first_score, draws, length_cv, ...
	Title    string           `json:"title"`   // title of the measure for readers
	Section  string           `json:"section"` // of the page: outcome, length, depth, ...
	Number   ratings.Estimate `json:"number"`
	Colour   Colour           `json:"colour"`
	Good     string           `json:"good"` // the limits in words: "45 to 55 %"
	Middling string           `json:"middling"`
	Text     string           `json:"text"` // one sentence: what the number says
	// if undecided: approximate number of further units (Number.Of) that decide with a probability of 80 %, if the value
	// stays the same; 0 = unknown
	More   int64  `json:"more,omitempty"`
	MoreOf string `json:"more_of,omitempty"`
	// Detects is the distance from a limit at which the present number of units decides with a chance of 80 %; 0 =
	// unknown.
	Detects float64 `json:"detects,omitempty"`
}

// Rules names the rules measured.
type Rules struct {
	Name      string `json:"name"` // label in the study, with overrides
	Title     string `json:"title"`
	Hash      string `json:"hash"`
	Canonical string `json:"canonical"` // every knob, JSON
	Columns   int    `json:"columns"`
	Rows      int    `json:"rows"`
	Symmetry  int    `json:"symmetries"` // number of board symmetries that keep the rules, including the identity
}

// Played counts the games.
type Played struct {
	DB     string      `json:"db" help:"file of the study"`
	Events []EventInfo `json:"events" help:"events with purpose, seed and games; clear: match-ups stopped early"`
	Games  int64       `json:"games" help:"games of these rules"`
	// games with different moves, agents or seats
	Distinct int64  `json:"distinct" help:"different games"`
	Effort   string `json:"effort,omitempty" help:"effort of the plan, if the study has one"` // of the plan, where the study has one
	// skipped: equal games of deterministic agents
	Repeated int64 `json:"repeated" help:"repeated games of agents without randomness; Spar leaves them out"`
	// games ended by a fault of an agent: only Ends counts them
	Forfeits int64 `json:"forfeits" help:"games that an agent forfeited; they count only for how games end"`
	LeftOut  int64 `json:"left_out" help:"games that do not count: from tuning, of people, or surplus"`
	// all games started from openings that the agents did not choose
	Opened bool `json:"opened" help:"whether all games began with openings"`
	// games with a time budget, which cannot be reproduced exactly
	Timed   int64 `json:"timed" help:"games under a time budget"`
	Decided int64 `json:"adjudicated" help:"games that an adjudication ended"`
	// games whose moves do not replay: skipped by measures that need moves
	BadGames  int64 `json:"bad_games" help:"games whose moves do not replay"`
	FirstSeed int64 `json:"first_seed" help:"lowest seed of the events"`
	LastSeed  int64 `json:"last_seed" help:"greatest seed"`
}

// Games returns the number of games under the rules that count for anything, including those of the inquiry. Skipped
// games are not included, because their number depends on the workers.
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

// EventInfo is a part of the study.
type EventInfo struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose"`
	Seed    int64  `json:"seed"`
	Games   int64  `json:"games"`
	Clear   bool   `json:"clear,omitempty"` // its match-ups may stop early; their intervals are confidence sequences
}

// Method describes how intervals were computed.
type Method struct {
	Level     float64 `json:"level"` // of every interval
	Resamples int     `json:"resamples"`
	Seed      uint64  `json:"seed"` // of the bootstrap
}

// Tier is an agent of a balance study.
type Tier struct {
	Index         int     `json:"index"` // from 0, the weakest
	Name          string  `json:"name"`
	Budget        string  `json:"budget"` // budget in words
	Amount        int64   `json:"amount"` // iterations, nodes or depth; 0 for none
	Doubling      float64 `json:"doubling"`
	Timed         bool    `json:"timed,omitempty"`
	Deterministic bool    `json:"deterministic,omitempty"` // always plays the same game
}

// Group holds the measures of one set of games.
type Group struct {
	Key      string `json:"key"`  // mirror/NAME, openings/NAME or all
	Name     string `json:"name"` // name of the group for readers
	Kind     string `json:"kind"` // mirror, openings or all
	Tier     int    `json:"tier"` // index into Tiers, -1 for all games
	Games    int64  `json:"games"`
	Distinct int64  `json:"distinct"`
	Repeated int64  `json:"repeated"` // repeated games, which are left out
	Forfeits int64  `json:"forfeits"` // forfeited games, which are left out

	Outcome     Outcome          `json:"outcome"`                // 1, 2, 4
	Ends        Ends             `json:"ends"`                   // measure 5
	Length      Length           `json:"length"`                 // measure 6
	Course      *Course          `json:"course,omitempty"`       // 12 to 16, 22: from position values
	Choice      *Choice          `json:"choice,omitempty"`       // measure 17
	Variety     *Variety         `json:"variety,omitempty"`      // measure 18
	Clarity     *Clarity         `json:"clarity,omitempty"`      // measure 19
	Board       *BoardUse        `json:"board,omitempty"`        // measure 20
	Alive       []Use            `json:"alive"`                  // how often each mechanic of the rules happened
	Permanence  *Permanence      `json:"permanence,omitempty"`   // measure 21
	Snowball    *Snowball        `json:"snowball,omitempty"`     // measure 22
	Accuracy    *Accuracy        `json:"accuracy,omitempty"`     // decisions against exact play
	DistinctOf  ratings.Estimate `json:"distinct_share"`         // share of the games that are not equal to an earlier one
	PieceCounts *PieceBalance    `json:"piece_counts,omitempty"` // pieces on the board by time
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

// Outcome is measures 1, 2 and 4: who wins. Games ended by a cap are not draws here: FirstWins + Draws + Caps +
// SecondWins equals Games.
type Outcome struct {
	FirstWins  int64 `json:"first_wins"`
	Draws      int64 `json:"draws"` // by the rules
	Caps       int64 `json:"caps"`  // by the ply cap or a clock
	SecondWins int64 `json:"second_wins"`

	First    ratings.Estimate `json:"first"` // shares of the results, with Wilson's intervals
	Draw     ratings.Estimate `json:"draw"`
	Cap      ratings.Estimate `json:"cap"`
	Second   ratings.Estimate `json:"second"`
	Score    ratings.Estimate `json:"score"`    // mean score of the first player; draws and caps count half
	Elo      ratings.Estimate `json:"elo"`      // the same as a first-player advantage in Elo
	Decisive ratings.Estimate `json:"decisive"` // the first player's share of the games that somebody won
}

// Ends is measure 5: why games ended. The shares are of all games of the group, forfeits included.
type Ends struct {
	Reasons    []ReasonShare    `json:"reasons"`    // the most frequent first
	Completion ratings.Estimate `json:"completion"` // share of the games (without forfeits and adjudications) that the rules ended other than by a cap
	Forfeits   int64            `json:"forfeits"`
}

// ReasonShare is one reason with its share.
type ReasonShare struct {
	Reason string `json:"reason"` // as in the records: line, full_board, ply_cap, ...
	Kind   string `json:"kind"`   // win, draw, cap, adjudicated or forfeit
	Games  int64  `json:"games"`
	// Distinct counts those of Games that are not equal to an earlier game.
	Distinct int64            `json:"distinct"`
	Share    ratings.Estimate `json:"share"`
	By       map[string]int64 `json:"by"` // games by result: first, draw, second
}

// Length is measure 6, in plies; quantiles of type 7 (linear between order statistics).
type Length struct {
	All       Spread            `json:"all"`
	Finished  Spread            `json:"finished"`  // without games ended by a cap
	ByResult  map[string]Spread `json:"by_result"` // first, draw, second; draws without caps
	Histogram []Bar             `json:"histogram"` // by plies, or by ranges of plies
}

// Spread describes a distribution.
type Spread struct {
	Median ratings.Estimate `json:"median"`
	P5     ratings.Estimate `json:"p5"`
	P25    ratings.Estimate `json:"p25"`
	P75    ratings.Estimate `json:"p75"`
	P95    ratings.Estimate `json:"p95"`
	Mean   ratings.Estimate `json:"mean"`
	CV     ratings.Estimate `json:"cv"` // standard deviation over mean
	Min    int              `json:"min"`
	Max    int              `json:"max"`
}

// Bar is a bar of a histogram of whole numbers: From to To, both included.
type Bar struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Count int64 `json:"count"`
	Part  int64 `json:"part,omitempty"` // of these, the games ended by a cap
}

// Point is a point of a curve.
type Point struct {
	X float64          `json:"x"`
	Y ratings.Estimate `json:"y"`
}

// JointAdvantage is measure 2 by one fit of strengths and the seat: logit P(first wins) = strength difference +
// advantage.
type JointAdvantage struct {
	Elo      ratings.Estimate `json:"elo"`
	Score    ratings.Estimate `json:"score"` // score between equal agents
	Agents   int              `json:"agents"`
	Games    int64            `json:"games"`
	ByAgent  []AsFirst        `json:"by_agent"` // scores of each agent in both seats
	Warnings []string         `json:"warnings,omitempty"`
	// an agent won or lost everything: the fit relies on a prior
	Separated bool `json:"separated,omitempty"`
	// SeatP tests whether the seat has the same value for every agent: the least p by Holm over the agents; null with
	// fewer than three. Uneven names the agent if the test is significant.
	SeatP  *float64 `json:"seat_p"`
	Uneven string   `json:"seat_differs_for,omitempty"`
}

// AsFirst is an agent's score in both seats.
type AsFirst struct {
	Agent    string           `json:"agent"`
	AsFirst  ratings.Estimate `json:"as_first"`
	AsSecond ratings.Estimate `json:"as_second"`
}

// Trends is measure 3 and 4 over the tiers from the true start.
type Trends struct {
	Advantage Trend            `json:"advantage"` // first-player advantage in Elo by doublings of the budget
	Score     Trend            `json:"score"`
	Draws     Trend            `json:"draws"` // slope in logits a doubling
	Length    Trend            `json:"length"`
	Rise      ratings.Estimate `json:"rise"` // score of the strongest tier minus that of the weakest
	// advantage divided by the gain of one doubling of the budget; not a slope
	Rungs Trend `json:"rungs"`
}

// Trend is a measure as a function of strength.
type Trend struct {
	Points []TierPoint `json:"points"`
	// per doubling, by weighted least squares; tiers without a budget are skipped
	Slope     ratings.Estimate `json:"slope"`
	Intercept float64          `json:"intercept"`
	// p-value of "the points lie on a line"; 1 if it cannot be tested
	LackOfFit float64 `json:"lack_of_fit_p"`
}

// TierPoint is a tier's value.
type TierPoint struct {
	Tier     int              `json:"tier"`
	Name     string           `json:"name"`
	Doubling float64          `json:"doubling"` // x: log2 of the budget over that of the weakest tier that has one; -1 for a tier without a budget
	InFit    bool             `json:"in_fit"`
	Number   ratings.Estimate `json:"number"`
}

// Ladder is measures 7 and 8.
type Ladder struct {
	Rungs    []Rung           `json:"rungs"`    // tier k+1 against tier k
	Strength []TierPoint      `json:"strength"` // Elo above the weakest tier: the sum of the rungs
	Slope    ratings.Estimate `json:"slope"`    // mean Elo per doubling over the tiers with budgets
	Depth    ratings.Estimate `json:"depth"`    // number of 60 % rungs (70.44 Elo) from the weakest to the strongest tier
	// the same from the weakest tier that searches, so without the step from random play
	Skill ratings.Estimate `json:"skill"`
	// the strongest tier still gains: the depth of the game is greater than Depth
	LowerBound bool `json:"lower_bound"`
	// first doubling without a significant gain: "mcts-400 over mcts-200"
	Saturated string   `json:"saturated,omitempty"`
	Top       string   `json:"top"`
	Events    []string `json:"events"`
}

// Rung is the match of two neighbouring tiers.
type Rung struct {
	Lower    string           `json:"lower"`
	Upper    string           `json:"upper"`
	Score    ratings.Estimate `json:"score"` // score of Upper
	Elo      ratings.Estimate `json:"elo"`
	Doubling float64          `json:"doublings"` // log2 of the ratio of their budgets; 0 if one has none
	Wins     int64            `json:"wins"`
	Draws    int64            `json:"draws"`
	Losses   int64            `json:"losses"`
}
