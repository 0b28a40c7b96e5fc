// Package balance measures how balanced rules are: it takes games and returns numbers. Other packages draw and
// print them.
//
// Every number has its interval and the count of independent units behind it. A number that the games cannot
// determine is null in the JSON, and Missing names it with the reason.
//
// # Terms
//
//   - Group: games of one kind. A balance study has two groups for each tier, which plays itself from the start position
//     and from random openings. Any other study is one group. Most measures describe a group; those that compare
//     groups or agents (trends, ladder, first moves) are fields of the Report.
//   - Score: 1 for a win of the first player, 0.5 for a draw, 0 for a loss. Plies are counted from the first player's
//     first move.
//   - Elo: 400·log10(s/(1-s)) of a score s.
//   - Tier: an agent of a balance study, weakest first.
//   - Position values: expected scores of the first player, by an oracle, which is one evaluator for the whole
//     report.
package balance

import (
	"cmp"
	"fmt"
	"strings"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/engines"
	"spar/ratings"
	"spar/tuning/target"
	"spar/tuning/variants"
)

// Report holds all measurements of one set of rules.
type Report struct {
	Ref     string     `json:"-"` // the rules on a command line
	Rules   Rules      `json:"rules" help:"name, title, hash, canonical text, size and symmetries of the rules"`
	Study   Played     `json:"study"`
	Method  Method     `json:"method" help:"level of the intervals"`
	Summary Summary    `json:"summary" help:"one sentence about the whole game: text, flaw (unfair, no_goal, drawn, short or shallow), colour"`
	Answers []Answer   `json:"answers" help:"answers to a designer's questions: question, verdict, colour, claim, estimate, reason, next"`
	Verdict Conclusion `json:"verdict"`
	People  *ForPeople `json:"people,omitempty" help:"a prediction of games between people"`
	// reason why every game must end, if the rules guarantee it; otherwise empty
	Ends string `json:"ends,omitempty" help:"reason why every game ends, if it follows from the rules"`
	// fraction of the games of searching agents in a balance study that neither the ply limit nor the clock ends; null if
	// there are no such games
	Completed ratings.Estimate `json:"completed" help:"share of games that end before the ply limit, among those between searching agents"`
	// stages of the inquiry into who wins under the rules, with games of two kinds of search
	Inquiry  []campaign.Stage `json:"inquiry,omitempty" help:"stages of the search for the winner under best play: nodes, simulations, free, first_moves, replies, side, work, plies"`
	Lights   []Light          `json:"lights" help:"limits and what the numbers say: measure, title, section, number, colour, good, middling, text, more, more_of"`
	Warnings []string         `json:"warnings,omitempty" help:"warnings about the whole report"`
	Missing  []Missing        `json:"missing" help:"what these games cannot measure: measure, number, group, reason"`
	// weakest first; empty if the study is not a balance study
	Tiers []Tier `json:"tiers" help:"agents of the study, weakest first"`
	// index in Groups of the group that the verdict uses; -1 if there are no games
	Headline int `json:"headline" help:"index in groups of the group that the verdict uses; -1 if there are no games"`
	// mirror groups by tier, then openings groups by tier; or one group of all games
	Groups []Group `json:"groups" help:"one group for each agent against itself, or one of all games; each number is value, lo, hi (null where open: above, below or both), n, unit (what n counts), method, anytime (holds at every look), note"`

	Trends    Trends                 `json:"trends" help:"score and draws against strength"`
	Ladder    *Ladder                `json:"ladder,omitempty" help:"matches of neighbouring tiers"`
	FirstMove *FirstMoves            `json:"first_moves,omitempty" help:"score of each first move, and the effect of a pie rule"`
	Remedies  *variants.RemedyResult `json:"remedies,omitempty" help:"changes tried to mend the most serious problem (see remedies)"`
	Oracle    *Oracle                `json:"oracle,omitempty" help:"source of the position values"`
	Exact     *campaign.Exact        `json:"exact,omitempty" help:"exact results, if the game is solved"`
	Samples   []Sample               `json:"samples" help:"example games"`
	Targets   []target.Judged        `json:"targets,omitempty"` // requirements, and whether they are met

	game *engines.Game // of the rules; nil if nobody has said
}

// sayf writes a sentence in which "first player" and "second player" of the format are the sides' names in the rules.
func (r *Report) sayf(format string, args ...any) string {
	return fmt.Sprintf(r.named(format), args...)
}

// named is sayf for a text without values.
func (r *Report) named(text string) string {
	if r == nil || r.game == nil {
		return text
	}
	return r.game.NameSides(text)
}

