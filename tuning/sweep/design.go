package sweep

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/openings"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
	"spar/tuning/learn"
)

// Variant is one combination of values.
type Variant struct {
	campaign.Rules
	Values []string // values of the knobs, in the order of the plan
	Base   bool     // the variant is the base: the rules with no change except Plan.Set
}

// Skipped is a combination that makes invalid rules.
type Skipped struct {
	Rules  string `json:"rules"`
	Reason string `json:"reason"`
}

// expand makes the variants. Combinations that make invalid rules are skipped, or reported as mistakes.
func (s *Sweep) expand(doc *strict.Document) error {
	base, err := campaign.LoadRules(s.Rules, s.Set)
	if err != nil {
		doc.Refer("rules", "set", err)
		return doc.Err()
	}
	if s.tooMany() {
		doc.Errorf("knobs", "the knobs have more than %d combinations: sample them with design: halton and points",
			mostVariants)
		return doc.Err()
	}
	own := s.baseValues(base.Game)
	s.Variants = append(s.Variants, Variant{Rules: base, Values: own, Base: true})
	seen := map[string]bool{base.Game.RulesHash(): true}
	// of each knob: whether it has an effect in some combination, or why not
	acts, why := make([]bool, len(s.Knobs)), make([]string, len(s.Knobs))
	for _, at := range s.points() {
		set := maps.Clone(s.Set)
		if set == nil {
			set = map[string]any{}
		}
		values := make([]string, len(s.Knobs))
		for i, k := range s.Knobs {
			v := k.Values[at[i]]
			set[k.Knob], values[i] = v, rules.KnobText(v)
		}
		r, err := campaign.LoadRules(s.Rules, set)
		if err != nil {
			name := strings.Join(rules.Overrides(set), ", ")
			reason := shortReason(err)
			if s.Invalid == "refuse" {
				doc.Errorf("knobs", "invalid combination %s: %s", name, reason)
				continue
			}
			s.Skipped = append(s.Skipped, Skipped{Rules: name, Reason: reason})
			continue
		}
		rules := r.Game.Rules()
		for i, k := range s.Knobs {
			if !acts[i] {
				why[i] = rules.IdleAt(k.Knob)
				acts[i] = why[i] == ""
			}
		}
		if hash := r.Game.RulesHash(); !seen[hash] {
			seen[hash] = true
			s.Variants = append(s.Variants, Variant{Rules: r, Values: values})
		}
	}
	for i, k := range s.Knobs {
		if !acts[i] && why[i] != "" {
			doc.Errorf(fmt.Sprintf("knobs[%d]", i), "knobs[%d]: %s", i, rules.Idle{Path: k.Knob, Why: why[i]})
		}
	}
	for _, v := range s.Variants {
		if s.Learn == 0 {
			break
		}
		if !learn.SameTables(s.Variants[0].Game, v.Game, s.learning()) {
			doc.Errorf("learn", "learn: %s and %s have different tables and cannot share an evaluation: vary other knobs than "+
				"board and lines, or leave learn out", v.Label, s.Variants[0].Label)
			break
		}
	}
	if len(s.Variants) < 2 && doc.Err() == nil {
		reason := "all values equal those of the rules"
		if len(s.Skipped) > 0 {
			reason = fmt.Sprintf("%d make invalid rules (the first: %s), and the others are the rules without changes",
				len(s.Skipped), s.Skipped[0].Reason)
		}
		doc.Errorf("knobs", "no combination to play: %s", reason)
	}
	return doc.Err()
}

// tooMany reports whether the design plays all combinations and they are more than mostVariants.
func (s *Sweep) tooMany() bool {
	return s.combinations() > mostVariants && (s.Design == Grid || s.Design == Halving && s.Points == 0)
}

// shortReason returns the first mistake of an error, without its line number.
func shortReason(err error) string {
	var bad strict.Errors
	if errors.As(err, &bad) && len(bad) > 0 {
		return bad[0].Message
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// points returns the distinct combinations of the design, as indices into the values of each knob.
func (s *Sweep) points() [][]int {
	all := s.combinations()
	design, points := s.Design, s.Points
	if design == Halving {
		if points == 0 || points >= all {
			design = Grid
		} else {
			design = Halton
		}
	}
	if design == Grid || points >= all {
		return s.grid()
	}
	src := rand.NewPCG(uint64(s.Seed), 0x5eed)
	uniform := distmv.NewUnitUniform(len(s.Knobs), src)
	batch := mat.NewDense(points, len(s.Knobs), nil)
	if design == Latin {
		samplemv.LatinHypercube{Q: uniform, Src: src}.Sample(batch)
	} else {
		samplemv.Halton{Kind: samplemv.Owen, Q: uniform, Src: src}.Sample(batch)
	}
	var out [][]int
	seen := map[string]bool{}
	for row := range points {
		at := make([]int, len(s.Knobs))
		for i, k := range s.Knobs {
			at[i] = min(int(batch.At(row, i)*float64(len(k.Values))), len(k.Values)-1)
		}
		if key := fmt.Sprint(at); !seen[key] {
			seen[key] = true
			out = append(out, at)
		}
	}
	return out
}

// grid is all combinations; the last knob varies fastest.
func (s *Sweep) grid() [][]int {
	out := [][]int{nil}
	for _, k := range s.Knobs {
		var next [][]int
		for _, at := range out {
			for v := range k.Values {
				next = append(next, append(slices.Clone(at), v))
			}
		}
		out = next
	}
	return out
}

// parts returns the tournaments of a variant in a grid or a sample: each tier against itself, and the ladder.
func (s *Sweep) parts(v Variant) []*arena.Tournament {
	out := []*arena.Tournament{campaign.Part(v.Rules, "mirror", purposeMirror, "mirror", pairs(s.Games), openings.Options{},
		s.tiers())}
	if s.Ladder > 0 {
		out = append(out, s.ladder(v, "ladder", purposeLadder, 1))
	}
	for i, t := range out {
		t.Seed = campaign.PartSeed(s.Seed, i)
	}
	return out
}

// pairs returns the number of pairs that have at least the given number of games.
func pairs(games int) int { return max(1, (games+1)/2) }

// baseValues returns the values of the knobs in the base. The value is empty if the knob is part of an exception
// for the second player that the base does not have.
func (s *Sweep) baseValues(g *engines.Game) []string {
	out := make([]string, len(s.Knobs))
	for i, k := range s.Knobs {
		out[i], _ = rules.KnobAt(g.Rules(), k.Knob)
	}
	return out
}
