package arena

import "fmt"

// rounds is the format in which every pairing plays every game the same number of times, round by round, so that a run that
// is stopped early is balanced.
type rounds struct {
	t        *Tournament
	pairings [][2]int
	round    int
	stop     stopRule
}

func allPairings(t *Tournament) [][2]int {
	var out [][2]int
	for b := range t.Players {
		for a := range b {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// gauntletPairings lets each seed play each of the field.
func gauntletPairings(t *Tournament) [][2]int {
	var out [][2]int
	var seeds, field []int
	for i := range t.Players {
		if t.isSeed(i) {
			seeds = append(seeds, i)
		} else {
			field = append(field, i)
		}
	}
	for _, i := range seeds {
		for _, j := range field {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// mirrorPairings lets each player play himself. The two games of a pair then have the same seating and the same opening, and
// are independent of each other: each game has random streams of its own.
func mirrorPairings(t *Tournament) [][2]int {
	var out [][2]int
	for i := range t.Players {
		out = append(out, [2]int{i, i})
	}
	return out
}

// ladderPairings lets each player play the one listed before him.
func ladderPairings(t *Tournament) [][2]int {
	var out [][2]int
	for i := 1; i < len(t.Players); i++ {
		out = append(out, [2]int{i, i - 1})
	}
	return out
}

func (r *rounds) barrier() bool { return false }

func (r *rounds) estimate(t *Tournament) (int64, bool) {
	return int64(t.Pairs) * int64(len(r.pairings)) * int64(len(t.Rules)) * 2, !t.Stop.adaptive()
}

func (r *rounds) stage(*Schedule) ([]pairing, string) {
	if r.round == r.t.Pairs {
		return nil, fmt.Sprintf("all %d pairs played", r.t.Pairs)
	}
	var out []pairing
	for rules := range r.t.Rules {
		for _, p := range r.pairings {
			out = append(out, pairing{rules, p[0], p[1], int64(r.round), 0})
		}
	}
	r.round++
	return out, ""
}

func (r *rounds) judged(s *Schedule, g *slot) (string, bool) {
	if !r.t.Stop.adaptive() {
		return "", false
	}
	perRound := int64(len(r.pairings)) * int64(len(r.t.Rules)) * 2
	return r.stop.judged(s, g, (g.Number+1)/perRound, (g.Number+1)%perRound == 0)
}
