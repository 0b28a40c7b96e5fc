package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/configs/plain"
)

// counted writes a number with a noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// note writes the notes.
func (r *reader) note() {
	s, single := &r.sum, int64(0) // games in no pair
	for _, g := range r.games {
		if g.pair == 0 {
			single++
		}
	}
	say := func(n int64, format string, args ...any) {
		if n > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
		}
	}
	var named []string
	for _, e := range s.Mistakes {
		if !slices.Contains(r.cut, e.Line) && len(named) < mostNamed {
			named = append(named, fmt.Sprintf("line %d: %s", e.Line, e.Message))
		}
	}
	if more := s.Odd - int64(len(named)); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	say(s.Odd, "Skipped %s that Spar cannot read (%s); --strict refuses such a file", counted(s.Odd, "game"),
		strings.Join(named, "; "))
	for i, line := range r.cut {
		if i == mostNamed {
			say(1, "Comments that are not closed: %d more", len(r.cut)-i)
			break
		}
		say(1, "The comment that begins on line %d is not closed: Spar ends it before the next game", line)
	}
	say(s.Skipped, "Skipped %s without a result", counted(s.Skipped, "game"))
	say(s.Byes, "Skipped %s: the player had no opponent", counted(s.Byes, "bye"))
	say(s.LeftOut, "Skipped %s that the file marks as unrated", counted(s.LeftOut, "game"))
	for _, name := range r.forms {
		say(1,
			"The file spells %s in two ways that look the same (composed and decomposed Unicode): Spar treats them as one agent",
			plain.Quote(name))
	}
	if total, how := r.endings(); total > 0 {
		say(total, "%d of %s ended %s; Spar counts them as played", total, counted(s.Games, "game"), how)
	}
	if s.Few {
		say(1, "Only %d of %s are distinct, too few for an interval: Spar rates each distinct game once. Play more openings",
			s.Distinct, counted(s.Games, "game"))
	}
	switch paired := s.Paired || s.Pairs > 0; {
	case s.Pairs > 0:
		say(s.Pairs, "Found %s: two games with the same Round and opening (FEN) but swapped seats are one unit",
			counted(s.Pairs, "pair"))
		fallthrough
	case paired:
		say(single, "%s without a pair", counted(single, "game"))
	case r.rounds:
		say(s.Games, "No pairs: no two games have the same Round and opening (FEN) but swapped seats, so each game is a unit")
	default:
		say(s.Games, "No pairs: the file has neither pairs (pair_id) nor rounds (Round), so each game is a unit")
	}
}

// endings describes how games ended that a fault decided, the most frequent end first.
func (r *reader) endings() (total int64, how string) {
	kinds := slices.SortedFunc(maps.Keys(r.ends), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.ends[b], r.ends[a]), cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		total += r.ends[kind]
		if len(kinds) > 1 {
			kinds[i] = fmt.Sprintf("%s (%d)", kind, r.ends[kind])
		}
	}
	if n := len(kinds); n > 1 {
		return total, strings.Join(kinds[:n-1], ", ") + " or " + kinds[n-1]
	}
	return total, strings.Join(kinds, "")
}
