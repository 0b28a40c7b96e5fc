package variants_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/bench"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
	"spar/ratings"
	"spar/reports/balance"
	"spar/tuning/variants"
)

// The proof of reports/research/remedies.md, which is only made by
//
//	go test ./tuning/variants -run TestRemediesAgainstTruth -proof 60 -timeout 9h -v
var proof = flag.Int("proof", 0, "number of unfair games for TestRemediesAgainstTruth; 0 = none")

var proofSeed = flag.Uint64("proofseed", 2026, "seed of the choice of games")

var proofWork = flag.Float64("proofwork", 20, "work of each search")

var proofPublished = flag.Int("proofpublished", 0, "number of games with the published procedures, which double the time")

var proofSkip = flag.Int("proofskip", 0, "leave out the first games")

const family = 3000 // rule sets

// member returns the text of a rule set of the family: races, hexapawns, hunts, counted pieces, lines with and without
// gravity or a cap, connections and morrises, on boards of 9 to 20 cells.
func member(seed int) string {
	r := rand.New(rand.NewPCG(uint64(seed), 59))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	columns, rows := 0, 0
	board := func(more string, sizes ...string) string {
		fmt.Sscanf(pick(sizes...), "%dx%d", &columns, &rows) //nolint:errcheck // the sizes are above
		return fmt.Sprintf("board: {columns: %d, rows: %d%s}\n", columns, rows, more)
	}
	men := func(near, far string) string { // of the first player, and of the second
		out := fmt.Sprintf("setup: [%q", strings.ReplaceAll(far, "X", "O"))
		for range rows - 2 {
			out += fmt.Sprintf(", %q", "......"[:columns])
		}
		return out + fmt.Sprintf(", %q]\n", near)
	}
	turn := func() string {
		return pick("", "", "turn: {placements: 2}\n", "turn: {placements: 2, first_turn: 1}\n")
	}
	lines := func() string {
		return "directions: [" + pick("rows, columns, diagonals", "rows, columns", "diagonals", "rows, diagonals") + "]"
	}
	moves := func(directions ...string) string {
		return "movement: {steps: king, directions: [" + pick(directions...) + "], take: [" + pick("forward_diagonal", "king", "rook") + "]}\n"
	}
	noMoves := "no_moves: " + pick("loss", "draw", "pass", "win") + "\n"
	end, again := "draw: {full_board: true, max_plies: 60}\n", "draw: {full_board: false, repetition: 3, max_plies: 60}\n"
	name := fmt.Sprintf("name: m%d\n", seed)
	switch seed % 16 {
	case 0:
		name += board("", "3x4", "3x5", "4x4")
		return name + men("XXXX"[:columns], "XXXX"[:columns]) + moves("forward, forward_diagonal") + "win: {reach: [far], eliminate: 1}\n" + noMoves + again
	case 1:
		name += board("", "3x4", "3x5", "4x4")
		row := pick("X", ".") + "XXX"[:columns-2] + pick("X", ".")
		return name + men(row, row) + moves("forward, sideways", "rook", "king", "forward, forward_diagonal, backward") +
			"win: {reach: [far], reach_count: " + pick("1", "1", "2") + pick("", ", eliminate: 1") + "}\n" + noMoves + again
	case 2, 3, 4, 5:
		name += board("", "3x3", "3x4", "3x5")
		return name + men("XXXXX"[:columns], "XXXXX"[:columns]) + "movement: {steps: king, directions: [forward" + pick("", ", sideways", ", sideways") +
			"], take: [forward_diagonal]}\nwin: {reach: [far]" + pick("", ", eliminate: 1") + "}\n" + noMoves + again
	case 6, 15:
		name += board("", "3x3", "4x3", "5x2", "6x2") + turn()
		return name + fmt.Sprintf("surround: {threshold: %s, effect: convert}\nwin: {majority: true, komi: %s}\n", pick("1", "2", "3", "4"),
			pick("0", "0", "1", "-1", "2")) + end
	case 7, 8, 10, 11, 12, 13, 14:
		gravity := pick("false", "true")
		if name += board(pick("", "", ", wrap: torus", ", wrap: columns", ", missing: [a1]", ", missing: [b2]", ", missing: [c3, a1]"), "3x3", "4x3"); gravity == "true" {
			name += "placement: {gravity: true}\n"
		}
		return name + turn() + fmt.Sprintf("win: {line: 3, misere: %s, %s}\n", pick("false", "true"), lines()) + end
	case 9:
		name += board("", "3x3", "4x3") + fmt.Sprintf("pieces: {cap: %s, removal: %s}\n", pick("3", "4"), pick("before_win", "after_win"))
		return name + "win: {line: 3, " + lines() + "}\n" + again
	}
	name += board(pick(", shape: hex", ", neighbours: 4", ""), "3x3", "4x3", "3x4") + turn()
	return name + "win: {connect: top_bottom, misere: " + pick("false", "true") + "}\n" + end
}

