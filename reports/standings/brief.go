package standings

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"spar/reports/screen"
)

// Brief writes what a newcomer wants to know of the pools of a study: who is best, and one line of meaning for each game. The
// numbers behind it are those of Text.
func Brief(out io.Writer, pools []*Pool) error {
	if len(pools) == 0 {
		return nil
	}
	all := pools[len(pools)-1] // of all games, or of the only one
	ranks := all.Ranks()
	what := "this game only"
	if all.Rules == "" && len(pools) > 1 {
		what = fmt.Sprintf("these %d games only", len(pools)-1)
	}
	if len(ranks) > 0 {
		t := screen.NewTable(out, screen.Row{"rank", "agent", "points won", "games"}, 1, 3, 4)
		for _, r := range ranks {
			total := all.Row(r.Name).Total()
			share := "-"
			if total.Games() > 0 {
				share = fmt.Sprintf("%.0f %%", 100*Score(total))
			}
			t.AppendRow(screen.Row{span(r.Lo, r.Hi), screen.Cell(r.Name), share, total.Games()})
		}
		screen.Render(t)
		fmt.Fprintf(out, "Over %s. A range of ranks holds the true one with 95 %%; agents whose ranges overlap are not told apart.\n\n", what)
	}
	notes := 0
	for _, p := range pools {
		notes += len(p.Warnings())
		if p.Rules == "" {
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", screen.Cell(p.Title), p.meaning())
	}
	more := "The tests"
	if notes > 0 {
		more = screen.Plural(int64(notes), "note") + ", the tests"
	}
	_, err := fmt.Fprintf(out, "%s and the ratings in Elo: --details, or spar standings\n", more)
	return err
}

func span(lo, hi int) string {
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// meaning is who leads and what moving first is worth, in one line.
func (p *Pool) meaning() string {
	var parts []string
	if ranks := p.Ranks(); len(ranks) > 1 {
		var top []string
		for _, r := range ranks {
			if r.Lo == 1 {
				top = append(top, screen.Cell(r.Name))
			}
		}
		switch last := ranks[len(ranks)-1]; {
		case len(p.Fit.Groups) > 1:
			parts = append(parts, "some agents never met, so nobody leads")
		case len(top) == len(ranks):
			parts = append(parts, "too few games to tell the agents apart")
		case len(top) == 1:
			parts = append(parts, top[0]+" is the strongest")
		case len(top) > 4:
			parts = append(parts, fmt.Sprintf("%d agents share the lead", len(top)))
		case last.Lo == last.Hi:
			parts = append(parts, list(top)+" share the lead, "+screen.Cell(last.Name)+" is the weakest")
		default:
			parts = append(parts, list(top)+" share the lead")
		}
	}
	if len(p.Fit.Advantages) == 1 {
		if s, ok := p.ShareOf(p.Fit.Advantages[0].Stratum); ok {
			mean := ScoreShare(s)
			verdict := "whether moving first helps is open"
			switch {
			case mean.N == 0:
				verdict = ""
			case mean.Interval.Lo > 0.5:
				verdict = "moving first helps"
			case mean.Interval.Hi < 0.5:
				verdict = "moving second helps"
			case mean.Interval.Lo >= 0.45 && mean.Interval.Hi <= 0.55:
				verdict = "moving first hardly matters"
			}
			if verdict != "" {
				parts = append(parts, fmt.Sprintf("%s: the first player scores %.0f %% (%.0f to %.0f, %s)", verdict, 100*mean.Value, 100*mean.Interval.Lo, 100*mean.Interval.Hi,
					screen.Plural(mean.N, strings.TrimSuffix(mean.Unit, "s"))))
			}
		}
	}
	if len(parts) == 0 {
		return "no games that count"
	}
	return strings.Join(parts, "; ")
}

// list joins names as in a sentence.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	names = slices.Clone(names)
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " and " + names[n]
}
