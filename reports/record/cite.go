package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/reports/screen"
)

// Citation describes how games were made, in the form that a paper needs.
type Citation struct {
	Study string `json:"db" help:"the study's file"`
	// name of the event, if only one is cited
	Event    string    `json:"event,omitempty" help:"the cited event, if only one"`
	Games    int64     `json:"games" help:"games of the event"`
	Counts   int64     `json:"counts" help:"games that count for strength or balance"`
	Rules    []string  `json:"rules" help:"name and hash"`
	Releases []string  `json:"releases" help:"versions of the programs that played the games"`
	Commits  []string  `json:"commits" help:"their commits"`
	Go       []string  `json:"go" help:"Go versions of these programs"`
	Hardware []string  `json:"hardware" help:"processors, and systems of other machines"`
	Events   []Cited   `json:"events"`
	CPUS     float64   `json:"cpu_s" help:"CPU time"`
	Timed    int64     `json:"timed" help:"games with a time limit"`
	LeftOut  []LeftOut `json:"left_out"` // games that cannot be reproduced
	Commands []string  `json:"commands" help:"command lines"`
	Check    string    `json:"check" help:"the command that replays the games with their agents"`
	Text     string    `json:"text" help:"the citation as text"`
}

// Cited is an event in a citation.
type Cited struct {
	Event    string `json:"event" help:"name"`
	Purpose  string `json:"purpose" help:"purpose of its games"`
	Seed     int64  `json:"seed" help:"seed of everything random"`
	PlanHash string `json:"plan_hash" help:"SHA-256 of the plan's text"`
	Games    int64  `json:"games" help:"games"`
	Started  string `json:"started,omitempty" help:"begin, UTC"`
}

// Cite returns the citation of a study, or of one event. It returns ErrEvent if there is no event with that name.
func (r *Record) Cite(event string) (*Citation, error) {
	c := &Citation{Study: r.DB, Event: event}
	out := map[string]int64{}
	note := func(list *[]string, word string) {
		if word != "" && !slices.Contains(*list, word) {
			*list = append(*list, word)
		}
	}
	for _, e := range r.Events {
		if event != "" && e.Event != event || e.Games == 0 && event == "" {
			continue
		}
		c.Games, c.Counts, c.CPUS, c.Timed = c.Games+e.Games, c.Counts+e.Counts, c.CPUS+e.CPUS, c.Timed+e.Timed
		c.Events = append(c.Events, Cited{e.Event, e.Purpose, e.Seed, e.PlanHash, e.Games, e.Started})
		for _, l := range e.LeftOut {
			out[l.Why] += l.Games
		}
		for _, b := range e.Builds {
			note(&c.Releases, b.Release)
			note(&c.Commits, b.Commit)
			note(&c.Go, b.Go)
			note(&c.Hardware, b.CPU)
			note(&c.Commands, b.Command)
		}
	}
	if len(c.Events) == 0 {
		return nil, fmt.Errorf("%w", ErrEvent)
	}
	for _, m := range r.Machines {
		note(&c.Hardware, m.System)
	}
	for _, x := range r.Rules {
		if x.Games > 0 && event == "" {
			note(&c.Rules, x.Rules+" "+x.Hash[:min(shortHash, len(x.Hash))])
		}
	}
	c.LeftOut = listed(out)
	c.Check = "spar verify --replay " + r.DB
	c.Text = c.text()
	return c, nil
}

func (c *Citation) text() string {
	var b strings.Builder
	line := func(word, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", word, fmt.Sprintf(format, args...))
	}
	list := func(words []string) string { return cmp.Or(strings.Join(words, "; "), "not known") }
	line("program", "spar %s, commit %s (%s)", list(c.Releases), list(c.Commits), list(c.Go))
	line("hardware", "%s", list(c.Hardware))
	line("study", "%s: %s, %d of them counted; %s of CPU", c.Study, screen.Plural(c.Games, "game"), c.Counts,
		lasted(c.CPUS))
	for _, e := range c.Events {
		line("event", "%s (%s): %s, seed %d, plan sha256:%s", e.Event, e.Purpose, screen.Plural(e.Games, "game"), e.Seed,
			e.PlanHash)
	}
	for _, x := range c.Rules {
		line("rules", "%s", x)
	}
	for _, command := range c.Commands {
		line("command", "%s", command)
	}
	again := "all games can be reproduced"
	if len(c.LeftOut) > 0 {
		var games int64
		var why []string
		for _, l := range c.LeftOut {
			games += l.Games
			why = append(why, fmt.Sprintf("%d because %s", l.Games, l.Why))
		}
		again = fmt.Sprintf("%d of %s cannot be reproduced: %s", games, screen.Plural(c.Games, "game"),
			strings.Join(why, "; "))
	}
	line("check with", "%s (%s)", c.Check, again)
	return b.String()
}
