package record

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"spar/agents/pace"
	"spar/reports/screen"
	"spar/reports/table"
)

const shortHash = 12 // number of displayed digits of a hash

// Text writes the record for a terminal.
func (r *Record) Text(out io.Writer) error {
	fmt.Fprintf(out, "%s: %s of %s under %s; the agents thought for %s\n\n", r.DB, screen.Plural(r.Games, "game"),
		screen.Plural(len(r.Events), "event"), screen.Plural(len(r.Rules), "set")+" of rules", lasted(r.Spent))
	if len(r.Warnings) > 0 {
		for _, text := range r.Warnings {
			_ = screen.Paragraph(out, "note: "+text)
		}
		fmt.Fprintln(out)
	}
	t := table.To(out, []string{"purpose", "events", "games", "counted"}, 2, 3, 4)
	end := func() {
		t.Write()
		fmt.Fprintln(out)
	}
	for _, p := range r.Purposes {
		t.Add(p.Purpose, p.Events, p.Games, p.Counts)
	}
	end()
	t = table.To(out, []string{
		"event", "format", "games", "faults", "timed", "seed", "plan", "started", "end of the last run",
		"wall", "CPU",
	}, 3, 4, 5, 6, 10, 11)
	for _, e := range r.Events {
		t.Add(e.Event, e.Format, e.Games, e.Faults, e.Timed, e.Seed, e.PlanHash[:shortHash],
			minute(e.Started), minute(e.Ended), lasted(e.WallS), lasted(e.CPUS))
	}
	end()
	t = table.To(out, []string{"games", "of event", "version", "commit", "Go", "processor", "since", "command"}, 1)
	t.Columns[7].Kept = true
	for _, e := range r.Events {
		for _, b := range e.Builds {
			t.Add(b.Games, e.Event, b.Release, shortCommit(b.Commit), b.Go, b.CPU, minute(b.Since), b.Command)
		}
	}
	end()
	t = table.To(out, []string{
		"games", "machine", "system", "reassigned", "replayed", "differed then", "barred",
	}, 1, 4, 5, 6)
	for _, m := range r.Machines {
		t.Add(m.Games, cmp.Or(m.Worker, "local"), m.System, m.Late, m.Checked, m.Differed, m.Barred)
	}
	end()
	t = table.To(out, []string{"rules", "games", "hash"}, 2)
	for _, x := range r.Rules {
		t.Add(x.Rules, x.Games, x.Hash)
	}
	end()
	fmt.Fprintln(out, "agents with all knobs (--json also lists the weights):")
	for _, a := range r.Agents {
		hash := a.Hash
		if hash == "" {
			hash = "hash unknown: an older version of Spar wrote the study, or the games were imported"
		}
		if err := screen.Paragraph(out, fmt.Sprintf("%s under %s: %s; %s", a.Agent,
			cmp.Or(strings.Join(a.Rules, ", "), "no rules"), a.knobs(), hash)); err != nil {
			return err
		}
	}
	return nil
}

func (a *Agent) knobs() string {
	var words []string
	for _, k := range a.read.Knobs() {
		if hash, ok := k.Value.(string); ok && strings.HasSuffix(k.Path, ".hash") {
			k.Value = hash[:min(shortHash, len(hash))]
		}
		words = append(words, k.String())
	}
	return strings.Join(words, " ")
}

// minute shortens a time in UTC to minutes; "-" if it is unknown.
func minute(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return cmp.Or(text, "-")
	}
	return at.Format("2006-01-02 15:04")
}

func lasted(seconds float64) string {
	if seconds < 10 {
		return fmt.Sprintf("%.1fs", seconds)
	}
	return pace.Seconds(seconds).Round(time.Second).String()
}

// shortCommit shortens a commit hash.
func shortCommit(commit string) string {
	hash, rest, _ := strings.Cut(commit, "+")
	if len(hash) < 40 {
		return cmp.Or(commit, "unknown")
	}
	if rest != "" {
		rest = "+" + rest
	}
	return hash[:shortHash] + rest
}
