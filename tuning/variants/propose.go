package variants

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"spar/arena/campaign"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
)

// Change is a new value of a knob.
type Change struct {
	Path  string
	Value any
}

// Text writes the value as an override does.
func (c Change) Text() string { return rules.KnobText(c.Value) }

// Variant is the base with some knobs changed.
type Variant struct {
	campaign.Rules
	Changes []Change        // for the base of a sweep, its own values of the knobs that vary
	Base    bool            // the variant is the base
	Exact   *campaign.Exact // nil if unknown; see Solve
}

// values returns the values of the changed knobs.
func (v *Variant) values() []string {
	var out []string
	for _, c := range v.Changes {
		out = append(out, c.Text())
	}
	return out
}

// Skipped is a proposal that is not played.
type Skipped struct {
	Rules  string `json:"rules"`
	Reason string `json:"reason"`
}

// Propose makes variants of the base, in the order of the proposals. It drops invalid rules, those that break the
// game (see broken), and, without listing them, those that equal the base or an earlier variant. The user chose the
// knobs in vary, so a variant is kept even if it makes one of these knobs ineffective.
func Propose(base campaign.Rules, proposals [][]Change, vary ...string) (kept []Variant, dropped []Skipped) {
	seen := map[string]bool{base.Game.RulesHash(): true}
	notes := explain.Game(base.Game).Notes
	for _, changes := range proposals {
		set := map[string]any{}
		for path, v := range base.Ref.Set {
			set[path] = v
		}
		for _, c := range changes {
			set[c.Path] = c.Value
		}
		r, err := campaign.LoadRules(base.Ref.Rules, set)
		v, why := Variant{Rules: r, Changes: changes}, ""
		if err != nil {
			why = firstMistake(err)
		} else if seen[r.Game.RulesHash()] {
			continue
		} else {
			seen[r.Game.RulesHash()] = true
			why = broken(notes, v, vary)
		}
		if why == "" {
			kept = append(kept, v)
		} else {
			dropped = append(dropped, Skipped{strings.Join(rules.Overrides(set), ", "), why})
		}
	}
	return kept, dropped
}

// broken returns what a variant breaks in the base, which has the given notes: nobody or only one side can win, or a
// goal or mechanic loses its effect. Limits that a game no longer reaches are no loss.
func broken(base []explain.Note, v Variant, vary []string) string {
	for _, n := range explain.Game(v.Game).Notes {
		if slices.ContainsFunc(base, func(b explain.Note) bool {
			return b.Kind == n.Kind && b.Path == n.Path
		}) {
			continue
		}
		switch n.Kind {
		case explain.NobodyWins, explain.OneSide:
			return n.Text
		case explain.Unreachable, explain.NoEffect:
			if !slices.Contains(vary, n.Path) && !strings.HasPrefix(n.Path, "draw.") {
				return n.Path + " loses its effect: " + n.Text
			}
		}
	}
	return ""
}

// firstMistake returns the first mistake of an error, without its line number.
func firstMistake(err error) string {
	var bad strict.Errors
	if errors.As(err, &bad) && len(bad) > 0 {
		return bad[0].Message
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// Solve finds exact values in place, for variants whose table fits into memory (bytes) or that a proof of at most the
// given positions decides. These limits make the result the same on every machine. If ctx ends, the
// remaining values stay unknown.
func Solve(ctx context.Context, vs []Variant, memory int64, positions uint64, workers int, stage func(string)) error {
	for i := range vs {
		stage(fmt.Sprintf("solving variant %d of %d", i+1, len(vs)))
		var err error
		if vs[i].Exact, err = campaign.ExactOf(ctx, vs[i].Game, memory, positions, workers); err != nil {
			return err
		}
	}
	return nil
}

// WriteRules writes rules as a rules file, after some comments.
func WriteRules(w io.Writer, r engines.Rules, comments ...string) error {
	text, err := yaml.Dump(r)
	if err != nil {
		return fmt.Errorf("rules %s: %w", r.Name, err)
	}
	for _, c := range comments {
		for line := range strings.SplitSeq(c, "\n") {
			if _, err := fmt.Fprintln(w, strings.TrimRight("# "+line, " ")); err != nil {
				return err
			}
		}
	}
	_, err = fmt.Fprintf(w, "%s\n", strings.TrimRight(string(text), "\n"))
	return err
}
