package variants

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/openings"
	"spar/arena/study"
	"spar/tuning/target"
)

// rounds searches for variants that meet the targets, by successive halving. Every candidate plays some games of each
// tier against itself; the half nearest to the targets continues with twice the games, until only the finalists are
// left. All games of a candidate so far count. A candidate leaves at once if it surely misses a target, and the search
// ends if enough surely meet all: see early. The finalists must be measured again on fresh seeds, because their own
// games chose them.
//
// Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013, with games reused.
func (r *runner) rounds(out *Result) (left []Variant, err error) {
	left = r.eligible()
	out.Excluded = len(r.Variants) - len(left)
	cells := map[string]Cell{}
	for _, v := range r.Variants {
		cells[v.Label] = r.unplayed(v)
	}
	early, measures := r.early(len(left))
	for round, games := 1, r.Games; len(left) > 0; round, games = round+1, 2*games {
		parts := r.round(left, round, games, early)
		r.ahead = r.roundsAfter(left, round, games)
		counted, err := r.play(parts)
		if err != nil {
			return nil, err
		}
		info := Round{Round: round, Candidates: len(left), Games: 2 * pairs(games)}
		current := make([]Cell, len(left))
		met := 0 // surely
		for i, v := range left {
			r.o.Stage(fmt.Sprintf("round %d: measuring candidate %d of %d", round, i+1, len(left)))
			c, err := r.cell(v, func(e study.Event) bool {
				_, number, _ := strings.Cut(e.Name[strings.LastIndexByte(e.Name, '/')+1:], "-")
				n, _ := strconv.Atoi(number)
				return e.Purpose == campaign.PurposeRound && n <= round || e.Purpose == campaign.PurposeRoundLadder
			})
			if err != nil {
				return nil, err
			}
			current[i], cells[v.Label] = c, c
			if slices.ContainsFunc(parts, func(t *arena.Tournament) bool {
				return t.Purpose == campaign.PurposeRound && t.Labels[0] == v.Label && counted[t.Name].all == campaign.PartGames(t)
			}) {
				continue // not decided
			}
			if far(measures, c.ByTier, c.Numbers, v.Exact) > 0 {
				info.Missed = append(info.Missed, v.Label)
			} else if c.Far == 0 {
				met++
			}
		}
		keep := max(r.Best, min((len(left)+1)/2, len(left)-len(info.Missed)))
		if met >= r.Best {
			keep = r.Best
		}
		order := r.nearest(current, left, len(left))
		slices.SortStableFunc(order, func(a, b Variant) int {
			return one(slices.Contains(info.Missed, a.Label)) - one(slices.Contains(info.Missed, b.Label))
		})
		left = order[:min(keep, len(order))]
		for _, v := range left {
			info.Kept = append(info.Kept, v.Label)
		}
		if out.Rounds = append(out.Rounds, info); len(left) <= r.Best {
			if out.Rounds[0].Candidates > len(left) {
				out.Notes = append(out.Notes, "Candidates that were dropped early have few games and wide intervals.")
			}
			break
		}
	}
	for _, v := range r.Variants {
		out.Variants = append(out.Variants, cells[v.Label])
	}
	return left, nil
}

// early returns the condition under which the games of a candidate in a round stop early: each tier's confidence
// sequences lie on one side of all limits that targets set. The joint confidence of all candidates, rounds, tiers and
// sequences is 95 % (Bonferroni). The second result has the targets that such intervals decide; without any, no games
// stop early.
func (s *Sweep) early(candidates int) (*arena.EarlyStop, []target.Target) {
	e := &arena.EarlyStop{}
	var decides []target.Target
	for _, t := range s.Goal {
		was := len(e.Score) + len(e.Draws) + len(e.Ends)
		add := func(to *[]float64, limits ...float64) {
			for _, x := range limits {
				if x > 0 && x < 1 {
					*to = append(*to, x)
				}
			}
		}
		for _, x := range []float64{t.Lo, t.Hi} {
			switch t.Measure {
			case "score":
				add(&e.Score, x)
			case "fpa":
				add(&e.Score, 0.5-x, 0.5+x)
			case "elo":
				add(&e.Score, 1/(1+math.Pow(10, -x/400)))
			case "draws":
				add(&e.Draws, x)
			case "completion":
				add(&e.Ends, x)
			}
		}
		if len(e.Score)+len(e.Draws)+len(e.Ends) > was {
			decides = append(decides, t)
		}
	}
	if !s.Early || len(decides) == 0 {
		return nil, nil
	}
	slices.Sort(e.Score)
	family := len(s.Tiers) * candidates * len(s.halvings(candidates))
	e.Level = 1 - 0.05/float64(max(1, family*(min(1, len(e.Score))+min(1, len(e.Draws))+min(1, len(e.Ends)))))
	return e, decides
}

// halvings returns the numbers of candidates of the rounds, if none leaves early.
func (s *Sweep) halvings(candidates int) []int {
	out := []int{candidates}
	for n := candidates; max(s.Best, (n+1)/2) > s.Best; {
		n = max(s.Best, (n+1)/2)
		out = append(out, n)
	}
	return out
}

