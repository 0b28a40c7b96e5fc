package balance

import "spar/ratings"

// sums collects what one measure needs of the games of a group.
type sums interface {
	// Add adds a unit: one game, or the two games of a pair, which are not independent.
	Add(unit []*record)
	// Result computes the measure and stores it in the group. It stores nothing if these games cannot determine it.
	Result(m measurer, g *Group)
}

// measures lists what is summed over the games of each group. To remove a measure, delete its file, its line here and
// its field of Found.
func measures() []func(*groupData) sums {
	return []func(*groupData) sums{
		newOutcome, newLength, newChoice, newDrama, newVariety, newMechanics, newFirstMoves, newSamples,
	}
}

// Found holds what the measures found in a group of games.
type Found struct {
	Outcome Outcome  `json:"outcome"`
	Ends    Ends     `json:"ends"`
	Length  Length   `json:"length"`
	Course  *Course  `json:"course,omitempty"` // from position values
	Choice  *Choice  `json:"choice,omitempty"`
	Variety *Variety `json:"variety,omitempty"`
	Alive   []Use    `json:"alive"` // how often each mechanic of the rules was used
	// fraction of games that are not equal to an earlier one
	DistinctOf ratings.Estimate `json:"distinct_share"`
}
