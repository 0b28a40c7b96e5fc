// Package explain writes rules in English. [Game] turns the knobs of a game into [Rules]: sections of text that
// explain how to play, and notes on consequences of the rules: whether a side can win, whether the game must end,
// which mechanics have no effect.
package explain

import (
	"fmt"
	"strings"

	"spar/engines"
)

// Rules is the explanation of a game in words.
type Rules struct {
	Title    string    `json:"title" help:"title of the game"`
	Sections []Section `json:"sections"`
	Ending   Ending    `json:"ending"`
	Notes    []Note    `json:"notes"` // the most serious first; empty if there are none
}

// Section is a part of the text under one heading.
type Section struct {
	Title     string   `json:"title" help:"part of the rules"`
	Sentences []string `json:"sentences" help:"the rules of the section, in words"`
	Start     string   `json:"start,omitempty" help:"the board with the pieces at the start, drawn in letters; . is an empty cell"`
}

// Note is a consequence of the rules that their author may not have intended.
type Note struct {
	Kind string `json:"kind" help:"consequence of the rules: nobody_wins, one_side, endless, floating, uneven_swap, unreachable or no_effect"`
	Path string `json:"path" help:"the knob to change"`
	Text string `json:"text" help:"the consequence in words"`
}

// The values of Note.Kind.
const (
	NobodyWins  = "nobody_wins" // the rules give no player a way to win
	OneSide     = "one_side"    // only one player has a way to win
	Endless     = "endless"     // a game may never end
	Floating    = "floating"    // pieces can be left in the air under gravity
	UnevenSwap  = "uneven_swap" // a swap of the pie rule does not exchange the sides
	Unreachable = "unreachable" // something that the rules describe can never happen
	NoEffect    = "no_effect"   // a knob has no effect, given the other knobs
)

// Ending states whether the rules guarantee that every game ends, and why.
type Ending struct {
	Kind string `json:"kind" help:"fills (each placement fills a cell), used_up (every move captures a piece or moves one forward), plies (only a limit on moves is certain to end a game), quiet (only a limit on moves without placement or capture), repetition (only a repeated position) or open (nothing)"`
	Text string `json:"text" help:"the same in words"`
}

// The values of Ending.Kind.
const (
	Fills      = "fills"      // no piece leaves or moves: the board fills up
	UsedUp     = "used_up"    // every move captures a piece or moves one forward
	Plies      = "plies"      // only the limit on plies guarantees an end
	Quiet      = "quiet"      // only the limit on plies without placement or capture guarantees an end
	Repetition = "repetition" // only repeated positions guarantee an end, however late
	Open       = "open"       // nothing guarantees an end
)

// Game explains the rules of a game.
func Game(g *engines.Game) *Rules {
	r := g.Rules()
	t := &Rules{Title: r.Title, Ending: ending(g), Notes: notes(g)}
	if t.Title == "" {
		t.Title = r.Name
	}
	for _, part := range []struct {
		title string
		say   func(*teller)
	}{
		{"The board", board},
		{"How to win", aims},
		{"A turn", turns},
		{"Placing", placing},
		{"Moving", movings},
		{"Capturing by surrounding", surrounding},
		{"Other captures", otherCaptures},
		{"Ownership of pieces", owners},
		{"Pieces that leave", leaving},
		{"Draws and end of game", draws},
		{"What happens in one move", order},
	} {
		say := &teller{g: g, r: &r, who: "player"}
		part.say(say)
		if len(say.said) > 0 {
			t.Sections = append(t.Sections, Section{Title: part.title, Sentences: say.said})
		}
	}
	if len(r.Setup) > 0 {
		t.Sections[0].Start = g.NewPosition().Picture(false)
	}
	t.Ending.Text = g.NameSides(t.Ending.Text)
	for i := range t.Notes {
		t.Notes[i].Text = g.NameSides(t.Notes[i].Text)
	}
	return t
}

// String returns the text for a terminal, without the notes.
func (t *Rules) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.Title)
	for _, s := range t.Sections {
		fmt.Fprintf(&b, "\n%s\n", s.Title)
		for _, line := range s.Sentences {
			fmt.Fprintf(&b, "  - %s\n", line)
		}
		if s.Start != "" {
			b.WriteString("  - The pieces at the start (. is an empty cell):\n")
			for line := range strings.Lines(s.Start) {
				b.WriteString("    " + line)
			}
		}
	}
	return b.String()
}

// NobodyWins reports whether the rules give no player a way to win.
func (t *Rules) NobodyWins() bool { return len(t.Notes) > 0 && t.Notes[0].Kind == NobodyWins }

// teller collects sentences about one player or about both.
type teller struct {
	g    *engines.Game
	r    *engines.Rules // rules that apply to the player
	who  string         // "player", "first player" or "second player"
	side int
	said []string
}

// both reports whether the sentences are about both players.
func (t *teller) both() bool { return t.who == "player" }

// player returns the subject of a sentence.
func (t *teller) player() string {
	if t.both() {
		return "A player"
	}
	return "The " + t.who
}

func (t *teller) say(format string, args ...any) {
	t.said = append(t.said, t.g.NameSides(fmt.Sprintf(format, args...)))
}

// when adds a sentence if a condition holds.
func (t *teller) when(holds bool, format string, args ...any) {
	if holds {
		t.say(format, args...)
	}
}

// count formats a number with its noun.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