// round returns the games of one round.
func (s *Sweep) round(candidates []Variant, round, games int, early *arena.EarlyStop) []*arena.Tournament {
	var parts []*arena.Tournament
	for _, v := range candidates {
		games := append([]*arena.Tournament{
			s.self(v, fmt.Sprintf("round-%d", round), campaign.PurposeRound, games, s.tiers()[1:], roundPart+round),
		},
			s.slips(v, fmt.Sprintf("slips-%d", round), campaign.PurposeRound, games, roundPart+round)...)
		for i, t := range games {
			if least := max(20, t.Pairs/4); early != nil && least < t.Pairs {
				e := *early
				e.Least = least // other measures use the same games
				if i > 0 {      // these say how games go, the others who wins
					e.Score = nil
				} else if len(games) > 1 {
					e.Draws, e.Ends = nil, nil
				}
				t.Stop.EarlyStop = &e
			}
		}
		parts = append(parts, games...)
		if round == 1 && s.wantsDepth() {
			parts = append(parts, s.ladder(v, "round-ladder", campaign.PurposeRoundLadder, pairs(s.Ladder), s.tiers(), roundPart))
		}
	}
	return parts
}

// roundsAfter returns the number of games after a round, including the second measurement. The survivors are not
// known before a round ends, so it counts the games of the first candidates in the list.
func (r *runner) roundsAfter(candidates []Variant, round, games int) campaign.Load {
	var out campaign.Load
	for _, n := range r.halvings(len(candidates))[1:] {
		round, games = round+1, 2*games
		out = out.Plus(campaign.LoadOf(r.round(candidates[:n], round, games, nil)))
	}
	return out.Plus(campaign.LoadOf(r.freshParts(candidates[:min(r.Best, len(candidates))])))
}

// self returns, for a variant, the games of agents against themselves.
func (s *Sweep) self(v Variant, name, purpose string, games int, players []agents.Spec, seed int) *arena.Tournament {
	t := campaign.Part(v.Rules, name, purpose, "mirror", pairs(games), openings.Options{}, players)
	t.Seed = campaign.PartSeed(s.Seed, seed)
	return t
}

// slips returns, for a variant on a small board, games of the strongest tier against itself in which it errs.
func (s *Sweep) slips(v Variant, name, purpose string, games, seed int) []*arena.Tournament {
	top := s.tiers()[len(s.Tiers)]
	if top.Type != "minimax" {
		return nil
	}
	return []*arena.Tournament{s.self(v, name, purpose, games, []agents.Spec{agents.Erring(top)}, slipsPart+seed)}
}

// erring names the games of slips that show how games go; empty if there are none.
func (s *Sweep) erring() string {
	top := s.tiers()[len(s.Tiers)]
	if top.Type != "minimax" {
		return ""
	}
	return "Draws, ended games, length and mechanics are of games of " + top.Name + " with one random move in ten."
}

// ladder returns, for a variant, pairs of games of each player against the next one.
func (s *Sweep) ladder(v Variant, name, purpose string, pairs int, players []agents.Spec, seed int) *arena.Tournament {
	t := campaign.Part(v.Rules, name, purpose, "ladder", pairs, openings.Options{Plies: campaign.OpeningPlies}, players)
	t.Seed = campaign.PartSeed(s.Seed, seed)
	return t
}

// parts returns the tournaments of a variant in a grid or a sample: each tier against itself, and the ladder.
func (s *Sweep) parts(v Variant) []*arena.Tournament {
	out := append(s.slips(v, "slips", campaign.PurposeMirror, s.Games, 0),
		s.self(v, "mirror", campaign.PurposeMirror, s.Games, s.tiers(), 0))
	if s.Ladder > 0 {
		out = append(out, s.ladder(v, "ladder", campaign.PurposeLadder, pairs(s.Ladder), s.tiers(), 1))
	}
	return out
}

// freshParts returns the games for the second measurement.
func (s *Sweep) freshParts(best []Variant) []*arena.Tournament {
	var parts []*arena.Tournament
	for _, v := range best {
		parts = append(parts, s.self(v, "fresh", campaign.PurposeFresh, s.Fresh, s.tiers()[1:], freshPart))
		parts = append(parts, s.slips(v, "fresh-slips", campaign.PurposeFresh, s.Fresh, freshPart)...)
		if s.wantsDepth() {
			parts = append(parts,
				s.ladder(v, "fresh-ladder", campaign.PurposeFreshLadder, pairs(s.Ladder), s.tiers(), freshPart+1))
		}
	}
	return parts
}

// pairs returns the number of pairs that have at least the given number of games.
func pairs(games int) int { return max(1, (games+1)/2) }

// Planned returns the maximum numbers of games: first in the design, fresh in the second measurement of the best
// variants.
func (s *Sweep) Planned() (first, fresh int64) {
	all := s.Variants
	games := func(parts []*arena.Tournament) (n int64) {
		for _, t := range parts {
			n += campaign.PartGames(t)
		}
		return n
	}
	fresh = games(s.freshParts(all[:min(s.Best, len(all))]))
	if s.Design != Halving {
		for _, v := range all {
			first += games(s.parts(v))
		}
		return first, fresh
	}
	for i, n := range s.halvings(len(all)) {
		first += games(s.round(all[:n], i+1, s.Games<<i, nil))
	}
	return first, fresh
}