// truth is what is known of a rule set: how games end between two players who make the best move of the table with
// probability 0.9, and otherwise a random one, and the exact value.
type truth struct {
	win, draw float64 // of the first player
	ended     float64 // share of games that end before 60 plies
	repeats   float64 // share of draws in 500 games under the rules with repetition, which the table ignores
	winner    string
	plies     int
}

func (t truth) score() float64 { return t.win + t.draw/2 }

// even reports whether a call of fair is true.
func (t truth) even() bool {
	return math.Abs(t.score()-0.5) <= 0.08 && (t.winner == "draw" || t.plies > 9)
}

// mends reports whether rules with this truth are a remedy for those with the other one.
func (t truth) mends(base truth) bool {
	return (t.repeats <= 0.5 || t.repeats <= base.repeats+0.2) && t.ended >= 0.9 && math.Abs(t.score()-0.5) <= 0.05 && t.even()
}

// truthOf returns the truth; false if the solver does not know the rules completely.
func truthOf(ctx context.Context, g *engines.Game) (out truth, ok bool) {
	const most = 60_000 // positions
	table, err := campaign.Solve(ctx, g, 32_000_000, 1)
	if err != nil || table == nil {
		return out, false
	}
	x := campaign.ExactOfTable(g, table)
	out.winner, out.plies = x.Winner, x.Plies
	type edge struct {
		to int32
		p  float64
	}
	at := map[uint64]int32{}
	edges := [][]edge{}
	values := [][3]float64{}
	queue := []engines.State{g.Endless().NewState()}
	at[queue[0].Hash()] = 0
	for i := 0; i < len(queue); i++ {
		if len(queue) > most {
			return out, false
		}
		s := &queue[i]
		edges, values = append(edges, nil), append(values, [3]float64{0, 1, 0})
		if s.Over() {
			switch s.Result() {
			case engines.FirstWins:
				values[i] = [3]float64{1, 0, 1}
			case engines.SecondWins:
				values[i] = [3]float64{0, 0, 1}
			default:
				values[i][2] = 1
			}
			continue
		}
		rated := table.Moves(s)
		if len(rated) == 0 {
			return out, false
		}
		best, good := bestOf(rated)
		for _, m := range rated {
			next := *s
			next.Play(m.Move)
			key := next.Hash()
			to, seen := at[key]
			if !seen {
				to = int32(len(queue))
				at[key] = to
				queue = append(queue, next)
				s = &queue[i]
			}
			p := 0.1 / float64(len(rated))
			if m.Value == best {
				p += 0.9 / float64(good)
			}
			edges[i] = append(edges[i], edge{to, p})
		}
	}
	for changed, ply := true, 0; changed && ply < 60; ply++ { // what is left is drawn
		changed = false
		next := slices.Clone(values)
		for i, es := range edges {
			if len(es) == 0 {
				continue
			}
			v := [3]float64{}
			for _, e := range es {
				for k := range v {
					v[k] += e.p * values[e.to][k]
				}
			}
			next[i], changed = v, changed || v != values[i]
		}
		values = next
	}
	out.win = values[0][0]
	out.draw = values[0][1]
	out.ended = values[0][2]
	if out.repeats = out.draw; g.Rules().Draw.Repetition == 0 {
		return out, true
	}
	drawn, rng := 0, rand.New(rand.NewPCG(59, 59))
	for range 500 {
		p := g.NewPosition()
		for !p.Over() {
			rated := table.Moves(&p.State)
			if rng.Float64() < 0.9 {
				best, _ := bestOf(rated)
				rated = slices.DeleteFunc(rated, func(m solve.Rated) bool { return m.Value != best })
			}
			p.Play(rated[rng.IntN(len(rated))].Move)
		}
		if p.Result() == engines.Drawn {
			drawn++
		}
	}
	out.repeats = float64(drawn) / 500
	return out, true
}

// bestOf returns the best value of some moves, and how many have it.
func bestOf(rated []solve.Rated) (best solve.Value, good int) {
	for i, m := range rated {
		switch {
		case i == 0 || m.Value.Better(best):
			best, good = m.Value, 1
		case m.Value == best:
			good++
		}
	}
	return best, good
}

