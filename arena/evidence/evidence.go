// Package evidence decides for which purposes a stored game counts. A [Judge] reads the [Facts] of each game and
// returns its [Marks], which the study stores with the game. A [Use] is a purpose, such as ratings. Whoever uses
// games (early stops, the live display, standings, validations, fits) asks the marks whether a game counts for
// that use. No other package decides this.
package evidence

import (
	"fmt"
	"slices"
	"strings"

	"spar/ratings"
)

// Marks are the special properties of a game, as a set of bits. A study stores them as a number.
type Marks uint16

// The marks. Their numbers are stored: add new ones at the end.
const (
	Mirror     Marks = 1 << iota // an agent plays itself: no evidence about strength
	Forfeit                      // an agent failed and lost
	Repeated                     // equals an earlier game of deterministic agents: no new information
	Training                     // played by a search for weights, whose candidates get no rating
	Surplus                      // played ahead of a decision that ended its part of the event
	Timed                        // a budget depended on the clock, so the game cannot be reproduced
	Human                        // a person played
	Superseded                   // replaced by another game, because its worker could not be trusted
	Pending                      // finished before an earlier game: not judged yet
)

// Given are the marks that do not depend on the other games of a study. They are kept when games are judged again. A
// game with any of these marks never counts.
const Given = Surplus | Superseded | Pending

// Names returns the names of the marks in the order of the bits.
func Names() []string {
	return []string{"mirror", "forfeit", "repeated", "training", "surplus", "timed", "human", "superseded", "pending"}
}

// Use is a purpose for which games count.
type Use int

// The uses of games.
const (
	Strength Use = iota // ratings, sequential tests, validations; a forfeit is a loss
	Balance             // properties of the rules in games of agents: lengths, first-player advantage
	Ends                // how games end, including forfeits
	Learning            // positions to learn weights from
	Replay              // can be played again, move by move
	uses
)

// Without returns the marks that exclude a game from a use. A game counts if it has none of them.
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

// String returns the name of a use.
func (u Use) String() string {
	return [uses]string{"strength", "balance", "ends", "learning", "replay"}[u]
}

// Counts reports whether a game with these marks counts for a use.
func (m Marks) Counts(u Use) bool { return m&u.Without() == 0 }

// String returns the marks as words separated by commas; empty for a normal game.
func (m Marks) String() string {
	var out []string
	for i, name := range Names() {
		if m&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ",")
}

// Scan reads marks from a study.
func (m *Marks) Scan(stored any) error {
	n, ok := stored.(int64)
	if most := int64(1)<<len(Names()) - 1; !ok || n < 0 || n > most {
		return fmt.Errorf("%v is not a set of marks (0 to %d)", stored, most)
	}
	*m = Marks(n)
	return nil
}

// Parse reads marks in the form that String writes.
func Parse(words string) (Marks, error) {
	var m Marks
	for word := range strings.SplitSeq(words, ",") {
		at := slices.Index(Names(), word)
		switch {
		case at >= 0:
			m |= 1 << at
		case words != "":
			return 0, fmt.Errorf("unknown mark %q of a game (known: %s)", word, strings.Join(Names(), ", "))
		}
	}
	return m, nil
}

// Fault is the prefix of the reason of a game that ended because an agent failed.
const Fault = "forfeit_"

// IsForfeit reports whether the reason says that an agent failed.
func IsForfeit(reason string) bool { return strings.HasPrefix(reason, Fault) }

// Capped reports whether the reason says that a cap ended the game. The result without the cap is then unknown.
func Capped(reason string) bool { return reason == "ply_cap" || reason == "clock" }

// Endless reports whether the reason says that a game ended because nothing happened any more.
func Endless(reason string) bool { return reason == "repetition" || reason == "quiet" }

// Faulty returns the side that forfeited and lost: 1 the first, 2 the second, 0 neither.
func Faulty(result, reason string) int8 {
	switch {
	case !IsForfeit(reason):
		return 0
	case result == "second":
		return 1
	}
	return 2
}

// Purposes of events in which people play, and in which a tuning compares its result with the starting agent.
const (
	PurposeHuman      = "human"
	PurposeValidation = "validation"
)

// IsTraining reports whether an event with this purpose has training games of a tuning.
func IsTraining(purpose string) bool {
	return purpose == "tuning" || strings.HasPrefix(purpose, "tuning ")
}

// Facts are the properties of a game that determine its marks.
type Facts struct {
	Purpose       string // purpose of the event
	Rules         int64  // row ids, or other numbers that identify the rules and agents
	First, Second int64
	Hash          int64 // hash of rules and moves
	Forfeit       bool  // an agent failed: IsForfeit
	Timed         bool
	// both agents are deterministic: without a clock they always give the same answer in a position
	Certain bool
	Given   Marks // marks of the game; only those in the set Given are used
}

// Judge marks games. It must see the games of a study in the order of their events and numbers, even if they ended
// in another order, because the later of two equal games is the repetition. The zero value is ready to use.
type Judge struct {
	seen map[game]struct{}
}

// game identifies equal games with one purpose. Events with different purposes may each contain a game once
// without repetition.
type game struct {
	purpose              string
	rules, first, second int64
	hash                 int64
}

// Mark returns the marks of the next game.
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
	// games that count for nothing make no other game a repetition
	if f.Certain && !f.Timed && m&(Training|Human|Given) == 0 {
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

// Same reports whether agents with random choices repeat the same few games. Then only the distinct games are
// independent observations, and every count and interval refers to them.
func Same(games, distinct int64) bool { return games >= 10 && 20*distinct <= games }

// Stratum returns the name of the set of games that have a common first-player advantage in a rating: those of the
// same rules, or the forfeited ones among them.
func Stratum(rules string, m Marks) string {
	if m&Forfeit != 0 {
		return rules + ratings.Forfeited
	}
	return rules
}
