// Package page writes reports. One [Document] becomes a self-contained HTML page, Markdown, text for a terminal,
// and files with its tables and figures.
//
// A document starts with its verdict, one sentence. Answers to the questions of a reader follow, then the figures that
// readers come for. The sections come next. Each has a lead: one sentence that states what its figures mean. Missing
// lists what the data cannot show. The same document always gives the same bytes.
package page

import (
	"strings"

	"spar/engines"
	"spar/reports/chart"
	"spar/reports/table"
)

// Document is a report.
type Document struct {
	Title    string
	Subtitle string // what was measured: rules, hash, agents and games
	// Game has the colours of the sides, which charts then use; nil if the report is about several games
	Game    *engines.Game `json:"-"`
	Verdict Verdict
	// Answers are the answers to the questions that readers ask first. If there are any, the page folds the sections.
	Answers  []Answer
	Pictures []Figure // the figures that readers come for, below the answers
	Warnings []string // text of banners, for example when too many games do not end
	Sections []Section
	Missing  []Missing // what the data do not show
	Commands []Command // commands that make this report again
	// Facts are the lines of the footer, like the version, the hash of the rules and the seed.
	Facts []Fact
}

// Answer answers one of the questions that readers ask first.
type Answer struct {
	Question string // question of a reader, like "Fair?"
	Verdict  string // answer in one or two words; may be empty
	Status   table.Status
	Text     string // about two sentences
}

// Verdict is the main result in one sentence, and its basis in another.
type Verdict struct {
	Status   table.Status
	Headline string
	Detail   string
}

// Section is a part of the report.
type Section struct {
	ID         string // letters, digits and hyphens; empty means: derived from the title
	Title      string
	Lead       string   // meaning of the section in one sentence
	Paragraphs []string // further text; may be empty
	Figures    []Figure
	Tables     []table.Table
	Games      []GameView
	Missing    []Missing
	Commands   []Command
	Aside      bool // the lead is not a result: Text skips it
	Screen     bool // Text writes the tables, too
}

// Missing is a result that the data cannot give.
type Missing struct {
	What   string // what is missing, like "fairness by strength"
	Why    string // reason, like "the study has no mirror matches"
	Remedy string // command that would provide it; may be empty
}

// Command is a command line with a description.
type Command struct {
	Text string
	Note string
}

// Fact is a name with a value.
type Fact struct{ Name, Value string }

// Figure is a chart with its caption. A figure without data is listed as missing instead.
type Figure struct {
	ID      string // file name without extension; empty means: derived from section and title
	Title   string
	Caption string // one sentence about what the figure means
	Alt     string // alternative text with the main numbers; empty = the caption
	Chart   chart.Chart
}

// RulesWords returns the arguments that name rules with overrides on a command line.
func RulesWords(name string, set []string) string {
	out := ShellWord(name)
	for _, s := range set {
		out += " --set " + ShellWord(s)
	}
	return out
}

// ShellWord quotes a text so that a shell reads it as one word.
func ShellWord(s string) string {
	if strings.ContainsAny(s, " []*?()&;|<>$'\"\\") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
