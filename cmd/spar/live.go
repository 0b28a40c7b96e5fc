package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"spar/reports/standings"
)

// mostLive is the number of agents that the live view has room for.
const mostLive = 12

// liveTable is the view for a person at a terminal.
func liveTable(l *standings.Live) string {
	players := l.Players()
	if len(players) == 0 {
		return ""
	}
	var b strings.Builder
	t := newTable(&b, table.Row{"", "agent", "Elo", "95 %", "score", "games"}, 1, 3, 5, 6)
	for i, p := range players[:min(len(players), mostLive)] {
		total := p.Total()
		t.AppendRow(table.Row{i + 1, p.Name, signed(p.Elo), eloInterval(p.Elo, p.Interval), fmt.Sprintf("%.1f %%", 100*standings.Score(total)), total.Games()})
	}
	t.Render()
	if more := len(players) - mostLive; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	if test := l.Test(); test != "" {
		fmt.Fprintln(&b, test)
	}
	fmt.Fprintln(&b, l.Health())
	return b.String()
}

// liveSummary is the same in one line, for a file.
func liveSummary(l *standings.Live) string {
	out := l.Health()
	if players := l.Players(); len(players) > 0 {
		out = fmt.Sprintf("%s leads, Elo %s (%s); %s", players[0].Name, signed(players[0].Elo), eloInterval(players[0].Elo, players[0].Interval), out)
	}
	if test := l.Test(); test != "" {
		out = test + "; " + out
	}
	return out
}
