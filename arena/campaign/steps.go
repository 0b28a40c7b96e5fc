package campaign

import (
	"spar/agents"
	"spar/arena"
	"spar/arena/openings"
)

// mostSteps is the maximum number of changed rules that a study tries.
const mostSteps = 8

// stepPart is the part number of the first changed rules, from which their seed is derived.
const stepPart = 500

// stepParts returns the matches of the strongest tier against itself under changed rules. It returns none if the
// evaluation is learned, because that is valid only for the study's own rules.
func (c *Campaign) stepParts(steps []Rules) []*arena.Tournament {
	if c.Record.Sizes.Knob == 0 || c.valued.learned() {
		return nil
	}
	budgets, pairs := c.Record.Budgets, pairsOf(c.Record.Sizes.Knob)
	tier := c.Record.Request.family().tier(budgets[len(budgets)-1])
	var out []*arena.Tournament
	for i, s := range steps[:min(len(steps), mostSteps)] {
		t := c.partOf(s, "", PurposeKnob, "mirror", pairs, openings.Options{}, []agents.Spec{tier})
		t.Name, t.Seed = KnobEvent(c.Rules.Label, tier.Name, s.Label), PartSeed(c.Record.Request.Seed, stepPart+i)
		if c.Record.Sequential {
			t.Stop.EarlyStop = c.clear(pairs, mirrorLimits())
		}
		if c.Record.Family {
			t.Stop.EarlyStop.Level = 1 - 0.05/mostSteps
		}
		out = append(out, t)
	}
	return out
}

// stepsAhead returns the maximum number of games under changed rules. Which are played depends on the problems that
// the first games show.
func (c *Campaign) stepsAhead() Load {
	parts := c.stepParts([]Rules{c.Rules})
	if len(parts) == 0 {
		return Load{}
	}
	one := LoadOf(parts)
	return Load{mostSteps * one.Games, mostSteps * one.Work}
}
