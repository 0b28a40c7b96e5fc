package sweep

import (
	"fmt"
	"slices"
	"strings"

	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/study"
)

// halve is successive halving: every candidate plays some games of each tier against itself; the half nearest to the targets
// goes on, with twice the games, until as few are left as finalists are wanted. A candidate is judged by all its games so far. The
// finalists' own games chose them, so that they have to be measured again on fresh seeds before anything is said about them.
//
// Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013, with games reused.
func (r *runner) halve(out *Result) ([]Variant, error) {
	candidates := slices.Clone(r.Variants)
	cells := map[string]Cell{}
	games := r.Games
	for round := 1; ; round++ {
		var parts []*arena.Tournament
		for _, v := range candidates {
			t := campaign.Part(v.Rules, fmt.Sprintf("round-%d", round), purposeRound, "mirror", pairs(games), arena.Openings{}, r.agents())
			t.Seed = campaign.PartSeed(r.Seed, roundPart+round)
			parts = append(parts, t)
			if round == 1 && r.wantsDepth() {
				parts = append(parts, r.ladder(v, "round-ladder", purposeRoundLadder, roundPart))
			}
		}
		if err := r.play(parts); err != nil {
			return nil, err
		}
		upTo := map[string]bool{}
		for i := 1; i <= round; i++ {
			upTo[fmt.Sprintf("round-%d", i)] = true
		}
		current := make([]Cell, len(candidates))
		for i, v := range candidates {
			r.o.Stage(fmt.Sprintf("round %d: measuring candidate %d of %d", round, i+1, len(candidates)))
			c, err := r.cell(v, func(e study.Event) bool {
				return e.Purpose == purposeRound && upTo[e.Name[strings.LastIndexByte(e.Name, '/')+1:]] || e.Purpose == purposeRoundLadder
			})
			if err != nil {
				return nil, err
			}
			current[i], cells[v.Label] = c, c
		}
		keep := max(r.Best, (len(candidates)+1)/2)
		kept := r.nearest(current, candidates, min(keep, len(candidates)))
		info := Round{Round: round, Candidates: len(candidates), Games: 2 * pairs(games)}
		for _, v := range kept {
			info.Kept = append(info.Kept, v.Label)
		}
		out.Rounds = append(out.Rounds, info)
		if len(kept) <= r.Best {
			for _, v := range r.Variants {
				out.Variants = append(out.Variants, cells[v.Label])
			}
			out.Notes = append(out.Notes, "candidates that went out early rest on few games: their intervals are wide")
			return kept, nil
		}
		candidates, games = kept, 2*games
	}
}
