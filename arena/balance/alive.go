package balance

import "spar/engines"

// Use is a mechanic at work: how often it happened in the games of a group. N counts games, or pairs that share an opening.
type Use struct {
	Mechanic string `json:"mechanic"` // steps, jumps, chains, returns, leaves, surrounds, swaps or passes
	PerGame  Number `json:"per_game"` // times a game, mean
	Games    Number `json:"games"`    // share of the games in which it happened
}

// The mechanics that are counted, in the order of the columns.
const (
	useSteps     = iota
	useJumps     // captures by a jump
	useChains    // of these, further ones in a turn
	useReturns   // pieces placed from the hand in the movement phase
	useLeaves    // pieces that left for their age
	useSurrounds // pieces captured by surrounding
	useSwaps
	usePasses
	uses
)

// uses of a game, by mechanic.
type useCounts [uses]int32

func mechanics() [uses]struct {
	name string
	of   engines.Mechanics // some of these make it possible
} {
	return [uses]struct {
		name string
		of   engines.Mechanics
	}{
		{"steps", engines.Steps},
		{"jumps", engines.Jumps},
		{"chains", engines.Chains},
		{"returns", engines.Returns},
		{"leaves", engines.Ages},
		{"surrounds", engines.Surrounds},
		{"swaps", engines.Pie},
		{"passes", engines.Passes},
	}
}

// count adds what a ply did: before and after it, by the pieces of both sides.
func (u *useCounts) count(m engines.Move, mover int, moving, chained bool, before, after [2]engines.Bits) {
	lost := before[1-mover].AndNot(after[1-mover]).Count()
	switch {
	case m == engines.Swap:
		u[useSwaps]++
		return
	case m == engines.Pass:
		u[usePasses]++
		return
	case m == engines.Stop:
		return
	case m.IsJump():
		u[useJumps]++
		lost--
		if chained {
			u[useChains]++
		}
	case m.IsPlacement():
		if moving {
			u[useReturns]++
		}
	default:
		u[useSteps]++
	}
	u[useSurrounds] += int32(lost)
	own := before[mover]
	if m.IsPlacement() {
		if own.Has(m.To()) { // on the cell of the oldest, which left
			u[useLeaves]++
			own = own.Without(m.To())
		}
	} else {
		own = own.Without(m.From())
	}
	u[useLeaves] += int32(own.AndNot(after[mover]).Count())
	if arrived := m.To(); !after[mover].Has(arrived) {
		u[useLeaves]++ // the piece that moved was the oldest itself
	}
}

// rarest is the share of the games in which that mechanic of the rules happens which happens in the fewest: steps, jumps, pieces
// that leave, captures by surrounding. Where the rules have none of these nothing is missing: 1.
func (g *Group) rarest() Number {
	out := Number{Value: 1, Lo: 1, Hi: 1, N: g.Games, Of: "games", Unit: "share", Method: "none"}
	for _, u := range g.Alive {
		switch u.Mechanic {
		case "steps", "jumps", "leaves", "surrounds":
			if u.Games.OK() && (out.Method == "none" || u.Games.Value < out.Value) {
				out = u.Games
			}
		}
	}
	return out
}

// alive is how often each mechanic of the rules happened. Mechanics that the rules do not have are left out.
func (m measurer) alive(g *engines.Game, d *groupData) []Use {
	out := []Use{}
	for i, x := range mechanics() {
		if g.Mechanics()&x.of == 0 || d.alive.n == 0 {
			continue
		}
		out = append(out, Use{x.name, m.ratio(d.alive, i, 2*uses, d.of(), "times a game"), m.ratio(d.alive, uses+i, 2*uses, d.of(), "share")})
	}
	return out
}
