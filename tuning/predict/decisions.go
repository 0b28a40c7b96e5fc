package predict

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents"
	"spar/engines"
	"spar/engines/people"
)

// folds is the number of parts of the cross-validation.
const folds = 5

// decision is a position of a match, and the move that was chosen.
type decision struct {
	match  int // index of the match
	pair   int // of players
	chosen int // index of the chosen move among the legal ones
	moves  int // number of legal moves
}

func (d *decision) fold() int { return d.pair % folds }

// eachDecision plays matches and calls f at each position in which a person had more than one legal move.
func eachDecision(matches []people.Match, f func(match int, p *engines.Position, legal []engines.Move,
	chosen int) error,
) error {
	for i := range matches {
		p := matches[i].Rules.NewPosition()
		for text := range strings.FieldsSeq(matches[i].Moves) {
			m, err := p.ParseMove(text)
			if err != nil {
				return err
			}
			if legal := p.AppendMoves(nil); len(legal) > 1 {
				if err := f(i, p, legal, slices.Index(legal, m)); err != nil {
					return err
				}
			}
			p.Play(m)
		}
	}
	return nil
}

// ask returns the probabilities that an agent gives to the moves of each decision.
func ask(ctx context.Context, matches []people.Match, spec agents.Spec, seed int64) (ds []decision, chances [][]float64,
	err error,
) {
	if spec.Mixture.Softmax == 0 {
		spec.Mixture.Softmax = 1 // so that agents rate all moves; the temperature is fitted
	}
	made := map[*engines.Game]agents.Agent{}
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	err = eachDecision(matches, func(match int, p *engines.Position, legal []engines.Move, chosen int) error {
		g := p.Game()
		if made[g] == nil {
			if made[g], err = agents.NewContext(ctx, spec, g); err != nil {
				return err
			}
		}
		if p.Ply() == 0 {
			made[g].NewGame(agents.Seed{uint64(seed), uint64(match)})
		}
		_, c, err := agents.Chances(ctx, made[g], p, spec.Budget.Or(spec.DefaultBudget()), rng)
		ds = append(ds, decision{
			match:  match,
			pair:   matches[match].Pair,
			chosen: chosen,
			moves:  len(legal),
		})
		chances = append(chances, c)
		return err
	})
	return ds, chances, err
}

// tempered returns log((1-share) c^power / sum + share / n) for the chosen move.
func tempered(d *decision, c []float64, power, share float64) float64 {
	sum, chosen := 0.0, 0.0
	for i, x := range c {
		if x > 0 {
			x = math.Exp(power * math.Log(x))
			sum += x
			if i == d.chosen {
				chosen = x
			}
		}
	}
	return math.Log((1-share)*chosen/sum + share/float64(d.moves))
}
