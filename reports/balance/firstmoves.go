package balance

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"spar/engines"
	"spar/engines/solve"
	"spar/ratings"
)

// FirstMoves is how good each first move is.
type FirstMoves struct {
	// forced (the study plays each first move) or chosen (by the agents, which prefers good moves)
	Source string      `json:"source"`
	Agents []string    `json:"agents"`
	Moves  []FirstMove `json:"moves"` // one move of each symmetry class; the best for the first player first
	Pie    *Pie        `json:"pie,omitempty"`
}

// FirstMove is one first move, with its images under the symmetries of the rules.
type FirstMove struct {
	Move   string   `json:"move"`   // name of the class: its image with the lowest cell
	Images []string `json:"images"` // all moves of the class
	// cells of the images, numbered row by row from the top left; empty for moves without a cell
	Cells []int            `json:"cells"`
	Score ratings.Estimate `json:"score"` // score of the first player, 0 to 1
	// p-value of an even score, adjusted by Holm over all first moves
	P      float64 `json:"p"`
	Uneven bool    `json:"uneven"` // P < 1 - Method.Level
	Close  bool    `json:"close"`  // the score is between 1/3 and 2/3
	// exact result for the first player: win, draw or loss; empty if unknown
	Exact   string `json:"exact,omitempty"`
	ExactIn int    `json:"exact_in,omitempty"` // plies until the game ends with exact play
}

// Pie is how even the game is if the second player may take over the first move.
type Pie struct {
	Move string `json:"move"` // the most even move, chosen by half of the games
	// |score - 1/2| of that move in the other half of the games, 0 to 0.5
	Residual ratings.Estimate `json:"residual"`
	Naive    ratings.Estimate `json:"naive"` // the same in the games that chose the move; biased towards 0
	// |score - 1/2| in normal games of the same agents from the true start
	Without ratings.Estimate `json:"without"`
	Close   int              `json:"close"` // number of first moves with a score between 1/3 and 2/3
	Of      int              `json:"of"`
	InRules bool             `json:"in_rules"` // the rules already have the pie rule
	// value of turn.pie that the rules have or could have: true or seats; empty if they cannot have a pie rule
	Form string `json:"form"`
	// fraction of games in which the second player swapped, if the rules have the pie rule
	Taken ratings.Estimate `json:"taken"`
	Best  string           `json:"best_for_first"`
}

// tally counts results from the first player's view.
type tally struct{ wins, draws, losses int64 }

func (t *tally) add(r *record) {
	switch r.half {
	case 2:
		t.wins++
	case 1:
		t.draws++
	default:
		t.losses++
	}
}

func (t *tally) join(o tally) {
	t.wins, t.draws, t.losses = t.wins+o.wins, t.draws+o.draws, t.losses+o.losses
}

func (t tally) games() int64 { return t.wins + t.draws + t.losses }

func (t tally) mean() float64 {
	return (float64(t.wins) + float64(t.draws)/2) / float64(t.games())
}

// evenP returns the p-value of the hypothesis that the mean score is 1/2: the exact two-sided sign test on the decisive
// games.
func (t tally) evenP() float64 {
	decisive := t.wins + t.losses
	if decisive == 0 {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: float64(decisive), P: 0.5}.CDF(float64(min(t.wins, t.losses))))
}

// firstSums counts games by their first moves, up to symmetry.
type firstSums struct {
	moves  map[engines.Move]*halves
	agents map[int32]bool
}

// halves holds the games with one first move: all of them, and two halves. Pairs go alternately to the halves, in
// the order of the plan, so that the halves have similar sizes.
type halves struct {
	tallies [3]tally
	pairs   int
	last    place
}

func (f *firstSums) add(r *record) {
	if f.moves == nil {
		f.moves, f.agents = map[engines.Move]*halves{}, map[int32]bool{}
	}
	f.agents[r.first], f.agents[r.second] = true, true
	x := f.moves[r.prefix[0]]
	if x == nil {
		x = &halves{}
		f.moves[r.prefix[0]] = x
	}
	if at := r.place(); x.pairs == 0 || at != x.last {
		x.last = at
		x.pairs++
	}
	x.tallies[0].add(r)
	x.tallies[2-x.pairs%2].add(r)
}

// chosenSums counts the first moves that agents chose against themselves from the true start.
type chosenSums struct {
	firstSums
	tally tally // of all games
	swaps int64 // number of games in which the second player swapped
}

func newFirstMoves(*groupData) sums { return &chosenSums{} }

// Add implements sums.
func (s *chosenSums) Add(unit []*record) {
	for _, r := range unit {
		if !r.counts() {
			continue
		}
		s.tally.add(r)
		if r.swapped {
			s.swaps++
		}
		if !r.bad && r.opening == 0 && r.prefixN > 0 && r.first == r.second {
			s.add(r)
		}
	}
}

// Result implements sums. Report.FirstMove has it, because it compares groups.
func (*chosenSums) Result(measurer, *Group) {}

