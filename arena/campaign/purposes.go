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
	// games of two kinds of search, from the true start and from forced openings, to find out who wins under the rules
	PurposeInquiry = "balance/inquiry"
	PurposeRound   = "sweep/round" // in a search for rules: games by which variants are chosen
	// games of a sweep or a search that measure the best variants again, with fresh seeds
	PurposeFresh = "sweep/fresh"
	// games like those of PurposeRound, but between neighbouring tiers, in a search with a target for depth
	PurposeRoundLadder = "sweep/round-ladder"
	PurposeFreshLadder = "sweep/fresh-ladder"
	// games of a tier against itself under rules that differ from those of the study in one knob, in studies of older
	// versions
	PurposeKnob = "balance/knob"
)

// PurposeRemedies is the purpose of an event that holds the result of a search for better rules.
const PurposeRemedies = "balance/remedies"

// Texts in the names of events of studies of older versions.
const (
	stepOf = "/step/"
	knobOf = "/knob/"
)

// OfKnob reports whether an event was played to measure the effect of a changed knob. For imported events, only the
// name shows this.
func OfKnob(e study.Event) bool {
	return e.Purpose == PurposeKnob || e.Purpose == "imported" && (strings.Contains(e.Name, knobOf) ||
		strings.Contains(e.Name, stepOf))
}
