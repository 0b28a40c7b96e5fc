package balance

import (
	"math"

	"spar/engines"
	"spar/ratings"
)

// maxChoicePly is the number of plies for which the numbers of legal moves are counted separately.
const maxChoicePly = 400

// boardSums are counts over the games of a group. They are integers, so the order of the games does not matter.
type boardSums struct {
	games    int64
	arrivals [2][]int64   // pieces that arrived, by side and cell
	captured []int64      // captured pieces, by cell
	occupied []int64      // number of games in which the cell was ever occupied
	owned    []int64      // number of games in which the first player ever owned the cell
	ownedZ   []int64      // sum of the first player's half points in those games
	z, zz    int64        // sums of the first player's half points in all games, and of their squares
	pieces   [2][11]int64 // sums of the pieces on the board at each tenth of a game, and of their squares
	squares  [2][11]int64
	choice   [][]int64 // for each ply from 0: how often each number of legal moves occurred
}

func newBoardSums(cells int) *boardSums {
	list := func() []int64 { return make([]int64, cells) }
	return &boardSums{
		arrivals: [2][]int64{list(), list()}, captured: list(), occupied: list(), owned: list(),
		ownedZ: list(),
	}
}

func addTo(to, from []int64) {
	for i, x := range from {
		to[i] += x
	}
}

func (b *boardSums) merge(o *boardSums) {
	b.games, b.z, b.zz = b.games+o.games, b.z+o.z, b.zz+o.zz
	for side := range 2 {
		addTo(b.arrivals[side], o.arrivals[side])
		addTo(b.pieces[side][:], o.pieces[side][:])
		addTo(b.squares[side][:], o.squares[side][:])
	}
	addTo(b.captured, o.captured)
	addTo(b.occupied, o.occupied)
	addTo(b.owned, o.owned)
	addTo(b.ownedZ, o.ownedZ)
	for ply, counts := range o.choice {
		for m, n := range counts {
			if n > 0 {
				b.add(ply, m, n)
			}
		}
	}
}

// choose counts a number of legal moves at a ply (from 0), n times for n equal games.
func (b *boardSums) choose(ply, legal int, games int64) {
	if ply < maxChoicePly {
		b.add(ply, legal, games)
	}
}

func (b *boardSums) add(ply, legal int, n int64) {
	for len(b.choice) <= ply {
		b.choice = append(b.choice, nil)
	}
	if grow := legal + 1 - len(b.choice[ply]); grow > 0 {
		b.choice[ply] = append(b.choice[ply], make([]int64, grow)...)
	}
	b.choice[ply][legal] += n
}

// board adds the game that was just replayed to the sums of its group, once for each of a number of equal games.
func (r *replayer) board(rec *record, times int64) {
	use := r.sums(rec.group.index)
	use.games += times
	use.z += int64(rec.half) * times
	use.zz += int64(rec.half) * int64(rec.half) * times
	var ever, mine engines.Bits
	for t, m := range r.moves {
		side := r.sides[t]
		before, after := &r.boards[t], &r.boards[t+1]
		if to := m.To(); to != engines.NoCell {
			use.arrivals[side][to] += times
			ever = ever.With(to)
		}
		ever = ever.Or(after[0]).Or(after[1])
		mine = mine.Or(after[engines.First])
		if m == engines.Swap {
			continue
		}
		for gone := before[1-side].AndNot(r.struck[t][1-side]); !gone.Empty(); gone = gone.Rest() {
			use.captured[gone.First()] += times
		}
	}
	rec.coverage = int32(ever.Count())
	r.cells = ever.Cells(r.cells[:0])
	for _, c := range r.cells {
		use.occupied[c] += times
	}
	r.cells = mine.Cells(r.cells[:0])
	for _, c := range r.cells {
		use.owned[c] += times
		use.ownedZ[c] += int64(rec.half) * times
	}
	for k := range use.pieces[0] {
		at := &r.boards[int(math.Round(float64(k*len(r.moves))/10))]
		for side := range 2 {
			n := int64(at[side].Count())
			use.pieces[side][k] += n * times
			use.squares[side][k] += n * n * times
		}
	}
}

// boardUse computes use of the board.
func (m measurer) boardUse(g *engines.Game, d *groupData) *BoardUse {
	u := d.use
	if u.games == 0 {
		return nil
	}
	n := float64(u.games)
	out := &BoardUse{Columns: g.Columns(), Rows: g.Rows()}
	out.Coverage = m.ratio(d.board, boardCoverage, boardGames, d.of(), "share")
	ps := make([]float64, g.Cells())
	varZ := float64(u.zz)/n - float64(u.z)/n*float64(u.z)/n
	for c := range g.Cells() {
		cell := CellUse{
			Cell:   g.CellName(engines.Cell(c)),
			Placed: float64(u.arrivals[0][c]+u.arrivals[1][c]) / n, First: float64(u.arrivals[0][c]) / n,
			Captured: float64(u.captured[c]) / n, Occupied: m.share(u.occupied[c], u.games, "games"), P: 1,
		}
		if u.occupied[c] == 0 {
			out.Unused++
		}
		p := float64(u.owned[c]) / n
		if varP := p * (1 - p); varP > 0 && varZ > 0 {
			cov := float64(u.ownedZ[c])/n - p*float64(u.z)/n
			cell.Phi = m.correlation(cov/math.Sqrt(varP*varZ), u.games)
			cell.P = twoSided(cell.Phi.Value * math.Sqrt(n))
		}
		ps[c] = cell.P
		out.Cells = append(out.Cells, cell)
	}
	for c, p := range ratings.Holm(ps) {
		out.Cells[c].P, out.Cells[c].Marked = p, p < 1-m.level
	}
	return out
}

// correlation returns a correlation coefficient with Fisher's interval.
func (m measurer) correlation(r float64, n int64) ratings.Estimate {
	r = min(max(r, -1), 1)
	out := ratings.Estimate{Value: r, Interval: ratings.Interval{Lo: -1, Hi: 1}, N: n, Unit: "games", Method: "fisher"}
	if n > 3 {
		half := m.z / math.Sqrt(float64(n-3))
		edge := 1 - 1/float64(n) // beyond it, up to a perfect correlation, the transform runs away
		inner := math.Atanh(min(max(r, -edge), edge))
		out.Lo, out.Hi = min(math.Tanh(inner-half), r), max(math.Tanh(inner+half), r)
	}
	return warnThin(out)
}

// pieceCounts returns the mean number of pieces on the board at each tenth of the games.
func (m measurer) pieceCounts(d *groupData) *PieceBalance {
	u := d.use
	if u.games == 0 {
		return nil
	}
	out := &PieceBalance{}
	for k := range u.pieces[0] {
		at := float64(k) / 10
		number := func(side int) ratings.Estimate {
			n := float64(u.games)
			v := float64(u.pieces[side][k]) / n
			half := m.z * math.Sqrt(max(float64(u.squares[side][k])/n-v*v, 0)/n)
			return warnThin(ratings.Estimate{
				Value: v, Interval: ratings.Interval{Lo: v - half, Hi: v + half}, N: u.games,
				Unit: "games", Method: "normal",
			})
		}
		out.First = append(out.First, Point{at, number(0)})
		out.Second = append(out.Second, Point{at, number(1)})
	}
	return out
}