// Noughts and crosses between players who move at random would give the first player 58.5 % wins and 12.7 % draws; the
// better they play, the more is drawn. Two in a row win with the third stone.
func TestTruth(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := truthOf(t.Context(), g); !ok || x.winner != "draw" || x.draw < 0.6 || x.draw > 0.95 || x.score() < 0.5 {
		t.Errorf("%+v, %v", x, ok)
	}
	if g, err = engines.Named("classic", "win.line=2"); err != nil {
		t.Fatal(err)
	}
	if x, ok := truthOf(t.Context(), g); !ok || x.win < 0.85 || x.winner != "first" || x.plies != 3 {
		t.Errorf("%+v, %v", x, ok)
	}
}

// remedies searches for remedies of a member of the family, without its table.
func remedies(t *testing.T, seed int, text string, work float64, keep ...string) *variants.RemedyResult {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, fmt.Sprintf("m%d.yaml", seed))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rules, err := campaign.LoadRules(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), filepath.Join(dir, "x.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := variants.FindRemedies(t.Context(), t.Context(), db, rules,
		variants.Remedies{Blind: true, Problem: variants.Unfair, Seed: int64(seed), Work: work, Keep: keep},
		variants.Options{Workers: 1, Measure: balance.OfVariant})
	if err != nil {
		t.Fatalf("%d: %v", seed, err)
	}
	return r
}

// Remedies are found by games alone, and compared with the truth.
func TestRemediesAgainstTruth(t *testing.T) {
	cpu := bench.ProcessClock().CPU
	if *proof == 0 {
		t.Skip("takes hours: -proof")
	}
	ctx, order := t.Context(), rand.New(rand.NewPCG(*proofSeed, 59)).Perm(family)
	// of the published procedures: calls, false ones, those that are a remedy, and candidates
	var published, wrongly, remedied, candidates [3]int64
	calls, falsely, games, could, found, spent, most := 0, 0, 0, 0, 0, 0.0, 0.0
	var played int64
	summary := func() {
		t.Logf("| remedies | %d | %s | %s | %.0f (at most %.0f) | %d |", calls, ratings.ClopperPearson(int64(falsely), int64(calls), 0.95),
			ratings.ClopperPearson(int64(found), int64(could), 0.95), spent/float64(games), most, played/int64(games))
		for i, n := range sizes {
			t.Logf("| best of %.0f after %d games | %d | false %s | remedies %d |", float64(candidates[i])/float64(max(1, min(games, *proofPublished))),
				n, published[i], ratings.ClopperPearson(wrongly[i], published[i], 0.95), remedied[i])
		}
	}
	for _, seed := range order {
		if games == *proof {
			break
		}
		text := member(seed)
		g, err := engines.Load("member.yaml", []byte(text))
		if err != nil {
			continue
		}
		base, ok := truthOf(ctx, g)
		if !ok {
			continue
		}
		if math.Abs(base.score()-0.5) <= 0.08 {
			continue
		}
		if *proofSkip > 0 {
			*proofSkip--
			continue
		}
		games++
		began := cpu()
		r := remedies(t, seed, text, *proofWork)
		seconds := cpu() - began
		spent += seconds
		most = max(most, seconds)
		played += r.Games
		known := map[string]*truth{}
		of := func(changes []string) (truth, bool) {
			key := strings.Join(changes, "; ")
			if _, seen := known[key]; !seen {
				known[key] = nil
				if v, err := engines.Load("member.yaml", []byte(text), changes...); err == nil {
					if y, ok := truthOf(ctx, v); ok {
						known[key] = &y
					}
				}
			}
			if known[key] == nil {
				return truth{}, false
			}
			return *known[key], true
		}
		var single []string
		any, hit := false, false
		for _, x := range append(r.Best, r.Others...) {
			if len(x.Changes) == 0 { // openings, whose truth is not that of the rules
				continue
			} else if len(x.Changes) == 1 {
				single = append(single, x.Changes[0])
			}
			y, ok := of(x.Changes)
			any = any || ok && y.mends(base)
			word := "true"
			switch called := x.Verdict == "fair" || x.Verdict == "drawn"; {
			case !called && ok && y.even():
				word = "even"
			case !called:
				continue
			case !ok:
				word = "unknown"
			case !y.even():
				word = "FALSE"
				calls++
				falsely++
			default:
				calls++
				hit = hit || x.Verdict == "fair"
			}
			t.Logf("   %s %s %v: %+v, score %v slips %v %v weak %v people %.2f: %s", word, x.Verdict, x.Changes, y, x.Score, x.Slips, x.SlipDraws,
				x.Weak, x.People, x.Why)
		}
		if any {
			could++
			if hit {
				found++
			}
		}
		if games <= *proofPublished {
			called, tried, err := evenest(ctx, text, single, seconds, cpu, rand.New(rand.NewPCG(uint64(seed), 59)))
			if err != nil {
				t.Fatal(err)
			}
			for i, changes := range called {
				if candidates[i] += int64(tried[i]); changes == nil {
					continue
				} else if y, ok := of(changes); ok {
					published[i]++
					wrongly[i] += one(!y.even())
					remedied[i] += one(y.mends(base))
				}
			}
		}
		t.Logf("m%d: truth %.3f draws %.2f %s %d; %d changes, %d fair; can %v found %v; %.0f s, %d games, %s", seed, base.score(),
			base.draw, base.winner, base.plies, r.Tried, r.Fair, any, hit, seconds, r.Games, r.Agent)
		summary()
	}
}

