package campaign

import (
	"math"
	"math/rand/v2"

	"spar/agents"
	"spar/engines"
)

// Outlook is an upper bound on the games that studies would play. Its JSON form is public.
type Outlook struct {
	Parts []PartOutlook `json:"parts"`
	Games int64         `json:"games" help:"number of games in all parts"`
	About float64       `json:"expected_s" help:"expected time of all parts in seconds"`
}

// PartOutlook describes one part of a study that would be played.
type PartOutlook struct {
	Name   string   `json:"name" help:"event of the part"`
	Rules  string   `json:"rules" help:"rules of the part"`
	Agents []string `json:"agents" help:"agents that play"`
	Pairs  int      `json:"pairs" help:"pairs of each match-up"`
	Games  int64    `json:"games" help:"games"`
	About  float64  `json:"expected_s" help:"expected playing time in seconds"`
}

// LookAhead lists the parts of studies. Seconds holds the time of each study, as Fill returns it.
func LookAhead(cs []*Campaign, seconds []float64) Outlook {
	var o Outlook
	for i, k := range cs {
		o.About += seconds[i]
		all := k.Work()
		add := func(x PartOutlook, work float64, players []agents.Spec) {
			x.Rules, x.About = k.Rules.Label, seconds[i]*work/all // a part takes as much of the time as of the work
			for _, a := range players {
				x.Agents = append(x.Agents, a.Name)
			}
			o.Parts = append(o.Parts, x)
			o.Games += x.Games
		}
		for _, p := range k.Parts() {
			add(PartOutlook{Name: p.Name, Pairs: p.Pairs, Games: PartGames(p)}, PartWork(p), p.Players)
		}
		if q := k.inquiryAhead(); q.games > 0 {
			add(PartOutlook{Name: k.Rules.Label + "/inquiry", Pairs: int(q.games / 2), Games: q.games}, q.work,
				append(k.searchers(k.Record.Inquiry.Nodes, k.valued.learned()), k.searchers(q.nodes, k.valued.learned())...))
		}
	}
	return o
}

// ahead is the amount of play in an inquiry that does not stop early.
type ahead struct {
	games int64
	work  float64 // work in the unit of parts: one simulation in every decision of a game
	nodes int64   // alpha-beta positions per move in the last stage
}

// inquiryAhead counts the games of all stages of an inquiry. It counts the work of the stages in which searches
// use their whole budgets, until the next stage would exceed the limit. On small boards searches end early, so
// later stages cost little. The number of positions in a game is the budget times the mean length of random games.
func (c *Campaign) inquiryAhead() ahead {
	var out ahead
	ask := c.Record.Inquiry
	if ask.Stages == 0 {
		return out
	}
	g := c.Rules.Game
	lines := ask.thin(FirstMoves(g))
	most := 0
	for _, l := range lines {
		replies, _ := repliesTo(g, l)
		most = max(most, len(ask.thin(replies)))
	}
	openings := max(1, ask.Free/max(1, ask.Forced)) + len(lines) + most
	const seatings = 6 // games of a pair: each of two players against itself, and both against each other
	games := int64(openings * ask.Forced * seatings)
	plies := RandomLength(g)
	nodes := ask.Nodes
	over := false
	for range ask.Stages {
		out.games, out.nodes = out.games+games, nodes
		if !over {
			out.work += float64(games) * (1 + float64(nodes)/perPlayout)
		}
		over = over || growth*float64(games)*plies*float64(nodes) > ask.Work
		nodes *= growth
	}
	return out
}

// RandomLength returns the mean length of a few random games, in plies, at least 1; a game counts as at most 200 plies.
func RandomLength(g *engines.Game) float64 {
	const games, longest = 20, 200
	rng := rand.New(rand.NewPCG(1, 2))
	plies := 0
	var moves []engines.Move
	for range games {
		p := g.NewPosition()
		for n := 0; n < longest && !p.Over(); n++ {
			moves = p.AppendMoves(moves[:0])
			p.Play(moves[rng.IntN(len(moves))])
			plies++
		}
	}
	return math.Max(1, float64(plies)/games)
}
