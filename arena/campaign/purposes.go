package campaign

import (
	"strings"

	"spar/arena/study"
)

// The purposes of the events of balance studies and of sweeps.
const (
	PurposePlan      = "balance/plan"       // holds the Record; has no games
	PurposeMirror    = "balance/mirror"     // each tier against itself from the true start
	PurposeOpenings  = "balance/openings"   // the same from random openings
	PurposeLadder    = "balance/ladder"     // tier k+1 against tier k, in pairs from common openings
	PurposeFirstMove = "balance/first-move" // games that start with a forced first move
	// who wins under the rules: two kinds of search, from the true start and from forced openings
	PurposeInquiry = "balance/inquiry"
	PurposeRound   = "sweep/round" // in a search for rules: games by which variants are chosen
	// in a sweep or a search: the best variants, measured again with fresh seeds
	PurposeFresh = "sweep/fresh"
	// in a search with a target for depth: like PurposeRound, between neighbouring tiers
	PurposeRoundLadder = "sweep/round-ladder"
	PurposeFreshLadder = "sweep/fresh-ladder"
	// a tier against itself under rules that differ from those of the study in one knob
	PurposeKnob = "balance/knob"
)

// KnobEvent returns the name of an event in which an agent plays a variant, as part of the study of the base rules.
// Base and variant are labels.
func KnobEvent(base, agent, variant string) string { return base + stepOf + agent + "/" + variant }

// KnobVariant returns the label of the variant of an event, if the event belongs to the study of the base rules.
func KnobVariant(event, base string) (label string, ok bool) {
	if step, ok := strings.CutPrefix(event, base+stepOf); ok {
		_, label, ok = strings.Cut(step, "/")
		return label, ok
	}
	return strings.CutPrefix(event, base+knobOf)
}

// Texts between the two labels in the names of events: the first is used now and is followed by the name of the
// agent; the second is from studies of older versions.
const (
	stepOf = "/step/"
	knobOf = "/knob/"
)

// OfKnob reports whether an event was played to measure a knob of other rules. It looks only at the name, because
// imported events have nothing else.
func OfKnob(e study.Event) bool {
	return e.Purpose == PurposeKnob || e.Purpose == "imported" && (strings.Contains(e.Name, knobOf) ||
		strings.Contains(e.Name, stepOf))
}
