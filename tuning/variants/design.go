package variants

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"spar/arena/campaign"
	"spar/configs/strict"
	"spar/engines/rules"
	"spar/tuning/learn"
)

// expand makes the variants of the plan, the base first. Combinations that Propose drops are skipped, or reported as
// mistakes.
func (s *Sweep) expand(doc *strict.Document) error {
	base, err := campaign.LoadRules(s.Rules, s.Set)
	if err != nil {
		doc.Refer("rules", "set", err)
		return doc.Err()
	}
	if s.combinations() > mostVariants && (s.Design == Grid || s.Design == Halving && s.Points == 0) {
		doc.Errorf("knobs", "the knobs have more than %d combinations; sample them with design: halton and points",
			mostVariants)
		return doc.Err()
	}
	own := Variant{Rules: base, Base: true}
	var vary []string
	for _, k := range s.Knobs {
		// empty for an exception for the second player that the base does not have
		text, _ := rules.KnobAt(base.Game.Rules(), k.Knob)
		own.Changes = append(own.Changes, Change{k.Knob, text})
		vary = append(vary, k.Knob)
	}
	var proposals [][]Change
	for _, at := range s.points() {
		changes := make([]Change, len(s.Knobs))
		for i, k := range s.Knobs {
			changes[i] = Change{k.Knob, k.Values[at[i]]}
		}
		proposals = append(proposals, changes)
	}
	kept, dropped := Propose(base, proposals, vary...)
	s.Variants = append([]Variant{own}, kept...)
	s.Skipped = dropped
	if s.Invalid == "refuse" {
		for _, d := range dropped {
			doc.Errorf("knobs", "invalid combination %s: %s", d.Rules, d.Reason)
		}
	}
	for i, k := range s.Knobs {
		why := ""
		for _, v := range s.Variants {
			r := v.Game.Rules()
			if why = r.IdleAt(k.Knob); why == "" && !v.Base {
				break
			}
		}
		if why != "" {
			doc.Errorf(fmt.Sprintf("knobs[%d]", i), "knobs[%d]: %s", i, rules.Idle{Path: k.Knob, Why: why})
		}
	}
	for _, v := range kept {
		if s.Learn > 0 && !learn.SameTables(base.Game, v.Game, s.learning()) {
			doc.Errorf("learn", "learn: %s and %s have different tables and cannot share an evaluation; vary knobs other than "+
				"board and lines, or leave learn out", v.Label, base.Label)
			break
		}
	}
	if len(kept) == 0 && doc.Err() == nil {
		reason := "all of them equal the unchanged rules"
		if len(dropped) > 0 {
			reason = fmt.Sprintf("%d with invalid rules (the first: %s), and the others equal the unchanged rules",
				len(dropped), dropped[0].Reason)
		}
		doc.Errorf("knobs", "no combination to play: %s", reason)
	}
	return doc.Err()
}

// points returns the distinct combinations of the design, as indices into the values of each knob.
func (s *Sweep) points() [][]int {
	if s.Design == Grid || s.Points == 0 || s.Points >= s.combinations() {
		return s.grid()
	}
	src := rand.NewPCG(uint64(s.Seed), 0x5eed)
	uniform := distmv.NewUnitUniform(len(s.Knobs), src)
	batch := mat.NewDense(s.Points, len(s.Knobs), nil)
	if s.Design == Latin {
		samplemv.LatinHypercube{Q: uniform, Src: src}.Sample(batch)
	} else {
		samplemv.Halton{Kind: samplemv.Owen, Q: uniform, Src: src}.Sample(batch)
	}
	var out [][]int
	seen := map[string]bool{}
	for row := range s.Points {
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
	var sizes []int
	for _, k := range s.Knobs {
		sizes = append(sizes, len(k.Values))
	}
	return combin.Cartesian(sizes)
}
