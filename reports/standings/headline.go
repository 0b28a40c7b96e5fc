package standings

import (
	"fmt"
	"strings"

	"spar/configs/plain"
	"spar/reports/screen"
)

// Headline answers the questions of a tournament in two sentences: which agent is the strongest over all games, and in
// how many of the games moving first helps.
func Headline(all *Pool, games []*Pool) string {
	return strings.TrimSpace(all.strongest(len(games)) + " " + moving(games))
}

func (p *Pool) strongest(games int) string {
	over := fmt.Sprintf("over these %d games", games)
	if games < 2 {
		over = "in " + screen.Cell(p.Title)
	}
	top, who := p.top(), p.Leaders()
	switch {
	case p.Table.Games() == 0:
		return plain.Capital(who) + "."
	case len(p.Fit.Groups) > 1:
		return "Which agent is strongest is unknown: some agents neither met nor have an opponent in common, directly or " +
			"through others."
	case len(top) == 1:
		return fmt.Sprintf("%s is strongest %s: %s.", who, over, p.Row(top[0]).Elo.Words())
	case strings.HasPrefix(who, "undecided"):
		return fmt.Sprintf("Which agent is strongest %s is %s.", over, who)
	}
	return fmt.Sprintf("Which agent is strongest %s is undecided: %s.", over, who)
}

func moving(games []*Pool) string {
	in := map[string]int{}
	for _, p := range games {
		in[p.FirstMove()]++
	}
	var parts []string
	for _, what := range []string{"helps", "hurts", "hardly matters"} {
		switch n := in[what]; {
		case n == 0:
		case len(games) == 1:
			parts = append(parts, what)
		case len(parts) == 0:
			parts = append(parts, fmt.Sprintf("%s in %d of them", what, n))
		default:
			parts = append(parts, fmt.Sprintf("%s in %d", what, n))
		}
	}
	switch {
	case len(parts) > 0:
		return "Moving first " + list(parts, "and") + "."
	case in["undecided"] > 0:
		return "Whether moving first helps is undecided."
	}
	return ""
}