func one(b bool) int64 { return map[bool]int64{true: 1}[b] }

// sizes are the games of a candidate in the published procedures.
var sizes = [...]int{10, 16, 64}

// evenest is the procedure of the literature: of 100 changed games, half of them with one change and half with two, the one
// whose sides win most equally often in 10, 16 or 64 games is called fair if the difference is at most 0.1. It returns the
// changes that are called, and the number of candidates that seconds of CPU pay for, each at least one, by games. The agent is
// that of Spar which errs.
func evenest(ctx context.Context, text string, single []string, seconds float64, cpu func() float64, r *rand.Rand) (calls [3][]string,
	candidates [3]int, err error,
) {
	spec := agents.Erring(agents.AlphaBeta(8000))
	var spent, least [3]float64
	for try, made := 0, 0; try < 1000 && made < 100 && len(single) > 1; try++ {
		one, two := single[r.IntN(len(single))], single[r.IntN(len(single))]
		changes := []string{one}
		if path, _, _ := strings.Cut(one, "="); made%2 == 1 {
			if strings.HasPrefix(two, path+"=") {
				continue
			}
			changes = []string{min(one, two), max(one, two)}
		}
		g, err := engines.Load("member.yaml", []byte(text), changes...)
		if err != nil {
			continue
		}
		made++
		a, err := agents.NewContext(ctx, spec, g)
		if err != nil {
			return calls, candidates, err
		}
		balance, began, was := 0, cpu(), spent
		for game := 1; game <= sizes[2]; game++ {
			if !slices.ContainsFunc([]int{0, 1, 2}, func(i int) bool { return was[i] < seconds && game <= sizes[i] }) {
				break
			}
			a.NewGame(agents.Seed{uint64(made), uint64(game)})
			p := g.NewPosition()
			for !p.Over() {
				d, err := a.Choose(ctx, p, spec.Budget, r)
				if err != nil {
					return calls, candidates, err
				}
				p.Play(d.Move)
			}
			balance += map[engines.Result]int{engines.FirstWins: 1, engines.SecondWins: -1}[p.Result()]
			i := slices.Index(sizes[:], game)
			if i < 0 || was[i] >= seconds {
				continue
			}
			spent[i] += cpu() - began
			candidates[i]++
			if d := math.Abs(float64(balance)) / float64(game); d <= 0.1 && (calls[i] == nil || d < least[i]) {
				least[i], calls[i] = d, changes
			}
		}
	}
	return calls, candidates, nil
}

// A rule of the search that refuses what the table calls a remedy fails here: games must find one in a hexapawn that is lost
// for the second player.
func TestFindsARemedyOfTheTable(t *testing.T) {
	t.Parallel()
	const seed = 324
	var known [2]truth
	r := remedies(t, seed, member(seed), 14, "turn", "win", "no_moves", "second", "movement", "draw")
	if len(r.Best) == 0 || r.Best[0].Verdict != "fair" {
		t.Fatal(r.Text)
	}
	for i, changes := range [][]string{nil, r.Best[0].Changes} {
		g, err := engines.Load("member.yaml", []byte(member(seed)), changes...)
		if err != nil {
			t.Fatal(err)
		}
		known[i], _ = truthOf(t.Context(), g)
	}
	if known[0].even() || !known[1].mends(known[0]) {
		t.Errorf("%v: %+v", r.Best[0].Changes, known)
	}
}
