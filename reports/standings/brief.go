package standings

import (
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"spar/ratings"
	"spar/reports/screen"
	"spar/reports/table"
)

// Brief writes the pools of a study on one screen: a table of the agents over all games, a line for each game, the
// undecided questions, and advice on how to decide them. Pool.Text has the underlying numbers. The parameter study is
// the study's file.
func Brief(out io.Writer, pools []*Pool, study string) error {
	if len(pools) == 0 {
		return nil
	}
	all, games := Split(pools)
	if all != nil && len(all.Ranks()) > 0 {
		if err := all.Agents().Only("ranks", "agent", "rating", "points", "games", "forfeits").Text(out, 0); err != nil {
			return err
		}
		if all.wideRanks() {
			_ = screen.Paragraph(out, "Ranks hold for all agents at once, so they are less certain than each interval of Elo.")
		}
		fmt.Fprintln(out, strings.TrimPrefix(all.Scope(len(games))+"\n", "\n"))
	}
	if len(games) > 0 {
		_ = table.Rows(games, func(p *Pool) []any {
			return []any{
				"game", p.Title, "strongest", p.Leaders(), "first player", p.First[p.Rules], "moving first", p.MovingFirst(),
			}
		}).Text(out, 0)
	}
	if open := Undecided(games); len(open) > 0 {
		fmt.Fprintln(out, "\nUndecided:")
		for _, text := range open {
			text, command, _ := strings.Cut(text, "\n")
			if err := screen.Paragraph(out, "- "+text); err != nil {
				return err
			}
			if command != "" {
				fmt.Fprintln(out, "  "+command) // whole, so that it can be copied
			}
		}
	}
	for _, text := range pools[0].Busy {
		if err := screen.Paragraph(out, "note: "+text); err != nil {
			return err
		}
	}
	notes := 0
	for _, p := range pools {
		notes += len(p.Warnings())
	}
	more := "Details"
	if notes > 0 {
		more += " and " + screen.Plural(notes, "note")
	}
	_, err := fmt.Fprintf(out, "%s: spar standings %s --details\n", more, study)
	return err
}

// Split divides pools, at least one, into the pool of all games together and the pools of single games. The first
// result is nil if there are several games and no pool over all of them. The pool of a single game is in both results.
func Split(pools []*Pool) (all *Pool, games []*Pool) {
	switch all = pools[len(pools)-1]; {
	case all.Rules == "":
		return all, pools[:len(pools)-1]
	case len(pools) > 1:
		return nil, pools
	}
	return all, pools
}

// Scope returns a sentence about the games for which the ratings hold. It is empty for a single game.
func (p *Pool) Scope(games int) string {
	switch {
	case p.Rules != "" || games == 0:
		return ""
	case p.Interactions.Game.P < 0.05:
		return fmt.Sprintf("These ratings hold for these %d games only: the agents' strengths differ between games.", games)
	}
	return fmt.Sprintf("These ratings hold for these %d games only.", games)
}

// wideRanks reports whether the ranks of two agents overlap although the intervals of their ratings do not.
func (p *Pool) wideRanks() bool {
	agents := p.Standings()
	for i, a := range agents {
		for _, b := range agents[i+1:] {
			if a.Elo.Lo > b.Elo.Hi && a.rank.Hi >= b.rank.Lo {
				return true
			}
		}
	}
	return false
}

