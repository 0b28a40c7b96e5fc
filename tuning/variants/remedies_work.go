package variants

import (
	"fmt"
	"math"

	"spar/arena/campaign"
	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
	"spar/tuning/target"
)

// simTime returns the time of a simulation in seconds, roughly, and the same on every machine.
func simTime(g *engines.Game) float64 {
	if campaign.Small(g) {
		return nodesPer * 0.4e-6
	}
	t := 50e-9 * float64(g.Cells())
	if g.Mechanics().Has(rules.Kinds) {
		t *= 6
	}
	r := g.Rules()
	if r.Win.Line > 0 && !r.Placement.Gravity { // a large board has many moves, each with its lines
		t *= math.Max(1, float64(g.Cells())/27)
	}
	if g.Mechanics().Any(rules.AnyAges()) {
		t *= 2.5
	}
	return t
}

// targets returns the band of the score, and the other targets.
func (a Remedies) targets() (band target.Target, goals []target.Target, err error) {
	band = fairBand
	stated := false
	for _, text := range a.Targets {
		t, err := target.Parse(text)
		if err != nil {
			return band, nil, err
		}
		switch t.Measure {
		case "fpa":
			t.Lo, t.Hi = 0.5-t.Hi, 0.5+t.Hi
			fallthrough
		case "score":
			if stated {
				t.Lo, t.Hi, t.Text = math.Max(t.Lo, band.Lo), math.Min(t.Hi, band.Hi), band.Text+" and "+t.Text
			}
			if band, stated = t, true; t.Lo > t.Hi {
				return band, nil, fmt.Errorf("no game meets both %s", t.Text)
			}
		case "draws", "completion", "alive", "length":
			goals = append(goals, t)
		default:
			return band, nil, fmt.Errorf("%q: Spar does not judge remedies by %s; use score, fpa, draws, completion, "+
				"alive or length",
				text, t.Measure)
		}
	}
	for _, t := range goals {
		for _, u := range goals {
			if t.Measure == u.Measure && math.Max(t.Lo, u.Lo) > math.Min(t.Hi, u.Hi) {
				return band, nil, fmt.Errorf("no game meets both %s and %s", t.Text, u.Text)
			}
		}
		if t.Measure == "completion" && t.Hi < leastEnd {
			return band, nil, fmt.Errorf("%s: Spar proposes only remedies with which at least 90 %% of the games end "+
				"before the ply limit", t.Text)
		}
	}
	return band, goals, nil
}

// level returns the confidence of one finalist's intervals in a group, so that that of all groups together is 95 %.
func (s *search) level(group int) float64 { return 1 - 0.05/float64(s.final*group*(group+1)) }

// leastGames returns the number of games with which even an exactly even game without draws can be confirmed.
func (s *search) leastGames() int {
	for n := 20; n < 1_000_000; n += n / 8 {
		c := ratings.ConfidenceSequence([]int64{int64(n / 2), 0, int64(n / 2)}, s.level(1))
		if c.Lo >= s.band.Lo && c.Hi <= s.band.Hi {
			return n
		}
	}
	return math.MaxInt
}

// size chooses the strongest tier and the games of a confirmation by the length of random games, so that all agents
// together stay within the work.
func (s *search) size(given float64) error {
	plies := math.Max(4, campaign.RandomLength(s.base.Game))
	s.sims, s.final, s.near = 1600, mostFinal, campaign.Small(s.base.Game)
	if s.near { // few positions are searched in full: most games end within them
		s.sims = 800
		s.final = 1
		plies /= 6
	}
	most := s.final
	for {
		// the work of finalists, two agents of equal strength and a weak one, if half of their games stop early
		s.cost = plies * float64(s.sims)
		s.most = int(1.6 * s.Work / (2.25 * float64(s.final) * s.cost))
		need := 2 * s.leastGames()
		// weak agents do not see who is ahead: strength is worth more than games
		if s.near || s.sims <= 200 && s.final == leastFinal {
			need = 250
		}
		if s.most >= need || s.sims <= 50 && s.final <= leastFinal {
			break
		} else if s.final > leastFinal {
			s.final--
		} else {
			s.sims, s.final = s.sims/2, most
		}
	}
	s.most = min(s.most, mostGames)
	if s.most < 60 {
		return fmt.Errorf("--work allows only %d games for each finalist, too few for a result; set it to at least %.0f",
			s.most, math.Ceil(given*60/float64(max(s.most, 1))))
	}
	return nil
}
