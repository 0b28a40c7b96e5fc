// Package page writes reports. One [Document] becomes a self-contained HTML page, Markdown, text for a terminal, and
// files with its tables and figures.
//
// A document starts with its verdict. Chips follow: single numbers with interval, threshold and n. Then come
// sections, each with a lead, which is one sentence that says what its figures mean. Missing lists what the data
// cannot show. The same document always gives the same bytes.
package page

import (
	"strings"

	"spar/reports/chart"
	"spar/reports/table"
)

// Document is a report.
type Document struct {
	Title    string
	Subtitle string // what was measured: rules, hash, agents, games
	// Answers are what a reader wants to know first. If there are any, everything except the first picture and the
	// final positions is folded, including the verdict.
	Answers  []Answer
	Picture  *Figure    // the first picture, below the answers
	Glance   []string   // a few facts below the picture, a sentence each
	Finals   []GameView // games of which only the last position is shown
	Verdict  Verdict
	Warnings []string // banners, as when a viability gate fails
	Chips    []Chip
	Sections []Section
	Missing  []Missing // what the data cannot show
	Commands []Command // commands that make this report again
	// Facts are the lines of the footer, like the version, the hash of the rules and the seed.
	Facts []Fact
}

// Answer answers one of the questions that readers ask first.
type Answer struct {
	Question string // question of the reader, like "Fair?"
	Status   table.Status
	Text     string // about ten words; numbers carry their interval and n
}

// Verdict is the answer in one sentence, and its basis in another.
type Verdict struct {
	Status   table.Status
	Headline string
	Detail   string
}

// Chip is one number of the overview.
type Chip struct {
	Label     string
	Value     table.Cell   // with its interval and n
	Status    table.Status // against the threshold
	Threshold string       // in words, like "45 to 55 %"
	Note      string       // like "About 400 more games would probably settle this"
	Section   string       // ID of the section that says more
}

// Section is a part of the report.
type Section struct {
	ID         string // of letters, digits and hyphens; empty makes one from the title
	Title      string
	Lead       string   // the meaning of the section in one sentence
	Paragraphs []string // more, if needed
	Figures    []Figure
	Tables     []table.Table
	Games      []GameView
	Missing    []Missing
	Commands   []Command
	Aside      bool // its lead is not a finding: Text skips it
}

// Missing is something that the data cannot show.
type Missing struct {
	What   string // "fairness by strength"
	Why    string // "the study has no mirror matches"
	Remedy string // a command that would provide it, may be empty
}

// Command is a command line with what it does.
type Command struct {
	Text string
	Note string
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// Figure is a chart with its caption. The page skips a figure without data and lists it among the section's missing
// things.
type Figure struct {
	ID      string // file name without ending; empty makes one from section and title
	Title   string
	Caption string // one sentence that says what the figure means
	Alt     string // the main numbers, as alternative text; empty = the caption
	Chart   chart.Chart
}

// ShellWord quotes a text so that a shell reads it as one word.
func ShellWord(s string) string {
	if strings.ContainsAny(s, " []*?()&;|<>$'\"\\") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