func span(lo, hi int) string {
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// top returns the agents that can be the strongest according to their rank intervals.
func (p *Pool) top() []string {
	var names []string
	for _, r := range p.Ranks() {
		if r.Lo == 1 {
			names = append(names, r.Name)
		}
	}
	return names
}

// mostNamed is the maximum number of names in a list.
const mostNamed = 3

// Leaders names the strongest agent, or the agents among which the strongest is undecided.
func (p *Pool) Leaders() string {
	top, all := p.top(), len(p.Ranks())
	switch {
	case p.Table.Games() == 0 && p.mirrored > 0:
		return "agents played only themselves"
	case p.Table.Games() == 0:
		return "no games to rate"
	case len(p.Fit.Groups) > 1:
		return "not comparable"
	case len(top) == all && all > 1:
		return "undecided"
	case len(top) > mostNamed:
		return fmt.Sprintf("undecided between %d agents", len(top))
	}
	for i := range top {
		top[i] = screen.Cell(top[i])
	}
	return list(top, "or")
}

// hardly is the maximum distance of the first player's score from 1/2 at which moving first hardly matters.
const hardly = 0.05

// FirstMove says in words whether moving first helps. It is empty without games.
func (p *Pool) FirstMove() string {
	mean := p.First[p.Rules]
	if !mean.Known() {
		return ""
	}
	switch lo, hi := mean.Interval.Lo, mean.Interval.Hi; {
	case lo >= 0.5-hardly && hi <= 0.5+hardly:
		return "hardly matters"
	case lo > 0.5:
		return "helps"
	case hi < 0.5:
		return "hurts"
	}
	return "undecided"
}

// required half-width of the interval, as a fraction of the difference, for a power of 80 % at a level of 5 %
const (
	settledAt   = 1.96 / (1.96 + 0.84)
	mostEffort  = 20 // maximum factor for the number of games; if more are needed, the difference is called small
	enoughShare = 0.5
)

// MovingFirst returns the text of FirstMove. If the advantage differs between agents, it adds that the text holds for
// these agents only.
func (p *Pool) MovingFirst() string {
	what := p.FirstMove()
	if p.Interactions.Seat.P < 0.05 && (what == "helps" || what == "hurts") {
		what += " these agents"
	}
	return what
}

// effort returns the approximate factor by which the pool's games must be multiplied to separate the first two of
// its candidates for the strongest; infinite if the difference is too small. It also returns the largest Elo difference
// between candidates that is compatible with the games.
func (p *Pool) effort() (times, most float64) {
	times = math.Inf(1)
	top := p.top()
	for j, b := range top {
		for i, a := range top[:j] {
			h, err := p.Fit.HeadToHead(a, b)
			if err != nil || !h.Comparable || h.Elo.Interval.Open() != "" {
				most = math.Inf(1)
				continue
			}
			if most = max(most, h.Elo.Interval.Hi, -h.Elo.Interval.Lo); i+j == 1 {
				times = needed(h.Elo, 0)
			}
		}
	}
	return times, most
}

// needed returns the approximate factor by which the games must be multiplied to tell a value from another.
func needed(e ratings.Estimate, from float64) float64 {
	ratio := (e.Interval.Hi - e.Interval.Lo) / 2 / (settledAt * math.Abs(e.Value-from))
	return max(ratio*ratio, 1)
}

// commanded is how a study's only tournament was played.
type commanded struct {
	command string
	pairs   int
}

// larger returns the command that plays so many times as many pairs into a new study; empty if none is recorded.
func (c commanded) larger(times float64) string {
	old := regexp.MustCompile(` --(pairs|db|limit|set[ =]'?(pairs|database)=)[ =]?('[^']*'|\S+)`)
	for command, flag := range map[string]string{"spar match ": "--pairs ", "spar run ": "--set pairs="} {
		if strings.HasPrefix(c.command, command) {
			return fmt.Sprintf("%s %s%.0f --db NEW.db", old.ReplaceAllString(c.command, ""), flag,
				float64(c.pairs)*math.Ceil(times))
		}
	}
	return ""
}

// Undecided lists the questions that the games leave undecided, each with advice. A command in the advice is on a
// line of its own.
func Undecided(games []*Pool) (out []string) {
	var more, alike, first, apart, repeats, mirrors []string
	least := math.Inf(1)
	most := 1.0
	widest := 0.0
	factor := 2.0
	loose := map[string][]string{} // games by the agents that have no bound there
	for _, p := range games {
		title := screen.Cell(p.Title)
		if p.Table.Games() == 0 {
			if p.mirrored > 0 {
				mirrors = append(mirrors, title)
			}
			continue
		}
		if len(p.Fit.Groups) > 1 {
			apart = append(apart, title)
		} else if len(p.top()) > 1 {
			if times, elo := p.effort(); times <= mostEffort {
				more = append(more, title)
				least = min(least, times)
				most = max(most, times)
				factor = max(factor, times)
			} else {
				alike = append(alike, title)
				widest = max(widest, elo)
			}
		}
		if p.FirstMove() == "undecided" {
			first = append(first, title)
			factor = max(factor, min(needed(p.First[p.Rules], 0.5), mostEffort))
		}
		var open []string
		for _, a := range p.Fit.Players {
			if len(p.Fit.Groups) == 1 && a.Elo.Open() != "" {
				open = append(open, screen.Cell(a.Name))
			}
		}
		if slices.Sort(open); len(open) > 0 {
			loose[some(open)] = append(loose[some(open)], title)
		}
		if p.Distinct > 0 && float64(p.Distinct) < enoughShare*float64(p.Played) {
			repeats = append(repeats, title)
		}
	}
	if len(more) > 0 {
		out = append(out, fmt.Sprintf("The strongest agent in %s: about %s times as many games would probably settle this.",
			some(more), factors(least, most)))
	}
	if len(alike) > 0 {
		bound := "the games give no upper bound for the differences between the candidates."
		if !math.IsInf(widest, 0) {
			bound = fmt.Sprintf("the candidates differ by at most %.0f Elo (95 %%).", widest)
		}
		out = append(out, fmt.Sprintf("The strongest agent in %s: %s", some(alike), bound))
	}
	if len(first) > 0 {
		out = append(out, fmt.Sprintf("Whether moving first helps in %s.", some(first)))
	}
	if len(out) > 0 {
		advice := "To decide more, play more pairs in a new study."
		if command := games[0].played.larger(factor); command != "" {
			advice = "To decide more:\n" + command
		}
		out = append(out, advice)
	}
	for _, who := range slices.Sorted(maps.Keys(loose)) {
		out = append(out,
			fmt.Sprintf("No bound for the Elo of %s in %s: add agents of similar strength.", who, some(loose[who])))
	}
	if len(mirrors) > 0 {
		out = append(out, fmt.Sprintf("The stronger agent in %s: agents played only themselves. To see which player the "+
			"rules favour: spar report STUDY.db",
			some(mirrors)))
	}
	if len(apart) > 0 {
		out = append(out, fmt.Sprintf("The order in %s: some agents neither met nor have an opponent in common, directly or "+
			"through others. Let them play each other.", some(apart)))
	}
	if len(repeats) > 0 {
		out = append(out, fmt.Sprintf("Most games of %s repeat other games: use more random opening moves (openings.plies).",
			some(repeats)))
	}
	return out
}

// factors formats a range of factors.
func factors(lo, hi float64) string {
	lo, hi = math.Ceil(lo), math.Ceil(hi)
	if lo == hi {
		return fmt.Sprintf("%.0f", lo)
	}
	return fmt.Sprintf("%.0f to %.0f", lo, hi)
}

// some joins names as in a sentence, but names only a few.
func some(names []string) string {
	if len(names) > mostNamed+1 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:mostNamed], ", "), len(names)-mostNamed)
	}
	return list(names, "and")
}

// list joins names as in a sentence.
func list(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}