// firstMoves computes how good each first move is, and the effect of a pie rule. Forced first moves come from the
// events made for them. Without these it uses the agents' own choices in games against themselves. Between different
// agents, the score of a move would depend on which agent prefers it.
func (m measurer) firstMoves(p *pass, groups []*groupData, headline *groupData, table *solve.Table) *FirstMoves {
	g := p.data.Game
	out, games := &FirstMoves{Source: "forced"}, &p.forced
	if len(games.moves) == 0 && headline != nil {
		out.Source, games = "chosen", &sumsOf[*chosenSums](headline).firstSums
	}
	if len(games.moves) == 0 {
		return nil
	}
	agents := map[string]bool{}
	for i := range games.agents {
		agents[p.names[i]] = true
	}
	moves := map[engines.Move]*[3]tally{} // all, and the two halves
	for move, x := range games.moves {
		moves[move] = &x.tallies
	}
	for name := range agents {
		out.Agents = append(out.Agents, name)
	}
	slices.Sort(out.Agents)
	exact := exactFirst(g, table)
	var order []engines.Move
	for move := range moves {
		order = append(order, move)
	}
	slices.Sort(order)
	var ps []float64
	for _, move := range order {
		t := moves[move]
		f := FirstMove{Move: g.MoveText(move), Score: m.score(t[0].wins, t[0].draws, t[0].losses)}
		f.Images, f.Cells = images(g, move)
		f.Close = f.Score.Value >= 1.0/3 && f.Score.Value <= 2.0/3
		if f.Score.N < 200 && f.Score.Note == "" {
			f.Score.Note = "fewer than 200 games"
		}
		if v, ok := exact[move]; ok {
			f.Exact, f.ExactIn = v.Outcome.String(), v.DTW
		}
		ps = append(ps, t[0].evenP())
		out.Moves = append(out.Moves, f)
	}
	for i, q := range ratings.Holm(ps) {
		out.Moves[i].P, out.Moves[i].Uneven = q, q < 1-m.level
	}
	if len(order) > 1 {
		var free tally // by the same agents, from the true start
		swaps := int64(0)
		for _, d := range groups {
			if d.kind == "mirror" && agents[d.agent] {
				x := sumsOf[*chosenSums](d)
				free.join(x.tally)
				swaps += x.swaps
			}
		}
		if free.games() == 0 && headline != nil {
			x := sumsOf[*chosenSums](headline)
			free, swaps = x.tally, x.swaps
		}
		out.Pie = m.pie(p, order, moves, out, free, swaps)
	}
	slices.SortStableFunc(out.Moves, func(a, b FirstMove) int { return cmp.Compare(b.Score.Value, a.Score.Value) })
	return out
}

// images returns the images of a first move under the symmetries of the rules, with their cells.
func images(g *engines.Game, move engines.Move) (texts []string, cells []int) {
	seen := map[engines.Move]bool{}
	for _, s := range g.Symmetries() {
		seen[engines.TransformMove(move, s)] = true
	}
	var all []engines.Move
	for m := range seen {
		all = append(all, m)
	}
	slices.Sort(all)
	cells = []int{}
	for _, m := range all {
		texts = append(texts, g.MoveText(m))
		if m.To() != engines.NoCell {
			cells = append(cells, int(m.To()))
		}
	}
	return texts, cells
}

// exactFirst returns the exact value of every first move for the first player; nil if the game is not solved.
func exactFirst(g *engines.Game, table *solve.Table) map[engines.Move]solve.Value {
	out := map[engines.Move]solve.Value{}
	if table == nil {
		return out
	}
	start := g.NewState()
	for _, r := range table.Moves(&start) {
		out[r.Move] = r.Value.Under(g.Rules().Draw.MaxPlies, 0)
	}
	return out
}

// pie computes how even the game is with a pie rule. It chooses the most even move by one half of the games and
// measures it in the other half: in the games that chose it, it looks too even.
func (m measurer) pie(p *pass, order []engines.Move, moves map[engines.Move]*[3]tally, f *FirstMoves, free tally,
	swaps int64,
) *Pie {
	g := p.data.Game
	rules := g.Rules()
	out := &Pie{Of: len(order), InRules: rules.Turn.Pie.On()}
	form := rules.Turn.Pie
	if !out.InRules {
		form = engines.PieFor(rules)
	}
	if form.On() {
		out.Form = string(form)
	}
	for _, x := range f.Moves {
		if x.Close {
			out.Close++
		}
	}
	least := int64(1) // games that a candidate needs in each half
	if f.Source == "chosen" {
		least = 10 // hardly anybody's choice is even by accident
	}
	best, gap := engines.NoMove, math.Inf(1)
	top, high := engines.NoMove, -1.0
	for _, move := range order {
		t := moves[move]
		if t[0].mean() > high {
			top, high = move, t[0].mean()
		}
		if t[1].games() < least || t[2].games() < least {
			continue
		}
		if d := math.Abs(t[1].mean() - 0.5); d < gap-1e-12 {
			best, gap = move, d
		}
	}
	out.Best = g.MoveText(top)
	if best != engines.NoMove {
		out.Move = g.MoveText(best)
		t := moves[best]
		out.Naive = FPA(m.score(t[1].wins, t[1].draws, t[1].losses))
		out.Residual = FPA(m.score(t[2].wins, t[2].draws, t[2].losses))
	}
	if out.Without = FPA(m.score(free.wins, free.draws, free.losses)); out.InRules {
		out.Taken, out.Without = m.share(swaps, free.games(), "games"), ratings.Estimate{}
	}
	return out
}
