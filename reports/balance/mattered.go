package balance

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/agents"
	"spar/engines"
	"spar/engines/rules"
)

// Limits for estimating how often a mechanic mattered.
const (
	matterGames = 40 // number of games of the strongest tier to examine
	matterEach  = 3  // number of uses of a mechanic to examine in each game, spread evenly
	matterPlies = 2  // depth of the alpha-beta search, in plies
)

// matter estimates how often mechanics mattered. A mechanic that a player chooses (a step, a jump, a swap)
// mattered if the player had alternatives and a search with the hand-made evaluation, matterPlies deep, rates all
// of them lower. An automatic mechanic (pieces that leave, are captured or fall) mattered if switching it off for
// that one ply ends the game differently, or makes all best replies different.
type matter struct {
	g       *engines.Game
	without [uses]*engines.Game // rules without an automatic mechanic; nil if such rules make no sense
	search  agents.Agent
	rng     *rand.Rand
}

func newMatter(g *engines.Game) (*matter, error) {
	spec := agents.DefaultSpec()
	spec.Name, spec.Type = "a look ahead", "minimax"
	search, err := agents.New(spec, g)
	if err != nil {
		return nil, err
	}
	x := &matter{g: g, search: search, rng: rand.New(rand.NewPCG(1, 1))}
	for i, mechanic := range mechanics() {
		if mechanic.without == nil || !mechanic.counted(g.Mechanics()) {
			continue
		}
		r := g.Rules()
		mechanic.without(&r)
		if other, err := engines.Compile(r); err == nil {
			x.without[i] = other
		}
	}
	return x, nil
}

// best returns the moves that the search rates as good as the best.
func (x *matter) best(ctx context.Context, p *engines.Position) ([]engines.Move, error) {
	x.search.NewGame(agents.Seed{1, 1})
	d, err := x.search.Choose(ctx, p, agents.Budget{Depth: matterPlies}, x.rng)
	return d.Best, err
}

// mattered reports whether a mechanic mattered in a ply, and whether this could be determined.
func (x *matter) mattered(ctx context.Context, mechanic int, before *engines.Position, m engines.Move) (yes, known bool,
	err error,
) {
	if mechanics()[mechanic].without == nil {
		return x.alone(ctx, mechanic, before)
	}
	other := x.without[mechanic]
	if other == nil {
		return false, false, nil
	}
	real := before.Clone()
	real.Play(m)
	s := other.Adopt(&before.State)
	s.Play(m)
	if real.Over() || s.Over() {
		return real.Result() != s.Result(), true, nil
	}
	apart, same := x.g.Adopt(&s), real.State
	replies, err := x.best(ctx, engines.PositionAt(same))
	if err != nil {
		return false, false, err
	}
	others, err := x.best(ctx, engines.PositionAt(apart))
	return !slices.ContainsFunc(replies, func(m engines.Move) bool { return slices.Contains(others, m) }), true, err
}

// alone reports whether all best moves use one mechanic while other moves exist.
func (x *matter) alone(ctx context.Context, mechanic int, p *engines.Position) (yes, known bool, err error) {
	of := func(m engines.Move) bool { return x.of(mechanic, p, m) }
	not := func(m engines.Move) bool { return !of(m) }
	if !slices.ContainsFunc(p.AppendMoves(nil), not) {
		return false, false, nil
	}
	best, err := x.best(ctx, p)
	return err == nil && !slices.ContainsFunc(best, not), err == nil, err
}

// of reports whether a move uses a mechanic.
func (x *matter) of(mechanic int, p *engines.Position, m engines.Move) bool {
	did := x.see(nil, p, m)
	var u useCounts
	u.count(&did)
	return u[mechanic] > 0
}

// see plays a move on a copy of the position and returns its effects.
func (x *matter) see(still *engines.Game, p *engines.Position, m engines.Move) seen {
	pieces := func(s *engines.State) [2]engines.Bits {
		return [2]engines.Bits{s.Pieces(engines.First), s.Pieces(engines.Second)}
	}
	s := p.State
	did := seen{
		rules: x.g.Mechanics(), move: m, mover: p.Side(), moving: p.Moving(), chained: p.Chain() != engines.NoCell,
		before: pieces(&s),
	}
	air := aloft(still, &s, m)
	s.Play(m)
	did.fell(still, air, pieces(&s))
	return did
}

// game examines a game. For each mechanic it returns how many of the examined uses mattered, and how many were
// examined.
func (x *matter) game(ctx context.Context, moves []string, opening int) (hits, all [uses]float64, err error) {
	var still *engines.Game
	if x.g.Mechanics().Has(rules.Settles) {
		still = withoutFalls(x.g)
	}
	type place struct {
		before *engines.Position
		move   engines.Move
	}
	var found [uses][]place
	p := x.g.NewPosition()
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil || p.Over() {
			return hits, all, nil // a game that does not replay is said elsewhere
		}
		var u useCounts
		if p.Ply() >= opening {
			did := x.see(still, p, m)
			u.count(&did)
		}
		var before *engines.Position
		for i, n := range u {
			if n == 0 || i == usePasses {
				continue
			}
			if before == nil {
				before = p.Clone()
			}
			found[i] = append(found[i], place{before, m})
		}
		p.Play(m)
	}
	for i, places := range found {
		for k := range min(matterEach, len(places)) {
			at := places[(2*k+1)*len(places)/(2*min(matterEach, len(places)))]
			yes, known, err := x.mattered(ctx, i, at.before, at.move)
			if err != nil {
				return hits, all, err
			}
			if known {
				hits[i], all[i] = hits[i]+oneIf(yes), all[i]+1
			}
		}
	}
	return hits, all, nil
}

// mattered fills in how often the mechanics of a group mattered.
func (m measurer) mattered(ctx context.Context, p *pass, g *Group, d *groupData) error {
	if len(g.Alive) == 0 {
		return nil
	}
	x, err := newMatter(p.data.Game)
	if err != nil {
		return err
	}
	rows := [uses]*blocks{}
	for i := range rows {
		rows[i] = newBlocks(2)
	}
	for _, id := range d.early {
		game, err := p.data.Find(ctx, id)
		if err != nil {
			return err
		}
		hits, all, err := x.game(ctx, strings.Fields(game.Moves), game.OpeningPlies)
		if err != nil {
			return err
		}
		for i := range rows {
			if all[i] > 0 {
				rows[i].add(hits[i], all[i])
			}
		}
	}
	for i, mechanic := range mechanics() {
		at := slices.IndexFunc(g.Alive, func(u Use) bool { return u.Mechanic == mechanic.name })
		if at >= 0 && rows[i].n > 0 {
			g.Alive[at].Mattered = m.ratio(rows[i], 0, 1, "games", "share")
		}
	}
	return nil
}
