package balance

import (
	"spar/ratings"
	"spar/reports/page"
)

// sums collects what one measure needs of the games of a group.
type sums interface {
	// Add adds a unit: one game, or the two games of a pair, which are not independent.
	Add(unit []*record)
	// Result computes the measure and stores it in the group. It stores nothing if these games cannot determine it.
	Result(m measurer, g *Group)
}

// measure is something that a report measures. All that belongs to it is in its file: what it sums, its limits, its
// sentences and its figures. A field that is nil has nothing to add.
type measure struct {
	sums     func(*groupData) sums     // what it sums over the games of each group
	lights   func(*Report) []Light     // its numbers, compared with the usual limits
	missing  func(*Report) []Missing   // what the games cannot determine
	answers  func(*view) []Answer      // answers to the questions of a designer
	flaws    func(*view) []flaw        // what may be the worst about the game
	pictures func(*view) []page.Figure // figures that the page always shows
	section  func(*view) page.Section  // section of the page; without a title if there is nothing to show
}

// measures lists the measures, in the order of the page. To remove one, delete its file, its line here and its field of
// Found; the compiler then names what else reads its numbers.
func measures() []measure {
	return []measure{
		outcomes(), waysToEnd(), lengths(), skill(), people(), mechanicsUsed(), drama(), choices(), openings(), firstMoves(),
		changes(), exampleGames(),
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