// Missing is a measure that the games cannot determine.
type Missing struct {
	Measure string `json:"measure"` // name of the measure, as in the headings of a report
	Group   string `json:"group,omitempty"`
	Reason  string `json:"reason"`
}

// Colour is the colour of a traffic light.
type Colour string

// The colours of a light. A light is good, middling or poor only if the whole interval lies in that range.
const (
	Good     Colour = "good"
	Middling Colour = "middling"
	Poor     Colour = "poor"
	NotGood  Colour = "not good" // middling or poor
	NoData   Colour = "no data"
)

// Undecided is the colour of a light, and the verdict on a target or a change, if the games do not decide it.
const Undecided = "undecided"

// Light is a traffic light: it rates a number by conventional limits.
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
	// if undecided: about how many further units (Number.Of) settle the colour with a probability of 80 %, if the value
	// stays the same; 0 = unknown, or more than 100,000
	More   int64  `json:"more,omitempty"`
	MoreOf string `json:"more_of,omitempty"`
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
	// games skipped because deterministic agents repeated earlier ones
	Repeated int64 `json:"repeated" help:"repeated games of agents without randomness; Spar skips them"`
	// games that ended because an agent failed; only Ends uses them
	Forfeits int64 `json:"forfeits" help:"games that an agent forfeited; they count only for how games end"`
	LeftOut  int64 `json:"left_out" help:"games that do not count: from tuning, played by people, or surplus"`
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

// Asked returns the number of games in the inquiry.
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
	Level float64 `json:"level"` // confidence level of every interval
}

// Tier is one of the agents of a balance study.
type Tier struct {
	Index         int     `json:"index"` // index, from 0 for the weakest
	Name          string  `json:"agent"`
	Budget        string  `json:"budget"`                // budget in words
	Description   string  `json:"description,omitempty"` // of the agent
	Amount        int64   `json:"amount"`                // iterations, nodes or depth; 0 if the budget is none of these
	Doubling      float64 `json:"doubling"`
	Timed         bool    `json:"timed,omitempty"`
	Deterministic bool    `json:"deterministic,omitempty"` // always plays the same game
}

// Group holds the measures of one set of games.
type Group struct {
	Key      string `json:"key"`  // mirror/NAME, openings/NAME or all
	Name     string `json:"name"` // name of the group for readers
	Kind     string `json:"kind"` // mirror, openings or all
	Tier     int    `json:"tier"` // index in Tiers; -1 for the group of all games, and for agents that err
	Games    int64  `json:"games"`
	Distinct int64  `json:"distinct"`
	Repeated int64  `json:"repeated"` // repeated games, which no measure uses
	Forfeits int64  `json:"forfeits"` // forfeited games; only Ends uses them

	Found
}

// Same reports whether the agents repeat the same few games. The measures then use only the distinct games.
func (g *Group) Same() bool { return evidence.Same(g.Games, g.Distinct) }

// played returns the group whose games show how games go and end: on a small board that of agents that err, because the
// strongest draw every game that is a draw, after long waiting; else that of the headline. It is empty without games.
func (r *Report) played() *Group {
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Tier < 0 && strings.HasPrefix(g.Key, "mirror/minimax") && g.Outcome.First.Known() {
			return g
		}
	}
	return cmp.Or(r.main(), &Group{})
}

// main returns the group of the headline; nil without games.
func (r *Report) main() *Group {
	if r.Headline >= 0 && r.Headline < len(r.Groups) {
		return &r.Groups[r.Headline]
	}
	return nil
}

// games names the group's games, like " of mcts-80v's games against itself".
func (g *Group) games() string {
	agent, ok := strings.CutPrefix(g.Key, "mirror/")
	if errs, of := strings.CutSuffix(agent, agents.Errs); ok && of {
		return " of the games of " + errs + " with one random move in ten"
	} else if ok {
		return " of " + agent + "'s games against itself"
	}
	return " of the games"
}

// Counted returns the number of games as text, with the number of distinct games if they differ.
func (g *Group) Counted(n ratings.Estimate) string {
	switch {
	case g.Same():
		return fmt.Sprintf("%d games, %d distinct: these agents keep repeating the same games", g.Games, g.Distinct)
	case g.Repeated > 0:
		return fmt.Sprintf("%d games, %d distinct", g.Games, g.Distinct)
	case g.Distinct < g.Games && g.Forfeits == 0: // forfeited ones may be among the distinct
		return fmt.Sprintf("%s, %d distinct", n.Count(), g.Distinct)
	}
	return n.Count()
}
