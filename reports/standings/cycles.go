package standings

import (
	"slices"

	"spar/ratings"
)

// MostCyclic is the maximum number of agents for which cycles are analysed. The time grows with the cube of their
// number.
const MostCyclic = 120

// Intransitivity analyses deviations from one rating per agent: the match-ups with the largest deviations, and the
// fraction of differences that is cyclic. With detail it also gives each agent values that take cycles into
// account.
func (p *Pool) Intransitivity(detail bool) (*Intransitivity, error) {
	const worst = 5
	out := &Intransitivity{Worst: []Match{}, Agents: []Cyclic{}}
	shown := map[[2]string]int{}
	for i, r := range p.Lack.Pairs[:min(worst, len(p.Lack.Pairs))] {
		shown[[2]string{r.A, r.B}] = i
	}
	out.Worst = p.matchesOf(func(a, b string) bool { _, ok := shown[[2]string{a, b}]; return ok })
	slices.SortFunc(out.Worst, func(x, y Match) int {
		return shown[[2]string{x.Agent, x.Opponent}] - shown[[2]string{y.Agent, y.Opponent}]
	})
	if len(p.Table.Players()) > MostCyclic {
		return out, nil
	}
	h := p.Table.Hodge()
	out.CyclicShare, out.NoiseShare, out.Corrected = knownOf(h.CyclicShare), knownOf(min(h.NoiseShare, 1)),
		knownOf(h.Corrected)
	_, out.CyclicTriads, out.Triads = p.Table.Copeland()
	if !detail && h.Corrected <= 0 {
		return out, nil
	}
	err := p.cyclicRows(h, out, detail)
	return out, err
}

// cyclicRows rates the agents by Nash averaging and by alpha-rank. Intervals are expensive: it computes them only
// for few agents, or on request.
func (p *Pool) cyclicRows(h ratings.Hodge, out *Intransitivity, detail bool) error {
	const (
		resampled  = 40   // agents up to which Nash shares get intervals on request
		unasked    = 12   // and without
		draws      = 2000 // resampled tables times agents
		fewestDraw = 50
		mostDraws  = 200
		eps        = 1e-6 // of alpha-rank: the chance to move to a worse agent
	)
	n := len(p.Table.Players())
	if n == 0 {
		return nil
	}
	nash := p.Table.NashAverage()
	if n <= unasked || detail && n <= resampled {
		var err error
		if nash, err = p.Table.NashBootstrap(min(max(draws/n, fewestDraw), mostDraws), resampleSeed,
			p.Fit.Level); err != nil {
			return err
		}
	}
	alpha, err := p.Table.AlphaRank(eps)
	if err != nil {
		return err
	}
	wins, _, _ := p.Table.Copeland()
	for _, r := range p.Ranks() {
		i, _ := p.Fit.Index(r.Name)
		row := Cyclic{
			Agent: r.Name, Transitive: known(h.Ratings[i]), Nash: Between{Value: known(nash.Mass[i])},
			Skill: known(nash.Skill[i]), AlphaRank: known(alpha[i]), Copeland: wins[i],
		}
		if len(nash.MassLo) > 0 {
			row.Nash = between(nash.Mass[i], nash.MassLo[i], nash.MassHi[i])
		}
		out.Agents = append(out.Agents, row)
	}
	return nil
}
