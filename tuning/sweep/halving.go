package sweep

import (
	"fmt"
	"strings"

	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/openings"
	"spar/arena/study"
)

// halve is successive halving. Every candidate plays some games of each tier against itself; the half nearest to the
// targets continues with twice the games, until only the finalists are left. All games of a candidate so far count. The
// finalists must be measured again on fresh seeds, because their own games chose them.
//
// Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013, with games reused.
func (r *runner) halve(out *Result) ([]Variant, error) {
	candidates := r.eligible()
	cells := map[string]Cell{}
	for _, v := range r.Variants {
		cells[v.Label] = Cell{
			Rules: v.Label, Values: v.Values, Base: v.Base, Hash: v.Game.RulesHash(), Numbers: Numbers{},
			Solved: solved(r.exact[v.Label]),
		}
	}
	collect := func() {
		for _, v := range r.Variants {
			out.Variants = append(out.Variants, cells[v.Label])
		}
	}
	if out.Excluded = len(r.Variants) - len(candidates); len(candidates) == 0 {
		collect()
		return nil, nil
	}
	games := r.Games
	for round := 1; ; round++ {
		parts := r.round(candidates, round, games)
		r.ahead = r.roundsAfter(candidates, round, games)
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
				return e.Purpose == purposeRound && upTo[e.Name[strings.LastIndexByte(e.Name, '/')+1:]] ||
					e.Purpose == purposeRoundLadder
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
			collect()
			out.Notes = append(out.Notes, "Candidates that were dropped early have few games and wide intervals.")
			return kept, nil
		}
		candidates, games = kept, 2*games
	}
}

// round returns the games of one round.
func (r *runner) round(candidates []Variant, round, games int) []*arena.Tournament {
	var parts []*arena.Tournament
	for _, v := range candidates {
		t := campaign.Part(v.Rules, fmt.Sprintf("round-%d", round), purposeRound, "mirror", pairs(games), openings.Options{},
			r.agents())
		t.Seed = campaign.PartSeed(r.Seed, roundPart+round)
		parts = append(parts, t)
		if round == 1 && r.wantsDepth() {
			parts = append(parts, r.ladder(v, "round-ladder", purposeRoundLadder, roundPart))
		}
	}
	return parts
}

// roundsAfter returns the number of games after a round, including the second measurement. The survivors are not
// known before a round ends, so it counts the games of the first candidates in the list.
func (r *runner) roundsAfter(candidates []Variant, round, games int) campaign.Load {
	var out campaign.Load
	for n := len(candidates); ; {
		if n = min(n, max(r.Best, (n+1)/2)); n <= r.Best {
			return out.Plus(campaign.LoadOf(r.freshParts(candidates[:n])))
		}
		round, games = round+1, 2*games
		out = out.Plus(campaign.LoadOf(r.round(candidates[:n], round, games)))
	}
}
