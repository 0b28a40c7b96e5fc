// Package evidence decides what a stored game counts for. A [Judge] reads the [Facts] of each game and returns its
// [Marks]. The study stores the marks with the game, and early stops, the live display, standings, validations and
// fits ask the marks whether a game counts for their [Use]. No other package decides this.
package evidence

import (
	"fmt"
	"slices"
	"strings"
)

// Marks are what is peculiar about a game, as a set of bits. A study stores them as a number; see Names.
type Marks uint16

// The marks. Their numbers are stored: add new ones at the end.
const (
	Mirror     Marks = 1 << iota // an agent against itself: says nothing about strength
	Forfeit                      // ended by a fault of an agent
	Repeated                     // equals an earlier game of agents that leave nothing to chance: no new information
	Training                     // played by a search for weights, whose candidates are nobody that a rating is about
	Surplus                      // scheduled ahead of a decision that ended its part of the event
	Timed                        // a budget depended on the clock: the game cannot be played again
	Human                        // a person played
	Superseded                   // played again because who played it could not be trusted
	Pending                      // finished, but games before it are not: not judged yet
)

// Given are the marks that the other games of a study do not tell: they stay where games are judged again. What has one
// of them counts for nothing.
const Given = Surplus | Superseded | Pending

// names in the order of the bits.
func names() []string {
	return []string{"mirror", "forfeit", "repeated", "training", "surplus", "timed", "human", "superseded", "pending"}
}

// Use is what games are collected for.
type Use int

// The uses.
const (
	Strength Use = iota // ratings, sequential tests, validations: forfeits count as lost
	Balance             // what the rules do among agents: lengths, first-player advantage
	Ends                // how games end, forfeits among them
	Learning            // positions to learn weights from
	Replay              // can be played again move by move
	uses
)

// Without is the set of marks that keep a game from counting for a use. A game counts when it has none of them.
func (u Use) Without() Marks {
	never := Given | Human
	return [uses]Marks{
		Strength: never | Mirror | Repeated | Training,
		Balance:  never | Forfeit | Repeated | Training,
		Ends:     never | Repeated | Training,
		Learning: never | Forfeit,
		Replay:   Timed | Human,
	}[u]
}

// String is the name of a use.
func (u Use) String() string {
	return [uses]string{"strength", "balance", "ends", "learning", "replay"}[u]
}

// Counts tells whether a game with these marks counts for a use.
func (m Marks) Counts(u Use) bool { return m&u.Without() == 0 }

// String writes the marks as words, separated by commas; nothing for an ordinary game.
func (m Marks) String() string {
	var out []string
	for i, name := range names() {
		if m&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ",")
}

// Parse reads what String writes.
func Parse(words string) (Marks, error) {
	var m Marks
	for word := range strings.SplitSeq(words, ",") {
		at := slices.Index(names(), word)
		switch {
		case at >= 0:
			m |= 1 << at
		case words != "":
			return 0, fmt.Errorf("unknown mark %q of a game (known: %s)", word, strings.Join(names(), ", "))
		}
	}
	return m, nil
}

// Fault begins the reasons of games that a fault of an agent ended.
const Fault = "forfeit_"

// IsForfeit tells whether a game with this reason was ended by a fault of an agent.
func IsForfeit(reason string) bool { return strings.HasPrefix(reason, Fault) }

// Capped tells whether a game with this reason was ended by a cap: nobody knows how the rules would have ended it.
func Capped(reason string) bool { return reason == "ply_cap" || reason == "clock" }

// Faulty is the side that forfeited: 1 the first, 2 the second; 0 for a game without a fault. The faulty side has lost.
func Faulty(result, reason string) int8 {
	switch {
	case !IsForfeit(reason):
		return 0
	case result == "second":
		return 1
	}
	return 2
}

// PurposeHuman is the purpose of an event in which a person plays.
const PurposeHuman = "human"

// IsTraining tells whether games of an event with this purpose are those of a search for weights.
func IsTraining(purpose string) bool {
	return purpose == "tuning" || strings.HasPrefix(purpose, "tuning ")
}

// Facts are what the marks of a game depend on.
type Facts struct {
	Purpose       string // of the event
	Rules         int64  // row numbers or any other names that tell them apart
	First, Second int64
	Hash          int64 // of rules and moves
	Forfeit       bool  // ended by a fault of an agent: IsForfeit
	Timed         bool
	Certain       bool  // neither agent leaves anything to chance: where no clock is looked at, each answers a position always alike
	Given         Marks // those of them that the game has; others say nothing
}

// Judge marks games. It must see the games of a study in the order of their events and numbers, whatever the order in
// which they ended: which of two equal games is the repetition depends on it. The zero value is ready.
type Judge struct {
	seen map[game]struct{}
}

// game names equal games of one purpose: a mirror match and a match from openings may each hold the same game once.
type game struct {
	purpose              string
	rules, first, second int64
	hash                 int64
}

// Mark judges the next game.
func (j *Judge) Mark(f Facts) Marks {
	m := f.Given & Given
	set := func(on bool, mark Marks) {
		if on {
			m |= mark
		}
	}
	set(f.First == f.Second, Mirror)
	set(f.Forfeit, Forfeit)
	set(IsTraining(f.Purpose), Training)
	set(f.Purpose == PurposeHuman, Human)
	set(f.Timed, Timed)
	if f.Certain && !f.Timed && m&(Training|Human|Given) == 0 { // games that count for nothing make no other game a repetition
		k := game{f.Purpose, f.Rules, f.First, f.Second, f.Hash}
		if _, again := j.seen[k]; again {
			return m | Repeated
		}
		if j.seen == nil {
			j.seen = map[game]struct{}{}
		}
		j.seen[k] = struct{}{}
	}
	return m
}

// Same reports whether agents that may leave things to chance play the same few games again and again. Only the distinct games are then
// independent observations: every count and interval is of them.
func Same(games, distinct int64) bool { return games >= 10 && 20*distinct <= games }

// Stratum names the games that share a first-player advantage in a rating: those of the same rules. Forfeited games
// count as lost, but who sat first had nothing to do with it: in a stratum of their own they move neither the advantage
// nor the ratings of those who play without faults.
func Stratum(rules string, m Marks) string {
	if m&Forfeit != 0 {
		return rules + Forfeited
	}
	return rules
}

// Forfeited ends the name of a stratum of forfeited games.
const Forfeited = " (forfeited)"
