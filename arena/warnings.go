package arena

import (
	"fmt"
	"strings"

	"spar/arena/openings"
	"spar/configs/plain"
)

// Warnings returns the reasons, known before the first game, why the results will carry less evidence than the number
// of games suggests.
func (t *Tournament) Warnings() []string {
	return append(t.idle(), t.alike()...)
}

// idle returns notes on knobs of the plan or of agent files that have no effect under the rules. Knobs of an agent with
// the same reason share a note.
func (t *Tournament) idle() []string {
	var out []string
	for k, ref := range t.Games {
		if k >= len(t.Rules) {
			break
		}
		r := t.Rules[k].Rules()
		for _, i := range r.IdleSet() {
			if _, set := ref.Set[i.Path]; set {
				out = append(out, fmt.Sprintf("%s: %s", t.Labels[k], i))
			}
		}
	}
	for _, s := range t.Players {
		s.Budget = s.Budget.Or(t.Budget)
		type line struct{ where, reason string }
		var lines []line
		paths := map[line][]string{}
		for _, path := range s.Chosen {
			var where []string
			reason := ""
			for k, g := range t.Rules {
				if why := s.IdleAt(path, g); why != "" {
					where, reason = append(where, t.Labels[k]), why
				}
			}
			if len(where) == 0 {
				continue
			}
			l := line{strings.Join(where, ", "), reason}
			if paths[l] == nil {
				lines = append(lines, l)
			}
			paths[l] = append(paths[l], path)
		}
		for _, l := range lines {
			have := plain.If(len(paths[l]) > 1, "have", "has")
			out = append(out, fmt.Sprintf("%s: %s %s no effect under %s: %s", s.Name, strings.Join(paths[l], ", "), have,
				l.where, l.reason))
		}
	}
	return out
}

// alike returns notes about deterministic agents that have too few openings.
func (t *Tournament) alike() []string {
	var certain []string
	for _, p := range t.Players {
		if p.Deterministic() {
			certain = append(certain, p.Name)
		}
	}
	if len(certain) < 2 {
		return nil
	}
	who := strings.Join(certain, ", ")
	if more := len(certain) - 4; more > 0 {
		who = fmt.Sprintf("%s and %d more", strings.Join(certain[:4], ", "), more)
	}
	var out []string
	for i, g := range t.Rules {
		wanted := int64(min(t.Pairs, 1000))
		distinct := openings.NewBook(g, t.Openings, t.Seed+int64(i)).Distinct(wanted)
		if distinct < wanted {
			out = append(out, fmt.Sprintf("%s: %s play without randomness, and %d pairs have only %d %s. Two "+
				"of these agents play at most %d different games, and identical games count only once",
				t.Labels[i], who, t.Pairs, distinct, plain.If(distinct == 1, "opening", "different openings"), 2*distinct))
		}
	}
	return out
}
